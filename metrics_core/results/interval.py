"""One interval: what it spans, how it was made, or why there is none.

Does: `Interval`, and the limits below which none is given. Does not: compute one; shares, clusters, medians,
resampling and differences each have a module in `metrics_core.statistics`.
"""

from __future__ import annotations

from math import floor, isfinite
from typing import Any, Final

from msgspec import Struct

from metrics_core.results.codes import Absence, Kept, Method

LEVEL: Final = 0.95
"""The one level at which intervals are drawn."""

MIN_KNOWN: Final = 8
"""Fewer known runs than this give counts only: no interval, no comparison (the reference contract)."""

FEW_CLUSTERS: Final = 6
"""Fewer clusters than this, or effective clusters, are marked "few scenarios"."""


def four_digits(value: float) -> str:
    """A number as a console shows it; whoever publishes rounds by unit.

    >>> four_digits(0.86253), four_digits(41263.4), four_digits(-0.00012345)
    ('0.8625', '41263', '-0.0001234')
    """
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


class Interval(Struct, frozen=True, kw_only=True):
    """An interval with its making, or the reason why there is none.

    It is never of zero width: where all resamples or all runs agree, there is nothing to draw and
    ``absent`` says so.

    Attributes:
        lo: Lower limit in the estimate's unit, or None.
        hi: Upper limit, above ``lo``; None exactly when ``lo`` is.
        level: Nominal coverage, between 0 and 1.
        method: How it was made, or would have been.
        absent: Why there is no interval; None exactly when there is one.
        resamples: How many, where resampling was random.
        seed: Of the random resampling.
        cluster: Key of the clusters that were kept whole (``scenario``, ``repo``, ...).
        clusters: G, how many of them.
        n_eff: Effective number of independent runs.
        effective_clusters: G*, how many clusters of one size they are worth, where it is below 0.9 G: then
            it gives the degrees of freedom, and G does not.
        few: Fewer than 6 clusters, or effective clusters: "few scenarios".

    Raises:
        ValueError: The fields contradict one another.

    >>> Interval(lo=0.5, hi=0.9, method=Method.WILSON).to_json()
    {'lo': 0.5, 'hi': 0.9, 'level': 0.95, 'method': 'wilson', 'reason': None}
    """

    lo: float | None = None
    hi: float | None = None
    level: float = LEVEL
    method: Method | Kept
    absent: Absence | Kept | None = None
    resamples: int | None = None
    seed: int | None = None
    cluster: str | None = None
    clusters: int | None = None
    n_eff: float | None = None
    effective_clusters: float | None = None
    few: bool = False

    def __post_init__(self) -> None:
        if not 0.0 < self.level < 1.0:
            raise ValueError(f"level is {self.level!r}, expected between 0 and 1")
        if not self.method:
            raise ValueError("an interval without a method")
        if self.lo is None or self.hi is None:
            if self.lo is not None or self.hi is not None:
                raise ValueError(f"half an interval: {self.lo!r} to {self.hi!r}")
            if not self.absent:
                raise ValueError("no interval, and no reason for it")
            return
        if self.absent is not None:
            raise ValueError(f"an interval, and a reason why there is none: {self.absent!r}")
        if not (isfinite(self.lo) and isfinite(self.hi)):
            raise ValueError(f"an endless interval: {self.lo!r} to {self.hi!r}")
        if not self.lo < self.hi:
            raise ValueError(f"lower limit {self.lo!r} is not below upper limit {self.hi!r}")

    @classmethod
    def none(cls, absent: Absence | Kept, *, method: Method = Method.NONE, **making: Any) -> Interval:
        """No interval, with the reason.

        Args:
            absent: Why there is none.
            method: What would have been used.
            making: Further attributes that are known all the same (``clusters``, ``seed``, ...).

        >>> from metrics_core.results.codes import NoInterval
        >>> Interval.none(NoInterval.TOO_FEW).reason
        'too few valid runs'
        """
        return cls(method=method, absent=absent, **making)

    @property
    def at_the_bounds(self) -> bool:
        """Whether these are the limits around bounds, and not around a value."""
        return (
            self.method is Method.WILSON_AT_THE_BOUNDS
            or self.method is Method.WILSON_EFFECTIVE_N_AT_THE_BOUNDS
            or self.method is Method.LANG_REICZIGEL_AT_THE_BOUNDS
        )

    @property
    def reason(self) -> str | None:
        """Why there is no interval, in words; None where there is one."""
        return None if self.absent is None else str(self.absent)

    @property
    def width(self) -> float | None:
        """``hi - lo``, or None where there is no interval."""
        return None if self.lo is None or self.hi is None else self.hi - self.lo

    @property
    def df(self) -> int | None:
        """Degrees of freedom of a t on its clusters: G-1, or ``max(1, floor(G*) - 1)``; None without any.

        >>> Interval(lo=0.2, hi=0.9, method=Method.WILSON_EFFECTIVE_CLUSTERS, clusters=6,
        ...          effective_clusters=4.46).df
        3
        """
        if self.clusters is None:
            return None
        worth = self.clusters if self.effective_clusters is None else floor(self.effective_clusters)
        return max(1, worth - 1)

    def __str__(self) -> str:
        if self.lo is None or self.hi is None:
            return f"no interval: {self.reason}"
        return f"[{four_digits(self.lo)}, {four_digits(self.hi)}]"

    def to_json(self) -> dict[str, Any]:
        """lo, hi, level, method, reason, then whatever else is known of its making.

        ``df`` stands beside ``effective_clusters``; without these it is ``clusters`` less one.
        """
        fields: dict[str, Any] = {
            "lo": self.lo,
            "hi": self.hi,
            "level": self.level,
            "method": str(self.method),
            "reason": self.reason,
        }
        for name in ("resamples", "seed", "cluster", "clusters", "n_eff", "effective_clusters"):
            if getattr(self, name) is not None:
                fields[name] = getattr(self, name)
        if self.effective_clusters is not None:
            fields["df"] = self.df
        if self.few:
            fields["few"] = True
        return fields
