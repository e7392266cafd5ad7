"""Tables of one family: results with their metrics side by side, and money, time and tokens as context.

Does: lay out what a report holds, one table a set of metrics and of group keys, each with its caption, so
that no metric is read without its companions. Does not: choose what is good, or order models by a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from metrics_core.results import PLAIN, Estimate, Keys, Report, Vocabulary
from site_src.pages import cells
from site_src.pages.components import Cell, Given, Table, cell, table, terms, text
from site_src.pages.selection import arm_keys, metric_order, of_family
from site_src.pages.site_map import has_row, row_id
from site_src.wording import (
    Caption,
    FigureContext,
    Line,
    Span,
    arm_of,
    count,
    group_words,
    in_order,
    kind_words,
    metric_words,
    number,
    of_words,
    price_words,
    provenance,
    ratio,
    sentence_case,
    stratum_words,
)

MOST_LINES = 60
"""Rows that a table shows before it points to the data."""


def result_tables(
    report: Report, family: str, keys: frozenset[str], site: FigureContext, *, name: str
) -> Iterator[Table]:
    """One table a set of metrics: groups down, metrics across, for exactly these group keys.

    Args:
        report: Of one experiment.
        family: One of its families.
        keys: Group keys of the rows; with those of the family's first arm alone, the whole experiment is
            the last row.
        site: Links of the page, and the build.
        name: What the table holds, in words.
    """
    wanted = (keys, frozenset()) if keys == frozenset(arm_keys(report, family)[:1] or ["model"]) else (keys,)
    every = of_family(report, family)
    found = [e for e in every if frozenset(k for k, _ in e.group) in wanted]
    shared = _by_metrics(found)
    for strata in shared:
        rows = [e for e in found if e.stratum in strata]
        metrics = {e.metric for e in rows}
        whole = [e for e in every if not e.group and e.stratum in strata and e.metric in metrics]
        apart = _distinction(strata, shared, report.words_of(family))
        yield _table(name + apart, rows, site, behind=whole)


def own_tables(report: Report, family: str, key: str, site: FigureContext, *, name: str) -> Iterator[Table]:
    """One arm's results: all its runs first, then the same runs by kind and by configuration.

    Args:
        report: Narrowed to one arm.
        family: One of its families.
        key: The arm's key.
        site: Links of the page, and the build.
        name: What the table holds, in words.
    """
    keys = (report.words_of(family) or PLAIN).keys
    within = {key, *(k.key for k in keys if k.on_arm_page)}
    found = [e for e in of_family(report, family) if set(e.group.names) <= within]
    for strata in _by_metrics([e for e in found if len(e.group) == 1]):
        rows = [e for e in found if e.stratum in strata]
        whole = [e for e in rows if len(e.group) == 1]
        yield _table(name, rows, site, behind=whole, own=True)


def _distinction(strata: Sequence[Keys], shared: Sequence[Sequence[Keys]], words: Vocabulary | None) -> str:
    """What distinguishes one table of several: values of its strata that the others do not share."""
    if len(shared) == 1:
        return ""
    others = {pair for group in shared if group is not strata for stratum in group for pair in stratum}
    own = sorted({pair for stratum in strata for pair in stratum} - others)
    return f", {stratum_words(own, words)}" if own else ""


def _by_metrics(found: Iterable[Estimate]) -> list[list[Keys]]:
    """Strata with the same metrics share a table; that with the most attempts behind a number is first."""
    metrics: dict[Keys, set[str]] = {}
    attempts: dict[Keys, int] = {}
    for e in found:
        metrics.setdefault(e.stratum, set()).add(e.metric)
        attempts[e.stratum] = max(attempts.get(e.stratum, 0), e.attempts)
    shared: dict[frozenset[str], list[Keys]] = {}
    for stratum, names in sorted(metrics.items()):
        shared.setdefault(frozenset(names), []).append(stratum)
    return sorted(shared.values(), key=lambda strata: -max(attempts[stratum] for stratum in strata))


def _table(
    name: str,
    found: Sequence[Estimate],
    site: FigureContext,
    *,
    behind: Sequence[Estimate] = (),
    own: bool = False,
) -> Table:
    metrics = metric_order(found)
    words = found[0].words if found else None
    several = len({stratum_words(e.stratum, words) for e in found}) > 1
    instruments = len({e.contract for e in found}) > 1
    shown: dict[tuple[Keys, Keys], dict[str, Estimate]] = {}
    for e in found:
        shown.setdefault((e.stratum, e.group), {})[e.metric] = e
    rows: list[list[Given]] = []
    ordered = sorted(shown.items(), key=lambda item: (item[0][0], *_row_order(item[0][1], words)))
    arms = all(not group or arm_of(group, words) for _, group in shown)
    most = len(ordered) if arms else MOST_LINES
    apart = any(len({e.attempts for e in by_metric.values()}) > 1 for by_metric in shown.values())
    for (stratum, group), by_metric in ordered[:most]:
        any_one = next(iter(by_metric.values()))
        rows.append(
            [
                _own(group, words) if own else cells.whose(group, words, site),
                *([stratum_words(stratum, words)] if several else []),
                *([_instrument(any_one, site)] if instruments else []),
                *(_cell(by_metric.get(metric), attempts=apart) for metric in metrics),
                *([] if apart else [Cell(spans=cells.attempts(any_one))]),
            ]
        )
    heads = [
        "Runs" if own else sentence_case(_keys_words(found)),
        *(["Stratum"] if several else []),
        *(["Contract"] if instruments else []),
        *(metric_words(metric, words) for metric in metrics),
        *([] if apart else ["Attempts"]),
    ]
    if len(ordered) > most:
        rows.append(
            [text(f"{count(len(ordered) - most)} more, each in the data", "quiet"), *[""] * (len(heads) - 1)]
        )
    numeric = [] if apart else [len(heads) - 1]
    defined = terms(site.links) | {metric_words(e.metric, words): site.links.metric(e) for e in found}
    return table(
        name, heads, rows, numeric=numeric, captions=_captions(behind or found, site), defined=defined
    )


def _instrument(e: Estimate, site: FigureContext) -> Line:
    """The contract that read a row, where a table has rows of several."""
    return provenance.contract([e], site)


def _row_order(
    group: Keys, words: Vocabulary | None
) -> tuple[bool, bool, bool, tuple[tuple[str, int, str], ...]]:
    """The whole experiment last; of one model all runs first, then those by kind, then configurations."""
    counted = tuple((k, int(v) if v.isdecimal() else 0, v) for k, v in group)
    return (not group, len(group) > 1, _is_configured(group, words), counted)


def _is_configured(group: Keys, words: Vocabulary | None) -> bool:
    return any((words or PLAIN).key(key).configuration for key, _ in group)


def _own(group: Keys, words: Vocabulary | None) -> Line:
    rest = group_words(group, words, without=in_order(dict(group), words))
    note = ("architecture",) if _is_configured(group, words) else ()
    return (
        (text(rest), *(text(f", {n}", "quiet") for n in note)) if len(group) > 1 else (text("all", "strong"),)
    )


def _keys_words(found: Sequence[Estimate]) -> str:
    keys = dict.fromkeys(k for e in found for k, _ in e.group)
    ordered = sorted(keys, key=lambda k: (k != "model", k))
    return ", ".join(k.replace("_", " ") for k in ordered) or "whose"


def _cell(e: Estimate | None, *, attempts: bool) -> Cell:
    """Value and interval; under it what its n and N count, and what of its own attempts is not known."""
    if e is None:
        return cell("")
    under = tuple(replace(s, role="under") for s in cells.counted(e, attempts=attempts))
    return Cell(spans=(*cells.value(e), *under), id=row_id(e) if has_row(e) else "")


def _captions(found: Sequence[Estimate], site: FigureContext) -> tuple[Caption, ...]:
    """The caption: of all runs together, where that is published; each row holds its own counts besides."""
    whole = [e for e in found if not e.group]
    notes = ("each row holds its own counts",) if whole and len(found) > len(whole) else ()
    return cells.table_caption(whole or found, site, notes=notes)


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
    by_row: dict[tuple[Keys, Keys], dict[str, list[Estimate]]] = {}
    for e in found:
        by_row.setdefault((_without_prices(e), e.group), {}).setdefault(e.metric, []).append(e)
    several = len({stratum for stratum, _ in by_row}) > 1
    rows: list[list[Given]] = [
        [
            Cell(spans=cells.whose(group, words, site)),
            *([stratum_words(stratum, words)] if several else []),
            *(_context_cell(by_metric.get(metric, ())) for metric in metrics),
        ]
        for (stratum, group), by_metric in sorted(by_row.items())
    ]
    return table(
        f"Money, time and tokens of one run{'' if key == 'model' else f', by {kind_words(key, words)}'}",
        [
            sentence_case(kind_words(key, words)),
            *(["Stratum"] if several else []),
            *(f"{metric_words(m, words)} of a run, median" for m in metrics),
        ],
        rows,
        captions=cells.table_caption(whole, site, notes=("context, never a score",)),
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
            *cells.value(e),
            Span(text=f"{total}{ratio(e)} {of_words(e, brief=False)}{how}", role="under", estimate=e.id),
        ]
    return Cell(spans=tuple(out), id=row_id(found[0]) if found and has_row(found[0]) else "")
