"""Texts of a decision's file: a claim's sentence without what it claims, and what each key and verdict means.

Does: find the claimed line where a sentence states it, as a number, a percentage or in words, and put "the
line" in its place; leave out words that rank, which are what a claim is for; describe front matter, claims
and verdicts for the page on writing. Does not: check anything. Other numbers in what is left, how many times
better among them, are found by `site_src.lint.typed_results`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isclose
from typing import Final

from site_src.decisions.reasons import Why
from site_src.lexicon import RANKINGS

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
_QUANTITY: Final = re.compile(
    rf"(?P<of>{_DIGITS}|{_WORD})(?:\s(?!in\b|out\b)[a-z]+)?\s(?:in|out\sof)\s(?:every\s)?(?P<among>{_DIGITS}|{_WORD})"
    rf"|(?P<parts>\b(?:{_WORD}[\s-])?(?:{'|'.join(_PARTS)})s?\b)"
    rf"|(?P<number>[$€]?{_DIGITS}|{_WORD})(?P<unit>{_PERCENT}|\s?¢|\scents?\b|)",
    re.IGNORECASE,
)


_MANIFOLD: Final = re.compile(r"\d|twice|thrice|times|fold|doubl|tripl|halv|half", re.IGNORECASE)


def without_claim(sentence: str, line: float) -> str:
    """The sentence with "the line" wherever it states the claimed line, and without words that only rank.

    Args:
        sentence: A claim's sentence.
        line: What it claims, in the metric's unit; 0 where it claims no margin.

    >>> without_claim("At least 0.70, or seven in ten, and not 0.80.", 0.7)
    'At least the line, or the line, and not 0.80.'
    >>> without_claim("In at most one run in ten, or a tenth, or 10 % of the runs.", 0.1)
    'In at most the line, or the line, or the line of the runs.'
    >>> without_claim("Alpha is ahead of beta, and three times better than gamma.", 0.0)
    'Alpha … beta, and three times better than gamma.'
    """

    def kept(match: re.Match[str]) -> str:
        return "the line" if isclose(_value(match), line, rel_tol=1e-9) else match[0]

    text = _QUANTITY.sub(kept, sentence) if line else sentence
    found = [match.span() for ranking in RANKINGS for match in ranking.words.finditer(text)]
    counted = [span for span in found if _MANIFOLD.search(text[slice(*span)])]
    left = list(text)
    for start, end in found:
        if not any(start < last and first < end for first, last in counted):
            left[start:end] = "\0" * (end - start)
    return re.sub("\0+", "…", "".join(left))


def _value(match: re.Match[str]) -> float:
    if match["of"]:
        return _number(match["of"]) / (_number(match["among"]) or 1.0)
    if match["parts"]:
        many, _, part = " ".join(match["parts"].lower().replace("-", " ").split()).rpartition(" ")
        return (_WORDS[many] if many else 1.0) / _PARTS.get(part, _PARTS.get(part.removesuffix("s"), 2.0))
    hundredths = bool(match["unit"])
    return _number(match["number"].lstrip("$€")) / (100.0 if hundredths else 1.0)


def _number(words: str) -> float:
    lower = words.lower()
    return _WORDS[lower] if lower in _WORDS else float(re.sub(r"[,\u202f\u00a0]", "", lower))


FRONT: Final[Mapping[str, str]] = {
    "title": "what is decided, in a line",
    "lede": "one sentence more; may be left out",
    "status": "proposed, accepted, reopened or superseded",
    "date": "the day on which it got that status, as YYYY-MM-DD",
    "deciders": "names of the groups that decided",
    "claims": "what has to hold for it to stand; see below",
    "quotes": "words from the evidence, {text: ..., from: experiment/run}, looked up byte for byte there; "
    "a run is named by the digest in its page's address, or as file:line of its log",
    "reopened": "when and why it was reopened, {date: ..., why: ...}, one entry a time",
    "supersedes": "the decision that it takes the place of",
    "superseded_by": "the decision that took its place",
    "registered": "that it is written before its data, and for what: {planned: attempts of an arm, "
    "contracts: [digest], packs: [digest], separation: overlap}; its page says which came first",
}

CLAIMS: Final[Mapping[str, tuple[str, str]]] = {
    "above": (
        "{metric: run-1/traces.score, of: alpha, above: beta, by: 0.05}",
        "alpha is above beta, by the margin where one is given",
    ),
    "not_worse_than": (
        "{metric: run-1/traces.score, of: alpha, not_worse_than: beta, by: 0.05}",
        "alpha is worse than beta by less than the margin, or not at all",
    ),
    "separated_from": (
        "{metric: run-1/traces.score, of: alpha, separated_from: beta}",
        "the two can be told apart, whichever way",
    ),
    "in_place_of": (
        "{metric: run-1/traces.score, of: beta, in_place_of: alpha, by: 0.05, cost: 1.2}",
        "switch, keep or not yet: not worse by the margin (else above), for at most so much a success",
    ),
    "at_least": ("{metric: run-1/traces.score, of: alpha, at_least: 0.8}", "the metric is no less than this"),
    "at_most": ("{metric: run-1/traces.score, of: alpha, at_most: 0.2}", "the metric is no more than this"),
    "below": (
        "{metric: run-1/traces.cost, of: alpha, below: 0.50, unit: USD}",
        "a run costs, takes or uses less than this in the median; the unit is USD, s or count",
    ),
    "control": ("{control: sanity, experiment: run-1}", "a control of an experiment held"),
}
"""By the key that says what is claimed: how it is written, and what it says."""

BESIDE: Final[Mapping[str, str]] = {
    "says": "the claim in your own words; in plain words where it is left out",
    "over": "the key that the arms are values of, where that is not model",
    "in": "key=value in which the other side differs, such as experiment=run-2",
    "cost": "how many times the other's cost per success it may cost (in_place_of); 1 where it is left out",
    "separation": "paired: the same tasks may decide alone (above, separated_from, in_place_of)",
    "awaited": "true where no such run may be there yet, so that a name nobody knows is no mistake",
}
"""What any claim may say besides."""

VERDICTS: Final[Mapping[str, str]] = {
    "supported": Why.ON_SIDE,
    "cannot separate": "the interval lies across the line, the house's own rule does not separate the two, "
    "or what is not known could turn it around",
    "contradicted": "the whole interval lies on the other side",
    "inadmissible": "a control failed, or is missing and not optional; the sides are not comparable; or the "
    "contract or pack is not the one that it was accepted under",
    "no data": "no such run is there, or fewer than 8 are known",
}
