"""Governance bars: every attempt of each verdict, counted, beside the verdict's interval and bounds.

Bars are drawn in counts on one scale, so a small N looks small; each verdict has its own denominator.
Colour follows what the numerator says: security that *held* is blue, though the Boolean is false.
"""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.results import Estimate
from metrics_core.text import visible
from site_src.drawing import NARROW, SHARE_TICKS, WIDE, Figure, Sheet, axes, figure, pictures, width, wrap
from site_src.marks import StateName
from site_src.wording import (
    FigureContext,
    ReviewFilter,
    Span,
    about,
    bounds_words,
    captions,
    common_keys,
    headline_of,
    of_words,
    ratio_words,
    spans,
    tally_words,
    titles,
    value_runs,
    where,
    why_nothing,
)

KIND = "governance"
LAYERS = ("boxes", "grid", "bars", "paths", "rules", "intervals", "caps", "points", "overlays", "labels")
BAR = 20


def draw(
    estimates: Sequence[Estimate], *, figure_id: str, context: FigureContext, title: str = "",
) -> Figure:  # fmt: skip
    """Draw verdicts.

    Args:
        estimates: Shares of known verdicts, in the order of their rows.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.

    Raises:
        ValueError: No estimate, or one whose N does not count runs: then there is no attempt to stack.
    """
    found = tuple(estimates)
    if not found:
        raise ValueError(f"figure {figure_id}: no verdict to draw")
    for e in found:
        if e.withheld is None and e.known != e.N:
            raise ValueError(f"figure {figure_id}: {e.id} counts {e.of}, not runs")
    title = title or titles.governance(found)
    desc = captions.described(found)
    rendered = pictures(
        KIND, LAYERS, _wide(found, context), _narrow(found, context),
        figure_id=figure_id, title=title, desc=desc, memo=context.memo,
    )  # fmt: skip
    reads = ["A bar is all attempts, by verdict."]
    if any(e.bounds for e in found):
        reads.append("Dotted: every attempt without a known verdict counted for, or against.")
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, svg_wide=rendered.wide, svg_narrow=rendered.narrow,
        caption=captions.caption(
            found, context, reads=reads, bar="the line below it", notes=captions.beside_notes(found)
        ),
        table=figure.reading(found), csv=figure.csv(found), spec=rendered.spec, estimates=found,
    )  # fmt: skip


def _pieces(e: Estimate) -> list[tuple[StateName, int]]:
    n, N = e.n or 0, e.N or 0
    good, bad = _NUMERATOR[e.polarity]
    sizes: tuple[tuple[StateName, int], ...] = (
        (good, n), (bad, N - n), ("unknown", e.unknown), ("error", e.errors), ("invalid", e.invalid),
    )  # fmt: skip
    return [(state, size) for state, size in sizes if size]


_NUMERATOR: dict[str, tuple[StateName, StateName]] = {
    "for": ("true", "false"), "against": ("false", "true"), "neither": ("still-in", "missing"),
}  # fmt: skip
"""Looks of the numerator and of what is not in it, by what the numerator speaks for."""

_KEY: tuple[tuple[StateName, str], ...] = (
    ("true", "counts for"), ("false", "counts against"), ("still-in", "counted"), ("unknown", "unknown"),
    ("error", "error"), ("invalid", "invalid record"), ("too-few", "too few, counts only"), ("withheld",
                                                                                             "withheld"),
)  # fmt: skip


def _key(found: Sequence[Estimate]) -> list[tuple[StateName, str]]:
    states = {state for e in found for state, _ in _pieces(e)}
    for e in found:
        if e.headline == "counts":
            states.add("too-few")
        if e.withheld is not None:
            states.add("withheld")
    return [(state, words) for state, words in _KEY if state in states]


def _most(found: Sequence[Estimate]) -> float:
    return float(max((e.attempts for e in found if e.withheld is None), default=1) or 1)


MOST_READING = 350.0
"""Room of a reading beside the axis, in px; a wider one leaves out the word for N, which captions give."""


def _reading(e: Estimate) -> list[Span]:
    if e.withheld is not None or e.headline == "nothing":
        return []
    whole: list[Span] = [Span(f"{ratio_words(e)} {of_words(e)} · "), *value_runs(e)]
    return whole if _wide_as(whole) <= MOST_READING else [Span(f"{ratio_words(e)} · "), *value_runs(e)]


def _wide_as(reading: Sequence[Span]) -> float:
    return width(spans.text(reading), bold=True)


def _href(e: Estimate, context: FigureContext) -> str:
    return context.links.reviews(
        ReviewFilter(experiment=e.experiment, family=e.family, group=e.group, stratum=e.stratum)
    )


def _mark(sheet: Sheet, e: Estimate, y: float) -> None:
    """What stands on the axis of shares: interval and bounds, or a strip that says why there is none."""
    start, end = sheet.parameters["start"], sheet.parameters["end"]
    if e.headline == "counts":
        sheet.state_box(start, y - 7, end - start, 14, "too-few")
    elif e.withheld is None:
        axes.estimate(sheet, e, y, under=12)


def _lines(pieces: Sequence[str], room: float) -> list[str]:
    """Words of a tally joined by dots, in as many lines as they take."""
    out: list[str] = []
    for piece in pieces:
        if out and width(f"{out[-1]} · {piece}", size=12) <= room:
            out[-1] += f" · {piece}"
        else:
            out.append(piece)
    return out


