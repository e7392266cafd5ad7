"""Two readable things beside each other: numbers from the tables, and what is refused or told."""

from __future__ import annotations

from math import fsum
from pathlib import Path

import pytest
from scipy import stats

from metrics_core import api
from metrics_core.comparison import ArmHealth, MeasuredExperiment, comparing, measured, names_apart
from metrics_core.errors import InputError
from tests.support.by_day import at_night
from tests.support.small_tables import named, runs_of, write_rows


def thing(path: Path, name: str = "", **settings: object) -> MeasuredExperiment:
    return measured(name or path.stem, api.load(path, settings=settings or None))


def test_the_tables_give_their_difference_whole_or_in_two(shared_data: Path) -> None:
    whole = thing(shared_data / "tables" / "rows.jsonl")
    found = comparing(whole, whole, a="alpha", b="beta").first
    c = found.comparison
    assert (c.a, c.b, c.paired_on) == ("alpha", "beta", 50)
    assert c.difference == pytest.approx(-0.1467, abs=5e-5)
    assert (c.interval.lo, c.interval.hi) == pytest.approx((-0.240, -0.053), abs=5e-4)
    assert c.p == pytest.approx(0.0028, abs=5e-5)
    assert (c.strict_verdict, c.paired_verdict) == ("cannot separate", "b above a")
    tasks = found.tasks
    assert tasks is not None
    assert (len(tasks.better), len(tasks.worse), tasks.same) == (23, 9, 18)
    assert [(h.attempts, h.errors, h.never_recorded) for h in found.health] == [(148, 6, 2), (148, 4, 2)]
    assert found.errors_p == pytest.approx(stats.fisher_exact([[6, 142], [4, 144]]).pvalue)


def test_two_files_of_means_give_the_same_difference(shared_data: Path) -> None:
    a, b = (thing(shared_data / "tables" / f"{arm}-task-means.csv") for arm in ("alpha", "beta"))
    c = comparing(a, b).first.comparison
    assert c.difference == pytest.approx(-0.1467, abs=5e-5)
    assert c.p == pytest.approx(0.0028, abs=5e-5)


def test_the_other_way_round_is_the_same_with_its_sign_turned(tmp_path: Path) -> None:
    signs = [["111", "110"], ["011", "111"], ["000", "010"], ["111", "111"]] * 5
    base = thing(write_rows(tmp_path / "base.jsonl", runs_of("m", named([a for a, _ in signs]))))
    new = thing(write_rows(tmp_path / "new.jsonl", runs_of("m", named([b for _, b in signs]))))
    there, back = comparing(base, new).first, comparing(new, base).first
    assert there.comparison.difference == pytest.approx(-(back.comparison.difference or 0.0))
    assert there.tasks is not None
    assert back.tasks is not None
    assert len(there.tasks.better) == len(back.tasks.worse) == 10
    assert there.comparison.over == "experiment"


def test_holes_are_held_against_what_the_other_ran(tmp_path: Path) -> None:
    base = thing(write_rows(tmp_path / "base.jsonl", runs_of("m", named(["111"] * 12))))
    new = thing(write_rows(tmp_path / "new.jsonl", runs_of("m", named(["111"] * 9 + ["11 "] * 2))))
    found = comparing(base, new).first
    assert found.health[0] == ArmHealth(36, 0, 0, 0)
    assert found.health[1] == ArmHealth(31, 0, 0, 5), "two single runs, and a whole task"


def test_a_task_is_lost_only_from_always_to_never_on_repeated_runs(tmp_path: Path) -> None:
    base = named(["111", "111", "110", "111"] + ["101"] * 8)
    new = named(["000", "100", "000", "ee0"] + ["101"] * 8)
    a, b = (
        thing(write_rows(tmp_path / f"{name}.jsonl", runs_of("m", signs)))
        for name, signs in (("a", base), ("b", new))
    )
    tasks = comparing(a, b).first.tasks
    assert tasks is not None
    assert tasks.lost == ("t00",)
    assert tasks.always == 3
    assert 0.0 < tasks.by_chance <= 12 / 4**3


