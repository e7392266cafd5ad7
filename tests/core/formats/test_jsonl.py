"""Lines to records: what is refused and in which words, what is accepted, and that nothing raises."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from metrics_core.errors import FormatError
from metrics_core.families.brownfield.record import BrownfieldRun
from metrics_core.families.traces.record import Trace
from metrics_core.formats import jsonl
from metrics_core.formats.jsonl import BATCH, LARGEST_BATCH, Row, batches, blocks, count_keys, lines, read
from metrics_core.results.problem import Problem


class Thing(msgspec.Struct, frozen=True, kw_only=True):
    """A record of the test's own: what is checked here is not what any family needs."""

    id: str
    n: int | None = None
    x: float | None = None
    ok: bool | None = None
    names: tuple[str, ...] = ()
    pairs: tuple[tuple[str, bool], ...] = ()
    parts: dict[str, int] = {}
    any: Any = None
    stamp: str | None = None


def one(line: bytes, record_type: type[Any] = Thing) -> Row | Problem:
    """What becomes of a single line."""
    (found,) = read([line], record_type, file="logs/a.jsonl")
    return found


def accepted(line: bytes) -> Thing:
    found = one(line)
    assert isinstance(found, Row), str(found)
    assert isinstance(found.record, Thing)
    return found.record


# ------------------------------------------------------------------ what is refused, and what is said

