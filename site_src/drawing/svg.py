"""The renderer's SVG made fit for a page: stretching, named, linked, with ids of its own, in one spelling.

Across, a mark stands in per cent of the plot; down, in px. So a plot is drawn once, in the least width that
it has on any page, and stretches with its place while its type, points and strokes keep their sizes. What is
not within the plot stands in px from the nearer of its ends, and what a row pins is drawn in px around its
pin.

Does: read the drawn markup as XML, match each mark with the row it was drawn from, and write it anew:
no ``style``, no empty group, links around marks whose row has one. Labels are written here from their rows,
since they have their places already: the renderer would measure each, which takes it thirty times as long as
all the rest. Does not: draw.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import pi
from typing import Any, Final
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

Row = Mapping[str, Any]

_NUMBER = re.compile(r"-?\d*\.?\d+(?:[eE][-+]?\d+)?")
_LAYER = re.compile(r"(?:\b|_)layer_(\d+)_(marks|pathgroup)\b")
_TRANSLATE = re.compile(r"translate\(([^,]+),([^)]+)\)")
_KEPT = ("fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray")

LABELS: Final = "labels"
"""The dataset that is topmost in every chart, and that the renderer is not given."""


def plain_number(value: float) -> str:
    """A coordinate in px, to two decimals, without trailing zeros.

    >>> plain_number(10.00499), plain_number(-0.001), plain_number(100.33330000000001)
    ('10', '0', '100.33')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


class Reach(Struct, frozen=True):
    """From where to where a plot stretches, in px of the picture that was drawn."""

    start: float
    end: float

    def across(self, x: float, pin: float | None = None) -> tuple[str, float]:
        """Where a place stands: in per cent, and how many px from there.

        Args:
            x: The place.
            pin: What it keeps its distance from; None for nothing within the plot, the nearer end beyond it.

        >>> Reach(40, 240).across(140), Reach(40, 240).across(30), Reach(40, 240).across(150, 140)
        (('50%', 0), ('0%', -10), ('50%', 10))
        """
        at = min(max(x, self.start), self.end) if pin is None else pin
        return f"{plain_number(100 * (at - self.start) / (self.end - self.start))}%", x - at


def finish(
    rendered: str, datasets: Sequence[str], rows: Mapping[str, Sequence[Row]], *,
    element_id: str, title: str, desc: str, height: float, reach: Reach, css: str,
) -> str:  # fmt: skip
    """The picture as inline markup.

    Args:
        rendered: What the renderer wrote.
        datasets: The chart's datasets, from the lowest layer to the topmost.
        rows: The rows that were drawn; a row's ``href`` makes a link, its ``tip`` a title, its ``pin`` keeps
            it together, its ``css`` is its class, and the ``runs`` of a label, each (text, bold, colour), are
            set apart.
        element_id: Id of this picture on its page.
        title: Name of the picture, for assistive technology.
        desc: Alternative text.
        height: In px.
        reach: What stretches.
        css: Classes of the picture, by which the style sheet keeps room for what does not stretch.

    Raises:
        ValueError: A layer has other marks than rows: then what would be linked is not what is seen. Or a
            mark that is not pinned leaves the plot with one end.
    """
    root = ET.fromstring(rendered)  # noqa: S314 - our own renderer's output, not a reader's
    stretched = _Stretched(reach, height)
    body = "".join(
        stretched.layer(group, name, rows.get(name, ())) for group, name in _groups(root, datasets)
    )
    body += _grouped(stretched.linked(stretched.label(row), row) for row in rows.get(LABELS, ()))
    role = "graphics-document" if "<a " in body else "img"  # an image hides its links from those who hear it
    return (
        f'<svg class="{css}" id="{element_id}" width="100%" height="{plain_number(height)}" '
        f'role="{role}" aria-labelledby="{element_id}-title {element_id}-desc" '
        'fill="none" overflow="visible">'
        f'<title id="{element_id}-title">{escape(title)}</title>'
        f'<desc id="{element_id}-desc">{escape(desc)}</desc>'
        f"{body}</svg>"
    )


