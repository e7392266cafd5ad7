"""What of a report stands in tables and at the heads of pages: which estimates, and in which order."""

from __future__ import annotations

from collections.abc import Iterable

from metrics_core.estimate import Estimate
from metrics_core.report import Report
from metrics_core.vocabulary import PLAIN, Vocabulary

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


def metric_place(metric: str, words: Vocabulary | None) -> tuple[int, str]:
    """Sorts metrics of a family: those first that the family puts first, others by name.

    >>> words = Vocabulary(first=("recall",))
    >>> metric_place("recall", words) < metric_place("exact", words)
    True
    """
    first = (words or PLAIN).first
    return (first.index(metric) if metric in first else len(first), metric)


def metric_order(found: Iterable[Estimate]) -> list[str]:
    """Metrics of a family in the order in which they are shown.

    >>> from tests.figure_samples import share
    >>> metric_order([share("recall", 9, 12), share("exact", 9, 12)])
    ['exact', 'recall']
    """
    words = {e.metric: e.words for e in found}
    return sorted(words, key=lambda metric: metric_place(metric, words[metric]))
