"""Strict JSON: what two readers could take for two things is refused."""

from __future__ import annotations

import pytest

from metrics_core.errors import FormatError
from metrics_core.formats.strict_json import document


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b'{"a": 1, "a": 2}', "the key 'a' twice in one object"),
        (b'[{"b": {"a": 1, "a": 1}}]', "the key 'a' twice in one object"),
        (b"[Infinity]", "Infinity is no JSON"),
    ],
)
def test_what_is_no_strict_json_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(FormatError, match=told):
        document(data, "log.json")