def _groups(root: ET.Element, datasets: Sequence[str]) -> Iterator[tuple[ET.Element, str]]:
    for element in root.iter():
        found = _LAYER.search(element.get("class", ""))
        if (
            found
            and element.tag.endswith("}g")
            and (found.group(2) == "pathgroup" or not _inside_path(element))
        ):
            name = datasets[int(found.group(1))]
            if name != LABELS:
                yield element, name


def _inside_path(group: ET.Element) -> bool:
    return "mark-line" in group.get("class", "") or "mark-area" in group.get("class", "")


def _grouped(marks: Iterable[str]) -> str:
    body = "".join(marks)
    return f"<g>{body}</g>" if body else ""


class _Stretched(Struct, frozen=True):
    """Marks of a picture, written in per cent across and in px down."""

    reach: Reach
    height: float

    def layer(self, group: ET.Element, name: str, rows: Sequence[Row]) -> str:
        """All marks of a dataset."""
        if "pathgroup" in group.get("class", ""):
            marks = [e for e in group.iter() if e.tag.endswith("}path") and e.get("d")
                     and e.get("class") not in ("background", "foreground")]  # fmt: skip
            return "".join(self._area(mark) if mark.get("fill") else self._joined(mark) for mark in marks)
        marks = list(group)
        if len(marks) != len(rows):
            raise ValueError(f"{len(rows)} rows of {name} were drawn as {len(marks)} marks")
        return _grouped(self.linked(self._mark(*both), both[1]) for both in zip(marks, rows, strict=True))

    def linked(self, markup: str, row: Row) -> str:
        """A mark with what its row says of it: a class, a title, a link."""
        opened, _, rest = markup.partition(">")
        if css := row.get("css"):
            name, _, attributes = opened.partition(" ")
            opened = f"{name} class={quoteattr(css)} {attributes}"
        if tip := row.get("tip"):
            closing = "" if rest else f"</{opened[1:].partition(' ')[0]}>"
            markup = f"{opened.removesuffix('/')}><title>{escape(tip)}</title>{rest}{closing}"
        else:
            markup = f"{opened}>{rest}"
        return f"<a href={quoteattr(row['href'])}>{markup}</a>" if row.get("href") else markup

    def label(self, row: Row) -> str:
        """One line of text."""
        place, aside = self.reach.across(row["x"], row.get("pin"))
        attributes = f' x="{place}" y="{plain_number(row["y"])}"'
        attributes += f' dx="{plain_number(aside)}"' if plain_number(aside) != "0" else ""
        attributes += f' font-size="{plain_number(row["size"])}"{_ANCHORS[row["align"]]}'
        attributes += f" fill={quoteattr(row['fill'])}"
        if row["weight"] != 400:
            attributes += f' font-weight="{row["weight"]}"'
        if row.get("mono"):
            attributes += ' font-family="var(--mono)"'
        return f"<text{attributes}>{_runs(row)}</text>"

    def _mark(self, mark: ET.Element, row: Row) -> str:
        x, y = _moved(mark)
        pin, painted = row.get("pin"), _painted(mark)
        if mark.tag.endswith("}line"):
            x2, y2 = x + float(mark.get("x2", "0")), y + float(mark.get("y2", "0"))
            return self._line((x, y), (x2, y2), pin, painted)
        if "x2" in row:
            left, right = sorted((row["x"], row["x2"]))
            top, bottom = sorted((row["y"], row["y2"]))
            return self._box((left, top), (right, bottom), pin, painted)
        if "d" not in row:
            place, aside = self.reach.across(x, pin)
            moved = f' transform="translate({plain_number(aside)},0)"' if plain_number(aside) != "0" else ""
            radius = plain_number((row["size"] / pi) ** 0.5)
            return f'<circle cx="{place}" cy="{plain_number(y)}" r="{radius}"{moved}{painted}/>'
        place, aside = self.reach.across(x, pin)
        return _placed(place, f'<path{_translated(aside, y)}{painted} d="{_rounded(mark.get("d", ""))}"/>')

    def _line(
        self, one: tuple[float, float], other: tuple[float, float], pin: float | None, painted: str
    ) -> str:
        (place, aside), (place2, aside2) = (self.reach.across(x, pin) for x, _ in (one, other))
        y, y2 = plain_number(one[1]), plain_number(other[1])
        if plain_number(aside) == plain_number(aside2) == "0":
            return f'<line x1="{place}" x2="{place2}" y1="{y}" y2="{y2}"{painted}/>'
        if place != place2:
            raise ValueError(f"a line from {one} to {other} leaves the plot with one end")
        return _placed(place, f'<path{painted} d="M{plain_number(aside)},{y}L{plain_number(aside2)},{y2}"/>')

    def _box(
        self, corner: tuple[float, float], other: tuple[float, float], pin: float | None, painted: str
    ) -> str:
        (place, aside), (place2, aside2) = (self.reach.across(x, pin) for x in (corner[0], other[0]))
        y, high = plain_number(corner[1]), plain_number(other[1] - corner[1])
        if plain_number(aside) == plain_number(aside2) == "0" and place != place2:
            wide = plain_number(100 * (other[0] - corner[0]) / (self.reach.end - self.reach.start))
            return f'<rect x="{place}" y="{y}" width="{wide}%" height="{high}"{painted}/>'
        if place != place2:
            raise ValueError(f"a box from {corner} to {other} leaves the plot with one end")
        wide = plain_number(aside2 - aside)
        return _placed(place, f'<path{painted} d="M{plain_number(aside)},{y}h{wide}v{high}h-{wide}Z"/>')

    def _joined(self, mark: ET.Element) -> str:
        """A line through points: a stretch from each to the next."""
        x, y = _moved(mark)
        found = [float(number) for number in _NUMBER.findall(mark.get("d", ""))]
        points = [(x + a, y + b) for a, b in zip(found[::2], found[1::2], strict=True)]
        painted = _painted(mark)
        return _grouped(self._line(a, b, None, painted) for a, b in pairwise(points))

    def _area(self, mark: ET.Element) -> str:
        """A band: a fill without an edge, so it may be stretched as it is."""
        start, wide = plain_number(self.reach.start), plain_number(self.reach.end - self.reach.start)
        high = plain_number(self.height)
        return (
            f'<svg viewBox="{start} 0 {wide} {high}" width="100%" height="{high}" preserveAspectRatio="none">'
            f'<path{_translated(*_moved(mark))}{_painted(mark)} d="{_rounded(mark.get("d", ""))}"/></svg>'
        )


