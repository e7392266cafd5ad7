"""What everything that a reader is given stands on: a print, a comparison, a gate, a plan, a page, whole.

As `tests.support.sentence_predicates`: what the words say is counted again from the rows, never by a maker.
Here are all rows of all reports shown: an interval, a ratio, a rank that none of them has is a fault,
wherever in the text it stands.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from metrics_core.comparison import Compared, Comparing, ComparisonPlan
from metrics_core.gate import Gate, GateVerdict, RuleFinding, SelfTest
from metrics_core.measurement import SpentBeside
from metrics_core.results import MIN_KNOWN
from metrics_core.results.comparison import Comparison
from metrics_core.results.estimate import Estimate
from metrics_core.results.interval import Interval
from metrics_core.results.report import Report
from metrics_core.statistics import MIN_COMPARED
from site_src.decisions import JudgedClaim, JudgedDecision
from tests.support.row_predicates import of_difference, reads
from tests.support.sentence_predicates import number, of_ranks

_NUMBER: Final = r"[<>]?[−+]?\d+(?:\.\d+)?"
_COUNT: Final = r"\d[\d\u202f]*"
_LIMITS: Final = re.compile(rf"(?<![\w\]])\[({_NUMBER}), ({_NUMBER})\]")
_RATIO: Final = re.compile(rf"(?<![\w/.\u202f-])({_COUNT})/({_COUNT})(?![\w/-])")

Limits = tuple[float, float]


def _ends(intervals: Sequence[Interval | None]) -> Iterator[Limits]:
    for i in intervals:
        if i is not None and i.lo is not None and i.hi is not None:
            yield i.lo, i.hi


def limits_of(reports: Sequence[Report]) -> set[Limits]:
    """Every interval that any row of some reports has; of a difference also the other way round."""
    found: set[Limits] = set()
    for report in reports:
        for e in report.estimates:
            found |= set(limits_of_estimate(e))
        for c in report.comparisons:
            found |= set(limits_of_pair(c))
    return found


def limits_of_estimate(e: Estimate) -> Iterator[Limits]:
    """The intervals of one estimate, drawn and beside it."""
    if e.withheld is None:
        yield from _ends([e.interval, *(interval for _, interval in e.also)])
        yield from _ends([e.by_task.interval if e.by_task else None])
        yield from _ends([e.never_recorded.interval if e.never_recorded else None])
        if e.bounds is not None:
            yield e.bounds


def limits_of_pair(c: Comparison) -> Iterator[Limits]:
    """The intervals of one difference, either way round."""
    for lo, hi in _ends([c.interval]):
        yield lo, hi
        yield -hi, -lo


def unknown_limits(words: str, known: set[Limits]) -> Iterator[str]:
    """Every interval in a text that no row has, to the digits shown, as itself or in points."""
    for lo, hi in set(_LIMITS.findall(words)):
        if not any((reads(lo, a, scale) and reads(hi, b, scale)) for scale in (1.0, 100.0) for a, b in known):
            yield f"shows [{lo}, {hi}], which no row has"


def ratios_of(reports: Sequence[Report]) -> set[tuple[int | None, int | None]]:
    """Every n/N that any row of some reports has."""
    found: set[tuple[int | None, int | None]] = set()
    for report in reports:
        found |= {(e.n, e.N) for e in report.estimates if e.withheld is None}
        found |= {(check.n, check.N) for control in report.controls for check in control.checks}
        found |= {
            (row.compared or row.records - row.unpriced_records - row.without_tokens, row.records)
            for row in report.costs
        }
    return found


def unknown_ratios(words: str, known: set[tuple[int | None, int | None]]) -> Iterator[str]:
    """Every n/N in a text that no row has."""
    for n, N in set(_RATIO.findall(words)):
        if (number(n), number(N)) not in known:
            yield f"shows {n}/{N}, which no row has"


def of_printed(words: str, *reports: Report) -> Iterator[str]:
    """All that `compute` prints of reports, or that stands at the head of their pages."""
    yield from unknown_limits(words, limits_of(reports))
    yield from unknown_ratios(words, ratios_of(reports))
    yield from of_ranks(words, [c for report in reports for c in report.comparisons])


# ------------------------------------------------------------------------------ two sides, a gate, a plan


def of_comparing(words: str, c: Comparing) -> Iterator[str]:
    """Two sides beside each other: their numbers, errors and tasks, and who is ahead."""
    every = [*c.leading, *c.beside]
    known = {limits for each in every for limits in _limits_of_sides(each)}
    yield from unknown_limits(words, known)
    yield from unknown_ratios(words, {(e.n, e.N) for each in every for e in (each.a, each.b)})
    yield from of_ranks(words, [each.comparison for each in every])
    yield from _of_tasks(words, c.first)
    passed = 0.0 if c.first.comparison.polarity == "against" else 1.0
    yield from of_habits(words, [runs.by_task() for runs in c.first.runs], passed)
    a, b = c.first.health
    for told in re.findall(rf"errors\W+({_COUNT}) of ({_COUNT}) and ({_COUNT}) of ({_COUNT})", words):
        if tuple(map(number, told)) != (a.errors, a.attempts, b.errors, b.attempts):
            yield f"says errors {told}, where {a} and {b}"


def _limits_of_sides(each: Compared) -> Iterator[Limits]:
    yield from limits_of_pair(each.comparison)
    for e in (each.a, each.b):
        yield from limits_of_estimate(e)
    if each.tasks is not None:
        yield from _ends([found.interval for found in (each.cost(), each.latency()) if found is not None])
        yield from _ends([stable.interval for stable in each.stability])


_HABITS: Final = re.compile(
    rf"(?:always so far (?P<always>{_COUNT}),? ?)?(?:never so far (?P<never>{_COUNT}),? ?)?"
    rf"(?:flaky (?P<flaky>{_COUNT}) )?of (?P<of>{_COUNT}) tasks? with two known runs or more"
)


def of_habits(
    words: str, sides: Sequence[Mapping[str, Sequence[float]]], passed: float = 1.0
) -> Iterator[str]:
    """Of how many tasks each side always passed, never, and both: counted from the runs, task by task."""
    told = [
        tuple(number(found[name] or "0") for name in ("always", "never", "flaky", "of"))
        for found in _HABITS.finditer(words)
    ]
    held = []
    for side in sides:
        shares = [[v == passed for v in values] for values in side.values() if len(values) > 1]
        always, never = sum(map(all, shares)), sum(not any(each) for each in shares)
        if shares:
            held.append((always, never, len(shares) - always - never, len(shares)))
    if told and told != held:
        yield f"says {told}, where {held} are"
    for rough in re.findall(rf"rough, as of ({_COUNT}) tasks?", words):
        if number(rough) not in {len(side) for side in sides} or number(rough) >= 20:
            yield f"says rough of {rough}"


def _of_tasks(words: str, c: Compared) -> Iterator[str]:
    """How many tasks are better, worse, the same, of how many; counted from the runs, task by task."""
    found = re.search(
        rf"better on ({_COUNT}), worse on ({_COUNT}), the same on ({_COUNT}) of ({_COUNT})", words
    )
    if found is None:
        return
    left, right = (side.by_task() for side in c.runs)
    signs = [
        sum(right[task]) / len(right[task]) - sum(left[task]) / len(left[task])
        for task in left.keys() & right.keys()
    ]
    turned = -1 if c.comparison.polarity == "against" else 1
    better, worse = (sum(turned * way * d > 1e-9 for d in signs) for way in (1, -1))
    counted = (better, worse, len(signs) - better - worse, len(signs))
    if tuple(map(number, found.groups())) != counted:
        yield f"says {found[0]}, where {counted} are"


_VERDICTS: Final = {"PASS": GateVerdict.PASS, "FAIL": GateVerdict.FAIL,
                    "CANNOT TELL": GateVerdict.CANNOT_TELL, "UNHEALTHY": GateVerdict.UNHEALTHY}  # fmt: skip


def of_gate(words: str, gate: Gate) -> Iterator[str]:
    """A gate's verdict follows from its rules; each rule's limits are its own, and the counts of rules."""
    each = [_follows(stratum) for stratum in gate.strata]
    follows = next((v for v in _WORST_FIRST if v in each), GateVerdict.PASS)
    strata = re.search(r"\. (\d+) strata: ([A-Z0-9, ]+)", words)
    if bool(strata) != bool(gate.others) and re.search(r"\. \S", words):
        yield f"says {strata}, where {each} are"
    if strata is not None:
        told = {_VERDICTS[word]: number(n) for n, word in re.findall(rf"({_COUNT}) ([A-Z ]+)", strata[2])}
        if (int(strata[1]), told) != (len(each), {v: each.count(v) for v in each}):
            yield f"says {strata[0]}, where {each} are"
    said = re.search(r"\b(PASS|FAIL|CANNOT TELL|UNHEALTHY)\. ", words)
    if said is not None and _VERDICTS[said[1]] is not follows:
        yield f"says {said[1]}, where {follows} follows"
    counted = re.search(r"[Rr]ules: ([^.]*)\.", words)
    if counted is not None:
        told = {_VERDICTS[word]: number(n) for n, word in re.findall(rf"({_COUNT}) ([A-Z ]+)", counted[1])}
        held = {v: sum(r.verdict is v for r in gate.rules) for v in GateVerdict}
        if told != {v: n for v, n in held.items() if n}:
            yield f"says {counted[0]}, where {held} are"
    known = {limits for g in gate.strata for c in g.comparing.leading for limits in _limits_of_sides(c)}
    known |= {ends for g in gate.strata for rule in (*g.rules, *g.changed) for ends in _limits_of_rule(rule)}
    yield from unknown_limits(words, known)
    failing = [g.if_errors_fail for g in gate.strata]
    same = next((v for v in _WORST_FIRST if v in failing), GateVerdict.PASS) is gate.verdict
    for answer in re.findall(r"count as failures\W+(Yes|No)\b", words):
        if (answer == "Yes") is not same:
            yield f"says {answer}, where {gate.if_errors_fail} comes of errors as failures"


_WORST_FIRST: Final = (GateVerdict.UNHEALTHY, GateVerdict.FAIL, GateVerdict.CANNOT_TELL)


def _follows(gate: Gate) -> GateVerdict:
    """The verdict of one stratum, from its rules."""
    found = [r.verdict for r in gate.rules]
    return GateVerdict.UNHEALTHY if gate.unhealthy else next(
        (v for v in _WORST_FIRST if v in found), GateVerdict.PASS
    )  # fmt: skip


def _limits_of_rule(rule: RuleFinding) -> Iterator[Limits]:
    for lo, hi in _ends([rule.interval]):
        yield lo, hi
        yield -hi, -lo
    for each in rule.slices.values():
        yield from _limits_of_rule(each)


def of_plan(words: str, plan: ComparisonPlan) -> Iterator[str]:
    """The design that is named is the best one; each design's tasks; the size asked for, and the power."""
    said = re.search(rf"to show ({_NUMBER}) points with (\d+) % power", words)
    if said is not None and not (reads(said[1], plan.detect, 100) and reads(said[2], plan.power, 100)):
        yield f"says {said[0]}, where {plan.detect} and {plan.power} are asked for"
    words = re.sub(r"(?<=\d)\s(?=\d{3}\b)", "\u202f", words)
    named = re.search(rf"({_COUNT}) tasks? x ({_COUNT}) runs? on each side", words)
    best = plan.best
    if named is not None and (
        best is None or (number(named[1]), number(named[2])) != (best.tasks, best.runs)
    ):
        yield f"says {named[0]}, where {best} is the best"
    tried = re.search(r"simulated, (\d+) % of", words)
    if tried is not None and not reads(tried[1], plan.simulated, 100):
        yield f"says {tried[0]}, where {plan.simulated} came of it"


