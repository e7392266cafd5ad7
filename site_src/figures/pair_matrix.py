"""Matrix of pairs: above the diagonal each difference with its outcome, below it what could be shown.

From three arms on, as far as their cells have room; else the pairs stand row by row, as they always do on
a phone. A point is full, half or hollow by its outcome. Arms stand in the order given: nobody is ranked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from metrics_core.results import Comparison, Estimate, NotSeparated
from metrics_core.text import visible
from site_src.drawing import WIDE, Figure, Sheet, axes, brackets, width, wrap
from site_src.figures import forest
from site_src.wording import (
    SHADES,
    FigureContext,
    Links,
    Span,
    because,
    difference,
    metric_words,
    ratio_words,
    shade,
    smallest,
    smallest_note,
    value_runs,
    verdict,
)

KIND = "pair-matrix"
LAYERS = ("boxes", "grid", "paths", "rules", "intervals", "caps", "points", "overlays", "labels")

FEWEST = 3
"""Arms below which a matrix would be one cell in a frame."""

HEAD = 40.0
"""Depth of the column heads in px."""

BRACKET = 20.0
"""Distance of two brackets, each with its letter above it."""

GAP = 12.0
"""Left free between two cells in px."""

WIDEST = 265.0
"""Of a cell: a wider one would tear its row apart."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where a matrix has its cells.

    Attributes:
        names: Width of the row heads in px.
        cell: Width of a cell in px.
        stacked: Whether a difference and its interval stand on two lines.
        row: Depth of a row in px.
        groups: Arms that are not separated, by their places.
    """

    names: float
    cell: float
    stacked: bool
    row: float
    groups: tuple[tuple[int, ...], ...]


def draw(
    comparisons: Sequence[Comparison], estimates: Sequence[Estimate], *, figure_id: str,
    context: FigureContext, title: str = "",
) -> Figure:  # fmt: skip
    """Draw every pair of arms on one metric in one stratum.

    Args:
        comparisons: Pairs, each of two of the arms.
        estimates: The arms' own values, in the order of their rows.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.

    Raises:
        ValueError: No estimate or no comparison, or comparisons of several metrics.
    """
    shown = forest.of(comparisons, estimates, figure_id=figure_id, title=title)
    if shown.hidden is not None:
        return forest.drawing(KIND, LAYERS, None, shown, context, ())
    pairs, found, links = shown.pairs, shown.arms, context.links
    arms = forest.arms_of(found, pairs)
    plan, rows = _plan(arms, pairs), shown.drawn
    wide = _matrix(arms, pairs, plan, links) if plan else forest.wide(rows, found, links)
    reads = _reads(pairs, found) if plan else [*forest.READS, shown.cut]
    sheets = (wide, forest.narrow(rows, found, links))
    return forest.drawing(KIND, LAYERS, sheets, shown, context, reads)


def _reads(pairs: Sequence[Comparison], found: Sequence[Estimate]) -> list[str]:
    """How a matrix is read."""
    below = ", below what could be shown" if smallest_note(pairs) else ""
    against = ""
    if any(e.polarity == "against" for e in found):
        against = f"Above is more {metric_words(found[0].metric, found[0].words)}, which speaks against."
    return [f"Above the diagonal each difference{below}.", SHADES, against]


# ------------------------------------------------------------------------------------------ the matrix


def _plan(arms: Mapping[str, Estimate], pairs: Sequence[Comparison]) -> _Plan | None:
    """Where the cells of a matrix stand; None where it has no room, or too little to show."""
    if len(arms) < FEWEST:
        return None
    groups = forest.groups_of(arms, pairs)
    names = min(
        220.0,
        max(
            _wide(runs)
            for name, e in arms.items()
            for runs in ((Span(visible(name), "strong"),), value_runs(e), _counts(e))
        )
        + 16,
    )
    brackets_room = max(90.0, 34 + BRACKET * len(groups)) if groups else 0.0
    room = min(WIDEST, (WIDE - names - brackets_room) / len(arms))
    texts = [difference(c) for c in pairs if c.difference is not None]
    whole = max((_wide(runs) for runs in texts), default=0.0)
    broken = max((_wide([run]) for runs in texts for run in runs), default=0.0)
    least = width("cannot separate", size=12)
    for needed, stacked in ((whole, False), (broken, True)):
        if max(needed, least) + GAP <= room:
            reasons = max(len(_outcome(c, room - GAP)) + len(_why(c, room - GAP)) for c in pairs)
            could = max(len(wrap(smallest(c), room - GAP, size=12, lines=3)) for c in pairs)
            row = max(63.0 + 15 * stacked + 15 * reasons, 46.0 + 15 * could)
            return _Plan(names, room, stacked, row, groups)
    return None


def _wide(runs: Iterable[Span]) -> float:
    """Width of a label in px."""
    return sum(width(s.text, bold=s.role == "strong") for s in runs)


def _matrix(arms: Mapping[str, Estimate], pairs: Sequence[Comparison], plan: _Plan, links: Links) -> Sheet:
    sheet = Sheet(WIDE)
    sheet.parameters = {"low": 0.0, "high": float(WIDE), "start": 0.0, "end": float(WIDE)}
    names, right = list(arms), plan.names + plan.cell * len(arms)
    by_pair = {frozenset((c.a, c.b)): c for c in pairs}
    scale = forest.axis_of(pairs)
    sheet.label(0, 12, "Row − column", size=12, fill="ink3", room=plan.names - 10)
    for at, (name, e) in enumerate(arms.items()):
        x = plan.names + plan.cell * at
        sheet.label(x, 12, name, bold=True, room=plan.cell - GAP)
        sheet.label(x, 29, ratio_words(e), size=12, fill="ink2", room=plan.cell - GAP)
    sheet.rule(0, HEAD - 0.5, right - GAP, HEAD - 0.5, "rule")
    for row, (name, e) in enumerate(arms.items()):
        y = HEAD + plan.row * row
        if row:
            sheet.rule(0, y - 0.5, right - GAP, y - 0.5)
        _row_head(sheet, name, e, y, plan.names - 12)
        for column, other in enumerate(names):
            x = plan.names + plan.cell * column
            c = by_pair.get(frozenset((name, other)))
            if column == row:
                sheet.rule(x, y + 26.5, x + 20, y + 26.5, "rule")
            elif c is not None and column > row:
                _cell(
                    sheet, c if c.a == name else c.reversed(), x, y, plan, (scale[0][0], scale[-1][0]), links
                )
            elif c is not None:
                _could_show(sheet, c, x, y, plan.cell - GAP, first=column == 0)
    _brackets(sheet, plan, right)
    sheet.height = HEAD + plan.row * len(arms) - 6
    return sheet


def _row_head(sheet: Sheet, name: str, e: Estimate, y: float, room: float) -> None:
    sheet.label(0, y + 20, name, bold=True, room=room)
    sheet.label(0, y + 38, value_runs(e))
    sheet.label(0, y + 55, _counts(e))


def _counts(e: Estimate) -> list[Span]:
    """n/N, and how many runs are in no N: "50/58 · 9 unknown"."""
    lost = e.attempts - e.known
    return [Span(ratio_words(e)), Span(f" · {lost} not known" if lost else " · all known", "quiet")]


def _cell(
    sheet: Sheet, c: Comparison, x: float, y: float, plan: _Plan, ends: tuple[float, float], links: Links
) -> None:
    """A difference: a miniature of its interval with the zero line, the same in words, and the verdict."""
    room, apart = plan.cell - GAP, c.told_apart is not None
    href = forest.page_of(c, links)
    if c.difference is None:
        _no_number(sheet, c, x, y, room, href)
        return

    def px(value: float) -> float:
        return x + 4 + (value - ends[0]) / (ends[1] - ends[0]) * (room - 16)

    sheet.rule(px(0), y + 8, px(0), y + 27, "rule")
    if c.interval.lo is not None and c.interval.hi is not None:
        axes.interval(sheet, px(c.interval.lo), px(c.interval.hi), y + 17.5)
    axes.point(sheet, px(c.difference), y + 17.5, shade=shade(c))
    value, *limits = difference(c)
    if not apart:
        value = replace(value, role="plain")
    lines = [[value, *limits]]
    if plan.stacked:
        lines = [[value], [replace(s, text=s.text.strip(" ,")) for s in limits]]
    at = y + 42
    for runs in lines:
        sheet.label(x, at, runs, href=href)
        at += 16
    for words in _outcome(c, room):
        sheet.label(x, at + 1, words, size=12, bold=apart, fill="ink" if apart else "ink2")
        at += 15
    at -= 15
    for words in _why(c, room):
        at += 15
        sheet.label(x, at + 1, words, size=12, fill="ink2")


def _outcome(c: Comparison, room: float) -> tuple[str, ...]:
    """What both rules come to, in lines."""
    return wrap(verdict(c), room, size=12, bold=c.told_apart is not None, lines=2)


def _why(c: Comparison, room: float) -> tuple[str, ...]:
    """What keeps a pair together whose interval leaves out 0, in lines; none where the picture shows it."""
    lo, hi = c.interval.lo, c.interval.hi
    if c.separated or lo is None or hi is None or lo <= 0.0 <= hi:
        return ()
    return wrap(because(c), room, size=12, lines=3)


def _no_number(sheet: Sheet, c: Comparison, x: float, y: float, room: float, href: str) -> None:
    """A pair without a difference: too few, or not to be shown; never 0, and never a dash."""
    if c.verdict == "not comparable":
        sheet.withheld(x, y + 8, room, 24, "none" if c.withheld_by is None else "withheld")
        words = visible(c.reason)
    else:
        sheet.rule(x, y + 17, x + 60, y + 17, "ink3", dash=(1, 3))
        sheet.label(x + 68, y + 22, str(c.outcome), size=12, fill="ink2", href=href)
        words = "fewer than 8 valid runs" if NotSeparated.TOO_FEW_RUNS in c.reasons else visible(c.reason)
    at = y + 42
    for line in wrap(words, room, size=12, lines=2):
        sheet.label(x, at, line, size=12, fill="ink2")
        at += 15


def _could_show(sheet: Sheet, c: Comparison, x: float, y: float, room: float, *, first: bool) -> None:
    """The smallest difference that these tasks could have shown."""
    if not (words := smallest(c)):
        return
    if first:
        sheet.label(x, y + 22, "could be shown", size=12, fill="ink2")
    for line, told in enumerate(wrap(words, room, size=12, lines=3)):
        sheet.label(x, y + 38 + 15 * line, told, size=12, fill="ink2")


def _brackets(sheet: Sheet, plan: _Plan, right: float) -> None:
    """Over the arms of which no pair is separated, each bracket with its letter."""
    if not plan.groups:
        return
    for at, group in enumerate(plan.groups):
        x = right + BRACKET * at
        ys = [HEAD + plan.row * (member + 0.5) - 4 for member in group]
        brackets.draw(sheet, x, [ys])
        sheet.label(x + 2, ys[0] - 8, _letter(at), size=12, bold=True)
    sheet.label(right, 12, "not separated", size=12, fill="ink3")


def _letter(at: int) -> str:
    """A, B, ... Z, AA, AB: as columns of a sheet are counted.

    >>> _letter(0), _letter(25), _letter(26)
    ('A', 'Z', 'AA')
    """
    return (_letter(at // 26 - 1) if at >= 26 else "") + chr(ord("A") + at % 26)
