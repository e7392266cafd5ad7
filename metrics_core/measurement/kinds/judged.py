"""Figures of a judge that need more of a run than its value: kappa, and shares corrected for its errors.

A run's value is the judge's verdict, 1 or 0; its own n of N is what raters say of the same item: 1/1 where
they passed it, 0/1 where they failed it, 0/0 where nothing is known. Runs of one cluster are worth fewer
independent ones, the more alike they are. The formulas are in `metrics_core.statistics.agreement.judges`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import fsum
from typing import TYPE_CHECKING

from msgspec.structs import replace

from metrics_core.measurement.estimators import OUTER, leading
from metrics_core.measurement.family import Metric
from metrics_core.measurement.grouping import RunGroup
from metrics_core.results import MIN_KNOWN, Estimate, Headline, Interval, Method, NoInterval
from metrics_core.statistics import (
    Z_975,
    Pair,
    Proportion,
    clustered_kappa,
    confusion,
    corrected,
    degrees_of_freedom,
    effective_n,
    kappa as cohens_kappa,
    manski_bounds,
    prediction_powered,
    t_quantile,
    wilson_effective,
)

if TYPE_CHECKING:
    from metrics_core.memo import Memo

Verdicts = list[list[float]]
"""Verdicts of a judge by cluster, every cluster with one or more."""


def kappa(metric: Metric, run_group: RunGroup, e: Estimate, cluster: str, memo: Memo) -> Estimate:
    """Cohen's kappa of verdict and rating; N counts verdicts, n those that are what raters say."""
    pairs: dict[str, list[Pair]] = {}
    for home, _, (value, rated, _) in run_group.runs():
        pairs.setdefault(home, []).append((rated, int(value)))
    inside = list(pairs.values())
    matrix = confusion(pair for each in inside for pair in each)
    found = cohens_kappa(matrix)
    e = replace(e, n=matrix[0][0] + matrix[1][1], N=e.known)
    if not e.known:
        return e
    if found is None:
        absent = Interval.none(NoInterval.NO_DISAGREEMENT)
        return replace(e, interval=absent, notes=(*e.notes, NO_KAPPA), headline="counts")
    lead: Headline = "point" if e.known >= MIN_KNOWN else "counts"
    return replace(e, value=found, interval=clustered_kappa(inside, key=cluster), headline=lead)


NO_KAPPA = "raters and judge said the same of every item: kappa is 0/0"
"""What stands beside a kappa that is not there."""


def corrected_rate(metric: Metric, run_group: RunGroup, e: Estimate, cluster: str, memo: Memo) -> Estimate:
    """The judge's share corrected for its errors on rated items of the group; n counts passes, N verdicts."""
    runs = list(run_group.runs())
    n = sum(int(value) for _, _, (value, _, _) in runs)
    e = replace(e, n=n, N=e.known)
    if not e.known:
        return e
    passed = _by_cluster((home, value) for home, _, (value, rated, of) in runs if of and rated)
    failed = _by_cluster((home, 1 - value) for home, _, (value, rated, of) in runs if of and not rated)
    if not passed or not failed:
        absent = NoInterval.NO_ITEM_FAILED if passed else NoInterval.NO_ITEM_PASSED
        return replace(e, interval=Interval.none(absent), headline="counts")
    judged = _by_cluster((home, value) for home, _, (value, _, _) in runs)
    alone = all(len(inside) == 1 for each in (judged, passed, failed) for inside in each)
    quantile = Z_975 if alone else t_quantile(min(map(_df, (judged, passed, failed))))
    errs = (_rate(passed), _rate(failed))
    value, interval = corrected(_rate(judged), *errs, quantile)
    notes = (*e.notes, _as_corrected(passed, failed))
    if value is None:
        return replace(e, interval=interval, notes=notes, headline="counts")
    if e.known < MIN_KNOWN or len(judged) < 2:
        few = Interval.none(NoInterval.TOO_FEW if e.known < MIN_KNOWN else NoInterval.SINGLE_CLUSTER)
        return replace(e, value=value, interval=few, notes=notes, headline="counts")
    raw = manski_bounds(float(n), e.known, e.attempts)
    assert raw is not None  # noqa: S101 - there is a known verdict
    worth = _rate(judged).n * e.attempts / e.known
    (low, lower), (high, upper) = (corrected(Proportion(share, worth), *errs, quantile) for share in raw)
    assert low is not None  # noqa: S101 - the judge is better than chance
    assert high is not None  # noqa: S101
    outer = Interval(lo=lower.lo, hi=upper.hi, method=Method.LANG_REICZIGEL_AT_THE_BOUNDS)
    if not alone:
        interval = replace(interval, cluster=cluster, clusters=len(judged), n_eff=_rate(judged).n)
    e = replace(e, value=value, bounds=(low, high), interval=interval, notes=notes, also=((OUTER, outer),))
    return replace(e, headline=leading(e))


