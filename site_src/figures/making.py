"""From a sheet that has been laid out, twice, to a finished drawing.

Does: have both pictures drawn, take them from the cache if the same data were drawn before, and put
pictures, texts, table and specification together. Does not: lay out.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from site_src.figures import chart, svg
from site_src.figures.sheet import Sheet
from site_src.visible import visible

FORMAT = 1
"""Raised whenever the same rows would be written as other bytes."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """Both pictures as inline markup, and the specification of the wide one."""

    wide: str
    narrow: str
    spec: dict[str, Any]


def pictures(
    kind: str, layers: tuple[str, ...], wide: Sheet, narrow: Sheet, *,
    figure_id: str, title: str, desc: str, cache: Path | None = None,
) -> Pictures:  # fmt: skip
    """Draw both sheets.

    Args:
        kind: Kind of figure.
        layers: Datasets that figures of this kind may fill.
        wide: Sheet of 1040 px.
        narrow: Sheet of 328 px.
        figure_id: Id of the figure on its page; ids within begin with it.
        title: What is seen.
        desc: Alternative text.
        cache: Folder in which drawn markup is kept under the digest of what it was drawn from.
    """
    template = chart.chart(kind, layers)
    about = {"title": visible(title), "desc": visible(desc)}
    return Pictures(
        _kept(template, wide, cache, about | {"element_id": f"{figure_id}-wide", "css": "wide"}),
        _kept(template, narrow, cache, about | {"element_id": f"{figure_id}-narrow", "css": "narrow"}),
        chart.specification(template, wide.rows, wide.parameters, _size(wide)),
    )


def _size(sheet: Sheet) -> tuple[float, float]:
    return sheet.width, round(sheet.height)


def _kept(template: chart.Chart, sheet: Sheet, cache: Path | None, about: Mapping[str, str]) -> str:
    path = None
    if cache is not None:
        parts = [FORMAT, template.digest, sheet.rows, sheet.parameters, _size(sheet), about]
        path = cache / f"{hashlib.sha256(msgspec.json.encode(parts)).hexdigest()}.svg"
        if path.is_file():
            return path.read_text("utf-8")
    raw = chart.draw(template, sheet.rows, sheet.parameters, _size(sheet))
    markup = svg.finish(raw, template.datasets, sheet.rows, size=_size(sheet), **about)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(f".{os.getpid()}.part")
        beside.write_text(markup, "utf-8")
        beside.replace(path)
    return markup
