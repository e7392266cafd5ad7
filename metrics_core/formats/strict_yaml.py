"""YAML of which every reader makes the same: plain values, no surprises, and the line of each.

Does: read one document of mappings, lists, text, numbers, true, false and null. Refuses what YAML 1.1 and
1.2 read differently (``no``, ``1:30``, ``010``, ``1_000``), keys that stand twice, aliases, tags, and more
than a person would write. Dates stay text. Does not: open files, or know which keys a document may have.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import yaml
from yaml import events

from metrics_core.errors import FormatError
from metrics_core.formats.decoding import Document, Path
from metrics_core.results import quoted
from metrics_core.text import visible

LARGEST = 2**20
"""Bytes that a document may have."""

DEEPEST = 32
"""Mappings and lists within each other that a document may have."""

_CONSTANTS = {"true": True, "false": False, "null": None, "~": None, "": None}
_HALF = re.compile("[\ud800-\udfff]")
_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\.[0-9]+")
_TRUTH = "true or false to some readers of YAML, and text to others"
_NUMBER = "a number to some readers of YAML, and another one or text to others"
_TRAPS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?i:yes|no|on|off|y|n)"), _TRUTH),
    (re.compile(r"True|TRUE|False|FALSE|Null|NULL"), "not spelled in lower case"),
    (re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"), _NUMBER),  # to base 60
    (re.compile(r"[-+]?0[0-9_]+|[-+]?0[oxb][0-9a-fA-F_]+"), _NUMBER),
    (re.compile(r"[-+]?[0-9][0-9_]*_[0-9_.]*"), _NUMBER),
    (re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?[0-9]+"), _NUMBER),
    (re.compile(r"[-+]?\.[0-9]+|[-+]?[0-9]+\."), _NUMBER),
    (re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"), "no number that can be counted with"),
    (re.compile(r"[=]|<<"), "a merge or a default to some readers of YAML"),
)


def load(data: bytes, name: str) -> Any:
    r"""The value of a document.

    Args:
        data: UTF-8 text; nothing at all is null.
        name: Its name, for errors.

    Raises:
        FormatError: ``name:line``, what was expected and what stood there.

    >>> load(b"fetched: 2026-07-05\nper: 1000000\nmodels: {a: {input: 0.435}}", "p.yaml")
    {'fetched': '2026-07-05', 'per': 1000000, 'models': {'a': {'input': 0.435}}}
    """
    return parse(data, name).value


def parse(data: bytes, name: str) -> Document:
    """The document with the lines of its parts; arguments and errors as in `load`."""
    if len(data) > LARGEST:
        raise FormatError(f"expected at most {LARGEST} bytes, got {len(data)}", where=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(
            f"expected UTF-8, got byte 0x{data[error.start]:02x}", where=f"{name}:{line}"
        ) from error
    reader, loader = _YamlReader(name), None
    try:
        loader = yaml.SafeLoader(text)
        return reader.document(_events(loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{name}:{mark.line + 1}" if mark else name
        problem = visible(str(error.problem), escaped=True)
        raise FormatError(f"expected YAML: {problem}", where=where) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise FormatError("expected text, got a control character", where=f"{name}:{line}") from error
    except yaml.YAMLError as error:
        raise FormatError(f"expected YAML: {visible(str(error), escaped=True)}", where=name) from error
    except (ValueError, OverflowError) as error:  # the parser makes a character of whatever an escape names
        line = loader.line + 1 if loader else 1
        where = f"{name}:{line}"
        raise FormatError("expected a character, got an escape that is none", where=where) from error


def _events(loader: yaml.SafeLoader) -> Iterator[events.Event]:
    while loader.check_event():
        yield loader.get_event()  # type: ignore[no-untyped-call]


class _YamlReader:
    """Builds values from the parser's events, which still know anchors, tags, quotes and lines."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: dict[Path, int] = {}

    def document(self, stream: Iterator[events.Event]) -> Document:
        value, documents = None, 0
        for event in stream:
            if isinstance(event, events.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self.fault(event, "expected one document, got a second one")
                value = self.value(next(stream), stream, ())
        return Document(self.name, value, self.lines)

    def value(self, event: events.Event, stream: Iterator[events.Event], path: Path) -> Any:
        self.lines.setdefault(path, _line(event))
        if len(path) > DEEPEST:
            raise self.fault(event, f"expected at most {DEEPEST} mappings and lists within each other")
        self.refuse_aliases_and_tags(event)
        match event:
            case events.ScalarEvent():
                return self.scalar(event)
            case events.SequenceStartEvent():
                return self.sequence(stream, path)
            case _:
                return self.mapping(stream, path)

    def sequence(self, stream: Iterator[events.Event], path: Path) -> list[Any]:
        found: list[Any] = []
        for event in stream:
            if isinstance(event, events.SequenceEndEvent):
                break
            found.append(self.value(event, stream, (*path, len(found))))
        return found

    def mapping(self, stream: Iterator[events.Event], path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for event in stream:
            if isinstance(event, events.MappingEndEvent):
                break
            self.refuse_aliases_and_tags(event)
            if not isinstance(event, events.ScalarEvent):
                raise self.fault(event, "expected a word as key, got a list or a mapping")
            self.scalar(event)
            key = event.value
            if key in found:
                raise self.fault(event, f"expected each key once, got {quoted(key)} twice")
            self.lines[(*path, key)] = _line(event)
            found[key] = self.value(next(stream), stream, (*path, key))
        return found

    def refuse_aliases_and_tags(self, event: events.Event) -> None:
        anchor = getattr(event, "anchor", None)
        if anchor is not None:
            raise self.fault(
                event, f"expected a value, got an anchor or alias: {quoted(anchor)}", "write it out"
            )
        tag = getattr(event, "tag", None)
        if tag is not None:
            raise self.fault(event, f"expected a plain value, got a tag: {quoted(tag)}", "leave the tag out")

    def scalar(self, event: events.ScalarEvent) -> Any:
        text: str = event.value
        if _HALF.search(text):
            raise self.fault(event, f"expected characters, got half of one: {quoted(text)}")
        if event.style is not None:  # in quotation marks, or a block: always text
            return text
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        for trap, why in _TRAPS:
            if trap.fullmatch(text):
                raise self.fault(
                    event, f"{quoted(text)} is {why}", "true, false, a plain number, or quotation marks"
                )
        if _WHOLE.fullmatch(text) and len(text) < 40:
            return int(text)
        if not _DECIMAL.fullmatch(text):
            return text
        if not math.isfinite(number := float(text)):
            raise self.fault(event, f"{quoted(text)} is larger than any number that can be counted with")
        return number

    def fault(self, event: events.Event, problem: str, hint: str = "") -> FormatError:
        return FormatError(problem, where=f"{self.name}:{_line(event)}", hint=hint)


def _line(event: events.Event) -> int:
    return 1 if event.start_mark is None else event.start_mark.line + 1
