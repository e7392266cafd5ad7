"""Numbers that look like a result and are none: dates, versions, levels, settings, prices, rules.

Does: name them, each with the pattern that sets it aside before results are looked for. Does not: find
results; `site_src.writing.result_forms` does, in what is left.
"""

from __future__ import annotations

from typing import Final

from site_src.writing.vocabulary import (
    DECIMAL,
    EITHER,
    IN_ONE,
    MONEY,
    OF_THE,
    PERCENT,
    PERCENTAGE,
    REAL,
    RUNS,
    SOME,
    Rule,
    rule,
)

_LIKE_INTERVAL = (
    r"(?:intervals?|CIs?|levels?|power|quantiles?|percentiles?|bands?|limits?|bounds?|confidence)\b"
)
_KIND_OF = (
    r"(?:two-sided|one-sided|wilson|bootstrap(?:ped)?|clustered|confidence|credible|paired|exact|binomial|"
    r"student|normal|prediction|percentile|simultaneous|significance|trimmed|chance|probability)"
)
_MADE_UP = (
    r"(?:_(?:come|comes|lack|lacks|lacked|name|names|mention|mentions|came|stem|use|uses|used|share|shares|have|has|need|needs|belong|contain)\b|_(?:is|are|was|were)_"
    r"(?:\w+ly_)?(?:held_out|reserved|drawn|taken|set_aside|from|written|sampled|kept|private|public|read|checked|"
    r"reviewed|repeated|audited|new|old|in)\b)"
)
_SETTING = (
    r"\b(?:temperature|temp|top[-\s\x5f]?[pk]|thresholds?|cut-?off|tolerance|margins?|learning[\s\x5f]rate|lr|"
    r"weights?|decay|dropout|momentum|penalty|significance(?:_level)?|level|epsilon|discount|jitter|ratio|"
    r"factor|probability|line_height|back-?off|nucleus|similarity|distance|scale[sd]?|multiplied|divided|minimum|maximum|floor)"
)
_LINKS = r"(?:_(?:of|was|is|at|to|for|by|set|a|an|the|each|only|about|plan|run|step|\w+s))*? \s*[=:|≤≥<>]?\s*"
_UNIT = (
    r"\s?(?:s|ms|µs|min|h|d|px|em|rem|pt|mm|cm|m|km|kB|KB|MB|GB|TB|KiB|MiB|GiB|W|kW|V|Hz|kHz|MHz|GHz|kg|g|fps|K|"
    r"seconds?|minutes?|hours?|days?|weeks?|months?|years?|tokens?|lines?|bits?|bytes?|million|billion|"
    r"pixels?|°)(?![\w%])"
)

