"""The forms in which people type results: percentages, scores, n of N, costs.

Does: name them. Does not: know what looks alike and is none; `site_src.writing.exemptions` does.
"""

from __future__ import annotations

from typing import Final

from site_src.writing.vocabulary import (
    DECIMAL,
    DIGITS,
    EITHER,
    END,
    IN_ONE,
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
    Rule,
    rule,
)

_LIMITS = r"(?:\s*(?:\[[^\]]*\d[^\]]*\] | \([^()]*\d\s*(?:,|–|-|to)\s*[^()]*\d\s*%?\) | ±\s*\d*\.?\d+))"
_MEASURE = (
    r"\b(?:score|scores|scored|accuracy|accuracies|F1(?:_score)?|(?:pass|success|error|failure|win|resolve|solve|"
    r"resolution|breach)_rate|recall|precision|rating|rated|Elo|utility|security|autonomy|median|mean|average|"
    r"pass[@^]\d+|kappa|correlation|odds_ratio|AUC|BLEU)"
)

RESULT_FORMS: Final[tuple[Rule, ...]] = (
    rule("percentage", f"{PERCENTAGE}{_LIMITS}?"),
    rule(
        "percentage",
        r"(?:\b(?:(?:an?|one|two|three|four)[-\s]+)?(?:half|thirds?|quarters?|fifths?|tenths?|"
        rf"fourths?)|(?<![\w.]){IN_ONE})(?:_{OF_THE}|_(?:the|its|their|our|all))_(?:\w+_)?{RUNS}",
    ),
    rule("score", r"\bp(?:-values?)?\s*(?:[<>=≤≥]|(?:is|was|of)_(?:below_|under_)?)\s*0?\.\d+"),
    rule("score", f"{DECIMAL}{_LIMITS}?"),
    rule("score", r"\[\s*[-+−<>]?\d*\.\d+\s*,\s*[-+−<>]?\d*\.\d+\s*\]"),
    rule(
        "score",
        f"{_MEASURE}(?:_(?:of|is|was|at|to|near|about|with|stands?|"
        rf"a))*\s*[=:]?\s*{START}(?!(?:[01]|100)\b(?!\.\d))\d{{1,4}}(?:\.\d+)?(?!\w|[-/:%.,]\d|"
        rf"\s*(?:%|{RUNS}))",
    ),
    rule("score", rf"{SIGN}{START}\d+(?:\.\d+)?\s(?:percentage_)?(?:points|pts|pp)\b(?!_(?:of|in)_the)"),
    rule("score", rf"{START}\d+\.\d+\s?/\s?\d+{END}|{START}\d+\.\d+_out_of_\d+"),
    rule(
        "count",
        rf"{START}\d[\d\u202f\u00a0]*\s?/\s?[1-9][\d\u202f\u00a0]*(?![\w/%]|\.\d)(?!_of_the_"
        f"(?!{RUNS}))",
    ),
    rule(
        "count",
        rf"{DIGITS}_(?:out_)?{OF_THE}_{DIGITS}(?:_(?:\w+_)?{RUNS})?(?!_(?!{RUNS}|cases\b|"
        r"times\b)\w{3,}s\b|_(?:people|repositor))",
    ),
    rule(
        "count",
        rf"(?:{WORD}_out_{OF_THE}_{SOME}(?:_{RUNS})? | \b(?!one\b){SOME}_{OF_THE}_{SOME}_(?:\w+_"
        f")?{RUNS})",
    ),
    rule(
        "count",
        rf"\b(?:(?:not_)?(?:every_)?one|none|all|both|neither)_(?:{OF_THE}_)?{SOME}_(?:\w+_"
        rf")?{RUNS}(?!_(?:that|which)\b)(?=.{{0,90}}\b{OUTCOMES}\b)",
    ),
    rule("count", rf"\b{OF_THE}_{SOME}_{RUNS},?_{SOME}\b"),
    rule(
        "count",
        rf"\b{OUTCOMES}_(?:(?:only|just|about|nearly|all|another|some|of)_)*{DIGITS}_(?:more_|"
        rf"other_)?(?:\w+_)?(?:{RUNS}|times\b)",
        unless=r"\b(?:must|should|may|stops_after)\b",
    ),
    rule(
        "count",
        rf"{DIGITS}_{RUNS}_(?:passed|failed|succeeded|broke|crashed|leaked|compiled|held)\b",
        unless=rf"\b{EITHER}\b",
    ),
    rule("score", rf"{START}\d+(?:\.\d+)?_on_average\b"),
    rule("count", rf"{DIGITS}_(?:\w+_)?{RUNS}_(?:were|was|are|is|have_been|got)_(?:\w+_)?{OUTCOMES}\b"),
    rule("percentage", rf"\bhalf_(?:of_)?the_time\b|\bmajority_of_(?:the_|its_|all_)?(?:\w+_)?{RUNS}"),
    rule("score", r"\bperfect_(?:scores?|record)\b"),
    rule(
        "score",
        r"\b(?:improv\w+|rises?|rose|drop(?:s|ped)?|fell|falls?|gain(?:s|ed)?|increase[sd]?|"
        r"decrease[sd]?|climb(?:s|ed))_(?:by|to|from)_[-+−]?\d+(?:\.\d+)?(?=[.,;]?(?:\s*\Z|"
        r"\s+(?:from|to|on|in|for|with|after|when|under)\b))",
    ),
    rule("score", rf"{START}\d+\.\d+_(?:vs\.?|versus|against|compared_(?:to|with))_\d+\.\d+"),
    rule("cost", r"\bcosts?_(?:(?:of|is|was|at|about)_)*[=:]?\s*\d+\.\d\d\b"),
    rule("count", rf"\b(?:one|1)_{RUNS}_(?:in|out_of)_(?:every_)?{SOME}"),
    rule("count", rf"\b(?:once|twice|never|no_\w+)_in_(?:all_|the_)?{SOME}_(?:\w+_)?{RUNS}"),
    rule("count", rf"\bevery_(?:second|third|fourth|fifth|tenth)_{RUNS}(?=.{{0,90}}\b{OUTCOMES}\b)"),
    rule("count", rf"{START}\d{{1,3}}_in_\d{{1,3}}(?=\s*[.,;]|\s*\Z|_to\b)"),
    rule("count", rf"\b{SOME}_in_(?:every_)?{SOME}_(?:\w+_)?{RUNS}|{WORD}_times_out_of_{WORD}"),
    rule("score", rf"{START}\d+(?:\.\d+)?_pass[@^]\d+"),
    rule(
        "score",
        rf"{START}\d+(?:\.\d+)?-point_(?:gap|lead|difference|drop|gain|improvement|increase|"
        "advantage)",
    ),
    rule("cost", MONEY),
    # A bare number in a cell is what the head of its column says.
    rule(
        "percentage",
        rf"(?<=:\t){REAL}\s*\Z",
        where=r"%.*:\t",
    ),
    rule(
        "cost",
        rf"(?<=:\t){REAL}\s*\Z",
        where=r"(?:\bcosts?\b|\bUSD\b|\bEUR\b|[$€]).*:\t",
        unless=r"\bprices?\b",
    ),
    rule(
        "score",
        rf"(?<=:\t){REAL}\s*\Z",
        where=rf"{_MEASURE}.*:\t",
    ),
)
"""Every form that is looked for; where two find the same words, the longer one is told."""
