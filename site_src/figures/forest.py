"""Forest: differences of pairs on one axis with its zero line, and brackets over arms not separated.

The arms stand above with their own values. A point is full where two arms are separated, half where the same
tasks alone tell them apart, hollow where neither does. Brackets may overlap; the figure
never says "tie", which would claim equality. `pair_matrix` takes rows, brackets and the finished figure from
here: on a phone, or where a matrix has no room, its pairs stand row by row as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metrics_core.results import Comparison, Estimate
from metrics_core.text import visible
from site_src.drawing import (
    NARROW,
    WIDE,
    Figure,
    Sheet,
    Ticks,
    axes,
    brackets,
    difference_ticks,
    pictures,
    width,
    wrap,
)
from site_src.wording import (
    SHADES,
    FigureContext,
    Links,
    Span,
    behind,
    captions,
    count,
    counted_words,
    csv,
    deciding_intervals,
    difference,
    group_words,
    is_mean,
    listed,
    methods,
    of_words,
    outcome,
    pair,
    pair_titles,
    ratio_words,
    sentence_case,
    shade,
    smallest_note,
    spans,
    table,
    titles,
    value_runs,
    verdict,
    who,
)

KIND = "separation"
LAYERS = ("boxes", "grid", "paths", "rules", "intervals", "caps", "points", "overlays", "labels")
VALUE = "value [95\u202f% interval]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Pairs of arms on one metric in one stratum, ready to be drawn.

    Attributes:
        pairs: In the order of their rows.
        arms: The arms' own values, in the order of theirs.
        hidden: Why no number of them may be shown; None where they may.
        title: What is seen.
        desc: The same for those who do not see it, with every number.

    Raises:
        ValueError: No estimate or no comparison, or comparisons of several metrics.
    """

    figure_id: str
    pairs: tuple[Comparison, ...]
    arms: tuple[Estimate, ...]
    hidden: str | None
    title: str
    desc: str

    @property
    def drawn(self) -> tuple[Comparison, ...]:
        """Those that have a row."""
        return self.pairs[: rows_of(len(self.pairs))]

    @property
    def cut(self) -> str:
        """What has no row, in a sentence; nothing where every pair has one."""
        every, rows = len(self.pairs), len(self.drawn)
        if rows == every:
            return ""
        return f"Of {count(every)} pairs the first {rows} are drawn; every one is in the CSV file."

    def __post_init__(self) -> None:
        if len({(c.family, c.metric, c.stratum, c.group, c.over) for c in self.pairs}) > 1:
            raise ValueError(f"figure {self.figure_id}: comparisons of several metrics")


def draw(
    comparisons: Sequence[Comparison], estimates: Sequence[Estimate], *, figure_id: str,
    context: FigureContext, title: str = "",
) -> Figure:  # fmt: skip
    """Draw differences of one metric in one stratum.

    Args:
        comparisons: Pairs, in the order of their rows.
        estimates: What is compared, in the order of the models.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.

    Raises:
        ValueError: No estimate or no comparison, or comparisons of several metrics.
    """
    shown = of(comparisons, estimates, figure_id=figure_id, title=title)
    if shown.hidden is not None:
        return drawing(KIND, LAYERS, None, shown, context, ())
    rows = shown.drawn, shown.arms, context.links
    sheets = (wide(*rows), narrow(*rows))
    return drawing(KIND, LAYERS, sheets, shown, context, [*READS, shown.cut])


MOST_ROWS = 66
"""Pairs that are drawn, told and tabulated row by row: those of twelve arms."""

FIRST = 50
"""Of more pairs, as many have a row; every one is in the CSV."""

READS = (
    "A row is a pair, the first named minus the second; the bar is the 95\u202f% interval of the difference.",
    SHADES,
)


def rows_of(pairs: int) -> int:
    """How many of so many pairs have a row of a picture or of a table.

    >>> rows_of(66), rows_of(78)
    (66, 50)
    """
    return pairs if pairs <= MOST_ROWS else FIRST


def rules(pairs: Sequence[Comparison], found: Sequence[Estimate]) -> list[str]:
    """How differences are made, by which rule arms are separated, and what could have been shown."""
    decides = deciding_intervals(pairs, arms_of(found, pairs))
    said = (*methods(pairs), *captions.separation_notes(pairs), decides, smallest_note(pairs))
    return [*filter(None, said)]


def of(
    comparisons: Sequence[Comparison], estimates: Sequence[Estimate], *, figure_id: str, title: str
) -> Pairs:
    """Pairs with the words that stand over them.

    Args:
        comparisons: Each of two of the arms.
        estimates: The arms' own values.
        figure_id: Id of the figure on its page.
        title: In place of the one made from the data; empty for that.

    Raises:
        ValueError: See `Pairs`.
    """
    arms, pairs = tuple(estimates), tuple(comparisons)
    if not arms or not pairs:
        raise ValueError(f"figure {figure_id}: {len(pairs)} comparisons of {len(arms)} estimates")
    hidden = arms[0].withheld if all(e.withheld is not None for e in arms) else None
    rows = rows_of(len(pairs))
    drawn = (captions.comparison_clause(c) for c in pairs[:rows])
    further = f"and {count(len(pairs) - rows)} more pairs" if len(pairs) > rows else ""
    return Pairs(
        figure_id=figure_id,
        pairs=pairs,
        arms=arms,
        hidden=hidden,
        title=title or (pair_titles.separation(pairs) if hidden is None else titles.withheld(arms[0])),
        desc="; ".join(filter(None, (captions.described(arms), *drawn, further))),
    )


