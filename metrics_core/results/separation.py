"""What two rules say of two sides: the strict one, and that of the difference on the same tasks alone.

Does: hold what stands against a separation, and say what follows by either rule. Does not: find it;
`metrics_core.statistics.separation` does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum, unique
from typing import Final, Literal

from metrics_core.results.codes import ByControl, FewInCommon, NotSeparated
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SeparationVerdict:
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
        if any(isinstance(reason, (Unlike, ByControl)) for reason in against):
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
