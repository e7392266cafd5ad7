"""The family layered: its contract and records with the run pages and words that readers meet.

Apart from `metrics_core.families.layered.metrics`, so that neither pages nor words are part of the contract.
"""

from __future__ import annotations

from metrics_core.families.layered.attribution import PIPELINE
from metrics_core.families.layered.metrics import CONTRACT, METRICS, controls, observe
from metrics_core.families.layered.record import LayeredMeasurement
from metrics_core.families.layered.review import review
from metrics_core.families.layered.words import WORDS
from metrics_core.measurement import Family

FAMILY = Family(
    name="layered",
    title="Layered pipeline",
    folder="logs_layered",
    contract=CONTRACT,
    record=LayeredMeasurement,
    metrics=METRICS,
    tracks=(PIPELINE,),
    observe=observe,
    review=review,
    words=WORDS,
    controls=controls,
)
