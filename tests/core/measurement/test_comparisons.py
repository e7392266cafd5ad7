"""Comparisons of arms: which are made, under other denominators, and what takes a separation away."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import fsum
from typing import Any

import pytest

from metrics_core.experiments.settings import Settings
from metrics_core.measurement.comparisons import difference
from metrics_core.measurement.family import Context
from metrics_core.measurement.grouping import RunGroup
from metrics_core.results.codes import NoInterval
from metrics_core.results.comparison import Comparison
from tests.support.measured import CONTEXT, measured
from tests.support.small_runs import arm, run


def compared(
    records: list[dict[str, Any]], context: Context = CONTEXT, metric: str = "change"
) -> list[Comparison]:
    found = measured("brownfield", records, context).comparisons
    return [c for c in found if c.metric == metric and c.over == "model"]


def sensitivity(c: Comparison) -> dict[str, tuple[str, float | None]]:
    return {name: (verdict, difference) for name, verdict, difference in c.sensitivity}


def test_too_few_known_runs_refuse_every_comparison() -> None:
    (c,) = compared([*arm("alpha", 20, 20), *arm("beta", 7, 0)])
    assert (c.difference, c.interval.lo, c.p, c.p_adjusted, c.detectable) == (None,) * 5
    assert (c.verdict, c.paired_on, c.interval.reason) == ("cannot separate", 7, "too few valid runs")
    assert c.reason == "fewer than 8 valid runs on one side, so nothing is compared"
    (enough,) = compared([*arm("alpha", 20, 20), *arm("beta", 8, 0)])
    assert enough.difference == 1.0
    assert enough.verdict == "cannot separate"


def test_too_few_on_other_tasks_is_still_labelled_so() -> None:
    others = [run("beta", n) for n in range(30, 35)]
    (c,) = compared([*arm("alpha", 20, 20), *others])
    assert (c.difference, c.paired_on, c.making) == (None, None, "none, different tasks")


def test_sensitivity_fills_errors_and_unknown_runs_and_nothing_else() -> None:
    # alpha: 16 of 16 and four errors; beta: 4 of 16 and four unknown, on the same 20 tasks.
    alpha = arm("alpha", 16, 16) + [run("alpha", n, error="timed out") for n in range(17, 21)]
    beta = arm("beta", 16, 4) + [run("beta", n, held=None) for n in range(17, 21)]
    (c,) = compared([*alpha, *beta])
    told = sensitivity(c)
    assert c.difference == 0.75  # 12 of 16 common tasks
    assert told["errors counted as failures"][1] == 0.75  # beta's four are unknown: still 16 in common
    assert told["unknown counted against"][1] == 0.75  # alpha's four are errors: still 16 in common
    assert {verdict for verdict, _ in told.values()} == {"a above b"} == {c.verdict}


def test_sensitivity_adjusts_its_p_as_the_comparison_does() -> None:
    """With six arms a p of 0.02 separates no pair out of fifteen, under any denominator."""
    records = arm("a", 40, 40) + [
        r | {"change_detail": [["a", n > 8]]} for n, r in enumerate(arm("b", 40, 40), 1)
    ]
    for name in "cdef":
        records += arm(name, 40, 40)
    records += [run("a", 41, error="timed out"), run("b", 41, error="timed out")]
    context = replace(CONTEXT, settings=Settings(separation="paired"))
    (alone,) = compared([r for r in records if r["model"] in "ab"], context)
    assert alone.verdict == "a above b"
    found = next(c for c in compared(records, context) if (c.a, c.b) == ("a", "b"))
    assert found.holm_size == 15
    assert found.p is not None
    assert found.p * 15 > 0.05  # mid-p of 8 against 0 is 1/256, times the fifteen pairs
    assert found.verdict == "cannot separate"
    assert {verdict for verdict, _ in sensitivity(found).values()} == {"cannot separate"}


def test_a_failure_is_a_one_where_the_metric_speaks_against_the_arm() -> None:
    def attempts(model: str, breaches: int, errors: int) -> list[dict[str, Any]]:
        told = [n < breaches for n in range(20)]
        done = [
            {"scenario": f"s{n}", "model": model, "attack": "static", "security_breached": breached,
             "agent_invoked": True, "rep": n}
            for n, breached in enumerate(told)
        ]  # fmt: skip
        failed = [
            {"scenario": f"t{n}", "model": model, "attack": "static", "error": "gone", "rep": 100 + n}
            for n in range(errors)
        ]
        return done + failed

    found = measured("attempts", [*attempts("alpha", 10, 20), *attempts("beta", 10, 0)]).comparisons
    by_metric = {c.metric: sensitivity(c)["errors counted as failures"][1] for c in found}
    # alpha 10 of 20 breached and 20 errors, beta 10 of 20: an error is a breach, and no security. Of the
    # tasks that both ran nothing changes, so the pairs are compared on these.
    assert by_metric["attack_success"] == by_metric["security"] == 0.0
    apart = [a | {"scenario": f"{a['model']}-{a['scenario']}"} for a in
             [*attempts("alpha", 10, 20), *attempts("beta", 10, 0)]]  # fmt: skip
    found = measured("attempts", apart).comparisons
    by_metric = {c.metric: sensitivity(c)["errors counted as failures"][1] for c in found}
    assert by_metric["attack_success"] == pytest.approx(30 / 40 - 10 / 20)
    assert by_metric["security"] == pytest.approx(10 / 40 - 10 / 20)


def test_the_worst_case_of_unknown_runs_can_take_a_separation_away() -> None:
    alpha, beta = arm("alpha", 40, 40), arm("beta", 40, 10)
    assert compared([*alpha, *beta])[0].verdict == "a above b"
    silent = [run("beta", n, held=None) for n in range(41, 161)]
    (c,) = compared([*alpha, *beta, *silent])
    assert c.verdict == "a above b"  # 130 of 160 at best, below 40 of 40
    also = [run("alpha", n, held=None) for n in range(41, 161)]
    (c,) = compared([*alpha, *beta, *silent, *also])
    assert (c.verdict, c.difference) == ("cannot separate", 0.75)
    assert c.reason == "the worst-case filling of the unknown verdicts reverses it"


def test_clusters_of_a_paired_difference_are_named() -> None:
    def traces(agent: str, passed: int) -> list[dict[str, Any]]:
        return [
            {"task_id": f"t{n}", "agent": agent, "scores": {"s": 0.25 if n < passed else 0.0}, "rep": n}
            for n in range(12)
        ]

    found = measured("traces", [*traces("a", 9), *traces("b", 3)]).comparisons
    (c,) = [c for c in found if c.metric == "score"]
    assert (c.method, c.interval.cluster, c.paired_on) == ("paired t", None, 12)
    assert c.difference == fsum([0.25] * 6) / 12


def test_one_side_with_fewer_than_eight_known_runs_is_not_compared() -> None:
    def side(tasks: str) -> RunGroup:
        return RunGroup({t: {t: Counter({(1.0, 1, 1): 1})} for t in tasks}, home={t: t for t in tasks})

    for a, b in (("abcdefgh", "abcdefg"), ("abcdefg", "abcdefghi")):
        found = difference(side(a), side(b), "scenario")
        assert (found.value, found.interval.lo, found.interval.reason) == (None, None, NoInterval.TOO_FEW)
    assert difference(side("abcdefgh"), side("abcdefgh"), "scenario").value == 0.0