def _placed(place: str, markup: str) -> str:
    """Markup in px from a place that is given in per cent."""
    return markup if place == "0%" else f'<svg x="{place}" overflow="visible">{markup}</svg>'


def _translated(x: float, y: float) -> str:
    across, down = plain_number(x), plain_number(y)
    return "" if across == down == "0" else f' transform="translate({across},{down})"'


def _rounded(text: str) -> str:
    return _NUMBER.sub(lambda found: plain_number(float(found.group())), text)


def _moved(mark: ET.Element) -> tuple[float, float]:
    found = _TRANSLATE.match(mark.get("transform", ""))
    return (float(found.group(1)), float(found.group(2))) if found else (0.0, 0.0)


def _painted(mark: ET.Element) -> str:
    out = ""
    for name in _KEPT:
        value = mark.get(name)
        if value is None or value in ("none", "transparent") or (name == "stroke-width" and value == "1"):
            continue
        if name == "stroke-dasharray" and not value:
            continue
        out += f" {name}={quoteattr(value)}"
    return out


_ANCHORS = {"right": ' text-anchor="end"', "center": ' text-anchor="middle"', "left": ""}


def _runs(row: Row) -> str:
    if not row.get("runs"):
        return escape(str(row["text"]))
    out = ""
    for words, bold, fill in row["runs"]:
        set_apart = (' font-weight="600"' if bold else "") + (f" fill={quoteattr(fill)}" if fill else "")
        out += f"<tspan{set_apart}>{escape(words)}</tspan>" if set_apart else escape(words)
    return out
