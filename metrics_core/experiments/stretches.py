"""A large log in stretches of whole lines, each of which can be read by itself, by whoever has its folder.

Does: cut one, and read a stretch, whose lines keep the numbers that they have in the log. Does not: cut what
is packed, or has something taken out of it: there no place in the file is a place in its text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from metrics_core.experiments.experiment import Experiment
from metrics_core.experiments.files import opened
from metrics_core.formats import Row, decompression, jsonl
from metrics_core.results import Problem

CHUNK = 2**20
"""Bytes that are read at once."""


class Stretch(NamedTuple):
    """Whole lines of a log.

    Attributes:
        start: Bytes before it.
        stop: Bytes up to its end.
        first: Number of its first line, from 1.
    """

    start: int
    stop: int
    first: int


def cut_log(experiment: Experiment, path: str, at_once: int) -> tuple[Stretch, ...]:
    """The stretches of a log, in order; none where it is published otherwise than it stands on the disk.

    Args:
        experiment: Whose files were digested.
        path: Of the log.
        at_once: Bytes that a stretch has at least, but for the last.

    Raises:
        InputError: It cannot be read, or changed since the folder was looked at.
    """
    clean = experiment.snapshot is not None and path in experiment.snapshot.clean
    if not clean or decompression.is_packed(path):
        return ()
    found = []
    start, first, lines, at = 0, 1, 0, 0
    with opened(experiment.root, experiment.entries[path]) as file:
        while piece := file.read(CHUNK):
            lines += piece.count(b"\n")
            end = piece.rfind(b"\n") + 1
            if end and at + end - start >= at_once:
                found.append(Stretch(start, at + end, first))
                start, first = at + end, lines + 1
            at += len(piece)
    if start < at:
        found.append(Stretch(start, at, first))
    return tuple(found)


def row_batches(
    experiment: Experiment, path: str, record_type: type[Any], stretch: Stretch | None = None
) -> Iterator[list[Row | Problem]]:
    """Rows and problems of a file, or of a stretch of it; see `metrics_core.formats.jsonl.batches`."""
    name, first = experiment.published_name(path), 1 if stretch is None else stretch.first
    return jsonl.batches(text_of(experiment, path, stretch), record_type, file=name, first=first)


def text_of(experiment: Experiment, path: str, stretch: Stretch | None = None) -> Iterator[bytes]:
    """The text of a file as published, or of a stretch of it, in pieces.

    Raises:
        InputError: It cannot be read, or changed since the folder was looked at.
    """
    if stretch is None:
        yield from experiment.open_published(path)
        return
    with opened(experiment.root, experiment.entries[path]) as file:
        file.seek(stretch.start)
        left = stretch.stop - stretch.start
        while left and (piece := file.read(min(left, decompression.CHUNK))):
            left -= len(piece)
            yield piece
