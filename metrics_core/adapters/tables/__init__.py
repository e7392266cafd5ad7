"""How a results table of anybody's making is read: its rows, which column is what, and what a cell says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.adapters.tables.cells import Cells, CellVerdict, error_of, is_status, name_of, stamp_of
    from metrics_core.adapters.tables.columns import Columns, columns_of, list_of
    from metrics_core.adapters.tables.obstacles import counted
    from metrics_core.adapters.tables.oddities import alike_told, repeated_lines, summaries
    from metrics_core.adapters.tables.rows import CellsOfRow, has_shape, names_in, rows_of
    from metrics_core.adapters.tables.scales import are_fractions, is_of_one_try, refuse_percentages
    from metrics_core.adapters.tables.several import unlike
    from metrics_core.adapters.tables.wide import arms_of, one_row_a_try
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "CellVerdict",
    "Cells",
    "CellsOfRow",
    "Columns",
    "alike_told",
    "are_fractions",
    "arms_of",
    "columns_of",
    "counted",
    "error_of",
    "has_shape",
    "is_of_one_try",
    "is_status",
    "list_of",
    "name_of",
    "names_in",
    "one_row_a_try",
    "refuse_percentages",
    "repeated_lines",
    "rows_of",
    "stamp_of",
    "summaries",
    "unlike",
]
