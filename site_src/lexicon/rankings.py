"""The words in which people rank: best, first, ahead of, twice as often.

Does: name them. Does not: weigh a ranking (whether two can be separated is what a comparison shows), or know
idioms and questions, which rank nothing; `exemptions` beside it does.
"""

from __future__ import annotations

from typing import Final

from site_src.lexicon.vocabulary import START, WORD, ResultForm, form

_QUALITY = r"(?:secure|reliable|accurate|capable|robust|autonomous|efficient|expensive|precise|consistent)"
_BETTER = (
    r"(?:better|worse|higher|lower|stronger|weaker|faster|slower|cheaper|safer|"
    rf"(?:more|less)_(?:{_QUALITY}|often))"
)
_BEST = (
    r"(?:best|worst|highest|lowest|strongest|weakest|fastest|slowest|cheapest|safest|"
    rf"(?:most|least)_{_QUALITY})"
)
_RANKED = (
    r"(?:agents?|models?|arms?|coders?|routers?|planners?|pairs?|systems?|scores?|results?|rates?|versions?|"
    r"choice|performance|accuracy|security|utility|autonomy|costs?|latency|recall|precision)\b"
)
_TIMES = rf"(?:\b(?:twice|half|thrice) | (?:{WORD}|{START}\d+(?:\.\d+)?)(?:\s+times|\s?[x×]))"
_NO_ARM = (
    r"(?:an?|one|zero|\d+|expected|usual|normal|nothing|none|it|they|we|this|that|these|those|any|what|to|"
    r"earlier|later|most|in|on|at|with|when|if|you|the_(?!others?|baseline|rest|previous|old|new))\b"
)
_PLACE = r"(?:first|second|third|last)"

RANKINGS: Final[tuple[ResultForm, ...]] = tuple(form("ranking", example, words) for example, words in {
    # A superlative of what is compared.
    "the best agent": rf"\b(?:the_)?{_BEST}(?:[\s-]+[\w-]+)?_{_RANKED}|\bbest-performing\b",
    # A superlative as a predicate.
    "is the fastest":
        r"\b(?:is|was|are|were|remains?|performs?|performed|scores?|scored|does|did)_(?:the_)?"
        rf"{_BEST}\b(?=\s*[.,;:!?)]|\s*\Z|_(?:of|in|on|among|across|at|overall|by|for|under|here)\b)"
        rf"|\bthe_{_BEST}_(?:of_(?:the|all|our|\d+|{WORD})|among|across)\b",
    # A comparative, with what it is better than.
    "cheaper than": rf"\b{_BETTER}_than\b(?!_{_NO_ARM})",
    # A comparative of how well something did.
    "did better": r"\b(?:does|did|performs?|performed|scored)_(?:\w+ly_)?(?:better|worse)\b",
    # How many times more.
    "twice as often as":
        rf"{_TIMES}[\s-]+(?:as_(?:{_QUALITY}|often|many|much|fast|slow|good|high|likely|cheap|safe)\b(?:_as\b)?|"
        rf"(?:{_BETTER}|more|fewer|less)\b)",
    # A place.
    "ranks first":
        rf"\b(?:ranks?|ranked|came|finish(?:es|ed)|place[sd])_(?:in_)?(?:{_PLACE}|\d+(?:st|nd|rd|th))\b",
    "#1": rf"(?<![\w&])\#1\b(?!\d)|\bis_number_one\b|\b(?:takes?|took|won|in)_{_PLACE}_place\b",
    "state of the art": r"\bstate[-\s]of[-\s]the[-\s]art\b|\bSOTA\b",
    # A verb of winning.
    "outperforms":
        r"\b(?:outperform|outscor|surpass|outrank|under-?perform)\w*|\bbeats?\b(?!_(?:no|nothing)\b)|"
        r"\bbeaten_by\b|\btop(?:s|ped)_(?:the|every|all|both)\b",
    # Ahead, behind, winner.
    "is ahead of":
        r"\b(?:is|was|are|were)_(?:\w+ly_|far_)?ahead_of\b|\b(?:lags?|lagged|falls?|fell|trails?)_behind\b|"
        r"\bleads?_the_(?:field|table|rankings?|leaderboard)\b|\bwins?_(?:on|against|overall)\b|"
        r"\b(?:clear|overall|undisputed)_(?:winner|leader)\b|\b(?:superior|inferior)_to\b",
    # Significance.
    "is significant": r"\b(?:is|was|are|were)_(?:not_|highly_|statistically_)*significant\b",
}.items())  # fmt: skip
"""Words that rank."""
