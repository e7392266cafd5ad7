"""When the words of a decision were committed: what git says of the files that call themselves registered.

Does: find the first commit since which the claims of a file, and what it registers, stand as they do now. A
file that was renamed begins anew, and a history that was cut short tells nothing. Does not: hold the dates of
records against it (`site_src.decisions.registration`), or believe that nobody set a clock back.
"""

from __future__ import annotations

import datetime as dt
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from metrics_core.errors import AssayError
from site_src.project import markdown

KEY: Final = "registered"
WORDS: Final = ("claims", KEY)
"""Keys of a decision's front matter that must not change after it was registered."""

MOST_COMMITS: Final = 1000
"""Commits of one file that are looked at."""

QUIETLY: Final = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1",
                   "GIT_NO_REPLACE_OBJECTS": "1"}  # fmt: skip

Proof = Literal["committed", "not committed", "no history"]


class Registration(Struct, frozen=True, kw_only=True):
    """What git says of the words of one decision.

    Attributes:
        proof: Whether a commit holds them as they stand; ``no history`` where there is no git, or only a part
            of its history.
        commit: The first of those since which they stand so, all its digits; empty without one.
        time: When it was committed, as ``2026-07-03T09:00:00Z``; empty without one.

    Raises:
        ValueError: A commit without a time, or with none that there is, or where none holds the words.
    """

    proof: Proof
    commit: Annotated[str, Meta(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})?$")] = ""
    time: Annotated[str, Meta(pattern=r"^([0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}Z)?$")] = ""

    def __post_init__(self) -> None:
        if bool(self.commit) != (self.proof == "committed"):
            raise ValueError(f"{self.proof}, with the commit {self.commit!r}")
        if self.commit:
            dt.datetime.fromisoformat(self.time)


def registrations(folder: Path, files: Sequence[tuple[str, bytes]]) -> dict[str, Registration]:
    """Name of a file that registers something -> what git says of it.

    Args:
        folder: In which the files lie.
        files: Names and bytes of decisions.
    """
    return {name: _of(folder, name, words) for name, data in files if (words := _words(data)) is not None}


def _of(folder: Path, name: str, words: dict[str, Any]) -> Registration:
    shallow = _git(folder, "rev-parse", "--is-shallow-repository")
    if shallow is None or shallow.strip() != b"false":
        return Registration(proof="no history")
    first: tuple[str, int] | None = None
    for commit, seconds in _commits(folder, name):
        data = _git(folder, "cat-file", "blob", f"{commit}:./{name}")
        if data is None or _words(data) != words:
            break
        first = commit, seconds
    if first is None:
        return Registration(proof="not committed")
    try:
        time = dt.datetime.fromtimestamp(first[1], dt.UTC).isoformat().replace("+00:00", "Z")
    except (OverflowError, ValueError):  # no calendar has the day, so it proves nothing
        return Registration(proof="no history")
    return Registration(proof="committed", commit=first[0], time=time)


def _commits(folder: Path, name: str) -> Iterator[tuple[str, int]]:
    """Commits that changed a file, the newest first: digits, and seconds since 1970.

    What came by a merge counts from the merge: until then the line that is published said something else.
    """
    listed = _git(
        folder, "rev-list", "--first-parent", "--timestamp", f"--max-count={MOST_COMMITS}", "HEAD", "--", name
    )  # fmt: skip
    for row in (listed or b"").decode().splitlines():
        seconds, _, commit = row.partition(" ")
        yield commit, int(seconds)


def _words(data: bytes) -> dict[str, Any] | None:
    """What a file claims and registers; None where it registers nothing, or is no decision."""
    if KEY.encode() not in data:
        return None
    try:
        front = markdown.read(data, "").front
    except AssayError:
        return None
    value = None if front is None else front.value
    if not isinstance(value, dict) or value.get(KEY) is None:
        return None
    return {key: value.get(key) for key in WORDS}


def _without_hooks() -> dict[str, str]:
    """The environment without what a hook of git sets, so that the folder alone says which repository."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def _git(folder: Path, *words: str) -> bytes | None:
    """What a command of git's plumbing prints.

    Nothing is run that the repository configures: no hook, and no fetching of what a partial clone lacks.
    """
    try:
        done = subprocess.run(
            ["git", "-c", "protocol.allow=never", *words],  # noqa: S607 (whichever git the author uses)
            cwd=folder,
            capture_output=True,
            check=False,
            timeout=30,
            env={**_without_hooks(), **QUIETLY},
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None
