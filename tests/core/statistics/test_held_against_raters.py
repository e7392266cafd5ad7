"""A judge's figures against the golden values, and against libraries and formulas of another sort."""

from __future__ import annotations

import json
import random
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from metrics_core.statistics.agreement.judges import (
    Pair,
    Proportion,
    clustered_kappa,
    corrected,
    corrected_share,
    flip_rate,
    no_better_than_chance,
    prediction_powered,
)
from metrics_core.statistics.agreement.labels import kappa, kappa_interval, kappa_standard_error
from metrics_core.statistics.proportions import wilson_limits
from metrics_core.statistics.t_table import Z_975


@pytest.fixture
def golden(shared_data: Path) -> list[dict[str, Any]]:
    return json.loads((shared_data / "golden" / "second.json").read_text())["cases"]


def of(golden: list[dict[str, Any]], begins: str) -> list[dict[str, Any]]:
    found = [case for case in golden if case["name"].startswith(begins)]
    assert found
    return found


def test_golden_agreement_with_a_human(golden: list[dict[str, Any]]) -> None:
    for case in of(golden, "judge against a human"):
        table, want = case["inputs"]["table"], case["expected"]
        (a, b), (c, d) = table
        n = a + b + c + d
        assert kappa(table) == pytest.approx(want["kappa"], abs=1e-9)
        assert kappa_standard_error(table) == pytest.approx(want["kappa_se"], abs=1e-9)
        limits = clustered_kappa([[pair] for pair in pairs_of(table)])
        assert [limits.lo, limits.hi] == pytest.approx(want["kappa95"], abs=1e-9)
        for name, x, of_all in (
            ("agreement", a + d, n),
            ("sensitivity", a, a + b),
            ("specificity", d, c + d),
            ("strictness", b, a + b),
            ("leniency", c, c + d),
        ):
            assert x / of_all == pytest.approx(want[name], abs=1e-9)
            assert wilson_limits(x / of_all, of_all) == pytest.approx(want[f"{name}95"], abs=1e-9)


def test_golden_corrected_rates(golden: list[dict[str, Any]]) -> None:
    for case in of(golden, "Rogan-Gladen: judge passes"):
        given, want = case["inputs"], case["expected"]
        value, limits = corrected(*rates_of(given))
        assert value == pytest.approx(want["corrected"], abs=1e-9)
        assert [limits.lo, limits.hi] == pytest.approx(want["interval95_lang_reiczigel"], abs=1e-9)


def test_a_judge_no_better_than_chance_is_not_corrected(golden: list[dict[str, Any]]) -> None:
    (case,) = of(golden, "Rogan-Gladen cannot be computed")
    se, sp = case["inputs"]["sensitivity"], case["inputs"]["specificity"]
    value, limits = corrected(Proportion(0.6, 1000), Proportion(se, 1000), Proportion(sp, 1000))
    assert value is case["expected"]["corrected"] is None
    assert limits.reason == "no better than chance"
    with pytest.raises(ValueError, match="tell nothing"):
        corrected_share(0.6, se, sp)
    # Better by its points, but not by its lower limits: three of four on either side.
    assert no_better_than_chance(Proportion(0.75, 4), Proportion(0.75, 4))
    assert not no_better_than_chance(Proportion(0.75, 400), Proportion(0.75, 400))
    assert no_better_than_chance(Proportion(1.0, 10_000), Proportion(0.0, 10_000)), "one who always passes"


def test_golden_prediction_powered_means(golden: list[dict[str, Any]]) -> None:
    for case in of(golden, "prediction-powered mean"):
        given, want = case["inputs"], case["expected"]
        both = enumerate(zip(given["labels"], given["judge_on_labelled"], strict=True))
        others = [(f"o{i}", f) for i, f in enumerate(given["judge_on_others"])]
        found = prediction_powered([(f"l{i}", y, f) for i, (y, f) in both], others)
        assert found is not None
        assert found.value == pytest.approx(want["corrected"], abs=1e-9)
        assert found.error == pytest.approx(want["se"], abs=1e-9)
        assert [found.interval.lo, found.interval.hi] == pytest.approx(want["interval95"], abs=1e-9)
        assert found.labels_only == pytest.approx(want["labels_mean"], abs=1e-9)
        assert found.labels_only_error == pytest.approx(want["labels_only_se"], abs=1e-9)


