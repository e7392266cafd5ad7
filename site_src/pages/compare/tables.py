"""Tables of comparisons: each pair with its verdict, and what it would be under other denominators.

Does: set what the comparisons hold, and beside each difference what n/N of both arms becomes, which follows
from their estimates. Does not: estimate anything; of a difference under another denominator the core
publishes the verdict, which its interval decided, and not the interval. The heads say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from metrics_core.measurement import counts_under
from metrics_core.results import Comparison, Denominator, Estimate, Separation
from metrics_core.text import visible
from site_src.figures import forest
from site_src.pages.cells import table_caption
from site_src.pages.components import Table, line, table, terms, text
from site_src.pages.pair_sets import PairSet
from site_src.wording import (
    Caption,
    FigureContext,
    Line,
    Span,
    captions,
    count,
    fraction,
    group_words,
    is_arm,
    is_mean,
    kind_words,
    listed,
    many,
    method_words,
    methods,
    metric_words,
    provenance,
    sentence_case,
    signed,
    smallest,
    smallest_note,
    span,
    spans,
    stratum_words,
    verdict,
    verdict_words,
)


def _most(found: Sequence[Comparison], first: Callable[[Comparison], bool]) -> list[Comparison]:
    """As many as a table holds, in the order in which they stand; before others those that matter first."""
    rows = forest.rows_of(len(found))
    chosen = sorted(range(len(found)), key=lambda at: (not first(found[at]), at))[:rows]
    return [found[at] for at in sorted(chosen)]


def _cut(found: Sequence[Comparison], first: str) -> str:
    """What a table leaves out, in a clause; nothing where it holds every pair."""
    rows = forest.rows_of(len(found))
    if rows == len(found):
        return ""
    return (
        f"of {count(len(found))} pairs {rows} stand here, before others {first}; every one is in "
        "comparisons.csv among the downloads"
    )


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
                "Could be shown",
                "Verdict",
                "Under other denominators",
            ],
            [
                _row(c)
                for c in _most(
                    sorted(rows, key=lambda c: (c.metric, c.stratum, c.group, c.a, c.b)),
                    lambda c: c.told_apart is not None,
                )
            ],
            numeric=[2, 3, 4, 5],
            captions=_captions(rows, site),
            defined=terms(site.links),
        )


def _row(c: Comparison) -> tuple[Line | Span | str, ...]:
    whose = group_words(c.group, c.words) if c.group else ""
    where = ", ".join(filter(None, (stratum_words(c.stratum, c.words), whose)))
    difference = "" if c.difference is None else signed(c.difference)
    limits = f" {span(c.interval, 'fraction', difference=True)}" if c.interval.lo is not None else ""
    apart = c.told_apart is not None
    return (
        line(text(c.a, "strong"), " − ", text(c.b, "strong")),
        line(metric_words(c.metric, c.words), text(f" {where}", "quiet") if where else ""),
        line(Span(text=difference, role="strong" if apart else "plain", record=c.id), text(limits, "light")),
        Span(text="different tasks" if c.unpaired else count(c.paired_on or 0), record=c.id),
        Span(text="" if c.p_adjusted is None else captions.p_words(c.p_adjusted), record=c.id),
        Span(text=smallest(c), record=c.id),
        text(verdict_words(c), "strong" if apart else "plain"),
        # Verdicts alone: the differences stand on the page of the pair, beside the n/N that each is over.
        "; ".join(f"{name}: {verdict(again)}" for name, again, _ in _recounts(c)),
    )


def _recounts(c: Comparison) -> list[tuple[Denominator, Comparison, float | None]]:
    """Under each other denominator: the pair as both rules judge it then, and the difference."""
    return [(x.denominator, replace(c, judged=x.judged), x.difference) for x in c.sensitivity]


def _changed(c: Comparison, again: Comparison) -> bool:
    """Whether another denominator changes the outcome, by either rule, or who is above."""
    return (again.outcome, again.told_apart) != (c.outcome, c.told_apart)


def _captions(found: Sequence[Comparison], site: FigureContext) -> tuple[Caption, ...]:
    told = ", ".join(
        f"{count(sum(c.outcome is outcome for c in found))} {outcome}"
        for outcome in Separation
        if any(c.outcome is outcome for c in found)
    )
    cut = _cut(found, "those that either rule tells apart")
    notes = filter(None, (*captions.separation_notes(found), smallest_note(found), cut))
    how = (*notes, *map(method_words, dict.fromkeys(c.making for c in found if c.difference is not None)))
    return (
        Caption(
            reads=line("comparisons of ", text(many(len(found), "pair"), "strong"), f": {told}"),
            strip=(provenance.of_contracts((c.contract for c in found), site), provenance.build(site)),
            shared=spans.joined(line(words) for words in how),
        ),
    )


def sensitivity(s: PairSet, context: FigureContext, only: Comparison | None = None) -> Iterator[Table]:
    """One table; none where the numbers are withheld, or nothing is left out of any denominator.

    Args:
        s: Pairs on one metric.
        context: Links of the page, and the build.
        only: The one pair that is wanted; all of them where it is None.
    """
    shown = [c for c in s.comparisons if only in (None, c)]
    names = list(dict.fromkeys(name for c in shown for name, _, _ in _recounts(c)))
    if s.withheld or not names:
        return
    arms = s.arms if only is None else (s.arm(only.a), s.arm(only.b))
    yield table(
        f"{sentence_case(s.words)}: under other denominators",
        ["Pair", "As it stands", *(f"{sentence_case(name)}, interval not published" for name in names)],
        [
            _sensitivity_row(s, c, names, context)
            for c in _most(shown, lambda c: any(_changed(c, again) for _, again, _ in _recounts(c)))
        ],
        captions=table_caption(
            arms,
            context,
            notes=[
                *methods(shown),
                *captions.separation_notes(shown),
                f"beside each difference: {_counted_in(s)} of the first arm and of the second",
                *_never_recorded(s, arms, names),
                *_unmoved(shown),
                *filter(None, [_cut(shown, "those whose outcome another denominator changes")]),
            ],
        ),
    )


def _counted_in(s: PairSet) -> str:
    return "n/N" if all(map(_is_share, s.arms)) else "how many attempts are counted"


def _never_recorded(s: PairSet, arms: Sequence[Estimate], names: Sequence[Denominator]) -> list[str]:
    """Under which denominator runs count that were never recorded, and how many each arm lacks."""
    if Denominator.ALL_PLANNED not in names:
        return []
    whose = [
        f"{count(e.never_recorded.runs)} of {visible(e.group[s.first.over])}"
        for e in arms
        if e.never_recorded is not None
    ]
    return [f"runs never recorded ({listed(whose)}) count under “all runs planned” alone"] if whose else []


def _unmoved(shown: list[Comparison]) -> list[str]:
    """That no other denominator changes a verdict, where it is so."""
    moved = [c for c in shown if any(_changed(c, again) for _, again, _ in _recounts(c))]
    return [] if moved else ["no verdict here changes under another denominator, by either rule"]


def counted(e: Estimate, denominator: Denominator | None = None) -> str:
    """n/N of an arm under a denominator; of a mean, whose N is of another unit, the attempts that it is over.

    Args:
        e: The arm's own estimate, of which something is known.
        denominator: What is counted too; None for its own.

    >>> from tests.support.figure_samples import share
    >>> e = share("security", 50, 58, unknown=9, errors=2)
    >>> counted(e), *(counted(e, x) for x in (Denominator.UNKNOWN_FOR, Denominator.ERRORS_AS_FAILURES))
    ('50/58', '59/67', '50/60')
    """
    n, runs = counts_under(e, denominator)
    return fraction(n, runs) if _is_share(e) else count(runs)


def _is_share(e: Estimate) -> bool:
    """Whether its value is n/N, each attempt counted once."""
    return e.n is not None and e.known == e.N and not is_mean(e)


def _sensitivity_row(
    s: PairSet, c: Comparison, names: list[Denominator], context: FigureContext
) -> list[Line]:
    under = {name: (again, value) for name, again, value in _recounts(c)}
    limits = f" {span(c.interval, 'fraction', difference=True)}" if c.interval.lo is not None else ""
    return [
        line(text(f"{c.a} − {c.b}", href=context.links.pair(c.experiment, c.a, c.b))),
        _cell(c, c, c.difference, _over(s, c), limits),
        *(_cell(c, *under[name], _over(s, c, name), stands=False) if name in under else () for name in names),
    ]


def _over(s: PairSet, c: Comparison, denominator: Denominator | None = None) -> str:
    """What both arms count, the first arm first."""
    a, b = s.arm(c.a), s.arm(c.b)
    both = f"{counted(a, denominator)} and {counted(b, denominator)}"
    return both if _is_share(a) and _is_share(b) else f"{both} attempts"


def _cell(
    c: Comparison, again: Comparison, value: float | None, over: str, limits: str = "", *, stands: bool = True
) -> Line:
    """A difference, what it is over, and what follows; what would change the verdict stands out."""
    changed = not stands and _changed(c, again)
    number = (
        ()
        if value is None
        else (Span(text=signed(value), role="strong" if stands else "plain", record=c.id),)
    )
    return (
        *number,
        *((text(limits, "light"),) if limits else ()),
        Span(text=f"{' · ' if number else ''}{over} · ", role="quiet", record=c.id),
        text(verdict(again), "strong" if changed or (stands and c.told_apart is not None) else "plain"),
    )
