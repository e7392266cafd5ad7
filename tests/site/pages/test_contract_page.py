"""The page of a contract: the files of a large one are linked and stand on no page."""

from __future__ import annotations

from dataclasses import replace

from site_src import paths
from site_src.pages.instruments.contracts import contract_view
from site_src.publishing import downloads
from tests.support import sample_site

CLOSURE = {"core/a.py": b"1\n2\n", "families/b.py": b"3\n"}


def test_a_contract_of_many_files_links_each_where_it_is_published() -> None:
    where = sample_site.site().where
    ref = where.contracts["assay/brownfield"][0]
    read = [replace(x, sources={**x.sources, ref.digest: CLOSURE}) for x in where.experiments]
    (version, *_) = contract_view(replace(where, experiments=tuple(read)), ref.id, ()).versions
    assert version.sources == ()
    (closure,) = version.closure
    cells = [[cell.spans[0] for cell in row.cells] for row in closure.rows]
    assert [(row[0].text, row[1].text) for row in cells] == [("families/b.py", "1"), ("core/a.py", "2")]
    published = {file.path: file.data for file in downloads.sources({ref.digest: CLOSURE})}
    for row in cells:
        page = paths.contract(ref.id)
        target = next(at for at in published if paths.relative(page, at) == row[0].href)
        assert published[target] == CLOSURE[row[0].text]
