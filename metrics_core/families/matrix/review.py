"""What a reader is shown of one turn: the check with its class, what it does not establish, and money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from metrics_core.families.matrix.grading import (
    EXECUTED,
    SYNTAX,
    UNCHECKED,
    check_of,
    dims_of,
    progress_of,
    stratum_of,
    track_of,
    usages_of,
    verdict_of,
)
from metrics_core.families.matrix.metrics import outcomes_of
from metrics_core.families.matrix.record import MatrixTurn
from metrics_core.families.review_parts import cost_lines, gaps, losses, repetition
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context
from metrics_core.results import Keys, Review, Step, Verdict, run_name

SILENT = {
    EXECUTED: "That anything works which no assertion names",
    SYNTAX: "That the code does what was asked: it was compiled, and never run",
    UNCHECKED: "Anything: nothing was checked",
}
"""Class of checks -> what a pass does not establish."""


def review(rows: Sequence[Row], context: Context) -> Iterator[Review]:
    """What a reader is shown of each turn, in order of the rows."""
    for row in rows:
        turn: MatrixTurn = row.record
        check = check_of(turn, context)
        script = context.settings.names.get(turn.scenario_id, turn.scenario_id)
        yield Review(
            experiment=context.experiment,
            family="matrix",
            run=run_name("matrix", row.file, row.line),
            title=f"{script}, turn {turn.turn_index}",
            task=turn.scenario_id,
            group=Keys(dims_of(turn, row.file, context)),
            stamp=None if turn.stamp is None else utc(turn.stamp),
            file=row.file,
            line=row.line,
            verdicts=(_verdict(turn, check),),
            facets=tuple(_facets(turn, check)),
            lost=losses([progress_of(turn, check)], track_of(check).stages),
            gaps=gaps(outcomes_of(turn, stratum_of(turn, context))),
            facts=tuple(_facts(turn)),
            costs=cost_lines(usages_of(turn, row.file), turn.cost_usd, context),
            apart=repetition(turn.rep),
            record=msgspec.json.decode(row.raw),
        )


def _verdict(turn: MatrixTurn, check: str) -> Verdict:
    state, reason = verdict_of(turn)
    passed = turn.check_passed if state == "known" else None
    kind = f"{turn.check_kind}: class {check}" if turn.check_kind else "no kind of check recorded"
    found = turn.check_note or ("no note" if passed is not None else reason)
    return Verdict(
        metric="check_pass",
        title="Check",
        stratum=Keys({"check": check}),
        state=state,
        word=state if passed is None else "passed" if passed else "failed",
        value=None if passed is None else float(passed),
        unit="fraction",
        n=int(passed is True),
        N=int(passed is not None),
        of="known checks",
        good=passed,
        reason=reason,
        chain=(Step("Run", reason, ends=True),)
        if state == "error"
        else (Step("Kind of check", kind), Step("What it found", found, ends=passed is None)),
        silent=SILENT.get(
            check, f"More than the outcome of a {check} check, of which nothing states what it establishes"
        ),
    )


def _facets(turn: MatrixTurn, check: str) -> Iterator[str]:
    state, _ = verdict_of(turn)
    yield state if state != "known" else "passed" if turn.check_passed else "failed"
    yield {SYNTAX: "syntax only", UNCHECKED: "not checked"}.get(check, check)


def _facts(turn: MatrixTurn) -> Iterator[tuple[str, str]]:
    facts = {
        "error": turn.error,
        "turn": str(turn.turn_index),
        "taken by": None if turn.type is None else f"the {turn.type} model",
        "difficulty": turn.declared,
        "latency": None if turn.latency_s is None else f"{turn.latency_s:g} s",
        "repetition": None if turn.rep is None else str(turn.rep),
    }
    for name, value in facts.items():
        if value is not None:
            yield name, value
