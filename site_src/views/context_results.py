"""Money, time and tokens of a family's runs in one table: context, never a score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core.estimate import Estimate
from metrics_core.keys import Keys
from metrics_core.report import Report
from site_src.arms import arm_of, in_order, kind_words
from site_src.figures.context import FigureContext
from site_src.naming import metric_words, sentence_case, stratum_words
from site_src.parts import Span
from site_src.provenance import price_words
from site_src.rounding import number, ratio
from site_src.views import estimate_cells
from site_src.views.of_report import metric_order, of_family
from site_src.views.parts import Cell, Given, Table, table
from site_src.views.site_map import has_row, row_id


def context_table(report: Report, family: str, site: FigureContext) -> Iterator[Table]:
    """Money, time and tokens of a run, by model: median, interval and total; context, never a score."""
    every = of_family(report, family, context=True)
    words = report.words_of(family)
    keys = in_order({arm[0] for e in every if (arm := arm_of(e.group, words)) is not None}, words)
    for key in keys:
        found = [e for e in every if set(e.group.names) == {key}]
        whole = [e for e in every if not e.group and key == keys[0]]
        yield _by_arm(found, whole or found, key, site)


def _by_arm(found: Sequence[Estimate], whole: Sequence[Estimate], key: str, site: FigureContext) -> Table:
    metrics = metric_order(found)
    words = found[0].words
    cells: dict[tuple[Keys, Keys], dict[str, list[Estimate]]] = {}
    for e in found:
        cells.setdefault((_without_prices(e), e.group), {}).setdefault(e.metric, []).append(e)
    several = len({stratum for stratum, _ in cells}) > 1
    rows: list[list[Given]] = [
        [
            Cell(spans=estimate_cells.whose(group, words, site)),
            *([stratum_words(stratum, words)] if several else []),
            *(_context_cell(by_metric.get(metric, ())) for metric in metrics),
        ]
        for (stratum, group), by_metric in sorted(cells.items())
    ]
    return table(
        f"Money, time and tokens of one run{'' if key == 'model' else f', by {kind_words(key, words)}'}",
        [
            sentence_case(kind_words(key, words)),
            *(["Stratum"] if several else []),
            *(f"{metric_words(m, words)} of a run, median" for m in metrics),
        ],
        rows,
        captions=estimate_cells.table_caption(whole, site, notes=("context, never a score",)),
    )


def _without_prices(e: Estimate) -> Keys:
    return e.stratum.without("prices")


def _context_cell(found: Sequence[Estimate]) -> Cell:
    """One metric of one model; where its runs were priced differently, one after another."""
    out: list[Span] = []
    for e in found:
        total = f"total {number(e.summary.total, e.unit)}, " if e.summary else ""
        how = f", {price_words(e.prices)}" if e.prices and len(found) > 1 else ""
        out += [
            *estimate_cells.value(e),
            Span(text=f"{total}{ratio(e)} {e.of}{how}", role="under", estimate=e.id),
        ]
    return Cell(spans=tuple(out), id=row_id(found[0]) if found and has_row(found[0]) else "")
