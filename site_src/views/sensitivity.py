"""What a verdict would be under other denominators: a table of pairs, one column a denominator.

Does: set what the comparisons hold, and beside each difference what n/N of both arms becomes, which follows
from their estimates. Does not: estimate anything; of a difference under another denominator the core
publishes the verdict, which its interval decided, and not the interval. The heads say so.
"""

from __future__ import annotations

from collections.abc import Iterator

from metrics_core.codes import Denominator
from metrics_core.compared import Comparison
from metrics_core.counterfactual import counts_under
from metrics_core.estimate import Estimate
from site_src import captions
from site_src.clauses import is_mean
from site_src.figures.context import FigureContext
from site_src.figures.difference_words import APART, methods, verdict
from site_src.naming import sentence_case
from site_src.parts import Line, Span
from site_src.rounding import count, fraction, signed, span
from site_src.views.estimate_cells import table_caption
from site_src.views.pair_sets import PairSet
from site_src.views.parts import Table, line, table, text


def sensitivity(s: PairSet, context: FigureContext, only: Comparison | None = None) -> Iterator[Table]:
    """One table; none where the numbers are withheld, or nothing is left out of any denominator.

    Args:
        s: Pairs on one metric.
        context: Links of the page, and the build.
        only: The one pair that is wanted; all of them where it is None.
    """
    shown = [c for c in s.comparisons if only in (None, c)]
    names = list(dict.fromkeys(name for c in shown for name, _, _ in c.sensitivity))
    if s.withheld or not names:
        return
    arms = s.arms if only is None else (s.arm(only.a), s.arm(only.b))
    yield table(
        f"{sentence_case(s.words)}: under other denominators",
        ["Pair", "As it stands", *(f"{sentence_case(name)}, interval not published" for name in names)],
        [_row(s, c, names, context) for c in shown],
        captions=table_caption(
            arms,
            context,
            notes=[
                *methods(shown),
                *captions.separation_notes(shown),
                f"beside each difference: {_counted_in(s)} of the first arm and of the second",
                *_unmoved(shown),
            ],
        ),
    )


def _counted_in(s: PairSet) -> str:
    return "n/N" if all(map(_is_share, s.arms)) else "how many attempts are counted"


def _unmoved(shown: list[Comparison]) -> list[str]:
    """That no other denominator changes a verdict, where it is so."""
    moved = [c for c in shown if any(word != c.verdict for _, word, _ in c.sensitivity)]
    return [] if moved else ["no verdict here changes under another denominator"]


def counted(e: Estimate, denominator: Denominator | None = None) -> str:
    """n/N of an arm under a denominator; of a mean, whose N is of another unit, the attempts that it is over.

    Args:
        e: The arm's own estimate, of which something is known.
        denominator: What is counted too; None for its own.

    >>> from tests.figure_samples import share
    >>> e = share("security", 50, 58, unknown=9, errors=2)
    >>> counted(e), *(counted(e, x) for x in (Denominator.UNKNOWN_FOR, Denominator.ERRORS_AS_FAILURES))
    ('50/58', '59/67', '50/60')
    """
    n, runs = counts_under(e, denominator)
    return fraction(n, runs) if _is_share(e) else count(runs)


def _is_share(e: Estimate) -> bool:
    """Whether its value is n/N, each attempt counted once."""
    return e.n is not None and e.known == e.N and not is_mean(e)


def _row(s: PairSet, c: Comparison, names: list[Denominator], context: FigureContext) -> list[Line]:
    under = {name: (word, value) for name, word, value in c.sensitivity}
    limits = f" {span(c.interval, 'fraction', difference=True)}" if c.interval.lo is not None else ""
    return [
        line(text(f"{c.a} − {c.b}", href=context.links.pair(c.experiment, c.a, c.b))),
        _cell(c, c.verdict, c.difference, _over(s, c), limits),
        *(_cell(c, *under[name], _over(s, c, name), stands=False) if name in under else () for name in names),
    ]


def _over(s: PairSet, c: Comparison, denominator: Denominator | None = None) -> str:
    """What both arms count, the first arm first."""
    a, b = s.arm(c.a), s.arm(c.b)
    both = f"{counted(a, denominator)} and {counted(b, denominator)}"
    return both if _is_share(a) and _is_share(b) else f"{both} attempts"


def _cell(
    c: Comparison, word: str, value: float | None, over: str, limits: str = "", *, stands: bool = True
) -> Line:
    """A difference, what it is over, and what follows; what would change the verdict stands out."""
    said = verdict_of(c, word)
    changed = not stands and word != c.verdict
    number = (
        ()
        if value is None
        else (Span(text=signed(value), role="strong" if stands else "plain", record=c.id),)
    )
    return (
        *number,
        *((text(limits, "light"),) if limits else ()),
        Span(text=f"{' · ' if number else ''}{over} · ", role="quiet", record=c.id),
        text(said, "strong" if changed or (stands and word in APART) else "plain"),
    )


def verdict_of(c: Comparison, word: str) -> str:
    """A verdict's words, with the names in place of a and b."""
    names = {"a above b": f"{c.a} above", "b above a": f"{c.b} above"}
    return names.get(word, word) if word != c.verdict else verdict(c)
