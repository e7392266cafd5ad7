"""Words beside a number that make it no result: of rules, names, settings, levels, prices, units.

Does: name them, those in front of a number and those behind it, and say whether what was found is cleared by
them. Does not: find results; `result_forms` and `rankings` beside it do.

A number belongs to the words in front of it as far as the comma, the semicolon or the number before, and what
clears a number without making the whole a rule reaches no farther than to a verb such as "passed". "At a
temperature of 0.7 alpha passed 86 %" holds one result, and so does "at a higher price it passed 86 %".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from site_src.lexicon.vocabulary import CONDITIONS, OF_THE, PERCENT, REAL, RUNS, ResultKind, pattern


def _compiled(words: Mapping[str, str]) -> Mapping[str, re.Pattern[str]]:
    return {example: pattern(written) for example, written in words.items()}


RULES: Final = _compiled({
    # A condition, a question, a rule.
    "A run passes when 3 of its 4 assertions hold.": CONDITIONS,
    # Anything of a kind, rather than one of them.
    "A task that failed 3 times is out.": r"\b(?:an?|any|each|every)_\w+_that\b|\banything\b",
    # A direction to the reader.
    "Click Highest score to order them.": r"\b(?:click|choose|press|sort|sorts|sorted)\b",
})  # fmt: skip
"""In front of a number or of words that rank, by a sentence that each clears."""

IN_FRONT: Final = _compiled({
    # A thing that is called by a number, or by a fraction: its part, or its date.
    "The log of 3/7 has it on page 4 of 12.":
        r"\b(?:version|v|python|numpy|node|inspect|assay|docker|harness|release|revision|edition|draft|schema|"
        r"firmware|section|chapter|figure|table|equation|appendix|point|rule|part|page|step|slide|ports?|room|"
        r"line|batch|day|week|doi|PR|issue|the_first|the_last|"
        r"(?:build|upload|log|night|batch|report|archive|run)_of)(?:_(?:is|was|are|at))?\s*[:\#(]?\s*\Z",
    # A setting of a model, a harness or a contract.
    "The temperature was 0.7.":
        r"\b(?:temperature|top[-\s\x5f]?[pk]|nucleus|thresholds?|cut-?off|tolerance|margins?|learning_rate|"
        r"weights?|decay|dropout|momentum|penalty|ratio|factor|scale[sd]?|probability|similarity|distance|"
        r"minimum|maximum|axis|set_to|difference_of_more_than)\b|\balpha\s*=",
    # A level of a test or of an interval.
    "The level is 95 %.": r"\b(?:levels?|confidence|power|(?:one|two)-sided)\b",
    # A price, a budget, a grant.
    "The list price was $1.74.":
        r"\b(?:prices?|priced|tariff|tier|charge[sd]?|billed|rented|subscription|grant|fee|salary|prize|tax|VAT|"
        r"discount|budgets?|allowance|capped|(?<!lower\s)(?<!upper\s)limit)\b",
    # How much people drew, read or put aside.
    "We sampled 10 of 200 tasks.":
        r"\b(?:(?:we|were|was)_(?:\w+ly_)?(?:drew|drawn|read|checked|reviewed|excluded|keep|kept|hold)|"
        r"reviews_of|held_out|"
        r"reserves?|by_hand)\b|\bsample[sd]?(?:_at)?\s+\Z",
    # What a machine or a page is filled with.
    "The battery was at 80 %.":
        r"\b(?:battery|disk|CPU|GPU|memory|RAM|volume|brightness|zoom|opacity|width|height|humidity|load)\b",
    # What a value stands for.
    "A partial answer counts as 0.5.": r"\b(?:counts?|recorded|written|stands)_(?:as|for)\b",
})  # fmt: skip
"""In front of a number."""

BEHIND: Final = _compiled({
    # A unit of something else.
    "The pause is 0.5 s.":
        r"\s?(?:s|ms|min|h|px|em|mm|cm|m|km|[kKMGT]i?B|k?W|V|[kMG]?Hz|kg|g|K|°|seconds?|minutes?|hours?|days?|"
        r"weeks?|months?|years?|tokens?|lines?|bits?|bytes?|pixels?|million|billion)(?!\w)",
    # An interval, or a level of one.
    "Every interval is a 95 % Wilson interval.":
        r"(?:[\s-]+(?:two-sided|one-sided|wilson|bootstrap|clustered|confidence|credible|paired|significance))*"
        r"[\s-]+(?:intervals?|CIs?|levels?|power|quantiles?|confidence|limits?|bounds?|thresholds?|cut-?offs?|"
        r"tolerance)\b",
    # The end of a scale, or the meaning of a point on it.
    "Scores go from 0.0 to 1.0.":
        r"\s*(?:to|and|or|–)\s*1(?:\.0+)?(?=\s*[.,;)]|\s*\Z)"
        r"|_(?:upwards?|or_(?:more|less|above|below))\b|(?:_\w+){0,3}_(?:means?|stands?_for)\b",
    # A price for an amount, or for a time.
    "It is $15 / MTok.":
        r"\s*(?:/|_per|_an?)\s*(?:million|M|MTok|1[MKk]|thousand|tokens?|seat|month|year|day|hour|GPU)\b",
    # A share of something other than what was tried.
    "The disk was 90 % full.":
        rf"_(?:full|wide|tall|charged|opaque|off|load|{OF_THE}_(?:page|screen|width|height|disk|memory|code|text|"
        r"file|budget|space|traffic|price|day|week|year))\b"
        rf"|(?<=\d)_of_(?:the|an?|its|each)_(?!(?:\w+_)?{RUNS}|known)",
    # What the tasks are, rather than what became of them.
    "20 % of the tasks come from one repository.":
        rf"(?:_{OF_THE}_(?:\w+_)?\w+)?_(?:come|use|need|lack|name|have|belong|share|contain|"
        r"(?:are|were)_(?:\w+ly_)?(?:from|in|new|old|private|public|read|checked|reviewed|written|drawn|taken))\b",
})  # fmt: skip
"""Behind a number."""

_VERB: Final = pattern(r"\b(?:passe[sd]|solve[sd]|score[sd]|resolve[sd]|reache[sd]|fixe[sd]|complete[sd])\b")
_JOIN = r"\s*(?:,|–|-|\b(?:and|or|to)\b)\s*"
_BREAK: Final = re.compile(r"[,;](?=\s)|(?<![^\W\d])(?<![^\W\d][@^])\d[\d.,:/-]*")
_JOINED_BEFORE: Final = pattern(rf"(?:{REAL}(?:{PERCENT}|_[a-z]{{3}}\b)?{_JOIN})+\Z")
_JOINED_BEHIND: Final = pattern(rf"(?:{_JOIN}{REAL}(?:{PERCENT})?)*")


def exempt(kind: ResultKind, text: str, number: int, end: int) -> bool:
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
    before = text[begun:stop]
    if any(words.search(before) for words in RULES.values()):
        return True
    if not numbered:
        return False
    near = _VERB.split(before)[-1]
    follows = _JOINED_BEHIND.match(text, end)
    ends = {end, follows.end() if follows else end}
    return any(words.search(near) for words in IN_FRONT.values()) or any(
        words.match(text, at) for words in BEHIND.values() for at in ends
    )
