"""Words beside a number that make it no result: of levels, settings, prices, rules, versions, units.

Does: name them, those in front of a number and those behind it, each with a sentence that they clear; and say
whether what was found is cleared. Does not: find results; `result_forms` and `rankings` beside it do.

A number belongs to the words in front of it as far as the comma, the semicolon or the number before, so that
in "at a temperature of 0.7, or of 0.2 alpha passed 86 %" only the last is a result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from site_src.writing.vocabulary import CONDITIONS, OF_THE, PERCENT, REAL, RUNS, Kind, pattern


@dataclass(frozen=True, slots=True)
class Exemption:
    """Words that make the number beside them no result.

    Attributes:
        example: A sentence in which they do.
        words: Their pattern; in front of a number they are searched, behind it they must follow at once.
    """

    example: str
    words: re.Pattern[str]


def _exemption(example: str, words: str) -> Exemption:
    return Exemption(example, pattern(words))


RULES: Final[tuple[Exemption, ...]] = (
    # A condition, a question, a rule.
    _exemption("A run passes when 3 of its 4 assertions hold.", CONDITIONS),
    # Anything of a kind, rather than one of them.
    _exemption("A task that failed 3 times is out.", r"\b(?:an?|any|each|every)_\w+_that\b|\banything\b"),
    # A direction to the reader.
    _exemption("Click Highest score to order them.", r"\b(?:click|choose|press|sort|sorts|sorted)\b"),
)
"""In front of a number or of words that rank."""

IN_FRONT: Final[tuple[Exemption, ...]] = (
    *RULES,
    # A thing that is called by a number, or by a fraction: its part, or its date.
    _exemption(
        "The log of 3/7 has it on page 4 of 12.",
        r"\b(?:version|v|python|numpy|node|inspect|assay|docker|harness|release|revision|edition|draft|schema|firmware|section|chapter|figure|table|equation|"
        r"appendix|point|rule|part|page|step|slide|ports?|room|line|batch|day|week|doi|PR|issue|the_first|"
        r"the_last|(?:build|upload|log|night|batch|report|archive|run)_of)(?:_(?:is|was|are|at))?\s*[:\#(]?\s*\Z",
    ),
    # A setting of a model, a harness or a contract.
    _exemption(
        "The temperature was 0.7.",
        r"\b(?:temperature|top[-\s\x5f]?[pk]|nucleus|thresholds?|cut-?off|tolerance|margins?|learning_rate|"
        r"weights?|decay|dropout|momentum|penalty|ratio|factor|scale[sd]?|probability|similarity|distance|"
        r"minimum|maximum|axis|set_to|difference_of_more_than)\b|\balpha\s*=",
    ),
    # A level of a test or of an interval.
    _exemption("The level is 95 %.", r"\b(?:levels?|confidence|power|(?:one|two)-sided)\b"),
    # A price, a budget, a grant.
    _exemption(
        "The list price was $1.74.",
        r"\b(?:prices?|priced|tariff|tier|charge[sd]?|billed|rented|subscription|grant|fee|salary|prize|tax|VAT|"
        r"discount|budgets?|allowance|capped|(?<!lower\s)(?<!upper\s)limit)\b",
    ),
    # How much was drawn, read or put aside by people.
    _exemption(
        "We sampled 10 of 200 tasks.",
        r"\b(?:(?:we|were|was)_(?:\w+ly_)?(?:sampled|drew|drawn|read|checked|reviewed|kept)|"
        r"samples?(?!_passed)|reviews_of|holds?|held_out|reserves?|by_hand)\b",
    ),
    # What a machine or a page is filled with.
    _exemption(
        "The battery was at 80 %.",
        r"\b(?:battery|disk|CPU|GPU|memory|RAM|volume|brightness|zoom|opacity|width|height|humidity|load)\b",
    ),
    # What a value stands for.
    _exemption("A partial answer counts as 0.5.", r"\b(?:counts?|recorded|written|stands)_(?:as|for)\b"),
)
"""In front of a number."""

BEHIND: Final[tuple[Exemption, ...]] = (
    # A unit of something else.
    _exemption(
        "The pause is 0.5 s.",
        r"\s?(?:s|ms|min|h|px|em|mm|cm|m|km|[kKMGT]i?B|k?W|V|[kMG]?Hz|kg|g|K|°|seconds?|minutes?|hours?|days?|"
        r"weeks?|months?|years?|tokens?|lines?|bits?|bytes?|pixels?|million|billion)(?!\w)",
    ),
    # An interval, or a level of one.
    _exemption(
        "Every interval is a 95 % Wilson interval.",
        r"(?:[\s-]+(?:two-sided|one-sided|wilson|bootstrap|clustered|confidence|credible|paired|significance))*"
        r"[\s-]+(?:intervals?|CIs?|levels?|power|quantiles?|confidence|limits?|bounds?|thresholds?|cut-?offs?|"
        r"tolerance)\b",
    ),
    # The end of a scale, or the meaning of a point on it.
    _exemption(
        "Scores go from 0.0 to 1.0.",
        r"\s*(?:to|and|or|–|,)\s*1(?:\.0+)?(?![\d%]|\.\d|\s*%)"
        r"|_(?:upwards?|or_(?:more|less|above|below))\b|(?:_\w+){0,3}_(?:means?|stands?_for)\b",
    ),
    # A price for an amount, or for a time.
    _exemption(
        "It is $15 / MTok.",
        r"\s*(?:/|_per|_an?)\s*(?:million|M|MTok|1[MKk]|thousand|tokens?|seat|month|year|day|hour|GPU)\b",
    ),
    # A share of something other than what was tried.
    _exemption(
        "The disk was 90 % full.",
        rf"_(?:full|wide|tall|charged|opaque|off|load|{OF_THE}_(?:page|screen|width|height|disk|memory|code|text|"
        rf"file|budget|space|traffic|price|day|week|year|pack))\b"
        rf"|(?<=\d)_of_(?:the|an?|its|each)_(?!(?:\w+_)?{RUNS}|known)",
    ),
    # What the tasks are, rather than what became of them.
    _exemption(
        "20 % of the tasks come from one repository.",
        rf"(?:_{OF_THE}_(?:\w+_)?\w+)?_(?:come|use|need|lack|name|have|belong|share|contain|"
        r"(?:are|were)_(?:\w+ly_)?(?:from|in|new|old|private|public|read|checked|reviewed|written|drawn|taken))\b",
    ),
)
"""Behind a number."""

_JOIN = r"\s*(?:,|–|-|\b(?:and|or|to)\b)\s*"
_BREAK: Final = re.compile(r"[,;](?=\s)|(?<![^\W\d])(?<![^\W\d][@^])\d[\d.,:/-]*")
_JOINED_BEFORE: Final = pattern(rf"(?:{REAL}(?:{PERCENT}|_[a-z]{{3}}\b)?{_JOIN})+\Z")
_JOINED_BEHIND: Final = pattern(rf"(?:{_JOIN}{REAL}(?:{PERCENT})?)*")


def exempt(kind: Kind, text: str, number: int, end: int) -> bool:
    """Whether what was found is no result, by the words beside it.

    Args:
        kind: What it would state.
        text: The sentence.
        number: Where its number begins; where it holds none, the words themselves.
        end: Where the words end.

    >>> exempt("percentage", "The battery was at 80 %.", 19, 23), exempt("percentage", "It had 80 %.", 7, 11)
    (True, False)
    """
    joined = _JOINED_BEFORE.search(text, 0, number)
    stop = joined.start() if joined else number
    begun = max((found.end() for found in _BREAK.finditer(text, 0, stop)), default=0)
    numbered = kind != "ranking" or text[number].isdigit()
    if any(e.words.search(text[begun:stop]) for e in (IN_FRONT if numbered else RULES)):
        return True
    follows = _JOINED_BEHIND.match(text, end)
    ends = {end, follows.end() if follows else end}
    return numbered and any(e.words.match(text, at) for e in BEHIND for at in ends)
