"""The family matrix: its contract and records with the run pages and words that readers meet.

Apart from `metrics_core.families.matrix.metrics`, so that neither pages nor words are part of the contract.
"""

from __future__ import annotations

from metrics_core.families.matrix.grading import ANSWERED, COMPILED, RAN
from metrics_core.families.matrix.metrics import CONTRACT, METRICS, controls, identity_in_name, observe
from metrics_core.families.matrix.record import MatrixTurn
from metrics_core.families.matrix.review import review
from metrics_core.families.matrix.words import WORDS
from metrics_core.measurement import Family

FAMILY = Family(
    name="matrix",
    title="Chat x coder matrix",
    folder="logs",
    contract=CONTRACT,
    record=MatrixTurn,
    metrics=METRICS,
    tracks=(RAN, COMPILED, ANSWERED),
    observe=observe,
    review=review,
    words=WORDS,
    controls=controls,
    identity_in_name=identity_in_name,
)
