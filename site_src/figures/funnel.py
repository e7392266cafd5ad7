"""Funnel: nested stages from every attempt down, with the losses at each named by reason and linked.

Bars are grey while they only count and blue once a verdict is achieved; all are drawn in counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from metrics_core.results import STAGE, Estimate, Funnel, Loss, NotKnown, RunLoss, Stage, State
from metrics_core.text import visible
from site_src.drawing import (
    DrawnRow,
    Figure,
    RowCell,
    RowFigure,
    RowGroup,
    RowHead,
    RowTable,
    arm_rows,
    chart,
    figure,
    strip,
)
from site_src.marks import StateName, swatch
from site_src.wording import (
    FigureContext,
    Line,
    ReviewFilter,
    Span,
    TextTable,
    arm_of,
    captions,
    count,
    ratio,
    sentence_case,
    shown_name,
    svg_markup,
    titles,
)

KIND = "funnel"
BAR, FOOT = 22.0, 6.0
"""Of a stage's bar, and of what stands below it, in px."""
MOST_REASONS = 6

DOTTED = "Dotted: every attempt that is not known counted as lost by then, or as still in."

STATES: dict[str, StateName] = {
    "known": "false",
    "unknown": "unknown",
    "error": "error",
    "invalid": "invalid",
}
LOST: dict[State, str] = {
    "known": "lost: a known verdict",
    "unknown": "lost: unknown",
    "error": "lost: error",
    "invalid": "lost: invalid record",
}
"""Each loss in words, in the order of the key."""
_ORDER = tuple(STATES)


def draw(
    shape: Funnel, *, figure_id: str, context: FigureContext, title: str = ""
) -> Figure:  # fmt: skip
    """Draw a funnel.

    Args:
        shape: Stages with their losses.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.

    Raises:
        ValueError: A funnel without a stage.
    """
    estimates = tuple(stage.estimate for stage in shape.stages)
    if not estimates:
        raise ValueError(f"figure {figure_id}: a funnel without a stage")
    title = title or titles.funnel(shape)
    counted = [e for e, s in zip(estimates, shape.stages, strict=True) if s.achieved] or [estimates[-1]]
    reads = [
        "A bar is the runs still in, of all attempts; beside it those lost there, and why.",
        *([DOTTED] if any(map(_open, estimates)) else ()),
    ]
    caption = captions.caption(counted, context, reads=reads)
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=captions.described(estimates),
        rows=_rows(shape, figure_id, context), caption=caption, table=_table(shape),
        csv=figure.csv(estimates), spec=_specification(shape), estimates=estimates,
    )  # fmt: skip


class _StageLoss(Struct, frozen=True):
    """Runs that a stage lost for one reason; ``reason`` is None where several are added up."""

    state: State
    words: str
    count: int
    reason: str | None = None


def _losses(stage: Stage) -> tuple[_StageLoss, ...]:
    """Losses of a stage, known verdicts first; reasons beyond the sixth are added up by state."""
    ordered = sorted(stage.losses, key=lambda x: (_ORDER.index(x.state), -x.count, x.reason))
    if len(ordered) <= MOST_REASONS:
        return tuple(map(_loss, ordered))
    kept, rest = ordered[: MOST_REASONS - 1], ordered[MOST_REASONS - 1 :]
    by_state: dict[State, list[Loss]] = {}
    for loss in rest:
        by_state.setdefault(loss.state, []).append(loss)
    summed = [
        _StageLoss(state, _words(state, f"{len(found)} more reasons"), sum(x.count for x in found))
        if len(found) > 1
        else _loss(found[0])
        for state, found in by_state.items()
    ]
    return (*map(_loss, kept), *summed)


def _loss(loss: Loss) -> _StageLoss:
    return _StageLoss(loss.state, _words(loss.state, loss.reason), loss.count, loss.reason)


def _words(state: State, reason: str) -> str:
    return visible(reason) if state == "known" else f"{state}: {visible(reason)}"


def _href(stage: Stage, loss: _StageLoss, context: FigureContext) -> str:
    """The runs behind a loss; none where they are of several reasons, or are lines that are no run."""
    e = stage.estimate
    if loss.reason is None or loss.reason is NotKnown.NO_RECORD:
        return ""
    group = e.group.without(STAGE)
    lost = RunLoss(stage.name, loss.state, loss.reason, e.stratum)
    return context.links.reviews(
        ReviewFilter(experiment=e.experiment, family=e.family, group=group, stratum=e.stratum, lost=lost)
    )


