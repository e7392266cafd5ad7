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
    from site_src.drawing.figure import WIDE, Figure
    from site_src.drawing.label_placement import NARROWEST, around, in_rows, places, rows_as_it_widens
    from site_src.drawing.render import panel, specification
    from site_src.drawing.rows import (
        LONG,
        PANEL_ROOMS,
        DrawnRow,
        PairVerdict,
        Panel,
        PanelRoom,
        PanelRow,
        RowCell,
        RowFigure,
        RowGroup,
        RowHead,
        RowTable,
    )
    from site_src.drawing.sheet import Sheet
    from site_src.drawing.text_metrics import fit, width
    from site_src.drawing.ticks import SHARES, Ticks, difference_ticks, on_share_axis, value_ticks
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "CAP",
    "LONG",
    "NARROWEST",
    "PANEL_ROOMS",
    "SHARES",
    "SHARE_TICKS",
    "WIDE",
    "ArmNames",
    "DrawnRow",
    "Figure",
    "PairVerdict",
    "Panel",
    "PanelRoom",
    "PanelRow",
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
    "panel",
    "places",
    "rows_as_it_widens",
    "specification",
    "strip",
    "value_ticks",
    "width",
]