def of_pair(words: str, each: Compared) -> Iterator[str]:
    """One pair of two sides in words of its own."""
    yield from of_difference(re.sub(r"\bbetter on \d", "", words), each.comparison)
    yield from _of_tasks(words, each)
    yield from of_ranks(words, [each.comparison])


def of_self_test(words: str, found: SelfTest) -> Iterator[str]:
    """The trial of a gate: every count is one of its alarms, of all splits, with its own rate."""
    held = [found.paired, found.strict, found.worse_at_0, found.worse_at_margin, found.not_passed]
    told = re.findall(rf"(?m)^([\d.]+)\s%.*?\(({_COUNT}) of ({_COUNT});", words)
    if [(number(n), number(of)) for _, n, of in told] != [(n, found.splits) for n in held]:
        yield f"says {told}, where {held} of {found.splits} alarm"
    for rate, n, of in told:
        if not reads(rate, number(n) / number(of), 100):
            yield f"says {rate} % of {n} of {of}"


# ------------------------------------------------------------------------------ claims, and what is withheld


def of_flip(words: str, judged: JudgedClaim) -> Iterator[str]:
    """What would flip a verdict: of how many runs or tasks, in place of how many, how many are not known."""
    estimates, c = judged.estimates, judged.comparison
    sizes = {size for e in estimates for size in (e.known, e.N, e.interval.clusters)}
    sizes |= {None if c is None else c.paired_on}
    for of in re.findall(rf"{_COUNT} of (?:the )?({_COUNT})", words):
        if number(of) not in sizes:
            yield f"says of {of}, where {sizes} are"
    for now in re.findall(rf"in place of ({_COUNT})", words):
        if number(now) not in sizes:
            yield f"says in place of {now}, where {sizes} are"
    for lost in re.findall(rf"for ({_COUNT}) attempts? of which none is known", words):
        if number(lost) != sum(e.attempts - e.known for e in estimates):
            yield f"says {lost} of which none is known"
    for more in re.findall(rf"({_COUNT}) more known runs?", words):
        if number(more) not in {bound - e.known for e in estimates for bound in (MIN_KNOWN, MIN_COMPARED)}:
            yield f"says {more} more known runs, where {sizes} are"
    for size in re.findall(rf"Holm adjusts for ({_COUNT})", words):
        if c is None or number(size) != c.holm_size:
            yield f"says {size} comparisons"


