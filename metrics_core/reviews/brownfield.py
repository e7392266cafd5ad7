"""What a reader is shown of one brownfield run: verdicts with their chain, assertions, files, money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from metrics_core.estimate import pairs
from metrics_core.family import Context
from metrics_core.reader import Row
from metrics_core.readings.brownfield import (
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
from metrics_core.records.brownfield import BrownfieldRun
from metrics_core.review import CheckLine, CostLine, Review, Step, Verdict
from metrics_core.reviewing import cost_lines, run_name
from metrics_core.stamps import utc


def review(rows: Sequence[Row], context: Context) -> Iterator[Review]:
    """What a reader is shown of each record, in order of the rows."""
    for row in rows:
        run: BrownfieldRun = row.record
        graded, _ = grade(run)
        keys = dims_of(run, context)
        progress = progress_of(run, graded)
        track = CLAIM if run.on_claims else ARTEFACT
        lost = None
        if progress.reached < len(track.stages):
            lost = (track.stages[progress.reached][0], progress.state, progress.reason)
        yield Review(
            experiment=context.experiment,
            family="brownfield",
            run=run_name("brownfield", row),
            title=f"{run.id}: {run.name}" if run.name else run.id,
            task=run.id,
            group=pairs(keys),
            stamp=utc(run.stamp),
            file=row.file,
            line=row.line,
            verdicts=tuple(_verdicts(run, graded)),
            facets=tuple(_facets(graded, run)),
            lost=lost,
            checks=tuple(CheckLine(name, held) for name, held in run.change_detail or ()),
            lists=(
                ("Files changed", tuple(run.changed_files or ())),
                ("Pages that broke", tuple(run.regress_misses or ())),
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
            record=msgspec.json.decode(row.raw),
        )


def _facets(graded: Graded, run: BrownfieldRun) -> Iterator[str]:
    if graded.state != "known" and not (run.on_claims and graded.state != "error"):
        yield graded.state
    elif not run.on_claims and graded.total:
        done, regress = graded.passed == graded.total, graded.regress
        yield "task done" if done else "task not done"
        if regress is not None and done and regress < 1:
            yield "done, but broken"
        if regress is not None and not done and regress == 1:
            yield "not done, intact"
        if regress is None:
            yield "regress unknown"


def _facts(run: BrownfieldRun) -> Iterator[tuple[str, str]]:
    if run.error:
        yield "error", run.error
    if run.calls is not None:
        yield "calls", str(run.calls)
    if run.wall_s is not None:
        yield "wall-clock", f"{run.wall_s:g} s"
    if run.rep is not None:
        yield "repetition", str(run.rep)


def _costs(run: BrownfieldRun, context: Context) -> tuple[CostLine, ...]:
    return cost_lines(usages(run), run.recorded_cost, context)


def _verdicts(run: BrownfieldRun, graded: Graded) -> Iterator[Verdict]:
    stratum = stratum_of(run)
    record = Step(
        "Record", "change_detail, name by name" if graded.total else "no assertion list in the record"
    )
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
                record,
                Step("Recomputed", f"{graded.passed} of {graded.total} assertions hold", ends=change is None),
            ),
            silent="That the rest of the application still works: see regress",
        )
    known = graded.regress is not None and graded.state != "error"
    pages = graded.pages or (int(graded.regress == 1), 1)
    yield Verdict(
        metric="regress",
        title="Regress",
        stratum=stratum,
        state="known" if known else "error" if graded.state == "error" else "unknown",
        word=("nothing broken" if graded.regress == 1 else "broken")
        if known
        else "error"
        if graded.state == "error"
        else "unknown",
        value=graded.regress if known else None,
        unit="fraction",
        n=pages[0] if known else 0,
        N=pages[1] if known else 0,
        of="pages" if graded.pages else "intact runs",
        good=graded.regress == 1 if known else None,
        reason="" if known else graded.reason or "no regression set was run",
        chain=(
            Step(
                "Record",
                "regress and the names of what broke" if known else "regress is null",
                ends=not known,
            ),
        ),
        silent="That anything outside the catalogue of pages still works",
    )
    if run.on_claims:
        hit = graded.f1 is not None and graded.f1 >= AWARENESS_THRESHOLD
        from_lists = run.answer_files is not None and run.truth_files is not None
        yield Verdict(
            metric="awareness",
            title="Awareness",
            stratum=stratum,
            state="error" if graded.state == "error" else "unknown" if graded.f1 is None else "known",
            word="unknown" if graded.f1 is None else "at 0.7 or above" if hit else "below 0.7",
            value=graded.f1,
            unit="F1",
            n=int(hit),
            N=int(graded.f1 is not None),
            of="known runs",
            good=None if graded.f1 is None else hit,
            reason="" if graded.f1 is not None else "no F1 and no lists of files recorded",
            chain=(
                Step(
                    "Record",
                    "answer_files against truth_files" if from_lists else "the recorded F1",
                    ends=graded.f1 is None,
                ),
            ),
            silent="That any file was changed: it grades a claim, not an artefact",
        )
