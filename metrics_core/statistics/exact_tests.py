"""Exact tests on counts: McNemar (paired) and Fisher (unpaired), both mid-p.

All arithmetic is on integers; one correctly rounded division makes the p-value at the end. No continuity
correction, no normal approximation. What a p-value decides is in `metrics_core.statistics.separation`.
"""

from __future__ import annotations

from math import comb


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
    return (2 * less + equal) / (2 * comb(N1 + N2, successes))
