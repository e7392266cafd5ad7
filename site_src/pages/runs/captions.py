"""Captions of what belongs to one run: its own stamp, its instrument, and no interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from metrics_core.results import CostLine, Estimate, Report, Review
from site_src.pages.components import line, text
from site_src.wording import Caption, FigureContext, Line, fraction, money, provenance, spans


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
    lost = [f"{states.count(s)} {s}" for s in ("unknown", "error", "invalid") if s in states]
    first = line(
        "verdicts ",
        text(f"{fraction(states.count('known'), len(states))} known", "strong"),
        f" ({', '.join(lost) or 'none unknown'}) · no interval: one run",
    )
    return Caption(lines=(first,), shared=_shared(review, report, [e for e in used if e], context))


def of_costs(review: Review, report: Report, context: FigureContext) -> Caption:
    """What a run cost, from each source, with the date of each price table."""
    amounts = [f"{money(c.usd, summary=False)} {_by_whom(c)}" for c in review.costs if c.usd is not None]
    first = line(
        "cost ",
        text(f"{fraction(1 if amounts else 0, 1)} run priced", "strong"),
        f" · {'; '.join(amounts) or 'no amount'} · no interval: one run",
    )
    dates = [
        (spans.Span(provenance.price_words(c.prices), "strong", context.links.prices(c.prices)),)
        for c in review.costs
        if c.prices
    ]
    return Caption(lines=(first,), shared=_shared(review, report, [], context, dates))


def _by_whom(c: CostLine) -> str:
    return "recorded" if c.prices is None else f"at prices of {c.prices}"


def _shared(
    review: Review,
    report: Report,
    used: Sequence[Estimate],
    context: FigureContext,
    more: Iterable[spans.Line] = (),
) -> Line:
    """Instrument, data, pack, control, stamp and build of one run; its stamp is its own."""
    stamp = ((spans.Span(review.stamp[:10]),),) if review.stamp else ()
    facets = (provenance.contract, provenance.data, provenance.pack, provenance.control)
    facts = [facet(used, context) for facet in facets] if used else _by_report(review, report, context)
    return spans.joined([*facts, *stamp, *more, provenance.build(context)])


def _by_report(review: Review, report: Report, context: FigureContext) -> list[spans.Line]:
    """The instruments of the run's family, and the data, where no estimate stands behind a caption."""
    refs = [used.ref for used in report.contracts if used.family == review.family]
    data = context.links.data(report.experiment, report.data_digest)
    return [
        *(
            (
                spans.Span(f"{provenance.contract_name(ref)} "),
                provenance.digest(ref.digest, "contract", context.links.contract(ref)),
            )
            for ref in refs
        ),
        (spans.Span("data "), provenance.digest(report.data_digest, "data", data)),
    ]
