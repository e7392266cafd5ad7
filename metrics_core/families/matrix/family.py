"""The family matrix: its contract and controls with the run pages and words that readers meet.

Apart from `metrics_core.families.matrix.metrics`, so that what moves no number is no part of the contract:
pages, words, golden fixtures, and controls, which decide whether a number is shown and not what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from metrics_core.contracts import Contract
from metrics_core.families.matrix import FOLDER
from metrics_core.families.matrix.fixtures import FIXTURES
from metrics_core.families.matrix.grading import ANSWERED, COMPILED, JUDGED, RAN, notes_of
from metrics_core.families.matrix.metrics import METRICS, identity_in_name, observe
from metrics_core.families.matrix.record import MatrixTurn
from metrics_core.families.matrix.review import review
from metrics_core.families.matrix.words import WORDS
from metrics_core.measurement import Context, Family, RowBatches
from metrics_core.results import Control

CONTRACT = Contract(
    id="assay/matrix",
    version="1",
    title="Chat x coder matrix: checks passed, class by class",
    module="metrics_core.families.matrix.metrics",
    promise=tuple((m.name, m.estimand) for m in METRICS),
    fixtures=FIXTURES,
)


def controls(context: Context, recorded: Mapping[str, bytes], rows: RowBatches) -> Iterator[Control]:
    """None beside the golden fixtures: the harness records no control of its checks."""
    yield from ()


FAMILY = Family(
    name="matrix",
    title="Chat x coder matrix",
    folder=FOLDER,
    contract=CONTRACT,
    record=MatrixTurn,
    metrics=METRICS,
    tracks=(RAN, COMPILED, JUDGED, ANSWERED),
    observe=observe,
    review=review,
    words=WORDS,
    controls=controls,
    notes=notes_of,
    identity_in_name=identity_in_name,
)
