"""A report as bytes, and the same report from them: for what a build keeps, and for nothing else.

What is published of a report is less than what pages are made from, and is read by other rules. These bytes
hold all of it: every float with its bits, and an object that stands in many places once. They are plain
data: nothing is made of them but frozen values of the core.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any, Final

import msgspec
from msgspec import Struct

from metrics_core.errors import AssayError
from metrics_core.results import Keys, Report

_CORE: Final = "metrics_core."
_SCALARS: Final = frozenset({type(None), bool, int, float, str})
_SAME, _TUPLE, _LIST = range(-3, 0)
"""What a list of the bytes is where it is no object: one that was given before, a tuple, a list."""

_OF_OTHER_BYTES: Final = (ValueError, TypeError, LookupError, AttributeError, ImportError, RecursionError)
"""What making objects of bytes that are no report ends in, beside what a class of the core refuses."""


class NotPlainError(Exception):
    """A report holds, or bytes are, what has no place here; the message says what."""


def report_bytes(report: Report) -> bytes:
    """All that a report holds.

    Args:
        report: One that was computed.

    Raises:
        NotPlainError: It holds what is no frozen value of the core, or a whole number beyond 64 bits.
    """
    known: dict[int, int] = {}
    kinds: dict[type[Any], int] = {}

    def plain(value: Any) -> Any:
        kind = type(value)
        if kind in _SCALARS:
            return value
        if kind is tuple or kind is list:
            return [_TUPLE if kind is tuple else _LIST, *map(plain, value)]
        if kind is dict and all(type(key) is str for key in value):
            return {key: plain(inner) for key, inner in value.items()}
        if (before := known.get(id(value))) is not None:
            return [_SAME, before]
        if kind not in kinds:
            kinds[_class(f"{kind.__module__}:{kind.__qualname__}")] = len(kinds)
        made = [kinds[kind], *map(plain, _parts(value))]
        known[id(value)] = len(known)
        return made

    try:
        body = plain(report)
        return msgspec.msgpack.encode([[f"{kind.__module__}:{kind.__qualname__}" for kind in kinds], body])
    except (OverflowError, KeyError) as error:
        raise NotPlainError(str(error)) from error


def report_of(data: bytes) -> Report:
    """The report that was given as these bytes.

    Args:
        data: As `report_bytes` made them.

    Raises:
        NotPlainError: They are something else.
    """
    known: list[Any] = []

    def made(plain: Any) -> Any:
        if type(plain) is dict:
            return {key: made(inner) for key, inner in plain.items()}
        if type(plain) is not list:
            return plain
        number, *parts = plain
        if number == _SAME:
            return known[parts[0]]
        if number in (_TUPLE, _LIST):
            return (tuple if number == _TUPLE else list)(map(made, parts))
        known.append(_object(kinds[number], list(map(made, parts))))
        return known[-1]

    try:
        names, body = msgspec.msgpack.decode(data)
        kinds = list(map(_class, names))
        report = made(body)
    except (*_OF_OTHER_BYTES, AssayError) as error:
        raise NotPlainError("they are no report") from error
    if type(report) is not Report:
        raise NotPlainError("they are no report")
    return report


def _parts(value: Any) -> Iterable[Any]:
    """What an object is made of, in the order in which `_object` takes it."""
    if isinstance(value, Enum):
        return (value.value,)
    return (
        tuple(value)
        if isinstance(value, Keys)
        else [getattr(value, name) for name in value.__struct_fields__]
    )


def _object(kind: type[Any], parts: list[Any]) -> Any:
    if issubclass(kind, Enum):
        return kind(*parts)
    if kind is Keys:
        return Keys(parts)
    return kind(**dict(zip(kind.__struct_fields__, parts, strict=True)))


@cache
def _class(named: str) -> type[Any]:
    """A class of frozen values by its module and name.

    Raises:
        NotPlainError: It is none of the core's.
    """
    module, _, name = named.partition(":")
    found = getattr(import_module(module), name, None) if module.startswith(_CORE) else None
    if isinstance(found, type) and (found is Keys or issubclass(found, Enum) or _is_frozen(found)):
        return found
    raise NotPlainError(f"{named} is no frozen value of the core")


def _is_frozen(kind: type[Any]) -> bool:
    return issubclass(kind, Struct) and kind.__struct_config__.frozen
