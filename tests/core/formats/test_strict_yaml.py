"""Strict YAML: what every reader makes the same is read, everything else is refused with its line."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from metrics_core.errors import FormatError
from metrics_core.formats import strict_yaml

READ: list[tuple[str, Any]] = [
    ("", None),
    ("# only a comment", None),
    ("a: 1", {"a": 1}),
    ("---\na: 1\n...\n", {"a": 1}),
    ("a: -0.5\nb: 0\nc: 1.50\nd: +3", {"a": -0.5, "b": 0, "c": 1.5, "d": 3}),
    ("a: true\nb: false\nc: null\nd: ~\ne:", {"a": True, "b": False, "c": None, "d": None, "e": None}),
    ("a: 2026-07-05", {"a": "2026-07-05"}),
    ("a: 2026-07-05T10:00:00Z", {"a": "2026-07-05T10:00:00Z"}),
    ("a: 'no'\nb: \"1:30\"\nc: |\n  yes\n", {"a": "no", "b": "1:30", "c": "yes\n"}),
    ("a: >-\n  one\n  two", {"a": "one two"}),
    ("a: [1, x, {b: c}]\n", {"a": [1, "x", {"b": "c"}]}),
    ("- 1\n- - 2\n- {}\n- []\n", [1, [2], {}, []]),
    ("a: 10:30 in the morning", {"a": "10:30 in the morning"}),
    ("a: v1.2.3\nb: 1.2.3\nc: 12ab\nd: 4_ever", {"a": "v1.2.3", "b": "1.2.3", "c": "12ab", "d": "4_ever"}),
    ("a: northern\nb: yesterday\nc: offer", {"a": "northern", "b": "yesterday", "c": "offer"}),
    ("é: ü\u2028", {"é": "ü"}),
    ("1: a\n'2': b", {"1": "a", "2": "b"}),
    ("\ufeffa: 1", {"a": 1}),
]

REFUSED: list[tuple[str, int, str]] = [
    *[(f"x: 1\na: {word}", 2, "true or false") for word in ("no", "No", "NO", "yes", "on", "Off", "y", "N")],
    *[(f"x: 1\n{word}: a", 2, "true or false") for word in ("no", "on")],
    *[(f"a: {word}", 1, "lower case") for word in ("True", "FALSE", "Null", "NULL")],
    *[(f"a:\n  b: {number}", 2, "a number to some")
      for number in ("1:30", "190:20:30", "1:30.5", "010", "0o17", "0x1F", "0b11", "1_000", "1e3", "12e03",
                     "1.5e+3", ".5", "5.", "-.5", "-010", "00")],
    *[(f"- {number}", 1, "no number that can be counted with") for number in (".inf", "-.INF", ".nan")],
    ("a: 1\nb: 2\na: 3", 3, 'got "a" twice'),
    ("a: {b: 1,\n b: 2}", 2, 'got "b" twice'),
    ("1: a\n'1': b", 2, 'got "1" twice'),
    ("a: &x 1", 1, "anchor or alias"),
    ("a: &x 1\nb: *x", 1, "anchor or alias"),
    ("a: *x", 1, "anchor or alias"),
    ("&x a: 1", 1, "anchor or alias"),
    ("a: &x [*x]", 1, "anchor or alias"),
    ("a: 1\n<<: {b: 1}", 2, "a merge"),
    ("a: =", 1, "a merge or a default"),
    ("a: !!python/object/apply:os.system [x]", 1, "got a tag"),
    ("a: !!int '1'", 1, "got a tag"),
    ("a: !local x", 1, "got a tag"),
    ("--- !!map\na: 1", 1, "got a tag"),
    ("a: 1\n---\nb: 2", 2, "expected one document"),
    ("? [a]\n: 1", 1, "expected a word as key"),
    ("? {a: 1}\n: 1", 1, "expected a word as key"),
    ("a: [1, 2", 1, "expected YAML"),
    ("a: 'b", 1, "expected YAML"),
    ("a: b: c", 1, "expected YAML"),
    ("a:\n\tb: 1", 2, "expected YAML"),
    ("a: @b", 1, "expected YAML"),
    ('x: 1\na: "\\ud83d\\ude00"', 2, "got half of one"),
    ('x: 1\na: "a\\U0011ffff"', 2, "an escape that is none"),
    ('x: 1\na: 2\n"\\Uffffffff": b', 3, "an escape that is none"),
    ("x: 1\na: " + "9" * 400 + ".0", 2, "larger than any number"),
    ("x: 1\na:\n  - -" + "9" * 400 + ".5", 3, "larger than any number"),
    ("x: 1\na: \x07", 2, "control character"),
    ("x: 1\na: \ud800".encode("utf-8", "surrogatepass").decode("latin-1"), 2, "control character"),
    ("a: " + "[" * 40 + "]" * 40, 1, "within each other"),
    ("a: " + "{b: " * 40 + "1" + "}" * 40, 1, "within each other"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), READ)
def test_plain_yaml_is_read(text: str, value: Any) -> None:
    assert strict_yaml.load(text.encode(), "x.yaml") == value


@pytest.mark.parametrize(("text", "line", "what"), REFUSED, ids=[str(n) for n in range(len(REFUSED))])
def test_traps_are_refused_with_their_line(text: str, line: int, what: str) -> None:
    with pytest.raises(FormatError) as refused:
        strict_yaml.load(text.encode(), "x.yaml")
    assert refused.value.where == f"x.yaml:{line}"
    assert what in refused.value.problem
    assert str(refused.value).isprintable()


def test_bytes_that_are_no_text_and_texts_without_end_are_refused() -> None:
    with pytest.raises(FormatError, match=r"x.yaml:2: expected UTF-8, got byte 0xff"):
        strict_yaml.load(b"a: 1\nb: \xff", "x.yaml")
    with pytest.raises(FormatError, match="at most"):
        strict_yaml.load(b"a: " + b"x" * (strict_yaml.LARGEST + 1), "x.yaml")
    with pytest.raises(FormatError, match="within each other"):
        strict_yaml.load(b"[" * 500_000, "x.yaml")


TEXT = st.text(st.characters(codec="utf-8", max_codepoint=0xFFFF))


@given(st.dictionaries(st.text("abcxyz", min_size=3), st.integers() | st.booleans() | st.none() | TEXT))
def test_what_is_accepted_is_what_a_safe_loader_reads(value: dict[str, Any]) -> None:
    text = json.dumps(value)
    assert strict_yaml.load(text.encode(), "x.yaml") == yaml.safe_load(text) == json.loads(text)


def test_a_document_knows_where_its_parts_stand() -> None:
    doc = strict_yaml.parse(b"a: 1\nb:\n  - x\n  - c: 2\n\nd: 3\n", "x.yaml")
    assert doc.where() == "x.yaml:1"
    assert doc.where("b", 1, "c") == "x.yaml:4"
    assert doc.where("b", 7) == "x.yaml:2"
    assert doc.where("d") == "x.yaml:6"
    assert doc.where("nowhere") == "x.yaml:1"
