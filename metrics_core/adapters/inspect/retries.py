"""Which logs are tries of one task, and where each of its runs counts: in the last try that holds it.

Inspect's retry writes a new log beside the first, with the same task id, into which it copies what was
complete. The same log in both its forms is no retry: it counts once. Does: compare the logs that are read
together, by their headers, and the samples of those that belong together. Does not: look beyond these.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct, field

from metrics_core.adapters.inspect.log_text import EvalLog
from metrics_core.adapters.inspect.samples import Identity, SampleRun, read
from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import AssayError
from metrics_core.formats import Stream, seconds

HEAD = 2**20
"""Bytes in which a log has told what was run."""

_EVAL = re.compile(r'"eval"\s*:\s*(?=\{)')


class OtherTries(Struct, frozen=True):
    """Where the runs of one log count, if not in it.

    Attributes:
        later: Run -> the log in which a later try of it stands.
        same: Run -> the log in which the very same one stands.
        elsewhere: How many runs of the task count in other logs.
    """

    later: Mapping[Identity, str] = field(default_factory=dict)
    same: Mapping[Identity, str] = field(default_factory=dict)
    elsewhere: int = 0


class _Try(Struct, frozen=True):
    """One log among the tries of a task."""

    path: str
    task: bytes
    run: tuple[str, str]
    created: int

    @property
    def place(self) -> tuple[int, str]:
        return (self.created, self.path)


def survey(paths: Sequence[str], stream: Stream) -> dict[str, OtherTries]:
    """What logs say of each other.

    Args:
        paths: Of the logs that are read together.
        stream: Path -> text of one, in pieces.

    Returns:
        Path -> where its runs count; a log that is alone in its task is not in it.
    """
    tasks: dict[bytes, list[_Try]] = defaultdict(list)
    for path in paths:
        found = _try(path, stream)
        if found is not None:
            tasks[found.task].append(found)
    told: dict[str, OtherTries] = {}
    for tries in tasks.values():
        if len(tries) > 1:
            told |= _compared(sorted(tries, key=lambda each: each.place), stream)
    return told


def _compared(tries: Sequence[_Try], stream: Stream) -> dict[str, OtherTries]:
    """Tries of one task, in the order in which they were made."""
    runs = {each.path: dict(_runs(each.path, stream)) for each in tries}
    told: dict[str, OtherTries] = {}
    for at, mine in enumerate(tries):
        later = {
            run: other.path
            for other in tries[at + 1 :]
            if other.run != mine.run
            for run in runs[other.path]
            if run in runs[mine.path]
        }
        same = {
            run: other.path
            for other in reversed(tries[:at])
            if other.run == mine.run
            for run, digest in runs[other.path].items()
            if runs[mine.path].get(run) == digest
        }
        everywhere = {run for each in tries for run in runs[each.path]}
        elsewhere = len(everywhere - set(runs[mine.path]))
        told[mine.path] = OtherTries(later, same, elsewhere)
    return told


def _try(path: str, stream: Stream) -> _Try | None:
    """A log by its first bytes; None where they do not tell, which is then a log by itself."""
    try:
        declared = _declared(stream(path))
        task_id = declared.get("task_id")
        if not isinstance(task_id, str) or not any(map(str.isalnum, task_id)):
            return None
        names: list[Any] = [task_id, declared.get("task"), declared.get("model"), declared.get("task_args")]
        run = (str(declared.get("run_id")), str(declared.get("eval_id")))
        return _Try(path, canonical(names), run, seconds(declared.get("created"), "a log"))
    except (AssayError, ValueError, RecursionError, TypeError):
        return None


def _declared(pieces: Iterator[bytes]) -> dict[str, Any]:
    """What a log says was run; nothing where its first bytes do not hold that."""
    text = ""
    for piece in pieces:
        text += piece.decode("utf-8", "replace")
        found = _EVAL.search(text)
        if found is not None:
            with suppress(ValueError):  # not all of it is there yet
                declared, _ = json.JSONDecoder().raw_decode(text, found.end())
                return dict(declared)
        if len(text) > HEAD:
            break
    return {}


def _runs(path: str, stream: Stream) -> Iterator[tuple[Identity, str]]:
    """Each run of a log, and what it comes to."""
    try:
        log = EvalLog.of(path, stream(path))
        for number, raw in enumerate(log.samples, start=1):
            found = read(raw, log, path, number)
            if isinstance(found, SampleRun):
                yield found.identity, of_bytes(canonical([dict(found.record), found.scores]))
    except (AssayError, ValueError):
        return
