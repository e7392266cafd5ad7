"""Records counted many at once: a batch of lines to columns, columns to a small partial that adds up.

Here live the counting of a log by a family's `Batch`, and `Counts`. What a record means, the family's
``observe`` alone says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.measurement.columns.counts import Counts, merged
    from metrics_core.measurement.columns.expansion import expanded
    from metrics_core.measurement.columns.logs import Lines, counts_of, of_lines, of_logs, repeated
else:
    __getattr__ = on_demand(__name__)

__all__ = ["Counts", "Lines", "counts_of", "expanded", "merged", "of_lines", "of_logs", "repeated"]
