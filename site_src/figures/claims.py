"""Claims: each on one axis beside the line that it draws, with its number or the word that stands for one.

Claims about differences have one axis, claims about levels another for each unit; a figure has one axis. A
claim without an admissible number is an outlined strip with its word, never a 0 and never a gap.

The miniature of a claim is its own interval beside its line, small enough to stand before a word, with the
claimed side always on the right: right of the line is supported, left of it contradicted, across it with a
hollow point not separated; an ink bar is inadmissible, an empty box no data. It is hidden from assistive
technology: the word beside it speaks.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from metrics_core.results import Estimate
from site_src.decisions import COMPARED, JudgedClaim, Why, claim_words, thresholds
from site_src.drawing import (
    NARROW,
    WIDE,
    Figure,
    Sheet,
    Ticks,
    axes as axis_marks,
    difference_ticks,
    miniature,
    pictures,
    value_ticks,
    width,
    wrap,
)
from site_src.marks import StateName, colour, swatch
from site_src.wording import (
    SHADES,
    FigureContext,
    captions,
    methods,
    outer_interval,
    percent,
    spans,
    svg_markup,
)

KIND = "claims"
LAYERS = ("boxes", "grid", "paths", "rules", "intervals", "caps", "points", "overlays", "labels")

DIFFERENCES = "difference"
"""Name of the axis of differences; every other is that of a unit."""


def draw(
    claims: Sequence[JudgedClaim], *, figure_id: str, context: FigureContext, title: str = "",
) -> Figure:  # fmt: skip
    """Draw the claims of one axis.

    Args:
        claims: In the order of their rows.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the verdicts.

    Raises:
        ValueError: Claims of several axes, or none that rests on an estimate.
    """
    shown = tuple(claims)
    axes = {axis_of(j) for j in shown}
    found = tuple({e.id: e for j in shown for e in j.estimates}.values())
    if len(axes) != 1 or "" in axes or not found:
        raise ValueError(
            f"figure {figure_id}: {len(shown)} claims on {sorted(axes)}, of {len(found)} estimates"
        )
    title = title or claim_words.title(shown)
    desc = "; ".join((captions.described(found), *map(claim_words.described, shown)))
    scale = _scale(shown, axes.pop())
    wide, narrow = _wide(shown, scale), _narrow(shown, scale)
    rendered = pictures(
        KIND, LAYERS, wide, narrow, figure_id=figure_id, title=title, desc=desc, memo=context.memo
    )
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, svg_wide=rendered.wide, svg_narrow=rendered.narrow,
        caption=captions.caption(found, context, reads=_reads(shown), notes=_notes(shown)),
        table=claim_words.table(shown),
        csv=claim_words.csv(shown), spec=rendered.spec, estimates=found,
    )  # fmt: skip


def axis_of(judged: JudgedClaim) -> str:
    """On which axis a claim is drawn: that of differences, or of a unit; empty where it has no number."""
    if judged.control is not None:
        return ""
    if judged.claim.kind in COMPARED:
        return DIFFERENCES
    unit = judged.claim.unit or (judged.estimates[0].unit if judged.estimates else "fraction")
    return "fraction" if unit == "F1" else unit


def _notes(claims: Sequence[JudgedClaim]) -> list[str]:
    compared = [j.comparison for j in claims if j.comparison is not None and claim_words.shown(j)]
    return [*methods(compared), *captions.separation_notes(compared)]


def _reads(claims: Sequence[JudgedClaim]) -> list[str]:
    """What a row and its marks are."""
    reads = ["A row is one claim."]
    if any(claim_words.shown(j) for j in claims):
        reads.append("The bar is the 95\u202f% interval of what was found, the dashed line what is claimed.")
    if any(j.verdict == "cannot separate" for j in claims):
        reads.append(SHADES)
    return reads


def _scale(claims: Sequence[JudgedClaim], axis: str) -> Ticks:
    ends: list[float] = []
    for j in claims:
        if not claim_words.shown(j):
            continue
        ends.append(_line(j))
        limits = j.comparison.interval if j.comparison else j.estimates[0].interval
        value = j.comparison.difference if j.comparison else j.estimates[0].value
        ends += [v for v in (limits.lo, limits.hi, value) if v is not None]
    return difference_ticks(ends) if axis == DIFFERENCES else value_ticks(axis, ends)


def _line(judged: JudgedClaim) -> float:
    return thresholds.edge(judged.claim, judged.estimates[0]) if judged.estimates else judged.claim.line


def _wide(claims: Sequence[JudgedClaim], scale: Ticks) -> Sheet:
    sheet = Sheet(WIDE)
    first = max(width(claim_words.verdict(j), bold=True) for j in claims) + 18
    names = min(210.0, max(max(width(j.claim.names), width(claim_words.about(j), size=12)) for j in claims))
    values = [width(spans.text(claim_words.value(j)), bold=True) for j in claims]
    right = min(
        330.0,
        max(*values, *(width(claim_words.behind(j), size=12) for j in claims), width(_head(claims), size=12)),
    )
    sheet.parameters = {
        "low": scale[0][0], "high": scale[-1][0],
        "start": round(first + names + 36) + 0.5, "end": round(WIDE - max(right, *values) - 34) + 0.5,
    }  # fmt: skip
    y = 12.0
    sheet.label(0, y, "Claim", size=12, fill="ink3")
    sheet.label(WIDE, y, _head(claims), size=12, fill="ink3", align="right")
    axis_marks.axis(sheet, scale, y, [])
    y += 10
    sheet.rule(0, y + 0.5, WIDE, y + 0.5, "rule")
    for place, j in enumerate(claims):
        if place:
            sheet.rule(0, y + 0.5, WIDE, y + 0.5)
        about = wrap(claim_words.about(j), names, lines=2)
        why = wrap(claim_words.behind(j), right, lines=3)
        depth = 29.0 + 15 * max(len(about), len(why))
        if claim_words.shown(j):
            axis_marks.axis(sheet, scale, 0, [(y + 6, y + depth - 6)], strong=(0.0,), labels=False)
        sheet.label(0, y + 20, claim_words.verdict(j), bold=True)
        sheet.label(first, y + 20, j.claim.names, room=names)
        sheet.label(WIDE, y + 20, claim_words.value(j), align="right")
        for at, words in enumerate(about):
            sheet.label(first, y + 36 + 15 * at, words, size=12, fill="ink2")
        for at, words in enumerate(why):
            sheet.label(WIDE, y + 36 + 15 * at, words, size=12, fill="ink2", align="right")
        _mark(sheet, j, y + 22.5)
        y += depth
    sheet.height = y
    return sheet


def _narrow(claims: Sequence[JudgedClaim], scale: Ticks) -> Sheet:
    sheet = Sheet(NARROW)
    sheet.parameters = {"low": scale[0][0], "high": scale[-1][0], "start": 20.0, "end": NARROW - 20.0}
    y = 12.0
    axis_marks.axis(sheet, scale, y, [])
    y += 8
    for j in claims:
        sheet.rule(0, y + 0.5, NARROW, y + 0.5)
        sheet.label(0, y + 19, claim_words.verdict(j), bold=True, room=NARROW)
        y += 34
        whole = f"{j.claim.names}, {claim_words.about(j)}"
        fits = width(whole, size=12) <= NARROW
        for words in (whole,) if fits else (j.claim.names, *wrap(claim_words.about(j), NARROW, lines=2)):
            sheet.label(0, y, words, size=12, fill="ink2", room=NARROW)
            y += 15
        if claim_words.shown(j):
            axis_marks.axis(sheet, scale, 0, [(y - 6, y + 24)], strong=(0.0,), labels=False)
        _mark(sheet, j, y + 9)
        y += 40
        sheet.label(0, y, claim_words.value(j))
        for words in wrap(claim_words.behind(j), NARROW, lines=4):
            y += 16
            sheet.label(0, y, words, size=12, fill="ink2")
        y += 12
    sheet.height = y - 4
    return sheet


def _head(claims: Sequence[JudgedClaim]) -> str:
    what = "difference" if axis_of(claims[0]) == DIFFERENCES else "value"
    return f"{what} [{percent(0.95)} interval]"


def _mark(sheet: Sheet, j: JudgedClaim, y: float) -> None:
    """The number of a claim on the axis with its line, or the strip."""
    start, end = sheet.parameters["start"], sheet.parameters["end"]
    if j.verdict == "no data":
        sheet.box(start, y - 11, end - start, 22, stroke="unknown", dash=(2, 2))
        sheet.label((start + end) / 2, y + 4.5, claim_words.strip(j), bold=True, align="center")
        return
    if not claim_words.shown(j):
        sheet.withheld(start, y - 11, end - start, 22, claim_words.strip(j))
        return
    sheet.add("grid", at=_line(j), y=y - 15, y2=y + 15, stroke=colour("ink2"), width=1, dash=[4, 3])
    if j.comparison is None:
        _level(sheet, j.estimates[0], y, hollow=j.verdict == "cannot separate")
        return
    c = j.comparison
    if c.interval.lo is not None and c.interval.hi is not None:
        axis_marks.interval(sheet, c.interval.lo, c.interval.hi, y)
    if c.difference is not None:
        axis_marks.point(sheet, c.difference, y, shade=_shade(j))


def _shade(j: JudgedClaim) -> axis_marks.Shade:
    """Half where the same tasks alone tell two arms apart, and the claim needs more."""
    if j.verdict != "cannot separate":
        return "full"
    return "half" if j.why is Why.SAME_TASKS_ONLY else "hollow"


def _level(sheet: Sheet, e: Estimate, y: float, *, hollow: bool) -> None:
    axis_marks.estimate(sheet, e, y)
    if hollow and e.headline == "point" and e.value is not None:
        axis_marks.point(sheet, e.value, y, shade="hollow")


# --------------------------------------------------------------------------------------------- the miniature


def sign(judged: JudgedClaim) -> Markup:
    """A claim in the room of a word; the swatch of its state for a claim about a control."""
    if judged.control is not None:
        state: StateName = {"held": "true", "failed": "false"}.get(judged.control.state, "missing")  # type: ignore[assignment]
        return svg_markup(swatch(state))
    if judged.verdict == "inadmissible":
        ink, paper = colour("ink"), colour("paper")
        return miniature.picture(
            f'<path fill="{ink}" d="M0,0h44v16h-44Z"/><path stroke="{paper}" stroke-width="2" d="M6,8h32"/>'
        )
    placed = _placed(judged)
    if placed is None:
        return miniature.picture(
            f'<path stroke="{colour("unknown")}" stroke-dasharray="2,2" d="M0.5,0.5h43v15h-43Z"/>'
        )
    return miniature.interval(*placed, _shade(judged))


def _placed(judged: JudgedClaim) -> tuple[float, float, float] | None:
    """Lower limit, value and upper limit from the line, the claimed side to the right."""
    claim = judged.claim
    if judged.verdict == "no data":
        return None
    if judged.comparison is not None:
        c = judged.comparison
        lo, at, hi, line = (
            c.interval.lo,
            c.difference,
            c.interval.hi,
            thresholds.edge(claim, judged.estimates[0]),
        )
        back = thresholds.lower_is_better(claim, judged.estimates[0]) or (
            claim.kind == "separated from" and (at or 0.0) < 0
        )
    else:
        e = judged.estimates[0]
        limits = (outer_interval(e) if e.headline == "bounds" else None) or e.interval
        lo, at, hi, line = limits.lo, e.value, limits.hi, claim.line
        back = claim.kind != "at least"
    if lo is None or at is None or hi is None:
        return None
    ends = [(v - line) * (-1 if back else 1) for v in (lo, at, hi)]
    ends.sort()
    return ends[0], ends[1], ends[2]