EXEMPTIONS: Final[tuple[Rule, ...]] = (
    rule("count", "</?[a-z][^<>]*>"),
    # Dates, times, versions, names with a number in them.
    rule("count", r"(?<!\d) \d{1,4}[-./]\d{1,2}[-./]\d{1,4} (?!\d)"),
    rule(
        "count",
        r"\b(?:on|since|until|dated|(?:runs?|batch|report|pass|build|log|release|night)_of)_"
        rf"(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])\b (?!\s+(?:known|{RUNS}))",
    ),
    rule("count", r"\bof_(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])_(?:is|was|has|had|were)\b"),
    rule(
        "count",
        r"\bfrom_(?:0?[1-9]|1[0-2])/\d\d?_(?:to|until)_(?:0?[1-9]|1[0-2])/\d\d?\b",
        where=r"\b(?:lasted|outage|between|open|closed|away|holidays?|down)\b",
    ),
    rule("score", r"\b(?:revision|rev\.?|firmware|edition|draft|amendment|kernel|driver)_v?\d+(?:\.\d+)+"),
    rule("count", r"\b(?:doi|arxiv|isbn|issn|pmid|rfc|iso|cve)[\s:]*[\d./-]+\d"),
    rule("count", r"\b(?:24/7|365/24|50/50)\b"),
    rule(
        "count",
        r"\b(?:part|page|pages|step|slide|phase|chapter|shard|fold|worker|day|week|round|item|"
        r"line|volume|batch|sheet|lesson|attempt|room|seat|floor)_\d+(?:/|_of_)\d+",
    ),
    rule("count", r"\bports?(?:_(?:is|are|was|were|on|numbers?))*\s*[=:]?\s*\d+\s?/\s?\d+"),
    rule(
        "count",
        rf"\b(?:we|they|I|was|were|is|are|randomly)_(?:\w+ly_)?(?:samples?|sampled|drew|draws?|drawn)_{SOME}_"
        rf"(?:out_)?{OF_THE}_{SOME}",
    ),
    rule(
        "score",
        r"\b(?:v|version|release|python|numpy|pandas|node|inspect|assay|mypy|ruff|uv|harness|"
        r"docker|schema|protocol|wcag|tls|http)[\s/]?\d+(?:\.\d+)+",
    ),
    rule("score", r"\w\s?(?:[~=><!]=)\s?v?\d+\.\d[\d.]*"),
    rule(
        "score",
        r"\b(?:sections?|sec\.|chapters?|appendix|points?|figures?|fig\.|tables?|equations?|"
        r"eq\.|steps?|rules?|items?|paragraphs?|clauses?|listings?|notes?|footnotes?|"
        r"§)\s*\(?[A-Z]?\.?\d+(?:\.\d+)*",
    ),
    # Levels, quantiles, sizes, settings.
    rule("percentage", rf"{PERCENTAGE} (?:[\s-]+{_KIND_OF})* [\s-]+{_LIKE_INTERVAL}"),
    rule("percentage", rf"{REAL}{PERCENT}? \s*(?:,|and|to|–|or)\s* {PERCENTAGE}[\s-]+{_LIKE_INTERVAL}"),
    rule("percentage", rf"{PERCENTAGE}[\s-]+{_KIND_OF}\b"),
    rule(
        "percentage",
        rf"\b{_LIKE_INTERVAL}(?:_of_(?:the|an|every|each)_\w+)? (?:_(?:of|is|are|at|"
        rf"was))?\s*[=:]?\s* {PERCENTAGE}",
    ),
    rule(
        "percentage",
        r"\b(?:battery|disk|CPU|GPU|memory|RAM|volume|brightness|zoom|opacity|width|height|VAT|"
        rf"tax|humidity|load|scale|fan|discount)(?:_\w+){{0,3}}(?:\s*:\s*|\s+){PERCENTAGE}",
    ),
    rule(
        "percentage",
        rf"{PERCENTAGE}\s+(?:full|wide|tall|charged|opaque|zoom|discount|off|VAT|height|width|"
        "opacity|brightness|load|duty|of_(?:the|its|our)_(?:width|height|page|screen|column|"
        r"disk|memory|code|text|budget|space|traffic|price|fee|file|day|week|year))\b",
    ),
    rule(
        "percentage",
        r"\b(?:fee|tax|VAT|commission|surcharge|interest|discount|rebate)(?:_\w+){0,3}_(?:is|"
        f"was|of)_{PERCENTAGE}",
    ),
    rule(
        "percentage",
        rf"\b(?:one|two)-sided(?:_test)?_at_{PERCENTAGE}|{REAL}\s?%_(?:sure|certain|confident|"
        r"independent)\b",
    ),
    rule(
        "percentage",
        rf"\b(?:read|reads|checked|reviewed|inspected|audited|looked_at)_(?:\w+_)?{PERCENTAGE}_"
        r"of\b",
    ),
    rule(
        "percentage",
        r"\b(?:samples?|sampled|sets?_aside|holds?_out|held_out|reserve[sd]?|draws?|drawn)_"
        rf"(?:\w+_){{0,2}}{PERCENTAGE}",
    ),
    rule(
        "percentage",
        f"(?:{PERCENTAGE}|(?:half|thirds?|quarters?|fifths?|tenths?|{IN_ONE})) (?:_{OF_THE}|_(?:the|its|"
        rf"their|our|all))_(?:\w+_)?\w+{_MADE_UP}",
    ),
    rule(
        "percentage",
        rf"\b(?:is|are|was|were|we)_(?:set|fixed)_(?:to|at)_{PERCENTAGE}|\b(?:holds?|held|"
        rf"keeps?|kept)_{PERCENTAGE}_(?:back|out|apart)\b",
    ),
    rule(
        "percentage",
        r"\b(?:differ\w*|deviat\w+|drift\w*|chang\w+|off)_(?:of|by)_(?:more_than|over|less_"
        f"than|at_most|under|up_to)_{PERCENTAGE}",
        where=(
            r"\b(?:flag\w*|warn\w*|refus\w*|reject\w*|noted|alert\w*|allowed|tolerat\w+|report\w*|"
            rf"{EITHER})\b"
        ),
    ),
    rule(
        "percentage",
        rf"\b{EITHER}\b[^,;]{{0,90}}?\b(?:over|above|below|under|(?:more|less|fewer)_than|at_(?:least|"
        f"most)|exceeds?|reaches)_(?:{PERCENTAGE}|{DECIMAL}|an?_(?:half|third|quarter|fifth|"
        "tenth)_of)",
    ),
    rule("score", rf"{_SETTING}{_LINKS}{DECIMAL}(?:\s*(?:,|and|or|to|–)\s*{DECIMAL})*"),
    rule(
        "score",
        DECIMAL,
        where=r"\b(?:cut-?off|threshold|tolerance)_(?:\w+_){0,8}is\b|\b(?:axis|axes)\b|\d\.\d+\.\d",
    ),
    rule(
        "score",
        rf"\b(?:below|above|over|under|beyond|than)_{DECIMAL}",
        where=(
            r"\b(?:would|refused?|reject\w*|accept\w*|dropped|ignored|discarded|admitted|flagged|"
            r"happens)\b"
        ),
    ),
    rule("score", rf"{DECIMAL}_of_(?:the|an?|its|each)_(?!(?:\w+_)?(?:{RUNS}|known|maximum))\w+"),
    rule("score", rf"{DECIMAL}[\s-](?:threshold|level|cut-?off|tolerance|margin|quantile|significance)"),
    rule("score", r"(?:\balpha|α)\s*=\s*0?\.(?:001|005|01|05|1|10)\b"),
    rule("score", f"{DECIMAL}{_UNIT}"),
    rule("score", rf"{DECIMAL}\s+(?:upwards?|or_(?:more|above|higher|less|below)|and_(?:above|over|up))"),
    rule(
        "score",
        rf"(?:{DECIMAL}|{MONEY})(?:_\w+){{0,4}}_(?:means?|stands?_for|denotes?|is_given_(?:to|"
        r"for|when))\b",
    ),
    rule("score", rf"\b(?:recorded|written|entered|stored|noted)_as_{DECIMAL}"),
    rule(
        "count",
        ".+",
        where=r"\A(?:an?|any|each|every)_\w+_that_\w+_\d+_times",
    ),
    rule("score", rf"\bcount(?:s|ed)?_(?:as|for)_{DECIMAL}|\bworth_{DECIMAL}"),
    rule("score", r"\b0(?:\.0+)?\s*(?:to|and|–|-|\.\.|…|,)\s*1(?:\.0+)?\b(?![%\d]|\.\d)"),
    rule("score", r"\b0,\s*0?\.5\s*,?\s*(?:or|and|,)\s*1\b"),
    rule(
        "score",
        r"\bp(?:-values?)?\s*(?:[<>=≤≥]|(?:is|of)_(?:at_most|below|under|less_than|no_more_"
        r"than))\s*0?\.\d+",
        where=rf"\b{EITHER}\b",
    ),
    # Prices and budgets: what is charged for a token, and what a run may cost.
    rule(
        "cost",
        rf"{MONEY} \s*(?:/|per|an?|for)\s*(?:\w+\s+)?(?:million|1\s?M|M\b|MTok|"
        r"1[,\s]?000[,\s]?000|1k|thousand|token|seat|month|year|hour|GPU)[\w-]*",
    ),
    rule(
        "cost",
        MONEY,
        where=(
            r"\b(?:prices?|priced|pricing|tariff|free_tier|charge[sd]?|billed|subscription|grant|"
            r"funded|per_(?:million|1M|thousand)|MTok)\b"
        ),
        unless=rf"\b(?:costs?(?!_of)|spent|spend|per_(?:solved_)?{RUNS})",
    ),
    rule("cost", rf"\b(?:may|must|can)_(?:not_)?(?:spend|cost)_(?:\w+_){{0,2}}{MONEY}"),
    rule(
        "cost",
        r"\b(?:budgets?|capped|cap|limits?|limited|ceiling|allowance|fee|salary|prize|"
        rf"donation)(?:_\w+){{0,2}}_{MONEY}",
    ),
    # Rules about counts.
    rule("count", rf"\b{EITHER}\b[^,;]{{0,90}}?\b{SOME}_(?:out_)?{OF_THE}_{SOME}(?:_{RUNS})?"),
    rule(
        "count",
        rf"\b{EITHER}\b[^,;]{{0,90}}?\b(?:all|each|every_one|none|any)_(?:of_)?(?:the_|its_)?{SOME}_"
        rf"(?:\w+_)?{RUNS}",
    ),
    rule(
        "count",
        rf"\b(?:at_(?:most|least)|up_to|no_more_than|more_than|fewer_than|after|exactly)_{SOME}_"
        rf"(?:\w+_)?{RUNS}",
        where=rf"\b(?:may|can|{EITHER}|stops|allowed)\b",
    ),
)
"""Numbers that are no result; the kind says what they would be taken for."""
