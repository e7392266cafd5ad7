"""What a reader is shown of one trace: how far it came, what its contract says, files, money."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from metrics_core.families.review_parts import cost_lines, gaps, losses, repetition
from metrics_core.families.traces import recorded_score
from metrics_core.families.traces.grading import (
    SCORED_BY_FIELDS,
    TRACK,
    conditions_of,
    dims_of,
    progress_of,
    score_outcomes,
    scores_of,
    track_of,
    usages_of,
)
from metrics_core.families.traces.metrics import context_of
from metrics_core.families.traces.quantities import scorer_of
from metrics_core.families.traces.record import Trace
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context, Outcome, Progress
from metrics_core.results import Keys, Review, Step, Verdict, run_name
from metrics_core.text import spelled


def review(rows: Sequence[Row], context: Context) -> Iterator[Review]:
    """What a reader is shown of each trace, in order of the rows."""
    scored = scores_of(rows, context)
    for at, row in enumerate(rows):
        trace: Trace = row.record
        progress = progress_of(trace, scored.get(at), context)
        keys = dims_of(trace, context)
        outcomes = [_settled(o, context) for o in score_outcomes(trace, scored.get(at), context)]
        track = track_of(trace, scored.get(at))
        refused = frozenset(o.stratum for o in outcomes if o.state == "invalid")
        kept = [settled for p in progress if (settled := _in_funnel(p, context, refused)) is not None]
        split = outcomes[0].stratum["split"]
        yield Review(
            experiment=context.experiment,
            family="traces",
            run=run_name("traces", row.file, row.line),
            title=context.settings.names.get(trace.task_id, trace.task_id),
            task=trace.task_id,
            group=Keys({k: v for k, v in keys.items() if k != "scenario"} | {"split": split}),
            stamp=None if trace.stamp is None else utc(trace.stamp),
            file=row.file,
            line=row.line,
            verdicts=tuple(
                _recorded(trace, o, quantity=_is_quantity(o, context))
                if track is recorded_score.TRACK
                else _by_contract(o, progress[0] if track in (TRACK, SCORED_BY_FIELDS) else None)
                for o in outcomes
            ),
            facets=tuple(
                dict.fromkeys(
                    facet for o in outcomes for facet in _facets(o, context, several=len(outcomes) > 1)
                )
            ),
            lost=() if track is None else losses(kept, track.stages),
            gaps=gaps((*outcomes, *context_of(trace, conditions_of(trace, context)))),
            lists=(
                ("Oracle files", tuple(trace.oracle_files or ())),
                ("Files touched", tuple(trace.touched_files or ())),
            ),
            facts=tuple(_facts(trace)),
            costs=cost_lines(usages_of(trace), trace.cost_usd, context),
            apart=repetition(trace.rep),
            record=msgspec.json.decode(row.raw),
        )


def _is_quantity(outcome: Outcome | Progress, context: Context) -> bool:
    """Whether a score is a number on a scale of its own, on which none is a pass."""
    scorer = scorer_of(dict(outcome.stratum))
    return scorer is not None and any(scorer == scorer_of(dict(each)) for each in context.quantities)


def _in_funnel(progress: Progress, context: Context, refused: frozenset[Keys]) -> Progress | None:
    """How far a trace came as its funnel counts it; None where its scale has no full score to miss."""
    if progress.track != recorded_score.TRACK.name:
        return progress
    if _is_quantity(progress, context):
        return None if progress.reached >= len(recorded_score.QUANTITIES.stages) else progress
    if progress.state == "known" and progress.stratum in refused:
        return progress._replace(reached=progress.reached - 1, state="invalid")
    return progress


def _settled(outcome: Outcome, context: Context) -> Outcome:
    """A score as it is counted: a number outside 0..1 is no score, unless its scorer gives such numbers."""
    known = outcome.state == "known" and scorer_of(dict(outcome.stratum)) is not None
    if known and not 0 <= outcome.value <= 1 and not _is_quantity(outcome, context):
        return outcome._replace(state="invalid", value=0.0, n=0, N=0, reason=recorded_score.OUTSIDE)
    return outcome


def _facets(outcome: Outcome, context: Context, *, several: bool) -> Iterator[str]:
    """What a run is listed under; of several scores, whose it is. A quantity is listed under nothing."""
    if outcome.state == "known" and _is_quantity(outcome, context):
        return
    word = outcome.state if outcome.state != "known" else "passed" if outcome.value == 1 else "not passed"
    yield f"{word} by {outcome.stratum['scorer']}" if several else word
    if outcome.stratum["split"] == "probe":
        yield "probe"


def _facts(trace: Trace) -> Iterator[tuple[str, str]]:
    facts: Mapping[str, Any] = {
        "run": trace.run_id,
        "exit code": trace.exit_code,
        "wall-clock": None if trace.wall_s is None else f"{trace.wall_s:g} s",
        "retries": trace.retries,
        "repetition": trace.rep,
        "time-out": trace.timeout,
        "answer": trace.answer,
        "error": trace.error,
        "simulated user": None if trace.user_cost_usd is None else f"{trace.user_cost_usd:g} USD",
    }
    for name, value in facts.items():
        if value is not None:
            yield name, str(value)


def _by_contract(outcome: Outcome, by_fields: Progress | None) -> Verdict:
    """A contract's score, after what the fields of the record say, where they say something of it."""
    stages = [name.capitalize() for name, _ in TRACK.stages] if by_fields else []
    reached = by_fields.reached if by_fields else 0
    established = "every stage above is established, and " if stages and reached == len(stages) else ""
    full = outcome.value == 1
    why = "" if full else f": {established}the contract gives no reason for a lower score"
    chain = [
        *(Step(name, "yes") for name in stages[:reached]),
        *(Step(name, by_fields.reason) for name in stages[reached : reached + 1] if by_fields),
        Step(
            "Contract",
            f"{outcome.stratum['contract']}: "
            + (f"{spelled(outcome.value)}{why}" if outcome.state == "known" else outcome.reason),
            ends=outcome.state != "known",
        ),
    ]
    silent = "That a maintainer would merge the patch: fixtures do not certify partial credit"
    by = outcome.stratum["contract"].partition(" ")[0]
    return _verdict(outcome, "Score", f"{spelled(outcome.value)} by {by}", chain, silent)