DEEP = 65
TOO_DEEP = "expected at most 64 objects and lists within each other"
REFUSED: list[tuple[bytes, str, str]] = [
    # not JSON at all
    (b"hello", "", "malformed JSON"),
    (b"{", "", "the line ends in the middle of an object"),
    (b"[", "0", "the line ends in the middle of a list"),
    (b'"', "", "the line ends in the middle of a string"),
    (b"nul", "", "the line ends in the middle of a word"),
    (b"}", "", "malformed JSON"),
    (b"{}}", "", "expected one record on the line, got more after it"),
    (b'{"id":"a"} {"id":"b"}', "", "expected one record on the line, got more after it"),
    (b'{"id":"a"},', "", "expected one record on the line, got more after it"),
    (b'{"id":"a"}\x00', "", "expected one record on the line, got more after it"),
    (b'{"id":"a"}#', "", "expected one record on the line, got more after it"),
    (b'\x00{"id":"a"}', "", "malformed JSON"),
    (b"\x00" * 9, "", "malformed JSON"),
    (b'\x0b{"id":"a"}', "", "malformed JSON"),
    (b'\x0c{"id":"a"}', "", "malformed JSON"),
    (b'\xc2\xa0{"id":"a"}', "", "malformed JSON"),
    (b'\xe2\x80\xa8{"id":"a"}', "", "malformed JSON"),
    (b'\xef\xbb\xbf{"id":"a"}', "", "got a byte order mark before it"),
    (b'\xff\xfe{\x00"\x00', "", "expected UTF-8, got byte 0xff"),
    (b"{'id':'a'}", "", "malformed JSON, object keys must be strings"),
    (b"{id:1}", "", "malformed JSON"),
    (b'{"id"}', "id", "malformed JSON"),
    (b'{"id":}', "id", "malformed JSON"),
    (b'{"id":"a" "n":1}', "id", "malformed JSON"),
    (b'{"id":"a",}', "", "malformed JSON, trailing comma"),
    (b'{,"id":"a"}', "", "malformed JSON"),
    (b'{"id":"a","any":[1,]}', "any/1", "malformed JSON, trailing comma"),
    (b'{"id":"a","any":[,1]}', "any/0", "malformed JSON"),
    (b'{"id":"a","any":[1 2]}', "any/0", "malformed JSON"),
    (b'{"id":"a","any":{"b":[{"c":]}}', "any/b/0/c", "malformed JSON"),
    (b'{"id":"a"/*c*/}', "id", "malformed JSON"),
    (b'{"id":"a"} // c', "", "expected one record on the line, got more after it"),
    # numbers
    (b'{"id":"a","x":NaN}', "x", "expected a JSON value, got NaN"),
    (b'{"id":"a","any":{"q":[NaN]}}', "any/q/0", "expected a JSON value, got NaN"),
    (b'{"id":"a","x":Infinity}', "x", "expected a JSON value, got Infinity"),
    (b'{"id":"a","x":-Infinity}', "x", "expected a JSON value, got -Infinity"),
    (b'{"id":"a","unread":NaN}', "unread", "expected a JSON value, got NaN"),
    (b'{"id":"a","x":1e999}', "", "expected a number that a computer can hold"),
    (b'{"id":"a","unread":-1e999}', "", "expected a number that a computer can hold"),
    (b'{"id":"a","n":' + b"9" * 5000 + b"}", "", "expected a number that a computer can hold"),
    (b'{"id":"a","n":01}', "n", "malformed JSON, invalid number"),
    (b'{"id":"a","n":-01}', "n", "malformed JSON, invalid number"),
    (b'{"id":"a","n":+1}', "n", "malformed JSON"),
    (b'{"id":"a","n":-}', "n", "malformed JSON"),
    (b'{"id":"a","x":.5}', "x", "malformed JSON"),
    (b'{"id":"a","x":5.}', "x", "malformed JSON"),
    (b'{"id":"a","x":1e}', "x", "malformed JSON"),
    (b'{"id":"a","n":0x1}', "n", "malformed JSON"),
    (b'{"id":"a","n":1_000}', "n", "malformed JSON"),
    (b'{"id":"a","n":True}', "n", "malformed JSON"),
    (b'{"id":"a","n":None}', "n", "malformed JSON"),
    # strings
    (b'{"id":"a\xff"}', "id", "expected UTF-8, got byte 0xff"),
    (b'{"id":"a","unread":"\xff"}', "unread", "expected UTF-8, got byte 0xff"),
    (b'{"id":"a","\xff":1}', "", "expected UTF-8, got byte 0xff"),
    (b'{"id":"\xc0\x80"}', "id", "expected UTF-8, got byte 0xc0"),
    (b'{"id":"\xed\xa0\x80"}', "id", "expected UTF-8, got byte 0xed"),
    (b'{"id":"\xf4\x90\x80\x80"}', "id", "expected UTF-8, got byte 0xf4"),
    (b'{"id":"\xe2\x82"}', "id", "expected UTF-8, got byte 0xe2"),
    (b'{"id":"\\ud800"}', "id", "got half of one: \\ud800"),
    (b'{"id":"\\ud800abcdefgh"}', "id", "got half of one: \\ud800"),
    (b'{"id":"\\ud800\\u0041"}', "id", "got half of one: \\ud800"),
    (b'{"id":"\\udc00 then"}', "id", "got half of one: \\udc00"),
    (b'{"id":"a","unread":["\\uDBFF"]}', "unread/0", "got half of one: \\uDBFF"),
    (b'{"id":"a","\\ud800":1}', "", "got half of one: \\ud800"),
    (b'{"id":"a\tb"}', "id", "malformed JSON, invalid character"),
    (b'{"id":"a\x01"}', "id", "malformed JSON, invalid character"),
    (b'{"id":"a","unread":"\x1f"}', "unread", "malformed JSON, invalid character"),
    (b'{"id":"\\x41"}', "id", "malformed JSON, invalid escape"),
    (b'{"id":"\\u12g4"}', "id", "malformed JSON"),
    (b'{"id":"\\', "id", "the line ends in the middle of a string"),
    # keys that stand twice
    (b'{"id":"a","id":"a"}', "id", 'expected each key once, got "id" twice'),
    (b'{"id":"a","unread":1,"unread":1}', "unread", 'got "unread" twice'),
    (b'{"id":"a","i\\u0064":"b"}', "id", 'got "id" twice'),
    (b'{"id" :"a","id":"b"}', "id", 'got "id" twice'),
    (b'{"id"\t:"a","id"\t:"b"}', "id", 'got "id" twice'),
    (b'{"id":"a","any":{"b":{"c":1,"c":2}}}', "any/b/c", 'got "c" twice'),
    (b'{"id":"a","any":[{},{"c":1,"c":2}]}', "any/1/c", 'got "c" twice'),
    (b'{"id":"a","parts":{"p":1,"q":2,"p":1}}', "parts/p", 'got "p" twice'),
    (b'{"id":"a","n":null,"n":1}', "n", 'got "n" twice'),
    (b'{"id":"\\":","n":1,"n":2}', "n", 'got "n" twice'),
    (b'{"id":"a","a/b":1,"a/b":2}', "a~1b", 'got "a/b" twice'),
    (b'{"id":"a","":1,"":2}', "", 'got "" twice'),
    # nesting
    (b'{"id":"a","any":' + b"[" * DEEP + b"]" * DEEP + b"}", "", TOO_DEEP),
    (b'{"id":"a","any":' + b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"}", "", TOO_DEEP),
    (b'{"id":"a","any":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "", TOO_DEEP),
    (b"[" * 100_000, "", TOO_DEEP),
    # not the record
    (b"null", "", "expected object, got null"),
    (b"[]", "", "expected object, got []"),
    (b'"id"', "", 'expected object, got "id"'),
    (b"1", "", "expected object, got 1"),
    (b"{}", "id", "expected id, the field is missing"),
    (b'{"ID":"a"}', "id", "expected id, the field is missing"),
    (b'{"id":null}', "id", "expected str, got null"),
    (b'{"id":1}', "id", "expected str, got 1"),
    (b'{"id":["a"]}', "id", 'expected str, got ["a"]'),
    (b'{"id":"a","n":"7"}', "n", 'expected int or null, got "7"'),
    (b'{"id":"a","n":7.5}', "n", "expected int or null, got 7.5"),
    (b'{"id":"a","n":7.0}', "n", "expected int or null, got 7.0"),
    (b'{"id":"a","n":true}', "n", "expected int or null, got true"),
    (b'{"id":"a","x":"0.5"}', "x", 'expected float or null, got "0.5"'),
    (b'{"id":"a","x":false}', "x", "expected float or null, got false"),
    (b'{"id":"a","ok":"yes"}', "ok", 'expected bool or null, got "yes"'),
    (b'{"id":"a","ok":1}', "ok", "expected bool or null, got 1"),
    (b'{"id":"a","ok":"None"}', "ok", 'expected bool or null, got "None"'),
    (b'{"id":"a","names":"x"}', "names", 'expected array, got "x"'),
    (b'{"id":"a","names":["x",2]}', "names/1", "expected str, got 2"),
    (b'{"id":"a","pairs":[["x",1]]}', "pairs/0/1", "expected bool, got 1"),
    (b'{"id":"a","pairs":[["x",true],["x"]]}', "pairs/1", 'expected array of length 2, got ["x"]'),
    (b'{"id":"a","parts":{"p":1,"q/r":"2"}}', "parts/q~1r", 'expected int, got "2"'),
    (b'{"id":"a","parts":[1]}', "parts", "expected object, got [1]"),
    # stamps
    (b'{"id":"a","stamp":""}', "stamp", "expected an ISO 8601 date and time"),
    (b'{"id":"a","stamp":"yesterday"}', "stamp", 'expected an ISO 8601 date and time, got "yesterday"'),
    (b'{"id":"a","stamp":"1754496698"}', "stamp", "expected an ISO 8601 date and time"),
    (b'{"id":"a","stamp":"2026-13-01T00:00:00Z"}', "stamp", "expected an ISO 8601 date and time"),
    (b'{"id":"a","stamp":1754496698}', "stamp", "expected str or null, got 1754496698"),
]  # fmt: skip


def test_there_are_enough_hostile_lines() -> None:
    assert len(REFUSED) >= 100


@pytest.mark.parametrize(("line", "field", "what"), REFUSED, ids=[str(n) for n in range(len(REFUSED))])
def test_a_line_that_is_no_record_is_told(line: bytes, field: str, what: str) -> None:
    found = one(line)
    assert isinstance(found, Problem)
    assert (found.file, found.line, found.field) == ("logs/a.jsonl", 1, field)
    assert what in found.what
    assert str(found) == f"logs/a.jsonl:1{'#/' + field if field else ''}: {found.what}"
    assert found.what.isprintable()
    assert len(found.what) < 200
    json.dumps(found.to_json(), allow_nan=False).encode("ascii")


@pytest.mark.parametrize(("line", "field", "what"), REFUSED, ids=[str(n) for n in range(len(REFUSED))])
def test_a_bad_line_costs_its_neighbours_nothing(line: bytes, field: str, what: str) -> None:
    found = list(read([b'{"id":"before"}\n' + line + b'\n{"id":"after"}'], Thing, file="f"))
    assert [type(item) for item in found] == [Row, Problem, Row]
    assert [item.line for item in found] == [1, 2, 3]
    assert (found[1].field, what in found[1].what) == (field, True)  # type: ignore[union-attr]


def test_the_sentence_of_the_interface() -> None:
    told = one(b'{"id":"a","ok":"yes"}')
    assert isinstance(told, Problem)
    assert told.to_json() == {
        "file": "logs/a.jsonl", "line": 1, "field": "ok", "what": 'expected bool or null, got "yes"',
    }  # fmt: skip


@pytest.mark.parametrize(
    "value", ["\x1b[31m red", "\u202e tfel", "a\x00b", "\u200b" * 9, "\U000e0041", "\x9b", "x" * 10**6]
)
def test_what_stood_there_is_shown_safely(value: str) -> None:
    told = one(json.dumps({"id": "a", "n": value}).encode())
    assert isinstance(told, Problem)
    assert told.what.isprintable()
    assert len(told.what) < 120


# ------------------------------------------------------------------ what is accepted

ODD_TEXTS = [
    "",
    "\u2028",
    "\u2029",
    "\u0085",
    "\x1c\x1d\x1e",
    "\x0b\x0c",
    "\x00",
    "\x7f",
    "é",
    "e\u0301",
    "😀",
    "\uffff",
    "\ufeff",
    "\\",
    '"',
    "\n\r\t",
    "{}",
    "[",
    '":',
    '" :',
    ": ",
    "</script>",
    "a" * 70_000,
    "\U0010ffff",
]


@pytest.mark.parametrize("text", ODD_TEXTS)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_any_text_is_text(text: str, ascii_only: bool) -> None:
    line = json.dumps(
        {"id": text, "names": [text, text], "parts": {text: 1}, text + "!": text}, ensure_ascii=ascii_only
    )
    found = list(read([line.encode() + b"\n"], Thing, file="f"))
    assert len(found) == 1
    assert isinstance(found[0], Row), found[0]
    assert found[0].record.id == text
    assert found[0].record.names == (text, text)
    assert found[0].record.parts == {text: 1}


def test_bytes_that_end_lines_elsewhere_stand_inside_records() -> None:
    text = "a\u2028b\u2029c\u0085d\x1ce\x1df\x1eg\x0bh\x0ci"
    raw = json.dumps({"id": text}, ensure_ascii=False).encode()
    unescaped = b'{"id":"' + "a\u2028b\u2029c\u0085d".encode() + b'"}'
    found = list(read([raw + b"\n" + unescaped + b"\n"], Thing, file="f"))
    assert [row.record.id for row in found] == [text, "a\u2028b\u2029c\u0085d"]  # type: ignore[union-attr]


@pytest.mark.parametrize(("line", "field", "value"), [
    (b' { "id" : "a" , "n" : 1 } ', "n", 1),
    (b'\t{"id":"a","n":-0}\r', "n", 0),
    (b'{"id":"a","x":1}', "x", 1.0),
    (b'{"id":"a","x":1E5}', "x", 100000.0),
    (b'{"id":"a","x":1e-400}', "x", 0.0),
    (b'{"id":"a","x":-0.0}', "x", -0.0),
    (b'{"id":"a","n":123456789012345678901234567890}', "n", 123456789012345678901234567890),
    (b'{"i\\u0064":"a"}', "id", "a"),
    (b'{"id":"\\ud83d\\ude00"}', "id", "😀"),
    (b'{"id":"\\\\ud800"}', "id", "\\ud800"),
    (b'{"id":"\\u0000"}', "id", "\x00"),
    (b'{"id":"a","any":' + b"[" * 62 + b"]" * 62 + b"}", "id", "a"),
    (b'{"id":"a","":1,"\\u0000":2," ":3}', "id", "a"),
    (b'{"id":"a","any":{"id":"b","any":{"id":"c"}}}', "any", {"id": "b", "any": {"id": "c"}}),
    (b'{"id":"\\":\\":\\":"}', "id", '":":":'),
    (b'{"id":"a","n":null}', "n", None),
    (b'{"id":"a","stamp":"2026-08-06T16:11:38Z"}', "stamp", "2026-08-06T16:11:38Z"),
    (b'{"id":"a","stamp":"2026-08-06T16:11:38.123456+02:00"}', "stamp", "2026-08-06T16:11:38.123456+02:00"),
    (b'{"id":"a","stamp":"2026-08-06 16:11"}', "stamp", "2026-08-06 16:11"),
    (b'{"id":"a","stamp":"2026-08-06"}', "stamp", "2026-08-06"),
])  # fmt: skip
def test_odd_but_right_lines_are_records(line: bytes, field: str, value: object) -> None:
    assert getattr(accepted(line), field) == value


def test_fields_that_are_not_read_are_listed() -> None:
    row = one(b'{"id":"a","zeta":1,"any":{"inner":1},"a/b":2}')
    assert isinstance(row, Row)
    assert row.extra == ("a~1b", "zeta")


def test_fields_below_fields_are_listed_too() -> None:
    role = {"input_tokens": 1, "output_tokens": 1, "retries": 2}
    metrics = {"input_tokens": 1, "tool_errors": 0, "by_role": {"primary": role}}
    line = {"id": "B1", "stamp": "2026-08-06", "kind": "fix", "model": "m", "metrics": metrics}
    row = one(json.dumps(line).encode(), BrownfieldRun)
    assert isinstance(row, Row)
    assert row.extra == ("metrics/by_role/*/retries", "metrics/tool_errors")


def keys_of(tree: object) -> int:
    if isinstance(tree, dict):
        return len(tree) + sum(map(keys_of, tree.values()))
    return sum(map(keys_of, tree)) if isinstance(tree, list) else 0


ODD = st.text('a"\\\\: \t{}[],', max_size=6)


@given(
    st.recursive(ODD, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD, inner, max_size=3)),
    st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")]),
    st.sampled_from([1, 400]),
)
def test_keys_are_never_counted_too_few(tree: object, separators: tuple[str, str], times: int) -> None:
    """Too few would hide a key that stands twice; too many, or no answer, only costs time."""
    line = json.dumps(tree, separators=separators).encode() + b"\n"
    counted = count_keys(line * times)
    assert counted == -1 or counted >= keys_of(tree) * times


