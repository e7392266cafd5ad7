"""What stands over a segment of a timeline: its instrument's hallmark, name and digest; why it begins.

Does: put headers side by side where they fit, else one below the other. Does not: draw points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metrics_core.estimate import Estimate
from metrics_core.shapes import Segment
from metrics_core.text import visible
from site_src import hallmark
from site_src.figures.sheet import Sheet
from site_src.provenance import contract_name
from site_src.text_width import width, wrap

HALLMARK = (42, 20)


@dataclass(frozen=True, slots=True)
class Frame:
    """Measures of one of the two pictures, in px."""

    sheet: Sheet
    left: float
    right: float
    height: float
    rows: int
    full: bool


def stamp(e: Estimate) -> str:
    """The stamp of a point, as its group tells it."""
    return visible(e.group.get("stamp", e.stamps[0] if e.stamps else ""))


def headers(frame: Frame, segments: Sequence[Segment], cuts: Sequence[float]) -> float:
    """Hallmark, name and digest over each segment, in as many lines as it takes; gives the y below."""
    sheet, (wide, high) = frame.sheet, HALLMARK
    packs = len({s.contract for s in segments}) == 1 and len({s.pack for s in segments}) > 1
    begins = [frame.left, *(cut + 12 for cut in cuts)]
    ends = [*(cut - 8 for cut in cuts), frame.right]
    level_ends: list[float] = []
    below = 0.0
    for segment, x, end in zip(segments, begins, ends, strict=True):
        kind: hallmark.Kind = "pack" if packs and segment.pack else "contract"
        full = segment.pack if packs and segment.pack else segment.contract.digest
        name = "pack" if packs else contract_name(segment.contract)
        brief = "pack" if packs else f"v{visible(segment.contract.version)}"
        room = end - x
        level = next((i for i, taken in enumerate(level_ends) if x >= taken), len(level_ends))
        y = level * 40.0
        sheet.path(x, y, hallmark.frame(kind, width=wide, height=high), stroke="ink2", width=1.2)
        sheet.path(
            x, y, hallmark.bars(full, width=wide, height=high), stroke="ink2", width=hallmark.stroke(high)
        )
        used = float(wide)
        shown = name if wide + 8 + width(name, bold=True) <= room else brief
        if wide + 8 + width(shown, bold=True) <= max(room, wide + 60):
            sheet.label(x + wide + 8, y + 14.5, shown, bold=True)
            used += 8 + width(shown, bold=True)
            short = hallmark.short(full)
            if used + 16 + width(short, size=12, mono=True) <= room:
                sheet.label(x + used + 16, y + 14.5, short, size=12, mono=True, fill="ink2")
                used += 16 + width(short, size=12, mono=True)
        lines = _reasons(segment, max(room, used), frame.full)
        for i, words in enumerate(lines):
            sheet.label(x, y + 35 + 15 * i, words, size=12, fill="ink2")
            used = max(used, width(words, size=12))
        if level == len(level_ends):
            level_ends.append(0.0)
        level_ends[level] = x + used + 10
        below = max(below, y + high + (16 * len(lines) if lines else 0))
    return below


def _reasons(segment: Segment, room: float, full: bool) -> tuple[str, ...]:
    if not segment.why:
        return ()
    why = visible(segment.why)
    since = f"from {stamp(segment.points[0])[:10]} {why}"
    for then in ("not the same instrument, no line joins the two", "no line joins the two") if full else ():
        if width(words := f"{since}: {then}", size=12) <= room:
            return (words,)
    return wrap(why, room, size=12, lines=2)
