"""Estimates as rows of text: for readers, and in full precision for machines.

Does: one row an estimate. Does not: choose which.
"""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.estimate import Estimate
from metrics_core.text import visible
from site_src import rounding
from site_src.captions import missing
from site_src.naming import group_words, metric_words, stratum_words
from site_src.parts import TextTable
from site_src.rounding import ratio, share

CSV_HEADER = (
    "id", "experiment", "family", "metric", "group", "stratum", "unit", "value", "n", "N", "of",
    "attempts", "known",
    "unknown", "invalid", "errors", "lo", "hi", "level", "method", "no_interval_because", "bound_lo",
    "bound_hi",
    "contract_id", "contract_version", "contract_digest", "data_digest", "pack", "first_stamp",
    "last_stamp", "prices",
    "withheld",
)  # fmt: skip


def exact(value: object) -> str:
    """A number or text as a machine reads it back; nothing for None.

    >>> exact(0.1), exact(None), exact(3)
    ('0.1', '', '3')
    """
    return "" if value is None else str(value)


def csv(estimates: Sequence[Estimate]) -> TextTable:
    """One row an estimate, in full precision."""
    rows = []
    for e in estimates:
        lo, hi = e.bounds or (None, None)
        first, last = e.stamps or (None, None)
        cells = (
            e.id, e.experiment, e.family, e.metric, _pairs(e.group), _pairs(e.stratum), e.unit, e.value,
            e.n, e.N, e.of,
            e.attempts, e.known, e.unknown, e.invalid, e.errors, e.interval.lo, e.interval.hi,
            e.interval.level,
            e.interval.method, e.interval.reason, lo, hi, e.contract.id, e.contract.version,
            e.contract.digest,
            e.data_digest, e.pack, first, last, e.prices, e.withheld,
        )  # fmt: skip
        rows.append(tuple(exact(cell) for cell in cells))
    return TextTable(CSV_HEADER, tuple(rows))


def _pairs(pairs: Sequence[tuple[str, str]]) -> str:
    return " ".join(f"{k}={v}" for k, v in pairs)


def value_text(e: Estimate) -> str:
    """The value as a cell shows it."""
    if e.withheld is not None:
        return "withheld"
    if e.headline == "bounds" and e.bounds:
        return f"bounds {share(e.bounds[0])} to {share(e.bounds[1])}"
    if e.headline == "counts" or e.value is None:
        return "counts only" if e.N else "N/A (0/0)"
    return rounding.value(e)


def reading(estimates: Sequence[Estimate]) -> TextTable:
    """One row an estimate, for a reader."""
    rows = tuple(
        (
            metric_words(e.metric, e.words), stratum_words(e.stratum, e.words),
            group_words(e.group, e.words), ratio(e), visible(e.of),
            missing(e)[1:-1], value_text(e), rounding.limits(e) or visible(e.interval.reason or ""),
        )
        for e in estimates
    )  # fmt: skip
    header = ("Metric", "Stratum", "Whose", "n/N", "of", "Not in N", "Value", "95\u202f% interval")
    return TextTable(header, rows, (3,))
