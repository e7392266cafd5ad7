"""Lines of a log, counted: most of them many at once, what is unusual one by one.

Does: decode lines of one shape to columns, ask the family's ``observe`` about one record of each kind that
occurs, and count how often it does. Does not: say what a record means, or find records that occur twice. A
line is counted alike whatever stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import msgspec
import numpy as np

from metrics_core import pricing
from metrics_core.experiments import name_of_tries, outcome_of
from metrics_core.formats import Row, jsonl
from metrics_core.measurement.columns import stamps
from metrics_core.measurement.columns.counts import DAY, NO_STAMP, Counts, RunResult, Whose
from metrics_core.measurement.columns.held import HELD, Codes, HeldRuns
from metrics_core.measurement.columns.lines import Group, Numbered, ShapedLines, uncollected
from metrics_core.measurement.columns.money import MOST_TOKENS, Money, Used, recorded
from metrics_core.measurement.columns.shapes import LineShapes
from metrics_core.measurement.family import Context, Family, Observed, Outcome
from metrics_core.measurement.tabulate import (
    Partial,
    findings_of,
    graded_by,
    grader_of,
    note_checks,
    note_try,
    outcomes_of,
    told_of_try,
)
from metrics_core.results import Keys, Problem, Repeated

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MOST_REMEMBERED = 2**16
"""Distinct texts of one part of a record that are remembered."""

ODD = -1
"""In place of a code: this line is counted by itself."""

MOST_REPETITIONS = 2**40

FIRST_DAY = 719_163
"""The first of January 1970, where the first day of the year 1 is 1."""

DETAILS = 32
"""Bits of the number of a text of checks."""

STATE_BITS = 4
"""Bits of what is known of a run's money."""

COST = "cost"
"""The metric of money."""


class _KeyFacts(NamedTuple):
    """What is known of the runs of some keys: numbers of words, their sort, arm, tries, and whose checks."""

    whose: int
    sort: int
    arm: int
    tries: int
    asked: int


class _VerdictFacts(NamedTuple):
    """What is known of runs that come to the same: number of the verdict, outcome of a try, whether their
    checks are told, and where the numbers of their own are counted.
    """

    verdict: int
    outcome: int
    told: bool
    places: dict[str, int]


