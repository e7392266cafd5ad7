"""What the words of one row stand on: a number, a difference, a recount, a run, an edition against another.

As `tests.support.sentence_predicates`: what the words say is counted again from the row, never by the maker.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from metrics_core.results.codes import Denominator
from metrics_core.results.comparison import Comparison
from metrics_core.results.control import Control
from metrics_core.results.estimate import Estimate
from metrics_core.results.interval import Interval
from metrics_core.results.review import Verdict
from metrics_core.results.separation import Separation
from metrics_core.results.shapes import CostRow, Series
from site_src.editions import DecisionChange, Edition, Move, summary
from site_src.pages.compare import tables
from site_src.pages.runs import verdicts
from site_src.publishing import feed
from site_src.wording import (
    by_rule,
    captions,
    clauses,
    comparisons,
    estimates,
    first_lines,
    provenance,
    series,
)
from site_src.wording.names import is_arm, metric_words
from tests.support.sentence_predicates import number, of_ranks

_COUNT: Final = r"\d[\d\u202f]*"
_NUMBER: Final = r"[<>]?[−+]?\d[\d,]*(?:\.\d+)?"


def _said(pattern: str, words: str) -> Iterator[tuple[str, ...]]:
    filled = pattern.replace("#", _COUNT).replace("@", _NUMBER)
    for match in re.finditer(filled, words, re.IGNORECASE):
        yield match.groups()


def reads(words: str, value: float | None, scale: float = 1.0) -> bool:
    """Whether words are a value, rounded to the digits they have; "<0.01" and ">0.99" are limits."""
    if value is None:
        return False
    digits = words.replace("−", "-").replace(",", "").lstrip("+")
    if digits[0] in "<>":
        edge = float(digits[1:])
        return value * scale < edge if digits[0] == "<" else value * scale > edge
    places = len(digits.partition(".")[2])
    return abs(value * scale - float(digits)) <= 0.5 * 10.0**-places * (1 + 1e-9)


# ----------------------------------------------------------------------------------------- a number


def of_losses(words: str, e: Estimate) -> Iterator[str]:
    """What is not known by state, what was never recorded, of how many; all known only where all are."""
    never = e.never_recorded.runs if e.never_recorded is not None else 0
    held = {"unknown": e.unknown, "error": e.errors, "invalid": e.invalid, "never recorded": never}
    told = {word: number(n) for n, word in _said(r"(#) (unknown|error|invalid|never recorded)s?\b", words)}
    for n, s in _said(r"(#) error(s?)\b", words):
        if (number(n) == 1) == bool(s):
            yield f"says {n} error{s}"
    if e.withheld is None and told != {word: n for word, n in held.items() if n}:
        yield f"says {told}, where {held} are"
    for (n,) in _said(r"of (#) attempt", words):
        if number(n) != e.attempts:
            yield f"says {n} attempts, where {e.attempts} are"
    if re.search(r"all of .* known|the one (attempt )?known", words) and e.known != e.attempts:
        yield f"says that all are known, where {e.known} of {e.attempts} are"


def _of_parts(e: Estimate) -> bool:
    """Whether the value is another number than n/N, or n/N counts other things than runs."""
    if e.value is None or not e.N or e.summary is not None:
        return False
    return e.unit != "fraction" or e.N not in (e.known, e.attempts) or abs(e.value - (e.n or 0) / e.N) > 1e-9


def of_number(words: str, e: Estimate) -> Iterator[str]:
    """n/N, limits to the digits shown, bounds only where these lead; of what is withheld nothing."""
    if e.withheld is not None:
        if re.search(r"\d+/\d+|\[|bounds", words.replace(e.withheld, "")):
            yield "tells a number that is withheld"
        return
    for n, of in _said(r"(#)/(#)", words):
        if (number(n), number(of)) != (e.n, e.N):
            yield f"says {n}/{of}, where {e.n}/{e.N} are"
    bounds = list(_said(r"bounds (@) to (@)", words))
    if bounds and (e.headline != "bounds" or not e.bounds or not all(map(reads, bounds[0], e.bounds))):
        yield f"says bounds {bounds}, where {e.headline} leads and bounds are {e.bounds}"
    held = [(e.interval.lo, e.interval.hi)]
    held += [(e.by_task.interval.lo, e.by_task.interval.hi)] if e.by_task else []
    held += [(i.lo, i.hi) for _, i in e.also if i.at_the_bounds and e.headline == "bounds"]
    for lo, hi in _said(r"\[(@), (@)\]", words):
        if not any(reads(lo, low) and reads(hi, high) for low, high in held):
            yield f"says [{lo}, {hi}], where {held} are"
    if "counts only" in words and e.headline != "counts":
        yield f"says counts only, where {e.headline} leads"
    if "counts only" in words and _of_parts(e):
        yield f"gives {e.n}/{e.N} as all there is, where {e.value} is a mean"
    if "too few for a mean" in words and (e.headline != "counts" or not _of_parts(e)):
        yield f"says too few for a mean, where {e.headline} leads and {e.value} is {e.n}/{e.N}"
    for n, what in _said(r"(#) (run|task)s?, too few for a mean", words):
        if number(n) != (e.known if what == "run" else e.N):
            yield f"says {n} {what}s, where {e.known} runs are known and N is {e.N}"
    for n, what in _said(r"mean [^,;]*?over (#) (run|task)", words):
        if number(n) != (e.known if what == "run" else e.N):
            yield f"says a mean over {n} {what}s, where {e.known} runs are known and N is {e.N}"
    for least, most in _said(r"(#) to (#) runs per task", words):
        if (number(least), number(most)) != e.runs_per_task:
            yield f"says {least} to {most} runs per task, where {e.runs_per_task} are"
    for (n,) in _said(r"(#) tasks? left out", words):
        if e.left_out is None or number(n) != e.left_out.tasks:
            yield f"says {n} left out, where {e.left_out} are"


def of_bounds(words: str, e: Estimate) -> Iterator[str]:
    """The bounds to the digits shown, and no unknowns only where all attempts are known."""
    for bounds in _said(r"bounds (@) to (@)", words):
        if e.withheld is not None or not e.bounds or not all(map(reads, bounds, e.bounds)):
            yield f"says bounds {bounds}, where {e.bounds} are"
    if ("no unknowns" in words) and e.known != e.attempts:
        yield f"says no unknowns, where {e.known} of {e.attempts} are known"


def of_clause(words: str, e: Estimate) -> Iterator[str]:
    """A number with what is missing of it."""
    yield from of_losses(words, e)
    yield from of_number(words, e)


def of_tally(words: str, e: Estimate) -> Iterator[str]:
    """Every attempt once, where N counts attempts: the counts add up to all of them."""
    told = sum(number(n) for (n,) in _said(r"(#) ", words))
    if e.withheld is None and told != (e.N or 0) + e.unknown + e.errors + e.invalid:
        yield f"tells {told}, of N {e.N} and {e.attempts} attempts"


# ------------------------------------------------------------------------------------- a difference


def _clear(i: Interval) -> bool:
    return i.lo is not None and i.hi is not None and not i.lo <= 0.0 <= i.hi


def of_difference(words: str, c: Comparison) -> Iterator[str]:
    """The difference and its limits to the digits shown, p, tasks, who did better, and the outcome."""
    lo, hi = c.interval.lo, c.interval.hi
    ends = [(lo, hi), (None if lo is None else -lo, None if hi is None else -hi)]
    for d, low, high in _said(r"(?<![\d.])([−+]\d[\d.]*) \[(@), (@)\]", words):
        if not (reads(d, c.difference) and reads(low, lo) and reads(high, hi)):
            yield f"says {d} [{low}, {high}], where {c.difference} {c.interval} is"
    for d, low, high in _said(r"by (@) points \[(@), (@)\]", words):
        found = sorted((abs(lo or 0.0), abs(hi or 0.0)))
        if not (reads(d, abs(c.difference or 0.0), 100) and reads(low, found[0], 100)
                and reads(high, found[1], 100)):  # fmt: skip
            yield f"says {d} points [{low}, {high}], where {c.difference} {ends} is"
    for (p,) in _said(r"\bp (@)", words):
        if not reads(p, c.p_adjusted):
            yield f"says p {p}, where {c.p_adjusted} is"
    for (n,) in _said(r"Holm over (#)", words):
        if number(n) != c.holm_size:
            yield f"says Holm over {n}, where {c.holm_size} are"
    for (n,) in (*_said(r"same (#) tasks", words), *_said(r"(#) tasks? in common(?!, \d+ needed)", words)):
        if number(n) != c.paired_on:
            yield f"says {n} tasks, where {c.paired_on} are"
    if "different tasks" in words and not c.unpaired and c.outcome is not Separation.NOT_COMPARABLE:
        yield "says different tasks"
    if re.search(r"cannot separate", words) and c.outcome is Separation.SEPARATED:
        yield "says that they cannot be separated"
    if "own intervals are apart" in words and c.overlap is not False:
        yield "says that their own intervals are apart"
    if "own intervals overlap" in words and not c.overlap:
        yield "says that their own intervals overlap"
    if "leaves out 0" in words and not _clear(c.interval):
        yield "says that the interval leaves out 0"
    if re.search(r"(?:\]|its interval) holds 0", words) and _clear(c.interval):
        yield "says that the interval holds 0"
    if re.search(r"\bthe pack\b", words, re.IGNORECASE) and not c.pack:
        yield "speaks of a pack that is not there"
    yield from _who(words, c)


def _who(words: str, c: Comparison) -> Iterator[str]:
    """Who is named first did better, or had more where neither speaks for an arm; and that is told apart."""
    d = c.difference or 0.0
    more, less = (c.a, c.b) if d > 0 else (c.b, c.a)
    better = less if c.polarity == "against" else more
    for name in (c.a, c.b):
        own = re.escape(name)
        did = re.search(rf"(?<!\w){own} did better", words) or re.search(rf"(?<!\w){own} better\b", words)
        above = re.search(rf"(?<!\w){own} (?:over|above|had more)\b", words)
        if (did and name != better) or (above and name != more):
            yield f"says that {name} is ahead, where the difference is {c.difference}, {c.polarity}"
        if (did or above) and c.outcome not in (Separation.SEPARATED, Separation.SAME_TASKS_ONLY):
            yield f"says that {name} is ahead, where the outcome is {c.outcome}"
        if (did or above) and "same tasks only" in words and c.outcome is Separation.SEPARATED:
            yield "says same tasks only of two that are separated"


def of_sides(words: str, c: Comparison) -> Iterator[str]:
    """The first less the second, in that order."""
    if words != f"{c.a} − {c.b}" and not set(c.a + c.b) - set(words):
        yield f"says {words}, of {c.a} less {c.b}"


def of_smallest(words: str, c: Comparison) -> Iterator[str]:
    """What could be shown, by both rules where the strict one is in force; nothing where nothing is known."""
    found = c.detectable
    for rule, d in _said(r"(paired|strict) (@)", words):
        held = None if found is None else getattr(found, rule.lower())
        if not reads(d, held):
            yield f"says {rule} {d}, where {held} is"
    if (found is not None and found.paired is not None) != ("paired " in words):
        yield f"says {words!r}, where {found} is"
    if ("strict" in words) != ("paired " in words and c.rule == "overlap"):
        yield f"says {words!r} under {c.rule}"
    if "roughly" in words and not (found and found.rough):
        yield "says that it is rough"


def of_behind(words: str, c: Comparison) -> Iterator[str]:
    """Why two are not told apart, and what could be shown; nothing of the latter where they are separated."""
    yield from of_difference(words, c)
    why, could, smallest = words.partition("could be shown: ")
    if could:
        yield from of_smallest(smallest, c)
    if could and c.separated:
        yield f"says what could be shown, where they are separated: {why}"


def of_paired_rule(words: str, c: Comparison) -> Iterator[str]:
    """Who did better on the same tasks; that nobody did, only where this rule says so."""
    apart = c.paired_verdict != "cannot separate"
    if ("cannot separate" in words) is apart:
        yield f"says {words!r}, where the same tasks say {c.paired_verdict}"
    for first, _ in _said(r"^(.+?) (had more|did better)", words):
        above, below = (c.a, c.b) if c.paired_verdict == "a above b" else (c.b, c.a)
        if first != (below if c.polarity == "against" else above):
            yield f"says that {first} did better, where {c.paired_verdict} and less counts {c.polarity}"


def of_strict_rule(words: str, c: Comparison) -> Iterator[str]:
    """Who is above by both intervals; that nobody is, only where this rule says so."""
    apart = c.strict_verdict != "cannot separate"
    if apart:
        yield from of_difference(words, c)
    if ("cannot separate" in words) is apart:
        yield f"says {words!r}, where the intervals say {c.strict_verdict}"


def of_deciding(words: str, pairs: Sequence[Comparison], arms: Mapping[str, Estimate]) -> Iterator[str]:
    """The intervals of those whose bounds stand in place of a point, under the rule that asks for them."""
    asked = {name for c in pairs if c.rule == "overlap" and c.difference is not None for name in (c.a, c.b)}
    led = [e for name, e in arms.items() if name in asked and e.headline == "bounds"]
    held = [(e.interval.lo, e.interval.hi) for e in led if e.interval.lo is not None]
    said = list(_said(r"\[(@), (@)\]", words))
    if len(said) != len(held) or not all(
        reads(lo, low) and reads(hi, high) for (lo, hi), (low, high) in zip(said, held, strict=True)
    ):
        yield f"says {said}, where {held} decide"


def of_smallest_note(words: str, pairs: Sequence[Comparison]) -> Iterator[str]:
    """By which rules, and in families of which size; nothing where nothing could be shown."""
    found = [c for c in pairs if c.detectable is not None and c.detectable.paired is not None]
    sizes = sorted({c.detectable.family for c in found if c.detectable is not None})
    told = [number(n) for (n,) in _said(r"(?:family of | to )(#)", words)]
    if told != (sizes[:1] + sizes[-1:] if len(sizes) > 1 else sizes):
        yield f"says families of {told}, where {sizes} are"
    if ("strict" in words) != bool(found and any(c.rule == "overlap" for c in pairs)):
        yield "names another rule than the one in force"


# ------------------------------------------------------------------------------ controls and money


def of_control(words: str, control: Control) -> Iterator[str]:
    """Its state, and how many of its checks came out as they must."""
    counts = (sum(c.n for c in control.checks), sum(c.N for c in control.checks))
    for n, N in _said(r"(#)/(#) checks", words):
        if (number(n), number(N)) != counts:
            yield f"says {n}/{N} checks, where {counts} are"
    if f"{control.title} {control.told}" not in words:
        yield f"does not say that {control.title} is {control.told}"


def of_outcome(words: str, control: Control) -> Iterator[str]:
    """That a control failed, or is missing though it is required."""
    if words.startswith("failed") != (control.state == "failed"):
        yield f"says {words} of a control that is {control.state}"


def of_control_caption(words: str, controls: Sequence[Control]) -> Iterator[str]:
    """Each control once, with its state; and no interval."""
    for line, control in zip(words.split("\n"), controls, strict=False):
        yield from of_control(line, control)
    if "no interval" not in words:
        yield "does not say why there is no interval"


def of_cost_row(words: str, row: CostRow) -> Iterator[str]:
    """Recorded and recomputed money to the cent, over how many records; nothing of an amount that is not."""
    pattern = r"(recorded|recomputed) (<?@) USD"
    for kind, usd in _said(pattern, words):
        held = getattr(row, kind)
        if not reads(usd.replace("\u202f", ""), held):
            yield f"says {kind} {usd}, where {held} is"
    for kind in ("recorded", "recomputed"):
        if (getattr(row, kind) is not None) != bool(re.search(rf"\b{kind} <?\d", words)):
            yield f"tells {kind} money wrongly: {words}"
    priced = row.compared or row.records - row.unpriced_records - row.without_tokens
    for n, N in _said(r"(#)/(#) records", words):
        if (number(n), number(N)) != (priced, row.records):
            yield f"says {n}/{N} records, where {priced}/{row.records} are"


def of_rows(words: str, rows: Sequence[Estimate]) -> Iterator[str]:
    """Every number of a figure, each as of its own row."""
    for clause, e in zip(words.split("; "), rows, strict=False):
        if len(rows) == words.count("; ") + 1:
            yield from of_number(clause, e)


def of_together(words: str, sets: Sequence[Sequence[Comparison]]) -> Iterator[str]:
    """Sentences of several sets: each metric is named, and who is said to be ahead is so in one of them."""
    every = [c for pairs in sets for c in pairs]
    yield from of_ranks(words, every)
    for c in every:
        if metric_words(c.metric, c.words) not in words.lower():
            yield f"does not speak of {c.metric}"


def of_beside(words: str, rows: Sequence[Estimate]) -> Iterator[str]:
    """How arms are told apart is said just where the drawn intervals of two stand side by side."""
    drawn = [e for e in rows if e.withheld is None and e.headline != "counts" and e.interval.lo is not None]
    alike = Counter(
        (e.metric, e.stratum, key, e.group.without(key))
        for e in drawn
        for key in e.group.names
        if is_arm(key, e.words)
    )
    several = any(n > 1 for n in alike.values())
    if bool(words) != several:
        yield f"says {words!r} of {[e.id for e in drawn]}"


def of_digests(words: str, rows: Sequence[Estimate], _: object) -> Iterator[str]:
    """The digest of the data of each row, and no other."""
    said, held = set(re.findall(r"\b[0-9a-f]{8}\b", words)), {e.data_digest[7:15] for e in rows}
    if said != held:
        yield f"says {said}, where {held} are"


# ------------------------------------------------------------------------------ other denominators


def recounted(e: Estimate, name: str) -> tuple[int, int]:
    """n and N of a share under another denominator, by its own words."""
    never = e.never_recorded.runs if e.never_recorded is not None else 0
    more = {
        Denominator.ERRORS_AS_FAILURES: e.errors + e.invalid,
        Denominator.UNKNOWN_AGAINST: e.unknown,
        Denominator.UNKNOWN_FOR: e.unknown,
        Denominator.ALL_PLANNED: e.unknown + e.errors + e.invalid + never,
    }[Denominator(name)]
    failure = e.polarity == "against"
    own = {Denominator.UNKNOWN_AGAINST: False, Denominator.UNKNOWN_FOR: True}
    return (e.n or 0) + more * own.get(Denominator(name), failure), e.known + more


def of_other_denominators(words: str, pairs: Sequence[Comparison], arms: Sequence[Estimate]) -> Iterator[str]:
    """A verdict is said to change nowhere only where none does; who lacks runs, and how many."""
    moved = [
        (c.id, again.denominator)
        for c in pairs
        for again in c.sensitivity
        if (again.judged.strict, again.judged.paired) != (c.judged.strict, c.judged.paired)
    ]
    if "no verdict here changes" in words and moved:
        yield f"says that no verdict changes, where {moved} do"
    if "no verdict here changes" not in words and not moved:
        yield "does not say that no verdict changes"
    planned = any(x.denominator is Denominator.ALL_PLANNED for c in pairs for x in c.sensitivity)
    lacking = [e.never_recorded.runs for e in arms if e.never_recorded is not None]
    listed = "".join(re.findall(r"never recorded \(([^)]*)\)", words))
    told = [number(n) for (n,) in _said(r"(#) of ", listed)]
    if told != (lacking if planned else []):
        yield f"says {told} never recorded, where {lacking} are"


# ----------------------------------------------------------------------------------- run and edition


def of_counted_in(words: str, v: Verdict, e: Estimate | None) -> Iterator[str]:
    """N of the estimate for a known verdict; else its attempts alone, and that it is not in N; or none."""
    if e is None:
        if "no published number" not in words:
            yield "names a number that is not there"
        return
    if e.withheld is not None:
        if re.search(r"^N of|[Aa]ttempts", words):
            yield "counts it in a number that is withheld"
        return
    found = [number(n) for (n,) in _said(r"(?:: )(#)\b", words)]
    if v.state == "known" and found[-1:] != [e.N]:
        yield f"says N is {found}, where {e.N} is"
    if v.state != "known" and found != [e.attempts, e.N]:
        yield f"says attempts and N are {found}, where {e.attempts} and {e.N} are"
    if ("Not in N" in words) != (v.state != "known"):
        yield f"says wrongly whether a verdict that is {v.state} is in N"


def of_since(
    words: str, before: Edition, now: Edition, moves: Sequence[Move], changes: Sequence[DecisionChange]
) -> Iterator[str]:
    """How many figures moved, and why; what is new and gone; how many verdicts turned, decisions changed."""
    moved = [m for m in moves if m.kind == "moved"]
    head = words.partition(". ")[0]
    pattern = r"(?:: |, )(\w+)(?: figures?)?(?: moved)? (?:because|although)"
    counts = [number(n) for (n,) in _said(pattern, head)]
    if sum(counts) != len(moved) or ("no figure moved" in words and moved):
        yield f"says {counts} moved, where {len(moved)} did"
    if "nothing moved otherwise" in words and any("unexplained" in m.causes for m in moved):
        yield "says that nothing moved otherwise"
    both = {x.slug for x in before.experiments} & {x.slug for x in now.experiments}
    for n, kind in _said(r"(\w+) figures? (?:is|are) (new|gone)", words):
        size = sum(m.kind == kind and m.experiment in both for m in moves)
        if number(n) != size:
            yield f"says {n} {kind}, where {size} are"
    for n, kind in _said(r"(\w+) experiments? (?:is|are) (new|gone)", words):
        here, there = (now, before) if kind == "new" else (before, now)
        size = len({x.slug for x in here.experiments} - {x.slug for x in there.experiments})
        if number(n) != size:
            yield f"says {n} experiments {kind}, where {size} are"
    verdicts_turned = sum(bool(change.says) for change in changes)
    for (n,) in _said(r"(\w+) verdicts? turned", words):
        if number(n) != verdicts_turned:
            yield f"says {n} verdicts turned, where {verdicts_turned} did"
    for (n,) in _said(r"(\w+) decisions? changed state", words):
        if number(n) != len(changes) - verdicts_turned:
            yield f"says {n} decisions changed state, where {len(changes) - verdicts_turned} did"


def of_course(words: str, line: Series, newest: str) -> Iterator[str]:
    """The last count that is told first, then those of the same instrument before it, and no other."""
    points = line.segments[-1].points
    said = re.findall(r"(\d+)/(\d+)", words)
    shown = [e for e in (points[-1], *points[:-1][-series.MOST_BEFORE :]) if e.withheld is None]
    shown = shown if points[-1].experiment == newest else [e for e in points[-1:] if e.withheld is None]
    if [(int(n), int(N)) for n, N in said] != [(e.n, e.N) for e in shown]:
        yield f"says {said}, where {[(e.n, e.N) for e in shown]} are"
    if (points[-1].experiment != newest) != (f"not in {newest}" in words):
        yield "does not say that the newest has no such number, or says it where it has"
    if (len(line.segments) > 1 and points[-1].experiment == newest) != ("not the same instrument" in words):
        yield "joins two instruments, or parts one"


def of_held_in(words: str, found: Mapping[str, Control]) -> Iterator[str]:
    """In how many experiments a control held, of those in which it could."""
    asked = [c for c in found.values() if c.state != "not applicable"]
    for n, N in re.findall(r"held in (\d+) of (\d+)", words):
        if (int(n), int(N)) != (sum(c.state == "held" for c in asked), len(asked)):
            yield f"says {n} of {N}"
    if bool(asked) != words.startswith("held in "):
        yield "does not say in how many it held"
    for name, control in found.items():
        if control.state in ("failed", "missing") and name not in words:
            yield f"does not name {name}, where it {control.state}"


def of_span(words: str, names: Sequence[str]) -> Iterator[str]:
    """How many experiments a series has, the first of them and the newest."""
    if number(words.split(maxsplit=1)[0]) != len(names):
        yield f"says {words.split(maxsplit=1)[0]}, where {len(names)} are"
    if f"from {names[0]} to {names[-1]}" not in words:
        yield "names others"


OF_ESTIMATES: Final[dict[Callable[[Estimate], Any], Callable[[str, Estimate], Iterator[str]]]] = {
    captions.inline: of_number,
    clauses.clause: of_clause,
    clauses.counted: of_clause,
    clauses.missing: of_losses,
    clauses.value_parts: of_number,
    estimates.about: of_number,
    estimates.bounds_words: of_bounds,
    estimates.counted_words: of_number,
    estimates.headline_of: of_number,
    estimates.left_out_words: of_number,
    estimates.lost_by_state: of_losses,
    estimates.ratio_words: of_number,
    estimates.shown_limits: of_number,
    estimates.tally_words: of_tally,
    estimates.unequal_words: of_number,
    estimates.value_runs: of_number,
    estimates.where: of_number,
    estimates.why_nothing: of_number,
    feed.estimate_line: of_clause,
}
"""What is said of one estimate."""

OF_COMPARISONS: Final[dict[Callable[[Comparison], Any], Callable[[str, Comparison], Iterator[str]]]] = {
    by_rule.paired_words: of_paired_rule,
    by_rule.strict_words: of_strict_rule,
    clauses.comparison_clause: of_difference,
    comparisons.because: of_difference,
    comparisons.behind: of_behind,
    comparisons.nearly: of_difference,
    comparisons.outcome: of_difference,
    comparisons.p_of: of_difference,
    comparisons.pair: of_difference,
    comparisons.reasons: of_difference,
    comparisons.same_tasks: of_difference,
    comparisons.sentence: of_difference,
    comparisons.smallest: of_smallest,
    comparisons.verdict: of_difference,
    comparisons.verdict_words: of_difference,
    comparisons.who: of_sides,
}
"""What is said of one pair of arms."""

OF_SEVERAL: Final[dict[Callable[..., Any], Callable[..., Iterator[str]]]] = {
    captions.beside_notes: of_beside,
    captions.controls_caption: of_control_caption,
    captions.described: of_rows,
    clauses.came_to: of_outcome,
    clauses.control_clause: of_control,
    clauses.cost_clause: of_cost_row,
    comparisons.deciding_intervals: of_deciding,
    comparisons.smallest_note: of_smallest_note,
    first_lines.together: of_together,
    provenance.data: of_digests,
}
"""What is said of controls, of money, and of several rows at once."""

OF_OTHERS: Final[dict[Callable[..., Any], Callable[..., Iterator[str]]]] = {
    tables.sensitivity: of_other_denominators,
    verdicts.verdict_view: of_counted_in,
    summary.since: of_since,
    series.course: of_course,
    series.held_in: of_held_in,
    series.span_of: of_span,
}
"""What is said of recounts, of a run, of editions."""

__all__ = ["OF_COMPARISONS", "OF_ESTIMATES", "OF_OTHERS", "OF_SEVERAL", "recounted"]
