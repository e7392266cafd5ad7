"""The page of a contract: the files of a large one are linked and stand on no page."""

from __future__ import annotations

from msgspec.structs import replace

from site_src import paths
from site_src.pages.instruments.contracts import contract_view, overview
from site_src.publishing import downloads
from site_src.wording import contract_name
from tests.support import sample_site
from tests.support.sample_reports import V3, V4

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


def test_a_reader_is_told_of_which_days_the_runs_are_that_each_version_has_read() -> None:
    """So that "did the scorer change since July?" is answered on the list, and on the page of the scorer."""
    where = sample_site.site().where
    days = {
        ref: sorted(
            stamp[:10]
            for x in where.experiments
            for e in x.report.estimates
            if e.contract.digest == ref.digest
            for stamp in e.stamps or ()
        )
        for ref in (V3, V4, where.contracts["assay/brownfield"][0])
    }
    told = {ref: f"{own[0]} to {own[-1]}" for ref, own in days.items()}
    listed = {
        row.cells[0].spans[0].text: row.cells[4].spans[0].text for row in overview(where).contracts.rows
    }
    assert {contract_name(ref): words for ref, words in told.items()}.items() <= listed.items()
    side = contract_view(where, V4.id, ()).side_by_side.rows[0].cells
    assert [cell.spans[0].text for cell in side] == ["Read the runs of", told[V3], told[V4]]
    alone = where.contracts["assay/brownfield"][0]
    first, last = told[alone].split(" to ")
    assert contract_view(where, alone.id, ()).lede.endswith(
        f"One version is in use, for all of its runs from {first} to {last}."
    )
