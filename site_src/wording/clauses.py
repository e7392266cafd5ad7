"""Clauses of captions: one estimate, one difference, one control, one sum of money, one arm's stability.

Does: say what was counted, n/N with its word, what is unknown, value and interval, or why there is none.
Does not: put clauses together, or say with what instrument; `site_src.wording.captions` does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from metrics_core.comparison import Stability
from metrics_core.results import Comparison, Control, CostRow, Estimate, Interval
from metrics_core.text import visible
from site_src.marks import StateName, swatch
from site_src.wording import numbers
from site_src.wording.estimates import (
    is_mean,
    left_out_words,
    of_words,
    over_words,
    unequal_words,
    why_bounds,
)
from site_src.wording.names import shown_name
from site_src.wording.numbers import (
    count,
    fraction,
    in_state,
    many,
    money,
    number,
    ratio,
    share,
    signed,
    span,
)
from site_src.wording.provenance import price_words
from site_src.wording.spans import Line, Span, joined, svg_markup


def missing(e: Estimate, *, brief: bool = False) -> str:
    """What is not in N, of how many attempts.

    Args:
        e: Any estimate that is not withheld.
        brief: Leave out the word "attempts", which stands earlier in the line.

    >>> from metrics_core.statistics.proportions import wilson
    >>> from metrics_core.results.estimate import ContractRef
    >>> e = Estimate(experiment="x", family="f", metric="m", group=(), stratum=(), unit="fraction", value=0.8,
    ...     n=12, N=15, of="known verdicts", known=15, unknown=3, interval=wilson(12, 15),
    ...     contract=ContractRef("f", "1", "sha256:" + 64 * "0"), data_digest="sha256:" + 64 * "0")
    >>> missing(e)
    '(3 unknown of 18 attempts)'
    """
    never = e.never_recorded.runs if e.never_recorded is not None else 0
    return lost_words(e.unknown, e.errors, e.invalid, e.attempts, never=never, brief=brief)


def lost_words(
    unknown: int, errors: int, invalid: int, attempts: int, *, never: int = 0, brief: bool = False
) -> str:
    """Counts of what is not in N, by state, of how many attempts; and how many runs were never recorded.

    >>> lost_words(1, 27, 0, 40), lost_words(0, 0, 0, 1), lost_words(0, 0, 0, 1, brief=True, never=2)
    ('(1 unknown, 27 errors of 40 attempts)', '(the one attempt known)', '(the one known; 2 never recorded)')
    """
    parts = ((unknown, "unknown"), (errors, "error"), (invalid, "invalid"))
    lost = [in_state(n, word) for n, word in parts if n]
    of = count(attempts) if brief else many(attempts, "attempt")
    holes = f"; {count(never)} never recorded" if never else ""
    if lost:
        return f"({', '.join(lost)} of {of}{holes})"
    if attempts == 1:
        return f"(the one{'' if brief else ' attempt'} known{holes})"
    if brief:
        return f"(all of {of}{holes})"
    return f"(all of {of} known{holes})" if attempts else f"(no attempts{holes})"


def counted(e: Estimate, *, brief: bool = False) -> Line:
    """n/N with its word, the runs a mean goes over, and what is missing; or that it is withheld, and why."""
    if e.withheld is not None:
        return (
            Span("withheld", "state", mark=svg_markup(swatch("withheld"))),
            Span(f": {visible(e.withheld)}"),
        )
    over = f", {over_words(e)}" if is_mean(e) and e.headline != "counts" else ""
    words = ratio(e) if brief else f"{ratio(e)} {of_words(e, brief=False)}"
    return (Span(words, "strong", estimate=e.id), Span(f"{over} {missing(e, brief=brief)}"))


def value_parts(e: Estimate) -> Line:
    """The value with its interval, or why there is none; nothing where nothing is known."""
    if e.withheld is not None or e.headline == "nothing":
        return ()
    if e.headline == "bounds" and e.bounds:
        lo, hi = (number(b, e.unit) for b in e.bounds)
        why = f" in place of a point, since {why_bounds(e)}"
        return (Span("bounds "), Span(f"{lo} to {hi}", "strong", estimate=e.id), Span(why))
    if e.headline == "counts" or e.value is None:
        return (Span(f"{'no mean' if is_mean(e) else 'counts only'}: {reason_words(e.interval)}"),)
    limits = numbers.limits(e)
    if not limits and not e.summary and not is_mean(e):
        return ()  # n/N says it all; why there is no interval stands with the method
    parts: Line = (Span(numbers.value(e), estimate=e.id),)
    if limits:
        parts += (Span(f" {limits}", "light"),)
    if e.summary:
        p90 = number(e.summary.p90, e.unit, places=numbers.places(e))
        total = number(e.summary.total, e.unit)
        parts = (Span("median "), *parts, Span(f", 90th percentile {p90}, total {total}"))
    return parts


def reason_words(interval: Interval) -> str:
    """Why there is no interval."""
    return visible(interval.reason or "not computed")


def clause(e: Estimate, *, label: str = "", brief: bool = False) -> Line:
    """One estimate: whose, n/N with its word, what is missing, value and interval.

    Args:
        e: Any estimate.
        label: Whose it is.
        brief: Leave out words that the clause before it has.
    """
    named = (Span(f"{label} "),) if label else ()
    return (*named, *joined((counted(e, brief=brief), value_parts(e), *task_parts(e, brief=brief))))


def task_parts(e: Estimate, *, brief: bool = False) -> list[Line]:
    """What differs between the tasks of an estimate: how often they were run, and which are not in N."""
    if e.withheld is not None or not e.N:
        return []
    parts = (unequal_words(e, brief=brief), left_out_words(e))
    return [(Span(words, estimate=e.id),) for words in parts if words]


def comparison_clause(c: Comparison) -> str:
    """A difference in words: who less whom, how much, how far it may be off, and what follows."""
    who = f"{shown_name(c.a)} − {shown_name(c.b)}"
    if c.difference is None:
        return f"{who}: {c.verdict}, {visible(c.reason)}"
    paired = "different tasks" if c.unpaired else f"{many(c.paired_on or 0, 'task')} in common"
    p = "" if c.p_adjusted is None else f", p {p_words(c.p_adjusted)} after Holm over {count(c.holm_size)}"
    limits = span(c.interval, "fraction", difference=True) or f"no interval: {reason_words(c.interval)}"
    return f"{who}: {signed(c.difference)} {limits}, {paired}{p}: {c.outcome}"


def p_words(p: float) -> str:
    """A p-value.

    >>> p_words(0.574), p_words(0.0002)
    ('0.57', '<0.001')
    """
    return "<0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else share(p)


def cost_clause(row: CostRow) -> str:
    """What one model's runs cost, by the harness and by their tokens."""
    parts = [f"recorded {recorded_money(row)}" if row.recorded is not None else "nothing recorded"]
    if row.recomputed is not None:
        parts.append(f"recomputed {money(row.recomputed)} at {price_words(row.prices or 'no table')}")
    if row.repriced is not None and row.repriced[1] is not None:
        parts.append(f"{money(row.repriced[1])} at {price_words(row.repriced[0])}")
    if row.prices is None:
        return f"{shown_name(row.model)} {', '.join(parts)} ({many(row.records, 'record')}, no price table)"
    return f"{shown_name(row.model)} {', '.join(parts)} ({records_behind(row)})"