def _key(shape: Funnel) -> Iterator[Line]:
    states = {loss.state for stage in shape.stages for loss in stage.losses}
    yield _sample("still-in", "still in")
    if any(s.achieved for s in shape.stages):
        yield _sample("true", "in, and achieved")
    for state, words in LOST.items():
        if state in states:
            yield _sample(STATES[state], words)


def _sample(state: StateName, words: str) -> Line:
    return (Span(words, mark=svg_markup(swatch(state))),)


def _open(e: Estimate) -> bool:
    """Whether more may be in than are known to be."""
    return e.bounds is not None and e.bounds[0] < e.bounds[1]


# ---------------------------------------------------------------------------------------------------- rows


def _rows(shape: Funnel, figure_id: str, context: FigureContext) -> RowFigure:
    if shape.stages[0].estimate.withheld is not None:
        group = RowGroup(instead=arm_rows.withheld([shape.stages[0].estimate], context))
    else:
        group = RowGroup(rows=tuple(_row(stage, shape, context) for stage in shape.stages))
    attempts = shape.stages[0].estimate.N or 1
    stages = RowTable(
        of="stages",
        whose="Still in",
        heads=(
            RowHead(kind="counted", words="n/N", defined=context.links.term("n-of-n")),
            RowHead(kind="finding", words="Lost on the way to it"),
        ),
        scale=strip.scale(((0.0, "0"), (float(attempts), count(attempts)))),
        groups=(group,),
    )
    key = () if group.instead else tuple(_key(shape))
    return RowFigure(id=figure_id, key=key, tables=(stages,))


def _row(stage: Stage, shape: Funnel, context: FigureContext) -> DrawnRow:
    e = stage.estimate
    arm = arm_of(e.group.without(STAGE), e.words)
    losses = tuple(_lost(stage, loss, context) for loss in _losses(stage))
    return DrawnRow(
        name=(Span(sentence_case(shown_name(stage.name)), "strong" if stage.achieved else "plain"),),
        marks=_bar(stage, float(shape.stages[0].estimate.N or 1)),
        cells=(
            RowCell(kind="counted", words=(Span(ratio(e), "strong", estimate=e.id),)),
            RowCell(kind="finding", words=losses),
        ),
        arms="" if arm is None else shown_name(arm[1]),
        says=captions.described([e]),
    )


def _bar(stage: Stage, attempts: float) -> Markup:
    """The runs still in and those lost here, in counts; under them the bounds of those still in."""
    e = stage.estimate
    marks = strip.Strip(0.0, attempts, BAR + FOOT, FOOT)
    at = 0.0
    for state, size in _pieces(stage):
        marks.part(at, at + size, state)
        at += size
    if e.bounds is not None and _open(e):
        marks.bounds(e.bounds[0] * attempts, e.bounds[1] * attempts)
    return marks.markup


def _pieces(stage: Stage) -> list[tuple[StateName, int]]:
    lost = {state: sum(loss.count for loss in stage.losses if loss.state == state) for state in _ORDER}
    still: StateName = "true" if stage.achieved else "still-in"
    pieces = [(still, stage.estimate.n or 0), *((STATES[state], size) for state, size in lost.items())]
    return [(state, size) for state, size in pieces if size]


def _lost(stage: Stage, loss: _StageLoss, context: FigureContext) -> Span:
    words = f"−{count(loss.count)} {loss.words}"
    mark = svg_markup(swatch(STATES[loss.state]))
    return Span(words, "under", _href(stage, loss, context), mark=mark)


# ------------------------------------------------------------------------------------------ specification


def _specification(shape: Funnel) -> dict[str, Any]:
    rows = []
    for stage in shape.stages if shape.stages[0].estimate.withheld is None else ():
        at = 0
        for state, size in _pieces(stage):
            e = stage.estimate
            rows.append({
                "stage": sentence_case(shown_name(stage.name)), "state": state, "start": at, "end": at + size,
                "n": e.n, "N": e.N, "estimate": e.id,
            })  # fmt: skip
            at += size
    return chart.in_bars(KIND, rows)


def _table(shape: Funnel) -> TextTable:
    rows = []
    for stage in shape.stages:
        e = stage.estimate
        losses = (f"{count(loss.count)} {_words(loss.state, loss.reason)}" for loss in stage.losses)
        lost = "; ".join(losses) or "none"
        spread = " to ".join(map(captions.share, e.bounds)) if e.bounds and _open(e) else ""
        rows.append((sentence_case(shown_name(stage.name)), captions.ratio(e), visible(e.of), spread, lost))
    return TextTable(("Stage", "Still in", "of", "Bounds", "Lost on the way to it"), tuple(rows), (1,))
