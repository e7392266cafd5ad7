"""The pages of single runs: lists, filters, and one page a run with its verdicts and costs."""

from __future__ import annotations

from site_src.pages.runs import lists
from site_src.pages.runs.index import ListedOutcome, Run, RunLists
from site_src.pages.runs.lists import RunPages

__all__ = [
    "ListedOutcome",
    "Run",
    "RunLists",
    "RunPages",
    "lists",
]
