"""The words in which people rank: best, first, ahead of, twice as often; and those that only look like it.

Does: name both. Does not: weigh a ranking; whether two can be told apart is what a comparison says.
"""

from __future__ import annotations

from typing import Final

from site_src.writing.vocabulary import (
    EITHER,
    RUNS,
    START,
    SUBJECTS,
    WORD,
    Rule,
    rule,
)

_ENDING = (
    r"(?=\s*[.,;:!?)]|\s*\Z|\s+(?:of|in|on|among|across|at|overall|by|for|under|here|again|everywhere|and|but)\b)"
)
_BETTER = (
    r"(?:better|worse|higher|lower|stronger|weaker|faster|slower|cheaper|safer|dearer|smarter|"
    r"(?:more|less)_(?:secure|reliable|accurate|capable|robust|autonomous|expensive|efficient|precise|often|"
    r"frequently|careful|consistent|stable|dependable|effective))"
)
_BEST = (
    r"(?:best|worst|highest|lowest|strongest|weakest|fastest|slowest|cheapest|safest|smartest|highest-scoring|lowest-scoring|"
    r"(?:most|least)_(?:secure|reliable|accurate|capable|robust|autonomous|efficient|expensive|cost-effective|"
    r"effective|consistent|stable|dependable))"
)
_THAN = (
    r"_than_(?!an?\b|one\b|zero\b|\d|expected\b|usual\b|normal\b|nothing\b|none\b|it\b|they\b|we\b|this\b|that\b|"
    r"these\b|those\b|any\b|what\b|to\b|earlier\b|later\b|most\b|in\b|on\b|at\b|with\b|when\b|if\b|you\b|guess\w*|"
    r"the_(?!other|others|baseline|rest|previous|router|planner|coder|human|old|new))"
)
_TIMES = (
    rf"(?:\b(?:twice|half|thrice) | (?:{WORD}|{START}\d+(?:\.\d+)?)\s+times | {START}\d+(?:\.\d+)?\s?[x×])"
)
_PLACES = r"(?:first|second|third|fourth|fifth|last|\d+(?:st|nd|rd|th)|top)"
_AMOUNTS = r"(?:costs?|scores?|rates?|security|autonomy|utility|latency|bills?|accuracy|errors?|failures?)"

