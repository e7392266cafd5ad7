"""Switch, keep, or not yet: the two halves of it, what a success costs, and what would settle it."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest
from msgspec.structs import replace

from metrics_core.errors import ClaimError
from metrics_core.measurement import RecordedOutcome, SpentBeside, run_outcomes, spent_beside
from metrics_core.results import RECORDED_ONLY, CostLine, Estimate, Interval, Keys, Review
from metrics_core.statistics import t_quantile
from site_src.decisions import JudgedClaim, claim_words
from site_src.decisions.reasons import OfCost
from tests.support import decision_samples as samples
from tests.support.decision_samples import SANITY_FAILED, judged, of_runs, report
from tests.support.figure_samples import money, withheld
from tests.support.surface_predicates import of_spent

SWITCH = "{metric: attempts.security, of: alpha, in_place_of: gamma, by: 0.10}"
MORE = SWITCH.replace("by: 0.10", "by: 0.10, cost: 3")
TASKS = 40
GOOD = [True] * 36 + [False] * 4
SAME = {"alpha": GOOD, "gamma": GOOD}
WORSE = {"alpha": [False] * 20 + [True] * 20, "gamma": GOOD}


def price(e: Estimate) -> Estimate:
    """The estimate of money of an arm."""
    made = money(e.group["model"], 0.5, 0.4, 0.6, e.known)
    return replace(
        made, family="attempts", experiment="gh-2026", group=e.group,
        stratum=e.stratum | {"prices": RECORDED_ONLY},
    )  # fmt: skip


def spending(held: dict[str, list[bool]], usd: dict[str, float], unknown: int = 0) -> Iterator[Review]:
    """The same runs with what each cost, evenly spread about its mean; of some of alpha that is not known."""
    for run in samples.runs(held):
        at = int(run.run.rpartition("-")[2])
        mean = usd.get(run.group["model"])
        if mean is None or (run.group["model"] == "alpha" and at < unknown):
            yield run
            continue
        amount = mean * (0.8 + 0.4 * (at % 5) / 4)
        line = CostLine(source="r", input=None, cached=None, output=None, usd=amount, prices=None)
        yield replace(run, costs=(line,))


def switch(
    held: dict[str, list[bool]], usd: dict[str, float], claim: str = SWITCH, unknown: int = 0
) -> JudgedClaim:
    made = of_runs(held)
    whole = replace(made, estimates=(*made.estimates, *map(price, made.estimates)))
    return judged(claim, whole, runs=lambda _: spending(held, usd, unknown))


def spent(found: JudgedClaim) -> SpentBeside:
    assert found.switch is not None
    assert found.switch.spent is not None
    return found.switch.spent


@pytest.mark.parametrize(
    ("held", "usd", "claim", "verdict", "word"),
    [
        (SAME, {"alpha": 0.2, "gamma": 0.5}, SWITCH, "supported", "Switch"),
        (SAME, {"alpha": 0.5, "gamma": 0.2}, SWITCH, "contradicted", "Keep"),
        (SAME, {"alpha": 0.5, "gamma": 0.2}, MORE, "supported", "Switch"),
        (WORSE, {"alpha": 0.2, "gamma": 0.5}, SWITCH, "contradicted", "Keep"),
        (SAME, {"alpha": 0.5, "gamma": 0.5}, SWITCH, "cannot separate", "Not yet"),
        (SAME, {"alpha": 0.2}, SWITCH, "cannot separate", "Not yet"),
        (SAME, {"alpha": 0.2, "gamma": 0.5}, SWITCH.replace(", by: 0.10", ""), "cannot separate", "Not yet"),
    ],
)
def test_a_switch_needs_the_difference_and_the_cost_and_falls_with_either(
    held: dict[str, list[bool]], usd: dict[str, float], claim: str, verdict: str, word: str
) -> None:
    found = switch(held, usd, claim)
    assert (found.verdict, claim_words.verdict(found)) == (verdict, word), found.reason


def test_a_success_costs_all_runs_over_those_that_succeeded() -> None:
    found = spent(switch(SAME, {"alpha": 0.2, "gamma": 0.5}))
    total = sum(0.2 * (0.8 + 0.4 * (at % 5) / 4) for at in range(TASKS))
    assert (found.candidate.successes, found.candidate.runs, found.tasks) == (36, TASKS, TASKS)
    assert found.candidate.usd == pytest.approx(total / 36)
    assert found.ratio == pytest.approx(0.4)
    assert found.candidate.usd == pytest.approx(found.candidate.cost / found.candidate.successes)


def test_the_interval_holds_every_ratio_that_a_t_test_does_not_refute() -> None:
    """Fieller's limits, found again by trying ratios: the t test of cost less r times success, on tasks."""
    found = spent(switch(SAME, {"alpha": 0.2, "gamma": 0.5})).candidate
    costs = [0.2 * (0.8 + 0.4 * (at % 5) / 4) for at in range(TASKS)]

    def refuted(ratio: float) -> bool:
        apart = [cost - ratio * good for cost, good in zip(costs, GOOD, strict=True)]
        return abs(fmean(apart)) > t_quantile(TASKS - 1) * stdev(apart) / sqrt(TASKS)

    assert found.interval.lo is not None
    assert found.interval.hi is not None
    for limit, way in ((found.interval.lo, -1), (found.interval.hi, 1)):
        assert refuted(limit + way * 1e-4)
        assert not refuted(limit - way * 1e-4)


