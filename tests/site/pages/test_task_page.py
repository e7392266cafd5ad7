"""The page of a task: every run stands in one column of its arm, and the counts are those of the marks."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from metrics_core.results.keys import Keys
from site_src import paths
from site_src.pages import render
from site_src.pages.runs import RunLists, RunsByTask
from site_src.pages.runs.by_task import columns
from site_src.pages.runs.index import Run
from site_src.pages.runs.task_table import blocks
from site_src.pages.runs.tasks import TasksView, TaskView
from tests.support import sample_site

NAME = "brownfield-2026-07"


@cache
def view_of(task: str) -> TaskView:
    page = sample_site.site().page(paths.task(NAME, task))
    assert page is not None
    assert isinstance(page.view, TaskView)
    return page.view


@cache
def runs_of(task: str) -> list[Run]:
    site = sample_site.site()
    x = next(x for x in site.where.experiments if x.name == NAME)
    return [run for run in RunLists().of(x) if run.task == task]


TASKS = [f"B{at}" for at in range(7)]


@pytest.mark.parametrize("task", TASKS)
def test_each_run_stands_once_in_each_row_of_a_verdict(task: str) -> None:
    (block,) = view_of(task).blocks
    for row in block.rows:
        links = Counter(mark.href for mark in row.marks if mark.href)
        here = {f"../../../reviews/{NAME}/{run.name}/index.html" for run in runs_of(task)}
        assert links == (dict.fromkeys(here, 1) if row.verdict else {})
        assert len(row.marks) == len(block.labels) == sum(int(arm.columns) for arm in block.arms)


@pytest.mark.parametrize("task", TASKS)
def test_the_counts_of_a_row_are_those_of_its_marks(task: str) -> None:
    (block,) = view_of(task).blocks
    for row in block.rows:
        states = Counter(re.findall(r"swatch-(\S+)\"", "".join(mark.mark for mark in row.marks)))
        known = states["true"] + states["false"]
        told = "".join(span.text for span in row.held)
        assert told == (f"{states['true']}/{known} known" if known else "none known")


def test_an_assertion_that_a_run_does_not_hold_is_a_hole_and_is_explained() -> None:
    view = view_of("B3")
    holes = [row.label for row in view.blocks[0].rows if any("missing" in m.mark for m in row.marks)]
    assert "ten units get the bulk price" in holes
    assert "not recorded" in [span.text for span in view.key]


def test_the_first_line_adds_up_to_the_runs() -> None:
    for task in TASKS:
        first, *told = view_of(task).lede.rstrip(".").split(". ")
        assert first == f"{len(runs_of(task))} runs"
        for sentence in told:
            assert sum(map(int, re.findall(r" in (\d+)", sentence))) == len(runs_of(task))


def test_runs_whose_numbers_are_withheld_say_so_before_anything_else() -> None:
    page = sample_site.site().page(paths.task("brownfield-2026-07b", "B3"))
    assert page is not None
    assert isinstance(page.view, TaskView)
    assert page.view.lede.startswith("Counted in no number, for a control failed")
    assert not view_of("B3").lede.startswith("Counted in no number")
    listed = sample_site.site().page(paths.tasks("brownfield-2026-07b"))
    assert listed is not None
    assert "Counted in no number, for a control failed" in render.render_page(listed).decode()
    other = [row.cells[2].spans[0].text for t in view_of("B2").history for row in t.rows]
    assert all(text.startswith("Counted in no number") for text in other)


def run(name: str, *, day: str = "", apart: dict[str, str] | None = None, **group: str) -> Run:
    """A run of a task, known by what tells it apart."""
    return Run(
        name=name, family="traces", title="t", task="t", group=Keys(group), strata=(), day=day, outcomes=(),
        facets=(), lost=(), missed=(), broken=(), apart=tuple((apart or {}).items()),
    )  # fmt: skip


def columns_of(*runs: Run) -> tuple[list[str], str, dict[str, str]]:
    """Labels from left to right, the columns in words, and the label of each run's column."""
    by_arm: dict[str, list[Run]] = {}
    for each in runs:
        by_arm.setdefault(each.key("model"), []).append(each)
    own = RunsByTask(sample_site.experiments()[0], runs)
    found = columns(own, by_arm)
    return (
        [found.label(column) for column in found.order],
        found.in_words(),
        {each.name: found.label(found.place[each.name]) for each in runs},
    )


def test_repetitions_stand_in_the_order_of_their_numbers_and_a_hole_keeps_its_place() -> None:
    labels, words, _ = columns_of(
        *(run(f"a{n}", model="a", apart={"repetition": str(n)}) for n in (10, 2, 1)),
        run("b2", model="b", apart={"repetition": "2"}),
    )
    assert labels == ["1", "2", "10"]
    assert words == "Columns are runs by repetition (1, 2 and 10)."


def test_a_key_that_tells_no_run_of_an_arm_apart_makes_no_column() -> None:
    runs = [
        run(f"{model}{n}", model=model, apart={"version": model, "injection": n and f"injection_task_{n}",
            "condition": "attack" if n else "benign"})
        for model in ("a", "b")
        for n in ("", "3", "0")
    ]  # fmt: skip
    labels, words, _ = columns_of(*runs)
    assert labels == ["none", "0", "3"]
    assert words == "Columns are runs by injection (none, injection_task_0 and injection_task_3)."


def test_runs_that_nothing_tells_apart_stand_by_their_days() -> None:
    labels, words, place = columns_of(
        run("late", model="a", day="2026-07-08"), run("early", model="a", day="2026-07-01")
    )
    assert labels == ["1", "2"]
    assert place == {"early": "1", "late": "2"}
    assert words == "Columns are the runs of one model, the earliest first."


def test_many_runs_stand_arm_by_arm() -> None:
    site = sample_site.site()
    x = next(x for x in site.where.experiments if x.name == NAME)
    arms = {
        arm: [run(f"{arm}{n}", model=arm, apart={"repetition": str(n)}) for n in range(9)] for arm in "ab"
    }
    found = columns(RunsByTask(x, [each for some in arms.values() for each in some]), arms)
    shown = list(blocks(site.where, x, "t", arms, found))
    assert [(block.name.text, block.arms, len(block.labels)) for block in shown] == [
        ("a", (), 9),
        ("b", (), 9),
    ]


def test_a_list_of_tasks_names_each_with_its_runs_and_links_to_its_page() -> None:
    page = sample_site.site().page(paths.tasks(NAME))
    assert page is not None
    assert isinstance(page.view, TasksView)
    rows = page.view.tasks.rows
    assert [int(row.cells[1].spans[0].text) for row in rows] == [len(runs_of(task)) for task in TASKS]
    html = render.render_page(page).decode()
    assert all(f'href="{paths.relative(page.path, paths.task(NAME, task))}"' in html for task in TASKS)


@pytest.mark.parametrize("path", [paths.review(NAME, f"{3:012x}"), paths.compare_pair(NAME, "alpha", "beta")])
def test_a_run_and_a_pair_lead_to_the_task(path: str) -> None:
    page = sample_site.site().page(path)
    assert page is not None
    assert f'href="{paths.relative(path, paths.task(NAME, "B3"))}"' in render.render_page(page).decode()
