"""What is read off an estimate in a figure: its value in bold, its interval, its counts, its bounds.

Does: spell them as stretches of a label. Does not: place them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from metrics_core.results import MIN_KNOWN, MOST_NOT_KNOWN, PLAIN, CountedUnit, Estimate, Interval, State
from metrics_core.text import visible
from site_src.wording import numbers
from site_src.wording.names import (
    group_words,
    listed,
    metric_words,
    outcome_words,
    row_stratum,
    sentence_case,
    shown_name,
)
from site_src.wording.numbers import count, in_state, many, number, percent, ratio
from site_src.wording.spans import Line, Span


def value_runs(e: Estimate) -> list[Span]:
    """The value, bold, and its interval; or the words that stand in its place."""
    if e.withheld is not None:
        return [Span("withheld", "strong")]
    if e.headline == "nothing" or (e.value is None and not e.N):
        return [Span(ratio(e) if not e.N else f"N/A ({ratio(e)})", "strong")]
    if e.headline == "bounds" and e.bounds:
        return [
            Span("bounds ", "quiet"),
            Span(f"{number(e.bounds[0], e.unit)} to {number(e.bounds[1], e.unit)}", "strong"),
        ]
    if e.headline == "counts" or e.value is None:
        return [Span(few_words(e), "quiet")]
    limits = numbers.limits(e)
    return [
        Span(numbers.value(e), "strong"),
        Span(f" {limits}" if limits else ", no interval", "quiet"),
    ]


def outer_interval(e: Estimate) -> Interval | None:
    """The interval around an estimate's bounds, every unknown counted either way; None where it has none."""
    return next((i for _, i in e.also if i.at_the_bounds), None)


def shown_limits(e: Estimate) -> str:
    """The interval that stands beside what is shown: around the bounds where they lead, else its own.

    Beside bounds the interval of what is known would be another number's: it may end inside them.
    """
    if e.headline != "bounds":
        return numbers.limits(e)
    outer = outer_interval(e)
    return numbers.span(outer, e.unit) if outer is not None else ""


def is_mean(e: Estimate) -> bool:
    """Whether the value is a mean over runs and not the quotient n/N."""
    if e.value is None or not e.N or e.n is None or e.summary is not None:
        return False
    return e.unit != "fraction" or e.N not in (e.known, e.attempts) or abs(e.value - e.n / e.N) > 1e-9


def has_no_value(e: Estimate) -> bool:
    """Whether there is no value although enough is known: its interval says why."""
    return e.value is None and e.headline == "counts" and e.known >= MIN_KNOWN


def few_words(e: Estimate) -> str:
    """What stands in place of a value that so few runs do not give: of a share its counts, of a mean nothing.

    What n counts of a mean is no share of anything that was measured: "0/3 at exactly 1" is not a score of 0.
    """
    made = (e.words or PLAIN).metric(e.metric).made
    if has_no_value(e):
        return "no value"
    return f"too few for a {made or 'mean'}" if is_mean(e) else "counts only"


_BRIEF: Final = {"runs with both known": "both known", "runs with change known": "change known"}
"""Words for N that are too long for a column of a figure, and what stands there."""


def of_words(e: Estimate, *, brief: bool = True) -> str:
    """The word for N; of a mean, what n counts of them.

    Args:
        e: Any estimate.
        brief: ``known`` for known verdicts, ``both known`` for runs with both known, else the estimate's own
            word: a column of a figure has room for no more.
    """
    of = visible(e.of)
    if brief:
        of = "known" if e.counted_unit is CountedUnit.KNOWN_VERDICTS else _BRIEF.get(of, of)
    counts = (e.words or PLAIN).metric(e.metric).counts
    mean = is_mean(e) or (e.value is None and e.headline == "counts")
    return f"{of} {counts}" if counts and mean else of


def over_words(e: Estimate) -> str:
    """What a value is, over how many: "mean F1 over 11 runs", "mean over 50 tasks", "kappa over 8 runs"."""
    unit = "" if e.unit == "fraction" else f"{visible(e.unit)} "
    over = many(e.N or 0, "task") if e.counted_unit is CountedUnit.TASKS else many(e.known, "run")
    made = (e.words or PLAIN).metric(e.metric).made
    return f"{made} over {over}" if made else f"mean {unit}over {over}"


def counted_words(e: Estimate) -> str:
    """n/N in words that say what each number is; of a mean, over what it is and what n counts beside it."""
    if not is_mean(e):
        return f"{ratio(e)} {of_words(e)}"
    if e.headline == "counts":
        over = many(e.N or 0, "task") if e.counted_unit is CountedUnit.TASKS else many(e.known, "run")
        return f"{over}, {few_words(e)}; {ratio(e)} {of_words(e)}"
    counts = (e.words or PLAIN).metric(e.metric).counts
    return (
        f"{over_words(e)}; {count(e.n or 0)} {counts}"
        if counts
        else f"{ratio(e)} {of_words(e)}, {over_words(e)}"
    )


