"""The table of an experiment that says how alike the runs of a task are: from its runs, in memory."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from metrics_core.comparison import stability_of
from metrics_core.results import Review
from site_src.pages.results.stability import StabilityTable, stability_views
from site_src.pages.runs import RunLists
from site_src.project import SiteExperiment
from site_src.wording import spans, whole_repetitions
from site_src.wording.links import FigureContext
from tests.support import decision_samples as samples
from tests.support.surface_predicates import of_habits

TASKS = 24
draw = Random(6)
REPEATED = {
    model: [[draw.random() < 0.6 for _ in range(TASKS)] for _ in range(3)] for model in ("alpha", "beta")
}


def runs(repetitions: int) -> Iterator[Review]:
    for at in range(repetitions):
        held = {model: tries[at] for model, tries in REPEATED.items()}
        for run in samples.runs(held):
            yield replace(run, run=f"{run.run}-{at}", apart=(("repetition", str(at + 1)),))


def made(repetitions: int) -> StabilityTable:
    report = samples.of_runs({model: tries[0] for model, tries in REPEATED.items()})
    x = SiteExperiment(report=report, title="Made up", reviews=lambda: runs(repetitions))
    (view,) = stability_views(x, "attempts", RunLists(), FigureContext(build="b"))
    return view


def test_each_arm_has_its_classes_its_shares_and_what_its_repetitions_came_to() -> None:
    view = made(3)
    said = [[spans.text(cell.spans) for cell in row.cells] for row in view.arms.rows]
    sides = []
    for model, (_, habits, shares, whole) in zip(REPEATED, said, strict=True):
        tasks = {f"t{n:02}": [float(tries[n]) for tries in REPEATED[model]] for n in range(TASKS)}
        sides.append(tasks)
        assert list(of_habits(habits, [tasks])) == []
        wanted = stability_of(model, tasks, {})
        assert wanted.share is not None
        assert f"by task {max(0.0, wanted.share):.2f} [" in shares
        assert f"on {TASKS} tasks: " in whole
    assert list(of_habits("\n".join(row[1] for row in said), sides)) == []
    assert list(of_habits(said[0][1], sides[1:])), "another arm's words are caught"
    words = spans.text(view.open)
    assert words.startswith("A run passes where security is 1.")
    assert "of 3 runs that all passed, a rate of failure of 0.56 is not ruled out" in words


def test_repetitions_that_came_to_the_same_are_not_said_to_lack_numbers() -> None:
    tasks = {f"t{at}": [float(at < 9)] * 3 for at in range(12)}
    numbered = {str(rep): {name: [values[rep]] for name, values in tasks.items()} for rep in range(3)}
    words = (
        "repetitions 0.75, 0.75, 0.75 on 12 tasks: no test, as what they differ by is the same on every task"
    )
    assert whole_repetitions(stability_of("alpha", tasks, numbered)) == words
    assert whole_repetitions(stability_of("alpha", tasks, {})) == ""


def test_without_repetitions_it_says_why_there_is_no_share() -> None:
    view = made(1)
    said = [spans.text(cell.spans) for cell in view.arms.rows[0].cells]
    assert said[1] == f"{TASKS} tasks with one known run"
    assert said[2].startswith("No share of variance: no task")
    assert said[3] == "No task has one known run of each of several repetitions"
    assert "not ruled out" not in spans.text(view.open)
