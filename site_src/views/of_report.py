"""What of a report stands in tables and at the heads of pages: which estimates, and in which order."""

from __future__ import annotations

from collections.abc import Iterable

from metrics_core.estimate import Estimate
from metrics_core.report import Report

CONTEXT_UNITS = frozenset({"USD", "s", "count"})
"""Units of what is context and never a score."""


def is_context(e: Estimate) -> bool:
    """Whether an estimate is context: money, time, tokens; never a score."""
    return e.unit in CONTEXT_UNITS or e.summary is not None


def of_family(report: Report, family: str, *, context: bool = False) -> list[Estimate]:
    """A family's results, or its context figures, without funnel stages and points of timelines."""
    return [
        e
        for e in report.estimates
        if e.family == family
        and is_context(e) is context
        and e.metric != "stage"
        and "stamp" not in e.group.names
    ]


def metric_order(names: Iterable[str]) -> list[str]:
    """``change`` first and ``regress`` right beside it, verdicts in the order they are asked, others by name.

    >>> metric_order(["regress", "awareness", "change"]), metric_order(["attack_success", "security"])
    (['change', 'regress', 'awareness'], ['security', 'attack_success'])
    """
    first = ("change", "regress", "divergence", "total_pass", "utility", "security", "autonomy")
    return sorted(set(names), key=lambda m: (first.index(m) if m in first else len(first), m))
