"""Funnel: nested stages from every attempt down, with the losses at each named by reason and linked.

Bars are grey while they only count and blue once a verdict is achieved; all are drawn in counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from metrics_core.results import STAGE, Estimate, Funnel, Loss, NotKnown, RunLoss, Stage, State
from metrics_core.text import visible
from site_src.drawing import NARROW, WIDE, Figure, Sheet, axes, figure, pictures, width, wrap
from site_src.marks import StateName
from site_src.wording import (
    FigureContext,
    ReviewFilter,
    Span,
    TextTable,
    captions,
    count,
    sentence_case,
    spans,
    titles,
)

KIND = "funnel"
LAYERS = ("boxes", "bars", "paths", "rules", "intervals", "caps", "labels")
BAR = 20
UNDER = 5
MOST_REASONS = 6

DOTTED = "Dotted: every attempt that is not known counted as lost by then, or as still in."

STATES: dict[str, StateName] = {
    "known": "false",
    "unknown": "unknown",
    "error": "error",
    "invalid": "invalid",
}
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
    desc = captions.described(estimates)
    rendered = pictures(
        KIND, LAYERS, _wide(shape, context), _narrow(shape, context),
        figure_id=figure_id, title=title, desc=desc, memo=context.memo,
    )  # fmt: skip
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, svg_wide=rendered.wide, svg_narrow=rendered.narrow,
        caption=caption, table=_table(shape), csv=figure.csv(estimates), spec=rendered.spec,
        estimates=estimates,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _StageRow:
    """Runs that a stage lost for one reason; ``reason`` is None where several are added up."""

    state: State
    words: str
    count: int
    reason: str | None = None


def _losses(stage: Stage) -> tuple[_StageRow, ...]:
    """Losses of a stage, known verdicts first; reasons beyond the sixth are added up by state."""
    ordered = sorted(stage.losses, key=lambda x: (_ORDER.index(x.state), -x.count, x.reason))
    if len(ordered) <= MOST_REASONS:
        return tuple(map(_row, ordered))
    kept, rest = ordered[: MOST_REASONS - 1], ordered[MOST_REASONS - 1 :]
    by_state: dict[State, list[Loss]] = {}
    for loss in rest:
        by_state.setdefault(loss.state, []).append(loss)
    summed = [
        _StageRow(state, _words(state, f"{len(found)} more reasons"), sum(x.count for x in found))
        if len(found) > 1
        else _row(found[0])
        for state, found in by_state.items()
    ]
    return (*map(_row, kept), *summed)


def _row(loss: Loss) -> _StageRow:
    return _StageRow(loss.state, _words(loss.state, loss.reason), loss.count, loss.reason)


def _words(state: State, reason: str) -> str:
    return visible(reason) if state == "known" else f"{state}: {visible(reason)}"


def _href(stage: Stage, loss: _StageRow, context: FigureContext) -> str:
    """The runs behind a loss; none where they are of several reasons, or are lines that are no run."""
    e = stage.estimate
    if loss.reason is None or loss.reason is NotKnown.NO_RECORD:
        return ""
    group = e.group.without(STAGE)
    lost = RunLoss(stage.name, loss.state, loss.reason, e.stratum)
    return context.links.reviews(
        ReviewFilter(experiment=e.experiment, family=e.family, group=group, stratum=e.stratum, lost=lost)
    )


def _ratio(e: Estimate) -> list[Span]:
    n, N = e.n or 0, e.N or 0
    return [Span(count(n), "strong"), Span(f"/{count(N)}", "quiet")]


def _key(shape: Funnel) -> list[tuple[StateName, str]]:
    states = {loss.state for stage in shape.stages for loss in stage.losses}
    words = {"known": "lost: a known verdict", "unknown": "lost: unknown", "error": "lost: error",
             "invalid": "lost: invalid record"}  # fmt: skip
    achieved: list[tuple[StateName, str]] = (
        [("true", "in, and achieved")] if any(s.achieved for s in shape.stages) else []
    )
    return [("still-in", "still in"), *achieved, *((STATES[s], words[s]) for s in _ORDER if s in states)]


def _open(e: Estimate) -> bool:
    """Whether more may be in than are known to be."""
    return e.bounds is not None and e.bounds[0] < e.bounds[1]


def _bar(sheet: Sheet, stage: Stage, top: float) -> float:
    """Draw a stage's bar, and its bounds under it; gives the x at which those still in end."""
    n = stage.estimate.n or 0
    lost = {state: sum(loss.count for loss in stage.losses if loss.state == state) for state in _ORDER}
    pieces: list[tuple[StateName, int]] = [("true" if stage.achieved else "still-in", n)]
    sheet.stack([*pieces, *((STATES[state], size) for state, size in lost.items())], top, BAR)
    left, right, counts = (sheet.parameters[name] for name in ("left", "right", "counts"))
    if stage.estimate.bounds and _open(stage.estimate):
        axes.bounds(sheet, *stage.estimate.bounds, top + BAR + UNDER)
    return left + n / counts * (right - left)


