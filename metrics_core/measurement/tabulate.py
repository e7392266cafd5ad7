"""Records of one partition -> a small partial; partials add up in any order.

A partial stores counts at the finest keys; every published group is a sum of its cells. Adding is
associative and commutative, so any order of files, any partitioning and any engine give the same
bytes. Nothing here divides.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from metrics_core import pricing
from metrics_core.experiments import ClustersSeen, NumberedRuns, clustered, sliced
from metrics_core.formats import Row, StampRange, day
from metrics_core.measurement.family import Context, Family, Observed, Outcome, Spent
from metrics_core.results import (
    MOST_SPELLED,
    NO_KEYS,
    RECORDED_ONLY,
    Aside,
    CostCause,
    Keys,
    NoRuns,
    NotKnown,
    Problem,
    Repeated,
    State,
    spelled_out,
)

if TYPE_CHECKING:
    from metrics_core.results import Review


REPEATED = "a copy of a record that was counted before"
"""What a run is listed under whose record occurs a second time."""


Value = tuple[float, int, int]
"""One run's value, and its own n of N."""

Days = dict[str, int]
"""UTC day, '' of runs without a stamp -> how many runs."""


class RunTally(Struct):
    """Runs of one metric, stratum and finest keys: known values with their counts, and the rest.

    Values of a metric that is context are ``numbers``, in no order: hardly any two of them are equal.
    ``never`` counts runs that were never recorded, which are no runs: see `grouping.with_never_recorded`.
    """

    known: dict[Value, int] = field(default_factory=dict)
    numbers: array[float] = field(default_factory=lambda: array("d"))
    lost: dict[tuple[State, str], int] = field(default_factory=dict)
    span: StampRange = field(default_factory=StampRange)
    never: int = 0


class CellTally(Struct):
    """The same runs by their UTC day, which is '' of a run without a stamp.

    Attributes:
        known: Value -> day -> runs.
        numbers: Day -> values of a metric that is context.
        lost: State and reason of what is not known -> day -> runs.
        spans: Day -> stamps of its runs.
        never: Runs that were never recorded, of no day.

    >>> cell = CellTally()
    >>> cell.count((1.0, 1, 1), "2026-07-05", 2)
    >>> cell.count((1.0, 1, 1), "2026-07-06", 1)
    >>> cell.told, cell.whole.known, cell.by_day()["2026-07-06"].known
    (3, {(1.0, 1, 1): 3}, {(1.0, 1, 1): 1})
    """

    known: dict[Value, Days] = field(default_factory=dict)
    numbers: dict[str, array[float]] = field(default_factory=dict)
    lost: dict[tuple[State, str], Days] = field(default_factory=dict)
    spans: dict[str, StampRange] = field(default_factory=dict)
    never: int = 0

    def count(self, value: Value, day: str, n: int) -> None:
        """Count runs of one known value."""
        days = self.known.setdefault(value, {})
        days[day] = days.get(day, 0) + n

    def lose(self, loss: tuple[State, str], day: str, n: int) -> None:
        """Count runs of which it is not known."""
        days = self.lost.setdefault(loss, {})
        days[day] = days.get(day, 0) + n

    def span(self, day: str) -> StampRange:
        """The stamps of a day, to be widened."""
        return self.spans.setdefault(day, StampRange())

    def add(self, other: CellTally) -> None:
        """Add another cell's runs."""
        self.never += other.never
        for value, days in other.known.items():
            _add_days(self.known.setdefault(value, {}), days)
        for loss, days in other.lost.items():
            _add_days(self.lost.setdefault(loss, {}), days)
        for when, numbers in other.numbers.items():
            self.numbers.setdefault(when, array("d")).extend(numbers)
        for when, span in other.spans.items():
            self.span(when).add(span)

    @property
    def whole(self) -> RunTally:
        """The runs of all days."""
        firsts = [span.first for span in self.spans.values() if span.first is not None]
        lasts = [span.last for span in self.spans.values() if span.last is not None]
        found = RunTally(
            {value: sum(days.values()) for value, days in self.known.items()},
            lost={loss: sum(days.values()) for loss, days in self.lost.items()},
            span=StampRange(min(firsts, default=None), max(lasts, default=None)),
            never=self.never,
        )
        for numbers in self.numbers.values():
            found.numbers += numbers
        return found

    def by_day(self) -> dict[str, RunTally]:
        """The runs of each day; those that were never recorded are of the day ''."""
        found: dict[str, RunTally] = defaultdict(RunTally)
        for value, days in self.known.items():
            for when, n in days.items():
                found[when].known[value] = n
        for loss, days in self.lost.items():
            for when, n in days.items():
                found[when].lost[loss] = n
        for when, numbers in self.numbers.items():
            found[when].numbers += numbers
        for when, span in self.spans.items():
            found[when].span.add(span)
        if self.never:
            found[""].never = self.never
        return dict(found)

    @property
    def runs(self) -> int:
        """Every run that is recorded, whatever became of it."""
        return self.told + sum([sum(days.values()) for days in self.lost.values()])

    @property
    def told(self) -> int:
        """Runs whose value is known."""
        counted = sum([sum(days.values()) for days in self.known.values()])
        return counted + sum([len(numbers) for numbers in self.numbers.values()])


