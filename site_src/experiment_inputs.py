"""What a command line names as an experiment: folders, files, addresses, standard input; how a table is read.

Does: declare the flags, make settings of them as `experiment.yaml` would state them, and lay standard input
down as a file for as long as a command runs. Does not: read an experiment.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isfinite, nan
from pathlib import Path
from typing import Any, BinaryIO

from metrics_core.errors import InputError
from metrics_core.experiments import Place, place

STANDARD_INPUT = Path("-")
NAME = "stdin"
LARGEST = 4 * 2**30
"""Bytes that standard input may have."""

PIECE = 2**20


def add_reading(command: argparse.ArgumentParser) -> None:
    """The flags that say how a table is read, and on which scale a scorer's numbers are."""
    command.add_argument(
        "--map",
        type=_pair,
        action="append",
        default=[],
        metavar="ROLE=COLUMN",
        help="which column of a table has a role where its name does not say so, such as task=case, "
        "arm=Model, outcome=ok; unread=COLUMN says that it tells nothing; may be given several times",
    )
    command.add_argument(
        "--decimal-comma", action="store_true", help="a comma in a table's number is a decimal point"
    )
    command.add_argument(
        "--word",
        type=_word,
        action="append",
        default=[],
        metavar="WORD=NUMBER",
        help="what a word in a table's outcomes stands for, such as completed=1; may be given several times",
    )
    command.add_argument(
        "--scale",
        type=_scale,
        action="append",
        default=[],
        metavar="SCORER=LO..HI",
        help="rescale a scorer's numbers to 0..1, such as rating=1..5; failed=1..0 turns a column round in "
        "which 1 is a failure; without it, numbers outside 0..1 keep their own scale",
    )