def powered(metric: Metric, run_group: RunGroup, e: Estimate, cluster: str, memo: Memo) -> Estimate:
    """Prediction-powered mean over judged items; N counts these, n those of them that raters labelled."""
    labelled, others = _items(run_group)
    e = replace(e, n=len(labelled), N=len(labelled) + len(others))
    found = prediction_powered(labelled, others, key=cluster)
    if found is None:
        absent = NoInterval.NO_UNLABELLED_ITEM if labelled else NoInterval.NOTHING_KNOWN
        return replace(e, interval=Interval.none(absent), headline="counts" if e.known else "nothing")
    alone = wilson_effective(_by_cluster((home, y) for home, y, _ in labelled), key=cluster)
    lead: Headline = "point" if len(labelled) >= MIN_KNOWN else "counts"
    also = (("labels only", alone),)
    return replace(e, value=found.value, interval=found.interval, also=also, headline=lead)


def _items(run_group: RunGroup) -> tuple[list[tuple[str, float, float]], list[tuple[str, float]]]:
    """(cluster, rating, verdict) of rated items, (cluster, verdict) of others: means of their runs."""
    labelled, others = [], []
    for home, tasks in sorted(run_group.values.items()):
        for _, counted in sorted(tasks.items()):
            rated = [(value, n, times) for (value, n, of), times in sorted(counted.items()) if of]
            if rated:
                runs = sum(times for _, _, times in rated)
                labelled.append(
                    (
                        home,
                        sum(n * times for _, n, times in rated) / runs,
                        fsum(value * times for value, _, times in rated) / runs,
                    )
                )
            elif counted:
                runs = sum(counted.values())
                others.append((home, fsum(value * times for (value, _, _), times in counted.items()) / runs))
    return labelled, others


def _by_cluster(values: Iterable[tuple[str, float]]) -> Verdicts:
    found: dict[str, list[float]] = {}
    for home, value in values:
        found.setdefault(home, []).append(value)
    return list(found.values())


def _rate(clusters: Verdicts) -> Proportion:
    """The share of ones, with the independent runs that it is worth; those of one cluster are worth one."""
    values = [value for inside in clusters for value in inside]
    return Proportion(fsum(values) / len(values), effective_n(clusters) or 1.0)


def _df(clusters: Verdicts) -> int:
    return degrees_of_freedom([len(inside) for inside in clusters]) if len(clusters) > 1 else 1


def _as_corrected(passed: Verdicts, failed: Verdicts) -> str:
    """What the judge's share was corrected by, for the caption."""
    told = " and ".join(
        _told(name, each) for name, each in (("sensitivity", passed), ("specificity", failed))
    )
    return (
        f"corrected by {told} of the judge's verdicts on rated items; it holds where it errs alike on others"
    )


def _told(name: str, clusters: Sequence[Sequence[float]]) -> str:
    def values() -> Iterator[float]:
        return (value for inside in clusters for value in inside)

    return f"a {name} of {sum(map(int, values()))}/{sum(1 for _ in values())}"


KINDS: dict[str, Callable[[Metric, RunGroup, Estimate, str, Memo], Estimate]] = {
    "kappa": kappa,
    "corrected": corrected_rate,
    "powered": powered,
}
