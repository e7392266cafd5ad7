"""Tables of results of one family: metrics side by side, so that none is read without its companions.

Does: lay out what a report holds, one table a set of metrics and of group keys, each with its caption.
Does not: choose what is good, or order models by a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from metrics_core.estimate import Estimate, Pairs
from metrics_core.report import Report
from site_src import captions, paths, provenance
from site_src.figures.context import FigureContext
from site_src.naming import group_words, metric_words, sentence_case, stratum_words
from site_src.parts import joined
from site_src.provenance import price_words
from site_src.rounding import count, number, ratio
from site_src.views import estimate_cells
from site_src.views.parts import Caption, Cell, Line, Span, Table, cell, spans, table, text
from site_src.views.site_map import has_row

CONTEXT_UNITS = frozenset({"USD", "s", "count"})
"""Units of what is context and never a score."""

MOST_LINES = 60
"""Rows that a table shows before it points to the data."""


def is_context(e: Estimate) -> bool:
    """Whether an estimate is context: money, time, tokens; never a score."""
    return e.unit in CONTEXT_UNITS or e.summary is not None


def of_family(report: Report, family: str, *, context: bool = False) -> list[Estimate]:
    """A family's results, or its context figures, without funnel stages and points of timelines."""
    return [
        e for e in report.estimates
        if e.family == family and is_context(e) is context and e.metric != "stage" and "stamp" not in dict(e.group)
    ]


def result_tables(report: Report, family: str, keys: frozenset[str], site: FigureContext, *, name: str) -> Iterator[Table]:
    """One table a set of metrics: groups down, metrics across, for exactly these group keys.

    Args:
        keys: Group keys of the rows; with ``model`` alone, the whole experiment is the last row.
        site: Links of the page, and the build.
        name: What the table holds, in words.
    """
    wanted = (keys, frozenset()) if keys == {"model"} else (keys,)
    every = of_family(report, family)
    found = [e for e in every if frozenset(k for k, _ in e.group) in wanted]
    shared = _by_metrics(found)
    for strata in shared:
        rows = [e for e in found if e.stratum in strata]
        metrics = {e.metric for e in rows}
        whole = [e for e in every if not e.group and e.stratum in strata and e.metric in metrics]
        yield _table(name + _told_apart(strata, shared), rows, site, behind=whole)


def own_tables(report: Report, family: str, site: FigureContext, *, name: str) -> Iterator[Table]:
    """One model's results: all its runs first, then the same runs by kind and by configuration.

    Args:
        report: Narrowed to one model.
        family: One of its families.
        site: Links of the page, and the build.
        name: What the table holds, in words.
    """
    found = [e for e in of_family(report, family) if {k for k, _ in e.group} <= {"model", "kind", "config"}]
    for strata in _by_metrics([e for e in found if len(e.group) == 1]):
        rows = [e for e in found if e.stratum in strata]
        whole = [e for e in rows if len(e.group) == 1]
        yield _table(name, rows, site, behind=whole, own=True)


def _told_apart(strata: Sequence[Pairs], shared: Sequence[Sequence[Pairs]]) -> str:
    """What tells a table of several from the others: the values of its strata that the others do not share."""
    if len(shared) == 1:
        return ""
    others = {pair for group in shared if group is not strata for stratum in group for pair in stratum}
    own = sorted({pair for stratum in strata for pair in stratum} - others)
    return f", {stratum_words(own)}" if own else ""


def _by_metrics(found: Iterable[Estimate]) -> list[list[Pairs]]:
    """Strata with the same metrics share a table."""
    metrics: dict[Pairs, set[str]] = {}
    for e in found:
        metrics.setdefault(e.stratum, set()).add(e.metric)
    shared: dict[frozenset[str], list[Pairs]] = {}
    for stratum, names in sorted(metrics.items()):
        shared.setdefault(frozenset(names), []).append(stratum)
    return list(shared.values())


def metric_order(names: Iterable[str]) -> list[str]:
    """``change`` first and ``regress`` right beside it, others by name.

    >>> metric_order(["regress", "awareness", "change"])
    ['change', 'regress', 'awareness']
    """
    first = ("change", "regress", "divergence")
    return sorted(set(names), key=lambda m: (first.index(m) if m in first else len(first), m))


