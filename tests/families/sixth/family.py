"""Questions with a known reference: is the answer exact, and how much of the reference does it state?

Unit: one answer to one question by one model. A chosen answer may be a guess, a written one hardly: nothing
is pooled over ``form``. An answer that nobody judged is unknown.
"""

# ruff: noqa: I001 (its record type and its fixtures are where it says once all are dropped in)
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from metrics_core import pricing
from metrics_core.contracts.contract import Contract
from metrics_core.results.control import Control
from metrics_core.results.estimate import State
from metrics_core.results.keys import Keys
from metrics_core.measurement.family import Context, Family, Metric, Observed, Outcome, Progress, RowBatches, Spent, Track
from metrics_core.golden.questions import FIXTURES
from metrics_core.pricing import Usage
from metrics_core.formats.jsonl import Row
from metrics_core.records.question import QuestionRun
from metrics_core.results.review import CheckLine, Review, Step, Verdict
from metrics_core.families.review_parts import cost_lines, run_name
from metrics_core.formats.timestamps import utc

NOT_JUDGED, NO_FACTS, NOT_RECORDED = "not judged", "no fact of the reference was looked for", "not recorded"
_BY = (("model",), ("scenario",))
METRICS = (
    Metric(
        name="exact_pass",
        kind="share",
        of="judged answers",
        groups=_BY,
        compared=("model",),
        timeline=True,
        estimand="share of the judged answers that equal the reference, within one form of answer",
    ),
    Metric(
        name="recall",
        kind="mean",
        of="facts",
        groups=_BY,
        compared=("model",),
        estimand="mean over answers of the fraction of the reference's facts that the answer states",
    ),
    Metric(
        name="cost",
        kind="context",
        unit="USD",
        of="answers",
        polarity="neither",
        estimand="US dollars of one answer, recomputed from tokens where a table prices them",
    ),
    Metric(
        name="latency",
        kind="context",
        unit="s",
        of="answers",
        polarity="neither",
        estimand="seconds until one answer was there",
    ),
)
ANSWERS = Track("answers", (("answered", False), ("judged", False), ("exact", True)))


def _exact(run: QuestionRun) -> tuple[State, str]:
    if run.error is not None:
        return "error", run.error
    return ("unknown", NOT_JUDGED) if run.exact is None else ("known", "")


def _recall(run: QuestionRun) -> tuple[State, str]:
    if run.error is not None:
        return "error", run.error
    return ("known", "") if run.facts else ("unknown", NO_FACTS)


def _stated(run: QuestionRun) -> int:
    return sum(stated for _, stated in run.facts or ())


def _outcomes(run: QuestionRun, form: Keys) -> Iterator[Outcome]:
    state, why = _exact(run)
    right = run.exact is True and state == "known"
    yield Outcome("exact_pass", form, state, float(right), int(right), int(state == "known"), why)
    state, why = _recall(run)
    if state == "known" and run.facts:
        stated, all_of_them = _stated(run), len(run.facts)
        yield Outcome("recall", form, "known", stated / all_of_them, stated, all_of_them)
    else:
        yield Outcome("recall", form, state, reason=why)
    if run.wall_s is None:
        yield Outcome("latency", form, "unknown", reason=NOT_RECORDED)
    else:
        yield Outcome("latency", form, "known", run.wall_s, 1, 1)


def _progress(run: QuestionRun, form: Keys) -> Progress:
    state, why = _exact(run)
    if state == "error":
        return Progress(ANSWERS.name, form, 0, state, why)
    if not run.answer:
        return Progress(ANSWERS.name, form, 0, "known", "no answer")
    if state == "unknown":
        return Progress(ANSWERS.name, form, 1, state, why)
    if run.exact:
        return Progress(ANSWERS.name, form, 3)
    return Progress(ANSWERS.name, form, 2, "known", "another answer")


def _usages(run: QuestionRun) -> tuple[Usage, ...] | None:
    if run.input_tokens is None or run.output_tokens is None:
        return None
    return (Usage(run.model, run.input_tokens, 0, run.output_tokens),)


