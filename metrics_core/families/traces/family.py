"""The family traces: its contract and controls with the run pages and words that readers meet.

Apart from `metrics_core.families.traces.metrics`, so that what moves no number is no part of the contract:
pages, words, golden fixtures, and controls, which decide whether a number is shown and not what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import msgspec

from metrics_core.contracts import (
    PACK_DIGEST,
    SHUFFLED_ORACLES,
    STUB_AGENT,
    Contract,
    occurring_tasks,
    pack_digest,
    score_all,
    shuffled_oracles,
    stub_agent,
)
from metrics_core.families.traces import FOLDER, quantities, recorded_score, recorded_score_fixtures
from metrics_core.families.traces.fixtures import FIXTURES
from metrics_core.families.traces.grading import SCORED, SCORED_BY_FIELDS, TRACK, contract_for, planned
from metrics_core.families.traces.metrics import METRICS, observe
from metrics_core.families.traces.record import Trace
from metrics_core.families.traces.review import review
from metrics_core.families.traces.words import WORDS
from metrics_core.measurement import Context, Family, RowBatches
from metrics_core.results import Control

CONTRACT = Contract(
    id="assay/traces",
    version="1",
    title="Traces: how far each came, and what it took",
    module="metrics_core.families.traces.metrics",
    promise=tuple((m.name, m.estimand) for m in METRICS),
    fixtures=FIXTURES,
)

TABLE_SCORE = Contract(
    id=recorded_score.TABLE,
    version="1",
    title="Scores of a table: as its columns hold them, not graded again",
    module="metrics_core.families.traces.metrics",
    promise=(
        (
            "score",
            "mean of a column of outcomes: yes, true and pass are 1, no, false and fail 0; n counts 1s",
        ),
        (
            "pass_hat_k",
            "mean over repeated tasks of the chance that all of k tries score 1; n counts tasks at 1",
        ),
        (
            "pass_at_k",
            "mean over repeated tasks of the chance that any of k tries scores 1; n counts tasks at 1",
        ),
        ("quantity", "mean of a column whose numbers leave 0..1, on its own scale"),
    ),
    fixtures=recorded_score_fixtures.TABLE,
)

RECORDED_SCORE = Contract(
    id=recorded_score.CONTRACT_ID,
    version="1",
    title="Recorded scores: as the harness's own scorer gave them, not graded again",
    module="metrics_core.families.traces.metrics",
    promise=(
        ("score", "mean: C = 1, I = 0, P = 0.5, N (no answer) = 0, a reward of 0 to 1 as it is; n counts 1s"),
        ("quantity", "mean of a scorer whose rewards leave 0..1, on its own scale"),
        ("pass_hat_k", "mean over tasks of the chance that all of k tries score full; n counts tasks at 1"),
        ("pass_at_k", "mean over tasks of the chance that any of k tries scores full; n counts tasks at 1"),
    ),
    fixtures=recorded_score_fixtures.FIXTURES,
)  # fmt: skip


def controls(context: Context, recorded: Mapping[str, bytes], rows: RowBatches) -> Iterator[Control]:
    """The pack's digest; and for each contract a stub agent, and oracles shuffled across tasks."""
    yield pack_digest(context.pack)
    for contract in context.contracts:
        by_agent: dict[str, list[dict[str, Any]]] = {}
        for batch in rows():
            for row in batch:
                if contract_for(row.record, context) is contract:
                    by_agent.setdefault(row.record.agent, []).append(msgspec.json.decode(row.raw))
        score = partial(score_all, contract, anew=False)
        floor, digest = contract.floor, contract.digest
        tasks = occurring_tasks(by_agent) if context.pack is None else context.pack.tasks
        yield stub_agent(tasks, score, runs=by_agent, floor=floor, contract=digest)
        yield shuffled_oracles(by_agent, tasks, score, floor=floor, contract=digest)


FAMILY = Family(
    name="traces",
    title="Scored traces",
    folder=FOLDER,
    contract=CONTRACT,
    record=Trace,
    metrics=METRICS,
    tracks=(TRACK, SCORED_BY_FIELDS, SCORED, recorded_score.TRACK, recorded_score.QUANTITIES),
    observe=observe,
    review=review,
    words=WORDS,
    controls=controls,
    gates=(PACK_DIGEST, STUB_AGENT, SHUFFLED_ORACLES),
    further=(RECORDED_SCORE, TABLE_SCORE),
    notes=recorded_score.notes,
    settle=quantities.settle,
    planned=planned,
)
