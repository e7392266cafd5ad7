"""From a sheet that has been laid out, twice, to a finished drawing.

Does: have both pictures drawn, or take them from memory if the same data were drawn before, and give them
with their specification. Does not: lay out.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec

from metrics_core.text import visible
from site_src.figures import chart, svg
from site_src.figures.sheet import Sheet

_memory: OrderedDict[str, str] | None = None
"""Markup by the digest of what it was drawn from, while `remembering` lasts."""


@contextmanager
def remembering(most: int = 4_000) -> Iterator[None]:
    """Keep drawn markup in memory as long as this lasts, for a site that is made again and again.

    Args:
        most: Pictures that are kept; beyond that the one that was not wanted for longest is dropped.
    """
    global _memory  # noqa: PLW0603 (figures are drawn deep within pages, which know nothing of who asks)
    before, _memory = _memory, _Bounded(most)
    try:
        yield
    finally:
        _memory = before


class _Bounded(OrderedDict[str, str]):
    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __setitem__(self, key: str, value: str) -> None:
        super().__setitem__(key, value)
        if len(self) > self.most:
            self.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Pictures:
    """Both pictures as inline markup, and the specification of the wide one."""

    wide: str
    narrow: str
    spec: dict[str, Any]


def pictures(
    kind: str, layers: tuple[str, ...], wide: Sheet, narrow: Sheet, *,
    figure_id: str, title: str, desc: str,
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
    """
    template = chart.chart(kind, layers)
    about = {"title": visible(title), "desc": visible(desc)}
    return Pictures(
        _kept(template, wide, about | {"element_id": f"{figure_id}-wide", "css": "wide"}),
        _kept(template, narrow, about | {"element_id": f"{figure_id}-narrow", "css": "narrow"}),
        chart.specification(template, wide.rows, wide.parameters, _size(wide)),
    )


def _size(sheet: Sheet) -> tuple[float, float]:
    return sheet.width, round(sheet.height)


def _kept(template: chart.Chart, sheet: Sheet, about: Mapping[str, str]) -> str:
    memory = _memory
    if memory is None:
        return _drawn(template, sheet, about)
    parts = [template.digest, sheet.rows, sheet.parameters, _size(sheet), about]
    key = hashlib.sha256(msgspec.json.encode(parts)).hexdigest()
    if key not in memory:
        memory[key] = _drawn(template, sheet, about)
    memory.move_to_end(key)
    return memory[key]


def _drawn(template: chart.Chart, sheet: Sheet, about: Mapping[str, str]) -> str:
    raw = chart.draw(template, sheet.rows, sheet.parameters, _size(sheet))
    return svg.finish(raw, template.datasets, sheet.rows, size=_size(sheet), **about)