def _wide(found: tuple[Estimate, ...], context: FigureContext) -> Sheet:
    sheet = Sheet(WIDE)
    without = common_keys(found)
    reading = max(_wide_as(_reading(e)) for e in found)
    end = round(WIDE - max(190.0, reading) - 26) + 0.5
    sheet.parameters = {"left": 160.5, "right": end - 244, "counts": _most(found),
                        "low": 0.0, "high": 1.0, "start": end - 200, "end": end}  # fmt: skip
    y = sheet.key(0, 12, _key(found), WIDE) + 8
    shared = _shared(found)
    sheet.label(0, y, shared, size=12, fill="ink2", room=150)
    sheet.label(160, y, "every attempt, counted", size=12, fill="ink3")
    sheet.label(WIDE, y, "value [interval]; bounds", size=12, fill="ink3", align="right")
    axes.axis(sheet, SHARE_TICKS, y, [])
    y += 12
    for e in found:
        sheet.rule(0, y + 0.5, WIDE, y + 0.5)
        height = _wide_row(sheet, e, y, about(e, without=without, stratum=not shared), context)
        if e.withheld is None and e.headline != "nothing":
            axes.axis(sheet, SHARE_TICKS, 0, [(y + 4, y + height - 8)], labels=False)
        y += height
    sheet.height = y
    return sheet


def _shared(found: Sequence[Estimate]) -> str:
    """The stratum of every row, named once, where there are several rows."""
    strata = {where(e) for e in found}
    return strata.pop() if len(found) > 1 and len(strata) == 1 else ""


def _wide_row(sheet: Sheet, e: Estimate, y: float, whose: str, context: FigureContext) -> float:
    start, end = sheet.parameters["start"], sheet.parameters["end"]
    sheet.label(0, y + 25, headline_of(e), bold=True, room=150)
    named = wrap(whose, 150, size=12, lines=3)
    for i, words in enumerate(named):
        sheet.label(0, y + 42 + 15 * i, words, size=12, fill="ink2")
    if e.withheld is not None:
        sheet.withheld(160, y + 12, end - 160, 24)
        why = wrap(visible(e.withheld), WIDE - end - 26, size=12, lines=3)
        for i, words in enumerate(why):
            sheet.label(WIDE, y + 22 + 15 * i, words, size=12, fill="ink2", align="right")
        return 60.0 + 15 * max(0, len(why) - 2, len(named) - 1)
    sheet.stack(_pieces(e), y + 12, BAR)
    tally = _lines(tally_words(e), start - 180)
    for i, words in enumerate(tally):
        sheet.label(160, y + 47 + 15 * i, words, size=12, fill="ink2", href=_href(e, context))
    if e.headline == "nothing":
        sheet.label(start, y + 25, "N/A (0/0)", bold=True)
        for i, words in enumerate(wrap(why_nothing(e), WIDE - start, size=12, lines=2)):
            sheet.label(start, y + 42 + 15 * i, words, size=12, fill="ink2")
        return 60.0 + 15 * max(0, len(named) - 1)
    _mark(sheet, e, y + 22)
    sheet.label(WIDE, y + 26, _reading(e), align="right")
    sheet.label(WIDE, y + 43, _second(e), size=12, fill="ink2", align="right")
    return 60.0 + 15 * max(0, len(tally) - 1, len(named) - 1)


def _second(e: Estimate) -> str:
    return visible(e.interval.reason or "") if e.headline == "counts" else bounds_words(e)


def _narrow(found: tuple[Estimate, ...], context: FigureContext) -> Sheet:
    sheet = Sheet(NARROW)
    without = common_keys(found)
    sheet.parameters = {"left": 0.5, "right": NARROW - 0.5, "counts": _most(found),
                        "low": 0.0, "high": 1.0, "start": 6.0, "end": NARROW - 6.0}  # fmt: skip
    y = sheet.key(0, 12, _key(found), NARROW) + 6
    shared = _shared(found)
    for words in wrap(shared, NARROW, size=12, lines=2):
        sheet.label(0, y, words, size=12, fill="ink2")
        y += 18 if words else 0
    y += 8 if shared else 0
    for e in found:
        right = "" if e.withheld is not None else ratio_words(e)
        sheet.label(0, y, headline_of(e), bold=True, room=NARROW - 140)
        runs: list[Span] = [Span(right, "strong"), Span(f" {of_words(e)}", "quiet")] if right else []
        sheet.label(NARROW, y, runs, align="right")
        for words in wrap(about(e, without=without, stratum=not shared), NARROW, size=12, lines=2):
            y += 16
            sheet.label(0, y, words, size=12, fill="ink2")
        y = _narrow_row(sheet, e, y + 8, context)
    sheet.height = y - 20
    return sheet


def _narrow_row(sheet: Sheet, e: Estimate, y: float, context: FigureContext) -> float:
    if e.withheld is not None:
        sheet.withheld(1, y, NARROW - 2, 24)
        y += 40
        for words in wrap(visible(e.withheld), NARROW, size=12, lines=4):
            sheet.label(0, y, words, size=12, fill="ink2")
            y += 15
        return y + 16
    sheet.stack(_pieces(e), y, BAR)
    y += BAR + 15
    for words in _lines(tally_words(e), NARROW):
        sheet.label(0, y, words, size=12, fill="ink2", href=_href(e, context))
        y += 15
    if e.headline == "nothing":
        for words in wrap(f"N/A (0/0): {why_nothing(e)}", NARROW, size=12, lines=3):
            sheet.label(0, y + 3, words, size=12, fill="ink2")
            y += 15
        return y + 26
    ends = [tick for tick in SHARE_TICKS if tick[0] in (0.0, 0.5, 1.0)]
    axes.axis(sheet, ends, 0, [(y - 7, y + 17)], strong=(0.0, 1.0), labels=False)
    _mark(sheet, e, y + 2)
    sheet.label(0, y + 34, value_runs(e))
    sheet.label(NARROW, y + 34, _second(e), size=12, fill="ink2", align="right")
    return y + 74
