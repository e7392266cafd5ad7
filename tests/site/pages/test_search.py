"""What is found by its name: every page and run of a site, each under an address that is there."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from site_src import paths
from site_src.pages import render
from site_src.pages.page import Page
from site_src.pages.runs import RunLists
from site_src.pages.search import entries
from tests.support import sample_site
from tests.support.sample_reports import HOSTILE


@cache
def made() -> Page:
    page = sample_site.site().page(paths.SEARCH)
    assert page is not None
    return page


@cache
def index() -> dict[str, Any]:
    (file,) = made().files
    assert file.path == paths.SEARCH_INDEX
    assert file.data.isascii()
    found = re.fullmatch(rb'"use strict";\nwindow\.ASSAY_SEARCH = (.*);\n', file.data)
    assert found is not None
    return dict(json.loads(found[1]))


def group(title: str) -> list[list[str]]:
    return next(each["entries"] for each in index()["groups"] if each["title"] == title)


def test_every_address_is_of_a_page_of_the_site_and_of_an_element_there() -> None:
    known = set(sample_site.site().paths())
    ids = set(re.findall(r'id="([^"]+)"', page_text(paths.METHODS)))
    for each in index()["groups"]:
        for _, _, address in each["entries"]:
            path, _, fragment = address.partition("#")
            assert path in known
            assert not fragment or fragment in ids
    for runs in index()["runs"]:
        folder = runs["path"].removesuffix("index.html")
        assert {f"{folder}{row[2]}/index.html" for row in runs["rows"]} <= known


def page_text(path: str) -> str:
    page = sample_site.site().page(path)
    assert page is not None
    return render.render_page(page).decode()


def test_every_planned_page_is_found_once_but_for_the_one_that_nobody_seeks() -> None:
    site = sample_site.site()
    found = [address.partition("#")[0] for each in index()["groups"] for *_, address in each["entries"]]
    once = [path for path in found if not path.startswith(paths.METHODS) and not path.startswith("tasks/")]
    assert len(once) == len(set(once))
    assert set(site.planned) - set(found) == {paths.NOT_FOUND, paths.SEARCH}


def test_each_run_is_found_by_task_model_day_and_outcome() -> None:
    (first, second) = index()["runs"]
    assert (first["count"], len(first["rows"]), second["count"]) == (60, 60, 6)
    name, detail, _ = next(row for row in first["rows"] if row[2] == f"{3:012x}")
    assert first["names"][name] == "B3: bulk price starts one unit late · alpha"
    assert first["details"][detail] == "2026-07-06 · run 1 of 3 · task done, done, but broken"
    hostile = next(row for row in first["rows"] if row[2] == f"{10:012x}")
    assert HOSTILE in first["names"][hostile[0]]


def test_tasks_say_how_many_runs_of_how_many_models() -> None:
    tasks = {path: detail for _, detail, path in group("Tasks")}
    assert tasks[paths.task("brownfield-2026-07", "B1")] == "9 runs of 3 models · Brownfield 2026 07"


def test_a_metric_is_found_under_the_last_version_of_its_contract() -> None:
    names = [name for name, *_ in group("Metrics")]
    refs = {ref for refs in sample_site.site().where.contracts.values() for ref in refs}
    assert len(names) < len(refs) * 2


def test_an_experiment_of_too_many_runs_is_found_by_its_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MOST_RUNS", 40)
    site = sample_site.site()
    x = next(x for x in site.where.experiments if x.name in site.where.with_runs)
    many = replace(x, reviews=lambda: (sample_site.review(x.name, at) for at in range(entries.MOST_RUNS + 1)))
    where = replace(site.where, experiments=(many,), contracts={})
    (listed,) = entries.entries(where, RunLists(), ()).runs
    assert (listed.count, listed.entries) == (entries.MOST_RUNS + 1, ())


def test_without_a_script_every_group_is_listed_with_links() -> None:
    html = page_text(paths.SEARCH)
    assert re.findall(r"<h2>(\w+)</h2>\n<ul class=\"list spread\"", html) == [
        *("Models", "Tasks", "Runs", "Metrics", "Contracts", "Pages")
    ]
    assert 'href="reviews/brownfield-2026-07/index.html"' in html
    assert 'href="tasks/brownfield-2026-07/index.html"' in html
