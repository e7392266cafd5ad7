"""pass@k and pass^k of tasks that were tried n times: any of k tries, and all of k tries.

Of one task by integer arithmetic and one division; over tasks with the bounds that missing tries leave. The
interval of a mean over tasks is the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, fsum

from msgspec import Struct

from metrics_core.results import Interval
from metrics_core.statistics.bounds import outermost


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


class OverTasks(Struct, frozen=True):
    """pass@k or pass^k over tasks, some of whose tries are missing.

    Attributes:
        value: Mean over the tasks with k known tries or more; None where there is none.
        left_out: Positions of the tasks with fewer.
        bounds: Mean over *all* tasks if every missing try had failed, and if it had passed.
        outer: Wilson's outer limits of these, on tasks.
    """

    value: float | None
    left_out: tuple[int, ...]
    bounds: tuple[float, float]
    outer: Interval


def over_tasks(
    formula: Callable[[int, int, int], float],
    tasks: Sequence[tuple[int, int]],
    planned: int,
    k: int,
    clusters: Sequence[str] | None = None,
    *,
    key: str | None = None,
) -> OverTasks | None:
    """pass@k or pass^k over tasks, and what missing tries could make of it.

    The value leaves out tasks with fewer than k known tries, and so is of other tasks for each k; where
    failing tries are those that crash, it is too high. The bounds leave out no task.

    Args:
        formula: `pass_at_k` or `pass_hat_k`.
        tasks: Known tries and passes of each task, 0 or more.
        planned: Tries that were planned for every task; a task with more has its own number.
        k: Tries drawn, 1 to ``planned``.
        clusters: The cluster of each task, where tasks err together.
        key: What the clusters are.

    Returns:
        None without tasks.

    Raises:
        ValueError: k is not within 1 to ``planned``, or a task passed more often than it was tried.

    Source: bounds by Manski 2003, Partial Identification of Probability Distributions, on the formulas above.

    >>> found = over_tasks(pass_hat_k, [(4, 4), (3, 3), (2, 1), (0, 0)], planned=4, k=2)
    >>> found.value, found.left_out, found.bounds
    (0.6666666666666666, (3,), (0.375, 0.875))
    """
    if not 1 <= k <= planned:
        raise ValueError(f"{k} of {planned} planned tries: expected 1 to {planned}")
    if not tasks:
        return None
    tried = [formula(n, c, k) for n, c in tasks if n >= k]
    worst = [formula(max(planned, n), c, k) for n, c in tasks]
    best = [formula(max(planned, n), c + max(0, planned - n), k) for n, c in tasks]
    return OverTasks(
        value=fsum(tried) / len(tried) if tried else None,
        left_out=tuple(at for at, (n, _) in enumerate(tasks) if n < k),
        bounds=(fsum(worst) / len(tasks), fsum(best) / len(tasks)),
        outer=outermost(worst, best, clusters, key=key),
    )


def _checked(n: int, c: int, k: int) -> None:
    if not (0 <= c <= n and 1 <= k <= n):
        raise ValueError(f"{c} of {n} tries passed, {k} drawn: expected 0 <= c <= n and 1 <= k <= n")
