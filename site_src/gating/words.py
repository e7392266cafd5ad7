"""What is said of a gate: its verdict in a sentence, each rule, what was found, and what would settle it.

Does: word a gate for a terminal, a comment and a report of tests alike. Does not: lay anything out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.gate import Gate, GateRule, GateVerdict, Policy, RuleFinding, SelfTest, Settling, Supposed
from metrics_core.text import visible
from site_src.wording import (
    by_how_much,
    count,
    listed,
    many,
    metric_words,
    money,
    numbers,
    paired_words,
    percent,
    share,
    stratum_words,
    strict_words,
)

VERDICTS: Final = {
    GateVerdict.PASS: "PASS",
    GateVerdict.FAIL: "FAIL",
    GateVerdict.CANNOT_TELL: "CANNOT TELL",
    GateVerdict.UNHEALTHY: "UNHEALTHY",
}
MOST_NAMED: Final = 5
"""Tasks, or slices, that a line names."""


class RuleLine(Struct, frozen=True):
    """One rule in words: its verdict, what it asks for, what was found, and why it is not told."""

    verdict: str
    rule: str
    found: str
    why: str = ""


def subject(gate: Gate) -> str:
    """The metric that is judged, by its scorer where it has one."""
    first = gate.comparing.first
    return visible(first.scorer or metric_words(first.a.metric, first.a.words))


def where(gate: Gate, of: Gate) -> str:
    """Before what is said of one stratum of several: which, with a colon; else empty.

    Args:
        gate: As it was evaluated.
        of: One of its strata.
    """
    if not gate.others:
        return ""
    everywhere = set.intersection(*({*each.stratum} for each in gate.strata))
    own = [pair for pair in of.stratum if pair not in everywhere]
    return f"{visible(stratum_words(own, of.comparing.first.a.words)) or 'the other stratum'}: "


def headline(gate: Gate) -> str:
    """The verdict, and the one thing that made it; of several strata the worst, and how many come to what."""
    if not gate.others:
        return f"{VERDICTS[gate.verdict]}. {_reason(gate)}"
    counts = _counts([each.verdict for each in gate.strata])
    reason = f"{where(gate, gate)}{_reason(gate)}" if gate.verdict is not GateVerdict.PASS else ""
    every = f"{count(len(gate.strata))} strata: {counts}"
    return f"{VERDICTS[gate.verdict]}. {every}{f'. {_sentence(reason)}' if reason else ''}"


def _counts(verdicts: Sequence[GateVerdict]) -> str:
    """How many come to what, in the order of the verdicts."""
    found = [(verdict, sum(each is verdict for each in verdicts)) for verdict in GateVerdict]
    return ", ".join(f"{count(n)} {VERDICTS[verdict]}" for verdict, n in found if n)


def _reason(gate: Gate) -> str:
    if gate.unhealthy:
        return _sentence(visible(str(gate.unhealthy[0])))
    deciding = next((each for each in gate.rules if each.verdict is gate.verdict), None)
    if gate.verdict is GateVerdict.PASS:
        return f"{many(len(gate.rules), 'rule')} kept" if len(gate.rules) > 1 else "The one rule is kept"
    if deciding is None:
        return "No rule decided it"
    line = rule_line(gate, deciding)
    why = f": {line.why}" if line.why else ""
    return _sentence(f"{line.rule}; found {line.found}{why}")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def health(gate: Gate) -> str:
    """How many rules come to what, and what became of the runs of both sides, in the worst stratum."""
    a, b = gate.comparing.first.health
    lost = f"errors {count(a.errors)} and {count(b.errors)}"
    lost += f", never recorded {count(a.never_recorded)} and {count(b.never_recorded)}"
    further = [*gate.unhealthy[1:], *(why for other in gate.others for why in other.unhealthy)]
    told = "; ".join(dict.fromkeys(visible(str(why)) for why in further))
    warned = listed(list(dict.fromkeys(str(warning) for each in gate.strata for warning in each.warnings)))
    parts = (
        f"{where(gate, gate)}rules: {_counts([each.verdict for each in gate.rules])}",
        f"{lost} (baseline, candidate)",
        "differences are candidate − baseline" if _has_difference(gate) else "",
        f"warning: {warned}" if warned else "",
        f"also: {told}" if told else "",
    )
    return f"{'. '.join(_sentence(part) for part in parts if part)}."


def _has_difference(gate: Gate) -> bool:
    found = (each for stratum in gate.strata for each in stratum.rules)
    return any(each.rule is GateRule.NOT_WORSE_BY and each.interval is not None for each in found)


def rule_lines(gate: Gate) -> Iterator[RuleLine]:
    """Every rule, those that decide first; of slices also each that is not kept; the worst stratum first."""
    if gate.others:
        for stratum in gate.strata:
            for line in rule_lines(stratum):
                yield replace(line, rule=f"{where(gate, stratum)}{line.rule}")
        return
    order = (GateVerdict.UNHEALTHY, GateVerdict.FAIL, GateVerdict.CANNOT_TELL, GateVerdict.PASS)
    for found in sorted(gate.rules, key=lambda each: order.index(each.verdict)):
        yield rule_line(gate, found)
        broken = [(name, each) for name, each in found.slices.items() if each.verdict is not GateVerdict.PASS]
        for name, each in broken[:MOST_NAMED]:
            line = rule_line(gate, each)
            yield RuleLine(line.verdict, f"in {visible(name)}: {line.rule}", line.found, line.why)
        if len(broken) > MOST_NAMED:
            yield RuleLine(VERDICTS[found.verdict], "further slices", count(len(broken) - MOST_NAMED))


def rule_line(gate: Gate, found: RuleFinding) -> RuleLine:
    """One rule in words.

    Args:
        gate: Whose rule it is.
        found: What it comes to.
    """
    why = "" if found.why is None else str(found.why)
    return RuleLine(VERDICTS[found.verdict], _asked(gate.policy, found, gate), _found(gate, found), why)


def _asked(policy: Policy, found: RuleFinding, gate: Gate) -> str:
    c, bound = gate.comparing.first, found.bound or 0.0
    match found.rule:
        case GateRule.NOT_WORSE_BY:
            return f"{subject(gate)}: at most {_margin(gate, bound)} worse"
        case GateRule.SLICES:
            return f"{subject(gate)} in each {visible(policy.slices)}: at most {_margin(gate, bound)} worse"
        case GateRule.AT_LEAST:
            return f"{subject(gate)}: at least {share(bound)}"
        case GateRule.PASS_HAT_K:
            return f"pass^{found.told['k']}: at least {share(bound)}"
        case GateRule.COST_RATIO:
            return f"mean cost: at most {bound:g} times"
        case GateRule.P95_RATIO:
            return f"95th percentile of time: at most {bound:g} times"
        case GateRule.PER_TASK:
            return f"no task that {visible(c.comparison.a)} always passes is lost for good"
        case _:
            return f"errors and runs never recorded: at most {percent(bound, places=1)}"


def _margin(gate: Gate, bound: float) -> str:
    return f"{100 * bound:g} points" if gate.comparing.first.a.unit == "fraction" else f"{bound:g}"


def _found(gate: Gate, found: RuleFinding) -> str:
    if found.rule is GateRule.PER_TASK:
        of = f"{count(len(found.lost))} of {count(int(found.told['always'] or 0))}"
        names = listed([visible(task) for task in found.lost[:MOST_NAMED]])
        more = f" and {count(len(found.lost) - MOST_NAMED)} more" if len(found.lost) > MOST_NAMED else ""
        return f"{of}: {names}{more}" if names else of
    if found.slices:
        counts = _counts([each.verdict for each in found.slices.values()])
        return f"{many(len(found.slices), 'slice')}: {counts}"
    if found.value is None:
        return "no number"
    if found.rule is GateRule.MAX_ERRORS:
        return f"{percent(found.value, places=1)} on the side with more"
    interval = found.interval
    if found.rule is GateRule.NOT_WORSE_BY and interval is not None:
        return by_how_much(found.value, interval, gate.comparing.first.a.unit)
    limits = "" if interval is None else numbers.span(interval, _unit(found)) or "no interval"
    return f"{numbers.digits(found.value, _unit(found))} {limits}".strip()


def _unit(found: RuleFinding) -> str:
    return "fraction" if found.rule in (GateRule.AT_LEAST, GateRule.PASS_HAT_K) else "times"


def both_rules(gate: Gate) -> str:
    """What both rules of separation say of the two; why no number is made of them."""
    first = gate.comparing.first
    if first.tasks is None:
        return f"not compared: {visible(first.comparison.reason)}"
    own = f"own intervals: {strict_words(first.comparison)}"
    if first.comparison.unpaired:
        return own
    return f"{own}; same tasks: {paired_words(first.comparison)}"


def if_errors_fail(gate: Gate) -> str:
    """Whether the verdict is the same with errors counted as failures, and what changes."""
    changes = [
        f"{where(gate, of)}{line.rule} becomes {line.verdict}, {line.found}"
        for of in gate.strata
        for line in (rule_line(of, each) for each in of.changed)
    ]
    if gate.same_if_errors_fail:
        return "Yes" + (f", though {'; '.join(changes)}" if changes else "")
    return f"No, {VERDICTS[gate.whole_if_errors_fail]}: {'; '.join(changes)}"


def settlings(gate: Gate) -> Iterator[str]:
    """What would settle each rule that is not told, in the worst stratum first."""
    if gate.others:
        for stratum in gate.strata:
            yield from (f"{where(gate, stratum)}{words}" for words in settlings(stratum))
        return
    for found in gate.rules:
        if found.settling is not None:
            named = found.rule in (GateRule.NOT_WORSE_BY, GateRule.SLICES)
            what = subject(gate) if named else _asked(gate.policy, found, gate)
            yield f"{what}: {settled_by(found.settling, found.bound or 0.0)}"
        for name, each in found.slices.items():
            if each.settling is not None:
                yield f"{visible(name)}: {settled_by(each.settling, each.bound or 0.0)}"


def settled_by(found: Settling, margin: float) -> str:
    """How many tasks, at which cost, or how many runs of a task; that no number would.

    Args:
        found: As it was reckoned, for the truth that it names.
        margin: Of the rule.
    """
    if found.tasks is None and found.supposed is Supposed.AS_FOUND:
        return f"no number of tasks settles it {found.supposed}"
    if found.tasks is None:
        return f"no number of tasks settles a margin of {margin:g} where both are alike"
    cost = "" if found.usd is None else f"; {money(found.usd)} at these costs"
    words = f"about {many(found.tasks, 'task')} in place of {count(found.now)} {found.supposed}{cost}"
    if found.floor:
        return f"{words}; more runs of these tasks cannot"
    return words if found.runs is None else f"{words}; or {many(found.runs, 'run')} of each of these tasks"


def self_test_lines(found: SelfTest) -> Iterator[str]:
    """The trial of a gate on its baseline, a rate a line, beside what is expected.

    Args:
        found: As it was counted.
    """
    yield (
        f"{count(found.splits)} random halves of the baseline's runs on {many(found.tasks, 'task')}: "
        "every alarm is a false one"
    )
    margin = f"not_worse_by {found.margin:g}"
    for n, what, expected in (
        (found.paired, "paired rule, p at most 0.05", "5 % expected"),
        (found.strict, "strict rule separates", "none expected"),
        (found.worse_at_0, "worse by more than 0", "2.5 % expected"),
        (found.worse_at_margin, f"{margin} fails", "fewer expected than at 0"),
        (found.not_passed, f"{margin} does not pass", "on half the runs, so more often than the gate"),
    ):
        rate, of = percent(n / found.splits, places=1), f"{count(n)} of {count(found.splits)}"
        yield f"{rate}  {what} ({of}; {expected})"