@pytest.mark.parametrize("text", ['{"a": 1}', 'x": y', "a : b", "x : int", '\\": 1', "plain"])
@pytest.mark.parametrize("copies", [1, 200])
def test_a_key_that_stands_twice_is_seen_among_any_text(text: str, copies: int) -> None:
    good = json.dumps({"id": text, "q": text}).encode() + b"\n"
    bad = json.dumps({"id": text})[:-1].encode() + b', "q": 1, "q": 2}\n'
    found = list(read([good * copies + bad + good * copies], Thing, file="f"))
    assert [item.line for item in found if isinstance(item, Problem)] == [copies + 1]
    assert len(found) == 2 * copies + 1


# ------------------------------------------------------------------ lines, blocks, memory


def test_only_line_feeds_end_lines() -> None:
    assert list(lines([b"a\x0bb\x0cc\x1cd\xe2\x80\xa8e\xc2\x85f\rg\n\n  \t\r\nh\r\n"])) == [
        (1, b"a\x0bb\x0cc\x1cd\xe2\x80\xa8e\xc2\x85f\rg"), (4, b"h"),
    ]  # fmt: skip


@given(
    st.binary(max_size=200).map(lambda data: data.replace(b"\x01", b"\n")),
    st.lists(st.integers(0, 200), max_size=8),
)
def test_where_the_pieces_are_cut_is_no_information(data: bytes, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    pieces = [data[a:b] for a, b in pairwise(places)]
    assert list(lines(pieces)) == list(lines([data]))
    expected = [
        (number, line.removesuffix(b"\r"))
        for number, line in enumerate(data.split(b"\n"), start=1)
        if line.removesuffix(b"\r").strip(b" \t\r")
    ]
    assert list(lines([data])) == expected


@given(st.lists(st.binary(max_size=40), max_size=10))
def test_no_bytes_raise(pieces: list[bytes]) -> None:
    for item in read(pieces, Thing, file="f"):
        assert isinstance(item, Row | Problem)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["id", "n", "x", "ok", "names", "parts", "any", "q"]), JSON))