def _recorded(trace: Trace, outcome: Outcome, *, quantity: bool) -> Verdict:
    scorer = outcome.stratum["scorer"]
    recorded = (trace.scores or {})[scorer]
    known = outcome.state == "known"
    grade = recorded_score.WORDS.get(recorded, "") if isinstance(recorded, str) else ""
    rescaled = not grade and known and recorded != outcome.value
    given = f"{recorded}, {grade}" if grade else f"{recorded}, rescaled" if rescaled else ""
    text = f"{given}: {spelled(outcome.value)}" if given else spelled(outcome.value)
    failed = trace.error is not None
    judged = Step(f"Scorer {scorer}", text if known else outcome.reason, ends=not known)
    run = Step("Run", "failed" if failed else "no error recorded", ends=failed)
    chain = [run] if failed else [run, judged]
    silent = "That the scorer was right: its score is read as recorded, and nothing is graded again"
    word = grade or f"scored {spelled(outcome.value)}"
    return _verdict(outcome, f"Score by {scorer}", word, chain, silent, quantity=quantity)


def _verdict(
    outcome: Outcome, title: str, word: str, chain: Sequence[Step], silent: str, *, quantity: bool = False
) -> Verdict:
    """A score as it is shown: ``word`` where it is known and not full, or where nothing is full."""
    known = outcome.state == "known"
    return Verdict(
        metric="quantity" if quantity else "score",
        title=title,
        stratum=outcome.stratum,
        state=outcome.state,
        word=outcome.state if not known else "passed" if outcome.value == 1 and not quantity else word,
        value=outcome.value if known else None,
        unit="score" if quantity else "fraction",
        n=outcome.N if quantity else outcome.n,
        N=outcome.N,
        of="valid runs",
        good=outcome.value == 1 if known and not quantity else None,
        reason=outcome.reason,
        chain=tuple(chain),
        silent=silent,
    )
