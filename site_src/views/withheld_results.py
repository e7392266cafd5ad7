"""What would stand where numbers are withheld: the models, the metrics, and how many runs were read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core.estimate import Estimate
from metrics_core.report import Report
from site_src import provenance
from site_src.figures.context import FigureContext
from site_src.naming import metric_words
from site_src.parts import Caption, Span, joined
from site_src.rounding import count
from site_src.views import estimate_cells
from site_src.views.of_report import metric_order, of_family
from site_src.views.parts import Cell, Given, Table, table, text


def withheld_table(report: Report, family: str, site: FigureContext) -> Iterator[Table]:
    """What would stand here: for each model, that its numbers are withheld, and how many runs were read."""
    found = [
        e
        for e in of_family(report, family)
        if set(e.group.names) == {"model"} and e.withheld is not None
    ]
    if not found:
        return
    metrics = metric_order(found)
    rows: list[list[Given]] = []
    for model in sorted({e.group["model"] for e in found}):
        own = [e for e in found if e.group["model"] == model]
        widest = max(own, key=lambda e: e.attempts)
        rows.append(
            [
                text(model, "strong", href=site.links.model(model)),
                *(
                    Cell(spans=estimate_cells.withheld() if any(e.metric == metric for e in own) else ())
                    for metric in metrics
                ),
                Cell(spans=(Span(text=count(widest.attempts), estimate=widest.id),)),
                Cell(spans=(Span(text=count(widest.invalid), estimate=widest.id),)),
            ]
        )
    heads = ["Model", *(metric_words(m, found[0].words) for m in metrics), "Runs read", "Invalid"]
    yield table(
        "What would stand here",
        heads,
        rows,
        numeric=[len(heads) - 2, len(heads) - 1],
        captions=(_withheld_caption(report, found, site),),
    )


def _withheld_caption(report: Report, found: Sequence[Estimate], site: FigureContext) -> Caption:
    """What is withheld and why, once; then instrument, data and dates, without a number."""
    why = "; ".join(dict.fromkeys(e.withheld for e in found if e.withheld))
    invalid = len(report.problems)
    first = (
        *estimate_cells.withheld(),
        text(f": {why} · "),
        Span(text=f"{count(report.records)} records read", role="strong", record=report.experiment),
        text(f" ({count(invalid)} problem{'' if invalid == 1 else 's'}) · counts only"),
    )
    facts = [
        fact(found, site)
        for fact in (
            provenance.contract,
            provenance.data,
            provenance.pack,
            provenance.control,
            provenance.stamps,
        )
    ]
    return Caption(lines=(first,), shared=joined((*facts, provenance.build(site))))
