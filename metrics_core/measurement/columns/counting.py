"""Lines of a log, counted: most of them many at once, what is unusual one by one.

Does: decode lines of one shape to columns, ask the family's ``observe`` about one record of each kind that
occurs, and count how often it does. Does not: say what a record means, or find records that occur twice. A
line is counted alike whatever stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from metrics_core import pricing
from metrics_core.formats import Row, jsonl
from metrics_core.measurement.columns import stamps
from metrics_core.measurement.columns.counts import DAY, NO_STAMP, Counts, Whose
from metrics_core.measurement.columns.held import HELD, HeldRuns
from metrics_core.measurement.columns.learning import MOST_REMEMBERED, ODD, Learnt
from metrics_core.measurement.columns.lines import Group, Numbered
from metrics_core.measurement.columns.money import MOST_TOKENS, Used, recorded
from metrics_core.measurement.tabulate import (
    Partial,
    findings_of,
    grader_of,
    note_checks,
    note_try,
    outcomes_of,
)
from metrics_core.results import MOST_SPELLED, Problem, Repeated, spelled_out

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MOST_REPETITIONS = 2**40

FIRST_DAY = 719_163
"""The first of January 1970, where the first day of the year 1 is 1."""

DETAILS = 32
"""Bits of the number of a text of checks."""

STATE_BITS = 4
"""Bits of what is known of a run's money."""

COST = "cost"
"""The metric of money."""