def test_every_json_object_is_a_row_or_a_problem(record: dict[str, Any]) -> None:
    line = json.dumps(record)
    if any("\ud800" <= c <= "\udfff" for c in json.dumps(record, ensure_ascii=False)):
        return
    found = one(line.encode())
    try:
        expected = msgspec.json.decode(line, type=Thing)
    except msgspec.MsgspecError:
        assert isinstance(found, Problem)
    else:
        assert isinstance(found, Row), str(found)
        assert found.record == expected


def test_a_line_that_is_too_long_is_told_and_passed_over() -> None:
    long = b'{"id":"' + b"x" * 1000 + b'"}'
    for size in (1, 3, 10_000):
        data = long + b'\n{"id":"a"}\n' + long + b"\n" + long
        pieces = [data[i : i + size] for i in range(0, len(data), size)]
        found = list(read(pieces, Thing, file="f", max_line=100))
        assert [type(item) for item in found] == [Problem, Row, Problem, Problem]
        assert str(found[0]) == "f:1: expected a line of at most 100 bytes"
        assert found[1].line == 2
    exact = b'{"id":"' + b"x" * 91 + b'"}'
    assert len(exact) == 100
    assert isinstance(next(read([exact + b"\n"], Thing, file="f", max_line=100)), Row)


def test_an_endless_line_is_not_kept() -> None:
    def endless() -> Iterator[bytes]:
        yield from (b"x" * 2**20 for _ in range(300))
        yield b'\n{"id":"a"}\n'

    found = list(read(endless(), Thing, file="f"))
    assert [type(item) for item in found] == [Problem, Row]


