"""A judge held against raters: kappa on clusters, flips, and shares corrected for the judge's errors.

Items are labelled pass or fail by raters; a judge gives its own verdicts on these and on others. Sensitivity
is the share of what raters passed that the judge passes, specificity the share of what they failed that it
fails. Every figure here is 0 to 1, kappa -1 to 1. Does not: decide what raters agreed on, or read a record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum, sqrt

from msgspec import Struct

from metrics_core.results import MIN_KNOWN, Interval, Method, NoInterval
from metrics_core.statistics.agreement.labels import kappa, kappa_interval
from metrics_core.statistics.clustered import degrees_of_freedom, square
from metrics_core.statistics.distributions import t_quantile
from metrics_core.statistics.proportions import wilson_limits
from metrics_core.statistics.t_table import Z_975

Pair = tuple[int, int]
"""What raters and what the judge said of one item: 1 for pass, 0 for fail."""


class Proportion(Struct, frozen=True):
    """A share with the independent runs that it is worth, which need not be a whole number."""

    share: float
    n: float


class Powered(Struct, frozen=True):
    """A prediction-powered mean, its standard error, and the same of the labelled items alone."""

    value: float
    error: float
    interval: Interval
    labels_only: float
    labels_only_error: float


def flip_rate(passes: int, runs: int) -> float:
    """How often two runs of a judge on one item disagree: ``2 c (n - c) / (n (n - 1))``.

    Args:
        passes: Runs that passed it.
        runs: All runs with a known verdict, two or more.

    Raises:
        ValueError: There are fewer than two runs, or more passes than runs.

    >>> flip_rate(2, 3), flip_rate(1, 2), flip_rate(4, 4)
    (0.6666666666666666, 1.0, 0.0)
    """
    if runs < 2 or not 0 <= passes <= runs:
        raise ValueError(f"{passes} of {runs} runs: expected two runs or more, and no more passes")
    return 2 * passes * (runs - passes) / (runs * (runs - 1))


def confusion(pairs: Iterable[Pair]) -> list[list[int]]:
    """Counts of pairs, rows the raters' pass and fail, columns the judge's.

    >>> confusion([(1, 1), (1, 0), (0, 0), (1, 1)])
    [[2, 1], [0, 1]]
    """
    found = [[0, 0], [0, 0]]
    for rated, judged in pairs:
        found[1 - rated][1 - judged] += 1
    return found


def clustered_kappa(clusters: Sequence[Sequence[Pair]], *, key: str | None = None) -> Interval:
    """Interval of Cohen's kappa where several verdicts on an item err together; cut at -1 and 1.

    The standard error is that of Fleiss, Cohen and Everitt, its terms added up within clusters first, with
    ``G/(G-1)`` and a t quantile. Where every cluster holds one pair it is theirs, with the normal quantile.

    Args:
        clusters: Pairs of each cluster.
        key: What the clusters are, for the caption.

    Source: Fleiss, Cohen and Everitt 1969, Psychological Bulletin 72:323; for clusters the linearised
    variance, as Cameron and Miller 2015, Journal of Human Resources 50:317.

    >>> pairs = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    >>> limits = clustered_kappa([[pair] for pair in pairs])
    >>> round(limits.lo, 12), round(limits.hi, 12)
    (0.151092290477, 0.648907709523)
    """
    inside = [pairs for pairs in clusters if pairs]
    matrix = confusion(pair for pairs in inside for pair in pairs)
    total, count = sum(map(len, inside)), len(inside)
    independent = count == total
    method = Method.KAPPA_LARGE_SAMPLE if independent else Method.KAPPA_ON_CLUSTERS
    if total < MIN_KNOWN:
        return Interval.none(NoInterval.TOO_FEW if total else NoInterval.NOTHING_KNOWN, method=method)
    value = kappa(matrix)
    if independent or value is None:
        return kappa_interval(matrix)
    if count < 2:
        return Interval.none(NoInterval.SINGLE_CLUSTER, method=method)
    rows, columns = [sum(row) for row in matrix], [sum(column) for column in zip(*matrix, strict=True)]
    chance = sum(a * b for a, b in zip(rows, columns, strict=True)) / (total * total)
    rest = (1 - value) / (1 - chance)

    def influence(pair: Pair) -> float:
        margins = (columns[1 - pair[0]] + rows[1 - pair[1]]) / total
        return float(int(pair[0] == pair[1]) / (1 - chance) - rest * margins)

    centre = fsum(influence(pair) for pairs in inside for pair in pairs) / total
    sums = (fsum(influence(pair) - centre for pair in pairs) for pairs in inside)
    error = sqrt(count / (count - 1) * fsum(map(square, sums))) / total
    reach = t_quantile(degrees_of_freedom([len(pairs) for pairs in inside])) * error
    lo, hi = max(-1.0, value - reach), min(1.0, value + reach)
    if not lo < hi:
        return Interval.none(NoInterval.NO_DISAGREEMENT, method=method, cluster=key, clusters=count)
    return Interval(lo=lo, hi=hi, method=method, cluster=key, clusters=count)


def no_better_than_chance(sensitivity: Proportion, specificity: Proportion) -> bool:
    """Whether a judge tells passing from failing no better than a coin, or may do no better.

    Sensitivity and specificity add up to 1 or less, or their lower Wilson limits do.

    >>> no_better_than_chance(Proportion(1.0, 50), Proportion(0.0, 50))
    True
    >>> no_better_than_chance(Proportion(0.9, 50), Proportion(0.8, 50))
    False
    """
    rates = (sensitivity, specificity)
    lower = [wilson_limits(rate.share, rate.n)[0] for rate in rates]
    return sum(rate.share for rate in rates) <= 1 or sum(lower) <= 1


def corrected_share(share: float, sensitivity: float, specificity: float) -> float:
    """The share that truly pass, from the share that a judge passes and how it errs; cut to 0..1.

    Raises:
        ValueError: The judge tells nothing: sensitivity and specificity add up to 1 or less.

    Source: Rogan and Gladen 1978, American Journal of Epidemiology 107:71.

    >>> round(corrected_share(0.6, 0.9, 0.84), 12)
    0.594594594595
    """
    youden = sensitivity + specificity - 1
    if youden <= 0:
        raise ValueError(f"sensitivity {sensitivity} and specificity {specificity} tell nothing")
    return min(1.0, max(0.0, (share + specificity - 1) / youden))


def corrected(
    judged: Proportion,
    sensitivity: Proportion,
    specificity: Proportion,
    quantile: float = Z_975,
) -> tuple[float | None, Interval]:
    """The share corrected for a judge's errors, with the limits of Lang and Reiczigel.

    Args:
        judged: The share that the judge passes.
        sensitivity: Of items that raters passed.
        specificity: Of items that raters failed.
        quantile: In standard errors; the normal one where all runs are independent.

    Returns:
        No value, and why, where the judge is no better than chance.

    Source: Rogan and Gladen 1978, American Journal of Epidemiology 107:71; Lang and Reiczigel 2014,
    Preventive Veterinary Medicine 113:13. It holds only where the judge errs on labelled items as on others.

    >>> value, limits = corrected(Proportion(0.6, 200), Proportion(0.9, 50), Proportion(0.84, 50))
    >>> round(value, 12), round(limits.lo, 12), round(limits.hi, 12)
    (0.594594594595, 0.465001717114, 0.73068956143)
    >>> corrected(Proportion(0.6, 200), Proportion(0.55, 40), Proportion(0.4, 40))[1].reason
    'no better than chance'
    """
    method = Method.LANG_REICZIGEL if quantile == Z_975 else Method.LANG_REICZIGEL_EFFECTIVE_N
    if no_better_than_chance(sensitivity, specificity):
        return None, Interval.none(NoInterval.NO_BETTER_THAN_CHANCE, method=method)
    z2 = square(quantile)
    n = judged.n + z2
    q = (judged.n * judged.share + z2 / 2) / n
    se = (sensitivity.n * sensitivity.share + 1) / (sensitivity.n + 2)
    sp = (specificity.n * specificity.share + 1) / (specificity.n + 2)
    se_spread, sp_spread = se * (1 - se) / (sensitivity.n + 2), sp * (1 - sp) / (specificity.n + 2)
    youden = se + sp - 1
    r = (q + sp - 1) / youden
    centre = r + 2 * z2 * (r * se_spread - (1 - r) * sp_spread)
    spread = q * (1 - q) / n + square(r) * se_spread + square(1 - r) * sp_spread
    reach = quantile / youden * sqrt(spread)
    lo, hi = (min(1.0, max(0.0, limit)) for limit in (centre - reach, centre + reach))
    value = corrected_share(judged.share, sensitivity.share, specificity.share)
    return value, Interval(lo=min(lo, value), hi=max(hi, value), method=method)


def prediction_powered(
    labelled: Sequence[tuple[str, float, float]],
    others: Sequence[tuple[str, float]],
    *,
    key: str | None = None,
) -> Powered | None:
    """Mean of the labels over all items: the judge's mean on the others, and what it errs on labelled ones.

    Args:
        labelled: (cluster, label, judge's mean verdict) of a random part of the items.
        others: (cluster, judge's mean verdict) of the items without a label.
        key: What the clusters are, for the caption.

    Returns:
        ``mean_N(f) + mean_n(y - f)``; None without labelled or without other items. Where items share a
        cluster, terms are added up within clusters for the variance, with ``G/(G-1)`` and a t quantile of
        whichever of labelled and other items has fewer clusters. Value and limits are cut to 0..1.

    Source: Angelopoulos and others 2023, Science 382:669. It holds only where labelled items are a random
    part of all, and it may be wider than the labels alone.

    >>> found = prediction_powered(
    ...     [(f"a{i}", float(i < 7), float(i < 8)) for i in range(10)],
    ...     [(f"b{i}", float(i < 30)) for i in range(40)])
    >>> round(found.value, 12), round(found.error, 12)
    (0.65, 0.116993589568)
    """
    if not labelled or not others:
        return None
    predicted = fsum(f for _, f in others) / len(others)
    errs = fsum(y - f for _, y, f in labelled) / len(labelled)
    own = fsum(y for _, y, _ in labelled) / len(labelled)
    terms = [(home, (f - predicted) / len(others)) for home, f in others]
    terms += [(home, (y - f - errs) / len(labelled)) for home, y, f in labelled]
    alone = [(home, (y - own) / len(labelled)) for home, y, _ in labelled]
    mean, error = predicted + errs, _error(terms)
    value = min(1.0, max(0.0, mean))
    independent = len({home for home, _ in terms}) == len(terms)
    method = Method.PREDICTION_POWERED if independent else Method.PREDICTION_POWERED_ON_CLUSTERS
    count = None if independent else len({home for home, _ in terms})
    sides = [Counter(home for home, *_ in items) for items in (labelled, others)]
    fewest, quantile = min(map(len, sides)), Z_975
    if not independent and fewest > 1:
        error *= sqrt(fewest / (fewest - 1))
        quantile = t_quantile(min(degrees_of_freedom([*side.values()]) for side in sides))
    lo, hi = max(0.0, mean - quantile * error), min(1.0, mean + quantile * error)
    if len(labelled) < MIN_KNOWN:
        interval = Interval.none(NoInterval.TOO_FEW, method=method)
    elif not independent and fewest < 2:
        interval = Interval.none(NoInterval.SINGLE_CLUSTER_ON_ONE_SIDE, method=method)
    elif not lo < hi:
        interval = Interval.none(NoInterval.NO_DISAGREEMENT, method=method)
    else:
        whose = None if independent else key
        interval = Interval(lo=lo, hi=hi, method=method, cluster=whose, clusters=count)
    return Powered(value, error, interval, own, _error(alone))


def _error(terms: Iterable[tuple[str, float]]) -> float:
    """Root of the summed squares of what each cluster adds to a mean's deviation."""
    by_cluster: dict[str, list[float]] = {}
    for home, term in terms:
        by_cluster.setdefault(home, []).append(term)
    return sqrt(fsum(square(fsum(inside)) for inside in by_cluster.values()))
