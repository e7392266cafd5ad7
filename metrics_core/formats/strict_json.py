"""One small JSON file, strictly: ledgers, controls, task cards. Lines of logs are read by `jsonl`.

JSON as the standard has it and no more: UTF-8 without a byte order mark, no NaN or Infinity, each key once
in its object, no half of a surrogate pair, nesting within bounds.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isfinite
from typing import Any, NoReturn

from metrics_core.errors import FormatError
from metrics_core.text import visible


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def decode(data: bytes, constants: Callable[[str], Any] = _refuse) -> Any:
    """The value of a JSON file.

    Args:
        data: The whole file.
        constants: What stands in the place of ``NaN``, ``Infinity`` and ``-Infinity``, for formats that write
            them, and of numbers beyond what a float holds, by their text; by default they are refused, and
            such a number is infinite.

    Raises:
        ValueError: It is not strict JSON; the message says what stood there.

    >>> decode(b'{"a": [1, null]}')
    {'a': [1, None]}
    >>> decode(b'[NaN, -Infinity, 1e999]', constants=str)
    ['NaN', '-Infinity', '1e999']
    """

    def held(text: str) -> Any:
        return found if isfinite(found := float(text)) else constants(text)

    decoder = _STRICT
    if constants is not _refuse:
        decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=constants, parse_float=held)
    try:
        text = data.decode("utf-8")
        if text.startswith("\ufeff"):
            raise json.JSONDecodeError("Unexpected UTF-8 BOM", text, 0)
        value = decoder.decode(text)
        if "\\u" in text:  # UTF-8 holds no half of a surrogate pair, an escape may
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError("half of a surrogate pair") from error
    except RecursionError as error:
        raise ValueError("objects and lists too deep within each other") from error
    return value


def document(data: bytes, where: str, constants: Callable[[str], Any] = _refuse) -> Any:
    """The value of a JSON file of an outside format.

    Args:
        data: The whole file.
        where: Its name, for errors.
        constants: As in `decode`.

    Raises:
        FormatError: It is not strict JSON; the message says in which line, where that is known.

    >>> document(b'[NaN]', "log.json")
    Traceback (most recent call last):
    metrics_core.errors.FormatError: log.json: expected JSON: NaN is no JSON
    """
    try:
        return decode(data, constants)
    except json.JSONDecodeError as error:
        what = f"expected JSON: {visible(error.msg, escaped=True)} at column {error.colno}"
        raise FormatError(what, where=f"{where}:{error.lineno}") from error
    except ValueError as error:
        raise FormatError(f"expected JSON: {visible(str(error), escaped=True)}", where=where) from error


def _unique(items: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in items:
        if key in found:
            raise ValueError(f"the key {key!r} twice in one object")
        found[key] = value
    return found


_STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)
