"""How robust a verdict is: what would flip it, and how many more runs an unseparated claim needs.

A flip is the same for every kind of claim: the fewest known outcomes that must come out otherwise before the
verdict is no longer what it is. Supported flips to anything that is not supported, contradicted to anything
that is not contradicted. What cannot be separated has nothing to flip: for it stands what is in its way,
first attempts of which nothing is known, which no further run mends, then the required sample size at the
present rate or spread.

Does: put counts of `metrics_core.measurement` into sentences, and ask for them with the rule of `thresholds`.
Does not: count or guess. "About" stands where a spread is taken to stay as it is, "at least" where one
outcome may move a mean by less; where neither can be done honestly, the sentence says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil

from metrics_core.measurement import (
    MOST_RUNS,
    Limits,
    RecordedOutcome,
    RunFlips,
    counted,
    counterfactual,
    growth_needed,
    holm_factor,
    more_needed,
    redrawable,
    units,
)
from metrics_core.results import (
    MIN_KNOWN,
    Comparison,
    CountedUnit,
    Estimate,
    NoEvidence,
    NotSeparated,
    Withheld,
)
from metrics_core.statistics import MIN_COMPARED, MIN_DISCORDANT
from metrics_core.text import visible
from site_src.decisions import switching, thresholds
from site_src.decisions.model import COMPARED, SHARES, ClaimVerdict, Flip, JudgedClaim
from site_src.decisions.reasons import UNKNOWN_STANDS, ControlMissing
from site_src.wording import count, many, number, outcome_words, sentence_case

_UNTESTED = frozenset(
    {NotSeparated.NO_INTERVAL, NotSeparated.NO_DIFFERENCE, NotSeparated.NO_TEST, NotSeparated.DISAGREE}
)
"""Reasons of a comparison that no number of tasks can be worked out from."""

Outcomes = Callable[[str], Iterable[RecordedOutcome]]
"""Experiment -> what each of its runs came to."""

LIFTS = {
    "sanity": "Graders that fail on the pristine build, and every run scored anew with them.",
    "shuffled oracles": "A scorer whose score collapses when the oracles are shuffled.",
    "stub agent": "A scorer that gives an empty patch no more than the floor.",
    "pack digest": "The pack whose digest was quoted, or its new digest beside it.",
    "attribution self-test": "Attribution that fires for router, planner and coder on a real call.",
}
"""What mends a control that failed, by its name."""


def flip(judged: JudgedClaim, outcomes: Outcomes | None = None) -> Flip:
    """What would flip the verdict on a claim, in one sentence, and how many runs that is.

    Args:
        judged: The claim with its verdict.
        outcomes: What the runs of an experiment came to; None where they are not at hand.
    """
    if judged.control is not None:
        return Flip(_control(judged))
    if judged.verdict == "inadmissible":
        return Flip(_admitted(judged))
    if judged.verdict == "no data":
        return _begun(judged)
    if judged.switch is not None and judged.comparison is not None:
        c = judged.comparison
        return switching.flip(judged, judged.switch, lambda alone: _difference(alone, c, outcomes))
    if judged.claim.kind in COMPARED and judged.comparison is not None:
        return _difference(judged, judged.comparison, outcomes)
    return _level(judged, judged.estimates[0])


def _control(judged: JudgedClaim) -> str:
    control = judged.control
    assert control is not None  # noqa: S101 - the caller has looked
    if control.state == "held":
        return f"A {visible(control.title)} that fails, when it is run anew."
    if control.state == "failed":
        return LIFTS.get(control.name, f"The {visible(control.title)}, mended and run anew.")
    return f"The {visible(control.title)}, run and recorded."


def _admitted(judged: JudgedClaim) -> str:
    why, differs = judged.why, judged.differs
    if (hidden := judged.withheld) is not None:
        by = hidden.withheld_by
        failed = {c.name for c in by.controls} if isinstance(by, Withheld) else ()
        named = next((name for name in LIFTS if name in failed), "")
        return LIFTS.get(named, "The control that failed, mended, and every run scored anew.")
    if judged.changed and differs is not None:
        return f"Reopening the decision, or accepting it anew under the {visible(differs.what)} as it is now."
    if differs is not None:
        return {
            "contract": f"Scoring the runs of {_experiment(judged, 1)} anew, under the others' contract.",
            "pack": f"Running both on one pack: that of {_experiment(judged, 0)}.",
            "data": "Running both in one experiment, on the same tasks.",
        }.get(differs.what, f"Runs of both under one {visible(differs.what)}.")
    if isinstance(why, ControlMissing):
        return "The control, run and recorded, if it holds."
    return why.lifted_by if isinstance(why, NoEvidence) else ""


def _experiment(judged: JudgedClaim, place: int) -> str:
    return visible(judged.estimates[place].experiment)


def _begun(judged: JudgedClaim) -> Flip:
    few = [e for e in judged.estimates if e.known < MIN_KNOWN]
    if not few:
        return Flip(f"{MIN_KNOWN} known runs or more.", MIN_KNOWN)
    parts = [
        f"{count(MIN_KNOWN - e.known)} more known run{'' if e.known == MIN_KNOWN - 1 else 's'}"
        + (f" of {visible(arm)}" if (arm := e.group.get(judged.claim.over, "")) else "")
        for e in few
    ]
    lacking = sum(MIN_KNOWN - e.known for e in few)
    return Flip(f"{' and '.join(parts)}: then there is an interval to judge by.", lacking)


# ------------------------------------------------------------------------------------------- one arm


def _level(judged: JudgedClaim, e: Estimate) -> Flip:
    if e.summary is not None and judged.why not in UNKNOWN_STANDS:
        return _median(judged, e)
    if judged.verdict == "cannot separate":
        return _required_of_one_arm(judged, e)
    if e.value is None or not redrawable(e):
        return Flip("Other runs than these: this interval cannot be drawn again from n and N.")
    down = (judged.claim.kind == "at least") == (judged.verdict == "supported")
    k = counterfactual.fewest_outcomes(
        e, lambda other: thresholds.level(judged.claim, other)[0] != judged.verdict, down=down
    )
    if k is None:
        return Flip("Nothing in these runs: no outcome of theirs would carry the interval across the line.")
    return Flip(_outcomes_sentence(e, k, down=down), _runs_in(e, k))


def _outcomes_sentence(e: Estimate, k: int, *, down: bool) -> str:
    spread = "" if e.interval.n_eff is None else "about "
    if not counted(e):
        what = "tasks" if e.counted_unit is CountedUnit.TASKS else "runs"
        return f"At least {spread}{count(k)} of {count(units(e))} {what} coming out at {0 if down else 1}."
    good, bad = outcome_words(e.metric, e.words)
    was, now = (good, bad) if down else (bad, good)
    many = f"{spread}{count(k)} of the {count(e.known)} {visible(e.of)}"
    return sentence_case(f"{many} turning from “{was}” to “{now}”.")


def _runs_in(e: Estimate, outcomes: int) -> int:
    """How many runs that many outcomes are: where a task is one outcome, all its runs."""
    return ceil(outcomes * e.known / units(e)) if e.counted_unit is CountedUnit.TASKS else outcomes


def _median(judged: JudgedClaim, e: Estimate) -> Flip:
    """How many runs must lie beyond the line for a limit of the median to: limits are runs, by rank."""
    rank = counterfactual.runs_beyond_median(e)
    line = number(judged.claim.line, judged.claim.unit or e.unit)
    if not rank:
        return Flip("More runs: so few give no interval for the median.")
    if judged.verdict == "supported":
        words = f"{count(rank)} of {count(e.known)} runs at {line} or more, whatever the others come to."
    elif judged.verdict == "contradicted":
        words = f"{count(rank)} of {count(e.known)} runs below {line}, whatever the others come to."
    else:
        return Flip(
            f"Fewer than {count(rank)} of {count(e.known)} runs at {line} or more would support it; fewer "
            f"than {count(rank)} below would contradict it."
        )
    return Flip(words, rank)


# ------------------------------------------------------------------------------------------ two arms


def _difference(judged: JudgedClaim, c: Comparison, outcomes: Outcomes | None) -> Flip:
    if judged.verdict == "cannot separate":
        return _required_of_two_arms(judged, c)
    claim, (a, b) = judged.claim, judged.estimates
    down, line = thresholds.flips_down(claim, judged.verdict, c, a), thresholds.edge(claim, a)
    apart = thresholds.rests_on_separation(claim, judged.verdict)
    needed = None
    if outcomes is not None:
        needed = counterfactual.fewest_runs(
            c, (a, b), outcomes(a.experiment), lambda *other: thresholds.difference(claim, *other)[0],
            verdict=judged.verdict, down=down, line=line, apart=apart,
        )  # fmt: skip
    if needed is not None and needed.count:
        return Flip(_runs_sentence(a, needed, visible(claim.of)), needed.count)
    gap = counterfactual.distance_to_flip(c, (a, b), down=down, line=line, apart=apart)
    if gap is None or c.difference is None:
        return Flip("Other runs than these.")
    if needed is not None or _out_of_reach(b, c.difference - gap if down else c.difference + gap):
        than, room = visible(claim.than), "below" if down else "above"
        return Flip(f"Nothing in this pack: {than} leaves too little room {room} it.")
    way = "smaller" if down else "larger"
    words = f"A difference {way} by {number(gap, a.unit)} on the same tasks, at the spread they have."
    # One run of a share moves it by at most 1 in as many as are known.
    return Flip(words, max(1, ceil(gap * a.known)) if a.unit in SHARES else None)


def _out_of_reach(b: Estimate, difference: float) -> bool:
    """Whether no outcomes of the claimed arm alone could make up such a difference."""
    if b.value is None or b.unit not in SHARES:
        return False
    return not -b.value <= difference <= 1.0 - b.value


def _runs_sentence(e: Estimate, found: RunFlips, arm: str) -> str:
    many = f"{count(found.count)} {'run' if found.count == 1 else 'runs'}"
    if not found.binary:
        return f"{many} of {arm} coming out at {0 if found.down else 1} in the same tasks would be enough."
    good, bad = outcome_words(e.metric, e.words)
    was, now = (good, bad) if found.down else (bad, good)
    return f"{many} of {arm} turning from “{was}” to “{now}” in the same tasks would be enough."


# -------------------------------------------------------------------------------------- required sample size


def _required_of_one_arm(judged: JudgedClaim, e: Estimate) -> Flip:
    """How many more runs a claim about the level of one arm needs, or what it needs in their place."""
    if judged.why in UNKNOWN_STANDS:
        return _verdicts((e,))
    if e.value is None or not redrawable(e):
        return Flip("Other runs than these: this interval cannot be drawn again from n and N.")

    def decided(plain: Limits, outer: Limits | None) -> ClaimVerdict | None:
        word, _ = thresholds.placed(judged.claim, plain, outer)
        return None if word == "cannot separate" else word

    what = "tasks" if e.counted_unit is CountedUnit.TASKS else "runs"
    if (needed := more_needed(e, decided)) is not None:
        about = "" if e.interval.n_eff is None and e.headline != "bounds" else "About "
        words = f"{about}{count(needed[0])} more {what} that come out as these did: then it is {needed[1]}."
        return Flip(words, _runs_in(e, needed[0]))
    if e.headline == "bounds":
        return _verdicts((e,))
    most = f"More than {count(MOST_RUNS)} more {what} like these"
    return Flip(f"{most}: their rate lies too close to the line.")


def _required_of_two_arms(judged: JudgedClaim, c: Comparison) -> Flip:
    """How many more tasks or runs a claim about two arms needs, or what it needs in their place.

    Where what is not known could turn the difference around, only verdicts for it help, however many tasks
    are added. Then come too few runs to compare at all, then the number of tasks: for the line, and for all
    that stands against the house's separation where the claim asks for it.
    """
    a, b = judged.estimates
    claim, reasons = judged.claim, c.reasons
    if judged.why in UNKNOWN_STANDS or _left_open(judged, c):
        return _verdicts(judged.estimates)
    if NotSeparated.FEW_RUNS in reasons:
        return _compared_at_all(judged)
    if c.difference is None or c.standard_error is None or not _UNTESTED.isdisjoint(reasons):
        return Flip("More runs on the tasks that both have.")
    line = thresholds.edge(claim, a)
    if abs(c.difference - line) < 1e-9:
        return Flip("No number of tasks, if the difference is as it looks: on the line.")
    against = reasons if _asks_for_separation(judged, c) else ()
    crossed = not _clear_of_line(judged, c)
    times = growth_needed(c, (a, b), line=line, crossed=crossed, against=against)
    tested = NotSeparated.HOLDS_ZERO in against or NotSeparated.NOT_SIGNIFICANT in against
    sentence = _tasks(c, min(a.known, b.known), times)
    if NotSeparated.FEW_DISCORDANT in against:
        alone = f"{count(MIN_DISCORDANT)} tasks or more that one of the two alone gets done"
        few = f"{alone}, on which the test rests: here are fewer"
        sentence = f"{sentence}, with {alone}" if times > 1 else few
    elif times <= 1:
        sentence = f"{sentence}: it is close, and no spread is known well enough to say how many"
    if tested and holm_factor(c) > 1.0:
        sentence = f"{sentence}; Holm adjusts for {count(c.holm_size)} comparisons at once"
    told = 1 < times <= MOST_RUNS / _units_now(c, min(a.known, b.known))
    return Flip(f"{sentence}.", ceil((times - 1) * (a.attempts + b.attempts)) if told else None)


def _left_open(judged: JudgedClaim, c: Comparison) -> bool:
    """Whether what is not known would stand in the way of the verdict that more tasks would lead to."""
    claim, (a, b) = judged.claim, judged.estimates
    if claim.asks == "separated from":
        return NotSeparated.REVERSES in c.reasons
    if c.difference is None:
        return False
    heading: ClaimVerdict = "supported" if thresholds.holds_at(claim, a, c.difference) else "contradicted"
    open_apart = _asks_for_separation(judged, c) and NotSeparated.REVERSES in c.reasons
    return open_apart or thresholds.left_open(claim, c, (a, b), heading) is not None


def _asks_for_separation(judged: JudgedClaim, c: Comparison) -> bool:
    """Whether the verdict that more tasks would lead to needs the house's separation as well."""
    claim = judged.claim
    if claim.asks != "above" or not claim.line:
        return claim.asks != "not worse than"
    return c.difference is not None and c.difference > claim.line


