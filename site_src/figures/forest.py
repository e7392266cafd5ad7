"""Forest: arms with their own values, and below them the differences of their pairs, each on one axis.

A point is full where two arms are separated, half where the same tasks alone tell them apart, hollow where
neither does. Under a difference stands how far from 0 it would have had to be to be shown. Arms stand in the
order given: nobody is ranked. Of five arms or more those that cannot be separated from one another stand
together beside the rows; the figure never says "tie", which would claim equality.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Struct

from metrics_core.results import Comparison, Estimate
from site_src.drawing import (
    SHARES,
    ArmNames,
    DrawnRow,
    Figure,
    PairVerdict,
    RowCell,
    RowFigure,
    RowGroup,
    RowHead,
    RowTable,
    Ticks,
    arm_rows,
    chart,
    difference_ticks,
    miniature,
    strip,
    value_ticks,
)
from site_src.wording import (
    SHADES,
    FigureContext,
    Line,
    Span,
    behind,
    captions,
    count,
    csv,
    deciding_intervals,
    difference,
    group_words,
    kind_words,
    listed,
    methods,
    metric_words,
    outcome,
    pair,
    pair_titles,
    sentence_case,
    shade,
    shown_name,
    smallest_note,
    stratum_words,
    table,
    titles,
    who,
)

KIND = "separation"

MOST_ROWS = 66
"""Pairs that are drawn, told and tabulated row by row: those of twelve arms."""

FIRST = 50
"""Of more pairs, as many have a row; every one is in the CSV."""

MANY_ARMS = 5
"""Arms from which on those that cannot be separated from one another are named together beside them."""

READS: Final = "Above, each arm; below, pairs, the first minus the second. A bar is a 95\u202f% interval."
REACH: Final = "The grey bar at the foot of a row reaches as far as a difference must to be shown{more}."
SHARED: Final = "The tint is what both intervals share."

HEIGHT, FOOT = 28.0, 6.0
"""Of the row of a pair, and of what stands below its interval, in px."""


class _Pairs(Struct, frozen=True, kw_only=True):
    """Pairs of arms on one metric in one stratum, ready to be drawn.

    Attributes:
        pairs: In the order of their rows.
        arms: The arms' own values, in the order of theirs.
    """

    pairs: tuple[Comparison, ...]
    arms: tuple[Estimate, ...]

    @property
    def hidden(self) -> bool:
        """Whether no number of them may be shown."""
        return all(e.withheld is not None for e in self.arms)

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

    @property
    def by_name(self) -> dict[str, Estimate]:
        """The arms by the names that comparisons call them by."""
        over = self.pairs[0].over
        return {e.group.get(over, group_words(e.group, e.words)): e for e in self.arms}

    @property
    def shared(self) -> tuple[float, float] | None:
        """What the intervals of two arms share; None where they are more, or share nothing."""
        if len(self.arms) != 2 or any(e.headline != "point" for e in self.arms):
            return None
        found = [(e.interval.lo, e.interval.hi) for e in self.arms]
        lows, highs = [lo for lo, _ in found if lo is not None], [hi for _, hi in found if hi is not None]
        if len(lows) != 2 or len(highs) != 2 or max(lows) >= min(highs):
            return None
        return max(lows), min(highs)


def draw(
    comparisons: Sequence[Comparison], estimates: Sequence[Estimate], *, figure_id: str,
    context: FigureContext, title: str = "",
) -> Figure:  # fmt: skip
    """Draw differences of one metric in one stratum.

    Args:
        comparisons: Pairs, in the order of their rows.
        estimates: What is compared, in the order of the arms.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.

    Raises:
        ValueError: No estimate or no comparison, or comparisons of several metrics.
    """
    shown = _Pairs(pairs=tuple(comparisons), arms=tuple(estimates))
    if not shown.arms or not shown.pairs:
        raise ValueError(f"figure {figure_id}: {len(shown.pairs)} comparisons of {len(shown.arms)} estimates")
    if len({(c.family, c.metric, c.stratum, c.group, c.over) for c in shown.pairs}) > 1:
        raise ValueError(f"figure {figure_id}: comparisons of several metrics")
    hidden = shown.hidden
    return Figure(
        kind=KIND, id=figure_id,
        title=title or (titles.withheld(shown.arms[0]) if hidden else pair_titles.separation(shown.pairs)),
        desc=_described(shown),
        rows=RowFigure(id=figure_id, tables=tuple(_tables(shown, context))),
        caption=captions.caption(
            shown.arms, context, reads=() if hidden else _reads(shown),
            notes=() if hidden else _rules(shown.pairs, shown.arms),
        ),
        table=table(shown.drawn, shown.by_name), csv=csv(shown.pairs),
        spec=_specification(shown), estimates=shown.arms,
    )  # fmt: skip


def rows_of(pairs: int) -> int:
    """How many of so many pairs have a row."""
    return pairs if pairs <= MOST_ROWS else FIRST


def _described(shown: _Pairs) -> str:
    drawn = map(captions.comparison_clause, shown.drawn)
    rest = len(shown.pairs) - len(shown.drawn)
    further = f"and {count(rest)} more pairs" if rest else ""
    return "; ".join(filter(None, (captions.described(shown.arms), *drawn, further)))


def _reads(shown: _Pairs) -> list[str]:
    reach = ""
    if any(c.detectable is not None and c.detectable.paired is not None for c in shown.drawn):
        both = any(c.detectable is not None and c.detectable.strict is not None for c in shown.drawn)
        reach = REACH.format(more=", dotted by both rules" if both else "")
    against = ""
    e = shown.arms[0]
    if e.polarity == "against" and any(c.told_apart for c in shown.drawn):
        against = f"More {metric_words(e.metric, e.words)} speaks against an arm."
    return [READS, shown.cut, SHADES, against, reach, SHARED if shown.shared else ""]


def _rules(pairs: Sequence[Comparison], found: Sequence[Estimate]) -> list[str]:
    """How differences are made, by which rule arms are separated, and what could have been shown."""
    arms = _Pairs(pairs=tuple(pairs), arms=tuple(found)).by_name
    said = (*methods(pairs), *captions.separation_notes(pairs), deciding_intervals(pairs, arms))
    return [*filter(None, (*said, smallest_note(pairs)))]


# -------------------------------------------------------------------------------------------------- tables


def _tables(shown: _Pairs, context: FigureContext) -> Iterator[RowTable]:
    names = ArmNames({name: shown_name(name) for name in shown.by_name})
    first = shown.pairs[0]
    kind = sentence_case(kind_words(first.over, first.words))
    ticks = _value_axis(shown.arms)
    if shown.hidden:
        group = RowGroup(instead=arm_rows.withheld(shown.arms, context))
    else:
        group = RowGroup(
            head=sentence_case(metric_words(first.metric, first.words)),
            gloss=_gloss(first),
            rows=tuple(
                arm_rows.row(e, names.of_row(name), names.shown[name], ticks, context, band=shown.shared)
                for name, e in shown.by_name.items()
            ),
            verdicts=tuple(_together(shown, names)),
            defined=context.links.metric(shown.arms[0]),
        )
    yield RowTable(
        name=f"{kind}s by themselves", of="arms", whose=kind, heads=arm_rows.heads(context),
        between=(RowHead(kind="between", words="Cannot be separated"),) if group.verdicts else (),
        scale=strip.scale(ticks), groups=(group,), long=names.long,
    )  # fmt: skip
    if shown.hidden:
        return
    across = axis_of(shown.pairs)
    value = RowHead(
        kind="value", words="Difference [95\u202f% interval]", defined=context.links.term("paired")
    )
    heads = (value, arm_rows.apart_head("finding", context))
    yield RowTable(
        name="Differences", of="pairs", whose="First − second", heads=heads, scale=strip.scale(across),
        groups=(RowGroup(rows=tuple(_row(c, names, across, context) for c in shown.drawn)),),
    )  # fmt: skip


def _gloss(c: Comparison) -> str:
    whose = group_words(c.group, c.words) if c.group else ""
    return ", ".join(filter(None, (stratum_words(c.stratum, c.words), whose)))


def _value_axis(arms: Sequence[Estimate]) -> Ticks:
    drawn = [(e.value, e.interval.lo, e.interval.hi, *(e.bounds or ())) for e in arms]
    ends = [value for values in drawn for value in values if value is not None]
    below = arms[0].unit not in SHARES and min(ends, default=0.0) < 0.0
    return difference_ticks(ends) if below else value_ticks(arms[0].unit, ends)


def axis_of(pairs: Sequence[Comparison]) -> Ticks:
    """Ticks on which every difference and its interval have room."""
    ends = [v for c in pairs for v in (c.difference, c.interval.lo, c.interval.hi) if v is not None]
    return difference_ticks(ends)


def _row(c: Comparison, names: ArmNames, ticks: Ticks, context: FigureContext) -> DrawnRow:
    marks = strip.Strip(ticks[0][0], ticks[-1][0], HEIGHT, FOOT)
    marks.grid((value for value, _ in ticks), strong=(0.0,))
    if c.detectable is not None and c.detectable.paired is not None:
        marks.reach(c.detectable.paired, c.detectable.strict)
    marks.difference(c.difference, c.interval, shade(c))
    href = context.links.pair(c.experiment, c.a, c.b)
    return DrawnRow(
        name=names.told(lambda spell: who(c, spell), href),
        marks=marks.markup,
        cells=(
            RowCell(kind="value", words=tuple(difference(c))),
            RowCell(kind="finding", words=_finding(c, names)),
        ),
        arms=arm_rows.both(c),
        says=captions.comparison_clause(c),
    )


def _finding(c: Comparison, names: ArmNames) -> Line:
    """What both rules come to, and why."""
    apart = c.told_apart is not None
    who_is = (Span(" "), *names.told(lambda spell: pair(c, spell))) if apart else ()
    why = behind(c)
    return (
        Span(outcome(c), "strong" if apart else "plain"), *who_is, *((Span(why, "under"),) if why else ())
    )  # fmt: skip


def _together(shown: _Pairs, names: ArmNames) -> Iterator[PairVerdict]:
    """Largest groups of arms of which no two are separated, where arms are many."""
    if len(shown.by_name) < MANY_ARMS:
        return
    for group in arm_rows.not_separated([*shown.by_name], shown.pairs):
        yield PairVerdict(
            mark=miniature.without_point(), word="", apart=False, names=names.told(partial(_listed, group))
        )


def _listed(arms: Sequence[str], spell: Callable[[str], str]) -> str:
    return listed([*map(spell, arms)])


# ------------------------------------------------------------------------------------------- specification


def _specification(shown: _Pairs) -> dict[str, Any]:
    pairs: list[Mapping[str, Any]] = [
        {
            "pair": who(c), "difference": c.difference, "lo": c.interval.lo, "hi": c.interval.hi,
            "outcome": outcome(c), "p": c.p_adjusted, "comparison": c.id,
        }
        for c in shown.drawn
    ]  # fmt: skip
    rows = [chart.row_of(e, metric_words(e.metric, e.words), name) for name, e in shown.by_name.items()]
    return chart.in_rows(KIND, rows, pairs)
