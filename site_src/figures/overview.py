"""Overview: every metric and stratum a block, a row a model, all on one axis of shares from 0 to 1.

Models have no colour: place and name distinguish them. Brackets join what the pack cannot separate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metrics_core.results import Comparison, Estimate
from metrics_core.text import visible
from site_src.drawing import (
    NARROW,
    SHARE_TICKS,
    SHARES,
    WIDE,
    Figure,
    Sheet,
    axes,
    brackets,
    figure,
    pictures,
    width,
    wrap,
)
from site_src.wording import (
    FigureContext,
    Span,
    arm_of,
    captions,
    count,
    deciding_intervals,
    group_words,
    listed,
    metric_words,
    ratio_words,
    sentence_case,
    spans,
    stratum_words,
    titles,
    value_runs,
)

KIND = "overview"
LAYERS = ("boxes", "grid", "paths", "rules", "intervals", "caps", "points", "overlays", "labels")
ROW = 22
METRIC_ROOM, MODEL_ROOM = 190.0, 160.0
NOT_SEPARATED = "not separated"

NOT_COMPARED = "not compared"
"""Stands beside rows without a bracket that no comparison separates either."""


@dataclass(frozen=True, slots=True)
class _Block:
    """One metric and stratum: its rows, and groups of rows that are not separated, by their place.

    ``compared`` is whether its rows are compared with each other at all.
    """

    head: str
    about: str
    rows: tuple[Estimate, ...]
    groups: tuple[tuple[int, ...], ...]
    compared: bool

    @property
    def counts(self) -> bool:
        """Whether anything is known of any row, or is withheld."""
        return any(e.withheld is not None or e.N for e in self.rows)

    @property
    def withheld(self) -> bool:
        """Whether none of its rows may be shown."""
        return all(e.withheld is not None for e in self.rows)


def draw(
    estimates: Sequence[Estimate], comparisons: Sequence[Comparison], *, figure_id: str,
    context: FigureContext,
    title: str = "", arms: str = "models",
) -> Figure:  # fmt: skip
    """Draw an overview.

    Args:
        estimates: Shares, and means of shares, in the order of blocks and rows.
        comparisons: Of the models within a metric and stratum.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.
        arms: What the rows are, in the plural.

    Raises:
        ValueError: No estimate.
    """
    found = tuple(estimates)
    if not found:
        raise ValueError(f"figure {figure_id}: nothing to give an overview of")
    made = _blocks(found, comparisons)
    compared = [
        pairs for b in made if not b.withheld and b.counts and (pairs := _compared_in(b.rows, comparisons))
    ]
    metrics = [(e.family, e.metric) for b in made for e in b.rows[:1]]
    title = title or titles.overview(
        compared,
        sum(b.withheld for b in made),
        arms=arms,
        noun="metric" if len(set(metrics)) == len(metrics) else "block",
    )
    desc = captions.described(found)
    rendered = pictures(
        KIND, LAYERS, _wide(made, context), _narrow(made, context),
        figure_id=figure_id, title=title, desc=desc, memo=context.memo,
    )  # fmt: skip
    notes = [*captions.separation_notes(comparisons), *_deciding(made, comparisons)]
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=desc, svg_wide=rendered.wide, svg_narrow=rendered.narrow,
        caption=captions.caption(
            found, context, reads=(f"A row is one of the {arms}.",), bar="the bar", notes=notes
        ), table=figure.reading(found),
        csv=figure.csv(found),
        spec=rendered.spec, estimates=found,
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------------- blocks


def _blocks(found: Sequence[Estimate], comparisons: Sequence[Comparison]) -> list[_Block]:
    """Estimates by metric and stratum, in the order in which they first come."""
    by_key: dict[tuple[object, ...], list[Estimate]] = {}
    for e in found:
        by_key.setdefault(_key(e), []).append(e)
    several = len({e.experiment for e in found}) > 1
    made = []
    for rows in by_key.values():
        e = rows[0]
        pairs = _compared_in(rows, comparisons)
        silent = NOT_COMPARED if comparisons and not pairs and len(rows) > 1 else ""
        where = stratum_words(e.stratum, e.words)
        about = ", ".join(w for w in (where, visible(e.experiment) if several else "", silent) if w)
        arms = [visible((arm_of(row.group, row.words) or ("", _arm(row)))[1]) for row in rows]
        groups = brackets.not_separated(arms, pairs) if len(set(arms)) == len(arms) else ()
        places = tuple(tuple(arms.index(name) for name in group) for group in groups)
        head = f"{sentence_case(visible(e.family))}: {metric_words(e.metric, e.words)}"
        made.append(_Block(head, about, tuple(rows), places, bool(pairs)))
    return made


def _key(e: Estimate) -> tuple[object, ...]:
    return (e.experiment, e.family, e.metric, e.stratum, e.contract.digest)


def _compared_in(block: Sequence[Estimate], comparisons: Sequence[Comparison]) -> list[Comparison]:
    e = block[0]
    return [c for c in comparisons
            if (c.experiment, c.family, c.metric, c.stratum) == (e.experiment, e.family, e.metric, e.stratum)
            and (arm_of(e.group, e.words) or (c.over,))[0] == c.over]  # fmt: skip


def _deciding(blocks: Sequence[_Block], comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Which intervals decide in each block that draws bounds in their place."""
    for block in blocks:
        arms = {arm[1]: e for e in block.rows if (arm := arm_of(e.group, e.words)) is not None}
        if not block.withheld and (said := deciding_intervals(_compared_in(block.rows, comparisons), arms)):
            yield f"{metric_words(block.rows[0].metric, block.rows[0].words)}: {said}"