def drawing(
    kind: str,
    layers: tuple[str, ...],
    sheets: tuple[Sheet, Sheet] | None,
    shown: Pairs,
    context: FigureContext,
    reads: Sequence[str],
) -> Figure:
    """The finished drawing.

    Args:
        kind: Kind of figure.
        layers: Datasets that figures of this kind may fill.
        sheets: Wide and narrow, laid out; None for the notice that they are withheld.
        shown: What is drawn.
        context: Links and build.
        reads: What the reader needs to read it.
    """
    wide, narrow = sheets or (Sheet(WIDE), Sheet(NARROW))
    if shown.hidden is not None:
        wide.notice(shown.hidden)
        narrow.notice(shown.hidden)
    words = {"figure_id": shown.figure_id, "title": shown.title, "desc": shown.desc}
    rendered = pictures(kind, layers, wide, narrow, **words, memo=context.memo)
    return Figure(
        kind=kind, id=shown.figure_id, title=shown.title, desc=shown.desc,
        svg_wide=rendered.wide, svg_narrow=rendered.narrow,
        caption=captions.caption(
            shown.arms, context, reads=() if shown.hidden else reads,
            notes=() if shown.hidden else rules(shown.pairs, shown.arms),
        ),
        table=table(shown.drawn, arms_of(shown.arms, shown.pairs)), csv=csv(shown.pairs),
        spec=rendered.spec, estimates=shown.arms,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------ rows


def wide(pairs: Sequence[Comparison], found: Sequence[Estimate], links: Links) -> Sheet:
    """The rows over the width of a page."""
    sheet = Sheet(WIDE)
    arms = arms_of(found, pairs)
    y = _wide_models(sheet, arms, pairs)
    texts = [max(width(spans.text(difference(c)), bold=True), width(behind(c, arms), size=12))
             if c.difference is not None else 200.0 for c in pairs]  # fmt: skip
    end = WIDE - max(texts) - 34
    names = min(
        230.0, max(max(width(who(c), bold=True), width(outcome(c), size=12, bold=True)) for c in pairs)
    )
    scale = axis_of(pairs)
    sheet.parameters = {
        "low": scale[0][0],
        "high": scale[-1][0],
        "start": round(names + 40) + 0.5,
        "end": round(end) + 0.5,
    }
    y += 14
    sheet.label(0, y, "Row: first − second", size=12, fill="ink3")
    sheet.label(WIDE, y, "difference [95\u202f% interval]", size=12, fill="ink3", align="right")
    axes.axis(sheet, scale, y, [])
    y += 10
    sheet.rule(0, y + 0.5, WIDE, y + 0.5, "rule")
    for place, c in enumerate(pairs):
        if place:
            sheet.rule(0, y + 0.5, WIDE, y + 0.5)
        depth = _wide_row(sheet, c, arms, y, names + 10, page_of(c, links))
        if c.difference is not None:
            axes.axis(sheet, scale, 0, [(y + 6, y + depth - 6)], strong=(0.0,), labels=False)
        y += depth
    sheet.height = y
    return sheet


def narrow(pairs: Sequence[Comparison], found: Sequence[Estimate], links: Links) -> Sheet:
    """The rows on a phone."""
    sheet = Sheet(NARROW)
    arms = arms_of(found, pairs)
    y = 14.0
    for name, e in arms.items():
        beside = () if is_mean(e) else (Span(f" · {ratio_words(e)}", "quiet"),)
        runs: list[Span] = [*value_runs(e), *beside]
        sheet.label(0, y, name, bold=True, room=NARROW - width(spans.text(runs), bold=True) - 10)
        sheet.label(NARROW, y, runs, align="right")
        if is_mean(e):
            y += 16
            sheet.label(NARROW, y, counted_words(e), size=12, fill="ink2", align="right", room=NARROW)
        y += 20
    for group in groups_of(arms, pairs):
        for words in wrap(
            f"Cannot be separated: {listed([visible([*arms][i]) for i in group])}", NARROW, size=12
        ):
            sheet.label(0, y, words, size=12, fill="ink2")
            y += 15
    scale = axis_of(pairs)
    sheet.parameters = {"low": scale[0][0], "high": scale[-1][0], "start": 20.0, "end": NARROW - 20.0}
    y += 6
    axes.axis(sheet, scale, y, [], size=12)
    y += 8
    for c in pairs:
        sheet.rule(0, y + 0.5, NARROW, y + 0.5)
        apart = c.told_apart is not None
        room = min(150.0, width(outcome(c), size=12, bold=apart))
        sheet.label(0, y + 19, who(c), bold=True, room=NARROW - room - 12, href=page_of(c, links))
        ink = "ink" if apart else "ink2"
        sheet.label(NARROW, y + 19, outcome(c), size=12, bold=apart, fill=ink, align="right", room=room)
        if c.difference is not None:
            axes.axis(sheet, scale, 0, [(y + 26, y + 50)], strong=(0.0,), labels=False)
        _row(sheet, c, y + 38)
        y += 68
        sheet.label(0, y, difference(c))
        told = f"{pair(c)} · " if apart else ""
        for words in wrap(f"{told}{behind(c, arms)}", NARROW, size=12, lines=4):
            y += 16
            sheet.label(0, y, words, size=12, fill="ink2")
        y += 12
    sheet.height = y - 4
    return sheet


def _wide_models(sheet: Sheet, arms: Mapping[str, Estimate], pairs: Sequence[Comparison]) -> float:
    """The models with their own values, and brackets over those that are not separated."""
    name = min(230.0, max(width(visible(n), bold=True) for n in arms)) + 30
    values = [width(spans.text(value_runs(e)), bold=True) for e in arms.values()]
    value = name + max(*values, width(VALUE, size=12))
    ratio = value + 24 + max(24.0, *(width(f"{ratio_words(e)} {of_words(e)}") for e in arms.values()))
    lost = ratio + 24 + width("not known", size=12)
    over = sentence_case(pairs[0].over.replace("_", " "))
    sheet.label(0, 12, over, size=12, fill="ink3", room=name - 10)
    heads = ((value, VALUE), (ratio, "n/N"), (lost, "not known"))
    for x, words in heads:
        sheet.label(x, 12, words, size=12, fill="ink3", align="right")
    sheet.rule(0, 22.5, WIDE, 22.5, "rule")
    for i, (model, e) in enumerate(arms.items()):
        y = 44 + 22 * i
        sheet.label(0, y, model, bold=True, room=name - 10)
        sheet.label(value, y, value_runs(e), align="right")
        sheet.label(ratio, y, "" if e.withheld else f"{ratio_words(e)} {of_words(e)}", align="right")
        sheet.label(lost, y, count(e.attempts - e.known), align="right")
    groups = [[39.5 + 22 * i for i in group] for group in groups_of(arms, pairs)]
    right = brackets.draw(sheet, lost + 28, groups)
    if groups:
        middle = (min(g[0] for g in groups) + max(g[-1] for g in groups)) / 2
        sheet.label(right + 8, middle + 4, "not separated", size=12, fill="ink2")
    return 44.0 + 22 * len(arms)


def _wide_row(
    sheet: Sheet, c: Comparison, arms: Mapping[str, Estimate], y: float, room: float, href: str
) -> float:
    """One pair; gives the height it takes."""
    apart, at = c.told_apart is not None, y + 20
    named = [who(c)] if width(who(c), bold=True) <= room else [visible(c.a), f"− {visible(c.b)}"]
    for words in named:
        sheet.label(0, at, words, bold=True, room=room, href=href)
        at += 17
    for words in wrap(verdict(c), room, size=12, bold=apart, lines=3):
        sheet.label(0, at, words, size=12, bold=apart, fill="ink" if apart else "ink2")
        at += 15
    at -= 15
    _row(sheet, c, y + 23.5)
    sheet.label(WIDE, y + 20, difference(c), align="right")
    behind_at = y + 37
    for words in wrap(behind(c, arms), WIDE - sheet.parameters["end"] - 24, size=12, lines=4):
        sheet.label(WIDE, behind_at, words, size=12, fill="ink2", align="right")
        behind_at += 15
    return max(at, behind_at - 15) - y + 9


def _row(sheet: Sheet, c: Comparison, y: float) -> None:
    start, end = sheet.parameters["start"], sheet.parameters["end"]
    if c.difference is None and c.verdict == "cannot separate":
        sheet.rule(start, y, end, y, "ink3", dash=(1, 3))
        return
    if c.difference is None:
        sheet.withheld(start, y - 11, end - start, 22, c.verdict)
        return
    if c.interval.lo is not None and c.interval.hi is not None:
        axes.interval(sheet, c.interval.lo, c.interval.hi, y)
    axes.point(sheet, c.difference, y, shade=shade(c))


def arms_of(found: Sequence[Estimate], pairs: Sequence[Comparison]) -> dict[str, Estimate]:
    """What is compared, by the name of the arm."""
    over = pairs[0].over
    return {e.group.get(over, group_words(e.group, e.words)): e for e in found}


def axis_of(pairs: Sequence[Comparison]) -> Ticks:
    """Ticks on which every difference and its interval have room."""
    ends = [v for c in pairs for v in (c.difference, c.interval.lo, c.interval.hi) if v is not None]
    return difference_ticks(ends)


def groups_of(arms: Mapping[str, Estimate], pairs: Sequence[Comparison]) -> tuple[tuple[int, ...], ...]:
    """Groups of arms that are not separated, by their places."""
    names = list(arms)
    return tuple(tuple(names.index(n) for n in group) for group in brackets.not_separated(names, pairs))


def page_of(c: Comparison, links: Links) -> str:
    """Address of a pair's own page."""
    return links.pair(c.experiment, c.a, c.b)