def _scale(shape: Funnel, left: float, right: float) -> dict[str, float]:
    """One axis for what is counted, from 0 to all attempts, and for their share."""
    attempts = float(shape.stages[0].estimate.N or 1)
    return {
        "left": left,
        "right": right,
        "counts": attempts,
        "low": 0.0,
        "high": 1.0,
        "start": left,
        "end": right,
    }


def _shown(shape: Funnel) -> Iterator[tuple[Stage, bool]]:
    for place, stage in enumerate(shape.stages):
        yield stage, place in (0, len(shape.stages) - 1)


def _wide(shape: Funnel, context: FigureContext) -> Sheet:
    sheet = Sheet(WIDE)
    names = [sentence_case(visible(s.name)) for s in shape.stages]
    name_room = min(215.0, max(width(n, bold=True) for n in names))
    if (why := shape.stages[0].estimate.withheld) is not None:
        sheet.notice(why)
        return sheet
    ratio_room = max(width(spans.text(_ratio(s.estimate)), bold=True) for s in shape.stages)
    left = round(name_room + 18 + ratio_room) + 12.5
    sheet.parameters = _scale(shape, left, 676.5)
    y = sheet.key(0, 12, _key(shape), WIDE) - 6
    ends: float | None = None
    below = 0.0
    for stage, bold in _shown(shape):
        if ends is not None:
            sheet.rule(ends, below, ends, y, "rule")
        lines = wrap(sentence_case(visible(stage.name)), 215, size=13, bold=bold, lines=2)
        for i, words in enumerate(lines):
            sheet.label(0, y + 14 + 16 * i - 8 * (len(lines) - 1), words, bold=bold)
        sheet.label(left - 12, y + 14, _ratio(stage.estimate), align="right")
        ends, below = _bar(sheet, stage, y), y + BAR  # the rule goes down from here to the next bar
        depth = 0
        for loss in _losses(stage):
            reason = wrap(loss.words, WIDE - 756, size=12, lines=2)
            sheet.swatch(700.5, y + 4.5 + depth, STATES[loss.state])
            sheet.label(744, y + 14 + depth, f"−{count(loss.count)}", bold=True, size=12, align="right")
            for i, words in enumerate(reason):
                sheet.label(
                    756,
                    y + 14 + depth + 15 * i,
                    words,
                    size=12,
                    fill="ink2",
                    href=_href(stage, loss, context),
                )
            depth += 19 + 15 * (len(reason) - 1)
        y += max(32, depth + 13)
    sheet.height = y
    return sheet


def _narrow(shape: Funnel, context: FigureContext) -> Sheet:
    sheet = Sheet(NARROW)
    if (why := shape.stages[0].estimate.withheld) is not None:
        sheet.notice(why)
        return sheet
    sheet.parameters = _scale(shape, 0.5, NARROW - 0.5)
    y = sheet.key(0, 12, _key(shape), NARROW) + 6
    for stage, _ in _shown(shape):
        sheet.label(0, y, sentence_case(visible(stage.name)), bold=True, room=NARROW - 90)
        sheet.label(NARROW, y, _ratio(stage.estimate), align="right")
        _bar(sheet, stage, y + 8)
        y += 8 + BAR + UNDER + 16
        for loss in _losses(stage):
            sheet.swatch(0.5, y - 10.5, STATES[loss.state])
            for words in wrap(f"−{count(loss.count)} {loss.words}", NARROW - 20, size=12, lines=3):
                sheet.label(20, y, words, size=12, fill="ink2", href=_href(stage, loss, context))
                y += 16
            y += 2
        y += 12
    sheet.height = y - 16
    return sheet


def _table(shape: Funnel) -> TextTable:
    rows = []
    for stage in shape.stages:
        e = stage.estimate
        losses = (f"{count(loss.count)} {_words(loss.state, loss.reason)}" for loss in stage.losses)
        lost = "; ".join(losses) or "none"
        spread = " to ".join(map(captions.share, e.bounds)) if e.bounds and _open(e) else ""
        rows.append((sentence_case(visible(stage.name)), captions.ratio(e), visible(e.of), spread, lost))
    return TextTable(("Stage", "Still in", "of", "Bounds", "Lost on the way to it"), tuple(rows), (1,))
