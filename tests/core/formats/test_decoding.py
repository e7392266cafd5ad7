"""Documents decoded into structs: what an error tells of a value that lies deep, and what is no error."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from metrics_core.errors import ConfigError, FormatError
from metrics_core.experiments import read_price_table
from metrics_core.formats import strict_yaml
from metrics_core.formats.decoding import Day, OneLine, OneOrMore, Text, Wrong, decode

TABLE = "fetched: 2026-07-05\nmodels:\n  a/b: {input: 1, output: 2}\n  c: "


class Inner(Struct, forbid_unknown_fields=True):
    """A struct with a check of its own."""

    size: Annotated[int, Meta(ge=1, description="a size")]
    end: Day = ""

    def __post_init__(self) -> None:
        if self.size == 13:
            raise Wrong("13 is never a size", "size", hint="take 12")


class Outer(Struct, forbid_unknown_fields=True):
    """Every kind of part that a document of ours has."""

    name: Text
    note: OneLine = ""
    hue: Literal["red", "green"] = "red"
    tags: OneOrMore = ()
    parts: dict[str, Inner] = {}
    rows: tuple[Inner, ...] = ()
    one: Inner | None = None
    ratio: float = 0.0
    open: bool = False


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "x.yaml#/name: expected text, got null"),
        ("note: m\nname:", "x.yaml:2#/name: expected text, got null"),
        ("name: ' '", 'x.yaml:1#/name: expected text, got ""'),
        ("name: 1", "x.yaml:1#/name: expected text, got 1 (put it in quotation marks)"),
        ("name: a\nhue: gren", 'x.yaml:2#/hue: expected one of green, red, got "gren" (nearest: green)'),
        ("name: a\nratio: true", "x.yaml:2#/ratio: expected a number, got true"),
        ("name: a\nopen: 1", "x.yaml:2#/open: expected true or false, got 1"),
        ("name: a\ntags:\n  - b\n  - [c]", 'x.yaml:4#/tags/1: expected text, got ["c"]'),
        ("name: a\ntags: {b: c}", 'x.yaml:2#/tags: expected text, or a list of text, got {"b": "c"}'),
        ("name: a\nrows: {}", "x.yaml:2#/rows: expected a list of {size, end}, got {}"),
        ("name: a\nrows:\n  - {size: 1}\n  - {size: 0}", "x.yaml:4#/rows/1/size: expected a size, got 0"),
        (
            "name: a\none: {sise: 1}",
            'x.yaml:2#/one/sise: expected one of size, end, got "sise" (nearest: size)',
        ),
        ("name: a\none: 1", "x.yaml:2#/one: expected {size, end}, got 1"),
        ("name: a\nparts: []", "x.yaml:2#/parts: expected a mapping, got []"),
        (
            "name: a\nparts:\n  b: {size: 1}\n  c/d: {size: 13}",
            "x.yaml:4#/parts/c~1d/size: 13 is never a size (take 12)",
        ),
        (
            "name: a\nparts:\n  b: {size: 1}\n  c: {size: 1,\n end: 2026-02-30}",
            "x.yaml:5#/parts/c/end: expected a",
        ),
        (
            "name: a\nparts:\n  b: {size: 1}\n  c: {size: 1, z: }",
            "x.yaml:4#/parts/c/z: expected one of size, end",
        ),
    ],
)
def test_what_is_wrong_is_told_with_line_pointer_and_words(text: str, told: str) -> None:
    with pytest.raises(ConfigError) as refused:
        decode(strict_yaml.parse(text.encode(), "x.yaml"), Outer, ConfigError)
    assert str(refused.value).startswith(told)


def test_what_is_left_empty_is_left_out_and_one_text_is_a_list() -> None:
    text = b"name: ' a  b '\nnote: ' a  b '\ntags: c\nhue:\none: {size: 2, end: }\nratio: 1"
    made = decode(strict_yaml.parse(text, "x.yaml"), Outer, ConfigError)
    assert made == Outer("a  b", "a b", "red", ("c",), one=Inner(2), ratio=1.0)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (
            "{input: 1, outputs: 2}",
            "p.yaml:4#/models/c/outputs: expected one of input, output, cached, source",
        ),
        ("{input: 1, outputs: 2}", "nearest: output"),
        ("{input: 1}", "p.yaml:4#/models/c/output: expected a price in US dollars, 0 or more, got null"),
        (
            "{input: -1, output: 1}",
            "p.yaml:4#/models/c/input: expected a price in US dollars, 0 or more, got -1",
        ),
        (
            "{input: 0.0000000001, output: 1}",
            "p.yaml:4#/models/c/input: expected no more digits than a price",
        ),
        ("3", "p.yaml:4#/models/c: expected {input, output, cached, source}, got 3"),
        ("{input: 1, output: 1}\ncurrency: EUR", "p.yaml:5#/currency: expected one of USD"),
        ("{input: 1, output: 1}\nper: 0", "p.yaml:5#/per: expected a count of tokens, got 0"),
        (
            "{input: 1, output: 1}\ncorrections: [{date: soon}]",
            "p.yaml:5#/corrections/0/date: expected a date such as",
        ),
    ],
)
def test_a_price_that_is_none_is_told_with_its_line(row: str, told: str) -> None:
    with pytest.raises(FormatError) as refused:
        read_price_table((TABLE + row).encode(), "p.yaml")
    assert told in str(refused.value)


def test_a_price_table_in_json_is_told_by_its_pointer() -> None:
    with pytest.raises(FormatError, match=r"^p\.json#/prices/a/out: expected a price in US dollars"):
        read_price_table(
            b'{"dated": "2026-07-05", "unit": "USD", "prices": {"a": {"in": 1, "out": "x"}}}', "p.json"
        )