def named_place(text: str) -> Place:
    """A path or an address, as a word of a command line.

    Raises:
        ArgumentTypeError: It is an address, and none that is read; the error does not repeat it.

    >>> named_place("s3://evals/july").name
    'july'
    """
    try:
        return place(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def settings_of(asked: argparse.Namespace) -> dict[str, Any]:
    """What these flags add to an experiment's settings.

    >>> flags = argparse.Namespace(map=[("task", "case")], scale=[("rating", [1.0, 5.0])])
    >>> settings_of(flags)
    {'source': {'format': 'table', 'map': {'task': ['case']}}, 'scale': {'rating': [1.0, 5.0]}}
    >>> settings_of(argparse.Namespace())
    {}
    """
    found: dict[str, Any] = {}
    roles: dict[str, list[str]] = {}
    for role, column in getattr(asked, "map", []):
        roles.setdefault(role, []).append(column)
    if roles:
        found["source"] = {"format": "table", "map": roles}
    if getattr(asked, "decimal_comma", False):
        found["source"] = {"format": "table", **found.get("source", {}), "decimal_comma": True}
    if words := getattr(asked, "word", []):
        found["source"] = {"format": "table", **found.get("source", {}), "words": dict(words)}
    if scales := getattr(asked, "scale", []):
        found["scale"] = dict(scales)
    return found


def flags_of(asked: argparse.Namespace) -> tuple[str, ...]:
    """The same flags word by word, as a command line takes them.

    >>> flags_of(argparse.Namespace(map=[("task", "case")], scale=[("rating", [1.0, 5.0])]))
    ('--map', 'task=case', '--scale', 'rating=1..5')
    """
    words = [word for role, column in getattr(asked, "map", []) for word in ("--map", f"{role}={column}")]
    words += ["--decimal-comma"] * getattr(asked, "decimal_comma", False)
    for word, number in getattr(asked, "word", []):
        words += ["--word", f"{word}={_spelled(number)}"]
    for scorer, ends in getattr(asked, "scale", []):
        low, high = map(_spelled, ends)
        words += ["--scale", f"{scorer}={low}..{high}"]
    return tuple(words)


def _spelled(number: float) -> str:
    return repr(int(number)) if number.is_integer() else repr(number)


@contextmanager
def on_disk(paths: Sequence[Place]) -> Iterator[tuple[Place, ...]]:
    """The same paths and addresses, standard input as a file that lasts as long as the context.

    Raises:
        InputError: Standard input is named twice, is empty, or larger than anything that is read.
    """
    if STANDARD_INPUT not in paths:
        yield tuple(paths)
        return
    if list(paths).count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read once", where="-")
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        file = _laid_down(sys.stdin.buffer, Path(folder))
        yield tuple(file if path == STANDARD_INPUT else path for path in paths)


def _laid_down(source: BinaryIO, folder: Path) -> Path:
    """Standard input as a file whose name says what its first bytes are."""
    plain, size = folder / NAME, 0
    with plain.open("wb") as out:
        while piece := source.read(PIECE):
            size += len(piece)
            if size > LARGEST:
                raise InputError(f"expected at most {LARGEST} bytes", where="-")
            out.write(piece)
    if not size:
        raise InputError("standard input is empty", where="-")
    with plain.open("rb") as found:
        first = found.read(PIECE)
    return plain.rename(folder / f"{NAME}{ending_of(first)}")


def ending_of(first: bytes) -> str:
    r"""How the name of a file with such first bytes would end.

    >>> ending_of(b"PAR1"), ending_of(b"PK\x03\x04"), ending_of(b'[{"a": 1}]'), ending_of(b"task,passed\n")
    ('.parquet', '.eval', '.json', '.csv')
    >>> ending_of(b'{"a": 1}\n{"a": 2}\n'), ending_of(b'{"a":\n 1}'), ending_of(b'{"version": 2, "eval": {}}')
    ('.jsonl', '.json', '.json')
    """
    for magic, ending in ((b"PAR1", ".parquet"), (b"PK\x03\x04", ".eval")):
        if first.startswith(magic):
            return ending
    for magic, wrapping in ((b"\x1f\x8b", ".gz"), (b"\x28\xb5\x2f\xfd", ".zst")):
        if first.startswith(magic):
            return _ending_of_packed(first, wrapping) + wrapping
    text = first.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"["):
        return ".json"
    if not text.startswith(b"{"):
        return ".csv"
    line, _, rest = text.partition(b"\n")
    if rest.lstrip().startswith(b"{") or (line.rstrip().endswith(b"}") and not _is_document(line, rest)):
        return ".jsonl"
    return ".json"


def _is_document(line: bytes, rest: bytes) -> bool:
    """Whether one object on one line is a whole log, and no record: it holds objects of its own."""
    return not rest.strip() and (b"{" in line[1:] or b"[" in line)


def _ending_of_packed(first: bytes, wrapping: str) -> str:
    import io

    from metrics_core.formats import decompression

    unpacked = decompression.head(io.BytesIO(first), f"{NAME}.jsonl{wrapping}", PIECE)
    return ending_of(unpacked) if unpacked != first else ".jsonl"


def _pair(text: str) -> tuple[str, str]:
    role, equals, column = text.partition("=")
    if not (role.strip() and equals and column.strip()):
        raise argparse.ArgumentTypeError(f"expected ROLE=COLUMN, got {text!r}")
    return role.strip(), column.strip()


def _word(text: str) -> tuple[str, float]:
    word, equals, number = text.rpartition("=")
    try:
        found = float(number)
    except ValueError:
        found = nan
    if not (word.strip() and equals and isfinite(found)):
        raise argparse.ArgumentTypeError(f"expected WORD=NUMBER such as completed=1, got {text!r}")
    return word.strip(), found


def _scale(text: str) -> tuple[str, list[float]]:
    scorer, equals, ends = text.rpartition("=")
    low, dots, high = ends.partition("..")
    try:
        found = [float(low), float(high)]
    except ValueError:
        found = []
    if not (scorer.strip() and equals and dots and found):
        raise argparse.ArgumentTypeError(f"expected SCORER=LO..HI such as rating=1..5, got {text!r}")
    return scorer.strip(), found
