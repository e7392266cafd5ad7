"""Questions with a known reference: is the answer exact, and how much of the reference does it state?

Unit: one answer to one question by one model. A chosen answer may be a guess, a written one hardly: nothing
is pooled over ``form``. An answer that nobody judged is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core import pricing
from metrics_core.families.questions.grading import (
    NOT_RECORDED,
    dims_of,
    exact_of,
    facts_stated,
    progress_of,
    recall_of,
    stratum_of,
    usages_of,
)
from metrics_core.families.questions.record import QuestionRun
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context, Metric, Observed, Outcome, Spent

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


def outcomes_of(run: QuestionRun) -> Iterator[Outcome]:
    """What each metric says of the answer, and how long it took."""
    form = stratum_of(run)
    state, why = exact_of(run)
    right = run.exact is True and state == "known"
    yield Outcome("exact_pass", form, state, float(right), int(right), int(state == "known"), why)
    state, why = recall_of(run)
    if state == "known" and run.facts:
        stated, all_of_them = facts_stated(run), len(run.facts)
        yield Outcome("recall", form, "known", stated / all_of_them, stated, all_of_them)
    else:
        yield Outcome("recall", form, state, reason=why)
    if run.wall_s is None:
        yield Outcome("latency", form, "unknown", reason=NOT_RECORDED)
    else:
        yield Outcome("latency", form, "known", run.wall_s, 1, 1)


def observe(rows: Sequence[Row], context: Context) -> Iterator[Observed]:
    """What each answer says, in order of the rows."""
    for row in rows:
        run: QuestionRun = row.record
        form = stratum_of(run)
        recorded = None if run.cost_usd is None else pricing.femto(run.cost_usd)
        yield Observed(
            dims=dims_of(run, context),
            stamp=None if run.stamp is None else utc(run.stamp),
            outcomes=tuple(outcomes_of(run)),
            progress=(progress_of(run),),
            spent=Spent(context.arm(run.model), form, recorded, usages_of(run)),
            checks=() if run.error is not None else run.facts or (),
            checks_stratum=form,
        )
