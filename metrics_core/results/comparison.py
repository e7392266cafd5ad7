"""Two arms compared: the difference, its interval and p-value, and whether the pack can tell the two apart.

How a difference is made is in `metrics_core.statistics.differences`; what it decides is in
`metrics_core.statistics.separation`. Whether two arms may be compared at all is the caller's to check.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from metrics_core.results.codes import ByControl, Denominator, Kept, Method, NotSeparated, Withheld
from metrics_core.results.estimate import ContractRef, spelled
from metrics_core.results.interval import Interval, four_digits
from metrics_core.results.keys import Keys
from metrics_core.results.pooling import Unlike

if TYPE_CHECKING:
    from metrics_core.results.vocabulary import Vocabulary

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


ComparisonVerdict = Literal["a above b", "b above a", "cannot separate", "not comparable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two arms on one metric and stratum: the difference a - b, and whether the pack can tell them apart.

    Attributes:
        over: Group key that differs: that of an arm (``model``, ``chat``, ``l1``, ...), or ``config`` for an
            ablation within ``group``.
        paired_on: Tasks that both sides ran; None where different tasks were compared.
        p: Raw, ``p_adjusted`` after Holm over ``holm_size`` comparisons of the metric.
        rule: ``overlap`` (both intervals must be apart as well) or ``paired``.
        reasons: Why it is not separated, not comparable, or withheld; none where it is separated.
        method: How the interval was made, also where that is withheld.
        unpaired: Whether different tasks were compared.
        detectable: Smallest difference that this many tasks could have shown with 80 % power.
        sensitivity: Verdict and difference under other denominators.
        words: As of an estimate.
    """

    experiment: str
    family: str
    metric: str
    group: Keys
    stratum: Keys
    over: str
    a: str
    b: str
    difference: float | None
    interval: Interval
    overlap: bool | None
    paired_on: int | None
    p: float | None
    p_adjusted: float | None
    holm_size: int
    rule: Literal["overlap", "paired"]
    verdict: ComparisonVerdict
    reasons: tuple[NotSeparated | Unlike | ByControl, ...]
    method: Method | Kept
    detectable: float | None
    contract: ContractRef
    unpaired: bool = False
    sensitivity: tuple[tuple[Denominator, ComparisonVerdict, float | None], ...] = ()
    words: Vocabulary | None = field(default=None, compare=False, repr=False)

    @property
    def id(self) -> str:
        """Unique over the site; as an estimate's, with the two arms as ``a`` and ``b``."""
        keys = (*self.group, *self.stratum, ("a", self.a), ("b", self.b))
        return spelled(self.experiment, f"{self.family}.{self.metric}.{self.over}", keys)

    def __repr__(self) -> str:
        if self.difference is None:
            return f"<Comparison {self.id}: {self.verdict}, {self.reason!r}>"
        return f"<Comparison {self.id}: a - b {four_digits(self.difference)} {self.interval}, {self.verdict}>"

    @property
    def reason(self) -> str:
        """Why it is not separated, not comparable, or withheld, in words; empty where it is separated."""
        return "; ".join(map(str, self.reasons))

    @property
    def making(self) -> str:
        """How the difference was made, in words: the method, and that different tasks were compared."""
        return f"{self.method}, {DIFFERENT_TASKS}" if self.unpaired else str(self.method)

    @property
    def unlike(self) -> Unlike | None:
        """In what the two arms differ, where they are not to be compared at all."""
        return next((reason for reason in self.reasons if isinstance(reason, Unlike)), None)

    @property
    def withheld_by(self) -> Withheld | None:
        """The controls that withhold its numbers, if any does."""
        return next((reason.why for reason in self.reasons if isinstance(reason, ByControl)), None)

    def reversed(self) -> Comparison:
        """The same comparison seen from the other arm: the difference is b - a."""
        lo, hi = self.interval.lo, self.interval.hi
        words: dict[ComparisonVerdict, ComparisonVerdict] = {
            "a above b": "b above a",
            "b above a": "a above b",
        }
        return replace(
            self,
            a=self.b,
            b=self.a,
            difference=_negative(self.difference),
            interval=replace(self.interval, lo=_negative(hi), hi=_negative(lo)),
            verdict=words.get(self.verdict, self.verdict),
            sensitivity=tuple(
                (name, words.get(verdict, verdict), _negative(d)) for name, verdict, d in self.sensitivity
            ),
        )

    def to_json(self) -> dict[str, Any]:
        """As it stands in a report."""
        return {
            "id": self.id,
            "family": self.family,
            "metric": self.metric,
            "group": self.group.to_json(),
            "stratum": self.stratum.to_json(),
            "over": self.over,
            "a": self.a,
            "b": self.b,
            "difference": self.difference,
            "interval": self.interval.to_json(),
            "overlap": self.overlap,
            "paired_on": self.paired_on,
            "p": self.p,
            "p_adjusted": self.p_adjusted,
            "holm_size": self.holm_size,
            "rule": self.rule,
            "verdict": self.verdict,
            "reason": self.reason,
            "method": self.making,
            "detectable": self.detectable,
            "contract": self.contract.to_json(),
            "sensitivity": [
                {"denominator": str(name), "verdict": verdict, "difference": difference}
                for name, verdict, difference in self.sensitivity
            ],
        }


def _negative(value: float | None) -> float | None:
    return None if value is None else 0.0 - value
