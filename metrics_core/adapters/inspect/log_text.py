"""An Inspect log cut into its header, which is decoded, and its samples, which are not.

Does: take an archive's text one sample at a time, and a plain log as a whole, whose samples are slices of it;
check the header. NaN and Infinity, which Inspect writes and JSON does not know, are null and a text. Does
not: hold an archive's text, or look into a sample.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import msgspec
from msgspec import Struct

from metrics_core.digest import canonical, of_bytes, short
from metrics_core.errors import FormatError
from metrics_core.formats import eval_archive, inner, json_errors, jsonl, strict_json, without_constants
from metrics_core.results import quoted

VERSIONS = (1, 2, 3, 4)

LARGEST = 2 * 2**30
"""Bytes of a plain log, which is held whole."""

LARGEST_SAMPLE = 128 * 2**20
"""Bytes of one sample of an archive; a longer one is a problem, and costs no other."""

LONGEST_ARGUMENTS = 80
"""Characters of a task's arguments; longer ones are told by their digest."""

_ARCHIVES = (eval_archive.SUFFIX, f"{eval_archive.SUFFIX}.json")
"""Names of an archive, and of one whose text was published in its place."""


class EvalLog(Struct, frozen=True):
    """A log: its header, decoded, and its samples, not decoded yet.

    Attributes:
        header: Without its samples.
        eval: What was run, a part of it.
        samples: In the order in which they stand; each can be taken once.
        prompt: Digest of the plan's steps; None where there are none.
        further: Other entries of an archive, each with its name, once its samples were taken; each once.
    """

    header: Mapping[str, Any]
    eval: Mapping[str, Any]
    samples: Iterator[bytes | msgspec.Raw]
    prompt: str | None
    further: Iterator[bytes]

    @classmethod
    def of(cls, path: str, pieces: Iterator[bytes]) -> EvalLog:
        """Read a log.

        Args:
            path: Its name, which says whether it is an archive.
            pieces: Its text, cut anywhere.

        Raises:
            FormatError: It is no log, or damaged beyond a sample.
        """
        text, samples, further = _cut(path, pieces)
        header = strict_json.document(without_constants(text), path)
        declared = header.get("eval")
        if header.get("version") not in (None, *VERSIONS):
            got = quoted(header["version"])
            raise FormatError(f"expected a log of version 1 to 4, got {got}", where=path)
        if not isinstance(declared, dict) or not isinstance(declared.get("model"), str):
            raise FormatError("expected a log that names its model in eval/model", where=path)
        steps = inner(header, "plan").get("steps")
        plan = of_bytes(canonical(steps)).removeprefix("sha256:") if steps else None
        return cls(header, declared, samples, plan, further)

    @property
    def status(self) -> str:
        """How it ended, as it says; ``started`` where it does not."""
        return str(self.header.get("status") or "started")

    @property
    def model(self) -> str:
        """The model under test."""
        return str(self.eval["model"])

    @property
    def config(self) -> Mapping[str, Any]:
        """What it was told: limits, epochs, reducers."""
        return inner(self.eval, "config")

    @property
    def reducers(self) -> tuple[str, ...]:
        """How its epochs are made one score; empty where that is the mean, as it is by default."""
        stated = self.config.get("epochs_reducer")
        named = [stated] if isinstance(stated, str) else stated if isinstance(stated, list) else []
        return () if "mean" in named else tuple(map(str, named))

    @property
    def suite(self) -> str | None:
        """The task with what makes its runs unlike others: version, arguments, reducers."""
        task, version = self.eval.get("task"), self.eval.get("task_version")
        if not task:
            return None
        name = f"{task} {version}" if version not in (None, 0, "0", "") else str(task)
        unlike = [_arguments(inner(self.eval, "task_args"))]
        unlike.append(f"reducer {', '.join(self.reducers)}" if self.reducers else "")
        told = "; ".join(filter(None, unlike))
        return f"{name} ({told})" if told else name


def _arguments(given: Mapping[str, Any]) -> str:
    told = ", ".join(
        f"{key}={value if isinstance(value, str) else quoted(value)}" for key, value in sorted(given.items())
    )
    return told if len(told) <= LONGEST_ARGUMENTS else f"arguments {short(of_bytes(canonical(given)))}"


def _cut(path: str, pieces: Iterator[bytes]) -> tuple[bytes, Iterator[bytes | msgspec.Raw], Iterator[bytes]]:
    """The text of a log's header, its samples, and what else an archive holds."""
    if not path.endswith(_ARCHIVES):
        return (*_plain(path, pieces), iter(()))
    first = bytearray()
    for piece in pieces:
        first += piece
        if b"\n" in piece or len(first) > eval_archive.LONGEST_HEADER:
            break
    end = first.find(b"\n") + 1
    if not first[:end].endswith(eval_archive.SAMPLES):  # text under an archive's name
        return (*_plain(path, chain((bytes(first),), pieces)), iter(()))
    lines = jsonl.lines(chain((bytes(first[end:]),), pieces), LARGEST_SAMPLE)
    further = (line.removesuffix(b",") for _, line in lines if len(line) <= LARGEST_SAMPLE)
    return bytes(first[: end - len(eval_archive.SAMPLES)]) + b"}", _samples(lines), further


def _samples(lines: Iterator[tuple[int, bytes]]) -> Iterator[bytes]:
    """The lines of an archive's text that hold a sample."""
    for _, line in lines:
        if line == eval_archive.FURTHER.rstrip():
            return
        if len(line) > LARGEST_SAMPLE:
            yield eval_archive.DAMAGED + f"expected a sample of at most {LARGEST_SAMPLE} bytes".encode()
        else:
            yield line.removesuffix(b",")


def _plain(path: str, pieces: Iterator[bytes]) -> tuple[bytes, Iterator[msgspec.Raw]]:
    whole = io.BytesIO()
    for piece in pieces:
        if whole.tell() + len(piece) > LARGEST:
            raise FormatError(f"expected a log of at most {LARGEST} bytes", where=path)
        whole.write(piece)
    data = whole.getvalue()
    if not data.strip():
        raise FormatError("is empty: it holds no byte of a log", where=path)
    try:
        try:
            parts = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        except msgspec.MsgspecError:
            data = without_constants(data)
            parts = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        raw = parts.get("samples") or msgspec.Raw(b"null")
        samples = msgspec.json.decode(raw, type=list[msgspec.Raw] | None) or []
    except (msgspec.MsgspecError, RecursionError) as error:
        raise FormatError(json_errors.of_text(data, error).what, where=path) from error
    return data.replace(raw, b"null", 1) if samples else data, iter(samples)
