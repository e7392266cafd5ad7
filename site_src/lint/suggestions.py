"""What to write in place of what stands there: of a number typed by hand, and of a role that is misspelt.

Does: find the estimates that print what was typed, to the digits it was typed with; find names of roles and
directives that would be printed as they stand, with the form that works. Does not: claim that one of the
estimates is what the author meant (it names a few, those first whose names the sentence holds), or look for
roles in code, where such words are what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from metrics_core.errors import StrictError
from metrics_core.results import STAGE, Estimate
from site_src.authoring import ROLES
from site_src.authoring.directives import DIRECTIVES
from site_src.lexicon import ResultKind
from site_src.lint.sentences import SOMETHING, sentences
from site_src.project import markdown
from site_src.references import Index, quoted, role, shortest, shortest_of_pair

MOST: Final = 3

_FORMS: Final[Mapping[ResultKind, str]] = {
    "score": "{est}`family.metric key=value`",
    "percentage": "{est}`family.metric key=value`",
    "count": "{est}`family.metric key=value`",
    "cost": "{est}`family.cost key=value`",
}
NO_VALUE: Final = " (it gives counts or bounds, and no value)"
"""What is said of an estimate whose value is what was typed, and whose reference does not show it."""

_LEFT: Final = re.compile(r"\{\s*(?P<name>" + "|".join([*ROLES, *DIRECTIVES]) + r")\s*\}")
_OPTION: Final = re.compile(r"^:[a-z-]+:", re.MULTILINE)
_RATIO = re.compile(r"(\d[\d\u202f\u00a0]*)\D+?(\d[\d\u202f\u00a0]*)")
_NUMBER = re.compile(r"\d[\d,\u202f\u00a0]*(?:\.\d+)?|\.\d+")


def suggestion(kind: ResultKind, words: str, sentence: str, index: Index | None) -> str:
    """What an author should do about words typed by hand.

    Args:
        kind: What the words state.
        words: As typed.
        sentence: The sentence that they stand in.
        index: What the reports hold; None names the general form only.

    >>> suggestion("percentage", "86 %", "Alpha passed 86 %.", None)
    'write {est}`family.metric key=value`, or mark it {literal}`86 %`'
    >>> suggestion("ranking", "beats", "Alpha beats beta.", None)
    'let {compare} say whether two can be told apart, or mark it {literal}`beats`'
    """
    marked = f"or mark it {role('literal', words.replace(SOMETHING, '…'))}"
    if kind == "ranking":
        return f"let {_compared(sentence, index)} say whether two can be told apart, {marked}"
    if index is None:
        return f"write {_FORMS[kind]}, {marked}"
    found = _matching(kind, words, sentence, index)
    if not found:
        return f"no estimate here prints it; write {_FORMS[kind]} for the one that is meant, {marked}"
    named = " or ".join(role("est", shortest(e, index)) for e in found)
    instead = "" if any(_prints(e, kind, words) for e in found) else NO_VALUE
    return f"write {named}{instead}, {marked}"


def _compared(sentence: str, index: Index | None) -> str:
    """The directive, with the arms that the sentence names where the reports compare them."""
    lowered = sentence.lower()
    found = [
        c for report in (index.reports if index else ()) for c in report.comparisons
        if c.verdict != "not comparable" and c.a.lower() in lowered and c.b.lower() in lowered
    ]  # fmt: skip
    if not found:
        return "{compare}"
    c = min(found, key=lambda c: (_spoken(c.metric) not in lowered, len(c.group) + len(c.stratum), c.id))
    of = shortest_of_pair(c, index) if index else ""
    return f"{{compare}} {quoted(c.a)} {quoted(c.b)} with :of: {of}"


def _spoken(metric: str) -> str:
    return metric.replace("_", " ").lower()


def _matching(kind: ResultKind, words: str, sentence: str, index: Index) -> list[Estimate]:
    """Estimates that print what was typed; where none does, those that hold it unshown."""
    lowered = sentence.lower()
    shown = [e for report in index.reports for e in report.estimates if e.withheld is None]
    found = [e for e in shown if _prints(e, kind, words)] or [e for e in shown if _holds(e, kind, words)]

    def order(e: Estimate) -> tuple[bool, int, int, str]:
        return (_is_a_part(e), -_named(e, lowered), len(e.group) + len(e.stratum), e.id)

    return sorted(found, key=order)[:MOST]


def _is_a_part(e: Estimate) -> bool:
    """Whether it is a stage of a funnel or a point of a series: seldom what a sentence is about."""
    return e.metric == STAGE or "stamp" in e.group.names


def _named(e: Estimate, lowered: str) -> int:
    """How many of an estimate's names the sentence holds."""
    names = (_spoken(e.metric), e.experiment, *(value for _, value in e.group))
    return sum(name.lower() in lowered for name in names)