RANKINGS: Final[tuple[Rule, ...]] = (
    rule("ranking", rf"\b(?:the_)?{_BEST}(?:[\s-]+[\w-]+)?_{SUBJECTS}"),
    rule(
        "ranking",
        r"\b(?:is|was|are|were|remains?|proved|performs?|performed|scores?|scored|does|did|do|"
        rf"fares?|fared|ranks?|works?|worked)_(?:\w+ly_|by_far_)?(?:the_)?{_BEST}{_ENDING}",
    ),
    rule(
        "ranking",
        rf"\bthe_{_BEST}_(?:of|in|on|among|across|overall)\b|\bbest-(?:performing|scoring|"
        r"in-class)\b",
    ),
    rule("ranking", rf"\b(?:{_BETTER}|(?:fewer|more)_{RUNS}){_THAN}|\branks?_\w+_first\b|\bhigher-scoring\b"),
    rule(
        "ranking",
        rf"{_TIMES}[\s-]+(?:as_(?:often|many|much|fast|slow|likely|reliabl\w+|secure|expensive|"
        r"cheap|good|accurate|high|frequently|safe)\b(?:_as)?|(?:more|fewer|less|faster|slower|"
        r"cheaper|better|worse|higher|lower|safer)\b|the_(?:cost|score|rate|price|number)\b)",
    ),
    rule(
        "ranking",
        rf"\b(?:{WORD}|\d+|two|ten|hundred)-?fold_(?:increase|improvement|reduction|more|better|"
        r"drop|gain)|\b(?:ten|two|three|hundred)fold\b",
    ),
    rule(
        "ranking",
        rf"\b{_AMOUNTS}_(?:(?:has|have|nearly|almost|more_than|roughly)_)*(?:doubl|tripl|halv|"
        r"quadrupl)e[ds]?\b|\b(?:doubl|tripl|halv|quadrupl)e[ds]_(?:the_|its_|our_"
        rf")?{_AMOUNTS}\b",
    ),
    rule(
        "ranking",
        r"\b(?:ranks?|ranked|comes?|came|finish(?:es|ed)|place[sd]?)_(?:in_|out_|only_|joint_|"
        rf"\#)*{_PLACES}\b(?=\s*[.,;:!?]|\s*\Z|_(?:in_(?!the_alph)|on|of|among|again|overall|"
        r"behind|by|for|under|this|when)\b)",
        unless=r"\balphabet|\b(?:puts?|comes?)_first,_and\b|\blist\b",
    ),
    rule(
        "ranking",
        r"(?<![\w&])\#1\b(?!\d)|\bno\.\s?1\b|\bnumber_one\b|\b(?:first|second|third|last|top)_"
        r"place\b",
    ),
    rule("ranking", r"\bstate[-\s]of[-\s]the[-\s]art\b|\bSOTA\b"),
    rule(
        "ranking",
        r"\b(?:outperform|outscor|surpass|outrank|outclass|overtak|under-?perform)\w*|"
        r"\bovertook\b|\bdominat(?:es|ed)\b|\bedge[sd]?_out\b|\b(?:unmatched|unbeaten|"
        r"unrivall?ed)\b|\bsecond_to_none\b",
    ),
    rule("ranking", r"\bbeats?\b|\bbeaten_by\b"),
    rule(
        "ranking",
        r"\btop(?:s|ped)_(?:the_(?:table|leaderboard|rankings?|charts?|list|board|field)|every|"
        r"all|both)\b|\btop-(?:scoring|performing|ranked)\b|\btop_(?:of_the_(?:leaderboard|"
        r"rankings?|table_again)|scores?\b|scorers?\b|performers?\b)",
    ),
    rule(
        "ranking",
        rf"\bexceed(?:s|ed)_(?:the_|every_|all_)(?:\w+_)?{SUBJECTS}|\bimprove[sd]_(?:on|over|"
        rf"upon)_(?:the_|every_|all_)?(?:\w+_)?{SUBJECTS}|\brunner-up\b(?!_column)|\b(?:loses|"
        r"lost)_(?:against|to_(?!an?\b))|\b(?:match(?:es|ed)|rivals|equals)_the_(?:performance|"
        r"\w+er_(?:one|model|agent))\b",
    ),
    rule(
        "ranking",
        r"\b(?:cuts?|slash\w*|reduc\w+)\b.{0,90}\bin_half\b|\bfactor_of_(?:\d+(?:\.\d+)?|two|three|"
        r"four|five|ten)\b",
        where=(
            r"\b(?:improv|increas|reduc|drop|cut|rais|lower|better|worse|faster|slower|cheaper|"
            r"fewer|half)\w*"
        ),
    ),
    rule("ranking", rf"\ba_(?:half|third|quarter|fifth|tenth|fraction)_of_the_{_AMOUNTS}\b"),
    rule(
        "ranking",
        r"\b(?:does|did|do|performs?|performed|fares?|fared|scores?|scored)_(?:\w+_)?(?:better|"
        r"worse)\b|\b(?:significantly|markedly|substantially|measurably|much|far|"
        r"slightly)_(?:better|worse|faster|slower|safer|cheaper)\b(?!_than_(?:an?|nothing)\b)",
    ),
    rule(
        "ranking",
        r"\b(?:is|was|are|were)_(?:not_|highly_|statistically_)*significant\b",
        unless=rf"\b{EITHER}\b",
    ),
    rule(
        "ranking",
        r"\bleads?_(?:the_(?:field|table|rankings?|leaderboard|board|others|comparison)|by|on|"
        r"in)\b",
    ),
    rule(
        "ranking",
        r"\b(?:(?:is|are|was|were|stays?|remains?|finish\w*|pulls?|pulled)_(?:\w+ly_|well_|far_"
        r"|just_)?|comes?_out_)ahead_of\b",
    ),
    rule(
        "ranking",
        r"\b(?:wins|won)_(?:on|by|in|at|every|most|both|against|overall|easily|clearly|again|"
        r"the)\b|\b(?:clear|overall|undisputed)_(?:winner|leader)\b|\b(?:edge|lead)_over\b|"
        r"\b(?:superior|inferior)_to\b|\bthe_winner_is\b|\bis_the_(?:\w+_)?winner\b",
    ),
    rule(
        "ranking",
        r"\b(?:in|takes?|took|holds?|held|keeps?|kept)_the_lead\b|\bahead_by\b|\bout_on_top\b|"
        r"\bsecond[\s-]best\b|\bsecond_only_to\b",
    ),
    rule(
        "ranking",
        r"(?<!which\s)(?<!that\s)(?<!it\s)\b(?:is|was|are|were)_(?:\w+ly_|much_|far_|still_"
        ")?(?:better|worse|stronger|weaker|safer|cheaper|faster|slower|more_(?:secure|"
        r"reliable|accurate|autonomous)|ahead(?!_in))(?=\s*[.,;]|\s*\Z|_(?:on|at|in|with|under|"
        r"for|here|overall|again)\b)",
        unless=r"\b(?:higher|lower|more|less|bigger)_is_\w+",
    ),
    rule(
        "ranking",
        r"\b(?:lags|lagged)_(?:in|on)\b|\b(?:lag|lags|lagged|trails?|trailed|falls?|fell)_"
        r"behind\b",
    ),
    rule(
        "ranking",
        r"\bno_(?:other_)?\w+_(?:comes|came)_close\b|\bon_a?\s?par_with\b|\bneck_and_neck\b|"
        r"\b(?:is|are|was|were|does|performs)_(?:just_|exactly_)?as_(?:good|well|secure|"
        r"reliable|accurate|fast|cheap|safe)_as\b",
    ),
)
"""Words that rank."""

