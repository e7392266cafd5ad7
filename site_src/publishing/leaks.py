"""The last look: no secret and no trace of this machine stands in any file that is about to be published.

Records were redacted when they were read; what is found here stands in prose, settings or our own output.
"""

from __future__ import annotations

import getpass
import json
import os
import re
import socket
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from sys import getsizeof
from typing import Any

from metrics_core.errors import LeakError
from metrics_core.experiments import Experiment, FileDigest
from metrics_core.redaction import BuilderIdentity, Redactor
from metrics_core.text import visible
from site_src.project import SiteFile, Told, each_made, pictures

TEXT = (
    *(".html", ".json", ".jsonl", ".js", ".css", ".csv", ".txt", ".xml", ".md", ".svg", ".py"),
    *(".yaml", ".yml", ".sums", ".sha256", ".lock", ".bib"),
)

MARK = re.compile(rb"\[redacted:([a-z0-9-]+)\]")
_MARK_IN_TEXT = re.compile(MARK.pattern.decode())

MOST_PLACES = 20
"""Places in one experiment's records that are told each by itself."""

WORDS_AROUND = 60
"""Bytes of the text around what was found that are told."""

MOST_OF_LINES = 12 * 2**20
"""Bytes of lines that are remembered of late, and of those before them."""


def screened(files: Iterable[SiteFile], redactor: Redactor, told: Told | None = None) -> Iterator[SiteFile]:
    """The same files, each looked through.

    Args:
        files: As they are about to be written.
        redactor: Knows what must not leave.
        told: Called with the error of each file that holds something; None raises the first.

    Raises:
        LeakError: A file holds a secret or a trace; which kind and where, never what it is.
    """
    yield from each_made(looked_through(redactor), files, told)


def looked_through(redactor: Redactor) -> Callable[[SiteFile], SiteFile]:
    """What looks through one file after another, and gives each, or refuses it.

    A line in which this redactor found nothing is not searched again in this process.

    Args:
        redactor: Knows what must not leave.
    """
    seen = _clean_lines(redactor)

    def clean(file: SiteFile) -> SiteFile:
        if file.path.lower().endswith(pictures.KINDS):
            _refuse_what_stands_in(file, redactor)
        elif file.path.endswith(TEXT) and not file.screened:
            found = redactor.places(file.data) if _may_leak(file.data, seen, redactor) else []
            if found:
                counts = sorted(Counter(name for _, name in found).items())
                raise LeakError(
                    f"holds {', '.join(f'{count} x {name}' for name, count in counts)}",
                    where=f"{file.path}:{found[0][0]}",
                    hint=f"take it out of the page or setting it came from: {_around(file.data, redactor)}",
                )
        return file

    return clean


def _refuse_what_stands_in(picture: SiteFile, redactor: Redactor) -> None:
    """Refuse a picture with a secret in what its camera or editor wrote into it, or behind its end."""
    found = redactor.places(pictures.text_of(picture.data))
    if found:
        raise LeakError(
            f"holds 1 {found[0][1]} in the text of the picture",
            where=picture.path,
            hint="save the picture without what its camera or editor wrote into it",
        )


def _may_leak(data: bytes, seen: CleanLines, redactor: Redactor) -> bool:
    """Whether a file holds what must not be published, by those of its lines that no file had before.

    Secrets stand within lines, but for keys of several: where one might be, the whole file is asked for.
    """
    if b"private" in data.lower():
        return True
    fresh = seen.others(data.split(b"\n"))
    if fresh and redactor.places(b"\n".join(fresh)):
        return True
    seen.add(fresh)
    return False


