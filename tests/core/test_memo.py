"""What a memo keeps is what would be computed again, to the bit, and never more than it may keep."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

import metrics_core as mc
from metrics_core.measurement import estimators
from metrics_core.memo import Memo
from site_src.drawing import chart


def test_the_same_arguments_give_the_very_same_result_once() -> None:
    calls = []

    def pair(values: Sequence[float], word: str | None) -> tuple[float, ...]:
        calls.append(word)
        return (*values,)

    memo = Memo(10)
    first = memo(pair, [0.5, 1.0], "a")
    assert memo(pair, [0.5, 1.0], "a") is first
    assert calls == ["a"]
    assert memo(pair, [0.5, 1.0], None) is not first
    assert calls == ["a", None]


def test_two_functions_of_the_same_arguments_are_kept_apart_and_so_are_two_memos() -> None:
    memo = Memo()
    assert (memo(float, 2), memo(str, 2), memo(hex, 2)) == (2.0, "2", "0x2")
    assert len(memo) == 3
    assert len(Memo()) == 0


def test_numbers_that_are_written_otherwise_are_other_arguments() -> None:
    memo = Memo()
    assert [memo(repr, x) for x in (0, 0.0, -0.0, True, 1, 1.0)] == ["0", "0.0", "-0.0", "True", "1", "1.0"]


def test_no_more_is_kept_than_was_said_and_what_was_wanted_last_stays() -> None:
    calls, memo = [], Memo(2)

    def once(value: int) -> int:
        calls.append(value)
        return value

    for value in (1, 2, 1, 3, 1, 2):
        memo(once, value)
    assert calls == [1, 2, 3, 2]
    assert len(memo) == 2


def test_a_result_that_could_be_changed_is_refused() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        Memo()(list, (1,))
    with pytest.raises(ValueError, match="1 or more"):
        Memo(0)


def test_an_integer_beyond_64_bits_is_computed_each_time() -> None:
    memo = Memo()
    assert memo(str, 10**30) == str(10**30)
    assert len(memo) == 0


@pytest.mark.parametrize("seed", range(5))
def test_intervals_beside_an_estimate_are_the_same_remembered_or_not(seed: int) -> None:
    rng = random.Random(seed)
    clusters = [[rng.randrange(4) / 3 for _ in range(rng.randrange(1, 5))] for _ in range(12)]
    known = sum(map(len, clusters))
    memo = Memo()
    first = memo(estimators.reported_intervals, clusters, "scenario", known)
    assert memo(estimators.reported_intervals, clusters, "scenario", known) is first
    assert estimators.reported_intervals(clusters, "scenario", known) == first


def test_a_report_is_the_same_whatever_was_computed_before(repo: Path) -> None:
    """With everything forgotten, with everything remembered, and after another experiment."""
    folder = repo / "content" / "experiments" / "patches-2026"

    def report(memo: Memo) -> object:
        return mc.compute(mc.load(folder), memo=memo).to_json()

    memo = Memo()
    cold = report(memo)
    assert len(memo) > 0
    assert report(memo) == cold
    mc.compute(mc.load(repo / "content" / "experiments" / "brownfield-2026-05"), memo=memo)
    assert report(memo) == cold == report(Memo())


def test_figures_that_differ_in_their_labels_alone_are_drawn_once() -> None:
    template, memo = chart.chart("two labels", ("boxes", "labels")), Memo()
    plain = chart.draw(template, {}, {}, (40.0, 20.0), memo)
    assert chart.draw(template, {"labels": [{"text": "a"}]}, {}, (40.0, 20.0), memo) is plain
    assert chart.draw(template, {}, {}, (40.0, 21.0), memo) != plain
