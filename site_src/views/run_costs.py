"""Money of one run in a table: what the harness recorded, beside what the tokens come to."""

from __future__ import annotations

from collections.abc import Iterator

from metrics_core.report import Report
from metrics_core.review import CostLine, Review
from site_src.figures.context import FigureContext
from site_src.rounding import amount, count
from site_src.views.parts import Cell, Table, cell, table, text
from site_src.views.run_captions import of_costs


def cost_tables(review: Review, report: Report, context: FigureContext) -> Iterator[Table]:
    """One table where the run has any amount or any tokens, else none.

    Args:
        review: The run.
        report: Of its experiment.
        context: Links of the page, and the build.
    """
    if not review.costs:
        return
    recorded = next((c.usd for c in review.costs if c.prices is None), None)
    notes = ["Note"] if any(c.note for c in review.costs) else []
    heads = ["Source", "Input", "Cached", "Output", "USD", "Difference", *notes]
    rows = [tuple(_cells(c, recorded, context))[: len(heads)] for c in review.costs]
    yield table(
        "Cost of this run", heads, rows, numeric=range(1, 6), captions=[of_costs(review, report, context)]
    )


def _cells(c: CostLine, recorded: float | None, context: FigureContext) -> Iterator[Cell]:
    date = (text(", prices of "), text(c.prices, href=context.links.prices(c.prices))) if c.prices else ()
    yield cell(c.source, *date)
    for tokens in (c.input, c.cached, c.output):
        yield cell("not recorded" if tokens is None else count(tokens))
    yield cell(text("unpriced" if c.usd is None else _amount(c.usd), "strong" if c.prices else "plain"))
    apart = None if c.prices is None or c.usd is None or recorded is None else c.usd - recorded
    yield cell("" if apart is None else difference(apart))
    yield cell(c.note)


def _amount(usd: float) -> str:
    return amount(usd, summary=False)


def difference(usd: float) -> str:
    """A difference of two amounts in US dollars, with its sign; what is not nothing never reads as nothing.

    >>> difference(0.0338), difference(-0.0338), difference(0.00001), difference(0.0)
    ('+0.0338', '−0.0338', '<0.0001', '0.0000')
    """
    size = _amount(abs(usd))
    return size if usd == 0 or size.startswith("<") else f"{'−' if usd < 0 else '+'}{size}"