def lost_by_state(e: Estimate) -> str:
    """What is not known, by state, and what was never recorded; nothing where nothing is missing."""
    never = e.never_recorded.runs if e.never_recorded is not None else 0
    counts = ((e.unknown, "unknown"), (e.errors, "error"), (e.invalid, "invalid"), (never, "never recorded"))
    return ", ".join(in_state(n, word) for n, word in counts if n)


def why_bounds(e: Estimate) -> str:
    """By which share so much is not known that bounds stand in place of a point."""
    fifth = percent(MOST_NOT_KNOWN)
    if 5 * (e.attempts - e.known) > e.attempts:
        return f"over {fifth} of the attempts are not known"
    return f"over {fifth} of a task's attempts are not known, on average"


def unequal_words(e: Estimate, *, brief: bool = False) -> str:
    """From how many to how many runs the tasks have, and the value with every task counted alike.

    Args:
        e: Any estimate.
        brief: Leave out the interval of that value.
    """
    if e.runs_per_task is None or e.runs_per_task[0] == e.runs_per_task[1]:
        return ""
    least, most = e.runs_per_task
    words = f"{count(least)} to {count(most)} runs per task"
    if e.by_task is None or e.headline != "point":
        return words
    limits = "" if brief else numbers.span(e.by_task.interval, e.unit)
    return " ".join(filter(None, (f"{words}, task-weighted", number(e.by_task.value, e.unit), limits)))


def left_out_words(e: Estimate) -> str:
    """How many tasks N does not count, and which, where they are few."""
    if e.left_out is None:
        return ""
    names = listed([shown_name(name) for name in e.left_out.names])
    return f"{many(e.left_out.tasks, 'task')} left out" + (f": {names}" if names else "")


def bounds_words(e: Estimate) -> str:
    """What the unknown runs could do to the value; that there are none; nothing where N counts no runs."""
    if e.bounds is None or e.withheld is not None or e.headline in ("bounds", "nothing"):
        return ""
    if e.known == e.attempts:
        return "no unknowns"
    return f"bounds {number(e.bounds[0], e.unit)} to {number(e.bounds[1], e.unit)}"


def ratio_words(e: Estimate) -> str:
    """n/N, or nothing where it is withheld."""
    return "" if e.withheld is not None else ratio(e)


def tally_words(e: Estimate, runs_in: Callable[[State], str] = lambda _: "") -> Line:
    """Every attempt, counted in the metric's own words: "41 achieved · 15 not achieved · 12 unknown".

    Args:
        e: Any estimate.
        runs_in: State that is no verdict -> where its runs are listed; empty for nowhere.
    """
    n, N = e.n or 0, e.N or 0
    told = [
        Span(in_state(k, word))
        for k, word in zip((n, N - n), outcome_words(e.metric, e.words), strict=True)
        if k
    ]
    lost: tuple[tuple[int, State], ...] = (
        (e.unknown, "unknown"),
        (e.errors, "error"),
        (e.invalid, "invalid"),
    )
    told += [Span(in_state(k, state), href=runs_in(state)) for k, state in lost if k]
    return (*told[:1], *(span for each in told[1:] for span in (Span(" · "), each)))


def headline_of(e: Estimate) -> str:
    """The metric as the head of a row."""
    return sentence_case(metric_words(e.metric, e.words))


def about(e: Estimate, *, without: frozenset[str] = frozenset(), stratum: bool = True) -> str:
    """Stratum and group as the second line of a row.

    Args:
        e: What the row shows.
        without: Group keys that are named elsewhere.
        stratum: Whether the stratum is named here.
    """
    whom = group_words(e.group, e.words, without=without) if e.group else ""
    return ", ".join(word for word in (where(e) if stratum else "", whom) if word)


def where(e: Estimate) -> str:
    """The stratum, where it is not the plain one."""
    return row_stratum(e.stratum, e.words)


def why_nothing(e: Estimate) -> str:
    """Why a metric has no known run, in its own words where it has some."""
    reasons = [visible(loss.reason) for loss in e.losses]
    return "; ".join(dict.fromkeys(reasons)) or visible(e.interval.reason or "nothing known")


def common_keys(estimates: tuple[Estimate, ...]) -> frozenset[str]:
    """Group keys that have one value in all estimates of a figure, and so need not be repeated in it."""
    keys = {k for e in estimates for k, _ in e.group}
    return frozenset(k for k in keys if len({e.group.get(k) for e in estimates}) == 1)


def point_kind(e: Estimate) -> str:
    """What a point of a timeline is: a date of an experiment, or an experiment of a series."""
    return "date" if "stamp" in e.group.names else "experiment"


def point_words(e: Estimate) -> str:
    """Where on its timeline a point stands: on its day, or at its experiment."""
    stamp = e.group.get("stamp", "")
    return f"on {stamp[:10]}" if stamp else f"at {e.experiment}"
