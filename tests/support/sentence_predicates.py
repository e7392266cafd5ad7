"""What each generated sentence stands on: the predicate that must hold of its rows wherever it is said.

A predicate reads the words that were made, never the maker's own reckoning: what it finds said, it counts
again from the rows. ``PREDICATES`` has one for every maker of sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from metrics_core.results.comparison import Comparison
from metrics_core.results.control import Control
from metrics_core.results.estimate import Estimate
from metrics_core.results.shapes import CheckRow, CostRow, Funnel, Grid, Points, Series
from site_src.wording import first_lines, pair_titles, titles
from site_src.wording.first_lines import MOST_NAMED
from site_src.wording.names import metric_words, title_stratum

Holds = Callable[..., Iterator[str]]
"""Words and the maker's own arguments -> every claim of the words that the rows do not bear out."""

_COUNT: Final = r"\d[\d\u202f]*"
_WORDS: Final = dict(
    zip(("no", "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True)
)  # fmt: skip


def number(words: str) -> int:
    """A count as a sentence spells it."""
    return _WORDS[words.lower()] if words.lower() in _WORDS else int(words.replace("\u202f", ""))


def _said(pattern: str, words: str) -> Iterator[tuple[str, ...]]:
    for match in re.finditer(pattern.replace("#", _COUNT), words, re.IGNORECASE):
        yield match.groups()


def no_superlative(words: str) -> Iterator[str]:
    """No "most" and no "least": what is largest is counted, and alone."""
    for (word,) in _said(
        r"\b(most of|most are|most stay|(?<!at )least|everyone|anyone|all models are|these data)\b", words
    ):
        yield f"says {word!r}"


def of_funnel(words: str, shape: Funnel) -> Iterator[str]:
    """How many reach the last stage, by its name and contract; the largest loss is one stage's alone."""
    yield from no_superlative(words)
    last, end = shape.stages[-1].estimate, shape.stages[-1].name
    if "every stage" in words and last.withheld is None:
        yield "says that every stage is passed, and not which is the last"
    for (at,) in _said(r"reach(?:es)? “([^”]+)”", words):
        if at != end:
            yield f"says that {at} is reached, where {end} is the last stage"
    for (name,) in _said(r"” by ([^;]+)", words):
        if not name.startswith(last.contract.id):
            yield f"says {name}, where {last.contract.id} gave the verdicts"
    for n, N in _said(r"(#) of (#)(?: attempts?| of| reach(?:es)?)", words):
        if (number(n), number(N)) != (last.n, last.N):
            yield f"says {n} of {N} for {last.n} of {last.N}"
    lost = {stage.name: sum(loss.count for loss in stage.losses) for stage in shape.stages}
    for n, total, at in _said(r"largest loss: (#) of (#), at (the last|“[^”]+”)", words):
        name = shape.stages[-1].name if at == "the last" else at.strip("“”")
        rest = [size for stage, size in lost.items() if stage != name]
        if (lost[name], sum(lost.values())) != (number(n), number(total)) or max(rest, default=0) >= number(
            n
        ):
            yield f"says {name} loses {n} of {total}, where {lost} are lost"


def of_governance(words: str, rows: Sequence[Estimate]) -> Iterator[str]:
    """The largest gap is one row's alone; all are known only where none is not; a sum goes over all."""
    yield from no_superlative(words)
    shown = [e for e in rows if e.withheld is None]
    gaps = sorted(((e.attempts - e.known, e.attempts) for e in shown), reverse=True)
    gap = r"(?:has the largest gap, |is not known in |: (?=[^:]* not known, the largest gap))(#) of (#)"
    for n, of in _said(gap, words):
        if not gaps or gaps[0] != (number(n), number(of)) or (len(gaps) > 1 and gaps[1][0] == gaps[0][0]):
            yield f"says the largest gap is {n} of {of}, where {gaps}"
    for n, of in _said(r"(#) of (#) (?:verdicts?|attempts?) (?:are|is) not known", words):
        if (sum(g for g, _ in gaps), sum(a for _, a in gaps)) != (number(n), number(of)):
            yield f"says {n} of {of} are not known, where {gaps}"
    if re.search(r"all known|attempt is known", words, re.IGNORECASE) and any(g for g, _ in gaps):
        yield f"says that all are known, where {gaps}"
    if "not every attempt known" in words.lower() and not any(g for g, _ in gaps):
        yield "says that not every attempt is known"


def of_parts(words: str, rows: Sequence[Estimate]) -> Iterator[str]:
    """The largest part is larger than each other one; it is said of what, and in which stratum."""
    yield from no_superlative(words)
    metric, where = metric_words(rows[0].metric, rows[0].words), title_stratum(rows[0].stratum, rows[0].words)
    if metric not in words.lower() and rows[0].of not in words:
        yield f"names neither {metric} nor {rows[0].of}"
    if where.lower() not in words.lower():
        yield f"does not say that it is {where}"
    sizes = sorted((e.n or 0 for e in rows), reverse=True)
    for n, _ in _said(r"largest part is .*?, (#) of (#)", words):
        if number(n) != sizes[0] or sizes[1:2] == sizes[:1]:
            yield f"says the largest is {n} of {sizes}"


def of_assertions(words: str, rows: Sequence[CheckRow]) -> Iterator[str]:
    """How many fail, of how many; one fails most often only where no other fails as often."""
    yield from no_superlative(words)
    fails = sorted((sum(t.false for _, t in row.by_model) for row in rows), reverse=True)
    failing = sum(size > 0 for size in fails)
    for n, N in _said(r"(#) of (#) named assertions fail", words):
        if (number(n), number(N)) != (failing, len(rows)):
            yield f"says {n} of {N} fail, where {failing} of {len(rows)} do"
    if "most often" in words and fails[1:2] == fails[:1]:
        yield f"says that one fails most often, where {fails}"
    if "None of" in words and failing:
        yield f"says that none fails, where {failing} do"


def of_controls(words: str, found: Sequence[Control]) -> Iterator[str]:
    """How many held, failed, are missing, are not applicable."""
    for size, state in _said(r"(\w+) (held|failed|missing|not applicable)", words):
        counted = sum(c.state == state.lower() for c in found)
        if size.lower() in _WORDS and number(size) != counted:
            yield f"says {size} {state}, where {counted} are"
    if re.search(r"controls? held$", words) and any(c.state != "held" for c in found):
        yield "says that every control held"


def of_cost(words: str, rows: Sequence[CostRow]) -> Iterator[str]:
    """Which side of the money there is, and whether the two sides agree wherever both are known."""
    both = [(r.recorded, r.recomputed) for r in rows if r.recorded is not None and r.recomputed is not None]
    apart = [pair for pair in both if abs((pair[0] or 0) - (pair[1] or 0)) >= 0.005]
    said = words.lower()
    if "agree" in said and (apart or not both):
        yield f"says that they agree, where {apart} part"
    if "is not what" in said and not apart:
        yield "says that they part"
    if said.startswith("recorded cost only") and (both or all(r.recorded is None for r in rows)):
        yield "says that cost was only recorded"
    if said.startswith("recomputed cost only") and any(r.recorded is not None for r in rows):
        yield "says that no cost was recorded"


def of_timeline(words: str, series: Series) -> Iterator[str]:
    """The line stops where a segment begins; there is one instrument only where every segment has it."""
    why = [segment.why for segment in series.segments[1:] if segment.why]
    if "line stops" in words and len(why) != 1:
        yield f"says that the line stops, where {why}"
    if "one instrument" in words and len({(s.contract.digest, s.pack) for s in series.segments}) != 1:
        yield "says that there is one instrument"
    points = [e for segment in series.segments for e in segment.points]
    for size, _ in _said(r"\b(\w+) (stamps?|experiments?)\b", words):
        if (size.lower() in _WORDS or size.isdecimal()) and number(size) != len(points):
            yield f"says {size} points, where {len(points)} are"


def of_heatmap(words: str, grid: Grid) -> Iterator[str]:
    """How many cells, or how many went where they should: those whose two keys agree, of all."""
    for n, N in _said(r"(#) of (#) went where they should", words):
        agree = sum(e.n or 0 for e in grid.cells if len({level for _, level in e.group}) == 1)
        if (number(n), number(N)) != (
            agree,
            sum({e.group[grid.axes[0]]: e.N or 0 for e in grid.cells}.values()),
        ):
            yield f"says {n} of {N} went where they should"
    for (size,) in _said(r"(\w+) pairs?\b", words):
        if number(size) != len(grid.cells):
            yield f"says {size} pairs, where {len(grid.cells)} are"


def of_pairs(words: str, comparisons: Sequence[Comparison], *more: Sequence[Comparison]) -> Iterator[str]:
    """Of pairs of arms: who is named above is, on the same tasks unless the sentence says otherwise; what
    cannot be separated is not; the pack is named only where every pair has one.
    """
    yield from no_superlative(words)
    yield from _of_subject(words, comparisons)
    for others in more:
        yield from of_pairs(words, others)
    apart = [c for c in comparisons if c.separated]
    names = sorted({name for c in comparisons for name in (c.a, c.b)}, key=len, reverse=True)
    for clause in re.split(r"[;.] ", words):
        for above, below in _ranks(clause, names):
            found = [c for c in apart if {c.a, c.b} == {above, below}]
            if not found or any(_above(c) != above for c in found):
                yield f"says that {above} is above {below}"
            if "different tasks" not in clause and any(c.unpaired for c in found):
                yield f"says that {above} is above {below}, and not that the tasks are different"
    if re.search(r"cannot (?:separate|tell)", words) and all(c.separated for c in comparisons):
        yield "says that some cannot be separated"
    only = sum(c.told_apart is not None for c in comparisons) - len(apart)
    for size, total, how in _said(r"(\w+) of (\w+) pairs(.*?)(?:$|[;,])", words):
        counted = only if "same tasks" in how else len(apart)
        if (number(size), number(total)) != (counted, len(comparisons)):
            yield f"says {size} of {total} pairs, where {counted} of {len(comparisons)} are"
    for (size,) in _said(r", (\w+) on the same tasks only", words):
        if size in _WORDS and number(size) != only:
            yield f"says {size} on the same tasks only, where {only} are"
    if re.search(r"are separated|pair, separated", words) and not apart:
        yield "says that they are separated"
    unlike = sum(c.difference is None for c in comparisons)
    for (size,) in _said(r"(\w+) not compared", words):
        if size in _WORDS and number(size) != unlike:
            yield f"says {size} not compared, where {unlike} are"
    if re.search(r"could (?:not )?be compared", words) and unlike < len(comparisons):
        yield f"says that nothing could be compared, where {len(comparisons) - unlike} pairs are"


def of_ranks(words: str, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Who is said to be above, or not told apart, is so in a comparison; a pack is spoken of where one is."""
    yield from no_superlative(words)
    if re.search(r"\bthe pack cannot\b", words, re.IGNORECASE) and not any(c.pack for c in comparisons):
        yield "speaks of a pack that is not there"
    apart = {c.told_apart for c in comparisons if c.separated}
    better = {c.better[0] for c in comparisons if c.better is not None}
    level = {frozenset((c.a, c.b)) for c in comparisons if not c.separated}
    names = sorted({name for c in comparisons for name in (c.a, c.b)}, key=len, reverse=True)
    some = "|".join(map(re.escape, names)) or r"(?!)"
    for above, below in re.findall(rf"(?<![\w-])({some}) is above ({some})(?![\w-])", words):
        if (above, below) not in apart:
            yield f"says that {above} is above {below}"
    for first in re.findall(rf"(?<![\w-])({some}) did better(?![\w-])", words):
        if first not in better:
            yield f"says that {first} did better"
    for one, other in re.findall(rf"cannot separate ({some}) and ({some})(?![\w-])", words):
        if frozenset((one, other)) not in level:
            yield f"says that {one} and {other} cannot be separated"


def of_arm(words: str, name: str, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Of one arm: above and below whom it is, from whom it cannot be told; every pair that it is in."""
    own = [c for c in comparisons if name in (c.a, c.b) and c.difference is not None]
    apart = [c for c in own if c.told_apart is not None]
    if apart or "cannot tell" not in words:
        yield from of_pairs(words, own)
    else:
        yield from _of_subject(words, own)
    untold = sorted(c.b if c.a == name else c.a for c in own if c.told_apart is None)
    *many, last = untold or [""]
    named = " and ".join(filter(None, (", ".join(many), last))) if len(untold) <= MOST_NAMED else ""
    for (names,) in _said(rf"cannot tell {re.escape(name)} from ([^;]+)", words):
        size = names.split()[0]
        if names != named and (named or _WORDS.get(size) != len(untold)):
            yield f"says that {name} cannot be told from {names}, where {untold} are not told apart"
    if untold and "cannot tell" not in words:
        yield f"does not say that {untold} are not told apart"
    for c in apart:
        if (c.b if c.a == name else c.a) not in words:
            yield f"does not say how it stands beside {c.b if c.a == name else c.a}"


def of_brief(words: str, name: str, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Of one arm in a few words: whom it is above and below, how, and that no other is told from it."""
    own = {c.b if c.a == name else c.a: c for c in comparisons if name in (c.a, c.b)}
    told = {other for other, c in own.items() if c.told_apart is not None}
    said: set[str] = set()
    for word, others, how in _said(
        r"(above|below|better than|worse than) (.+?)( on the same tasks only| on different tasks|)(?=;|$)",
        words,
    ):
        named = {other for other in told if _names(others, other)}
        if not named and re.fullmatch(r"\w+ others", others):
            named = {o for o in told if _is_ahead(own[o], name) is (word in ("above", "better than"))}
        said |= named
        for other in named:
            c = own[other]
            if _is_ahead(c, name) is not (word in ("above", "better than")):
                yield f"says {word} {other}, where {c.told_apart} and {c.polarity}"
            if ("better" in word or "worse" in word) is not (c.polarity == "against"):
                yield f"says {word}, where the metric counts {c.polarity}"
            want = " on different tasks" if c.unpaired else "" if c.separated else " on the same tasks only"
            if how != want:
                yield f"says {how!r} of {other}, where it is {want!r}"
    if said != told or ("told from no other" in words) is bool(told):
        yield f"tells {said} apart, where {told} are"


def _is_ahead(c: Comparison, name: str) -> bool:
    """Whether the arm is the better one, or the one above where the metric says not what is better."""
    above = _above(c) if c.separated else (c.told_apart or ("",))[0]
    return (above == name) is not (c.polarity == "against")


def of_found(words: str, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """What came of pairs: how many are separated of those compared, and whether any could be compared."""
    yield from no_superlative(words)
    apart = sum(c.separated for c in comparisons)
    unlike = [c for c in comparisons if c.difference is None]
    only = sum(c.told_apart is not None for c in comparisons) - apart
    for size, total in _said(r"(\w+) of (\w+) separated", words):
        if (number(size), number(total)) != (apart, len(comparisons)):
            yield f"says {size} of {total}, where {apart} of {len(comparisons)} are"
        if len(unlike) == len(comparisons):
            yield "counts pairs that could not be compared"
    for (size,) in _said(r"(\w+) on the same tasks only", words):
        if size in _WORDS and number(size) != only:
            yield f"says {size} on the same tasks only, where {only} are"
    for (size,) in _said(r"(\w+) not compared", words):
        if number(size) != len(unlike):
            yield f"says {size} not compared, where {len(unlike)} are"
    if len(comparisons) == 1 and not unlike:
        said = words.removeprefix("not ")
        if (said == "separated", words.startswith("not "), "same tasks" in said) != (
            not only,
            not apart and not only,
            bool(only),
        ):
            yield f"says {words} of a pair, where {apart} is separated and {only} on the same tasks only"
    if "could not be compared" in words:
        if len(unlike) < len(comparisons):
            yield "says that they could not be compared"
        if ":" in words and any(str(c.reason) != words.partition(": ")[2] for c in unlike):
            yield f"gives a reason that is not every pair's: {words}"


def of_experiments(words: str, experiments: Sequence[Sequence[Comparison]], kind: str) -> Iterator[str]:
    """In how many experiments somebody is separated, and in how many more on the same tasks only."""
    yield from no_superlative(words)
    yield from _of_subject(words, [c for pairs in experiments for c in pairs])
    apart = sum(any(c.separated for c in pairs) for pairs in experiments)
    told = sum(any(c.told_apart is not None for c in pairs) for pairs in experiments)
    compared = sum(any(c.difference is not None for c in pairs) for pairs in experiments)
    for size, total in _said(r"separated in (\w+) of (\w+) experiment", words):
        if (number(size), number(total)) != (apart, compared):
            yield f"says {size} of {total}, where {apart} of {compared} separate {kind}"
    for (total,) in _said(r"(?:own intervals in|yet, in|are separated in) (\w+) experiment", words):
        if number(total) != compared:
            yield f"says {total} experiments, where {compared} compare anybody"
    idle = 0
    for (size,) in _said(r"in (\w+) more none could be compared", words):
        idle = number(size)
    if compared and idle != len(experiments) - compared:
        yield f"says that none could be compared in {idle} of {len(experiments)}, where {compared} compare"
    if words.lower().startswith("no two") and "could be compared in" in words and compared:
        yield f"says that none could be compared, where {compared} compare"
    for (size,) in _said(r"in (\w+) (?:more |some are told apart )?on the same tasks only", words):
        if number(size) != told - apart:
            yield f"says {size} on the same tasks only, where {told - apart} are"
    if "cannot separate" in words and told:
        yield f"says that none separates, where {told} tell somebody apart"
    if words.lower().startswith("no two") and apart:
        yield f"says that no two are separated, where {apart} separate some"


def _of_subject(words: str, comparisons: Sequence[Comparison]) -> Iterator[str]:
    if re.search(r"\bthe pack\b", words, re.IGNORECASE) and not all(c.pack for c in comparisons):
        yield "speaks of a pack that is not there"


def _above(c: Comparison) -> str:
    return c.a if c.verdict == "a above b" else c.b


def _ranks(clause: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every (above, below) that a clause names."""
    verb = re.search(r" (?:are above|is above|do better than|does better than) ", clause)
    if not verb:
        return
    left, right = clause[: verb.start()], clause[verb.end() :]
    if "better" in verb[0]:  # said only of metrics of which less is better
        left, right = right, left
    for above in (n for n in names if _names(left, n)):
        for below in (n for n in names if _names(right, n)):
            yield above, below


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text) is not None


def of_overview(
    words: str, sets: Sequence[Sequence[Comparison]], withheld: int, *, arms: str = "", noun: str = "metric"
) -> Iterator[str]:
    """On how many metrics some arms are separated, of how many, over every experiment and side shown."""
    yield from no_superlative(words)
    held = [pairs for pairs in sets if any(c.difference is not None for c in pairs)] or sets
    yield from _of_subject(words, [c for pairs in held for c in pairs])
    apart = sum(any(c.separated for c in pairs) for pairs in sets)
    for size, total in _said(r"separated (?:on|in) (\w+) of (\w+) (?:metric|block|comparison)", words):
        if (number(size), number(total)) != (apart, len(held)):
            yield f"says {size} of {total}, where {apart} of {len(held)} {noun}s are, of {arms}"
    for (total,) in _said(
        r"(?:separated|yet|be compared) (?:on|in) (\w+) (?:metric|block|comparison)", words
    ):
        if number(total) != len(held):
            yield f"says {total} {noun}s, where {len(held)} compare {arms}"
    told = sum(any(c.told_apart is not None for c in pairs) for pairs in sets)
    compared = sum(c.difference is not None for pairs in sets for c in pairs)
    if "could be compared" in words and compared:
        yield f"says that none could be compared, where {compared} pairs are"
    if sets and not compared and "could be compared" not in words:
        yield "does not say that nothing could be compared"
    if "cannot separate" in words and told:
        yield f"says that none is separated, where {told} are told apart"
    for (size,) in _said(r"(\w+) (?:of \w+ \w+ told apart, )?on the same tasks only", words):
        if size in _WORDS and (apart or number(size) != told):
            yield f"says {size} on the same tasks only, where {told} are, and {apart} separated"
    for (size,) in _said(r"(\w+) (?:is|are) withheld", words):
        if size.lower() in _WORDS and number(size) != withheld:
            yield f"says {size} withheld, where {withheld} are"


def of_uncompared(words: str, rows: Sequence[Estimate], _: str) -> Iterator[str]:
    """There is nothing to compare only where there is one arm."""
    several = len({e.group for e in rows}) > 1
    if ("nothing to compare" in words and several) or ("no two" in words and not several):
        yield f"says {words}, of {len({e.group for e in rows})} arms"


def of_corners(words: str, points: Points, first: int, runs: int, clause: str) -> Iterator[str]:
    """How many runs are in the corner that is named, of all that have both."""
    for n, N in _said(r"in (#) of (#) runs?\b", words):
        if (number(n), number(N)) != (first, sum(size for _, _, size in points.points)):
            yield f"says {n} of {N} runs"
    if "no run has both" in words and runs:
        yield "says that no run has both"


def of_names(words: str, *_: Any) -> Iterator[str]:
    """Names of what is shown, and no claim."""
    yield from no_superlative(words)


PREDICATES: Final[dict[Callable[..., str], Holds]] = {
    titles.funnel: of_funnel,
    titles.timeline: of_timeline,
    titles.governance: of_governance,
    titles.parts: of_parts,
    titles.controls: of_controls,
    titles.corners: of_corners,
    titles.against: of_names,
    titles.assertion_strip: of_assertions,
    titles.cost: of_cost,
    titles.cost_score: of_names,
    titles.heatmap: of_heatmap,
    titles.withheld: of_names,
    pair_titles.separation: of_pairs,
    pair_titles.overview: of_overview,
    pair_titles.uncompared: of_uncompared,
    first_lines.pairs_sentence: of_pairs,
    first_lines.pairs_found: of_found,
    first_lines.arm_line: of_arm,
    first_lines.arm_brief: of_brief,
    first_lines.experiments_sentence: of_experiments,
}
"""Maker -> predicate."""