class LogCount:
    """What was counted of a log so far, and what was learnt of its records.

    Nothing that was learnt decides what is counted: words are told by their spelling in the end.

    Args:
        family: Whose records they are; it has a batch form.
        file: Path within the experiment, safe to print.
        context: Prices, pack, contracts, aliases; no cluster keys.
        skip: Lines whose bytes another line has, which is counted.
    """

    def __init__(self, family: Family, file: str, context: Context, skip: frozenset[int]) -> None:
        if family.batch is None:
            raise ValueError(f"{family.name} has no batch form")
        self._family, self._file, self._context, self._skip = family, file, context, skip
        batch = self._batch = family.batch
        self._form = jsonl.Form.of(family.record, file)
        own = (batch.checks, *batch.numbers.values(), batch.recorded, batch.sent, batch.cached, batch.written)
        asked = {*batch.keys, *own, batch.stamp, batch.rep, *(f for part in batch.parts for f in part.fields)}
        self._shaped = ShapedLines(LineShapes(family.record, asked))
        self._judged = frozenset(metric.name for metric in family.metrics if metric.kind != "context")
        self._rest = Partial()
        self._money = Money(context, self._rest.costs)
        self._held = HeldRuns()
        self._keys: dict[Hashable, int] = {}
        self._of_keys: list[_KeyFacts] = []
        self._sorts: Codes[Hashable] = Codes()
        self._parts: list[dict[Hashable, int]] = [{} for _ in batch.parts]
        self._reduced: list[Codes[Hashable]] = [Codes() for _ in batch.parts]
        self._details: dict[Hashable, int] = {}
        self._checks: list[tuple[tuple[str, bool], ...]] = []
        self._asked: Codes[tuple[Keys, str, str]] = Codes()
        self._checked: list[Array] = []
        self._signatures: dict[Hashable, int] = {}
        self._of_verdicts: list[_VerdictFacts] = []
        self._places: Codes[tuple[str, Keys]] = Codes()

    def count(self, first: int, lines: list[bytes]) -> None:
        """Count some lines, the first of which has this number."""
        with uncollected():
            self._forget()
            numbers = list(range(first, first + len(lines)))
            if b"\r" in b"".join(lines):
                lines = [line.removesuffix(b"\r") for line in lines]
            if not self._skip.isdisjoint(numbers):
                self._leave_out(numbers)
                kept = [number not in self._skip for number in numbers]
                numbers, lines = list(compress(numbers, kept)), list(compress(lines, kept))
            groups, odd = self._shaped.groups(numbers, lines)
            for group in groups:
                odd += self._count_group(group)
            self._count_each(sorted(each for each in odd if each[1].strip(b" \t\r")))

    def refuse(self, problem: Problem) -> None:
        """Take note of what ends a log before it does."""
        self._count_items([problem])

    def counts(self) -> Counts:
        """All of them, added up."""
        self._add_checks()
        return self._held.counts(self._rest)

    def _forget(self) -> None:
        """Let go of what was learnt of too many distinct texts."""
        for memory in (self._keys, self._signatures, *self._parts):
            if len(memory) > MOST_REMEMBERED:
                memory.clear()
        if len(self._details) > MOST_REMEMBERED:
            self._add_checks()
            self._details.clear()
            self._checks.clear()

    def _leave_out(self, numbers: Iterable[int]) -> None:
        """Take note of lines whose bytes are counted elsewhere."""
        for number in self._skip.intersection(numbers):
            self._rest.records += 1
            self._rest.duplicates += 1
            self._rest.findings.append(Repeated(self._file, number, ""))

    def _count_group(self, group: Group) -> list[Numbered]:
        """Count lines of one shape; those are given back that are to be counted by themselves."""
        batch, column, size = self._batch, group.column, len(group.rows)
        if not size or batch.stamp not in group.shape.columns:
            return group.leave_out([True] * size)
        exemplar = group.exemplars(self._form)
        keys = _codes(self._keys, zip(*map(column, batch.keys), strict=True), self._learn_keys, exemplar)
        key = np.array(keys)
        sorts = [self._of_keys[code].sort if code >= 0 else ODD for code in keys]
        parts = [
            _codes(
                memory,
                zip(sorts, *map(column, part.fields), strict=True),
                partial(self._learn_part, at),
                exemplar,
            )
            for at, (part, memory) in enumerate(zip(batch.parts, self._parts, strict=True))
        ]
        detail = np.array(_codes(self._details, column(batch.checks), self._learn_checks, exemplar))
        seconds = stamps.seconds_of(column(batch.stamp))
        reps = _floats(column(batch.rep))
        used, fits = _used(column(batch.sent), column(batch.cached), column(batch.written))
        right = (
            fits & (key >= 0) & (detail >= 0) & (seconds != stamps.UNREADABLE) & ~(reps >= MOST_REPETITIONS)
        )
        for codes in parts:
            right &= np.array(codes) >= 0
        if not right.all():
            return group.leave_out((~right).tolist()) + self._count_group(group)
        arms = np.array([facts.arm for facts in self._of_keys])[key]
        paid = recorded(column(batch.recorded))
        priced = self._money.priced(arms, used, paid)
        numbers = {metric: _floats(column(field)) for metric, field in batch.numbers.items()}
        numbers[batch.used] = np.where(used.told, (used.sent + used.written).astype(np.float64), np.nan)
        state = priced.state
        for at, values in enumerate(numbers.values()):
            state = state + (np.isnan(values).astype(np.int64) << at + STATE_BITS)
        signatures = _codes(
            self._signatures, zip(sorts, *parts, state.tolist(), strict=True), self._learn_verdict, exemplar
        )
        signature = np.array(signatures)
        if priced.odd.any() or (signature < 0).any():
            return group.leave_out((priced.odd | (signature < 0)).tolist()) + self._count_group(group)
        numbers[COST] = np.where(priced.has_amount, priced.amount / pricing.FEMTO, paid.usd)
        self._money.add(arms, used, paid, priced)
        self._add(group, key, signature, seconds, reps, detail, numbers)
        return []

    def _add(
        self, group: Group, key: Array, signature: Array, seconds: Array, reps: Array, detail: Array,
        numbers: dict[str, Array],
    ) -> None:  # fmt: skip
        """Count lines that are all right, by their words."""
        rest, keys, verdicts = self._rest, self._of_keys, self._of_verdicts
        rest.records += len(key)
        rest.unknown_fields.update(dict.fromkeys(group.shape.unread, len(key)))
        whose = np.array([facts.whose for facts in keys])[key]
        verdict = np.array([facts.verdict for facts in verdicts])[signature]
        hints = np.fromiter(map(crc32, group.lines), np.uint64, len(key))
        self._held.add(whose, verdict, seconds, hinted(hints, seconds))
        for metric, values in numbers.items():
            place = np.array([facts.places.get(metric, ODD) for facts in verdicts])[signature]
            for (_, stratum), one in self._places.items():
                if (there := place == one).any():
                    self._held.add_numbers((metric, stratum), whose[there], seconds[there], values[there])
        told = ~np.isnan(reps)
        rest.numbered.see_all(
            np.array([facts.tries for facts in keys], dtype=np.uint64)[key][told],
            seconds[told] // DAY + FIRST_DAY,
            reps[told].astype(np.int64),
            np.array([facts.outcome for facts in verdicts], dtype=np.uint64)[signature][told],
            np.array(group.numbers)[told],
            self._file,
        )
        told = np.array([facts.told for facts in verdicts])[signature]
        asked = np.array([facts.asked for facts in keys])[key]
        self._checked.append((asked << DETAILS)[told] + detail[told])
        if sum(map(len, self._checked)) > HELD:
            self._add_checks()

    def _add_checks(self) -> None:
        """Add up which checks held; what was learnt of their texts may be forgotten then."""
        pairs = np.concatenate([np.empty(0, dtype=np.int64), *self._checked])
        asked = list(self._asked)
        for pair, n in zip(
            *(column.tolist() for column in np.unique(pairs, return_counts=True)), strict=True
        ):
            (stratum, scenario, model) = asked[pair >> DETAILS]
            for name, held in self._checks[pair & (1 << DETAILS) - 1]:
                self._rest.checks[(stratum, scenario, name, model, held)] += n
        self._checked.clear()

    # what is learnt of a record of a new kind

    def _observed(self, row: Row) -> Observed:
        observed = next(iter(self._family.observe([row], self._context)))
        grader = grader_of(row.record, self._context)
        return observed if grader is None else graded_by(grader, observed, self._family)

    def _learn_keys(self, row: Row) -> int:
        batch = self._batch
        used = {batch.rep: 0, batch.sent: 1, batch.cached: 0, batch.written: 1}
        probe = msgspec.structs.replace(row, record=msgspec.structs.replace(row.record, **used))
        observed, grader = self._observed(probe), grader_of(row.record, self._context)
        spent, trial = observed.spent, observed.trial
        if spent is None or spent.usages is None or len(spent.usages) != 1 or trial is None:
            return ODD
        dims = observed.dims
        self._of_keys.append(
            _KeyFacts(
                whose=self._held.whose.of(Whose(dims, observed.names, observed.tallied)),
                sort=self._sorts.of((batch.sort(row.record), grader)),
                arm=self._money.arm(spent.model, spent.usages[0].model),
                tries=name_of_tries(trial, told_of_try(self._family, grader, row)),
                asked=self._asked.of(
                    (observed.checks_stratum, dims.get("scenario", ""), dims.get("model", ""))
                ),
            )
        )
        return len(self._of_keys) - 1

    def _learn_part(self, at: int, row: Row) -> int:
        found = self._batch.parts[at].comes_to(row.record)
        return ODD if found is None else self._reduced[at].of(found)

    def _learn_checks(self, row: Row) -> int:
        self._checks.append(tuple(getattr(row.record, self._batch.checks) or ()))
        return len(self._checks) - 1

    def _learn_verdict(self, row: Row) -> int:
        observed = self._observed(row)
        verdict, _ = self._verdict(observed, outcomes_of(Partial(), observed, self._context))
        self._of_verdicts.append(
            _VerdictFacts(
                verdict=self._held.verdicts.of(verdict),
                outcome=outcome_of(tuple(o) for o in observed.outcomes if o.metric in self._judged),
                told=bool(observed.checks),
                places={place[0]: self._places.of(place) for place in verdict.numbers},
            )
        )
        return len(self._of_verdicts) - 1

    def _verdict(self, observed: Observed, outcomes: Iterable[Outcome]) -> tuple[RunResult, list[float]]:
        """What a run comes to, and its numbers."""
        said, places, numbers = [], [], []
        for outcome in outcomes:
            if outcome.state == "known" and outcome.metric not in self._judged:
                places.append((outcome.metric, outcome.stratum))
                numbers.append(outcome.value)
            else:
                said.append(outcome._replace(value=outcome.value + 0.0))  # one spelling of zero
        point = observed.point and (observed.point[0], observed.point[1] + 0.0, observed.point[2] + 0.0)
        return RunResult(tuple(said), tuple(places), observed.progress, point), numbers

    # lines that are counted by themselves

    def _count_each(self, numbered: list[Numbered]) -> None:
        if numbered:
            self._count_items(jsonl.items(numbered, self._form))

    def _count_items(self, items: Sequence[Row | Problem]) -> None:
        """Count rows one by one, and lines that are none."""
        rest, rows = self._rest, [item for item in items if isinstance(item, Row)]
        rest.records += len(items)
        problems = [item for item in items if isinstance(item, Problem)]
        rest.invalid += len(problems)
        rest.problems += problems
        for row in rows:
            rest.unknown_fields.update(row.extra)
            observed = self._observed(row)
            whose = self._held.whose.of(Whose(observed.dims, observed.names, observed.tallied))
            verdict, numbers = self._verdict(observed, outcomes_of(rest, observed, self._context))
            second = NO_STAMP if observed.stamp is None else stamps.second_of(observed.stamp)
            seconds, of = np.array([second]), np.array([whose])
            hint = hinted(np.array([crc32(row.raw)], dtype=np.uint64), seconds)
            self._held.add(of, np.array([self._held.verdicts.of(verdict)]), seconds, hint)
            for place, value in zip(verdict.numbers, numbers, strict=True):
                self._held.add_numbers(place, of, seconds, np.array([value]))
            note_try(rest, observed, row, self._family, grader_of(row.record, self._context))
            note_checks(rest, observed)
            rest.findings += findings_of(observed, row)


