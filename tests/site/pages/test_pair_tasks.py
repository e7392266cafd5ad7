"""Two arms task by task: groups and their order, marks, words, and how steady arms are from run to run."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from metrics_core.results.comparison import Comparison
from metrics_core.results.keys import Keys
from site_src.pages.compare import choose, stability, task_rows
from site_src.pages.compare.by_rule import rule_verdicts
from site_src.pages.compare.tasks import Tasks, tasks
from site_src.pages.runs import ListedOutcome, Run
from site_src.project.site_model import SiteExperiment
from site_src.wording import spans
from site_src.wording.links import FigureContext, Links
from tests.support import figure_samples as samples, sample_site

CONTEXT = FigureContext(
    build="0.4.0+1c9e55d2",
    links=Links(
        pair=lambda experiment, a, b: f"../{experiment}/{a}/{b}/index.html",
        reviews=lambda f: f"../reviews/#{f.group.get('scenario', '')}",
    ),
)
ETERNAL = Keys({"split": "eval"})
C = replace(samples.COMPARISONS[0], family="traces", metric="score", stratum=ETERNAL, a="alpha", b="beta")


def run(task: str, value: float | None, at: int) -> Run:
    state = "unknown" if value is None else "true" if value == 1 else "false"
    known = value is not None
    outcome = ListedOutcome(
        title="Score", word=state, tally="", state=state, metric="score", stratum=ETERNAL,
        value=value, n=int(value or 0), N=int(known), of="runs",
    )  # type: ignore[arg-type]  # fmt: skip
    return Run(
        name=f"{at:012x}", family="traces", title=task, task=task,
        group=Keys((("model", "x"), ("scenario", task))), strata=ETERNAL, day="", outcomes=(outcome,),
        facets=(), lost="", missed=(), broken=(),
    )  # fmt: skip


def runs(**values: Sequence[float | None]) -> list[Run]:
    """Runs of tasks by name."""
    named = [(task, value) for task, found in values.items() for value in found]
    return [run(task, value, at) for at, (task, value) in enumerate(named)]


def rows_of(c: Comparison, a: list[Run], b: list[Run], *, linked: bool = True) -> task_rows.TaskRowsView:
    first = samples.share("score", 5, 9, model="alpha")
    second = samples.share("score", 5, 9, model="beta")
    found = tasks(c, a, b)
    t = Tasks(c=c, a=first, b=second, found=found, published={}, page="compare/x/alpha/beta/index.html")
    return task_rows.task_rows(t, CONTEXT, linked=linked)


ALPHA = runs(gone=[1, 1, 1], less=[1, 1, 0], same=[1, 0, 0], won=[0, 0, 0], hole=[None, None], only=[1])
BETA = runs(gone=[0, 0, 0], less=[1, 0, 0], same=[0, 1, 0], won=[1, 1, 0], hole=[1, 1])


def told(view: task_rows.TaskRowsView) -> list[tuple[str, list[str], bool]]:
    return [
        (spans.text(group.title), [spans.text(row.name) for row in group.rows], group.folded)
        for group in view.groups
    ]


def test_what_is_worse_comes_first_and_the_largest_change_of_it() -> None:
    assert told(rows_of(C, ALPHA, BETA)) == [
        ("Worse with beta: 2 tasks", ["gone", "less"], False),
        ("Better with beta: 1 task", ["won"], False),
        ("Alike: 1 task", ["same"], True),
        ("In no pair: 2 tasks", ["hole", "only"], True),
    ]


def test_where_less_is_better_the_groups_change_places_and_where_neither_is_they_say_less_and_more() -> None:
    against = told(rows_of(replace(C, polarity="against"), ALPHA, BETA))
    assert [(title, names) for title, names, _ in against[:2]] == [
        ("Worse with beta: 1 task", ["won"]),
        ("Better with beta: 2 tasks", ["gone", "less"]),
    ]
    neither = told(rows_of(replace(C, polarity="neither"), ALPHA, BETA))
    assert [title for title, _, _ in neither[:2]] == ["Less with beta: 2 tasks", "More with beta: 1 task"]


def test_a_row_says_both_counts_and_the_change_and_stands_at_both_means() -> None:
    view = rows_of(C, ALPHA, BETA)
    gone, less = view.groups[0].rows
    assert spans.text(gone.change) == "3/3 → 0/3 −1.00"
    assert spans.text(less.change) == "2/3 → 1/3 −0.33"
    (point,) = re.findall(r'<circle cx="([\d.]+)%"', less.marks)
    assert float(point) == pytest.approx(100 / 3, abs=0.01)
    assert 'x1="66.67%" x2="66.67%"' in less.marks
    assert 'stroke="var(--false-line)"' in less.marks
    assert 'stroke-dasharray="5 3"' in less.marks
    assert 'stroke="var(--true)"' in view.groups[1].rows[0].marks
    hole, only = view.groups[3].rows
    assert spans.text(hole.change) == "not known → 2/2"
    assert spans.text(only.change) == "only alpha ran it"
    assert only.marks.count("<circle") == 0


def test_few_runs_have_a_mark_each_and_many_one_link() -> None:
    view = rows_of(C, runs(t=[1, 0, None, 1]), runs(t=[1, 0, 0, 0, None]))
    (row,) = view.groups[0].rows
    assert [(part.text, part.role) for part in row.a] == [
        ("run 1: true", "run"), ("run 2: false", "run"), ("run 3: unknown", "run"), ("run 4: true", "run"),
    ]  # fmt: skip
    assert all(part.href.endswith("index.html") for part in row.a)
    assert spans.text(row.b) == "5 runs · 1 unknown"
    assert row.b[0].href == "../reviews/#t"
    unlinked = rows_of(C, runs(t=[1]), runs(t=[0]), linked=False)
    assert not [part for part in unlinked.groups[0].rows[0].a if part.href]


def test_the_axis_has_the_shares_that_can_occur() -> None:
    assert "⅓" in rows_of(C, runs(t=[1, 1, 0]), runs(t=[1, 0, 0])).scale
    assert ".25" in rows_of(C, runs(t=[1, 1, 0]), runs(t=[1, 0])).scale


def test_more_tasks_than_have_rows_are_said_to_be_in_the_list_of_runs() -> None:
    many_a = runs(**{f"t{n:03}": [1] for n in range(task_rows.MOST_TASKS + 5)})
    many_b = runs(**{f"t{n:03}": [0] for n in range(task_rows.MOST_TASKS + 5)})
    view = rows_of(C, many_a, many_b)
    assert sum(len(group.rows) for group in view.groups) == task_rows.MOST_TASKS
    assert spans.text(view.groups[0].title) == "Worse with beta: 205 tasks"
    assert spans.text(view.rest) == "5 more tasks, in the list of runs"


# ------------------------------------------------------------------------------------------ how steady


def steady(c: Comparison, a: list[Run], b: list[Run]) -> list[stability.StabilityView]:
    return list(stability.stability(c, tasks(c, a, b)))


def test_how_steady_both_arms_are_is_counted_over_tasks_tried_three_times_by_both() -> None:
    """Of four: alpha always one, never one, changing two; beta never one, changing three."""
    (view,) = steady(C, ALPHA, BETA)
    assert spans.text(view.title) == "alpha: always 1, never 1, changing 2 of 4 tasks. beta: 0, 1 and 3"
    assert "Of those that alpha always passes beta never passes 1." in spans.text(view.reads)
    assert all("no share of variance: fewer than 10 tasks" in spans.text(arm.words) for arm in view.arms)
    cells = [[spans.text(cell.spans) for cell in row.cells] for row in view.crossed.rows]
    assert cells == [
        ["always with alpha", "0", "0", "1", "1"],
        ["changing with alpha", "0", "2", "0", "2"],
        ["never with alpha", "0", "1", "0", "1"],
        ["all", "0", "3", "1", "4"],
    ]


def test_where_more_is_worse_a_run_passes_at_0() -> None:
    (view,) = steady(replace(C, polarity="against"), ALPHA, BETA)
    assert spans.text(view.title) == "alpha: always 1, never 1, changing 2 of 4 tasks. beta: 1, 0 and 3"


@pytest.mark.parametrize(
    ("a", "b"),
    [(runs(t=[1, 0]), runs(t=[1, 0])), (runs(t=[1, 0, 0.5]), runs(t=[1, 0, 1])), (runs(t=[1, 1, 1]), [])],
)
def test_too_few_runs_and_scores_between_are_no_habit(a: list[Run], b: list[Run]) -> None:
    assert steady(C, a, b) == []


# --------------------------------------------------------------------------------- both rules, and the choice


def test_both_rules_stand_side_by_side_with_the_one_in_force_named() -> None:
    own, same = rule_verdicts(samples.COMPARISONS[1])
    assert own.rule == "By their own intervals"
    assert re.fullmatch(r"On the same \d+ tasks", same.rule)
    assert [own.in_force, same.in_force] == [samples.COMPARISONS[1].rule == "overlap", False]
    judged = replace(samples.COMPARISONS[1].judged, unpaired=True)
    alone = list(rule_verdicts(replace(samples.COMPARISONS[1], paired_on=None, judged=judged)))
    assert [verdict.rule for verdict in alone] == ["By their own intervals"]


def experiment(name: str) -> SiteExperiment:
    return next(x for x in sample_site.site().where.experiments if x.name == name)


def test_every_pair_can_be_chosen_and_the_pair_of_the_page_is() -> None:
    x = experiment("brownfield-2026-07")
    every = {(c.a, c.b) for c in x.report.comparisons if c.over == "model"}
    view = choose.choose([x], CONTEXT, "compare/index.html")
    assert every <= {(p.a, p.b) for group in view.groups for p in group.pairs}
    assert not view.a
    own = choose.choose([x], CONTEXT, "compare/index.html", pair=("alpha", "beta"))
    assert (own.a, own.b, own.several) == ("alpha", "beta", False)
    assert "alpha" not in own.seconds
    assert {*own.firsts} == {name for both in every for name in both}
