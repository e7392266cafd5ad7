"""Brownfield: was the change made, and does everything that worked before still work?

Unit: one run of one scenario by one model. ``change`` is a mean over the task's own assertions: it does not
say how often a task was done, and is always given beside ``regress``. Awareness tasks are graded on a claim,
not on an artefact: they are a stratum of their own. Nothing is pooled over ``graded``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core import pricing
from metrics_core.families.brownfield.grading import (
    AWARENESS_THRESHOLD,
    Graded,
    change_comes_to,
    contradicted_totals,
    dims_of,
    grade,
    progress_of,
    regress_comes_to,
    stratum_of,
    tallied_of,
    usages,
)
from metrics_core.families.brownfield.record import BrownfieldRun
from metrics_core.formats import Row, utc
from metrics_core.measurement import Batch, Context, Metric, Observed, Outcome, Part, Spent, numbered
from metrics_core.results import Keys, NotKnown, State

_BY = (("model",), ("model", "kind"), ("model", "config"), ("scenario",))
METRICS = (
    Metric(
        name="change",
        kind="mean",
        of="assertions",
        groups=_BY,
        compared=("model", "config"),
        timeline=True,
        estimand="mean over runs of the fraction of the task's own assertions that pass; how often all of "
        "them do is another metric, done",
    ),
    Metric(
        name="regress",
        kind="mean",
        of="pages",
        of_runs="intact runs",
        groups=_BY,
        compared=("model", "config"),
        timeline=True,
        estimand="mean over runs of the fraction of the untouched regression set that still passes",
    ),
    Metric(
        name="done",
        kind="share",
        of="runs with change known",
        groups=_BY,
        timeline=True,
        estimand="share of runs in which every assertion of the task passes",
    ),
    Metric(
        name="divergence",
        kind="share",
        of="runs with both known",
        groups=_BY,
        compared=("model", "config"),
        polarity="against",
        timeline=True,
        estimand="share of runs with the task done and the application broken: "
        "change is 1 and regress is below 1",
    ),
    Metric(
        name="divergence_reverse",
        kind="share",
        of="runs with both known",
        groups=_BY,
        polarity="neither",
        estimand="share of runs with the task not done and the application intact: "
        "change is below 1 and regress is 1",
    ),
    Metric(
        name="awareness",
        kind="mean",
        unit="F1",
        of="known runs",
        groups=_BY,
        compared=("model",),
        estimand="mean F1 of the files named in the answer against the true set; n counts runs at 0.7 or "
        "above; a weaker instrument, for it grades a claim and not an artefact",
        notes=("a weaker instrument: it grades a claim, not an artefact",),
    ),
    Metric(
        name="cost",
        kind="context",
        unit="USD",
        of="runs",
        groups=_BY,
        polarity="neither",
        estimand="US dollars of one run, recomputed from tokens where a table prices them",
    ),
    Metric(
        name="latency",
        kind="context",
        unit="s",
        of="runs",
        groups=_BY,
        polarity="neither",
        estimand="wall-clock seconds of one run",
    ),
    Metric(
        name="tokens",
        kind="context",
        unit="count",
        of="runs",
        groups=_BY,
        polarity="neither",
        estimand="input and output tokens of one run",
    ),
)


BATCH = Batch(
    keys=(
        "id", "kind", "axis", "model", "agent", "with_brain", "with_plan", "mode", "config",
        "grader_version", "regress_total",
    ),
    sort=lambda run: run.on_claims,
    parts=(
        Part(("change", "change_detail", "answer_files", "truth_files"), change_comes_to),
        Part(("regress", "regress_misses", "regress_total"), regress_comes_to),
        Part(("error",), lambda run: bool(run.error)),
        Part(("changed_files",), lambda run: run.changed_files is not None and not run.changed_files),
    ),
    checks="change_detail",
    numbers={"latency": "wall_s"},
    used="tokens",
    recorded="cost",
    sent="prompt_tokens",
    cached="cached_tokens",
    written="completion_tokens",
)  # fmt: skip


def outcomes_of(run: BrownfieldRun, graded: Graded) -> Iterator[Outcome]:
    """What each metric says of the run."""
    stratum, why = stratum_of(run), (graded.state, graded.reason)
    change = graded.passed / graded.total if graded.state == "known" else None
    if change is None and run.on_claims and not graded.failed:
        why = ("unknown", NotKnown.NOT_ASKED)
    yield _outcome("change", stratum, change, why, graded.passed, graded.total)
    yield _outcome("done", stratum, None if change is None else change == 1, why)
    regress = None if graded.failed else graded.regress
    asked = not run.on_claims or run.regress is not None
    broken_why = why if graded.failed else graded.unsettled if asked else ("unknown", NotKnown.NOT_ASKED)
    yield _outcome("regress", stratum, regress, broken_why, *(graded.pages or (0, 0)))
    if run.on_claims:
        hit = graded.f1 is not None and graded.f1 >= AWARENESS_THRESHOLD
        f1_why = why if graded.failed else ("unknown", graded.ungraded)
        yield _outcome("awareness", stratum, None if graded.failed else graded.f1, f1_why, int(hit))
        return
    regressed = reverse = None
    if change is not None and regress is not None:
        regressed, reverse = change == 1 and regress < 1, change < 1 and regress == 1
    both_why = why if change is None else broken_why
    yield _outcome("divergence", stratum, regressed, both_why)
    yield _outcome("divergence_reverse", stratum, reverse, both_why)


def _outcome(
    metric: str,
    stratum: Keys,
    value: float | None,
    why: tuple[State, str],
    n: int | None = None,
    N: int = 1,
) -> Outcome:
    """What a metric says of one run, or why it says nothing; a value of 0 or 1 is its own ``n``."""
    if value is None:
        return Outcome(metric, stratum, why[0], reason=why[1])
    return Outcome(metric, stratum, "known", float(value), int(value) if n is None else n, N)


def context_of(run: BrownfieldRun) -> Iterator[Outcome]:
    """How long it took, and its tokens."""
    stratum = stratum_of(run)
    if run.wall_s is None:
        yield Outcome("latency", stratum, "unknown", reason="wall-clock time was not recorded")
    else:
        yield Outcome("latency", stratum, "known", float(run.wall_s), 1, 1)
    used = usages(run)
    if used is None:
        yield Outcome("tokens", stratum, "unknown", reason="tokens were not recorded")
    else:
        yield Outcome("tokens", stratum, "known", float(sum(u.input + u.output for u in used)), 1, 1)


def observe(rows: Sequence[Row], context: Context) -> Iterator[Observed]:
    """What each record says, in order of the rows."""
    for row in rows:
        run: BrownfieldRun = row.record
        graded, findings = grade(run)
        keys, stratum = dims_of(run, context), stratum_of(run)
        known = graded.state == "known" and graded.regress is not None and not run.on_claims
        recorded = run.recorded_cost
        yield Observed(
            dims=Keys(keys),
            stamp=utc(run.stamp),
            outcomes=(*outcomes_of(run, graded), *context_of(run)),
            progress=(progress_of(run, graded),),
            spent=Spent(
                keys["model"], stratum, None if recorded is None else pricing.femto(recorded), usages(run)
            ),
            point=(stratum, graded.passed / graded.total, graded.regress or 0.0) if known else None,
            checks=tuple((name, true) for name, true in run.change_detail or ())
            if graded.state == "known"
            else (),
            checks_stratum=stratum,
            findings=(*findings, *contradicted_totals(run)),
            tallied=tuple(tallied_of(run)),
            names=(("models", run.arm), ("names", run.id)),
            trial=numbered(run.rep, keys, stratum),
        )
