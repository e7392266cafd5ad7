"""The renderer's SVG made fit for a page: named, linked, with ids of its own, and in one spelling.

Does: read the drawn markup as XML, match each mark with the row it was drawn from, and write it anew:
no ``style``, no class, no empty group, links around marks whose row has one. Labels are written here
from their rows, since they have their places already: the renderer would measure each, which takes it
thirty times as long as all the rest. Does not: draw.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape, quoteattr

_NUMBER = re.compile(r"-?\d*\.?\d+(?:[eE][-+]?\d+)?")
_LAYER = re.compile(r"(?:\b|_)layer_(\d+)_(marks|pathgroup)\b")
_TRANSLATE = re.compile(r"translate\(([^,]+),([^)]+)\)")
_KEPT = ("fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray")


def plain_number(value: float) -> str:
    """A coordinate in px, to two decimals, without trailing zeros.

    >>> plain_number(10.00499), plain_number(-0.001), plain_number(100.33330000000001)
    ('10', '0', '100.33')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _rounded(text: str) -> str:
    return _NUMBER.sub(lambda found: plain_number(float(found.group())), text)


def finish(
    rendered: str, datasets: Sequence[str], rows: Mapping[str, Sequence[Mapping[str, Any]]], *,
    element_id: str, title: str, desc: str, size: tuple[float, float], css: str,
) -> str:  # fmt: skip
    """The picture as inline markup.

    Args:
        rendered: What the renderer wrote.
        datasets: The chart's datasets, from the lowest layer to the topmost.
        rows: The rows that were drawn; a row's ``href`` makes a link, its ``tip`` a title, and the
            ``runs`` of a label, each (text, bold, colour), are set apart.
        element_id: Id of this picture on its page.
        title: Name of the picture, for assistive technology.
        desc: Alternative text.
        size: Width and height in px.
        css: Class of the picture: ``wide`` or ``narrow``.

    Raises:
        ValueError: A layer has other marks than rows; then what would be linked is not what is seen.
    """
    root = ET.fromstring(rendered)  # noqa: S314 - our own renderer's output, not a reader's
    body = "".join(_layer(group, name, rows.get(name, ())) for group, name in _groups(root, datasets))
    body += _grouped(_linked(_label(row), row) for row in rows.get(LABELS, ()))
    linked = "<a " in body
    width, height = map(plain_number, size)
    role = "graphics-document" if linked else "img"  # an image hides its links from those who hear it
    return (
        f'<svg class="{css}" id="{element_id}" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" '
        f'role="{role}" aria-labelledby="{element_id}-title {element_id}-desc" fill="none">'
        f'<title id="{element_id}-title">{escape(title)}</title>'
        f'<desc id="{element_id}-desc">{escape(desc)}</desc>'
        f"{body}</svg>"
    )


LABELS = "labels"
"""The dataset that is topmost in every chart, and that the renderer is not given."""


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


def _layer(group: ET.Element, name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    if "pathgroup" in group.get("class", ""):
        marks = [e for e in group.iter() if e.tag.endswith("}path") and e.get("d")
                 and e.get("class") not in ("background", "foreground")]  # fmt: skip
        return "".join(_shape(mark) for mark in marks)
    marks = list(group)
    if len(marks) != len(rows):
        raise ValueError(f"{len(rows)} rows of {name} were drawn as {len(marks)} marks")
    return _grouped(_linked(_shape(mark), row) for mark, row in zip(marks, rows, strict=True))


def _grouped(marks: Iterable[str]) -> str:
    body = "".join(marks)
    return f"<g>{body}</g>" if body else ""


def _linked(markup: str, row: Mapping[str, Any]) -> str:
    if tip := row.get("tip"):
        opened, _, rest = markup.partition(">")
        markup = f"{opened.removesuffix('/')}><title>{escape(tip)}</title>" + (rest or "</path>")
    return f"<a href={quoteattr(row['href'])}>{markup}</a>" if row.get("href") else markup


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


def _shape(mark: ET.Element) -> str:
    x, y = _moved(mark)
    if mark.tag.endswith("}line"):
        across, down = float(mark.get("x2", "0")), float(mark.get("y2", "0"))
        step = f"h{plain_number(across)}" if down == 0 else f"v{plain_number(down)}"
        if across and down:
            step = f"l{plain_number(across)},{plain_number(down)}"
        return f'<path{_painted(mark)} d="M{plain_number(x)},{plain_number(y)}{step}"/>'
    place = f' transform="translate({plain_number(x)},{plain_number(y)})"' if (x, y) != (0, 0) else ""
    return f'<path{place}{_painted(mark)} d="{_rounded(mark.get("d", ""))}"/>'


_ANCHORS = {"right": ' text-anchor="end"', "center": ' text-anchor="middle"', "left": ""}


def _label(row: Mapping[str, Any]) -> str:
    attributes = (
        f' x="{plain_number(row["x"])}" y="{plain_number(row["y"])}" font-size="{plain_number(row["size"])}"'
        f"{_ANCHORS[row['align']]} fill={quoteattr(row['fill'])}"
    )
    if row["weight"] != 400:
        attributes += f' font-weight="{row["weight"]}"'
    if row.get("mono"):
        attributes += ' font-family="var(--mono)"'
    if row.get("spaced"):
        attributes += ' letter-spacing="0.6"'
    return f"<text{attributes}>{_runs(row)}</text>"


def _runs(row: Mapping[str, Any]) -> str:
    if not row.get("runs"):
        return escape(str(row["text"]))
    out = ""
    for words, bold, fill in row["runs"]:
        set_apart = (' font-weight="600"' if bold else "") + (f" fill={quoteattr(fill)}" if fill else "")
        out += f"<tspan{set_apart}>{escape(words)}</tspan>" if set_apart else escape(words)
    return out
