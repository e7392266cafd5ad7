"""Comparisons of arms: which are made, under other denominators, and what takes a separation away."""

from __future__ import annotations

import json
from collections import Counter
from math import fsum
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from statsmodels.stats.multitest import multipletests

from metrics_core.experiments.settings import Settings
from metrics_core.measurement.comparisons import difference
from metrics_core.measurement.counterfactual import counts_under
from metrics_core.measurement.estimators import reestimate
from metrics_core.measurement.family import Context
from metrics_core.measurement.grouping import RunGroup
from metrics_core.memo import Memo
from metrics_core.results.codes import Denominator, Method, NoInterval, NotSeparated, WorstTakesInZero
from metrics_core.results.comparison import Comparison
from metrics_core.results.separation import Separation
from metrics_core.statistics.differences import paired_t
from tests.support import hard_experiments
from tests.support.hard_experiments import scored
from tests.support.measured import CONTEXT, measured
from tests.support.small_runs import arm, run


def compared(
    records: list[dict[str, Any]], context: Context = CONTEXT, metric: str = "change"
) -> list[Comparison]:
    found = measured("brownfield", records, context).comparisons
    return [c for c in found if c.metric == metric and c.over == "model"]


def sensitivity(c: Comparison) -> dict[str, tuple[str, float | None]]:
    return {x.denominator: (x.judged.by(c.rule), x.difference) for x in c.sensitivity}


def test_too_few_known_runs_refuse_every_comparison() -> None:
    (c,) = compared([*arm("alpha", 20, 20), *arm("beta", 7, 0)])
    assert (c.difference, c.interval.lo, c.p, c.p_adjusted, c.detectable) == (None,) * 5
    assert (c.verdict, c.paired_on, c.interval.reason) == ("cannot separate", 7, "too few valid runs")
    assert c.reason == "fewer than 8 valid runs on at least one side, so nothing is compared"
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


def test_all_runs_planned_are_counted_where_some_were_never_recorded() -> None:
    """20 tasks planned: alpha ran 20 and passed 16, 2 unknown, 2 errors; beta ran 14 of them and passed 7."""
    alpha = [*arm("alpha", 16, 16), *(run("alpha", n, held=None) for n in (17, 18)),
             *(run("alpha", n, error="timed out") for n in (19, 20))]  # fmt: skip
    beta = arm("beta", 14, 7)
    (c,) = compared([*alpha, *beta])
    assert c.difference == 0.5  # 14 tasks in common
    assert sensitivity(c)[Denominator.ALL_PLANNED][1] == pytest.approx(16 / 20 - 7 / 20)
    (e,) = (x for x in measured("brownfield", beta + alpha).estimates
            if x.metric == "done" and x.group == (("model", "beta"),))  # fmt: skip
    assert e.never_recorded is not None
    assert (e.never_recorded.runs, counts_under(e, Denominator.ALL_PLANNED)) == (6, (7, 20))
    assert counts_under(e, Denominator.ERRORS_AS_FAILURES) == (7, 14)
    (complete,) = compared([*alpha, *arm("beta", 20, 7)])
    assert Denominator.ALL_PLANNED not in sensitivity(complete)


def test_a_run_never_recorded_is_a_failure_of_the_metrics_own() -> None:
    """A breach where the metric counts breaches, no security where it counts what held."""
    done = [
        {"scenario": f"s{n}", "model": m, "attack": "static", "security_breached": n < 5,
         "agent_invoked": True}
        for m, ran in (("alpha", 20), ("beta", 15)) for n in range(ran)
    ]  # fmt: skip
    found = measured("attempts", done).comparisons
    by_metric = {c.metric: sensitivity(c)[Denominator.ALL_PLANNED][1] for c in found if c.over == "model"}
    assert by_metric["attack_success"] == pytest.approx(5 / 20 - 10 / 20)
    assert by_metric["security"] == pytest.approx(15 / 20 - 10 / 20)


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
    assert c.reason == "the worst-case filling of what is not known reverses it"


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