NO_RANKINGS: Final[tuple[Rule, ...]] = (
    rule(
        "ranking",
        r"\bbest_(?:practices?|effort|guess|way|case|evidence|time|known|understood|read|"
        r"viewed|kept|of_(?:n|luck|both|all_worlds|my|our)\b|before|place|friend|interests?|"
        "thing|hint|defen[cs]e)",
    ),
    rule("ranking", r"\b(?:at|the_very|our|its|their|your|my|as)_best\b(?!_{SUBJECTS})|\bbest-of-\w+"),
    rule("ranking", r"\b(?:it_is|it's|is_it)_(?:best|better|safest|cheapest)_(?:to|not|when|if)\b"),
    rule("ranking", r"\bfirst_place_(?:to|where|that|in_which|you|we)\b"),
    rule(
        "ranking",
        r"\bahead_of_(?:time|schedule|the_(?:figure|text|release|publication|run|deadline)|us|"
        r"you)\b",
    ),
    rule("ranking", r"\bleads?_(?:in_(?:turn|time|the_end)|on_to)\b"),
    rule("ranking", r"\b(?:fall|falls|fell|lags?)_behind_(?:schedule|the_(?:text|release|calendar))\b"),
    rule("ranking", r"\bdominat(?:es|ed)_the_(?:variance|cost|page|text|picture|time|discussion)\b"),
    rule("ranking", rf"\bnumber_one_(?!{SUBJECTS}|(?:on|in|by|and|among|for|at|of|with)\b)\w+"),
    rule(
        "ranking",
        r"\b(?:issue|PR|pull_request|task|case|bug|ticket|run|comment|fix(?:es|ed)?(?:_in)?|"
        r"close[sd]?|see|commit|discussion|step|rule|milestone)_\#\d+",
    ),
    rule(
        "ranking",
        ".+",
        where=r"\b(?:sort|sorts|sorted|click|choose|press)\b",
    ),
    rule(
        "ranking",
        ".+",
        where=(
            r"\b(?:whether|cannot_(?:tell|say|be_called)|can(?:'|’)t_(?:tell|say)|no_agent_can|"
            r"whichever|not_(?:know|say)_which|what_would|would_(?:change|flip)|\A(?:if|suppose|"
            r"would|is|does|do|which|are)\b|\A(?:an?|any)_\w+_that\b)"
        ),
    ),
    rule("ranking", r"\bbeats?_(?:no_other|nothing)\b"),
)
"""Idioms, rules, questions, and directions: words that rank nothing."""
