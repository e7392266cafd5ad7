"""What kinds of records there are: each is learnt from one record of it, by asking ``observe``.

Does: number the keys, parts and results that occur, and say what is known of each. Does not: count any.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from metrics_core.experiments import name_of_tries, outcome_of
from metrics_core.formats import Row
from metrics_core.measurement.columns.counts import RunResult, Whose
from metrics_core.measurement.columns.held import Codes
from metrics_core.measurement.columns.lines import ShapedLines
from metrics_core.measurement.columns.money import Money
from metrics_core.measurement.columns.shapes import LineShapes
from metrics_core.measurement.family import Context, Family, Observed, Outcome
from metrics_core.measurement.tabulate import Partial, graded_by, grader_of, outcomes_of, told_of_try
from metrics_core.results import Keys

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MOST_HANDED_ON = 2**11
"""Numbers of words that the next log is counted with."""

MOST_REMEMBERED = 2**16
"""Distinct texts of one part of a record that are remembered."""

ODD = -1
"""In place of a number: this line is counted by itself."""


class _KeyFacts(NamedTuple):
    """What is known of the runs of some keys: numbers of words, their sort, arm, tries, and whose checks."""

    whose: int
    sort: int
    arm: int
    tries: int
    asked: int


class _ResultFacts(NamedTuple):
    """What is known of runs that come to the same: number of the result, outcome of a try, whether their
    checks are told, and where the numbers of their own are counted.
    """

    result: int
    outcome: int
    told: bool
    places: dict[str, int]


class Facts(list[Any]):
    """What is known of each number, and columns of it, which are made anew only when more is learnt."""

    def __init__(self) -> None:
        super().__init__()
        self._columns: dict[str, Array] = {}

    def column(self, name: str, kind: type[Any] = np.int64) -> Array:
        """One fact of every number."""
        column = self._columns.get(name)
        if column is None or len(column) != len(self):
            column = self._columns[name] = np.array([getattr(facts, name) for facts in self], dtype=kind)
        return column


class Learnt:
    """What was learnt of the records of a family, each kind from one of its records: numbers of words.

    Nothing of it decides what is counted: words are told by their spelling in the end.

    Args:
        family: Whose records they are; it has a batch form.
        context: Prices, pack, contracts, aliases; no cluster keys.
    """

    def __init__(self, family: Family, context: Context) -> None:
        if family.batch is None:
            raise ValueError(f"{family.name} has no batch form")
        self.family, self.context, self.batch = family, context, family.batch
        batch = family.batch
        own = (batch.checks, *batch.numbers.values(), batch.recorded, batch.sent, batch.cached, batch.written)
        asked = {*batch.keys, *own, batch.stamp, batch.rep, *(f for part in batch.parts for f in part.fields)}
        self.lines = ShapedLines(LineShapes(family.record, asked))
        self.judged = frozenset(metric.name for metric in family.metrics if metric.kind != "context")
        self.money = Money(context)
        self.whose: Codes[Whose] = Codes()
        self.results: Codes[RunResult] = Codes()
        self.keys: dict[Hashable, int] = {}
        self.of_keys = Facts()
        self.parts: list[dict[Hashable, int]] = [{} for _ in batch.parts]
        self.texts: dict[Hashable, int] = {}
        self.checks: list[tuple[tuple[str, bool], ...]] = []
        self.asked: Codes[tuple[Keys, str, str]] = Codes()
        self.signatures: dict[Hashable, int] = {}
        self.of_signatures = Facts()
        self.places: Codes[tuple[str, Keys]] = Codes()
        self._sorts: Codes[Hashable] = Codes()
        self._reduced: list[Codes[Hashable]] = [Codes() for _ in batch.parts]

    @property
    def is_much(self) -> bool:
        """Whether it is more than a log that follows should go through."""
        return sum(map(len, (self.of_keys, self.whose, self.results, self.asked))) > MOST_HANDED_ON

    def forget(self) -> None:
        """Let go of too many distinct texts."""
        for memory in (self.keys, self.signatures, *self.parts):
            if len(memory) > MOST_REMEMBERED:
                memory.clear()

    def forget_checks(self) -> None:
        """Let go of the texts of checks; no run that is held may name one of them."""
        self.texts.clear()
        self.checks.clear()

    def observed_of(self, row: Row) -> Observed:
        """What a record says, its verdicts in the strata in which they are counted."""
        observed = next(iter(self.family.observe([row], self.context)))
        grader = grader_of(row.record, self.context)
        return observed if grader is None else graded_by(grader, observed, self.family)

    def keys_of(self, row: Row) -> int:
        """The number of the keys of a record; `ODD` where it is billed as no batch is."""
        batch = self.batch
        used = {batch.rep: 0, batch.sent: 1, batch.cached: 0, batch.written: 1}
        probe = msgspec.structs.replace(row, record=msgspec.structs.replace(row.record, **used))
        observed, grader = self.observed_of(probe), grader_of(row.record, self.context)
        spent, trial = observed.spent, observed.trial
        if spent is None or spent.usages is None or len(spent.usages) != 1 or trial is None:
            return ODD
        dims = observed.dims
        self.of_keys.append(
            _KeyFacts(
                whose=self.whose.of(Whose(dims, observed.names, observed.tallied)),
                sort=self._sorts.of((batch.sort(row.record), grader)),
                arm=self.money.arm(spent.model, spent.usages[0].model),
                tries=name_of_tries(trial, told_of_try(self.family, grader, row)),
                asked=self.asked.of(
                    (observed.checks_stratum, dims.get("scenario", ""), dims.get("model", ""))
                ),
            )
        )
        return len(self.of_keys) - 1

    def part_of(self, at: int, row: Row) -> int:
        """The number of what one part of a record comes to; `ODD` where it contradicts itself."""
        found = self.batch.parts[at].comes_to(row.record)
        return ODD if found is None else self._reduced[at].of(found)

    def checks_of(self, row: Row) -> int:
        """The number of a record's checks."""
        self.checks.append(tuple(getattr(row.record, self.batch.checks) or ()))
        return len(self.checks) - 1

    def signature_of(self, row: Row) -> int:
        """The number of what a record comes to."""
        observed = self.observed_of(row)
        verdict, _ = self.result_of(observed, outcomes_of(Partial(), observed, self.context))
        self.of_signatures.append(
            _ResultFacts(
                result=self.results.of(verdict),
                outcome=outcome_of(tuple(o) for o in observed.outcomes if o.metric in self.judged),
                told=bool(observed.checks),
                places={place[0]: self.places.of(place) for place in verdict.numbers},
            )
        )
        return len(self.of_signatures) - 1

    def result_of(self, observed: Observed, outcomes: Iterable[Outcome]) -> tuple[RunResult, list[float]]:
        """What a run comes to, and its numbers."""
        said, places, numbers = [], [], []
        for outcome in outcomes:
            if outcome.state == "known" and outcome.metric not in self.judged:
                places.append((outcome.metric, outcome.stratum))
                numbers.append(outcome.value)
            else:
                said.append(outcome._replace(value=outcome.value + 0.0))  # one spelling of zero
        point = observed.point and (observed.point[0], observed.point[1] + 0.0, observed.point[2] + 0.0)
        return RunResult(tuple(said), tuple(places), observed.progress, point), numbers
