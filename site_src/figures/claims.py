"""Claims: each on one axis beside the line that it draws, with its number or the word that stands for one.

Claims about differences have one axis, claims about levels another for each unit; a figure has one axis. A
claim without an admissible number is an outlined strip with its word, never a 0 and never a gap.

The miniature of a claim is its own interval beside its line, small enough to stand before a word, with the
claimed side always on the right: right of the line is supported, left of it contradicted, across it with a
hollow point not separated; an ink bar is inadmissible, an empty box no data. It is hidden from assistive
technology: the word beside it speaks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from metrics_core.text import visible
from site_src.decisions import COMPARED, JudgedClaim, Why, claim_words, thresholds
from site_src.drawing import (
    SHARES,
    DrawnRow,
    Figure,
    RowCell,
    RowFigure,
    RowGroup,
    RowHead,
    RowTable,
    Shade,
    Ticks,
    arm_rows,
    chart,
    difference_ticks,
    miniature,
    strip,
    value_ticks,
)
from site_src.marks import StateName, colour, swatch
from site_src.wording import (
    SHADES,
    FigureContext,
    Span,
    captions,
    group_words,
    methods,
    metric_words,
    outer_interval,
    svg_markup,
)

KIND = "claims"
HEIGHT = 28.0
"""Of a row, in px."""

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
    table = _table(shown, axes.pop(), context)
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, rows=RowFigure(id=figure_id, tables=(table,)),
        caption=captions.caption(found, context, reads=_reads(shown), notes=_notes(shown)),
        table=claim_words.table(shown),
        csv=claim_words.csv(shown), spec=_specification(shown), estimates=found,
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


# ---------------------------------------------------------------------------------------------------- rows


def _table(claims: Sequence[JudgedClaim], axis: str, context: FigureContext) -> RowTable:
    scale = _scale(claims, axis)
    differences = axis == DIFFERENCES
    what = "Difference" if differences else "Value"
    term = context.links.term("paired" if differences else "interval")
    return RowTable(
        of="claimed",
        whose="Claim",
        heads=(
            RowHead(kind="value", words=f"{what} [95\u202f% interval]", defined=term),
            RowHead(kind="finding", words="n/N, and what is claimed", defined=context.links.term("n-of-n")),
        ),
        scale=strip.scale(scale),
        groups=(RowGroup(rows=tuple(_row(j, scale) for j in claims)),),
    )


def _row(j: JudgedClaim, scale: Ticks) -> DrawnRow:
    named = (Span(claim_words.verdict(j), "strong"), Span(j.claim.names, "under"))
    number = claim_words.value(j) if claim_words.shown(j) else [Span(claim_words.strip(j), "strong")]
    return DrawnRow(
        name=(*named, Span(claim_words.about(j), "under")),
        marks=_marks(j, scale),
        cells=(
            RowCell(kind="value", words=tuple(number)),
            RowCell(kind="finding", words=(Span(claim_words.behind(j)),)),
        ),
        arms=arm_rows.both(j.comparison) if j.comparison is not None else "",
        says=claim_words.described(j),
    )


def _marks(j: JudgedClaim, scale: Ticks) -> Markup:
    """The number of a claim on the axis with its line, or the strip that says there is none."""
    marks = strip.Strip(scale[0][0], scale[-1][0], HEIGHT)
    if not claim_words.shown(j):
        marks.state("missing" if j.verdict == "no data" else "withheld")
        return marks.markup
    marks.grid((value for value, _ in scale), strong=(0.0,))
    marks.claimed(_line(j))
    if j.comparison is not None:
        marks.difference(j.comparison.difference, j.comparison.interval, _shade(j))
        return marks.markup
    e = j.estimates[0]
    marks.estimate(e)
    if j.verdict == "cannot separate" and e.headline == "point" and e.value is not None:
        marks.point(e.value, shade="hollow")
    return marks.markup


def _specification(claims: Sequence[JudgedClaim]) -> dict[str, Any]:
    """The arms that claims are about, and below them each difference with the line that is claimed."""
    found = {e.id: e for j in claims for e in j.estimates}.values()
    pairs: list[Mapping[str, Any]] = [
        {
            "pair": visible(j.claim.text), "difference": j.comparison.difference,
            "lo": j.comparison.interval.lo, "hi": j.comparison.interval.hi, "outcome": j.verdict,
            "p": j.comparison.p_adjusted,
            "line": _line(j), "comparison": j.comparison.id,
        }
        for j in claims
        if j.comparison is not None and claim_words.shown(j)
    ]  # fmt: skip
    rows = [chart.row_of(e, metric_words(e.metric, e.words), group_words(e.group, e.words)) for e in found]
    return chart.in_rows(KIND, rows, pairs, shares=all(e.unit in SHARES for e in found))


def _shade(j: JudgedClaim) -> Shade:
    """Half where the same tasks alone tell two arms apart, and the claim needs more."""
    if j.verdict != "cannot separate":
        return "full"
    return "half" if j.why is Why.SAME_TASKS_ONLY else "hollow"


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
