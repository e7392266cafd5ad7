"""The one maker of captions: every sentence that holds a number is made here from its estimate.

Does: say what was counted, n/N with its word, what is unknown and why, value and interval; then, once
for all of a figure, how and with what. Facts that differ between the lines of a figure stand at the
end of their line. Does not: compute a number, or know a family.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from metrics_core.results import STAGE, Comparison, Control, Estimate
from metrics_core.text import visible
from site_src.marks import swatch
from site_src.wording import numbers, provenance, reading
from site_src.wording.clauses import (
    clause,
    comparison_clause,
    control_clause,
    cost_clause,
    counted,
    lost_words,
    missing,
    p_words,
    value_parts,
)
from site_src.wording.estimates import is_mean, of_words
from site_src.wording.links import FigureContext
from site_src.wording.names import (
    group_words,
    in_words,
    is_arm,
    many_in_words,
    metric_words,
    shown_name,
    stratum_words,
)
from site_src.wording.numbers import count, fraction, money, number, percent, ratio, share, signed, span
from site_src.wording.spans import Caption, Line, Span, joined, plain, svg_markup, text

__all__ = [
    "Caption", "Line", "Span", "beside_notes", "caption", "clause", "comparison_clause", "control_clause",
    "controls_caption", "cost_clause", "count", "counted", "described", "fraction", "inline", "metric_words",
    "missing", "money", "number", "p_words", "percent", "plain", "ratio", "separation_notes", "share",
    "signed", "span", "subject", "text", "value_parts",
]  # fmt: skip

MOST_IN_A_LINE = 8
"""A line of more estimates than this names the first and the last few, and points to the table."""


def inline(e: Estimate, *, href: str = "") -> Line:
    """An estimate inside prose: bold n/N with its word, light interval; counts only where there is no more.

    Args:
        e: Any estimate.
        href: Where the figure stands.
    """
    if e.withheld is not None:
        return (Span("withheld", "state", href, mark=svg_markup(swatch("withheld"))),)
    limits = numbers.limits(e) if e.headline in ("point", "bounds") else ""
    parts: Line = (Span(f"{ratio(e)} {of_words(e, brief=False)}", "strong", href, estimate=e.id),)
    if e.headline == "bounds" and e.bounds:
        return (*parts, Span(f" [bounds {share(e.bounds[0])} to {share(e.bounds[1])}]", "light", href))
    if e.value is not None and limits:
        word = "median " if e.summary else "mean " if is_mean(e) else ""
        parts += (Span(f" {word}{numbers.value(e)}", "light", href),)
    return (*parts, Span(f" {limits}", "light", href)) if limits else parts


def subject(e: Estimate, *, with_family: bool = False, keys: Iterable[str] | None = None) -> tuple[str, str]:
    """Metric, and in which stratum for whom; ``keys`` names the group keys to name, all by default."""
    kept = set(e.group.names) if keys is None else set(keys)
    metric = metric_words(e.metric, e.words)
    if e.metric == STAGE:
        metric = f"reached “{shown_name(e.group.get(STAGE, STAGE))}”"
        kept.discard(STAGE)
    if with_family:
        metric = f"{shown_name(e.family)} {metric}"
    whom = group_words(e.group, e.words, without=set(e.group.names) - kept)
    return metric, ", ".join(word for word in (stratum_words(e.stratum, e.words), whom) if word)


def caption(
    estimates: Sequence[Estimate],
    context: FigureContext,
    *,
    reads: Sequence[str] = (),
    bar: str = "",
    notes: Sequence[str] = (),
    further: Sequence[str] = (),
) -> Caption:
    """The caption of a figure or a table.

    Args:
        estimates: Everything that is shown, at least one.
        context: Links and the site's build.
        reads: How it is read, the most needed sentence first.
        bar: What an interval is drawn or written as; see `site_src.wording.reading.reads`.
        notes: By which rules it was made, before how its intervals were.
        further: Lines on what is drawn and is no estimate.

    Raises:
        ValueError: No estimate.
    """
    if not estimates:
        raise ValueError("a caption of no estimate")
    lines: dict[tuple[object, ...], list[Estimate]] = {}
    for e in estimates:
        key = (
            e.experiment,
            e.family,
            e.metric,
            e.stratum,
            e.contract,
            e.data_digest,
            e.pack,
            e.prices,
            e.control,
            e.group.get(STAGE),
        )
        lines.setdefault(key, []).append(e)
    facets = [[facet(line, context) for facet in provenance.FACETS] for line in lines.values()]
    common = [len({fact for fact in column if fact}) < 2 for column in zip(*facets, strict=True)]
    families = {e.family for e in estimates} | {e.experiment for e in estimates}
    several = len({e.experiment for e in estimates}) > 1
    first = [
        joined(
            (
                _line(line, with_family=len(families) > 2, with_experiment=several),
                *(f for f, same in zip(facts, common, strict=True) if not same),
            )
        )
        for line, facts in zip(lines.values(), facets, strict=True)
    ]
    every_note = [*notes, *dict.fromkeys(note for e in estimates for note in e.notes)]
    how = provenance.method(estimates, context)
    sizes, dates = (
        max((facet(line, context) for line in lines.values()), key=len)
        if common[provenance.FACETS.index(facet)]
        else ()
        for facet in (provenance.sizes, provenance.stamps)
    )
    return Caption(
        reads=reading.reads(reads, estimates, bar=bar),
        strip=provenance.strip(estimates, context),
        lines=(*first, *((Span(words),) for words in further)),
        shared=joined((*((Span(visible(note)),) for note in every_note), how, sizes, dates)),
    )


def _line(line: Sequence[Estimate], *, with_family: bool, with_experiment: bool = False) -> Line:
    values: dict[str, set[str | None]] = {}
    for e in line:
        for key, _ in e.group:
            values.setdefault(key, {other.group.get(key) for other in line})
    varying = {key for key, found in values.items() if len(found) > 1}
    metric, about = subject(line[0], with_family=with_family, keys=set(values) - varying)
    named = (Span(f"{shown_name(line[0].experiment)} "),) if with_experiment else ()
    head: Line = (*named, Span(metric, "strong"), Span(f" {about} " if about else " "))
    if len(line) == 1:
        return (*head, *clause(line[0]))
    if line[0].withheld_by is not None and {e.withheld_by for e in line} == {line[0].withheld_by}:
        whose = ", ".join(
            group_words(e.group, e.words, without=set(values) - varying) for e in line[:MOST_IN_A_LINE]
        )
        return (*head, Span(f"{whose} " if len(line) <= MOST_IN_A_LINE else "all "), *counted(line[0]))
    if varying == {"stamp"}:
        return (*head, *_stamps(line))
    shown = line if len(line) <= MOST_IN_A_LINE else (*line[:5], line[-1])
    clauses: list[Span] = []
    for at, e in enumerate(shown):
        if len(shown) < len(line) and at == len(shown) - 1:
            clauses.append(Span(f"; {count(len(line) - len(shown))} more, each in the table"))
        label = group_words(e.group, e.words, without=set(values) - varying) if e.group else "all"
        brief = at > 0 and e.of == shown[at - 1].of and shown[at - 1].withheld is None
        clauses += (*((Span("; "),) if clauses else ()), *clause(e, label=label, brief=brief))
    return (*head, *clauses)


def _stamps(line: Sequence[Estimate]) -> Line:
    """Points of one instrument, added up: each has its own n/N in the figure. No value: a sum has none."""
    shown = [e for e in line if e.withheld is None]
    hidden = (
        Span(f"{in_words(len(line) - len(shown))} withheld", "state", mark=svg_markup(swatch("withheld"))),
    )
    if not shown:
        return hidden
    n, N = sum(e.n or 0 for e in shown), sum(e.N or 0 for e in shown)
    lost = lost_words(
        sum(e.unknown for e in shown), sum(e.errors for e in shown), sum(e.invalid for e in shown),
        sum(e.attempts for e in shown),
    )  # fmt: skip
    few = sum(e.headline == "counts" for e in shown)
    stamps = f"over {many_in_words(len(shown), 'stamp')} "
    return joined((
        (Span(stamps), Span(f"{fraction(n, N)} {visible(shown[0].of)}", "strong"), Span(f" {lost}")),
        (Span(f"{in_words(few)} with too few known, counts only"),) if few else (),
        hidden if len(shown) < len(line) else (),
    ))  # fmt: skip


def described(estimates: Sequence[Estimate]) -> str:
    """Every number of a figure in words, of several experiments each with its own: its alternative text."""
    several = len({e.experiment for e in estimates}) > 1

    def whose(e: Estimate) -> str:
        return " ".join(w for w in (shown_name(e.experiment) if several else "", *subject(e)) if w)

    return "; ".join(f"{whose(e)}: {text(clause(e))}" for e in estimates)


def separation_notes(comparisons: Sequence[Comparison]) -> list[str]:
    """By which rule models are separated, so that brackets can be read; nothing where none was compared."""
    rules = {c.rule for c in comparisons}
    notes = []
    if "overlap" in rules:
        notes.append(
            "separated: own intervals apart, the difference clear of 0, p at most 0.05, 15 valid runs a side"
        )
    if "paired" in rules:
        notes.append(
            "separation: paired, so that the difference on the same tasks decides alone, whether or not own"
            " intervals overlap"
        )
    sizes = sorted({c.holm_size for c in comparisons if c.p_adjusted is not None})
    if sizes == [1]:
        notes.append("p of the only comparison of the metric here, so that there is nothing to adjust for")
    elif sizes:
        over = count(sizes[0]) if len(sizes) == 1 else f"{count(sizes[0])} to {count(sizes[-1])}"
        notes.append(f"p after Holm over all {over} comparisons of the metric here")
    return notes


BESIDE: Final = "two arms are told apart by the interval of their difference, never by these intervals alone"
"""Stands where a reader may hold the intervals of arms side by side, and no difference is drawn."""


def beside_notes(estimates: Iterable[Estimate]) -> list[str]:
    """By which interval arms are told apart, where those of two stand side by side; else nothing."""
    arms: dict[tuple[object, ...], set[str]] = {}
    for e in estimates:
        if e.withheld is None and e.headline in ("point", "bounds") and e.interval.lo is not None:
            for key, name in e.group:
                if is_arm(key, e.words):
                    whose = (e.experiment, e.family, e.metric, e.stratum, key, e.group.without(key))
                    arms.setdefault(whose, set()).add(name)
    return [BESIDE] if any(len(names) > 1 for names in arms.values()) else []


def controls_caption(
    controls: Sequence[Control], context: FigureContext, *, facts: Sequence[Line] = (), reads: Line = ()
) -> Caption:
    """The caption of a figure of controls; a control holds or fails, so there is no interval.

    Args:
        controls: At least one.
        context: Links and the site's build.
        facts: Contracts and data that were controlled.
        reads: How a drawing of them is read.
    """
    return Caption(
        reads=reads,
        strip=(*facts, provenance.build(context)),
        lines=tuple(control_clause(c) for c in controls),
        shared=(Span("no interval: a control holds or fails"),),
    )