def _add_days(days: Days, more: Days) -> None:
    for when, n in more.items():  # a `Counter` takes many times as long on few items
        days[when] = days.get(when, 0) + n


class CostSum(Struct):
    """Money of one model, in whole femto-dollars, and how many records stand behind each sum.

    Attributes:
        with_recorded, recorded: Records that tell a cost, and what they tell.
        priced, recomputed: Records whose tokens the table prices, and what they come to.
        repriceable, repriced: The same at the newest table.
        both: Records that are in ``recorded`` and in ``recomputed``; three sums over these alone, and how
            many of them the newest table prices.
        unpriced: Records whose tokens come to no amount, by why.
        zero: Records of a cost of 0 with tokens that nothing prices.
        untold: Records with neither a cost nor tokens.
    """

    records: int = 0
    recorded: int = 0
    with_recorded: int = 0
    recomputed: int = 0
    repriced: int = 0
    priced: int = 0
    repriceable: int = 0
    both: int = 0
    recorded_of_both: int = 0
    recomputed_of_both: int = 0
    repriced_of_both: int = 0
    repriceable_of_both: int = 0
    without_tokens: int = 0
    untold: int = 0
    zero: int = 0
    agree: int = 0
    unpriced: Counter[NotKnown] = field(default_factory=Counter)
    causes: Counter[CostCause] = field(default_factory=Counter)

    def add(self, other: CostSum) -> None:
        """Add another partition's money."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


CellKey = tuple[str, Keys, Keys]
"""(metric, stratum, finest keys)."""


class Partial(Struct):
    """What one partition comes to; ``merge`` adds another in.

    ``beside`` are files that were read for the sake of others.
    """

    cells: dict[CellKey, CellTally] = field(default_factory=dict)
    progress: Counter[tuple[str, Keys, Keys, int, State, str]] = field(default_factory=Counter)
    progress_spans: dict[tuple[str, Keys, Keys], StampRange] = field(default_factory=dict)
    points: Counter[tuple[Keys, str, float, float]] = field(default_factory=Counter)
    checks: Counter[tuple[Keys, str, str, str, bool]] = field(default_factory=Counter)
    costs: dict[str, CostSum] = field(default_factory=dict)
    unknown_fields: Counter[str] = field(default_factory=Counter)
    tallied: Counter[Keys] = field(default_factory=Counter)
    span: StampRange = field(default_factory=StampRange)
    names: set[tuple[str, str]] = field(default_factory=set)
    clusters: ClustersSeen = field(default_factory=ClustersSeen)
    problems: list[Problem] = field(default_factory=list)
    findings: list[Problem] = field(default_factory=list)
    seen: set[bytes] = field(default_factory=set)
    numbered: NumberedRuns = field(default_factory=NumberedRuns)
    beside: set[str] = field(default_factory=set)
    records: int = 0
    invalid: int = 0
    duplicates: int = 0

    def merge(self, other: Partial) -> None:
        """Add another partition's counts. Digests of seen records must not overlap (see the engine)."""
        for key, cell in other.cells.items():
            if key not in self.cells:
                self.cells[key] = CellTally()
            self.cells[key].add(cell)
        self.progress.update(other.progress)
        for place, span in other.progress_spans.items():
            self.progress_spans.setdefault(place, StampRange()).add(span)
        self.points.update(other.points)
        self.checks.update(other.checks)
        for model, sums in other.costs.items():
            self.costs.setdefault(model, CostSum()).add(sums)
        self.unknown_fields.update(other.unknown_fields)
        self.tallied.update(other.tallied)
        self.span.add(other.span)
        self.names |= other.names
        self.clusters.add(other.clusters)
        self.problems += other.problems
        self.findings += other.findings
        self.seen |= other.seen
        self.numbered.add(other.numbered)
        self.beside |= other.beside
        self.records += other.records
        self.invalid += other.invalid
        self.duplicates += other.duplicates


