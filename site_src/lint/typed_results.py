"""Results that an author typed by hand where an estimate should give them, each with a way out.

Does: find percentages, decimals between 0 and 1 with their intervals, p-values, n/N and n of N, pass@k,
points, money, how many runs became what, superlatives, comparatives and places in Markdown, say where they
stand, and name the estimates that print them. Does not: know whether a typed number is right; with no digest
behind it nobody does, which is why it is reported.

Does not find, by design (`result_forms` and `rankings` list what is found, `exemptions` what is cleared):

- a whole number that neither a unit, a total nor the name of a measure says what it is of: "beta only 7";
- a count in a phrase of its own: "12 in 20", "once in 20 runs", "of 20 runs, 13", "every second run broke";
- a value above 1 with neither: "52.4 on average", "24.1 against 23.0", "it rose by 6.5";
- a comparison in an idiom: "costs double", "cuts it in half", "a tenth of the cost", "comes close",
  "on par with", "as good as", "loses to", "matches", "the runner-up", "breaks fewer pages than alpha";
- a result in a condition, a question or a rule: "when alpha passed 86 %" ("when it ran, alpha passed 86 %" is
  found: a comma ends a condition);
- a result in one clause with a setting, a level, a price or a budget: "the price fell and so did 86 %";
- a part of anything but runs: "half of them", "0.9 of the way";
- texts in pictures, and alternative texts of pictures; languages other than English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from metrics_core.errors import StrictError
from site_src.lexicon import RANKINGS, RESULT_FORMS, ResultKind, exempt
from site_src.lint.sentences import Sentence, sentences
from site_src.lint.suggestions import suggestion
from site_src.references import Index

_DIGIT: Final = re.compile(r"(?<![^\W\d])(?<![^\W\d][@^])\d")
"""The first digit of a number: that of F1, or of pass@1, belongs to a name."""

_FORMS: Final = (*RESULT_FORMS, *RANKINGS)
_PLAIN: Final = re.compile(r"\s*[\d\s]*\.?\d+\s*")


class Finding(Struct, frozen=True):
    """Words that state a result by hand.

    Attributes:
        where: ``file:line:col`` at which they begin; of a title or a lede, ``file:line``.
        words: As they are read, in plain digits.
        kind: What they state.
        suggestion: What to write in their place.
    """

    where: str
    words: str
    kind: ResultKind
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
        for sentence in sentences(text, first_line)
        for start, words, kind in results(sentence)
    )


def results(sentence: Sentence) -> Iterator[tuple[int, str, ResultKind]]:
    """What a sentence states by hand: offset, words and kind, from left to right."""
    # A cell is read behind its heads: `0.7` in the row of a temperature is a setting.
    text = f"{sentence.about}:\t{sentence.text}" if sentence.about else sentence.text
    shift = len(text) - len(sentence.text)
    for start, end, kind in sorted(_longest(text)):
        begun = max(start, shift)
        words = text[begun:end]
        if words.strip() and _states(kind, text, begun, end):
            yield begun - shift + len(words) - len(words.lstrip()), " ".join(words.split()), kind


def _longest(text: str) -> list[tuple[int, int, ResultKind]]:
    """Everything that reads like a result; where two share words, the longer one."""
    found = [(*match.span(), form.kind) for form in _FORMS for match in form.words.finditer(text)]
    kept: list[tuple[int, int, ResultKind]] = []
    for start, end, kind in sorted(found, key=lambda row: (row[0] - row[1], row[0])):
        if not any(start < last and first < end for first, last, _ in kept):
            kept.append((start, end, kind))
    return kept


def _states(kind: ResultKind, text: str, start: int, end: int) -> bool:
    """Whether words that read like a result state one."""
    digit = _DIGIT.search(text, start, end)
    return (
        not text.rstrip().endswith("?")
        and _is_a_part(text[start:end])
        and not exempt(kind, text, digit.start() if digit else start, end)
    )


def _is_a_part(words: str) -> bool:
    """Whether a ratio is one of a part to a whole: 80/20 is a division of something, and 2/0 is nothing."""
    n, slash, N = words.partition("/")
    if not slash or not _PLAIN.fullmatch(n) or not _PLAIN.fullmatch(N):
        return True
    return float("".join(n.split())) <= float("".join(N.split()))
