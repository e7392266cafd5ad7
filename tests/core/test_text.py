"""Characters that a reader cannot see are spelled out: every one of Unicode, one by one."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest

from metrics_core.text import visible
from tests.support.by_day import at_night

# Default_Ignorable_Code_Point, as DerivedCoreProperties.txt of Unicode 15.0 lists it.
IGNORABLE = [
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
]  # fmt: skip

# The controls of the bidirectional algorithm (UAX 9, table of section 2): what Trojan Source is made of.
BIDI = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))

ANNOTATION = range(0xFFF9, 0xFFFD)
"""Interlinear annotation, and the stand-in for an object."""

UNASSIGNED = range(0xE1000, 0xF0000)
"""Rest of the plane of tags and variation selectors: nothing is there that a font could draw."""


UNSEEN = frozenset(
    [code for first, last in IGNORABLE for code in range(first, last + 1)]
    + [*ANNOTATION, *UNASSIGNED]
    + [*range(0xFDD0, 0xFDF0), 0xFFFE, 0xFFFF, *range(0xFFFFE, 0x110000)]  # noncharacters, and private use
)


def hidden(code: int) -> bool:
    """Whether a reader cannot see a character, by Unicode's own properties; tab and line feed are seen."""
    if code in UNSEEN:
        return True
    return chr(code) not in "\t\n" and unicodedata.category(chr(code)) in {"Cc", "Cs", "Co", "Zl", "Zp"}


def rows_that_differ(escaped: bool, spelled: Callable[[int], str]) -> list[str]:
    """Rows of 256 characters, all of Unicode in turn, that are not written as their characters should be."""
    rows = [range(first, first + 256) for first in range(0, 0x110000, 256)]
    return [
        f"U+{row.start:04X}"
        for row in rows
        if visible("".join(map(chr, row)), escaped=escaped) != "".join(map(spelled, row))
    ]


def test_every_character_of_unicode_is_spelled_out_exactly_if_it_cannot_be_seen() -> None:
    def spelled(code: int) -> str:
        return f"‹U+{code:04X}›" if hidden(code) else chr(code)

    assert rows_that_differ(False, spelled) == []


@at_night("every character is spelled out exactly if it cannot be seen")
def test_a_message_spells_each_of_them_and_every_space_but_the_plain_one_as_json_does() -> None:
    def spelled(code: int) -> str:
        space = unicodedata.category(chr(code)) == "Zs" and code != 0x20
        if not (hidden(code) or space or chr(code) in "\t\n"):
            return chr(code)
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

    assert rows_that_differ(True, spelled) == []


@pytest.mark.parametrize("code", [*BIDI, 0x2065])
@pytest.mark.parametrize("escaped", [False, True])
def test_nothing_that_turns_the_direction_of_text_is_left_in_it(code: int, *, escaped: bool) -> None:
    assert chr(code) not in visible(f"if (admin{chr(code)}) return", escaped=escaped)


def test_the_text_around_it_stays() -> None:
    assert visible("95\u202f% of\u00a0it\r\n\tnext") == "95\u202f% of\u00a0it‹U+000D›\n\tnext"
    assert visible("95\u202f%\r\n", escaped=True) == "95\\u202f%\\u000d\\u000a"
