"""The transcripts that lie in this folder, by format; what is decoded of an element is redacted once more.

A format whose messages lie in a file beside the element declares ``beside``, which file it is, its way back
``element_of``, and ``conversation``, which reads it for whoever looks at the run: no number waits for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from functools import partial
from types import FunctionType
from typing import cast

from msgspec.structs import replace

from metrics_core.errors import FormatError, InputError
from metrics_core.formats import Adapter, Row
from metrics_core.redaction import Redactor
from metrics_core.registry import declarations
from metrics_core.results import Message, Review, Transcript
from metrics_core.text import visible


def _format(function: FunctionType) -> str:
    return function.__module__.rpartition(".")[2].replace("_", "-")


TRANSCRIPTS = cast(
    "Mapping[str, Callable[[bytes], Transcript]]",
    declarations(sys.modules["metrics_core.adapters.transcripts"], "transcript", FunctionType, _format),
)
"""Format -> the text of an element -> what can be read of it."""

BESIDE = cast(
    "Mapping[str, Callable[[str, bytes], str]]",
    declarations(sys.modules["metrics_core.adapters.transcripts"], "beside", FunctionType, _format),
)
"""Format -> path of a file and the text of an element in it -> path of the file with its messages."""

CONVERSATIONS = cast(
    "Mapping[str, Callable[[bytes], tuple[Message, ...]]]",
    declarations(sys.modules["metrics_core.adapters.transcripts"], "conversation", FunctionType, _format),
)
"""Format -> the text of that file -> its messages."""

ELEMENTS = cast(
    "Mapping[str, Callable[[str], str]]",
    declarations(sys.modules["metrics_core.adapters.transcripts"], "element_of", FunctionType, _format),
)
"""Format -> path of a file -> path of the file of its element, where the former holds messages."""


def is_shown(name: str, path: str, names: Collection[str]) -> bool:
    """Whether a file that holds no records is read for the page of a run.

    Args:
        name: The format.
        path: Of the file.
        names: Paths of the experiment's files that are published.

    >>> is_shown("harbor", "t/agent/trajectory.json", ("t/result.json",))
    True
    >>> is_shown("harbor", "t/agent/trajectory.json", ())
    False
    """
    return name in ELEMENTS and ELEMENTS[name](path) in names


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


def with_source(
    review: Review,
    row: Row,
    adapter: Adapter | None,
    names: Collection[str] = (),
    text: Callable[[str], bytes] = lambda path: b"",
) -> Review:
    """A run as it is shown, with the element that its record was made from, and how that is read.

    Args:
        review: As its family made it.
        row: Its record.
        adapter: What made the record of the element; None where it is a line of a log.
        names: Paths of the experiment's files that are published.
        text: Path of one of these -> all of its bytes, as published.
    """
    if adapter is None or not row.source:
        return review
    read = reading(adapter.format)
    if read is not None and adapter.format in BESIDE:
        read = partial(_read, partial(_with_beside, adapter.format, row.file, names, text))
    return replace(review, source=row.source, read=read)


def _with_beside(
    name: str, path: str, names: Collection[str], text: Callable[[str], bytes], source: bytes
) -> Transcript:
    """What an element holds, with the messages of the file beside it, where that is there."""
    held = TRANSCRIPTS[name](source)
    other = BESIDE[name](path, source)
    if other not in names:
        return held
    try:
        return replace(held, messages=CONVERSATIONS[name](text(other)))
    except (FormatError, InputError) as error:
        raise FormatError(f"{visible(other, escaped=True)}: {error.problem}", where="source") from error


def _read(transcript: Callable[[bytes], Transcript], source: bytes) -> Transcript:
    redactor = Redactor()
    return transcript(source).changed(lambda text: redactor.clean_text(text)[0])
