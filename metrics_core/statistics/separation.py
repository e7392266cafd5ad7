"""Whether two sides can be told apart, by two rules, and which models of a list cannot.

"Not separated" is never a tie: it says that these runs cannot tell. The strict rule is the reference
contract's: overlapping intervals cannot be separated, whatever the difference says; by the paired rule the
difference on the same tasks decides alone. Both are always found. Sentences on the page are the site's; the
reasons are
`metrics_core.results.codes.NotSeparated`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Literal

from metrics_core.results import (
    MIN_KNOWN,
    Against,
    Difference,
    FewInCommon,
    Interval,
    Method,
    NotSeparated,
    SeparationVerdict,
)
from metrics_core.statistics.distributions import one_sided

MIN_COMPARED: Final = 15
"""Fewer valid runs than this on either side separate nothing."""

MIN_DISCORDANT: Final = 6
"""Below this many discordant pairs the exact McNemar test cannot reach 0.05."""

SIGNIFICANT: Final = 0.05


def overlaps(a: Interval, b: Interval) -> bool | None:
    """Whether two intervals share a point; None where one of them is none.

    >>> from metrics_core.results.codes import Method
    >>> low, high = ((0.1, 0.4), (0.4, 0.9))
    >>> overlaps(*(Interval(lo=lo, hi=hi, method=Method.WILSON) for lo, hi in (low, high)))
    True
    """
    if a.lo is None or a.hi is None or b.lo is None or b.hi is None:
        return None
    return a.lo <= b.hi and b.lo <= a.hi


def verdict(
    a_interval: Interval,
    b_interval: Interval,
    difference: Difference,
    p_adjusted: float | None,
    valid_a: int,
    valid_b: int,
    *,
    reverses: bool = False,
) -> SeparationVerdict:
    """Whether ``a`` and ``b`` are separated, by the strict rule and by their difference alone.

    Args:
        a_interval: Of the first side's value.
        b_interval: Of the second side's value.
        difference: First less second.
        p_adjusted: After Holm over the metric family; None where there is no test.
        valid_a: Known runs of the first side.
        valid_b: Known runs of the second side.
        reverses: Whether the sign of the difference turns once everything not known goes against its leader.

    Source: the reference contract, and this project's rulings on separation.

    >>> from metrics_core.results.codes import Method
    >>> from metrics_core.statistics.differences import paired_binary
    >>> a, b = (Interval(lo=lo, hi=hi, method=Method.WILSON) for lo, hi in ((0.3, 0.6), (0.5, 0.8)))
    >>> found = verdict(a, b, paired_binary(1, 12, 40), 0.01, 40, 40)
    >>> found.strict, [str(reason) for reason in found.reasons("overlap")], found.paired
    ('cannot separate', ['the two intervals overlap'], 'b above a')
    """
    overlap, span = overlaps(a_interval, b_interval), difference.interval
    above: Literal["a", "b"] | None = None
    if span.lo is not None and span.lo > 0.0:
        above = "a"
    elif span.hi is not None and span.hi < 0.0:
        above = "b"

    def found(*against: Against) -> SeparationVerdict:
        return SeparationVerdict(above=above, against=against, overlap=overlap, unpaired=difference.unpaired)

    if min(valid_a, valid_b) < MIN_KNOWN:
        return found(NotSeparated.TOO_FEW_RUNS)
    if isinstance(span.absent, FewInCommon):
        return found(span.absent)
    against: list[NotSeparated] = []
    if min(valid_a, valid_b) < MIN_COMPARED:
        against.append(NotSeparated.FEW_RUNS)
    if overlap is not False:
        against.append(NotSeparated.NO_INTERVAL if overlap is None else NotSeparated.OVERLAP)
    if span.lo is None or span.hi is None or difference.value is None:
        against.append(NotSeparated.NO_DIFFERENCE)
    elif above is None:
        against.append(NotSeparated.HOLDS_ZERO)
    if difference.discordant is not None and difference.discordant < MIN_DISCORDANT:
        against.append(NotSeparated.FEW_DISCORDANT)
    if p_adjusted is not None and p_adjusted > SIGNIFICANT:
        against.append(NotSeparated.NOT_SIGNIFICANT)
    if p_adjusted is None and NotSeparated.NO_DIFFERENCE not in against:
        against.append(NotSeparated.NO_TEST)
    if overlap is False and above is not None and (above == "a") != _starts_above(a_interval, b_interval):
        against.append(NotSeparated.DISAGREE)
    if reverses:
        against.append(NotSeparated.REVERSES)
    return found(*against)


def _starts_above(a: Interval, b: Interval) -> bool:
    return a.lo is not None and b.hi is not None and a.lo > b.hi


def p_worse(d: Difference, margin: float) -> float | None:
    """One-sided p of "the first side is worse by more than a margin": small where it is.

    Args:
        d: First less second, paired, where more is better.
        margin: 0 or more, in the metric's unit.

    Returns:
        By the distribution and the centre of the interval; None where there is no standard error.

    >>> from metrics_core.statistics.differences import paired_binary
    >>> round(p_worse(paired_binary(0, 0, 12), 0.05), 4)
    0.6897
    """
    if d.value is None or not d.standard_error or d.paired_on is None:
        return None
    if has_one_each_way(d):
        centre = d.value * d.paired_on / (d.paired_on + 2)
        return one_sided((centre + margin) / d.standard_error, None)
    df = d.interval.df or d.paired_on - 1
    return one_sided((d.value + margin) / d.standard_error, df)


def has_one_each_way(d: Difference) -> bool:
    """Whether its interval was made with one more task each way."""
    return d.method is Method.BONETT_PRICE or d.method is Method.BONETT_PRICE_ALL_ALIKE


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values, in the order given.

    Args:
        ps: Raw p-values of one family, 0 to 1; None where no test could be made, which stays None but
            counts in the family's size.

    Raises:
        ValueError: A p-value lies outside 0..1.

    Source: Holm 1979, Scandinavian Journal of Statistics 6:65.

    >>> holm([0.01, 0.04, 0.03, 0.005])
    [0.03, 0.06, 0.06, 0.02]
    """
    if any(p is not None and not 0.0 <= p <= 1.0 for p in ps):
        raise ValueError(f"p-values {ps}, expected 0 to 1")
    adjusted: list[float | None] = [None] * len(ps)
    highest = 0.0
    for rank, (p, position) in enumerate(sorted((p, i) for i, p in enumerate(ps) if p is not None)):
        highest = max(highest, min(1.0, (len(ps) - rank) * p))
        adjusted[position] = highest
    return adjusted