# ------------------------------------------------------------------------------------------------------ rows


def _arm(e: Estimate) -> str:
    """The name of a row."""
    return group_words(e.group, e.words)


def _lost(e: Estimate) -> int:
    """Attempts without a known verdict."""
    return e.attempts - e.known


def _mark(sheet: Sheet, e: Estimate, y: float) -> None:
    """What stands on the axis of shares in a row."""
    start, end = sheet.parameters["start"], sheet.parameters["end"]
    if e.withheld is not None:
        sheet.withheld(start, y - 8, end - start, 16)
    elif e.headline == "counts":
        sheet.state_box(start, y - 6, end - start, 12, "too-few")
    elif e.unit in SHARES:
        axes.estimate(sheet, e, y)
    else:
        sheet.label(start + 8, y + 4, f"{visible(e.unit)}: not on this axis", size=12, fill="ink3")


def _why(block: _Block) -> tuple[str, str]:
    """What the control found, and the control's words for the link."""
    e = block.rows[0]
    return sentence_case(visible(e.withheld or "")), e.control or e.withheld or ""


def _brief_losses(e: Estimate) -> list[str]:
    """What is not known, by state, in the least room."""
    found = ((e.unknown, "unk."), (e.errors, "err."), (e.invalid, "inv."))
    return [f"{count(n)} {word}" for n, word in found if n and e.withheld is None]


# ---------------------------------------------------------------------------------------------------- layout


def _plain(runs: Sequence[Span]) -> float:
    return width(spans.text(runs), bold=True)


def _wide(blocks: Sequence[_Block], context: FigureContext) -> Sheet:
    sheet = Sheet(WIDE)
    rows = [e for b in blocks for e in b.rows if not b.withheld]
    deep = max((len(b.groups) for b in blocks), default=0)
    bracket = WIDE - (width(NOT_SEPARATED, size=12) + 14 + (min(deep, 3) - 1) * brackets.STEP if deep else 0)
    lost_x = bracket - (12 if deep else 0)
    ratio_x = lost_x - max(width("not known", size=12), 40) - 14
    value_x = ratio_x - max((width(ratio_words(e)) for e in rows), default=60) - 22
    model_x = METRIC_ROOM + 16
    start = model_x + min(MODEL_ROOM, max((width(_arm(e)) for e in rows), default=30)) + 18
    end = value_x - max((_plain(value_runs(e)) for e in rows), default=120) - 24
    sheet.parameters = {"low": 0.0, "high": 1.0, "start": round(start) + 0.5, "end": round(end) + 0.5}
    sheet.label(0, 12, "Metric, stratum", size=12, fill="ink3")
    sheet.label(model_x, 12, "Model", size=12, fill="ink3")
    for x, words in ((value_x, "Value [95\u202f% interval]"), (ratio_x, "n/N"), (lost_x, "not known")):
        sheet.label(x, 12, words, size=12, fill="ink3", align="right")
    axes.axis(sheet, SHARE_TICKS, 12, [])
    sheet.rule(0, 22.5, WIDE, 22.5, "rule")
    y = 24.0
    for place, block in enumerate(blocks):
        if place:
            sheet.rule(0, y + 0.5, WIDE, y + 0.5)
        depth = _wide_head(sheet, block, y)
        if block.withheld:
            y += max(depth, _wide_withheld(sheet, block, y, model_x, context))
            continue
        for i, e in enumerate(block.rows):
            at = y + 21 + ROW * i
            sheet.label(model_x, at, _arm(e), room=min(MODEL_ROOM, start - model_x - 10))
            sheet.label(value_x, at, value_runs(e), align="right")
            sheet.label(ratio_x, at, ratio_words(e) if e.N else "", align="right")
            sheet.label(lost_x, at, count(_lost(e)), fill="ink" if _lost(e) else "ink3", align="right")
            _mark(sheet, e, at - 4.5)
        depth = max(depth, 10.0 + ROW * len(block.rows))
        axes.axis(sheet, SHARE_TICKS, 0, [(y + 5, y + depth - 4)], labels=False)
        if block.groups:
            members = [[y + 16.5 + ROW * i for i in group] for group in block.groups]
            right = brackets.draw(sheet, bracket, members)
            middle = (members[0][0] + members[0][-1]) / 2 if len(members) == 1 else y + depth / 2
            sheet.label(right + 6, middle + 4, NOT_SEPARATED, size=12, fill="ink2")
        y += depth + 2
    sheet.height = y
    return sheet


