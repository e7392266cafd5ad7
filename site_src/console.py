"""What the command line prints: safe text, progress, colour on a terminal alone.

No control character and no secret from data reaches a terminal, which a CI job may publish, and no character
that its encoding lacks where a plain one says the same. Knows no command.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from metrics_core.text import visible

_SPACES: Final = dict.fromkeys(map(ord, "\u00a0\u2009\u202f"), " ")
"""Spaces that pages set numbers with; in a terminal they are plain."""

_PLAIN: Final = str.maketrans({
    "−": "-", "–": "-", "—": "-", "·": "|", "×": "x", "±": "+/-", "≤": "<=", "≥": ">=", "…": "...", "→": "->",
    "“": '"', "”": '"', "‘": "'", "’": "'", "‹": "<", "›": ">",
})  # fmt: skip
"""What says the same as a character of ours where a terminal knows ASCII alone."""

_COMMAND: Final = re.compile(r"^[^\S\n]*::|##(?=\w*\[)", re.MULTILINE)

_BOLD, _DIM, _RED, _OFF = "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[0m"


EVERY: Final = 5.0
"""Seconds between two lines that say how far something long has come, where no line can be written over."""


class Console:
    """Prints messages for a person on standard error, and results on standard output.

    Args:
        out: Where results go.
        err: Where progress, notes and errors go.
        quiet: Only errors are printed.
    """

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None, *, quiet: bool = False) -> None:
        self.out = out or _open(sys.stdout)
        self.err = err or _open(sys.stderr)
        self.quiet = quiet
        self.live = self.err.isatty() and os.environ.get("TERM") != "dumb"
        self.coloured = self.live and "NO_COLOR" not in os.environ
        self._shown = False
        self._far = ""
        self._began = time.monotonic()
        self._writing = threading.Lock()

    @property
    def width(self) -> int | None:
        """Columns of the terminal that results go to; None where they go to a file or another program."""
        return shutil.get_terminal_size().columns if self.out.isatty() else None

    def show(self, text: str) -> None:
        """Print a result for a person: text that was made safe, in characters that its stream has."""
        self.result(encodable(inert(text), self.out.encoding))

    def record(self, text: str) -> None:
        """Print a result for a program: JSON, spelled so that no line of it is a command of a CI."""
        self.result(text.replace("##", "#\\u0023"))

    def result(self, text: str) -> None:
        """Print a result as it is, such as a path."""
        self.out.write(text if text.endswith("\n") else text + "\n")
        self.out.flush()

    def message(self, text: str) -> None:
        """Print lines for a person, each of them safe."""
        if not self.quiet:
            for line in _without_secrets(text).split("\n"):
                self._line(safe(line))

    def warn(self, text: str) -> None:
        """Print a line that a person must not miss."""
        self._line(self._in(_BOLD, safe(_without_secrets(text))))

    def fail(self, text: str) -> None:
        """Print an error, each line of it safe."""
        for line in _without_secrets(text).split("\n"):
            self._line(self._in(_RED, safe(line)))

    def progress(self, what: str, done: int, total: int | None = None) -> None:
        """Take down how far something long has come; a terminal shows it on one line that is written over."""
        named = visible(what, escaped=True)
        self._far = f"{named} {done}" if total is None else f"{named} {done}/{total}"
        if self.quiet or not self.live:
            return
        share = f" {done}" if total is None else f" {_bar(done, total)} {done}/{total}"
        with self._writing:
            self.err.write(f"\r\x1b[K{self._in(_DIM, named + share)}")
            self.err.flush()
            self._shown = True

    @contextmanager
    def working(self, every: float = EVERY) -> Iterator[None]:
        """For as long as something long takes, say how far it is: a line every few seconds, off a terminal.

        Args:
            every: Seconds between two lines; what ends sooner says nothing.
        """
        if self.quiet or self.live:
            yield
            return
        ended = threading.Event()

        def tell() -> None:
            while not ended.wait(every):
                self._line(f"{self._far or 'reading'} ({time.monotonic() - self._began:.0f} s)")

        teller = threading.Thread(target=tell, daemon=True)
        self._began = time.monotonic()
        teller.start()
        try:
            yield
        finally:
            ended.set()
            teller.join()

    def _line(self, text: str) -> None:
        with self._writing:
            if self._shown:
                self.err.write("\r\x1b[K")
                self._shown = False
            self.err.write(encodable(inert(text), self.err.encoding) + "\n")
            self.err.flush()

    def _in(self, style: str, text: str) -> str:
        return f"{style}{text}{_OFF}" if self.coloured else text


def _without_secrets(text: str) -> str:
    """The same words, without the secrets that a name, a setting or a policy may hold."""
    from metrics_core.redaction import Redactor

    return Redactor().clean_text(text)[0]


def safe(text: str) -> str:
    r"""One line of text with plain spaces, in which no control character is left.

    >>> safe("41\u202f263 a\x1b[2J")
    '41 263 a\\u001b[2J'
    """
    return visible(text.translate(_SPACES), escaped=True)


def inert(text: str) -> str:
    r"""The text, without what a CI that keeps it in its log takes for a command to itself.

    A line that begins with two colons is one to GitHub, two hashes before a bracket are one to Azure wherever
    they stand, and to TeamCity: a name in a record could set a variable of the job, or hide its errors.

    >>> inert("  ::error::a\nb ##vso[task.complete] c::d ## e")
    '  : :error::a\nb # #vso[task.complete] c::d ## e'
    """
    return _COMMAND.sub(lambda found: f"{found[0][:-1]} {found[0][-1]}", text)


def encodable(text: str, encoding: str | None) -> str:
    """The text, with plain characters where the encoding lacks one of ours.

    Args:
        text: Any text.
        encoding: Of a stream; None where it takes every character.

    >>> encodable("−0.12 × “a”", "ascii"), encodable("−0.12", "utf-8")
    ('-0.12 x "a"', '−0.12')
    """
    try:
        text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        return text.translate(_PLAIN)
    return text


def _open(stream: TextIO | None) -> TextIO:
    """A stream that takes every character, though its terminal knows few; nowhere, where it was closed."""
    if stream is None:
        return io.StringIO()
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


def _bar(done: int, total: int, width: int = 24) -> str:
    """A bar of fixed width.

    >>> _bar(1, 2, 4)
    '[##..]'
    """
    filled = 0 if total <= 0 else min(width, done * width // total)
    return f"[{'#' * filled}{'.' * (width - filled)}]"