def tabulate(
    family: Family,
    items: Iterable[Sequence[Row | Problem]],
    context: Context,
    skip: frozenset[bytes] = frozenset(),
) -> Partial:
    """Map the batches of one partition to its partial.

    Args:
        family: Whose records these are.
        items: Batches of rows, and of problems where a line was not a record.
        context: Prices, pack, contracts, aliases.
        skip: Digests of repeatable records that another partition has counted.

    Returns:
        Partial of the partition. A record with a stamp or a ``rep`` that occurs byte for byte a second
        time is counted once, and is a finding.
    """
    partial = Partial()
    clusters = context.settings.cluster
    track_keys = frozenset(key for track in family.tracks for grouping in track.groups for key in grouping)
    apart = frozenset(metric.name for metric in family.metrics if metric.kind == "context")
    for batch in items:
        rows: list[Row] = []
        for item in batch:
            if isinstance(item, Aside):
                partial.findings.append(item)
                continue
            if isinstance(item, NoRuns):
                partial.problems.append(item)
                continue
            if isinstance(item, Problem):
                partial.records += 1
                partial.invalid += 1
                partial.problems.append(item)
                continue
            partial.records += 1
            if item.repeatable:
                same = _identity(family, item)
                if same in skip or same in partial.seen:
                    partial.duplicates += 1
                    partial.findings.append(Repeated(item.file, item.line, ""))
                    continue
                partial.seen.add(same)
            partial.unknown_fields.update(name for name in item.extra if name not in clusters)
            rows.append(item)
        for row, observed in zip(rows, family.observe(rows, context), strict=True):
            if clusters:
                dims = clustered(partial.clusters, row, observed.dims, card_of(observed, context), clusters)
                observed = replace(observed, dims=dims)  # noqa: PLW2901 (the same run, with more keys)
            if context.slices:
                dims = sliced(row, observed.dims, card_of(observed, context), context.slices)
                observed = replace(observed, dims=dims)  # noqa: PLW2901
            if (grader := grader_of(row.record, context)) is not None:
                observed = graded_by(grader, observed, family)  # noqa: PLW2901
            note_try(partial, observed, row, family, grader)
            _count(partial, observed, row, context, track_keys, apart)
        if len(partial.problems) > 2 * MOST_SPELLED:
            partial.problems = spelled_out(partial.problems)
    partial.problems = spelled_out(partial.problems)
    return partial


def note_try(partial: Partial, observed: Observed, row: Row, family: Family, grader: str | None) -> None:
    """Take note of a numbered run, in case it stands elsewhere with another outcome."""
    if observed.trial is not None:
        judged = frozenset(metric.name for metric in family.metrics if metric.kind != "context")
        outcome = (tuple(o) for o in observed.outcomes if o.metric in judged)
        more = told_of_try(family, grader, row)
        partial.numbered.see(observed.trial, observed.stamp, outcome, row, more)


def told_of_try(family: Family, grader: str | None, row: Row) -> str:
    """What tells a try from another of the same name: its grader, its log."""
    named = "" if family.identity_in_name is None else family.identity_in_name(row)
    return f"{grader}\0{named}"


def note_checks(partial: Partial, observed: Observed) -> None:
    """Count which named assertions of a run held."""
    scenario, model = observed.dims.get("scenario", ""), observed.dims.get("model", "")
    for name, passed in observed.checks:
        partial.checks[(observed.checks_stratum, scenario, name, model, passed)] += 1


def card_of(observed: Observed, context: Context) -> Keys:
    """What the card of a run's task states; nothing without a pack."""
    task = context.pack.task(observed.dims.get("scenario", "")) if context.pack else None
    return NO_KEYS if task is None else task.clusters


