"""What the fields of a record are: quantities with their range and unit, and what each field means.

Does: name the quantities, so that a field reads ``wall_s: Annotated[Seconds | None, doc("...")] =
None``, and read the meaning of every field off its record type, as the site's Dictionary page and the
published JSON Schema show it. Does not: hold records, or any meaning of its own.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, inspect

WRITTEN = "2026-11-30"
"""When the meaning of the fields was last written down: before any number was aggregated under it."""


LONGEST_NAME = 4_096
"""Characters of a name: every page and message spells it whole."""

Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
"""What names something: never empty, and no longer than can be printed wherever it is named."""

Fraction = Annotated[float, Meta(ge=0, le=1, extra_json_schema={"unit": "fraction"})]
Seconds = Annotated[float, Meta(ge=0, le=1e12, extra_json_schema={"unit": "s"})]
Dollars = Annotated[float, Meta(ge=0, le=1e12, extra_json_schema={"unit": "USD"})]
"""Far beyond any run, and small enough that a sum of many is still a number."""

Tokens = Annotated[int, Meta(ge=0, le=10**12, extra_json_schema={"unit": "tokens"})]
Count = Annotated[int, Meta(ge=0, le=10**12, extra_json_schema={"unit": "count"})]
Stamp = Annotated[str, Meta(min_length=1, extra_json_schema={"unit": "ISO 8601"})]
"""A date and time, in UTC where it has no offset; `metrics_core.formats.jsonl` checks that it is one."""


def doc(meaning: str) -> Meta:
    """What a field actually means: the text that the Dictionary page shows for it."""
    return Meta(description=meaning)


WORDS: dict[type[inspect.Type], str] = {
    inspect.AnyType: "anything",
    inspect.NoneType: "null",
    inspect.BoolType: "true or false",
    inspect.IntType: "whole number",
    inspect.FloatType: "number",
    inspect.StrType: "text",
    inspect.DictType: "object",
}


class FieldMeaning(Struct, frozen=True):
    """One field of one record type.

    Attributes:
        name: As it stands in the record; ``metrics/by_role/*/calls`` for a field within fields.
        meaning: What it actually means, in a sentence or two.
        kind: What it may hold, in words, null included.
        unit: ``fraction``, ``s``, ``USD``, ``tokens``, ``count``, ``ISO 8601``, or empty.
        required: Whether a record without it is invalid.
    """

    name: str
    meaning: str
    kind: str
    unit: str
    required: bool


def fields(record_type: type[Any]) -> tuple[FieldMeaning, ...]:
    """The fields of a record type, in the order in which it declares them, inner ones after their own.

    >>> from metrics_core.families.traces.record import Trace
    >>> [(f.name, f.kind, f.required) for f in fields(Trace)][:3]
    [('task_id', 'text', True), ('agent', 'text', True), ('schema', 'text or null', False)]
    """
    return _fields(record_type)  # type: ignore[arg-type]  # a class is hashable


@cache
def _fields(record_type: type[Any]) -> tuple[FieldMeaning, ...]:
    info = inspect.type_info(record_type)
    if not isinstance(info, inspect.StructType):
        raise TypeError(f"{record_type!r} is no record type")
    return tuple(_walk(info, ""))


def schema(record_type: type[Any]) -> dict[str, Any]:
    """JSON Schema (2020-12) of a record type, as the site publishes it."""
    return msgspec.json.schema(record_type)


def _walk(struct: inspect.StructType, prefix: str) -> list[FieldMeaning]:
    found = []
    for field in struct.fields:
        metadata: dict[str, Any] = {}
        kind, inner = _kind(field.type, metadata)
        name = prefix + field.encode_name
        found.append(
            FieldMeaning(
                name=name,
                meaning=metadata.get("description", ""),
                kind=kind,
                unit=metadata.get("unit", ""),
                required=field.required,
            )
        )
        if inner is not None:
            found += _walk(inner[1], f"{name}/{inner[0]}")
    return found


def _kind(of: inspect.Type, metadata: dict[str, Any]) -> tuple[str, tuple[str, inspect.StructType] | None]:
    """The type in words, and the struct inside it with the step that leads there."""
    match of:
        case inspect.Metadata(type=inner, extra_json_schema=extra):
            for key, value in (extra or {}).items():
                metadata.setdefault(key, value)
            return _kind(inner, metadata)
        case inspect.UnionType(types=types):
            kinds = [_kind(one, metadata) for one in types]
            return " or ".join(kind for kind, _ in kinds), next((s for _, s in kinds if s), None)
        case inspect.LiteralType(values=values):
            return " or ".join(map(str, values)), None
        case inspect.StructType():
            return "object", ("", of)
        case inspect.DictType(value_type=inner):
            inside = _kind(inner, {})[1]
            return "object", None if inside is None else (f"*/{inside[0]}", inside[1])
        case inspect.VarTupleType(item_type=inner) | inspect.ListType(item_type=inner):
            return f"list of {_kind(inner, {})[0]}", None
        case inspect.TupleType(item_types=types):
            return f"[{', '.join(_kind(one, {})[0] for one in types)}]", None
    return WORDS[type(of)], None