def hinted(crcs: Array, seconds: Array) -> Array:
    """A hint for each run: equal where its line and stamp are, and by chance hardly ever else."""
    return crcs << np.uint64(32) | (seconds.astype(np.uint64) & np.uint64(2**32 - 1))


def _codes(
    memory: dict[Hashable, int],
    words: Iterable[Hashable],
    learn: Callable[[Row], int],
    exemplar: Callable[[int], Row | None],
) -> list[int]:
    """The number of each word; of a new one it is learnt from the record that it stands in."""
    known = list(words)
    found = list(map(memory.get, known))
    if None in found:
        for at, word in enumerate(known):
            if found[at] is None:
                code = memory.get(word)
                if code is None and (row := exemplar(at)) is not None:
                    code = memory[word] = learn(row)
                found[at] = ODD if code is None else code
    return found  # type: ignore[return-value]  # none is None any more


def _floats(values: Sequence[float | None]) -> Array:
    """Numbers, NaN where there is none: JSON has no other NaN."""
    return np.array(values, dtype=np.float64)


def _used(
    sent: Sequence[int | None], cached: Sequence[int | None], written: Sequence[int | None]
) -> tuple[Used, Array]:
    """Tokens of runs, and where they fit, and no more came from the cache than were sent."""
    columns = [_floats(column) for column in (sent, cached, written)]
    told = ~(np.isnan(columns[0]) | np.isnan(columns[2]))
    fits = ~(told & np.any([column > MOST_TOKENS for column in columns], axis=0))
    whole = [np.where(told & fits & ~np.isnan(column), column, 0).astype(np.int64) for column in columns]
    used = Used(whole[0], whole[1], whole[2], told, ~np.isnan(columns[1]))
    return used, fits & ~(used.cached > used.sent)