def table(shared_data: Path) -> list[dict[str, Any]]:
    """The rows of the project's own table as traces: 2 agents, 50 tasks, 3 repetitions, 10 of them errors."""
    rows = map(json.loads, (shared_data / "tables" / "rows.jsonl").read_text().splitlines())
    return [
        {"task_id": r["case"], "agent": r["arm"], "rep": r["run"],
         "scores": {"passed": None if r["passed"] is None else float(r["passed"])}}
        for r in rows
    ]  # fmt: skip


def test_two_agents_that_the_same_tasks_alone_tell_apart(shared_data: Path) -> None:
    """The table's README: -14.7 points [-24.0, -5.3] by t over 50 tasks, p 0.0028; the intervals overlap."""
    (c,) = [c for c in measured("traces", table(shared_data)).comparisons if c.metric == "score"]
    assert (c.a, c.b, c.paired_on, c.holm_size) == ("alpha", "beta", 50, 1)
    found = (c.difference, c.interval.lo, c.interval.hi, c.p)
    assert found == pytest.approx((-0.1467, -0.2403, -0.0531, 0.0028), abs=5e-5)
    assert (c.strict_verdict, c.paired_verdict) == ("cannot separate", "b above a")
    assert (c.outcome, c.reasons) == (Separation.SAME_TASKS_ONLY, (NotSeparated.OVERLAP,))
    assert c.told_apart == c.better == ("beta", "alpha")
    assert c.to_json()["verdict"] == "cannot separate"
    assert c.to_json()["paired_verdict"] == "b above a"
    assert c.under("paired").verdict == "b above a"
    assert c.under("paired").reasons == ()


def test_a_worst_case_that_only_takes_in_zero_is_said_and_changes_nothing() -> None:
    """beta solves 24 of 40, alpha 12; with five unknown of each filled against beta, -12/40 becomes -7/45.

    Bonett-Price by hand: of 45 tasks 12 are beta's alone and 5 alpha's: (5 - 12)/47 = -0.149, and
    sqrt((19/47 - 0.149^2)/47) * 1.96 = 0.177, so the interval holds 0 and the sign has not turned.
    """
    alpha = arm("alpha", 40, 12) + [run("alpha", n, held=None) for n in range(41, 46)]
    beta = arm("beta", 40, 24) + [run("beta", n, held=None) for n in range(41, 46)]
    (c,) = compared([*alpha, *beta])
    assert (c.difference, c.paired_verdict) == (-0.3, "b above a")
    assert list(map(str, c.remarks)) == ["in the worst case for beta the interval takes in 0"]
    assert c.reversed().remarks == c.remarks
    (whole,) = compared([*arm("alpha", 40, 12), *arm("beta", 40, 24)])
    assert whole.remarks == ()
    more = [run(m, n, held=None) for m in ("alpha", "beta") for n in range(46, 53)]  # -12 + 12: no turn yet
    (c,) = compared([*alpha, *beta, *more])
    assert (c.paired_verdict, len(c.remarks)) == ("b above a", 1)
    more += [run(m, 53, held=None) for m in ("alpha", "beta")]
    (c,) = compared([*alpha, *beta, *more])
    assert (c.paired_verdict, c.remarks) == ("cannot separate", ())
    assert NotSeparated.REVERSES in c.reasons


def test_where_more_is_worse_the_worst_case_is_that_of_the_lower_arm() -> None:
    def attempts(model: str, breached: int) -> list[dict[str, Any]]:
        told = [*(n < breached for n in range(40)), *[None] * 5]
        return [
            {"scenario": f"s{n}", "model": model, "attack": "static", "security_breached": value,
             "agent_invoked": True, "rep": n}
            for n, value in enumerate(told)
        ]  # fmt: skip

    found = measured("attempts", [*attempts("alpha", 28), *attempts("beta", 16)]).comparisons
    c = next(c for c in found if c.metric == "attack_success")
    assert (c.paired_verdict, c.better) == ("a above b", ("beta", "alpha"))
    assert c.remarks == (WorstTakesInZero("beta"),)


