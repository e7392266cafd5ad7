"""What figures are drawn with: sheets, axes, ticks, labels, layers, and the SVG fit for a page.

Nothing here knows what a figure is about; `site_src.figures` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.drawing import arm_rows, axes, chart, figure, miniature, strip
    from site_src.drawing.arm_rows import ArmNames
    from site_src.drawing.axes import CAP, SHARE_TICKS, Shade
    from site_src.drawing.figure import NARROW, WIDE, Figure
    from site_src.drawing.label_placement import around, in_rows, places
    from site_src.drawing.render import pictures
    from site_src.drawing.rows import (
        LONG,
        DrawnRow,
        PairVerdict,
        RowCell,
        RowFigure,
        RowGroup,
        RowHead,
        RowTable,
    )
    from site_src.drawing.sheet import Sheet
    from site_src.drawing.text_metrics import fit, width, wrap
    from site_src.drawing.ticks import SHARES, Ticks, difference_ticks, on_share_axis, value_ticks
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "CAP",
    "LONG",
    "NARROW",
    "SHARES",
    "SHARE_TICKS",
    "WIDE",
    "ArmNames",
    "DrawnRow",
    "Figure",
    "PairVerdict",
    "RowCell",
    "RowFigure",
    "RowGroup",
    "RowHead",
    "RowTable",
    "Shade",
    "Sheet",
    "Ticks",
    "arm_rows",
    "around",
    "axes",
    "chart",
    "difference_ticks",
    "figure",
    "fit",
    "in_rows",
    "miniature",
    "on_share_axis",
    "pictures",
    "places",
    "strip",
    "value_ticks",
    "width",
    "wrap",
]
