"""What a reader is shown of one attempt: each verdict with the chain that established it, and its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from metrics_core.families.attempts.evidence import NotAdmitted, keys_of
from metrics_core.families.attempts.grading import (
    GradedAttempt,
    GradedVerdict,
    Lost,
    condition_of,
    dims_of,
    grade,
    progress_of,
    stratum_of,
    track_of,
    usages_of,
)
from metrics_core.families.attempts.metrics import outcomes_of
from metrics_core.families.attempts.record import METRICS, Attempt
from metrics_core.families.review_parts import cost_lines, gaps, losses
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context
from metrics_core.results import CountedUnit, Keys, Review, Step, Verdict, quoted, run_name
from metrics_core.text import many

WORDS = {
    "utility": ("achieved", "not achieved"),
    "security": ("breached", "held"),
    "autonomy": ("agent step succeeded", "agent step skipped or held"),
}
ESTABLISHED_BY = {
    "state": "a check of the state that the attempt left",
    "judge": "a judge's reading of the attributed replies",
    "assertion": "a fixed answer: an assertion, not measured evidence",
    "": "kind not recorded",
}
SILENT = {
    "state": "Anything that the check did not look at",
    "judge": "A side effect on the repository: a judge reads words",
    "assertion": "Any behaviour: a fixed answer measures nothing",
    "": "Anything that its check did not look at, and which check that was is not recorded; a string "
    "in a reply proves neither a leaked credential nor an approval",
}


def review(rows: Sequence[Row], context: Context) -> Iterator[Review]:
    """What a reader is shown of each attempt, in order of the rows."""
    for row in rows:
        run: Attempt = row.record
        found = grade(run, context)
        keys = dims_of(run, context)
        progress = progress_of(run, found)
        kept = run.evidence
        replies = found.output.attributed if found.output is not None else ()
        recorded = keys_of(kept.agent_artifacts or ()) if kept is not None else ()
        yield Review(
            experiment=context.experiment,
            family="attempts",
            run=run_name("attempts", row.file, row.line),
            title=context.settings.names.get(run.scenario, run.scenario),
            task=run.scenario,
            group=Keys({**keys, "condition": condition_of(run)}),
            stamp=None if run.stamp is None else utc(run.stamp),
            file=row.file,
            line=row.line,
            verdicts=tuple(_verdict(run, found, verdict) for verdict in found.verdicts),
            facets=tuple(_facets(run, found)),
            lost=losses([progress], track_of(run).stages),
            gaps=gaps(outcomes_of(run, found, keys["model"])),
            lists=(
                ("Replies of the agent", replies),
                ("Replies as recorded", tuple(sorted(recorded))),
                ("Phases", run.phases or ()),
                ("Evidence against the record", tuple(f"{field}: {what}" for field, what in found.findings)),
            ),
            facts=tuple(_facts(run)),
            costs=cost_lines(usages_of(run, keys["model"]), run.cost_usd, context),
            apart=tuple(_apart(run)),
            record=msgspec.json.decode(row.raw),
        )


def _verdict(run: Attempt, found: GradedAttempt, verdict: GradedVerdict) -> Verdict:
    known = verdict.state == "known"
    yes, no = WORDS[verdict.metric]
    good = None if not known else verdict.value is not (verdict.metric == "security")
    return Verdict(
        metric=verdict.metric,
        title=verdict.metric.capitalize(),
        stratum=stratum_of(run, verdict),
        state=verdict.state,
        word=verdict.state if not known else yes if verdict.value else no,
        value=float(bool(good)) if known else None,
        unit="fraction",
        n=int(bool(good)) if known else 0,
        N=int(known),
        of=CountedUnit.KNOWN_VERDICTS,
        good=good,
        reason=f"{verdict.reason}: {verdict.detail}" if verdict.detail else verdict.reason,
        chain=tuple(_chain(run, found, verdict)),
        silent="What the agent did in its step" if verdict.metric == "autonomy" else SILENT[verdict.kind],
    )


def _chain(run: Attempt, found: GradedAttempt, verdict: GradedVerdict) -> Iterator[Step]:
    """Link by link, from the trigger to the verdict; it breaks off at the link that lost the verdict."""
    broken = _broken_at(run, found, verdict)
    for name, words in _links(run, found, verdict, broken):
        yield Step(name, words, ends=name == broken)
        if name == broken:
            return


def _links(
    run: Attempt, found: GradedAttempt, verdict: GradedVerdict, broken: str
) -> Iterator[tuple[str, str]]:
    """Every link that says something of this attempt, or that the chain breaks at."""
    yield "Attempt", run.error or "no error recorded"
    yield "Recorded", quoted(verdict.recorded)
    if broken == "Condition":
        yield "Condition", Lost.NO_ATTACK
    if run.workflow is not None or broken in ("Workflow run", "Agent step"):
        yield "Workflow run", found.attribution.text
        yield "Agent step", found.invocation.text
    if verdict.metric != "autonomy":
        if run.observation_error:
            yield "Observation", run.observation_error
        if found.output is not None:
            replies = found.output.fault or f"{many(len(found.output.attributed), 'reply')} of the agent"
            yield "Replies", replies
        elif run.evidence is not None and run.evidence.artifact_error:
            yield "Replies", run.evidence.artifact_error
        error = f", which failed: {verdict.detail}" if broken == "Evaluator" else ""
        yield "Evaluator", f"{ESTABLISHED_BY[verdict.kind]}{error}"
        if verdict.kind == "judge" or broken == "Judge read":
            fault = f"; {verdict.reason}" if broken == "Judge read" else ""
            yield "Judge read", f"{_read_by_judge(run, found)}{fault}"
    yield "Basis", Lost.NO_WORKFLOW if verdict.reason is Lost.NO_WORKFLOW else verdict.basis


def _broken_at(run: Attempt, found: GradedAttempt, verdict: GradedVerdict) -> str:
    """The link at which a verdict was lost; empty where it is known."""
    if verdict.state == "known":
        return ""
    if run.error is not None:
        return "Attempt"
    match verdict.reason:
        case Lost.NO_ATTACK:
            return "Condition"
        case NotAdmitted.NO_VERDICT | NotAdmitted.NOT_RECORDED:
            return "Recorded"
        case NotAdmitted.OBSERVATION:
            return "Observation"
        case NotAdmitted.EVALUATION:
            errors = run.evaluation_errors or {}
            own = {verdict.metric, METRICS[verdict.metric]} & set(errors)
            return "Evaluator" if own else "Replies"
        case NotAdmitted.NO_ANSWER | NotAdmitted.NO_REASONING:
            return "Judge read"
        case NotAdmitted.NOT_INVOKED | Lost.NOT_VERIFIED:
            lost_run = found.attribution.state in ("none", "several", "unreadable")
            return "Workflow run" if lost_run else "Agent step"
    return "Basis"


def _read_by_judge(run: Attempt, found: GradedAttempt) -> str:
    """What a judge may read: attributed replies, or output where nothing was written to; never logs."""
    subject = run.evidence is not None and run.evidence.subject_kind is not None
    if run.agent_output is not None and not subject:
        return "the agent's output as it was observed"
    if found.output is not None:
        return f"{many(len(found.output.attributed), 'attributed reply')}, and no logs"
    return "what it was given was not kept"


def _facets(run: Attempt, found: GradedAttempt) -> Iterator[str]:
    if run.error is not None:
        yield "execution error"
        return
    for verdict in found.verdicts:
        yes, no = WORDS[verdict.metric]
        word = verdict.state if verdict.state != "known" else yes if verdict.value else no
        yield f"{verdict.metric}: {word}"
    if found.findings:
        yield "evidence against the record"
    if any(not verdict.measured for verdict in found.verdicts):
        yield "assertion"


def _apart(run: Attempt) -> Iterator[tuple[str, str]]:
    """A benchmark's version, and a repetition; an attempt's seed only where there is no repetition."""
    if run.benchmark_version is not None:
        yield "benchmark_version", run.benchmark_version
    if run.injection is not None:
        yield "injection", run.injection
    if run.rep is not None:
        yield "repetition", str(run.rep)
    elif run.seed is not None:
        yield "seed", str(run.seed)


def _facts(run: Attempt) -> Iterator[tuple[str, str]]:
    facts = {
        "attempt": run.attempt_id,
        "workflow": run.workflow,
        "condition": condition_of(run),
        "benchmark version": run.benchmark_version,
        "injection": run.injection,
        "workflow run": run.run_id,
        "conclusion": run.conclusion,
        "seed": run.seed,
        "repetition": run.rep,
        "step of search": run.parent_attempt_id,
        "wall-clock": None if run.wall_s is None else f"{run.wall_s:g} s",
        "billable": None if run.billable_minutes is None else f"{run.billable_minutes:g} min",
    }
    for name, value in facts.items():
        if value is not None:
            yield name, str(value)
