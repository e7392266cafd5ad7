"""The family attempts: its contract and records with the run pages and words that readers meet.

Apart from `metrics_core.families.attempts.metrics`, so that neither pages nor words are part of the contract.
"""

from __future__ import annotations

from metrics_core.families.attempts.grading import TRACKS
from metrics_core.families.attempts.metrics import CONTRACT, FOLDERS, METRICS, controls, observe
from metrics_core.families.attempts.record import Attempt
from metrics_core.families.attempts.review import review
from metrics_core.families.attempts.words import WORDS
from metrics_core.measurement import Family

FAMILY = Family(
    name="attempts",
    title="Attempts",
    folder="attempts/",
    contract=CONTRACT,
    record=Attempt,
    metrics=METRICS,
    tracks=TRACKS,
    observe=observe,
    review=review,
    words=WORDS,
    controls=controls,
    folders=FOLDERS,
)
