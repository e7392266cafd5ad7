"""What separates two sides on one metric: the difference, its interval, its p-value.

How it is made is in `metrics_core.paired` (both sides ran the same tasks) and `metrics_core.unpaired`.
Whether the two may be compared at all is the caller's to check; what a difference decides is in
`metrics_core.separation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from metrics_core.codes import Kept, Method
from metrics_core.intervals import Interval
from metrics_core.t_table import Z_800, Z_975

DIFFERENT_TASKS: Final = "different tasks"
"""The label of every unpaired comparison."""

POWER_REACH: Final = Z_975 + Z_800
"""A difference of this many standard errors is shown with 80 % power."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What separates two sides, first less second.

    Attributes:
        value: In the metric's unit; None where there is nothing to compare.
        interval: Of the difference; where none can be given it says why.
        p: Two-sided, not adjusted; None where no test can be made.
        test: What gave ``p``.
        paired_on: Tasks that both sides ran; None where different tasks were compared.
        discordant: Tasks that one side alone solved; None where outcomes are not binary.
        detectable: Smallest difference that this many tasks could have shown, at 80 % power.

    Raises:
        ValueError: p lies outside 0..1.
    """

    value: float | None
    interval: Interval
    p: float | None
    test: str
    paired_on: int | None
    discordant: int | None = None
    detectable: float | None = None

    def __post_init__(self) -> None:
        if self.p is not None and not 0.0 <= self.p <= 1.0:
            raise ValueError(f"p is {self.p!r}, expected 0 to 1")

    @property
    def method(self) -> Method | Kept:
        """How the interval was made."""
        return self.interval.method

    @property
    def unpaired(self) -> bool:
        """Whether different tasks were compared."""
        return self.paired_on is None

    @property
    def label(self) -> str:
        """`DIFFERENT_TASKS` where unpaired, else empty."""
        return DIFFERENT_TASKS if self.unpaired else ""

    def to_json(self) -> dict[str, Any]:
        """Keys as the project's interfaces name them."""
        return {
            "difference": self.value,
            "interval": self.interval.to_json(),
            "paired_on": self.paired_on,
            "p": self.p,
            "test": self.test,
            "discordant": self.discordant,
            "detectable": self.detectable,
            "label": self.label,
        }


def smallest_detectable_difference(variance: float, n: int, design_effect: float = 1.0) -> float:
    """The difference that n tasks would show with 80 % power at 95 %.

    Args:
        variance: Of the per-task differences, 0 or more.
        n: Tasks, 1 or more.
        design_effect: 1 where tasks are independent.

    Returns:
        ``(1.959964 + 0.841621) * sqrt(variance / n) * sqrt(design_effect)``, in the differences' unit.

    Raises:
        ValueError: An argument is out of its range.

    Source: Miller 2024, arXiv 2411.00640, section 5.

    >>> round(smallest_detectable_difference(0.25, 50), 4)
    0.1981
    """
    if variance < 0 or n < 1 or design_effect < 0:
        raise ValueError(f"variance {variance!r} over {n} tasks, design effect {design_effect!r}")
    return POWER_REACH * sqrt(variance / n) * sqrt(design_effect)
