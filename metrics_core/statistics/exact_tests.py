"""Exact tests on counts: McNemar (paired) and Fisher (unpaired), mid-p and exact; and the power of the first.

p-values are made of integers; one correctly rounded division makes each at the end. No continuity
correction, no normal approximation. What a p-value decides is in `metrics_core.statistics.separation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, fsum
from typing import Final

_NEGLIGIBLE: Final = 1e-18
"""A binomial term below this share of the largest is left out."""


def mcnemar_exact(only_a: int, only_b: int) -> float:
    """Two-sided exact McNemar p-value (the sign test on discordant pairs).

    Args:
        only_a: Tasks where only the first side was right, 0 or more.
        only_b: Tasks where only the second side was right, 0 or more.

    Returns:
        p, 0 to 1; 1 where no pair is discordant.

    Raises:
        ValueError: A count is negative.

    Source: McNemar 1947, in its exact binomial form.

    >>> mcnemar_exact(9, 2)
    0.0654296875
    """
    tail, _, ways = _binomial_half(only_a, only_b)
    return min(1.0, 2 * tail / ways)


def mcnemar_midp(only_a: int, only_b: int) -> float:
    """Two-sided mid-p McNemar p-value: the exact one less half of what was observed, on either side.

    Args:
        only_a: Tasks where only the first side was right, 0 or more.
        only_b: Tasks where only the second side was right, 0 or more.

    Returns:
        p, 0 to 1; 1 where no pair is discordant.

    Raises:
        ValueError: A count is negative.

    Source: Fagerland, Lydersen and Laake 2013, BMC Medical Research Methodology 13:91.

    >>> mcnemar_midp(9, 2), mcnemar_midp(6, 0)
    (0.03857421875, 0.015625)
    """
    tail, observed, ways = _binomial_half(only_a, only_b)
    return min(1.0, (2 * tail - observed) / ways)


def _binomial_half(only_a: int, only_b: int) -> tuple[int, int, int]:
    """Ways to fall at or below the smaller count, ways to hit it, and all ways."""
    if only_a < 0 or only_b < 0:
        raise ValueError(f"discordant pairs are {only_a} and {only_b}, expected 0 or more")
    discordant, smaller = only_a + only_b, min(only_a, only_b)
    tail = term = 1
    for i in range(1, smaller + 1):
        term = term * (discordant - i + 1) // i
        tail += term
    return tail, term, 2**discordant


def fisher_midp(n1: int, N1: int, n2: int, N2: int) -> float:
    """Two-sided mid-p Fisher p-value for two independent shares.

    Tables as likely as the observed one count half, less likely ones whole.

    Args:
        n1: Successes of the first side, 0 to N1.
        N1: Size of the first side, 1 or more.
        n2: Successes of the second side, 0 to N2.
        N2: Size of the second side, 1 or more.

    Returns:
        p, 0 to 1.

    Raises:
        ValueError: A side is empty, or a count lies outside 0..N.

    Source: Lancaster 1961, JASA 56:223, on Fisher's conditional distribution.

    >>> fisher_midp(3, 3, 0, 3)
    0.05
    """
    less, equal, ways = _tables(n1, N1, n2, N2)
    return (2 * less + equal) / (2 * ways)


def fisher_exact(n1: int, N1: int, n2: int, N2: int) -> float:
    """Two-sided exact Fisher p-value: every table no more likely than the observed one counts whole.

    Args:
        n1: Successes of the first side, 0 to N1.
        N1: Size of the first side, 1 or more.
        n2: Successes of the second side, 0 to N2.
        N2: Size of the second side, 1 or more.

    Returns:
        p, 0 to 1.

    Raises:
        ValueError: A side is empty, or a count lies outside 0..N.

    Source: Fisher 1935, JRSS 98:39.

    >>> fisher_exact(3, 3, 0, 3)
    0.1
    """
    less, equal, ways = _tables(n1, N1, n2, N2)
    return (less + equal) / ways


def _tables(n1: int, N1: int, n2: int, N2: int) -> tuple[int, int, int]:
    """Ways of all tables less likely than the observed one, of those as likely, and of every table."""
    for n, size in ((n1, N1), (n2, N2)):
        if not 0 <= n <= size or size < 1:
            raise ValueError(f"{n} of {size} is no share: expected 0 <= n <= N and N >= 1")
    successes = n1 + n2
    lowest, highest = max(0, successes - N2), min(successes, N1)
    observed = comb(N1, n1) * comb(N2, n2)
    weight = comb(N1, lowest) * comb(N2, successes - lowest)
    less = equal = 0
    for i in range(lowest, highest + 1):
        less += weight if weight < observed else 0
        equal += weight if weight == observed else 0
        weight = weight * (N1 - i) * (successes - i) // ((i + 1) * (N2 - successes + i + 1))
    return less, equal, comb(N1 + N2, successes)


def discordant_power(tasks: int, discordant: float, better: float, fewest: Sequence[int | None]) -> float:
    """How often a rule on the discordant tasks decides for the better side, counted out.

    Args:
        tasks: That both sides run, each once.
        discordant: Share of tasks that one side alone solves, above 0.
        better: Share of these that the better side solves, 0 to 1.
        fewest: For 0, 1, ... ``tasks`` discordant, how many on the better side decide; None for never.

    Returns:
        The sum over N of P(N discordant) times P(at least ``fewest[N]`` of them on the better side).

    >>> discordant_power(2, 1.0, 0.5, [None, None, 2])
    0.25
    """
    start, weights = _binomial(tasks, discordant)
    return fsum(
        weight * _at_least(count, better, least)
        for count, weight in enumerate(weights, start)
        if (least := fewest[count]) is not None
    )


def _binomial(n: int, share: float) -> tuple[int, list[float]]:
    """First count and probabilities of a binomial, by recurrence outwards from the mode."""
    if share <= 0.0 or share >= 1.0:
        return (0 if share <= 0.0 else n), [1.0]
    odds = share / (1 - share)
    mode = min(n, int((n + 1) * share))
    up, down = [1.0], []
    for count in range(mode, n):
        up.append(up[-1] * (n - count) / (count + 1) * odds)
        if up[-1] < _NEGLIGIBLE:
            break
    weight = 1.0
    for count in range(mode, 0, -1):
        weight = weight * count / (n - count + 1) / odds
        down.append(weight)
        if weight < _NEGLIGIBLE:
            break
    weights = [*reversed(down), *up]
    total = fsum(weights)
    return mode - len(down), [weight / total for weight in weights]


def _at_least(n: int, share: float, fewest: int) -> float:
    start, weights = _binomial(n, share)
    return fsum(weights[max(0, fewest - start) :])
