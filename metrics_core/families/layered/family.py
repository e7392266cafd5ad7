"""The family layered: its contract and controls with the run pages and words that readers meet.

Apart from `metrics_core.families.layered.metrics`, so that what moves no number is no part of the contract:
pages, words, golden fixtures, and controls, which decide whether a number is shown and not what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from metrics_core.contracts import SELFTEST, Contract, attribution_selftest
from metrics_core.families.layered import FOLDER
from metrics_core.families.layered.attribution import PIPELINE
from metrics_core.families.layered.fixtures import FIXTURES
from metrics_core.families.layered.metrics import METRICS, observe
from metrics_core.families.layered.record import LayeredMeasurement
from metrics_core.families.layered.review import review
from metrics_core.families.layered.words import WORDS
from metrics_core.measurement import Context, Family, RowBatches
from metrics_core.results import Control

CONTRACT = Contract(
    id="assay/layered",
    version="1",
    title="Layered pipeline: layers alone and end to end, and whose a failure was",
    module="metrics_core.families.layered.metrics",
    promise=tuple((m.name, m.estimand) for m in METRICS),
    fixtures=FIXTURES,
)


def controls(context: Context, recorded: Mapping[str, bytes], rows: RowBatches) -> Iterator[Control]:
    """The attribution self-test: an attribution that never fires attributes nothing."""
    yield attribution_selftest(recorded.get(SELFTEST), SELFTEST)


FAMILY = Family(
    name="layered",
    title="Layered pipeline",
    folder=FOLDER,
    contract=CONTRACT,
    record=LayeredMeasurement,
    metrics=METRICS,
    tracks=(PIPELINE,),
    observe=observe,
    review=review,
    words=WORDS,
    controls=controls,
    gates=("attribution self-test",),
)