def test_batches_hold_at_most_so_many_and_lose_nothing() -> None:
    data = b"".join(b'{"id":"%d"}\n' % n if n % 10 else b"oops\n" for n in range(5000))
    found = list(batches([data], Thing, file="f"))
    assert [len(batch) for batch in found] == [BATCH, BATCH, 5000 - 2 * BATCH]
    assert [item.line for batch in found for item in batch] == list(range(1, 5001))
    assert sum(isinstance(item, Problem) for batch in found for item in batch) == 500
    assert [len(batch) for batch in batches([data], Thing, file="f", rows=7)][:2] == [7, 7]


def test_pieces_are_asked_for_as_they_are_needed() -> None:
    asked = 0

    def pieces() -> Iterator[bytes]:
        nonlocal asked
        while True:
            asked += 1
            yield b'{"id":"a"}\n' * 10

    stream = batches(pieces(), Thing, file="f", rows=20)
    next(stream)
    assert asked <= 3


def test_an_archive_that_is_cut_off_is_the_last_problem() -> None:
    def pieces() -> Iterator[bytes]:
        yield b'{"id":"a"}\n{"id":"b"}\n'
        raise FormatError("the gzip data end early", where="f")

    found = list(read(pieces(), Thing, file="f"))
    assert [type(item) for item in found] == [Row, Row, Problem]
    assert str(found[-1]) == "f: the gzip data end early"


