"""What separates two sides on one metric: the difference, its interval, its p-value.

How it is made is in `metrics_core.paired` (both sides ran the same tasks) and `metrics_core.unpaired`.
Whether the two may be compared at all is the caller's to check; what a difference decides is in
`metrics_core.separation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

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
        label: `DIFFERENT_TASKS` where unpaired, else empty.

    Raises:
        ValueError: p lies outside 0..1, or a paired difference is labelled as unpaired.
    """

    value: float | None
    interval: Interval
    p: float | None
    test: str
    paired_on: int | None
    discordant: int | None = None
    detectable: float | None = None
    label: str = ""

    def __post_init__(self) -> None:
        if self.p is not None and not 0.0 <= self.p <= 1.0:
            raise ValueError(f"p is {self.p!r}, expected 0 to 1")
        if (self.label == DIFFERENT_TASKS) != (self.paired_on is None):
            raise ValueError(f"paired on {self.paired_on} tasks, yet labelled {self.label!r}")

    @property
    def method(self) -> str:
        """How the interval was made."""
        return self.interval.method

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