def recorded_money(row: CostRow) -> str:
    """What the harness recorded; of nothing at all for tokens that nothing prices, that it proves nothing."""
    if row.recorded is None:
        return "none"
    return money(row.recorded) + (
        " (not known to be free)" if row.recorded_as_zero and not row.recorded else ""
    )


def records_behind(row: CostRow) -> str:
    """Over how many records the sums go: of two that stand together, over which both do."""
    if row.compared:
        return f"both over {fraction(row.compared, row.records)} records"
    priced = row.records - row.unpriced_records - row.without_tokens
    return f"{fraction(priced, row.records)} records priced"


def same_money(row: CostRow) -> bool:
    """Whether recorded and recomputed money agree in every record that has both.

    Sums alone do not tell: gaps may cancel, and to the cent every cheap run agrees. Records that agree within
    1 % or 0.000001 USD bring two sums no further apart than that.
    """
    recorded, recomputed = row.recorded or 0.0, row.recomputed or 0.0
    near = abs(recorded - recomputed) <= 0.01 * recomputed + 1e-6 * row.compared
    return near and row.agree == row.compared


_CONTROL_SWATCHES: dict[str, StateName] = {"held": "true", "failed": "false", "missing": "missing"}


def came_to(control: Control) -> str:
    """What became of a control that withholds, as the verb of a sentence."""
    return "failed" if control.state == "failed" else "is missing, and required"


