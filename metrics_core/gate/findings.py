"""What a gate comes to: verdicts, why it cannot be told, what makes it unhealthy, what would settle it.

Codes with their words beside them. Does not: look at data, or decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, unique
from typing import Any, Final

from msgspec import Struct, field

from metrics_core.results import Interval, NotSeparated
from metrics_core.text import many


@unique
class GateVerdict(StrEnum):
    """What a rule, or all of them, come to."""

    PASS = "pass"  # noqa: S105 (no password)
    FAIL = "fail"
    CANNOT_TELL = "cannot tell"
    UNHEALTHY = "unhealthy"


@unique
class GateRule(StrEnum):
    """The rules of a gate, as a policy names them."""

    MAX_ERRORS = "max_errors"
    NOT_WORSE_BY = "not_worse_by"
    AT_LEAST = "at_least"
    PASS_HAT_K = "pass_hat_k"  # noqa: S105 (no password)
    PER_TASK = "per_task"
    SLICES = "slices"
    COST_RATIO = "cost_ratio"
    P95_RATIO = "p95_ratio"


EXIT_CODES: Final[Mapping[GateVerdict, int]] = {
    GateVerdict.PASS: 0,
    GateVerdict.FAIL: 5,
    GateVerdict.CANNOT_TELL: 6,
    GateVerdict.UNHEALTHY: 7,
}


@unique
class NotTold(StrEnum):
    """Why a rule is neither kept nor broken."""

    FEW_TASKS = "fewer than 8 tasks in common"
    NO_INTERVAL = "there is no interval"
    INSIDE = "the bound lies within the interval"
    NOT_RECORDED = "not recorded on both sides at one price table"
    TOO_FEW_TRIES = "no task has that many known runs"
    AFTER_HOLM = "after Holm over the slices it is not told from the bound"
    SLICES = "not every slice is told"
    TASKS_UNTOLD = "of a task that was always passed too few runs are known to say that it is not lost"
    MOSTLY_UNKNOWN = "of a side over a fifth of the runs is not known"
    AFTER_HOLM_OVER_STRATA = "after Holm over the strata it is not told from the bound"


@unique
class Supposed(StrEnum):
    """What is taken for the truth where it is said what would settle a rule."""

    ALIKE = "if both are alike"
    AS_FOUND = "if it is in truth what was found"


class Settling(Struct, frozen=True, kw_only=True):
    """What would settle a rule that cannot be told.

    Attributes:
        supposed: The truth for which it is said.
        tasks: How many tasks, each run as often as now; None where no number would.
        now: How many there are.
        runs: How many runs of a task and side, on the tasks of now; None where no number would, or where no
            task was repeated.
        floor: Whether even endless runs of the tasks of now would not.
        usd: What the further runs of so many tasks cost, at the data's own costs; None without these.
    """

    supposed: Supposed
    tasks: int | None
    now: int
    runs: int | None = None
    floor: bool = False
    usd: float | None

    def to_json(self) -> dict[str, Any]:
        """As it stands in the record."""
        name = "if_equal" if self.supposed is Supposed.ALIKE else "as_found"
        return {
            f"tasks_that_would_settle_it_{name}": self.tasks,
            "tasks": self.now,
            "runs_a_task_that_would": self.runs,
            "more_runs_cannot": self.floor,
            "usd": self.usd,
        }


class RuleFinding(Struct, frozen=True, kw_only=True):
    """What one rule comes to.

    Attributes:
        rule: Its name in the policy.
        verdict: Of the rule.
        value: What was found, in the unit of what is bounded.
        interval: Of the value; None where the rule has none.
        bound: What the policy says.
        why: Why it is neither kept nor broken.
        told: Further counts that stand in the record.
        lost: Tasks that are lost.
        settling: What would settle it.
        slices: The same rule in each slice, by its name.
    """

    rule: GateRule
    verdict: GateVerdict
    value: float | None = None
    interval: Interval | None = None
    bound: float | None = None
    why: NotTold | NotSeparated | None = None
    told: Mapping[str, float | int | None] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    settling: Settling | None = None
    slices: Mapping[str, RuleFinding] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As it stands in the record."""
        found: dict[str, Any] = {"verdict": str(self.verdict)}
        if self.slices:
            return {**found, "by": {name: each.to_json() for name, each in self.slices.items()}}
        if self.rule is GateRule.PER_TASK:
            return {**found, "lost": list(self.lost), **self.told}
        found |= {"value": self.value, "bound": self.bound}
        if self.interval is not None:
            found |= {"interval95": [self.interval.lo, self.interval.hi], "method": str(self.interval.method)}
        found |= self.told
        if self.why is not None:
            found["because"] = str(self.why)
        return found if self.settling is None else {**found, **self.settling.to_json()}


class ErrorsOverBound(Struct, frozen=True):
    """A side lost more of its planned runs than the policy allows.

    >>> str(ErrorsOverBound("new", 27, 0, 180, 0.1))
    '27 of 180 planned runs of new failed or were never recorded, 15.0 % where 10.0 % are allowed'
    """

    side: str
    errors: int
    never: int
    planned: int
    bound: float

    def __str__(self) -> str:
        lost = self.errors + self.never
        share = 100 * lost / self.planned
        how = f"{lost} of {many(self.planned, 'planned run')} of {self.side} failed or were never recorded"
        return f"{how}, {share:.1f} % where {100 * self.bound:.1f} % are allowed"


class NothingPlanned(Struct, frozen=True):
    """A side has no run at all."""

    side: str

    def __str__(self) -> str:
        return f"{self.side} has no run"


class ControlNotHeld(Struct, frozen=True):
    """A control that guards the metric failed, or is missing and not optional."""

    side: str
    title: str
    state: str
    detail: str

    def __str__(self) -> str:
        return f"{self.title} of {self.side} {self.state}: {self.detail}"


class OtherInstrument(Struct, frozen=True):
    """The two sides are unlike things: another contract, pack, grader or condition."""

    reason: str

    def __str__(self) -> str:
        return self.reason


class StaleBaseline(Struct, frozen=True):
    """The baseline is older than the policy allows; ``days`` is None where its age is not known.

    >>> str(StaleBaseline(12.4, 7))
    'the baseline is 12.4 days older, 7 are allowed'
    """

    days: float | None
    allowed: float

    def __str__(self) -> str:
        if self.days is None:
            return f"the age of the baseline is not known, {self.allowed:g} days are allowed"
        return f"the baseline is {self.days:.1f} days older, {self.allowed:g} are allowed"


class StratumMissing(Struct, frozen=True):
    """The candidate has no run in a stratum of the baseline.

    >>> str(StratumMissing("new", "split=hard"))
    'new has no run in the stratum split=hard of the baseline'
    """

    side: str
    stratum: str

    def __str__(self) -> str:
        return f"{self.side} has no run in the stratum {self.stratum} of the baseline"


Unhealthy = (
    ErrorsOverBound | NothingPlanned | ControlNotHeld | OtherInstrument | StaleBaseline | StratumMissing
)
"""Why nothing that a gate finds is to be believed."""


@unique
class GateWarning(StrEnum):
    """What changes no verdict, and must not be missed."""

    ERRORS_UNEVEN = "errors uneven"
    HOLES = "holes in the grid"
    MANY_UNKNOWN = "over a fifth without a verdict"
    WITHOUT_SLICE = "runs without a slice"
    STRATUM_ALONE = "a stratum that the candidate alone has is not judged"
