"""Files of other programs, cut into elements: what is no JSON costs its element; a file cut off is told."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from metrics_core.errors import FormatError
from metrics_core.formats import read_object

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.text(max_size=5)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)  # fmt: skip


@given(
    st.dictionaries(st.text(max_size=4).filter(lambda key: key != "runs"), VALUES, max_size=4),
    st.lists(VALUES, max_size=4),
    st.sampled_from([None, 1, 4]),
)
def test_an_object_is_what_json_says_and_each_source_is_its_element(
    plain: dict[str, object], runs: list[object], indent: int | None
) -> None:
    data = json.dumps({**plain, "runs": runs}, indent=indent).encode()
    read = read_object(data, "a.json", split="runs")
    assert read.plain == plain
    assert list(read.faults) == []
    assert [part.value for part in read.parts] == runs
    assert [json.loads(part.source) for part in read.parts] == runs
    assert all(part.source in data for part in read.parts)
    assert read_object(data, "a.json").plain == {**plain, "runs": runs}


@pytest.mark.parametrize(
    ("bad", "pointer", "what"),
    [
        ("NaN", "a/0", "NaN is no JSON"),
        ("-Infinity", "a/0", "-Infinity is no JSON"),
        ("1e999", "a/0", "a number beyond any that can be held"),
        ("9" * 400, "a/0", "a number of 400 digits"),
        ('{"b": 1, "b": 2}', "a/0/b", "a key that stands twice in its object"),
    ],
)
def test_what_is_no_json_costs_its_element_alone(bad: str, pointer: str, what: str) -> None:
    data = f'{{"n": 1, "odd": [{bad}], "runs": [{{"a": [{bad}]}}, {{"a": [1]}}]}}'.encode()
    read = read_object(data, "a.json", split="runs")
    first, second = read.parts
    assert first.fault is not None
    assert (first.fault[0], first.fault[1].what) == (pointer, what)
    assert (second.value, second.fault) == ({"a": [1]}, None)
    assert read.plain["n"] == 1
    assert [fault for _, fault in read.faults] == [what]
    assert [at.startswith("odd/0") for at, _ in read.faults] == [True]
    assert "JsonFault" not in repr(read.plain)


def test_a_key_twice_is_neither_of_its_values() -> None:
    read = read_object(b'{"a": 1, "a": 2, "b": 3}', "a.json")
    assert read.plain == {"a": None, "b": 3}
    assert list(read.faults) == [("a", "a key that stands twice in its object")]
    twice = read_object(b'{"runs": [1], "runs": [2]}', "a.json", split="runs")
    assert [at for at, _ in twice.faults] == ["runs"]


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b'{"a": [1,\n {"b": 2},\n {"c"', r"a.json:3: expected JSON: Expecting ':' delimiter at column 6"),
        (b'{"a": 1} {"b": 2}', r"a.json:1: expected JSON: Extra data at column 10"),
        (b'{"a": 1,}', r"a.json:1: expected JSON: Expecting property name .* at column 9"),
        (b"[1, 2]", r"a.json:1: expected JSON: Expecting '\{' at column 1"),
        (b"", r"a.json:1: expected JSON: Expecting '\{' at column 1"),
        (b'{"a": "\xff"}', r"a.json: expected JSON in UTF-8: byte 7 is none"),
        (b'{"a": ' + b"[" * 100_000, r"a.json: expected JSON: objects and lists too deep"),
    ],
)
def test_a_file_that_breaks_off_is_told_with_its_place(data: bytes, where: str) -> None:
    with pytest.raises(FormatError, match=where):
        read_object(data, "a.json", split="a" if data.startswith(b'{"a": [1') else None)


def test_a_byte_order_mark_and_blanks_are_no_trouble() -> None:
    assert read_object(b'\xef\xbb\xbf\r\n { "a" : [ ] } \n', "a.json", split="a").listed
