"""From a sheet that has been laid out, twice, to a finished drawing.

Does: have both pictures drawn, or take them from a memo if the same data were drawn before, and give them
with their specification. Does not: lay out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metrics_core.memo import Memo
from metrics_core.text import visible
from site_src.drawing import chart, svg
from site_src.drawing.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Pictures:
    """Both pictures as inline markup, and the specification of the wide one."""

    wide: str
    narrow: str
    spec: dict[str, Any]


def pictures(
    kind: str, layers: tuple[str, ...], wide: Sheet, narrow: Sheet, *,
    figure_id: str, title: str, desc: str, memo: Memo,
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
        memo: What was drawn before, on other pages or in an earlier state of the site.
    """
    template = chart.chart(kind, layers)
    about = {"title": visible(title), "desc": visible(desc)}
    return Pictures(
        _rendered(template, wide, about | {"element_id": f"{figure_id}-wide", "css": "wide"}, memo),
        _rendered(template, narrow, about | {"element_id": f"{figure_id}-narrow", "css": "narrow"}, memo),
        chart.specification(template, wide.rows, wide.parameters, _size(wide)),
    )


def _size(sheet: Sheet) -> tuple[float, float]:
    return sheet.width, round(sheet.height)


def _rendered(template: chart.Chart, sheet: Sheet, about: Mapping[str, str], memo: Memo) -> str:
    raw = chart.draw(template, sheet.rows, sheet.parameters, _size(sheet), memo)
    return memo(svg.finish, raw, template.datasets, sheet.rows, size=_size(sheet), **about)
