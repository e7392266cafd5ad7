"""The words that number-bearing prose is made of, as pieces of patterns: numerals, units, runs, outcomes.

Does: spell each piece once, for `result_forms`, `exemptions` and `rankings` beside it. Does not: match.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["score", "percentage", "cost", "ranking", "count"]


@dataclass(frozen=True, slots=True)
class Rule:
    """Words that mean something in sentences of a kind.

    Attributes:
        kind: What they are.
        words: The words themselves.
        where: Only in sentences that hold this; None means in any.
        unless: Never in sentences that hold this.
    """

    kind: Kind
    words: re.Pattern[str]
    where: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None


def rule(kind: Kind, words: str, *, where: str = "", unless: str = "") -> Rule:
    r"""A rule from patterns as `pattern` takes them; case does not matter.

    >>> bool(rule("ranking", r"\b best \b").words.search("the Best"))
    True
    """
    return Rule(kind, pattern(words), pattern(where) if where else None, pattern(unless) if unless else None)


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

IN_ONE: Final = "[\u00bc-\u00be\u2150-\u215e]"
"""A fraction in one character: a half, two thirds."""

AMOUNT: Final = r"\d(?:[\d,.\u202f\u00a0]*\d)?"
MONEY: Final = (
    rf"(?: {SIGN} (?<!\w)[$€£¥]\s?{AMOUNT}(?:\s?[km]\b)? "
    rf"| \b(?:USD|EUR|GBP|CHF)\s?{AMOUNT}(?:\s?[km]\b)? "
    rf"| {SIGN} {START} (?:{AMOUNT}|\.\d+)\s?(?:k\s?)?"
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

OF_THE: Final = r"of(?:_(?:the|its|all|their|our|these|those|every))*"
EITHER: Final = r"(?:if|when|where|whenever|unless|until|once|whether|should|must|needs?|requires?)"
"""Words that make a sentence a rule or a question, and no result."""

SUBJECTS: Final = (
    r"(?:agents?|models?|arms?|coders?|routers?|planners?|pairs?|systems?|assistants?|performers?|judges?|"
    r"scores?|results?|rates?|variants?|configurations?|contenders?|entry|versions?|choice|pipelines?|"
    r"performance|accuracy|security|utility|autonomy|costs?|latency|recall|precision|baselines?|LLMs?|one(?=\s*[.,;:!?]|_of|\Z))"
)
"""What is ranked."""
