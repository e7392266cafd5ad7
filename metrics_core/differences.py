"""The difference of two bunches of runs: which of the paired and unpaired statistics it takes.

The statistics themselves stand in `metrics_core.paired` and `metrics_core.unpaired`; that the two may be
compared at all is the caller's to check.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from metrics_core.codes import NoInterval
from metrics_core.comparison import Difference
from metrics_core.interval import MIN_KNOWN, Interval
from metrics_core.paired import paired_binary, paired_t
from metrics_core.rollup import Bunch
from metrics_core.unpaired import unpaired_binary, unpaired_means


def difference(a: Bunch, b: Bunch, cluster: str) -> Difference:
    """The difference a - b of two bunches: paired by task wherever both ran the same tasks.

    One verdict a task and side: Bonett-Price and mid-p McNemar. Fractions or repeats: t on per-task mean
    differences, clusters kept whole. No two tasks in common: unpaired, and labelled so. Fewer than 8 known
    runs on a side give none: too few refuse the interval and every comparison.

    Args:
        a: Runs of the first side.
        b: Of the second.
        cluster: The key within which tasks err together, for the caption.

    Returns:
        In the metric's unit; ``paired_on`` counts the tasks in common, and is None where they differ.

    >>> from collections import Counter
    >>> held, not_held = ({t: {t: Counter({(x, int(x), 1): 1})} for t in "abcdefgh"} for x in (1.0, 0.0))
    >>> found = difference(Bunch(held), Bunch(not_held), "scenario")
    >>> found.value, found.paired_on, str(found.method)
    (1.0, 8, 'bonett-price')
    """
    left, right = a.by_task(), b.by_task()
    common = [task for task in left if task in right]
    if min(a.known, b.known) < MIN_KNOWN:
        return _refused(len(common))
    if len(common) < 2:
        return _unpaired(a, b)
    sides = [(left[task], right[task]) for task in common]
    if all(len(x) == len(y) == 1 and {x[0], y[0]} <= {0.0, 1.0} for x, y in sides):
        only_a = sum(x[0] > y[0] for x, y in sides)
        return paired_binary(only_a, sum(x[0] < y[0] for x, y in sides), len(common))
    differences = [task_mean(x) - task_mean(y) for x, y in sides]
    return paired_t(differences, [a.home[task] for task in common], key=cluster, limits=_limits(a, b))


def task_mean(values: Sequence[float]) -> float:
    """Mean over the known runs of one task: what one side brings to a paired difference.

    Args:
        values: In the metric's unit, one or more, ascending.

    >>> task_mean([0.0, 1.0, 1.0, 1.0])
    0.75
    """
    return fsum(values) / len(values)


def _refused(common: int) -> Difference:
    return Difference(
        value=None,
        interval=Interval.none(NoInterval.TOO_FEW),
        p=None,
        test="none",
        paired_on=common if common > 1 else None,
    )


def _unpaired(a: Bunch, b: Bunch) -> Difference:
    left, right = a.by_cluster(), b.by_cluster()
    singles = all(len(cluster) == 1 for cluster in (*left, *right))
    if singles and {x for (x,) in (*left, *right)} <= {0.0, 1.0}:
        return unpaired_binary(
            int(sum(x for (x,) in left)), len(left), int(sum(x for (x,) in right)), len(right)
        )
    return unpaired_means(left, right)


def _limits(a: Bunch, b: Bunch) -> tuple[float, float] | None:
    """What a difference can be: -1 to 1 for shares and fractions, anything for other scores."""
    values = [value for side in (a, b) for _, _, (value, _, _) in side.runs()]
    return (-1.0, 1.0) if all(0 <= value <= 1 for value in values) else None