def control_clause(control: Control) -> Line:
    """A control: its state, how many of its checks came out as they must, and what was found."""
    n, N = sum(c.n for c in control.checks), sum(c.N for c in control.checks)
    mark = svg_markup(swatch(_CONTROL_SWATCHES.get(control.state, "still-in")))
    tally: Line = (Span(f"{fraction(n, N)} checks as they must be", "strong"),) if N else ()
    named = (Span(f"{visible(control.title)} "), Span(control.told, "state", mark=mark))
    return joined((named, tally, (Span(visible(control.detail)),)))


SHOCK: Final = 0.05
"""A p at or below this tells a whole repetition from the others."""


def habits(each: Stability) -> str:
    """Tasks by what became of their known runs; "so far", since a few runs that pass rule out little."""
    told = [
        f"{words} {count(n)}"
        for words, n in (("always so far", each.always), ("never so far", each.never), ("flaky", each.flaky))
        if n
    ]
    of = f"{', '.join(told)} of {many(each.repeated, 'task')} with two known runs or more" if told else ""
    once = f"{many(each.one_run, 'task')} with one known run" if each.one_run else ""
    return ", ".join(filter(None, (of, once))) or "no known run"


def variance_shares(each: Stability) -> str:
    """Which part of the variance of a run lies between tasks, and which between runs of one; else why not."""
    if each.share is None:
        return f"no share of variance: {reason_words(each.interval)}"
    between = min(1.0, max(0.0, each.share))
    limits = span(each.interval, "fraction") or f"(no interval: {reason_words(each.interval)})"
    rough = f"; rough, as of {many(each.tasks, 'task')}" if each.rough else ""
    return f"share of variance by task {share(between)} {limits}, by repetition {share(1.0 - between)}{rough}"


def whole_repetitions(each: Stability) -> str:
    """Whether a whole repetition was lower or higher; empty where no task has one known run of each."""
    if not each.complete:
        return ""
    means = ", ".join(share(mean) for mean in each.repetitions)
    of = f"repetitions {means} on {many(each.complete, 'task')}"
    if each.shock is None:
        return f"{of}: no test, as what they differ by is the same on every task"
    p = each.shock[1]
    told = "one of them differs as a whole" if p <= SHOCK else "none is told from the others as a whole"
    return f"{of}: {told}, p {p_words(p)}"


def not_ruled_out(found: Iterable[Stability]) -> str:
    """What "always so far" leaves open, by the fewest runs of any task; empty where no task was repeated."""
    rates = [(each.fewest, each.not_ruled_out) for each in found if each.not_ruled_out is not None]
    if not rates:
        return ""
    fewest, rate = min(rates)
    return (
        f"Always so far is no promise: of {many(fewest, 'run')} that all passed, a rate of failure of "
        f"{share(rate or 0.0)} is not ruled out."
    )