def test_golden_flips(golden: list[dict[str, Any]]) -> None:
    (case,) = of(golden, "judge flips")
    items, want = [item for item in case["inputs"]["items"] if len(item) > 1], case["expected"]
    rates = [flip_rate(sum(item), len(item)) for item in items]
    assert len(items) == want["items"]
    assert sum(rates) / len(rates) == pytest.approx(want["flip_rate"], abs=1e-9)
    flipped = sum(rate > 0 for rate in rates)
    assert flipped == want["items_with_a_flip"]
    assert wilson_limits(flipped / 5, 5) == pytest.approx(want["items_with_a_flip95"], abs=1e-9)
    with pytest.raises(ValueError, match="two runs or more"):
        flip_rate(1, 1)


def test_a_flip_rate_counts_pairs_of_runs() -> None:
    for runs in range(2, 7):
        for passes in range(runs + 1):
            each = [1] * passes + [0] * (runs - passes)
            unlike = sum(each[i] != each[j] for i in range(runs) for j in range(i))
            assert flip_rate(passes, runs) == pytest.approx(unlike / (runs * (runs - 1) / 2), abs=1e-12)


def test_repeated_verdicts_on_an_item_are_no_more_evidence() -> None:
    """Each item judged four times alike: four times the pairs, and the interval hardly narrower."""
    pairs = pairs_of([[45, 5], [8, 42]])
    once = kappa_interval([[45, 5], [8, 42]])
    again = clustered_kappa([[pair] * 4 for pair in pairs], key="scenario")
    assert again.method == "kappa, t on clusters"
    assert (again.clusters, again.cluster) == (100, "scenario")
    assert again.width >= once.width
    assert again.width == pytest.approx(once.width * sqrt(100 / 99) * 1.984217 / Z_975, rel=1e-5)


def test_kappa_on_clusters_has_its_coverage_in_simulation() -> None:
    """Items of unlike difficulty, three runs each: near 95 %, where the interval without clusters is not."""
    draw = random.Random(11)
    truth = kappa_of_model()
    held = naive = 0
    for _ in range(300):
        clusters = [item(draw) for _ in range(60)]
        limits = clustered_kappa(clusters)
        plain = clustered_kappa([[pair] for pairs in clusters for pair in pairs])
        held += limits.lo <= truth <= limits.hi
        naive += plain.lo <= truth <= plain.hi
    assert 0.92 <= held / 300 <= 0.985
    assert naive / 300 < 0.9


def test_clusters_of_items_widen_a_prediction_powered_mean() -> None:
    labelled = [(f"c{i // 4}", float(i % 8 < 4), float(i % 8 < 5)) for i in range(40)]
    others = [(f"d{i}", float(i % 3 == 0)) for i in range(90)]
    apart = [(f"{i}", y, f) for i, (_, y, f) in enumerate(labelled)]
    wide, narrow = prediction_powered(labelled, others, key="scenario"), prediction_powered(apart, others)
    assert wide is not None
    assert narrow is not None
    assert wide.value == narrow.value
    assert wide.interval.method == "prediction-powered, on clusters"
    assert prediction_powered([], others) is prediction_powered(labelled, []) is None


def rates_of(given: dict[str, int]) -> tuple[Proportion, Proportion, Proportion]:
    """Rates of the table of a golden case."""
    return (
        Proportion(given["judge_pass"] / given["judged"], given["judged"]),
        Proportion(given["judge_pass_of_them"] / given["human_pass"], given["human_pass"]),
        Proportion(given["judge_fail_of_them"] / given["human_fail"], given["human_fail"]),
    )


def pairs_of(table: list[list[int]]) -> list[Pair]:
    """A table, rows human and columns judge, as pairs."""
    return [(1 - i, 1 - j) for i in (0, 1) for j in (0, 1) for _ in range(table[i][j])]


EASY, HARD = (0.95, 0.1), (0.6, 0.5)
"""How often the judge passes what raters pass, and what they fail: on easy items, and on hard ones."""


def item(draw: random.Random) -> list[Pair]:
    """Three runs of the judge on one item, whose difficulty they share."""
    rated = int(draw.random() < 0.5)
    right = (EASY if draw.random() < 0.5 else HARD)[1 - rated]
    leaning = min(1.0, right + 0.3) if draw.random() < 0.5 else max(0.0, right - 0.3)
    return [(rated, int(draw.random() < leaning)) for _ in range(3)]


def kappa_of_model() -> float:
    """The kappa of endless items of `item`."""
    table = [[0.0, 0.0], [0.0, 0.0]]
    for rated in (1, 0):
        for rates in (EASY, HARD):
            right = rates[1 - rated]
            for leaning in (min(1.0, right + 0.3), max(0.0, right - 0.3)):
                table[1 - rated][0] += leaning / 8
                table[1 - rated][1] += (1 - leaning) / 8
    seen = table[0][0] + table[1][1]
    passes = table[0][0] + table[1][0]
    chance = 0.5 * passes + 0.5 * (1 - passes)
    return (seen - chance) / (1 - chance)
