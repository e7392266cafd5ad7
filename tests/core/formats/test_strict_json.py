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
        (rb'["\ud800"]', "half of a surrogate pair"),
        (rb'{"\uDFFF": 1}', "half of a surrogate pair"),
        (b"\xed\xa0\x80", "can't decode byte 0xed"),
        (b"\xef\xbb\xbf{}", "expected JSON: Unexpected UTF-8 BOM at column 1"),
    ],
)
def test_what_is_no_strict_json_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(FormatError, match=told):
        document(data, "log.json")


def test_a_whole_surrogate_pair_is_one_letter() -> None:
    assert document(rb'["\ud83d\ude00"]', "log.json") == ["\U0001f600"]
