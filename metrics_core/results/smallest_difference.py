"""The smallest difference that a comparison could have shown, by either rule, or why there is none.

Does: `SmallestDifference`, what `metrics_core.statistics` computes and a comparison carries. Does not:
compute it, or put it into a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metrics_core.results.codes import NoSmallestDifference


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallestDifference:
    """What a comparison of this size shows in four of five repetitions, were it true.

    It is no statement about smaller differences: they were not ruled out.

    Attributes:
        paired: In the metric's unit, where the difference on the same tasks decides; None if there is none.
        strict: In the metric's unit, where the two intervals must part as well; never below ``paired``;
            None if there is none.
        family: How many comparisons Holm's adjustment ran over, 1 or more.
        why_not: Why ``strict``, or both, are None; None exactly where both are given.
        rough: Fewer than 10 tasks (or clusters): the figure itself is a rough one.

    Raises:
        ValueError: The fields contradict one another.

    >>> SmallestDifference(paired=0.13, strict=0.2525, family=1).to_json()
    {'paired': 0.13, 'strict': 0.2525, 'family': 1, 'reason': None}
    """

    paired: float | None
    strict: float | None
    family: int
    why_not: NoSmallestDifference | None = None
    rough: bool = False

    def __post_init__(self) -> None:
        if self.family < 1:
            raise ValueError(f"a family of {self.family} comparisons")
        if (self.why_not is None) != (self.paired is not None and self.strict is not None):
            raise ValueError(f"{self.paired!r} and {self.strict!r}, and the reason {self.why_not!r}")
        if self.strict is not None and (self.paired is None or self.strict < self.paired):
            raise ValueError(f"{self.strict!r} under the stricter rule, {self.paired!r} under the other")

    @classmethod
    def none(cls, why: NoSmallestDifference, *, family: int = 1, rough: bool = False) -> SmallestDifference:
        """Neither, with the reason.

        >>> str(SmallestDifference.none(NoSmallestDifference.NO_SPREAD).why_not)
        'no spread between tasks on either side'
        """
        return cls(paired=None, strict=None, family=family, why_not=why, rough=rough)

    def to_json(self) -> dict[str, Any]:
        """paired, strict, family, reason; ``rough`` where it is."""
        fields: dict[str, Any] = {
            "paired": self.paired,
            "strict": self.strict,
            "family": self.family,
            "reason": None if self.why_not is None else str(self.why_not),
        }
        return {**fields, "rough": True} if self.rough else fields
