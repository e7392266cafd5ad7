"""Groups of models that a pack cannot separate, and the brackets that show them.

Does: draw them, side by side where they overlap, with a tick at every member. Does not: decide what is
separated; comparisons do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from metrics_core.results import Comparison
from metrics_core.statistics import brackets
from site_src.drawing.sheet import Sheet

STEP = 9.0
"""Distance of two brackets side by side, in px."""


def not_separated(arms: Sequence[str], comparisons: Iterable[Comparison]) -> tuple[tuple[str, ...], ...]:
    """Largest groups of at least two arms of which every pair was compared and none is separated.

    Args:
        arms: Names, in the order of their rows.
        comparisons: Of one metric and stratum; a pair that was not compared, or is not comparable, is in no
            group together.
    """
    together = {frozenset((c.a, c.b)) for c in comparisons if c.verdict == "cannot separate"}
    apart = [pair for pair in combinations(arms, 2) if frozenset(pair) not in together]
    return tuple(group for group in brackets(arms, apart) if len(group) > 1)


def draw(sheet: Sheet, x: float, groups: Sequence[Sequence[float]], *, tick: float = 6) -> float:
    """Draw brackets over rows, side by side where they overlap; gives the x to the right of them.

    Args:
        sheet: Where they are drawn.
        x: Left end of the ticks.
        groups: For each bracket the y of its members, ascending.
        tick: Length of a tick in px.
    """
    ends: list[float] = []
    for ys in groups:
        column = next((i for i, end in enumerate(ends) if end < ys[0]), len(ends))
        if column == len(ends):
            ends.append(0.0)
        ends[column] = ys[-1]
        at = x + column * STEP
        spine = f"M0,0H{tick:g}V{ys[-1] - ys[0]:g}H0"
        inner = "".join(f"M0,{y - ys[0]:g}H{tick:g}" for y in ys[1:-1])
        sheet.path(at, ys[0], spine + inner, stroke="ink", width=1.2)
    return x + max(len(ends) - 1, 0) * STEP + tick if ends else x