def test_holm_is_over_every_comparison_of_a_metric_in_the_experiment() -> None:
    """Over models in one stratum, and over configurations: one family, as statsmodels adjusts it."""
    fixes = [r for m, n in (("a", 30), ("b", 15), ("c", 12)) for r in arm(m, 40, n)]
    other = [r | {"config": "other"} for r in arm("a", 40, 24)]
    named = [r | {"config": "plain"} for r in fixes]
    found = [c for c in measured("brownfield", [*named, *other]).comparisons if c.metric == "change"]
    assert Counter(c.over for c in found) == {"model": 3, "config": 1}
    assert {c.holm_size for c in found} == {4}
    adjusted = multipletests([c.p for c in found], method="holm")[1]
    assert [c.p_adjusted for c in found] == pytest.approx(adjusted)


def tasks_of(model: str, first: int, tasks: int, passed: int) -> list[dict[str, Any]]:
    return [run(model, first + n, held=n < passed) for n in range(tasks)]


@pytest.mark.parametrize("common", [1, 7])
def test_fewer_than_eight_tasks_in_common_are_no_pair(common: int) -> None:
    (c,) = compared([*tasks_of("alpha", 1, 40, 40), *tasks_of("beta", 41 - common, 40, 4)])
    assert (c.difference, c.p, c.paired_on, c.unpaired, c.outcome) == (
        None, None, None, False, Separation.CANNOT,
    )  # fmt: skip
    assert c.reason == f"{common} task{'s' * (common > 1)} in common, 8 needed"


def test_eight_tasks_in_common_are_a_pair_and_none_are_different_tasks() -> None:
    (c,) = compared([*tasks_of("alpha", 1, 40, 40), *tasks_of("beta", 33, 40, 4)])
    assert (c.paired_on, c.unpaired) == (8, False)
    (c,) = compared([*tasks_of("alpha", 1, 40, 36), *tasks_of("beta", 41, 40, 10)])
    assert (c.paired_on, c.unpaired, c.separated, c.ranks) == (None, True, True, False)
    assert (c.strict_verdict, c.paired_verdict) == ("a above b", "a above b")
    assert "different tasks" in c.making


def test_single_verdicts_in_clusters_of_several_tasks_are_compared_by_t_on_clusters() -> None:
    """40 tasks of 8 repositories, and the two agents differ in whole repositories.

    By hand: the repositories' mean differences are 1 in four and 0 in four, so the mean is 0.5, CR1's
    SE = sqrt(8/7 * 8 * (5 * 0.5)^2) / 40 = 0.18898, t = 2.6458 on 7 degrees, p 0.0331.
    """

    def side(passed: bool) -> RunGroup:
        values: dict[str, Any] = {}
        home = {}
        for n in range(40):
            repo, task = f"r{n // 5}", f"t{n:02}"
            x = 1.0 if n // 5 >= 4 or passed else 0.0
            values.setdefault(repo, {})[task] = Counter({(x, int(x), 1): 1})
            home[task] = repo
        return RunGroup(values, home=home)

    found = difference(side(True), side(False), "repo")
    assert (found.value, found.method, found.interval.cluster, found.interval.clusters) == (
        0.5, Method.PAIRED_T_ON_CLUSTERS, "repo", 8,
    )  # fmt: skip
    assert found.p == pytest.approx(0.0331, abs=5e-5)
    assert found.discordant is None


def test_done_but_broken_is_compared_by_both_rules() -> None:
    def runs(model: str, broken: int) -> list[dict[str, Any]]:
        return [run(model, n, regress=0.5 if n <= broken else 1.0) for n in range(1, 41)]

    (c,) = compared([*runs("alpha", 20), *runs("beta", 1)], metric="divergence")
    assert (c.difference, c.outcome, c.polarity) == (19 / 40, Separation.SEPARATED, "against")
    assert (c.told_apart, c.better) == (("alpha", "beta"), ("beta", "alpha"))