# ------------------------------------------------------------------ torn files

RECORDS = [
    {
        "id": "B1",
        "kind": "fix",
        "model": "alpha",
        "change": 0.5,
        "change_detail": [["ten → bulk", True], ["é", False]],
        "regress": None,
        "regress_misses": [],
        "cost": 1.5e-5,
        "stamp": "2026-08-06T16:11:38+00:00",
        "error": None,
    },
    {
        "id": "B2",
        "axis": "behaviour",
        "agent": "x",
        "rep": 2,
        "turns": [{"n": 1, "text": 'a\nb"c\\'}],
        "metrics": {"by_role": {"primary": {"input_tokens": 12, "output_tokens": 3}}},
        "stamp": "2026-08-06",
    },
    {
        "id": "A1",
        "kind": "aware",
        "model": "😀",
        "change": 1.0,
        "answer_files": ["a\u2028.php"],
        "stamp": "2026-08-07",
    },
]


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_file_cut_at_any_byte_loses_its_last_line_and_no_more(ascii_only: bool) -> None:
    whole = b"".join(json.dumps(r, ensure_ascii=ascii_only).encode() + b"\n" for r in RECORDS)
    all_rows = [row.record for row in rows(whole)]
    assert len(all_rows) == 3
    for cut in range(len(whole)):
        found = list(read([whole[:cut]], BrownfieldRun, file="f"))
        complete = whole[:cut].count(b"\n")
        tail = whole[:cut].rpartition(b"\n")[2]
        assert [row.record for row in found if isinstance(row, Row)][:complete] == all_rows[:complete]
        if not tail:
            assert len(found) == complete
        elif cut + 1 == len(whole) or whole[cut : cut + 1] == b"\n":
            assert isinstance(found[-1], Row)
        else:
            assert len(found) == complete + 1
            assert isinstance(found[-1], Problem)
            assert "the line ends in the middle of" in found[-1].what
            assert found[-1].line == complete + 1


