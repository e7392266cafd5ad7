"""The pages of single runs: lists, filters, and one page a run with its verdicts and costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.pages.runs import lists
    from site_src.pages.runs.by_task import RunsByTask
    from site_src.pages.runs.index import ListedOutcome, Run, RunLists, key_value
    from site_src.pages.runs.lists import RunPages
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "ListedOutcome",
    "Run",
    "RunLists",
    "RunPages",
    "RunsByTask",
    "key_value",
    "lists",
]
