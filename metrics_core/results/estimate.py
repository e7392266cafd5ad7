"""The one value that may reach a page, and the counts it is made of: `Tally`, `Loss`, `Estimate`.

Captions, figures, claims, pages and JSON know these shapes; none of them knows a family. Nothing
here makes a sentence: captions are made in one place, by the site, from these records.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal
from urllib.parse import quote

from msgspec import Struct

from metrics_core.results.codes import CountedUnit, Kept, Withheld
from metrics_core.results.interval import Interval, four_digits
from metrics_core.results.keys import Keys

if TYPE_CHECKING:
    from metrics_core.results.vocabulary import Vocabulary

_COUNTED_UNITS: Final[Mapping[str, CountedUnit]] = {unit.value: unit for unit in CountedUnit}

State = Literal["known", "unknown", "invalid", "error"]
STATES: tuple[State, ...] = ("known", "unknown", "invalid", "error")

Headline = Literal["point", "bounds", "counts", "nothing", "withheld"]
"""What is shown first of an estimate."""

Polarity = Literal["for", "against", "neither"]
"""Whether a larger numerator speaks for the model, against it, or is only context."""


MOST_NOT_KNOWN = 0.2
"""The share not known above which bounds lead; exactly a fifth does not."""


@lru_cache(maxsize=1 << 16)
def spelled(experiment: str, name: str, keys: tuple[tuple[str, str], ...]) -> str:
    """An id: of the experiment, of what, and under which keys; percent-encoded, in the order given.

    >>> spelled("gh-2026", "attempts.delivery", (("model", "alpha b"),))
    'gh-2026/attempts.delivery?model=alpha%20b'
    """
    query = "&".join(f"{quote(k, safe='')}={quote(v, safe='')}" for k, v in keys)
    return f"{quote(experiment, safe='')}/{name}" + (f"?{query}" if query else "")


class Tally(Struct, frozen=True):
    """Counts of a three-state outcome, errors and invalid records apart. Adding is the only way to pool.

    >>> Tally(true=1, false=1, unknown=1) + Tally(true=2)
    Tally(true=3, false=1, unknown=1, invalid=0, error=0)
    """

    true: int = 0
    false: int = 0
    unknown: int = 0
    invalid: int = 0
    error: int = 0

    def __post_init__(self) -> None:
        if min(self.true, self.false, self.unknown, self.invalid, self.error) < 0:
            raise ValueError(f"a count below zero in {self}")

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.true + other.true,
            self.false + other.false,
            self.unknown + other.unknown,
            self.invalid + other.invalid,
            self.error + other.error,
        )

    @property
    def known(self) -> int:
        """N of every verdict metric."""
        return self.true + self.false

    @property
    def attempts(self) -> int:
        """Every run, whatever became of it."""
        return self.known + self.unknown + self.invalid + self.error


class ContractRef(Struct, frozen=True):
    """Which instrument read a number: ``id`` and ``version`` as it states them, full ``digest``."""

    id: str
    version: str
    digest: str

    def to_json(self) -> dict[str, str]:
        """As it stands in a report."""
        return {"id": self.id, "version": self.version, "digest": self.digest}


class Loss(Struct, frozen=True):
    """Runs that are not in N, or that a funnel stage lost: their state, the reason, how many.

    The reason is in the words of the record, or a code that carries words: `NotKnown`, or its family's own.

    ``state`` is ``known`` where a known verdict lost them (the task was not done), else why nothing is known.
    """

    state: State
    reason: str
    count: int


class Summary(Struct, frozen=True):
    """Context figures of one run each: median, 90th percentile and total, in the estimate's unit."""

    median: float
    p90: float
    total: float


class ByTask(Struct, frozen=True):
    """The same value with every task counted alike, however often it was run: beside the mean over runs."""

    value: float
    tasks: int
    interval: Interval

    def to_json(self) -> dict[str, Any]:
        """As it stands in a report."""
        return {"value": self.value, "tasks": self.tasks, "interval": self.interval.to_json()}


