"""The family questions: its contract and controls with the run pages and words that readers meet.

Apart from `metrics_core.families.questions.metrics`, so that what moves no number is no part of the contract:
pages, words, golden fixtures and controls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from metrics_core.contracts import Contract
from metrics_core.families.questions import FOLDER
from metrics_core.families.questions.fixtures import FIXTURES
from metrics_core.families.questions.grading import ANSWERS
from metrics_core.families.questions.metrics import METRICS, observe
from metrics_core.families.questions.record import QuestionRun
from metrics_core.families.questions.review import review
from metrics_core.families.questions.words import WORDS
from metrics_core.measurement import Context, Family, RowBatches
from metrics_core.results import Control

CONTRACT = Contract(
    id="assay/questions",
    version="1",
    title="Questions: exact answers, and facts stated",
    module="metrics_core.families.questions.metrics",
    promise=tuple((m.name, m.estimand) for m in METRICS),
    fixtures=FIXTURES,
)


def controls(context: Context, recorded: Mapping[str, bytes], rows: RowBatches) -> Iterator[Control]:
    """None beside the golden fixtures."""
    yield from ()


FAMILY = Family(
    name="questions",
    title="Questions",
    folder=FOLDER,
    contract=CONTRACT,
    record=QuestionRun,
    metrics=METRICS,
    tracks=(ANSWERS,),
    observe=observe,
    review=review,
    words=WORDS,
    controls=controls,
)
