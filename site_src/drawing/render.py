"""From a sheet that has been laid out to a picture that stretches, and to a specification.

Does: have the picture drawn, or take it from a memo if the same data were drawn before. Does not: lay out.
"""

from __future__ import annotations

from typing import Any

from metrics_core.memo import Memo
from metrics_core.text import visible
from site_src.drawing import chart, svg
from site_src.drawing.rows import Panel
from site_src.drawing.sheet import Sheet
from site_src.wording import svg_markup


def panel(
    kind: str, layers: tuple[str, ...], sheet: Sheet, *, element_id: str, title: str, desc: str, memo: Memo,
    name: str = "",
) -> Panel:  # fmt: skip
    """Draw a sheet as a plot that stretches with its place.

    Args:
        kind: Kind of figure.
        layers: Datasets that figures of this kind may fill.
        sheet: Laid out in the least width that it has on any page.
        element_id: Id of the picture on its page; ids within begin with it.
        title: What is seen.
        desc: Alternative text.
        memo: What was drawn before, on other pages or in an earlier state of the site.
        name: Whose it is; empty where the figure's title says so.
    """
    template = chart.chart(kind, layers)
    raw = chart.draw(template, sheet.rows, sheet.parameters, _size(sheet), memo)
    made: str = memo(
        svg.finish, raw, template.datasets, sheet.rows,
        element_id=element_id, title=visible(title), desc=visible(desc), height=round(sheet.height),
        reach=svg.Reach(sheet.start, sheet.end), css=f"plotted before-{sheet.left:g} behind-{sheet.right:g}",
    )  # fmt: skip
    return Panel(name=name, picture=svg_markup(made))


def specification(kind: str, layers: tuple[str, ...], sheet: Sheet) -> dict[str, Any]:
    """The Vega-Lite specification of a sheet, with its data.

    Args:
        kind: Kind of figure.
        layers: Datasets that figures of this kind may fill.
        sheet: Laid out in the width that it is to be looked at.
    """
    return chart.specification(chart.chart(kind, layers), sheet.rows, sheet.parameters, _size(sheet))


def _size(sheet: Sheet) -> tuple[float, float]:
    return sheet.width, round(sheet.height)
