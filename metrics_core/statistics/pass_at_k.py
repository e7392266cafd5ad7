"""pass@k and pass^k of one task that was tried n times: any of k tries, and all of k tries.

Averaging over tasks, and clustering by task, is the caller's. Integer arithmetic, one division.
"""

from __future__ import annotations

from math import comb


def pass_at_k(n: int, c: int, k: int) -> float:
    """Probability that at least one of k tries, drawn from the n that were made, passed.

    Args:
        n: Tries made, 1 or more.
        c: Tries that passed, 0 to n.
        k: Tries drawn, 1 to n.

    Returns:
        ``1 - C(n-c, k) / C(n, k)``, 0 to 1, correctly rounded.

    Raises:
        ValueError: Not ``0 <= c <= n`` or not ``1 <= k <= n``.

    Source: Chen et al. 2021, arXiv 2107.03374.

    >>> round(pass_at_k(10, 3, 5), 12)
    0.916666666667
    """
    _checked(n, c, k)
    return (comb(n, k) - comb(n - c, k)) / comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float:
    """Probability that all of k tries, drawn from the n that were made, passed.

    Args:
        n: Tries made, 1 or more.
        c: Tries that passed, 0 to n.
        k: Tries drawn, 1 to n.

    Returns:
        ``C(c, k) / C(n, k)``, 0 to 1, correctly rounded.

    Raises:
        ValueError: Not ``0 <= c <= n`` or not ``1 <= k <= n``.

    Source: Yao et al. 2024, arXiv 2406.12045.

    >>> round(pass_hat_k(10, 3, 2), 12)
    0.066666666667
    """
    _checked(n, c, k)
    return comb(c, k) / comb(n, k)


def _checked(n: int, c: int, k: int) -> None:
    if not (0 <= c <= n and 1 <= k <= n):
        raise ValueError(f"{c} of {n} tries passed, {k} drawn: expected 0 <= c <= n and 1 <= k <= n")
