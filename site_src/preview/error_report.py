"""What is wrong, as the page over the last good page says it: file, line, excerpt, message, hint, trace.

Does: turn any exception into an `ErrorReport`. Does not: catch one, or show it; ``overlay.js`` does.
"""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from jinja2 import TemplateError, TemplateSyntaxError
from msgspec import Struct

from metrics_core.errors import AssayError
from metrics_core.formats import strict_yaml
from metrics_core.text import visible
from site_src.pages import NotTextError

AROUND = 3
"""Lines of an excerpt before and after the one that is marked."""
WIDEST = 200
"""Characters of a line that are quoted."""

Find = Callable[[str], "Path | None"]
"""The file that an error's words name, on this disk."""

_WHERE = re.compile(
    r"(?P<file>.+?)(?::(?P<line>\d+))?(?::(?P<column>\d+))?(?:#(?P<pointer>/.*))?\Z", re.DOTALL
)


class ErrorReport(Struct, frozen=True, kw_only=True):
    """One thing that is wrong.

    Attributes:
        kind: "Error" of ours, "Template" error, or the type of an exception that nobody expected.
        problem: The sentence.
        where: ``file:line:column``, as it was said.
        hint: What to do; may be empty.
        excerpt: (number, text, whether it is the line) of the lines around it; empty where no line is known.
        trace: The whole trace of an exception that nobody expected.
    """

    kind: str
    problem: str
    where: str
    hint: str = ""
    excerpt: tuple[tuple[int, str, bool], ...] = ()
    trace: str = ""

    def to_json(self) -> dict[str, object]:
        """As the page gets it."""
        return {
            "kind": self.kind,
            "problem": self.problem,
            "where": self.where,
            "hint": self.hint,
            "excerpt": [list(line) for line in self.excerpt],
            "trace": self.trace,
        }

    def __str__(self) -> str:
        return f"{self.where}: {self.problem}" + (f" ({self.hint})" if self.hint else "")


def of(error: BaseException, find: Find, templates: Path) -> ErrorReport:
    """What an exception says.

    Args:
        error: Any.
        find: Finds the file that an error names.
        templates: Folder of the templates; an error that passed through one is that template's.
    """
    if isinstance(error, AssayError):
        return _ours(error, find)
    if isinstance(error, OSError) and isinstance(error.filename, str | os.PathLike):
        name = visible(Path(error.filename).name, escaped=True)
        return ErrorReport(kind="Error", problem=f"cannot be read: {error.strerror}", where=name)
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, TemplateSyntaxError):
        path = Path(error.filename or templates / (error.name or ""))
        return _at(error, "Template error", error.message or "cannot be read", path, error.lineno)
    inside = [f for f in frames if Path(f.filename).is_relative_to(templates)]
    if inside and (isinstance(error, TemplateError | NotTextError) or frames[-1] in inside):
        at = inside[-1]
        return _at(error, "Template error", str(error), Path(at.filename), at.lineno)
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else type(error).__name__
    return ErrorReport(
        kind=type(error).__name__,
        problem=visible(str(error), escaped=True) or type(error).__name__,
        where=where,
        hint="this is a fault of the program, not of what was saved",
        excerpt=excerpt(Path(frames[-1].filename), frames[-1].lineno) if frames else (),
        trace=_trace(error),
    )


def _at(error: BaseException, kind: str, problem: str, path: Path, line: int | None) -> ErrorReport:
    return ErrorReport(
        kind=kind,
        problem=visible(problem, escaped=True),
        where=f"{path.name}:{line}" if line else path.name,
        excerpt=excerpt(path, line),
    )


def _ours(error: AssayError, find: Find) -> ErrorReport:
    words = _WHERE.match(error.where)
    path = find(words["file"]) if words else None
    line = int(words["line"]) if words and words["line"] else None
    if words and path and line is None and words["pointer"]:
        line = _line_of(path, words["pointer"])
    return ErrorReport(
        kind="Error",
        problem=visible(error.problem, escaped=True),
        where=visible(error.where, escaped=True),
        hint=visible(error.hint, escaped=True),
        excerpt=excerpt(path, line) if path else (),
    )


def _line_of(path: Path, pointer: str) -> int | None:
    """The line of a YAML file on which the part stands that a JSON pointer names."""
    if path.suffix not in (".yaml", ".yml"):
        return None
    keys = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    try:
        document = strict_yaml.parse(path.read_bytes(), path.name)
    except (AssayError, OSError):
        return None
    named = document.where(*(int(key) if key.isdecimal() else key for key in keys))
    return int(named.rpartition(":")[2])


def excerpt(path: Path, line: int | None) -> tuple[tuple[int, str, bool], ...]:
    """Lines of a file around one of them; nothing where there is none to show.

    Args:
        path: The file.
        line: From 1; a line behind the end is taken as the last.
    """
    if not line or line < 1:
        return ()
    try:
        lines = path.read_text("utf-8", "replace").split("\n")
    except OSError:
        return ()
    line = min(line, len(lines))
    first, last = max(1, line - AROUND), min(len(lines), line + AROUND)
    return tuple((at, _short(lines[at - 1]), at == line) for at in range(first, last + 1))


def _short(text: str) -> str:
    text = visible(text.rstrip("\r").expandtabs(4), escaped=True)
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"


def _trace(error: BaseException) -> str:
    """The trace, with paths from this machine's home cut short."""
    found: TracebackType | None = error.__traceback__
    lines = traceback.format_exception(type(error), error, found)
    return visible("".join(lines).replace(str(Path.home()), "~"), escaped=True).replace("\\u000a", "\n")
