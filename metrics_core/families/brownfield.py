"""Brownfield: was the change made, and does everything that worked before still work?

Unit: one run of one scenario by one model. ``change`` is a mean over the task's own assertions and is
never a pass rate; it is always given beside ``regress``. Awareness tasks are graded on a claim, not on an
artefact: they are a stratum of their own. Nothing is pooled over ``graded``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metrics_core import pricing
from metrics_core.contract import Contract, Fixture
from metrics_core.control import Control
from metrics_core.estimate import pairs
from metrics_core.family import Context, Family, Metric, Observed, Outcome, RowBatches, Spent
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
from metrics_core.recorded_controls import SANITY, sanity
from metrics_core.records.brownfield import BrownfieldRun
from metrics_core.reviews.brownfield import review
from metrics_core.stamps import utc

_BY = (("model",), ("model", "kind"), ("model", "config"), ("scenario",))
METRICS = (
    Metric(
        name="change",
        kind="mean",
        of="assertions",
        groups=_BY,
        compared=("model", "config"),
        timeline=True,
        estimand="mean over runs of the fraction of the task's own assertions that pass; not a pass rate",
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


def _outcomes(run: BrownfieldRun, graded: Graded) -> Iterator[Outcome]:
    stratum, failed = stratum_of(run), graded.state == "error"
    change = graded.passed / graded.total if graded.state == "known" else None
    if change is not None:
        yield Outcome("change", stratum, "known", change, graded.passed, graded.total)
        yield Outcome("done", stratum, "known", float(change == 1), int(change == 1), 1)
    elif not (run.on_claims and not failed):
        yield Outcome("change", stratum, graded.state, reason=graded.reason)
        yield Outcome("done", stratum, graded.state, reason=graded.reason)
    if failed:
        yield Outcome("regress", stratum, "error", reason=graded.reason)
    elif graded.regress is None:
        yield Outcome("regress", stratum, "unknown", reason="no regression set was run")
    else:
        yield Outcome("regress", stratum, "known", graded.regress, *(graded.pages or (0, 0)))
    if run.on_claims:
        if failed:
            yield Outcome("awareness", stratum, "error", reason=graded.reason)
        elif graded.f1 is None:
            yield Outcome("awareness", stratum, "unknown", reason="no F1 and no lists of files recorded")
        else:
            hit = graded.f1 >= AWARENESS_THRESHOLD
            yield Outcome("awareness", stratum, "known", graded.f1, int(hit), 1)
        return
    both: tuple[tuple[str, bool], ...] = ()
    if change is not None and graded.regress is not None and not failed:
        both = (
            ("divergence", change == 1 and graded.regress < 1),
            ("divergence_reverse", change < 1 and graded.regress == 1),
        )
        for metric, parted in both:
            yield Outcome(metric, stratum, "known", float(parted), int(parted), 1)
    else:
        state, reason = graded.state, graded.reason
        if state == "known":
            state, reason = "unknown", "no regression set was run"
        for metric in ("divergence", "divergence_reverse"):
            yield Outcome(metric, stratum, state, reason=reason)


def _context(run: BrownfieldRun) -> Iterator[Outcome]:
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
            dims=pairs(keys),
            stamp=utc(run.stamp),
            outcomes=(*_outcomes(run, graded), *_context(run)),
            progress=(progress_of(run, graded),),
            spent=Spent(
                keys["model"], stratum, None if recorded is None else pricing.femto(recorded), usages(run)
            ),
            point=(stratum, graded.passed / graded.total, graded.regress or 0.0) if known else None,
            checks=tuple((name, held) for name, held in run.change_detail or ())
            if graded.state == "known"
            else (),
            checks_stratum=stratum,
            findings=findings,
        )


def controls(context: Context, recorded: Mapping[str, bytes], rows: RowBatches) -> Iterator[Control]:
    """The negative control: graders that pass on the untouched application prove nothing by passing."""
    yield sanity(recorded.get(SANITY), SANITY)


def _record(
    *,
    change: float,
    detail: list[bool],
    regress: float | None,
    task: str = "B1",
    kind: str = "fix",
    **more: Any,
) -> dict[str, Any]:
    """A tiny record for a fixture: assertions are named by their place."""
    return {
        "id": task,
        "kind": kind,
        "model": "m",
        "change": change,
        "change_detail": [[f"assertion {i}", held] for i, held in enumerate(detail, start=1)],
        "regress": regress,
        "changed_files": ["a.php"],
        "stamp": "2026-07-05T10:00:00Z",
        **more,
    }


FIXTURES = (
    Fixture(
        "task done, application broken",
        (_record(change=1.0, detail=[True, True, True], regress=0.6),),
        (
            ("change?graded=assertions", "3/3 1"),
            ("regress?graded=assertions", "0/1 0.6"),
            ("done?graded=assertions", "1/1 1"),
            ("divergence?graded=assertions", "1/1 1"),
            ("divergence_reverse?graded=assertions", "0/1 0"),
        ),
    ),
    Fixture(
        "a change without a regression set is neither broken nor whole",
        (_record(change=0.5, detail=[True, False], regress=None),),
        (
            ("change?graded=assertions", "1/2 0.5"),
            ("regress?graded=assertions", "0/0 none"),
            ("divergence?graded=assertions", "0/0 none"),
        ),
    ),
    Fixture(
        "a recorded value without one assertion behind it is invalid",
        (_record(change=0.5, detail=[], regress=1.0),),
        (("change?graded=assertions", "0/0 none"), ("regress?graded=assertions", "1/1 1")),
    ),
    Fixture(
        "a rounded value is recomputed from its detail; means are over runs, counts over assertions",
        (
            _record(change=0.714, detail=[True] * 5 + [False] * 2, regress=1.0),
            _record(change=1.0, detail=[True], regress=1.0, task="B2"),
        ),
        (("change?graded=assertions", "6/8 0.857143"), ("done?graded=assertions", "1/2 0.5")),
    ),
    Fixture(
        "awareness beside a fix in one file: never added up",
        (
            _record(change=1.0, detail=[True, True], regress=1.0),
            _record(
                change=0.4,
                detail=[],
                regress=None,
                task="A1",
                kind="awareness",
                answer_files=["a.php", "b.php"],
                truth_files=["a.php", "c.php", "d.php"],
            ),
        ),
        (
            ("change?graded=assertions", "2/2 1"),
            ("awareness?graded=claims", "0/1 0.4"),
            ("change?graded=claims", "no such figure"),
        ),
    ),
    Fixture(
        "pages, where the size of the regression set is known",
        (
            _record(
                change=1.0, detail=[True], regress=0.9375, regress_total=32, regress_misses=["cart", "login"]
            ),
        ),
        (("regress?graded=assertions", "30/32 0.9375"),),
    ),
    Fixture(
        "a run that failed is an error, whatever it recorded",
        (_record(change=1.0, detail=[True], regress=1.0, error="timed out"),),
        (("change?graded=assertions", "0/0 none"), ("regress?graded=assertions", "0/0 none")),
    ),
)

CONTRACT = Contract(
    id="assay/brownfield",
    version="1",
    title="Brownfield: change, and what it broke",
    module=__name__,
    promise=tuple((m.name, m.estimand) for m in METRICS),
    fixtures=FIXTURES,
)

FAMILY = Family(
    name="brownfield",
    title="Brownfield",
    folder="logs_big",
    contract=CONTRACT,
    record=BrownfieldRun,
    metrics=METRICS,
    tracks=(ARTEFACT, CLAIM),
    observe=observe,
    review=review,
    scatter=("change", "regress"),
    controls=controls,
)
