"""Why a reference does not give exactly one thing, in the words of an error that helps.

Does: name the query, what stands in its way, and what exists or what to write instead. Does not: find
anything; `site_src.references.index` does, and raises these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from metrics_core.errors import AssayError, ClaimError, PoolingError
from metrics_core.results import POOLING_RULES, Comparison, ContractRef, Estimate
from metrics_core.suggestions import listed_some, nearest
from metrics_core.text import visible
from site_src.references.query import EXPERIMENT, Query, quoted, reference
from site_src.wording import listed

_Found = TypeVar("_Found", Estimate, Comparison)
_Arms = tuple[str, str]


class WithheldReferenceError(ClaimError):
    """What is named may stand in an experiment that could not be read or measured."""


def refuse_withheld(experiment: str, withheld: Sequence[str], words: str, where: str) -> None:
    """Refuse a name that nothing answers, and that an experiment which is withheld might.

    Args:
        experiment: The experiment that it names; empty where any would do.
        withheld: Names of experiments that could not be read or measured.
        words: As it was asked.
        where: ``file:line:col`` of it.

    Raises:
        WithheldReferenceError: There is such an experiment.
    """
    meant = [name for name in withheld if experiment in ("", name)]
    if meant:
        names = listed(list(map(visible, meant)))
        raise WithheldReferenceError(
            f"{names} could not be read or measured, as asked by {visible(words)!r}",
            where=where,
            hint="mend what the build says is withheld",
        )


def nothing(query: Query, estimates: Sequence[Estimate], metrics: Sequence[str]) -> ClaimError:
    """Nothing has that name: which part of the name is wrong, and what there is.

    Args:
        query: The reference, taken apart.
        estimates: Every estimate of the query's metric.
        metrics: Every ``family.metric`` there is.
    """
    metric = f"{query.family}.{query.metric}"
    if not estimates:
        return _claim(query, f"no metric {visible(metric)!r}", nearest(metric, metrics))
    if query.experiment:
        experiments = {e.experiment for e in estimates}
        if query.experiment not in experiments:
            return _claim(
                query,
                f"no {visible(metric)} in an experiment {visible(query.experiment)!r}",
                nearest(query.experiment, experiments),
            )
        estimates = [e for e in estimates if e.experiment == query.experiment]
    for key, value in query.fixed.items():
        values = [(e.group | e.stratum).get(key) for e in estimates]
        if not any(v is not None for v in values):
            keys = {name for e in estimates for name, _ in (*e.group, *e.stratum)}
            return _claim(query, f"no key {visible(key)!r} in {visible(metric)}", nearest(key, keys))
        if value not in values:
            have = [v for v in values if v is not None]
            return _claim(query, f"no {visible(key)} {visible(value)!r} in {visible(metric)}",
                          nearest(value, have))  # fmt: skip
    of_strata = {key for e in estimates for key, _ in e.stratum}
    named = tuple(key for key in sorted(query.fixed) if key not in of_strata)
    same = [e for e in estimates if e.group.names == named]
    if not same:
        shapes = {" and ".join(key for key, _ in e.group) or "no key (the whole)" for e in estimates}
        return _claim(
            query, f"{visible(metric)} is not grouped by {listed(named) or 'no key'}",
            f"it is grouped by {listed_some(shapes)}",
        )  # fmt: skip
    return _claim(query, "nothing is held for these keys together",
                  nearest(query.words, (reference(e) for e in same)))  # fmt: skip


def require_one_experiment(query: Query, found: Sequence[tuple[str, ContractRef]]) -> None:
    """Refuse a reference that several experiments answer; two of them are never one number."""
    experiments = sorted({experiment for experiment, _ in found})
    if len(experiments) > 1:
        raise _claim(
            query, f"{len(experiments)} experiments hold this: {listed(list(map(visible, experiments)))}",
            f"add {EXPERIMENT}={quoted(experiments[0])} or another of them",
        )  # fmt: skip


def require_one_key(query: Query, keys: Sequence[str], arms: _Arms) -> None:
    """Refuse two names that are arms by more than one group key."""
    if len(keys) > 1:
        raise _claim(
            query, f"{_both(arms)} are arms by {listed(keys)}", f"say over which: {' or '.join(keys)}"
        )


def require_two_arms(query: Query, arms: _Arms) -> None:
    """Refuse an arm against itself."""
    if arms[0] == arms[1]:
        raise _claim(query, f"{visible(arms[0])!r} is compared with itself", "name two arms")


def require_one_stratum(query: Query, found: Sequence[_Found]) -> None:
    """Refuse a reference that leaves several strata open."""
    if len(found) < 2:
        return
    strata = [one.stratum for one in found]
    key = strata[0].differing(strata[1])[0]
    differing = [
        " ".join(f"{k}={quoted(v)}" for k, v in one.stratum if any(v != s.get(k) for s in strata))
        for one in found
    ]
    raise PoolingError(
        f"{visible(query.words)!r} would pool {len(found)} strata, {listed_some(differing)}: "
        f"{POOLING_RULES.get(key, 'they are two strata')}",
        where=query.where,
        hint=f"add {min(filter(None, differing))} or another of them",
    )


def require_comparable(query: Query, c: Comparison, a: Sequence[Estimate], b: Sequence[Estimate]) -> None:
    """Refuse a pair that the report holds as not comparable.

    Args:
        query: The reference, taken apart.
        c: As the report holds it.
        a: Estimates of its first arm, for the digests that differ.
        b: Of its second.
    """
    if c.unlike is not None:
        raise _unlike(query, visible(c.reason), _digests(a[0], b[0]) if a and b else "")


def unlike(query: Query, a: Sequence[Estimate], b: Sequence[Estimate], arms: _Arms) -> AssayError:
    """Two arms that are both there and yet not compared: because they are unlike, or no one compares them."""
    shared = sorted({e.experiment for e in a} & {e.experiment for e in b})
    if not shared:
        first, second = a[0], b[0]
        difference = (
            f"{EXPERIMENT} is {visible(first.experiment)} for {visible(arms[0])} and "
            f"{visible(second.experiment)} for {visible(arms[1])}: "
            "a page or a claim compares arms of one experiment only"
        )
        return _unlike(query, difference, _digests(first, second) or _data(first, second))
    mine = [e for e in a if e.experiment == shared[0]]
    theirs = [e for e in b if e.experiment == shared[0]]
    if {e.stratum for e in mine} & {e.stratum for e in theirs}:
        return _claim(
            query, f"{visible(shared[0])} does not compare {_both(arms)} here",
            "a comparison needs known runs on both sides, and a metric that is compared",
        )  # fmt: skip
    left, right = mine[0].stratum, theirs[0].stratum
    key = left.differing(right)[0]
    difference = (
        f"{key} is {visible(left.get(key, 'not stated'))} for {visible(arms[0])} and "
        f"{visible(right.get(key, 'not stated'))} for {visible(arms[1])}: "
        f"{POOLING_RULES.get(key, 'they are two strata')}"
    )
    return _unlike(query, difference, _digests(mine[0], theirs[0]))


def no_such_arms(query: Query, arms: _Arms, keys: Sequence[str], estimates: Sequence[Estimate]) -> ClaimError:
    """An arm that is not there: its name, and those that are."""
    have = {value for e in estimates for key, value in e.group
            if key in keys and query.experiment in ("", e.experiment)}  # fmt: skip
    for arm in arms:
        if arm not in have:
            return _claim(query, f"no arm {visible(arm)!r} by {listed(keys)}", nearest(arm, have))
    return _claim(
        query, f"{_both(arms)} are not both held under these keys",
        f"the arms are by {listed(keys)}; leave that key out and name strata only",
    )  # fmt: skip


def _claim(query: Query, problem: str, hint: str) -> ClaimError:
    return ClaimError(f"{problem}, as asked by {visible(query.words)!r}", where=query.where, hint=hint)


def _unlike(query: Query, difference: str, digests: str) -> PoolingError:
    more = f" [{digests}]" if digests else ""
    return PoolingError(f"{visible(query.words)!r}: not comparable, {difference}{more}", where=query.where,
                        hint="show them side by side")  # fmt: skip


def _both(arms: _Arms) -> str:
    return f"{visible(arms[0])!r} and {visible(arms[1])!r}"


def _digests(a: Estimate, b: Estimate) -> str:
    fields = [("contract", a.contract.digest, b.contract.digest), ("pack", a.pack, b.pack)]
    return "; ".join(f"{name} {x or 'none'} and {y or 'none'}" for name, x, y in fields if x != y)


def _data(a: Estimate, b: Estimate) -> str:
    return f"data {a.data_digest} and {b.data_digest}"
