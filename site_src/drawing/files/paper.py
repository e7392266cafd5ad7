"""Paper of one width on which words are set and drawings are placed, from its top down.

Does: break words at their spaces, set each in the voice of its stretch with its mark before it, and place
drawings of ours without their links. Does not: know what is set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape

from msgspec import Struct, field
from msgspec.structs import replace

from metrics_core.text import visible
from site_src.drawing.figure import WIDE
from site_src.drawing.svg import plain_number
from site_src.drawing.text_metrics import width
from site_src.wording import Line, Span, spans

EDGE: Final = 24.0
"""Px of paper around the drawing."""

SIZE, LEADING = 13.0, 18.0
"""Of the words, and from one line of them to the next, in px."""

_LINK = re.compile(r"</?a\b[^>]*>")
_OPENED = re.compile(r"<svg\b[^>]*>")
_SIZE = re.compile(r'\b(width|height)="([\d.]+)"')


def measured(markup: str) -> tuple[float, float]:
    """Width and height of a picture of ours in px; the width of one that fills its room is 0."""
    opened = _OPENED.match(markup)
    found = dict(_SIZE.findall(opened[0])) if opened else {}
    if "height" not in found:
        raise ValueError(f"a picture without a height: {markup[:80]}")
    return float(found.get("width", 0.0)), float(found["height"])


class Paper(Struct):
    """Paper of one width, filled from its top."""

    y: float = EDGE
    marks: list[str] = field(default_factory=list)

    def write(
        self, line: Line, *, size: float = SIZE, leading: float = LEADING, colour: str = "ink",
    ) -> None:  # fmt: skip
        """Words over the whole width, broken where they must be."""
        if line:
            self.y += self.set(line, EDGE, WIDE, size=size, leading=leading, colour=colour)

    def set(
        self, line: Line, x: float, room: float, *,
        size: float = SIZE, leading: float = LEADING, colour: str = "ink",
    ) -> float:  # fmt: skip
        """Words from ``x`` on within ``room`` px, from the present height on.

        Returns:
            How high they are.
        """
        rows = list(_broken(line, room, size))
        for number, row in enumerate(rows):
            base = self.y + number * leading + (leading + 0.72 * size) / 2
            self._line(row, x, base, size, colour)
        return len(rows) * leading

    def place(self, markup: str, across: float, down: float, x: float = EDGE, y: float | None = None) -> None:
        """A drawing of ours, without its links; one over the whole page moves the height on."""
        inner = _OPENED.sub(
            lambda found: re.sub(r'\s(?:class|id|role|aria-[a-z]+|focusable)="[^"]*"', "", found[0]),
            _LINK.sub("", markup),
        )
        at = self.y if y is None else y
        self.marks.append(
            f'<svg x="{plain_number(x)}" y="{plain_number(at)}" width="{plain_number(across)}" '
            f'height="{plain_number(down)}" overflow="visible">{inner}</svg>'
        )
        if y is None:
            self.y += down

    def rule(self, colour: str) -> None:
        """A line across, with room on both sides."""
        y = plain_number(self.y)
        self.marks.append(
            f'<path stroke="var(--{colour})" d="M{plain_number(EDGE)},{y}h{plain_number(WIDE)}"/>'
        )
        self.y += 6

    def _line(self, row: Sequence[Span], x: float, base: float, size: float, colour: str) -> None:
        words = ""
        start = at = x
        for span in (*row, None):
            if span is None or span.mark:
                if words:
                    self.marks.append(
                        f'<text x="{plain_number(start)}" y="{plain_number(base)}" '
                        f'font-size="{plain_number(size)}" fill="var(--{colour})">{words}</text>'
                    )
                words = ""
                if span is None:
                    return
                across, down = measured(span.mark)
                self.place(span.mark, across, down, at, base - (0.72 * size + down) / 2)
                at += across + BESIDE
                start = at
            look = ' font-weight="600"' if span.role in _BOLD else ""
            look += ' font-family="var(--mono)"' if span.role in _MONO else ""
            text = escape(span.text)
            words += f"<tspan{look}>{text}</tspan>" if look else text
            at += _wide(span, size)


BESIDE: Final = 5.0
"""Px between a swatch or a hallmark and its words."""

_BOLD: Final = ("strong", "state", "letter")
_MONO: Final = ("digest", "mono")


_BUILD: Final = re.compile(r"(?<=\+)[0-9a-f]{8}(?![0-9a-f])")
"""The digits that name a build. All take the room of the widest: every build lays a picture out alike."""


def _wide(span: Span, size: float) -> float:
    return width(_BUILD.sub("0" * 8, span.text), size=size, bold=span.role in _BOLD, mono=span.role in _MONO)


def longest(line: Line) -> float:
    """Px of the longest of the lines of a cell, where none is broken."""
    rows = [0.0]
    for span in line:
        if span.role == "under":
            rows.append(0.0)
        rows[-1] += 0.0 if span.role == "unseen" else _wide(span, SIZE)
    return max(rows)


def _broken(line: Line, room: float, size: float) -> Iterator[tuple[Span, ...]]:
    """A line broken at its spaces; a second line of a cell begins anew, and unseen words are left out."""
    row: list[Span] = []
    used = 0.0
    for span in line:
        if span.role == "unseen":
            continue
        if span.role == "under" and row:
            yield tuple(row)
            row, used = [], 0.0
        for number, piece in enumerate(re.findall(r"[^ ]* ?", visible(span.text))):
            if not piece and not (span.mark and number == 0):
                continue
            part = Span(piece, span.role, mark=span.mark if number == 0 else spans.NO_MARK)
            mark = measured(part.mark)[0] + BESIDE if part.mark else 0.0
            needed = _wide(Span(piece.rstrip(" "), span.role), size) + mark
            if row and used + needed > room:
                yield tuple(row)
                row, used = [], 0.0
            if needed > room:
                *full, last = wrap_anywhere(piece, room - mark, size)
                for text in full:
                    yield (replace(part, text=text),)
                    part, mark = replace(part, mark=spans.NO_MARK), 0.0
                part = replace(part, text=last)
            row.append(part)
            used += _wide(part, size) + mark
    if row:
        yield tuple(row)


def wrap_anywhere(text: str, room: float, size: float) -> list[str]:
    """A word that is wider than its column, in pieces that are not.

    >>> wrap_anywhere("aaaa", 20, 13)
    ['aa', 'aa']
    """
    pieces = [""]
    for character in text:
        if pieces[-1] and width(pieces[-1] + character, size=size, bold=True) > room:
            pieces.append("")
        pieces[-1] += character
    return pieces