def test_another_contract_is_not_compared_and_says_why(tmp_path: Path) -> None:
    rows = runs_of("m", named(["110"] * 10))
    a = thing(write_rows(tmp_path / "a.jsonl", rows), grader_version="1")
    b = thing(write_rows(tmp_path / "b.jsonl", rows), grader_version="2")
    found = comparing(a, b).first
    assert str(found.comparison.outcome) == "not comparable"
    assert "grader is 1 for a and 2 for b" in found.comparison.reason
    assert found.tasks is None


def test_which_arms_are_meant_is_never_guessed(tmp_path: Path) -> None:
    rows = [row for arm in ("x", "y", "z") for row in runs_of(arm, named(["10"] * 9))]
    whole = thing(write_rows(tmp_path / "three.jsonl", rows))
    with pytest.raises(InputError, match=r"which arms are meant.*x, y, z"):
        comparing(whole, whole)
    with pytest.raises(InputError, match="no arm 'w'"):
        comparing(whole, whole, a="w", b="x")
    with pytest.raises(InputError, match=r"no metric 'pased' in both.*passed"):
        comparing(whole, whole, "pased", a="x", b="y")
    assert comparing(whole, whole, "passed", a="z", b="x").arms == ("z", "x")
    assert comparing(whole, whole, a="x", b="z").first.comparison.holm_size == 3, "Holm over all three arms"


def test_slices_are_keys_of_records_and_tags(tmp_path: Path) -> None:
    def more(task: str, run: int) -> dict[str, object]:
        return {"repo": f"r{int(task[1:]) % 2}", "tags": [f"topic:{task[1]}", "hard"]}

    path = write_rows(tmp_path / "m.jsonl", runs_of("m", named(["10"] * 12), more))
    whole = measured("m", api.load(path), slices=("repo", "topic"))
    e = comparing(whole, measured("n", api.load(path))).first.a
    assert whole.values(e, "repo") == ("r0", "r1")
    assert whole.values(e, "topic") == ("0", "1")
    from metrics_core.results import Keys

    assert whole.runs(e, Keys({"topic": "1"})).known == 4
    assert whole.runs(e).known == 24


@pytest.mark.parametrize(
    "paths, names",
    [
        (["a/base.jsonl", "a/new.csv"], ("base", "new")),
        (["main/out.jsonl", "branch/out.jsonl"], ("main/out", "branch/out")),
        (["a/x", "a/x"], ("baseline", "candidate")),
    ],
)
def test_names(paths: list[str], names: tuple[str, str]) -> None:
    assert names_apart(paths) == names


@at_night("tables of which nothing is known are compared in test_truth_of_surfaces.py")
def test_a_metric_of_which_nothing_is_known_stands_beside_none(shared_data: Path) -> None:
    runs = thing(shared_data / "agentdojo" / "runs")
    found = comparing(runs, runs, a="google_gemini-2.5-flash", b="gpt-4o-mini-2024-07-18-camel")
    assert {c.comparison.metric for c in found.leading} == {"utility"}
    assert all(c.comparison.metric != "autonomy" for c in found.beside), "autonomy is never known there"


def test_means_that_part_by_rounding_alone_are_alike_on_their_task(tmp_path: Path) -> None:
    """The mean of seven runs at 0.1 has another last bit than that of three."""
    assert fsum([0.1] * 7) / 7 != fsum([0.1] * 3) / 3
    rows = [
        {"model": arm, "task": f"t{task:02}", "score": 0.1}
        for arm, runs in (("a", 7), ("b", 3))
        for task in range(20)
        for _ in range(runs)
    ]
    whole = thing(write_rows(tmp_path / "rows.jsonl", rows))
    tasks = comparing(whole, whole, a="a", b="b").first.tasks
    assert tasks is not None
    assert (tasks.better, tasks.worse, tasks.same) == ((), (), 20)
