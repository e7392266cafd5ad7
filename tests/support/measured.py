"""Records in memory -> what their family finds, without a folder: for tests of a single rule."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from metrics_core.experiments.settings import Settings
from metrics_core.families import FAMILIES
from metrics_core.formats.jsonl import Row, batches
from metrics_core.measurement.family import Context
from metrics_core.measurement.finalise import Findings, finalise
from metrics_core.measurement.fixtures import NO_DATA
from metrics_core.measurement.tabulate import Partial, tabulate
from metrics_core.memo import Memo
from metrics_core.results.estimate import Estimate
from metrics_core.results.review import Review

CONTEXT = Context(experiment="e", settings=Settings(), memo=Memo())


def lines(records: Sequence[dict[str, Any]]) -> bytes:
    """Records as the lines of a log."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def tabulated(family: str, records: Sequence[dict[str, Any]], context: Context = CONTEXT) -> Partial:
    """The partial of one log."""
    form = FAMILIES[family]
    return tabulate(form, batches([lines(records)], form.record, file="f.jsonl"), context)


def measured(family: str, records: Sequence[dict[str, Any]], context: Context = CONTEXT) -> Findings:
    """Everything that a family finds in one log."""
    return finalise(FAMILIES[family], tabulated(family, records, context), context, NO_DATA)


def by_id(found: Findings) -> dict[str, Estimate]:
    """Estimates by the part of their id behind the family's name: ``change?graded=assertions``."""
    return {e.id.partition(".")[2]: e for e in found.estimates}


def reviewed(family: str, records: Sequence[dict[str, Any]], context: Context = CONTEXT) -> list[Review]:
    """What a reader is shown of each record."""
    form = FAMILIES[family]
    (batch,) = batches([lines(records)], form.record, file="f.jsonl")
    return list(form.review([row for row in batch if isinstance(row, Row)], context))
