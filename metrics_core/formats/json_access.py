"""Access to JSON that another program wrote, in which any part may be missing or of another type.

Does: what adapters share. Does not: know a format, or judge what it finds; the record type does that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from math import isfinite
from typing import Any

from metrics_core.results import quoted

_CONSTANT = re.compile(rb"-?(?:NaN|Infinity)")
_JSON = re.compile(rb'(?:[^"NI]++|"(?:[^"\\]++|\\.)*+")++', re.DOTALL)
"""As much as stands before the next NaN or Infinity outside of a text."""

_TOKENS = re.compile(r'"(?:\\.|[^"\\])*"(\s*:)?|[{}\[\]]')


def first_keys(head: bytes) -> tuple[str, ...]:
    """Keys of the first object of a JSON file or of lines of JSON, as far as its first bytes go.

    Keys of objects within it are none of these. The object may be the first element of a list.

    >>> first_keys(b'[{"a": {"b": 1}, "c": [{"d": 2}], "e": "broken'), first_keys(b"a,b")
    (('a', 'c', 'e'), ())
    """
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").lstrip("[ \t\r\n")
    return tuple(dict.fromkeys(_keys(text))) if text.startswith("{") else ()


def _keys(text: str) -> Iterator[str]:
    depth = 0
    for token in _TOKENS.finditer(text):
        mark = token[0][0]
        depth += (mark in "{[") - (mark in "}]")
        if depth == 1 and mark == '"' and token[1]:
            yield token[0].rpartition('"')[0][1:]
        if not depth:
            return


def inner(of: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The object under a key; an empty one where there is none.

    >>> inner({"a": {"b": 1}}, "a"), inner({"a": "b"}, "a")
    ({'b': 1}, {})
    """
    value = of.get(key)
    return value if isinstance(value, dict) else {}


def stated(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record without the fields that nobody stated: null and missing are the same in what is adapted.

    >>> stated({"rep": 0, "wall_s": None})
    {'rep': 0}
    """
    return {key: value for key, value in record.items() if value is not None}


def number(value: Any) -> float | None:
    """A finite number, or true and false as 1 and 0; None of anything else, or where no float can hold it.

    >>> number(2), number(True), number("2"), number(10**400), number(float("nan"))
    (2.0, 1.0, None, None, None)
    """
    if not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if isfinite(found) else None


def count(value: Any) -> int | None:
    """A whole number from 0 to 2**53; None of anything else.

    >>> count(3), count(-1), count(True), count(2.0), count(10**400)
    (3, None, None, None, None)
    """
    return value if type(value) is int and 0 <= value <= 2**53 else None


def recorded(value: Any) -> Any:
    """A score as a record holds it; what can be none (a list, a number beyond bounds) is its own text.

    >>> recorded(0.5), recorded("C"), recorded(None), recorded([1, 2]), recorded(float("inf"))
    (0.5, 'C', None, '[1, 2]', 'Infinity')
    """
    if value is None or isinstance(value, str) or number(value) is not None:
        return value
    return quoted(value)


def tokens(usage: Mapping[str, Any]) -> dict[str, Any]:
    """Tokens as a trace holds them, from ``input_tokens``, ``output_tokens`` and ``total_tokens``.

    Harnesses differ in whether ``input_tokens`` counts what was served from the cache; the total always does.

    >>> tokens({"input_tokens": 10, "output_tokens": 5, "total_tokens": 115, "input_tokens_cache_read": 100})
    {'prompt_tokens': 110, 'completion_tokens': 5, 'cached_tokens': 100}
    """
    output, total = usage.get("output_tokens"), usage.get("total_tokens")
    sent = usage.get("input_tokens")
    if isinstance(output, int) and isinstance(total, int) and total >= output:
        sent = total - output
    return {
        "prompt_tokens": sent,
        "completion_tokens": output,
        "cached_tokens": usage.get("input_tokens_cache_read"),
    }


def elapsed(begin: object, end: object) -> float | None:
    """Seconds from one ISO 8601 time to another; None where one is none, or only one has an offset.

    >>> elapsed("2026-07-05T10:00:00Z", "2026-07-05T12:00:01.5+02:00"), elapsed("2026-07-05T10:00:00Z", None)
    (1.5, None)
    """
    if not isinstance(begin, str) or not isinstance(end, str):
        return None
    try:
        return (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds()
    except (ValueError, TypeError):
        return None


def without_constants(text: bytes) -> bytes:
    """JSON as Python and Pydantic write it, with what is no JSON: NaN is null, Infinity the text of it.

    What stands inside a text stays. The same object where there is nothing to do.

    >>> without_constants(b'{"a": NaN, "b": [-Infinity], "c": "NaN, -Infinity"}')
    b'{"a": null, "b": ["-Infinity"], "c": "NaN, -Infinity"}'
    """
    if not _CONSTANT.search(text):
        return text
    parts: list[bytes] = []
    at = 0
    while at < len(text):
        run = _JSON.match(text, at)
        if run is not None:
            parts.append(run[0])
            at = run.end()
        found = _CONSTANT.match(text, at)
        if found is None:  # no JSON either way: whoever decodes it says what is wrong
            parts.append(text[at:])
            break
        at = found.end()
        if found[0] == b"NaN":
            parts.append(b"null")
            continue
        minus = bool(parts) and parts[-1].endswith(b"-")
        if minus:
            parts[-1] = parts[-1][:-1]
        parts.append(b'"-Infinity"' if minus else b'"Infinity"')
    return b"".join(parts)
