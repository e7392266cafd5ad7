"""Results that an author typed by hand where an estimate should give them, each with a way out.

Does: find scores, percentages, costs, counts of outcomes and rankings in Markdown, say where they stand,
and name the estimates that print them. Does not: know whether a typed number is right; with no digest behind
it nobody does, which is why it is told. Alternative texts of pictures are not looked into.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from metrics_core.errors import StrictError
from site_src.references.index import Index
from site_src.writing.no_scores import NO_SCORES
from site_src.writing.passages import Sentence, sentences
from site_src.writing.plain_digits import plain
from site_src.writing.rankings import NO_RANKINGS, RANKINGS
from site_src.writing.role_suggestions import suggestion
from site_src.writing.scores import SCORES
from site_src.writing.wording import Kind, Rule

_Span = tuple[int, int]

_DIGIT: Final = re.compile(r"(?<![^\W\d])(?<![^\W\d][@^])\d")
"""The first digit of a number: that of F1, or of pass@1, belongs to a name."""

_PLAIN: Final = re.compile(r"\s*[\d\s]*\.?\d+\s*")


@dataclass(frozen=True, slots=True)
class Finding:
    """Words that state a result by hand.

    Attributes:
        where: ``file:line:col`` at which they begin; of a title or a lede, ``file:line``.
        words: As they are read, in plain digits.
        kind: What they state.
        suggestion: What to write in their place.
    """

    where: str
    words: str
    kind: Kind
    suggestion: str

    def __str__(self) -> str:
        return str(self.error)

    @property
    def error(self) -> StrictError:
        """What stops a strict build."""
        return StrictError(
            f"a {self.kind} typed by hand, {self.words!r}", where=self.where, hint=self.suggestion
        )


def naked(text: str, source: str, first_line: int = 1, index: Index | None = None) -> tuple[Finding, ...]:
    """Every result typed by hand in a document, in the order of the text.

    Args:
        text: Markdown.
        source: The file's name, for ``where``.
        first_line: The line of the file on which the text begins.
        index: What the site's reports hold, so that the estimates which print a number can be named.

    >>> [(f.where, f.words, f.kind) for f in naked("On 2026-07-05 alpha passed **86** %.", "a.md")]
    [('a.md:1:30', '86 %', 'percentage')]
    >>> naked("The 95 % interval of {est}`attempts.security model=alpha` is wide.", "a.md")
    ()
    """
    return tuple(
        Finding(
            where="{}:{}:{}".format(source, *sentence.places[start]),
            words=words,
            kind=kind,
            suggestion=suggestion(kind, words, sentence.text, index),
        )
        for sentence in map(plain, sentences(text, first_line))
        for start, words, kind in results(sentence)
    )


def results(sentence: Sentence) -> Iterator[tuple[int, str, Kind]]:
    """What a sentence states by hand: offset, words and kind, from left to right."""
    # A cell is read behind its heads: `0.7` in the row of a temperature is a setting.
    text = f"{sentence.about}:\t{sentence.text}" if sentence.about else sentence.text
    shift = len(text) - len(sentence.text)
    told: list[tuple[int, int, Kind]] = []
    for start, end, kind in sorted(_stated(text), key=lambda row: (row[0] - row[1], row[0])):
        if end > shift and not _overlaps((start, end), [(a, b) for a, b, _ in told]):
            told.append((max(start, shift), end, kind))
    for start, end, kind in sorted(told):
        words = text[start:end]
        yield start - shift + len(words) - len(words.lstrip()), " ".join(words.split()), kind


def _stated(text: str) -> Iterator[tuple[int, int, Kind]]:
    """Everything that reads like a result, save what is known to be none."""
    for rules, others in ((SCORES, NO_SCORES), (RANKINGS, NO_RANKINGS)):
        taken = [span for _, span in _found(others, text)]
        for kind, (start, end) in _found(rules, text):
            if not _set_aside((start, end), text, taken) and _possible(text[start:end]):
                yield start, end, kind


def _found(rules: Iterable[Rule], text: str) -> Iterator[tuple[Kind, _Span]]:
    for rule in rules:
        if (rule.where is None or rule.where.search(text)) and not (rule.unless and rule.unless.search(text)):
            yield from ((rule.kind, match.span()) for match in rule.words.finditer(text) if match[0].strip())


def _overlaps(span: _Span, others: Iterable[_Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _set_aside(found: _Span, text: str, taken: Iterable[_Span]) -> bool:
    """Whether the number itself is no result: what stands behind it, such as a level, is another."""
    digit = _DIGIT.search(text, *found)
    return _overlaps(digit.span() if digit else found, taken)


def _possible(words: str) -> bool:
    """Whether a ratio is one of a part to a whole: 80/20 is a division of something, and 2/0 is nothing."""
    n, slash, N = words.partition("/")
    if not slash or not _PLAIN.fullmatch(n) or not _PLAIN.fullmatch(N):
        return True
    return float("".join(n.split())) <= float("".join(N.split()))
