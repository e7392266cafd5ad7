"""What is said of experiments that follow upon one another: the course of a number, and of a control.

Does: set each number with its own estimate, and name the experiment that it is of. Does not: add up over
experiments, or compare; the sentence on two of them is made where every comparison is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metrics_core.results import Control, Estimate, Series
from site_src.wording.captions import inline, subject
from site_src.wording.estimates import is_mean
from site_src.wording.names import listed, many_in_words, named_metric, sentence_case, shown_name
from site_src.wording.numbers import count, ratio, value
from site_src.wording.spans import Line, Span, capitalised

MOST_BEFORE = 6
"""Earlier experiments whose counts a course tells; of more it says how many there are."""


def course(line: Series, newest: str) -> Line:
    """The newest number of an arm and, of the same instrument, what came before it; without a full stop.

    Args:
        line: A point an experiment, broken where the instrument changed.
        newest: Name of the newest experiment; where the line has no point of it, it says so.
    """
    segment = line.segments[-1]
    last = segment.points[-1]
    _, whom = subject(last)
    head = (*capitalised((named_metric(last),)), *((Span(f", {whom}"),) if whom else ()))
    if last.experiment != newest:
        return (
            *head,
            Span(f": not in {shown_name(newest)}; last in {shown_name(last.experiment)}, "),
            *inline(last),
        )
    before = segment.points[:-1]
    told: Line = (*head, Span(f": in {shown_name(newest)} "), *inline(last))
    shown = before[-MOST_BEFORE:]
    for at, e in enumerate(shown):
        told += (Span(", after " if at == 0 else ", "), _counts(e))
    if len(before) > len(shown):
        told += (Span(f", and {count(len(before) - len(shown))} before these"),)
    if len(line.segments) > 1:
        earlier = sum(len(each.points) for each in line.segments[:-1])
        told += (
            Span(f"; {many_in_words(earlier, 'experiment')} before: {segment.why}, not the same instrument"),
        )
    return told


def _counts(e: Estimate) -> Span:
    if e.withheld is not None:
        return Span("withheld", "state")
    mean = f" (mean {value(e)})" if is_mean(e) and e.headline == "point" else ""
    return Span(f"{ratio(e)}{mean}", estimate=e.id)


def held_in(found: Mapping[str, Control]) -> str:
    """In how many experiments of a series a control held, and in which it did not.

    Args:
        found: The control of each experiment that has it, by the experiment's name; at least one.

    >>> held = Control(name="x", title="x", state="held", detail="", guards="f")
    >>> held_in({"night-1": held, "night-2": held})
    'held in 2 of 2'
    """
    asked = {name: c for name, c in found.items() if c.state != "not applicable"}
    if not asked:
        return "not applicable"
    held = sum(c.state == "held" for c in asked.values())
    other: dict[str, list[str]] = {}
    for name, control in asked.items():
        if control.state != "held":
            other.setdefault(control.told, []).append(shown_name(name))
    parts = [f"held in {count(held)} of {count(len(asked))}"]
    parts += [f"{state} in {listed(names)}" for state, names in sorted(other.items())]
    if len(asked) < len(found):
        parts.append(f"not applicable in {count(len(found) - len(asked))}")
    return ", ".join(parts)


def span_of(names: Sequence[str]) -> str:
    """How many experiments a series has, the first and the newest.

    >>> span_of(["nightly-1", "nightly-2"])
    'Two experiments, from nightly-1 to nightly-2, the newest.'
    """
    many = sentence_case(many_in_words(len(names), "experiment"))
    return f"{many}, from {shown_name(names[0])} to {shown_name(names[-1])}, the newest."