def of_spent(words: str, spent: SpentBeside) -> Iterator[str]:
    """What a success costs: successes and runs of each, tasks, what is left out, and every interval."""
    sides = [(x.successes, x.runs) for x in (spent.candidate, spent.incumbent)]
    told = re.findall(rf"\(({_COUNT}) success(?:es)? in ({_COUNT}) runs?\)", words)
    if [(number(n), number(N)) for n, N in told] != sides:
        yield f"says {told}, where {sides} are"
    tasks = re.search(rf"on ({_COUNT}) tasks?", words)
    if tasks is None or number(tasks[1]) != spent.tasks:
        yield f"says {tasks}, where {spent.tasks} are"
    lost = re.search(rf"({_COUNT}) runs? without known", words)
    out = spent.candidate.left_out + spent.incumbent.left_out
    if (number(lost[1]) if lost else 0) != out:
        yield f"says {lost}, where {out} are left out"
    known = set(_ends([spent.candidate.interval, spent.incumbent.interval, spent.interval]))
    yield from unknown_limits(words, known)


def of_nearest(words: str, decisions: Sequence[JudgedDecision]) -> Iterator[str]:
    """Which decision is nearest to flipping, and by how many runs: no other that holds needs fewer."""
    held = {
        j.decision.title: min((r for c in j.claims if (r := c.flip().runs) is not None), default=None)
        for j in decisions
        if j.claims and j.decision.status != "superseded" and all(c.verdict == "supported" for c in j.claims)
    }
    counts = [runs for runs in held.values() if runs is not None]
    if bool(words) != bool(counts):
        yield f"says {words!r}, where {held} runs would flip"
    for title, runs in held.items():
        if words and (title in words) != (runs == min(counts)):
            yield f"names {title} or leaves it out, where {held} runs would flip"
    said = re.search(r"as few as (\S+) runs|a single run", words)
    if said and counts and number(said[1] or "one") != min(counts):
        yield f"says {said[0]}, where {min(counts)} would"