def test_one_side_with_fewer_than_eight_known_runs_is_not_compared() -> None:
    def side(tasks: str) -> RunGroup:
        return RunGroup({t: {t: Counter({(1.0, 1, 1): 1})} for t in tasks}, home={t: t for t in tasks})

    for a, b in (("abcdefgh", "abcdefg"), ("abcdefg", "abcdefghi")):
        found = difference(side(a), side(b), "scenario")
        assert (found.value, found.interval.lo, found.interval.reason) == (None, None, NoInterval.TOO_FEW)
    assert difference(side("abcdefgh"), side("abcdefgh"), "scenario").value == 0.0


def recounts(records: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The recounts of the one comparison of two arms' scores, by their denominator."""
    (found,) = (c for c in measured("traces", records).comparisons if c.metric == "score")
    return {again["denominator"]: again for again in found.to_json()["sensitivity"]}


def test_arms_without_a_task_in_common_are_not_compared_over_all_runs_planned() -> None:
    made = recounts(hard_experiments.HARD["disjoint"][1])
    planned = made.pop(str(Denominator.ALL_PLANNED))
    assert (planned["verdict"], planned["paired_verdict"]) == ("not comparable", "not comparable")
    assert planned["difference"] is None
    assert all(again["difference"] is not None for again in made.values())
    shared = recounts(hard_experiments.HARD["holes"][1])[str(Denominator.ALL_PLANNED)]
    assert shared["difference"] is not None


def test_one_failure_more_narrows_no_interval_of_equal_values() -> None:
    def clusters(failures: int) -> RunGroup:
        made = {
            f"t{n}": {
                f"t{n}": Counter({(1.0, 1, 1): 20 - (n == 0) * failures, (0.0, 0, 1): (n == 0) * failures})
            }
            for n in range(8)
        }
        return RunGroup(made, home={name: name for name in made})

    equal = clusters(0)
    (stands,) = (
        e
        for e in measured("traces", [scored("alpha", n % 8, match=1.0) for n in range(160)]).estimates
        if e.metric == "score" and dict(e.group) == {"model": "alpha"}
    )
    before = reestimate(stands, equal, "scenario", Memo())
    after = reestimate(stands, clusters(1), "scenario", Memo())
    assert (before.lo, before.hi) == (stands.interval.lo, stands.interval.hi)
    assert before.n_eff == after.n_eff == 8
    assert (after.lo or 1.0) <= (before.lo or 0.0)


THIRDS = (0.1, 0.2, 0.3)
"""Their mean is 0.2, and 0.19999999999999998 in floats."""


def of_tasks(*values: float, tasks: int = 20) -> RunGroup:
    return RunGroup({f"t{n}": {f"t{n}": Counter((x, 0, 1) for x in values)} for n in range(tasks)})


def test_sides_that_are_alike_on_every_task_part_by_nothing() -> None:
    """Rounding of sums is no difference: its sign on twenty tasks gave p < 0.001."""
    found = difference(of_tasks(*THIRDS), of_tasks(0.2, 0.2, 0.2), "scenario")
    assert (found.value, found.p, found.paired_on) == (0.0, 1.0, 20)
    half = of_tasks(*THIRDS, tasks=10)
    half.values |= {f"t{n}": {f"t{n}": Counter({(0.2, 0, 1): 3})} for n in range(10, 20)}
    found = difference(half, of_tasks(0.2, 0.2, 0.2), "scenario")
    assert (found.value, found.p) == (0.0, 1.0)


def test_tasks_that_all_part_alike_but_for_rounding_have_no_spread() -> None:
    exact = difference(of_tasks(0.5, 0.5), of_tasks(0.25, 0.25), "scenario")
    found = paired_t([0.3 - 0.1, 0.2, 0.4 - 0.2, 0.2] * 5)
    assert len({0.3 - 0.1, 0.2}) == 2
    assert str(exact.method) == str(found.method) == "bonett-price, all tasks alike"
    assert found.p == exact.p