class NeverRecorded(Struct, frozen=True):
    """Runs of the planned grid of tasks and repeats that left no record: no attempts, and not in N.

    Attributes:
        runs: How many.
        bounds: Value if these, and every run that is not known, had gone against / for it.
        interval: Limits around these bounds.
    """

    runs: int
    bounds: tuple[float, float] | None
    interval: Interval

    def to_json(self) -> dict[str, Any]:
        """As it stands in a report."""
        return {
            "runs": self.runs,
            "bounds": list(self.bounds) if self.bounds else None,
            "interval": self.interval.to_json(),
        }


class LeftOut(Struct, frozen=True):
    """Tasks that are not in N, because too few of their runs are known; named where they are few."""

    tasks: int
    names: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As it stands in a report."""
        return {"tasks": self.tasks, "names": list(self.names)}


class PartlyCompared(Struct, frozen=True, eq=False):
    """A value that some of its fields only accompany: it is compared, hashed and shown without them.

    ``UNCOMPARED`` names them; most often they are the words of a family.

    >>> Query = type("Query", (PartlyCompared,), {"__annotations__": {"metric": str, "words": str}})
    >>> Query("change", "Change") == Query("change", ""), Query("change", "") == Query("regress", "")
    (True, False)
    >>> Query("change", "Change")
    Query(metric='change')
    """

    UNCOMPARED: ClassVar[tuple[str, ...]] = ("words",)

    def _compared(self) -> tuple[tuple[str, Any], ...]:
        return tuple((n, getattr(self, n)) for n in self.__struct_fields__ if n not in self.UNCOMPARED)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._compared())})"


class Estimate(PartlyCompared, frozen=True, kw_only=True):
    """The one value that may reach a page; it cannot exist without n and N.

    Attributes:
        value: In ``unit``; None where there is nothing to say: not 0.0, not NaN, not 100 %.
        n: Numerator and ``N`` denominator *of this metric*, both counted in ``of``; None only if withheld.
        known: Runs that are in N; with ``unknown``, ``invalid`` and ``errors`` they make ``attempts``.
        interval: Always there; where no interval can be given it says why.
        bounds: Value if every run without a known value had gone against / for it; None where values leave
            0..1.
        not_known_by_task: Mean over tasks of the share of a task's attempts that is not known.
        never_recorded: Runs of the grid that left no record; None where none is missing.
        runs_per_task: Fewest and most attempts of a task; None where a task is no unit of it.
        by_task: The value with every task counted alike, where the known runs of tasks differ in number.
        left_out: Tasks that N does not count, where N counts tasks.
        pack: Digest of the eval pack, where there is one.
        stamps: First and last run stamp; None where the record type has none.
        prices: Date of the price table, where money is involved.
        withheld_by: The controls that failed and what they found; then no number is held.
        losses: What is not in N, by state and reason.
        also: Other intervals that belong in the data, by name.
        design_effect, icc: What clustering does to the variance, and how alike the runs of a cluster are.
        headline: ``point``; ``bounds`` where over a fifth is not known; ``counts`` where too few are.
        notes: What a reader must know beside the number.
        words: The family's words for its names, for readers; neither published nor compared.
    """

    experiment: str
    family: str
    metric: str
    group: Keys
    stratum: Keys
    unit: str
    value: float | None
    n: int | None
    N: int | None
    of: str
    known: int
    unknown: int = 0
    invalid: int = 0
    errors: int = 0
    interval: Interval
    bounds: tuple[float, float] | None = None
    not_known_by_task: float = 0.0
    never_recorded: NeverRecorded | None = None
    runs_per_task: tuple[int, int] | None = None
    by_task: ByTask | None = None
    left_out: LeftOut | None = None
    contract: ContractRef
    data_digest: str
    pack: str | None = None
    stamps: tuple[str, str] | None = None
    prices: str | None = None
    withheld_by: Withheld | Kept | None = None
    control: str | None = None
    polarity: Polarity = "neither"
    losses: tuple[Loss, ...] = ()
    also: tuple[tuple[str, Interval], ...] = ()
    summary: Summary | None = None
    design_effect: float | None = None
    icc: float | None = None
    headline: Headline = "point"
    notes: tuple[str, ...] = ()
    words: Vocabulary | None = None

    def __post_init__(self) -> None:
        if self.withheld_by is not None:
            held = (self.value, self.n, self.N, self.bounds, self.interval.lo, self.by_task)
            if any(each is not None for each in held):
                raise ValueError(f"{self.id} is withheld, yet it holds numbers")
            return
        if self.n is None or self.N is None or not 0 <= self.n <= self.N:
            raise ValueError(f"{self.id}: n = {self.n}, N = {self.N}")
        if self.value is not None and self.N == 0:
            raise ValueError(f"{self.id}: a value without a single observation")

    def __repr__(self) -> str:
        if self.withheld is not None:
            return f"<Estimate {self.id}: withheld, {self.withheld!r}>"
        value = "no value" if self.value is None else f"{four_digits(self.value)} {self.unit}"
        counts = (("unknown", self.unknown), ("error", self.errors), ("invalid", self.invalid))
        lost = ", ".join(f"{n} {word}" for word, n in counts if n) or "none lost"
        runs = f"{lost} of {self.attempts} attempts"
        return f"<Estimate {self.id}: {value} {self.interval}, {self.n}/{self.N} {self.of}, {runs}>"

    def _repr_html_(self) -> str:
        notebook = import_module("metrics_core.results.notebook")  # moves no number, and is in no closure
        return str(notebook.estimate_html(self))

    @property
    def withheld(self) -> str | None:
        """The controls that failed and what they found, in words; None where none did."""
        return None if self.withheld_by is None else str(self.withheld_by)

    @property
    def attempts(self) -> int:
        """Every run that was made, whatever became of it."""
        return self.known + self.unknown + self.invalid + self.errors

    @property
    def counted_unit(self) -> CountedUnit | None:
        """What N counts, where something depends on it; None for a word of the family's own."""
        return _COUNTED_UNITS.get(self.of)

    @property
    def share_not_known(self) -> float:
        """The part of the attempts that is not known: pooled, or the mean over tasks, whichever is larger."""
        pooled = (self.attempts - self.known) / self.attempts if self.attempts else 0.0
        return max(pooled, self.not_known_by_task)

    @property
    def mostly_bounds(self) -> bool:
        """Whether so much is not known that bounds lead in place of a point."""
        return self.share_not_known > MOST_NOT_KNOWN

    @property
    def id(self) -> str:
        """``<experiment>/<family>.<metric>?k=v&...``: group keys, then stratum keys, percent-encoded."""
        return spelled(self.experiment, f"{self.family}.{self.metric}", (*self.group, *self.stratum))

    def to_json(self) -> dict[str, Any]:
        """The published form, as fixed by the project's interfaces; never NaN."""
        return {
            "id": self.id,
            "family": self.family,
            "metric": self.metric,
            "group": self.group.to_json(),
            "stratum": self.stratum.to_json(),
            "unit": self.unit,
            "value": self.value,
            "n": self.n,
            "N": self.N,
            "of": self.of,
            "attempts": self.attempts,
            "known": self.known,
            "unknown": self.unknown,
            "invalid": self.invalid,
            "errors": self.errors,
            "interval": self.interval.to_json(),
            "bounds": list(self.bounds) if self.bounds else None,
            "share_not_known": self.share_not_known,
            "never_recorded": None if self.never_recorded is None else self.never_recorded.to_json(),
            "runs_per_task": list(self.runs_per_task) if self.runs_per_task else None,
            "task_weighted": None if self.by_task is None else self.by_task.to_json(),
            "tasks_left_out": None if self.left_out is None else self.left_out.to_json(),
            "contract": self.contract.to_json(),
            "data_digest": self.data_digest,
            "pack": self.pack,
            "stamps": list(self.stamps) if self.stamps else None,
            "prices": self.prices,
            "withheld": self.withheld,
            "control": self.control,
            "headline": self.headline,
            "polarity": self.polarity,
            "losses": [{"state": x.state, "reason": str(x.reason), "count": x.count} for x in self.losses],
            "also": {name: interval.to_json() for name, interval in self.also},
            "summary": None
            if self.summary is None
            else {"median": self.summary.median, "p90": self.summary.p90, "total": self.summary.total},
            "design_effect": self.design_effect,
            "icc": self.icc,
            "notes": list(self.notes),
        }