def _table(name: str, found: Sequence[Estimate], site: FigureContext, *, behind: Sequence[Estimate] = (),
           own: bool = False) -> Table:
    metrics = metric_order(e.metric for e in found)
    several = len({stratum_words(e.stratum) for e in found}) > 1
    instruments = len({e.contract for e in found}) > 1
    shown: dict[tuple[Pairs, Pairs], dict[str, Estimate]] = {}
    for e in found:
        shown.setdefault((e.stratum, e.group), {})[e.metric] = e
    rows = []
    ordered = sorted(shown.items(), key=lambda item: (item[0][0], *_row_order(item[0][1])))
    most = len(ordered) if all({k for k, _ in group} <= {"model"} for _, group in shown) else MOST_LINES
    for (stratum, group), by_metric in ordered[:most]:
        any_one = next(iter(by_metric.values()))
        rows.append([
            _own(group) if own else _whose(group, site), *([stratum_words(stratum)] if several else []),
            *([_instrument(any_one, site)] if instruments else []),
            *(_cell(by_metric.get(metric)) for metric in metrics),
            Cell(spans=estimate_cells.attempts(any_one)), Cell(spans=_worst(by_metric.values())),
        ])
    heads = ["Runs" if own else sentence_case(_keys_words(found)), *(["Stratum"] if several else []),
             *(["Contract"] if instruments else []), *map(metric_words, metrics), "Attempts", "Not known"]
    if len(ordered) > most:
        rows.append([text(f"{count(len(ordered) - most)} more, each in the data", "quiet"), *[""] * (len(heads) - 1)])
    numeric = [len(heads) - 2]
    return table(name, heads, rows, numeric=numeric, captions=_captions(behind or found, site))


def _instrument(e: Estimate, site: FigureContext) -> Line:
    """The contract that read a row, where a table has rows of several."""
    return spans(provenance.contract([e], site))


def _row_order(group: Pairs) -> tuple[bool, bool, bool, Pairs]:
    """The whole experiment last; of one model, all runs before those of a kind, those before configurations."""
    return (not group, len(group) > 1, any(k == "config" for k, _ in group), group)


def _own(group: Pairs) -> Line:
    rest = group_words(group, without=("model",))
    note = ("architecture",) if any(k == "config" for k, _ in group) else ()
    return (text(rest), *(text(f", {n}", "quiet") for n in note)) if len(group) > 1 else (text("all", "strong"),)


def _keys_words(found: Sequence[Estimate]) -> str:
    keys = dict.fromkeys(k for e in found for k, _ in e.group)
    ordered = sorted(keys, key=lambda k: (k != "model", k))
    return ", ".join(k.replace("_", " ") for k in ordered) or "whose"


def _whose(group: Pairs, site: FigureContext) -> Line:
    model = dict(group).get("model", "")
    rest = group_words(group, without=("model",)) if len(group) > 1 or not model else ""
    if not group:
        return (text("all", "quiet"),)
    head = (text(model, "strong", href=site.links.model(model)),) if model else ()
    return (*head, *((text(f"{', ' if model else ''}{rest}"),) if rest else ()))


def _cell(e: Estimate | None) -> Cell:
    if e is None:
        return cell("")
    under = tuple(replace(s, role="under") for s in estimate_cells.counted(e))
    return Cell(spans=(*estimate_cells.value(e), *under), id=paths.anchor("e", e.id) if has_row(e) else "")


def _worst(found: Iterable[Estimate]) -> Line:
    """What is not known, of the metric of which most is not known."""
    worst = max(found, key=lambda e: e.attempts - e.known)
    return estimate_cells.not_known(worst)


def _captions(found: Sequence[Estimate], site: FigureContext) -> tuple[Caption, ...]:
    """The caption: of all runs together, where that is published; each row holds its own counts besides."""
    whole = [e for e in found if not e.group]
    notes = ("each row holds its own counts",) if whole and len(found) > len(whole) else ()
    return estimate_cells.table_caption(whole or found, site, notes=notes)


