"""Names as pages show them: short ones as they are, long ones cut, and no two alike that differ."""

from __future__ import annotations

import itertools
import re
import unicodedata

import pytest
from hypothesis import given, strategies as st

from metrics_core.text import visible
from site_src.wording.names import LONGEST_NAME, shown_name
from tests.support.hostile_text import PAYLOADS, TEXTS

PIECES = st.sampled_from([*PAYLOADS[:40], "a", "é", "e\u0301", "\u202e", "…", " ", "‹U+202E›", "x" * 60])
NAMES = st.lists(PIECES, max_size=30).map("".join)
SPELLED = re.compile(r"‹U\+[0-9A-F]{4,6}›")


@given(NAMES, NAMES)
def test_two_names_that_look_different_still_do_where_they_are_cut(a: str, b: str) -> None:
    if visible(a) != visible(b):
        assert shown_name(a) != shown_name(b)


@given(NAMES, st.text(min_size=1, max_size=4))
def test_names_that_differ_in_the_middle_alone_differ(end: str, middle: str) -> None:
    long = "x" * LONGEST_NAME
    assert shown_name(f"{long}{middle}{end}{long}") != shown_name(f"{long}{end}{long}")


@given(NAMES)
def test_what_looks_like_a_cut_name_is_not_taken_for_one(name: str) -> None:
    if (cut := shown_name(name)) != visible(name):
        assert shown_name(cut) != cut


@given(NAMES)
def test_short_names_are_shown_whole_and_no_name_is_long(name: str) -> None:
    shown = shown_name(name)
    assert len(shown) <= LONGEST_NAME
    if len(visible(name)) <= LONGEST_NAME and "…" not in name:
        assert shown == visible(name)


@given(NAMES)
def test_nothing_is_cut_in_the_middle(name: str) -> None:
    shown = shown_name(name)
    assert visible(shown) == shown
    assert shown.count("‹U+") == len(SPELLED.findall(shown))
    if shown != visible(name):
        head, _, _ = shown.rpartition(" (")
        tail = head.rpartition("…")[2]
        assert not tail or not unicodedata.combining(tail[0])


@pytest.mark.parametrize("unit", ["\u202e", "\U000e0041", "e\u0301\u0302", "\u0301", "x"])
def test_a_unit_at_either_cut_is_the_one_that_reading_from_the_start_finds(unit: str) -> None:
    """Only the head and the tail of a long name are looked at."""
    for before, after in itertools.product((0, *range(50, 66)), range(24)):
        name = "a" * before + unit + "b" * 150 + unit + "c" * after
        units = re.findall(rf"(?:{SPELLED.pattern}|.)[\u0301\u0302]*", visible(name))
        head, _, tail = shown_name(name).rpartition(" (")[0].partition("…")
        assert head == "".join(longest(units, 64))
        assert tail == "".join(longest(units[::-1], 20)[::-1])


def longest(units: list[str], room: int) -> list[str]:
    """As many of the first units as have room."""
    lengths = itertools.accumulate(map(len, units))
    return [unit for unit, length in zip(units, lengths, strict=True) if length <= room]


def test_a_name_of_many_marks_is_as_short_as_others() -> None:
    assert len(shown_name("a" + "\u0301" * 10_000)) <= LONGEST_NAME


def test_hostile_texts_stay_apart() -> None:
    assert len(set(map(shown_name, TEXTS))) == len(set(TEXTS))