class LogCount:
    """What was counted of a log so far.

    Args:
        learnt: Of the family's records; more is learnt of these.
        file: Path within the experiment, safe to print.
        skip: Lines whose bytes another line has, which is counted.
    """

    def __init__(self, learnt: Learnt, file: str, skip: frozenset[int]) -> None:
        self._learnt, self._file, self._skip = learnt, file, skip
        self._form = jsonl.Form.of(learnt.family.record, file)
        self._rest = Partial()
        self._held = HeldRuns(learnt.whose, learnt.results)
        self._checked: list[Array] = []

    def count(self, numbers: list[int], lines: list[bytes]) -> None:
        """Count some lines, each with its number in the log."""
        self._forget()
        if b"\r" in b"".join(lines):
            lines = [line.removesuffix(b"\r") for line in lines]
        if not self._skip.isdisjoint(numbers):
            self._leave_out(numbers)
            kept = [number not in self._skip for number in numbers]
            numbers, lines = list(compress(numbers, kept)), list(compress(lines, kept))
        groups, odd = self._learnt.lines.groups(numbers, lines)
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
        self._learnt.forget()
        if len(self._learnt.texts) > MOST_REMEMBERED:
            self._add_checks()
            self._learnt.forget_checks()

    def _leave_out(self, numbers: Iterable[int]) -> None:
        """Take note of lines whose bytes are counted elsewhere."""
        for number in self._skip.intersection(numbers):
            self._rest.records += 1
            self._rest.duplicates += 1
            self._rest.findings.append(Repeated(self._file, number, ""))

    def _count_group(self, group: Group) -> list[Numbered]:
        """Count lines of one shape; those are given back that are to be counted by themselves."""
        learnt, column, size = self._learnt, group.column, len(group.rows)
        batch = learnt.batch
        if not size or batch.stamp not in group.shape.fields:
            return group.leave_out([True] * size)
        seconds = stamps.seconds_of(column(batch.stamp))
        if (seconds == stamps.UNREADABLE).any():
            return group.leave_out((seconds == stamps.UNREADABLE).tolist()) + self._count_group(group)
        exemplar = group.exemplars(self._file, learnt.family.record)
        keys = _codes(learnt.keys, zip(*map(column, batch.keys), strict=True), learnt.keys_of, exemplar)
        key = np.array(keys)
        sorts = np.append(learnt.of_keys.column("sort"), ODD)[key].tolist()
        parts = [
            _codes(
                memory,
                zip(sorts, *map(column, part.fields), strict=True),
                partial(learnt.part_of, at),
                exemplar,
            )
            for at, (part, memory) in enumerate(zip(batch.parts, learnt.parts, strict=True))
        ]
        detail = np.array(_codes(learnt.texts, column(batch.checks), learnt.checks_of, exemplar))
        reps = _floats(column(batch.rep))
        used, fits = _used(column(batch.sent), column(batch.cached), column(batch.written))
        right = fits & (key >= 0) & (detail >= 0) & ~(reps >= MOST_REPETITIONS)
        for codes in parts:
            right &= np.array(codes) >= 0
        if not right.all():
            return group.leave_out((~right).tolist()) + self._count_group(group)
        arms = learnt.of_keys.column("arm")[key]
        paid = recorded(column(batch.recorded))
        priced = learnt.money.priced(arms, used, paid)
        numbers = {metric: _floats(column(field)) for metric, field in batch.numbers.items()}
        numbers[batch.used] = np.where(used.told, (used.sent + used.written).astype(np.float64), np.nan)
        state = priced.state
        for at, values in enumerate(numbers.values()):
            state = state + (np.isnan(values).astype(np.int64) << at + STATE_BITS)
        signatures = _codes(
            learnt.signatures, zip(sorts, *parts, state.tolist(), strict=True), learnt.signature_of, exemplar
        )
        signature = np.array(signatures)
        if priced.odd.any() or (signature < 0).any():
            return group.leave_out((priced.odd | (signature < 0)).tolist()) + self._count_group(group)
        numbers[COST] = np.where(priced.has_amount, priced.amount / pricing.FEMTO, paid.usd)
        learnt.money.add(self._rest.costs, arms, used, paid, priced)
        self._add(group, key, signature, seconds, reps, detail, numbers)
        return []

    def _add(
        self, group: Group, key: Array, signature: Array, seconds: Array, reps: Array, detail: Array,
        numbers: dict[str, Array],
    ) -> None:  # fmt: skip
        """Count lines that are all right, by their words."""
        learnt, rest = self._learnt, self._rest
        keys, results = learnt.of_keys, learnt.of_signatures
        rest.records += len(key)
        rest.unknown_fields.update(dict.fromkeys(group.shape.unread, len(key)))
        whose = keys.column("whose")[key]
        result = results.column("result")[signature]
        hints = np.fromiter(map(crc32, group.lines), np.uint64, len(key))
        self._held.add(whose, result, seconds, hinted(hints, seconds))
        for metric, values in numbers.items():
            place = np.array([facts.places.get(metric, ODD) for facts in results])[signature]
            for (_, stratum), one in learnt.places.items():
                if (there := place == one).any():
                    self._held.add_numbers((metric, stratum), whose[there], seconds[there], values[there])
        told = ~np.isnan(reps)
        rest.numbered.see_all(
            keys.column("tries", np.uint64)[key][told],
            seconds[told] // DAY + FIRST_DAY,
            reps[told].astype(np.int64),
            results.column("outcome", np.uint64)[signature][told],
            np.array(group.numbers)[told],
            self._file,
        )
        told = results.column("told", np.bool_)[signature]
        asked = keys.column("asked")[key]
        self._checked.append((asked << DETAILS)[told] + detail[told])
        if sum(map(len, self._checked)) > HELD:
            self._add_checks()

    def _add_checks(self) -> None:
        """Add up which checks held; what was learnt of their texts may be forgotten then."""
        pairs = np.concatenate([np.empty(0, dtype=np.int64), *self._checked])
        asked = list(self._learnt.asked)
        for pair, n in zip(
            *(column.tolist() for column in np.unique(pairs, return_counts=True)), strict=True
        ):
            (stratum, scenario, model) = asked[pair >> DETAILS]
            for name, held in self._learnt.checks[pair & (1 << DETAILS) - 1]:
                self._rest.checks[(stratum, scenario, name, model, held)] += n
        self._checked.clear()

    # lines that are counted by themselves

    def _count_each(self, numbered: list[Numbered]) -> None:
        if numbered:
            self._count_items(jsonl.items(numbered, self._form))

    def _count_items(self, items: Sequence[Row | Problem]) -> None:
        """Count rows one by one, and lines that are none."""
        learnt, rest = self._learnt, self._rest
        rows = [item for item in items if isinstance(item, Row)]
        rest.records += len(items)
        problems = [item for item in items if isinstance(item, Problem)]
        rest.invalid += len(problems)
        rest.problems += problems
        if len(rest.problems) > 2 * MOST_SPELLED:
            rest.problems = spelled_out(rest.problems)
        for row in rows:
            rest.unknown_fields.update(row.extra)
            observed = learnt.observed_of(row)
            whose = learnt.whose.of(Whose(observed.dims, observed.names, observed.tallied))
            result, numbers = learnt.result_of(observed, outcomes_of(rest, observed, learnt.context))
            second = NO_STAMP if observed.stamp is None else stamps.second_of(observed.stamp)
            seconds, of = np.array([second]), np.array([whose])
            hint = hinted(np.array([crc32(row.raw)], dtype=np.uint64), seconds)
            self._held.add(of, np.array([learnt.results.of(result)]), seconds, hint)
            for place, value in zip(result.numbers, numbers, strict=True):
                self._held.add_numbers(place, of, seconds, np.array([value]))
            note_try(rest, observed, row, learnt.family, grader_of(row.record, learnt.context))
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
