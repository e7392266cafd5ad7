"""What two rules say of two sides: the strict one, and that of the difference on the same tasks alone.

Does: hold what stands against a separation, say what follows by either rule, and how small a difference each
could have shown. Does not: find these; `metrics_core.statistics` does.
"""

from __future__ import annotations

from enum import StrEnum, unique
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.results.codes import ByControl, FewInCommon, NoSmallestDifference, NotSeparated
from metrics_core.results.pooling import Unlike

Rule = Literal["overlap", "paired"]
"""Which rule is in force: ``overlap`` is the strict one, by which overlapping intervals separate nothing."""

ComparisonVerdict = Literal["a above b", "b above a", "cannot separate", "not comparable"]

Against = NotSeparated | FewInCommon | Unlike | ByControl
"""What stands against a separation."""

ONLY_STRICT: Final = frozenset({NotSeparated.OVERLAP, NotSeparated.NO_INTERVAL, NotSeparated.DISAGREE})
"""Reasons that speak of the two sides' own intervals: the paired rule does not ask for these."""


@unique
class Separation(StrEnum):
    """What both rules come to together."""

    SEPARATED = "separated"
    SAME_TASKS_ONLY = "told apart on the same tasks only"
    CANNOT = "cannot separate"
    NOT_COMPARABLE = "not comparable"


class SeparationVerdict(Struct, frozen=True, kw_only=True):
    """Which side stands above by either rule, or what stands against it.

    Attributes:
        above: The side that the difference puts above; None where it puts none.
        against: Everything that stands against a separation by the strict rule, in the rule's order.
        overlap: Whether the two sides' own intervals overlap; None where one has none.
        unpaired: Whether different tasks were compared. Then there is no second rule: the strict one decides.

    Raises:
        ValueError: Nothing stands against a separation, and no side is above.

    >>> found = SeparationVerdict(above="b", against=(NotSeparated.OVERLAP,), overlap=True)
    >>> found.strict, found.paired, str(found.outcome)
    ('cannot separate', 'b above a', 'told apart on the same tasks only')
    """

    above: Literal["a", "b"] | None
    against: tuple[Against, ...]
    overlap: bool | None
    unpaired: bool = False

    def __post_init__(self) -> None:
        if self.above is None and not self.reasons("paired"):
            raise ValueError(f"no side is above, and {self.against} stands against it")

    def reasons(self, rule: Rule) -> tuple[Against, ...]:
        """What stands against a separation by that rule."""
        if rule == "overlap" or self.unpaired:
            return self.against
        return tuple(reason for reason in self.against if reason not in ONLY_STRICT)

    def by(self, rule: Rule) -> ComparisonVerdict:
        """Which side is above by that rule, if any."""
        against = self.reasons(rule)
        if any(isinstance(r, (Unlike, ByControl)) or r is NotSeparated.NOT_PLANNED for r in against):
            return "not comparable"
        if against:
            return "cannot separate"
        return "a above b" if self.above == "a" else "b above a"

    @property
    def strict(self) -> ComparisonVerdict:
        """By the strict rule: the two intervals are apart as well."""
        return self.by("overlap")

    @property
    def paired(self) -> ComparisonVerdict:
        """By the difference on the same tasks alone."""
        return self.by("paired")

    @property
    def outcome(self) -> Separation:
        """What both rules come to together."""
        if self.paired == "not comparable":
            return Separation.NOT_COMPARABLE
        if self.strict != "cannot separate":
            return Separation.SEPARATED
        return Separation.CANNOT if self.paired == "cannot separate" else Separation.SAME_TASKS_ONLY

    def reversed(self) -> SeparationVerdict:
        """The same seen from the other side."""
        if self.above is None:
            return self
        return replace(self, above="b" if self.above == "a" else "a")


class SmallestDifference(Struct, frozen=True, kw_only=True):
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
