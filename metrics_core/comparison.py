"""What separates two sides on one metric: the difference, its interval, its p-value.

How it is made is in `metrics_core.paired` (both sides ran the same tasks) and `metrics_core.unpaired`.
Whether the two may be compared at all is the caller's to check; what a difference decides is in
`metrics_core.separation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from metrics_core.codes import Kept, Method
from metrics_core.interval import Interval

DIFFERENT_TASKS: Final = "different tasks"
"""The label of every unpaired comparison."""


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