def _clear_of_line(judged: JudgedClaim, c: Comparison) -> bool:
    lo, hi, edge = c.interval.lo, c.interval.hi, thresholds.edge(judged.claim, judged.estimates[0])
    return lo is not None and hi is not None and not lo <= edge <= hi


def _units_now(c: Comparison, known: int) -> int:
    return c.paired_on if c.paired_on is not None else known


def _tasks(c: Comparison, known: int, times: float) -> str:
    now = _units_now(c, known)
    what = "tasks in common" if c.paired_on is not None else "runs a side"
    if times <= 1:
        return f"More {what}"
    if now * times > MOST_RUNS:
        head = f"More than {count(MOST_RUNS)} {what}"
    else:
        head = f"About {count(ceil(now * times))} {what} in place of {count(now)}"
    return f"{head}, if both are as far apart as they look"


def _compared_at_all(judged: JudgedClaim) -> Flip:
    parts = [
        f"{count(MIN_COMPARED - e.known)} more known run{'' if e.known == MIN_COMPARED - 1 else 's'}"
        f" of {visible(e.group.get(judged.claim.over, 'it'))}"
        for e in judged.estimates
        if e.known < MIN_COMPARED
    ]
    words = f"{' and '.join(parts)}: with fewer than {count(MIN_COMPARED)} nothing is separated."
    return Flip(words, sum(max(0, MIN_COMPARED - e.known) for e in judged.estimates))


def _verdicts(estimates: tuple[Estimate, ...]) -> Flip:
    lost = sum(e.attempts - e.known for e in estimates)
    what = "Verdicts" if all(e.bounds is not None and counted(e) for e in estimates) else "Values"
    return Flip(f"{what} for {many(lost, 'attempt')} of which none is known.", lost)
