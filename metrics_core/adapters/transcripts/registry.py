"""The transcripts that lie in this folder, by format; what is decoded of an element is redacted once more."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import cast

from metrics_core.formats import Adapter, Row
from metrics_core.redaction import Redactor
from metrics_core.registry import declarations
from metrics_core.results import Review, Transcript


def _format(function: FunctionType) -> str:
    return function.__module__.rpartition(".")[2].replace("_", "-")


TRANSCRIPTS = cast(
    "Mapping[str, Callable[[bytes], Transcript]]",
    declarations(sys.modules["metrics_core.adapters.transcripts"], "transcript", FunctionType, _format),
)
"""Format -> the text of an element -> what can be read of it."""


def reading(name: str) -> Callable[[bytes], Transcript] | None:
    """How an element of a format is read for whoever looks at its run; None where nothing of it is known.

    An element was redacted as it stands in its file; a secret that was escaped there (in JSON within JSON,
    as arguments of tools often are) shows only once it is decoded, and is taken out then.

    Args:
        name: The format.

    >>> reading("no-such-format") is None
    True
    """
    found = TRANSCRIPTS.get(name)
    return None if found is None else partial(_read, found)


def with_source(review: Review, row: Row, adapter: Adapter | None) -> Review:
    """A run as it is shown, with the element that its record was made from, and how that is read.

    Args:
        review: As its family made it.
        row: Its record.
        adapter: What made the record of the element; None where it is a line of a log.
    """
    if adapter is None or not row.source:
        return review
    return replace(review, source=row.source, read=reading(adapter.format))


def _read(transcript: Callable[[bytes], Transcript], source: bytes) -> Transcript:
    redactor = Redactor()
    return transcript(source).changed(lambda text: redactor.clean_text(text)[0])
