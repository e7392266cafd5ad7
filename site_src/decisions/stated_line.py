"""The sentence of a claim without what it claims: what is left of it may hold no result.

Does: find the claimed line where the sentence says it, as a number, a percentage or in words, and put "the
line" in its place; and words that rank, which are what a claim is for. Does not: look for other numbers;
`site_src.writing.typed_results` does, in what is left, and how many times better is one of them.
"""

from __future__ import annotations

import re
from math import isclose
from typing import Final

from site_src.writing.rankings import RANKINGS

_NUMERALS: Final = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_WORDS: Final[dict[str, float]] = {
    **{word: float(value) for value, word in enumerate(_NUMERALS, start=1)},
    "a": 1.0, "an": 1.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "seventy": 70.0,
    "eighty": 80.0, "ninety": 90.0, "hundred": 100.0, "a hundred": 100.0,
}  # fmt: skip
_PARTS: Final[dict[str, float]] = {
    "half": 2.0, "third": 3.0, "quarter": 4.0, "fifth": 5.0, "sixth": 6.0, "eighth": 8.0, "tenth": 10.0,
    "twentieth": 20.0, "fiftieth": 50.0, "hundredth": 100.0,
}  # fmt: skip

_DIGITS: Final = r"(?<![\w.,/])(?:\d[\d,\u202f\u00a0]*)?\.?\d+(?![\w/]|[.,]\d)"
_WORD: Final = rf"\b(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b"
_PERCENT: Final = r"\s?%|\s(?:percent|per\scent)\b|\s(?:percentage\s)?points?\b"
_STATED: Final = re.compile(
    rf"(?P<of>{_DIGITS}|{_WORD})(?:\s(?!in\b|out\b)[a-z]+)?\s(?:in|out\sof)\s(?:every\s)?(?P<among>{_DIGITS}|{_WORD})"
    rf"|(?P<parts>\b(?:{_WORD}[\s-])?(?:{'|'.join(_PARTS)})s?\b)"
    rf"|(?P<number>[$€]?{_DIGITS}|{_WORD})(?P<unit>{_PERCENT}|\s?¢|\scents?\b|)",
    re.IGNORECASE,
)


_MANIFOLD: Final = re.compile(r"\d|twice|thrice|times|fold|doubl|tripl|halv|half", re.IGNORECASE)


def without_claim(says: str, line: float) -> str:
    """The sentence with "the line" wherever it states the claimed line, and without words that only rank.

    Args:
        says: A claim's sentence.
        line: What it claims, in the metric's unit; 0 where it claims no margin.

    >>> without_claim("At least 0.70, or seven in ten, and not 0.80.", 0.7)
    'At least the line, or the line, and not 0.80.'
    >>> without_claim("In at most one run in ten, or a tenth, or 10 % of the runs.", 0.1)
    'In at most the line, or the line, or the line of the runs.'
    >>> without_claim("Alpha is ahead of beta, and three times better than gamma.", 0.0)
    'Alpha … beta, and three times better than gamma.'
    """

    def kept(stated: re.Match[str]) -> str:
        return "the line" if isclose(_value(stated), line, rel_tol=1e-9) else stated[0]

    told = _STATED.sub(kept, says) if line else says
    found = [match.span() for ranking in RANKINGS for match in ranking.words.finditer(told)]
    counted = [span for span in found if _MANIFOLD.search(told[slice(*span)])]
    left = list(told)
    for start, end in found:
        if not any(start < last and first < end for first, last in counted):
            left[start:end] = "\0" * (end - start)
    return re.sub("\0+", "…", "".join(left))


def _value(stated: re.Match[str]) -> float:
    if stated["of"]:
        return _number(stated["of"]) / (_number(stated["among"]) or 1.0)
    if stated["parts"]:
        many, _, part = " ".join(stated["parts"].lower().replace("-", " ").split()).rpartition(" ")
        return (_WORDS[many] if many else 1.0) / _PARTS.get(part, _PARTS.get(part.removesuffix("s"), 2.0))
    hundredths = bool(stated["unit"])
    return _number(stated["number"].lstrip("$€")) / (100.0 if hundredths else 1.0)


def _number(words: str) -> float:
    told = words.lower()
    return _WORDS[told] if told in _WORDS else float(re.sub(r"[,\u202f\u00a0]", "", told))
