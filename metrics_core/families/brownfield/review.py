"""What a reader is shown of one brownfield run: verdicts with their chain, assertions, files, money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from metrics_core.families.brownfield.grading import (
    ARTEFACT,
    AWARENESS_THRESHOLD,
    CLAIM,
    Graded,
    dims_of,
    grade,
    progress_of,
    stratum_of,
    usages,
)
from metrics_core.families.brownfield.metrics import context_of, outcomes_of
from metrics_core.families.brownfield.record import BrownfieldRun, RunMetrics
from metrics_core.families.review_parts import cost_lines, gaps, losses, repetition
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context
from metrics_core.results import CheckLine, CostLine, Keys, Review, Step, Verdict, run_name
from metrics_core.text import many

NOT_COUNTED = "recorded of a run that failed; not counted"


def review(rows: Sequence[Row], context: Context) -> Iterator[Review]:
    """What a reader is shown of each record, in order of the rows."""
    for row in rows:
        run: BrownfieldRun = row.record
        graded, _ = grade(run)
        keys = dims_of(run, context)
        progress = progress_of(run, graded)
        track = CLAIM if run.on_claims else ARTEFACT
        yield Review(
            experiment=context.experiment,
            family="brownfield",
            run=run_name("brownfield", row.file, row.line),
            title=_title(run, context),
            task=run.id,
            group=Keys(keys),
            stamp=utc(run.stamp),
            file=row.file,
            line=row.line,
            verdicts=tuple(_verdicts(run, graded)),
            facets=tuple(_facets(graded, run)),
            lost=losses([progress], track.stages),
            gaps=gaps((*outcomes_of(run, graded), *context_of(run))),
            broken=() if graded.failed else tuple(run.regress_misses or ()),
            checks=tuple(CheckLine(name, passed) for name, passed in run.change_detail or ()),
            uncounted=NOT_COUNTED if graded.failed else "",
            lists=(
                ("Files changed", tuple(run.changed_files or ())),
                (
                    f"Pages that broke, {NOT_COUNTED}" if graded.failed else "Pages that broke",
                    tuple(run.regress_misses or ()),
                ),
                *(
                    (
                        ("Files named", tuple(run.answer_files or ())),
                        ("True files", tuple(run.truth_files or ())),
                    )
                    if run.on_claims
                    else ()
                ),
            ),
            facts=tuple(_facts(run)),
            costs=_costs(run, context),
            apart=repetition(run.rep),
            record=msgspec.json.decode(row.raw),
        )


def _title(run: BrownfieldRun, context: Context) -> str:
    named = context.settings.names.get(run.id, run.name)
    return f"{run.id}: {named}" if named else run.id


def _facets(graded: Graded, run: BrownfieldRun) -> Iterator[str]:
    if graded.failed:
        yield "error"
    elif run.on_claims:
        yield "unknown" if graded.f1 is None else _f1_word(graded.f1)
    elif graded.state != "known":
        yield graded.state
    else:
        done, regress = graded.passed == graded.total, graded.regress
        yield "task done" if done else "task not done"
        if regress is not None and done and regress < 1:
            yield "done, but broken"
        if regress is not None and not done and regress == 1:
            yield "not done, intact"
        if regress is None:
            yield f"regress {graded.unsettled[0]}"


def _facts(run: BrownfieldRun) -> Iterator[tuple[str, str]]:
    if run.error:
        yield "error", run.error
    if run.label is not None:
        yield "label", run.label
    if run.calls is not None:
        yield "calls", str(run.calls)
    if run.turns is not None:
        yield "turns", str(len(run.turns))
    if run.metrics is not None:
        yield from _used(run.metrics)
    if run.wall_s is not None:
        yield "wall-clock", f"{run.wall_s:g} s"
    if run.rep is not None:
        yield "repetition", str(run.rep)


def _used(metrics: RunMetrics) -> Iterator[tuple[str, str]]:
    """Calls of a run in the newer shape, and of each role what the harness recorded."""
    if metrics.llm_calls is not None:
        yield "model calls", str(metrics.llm_calls)
    if metrics.tool_calls is not None:
        yield "tool calls", str(metrics.tool_calls)
    for name, role in sorted((metrics.by_role or {}).items()):
        calls = "" if role.calls is None else f"{many(role.calls, 'call')}, "
        dollars = "no cost recorded" if role.cost_usd is None else f"recorded {role.cost_usd:g} USD"
        yield f"role {name}", f"{calls}{role.input_tokens} tokens in, {role.output_tokens} out, {dollars}"


def _costs(run: BrownfieldRun, context: Context) -> tuple[CostLine, ...]:
    return cost_lines(usages(run), run.recorded_cost, context)


def _verdicts(run: BrownfieldRun, graded: Graded) -> Iterator[Verdict]:
    stratum = stratum_of(run)
    change = graded.passed / graded.total if graded.state == "known" else None
    if change is not None or not run.on_claims:
        word = graded.state if change is None else "all assertions pass" if change == 1 else "not all pass"
        yield Verdict(
            metric="change",
            title="Change",
            stratum=stratum,
            state=graded.state,
            word=word,
            value=change,
            unit="fraction",
            n=graded.passed if change is not None else 0,
            N=graded.total if change is not None else 0,
            of="assertions",
            good=None if change is None else change == 1,
            reason=graded.reason,
            chain=(
                (
                    Step("Record", "change_detail, name by name"),
                    Step("Recomputed", f"{graded.passed} of {many(graded.total, 'assertion')} passed"),
                )
                if change is not None
                else (Step("Run" if graded.failed else "Record", graded.reason, ends=True),)
            ),
            silent="That the rest of the application still works: see regress",
        )
    if not run.on_claims or run.regress is not None:
        yield _regress(run, graded)
    if run.on_claims:
        yield _awareness(run, graded)


def _regress(run: BrownfieldRun, graded: Graded) -> Verdict:
    stratum = stratum_of(run)
    regress = None if graded.failed else graded.regress
    state, reason = (graded.state, graded.reason) if graded.failed else graded.unsettled
    pages = graded.pages or (int(regress == 1), 1)
    return Verdict(
        metric="regress",
        title="Regress",
        stratum=stratum,
        state=state if regress is None else "known",
        word=state if regress is None else "nothing broken" if regress == 1 else "broken",
        value=regress,
        unit="fraction",
        n=0 if regress is None else pages[0],
        N=0 if regress is None else pages[1],
        of="pages" if graded.pages else "intact runs",
        good=None if regress is None else regress == 1,
        reason=reason if regress is None else "",
        chain=(
            Step(
                "Run" if graded.failed else "Record",
                reason if regress is None else "regress and the names of what broke",
                ends=regress is None,
            ),
        ),
        silent="That anything outside the catalogue of pages still works",
    )


def _awareness(run: BrownfieldRun, graded: Graded) -> Verdict:
    f1 = None if graded.failed else graded.f1
    state, reason = (graded.state, graded.reason) if graded.failed else ("unknown", graded.ungraded)
    from_lists = run.answer_files is not None and run.truth_files is not None
    return Verdict(
        metric="awareness",
        title="Awareness",
        stratum=stratum_of(run),
        state=state if f1 is None else "known",
        word=state if f1 is None else _f1_word(f1),
        value=f1,
        unit="F1",
        n=int(f1 is not None and f1 >= AWARENESS_THRESHOLD),
        N=int(f1 is not None),
        of="known runs",
        good=None if f1 is None else f1 >= AWARENESS_THRESHOLD,
        reason=reason if f1 is None else "",
        chain=(
            Step(
                "Run" if graded.failed else "Record",
                reason
                if f1 is None
                else "answer_files against truth_files"
                if from_lists
                else "the recorded F1",
                ends=f1 is None,
            ),
        ),
        silent="That any file was changed: it grades a claim, not an artefact",
    )


def _f1_word(f1: float) -> str:
    return "at 0.7 or above" if f1 >= AWARENESS_THRESHOLD else "below 0.7"
