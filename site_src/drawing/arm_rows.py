"""Rows of arms: an estimate each, and the names that rows and pairs call an arm by.

Does: set a name, marks, value, n/N and what is not known beside each other; give arms of long names a letter;
find which arms cannot be separated from one another. Does not: choose which estimates stand where, or judge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from string import ascii_uppercase

from markupsafe import Markup
from msgspec import Struct

from metrics_core.results import PLAIN, STAGE, Comparison, Estimate, Gap, NotKnown, State
from metrics_core.statistics import brackets
from metrics_core.text import visible
from site_src.drawing import strip
from site_src.drawing.rows import LONG, CellKind, DrawnRow, RowCell, RowGroup, RowHead, RowTable
from site_src.drawing.ticks import Ticks
from site_src.wording import (
    FigureContext,
    Line,
    ReviewFilter,
    Span,
    captions,
    count,
    group_words,
    many,
    of_words,
    ratio_words,
    sentence_case,
    shown_name,
    value_runs,
)


def heads(context: FigureContext) -> tuple[RowHead, ...]:
    """Heads of the cells of an arm, each with what it means.

    Args:
        context: Links and build.
    """
    term = context.links.term
    return (
        RowHead(kind="value", words="Value [95\u202f% interval]", defined=term("interval")),
        RowHead(kind="counted", words="n/N", defined=term("n-of-n")),
        RowHead(kind="lost", words="Not known", defined=term("bounds")),
    )


def apart_head(kind: CellKind, context: FigureContext) -> RowHead:
    """Head of what says which arms are told apart, with what that means."""
    return RowHead(kind=kind, words="Are they told apart?", defined=context.links.term("told-apart"))


class ArmNames(Struct, frozen=True):
    """What arms are called in the rows of a figure, and in its pairs.

    Attributes:
        shown: Whole name of each arm, by the name that comparisons call it by, in the order of the rows.
    """

    shown: Mapping[str, str]

    @property
    def long(self) -> bool:
        """Whether any of them needs a wider column, and all of them a letter."""
        return any(len(words) > LONG for words in self.shown.values())

    def of_row(self, name: str) -> Line:
        """The whole name, behind its letter where it has one."""
        whole = Span(self.shown[name])
        return (Span(self._letter(name), "letter"), Span(" "), whole) if self.long else (whole,)

    def told(self, said: Callable[[Callable[[str], str]], str], href: str = "") -> Line:
        """Words about arms: with letters for those who see the rows, and with names for those who hear them.

        Args:
            said: The words, made with what spells a name.
            href: Where they lead; empty for nowhere.
        """
        whole = said(shown_name)
        if not whole:
            return ()
        if not self.long:
            return (Span(whole, href=href),)
        return (Span(said(self._letter), href=href), Span(f" ({whole})", "unseen"))

    def _letter(self, name: str) -> str:
        """A to Z, then A2 to Z2, and so on; the name of an arm that has no row."""
        if name not in self.shown:
            return shown_name(name)
        turn, place = divmod([*self.shown].index(name), len(ascii_uppercase))
        return ascii_uppercase[place] + (str(turn + 1) if turn else "")


def row(
    e: Estimate, name: Line, arm: str, ticks: Ticks, context: FigureContext,
    *, on_axis: bool = True, band: tuple[float, float] | None = None,
) -> DrawnRow:  # fmt: skip
    """A row of one estimate.

    Args:
        e: Any estimate.
        name: What stands before it.
        arm: Name by which comparisons call its arm, as pages show it; empty for none.
        ticks: Of the axis.
        context: Links and build.
        on_axis: Whether its unit is that of the axis.
        band: What the intervals of two arms share; None for nothing.
    """
    marks = strip.Strip(ticks[0][0], ticks[-1][0])
    if band is not None:
        marks.band(*band)
    marks.grid(value for value, _ in ticks)
    value = tuple(value_runs(e))
    if on_axis:
        marks.estimate(e)
    else:
        value = (*value, Span(f" {visible(e.unit)}: not on this axis", "quiet"))
    return DrawnRow(
        name=name,
        marks=marks.markup,
        cells=(
            RowCell(kind="value", words=value),
            RowCell(kind="counted", words=counted(e, context)),
            RowCell(kind="lost", words=_not_known(e, context), label="not known"),
        ),
        arms=arm,
        says=captions.described([e]),
    )


def counted(e: Estimate, context: FigureContext) -> Line:
    """n/N, linked to the runs behind it, and its word."""
    if e.withheld is not None or not e.N:
        return ()
    runs = Span(ratio_words(e), "strong", _runs(e, context), estimate=e.id)
    return (runs, Span(f" {of_words(e)}", "quiet"))


def _not_known(e: Estimate, context: FigureContext) -> Line:
    """How many attempts are not known, leading to these runs; of lines that are no run, how many runs."""
    unknown, lines = e.attempts - e.known, _lines(e, "known")
    href = gap_runs(e, "known", context) if unknown else ""
    if href and lines:
        return (Span(f"{count(unknown)} ("), Span(many(unknown - lines, "run"), href=href), Span(")"))
    return (Span(count(unknown), href=href),)


def _lines(e: Estimate, state: State) -> int:
    """How many lines that are no record, and no run, an estimate counts in a state; ``known`` for any."""
    return sum(x.count for x in e.losses if x.reason is NotKnown.NO_RECORD and state in (x.state, "known"))


def gap_runs(e: Estimate, state: State, context: FigureContext) -> str:
    """The list of exactly the runs that an estimate counts as not known; nothing where no list is of them.

    None is of money, which depends on a table of prices, of what is counted in items instead of runs, and of
    stages. Lines that are no record are in no list: with some of one state, only that of all states is given.

    Args:
        e: Any estimate.
        state: Why they are not known; ``known`` for any reason.
        context: Links and build.
    """
    told = {"unknown": e.unknown, "invalid": e.invalid, "error": e.errors, "known": e.attempts - e.known}
    lines = _lines(e, state)
    if e.withheld is not None or told[state] <= lines or (lines and state != "known"):
        return ""
    if e.metric == STAGE or "prices" in e.stratum.names or not (e.words or PLAIN).metric(e.metric).by_run:
        return ""
    return _runs(e, context, Gap(e.metric, state, e.stratum))


def _runs(e: Estimate, context: FigureContext, gap: Gap | None = None) -> str:
    """The runs behind an estimate: of repeats every run, for a run is of no k; of an outcome those that have
    it, and none where none has.
    """
    words = e.words or PLAIN
    came_to = [key for key in e.group.names if words.key(key).of_outcome]
    if came_to and not e.n and gap is None:
        return ""
    group = e.group.without(*(key for key in e.group.names if words.key(key).nested))
    group = group.without(*came_to) if gap is not None else group
    return context.links.reviews(
        ReviewFilter(experiment=e.experiment, family=e.family, group=group, stratum=e.stratum, gap=gap)
    )


def both(c: Comparison) -> str:
    """Names of both arms of a pair, a line each."""
    return f"{shown_name(c.a)}\n{shown_name(c.b)}"


def withheld(rows: Sequence[Estimate], context: FigureContext) -> Line:
    """What the control found, whose rows would stand here, and the way to the control.

    Args:
        rows: Estimates that may not be shown.
        context: Links and build.
    """
    e = rows[0]
    whose = "all" if len(rows) > 1 or not e.group else group_words(e.group, e.words)
    found = sentence_case(visible(e.withheld or "").rstrip("."))
    href = context.links.control(e.experiment, e.control or e.withheld or "")
    return (
        *captions.inline(e),
        Span(f" {whose}: {found}. "),
        *((Span("Read the failed control", href=href),) if href else ()),
    )


def hidden(rows: Sequence[Estimate], context: FigureContext) -> RowTable:
    """What stands in place of a figure that is withheld; arguments as for `withheld`."""
    group = RowGroup(instead=withheld(rows, context))
    return RowTable(of="checks", whose="Whose", heads=(), scale=Markup(), groups=(group,))


def not_separated(arms: Sequence[str], comparisons: Sequence[Comparison]) -> tuple[tuple[str, ...], ...]:
    """Largest groups of at least two arms of which every pair was compared and none is separated.

    Args:
        arms: Names, in the order of their rows.
        comparisons: Of one metric and stratum; a pair that was not compared, or is not comparable, is in no
            group together.
    """
    together = {frozenset((c.a, c.b)) for c in comparisons if c.verdict == "cannot separate"}
    apart = [both for both in combinations(arms, 2) if frozenset(both) not in together]
    return tuple(group for group in brackets(arms, apart) if len(group) > 1)
