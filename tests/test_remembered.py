"""What a process remembers is what it would compute again, to the bit, and never more than it may keep."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

import metrics_core as mc
from metrics_core import estimators
from metrics_core.bootstrap import bootstrap_mean_ci
from metrics_core.remembered import Remembered, forget_all, remembered
from site_src.figures import chart
from tests.reference import seed_004


def test_the_same_arguments_give_the_very_same_result_once() -> None:
    calls = []

    @remembered(most=10)
    def pair(values: Sequence[float], word: str | None) -> tuple[float, ...]:
        calls.append(word)
        return (*values,)

    first = pair([0.5, 1.0], "a")
    assert pair([0.5, 1.0], "a") is first
    assert calls == ["a"]
    assert pair([0.5, 1.0], None) is not first
    assert calls == ["a", None]


def test_numbers_that_are_written_otherwise_are_other_arguments() -> None:
    @remembered(most=10)
    def spelled(value: float) -> str:
        return repr(value)

    assert [spelled(x) for x in (0, 0.0, -0.0, True, 1, 1.0)] == ["0", "0.0", "-0.0", "True", "1", "1.0"]


def test_no_more_is_kept_than_was_said_and_what_was_wanted_last_stays() -> None:
    calls = []

    @remembered(most=2)
    def once(value: int) -> int:
        calls.append(value)
        return value

    for value in (1, 2, 1, 3, 1, 2):
        once(value)
    assert calls == [1, 2, 3, 2]
    assert len(once) == 2


def test_a_result_that_could_be_changed_is_refused() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        remembered(most=1)(lambda value: [value])(1)
    with pytest.raises(ValueError, match="1 or more"):
        Remembered(str, 0)


def test_an_integer_beyond_64_bits_is_computed_each_time() -> None:
    assert bootstrap_mean_ci([0.0, 1.0] * 8, 50, seed=10**30) == seed_004.bootstrap_mean_ci(
        [0.0, 1.0] * 8, 50, seed=10**30
    )


def test_a_signed_bootstrap_that_is_remembered_is_the_reference_still() -> None:
    rng = random.Random("remembered")
    scores = [rng.random() for _ in range(60)]
    expected = seed_004.bootstrap_mean_ci(scores, 100)
    for _ in range(2):
        got = bootstrap_mean_ci(scores, 100)
        assert got == expected
        got["ci95"].append("changed by whoever got it")


@pytest.mark.parametrize("seed", range(5))
def test_intervals_beside_an_estimate_are_the_same_remembered_or_not(seed: int) -> None:
    rng = random.Random(seed)
    clusters = [[rng.randrange(4) / 3 for _ in range(rng.randrange(1, 5))] for _ in range(12)]
    known = sum(map(len, clusters))
    first = estimators.others(clusters, "scenario", known)
    assert estimators.others(clusters, "scenario", known) is first
    assert estimators.others.__wrapped__(clusters, "scenario", known) == first  # type: ignore[attr-defined]


def test_a_report_is_the_same_whatever_was_computed_before(repo: Path) -> None:
    """With everything forgotten, with everything remembered, and after another experiment."""
    folder = repo / "content" / "experiments" / "patches-2026"

    def report() -> object:
        return mc.compute(mc.load(folder)).to_json()

    forget_all()
    assert not len(estimators.others)
    cold = report()
    assert report() == cold
    mc.compute(mc.load(repo / "content" / "experiments" / "brownfield-2026-05"))
    assert report() == cold


def test_figures_that_differ_in_their_labels_alone_are_drawn_once() -> None:
    template = chart.chart("two labels", ("boxes", "labels"))
    plain = chart.draw(template, {}, {}, (40.0, 20.0))
    assert chart.draw(template, {"labels": [{"text": "a"}]}, {}, (40.0, 20.0)) is plain
    assert chart.draw(template, {}, {}, (40.0, 21.0)) != plain
