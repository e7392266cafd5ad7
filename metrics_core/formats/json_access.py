"""Access to JSON that another program wrote, in which any part may be missing or of another type.

Does: what adapters share. Does not: know a format, or judge what it finds; the record type does that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_CONSTANT = re.compile(rb"-?(?:NaN|Infinity)")
_JSON = re.compile(rb'(?:[^"NI]++|"(?:[^"\\]++|\\.)*+")++', re.DOTALL)
"""As much as stands before the next NaN or Infinity outside of a text."""


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
