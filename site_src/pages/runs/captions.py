"""Captions of what belongs to one run: its own stamp, its instrument, and no interval."""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.results import CostLine, Estimate, Report, Review
from site_src.pages.components import line, text
from site_src.wording import Caption, FigureContext, Line, fraction, in_state, money, provenance, spans


def of_verdicts(
    review: Review, report: Report, used: Sequence[Estimate | None], context: FigureContext
) -> Caption:
    """How many of a run's verdicts are known.

    Args:
        review: The run.
        report: Of its experiment.
        used: What each verdict is counted in.
        context: Links of the page, and the build.
    """
    states = [v.state for v in review.verdicts]
    lost = [in_state(states.count(s), s) for s in ("unknown", "error", "invalid") if s in states]
    first = line(
        "verdicts ",
        text(f"{fraction(states.count('known'), len(states))} known", "strong"),
        f" ({', '.join(lost) or 'none unknown'}) · no interval: one run",
    )
    return Caption(
        reads=first,
        strip=_strip(review.family, report, [e for e in used if e], context),
        shared=_stamp(review),
    )


def of_costs(review: Review, report: Report, context: FigureContext) -> Caption:
    """What a run cost, from each source, with the date of each price table."""
    amounts = [
        f"{money(c.usd, summary=False)} {_by_whom(c)}{f' of {c.part}' if c.part else ''}"
        for c in review.costs
        if c.usd is not None
    ]
    first = line(
        text(f"cost known for {0 if review.usd is None else 1} of 1 runs", "strong"),
        f" · {'; '.join(amounts) or 'no amount'} · no interval: one run",
    )
    dates = [
        (spans.Span(provenance.price_words(c.prices), "strong", context.links.prices(c.prices)),)
        for c in review.costs
        if c.prices
    ]
    return Caption(
        reads=first, strip=_strip(review.family, report, [], context, dates), shared=_stamp(review)
    )


def of_task(family: str, report: Report, used: Sequence[Estimate], context: FigureContext) -> Caption:
    """How the runs of one task are read, and what stands behind them.

    Args:
        family: Of the runs.
        report: Of their experiment.
        used: What their verdicts are counted in.
        context: Links of the page, and the build.
    """
    reads = line(
        "A column is one run, and its marks beside a verdict lead to its page. A row is a verdict, or one "
        "named assertion. These are counts: one task has too few runs for an interval, and puts no model "
        "above another."
    )
    return Caption(reads=reads, strip=_strip(family, report, used, context))


def _by_whom(c: CostLine) -> str:
    if c.prices is None:
        return "recorded, not known to be free" if c.unproven else "recorded"
    return f"at prices of {c.prices}"


def _stamp(review: Review) -> Line:
    return line(review.stamp[:10]) if review.stamp else ()


def _strip(
    family: str,
    report: Report,
    used: Sequence[Estimate],
    context: FigureContext,
    more: Sequence[Line] = (),
) -> tuple[Line, ...]:
    """What stands behind one run: of the estimates that it is counted in, else of its family and its data."""
    if used:
        *facts, build = provenance.strip(used, context)
        return (*facts, *more, build)
    refs = [known.ref for known in report.contracts if known.family == family]
    data = provenance.of_data([(report.experiment, report.data_digest)], context)
    facts = [provenance.of_contracts(refs, context), data, *more, provenance.build(context)]
    return tuple(filter(None, facts))