def test_what_is_not_known_is_left_out_and_counted_and_never_a_0() -> None:
    few = switch(SAME, {"alpha": 0.2, "gamma": 0.5}, unknown=8)
    assert (spent(few).candidate.left_out, spent(few).candidate.runs) == (8, 32)
    assert few.verdict == "supported", "8 of 40 are not more than a fifth"
    most = switch(SAME, {"alpha": 0.2, "gamma": 0.5}, unknown=9)
    assert (most.verdict, spent(most).candidate.left_out) == ("cannot separate", 9), "one run a task"
    assert spent(few).tasks == 32, "a task without a counted run of both is no task in common"
    twice = [*run_outcomes(spending(SAME, {"alpha": 0.2, "gamma": 0.5}))]
    sides, prices = of_runs(SAME).estimates, [price(e) for e in of_runs(SAME).estimates]
    lost = [replace(run, costs=()) for run in twice if run.group["model"] == "alpha"]
    again = spent_beside(sides, prices, [*twice, *lost])
    assert again is not None
    assert (again.candidate.left_out, again.candidate.runs, again.candidate.usd) == (
        TASKS, TASKS, spent(switch(SAME, {"alpha": 0.2, "gamma": 0.5})).candidate.usd,
    )  # fmt: skip
    assert again.candidate.mostly_unknown
    assert not again.incumbent.mostly_unknown


@pytest.mark.parametrize("unknown", [9, 20, 30, 39, 40])
def test_no_switch_is_decided_on_the_tasks_whose_cost_happens_to_be_known(unknown: int) -> None:
    found = switch(SAME, {"alpha": 0.2, "gamma": 0.5}, unknown=unknown)
    assert found.verdict == "cannot separate"
    assert unknown == TASKS or spent(found).candidate.left_out == unknown


def test_no_verdict_is_given_of_unlike_sides_or_where_a_control_failed() -> None:
    made = of_runs(SAME)
    hidden = replace(made, estimates=tuple(withheld(e, SANITY_FAILED) for e in made.estimates))
    assert judged(SWITCH, hidden).verdict == "inadmissible"
    alpha, gamma = made.estimates
    other = replace(gamma, stratum=gamma.stratum | {"evaluator": "judge"})
    found = judged(SWITCH, report((alpha, other)), runs=lambda _: spending(SAME, {"alpha": 1, "gamma": 2}))
    assert found.verdict == "inadmissible"
    assert found.switch is None


@pytest.mark.parametrize("wrong", [
    SWITCH.replace("by: 0.10", "cost: 0"), SWITCH.replace("by: 0.10", "by: 0"),
    "{metric: attempts.security, of: alpha, above: gamma, cost: 2}",
    SWITCH.replace("by: 0.10", "in: experiment=gh-2025"),
])  # fmt: skip
def test_what_a_switch_cannot_say_is_refused(wrong: str) -> None:
    with pytest.raises(ClaimError, match=r"send-it\.md:5"):
        samples.decided(wrong)


def test_what_would_settle_it_is_tasks_and_runs_and_their_cost() -> None:
    level = switch(SAME, {"alpha": 0.45, "gamma": 0.5})
    assert level.verdict == "cannot separate"
    flip = level.flip()
    assert "tasks in place of 40" in flip.words
    assert "USD at these costs" in flip.words
    assert flip.runs is not None
    assert switch(SAME, {"alpha": 0.2}).flip().words == (
        "Costs of the runs of both, recorded or priced by one table."
    )
    assert switch(SAME, {"alpha": 0.2, "gamma": 0.5}).flip().runs is not None


def test_the_words_hold_the_numbers_that_they_are_made_of() -> None:
    found = switch(SAME, {"alpha": 0.2, "gamma": 0.5})
    words = "".join(claim_words.per_success(found.claim, found.switch))  # type: ignore[arg-type]
    assert list(of_spent(words, spent(found))) == []
    for unknown in (1, 5):
        other = switch(WORSE, {"alpha": 0.3, "gamma": 0.5}, unknown=unknown)
        assert list(of_spent(words, spent(other)))
        said = "".join(claim_words.per_success(other.claim, other.switch))  # type: ignore[arg-type]
        assert list(of_spent(said, spent(other))) == []
    assert "alpha 0.22 USD [" in words
    assert "(36 successes in 40 runs); gamma 0.56 USD [" in words
    assert "0.40 times as much [" in words
    assert "on 40 tasks that both ran" in words
    assert "left out" not in words
    assert str(OfCost.WITHIN) in found.reason


def test_the_ratio_of_two_costs_per_success_covers_the_true_one() -> None:
    """Made-up arms of known cost and success; MOVER is conservative where both ran the same tasks."""
    random, covered, draws = Random(11), 0, 200
    sides = of_runs(SAME).estimates
    prices = [price(e) for e in sides]
    truth = (0.3 / 0.8) / (0.5 / 0.6)
    for _ in range(draws):
        made = spent_beside(sides, prices, list(drawn(random, sides)))
        assert made is not None
        covered += holds(made.interval, truth)
    assert covered >= 0.93 * draws


def drawn(random: Random, sides: tuple[Estimate, ...]) -> Iterator[RecordedOutcome]:
    for e, mean, rate in zip(sides, (0.3, 0.5), (0.8, 0.6), strict=True):
        for at in range(TASKS):
            passed = float(random.random() < rate)
            usd = mean * random.gammavariate(4, 0.25)
            what = (e.family, e.metric, e.stratum)
            yield RecordedOutcome(
                what, Keys(e.group), f"t{at}", "known", (passed, int(passed), 1), ((RECORDED_ONLY, usd),)
            )


def holds(interval: Interval, value: float) -> bool:
    return interval.lo is not None and interval.hi is not None and interval.lo <= value <= interval.hi
