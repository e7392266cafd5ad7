"""Which numbers of two readable things stand beside each other: the metric, the two arms, the strata.

Does: find the metric by its name or its scorer's, choose the arms, pair equal strata, and refuse what is open
with the names that exist. Does not: make a difference.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from metrics_core.comparison.measured_experiment import MeasuredExperiment, compared_estimates
from metrics_core.errors import InputError
from metrics_core.results import PLAIN, Estimate, Keys, Report, lead_of
from metrics_core.suggestions import listed_some, nearest

SCORER = "scorer"
"""The stratum key by whose values a metric may be named as well."""


class Wanted(Struct, frozen=True):
    """A metric of a family, and what its strata must hold."""

    family: str
    metric: str
    keys: Keys


class Arms(Struct, frozen=True, kw_only=True):
    """Two arms and the estimates of each that stand beside each other.

    Attributes:
        over: The group key whose value an arm is.
        a: The baseline's arm.
        b: The candidate's.
        pairs: One a stratum; where the two share none, one of each, which are then unlike things.
        only_a: Strata that the baseline alone has.
        only_b: Strata that the candidate alone has.
    """

    over: str
    a: str
    b: str
    pairs: tuple[tuple[Estimate, Estimate], ...]
    only_a: tuple[Keys, ...] = ()
    only_b: tuple[Keys, ...] = ()


def wanted_of(base: Report, candidate: Report, spelled: str) -> Wanted:
    """The metric that two reports are compared on.

    Args:
        base: The baseline's report.
        candidate: The candidate's; may be the same.
        spelled: A metric, a scorer, or METRIC key=value; empty for what leads the reports: as a setting says,
            else the first of the first family that both have.

    Raises:
        InputError: No arm has such a number; the message names the nearest.
    """
    have = [[e for _, e in compared_estimates(report)] for report in (base, candidate)]
    families = [f for f in base.families if f in candidate.families]
    if not families:
        told = " and ".join(f"{r.experiment} ({', '.join(r.families)})" for r in (base, candidate))
        raise InputError("the two hold records of different families", where=told)
    word, keys = lead_of(spelled or candidate.headline or base.headline)
    both = {(e.family, e.metric) for e in have[0]} & {(e.family, e.metric) for e in have[1]}
    if not word:
        places = [
            (at, (base.words_of(family) or PLAIN).place(metric), metric)
            for at, family in enumerate(families)
            for of, metric in both
            if of == family
        ]
        if not places:
            raise InputError("no metric is compared between arms in both", where=base.experiment)
        at, _, metric = min(places)
        return Wanted(families[at], metric, Keys())
    named = sorted((family, metric) for family, metric in both if metric == word)
    if named:
        return Wanted(*named[0], Keys(keys))
    scored = sorted({(e.family, e.metric) for e in have[0] if e.stratum.get(SCORER) == word})
    if scored:
        return Wanted(*scored[0], Keys(keys) | {SCORER: word})
    names = {metric for _, metric in both} | {s for e in have[0] if (s := e.stratum.get(SCORER))}
    raise InputError(f"there is no metric {word!r} in both", where=base.experiment, hint=nearest(word, names))


def arm_of(side: MeasuredExperiment, metric: str = "", arm: str = "") -> Estimate:
    """The estimate of one arm on a metric, alone.

    Args:
        side: Whose arm it is.
        metric: As `wanted_of` takes it.
        arm: Its name; empty for the only one.

    Raises:
        InputError: There is no such metric or arm, or several could be meant.
    """
    found = next(iter(_by_arm(side.report, wanted_of(side.report, side.report, metric)).values()))
    _named(found, arm, side)
    if not arm and len(found) > 1:
        raise InputError(
            "which arm is meant?", where=side.report.experiment, hint=f"--a ARM, of: {listed_some(found)}"
        )
    return found[arm or next(iter(found))][0]


def both_arms(side: MeasuredExperiment, metric: str = "", a: str = "", b: str = "") -> tuple[Estimate, ...]:
    """The estimates of two arms on a metric; of one, where there is one, or one alone is named.

    Args:
        side: Whose arms they are.
        metric: As `wanted_of` takes it.
        a: One arm; empty for the first of two.
        b: Another.

    Raises:
        InputError: There is no such metric or arm, or several could be meant.
    """
    have = next(iter(_by_arm(side.report, wanted_of(side.report, side.report, metric)).values()))
    if not (a or b) and len(have) == 2:
        a, b = sorted(have)
    return tuple(arm_of(side, metric, arm) for arm in ((a, b) if a and b else (a or b,)))


def arms_of(
    base: MeasuredExperiment, candidate: MeasuredExperiment, wanted: Wanted, a: str = "", b: str = ""
) -> Arms:
    """The two arms, and their estimates in pairs.

    Args:
        base: Where the baseline's arm is.
        candidate: Where the candidate's is; may be the same.
        wanted: On which metric.
        a: The baseline's arm; empty for the only one, or the only one that both have.
        b: The candidate's arm.

    Raises:
        InputError: An arm does not exist, or several could be meant.
    """
    left, right = (_by_arm(side.report, wanted) for side in (base, candidate))
    over = next((key for key in left if key in right), None)
    if over is None:
        raise InputError(f"the two share no arms on {wanted.metric}", where=base.report.experiment)
    mine, theirs = left[over], right[over]
    a, b = _named(mine, a, base), _named(theirs, b, candidate)
    if not (a and b):
        a, b = _chosen(mine, theirs, a, b, base, candidate)
    if base is candidate and a == b:
        raise InputError(f"{a!r} would be compared with itself", where=base.report.experiment)
    return _paired(over, a, b, mine[a], theirs[b])


def _by_arm(report: Report, wanted: Wanted) -> dict[str, dict[str, list[Estimate]]]:
    """Key of the arms -> arm -> its estimates, by strata; those of no evidence only where asked."""
    found: dict[str, dict[str, list[Estimate]]] = {}
    for over, e in compared_estimates(report, family=wanted.family, metric=wanted.metric):
        asked = set(wanted.keys) <= set(e.stratum)
        tried = e.known or e.withheld is not None or e.attempts
        if asked and tried and (wanted.keys or not (e.words or PLAIN).no_evidence(e.stratum)):
            found.setdefault(over, {}).setdefault(e.group[over], []).append(e)
    if not found:
        keys = ", ".join(f"{key}={value}" for key, value in wanted.keys)
        strata = {f"{key}={value}" for _, e in compared_estimates(report) for key, value in e.stratum}
        raise InputError(
            f"no arm has {wanted.metric}{f' with {keys}' if keys else ''}",
            where=report.experiment,
            hint=f"there is {listed_some(strata)}" if strata else "",
        )
    return found


def _named(have: dict[str, list[Estimate]], arm: str, where: MeasuredExperiment) -> str:
    if arm and arm not in have:
        raise InputError(f"there is no arm {arm!r}", where=where.report.experiment, hint=nearest(arm, have))
    return arm


def _chosen(
    mine: dict[str, list[Estimate]],
    theirs: dict[str, list[Estimate]],
    a: str,
    b: str,
    base: MeasuredExperiment,
    candidate: MeasuredExperiment,
) -> tuple[str, str]:
    """The arms that are meant where one or both were not named: the only ones, or the one that both have."""
    if base is candidate:
        open_ = sorted(arm for arm in mine if arm not in (a, b))
        if len(open_) == 1 and (a or b):
            return a or open_[0], b or open_[0]
        if len(open_) == 2:
            return open_[0], open_[1]
    else:
        common = sorted(arm for arm in mine if arm in theirs)
        if len(common) == 1 and not (a or b):
            return common[0], common[0]
        left = a or (next(iter(mine)) if len(mine) == 1 else "") or (b if b in mine else "")
        right = b or (next(iter(theirs)) if len(theirs) == 1 else "") or (a if a in theirs else "")
        if left and right:
            return left, right
    told = f"{base.name}: {listed_some(mine)}"
    if base is not candidate:
        told += f"; {candidate.name}: {listed_some(theirs)}"
    raise InputError("which arms are meant?", where=base.report.experiment, hint=f"--a ARM --b ARM; {told}")


def _paired(over: str, a: str, b: str, mine: Sequence[Estimate], theirs: Sequence[Estimate]) -> Arms:
    left, right = ({e.stratum: e for e in side} for side in (mine, theirs))
    pairs = [(e, right[stratum]) for stratum, e in left.items() if stratum in right]
    only_a = tuple(stratum for stratum in left if stratum not in right)
    only_b = tuple(stratum for stratum in right if stratum not in left)
    if not pairs:
        pairs = [(mine[0], theirs[0])]
        only_a, only_b = only_a[1:], only_b[1:]
    return Arms(over=over, a=a, b=b, pairs=tuple(pairs), only_a=only_a, only_b=only_b)
