"""The family traces: its contract and records with the run pages and words that readers meet.

Apart from `metrics_core.families.traces.metrics`, so that neither pages nor words are part of the contract.
"""

from __future__ import annotations

from metrics_core.families.traces import recorded_score
from metrics_core.families.traces.grading import TRACK
from metrics_core.families.traces.metrics import CONTRACT, METRICS, controls, observe
from metrics_core.families.traces.record import Trace
from metrics_core.families.traces.review import review
from metrics_core.families.traces.words import WORDS
from metrics_core.measurement import Family

FAMILY = Family(
    name="traces",
    title="Scored traces",
    folder="traces",
    contract=CONTRACT,
    record=Trace,
    metrics=METRICS,
    tracks=(TRACK, recorded_score.TRACK),
    observe=observe,
    review=review,
    words=WORDS,
    controls=controls,
    further=(recorded_score.CONTRACT,),
)
