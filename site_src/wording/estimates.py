"""What is read off an estimate in a figure: its value in bold, its interval, its counts, its bounds.

Does: spell them as stretches of a label. Does not: place them.
"""

from __future__ import annotations

from metrics_core.results import Estimate, Interval
from metrics_core.text import visible
from site_src.wording import numbers
from site_src.wording.names import group_words, metric_words, outcome_words, row_stratum, sentence_case
from site_src.wording.numbers import count, number, ratio
from site_src.wording.spans import Span


def value_runs(e: Estimate) -> list[Span]:
    """The value, bold, and its interval; or the words that stand in its place."""
    if e.withheld is not None:
        return [Span("withheld", "strong")]
    if e.headline == "nothing" or (e.value is None and not e.N):
        return [Span("N/A (0/0)", "strong")]
    if e.headline == "bounds" and e.bounds:
        return [
            Span("bounds ", "quiet"),
            Span(f"{number(e.bounds[0], e.unit)} to {number(e.bounds[1], e.unit)}", "strong"),
        ]
    if e.headline == "counts" or e.value is None:
        return [Span("counts only", "quiet")]
    limits = numbers.limits(e)
    return [
        Span(numbers.value(e), "strong"),
        Span(f" {limits}" if limits else ", no interval", "quiet"),
    ]


def outer_interval(e: Estimate) -> Interval | None:
    """The interval around an estimate's bounds, every unknown counted either way; None where it has none."""
    return next((i for _, i in e.also if i.at_the_bounds), None)


def of_words(e: Estimate) -> str:
    """The word for N, as short as it may be.

    It is ``known`` for known verdicts, else the estimate's own.
    """
    return "known" if e.of == "known verdicts" else visible(e.of)


def bounds_words(e: Estimate) -> str:
    """What the unknown runs could do to the value; that there are none; nothing where N counts no runs."""
    if e.bounds is None or e.withheld is not None or e.headline in ("bounds", "nothing"):
        return ""
    if e.known == e.attempts:
        return "no unknowns"
    return f"bounds {number(e.bounds[0], e.unit)} to {number(e.bounds[1], e.unit)}"


def ratio_words(e: Estimate) -> str:
    """n/N, or nothing where it is withheld."""
    return "" if e.withheld is not None else ratio(e)


def tally_words(e: Estimate) -> list[str]:
    """Every attempt, counted in the metric's own words: "41 achieved", "15 not achieved", "12 unknown"."""
    n, N = e.n or 0, e.N or 0
    good, bad = outcome_words(e.metric, e.words)
    counts = ((n, good), (N - n, bad), (e.unknown, "unknown"), (e.errors, "error"), (e.invalid, "invalid"))
    return [f"{count(size)} {word}" for size, word in counts if size]


def headline_of(e: Estimate) -> str:
    """The metric as the head of a row."""
    return sentence_case(metric_words(e.metric, e.words))


def about(e: Estimate, *, without: frozenset[str] = frozenset(), stratum: bool = True) -> str:
    """Stratum and group as the second line of a row.

    Args:
        e: What the row shows.
        without: Group keys that are named elsewhere.
        stratum: Whether the stratum is named here.
    """
    whom = group_words(e.group, e.words, without=without) if e.group else ""
    return ", ".join(word for word in (where(e) if stratum else "", whom) if word)


def where(e: Estimate) -> str:
    """The stratum, where it is not the plain one."""
    return row_stratum(e.stratum, e.words)


def why_nothing(e: Estimate) -> str:
    """Why a metric has no known run, in its own words where it has some."""
    reasons = [visible(loss.reason) for loss in e.losses]
    return "; ".join(dict.fromkeys(reasons)) or visible(e.interval.reason or "nothing known")


def common_keys(estimates: tuple[Estimate, ...]) -> frozenset[str]:
    """Group keys that have one value in all estimates of a figure, and so need not be repeated in it."""
    keys = {k for e in estimates for k, _ in e.group}
    return frozenset(k for k in keys if len({e.group.get(k) for e in estimates}) == 1)
