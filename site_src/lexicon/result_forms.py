"""The forms in which people type results: percentages, scores, n of N, costs.

Does: name them. Does not: know what looks alike and is none; `exemptions` beside it does, in what is found.
"""

from __future__ import annotations

from typing import Final

from site_src.lexicon.vocabulary import (
    DECIMAL,
    DIGITS,
    MEASURES,
    MONEY,
    OF_THE,
    OUTCOMES,
    PERCENTAGE,
    REAL,
    RUNS,
    SIGN,
    SOME,
    START,
    WORD,
    ResultForm,
    form,
)

_LIMITS = (
    r"(?:\s*(?:\[[^\]]*\d[^\]]*\] | \([^()]*\d\s*(?:,|–|-|to)\s*[^()]*\d\s*%?\) | ±\s*\d*\.?\d+(?:\s?%)?))"
)
_PART = (
    r"(?:\b(?:(?:an?|one|two|three|four)[-\s]+)?(?:half|thirds?|quarters?|fifths?|tenths?)"
    "|(?<![\\w.])[\u00bc-\u00be\u2150-\u215e])"
)
_CELL = rf"[^\t]*:\t{REAL}\s*\Z"

RESULT_FORMS: Final[tuple[ResultForm, ...]] = (
    # A share in percent, with its limits.
    form("percentage", "58.2 % ± 3.1 %", f"{PERCENTAGE}{_LIMITS}?"),
    # A part of what was tried, in words.
    form("percentage", "half of the runs", rf"{_PART}_(?:{OF_THE}|the|its|their|our|all)_(?:\w+_)?{RUNS}"),
    # A p-value.
    form("score", "p < 0.05", r"\bp(?:-values?)?\s*(?:[<>=≤≥]|(?:is|was|of)_(?:below_|under_)?)\s*0?\.\d+"),
    # A number between 0 and 1 with digits behind its point, with its limits.
    form("score", "0.80 [0.55, 0.93]", f"{DECIMAL}{_LIMITS}?"),
    # An interval alone.
    form("score", "[0.02, 0.14]", r"\[\s*[-+−<>]?\d*\.\d+\s*,\s*[-+−<>]?\d*\.\d+\s*\]"),
    # Any other number behind the name of a measure.
    form(
        "score",
        "F1 score of 71",
        rf"\b{MEASURES}(?:_(?:of|is|was|at|to|near|about))*\s*[=:]?\s*{START}(?!(?:[01]|100)\b(?!\.\d))"
        rf"\d{{1,4}}(?:\.\d+)?(?!\w|[-/:%.,]\d|\s*(?:%|{RUNS}))",
    ),
    # Points, of a score or between two.
    form("score", "30 points", rf"{SIGN}{START}\d+(?:\.\d+)?[\s-](?:points?|pts)\b(?!_(?:of|in)_the)"),
    # A mark on a scale.
    form("score", "4.5/5", rf"{START}\d+\.\d+(?:\s?/\s?|_out_of_)\d+\b"),
    # pass@k in front of its name; behind it, it is a measure's number.
    form("score", "8.9 pass@10", rf"{START}\d+(?:\.\d+)?_pass[@^]\d+"),
    # n/N.
    form("count", "12/15", rf"{START}\d[\d\u202f\u00a0]*\s?/\s?[1-9][\d\u202f\u00a0]*(?![\w/%]|\.\d)"),
    # n of N in digits, with what they are of.
    form(
        "count",
        "12 of 15 runs",
        rf"{DIGITS}_(?:out_)?{OF_THE}_{DIGITS}(?:_(?:\w+_)?{RUNS})?(?!_(?!{RUNS}|cases\b)\w{{3,}}s\b)",
    ),
    # n out of N, or n of N runs, in words.
    form("count", "nine out of ten", rf"{WORD}_(?:times_)?out_{OF_THE}_{SOME}(?:_{RUNS})?"),
    form("count", "one in five runs", rf"\b{SOME}_(?:in|{OF_THE})_(?:every_)?{SOME}_(?:\w+_)?{RUNS}"),
    form("count", "one run in ten", rf"\b(?:one|1)_{RUNS}_(?:in|out_of)_(?:every_)?{SOME}"),
    # All or none of N, and what became of them.
    form(
        "count",
        "None of the 12 patches applied",
        rf"\b(?:none|all|both|neither)_(?:{OF_THE}_)?{SOME}_(?:\w+_)?{RUNS}_{OUTCOMES}\b",
    ),
    # How many runs became what.
    form("count", "broke 7 pages", rf"\b{OUTCOMES}_(?:only_)?{DIGITS}_(?:more_)?(?:{RUNS}|times\b)"),
    form("count", "31 tasks were solved", rf"{DIGITS}_{RUNS}_(?:(?:were|was|are)_)?{OUTCOMES}\b"),
    # Money.
    form("cost", "0.31 USD", MONEY),
    # A number alone in a cell, which the head of its column says what it is.
    form("percentage", "% solved:\t86", rf"%{_CELL}"),
    form("cost", "cost (USD):\t24.40", rf"(?:\bcosts?\b|\bUSD\b|\bEUR\b|[$€]){_CELL}"),
    form("score", "recall:\t86", rf"\b{MEASURES}{_CELL}"),
)
"""Every form that is looked for; where two find the same words, the longer one is reported."""