def grader_of(record: Any, context: Context) -> str | None:
    """Version of what graded a run: as its record states it, else as the experiment does."""
    stated = getattr(record, "grader_version", None)
    if isinstance(stated, float):
        return f"{stated:g}"
    return context.settings.grader_version if stated is None else str(stated)


def graded_by(grader: str, observed: Observed, family: Family) -> Observed:
    """The same run with the version of its grader in the stratum of every verdict; context has none."""
    judged = {metric.name for metric in family.metrics if metric.kind != "context"}
    more = {"grader": grader}
    point = observed.point
    return replace(
        observed,
        outcomes=tuple(
            o._replace(stratum=o.stratum | more) if o.metric in judged else o for o in observed.outcomes
        ),
        progress=tuple(step._replace(stratum=step.stratum | more) for step in observed.progress),
        point=None if point is None else (point[0] | more, *point[1:]),
        checks_stratum=observed.checks_stratum | more,
    )


def graded_review(review: Review, record: Any, context: Context, family: Family) -> Review:
    """A run as it is shown, its verdicts, losses and gaps in the strata in which they are counted.

    What is made from the runs of another metric has the gaps of that.
    """
    kinds = {metric.name: metric.kind for metric in family.metrics}
    made = [(metric.name, metric.source) for metric in family.metrics if metric.source]
    more = [gap._replace(metric=name) for name, source in made for gap in review.gaps if gap.metric == source]
    review = replace(review, gaps=(*review.gaps, *more)) if more else review
    grader = grader_of(record, context)
    if grader is None:
        return review
    level = {"grader": grader}
    return replace(
        review,
        verdicts=tuple(replace(v, stratum=v.stratum | level) for v in review.verdicts),
        lost=tuple(loss._replace(stratum=loss.stratum | level) for loss in review.lost),
        gaps=tuple(
            gap if kinds.get(gap.metric) == "context" else gap._replace(stratum=gap.stratum | level)
            for gap in review.gaps
        ),
        facts=(*review.facts, ("grader version", grader)),
    )


def counted_review(review: Review, row: Row, family: Family, seen: set[bytes]) -> Review:
    """A run as it is shown; a record that was counted before is in no number, and in no list of lost runs.

    Args:
        review: What the family reads off the row.
        row: The record.
        family: Whose it is.
        seen: Identities of repeatable records before it; its own is added.
    """
    if not row.repeatable:
        return review
    same = _identity(family, row)
    if same not in seen:
        seen.add(same)
        return review
    return replace(review, repeated=True, uncounted=REPEATED, facets=(REPEATED,), lost=(), gaps=(), broken=())


def _identity(family: Family, row: Row) -> bytes:
    """16 bytes that are the same for the same run: of its line, and of what the log's name adds to it."""
    if family.identity_in_name is None:
        return row.digest
    return hashlib.sha256(row.digest + family.identity_in_name(row).encode()).digest()[:16]


def _count(
    partial: Partial,
    observed: Observed,
    row: Row,
    context: Context,
    track_keys: frozenset[str],
    apart: frozenset[str],
) -> None:
    """Count one run; ``apart`` are metrics whose values are kept as numbers."""
    model = observed.dims.get("model", "")
    when = "" if observed.stamp is None else day(observed.stamp)
    for outcome in outcomes_of(partial, observed, context):
        key = (outcome.metric, outcome.stratum, observed.dims)
        cell = partial.cells.get(key)
        if cell is None:
            cell = partial.cells[key] = CellTally()
        if outcome.state != "known":
            cell.lose((outcome.state, outcome.reason), when, 1)
        elif outcome.metric in apart:
            cell.numbers.setdefault(when, array("d")).append(outcome.value)
        else:
            cell.count((outcome.value, outcome.n, outcome.N), when, 1)
        cell.span(when).see(observed.stamp)
    whose = observed.dims.only(*track_keys)
    for step in observed.progress:
        place = (step.track, step.stratum, whose)
        partial.progress[(*place, step.reached, step.state, step.reason)] += 1
        partial.progress_spans.setdefault(place, StampRange()).see(observed.stamp)
    if observed.point is not None:
        stratum, x, y = observed.point
        partial.points[(stratum, model, x, y)] += 1
    note_checks(partial, observed)
    partial.span.see(observed.stamp)
    partial.names.update(observed.names)
    partial.tallied.update(observed.tallied)
    partial.findings += findings_of(observed, row)