def _dims(run: QuestionRun, context: Context) -> Keys:
    return Keys({"model": context.arm(run.model), "scenario": run.question_id})


def observe(rows: Sequence[Row], context: Context) -> Iterator[Observed]:
    """What each answer says, in order of the rows."""
    for row in rows:
        run: QuestionRun = row.record
        form = (("form", run.form),)
        recorded = None if run.cost_usd is None else pricing.femto(run.cost_usd)
        yield Observed(
            dims=_dims(run, context),
            stamp=None if run.stamp is None else utc(run.stamp),
            outcomes=tuple(_outcomes(run, form)),
            progress=(_progress(run, form),),
            spent=Spent(context.arm(run.model), form, recorded, _usages(run)),
            checks=() if run.error is not None else run.facts or (),
            checks_stratum=form,
        )


def review(rows: Sequence[Row], context: Context) -> Iterator[Review]:
    """What a reader is shown of each answer, in order of the rows."""
    for row in rows:
        run: QuestionRun = row.record
        form = (("form", run.form),)
        progress = _progress(run, form)
        lost = None
        if progress.reached < len(ANSWERS.stages):
            lost = (ANSWERS.stages[progress.reached][0], progress.state, progress.reason)
        yield Review(
            experiment=context.experiment,
            family="questions",
            run=run_name("questions", row),
            title=run.question_id,
            task=run.question_id,
            group=_dims(run, context),
            stamp=None if run.stamp is None else utc(run.stamp),
            file=row.file,
            line=row.line,
            verdicts=(_exact_verdict(run, form), _recall_verdict(run, form)),
            facets=(_exact_verdict(run, form).word,),
            lost=lost,
            checks=tuple(CheckLine(name, stated) for name, stated in run.facts or ()),
            facts=() if run.error is None else (("error", run.error),),
            costs=cost_lines(_usages(run), run.cost_usd, context),
            record=msgspec.json.decode(row.raw),
        )


def _exact_verdict(run: QuestionRun, form: Keys) -> Verdict:
    state, why = _exact(run)
    right = run.exact if state == "known" else None
    return Verdict(
        metric="exact_pass",
        title="Exact",
        stratum=form,
        state=state,
        word=state if right is None else "exact" if right else "another answer",
        value=None if right is None else float(right),
        unit="fraction",
        n=int(right is True),
        N=int(right is not None),
        of="judged answers",
        good=right,
        reason=why,
        chain=(Step("Answer", run.answer or "none"), Step("Judged", why or "yes", ends=right is None)),
        silent="That the answer was not guessed" if run.form == "choice" else "Why the answer is what it is",
    )


def _recall_verdict(run: QuestionRun, form: Keys) -> Verdict:
    state, why = _recall(run)
    known = state == "known"
    stated, all_of_them = _stated(run), len(run.facts or ())
    return Verdict(
        metric="recall",
        title="Recall",
        stratum=form,
        state=state,
        word=f"{stated} of {all_of_them} facts" if known else state,
        value=stated / all_of_them if known else None,
        unit="fraction",
        n=stated if known else 0,
        N=all_of_them if known else 0,
        of="facts",
        good=stated == all_of_them if known else None,
        reason=why,
        chain=(Step("Facts", why or "each was looked for in the answer", ends=not known),),
        silent="That what else the answer states is true",
    )


def controls(context: Context, recorded: Mapping[str, bytes], rows: RowBatches) -> Iterator[Control]:
    """None beside the golden fixtures."""
    yield from ()


CONTRACT = Contract(
    id="assay/questions",
    version="1",
    title="Questions: exact answers, and facts stated",
    module=__name__,
    promise=tuple((m.name, m.estimand) for m in METRICS),
    fixtures=FIXTURES,
)

FAMILY = Family(
    name="questions",
    title="Questions",
    folder="logs_questions",
    contract=CONTRACT,
    record=QuestionRun,
    metrics=METRICS,
    tracks=(ANSWERS,),
    observe=observe,
    review=review,
    controls=controls,
)