def of_registration(words: str, judged: JudgedDecision) -> Iterator[str]:
    """Which came first: the words before the first record by so many days, or after; of which commit."""
    known = judged.registration
    stamps = [e.stamps[0] for c in judged.claims for e in c.estimates if e.stamps]
    commit = re.search(r"in commit ([0-9a-f]+)", words)
    if bool(commit) != (known is not None and bool(known.commit)):
        yield "names a commit where there is none, or none where there is one"
    if commit and known is not None and not known.commit.startswith(commit[1]):
        yield f"names {commit[1]}, where it is {known.commit}"
    if "first record" in words or "after the data" in words:
        assert known is not None
        made = min(dt.datetime.fromisoformat(stamp) for stamp in stamps)
        last = max(
            dt.datetime.fromisoformat(e.stamps[1]) for c in judged.claims for e in c.estimates if e.stamps
        )
        apart = (made - dt.datetime.fromisoformat(known.time)).total_seconds()
        if "before the first" in words and judged.undated:
            yield "says that it came before all records, of which some have no date"
        if ("after the data" in words) and (judged.undated or last > dt.datetime.fromisoformat(known.time)):
            yield "says that all data were there"
        if ("before the first" in words) != (apart > 0):
            yield f"says which came first, where the first record came {apart} s after the commit"
        for many, unit in re.findall(r"(\d+) (day|hour)s? before", words):
            if int(many) != int(apart // {"day": 86400, "hour": 3600}[unit]):
                yield f"says {many} {unit}s, where {apart} s lie between"
        if "less than an hour" in words and not 0 < apart < 3600:
            yield f"says less than an hour, where {apart} s lie between"
    if "rest on no record" in words and stamps:
        yield "says that there is no record"


def of_publication(notes: Sequence[str], reports: Sequence[Report]) -> Iterator[str]:
    """What a build says of controls: one note for each that withholds or stops, and no other."""
    held = [(r, c) for r in reports for c in r.controls if c.withholds or c.stops_publication]
    told = [note for note in notes if re.search(r"numbers withheld|: .* missing \(", note)]
    if len(told) != len(held):
        yield f"has {len(told)} notes on controls, where {len(held)} withhold or stop"
    for report, control in held:
        if not any(note.startswith(f"{report.experiment}: {control.title}") for note in told):
            yield f"does not tell of {control.title} of {report.experiment}"
    taken = {(r.experiment, name): n for r in reports for name, n in r.redacted}
    for note in notes:
        for experiment, n, name in re.findall(rf"^(.*): ({_COUNT}) x (.*) redacted$", note):
            if taken.get((experiment, name)) != number(n):
                yield f"says {note}, where {taken} are"
