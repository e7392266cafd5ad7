"""Traces: the score that a user's own contract gives to each run, under its digest and the pack's.

Where there is no contract, the scores that the harness recorded are read, under ``assay/recorded-score``, and
those of a table under ``assay/table``.
Unit: one trace of one task by one agent. INVALID (NaN) is kept apart, counted and listed with its reason;
probe items never enter a headline; another contract, or another pack, is another stratum. Wall-clock,
tokens and retries are context, not a substitute for the contract's score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core.families.traces.grading import (
    conditions_of,
    dims_of,
    graded_by,
    names_of,
    progress_of,
    score_outcomes,
    scores_of,
    spent_of,
    usages_of,
)
from metrics_core.families.traces.record import Trace
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context, Metric, Observed, Outcome, numbered
from metrics_core.results import RECORDED_ONLY, CountedUnit, Keys

_BY = (("model",), ("model", "cluster"), ("scenario",))
METRICS = (
    Metric(
        name="score",
        kind="score",
        of="valid runs",
        groups=_BY,
        cluster="cluster",
        compared=("model",),
        timeline=True,
        estimand="mean score of the runs that the contract finds valid; n counts runs at 1",
    ),
    Metric(
        name="pass_hat_k",
        kind="all of k",
        of=CountedUnit.TASKS,
        cluster="cluster",
        source="score",
        estimand="mean over repeated tasks of the chance that all of k tries score 1; n counts tasks at 1",
    ),
    Metric(
        name="pass_at_k",
        kind="any of k",
        of=CountedUnit.TASKS,
        cluster="cluster",
        source="score",
        estimand="mean over repeated tasks of the chance that any of k tries scores 1; n counts tasks at 1",
    ),
    Metric(
        name="quantity",
        kind="quantity",
        unit="score",
        of="valid runs",
        groups=_BY,
        cluster="cluster",
        polarity="neither",
        timeline=True,
        estimand="mean of recorded scores that leave 0..1, on the scorer's own scale",
    ),
    Metric(
        name="cost",
        kind="context",
        unit="USD",
        of="runs",
        polarity="neither",
        estimand="US dollars of one run, recomputed from tokens where a table prices them",
    ),
    Metric(
        name="latency",
        kind="context",
        unit="s",
        of="runs",
        polarity="neither",
        estimand="wall-clock seconds of one run",
    ),
    Metric(
        name="tokens",
        kind="context",
        unit="count",
        of="runs",
        polarity="neither",
        estimand="input and output tokens of one run",
    ),
    Metric(
        name="retries",
        kind="context",
        unit="count",
        of="runs",
        polarity="neither",
        estimand="retries of one run, as the harness counted them",
    ),
    Metric(
        name="user_cost",
        kind="context",
        unit="USD",
        of="runs",
        polarity="neither",
        estimand="US dollars that the simulated user of one run cost, as the harness priced it",
    ),
)


def context_of(trace: Trace, stratum: Keys) -> Iterator[Outcome]:
    """How long it took, its retries and tokens, and what its user cost."""
    used = usages_of(trace)
    values = {
        "latency": trace.wall_s,
        "retries": trace.retries,
        "tokens": None if used is None else used[0].input + used[0].output,
    }
    for metric, value in values.items():
        if value is None:
            yield Outcome(metric, stratum, "unknown", reason="not recorded")
        else:
            yield Outcome(metric, stratum, "known", float(value), 1, 1)
    money = stratum | {"prices": RECORDED_ONLY}
    if trace.user_cost_usd is None:
        yield Outcome("user_cost", money, "unknown", reason="not recorded")
    else:
        yield Outcome("user_cost", money, "known", trace.user_cost_usd, 1, 1)


def observe(rows: Sequence[Row], context: Context) -> Iterator[Observed]:
    """What each trace says, in order of the rows; scored in a child process, batch by batch."""
    scored = scores_of(rows, context)
    for at, row in enumerate(rows):
        trace: Trace = row.record
        conditions = conditions_of(trace, context)
        keys = dims_of(trace, context)
        yield Observed(
            dims=Keys(keys),
            stamp=None if trace.stamp is None else utc(trace.stamp),
            outcomes=(*score_outcomes(trace, scored.get(at), context), *context_of(trace, conditions)),
            progress=progress_of(trace, scored.get(at), context),
            spent=spent_of(trace, keys["model"], conditions),
            names=tuple(names_of(trace, scored.get(at))),
            tallied=tuple(graded_by(trace, scored.get(at))),
            trial=numbered(trace.rep, keys, conditions),
        )