def brackets(models: Sequence[str], separated: Collection[tuple[str, str]]) -> list[tuple[str, ...]]:
    """The largest groups of models that the pack cannot tell apart; groups may overlap.

    In a plain ranking each is a run of neighbours. Where a model is not separated from a farther one but
    can from one between them, the group leaves that one out, for no pair that stands in one bracket, and
    only such a pair, is unseparated.

    Args:
        models: In the order drawn.
        separated: Pairs that are told apart, either way round.

    Returns:
        Groups in the order of their members; every model is in one at least.

    Source: maximal cliques (Bron and Kerbosch 1973) of "not separated"; as the letter displays of Piepho
    2004, JCGS 13:456.

    >>> brackets(["beta", "delta", "gamma"], [("beta", "gamma")])
    [('beta', 'delta'), ('delta', 'gamma')]
    """
    apart = {frozenset(pair) for pair in separated}
    together = {
        i: {j for j, other in enumerate(models) if j != i and frozenset((model, other)) not in apart}
        for i, model in enumerate(models)
    }
    found: list[tuple[int, ...]] = []

    def grow(group: tuple[int, ...], open_: set[int], closed: set[int]) -> None:
        if not open_ and not closed:
            found.append(tuple(sorted(group)))
            return
        pivot = max(sorted(open_ | closed), key=lambda i: len(together[i] & open_))
        for i in sorted(open_ - together[pivot]):
            grow((*group, i), open_ & together[i], closed & together[i])
            open_, closed = open_ - {i}, closed | {i}

    if models:
        grow((), set(range(len(models))), set())
    return [tuple(models[i] for i in group) for group in sorted(found)]
