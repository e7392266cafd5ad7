"""A task's runs as a table: a column a run, a row a verdict or one of the assertions that it is made of.

Does: set all arms side by side where they have room, else arm by arm, and leave a hole where no record is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from markupsafe import Markup
from msgspec import Struct

from site_src import paths
from site_src.marks import StateName, swatch
from site_src.pages.components import line, text
from site_src.pages.runs.by_task import Column, RunColumns, RunsByTask, VerdictKind
from site_src.pages.runs.index import ListedOutcome, Run
from site_src.pages.site_map import SiteMap
from site_src.project import SiteExperiment
from site_src.wording import Line, Span, SpanRole, count, fraction, listed, svg_markup

SIDE_BY_SIDE = 16
"""Most runs that stand side by side; more stand arm by arm."""

SHORT_NAME = 12
"""Characters of a name that stands over its runs."""


NOT_RECORDED = "not recorded"
"""What is said of a run, or of an assertion of a run, that no record holds."""

KEY: tuple[tuple[StateName, str], ...] = (
    ("true", "for the model"),
    ("false", "against it"),
    ("still-in", "known, and neither"),
    ("unknown", "unknown"),
    ("error", "error"),
    ("invalid", "invalid"),
    ("missing", NOT_RECORDED),
)
"""Each mark in words, in the order in which they stand over the runs."""


class RunMark(Struct, frozen=True, kw_only=True):
    """One run in one row: its mark, what it says, and its page; no address where another mark leads there."""

    mark: Markup
    word: str
    href: str = ""
    begins: bool = False


class VerdictRow(Struct, frozen=True, kw_only=True):
    """One verdict, or one of the assertions that it is made of."""

    label: str
    verdict: bool
    marks: tuple[RunMark, ...]
    held: Line


class ArmHead(Struct, frozen=True, kw_only=True):
    """An arm over its runs, and how many columns these have."""

    name: Span
    columns: str


class TaskBlock(Struct, frozen=True, kw_only=True):
    """Runs side by side: of all arms, or of one where there are many.

    Attributes:
        name: Of the arm, where it is one; else for those who hear the page.
        labels: What each column is called, and whether an arm begins with it.
    """

    name: Span
    arms: tuple[ArmHead, ...]
    labels: tuple[RunMark, ...]
    rows: tuple[VerdictRow, ...]


def blocks(
    where: SiteMap, own: RunsByTask, name: str, by_arm: Mapping[str, Sequence[Run]], columns: RunColumns
) -> Iterator[TaskBlock]:
    """The table, or one for each arm.

    Args:
        where: Everything that has a page.
        own: The experiment's runs by task.
        name: Of the task.
        by_arm: Arm -> its runs of the task.
        columns: In which the runs stand.
    """
    arms = sorted(by_arm)
    short = all(len(arm) <= SHORT_NAME for arm in arms)
    if short and len(arms) * len(columns.order) <= SIDE_BY_SIDE:
        yield _block(where, own, name, {arm: by_arm[arm] for arm in arms}, columns)
        return
    for arm in arms:
        yield _block(where, own, name, {arm: by_arm[arm]}, columns)


def _block(
    where: SiteMap, own: RunsByTask, name: str, by_arm: Mapping[str, Sequence[Run]], columns: RunColumns
) -> TaskBlock:
    x = own.x
    page = paths.task(x.name, name)
    cells = [
        (arm, column, standing.get(column))
        for arm, some in by_arm.items()
        for standing in ({columns.place[run.name]: run for run in some},)
        for column in columns.order
    ]
    runs = [run for _, _, run in cells if run is not None]
    record = f"{x.name}&task={quote(name, safe='')}"
    rows = []
    for nth, kind in enumerate(own.kinds(runs)):
        marks = tuple(_verdict(x, kind, arm, columns, column, run, page) for arm, column, run in cells)
        found = [o for run in runs if (o := kind.of(run)) is not None]
        rows.append(VerdictRow(label=kind.label, verdict=True, marks=marks, held=held(found, record)))
        if not nth:
            checks = [dict(run.checks) if run is not None else {} for _, _, run in cells]
            rows += [_assertion(label, columns, cells, checks, record) for label in assertions(runs)]
    return TaskBlock(
        name=_arm(where, next(iter(by_arm)), page)
        if len(by_arm) == 1
        else text(f"Runs of {listed(list(by_arm))}"),
        arms=tuple(
            ArmHead(name=_arm(where, arm, page), columns=count(len(columns.order)))
            for arm in (by_arm if len(by_arm) > 1 else ())
        ),
        labels=tuple(
            RunMark(
                mark=Markup(),
                word=columns.label[column],
                begins=column == columns.order[0],
            )
            for _, column, _ in cells
        ),
        rows=tuple(rows),
    )


def _arm(where: SiteMap, arm: str, page: str) -> Span:
    return text(arm, href=paths.relative(page, paths.model(arm)) if arm in where.models else "")


def _verdict(
    x: SiteExperiment,
    kind: VerdictKind,
    arm: str,
    columns: RunColumns,
    column: Column,
    run: Run | None,
    page: str,
) -> RunMark:
    begins = column == columns.order[0]
    if run is None:
        return RunMark(mark=svg_markup(swatch("missing")), word=NOT_RECORDED, begins=begins)
    outcome = kind.of(run)
    label = columns.label[column]
    href = paths.relative(page, paths.review(x.name, run.name))
    if outcome is None:
        return RunMark(mark=Markup(), word=f"{arm} {label}: no such verdict", href=href, begins=begins)
    return RunMark(
        mark=svg_markup(swatch(outcome.state)),
        word=f"{arm} {label}: {outcome.counted}",
        href=href,
        begins=begins,
    )


def held(found: Sequence[ListedOutcome], record: str) -> Line:
    """How many known verdicts speak for the model; of those that speak neither way, how many are known."""
    known = [o for o in found if o.value is not None]
    good = sum(o.state == "true" for o in known)
    judged = [o for o in known if o.state in ("true", "false")]
    if not judged:
        return (Span(text=count(len(known)), role="strong", record=record), text(" known"))
    return _of_known(good, len(known), record, "strong")


def _of_known(n: int, known: int, record: str, role: SpanRole) -> Line:
    if not known:
        return line(text("none known", "quiet"))
    return (Span(text=fraction(n, known), role=role, record=record), text(" known"))


def assertions(runs: Sequence[Run]) -> list[str]:
    """Names of the assertions that occur, in their order."""
    return list(dict.fromkeys(name for run in runs for name, _ in run.checks))


def _assertion(
    label: str,
    columns: RunColumns,
    cells: Sequence[tuple[str, Column, Run | None]],
    checks: Sequence[Mapping[str, bool | None]],
    record: str,
) -> VerdictRow:
    marks, held, known = [], 0, 0
    for (arm, column, _), checked in zip(cells, checks, strict=True):
        passed, none = checked.get(label), label not in checked
        held, known = held + (passed is True), known + (passed is not None)
        state: StateName = "missing" if none else {True: "true", False: "false", None: "unknown"}[passed]  # type: ignore[assignment]
        word = {"true": "holds", "false": "missed", "unknown": "unknown", "missing": NOT_RECORDED}[state]
        number = columns.label[column]
        marks.append(
            RunMark(
                mark=svg_markup(swatch(state)),
                word=f"{arm} {number}: {word}",
                begins=column == columns.order[0],
            )
        )
    return VerdictRow(
        label=label,
        verdict=False,
        marks=tuple(marks),
        held=_of_known(held, known, record, "plain"),
    )


def key(runs: Sequence[Run], shown: Sequence[TaskBlock]) -> Iterator[Span]:
    """The marks that occur, in words.

    Args:
        runs: Of the task.
        shown: The tables that they stand in.
    """
    holes = any(m.word.endswith(NOT_RECORDED) for block in shown for row in block.rows for m in row.marks)
    states = {o.state for run in runs for o in run.outcomes}
    states |= {"unknown" for run in runs for _, passed in run.checks if passed is None}
    for state, words in KEY:
        if state in states or (state == "missing" and holes):
            yield Span(text=words, role="state", mark=svg_markup(swatch(state)))
