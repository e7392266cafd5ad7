"""Two arms compared: the difference, its interval and p-value, and whether the data can tell the two apart.

How a difference is made is in `metrics_core.statistics.differences`; what it decides is in
`metrics_core.statistics.separation`. Whether two arms may be compared at all is the caller's to check.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.results.codes import ByControl, Denominator, Kept, Method, Remark, Withheld
from metrics_core.results.estimate import ContractRef, PartlyCompared, Polarity, spelled
from metrics_core.results.interval import Interval, four_digits
from metrics_core.results.keys import Keys
from metrics_core.results.pooling import Unlike
from metrics_core.results.separation import (
    Against,
    ComparisonVerdict,
    Rule,
    Separation,
    SeparationVerdict,
    SmallestDifference,
)

if TYPE_CHECKING:
    from metrics_core.results.vocabulary import Vocabulary

DIFFERENT_TASKS: Final = "different tasks"
"""The label of every unpaired comparison."""


class Difference(Struct, frozen=True, kw_only=True):
    """What separates two sides, first less second.

    Attributes:
        value: In the metric's unit; None where there is nothing to compare.
        interval: Of the difference; where none can be given it says why.
        p: Two-sided, not adjusted; None where no test can be made.
        test: What gave ``p``.
        paired_on: Tasks that both sides ran; None where different tasks were compared, or too few are common.
        discordant: Tasks that one side alone solved; None where outcomes are not binary.
        standard_error: Of ``value``; None where it has none.
        unpaired: Whether different tasks were compared.

    Raises:
        ValueError: p lies outside 0..1.
    """

    value: float | None
    interval: Interval
    p: float | None
    test: str
    paired_on: int | None
    discordant: int | None = None
    standard_error: float | None = None
    unpaired: bool = False

    def __post_init__(self) -> None:
        if self.p is not None and not 0.0 <= self.p <= 1.0:
            raise ValueError(f"p is {self.p!r}, expected 0 to 1")

    @property
    def method(self) -> Method | Kept:
        """How the interval was made."""
        return self.interval.method

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
            "standard_error": self.standard_error,
            "label": self.label,
        }


class Ratio(Struct, frozen=True, kw_only=True):
    """How many times as much the candidate takes as the baseline, in money or in time.

    Attributes:
        metric: What is divided: its mean over tasks where it is money, else its 95th percentile over runs.
        unit: Of the two values.
        value: Of the two values; None where there is nothing to divide, or the baseline's is 0.
        interval: Of the ratio; where none can be given it says why.
        a: The baseline's value, in the metric's unit; None where there is none.
        b: The candidate's value.
        tasks: Tasks that it stands on: those that both ran, for costs; of the side with fewer, for latencies.
        runs: Known runs of either side on these tasks.
        not_known: Runs of either side of which the value is not known.

    >>> from metrics_core.results.codes import Method
    >>> limits = Interval(lo=0.95, hi=1.35, method=Method.FIELLER)
    >>> Ratio(metric="cost", unit="USD", value=1.1, interval=limits, a=0.2, b=0.22, tasks=20,
    ...       runs=(60, 60)).to_json()["interval"]["lo"]
    0.95
    """

    metric: str
    unit: str
    value: float | None
    interval: Interval
    a: float | None
    b: float | None
    tasks: int
    runs: tuple[int, int]
    not_known: tuple[int, int] = (0, 0)

    def to_json(self) -> dict[str, Any]:
        """As it stands in the record of a comparison."""
        return {
            "metric": self.metric,
            "unit": self.unit,
            "value": self.value,
            "interval": self.interval.to_json(),
            "baseline": self.a,
            "candidate": self.b,
            "tasks": self.tasks,
            "runs": list(self.runs),
            "not_known": list(self.not_known),
        }


class Recount(Struct, frozen=True, kw_only=True):
    """What a comparison comes to under another denominator.

    Attributes:
        denominator: What is counted too.
        judged: What both rules say then, with Holm over the same comparisons so counted.
        difference: As it would be; None where it could not be made.
    """

    denominator: Denominator
    judged: SeparationVerdict
    difference: float | None


class Comparison(PartlyCompared, frozen=True, kw_only=True):
    """Two arms on one metric and stratum: the difference a - b, and whether the data can tell them apart.

    Attributes:
        over: Group key that differs: that of an arm (``model``, ``chat``, ``l1``, ...), or ``config`` for an
            ablation within ``group``.
        paired_on: Tasks that both sides ran and that the difference is made on; None where different tasks
            were compared, or too few were in common.
        p: Raw, ``p_adjusted`` after Holm over ``holm_size`` comparisons: all of the metric in the experiment.
        rule: Which rule is in force: ``overlap``, the strict one (both intervals must be apart as well), or
            ``paired``.
        judged: What stands against a separation, by either rule.
        method: How the interval was made, also where that is withheld.
        standard_error: Of ``difference``; None where it has none.
        detectable: Smallest difference that these tasks could have shown, by either rule; None where
            nothing was compared.
        pack: Digest of the pack behind the two, or None.
        polarity: Whether more speaks for an arm, against it, or neither.
        unit: Of the two arms' values.
        remarks: What is said beside the outcome.
        sensitivity: What it comes to under other denominators.
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
    paired_on: int | None
    p: float | None
    p_adjusted: float | None
    holm_size: int
    rule: Rule
    judged: SeparationVerdict
    method: Method | Kept
    standard_error: float | None
    detectable: SmallestDifference | None
    contract: ContractRef
    pack: str | None = None
    polarity: Polarity = "for"
    unit: str = "fraction"
    remarks: tuple[Remark, ...] = ()
    sensitivity: tuple[Recount, ...] = ()
    words: Vocabulary | None = None

    @property
    def id(self) -> str:
        """Unique over the site; as an estimate's, with the two arms as ``a`` and ``b``."""
        keys = (*self.group, *self.stratum, ("a", self.a), ("b", self.b))
        return spelled(self.experiment, f"{self.family}.{self.metric}.{self.over}", keys)

    def __repr__(self) -> str:
        if self.difference is None:
            return f"<Comparison {self.id}: {self.verdict}, {self.reason!r}>"
        return f"<Comparison {self.id}: a - b {four_digits(self.difference)} {self.interval}, {self.verdict}>"

    def _repr_html_(self) -> str:
        notebook = import_module("metrics_core.results.notebook")  # moves no number, and is in no closure
        return str(notebook.comparison_html(self))

    @property
    def verdict(self) -> ComparisonVerdict:
        """Which arm is above by the rule in force, if any."""
        return self.judged.by(self.rule)

    @property
    def strict_verdict(self) -> ComparisonVerdict:
        """By the strict rule, whichever is in force."""
        return self.judged.strict

    @property
    def paired_verdict(self) -> ComparisonVerdict:
        """By the difference on the same tasks alone, whichever rule is in force."""
        return self.judged.paired

    @property
    def outcome(self) -> Separation:
        """What both rules come to together."""
        return self.judged.outcome

    @property
    def separated(self) -> bool:
        """Whether the rule in force puts one arm above the other."""
        return self.verdict in ("a above b", "b above a")

    @property
    def ranks(self) -> bool:
        """Whether a title or a first line may say "above": separated by the rule in force, on the same tasks.

        Where different tasks were compared, "on different tasks" must stand in the same sentence.
        """
        return self.separated and not self.unpaired

    @property
    def told_apart(self) -> tuple[str, str] | None:
        """(above, below), where either rule tells the two apart."""
        if self.outcome in (Separation.CANNOT, Separation.NOT_COMPARABLE):
            return None
        return (self.a, self.b) if self.judged.above == "a" else (self.b, self.a)

    @property
    def better(self) -> tuple[str, str] | None:
        """(better, worse), where either rule tells the two apart and the metric says what is better."""
        if (found := self.told_apart) is None or self.polarity == "neither":
            return None
        return found if self.polarity == "for" else (found[1], found[0])

    @property
    def overlap(self) -> bool | None:
        """Whether the two arms' own intervals overlap; None where one has none."""
        return self.judged.overlap

    @property
    def unpaired(self) -> bool:
        """Whether different tasks were compared."""
        return self.judged.unpaired

    @property
    def reasons(self) -> tuple[Against, ...]:
        """Why the rule in force does not separate them, why they are not comparable, or withheld."""
        return self.judged.reasons(self.rule)

    @property
    def reason(self) -> str:
        """`reasons` in words; empty where they are separated."""
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

    def under(self, rule: Rule) -> Comparison:
        """The same comparison with another rule in force."""
        return self if rule == self.rule else replace(self, rule=rule)

    def reversed(self) -> Comparison:
        """The same comparison seen from the other arm: the difference is b - a."""
        lo, hi = self.interval.lo, self.interval.hi
        return replace(
            self,
            a=self.b,
            b=self.a,
            difference=_negative(self.difference),
            interval=replace(self.interval, lo=_negative(hi), hi=_negative(lo)),
            judged=self.judged.reversed(),
            sensitivity=tuple(
                replace(again, judged=again.judged.reversed(), difference=_negative(again.difference))
                for again in self.sensitivity
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
            "unpaired": self.unpaired,
            "p": self.p,
            "p_adjusted": self.p_adjusted,
            "holm_size": self.holm_size,
            "rule": self.rule,
            "verdict": self.verdict,
            "strict_verdict": self.strict_verdict,
            "paired_verdict": self.paired_verdict,
            "outcome": str(self.outcome),
            "reason": self.reason,
            "remarks": [str(remark) for remark in self.remarks],
            "method": self.making,
            "standard_error": self.standard_error,
            "detectable": None if self.detectable is None else self.detectable.to_json(),
            "contract": self.contract.to_json(),
            "sensitivity": [
                {
                    "denominator": str(again.denominator),
                    "verdict": again.judged.by(self.rule),
                    "paired_verdict": again.judged.paired,
                    "difference": again.difference,
                }
                for again in self.sensitivity
            ],
        }


def _negative(value: float | None) -> float | None:
    return None if value is None else 0.0 - value