def _wide_head(sheet: Sheet, block: _Block, y: float) -> float:
    """Name and stratum of a block; gives the height they take."""
    at = y + 21
    for words in wrap(block.head, METRIC_ROOM, size=13, bold=True, lines=2):
        sheet.label(0, at, words, bold=True)
        at += 17
    for words in wrap(block.about, METRIC_ROOM, size=12, lines=3) if block.about else ():
        sheet.label(0, at, words, size=12, fill="ink2")
        at += 15
    return at - y - 4


def _wide_withheld(sheet: Sheet, block: _Block, y: float, model_x: float, context: FigureContext) -> float:
    start, end = sheet.parameters["start"], sheet.parameters["end"]
    names = "all" if len(block.rows) > 1 or not block.rows[0].group else _arm(block.rows[0])
    sheet.label(model_x, y + 21, names, room=start - model_x - 10)
    sheet.withheld(start, y + 9, end - start, 26)
    found, control = _why(block)
    x, at = end + 20, y + 21
    head = "Withheld."
    lines = wrap(f"{head} {found}", WIDE - x - 10, size=12, lines=3)
    for i, words in enumerate(lines):
        runs: list[Span] = [Span(head, "strong"), Span(words[len(head) :], "quiet")]
        sheet.label(x, at, runs if i == 0 else words, size=12, fill="ink2")
        at += 16
    if href := context.links.control(block.rows[0].experiment, control):
        sheet.label(x, at, "Read the failed control", size=12, fill="link", href=href)
        at += 16
    return max(46.0, at - y - 6)


def _narrow(blocks: Sequence[_Block], context: FigureContext) -> Sheet:
    sheet = Sheet(NARROW)
    sheet.parameters = {"low": 0.0, "high": 1.0, "start": 6.0, "end": NARROW - 6.0}
    y = 0.0
    for block in blocks:
        sheet.rule(0, y + 0.5, NARROW, y + 0.5, "rule")
        for words in wrap(block.head, NARROW, size=13, bold=True, lines=2):
            sheet.label(0, y + 20, words, bold=True)
            y += 17
        for words in wrap(block.about, NARROW, size=12, lines=2) if block.about else ():
            sheet.label(0, y + 19, words, size=12, fill="ink2")
            y += 15
        y = (
            _narrow_withheld(sheet, block, y + 12, context)
            if block.withheld
            else _narrow_rows(sheet, block, y + 26)
        )
    sheet.height = y - 8
    return sheet


def _narrow_rows(sheet: Sheet, block: _Block, y: float) -> float:
    ends = [tick for tick in SHARE_TICKS if tick[0] in (0.0, 0.5, 1.0)]
    for e in block.rows:
        value = value_runs(e)
        counts = " · ".join(words for words in (ratio_words(e) if e.N else "", *_brief_losses(e)) if words)
        name = width(_arm(e))
        one = _plain(value) + width(f" · {counts}")
        if one + min(name, 150) + 10 <= NARROW:
            sheet.label(0, y, _arm(e), room=NARROW - one - 10)
            sheet.label(
                NARROW, y, [*value, Span(f" · {counts}", "quiet")] if counts else value, align="right"
            )
        else:
            sheet.label(0, y, _arm(e), room=NARROW - _plain(value) - 10)
            sheet.label(NARROW, y, value, align="right")
            y += 16
            sheet.label(NARROW, y, counts, size=12, fill="ink2", align="right")
        if e.withheld is None and e.headline != "nothing":
            axes.axis(sheet, ends, 0, [(y + 7, y + 21)], strong=(0.0, 1.0), labels=False)
            _mark(sheet, e, y + 14)
        elif e.withheld is not None:
            sheet.withheld(1, y + 6, NARROW - 2, 18)
        y += 38
    for group in block.groups:
        names = [_arm(block.rows[i]) for i in group]
        whole = len(group) == len(block.rows) and len(group) > 2
        for words in wrap(
            f"Cannot be separated: {f'all {len(group)}' if whole else listed(names)}", NARROW, size=12
        ):
            sheet.label(0, y, words, size=12, fill="ink2")
            y += 15
    return y + (4 if block.groups else -6)


def _narrow_withheld(sheet: Sheet, block: _Block, y: float, context: FigureContext) -> float:
    sheet.withheld(1, y, NARROW - 2, 24)
    found, control = _why(block)
    y += 41
    for words in wrap(found, NARROW, size=12, lines=4):
        sheet.label(0, y, words, size=12, fill="ink2")
        y += 15
    if href := context.links.control(block.rows[0].experiment, control):
        sheet.label(0, y, "Read the failed control", size=12, fill="link", href=href)
        y += 15
    return y + 2