def _prints(e: Estimate, kind: ResultKind, words: str) -> bool:
    """Whether its reference shows what was typed: n/N, and its value or the bounds in its place."""
    if kind == "count":
        ratio = _RATIO.search(words)
        return ratio is not None and (e.n, e.N) == tuple(int("".join(g.split())) for g in ratio.groups())
    if e.headline == "bounds" and e.bounds is not None:
        return any(_reads(bound, e.unit, kind, words) for bound in e.bounds)
    return e.headline == "point" and e.interval.lo is not None and _holds(e, kind, words)


def _holds(e: Estimate, kind: ResultKind, words: str) -> bool:
    """Whether its value is what was typed."""
    return kind != "count" and e.value is not None and _reads(e.value, e.unit, kind, words)


def _reads(value: float, unit: str, kind: ResultKind, words: str) -> bool:
    first = _NUMBER.search(words)  # the value: limits behind it are the interval's
    if first is None or (kind == "cost") != (unit == "USD"):
        return False
    digits = re.sub(r"[,\s]", "", first[0])
    return any(_same(form, digits) for form in _forms(value, unit, kind))


def _forms(value: float, unit: str, kind: ResultKind) -> tuple[float, ...]:
    if unit not in ("fraction", "F1"):
        return (value,) if kind != "percentage" else ()
    return (100 * value,) if kind == "percentage" else (value, 100 * value)


def _same(value: float, digits: str) -> bool:
    """Whether a value reads like this when it is rounded to as many digits, up or down at a half.

    >>> _same(0.8625, "0.86"), _same(0.865, "0.86"), _same(0.865, "0.87"), _same(0.87, "0.86")
    (True, True, True, False)
    """
    places = len(digits.partition(".")[2])
    return abs(value - float(digits)) <= 0.5 * 10.0**-places * (1 + 1e-9)


def near_misses(text: str, source: str, first_line: int = 1) -> Iterator[StrictError]:
    """An error for each, none of them raised: ``file:line:col``, what stands there, what to write.

    Args:
        text: Markdown.
        source: The file's name.
        first_line: The line of the file on which the text begins.

    >>> [str(error) for error in near_misses("It solved {est} `traces.score`.", "a.md")]
    ['a.md:1:11: {est} would be printed as it stands (write {est}`...`, with no space before the back-quote)']
    """
    for sentence in sentences(text, first_line):
        for found in _LEFT.finditer(sentence.text):
            line, column = sentence.places[found.start()]
            yield StrictError(
                f"{{{found['name']}}} would be printed as it stands",
                where=f"{source}:{line}:{column}",
                hint=_form(found["name"]),
            )
    for token, line in markdown.walk(markdown.parse(text)):
        name = token.info.split()[0] if token.type == "fence" and token.info.split() else ""
        if name in DIRECTIVES and _OPTION.search(token.content):
            yield StrictError(
                f"a fence of {name} without braces would be printed as code",
                where=f"{source}:{line + first_line - 1}:1",
                hint=f"write ```{{{name}}}",
            )


def _form(name: str) -> str:
    """How it is written."""
    if name in ROLES:
        return f"write {{{name}}}`...`, with no space before the back-quote"
    return f"a directive begins a fence: ```{{{name}}}"
