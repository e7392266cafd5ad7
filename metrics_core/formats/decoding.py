"""Plain values made into msgspec Structs; each error with its line, its pointer and what was expected.

Does: leave out empty fields, spell a value as its type asks, convert, and word an error from the type
itself: its ``Meta(description=...)``, or else what it is made of. Does not: read YAML, or know any type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct, inspect

from metrics_core.errors import AssayError
from metrics_core.formats import json_errors
from metrics_core.formats.fields import FieldMeaning
from metrics_core.formats.timestamps import is_day
from metrics_core.results import pointer, quoted

T = TypeVar("T")

_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*)`")
_PLAIN: dict[type[inspect.Type], str] = {
    inspect.StrType: "text", inspect.IntType: "a whole number", inspect.FloatType: "a number",
    inspect.BoolType: "true or false", inspect.DictType: "a mapping",
}  # fmt: skip


Path = tuple[str | int, ...]


class Document(Struct, frozen=True):
    """One document and where its parts stand.

    Attributes:
        value: Plain dicts, lists, str, int, float, bool, None.
        lines: Path of keys and indices -> number of the line on which that part starts, from 1; empty for
            a format whose lines are not counted.
    """

    name: str
    value: Any
    lines: Mapping[Path, int]

    def where(self, *path: str | int) -> str:
        r"""``file:line`` of a part, for errors; of the nearest part around it where it is not there.

        >>> from metrics_core.formats import strict_yaml
        >>> strict_yaml.parse(b"a: 1\nb: {c: 2}", "x.yaml").where("b", "c")
        'x.yaml:2'
        """
        while path and path not in self.lines:
            path = path[:-1]
        return f"{self.name}:{self.lines.get(path, 1)}" if self.lines else self.name


class Wrong(ValueError):
    """What the check of a struct finds, raised in its ``__post_init__``.

    Args:
        problem: What was expected and what stood there.
        path: Keys and indices from the struct to the value at fault.
        hint: What to do next.
    """

    def __init__(self, problem: str, *path: str | int, hint: str = "") -> None:
        super().__init__(problem)
        self.problem, self.path, self.hint = problem, path, hint


def expected(words: str, got: object) -> str:
    """The sentence of an error.

    >>> expected("a date", 3)
    'expected a date, got 3'
    """
    return f"expected {words}, got {quoted(got)}"


def read_with(read: Callable[[Any], Any]) -> Meta:
    """The annotation of a type whose values are spelled by a function before they are converted.

    Args:
        read: Value as written -> value as converted; it hands on what it does not know, and raises
            `ValueError` for what the type cannot be.
    """
    return Meta(extra={"read": read})


def says(meaning: str) -> Meta:
    """The annotation of a setting: what it may be and what it does, as the reference shows it."""
    return Meta(extra={"says": meaning})


def settings_meanings(kind: type[msgspec.Struct]) -> tuple[FieldMeaning, ...]:
    """The settings of a Struct, in the order in which it declares them, inner ones after their own.

    >>> class Shop(msgspec.Struct):
    ...     till: Annotated[OneLine, says("Who stands at the till.")] = ""
    >>> [(s.name, s.meaning, s.kind) for s in settings_meanings(Shop)]
    [('till', 'Who stands at the till.', 'text')]
    """
    return tuple(_settings(inspect.type_info(kind), ""))


def _settings(info: inspect.Type, before: str) -> Iterator[FieldMeaning]:
    for each in _bare(info).fields:
        name, said = before + each.encode_name, ""
        match each.type:
            case inspect.Metadata(extra={"says": str(meaning)}):
                said = meaning
        yield FieldMeaning(name=name, meaning=said, kind=_words(each.type), unit="", required=each.required)
        inner = _bare(each.type)
        if isinstance(inner, inspect.VarTupleType):
            inner = _bare(inner.item_type)
        if isinstance(inner, inspect.StructType):
            yield from _settings(inner, f"{name}/")


def one_line(value: Any) -> Any:
    """Text with every run of blanks as one space; any other value as it is."""
    return " ".join(value.split()) if isinstance(value, str) else value


def _day(value: Any) -> Any:
    if not is_day(value):
        raise ValueError(value)
    return value


Text = Annotated[
    str,
    Meta(min_length=1, description="text"),
    read_with(lambda value: value.strip() if isinstance(value, str) else value),
]
"""Text without the blanks around it."""

Prose = Annotated[str, Meta(description="text"), read_with(one_line)]
"""Text on one line; may be empty."""

OneLine = Annotated[Prose, Meta(min_length=1)]
"""Text on one line."""

Day = Annotated[str, Meta(description="a date such as 2026-07-05"), read_with(_day)]
"""A day of the calendar, ``YYYY-MM-DD``."""

OneOrMore = Annotated[
    tuple[OneLine, ...],
    Meta(description="text, or a list of text"),
    read_with(lambda value: [value] if isinstance(value, str) else value),
]
"""A list of text; one text may stand without the brackets."""


def decode(document: Document, kind: type[T], error: type[AssayError]) -> T:
    r"""The value of a document as a type; a field of a struct with nothing behind it is as if left out.

    Args:
        document: What was read; nothing at all is an empty mapping or list.
        kind: A Struct that forbids unknown fields, or a mapping or list of text or of such.
        error: What is raised.

    Raises:
        AssayError: Of the type asked for: ``file:line#/pointer``, what was expected, what stood there, and
            the nearest key where one is not known.

    >>> from metrics_core.formats import strict_yaml
    >>> decode(strict_yaml.parse(b"a: 2026-07-05", "x.yaml"), dict[str, Day], AssayError)
    {'a': '2026-07-05'}
    >>> decode(strict_yaml.parse(b"b: 1\na: soon", "x.yaml"), dict[str, Day], AssayError)
    Traceback (most recent call last):
    metrics_core.errors.AssayError: x.yaml:1#/b: expected a date such as 2026-07-05, got 1
    """
    info = _type_info(kind)  # type: ignore[arg-type]  # a class is hashable
    value = document.value
    if value is None:
        value = [] if isinstance(info, inspect.VarTupleType) else {}
    try:
        value = _stated(value, info, ())
        return msgspec.convert(value, kind)
    except Wrong as bad:
        raise fault(document, error, bad) from bad
    except msgspec.ValidationError as bad:
        raise fault(document, error, _wrong(value, kind, info, bad)) from bad


def fault(document: Document, error: type[AssayError], wrong: Wrong, *path: str | int) -> AssayError:
    """The error that tells what is wrong at a path of a document."""
    at = (*path, *wrong.path)
    where = document.where(*at) + (f"#/{pointer(*at)}" if at else "")
    return error(wrong.problem, where=where, hint=wrong.hint)


@cache
def _type_info(kind: Any) -> inspect.Type:
    """What a type is made of, looked up once: the settings of each experiment are of one."""
    return inspect.type_info(kind)


def _stated(value: Any, info: inspect.Type | None, path: Path) -> Any:
    """The value without empty fields of structs, each part spelled by the function of its type."""
    match info, value:
        case inspect.Metadata(type=inner, extra=extra), _:
            try:
                return _stated((extra or {}).get("read", _same)(value), inner, path)
            except Wrong:
                raise
            except ValueError as bad:
                raise Wrong(expected(_words(info), value), *path) from bad
        case inspect.UnionType(types=types), _ if value is not None:
            return _stated(value, next(t for t in types if not isinstance(t, inspect.NoneType)), path)
        case inspect.StructType(fields=fields), dict():
            types_of = {each.encode_name: each.type for each in fields}
            return {
                key: _stated(inner, types_of.get(key), (*path, key))
                for key, inner in value.items()
                if inner is not None or key not in types_of
            }
        case inspect.DictType(value_type=inner), dict():
            return {key: _stated(each, inner, (*path, key)) for key, each in value.items()}
        case inspect.VarTupleType(item_type=inner), list():
            return [_stated(each, inner, (*path, at)) for at, each in enumerate(value)]
    return value


def _same(value: Any) -> Any:
    return value


def _wrong(value: Any, kind: type[Any], info: inspect.Type, bad: msgspec.ValidationError) -> Wrong:
    """What the converter found, in words, with its path from the root."""
    what, path = json_errors.located(value, kind, bad)
    if isinstance(cause := bad.__cause__, Wrong):
        return Wrong(cause.problem, *path, *cause.path, hint=cause.hint)
    if unknown := _UNKNOWN.match(what):
        return unknown_key(unknown[1], _fields(_type_at(info, path)), *path)
    if missing := _MISSING.match(what):
        path = [*path, missing[1]]
    of, got, hint = _type_at(info, path), json_errors.follow(value, path), ""
    match _bare(of), got:
        case inspect.StrType(), int() | float():
            hint = "put it in quotation marks"
        case inspect.LiteralType(values=words), str():
            hint = _nearest(got, [str(word) for word in words])
    return Wrong(expected(_words(of), got), *path, hint=hint)


def unknown_key(key: str, known: list[str], *path: str | int) -> Wrong:
    """What is wrong with a key that is none of those that may stand in a mapping."""
    return Wrong(expected(f"one of {', '.join(known)}", key), *path, key, hint=_nearest(key, known))


def missing(kind: type[msgspec.Struct], name: str) -> Wrong:
    """What is wrong with a struct that lacks a key which it needs."""
    return Wrong(expected(_words(_type_at(_type_info(kind), (name,))), None), name)


def _nearest(key: str, known: list[str]) -> str:
    near = get_close_matches(key.lower(), known, 1, 0.5)
    return f"nearest: {near[0]}" if near else ""


def _words(info: inspect.Type) -> str:
    """What a type may be, as a sentence names it."""
    match info:
        case inspect.Metadata(extra_json_schema={"description": str(words)}):
            return words
        case inspect.Metadata() | inspect.UnionType():
            return _words(_inner(info))
        case inspect.LiteralType(values=values):
            return f"one of {', '.join(map(str, values))}"
        case inspect.StructType():
            return f"{{{', '.join(_fields(info))}}}"
        case inspect.VarTupleType(item_type=inner):
            return f"a list of {_words(inner)}"
    return _PLAIN.get(type(info), "another value")


def _fields(info: inspect.Type) -> list[str]:
    return [field.encode_name for field in _bare(info).fields]


def _inner(info: inspect.Type) -> inspect.Type:
    """The type within an annotation, or beside None."""
    match info:
        case inspect.Metadata(type=inner):
            return inner
        case inspect.UnionType(types=types):
            return next(t for t in types if not isinstance(t, inspect.NoneType))
    return info


def _bare(info: inspect.Type) -> Any:
    """The type without annotations and without None."""
    while (inner := _inner(info)) is not info:
        info = inner
    return info


def _type_at(info: inspect.Type, path: Path | list[Any]) -> inspect.Type:
    """The type of the value at a path, annotations included."""
    for step in path:
        match _bare(info):
            case inspect.StructType(fields=fields):
                info = next(each.type for each in fields if each.encode_name == step)
            case inspect.DictType(value_type=inner) | inspect.VarTupleType(item_type=inner):
                info = inner
    return info
