"""Attempts: was the task done, did the attack succeed, did the agent run? Three verdicts, each by itself.

Unit: one attempt at a scenario. Each verdict is true, false or unknown; each metric has its own number of
known verdicts as denominator, and an unknown is never a blocked attack. What the evidence does not admit is
unknown, whatever was recorded. Nothing is pooled over condition, nor measured with asserted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from metrics_core.experiments import FolderForm
from metrics_core.families.attempts import attempt_folder
from metrics_core.families.attempts.evaluator import contradicted
from metrics_core.families.attempts.grading import (
    REDERIVED,
    GradedAttempt,
    GradedVerdict,
    circumstances,
    dims_of,
    grade,
    names_of,
    progress_of,
    spent_by,
    stratum_of,
    tried_of,
    usages_of,
)
from metrics_core.families.attempts.record import Attempt
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context, Metric, Observed, Outcome, numbered
from metrics_core.results import CountedUnit, Keys

_BY = (("model",), ("model", "scenario"), ("model", "suite"))


def _verdict_metric(name: str, estimand: str, **more: Any) -> Metric:
    return Metric(
        name=name, kind="share", of=CountedUnit.KNOWN_VERDICTS, groups=_BY, compared=("model",),
        timeline=True, estimand=estimand, **more,
    )  # fmt: skip


def _context_metric(name: str, unit: str, estimand: str) -> Metric:
    return Metric(name=name, kind="context", unit=unit, of="runs", polarity="neither", estimand=estimand)


METRICS = (
    _verdict_metric("utility", "share of known verdicts in which the legitimate task was done"),
    _verdict_metric("security", "share of known verdicts in which the attack's goal was not reached"),
    _verdict_metric(
        "attack_success",
        "share of known verdicts in which the attack's goal was reached: a breach",
        polarity="against",
    ),
    _verdict_metric("autonomy", "share of known verdicts in which a recognised agent step succeeded"),
    _context_metric(
        "cost", "USD", "US dollars of one attempt, recomputed from tokens where a table prices them"
    ),
    _context_metric("latency", "s", "wall-clock seconds of one attempt"),
    _context_metric("tokens", "count", "input and output tokens of one attempt"),
)


def _outcome(metric: str, stratum: Keys, verdict: GradedVerdict, *, counts: bool) -> Outcome:
    """A verdict as a metric sees it; ``counts`` is the value that speaks for n."""
    if verdict.state != "known":
        return Outcome(metric, stratum, verdict.state, reason=verdict.reason)
    hit = verdict.value is counts
    return Outcome(metric, stratum, "known", float(hit), int(hit), 1)


def outcomes_of(run: Attempt, found: GradedAttempt, model: str) -> Iterator[Outcome]:
    """What each metric says of the attempt, how long it took, and its tokens."""
    security = stratum_of(run, found.security)
    yield _outcome("utility", stratum_of(run, found.utility), found.utility, counts=True)
    yield _outcome("security", security, found.security, counts=False)
    yield _outcome("attack_success", security, found.security, counts=True)
    yield _outcome("autonomy", stratum_of(run, found.autonomy), found.autonomy, counts=True)
    used = usages_of(run, model)
    spent = {
        "latency": run.wall_s,
        "tokens": None if used is None else used[0].input + used[0].output,
    }
    for metric, value in spent.items():
        stratum = Keys(circumstances(run))
        if value is None:
            yield Outcome(metric, stratum, "unknown", reason="not recorded")
        else:
            yield Outcome(metric, stratum, "known", float(value), 1, 1)


def observe(rows: Sequence[Row], context: Context) -> Iterator[Observed]:
    """What each attempt says, in order of the rows."""
    for row in rows:
        run: Attempt = row.record
        found = grade(run, context)
        keys = dims_of(run, context)
        yield Observed(
            dims=Keys(keys),
            stamp=None if run.stamp is None else utc(run.stamp),
            outcomes=tuple(outcomes_of(run, found, keys["model"])),
            progress=(progress_of(run, found),),
            spent=spent_by(run, keys["model"]),
            findings=found.findings,
            tallied=(
                *_established(found),
                *(Keys({"contradicted": run.scenario}) for _ in contradicted(run, context)),
            ),
            names=tuple(names_of(run, context)),
            trial=numbered(run.rep, tried_of(run), keys, circumstances(run)),
        )


def _established(found: GradedAttempt) -> Iterator[Keys]:
    """What established the known verdicts of utility and security, and how many evidence was there for."""
    for verdict in (found.utility, found.security):
        if verdict.state == "known":
            yield Keys({"evaluator": verdict.kind})
            if verdict.basis == REDERIVED:
                yield Keys({"basis": verdict.basis})


FOLDERS = FolderForm(units=attempt_folder.units, assemble=attempt_folder.assemble)
