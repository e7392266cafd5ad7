"""The page of a task: every run stands in one column of its arm, and the counts are those of the marks."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, partial

import pytest
from msgspec.structs import replace

from metrics_core.results.keys import Keys
from site_src import paths
from site_src.pages import render
from site_src.pages.runs import RunLists, RunsByTask
from site_src.pages.runs.by_task import columns
from site_src.pages.runs.index import ListedOutcome, Run
from site_src.pages.runs.task_table import blocks
from site_src.pages.runs.tasks import TasksView, TaskView, tasks_view
from site_src.wording.spans import text
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
        first, *told = text(view_of(task).lede).rstrip(".").split(". ")
        assert first == f"{len(runs_of(task))} runs"
        for sentence in told:
            assert sum(map(int, re.findall(r" in (\d+)", sentence))) == len(runs_of(task))


def test_runs_whose_numbers_are_withheld_say_so_before_anything_else() -> None:
    page = sample_site.site().page(paths.task("brownfield-2026-07b", "B3"))
    assert page is not None
    assert isinstance(page.view, TaskView)
    assert text(page.view.lede).startswith("Counted in no number, for a control failed")
    assert not text(view_of("B3").lede).startswith("Counted in no number")
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


def verdict(word: str, *, good: bool, title: str = "Score", **stratum: str) -> ListedOutcome:
    """A known verdict of one metric in a stratum."""
    return ListedOutcome(
        title=title, word=word, tally="", state="true" if good else "false", metric=title.lower(),
        stratum=Keys(stratum), value=float(good), n=int(good), N=1, of="valid runs",
    )  # fmt: skip


def rows_of(*runs: Run) -> dict[str, str]:
    """Label of each row of a verdict -> how many known verdicts speak for the model."""
    by_arm: dict[str, list[Run]] = {}
    for each in runs:
        by_arm.setdefault(each.key("model"), []).append(each)
    site = sample_site.site()
    own = RunsByTask(sample_site.experiments()[0], runs)
    shown = blocks(site.where, own, "t", by_arm, columns(own, by_arm))
    return {
        row.label: "".join(span.text for span in row.held)
        for block in shown
        for row in block.rows
        if row.verdict
    }


def test_verdicts_of_two_strata_are_never_counted_together() -> None:
    """A syntax check is no executed one, and a second scorer is no second run."""
    executed, parsed = (
        verdict("passed", good=True, check="executed"),
        verdict("failed", good=False, check="syntax"),
    )
    runs = [
        replace(run(f"a{day}", model="a", day=f"2026-07-0{day}"), outcomes=outcomes)
        for day, outcomes in enumerate(((executed,), (parsed,), (executed, parsed)), start=1)
    ]
    assert rows_of(*runs) == {"Score, check executed": "2/2 known", "Score, check syntax": "0/2 known"}
    assert rows_of(*runs[:1]) == {"Score": "1/1 known"}


def test_versions_of_a_contract_are_told_by_their_names() -> None:
    of = partial(verdict, "passed", good=True)
    runs = [replace(run(f"a{v}", model="a"), outcomes=(of(contract=f"m/v{v} sha256:0{v}"),)) for v in (1, 2)]
    assert rows_of(*runs) == {"Score, m/v1": "1/1 known", "Score, m/v2": "1/1 known"}


def test_a_digest_that_is_another_for_each_arm_is_no_stratum_until_it_moves_within_one() -> None:
    of = partial(verdict, "passed", good=True)
    first, second = (
        replace(run(name, model=name), outcomes=(of(prompt=prompt),))
        for name, prompt in (("a", "3f9a"), ("b", "77b0"))
    )
    assert set(rows_of(first, second)) == {"Score"}
    moved = replace(run("a2", model="a", day="2026-07-09"), outcomes=(of(prompt="0c0c"),))
    assert len(rows_of(first, second, moved)) == 3


def test_a_copy_of_a_record_is_in_no_count_of_its_task() -> None:
    scored = (verdict("passed", good=True),)
    runs = [
        replace(run("a1", model="a"), outcomes=scored),
        replace(run("a2", model="a"), outcomes=scored, repeated=True),
    ]
    own = RunsByTask(sample_site.experiments()[0], runs)
    assert [each.name for each in own.by_task["t"]] == ["a1"]
    assert own.copies == {"t": 1}
    assert rows_of(*own.by_task["t"]) == {"Score": "1/1 known"}


def columns_of(*runs: Run) -> tuple[list[str], str, dict[str, str]]:
    """Labels from left to right, the columns in words, and the label of each run's column."""
    by_arm: dict[str, list[Run]] = {}
    for each in runs:
        by_arm.setdefault(each.key("model"), []).append(each)
    own = RunsByTask(sample_site.experiments()[0], runs)
    found = columns(own, by_arm)
    return (
        [found.label[column] for column in found.order],
        found.in_words(),
        {each.name: found.label[found.place[each.name]] for each in runs},
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
    own = RunsByTask(x, [each for some in arms.values() for each in some])
    shown = list(blocks(site.where, own, "t", arms, columns(own, arms)))
    assert [(block.name.text, block.arms, len(block.labels)) for block in shown] == [
        ("a", (), 9),
        ("b", (), 9),
    ]


def test_a_task_without_the_verdict_of_another_is_no_task_that_nobody_ran() -> None:
    x = next(x for x in sample_site.site().where.experiments if x.name == NAME)
    asked = replace(
        run("a1", model="a"), task="A1", outcomes=(verdict("wrong", good=False, title="Awareness"),)
    )
    built = replace(run("a2", model="a"), task="B1", outcomes=(verdict("passed", good=True, title="Change"),))
    other = replace(run("b1", model="b"), task="B1", outcomes=())
    rows = tasks_view(RunsByTask(x, [asked, built, other])).tasks.rows
    told = [["".join(span.text for span in cell.spans) for cell in row.cells[2:]] for row in rows]
    assert told == [["awareness 0/1 known", "no run"], ["change 1/1 known", "no change"]]


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
