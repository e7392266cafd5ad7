"""The family brownfield: its contract and controls with the run pages and words that readers meet.

Apart from `metrics_core.families.brownfield.metrics`, so that what moves no number is no part of the
contract: pages, words, golden fixtures, and controls, which decide whether a number is shown and not what
it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from metrics_core.contracts import SANITY, Contract, LoggedSuite, sanity
from metrics_core.families.brownfield import FOLDER
from metrics_core.families.brownfield.fixtures import FIXTURES
from metrics_core.families.brownfield.grading import ARTEFACT, CLAIM
from metrics_core.families.brownfield.metrics import BATCH, METRICS, observe
from metrics_core.families.brownfield.record import BrownfieldRun
from metrics_core.families.brownfield.review import review
from metrics_core.families.brownfield.words import WORDS
from metrics_core.measurement import Context, Family, RowBatches
from metrics_core.results import Control

CONTRACT = Contract(
    id="assay/brownfield",
    version="1",
    title="Brownfield: change, and what it broke",
    module="metrics_core.families.brownfield.metrics",
    also=("metrics_core.measurement.columns.logs",),
    promise=tuple((m.name, m.estimand) for m in METRICS),
    fixtures=FIXTURES,
)


def controls(context: Context, recorded: Mapping[str, bytes], rows: RowBatches) -> Iterator[Control]:
    """The negative control: graders that pass on the untouched application prove nothing by passing."""

    def tasks(kind: str) -> frozenset[str]:
        return frozenset(keys["scenario"] for keys in context.tallied if keys.get("kind") == kind)

    sizes = (keys.get("regression set") for keys in context.tallied)
    logged = LoggedSuite(
        fixes=tasks("fix"),
        refactors=tasks("refactor"),
        regression_sets=frozenset(int(size) for size in sizes if size is not None),
        last=context.last,
    )
    yield sanity(recorded.get(SANITY), logged, SANITY)


FAMILY = Family(
    name="brownfield",
    title="Brownfield",
    folder=FOLDER,
    contract=CONTRACT,
    record=BrownfieldRun,
    metrics=METRICS,
    tracks=(ARTEFACT, CLAIM),
    observe=observe,
    batch=BATCH,
    review=review,
    words=WORDS,
    scatter=("change", "regress"),
    controls=controls,
    gates=("sanity",),
)
