"""A candidate held against a baseline by a policy: unhealthy first, then fail, cannot tell, pass.

Does: evaluate every rule, in each stratum by itself, ask the same again with errors counted as failures, and
say what makes the outcome not worth believing. Nothing is pooled over strata: the worst verdict is that of
the whole. Does not: print.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.comparison import Compared, Comparing, MeasuredExperiment
from metrics_core.errors import InputError
from metrics_core.formats import Document
from metrics_core.gate import rules
from metrics_core.gate.findings import (
    EXIT_CODES,
    ControlNotHeld,
    ErrorsOverBound,
    GateRule,
    GateVerdict,
    GateWarning,
    NothingPlanned,
    OtherInstrument,
    RuleFinding,
    StaleBaseline,
    StratumMissing,
    Unhealthy,
)
from metrics_core.gate.policy import NAME, Policy
from metrics_core.gate.rules import Held
from metrics_core.measurement import RunGroup, refill
from metrics_core.memo import Memo
from metrics_core.results import Estimate, Keys, Separation

SCHEMA = "assay.gate/1"
ERRORS = ("error", "invalid")
"""States of a run that count as failures when the gate is asked again."""

_SEVERITY = {
    GateVerdict.UNHEALTHY: 0, GateVerdict.FAIL: 1, GateVerdict.CANNOT_TELL: 2, GateVerdict.PASS: 3,
}  # fmt: skip
"""Verdicts by how bad they are: the worst decides."""

DAY = 86_400.0


class Gate(Struct, frozen=True, kw_only=True):
    """What a candidate comes to in one stratum, and in all of them.

    Of several strata this is the one whose verdict is the worst, and with it that of the whole.

    Attributes:
        policy: What it was held against.
        comparing: The two sides, in this stratum.
        rules: In the order of the policy, errors first.
        unhealthy: Why the outcome is not worth believing; empty where it is.
        warnings: What changes no verdict.
        verdict: Of all rules together.
        if_errors_fail: The verdict with errors counted as failures.
        changed: The rules that come to something else then.
        without_slice: Runs that carry no value of the policy's slices.
        others: The other strata, worst first, each by itself; none where there is one stratum.
    """

    policy: Policy
    comparing: Comparing
    rules: tuple[RuleFinding, ...]
    unhealthy: tuple[Unhealthy, ...]
    warnings: tuple[GateWarning, ...]
    verdict: GateVerdict
    if_errors_fail: GateVerdict
    changed: tuple[RuleFinding, ...]
    without_slice: int = 0
    others: tuple[Gate, ...] = ()

    @property
    def strata(self) -> tuple[Gate, ...]:
        """Every stratum by itself, worst first."""
        return (replace(self, others=()), *self.others)

    @property
    def stratum(self) -> Keys:
        """What is judged, beside other strata of the same metric."""
        return self.comparing.first.a.stratum

    @property
    def exit_code(self) -> int:
        """0 pass, 5 fail, 6 cannot tell, 7 unhealthy."""
        return EXIT_CODES[self.verdict]

    @property
    def same_if_errors_fail(self) -> bool:
        """Whether errors counted as failures leave the verdict of the whole as it is."""
        return self.verdict is self.whole_if_errors_fail

    @property
    def whole_if_errors_fail(self) -> GateVerdict:
        """The verdict of the whole with errors counted as failures."""
        return _worst([self.if_errors_fail, *(each.if_errors_fail for each in self.others)])

    def to_json(self) -> dict[str, Any]:
        """The record (``assay.gate/1``); of several strata the worst, and under ``strata`` each by itself."""
        record = {
            "schema": SCHEMA,
            "verdict": str(self.verdict),
            "exit_code": self.exit_code,
            "policy": {
                name: value
                for name in Policy.__struct_fields__
                if (value := _plain(getattr(self.policy, name))) not in (None, "")
            },
            **self._of_stratum(),
        }
        if self.others:
            record |= {
                "verdict_if_errors_fail": str(self.whole_if_errors_fail),
                "same_if_errors_fail": self.same_if_errors_fail,
                "strata": [
                    {"verdict": str(each.verdict), **each._of_stratum()}  # noqa: SLF001 (of its own class)
                    for each in self.strata
                ],
            }
        return record

    def _of_stratum(self) -> dict[str, Any]:
        first = self.comparing.first
        compared = self.comparing.to_json()
        return {
            "stratum": self.stratum.to_json(),
            "planned": _planned(first),
            "health": {name: compared["health"][name] for name in ("baseline", "candidate")},
            "unhealthy": [str(why) for why in self.unhealthy],
            "errors_uneven_p": first.errors_p,
            "warnings": [str(warning) for warning in self.warnings],
            "rules": {str(each.rule): each.to_json() for each in self.rules},
            "verdict_if_errors_fail": str(self.if_errors_fail),
            "same_if_errors_fail": self.verdict is self.if_errors_fail,
            "changed_if_errors_fail": {str(each.rule): each.to_json() for each in self.changed},
            "compared": compared,
        }


def _plain(value: Any) -> Any:
    return {"k": value.k, "at_least": value.at_least} if hasattr(value, "k") else value


def _planned(c: Compared) -> dict[str, int]:
    """Tasks of either side, and how often most of them were planned to be run."""
    tries = Counter(
        place.attempts + place.never_recorded for side in c.runs for place in side.places() if place.of_task
    )
    tasks = len({task for side in c.runs for task in side.home})
    return {"tasks": tasks, "repeats": max(tries, key=lambda n: (tries[n], n), default=0)}


def held_against(comparing: Comparing, policy: Policy, stated: Document | None = None) -> Gate:
    """Hold the candidate of a comparison against its baseline, in each stratum by itself.

    Of several strata ``not_worse_by`` fails in one only after Holm over all of them, as in slices; each other
    rule stands for itself. A stratum of the baseline in which the candidate has no run is unhealthy.

    Args:
        comparing: Of the policy's metric.
        policy: The rules.
        stated: Where each rule stands, for errors.

    Raises:
        InputError: A rule cannot be asked of these data.
    """
    strata = comparing.leading
    found, again = (
        rules.holm_over_strata([tuple(_rules(c, policy, stated, fill=fill)) for c in strata])
        for fill in (False, True)
    )
    gates = []
    for at, c in enumerate(strata):
        unhealthy = (*_unhealthy(c, policy), *(_missing(comparing) if not at else ()))
        without = _without_slice(c, policy)
        changed = (
            now for before, now in zip(found[at], again[at], strict=True) if before.verdict is not now.verdict
        )
        gates.append(
            Gate(
                policy=policy,
                comparing=_alone(comparing, c),
                rules=found[at],
                unhealthy=unhealthy,
                warnings=tuple(_warnings(c, without, comparing)),
                verdict=_together(found[at], unhealthy),
                if_errors_fail=_together(again[at], unhealthy),
                changed=tuple(changed),
                without_slice=without,
            )
        )
    worst, *others = sorted(gates, key=lambda each: _SEVERITY[each.verdict])
    return replace(worst, others=tuple(others))


def _alone(comparing: Comparing, c: Compared) -> Comparing:
    """One stratum of a comparison, with what stands beside it."""
    if len(comparing.leading) == 1:
        return comparing
    beside = tuple(other for other in comparing.beside if other.a.stratum == c.a.stratum)
    return replace(comparing, leading=(c,), beside=beside)


def _missing(comparing: Comparing) -> Iterator[StratumMissing]:
    """Strata of the baseline in which the candidate has no run."""
    base, candidate = comparing.side_names
    for side, keys in comparing.apart:
        if side == base:
            yield StratumMissing(candidate, " ".join(f"{key}={value}" for key, value in keys))


def _together(found: Sequence[RuleFinding], unhealthy: Sequence[Unhealthy]) -> GateVerdict:
    return _worst([each.verdict for each in found] + ([GateVerdict.UNHEALTHY] if unhealthy else []))


def _worst(verdicts: Sequence[GateVerdict]) -> GateVerdict:
    return min(verdicts, key=lambda verdict: _SEVERITY[verdict], default=GateVerdict.PASS)


def _where(stated: Document | None, rule: str) -> str:
    return NAME if stated is None else f"{stated.where(rule)}#/{rule}"


def _unhealthy(c: Compared, policy: Policy) -> Iterator[Unhealthy]:
    for name, side, health in zip(_names(c), c.sides, c.health, strict=True):
        if not health.planned:
            yield NothingPlanned(name)
        elif health.share_lost > policy.max_errors:
            yield ErrorsOverBound(
                name, health.errors, health.never_recorded, health.planned, policy.max_errors
            )
        e = c.a if side is c.sides[0] else c.b
        for control in side.report.controls:
            covers = control.guards == e.family and control.covers(e.metric, e.contract.digest)
            if covers and control.stops_publication:
                yield ControlNotHeld(name, control.title, control.state, control.detail)
        if c.sides[0] is c.sides[1]:
            break
    if c.comparison.outcome is Separation.NOT_COMPARABLE and c.comparison.withheld_by is None:
        yield OtherInstrument(c.comparison.reason)
    if policy.baseline_days is not None:
        days = _days_between(c.a, c.b)
        if days is None or days > policy.baseline_days:
            yield StaleBaseline(days, policy.baseline_days)


def _names(c: Compared) -> tuple[str, str]:
    return c.comparison.a, c.comparison.b


def _days_between(a: Estimate, b: Estimate) -> float | None:
    """Days from the baseline's last run to the candidate's first; None where either has no stamp."""
    if a.stamps is None or b.stamps is None:
        return None
    last, first = datetime.fromisoformat(a.stamps[1]), datetime.fromisoformat(b.stamps[0])
    return (first - last).total_seconds() / DAY


def _warnings(c: Compared, without_slice: int, comparing: Comparing) -> Iterator[GateWarning]:
    if c.errors_uneven:
        yield GateWarning.ERRORS_UNEVEN
    if any(health.never_recorded for health in c.health):
        yield GateWarning.HOLES
    if any(e.mostly_bounds for e in (c.a, c.b)):
        yield GateWarning.MANY_UNKNOWN
    if without_slice:
        yield GateWarning.WITHOUT_SLICE
    if any(side == comparing.side_names[1] for side, _ in comparing.apart):
        yield GateWarning.STRATUM_ALONE


def _without_slice(c: Compared, policy: Policy) -> int:
    if not policy.slices:
        return 0
    return sum(side.lacking(e, policy.slices) for side, e in zip(c.sides, (c.a, c.b), strict=True))


def _rules(c: Compared, policy: Policy, stated: Document | None, *, fill: bool) -> Iterator[RuleFinding]:
    """Every rule of the policy; with ``fill`` errors count as failures."""
    yield _max_errors(c, policy)
    if c.comparison.outcome is Separation.NOT_COMPARABLE:
        return
    memo, cost = Memo(), c.cost()
    failure = 1.0 if c.a.polarity == "against" else 0.0

    def held(a: RunGroup, b: RunGroup) -> Held:
        sides = [refill(runs, ERRORS, failure) if fill else runs for runs in (a, b)]  # type: ignore[arg-type]
        return Held(compared=c, a=sides[0], b=sides[1], memo=memo)

    whole = held(*c.runs)
    if policy.not_worse_by is not None:
        yield rules.not_worse_by(whole, policy.not_worse_by, cost)
    if policy.at_least is not None:
        yield rules.at_least(whole, c.b, policy.at_least, cost)
    if policy.pass_hat_k is not None:
        yield rules.pass_hat_k(whole, _pass_hat_k(c, policy.pass_hat_k.k), policy.pass_hat_k, cost)
    if policy.per_task is not None:
        yield rules.never_lost(whole, _where(stated, "per_task"))
    if policy.slices and policy.not_worse_by is not None:
        found = {name: held(*sides) for name, sides in _slices(c, policy.slices, stated).items()}
        yield rules.in_slices(found, policy.not_worse_by, cost)
    if policy.cost_ratio is not None:
        yield rules.at_most_times(GateRule.COST_RATIO, cost, policy.cost_ratio, cost)
    if policy.p95_ratio is not None:
        yield rules.at_most_times(GateRule.P95_RATIO, c.latency(), policy.p95_ratio, cost)


def _max_errors(c: Compared, policy: Policy) -> RuleFinding:
    share = max(health.share_lost for health in c.health)
    verdict = GateVerdict.PASS if share <= policy.max_errors else GateVerdict.UNHEALTHY
    return RuleFinding(rule=GateRule.MAX_ERRORS, verdict=verdict, value=share, bound=policy.max_errors)


def _slices(c: Compared, key: str, stated: Document | None) -> dict[str, tuple[RunGroup, RunGroup]]:
    """Name of each slice -> the runs of both sides in it.

    Raises:
        InputError: No run carries the key.
    """
    (base, candidate), (a, b) = c.sides, (c.a, c.b)
    values = sorted({*base.values(a, key), *candidate.values(b, key)})
    if not values:
        raise InputError(
            f"no run carries {key!r}, in its record, its task's card or a tag {key}:VALUE",
            where=_where(stated, "slices"),
            hint="of a table, --map cluster=COLUMN keeps a column",
        )
    return {
        f"{key}:{value}": (base.runs(a, Keys({key: value})), candidate.runs(b, Keys({key: value})))
        for value in values
    }


def _pass_hat_k(c: Compared, k: int) -> Estimate | None:
    side: MeasuredExperiment = c.sides[1]
    group = c.b.group | {"k": str(k)}
    return next(
        (
            e
            for e in side.report.estimates
            if e.metric == "pass_hat_k"
            and e.family == c.b.family
            and (e.stratum, e.group) == (c.b.stratum, group)
            and e.withheld is None
        ),
        None,
    )
