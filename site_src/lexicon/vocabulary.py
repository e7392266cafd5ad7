"""The words that number-bearing prose is made of, as pieces of patterns: numerals, units, runs, outcomes.

Does: spell each piece once, for `result_forms`, `rankings` and `exemptions` beside it. Does not: match.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from msgspec import Struct

ResultKind = Literal["score", "percentage", "cost", "ranking", "count"]


class ResultForm(Struct, frozen=True):
    """Words that state a result of a kind.

    Attributes:
        kind: What they state.
        example: Words that it finds, all of them.
        words: Their pattern.
    """

    kind: ResultKind
    example: str
    words: re.Pattern[str]


def form(kind: ResultKind, example: str, words: str) -> ResultForm:
    r"""A form from a pattern as `pattern` takes it; case does not matter.

    >>> bool(form("ranking", "best", r"\b best \b").words.search("the Best"))
    True
    """
    return ResultForm(kind, example, pattern(words))


def pattern(words: str) -> re.Pattern[str]:
    r"""Compile a pattern: a space in it is for the reader, ``_`` is white space, ``\x5f`` a low line.

    >>> bool(pattern(r"ahead_of").search("ahead  of"))
    True
    """
    return re.compile(words.replace("_", r"\s+"), re.IGNORECASE | re.VERBOSE)


# ------------------------------------------------------------------------------------------- numerals

START: Final = r"(?<![\w.,/\-#^@$])(?<!\d:)"
"""Where a number begins: not within a word, a file name, a date, a version or an address."""

END: Final = r"(?!\w | [./,:]\w | -[^\W\d])"
"""Where it ends: not before what makes it a part of something longer."""

SIGN: Final = r"(?:(?:(?<=\s)|(?<=^)|(?<=\())[-+−±~≈<>≤≥]\s?)?"
DECIMAL: Final = rf"{SIGN} {START} (?:0?\.\d+ | 0,\d+ | 1\.00+) {END}"
DIGITS: Final = rf"{START} (?:\d{{1,3}}(?:[,\u202f\u00a0]\d{{3}})+ | \d+) {END}"
REAL: Final = rf"{SIGN} {START} (?:\d+(?:[.,]\d+)? | \.\d+)"

_SMALL = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
WORD: Final = (
    rf"\b(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?:{_SMALL}))?|{_SMALL}|seventeen|"
    r"eighteen|nineteen|(?:a|one)\s+hundred)\b"
)
SOME: Final = rf"(?:{DIGITS}|{WORD})"

PERCENT: Final = r"(?:\s*[%‰] | \s*-?(?:percent|per\s+cent|pct)\b | \s*(?:percentage_points? | pp)\b)"
PERCENTAGE: Final = rf"(?:{REAL} (?:\s*(?:–|-|to|and|or)\s*{REAL})? | {WORD}) {PERCENT}"

_AMOUNT = r"\d(?:[\d,.\u202f\u00a0]*\d)?"
MONEY: Final = (
    rf"(?: {SIGN} (?<!\w)[$€£¥]\s?{_AMOUNT}(?:\s?[km]\b)? "
    rf"| \b(?:USD|EUR|GBP|CHF)\s?{_AMOUNT}(?:\s?[km]\b)? "
    rf"| {SIGN} {START} (?:{_AMOUNT}|\.\d+)\s?(?:k\s?)?"
    r"(?:(?:USD|EUR|GBP|CHF|dollars?|euros?|cents?)\b|[$€£¢]) "
    rf"| (?<!my\s)(?<!our\s)(?<!your\s){WORD}\s(?:dollars?|euros?|cents?)\b )"
)

# -------------------------------------------------------------------------------------- words of the field

RUNS: Final = (
    r"(?:runs?|attempts?|tasks?|assertions?|checks?|tests?|patch(?:es)?|trials?|verdicts?|cases?|problems?|"
    r"issues?|samples?|traces?|pages?|scenarios?|turns?|questions?|instances?|injections?|attacks?|episodes?|"
    r"pull_requests?|fix(?:es)?|refactors?|decisions?|answers?|responses?|repairs?|bugs?|conversations?)\b"
)
"""What is counted where something was tried."""

OUTCOMES: Final = (
    r"(?:pass(?:ed|es)?|fail(?:ed|s)?|solve[ds]?|resolve[ds]?|fixe[ds]|complete[ds]?|finish(?:ed|es)?|broke|"
    r"breaks|broken|succeed(?:ed|s)?|merged|applied|compiled?|held|repaired|missed|crashed|leaked|answered)"
)
"""What became of it."""

MEASURES: Final = (
    r"(?:scores?|scored|accuracy|F1(?:_score)?|(?:pass|success|error|failure|breach|resolution)_rate|recall|"
    r"precision|rated|Elo|utility|security|autonomy|median|mean|average|pass[@^]\d+|AUC)"
)
"""What is measured."""

OF_THE: Final = r"of(?:_(?:the|its|all|their|our|these|those|every))*"
CONDITIONS: Final = (
    r"\b(?:if|when|whenever|unless|until|once|whether|whichever|should|must|would|(?-i:may))\b"
    r"|(?<!\w\s)\bwhere\b"
)
"""Words that make a sentence a rule or a question, and no result."""