class CleanLines:
    """Lines in which nothing was found, those of late: what is on every page stays, the rest is forgotten.

    Args:
        most: Bytes of lines after which those that were not met since as many bytes are forgotten.

    >>> seen = CleanLines(most=80)
    >>> seen.add([b"a", b"b"])
    >>> seen.others([b"a", b"c", b"c"])
    [b'c']
    """

    def __init__(self, most: int = MOST_OF_LINES) -> None:
        self.most, self._size = most, 0
        self._late: set[bytes] = set()
        self._before: set[bytes] = set()

    def others(self, lines: Iterable[bytes]) -> list[bytes]:
        """Those of some lines that are not among these, each once, in their order."""
        late, before = self._late, self._before
        found = dict.fromkeys(line for line in lines if line not in late)
        if before:
            self.add([line for line in found if line in before])
            return [line for line in found if line not in before]
        return list(found)

    def add(self, lines: Iterable[bytes]) -> None:
        """Remember lines, and forget others where these are too many."""
        for line in lines:
            self._late.add(line)
            self._size += getsizeof(line)
        if self._size > self.most:
            self._late, self._before, self._size = set(), self._late, 0


@lru_cache(maxsize=2)
def _clean_lines(redactor: Redactor) -> CleanLines:
    """What is remembered of all that one redactor looked through."""
    return CleanLines()


def taken_out(experiment: Experiment) -> Iterator[str]:
    """Where something was taken out of an experiment's records: file, line and field, never what it was."""
    places = [
        place for file in experiment.digests.files if file.redacted for place in _places(experiment, file)
    ]
    for place, label in places[:MOST_PLACES]:
        yield f"{experiment.slug}: {place}: {label} redacted"
    if len(places) > MOST_PLACES:
        yield f"{experiment.slug}: {len(places) - MOST_PLACES} more places redacted"


def _places(experiment: Experiment, file: FileDigest) -> Iterator[tuple[str, str]]:
    """Each mark of a file as it is published: file:line#/pointer, and what stood there."""
    name = experiment.published_name(file.path)
    for number, line in enumerate(experiment.published(file).split(b"\n"), start=1):
        marks = [mark[1].decode() for mark in MARK.finditer(line)]
        if not marks:
            continue
        try:
            pointers = list(_pointers(json.loads(line)))
        except (ValueError, RecursionError):
            pointers = []
        if len(pointers) == len(marks):
            yield from ((f"{name}:{number}#{pointer}", label) for pointer, label in pointers)
        else:
            yield from ((f"{name}:{number}", label) for label in marks)


def _pointers(value: Any, above: str = "") -> Iterator[tuple[str, str]]:
    """Where marks stand in a decoded line, in the order of the line."""
    if isinstance(value, str):
        yield from ((visible(above, escaped=True), mark) for mark in _MARK_IN_TEXT.findall(value))
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from ((visible(above, escaped=True), mark) for mark in _MARK_IN_TEXT.findall(key))
            yield from _pointers(inner, f"{above}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _pointers(inner, f"{above}/{at}")


def _around(data: bytes, redactor: Redactor) -> str:
    """The text around the first thing that was found, as it would be without it: where to look for it."""
    clean = redactor.clean(data)[0]
    differs = next((at for at, (a, b) in enumerate(zip(clean, data, strict=False)) if a != b), 0)
    mark = next(m for m in MARK.finditer(clean) if m.end() > differs)
    words = clean[max(0, mark.start() - WORDS_AROUND) : mark.end() + WORDS_AROUND].decode("utf-8", "replace")
    return visible(" ".join(words.split()), escaped=True)


def this_builder() -> BuilderIdentity:
    """Whose machine this is: its home folder, host name, user and git e-mail, as far as they are known."""
    return BuilderIdentity(
        home=str(Path.home()), host=socket.gethostname(), user=_user(), emails=_git_emails()
    )


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def _git_emails() -> tuple[str, ...]:
    try:
        done = subprocess.run(
            ["git", "config", "user.email"],  # noqa: S607 (whichever git the builder has)
            capture_output=True,
            text=True,
            check=False,
            timeout=10,
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0"},
        )
    except (OSError, subprocess.SubprocessError):
        return ()
    return (done.stdout.strip(),)
