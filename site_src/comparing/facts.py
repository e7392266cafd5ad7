"""What is said of two arms beside each other: at most twelve facts, each a label and a sentence's worth.

Does: word a comparison for a terminal, a comment and one page alike. Does not: lay it out, or decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from metrics_core.comparison import ArmHealth, Compared, Comparing
from metrics_core.results import NO_KEYS, Denominator, Estimate, Ratio, Separation
from metrics_core.text import visible
from site_src.wording import (
    SHOCK,
    by_how_much,
    count,
    counted_words,
    habits,
    lost_by_state,
    many,
    metric_words,
    number,
    numbers,
    p_of,
    p_words,
    paired_words,
    reason_words,
    shown_limits,
    smallest,
    spans,
    stratum_words,
    strict_words,
    value_runs,
    variance_shares,
    verdict_words,
    whole_repetitions,
)

MOST: Final = 12
"""Facts that are told."""


class Fact(Struct, frozen=True):
    """One line: what it is about, what is said of it, and whether a reader must not miss it."""

    label: str
    words: str
    warning: bool = False


def facts_of(c: Comparing) -> list[Fact]:
    """Everything that is told of a comparison, at most `MOST` lines.

    Args:
        c: As it was compared; the first stratum is told whole, others in a line each.
    """
    told = [Fact("compared", title(c)), *_rates(c), *_of_pair(c), *_apart(c)]
    if len(told) > MOST:
        rest = len(told) - MOST + 1
        told = [*told[: MOST - 1], Fact("more", f"{count(rest)} more lines: --json holds everything")]
    return told


def title(c: Comparing) -> str:
    """Metric, stratum and the two arms."""
    first = c.first
    where = stratum_words(first.a.stratum, first.a.words)
    subject = ", ".join(filter(None, (metric_words(first.a.metric, first.a.words), where)))
    return f"{subject}: {visible(first.comparison.a)} (baseline), {visible(first.comparison.b)} (candidate)"


def _rates(c: Comparing) -> Iterator[Fact]:
    """What the first pair comes to, and the metrics that no sentence leaves out beside it."""
    first = c.first
    pair = first.comparison
    for name, e, health in zip((pair.a, pair.b), (first.a, first.b), first.health, strict=True):
        yield Fact(visible(name), arm_words(e, health))
    if pair.outcome is Separation.NOT_COMPARABLE or first.tasks is None:
        yield Fact("not comparable", visible(pair.reason), warning=True)
    else:
        yield Fact("difference", difference_words(first))
        if not pair.unpaired:
            yield Fact("on the same tasks", paired_words(first.comparison))
        yield Fact("by own intervals", strict_words(first.comparison))
    yield from (_other(each) for each in c.beside)


def _of_pair(c: Comparing) -> Iterator[Fact]:
    """Tasks, errors, money and time of the first pair, and what could have been shown."""
    first = c.first
    if first.tasks is not None and first.tasks.common:
        yield Fact("tasks", tasks_words(first))
    yield _errors(first)
    if first.tasks is None:
        return
    for what, found in (("mean of a task", first.cost()), ("95th percentile", first.latency())):
        if found is not None:
            yield Fact(metric_words(found.metric, first.a.words), ratio_words(found, what))
    if could := smallest(first.comparison):
        yield Fact("could be shown", could)
    yield from _stability(first)


def _stability(pair: Compared) -> Iterator[Fact]:
    """How alike the runs of a task are; nothing where no task of either arm was repeated."""
    found = [each for each in pair.stability if each.repeated]
    if found:
        told = [f"{visible(each.arm)}: {habits(each)}; {variance_shares(each)}" for each in found]
        yield Fact("stability", ". ".join(told))
    for each in found:
        if each.shock is not None and each.shock[1] <= SHOCK:
            yield Fact("whole repetition", f"{visible(each.arm)}: {whole_repetitions(each)}", warning=True)


def _other(c: Compared) -> Fact:
    """Another metric, or another stratum, in a line."""
    where = stratum_words(c.a.stratum, c.a.words)
    subject = ", ".join(filter(None, (metric_words(c.a.metric, c.a.words), where)))
    difference = "" if c.comparison.difference is None else f"{difference_words(c)}; "
    return Fact("beside", f"{subject}: {difference}{verdict_words(c.comparison)}")


def _apart(c: Comparing) -> Iterator[Fact]:
    """The other strata, a line each; and those that one side alone has."""
    yield from (_other(each) for each in c.leading[1:])
    for side, keys in c.apart:
        words = stratum_words(keys or NO_KEYS) or "another stratum"
        yield Fact("one side only", f"{visible(side)} alone has {words}", warning=True)


def arm_words(e: Estimate, health: ArmHealth) -> str:
    """Value, interval, n/N, and what is not known of an arm."""
    if e.withheld is not None:
        return f"withheld: {visible(e.withheld)}"
    lost = lost_by_state(e)
    never = f", {count(health.never_recorded)} never recorded" if health.never_recorded else ""
    if "never recorded" in lost:
        never = ""
    attempts = f" of {many(health.attempts, 'attempt')}"
    of = f"; {lost}{never}{attempts}" if lost or never else f"; all{attempts} known"
    if e.headline == "bounds":
        limits = shown_limits(e)
        shown = f"{spans.text(value_runs(e))}{f' within {limits}' if limits else ''}"
    else:
        shown = spans.text(value_runs(e))
    return f"{shown}, {counted_words(e)}{of}"


def difference_words(c: Compared) -> str:
    """Baseline less candidate, its interval, the tasks that it stands on, and p."""
    pair = c.comparison
    who = f"{visible(pair.a)} − {visible(pair.b)}"
    if pair.difference is None:
        return f"{who}: none, {reason_words(pair.interval)}"
    over = "on different tasks" if pair.unpaired else f"on {many(pair.paired_on or 0, 'task')} in common"
    p = p_of(pair)
    why = "" if pair.interval.lo is not None else f" ({reason_words(pair.interval)})"
    by = by_how_much(pair.difference, pair.interval, pair.unit)
    return ", ".join(filter(None, (f"{who} {by}{why}", over, p)))


def tasks_words(c: Compared) -> str:
    """On how many tasks the candidate is better, worse and the same; what is lost for good."""
    tasks = c.tasks
    if tasks is None:
        return ""
    words = (
        f"{visible(c.comparison.b)} better on {count(len(tasks.better))}, worse on "
        f"{count(len(tasks.worse))}, the same on {count(tasks.same)} of {count(tasks.common)}"
    )
    if tasks.repeated:
        lost = (
            f"{many(len(tasks.lost), 'task')} from always to never"
            if tasks.lost
            else "none from always to never"
        )
        words += f"; {lost}"
    if tasks.only_a or tasks.only_b:
        words += f"; known of one side only: {count(tasks.only_a)} and {count(tasks.only_b)}"
    return words


def _errors(c: Compared) -> Fact:
    a, b = c.health
    words = f"{count(a.errors)} of {count(a.attempts)} and {count(b.errors)} of {count(b.attempts)}"
    uneven = c.errors_uneven
    words += f", {'uneven' if uneven else 'not uneven'} (Fisher p {p_words(c.errors_p)})"
    again = next(
        (x for x in c.comparison.sensitivity if x.denominator is Denominator.ERRORS_AS_FAILURES), None
    )
    if again is not None and (a.errors or b.errors):
        same = (again.judged.strict, again.judged.paired) == (
            c.comparison.strict_verdict,
            c.comparison.paired_verdict,
        )
        words += f"; counted as failures the verdicts {'stay the same' if same else 'are others'}"
    return Fact("errors", words, warning=uneven)


def ratio_words(found: Ratio, what: str) -> str:
    """How many times as much the candidate takes, its interval, and both values.

    Args:
        found: Candidate over baseline.
        what: What is divided.
    """
    if found.value is None or found.a is None or found.b is None:
        return f"no ratio: {reason_words(found.interval)}"
    limits = numbers.span(found.interval, "ratio")
    around = f" {limits}" if limits else f" (no interval: {reason_words(found.interval)})"
    places = 4 if found.unit == "USD" and min(found.a, found.b) < 0.1 else 2
    a, b = (number(value, found.unit, places=places) for value in (found.a, found.b))
    lost = sum(found.not_known)
    without = f"; not known of {many(lost, 'run')}" if lost else ""
    return f"{numbers.digits(found.value, 'ratio')} times{around}: {what} {b}, baseline {a}{without}"