def rows(data: bytes) -> Iterable[Row]:
    for item in read([data], BrownfieldRun, file="f"):
        assert isinstance(item, Row), str(item)
        yield item


@pytest.mark.parametrize(("cut", "field", "what"), [
    (b'{"id":"a","parts":{"p', "parts", "a key"),
    (b'{"id":"a","parts":{"p"', "parts/p", "an object"),
    (b'{"id":"a","parts":{"p":1', "parts/p", "an object"),
    (b'{"id":"a","parts":{"p":1,', "parts", "an object"),
    (b'{"id":"a","any":[[1],{"q":"x\\"', "any/1/q", "a string"),
    (b'{"id":"a","names":["x","y"', "names/1", "a list"),
    (b'{"id":"a\xe2\x82', "id", "a string"),
])  # fmt: skip
def test_where_a_line_was_torn(cut: bytes, field: str, what: str) -> None:
    told = one(cut)
    assert isinstance(told, Problem)
    assert (told.field, told.what) == (field, f"the line ends in the middle of {what}")


# ------------------------------------------------------------------ rows


def test_rows_know_their_bytes_and_whether_they_can_be_the_same_run() -> None:
    repeated = b'{"task_id":"t","agent":"a","rep":0}\n'
    data = b'{"task_id":"t","agent":"a"}\r\n' + repeated * 2
    first, second, third = read([data], Trace, file="t.jsonl")
    assert isinstance(first, Row)
    assert isinstance(second, Row)
    assert isinstance(third, Row)
    assert first.raw == b'{"task_id":"t","agent":"a"}'
    assert (first.repeatable, second.repeatable) == (False, True)
    assert second.digest == third.digest != first.digest
    assert len(first.digest) == 16