def bills_of(observed: Observed) -> tuple[Spent, ...]:
    """The money of a run and of its parts."""
    return observed.spent_by_part if observed.spent is None else (observed.spent, *observed.spent_by_part)


def outcomes_of(partial: Partial, observed: Observed, context: Context) -> tuple[Outcome, ...]:
    """What a run shows and what it cost; its money is added to ``partial``."""
    return (*observed.outcomes, *(_priced(partial, bill, context) for bill in bills_of(observed)))


def findings_of(observed: Observed, row: Row) -> list[Problem]:
    """Where a record contradicts itself."""
    overdrawn = (("", what) for bill in bills_of(observed) for what in _overdrawn(bill))
    return [Problem(row.file, row.line, pointer, what) for pointer, what in (*observed.findings, *overdrawn)]


def _priced(partial: Partial, spent: Spent, context: Context) -> Outcome:
    """Price one run, add it to its model's sums, and say what it cost: an outcome of metric ``cost``.

    A run that tells neither cost nor tokens is in no price stratum yet: `costs.place_untold_money` gives
    it that of its arm.
    """
    sums = partial.costs.setdefault(spent.model, CostSum())
    sums.records += 1
    if spent.recorded is not None:
        sums.recorded += spent.recorded
        sums.with_recorded += 1
    table = context.table
    if spent.usages is None:
        sums.without_tokens += 1
        if spent.recorded is None:
            sums.untold += 1
            return Outcome("cost", spent.stratum, "unknown", reason=NotKnown.NO_COST_AND_NO_TOKENS)
    if spent.usages is None or table is None:
        return _as_recorded(sums, spent)
    stratum = spent.stratum | {"prices": table.fetched}
    again = None if context.newest is None else pricing.cost(spent.usages, context.newest)
    if again is not None:
        sums.repriced += again
        sums.repriceable += 1
    why = pricing.why_unpriced(spent.usages, table)
    amount = pricing.cost(spent.usages, table)
    if why is not None or amount is None:
        sums.unpriced[why or NotKnown.UNPRICED_MODEL] += 1
        sums.zero += _is_zero_with_tokens(spent)
        return Outcome("cost", stratum, "unknown", reason=why or NotKnown.UNPRICED_MODEL)
    sums.recomputed += amount
    sums.priced += 1
    if spent.recorded is not None:
        sums.both += 1
        sums.recorded_of_both += spent.recorded
        sums.recomputed_of_both += amount
        if again is not None:
            sums.repriced_of_both += again
            sums.repriceable_of_both += 1
        if pricing.close(spent.recorded, amount):
            sums.agree += 1
        else:
            other_tables = [t for t in context.tables if t.fetched != table.fetched]
            sums.causes[pricing.explain(spent.usages, spent.recorded, table, other_tables)] += 1
    return Outcome("cost", stratum, "known", pricing.usd(amount), 1, 1)


def _as_recorded(sums: CostSum, spent: Spent) -> Outcome:
    """Money that no table holds against tokens: as the harness wrote it, unless that is 0 for tokens used."""
    stratum = spent.stratum | {"prices": RECORDED_ONLY}
    if spent.recorded is None:
        return Outcome("cost", stratum, "unknown", reason=NotKnown.NO_PRICE_TABLE)
    if _is_zero_with_tokens(spent):
        sums.zero += 1
        return Outcome("cost", stratum, "unknown", reason=NotKnown.ZERO_WITH_TOKENS)
    return Outcome("cost", stratum, "known", pricing.usd(spent.recorded), 1, 1)


def _is_zero_with_tokens(spent: Spent) -> bool:
    return spent.recorded == 0 and any(use.input or use.output for use in spent.usages or ())


def _overdrawn(spent: Spent) -> Iterator[str]:
    """Where a run is said to have taken more tokens from the cache than it sent."""
    for use in spent.usages or ():
        if pricing.overdrawn(use):
            yield (
                f"{use.cached} cached tokens of {use.model}, but only {use.input} input tokens: "
                "what they cost is not known"
            )
