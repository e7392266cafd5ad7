"""Lines whose objects have the same keys, decoded to a type that was made for just these keys.

Does: make that type, with every key required and no other allowed, so that a line that decodes has each key
once where its text has as many keys as the type. Does not: say what is wrong with a line, or read one whose
keys hold objects or lists that the record type reads: `metrics_core.formats.jsonl` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from metrics_core.results import pointer

MOST_SHAPES = 64
"""Shapes that are kept; a file where every line has keys of its own is read line by line."""

Scalar = str | int | float | bool | None
UNREAD = Scalar | list[Scalar]
"""What a field may hold that nothing reads: no keys stand in it."""

_PLAIN = (str, int, float, bool, NoneType)


class LineShape(Struct, frozen=True):
    """Lines that have the same keys.

    Attributes:
        decode: Bytes of a line -> an object, or an error of msgspec's.
        keys: How many keys a line has.
        unread: Pointers of the fields that the record type does not know, sorted.
        fields: Its fields, in order.
        kept: Fields that are kept as the bytes that stand there.
    """

    decode: Callable[[bytes], Any]
    keys: int
    unread: tuple[str, ...]
    fields: tuple[str, ...]
    kept: frozenset[str]

    def columns(self, rows: Sequence[Any]) -> dict[str, Sequence[Any]]:
        """Each field of every row: its value, or its bytes where they are kept."""
        columns = zip(*map(msgspec.structs.astuple, rows), strict=True)
        return {
            field: list(map(bytes, column)) if field in self.kept else column
            for field, column in zip(self.fields, columns, strict=True)
        }


class LineShapes:
    """The shapes of the lines of a file.

    Args:
        record_type: A msgspec Struct.
        fields: Fields that are asked for. What they hold, where that is no scalar, is kept as bytes, and any
            other field that the record type reads must then be a scalar, or null.
    """

    def __init__(self, record_type: type[Any], fields: Iterable[str]) -> None:
        self._types = {field.encode_name: field.type for field in msgspec.structs.fields(record_type)}
        self._fields = frozenset(fields)
        self._shapes: dict[tuple[str, ...], LineShape | None] = {}

    def of(self, line: bytes) -> LineShape | None:
        """The shape of a line; None where it is no object, or there are too many."""
        try:
            tree = msgspec.json.decode(line)
        except (msgspec.MsgspecError, RecursionError):
            return None
        if type(tree) is not dict:
            return None
        names = tuple(tree)
        if names not in self._shapes:
            if len(self._shapes) >= MOST_SHAPES:
                return None
            self._shapes[names] = self._made(names)
        return self._shapes[names]

    def _made(self, names: tuple[str, ...]) -> LineShape:
        attributes = {name: f"f{at}" for at, name in enumerate(names)}
        types = {name: self._type(name) for name in names}
        made = msgspec.defstruct(
            "Line",
            [(attribute, types[name]) for name, attribute in attributes.items()],
            rename={attribute: name for name, attribute in attributes.items()},
            forbid_unknown_fields=True,
            gc=False,
        )
        return LineShape(
            decode=msgspec.json.Decoder(made).decode,
            keys=len(names),
            unread=tuple(sorted(pointer(name) for name in names if name not in self._types)),
            fields=names,
            kept=frozenset(name for name in names if types[name] is msgspec.Raw),
        )

    def _type(self, name: str) -> Any:
        if name not in self._types:
            return UNREAD
        of = self._types[name]
        if is_scalar(of):
            return of
        return msgspec.Raw if name in self._fields else None


def is_scalar(of: Any) -> bool:
    """Whether a field holds text, a number, true or false, or null, and one of these kinds beside null.

    >>> is_scalar(Annotated[float, msgspec.Meta(ge=0)] | None), is_scalar(int | str), is_scalar(tuple[str])
    (True, False, False)
    """
    kinds = set(_kinds(of)) - {NoneType}
    return len(kinds) == 1 and kinds <= set(_PLAIN)


def _kinds(of: Any) -> Iterable[Any]:
    if get_origin(of) is Annotated:
        yield from _kinds(get_args(of)[0])
    elif get_origin(of) in (Union, UnionType):
        for one in get_args(of):
            yield from _kinds(one)
    else:
        yield of
