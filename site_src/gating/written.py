"""A gate as lines for a terminal, as Markdown for a comment, and as a report of tests for a CI."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from metrics_core.gate import Gate, GateVerdict
from metrics_core.results import Estimate
from metrics_core.text import visible
from site_src.comparing import escaped
from site_src.console import safe
from site_src.gating.words import (
    MOST_NAMED,
    VERDICTS,
    both_rules,
    headline,
    health,
    if_errors_fail,
    rule_lines,
    settlings,
    subject,
    where,
)
from site_src.installed import VERSION
from site_src.report_text import TextRow, laid_out
from site_src.wording import count, many, ratio

MOST_LINES: Final = 40
"""Lines of a comment."""

AXIS: Final = 37
"""Characters from 0 to 1 in a drawing of text."""

MOST_STRATA: Final = 3
"""Strata whose rules of separation a comment tells, the worst first; its table names all."""

MOST_TASKS: Final = 20
"""Tasks that a comment names."""


def gate_text(gate: Gate, width: int | None = None) -> str:
    """The verdict first, then health, rules, drawing and what would settle it.

    Args:
        gate: As it was evaluated.
        width: Columns of the terminal; None leaves each line as long as it is.
    """
    rows = [TextRow((line.verdict, line.found, line.rule), line.why) for line in rule_lines(gate)]
    lines = [
        headline(gate),
        health(gate),
        "",
        *laid_out(rows, width),
        "",
        *(f"  {line}" for line in drawing(gate)),
        "",
        *(f"both rules: {where(gate, each)}{both_rules(each)}" for each in gate.strata),
        f"the same if errors count as failures? {if_errors_fail(gate)}",
        *(f"to settle {words}" for words in list(settlings(gate))[:MOST_NAMED]),
    ]
    return "\n".join(safe(line) for line in lines)


def drawing(gate: Gate) -> Iterator[str]:
    """Both intervals over an axis from 0 to 1; nothing where there is no share to draw."""
    first = gate.comparing.first
    sides = ((first.comparison.a, first.a), (first.comparison.b, first.b))
    if any(e.unit != "fraction" or e.value is None or e.interval.lo is None for _, e in sides):
        return
    labels = [f"{_short(visible(name))} {ratio(e)}" for name, e in sides]
    wide = max(map(len, labels))
    ends = ["0", ".25", ".50", ".75", "1"]
    ticks = "".join(word.ljust(AXIS // 4) for word in ends).rstrip()
    yield f"{'':{wide}} {ticks}"
    for label, (_, e) in zip(labels, sides, strict=True):
        yield f"{label:{wide}} {_strip(e)}"


def _short(name: str) -> str:
    """At most 16 signs of a name; those of a series differ at their ends, so a long one loses its middle."""
    return name if len(name) <= 16 else f"{name[:7]}…{name[-8:]}"


def _strip(e: Estimate) -> str:
    cells = ["·" if at % (AXIS // 4) == 0 else " " for at in range(AXIS)]
    lo, hi = _at(e.interval.lo or 0.0), _at(e.interval.hi or 0.0)
    for at in range(lo, hi + 1):
        cells[at] = "─"
    cells[lo], cells[hi] = "├", "┤"
    cells[_at(e.value or 0.0)] = "●"
    return "".join(cells).rstrip()


def _at(share: float) -> int:
    return min(AXIS - 1, max(0, round(share * (AXIS - 1))))


def gate_markdown(gate: Gate, again: str = "") -> str:
    """A comment of at most 40 lines: a marker by which the last one is found, then the verdict.

    Args:
        gate: As it was evaluated.
        again: The command that gives the same once more.
    """
    names = (gate.comparing.first.comparison.a, gate.comparing.first.comparison.b)
    head = [
        f"<!-- assay-gate {_plain(subject(gate))} {_plain(names[0])} {_plain(names[1])} -->",
        f"### Gate: {escaped(headline(gate))}",
        "",
        escaped(health(gate)),
        "",
        "| Verdict | Rule | Found |",
        "| --- | --- | ---: |",
    ]
    rules = [
        f"| **{line.verdict}** | {escaped(line.rule)} | {_unbroken(line.found)}"
        f"{f' ({escaped(line.why)})' if line.why else ''} |"
        for line in rule_lines(gate)
    ]
    shown = gate.strata[:MOST_STRATA]
    drawn = [line.replace("`", "'") for line in drawing(gate)]
    foot = [
        *(["", "```text", *drawn, "```"] if drawn else []),
        "",
        *(f"**Both rules.** {escaped(where(gate, each) + both_rules(each))}  " for each in shown),
        f"**The same if errors count as failures?** {escaped(if_errors_fail(gate))}  ",
        *(f"**To settle** {escaped(words)}  " for words in list(settlings(gate))[:3]),
        "",
        *(_tasks(gate) if not gate.others else ()),
        *([f"Again: `{visible(again).replace('`', '')}`", ""] if again else []),
        _digests(gate),
    ]
    room = MOST_LINES - len(head) - len(foot)
    if len(rules) > room:
        rest = len(rules) - room + 1
        rules = [*rules[: room - 1], f"| | and {count(rest)} more | |"]
    return "\n".join((*head, *rules, *foot)) + "\n"


def _unbroken(words: str) -> str:
    """Words whose numbers stay in one line of a narrow table."""
    return escaped(words).replace(" \\[", "\u00a0\\[").replace(", ", ",\u00a0")


def _plain(words: str) -> str:
    """Words within a comment of HTML, which two hyphens or an angle would end."""
    return visible(words).replace("--", "‐‐").replace(">", "›").replace("<", "‹")


def _tasks(gate: Gate) -> Iterator[str]:
    tasks = gate.comparing.first.tasks
    if tasks is None or not tasks.common:
        return
    if not tasks.worse and not tasks.better:
        yield f"{many(tasks.same, 'task')}, none of them better or worse  "
        return
    worse, better = count(len(tasks.worse)), count(len(tasks.better))
    yield (
        f"<details><summary><b>{worse} tasks worse</b>, {better} better, {count(tasks.same)} the same"
        "</summary>"
    )
    yield ""
    for word, found in (("Worse", tasks.worse), ("Better", tasks.better)):
        if found:
            named = ", ".join(escaped(t.task) for t in found[:MOST_TASKS])
            more = f" and {count(len(found) - MOST_TASKS)} more" if len(found) > MOST_TASKS else ""
            yield f"{word}: {named}{more}  "
    yield ""
    yield "</details>"
    yield ""


def _digests(gate: Gate) -> str:
    e = gate.comparing.first.a
    data = ", ".join(f"`{side.report.data_digest[:15]}`" for side in gate.comparing.things)
    contract = f"{escaped(e.contract.id)} v{escaped(e.contract.version)} `{e.contract.digest[:15]}`"
    last = "" if e.stamps is None else f" · baseline of {e.stamps[1][:10]}"
    return f"<sub>assay {VERSION} · {contract} · data {data}{last}</sub>"


def gate_junit(gate: Gate) -> str:
    """The gate as a report of tests, a rule each; what is not told is a failure, as its exit code says.

    Args:
        gate: As it was evaluated.
    """
    cases = [_case(line.rule, line.verdict, f"{line.found} {line.why}".strip()) for line in rule_lines(gate)]
    cases += [
        _case(f"{where(gate, each)}healthy ({number})", VERDICTS[GateVerdict.UNHEALTHY], str(why))
        for each in gate.strata
        for number, why in enumerate(each.unhealthy, start=1)
    ]
    failures = sum("<failure" in case for case in cases)
    errors = sum("<error" in case for case in cases)
    counted = f'tests="{len(cases)}" failures="{failures}" errors="{errors}"'
    suite = f"<testsuite name={_attribute(f'assay gate: {subject(gate)}')} {counted}>"
    whole = f"<testsuites {counted}>"
    return "\n".join((
        '<?xml version="1.0" encoding="UTF-8"?>', whole, suite, *cases, "</testsuite>", "</testsuites>", "",
    ))  # fmt: skip


def _case(name: str, verdict: str, found: str) -> str:
    begin = f'<testcase classname="assay.gate" name={_attribute(name)}'
    if verdict == VERDICTS[GateVerdict.PASS]:
        return f"{begin}/>"
    kind = "error" if verdict == VERDICTS[GateVerdict.UNHEALTHY] else "failure"
    words = f"{verdict}: {found}"
    said = f"type={_attribute(verdict)} message={_attribute(words)}"
    return f"{begin}><{kind} {said}>{escape(safe(words))}</{kind}></testcase>"


def _attribute(words: str) -> str:
    return quoteattr(safe(words))