def test_the_real_log_has_61_records_and_no_problem(shared_data: Path) -> None:
    data = (shared_data / "axium" / "logs_big" / "bench-deepseek-v4-pro-20260806.jsonl").read_bytes()
    found = list(read([data], BrownfieldRun, file="bench.jsonl"))
    assert len(found) == 61
    assert all(isinstance(item, Row) for item in found)
    runs = [item.record for item in found if isinstance(item, Row)]
    assert sum(len(run.change_detail) for run in runs if not run.on_claims) == 129
    assert sum(len(run.change_detail) for run in runs if run.on_claims) == 57
    assert sum(run.regress is None for run in runs) == 15
    assert round(sum(run.recorded_cost for run in runs), 6) == 0.149870
    assert sum(run.metrics.cached for run in runs) == 1_404_416
    assert "metrics/tool_histogram" in found[0].extra  # type: ignore[union-attr]


def test_a_batch_of_long_lines_ends_before_it_has_many_rows() -> None:
    half = b'{"id":"%s"}\n' % (b"x" * (LARGEST_BATCH // 2))
    assert [len(batch) for batch in batches([half * 5], Thing, file="f")] == [2, 2, 1]


@given(
    st.one_of(
        st.binary(max_size=60).map(lambda data: bytes(b"ab \t\r\n\n\n"[byte % 8] for byte in data)),
        st.lists(st.sampled_from([b"\n", b"x" * 40 + b"\n", b"\r\n"])).map(b"".join),
    ),
    st.integers(1, 200),
)
def test_lines_are_those_that_a_split_gives_however_they_are_cut_and_found(data: bytes, size: int) -> None:
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    plain = ((n, line.removesuffix(b"\r")) for n, line in enumerate(data.split(b"\n"), start=1))
    assert list(lines(pieces)) == [(n, line) for n, line in plain if line.strip(b" \t\r")]


def test_a_log_of_what_is_none_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MOST_INVALID", 3000)
    asked = 0

    def pieces() -> Iterator[bytes]:
        nonlocal asked
        for _ in range(1000):
            asked += 1
            yield b"{}\n" * 1000

    *found, last = read(pieces(), Thing, file="a.jsonl")
    assert str(last) == "a.jsonl: holds more than 3,000 lines that are no records: the rest is not read"
    assert 3000 < len(found) < 3000 + 2 * BATCH
    assert asked < 10


LINES = st.one_of(st.just(b"\n"), st.binary(min_size=30, max_size=60).map(lambda line: line + b"\n"))
"""Of a log as most are: whole lines, and an empty one here and there."""


@given(
    st.lists(
        st.one_of(
            st.text("\n\r\t a{", max_size=40).map(str.encode), st.lists(LINES, max_size=6).map(b"".join)
        ),
        max_size=8,
    )
)
def test_blocks_hold_the_same_lines_under_the_same_numbers(chunks: list[bytes]) -> None:
    found = [pair for numbers, held in blocks(chunks, 20) for pair in zip(numbers, held, strict=True)]
    short = [(number, line) for number, line in found if len(line) > 20 or line.strip(b" \t\r")]
    assert [(n, x if len(x) > 20 else x.removesuffix(b"\r")) for n, x in short] == list(lines(chunks, 20))
