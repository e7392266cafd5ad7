"""A site without the pages of single runs: smaller, with every link whole, and verified as any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from site_src.cli import main
from site_src.project.safe_write import SiteFile
from site_src.publishing import hosting
from tests.support.small_tables import named, runs_of, write_rows


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    rows = [*runs_of("alpha", named(["11", "10", "00"] * 3)), *runs_of("beta", named(["11"] * 9))]
    write_rows(folder / "content/experiments/nightly/runs.jsonl", rows)
    assert main(["lock", "--quiet"], project=folder) == 0
    assert main(["build", "--no-run-pages", "--quiet"], project=folder) == 0
    return folder


def pages(site: Path) -> set[str]:
    return {path.relative_to(site).as_posix() for path in site.rglob("*.html")}


def test_no_page_is_of_a_run_or_a_task_and_no_link_leads_to_one(project: Path) -> None:
    site = project / "_site"
    found = pages(site)
    assert not [path for path in found if path.startswith(("reviews/", "tasks/"))]
    assert len([path for path in found if not path.startswith("data/figures/")]) < 30
    assert "Reviews" not in (site / "index.html").read_text()
    files = [SiteFile(p.relative_to(site).as_posix(), p.read_bytes()) for p in site.rglob("*") if p.is_file()]
    assert len(list(hosting.linked(files, ()))) == len(files), "a link that leads nowhere is refused"
    assert "t02" in (site / "compare/nightly/alpha/beta/index.html").read_text(), (
        "tasks are still named there"
    )


def test_it_is_verified_as_any_other_site(project: Path) -> None:
    assert main(["verify", str(project / "_site")], project=project) == 0


def test_site_yaml_says_the_same(tmp_path: Path, project: Path) -> None:
    write_rows(tmp_path / "content/experiments/nightly/runs.jsonl", runs_of("m", named(["11", "10"] * 4)))
    (tmp_path / "content/site.yaml").write_text("run_pages: false\n")
    assert main(["build", "--quiet"], project=tmp_path) == 0
    assert not (tmp_path / "_site/reviews").exists()
    assert any((tmp_path / "_site/data").rglob("runs-*.jsonl")), "records are published all the same"
