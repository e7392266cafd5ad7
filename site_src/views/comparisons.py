"""Pairs of models or configurations, told apart or not: a table of every comparison, both ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core.compared import Comparison, ComparisonVerdict
from site_src import captions, provenance
from site_src.arms import is_arm, kind_words
from site_src.figures.context import FigureContext
from site_src.figures.difference_words import APART
from site_src.naming import group_words, metric_words, stratum_words
from site_src.parts import Caption, Line, Span
from site_src.provenance import method_words
from site_src.rounding import count, share, signed, span
from site_src.views.contracts import digest_span
from site_src.views.parts import Table, line, table, text


def comparison_tables(found: Sequence[Comparison], site: FigureContext) -> Iterator[Table]:
    """One table for each thing that is compared over: models, or configurations within a model.

    Args:
        found: Comparisons of one experiment.
        site: Links of the page, and the build.
    """
    for over in dict.fromkeys(c.over for c in found):
        rows = [c for c in found if c.over == over]
        yield table(
            f"Pairs of {kind_words(over, rows[0].words)}s"
            if is_arm(over, rows[0].words)
            else f"Pairs by {over}: architecture, within one model",
            [
                "Pair",
                "Metric",
                "Difference [95 %]",
                "In common",
                "p after Holm",
                "Could have shown",
                "Verdict",
                "Under other denominators",
            ],
            [_row(c) for c in sorted(rows, key=lambda c: (c.metric, c.stratum, c.group, c.a, c.b))],
            numeric=[2, 3, 4, 5],
            captions=_captions(rows, site),
        )


def verdict_words(c: Comparison) -> str:
    """What follows, with the names in place of a and b.

    A pair that is told apart by its difference and not by its intervals says so.
    """
    said = _verdict(c, c.verdict)
    return said if c.verdict in APART or not c.reason else f"{said}: {c.reason}"


def _verdict(c: Comparison, verdict: ComparisonVerdict) -> str:
    """A verdict with the names in place of a and b."""
    match verdict:
        case "a above b":
            return f"{c.a} above {c.b}"
        case "b above a":
            return f"{c.b} above {c.a}"
        case "not comparable":
            return "not comparable"
        case _:
            return "not separated"


def _row(c: Comparison) -> tuple[Line | Span | str, ...]:
    whose = group_words(c.group, c.words) if c.group else ""
    where = ", ".join(filter(None, (stratum_words(c.stratum, c.words), whose)))
    difference = "" if c.difference is None else signed(c.difference)
    limits = f" {span(c.interval, 'fraction', difference=True)}" if c.interval.lo is not None else ""
    apart = c.verdict in APART
    return (
        line(text(c.a, "strong"), " − ", text(c.b, "strong")),
        line(metric_words(c.metric, c.words), text(f" {where}", "quiet") if where else ""),
        line(Span(text=difference, role="strong" if apart else "plain", record=c.id), text(limits, "light")),
        Span(text="different tasks" if c.paired_on is None else count(c.paired_on), record=c.id),
        Span(text="" if c.p_adjusted is None else captions.p_words(c.p_adjusted), record=c.id),
        Span(text="" if c.detectable is None else f"{share(c.detectable)} or more", record=c.id),
        text(verdict_words(c), "strong" if apart else "plain"),
        # Verdicts alone: the differences stand on the page of the pair, beside the n/N that each is over.
        "; ".join(f"{name}: {_verdict(c, verdict)}" for name, verdict, _ in c.sensitivity),
    )


def _captions(found: Sequence[Comparison], site: FigureContext) -> tuple[Caption, ...]:
    apart = sum(c.verdict in APART for c in found)
    first = line(
        "comparisons ",
        text(f"{count(apart)}/{count(len(found))} pairs separated", "strong"),
        f" · {_rule(found)}",
    )
    shared: list[Span] = []
    for method in dict.fromkeys(c.making for c in found):
        shared += [text(f"{method_words(method)} · ")]
    for ref in dict.fromkeys(c.contract for c in found):
        shared += [
            text(f"{provenance.contract_name(ref)} "),
            digest_span(ref.digest, "contract", site.links.contract(ref)),
            text(" · "),
        ]
    shared += provenance.build(site)
    return (Caption(lines=(first,), shared=tuple(shared)),)


def _rule(found: Sequence[Comparison]) -> str:
    rules = {c.rule for c in found}
    said = {
        "overlap": "separated where the intervals do not overlap and the difference leaves out 0 after Holm",
        "paired": "separated where the difference alone leaves out 0 after Holm",
    }
    return "; ".join(said[rule] for rule in ("overlap", "paired") if rule in rules)
