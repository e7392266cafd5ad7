"""The fields of a record that its type does not know: kept out of the computation, and listed.

Does: name them by pointer, as fast as a reader of many lines needs, and ask whether one of them stands in the
place of a missing one. Does not: judge them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import inspect

from metrics_core import column_names
from metrics_core.results import pointer
from metrics_core.text import visible

MOST_SHAPES = 512
"""Shapes of records that are kept; a file where every line has keys of its own stays small."""


RecordShape = tuple[Any, ...]


class UnknownFields:
    """Which fields of decoded records their type does not read.

    Args:
        record_type: A msgspec Struct.

    >>> from metrics_core.families.brownfield.record import BrownfieldRun
    >>> unknown = UnknownFields(BrownfieldRun)
    >>> unknown.fields({"id": "B1", "class": "medium", "metrics": {"cache_hit_rate": 0.7}})
    ('class', 'metrics/cache_hit_rate')
    """

    def __init__(self, record_type: type[Any]) -> None:
        self._known, structs = _structs(record_type)  # type: ignore[arg-type]  # a class is hashable
        self._inner = [(field, UnknownFields(inner), mapped) for field, inner, mapped in structs]
        self._shapes: dict[RecordShape, tuple[str, ...]] = {}

    def fields(self, tree: dict[str, Any]) -> tuple[str, ...]:
        """Pointers of the fields that are not read, sorted; ``*`` stands for any key of a mapping."""
        shape = self._shape(tree)
        names = self._shapes.get(shape)
        if names is None:
            names = tuple(
                sorted({pointer(key) for key in tree if key not in self._known} | self._below(tree))
            )
            if len(self._shapes) < MOST_SHAPES:
                self._shapes[shape] = names
        return names

    def _shape(self, tree: dict[str, Any]) -> RecordShape:
        """Everything that the answer depends on: the keys, at each depth that is read."""
        shape: list[Any] = [*tree]
        for field, inside, mapped in self._inner:
            value = tree.get(field)
            if not isinstance(value, dict):
                shape.append(None)
                continue
            inner = value.values() if mapped else (value,)
            shape.append(tuple([inside._shape(one) for one in inner if isinstance(one, dict)]))  # noqa: SLF001 (its own class)
        return tuple(shape)

    def _below(self, tree: dict[str, Any]) -> set[str]:
        found: set[str] = set()
        for field, inside, mapped in self._inner:
            value = tree.get(field)
            if isinstance(value, dict):
                step, inner = (f"{field}/*", value.values()) if mapped else (field, (value,))
                found.update(
                    f"{step}/{name}" for one in inner if isinstance(one, dict) for name in inside.fields(one)
                )
        return found


@cache  # of a type, which does not change: asking it takes longer than reading a short file
def _structs(record_type: type[Any]) -> tuple[frozenset[str], tuple[tuple[str, type[Any], bool], ...]]:
    """Names of a struct's fields, and those that hold structs: name, which, and whether it maps to them."""
    info = inspect.type_info(record_type)
    if not isinstance(info, inspect.StructType):
        raise TypeError(f"{record_type!r} is no record type")
    inner = ((field.encode_name, _struct_in(field.type)) for field in info.fields)
    return (
        frozenset(field.encode_name for field in info.fields),
        tuple((name, *found) for name, found in inner if found is not None),
    )


def _struct_in(of: inspect.Type) -> tuple[type[Any], bool] | None:
    """The struct that a field holds, and whether it holds a mapping of them."""
    match of:
        case inspect.Metadata(type=inner):
            return _struct_in(inner)
        case inspect.UnionType(types=types):
            return next(filter(None, map(_struct_in, types)), None)
        case inspect.StructType(cls=cls):
            return cls, False
        case inspect.DictType(value_type=inner):
            found = _struct_in(inner)
            return found and (found[0], True)
    return None


def meant(missing: str, tree: Any) -> str:
    """What to ask about a missing field: the one that probably stands in its place, by what people call it.

    >>> meant("task_id", {"case": "t1"}), meant("task_id", {"colour": 1})
    ('; did you mean `case`?', '')
    """
    role = column_names.role_of(missing)
    found = column_names.synonym(role, tree) if role and isinstance(tree, dict) else None
    return "" if found is None else f"; did you mean `{visible(found, escaped=True)}`?"
