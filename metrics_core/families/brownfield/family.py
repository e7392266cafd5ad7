"""The family brownfield: its contract and records with the run pages and words that readers meet.

Apart from `metrics_core.families.brownfield.metrics`, so that neither pages nor words are part of the
contract.
"""

from __future__ import annotations

from metrics_core.families.brownfield.grading import ARTEFACT, CLAIM
from metrics_core.families.brownfield.metrics import CONTRACT, METRICS, controls, observe
from metrics_core.families.brownfield.record import BrownfieldRun
from metrics_core.families.brownfield.review import review
from metrics_core.families.brownfield.words import WORDS
from metrics_core.measurement import Family

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
    words=WORDS,
    scatter=("change", "regress"),
    controls=controls,
)
