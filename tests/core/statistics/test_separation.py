"""Separation: Holm's adjustment against statsmodels, every reason against it, and which models are tied."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace
from statsmodels.stats.multitest import multipletests

from metrics_core.results.codes import NoInterval, NotSeparated
from metrics_core.results.interval import Interval
from metrics_core.results.separation import ONLY_STRICT, Separation, SeparationVerdict
from metrics_core.statistics.differences import (
    paired_binary,
    paired_t,
    unpaired_binary,
)
from metrics_core.statistics.separation import brackets, holm, verdict


@pytest.fixture
def golden(shared_data: Path) -> dict[str, Any]:
    return json.loads((shared_data / "golden" / "statistics.json").read_text())


def test_golden_holm(golden: dict[str, Any]) -> None:
    assert holm(golden["holm"]["p"]) == pytest.approx(golden["holm"]["adj"], abs=5e-13)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_holm_is_statsmodels(ps: list[float]) -> None:
    assert holm(ps) == pytest.approx(multipletests(ps, method="holm")[1], abs=1e-12)


def test_holm_counts_a_comparison_without_a_test() -> None:
    assert holm([0.01, None, 0.04]) == pytest.approx([0.03, None, 0.08])
    assert holm([]) == []
    with pytest.raises(ValueError, match="expected 0 to 1"):
        holm([0.5, 1.2])


HIGH, MIDDLE, LOW = (
    Interval(lo=lo, hi=hi, method="wilson") for lo, hi in ((0.7, 0.9), (0.5, 0.75), (0.1, 0.4))
)

CLEAR = paired_binary(25, 2, 40)


def test_apart_and_significant_is_separated() -> None:
    assert verdict(HIGH, LOW, CLEAR, 0.01, 40, 40).strict == "a above b"
    assert verdict(LOW, HIGH, paired_binary(2, 25, 40), 0.01, 40, 40).strict == "b above a"
    assert verdict(HIGH, LOW, CLEAR, 0.05, 15, 15).strict == "a above b"


def test_overlap_separates_nothing_unless_the_difference_alone_decides() -> None:
    found = verdict(HIGH, MIDDLE, CLEAR, 0.01, 40, 40)
    assert (found.strict, found.against, found.overlap) == (
        "cannot separate", (NotSeparated.OVERLAP,), True,
    )  # fmt: skip
    assert (found.paired, found.reasons("paired")) == ("a above b", ())
    assert found.outcome is Separation.SAME_TASKS_ONLY
    touching = Interval(lo=0.9, hi=0.95, method="wilson")
    assert verdict(touching, HIGH, CLEAR, 0.01, 40, 40).against == (NotSeparated.OVERLAP,)


def test_different_tasks_have_no_second_rule() -> None:
    """Newcombe leaves out 0, the two intervals overlap: there are no same tasks to tell the two apart on."""
    apart = unpaired_binary(56, 70, 48, 80)
    found = verdict(HIGH, MIDDLE, apart, 0.01, 70, 80)
    assert (apart.interval.lo or 0.0) > 0.0
    assert (found.strict, found.paired, found.outcome) == ("cannot separate",) * 3
    assert found.reasons("paired") == (NotSeparated.OVERLAP,)
    found = verdict(HIGH, LOW, apart, 0.01, 70, 80)
    assert (found.strict, found.paired, found.outcome) == ("a above b", "a above b", "separated")


@pytest.mark.parametrize("only_strict", sorted(ONLY_STRICT))
def test_the_second_outcome_is_what_only_the_own_intervals_stand_against(only_strict: NotSeparated) -> None:
    found = SeparationVerdict(above="b", against=(only_strict,), overlap=True)
    assert (found.strict, found.paired) == ("cannot separate", "b above a")
    assert found.outcome is Separation.SAME_TASKS_ONLY
    assert found.reversed().paired == "a above b"
    more = SeparationVerdict(above="b", against=(only_strict, NotSeparated.REVERSES), overlap=True)
    assert (more.outcome, more.reasons("paired")) == (Separation.CANNOT, (NotSeparated.REVERSES,))


NO_INTERVAL = Interval.none(NoInterval.TOO_FEW)


@pytest.mark.parametrize(
    ("reason", "changed"),
    [
        (NotSeparated.FEW_RUNS, {"valid_b": 14}),
        (NotSeparated.FEW_RUNS, {"valid_a": 8}),
        (NotSeparated.TOO_FEW_RUNS, {"valid_a": 7}),
        (NotSeparated.TOO_FEW_RUNS, {"valid_a": 0, "valid_b": 9}),
        (NotSeparated.NO_INTERVAL, {"a_interval": NO_INTERVAL}),
        (NotSeparated.NO_DIFFERENCE, {"difference": paired_t([0.5])}),
        (NotSeparated.HOLDS_ZERO, {"difference": paired_binary(14, 12, 40)}),
        (NotSeparated.FEW_DISCORDANT, {"difference": paired_binary(5, 0, 8)}),
        (NotSeparated.NOT_SIGNIFICANT, {"p_adjusted": 0.0501}),
        (NotSeparated.NO_TEST, {"p_adjusted": None}),
        (NotSeparated.DISAGREE, {"difference": paired_binary(2, 25, 40)}),
        (NotSeparated.REVERSES, {"reverses": True}),
    ],
)
def test_each_thing_that_stands_against_a_separation_is_enough(
    reason: NotSeparated, changed: dict[str, Any]
) -> None:
    arguments: dict[str, Any] = {
        "a_interval": HIGH,
        "b_interval": LOW,
        "difference": CLEAR,
        "p_adjusted": 0.01,
        "valid_a": 40,
        "valid_b": 40,
    }
    found = verdict(**arguments | changed)
    assert (found.strict, found.against) == ("cannot separate", (reason,))
    assert (found.paired == "cannot separate") == (reason not in ONLY_STRICT)


def test_all_reasons_are_told() -> None:
    found = verdict(NO_INTERVAL, NO_INTERVAL, paired_binary(1, 1, 9), None, 9, 9, reverses=True)
    assert found.against == (
        NotSeparated.FEW_RUNS,
        NotSeparated.NO_INTERVAL,
        NotSeparated.HOLDS_ZERO,
        NotSeparated.FEW_DISCORDANT,
        NotSeparated.NO_TEST,
        NotSeparated.REVERSES,
    )
    assert found.overlap is None


def test_a_verdict_cannot_contradict_its_reasons() -> None:
    with pytest.raises(ValueError, match="no side is above"):
        SeparationVerdict(above=None, against=(), overlap=False)
    with pytest.raises(ValueError, match="no side is above"):
        SeparationVerdict(above=None, against=(NotSeparated.OVERLAP,), overlap=True)


def test_brackets_may_overlap() -> None:
    found = brackets(["beta", "delta", "gamma"], [("gamma", "beta")])
    assert found == [("beta", "delta"), ("delta", "gamma")]
    assert brackets(["a", "b", "c"], []) == [("a", "b", "c")]
    assert brackets(["a", "b"], [("a", "b")]) == [("a",), ("b",)]
    assert brackets([], []) == []
    # a and c are not separated, though b between them is told from a.
    assert brackets(["a", "b", "c"], [("a", "b")]) == [("a", "c"), ("b", "c")]


PAIRS = st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda pair: pair[0] != pair[1])


@given(st.integers(1, 8), st.sets(PAIRS))
def test_brackets_are_all_largest_groups_and_nothing_else(size: int, pairs: set[tuple[int, int]]) -> None:
    models = [f"m{i}" for i in range(size)]
    separated = [(f"m{i}", f"m{j}") for i, j in pairs]
    apart = {frozenset(pair) for pair in separated}
    whole = [
        set(group)
        for length in range(1, size + 1)
        for group in itertools.combinations(models, length)
        if not any(frozenset(pair) in apart for pair in itertools.combinations(group, 2))
    ]
    largest = [group for group in whole if not any(group < other for other in whole)]
    found = brackets(models, separated)
    assert sorted(map(sorted, largest)) == sorted(map(list, found))


def test_many_models_are_grouped_at_once() -> None:
    rng = random.Random(4)
    models = [f"m{i:02}" for i in range(40)]
    separated = [
        (models[i], models[j]) for i in range(40) for j in range(i) if i - j > 6 or rng.random() < 0.02
    ]
    assert {model for group in brackets(models, separated) for model in group} == set(models)


def test_a_limit_on_the_line_is_on_the_side_of_not_separated() -> None:
    def reasons(**changed: Any) -> tuple[Any, ...]:
        given: dict[str, Any] = {"difference": CLEAR, "p_adjusted": 0.01, "valid_a": 40, "valid_b": 40}
        return verdict(HIGH, LOW, **given | changed).against

    touching = Interval(lo=0.0, hi=0.5, method="bonett-price")
    assert NotSeparated.HOLDS_ZERO in reasons(difference=replace(CLEAR, interval=touching))
    assert reasons(p_adjusted=0.05) == ()
    assert NotSeparated.FEW_RUNS in reasons(valid_a=14)
    assert reasons(valid_a=15) == ()
    assert reasons(difference=paired_binary(6, 0, 8)) == ()  # 6 discordant pairs can be significant