def context_table(report: Report, family: str, site: FigureContext) -> Iterator[Table]:
    """Money, time and tokens of a run, by model: median, interval and total; context, never a score."""
    every = of_family(report, family, context=True)
    found = [e for e in every if {k for k, _ in e.group} == {"model"}]
    if not found:
        return
    metrics = metric_order(e.metric for e in found)
    cells: dict[tuple[Pairs, Pairs], dict[str, list[Estimate]]] = {}
    for e in found:
        cells.setdefault((_without_prices(e), e.group), {}).setdefault(e.metric, []).append(e)
    several = len({stratum for stratum, _ in cells}) > 1
    rows = [
        [Cell(spans=_whose(group, site)), *([stratum_words(stratum)] if several else []),
         *(_context_cell(by_metric.get(metric, ())) for metric in metrics)]
        for (stratum, group), by_metric in sorted(cells.items())
    ]  # fmt: skip
    whole = [e for e in every if not e.group] or found
    yield table(
        "Money, time and tokens of one run", ["Model", *(["Stratum"] if several else []), *(f"{metric_words(m)} of a run, median" for m in metrics)],
        rows, captions=estimate_cells.table_caption(whole, site, notes=("context, never a score",)),
    )  # fmt: skip


def _without_prices(e: Estimate) -> Pairs:
    return tuple((k, v) for k, v in e.stratum if k != "prices")


def _context_cell(found: Sequence[Estimate]) -> Cell:
    """One metric of one model; where its runs were priced differently, one after another."""
    out: list[Span] = []
    for e in found:
        total = f"total {number(e.summary.total, e.unit)}, " if e.summary else ""
        how = f", {price_words(e.prices)}" if e.prices and len(found) > 1 else ""
        out += [*estimate_cells.value(e), Span(text=f"{total}{ratio(e)} {e.of}{how}", role="under", estimate=e.id)]
    return Cell(spans=tuple(out), id=paths.anchor("e", found[0].id) if found and has_row(found[0]) else "")


def withheld_table(report: Report, family: str, site: FigureContext) -> Iterator[Table]:
    """What would stand here: for each model, that its numbers are withheld, and how many runs were read."""
    found = [e for e in of_family(report, family) if {k for k, _ in e.group} == {"model"} and e.withheld is not None]
    if not found:
        return
    metrics = metric_order(e.metric for e in found)
    rows = []
    for model in sorted({dict(e.group)["model"] for e in found}):
        own = [e for e in found if dict(e.group)["model"] == model]
        widest = max(own, key=lambda e: e.attempts)
        rows.append([
            text(model, "strong", href=site.links.model(model)),
            *(Cell(spans=estimate_cells.withheld() if any(e.metric == metric for e in own) else ()) for metric in metrics),
            Cell(spans=(Span(text=count(widest.attempts), estimate=widest.id),)),
            Cell(spans=(Span(text=count(widest.invalid), estimate=widest.id),)),
        ])
    heads = ["Model", *map(metric_words, metrics), "Runs read", "Invalid"]
    yield table("What would stand here", heads, rows, numeric=[len(heads) - 2, len(heads) - 1],
                captions=(_withheld_caption(report, found, site),))


def _withheld_caption(report: Report, found: Sequence[Estimate], site: FigureContext) -> Caption:
    """What is withheld and why, once; then instrument, data and dates, without a number."""
    why = "; ".join(dict.fromkeys(e.withheld for e in found if e.withheld))
    invalid = len(report.problems)
    first = (*estimate_cells.withheld(), text(f": {why} · "),
             Span(text=f"{count(report.records)} records read", role="strong", record=report.experiment),
             text(f" ({count(invalid)} problem{'' if invalid == 1 else 's'}) · counts only"))
    facts = [fact(found, site) for fact in
             (provenance.contract, provenance.data, provenance.pack, provenance.control, provenance.stamps)]
    return Caption(lines=(first,), shared=spans(joined((*facts, provenance.build(site)))))


def inline(e: Estimate, site: FigureContext) -> Line:
    """An estimate inside a sentence, linked to where it is shown."""
    href = site.links.estimate(e)
    return tuple(
        Span(text=p.text, role=p.role, href=p.href, estimate=p.estimate) for p in captions.inline(e, href=href)
    )
