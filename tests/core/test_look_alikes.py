"""Names that look alike are told, and stay two names; names that do not are left alone."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies as st

from metrics_core.look_alikes import apart, look_alikes, told

ALIKE = (
    ("alpha", "\u0430lpha"), ("alpha", "\u0251lpha"), ("alpha", "alph\u0430"), ("Alpha", "\u0391lpha"),
    ("scope", "\u0455\u0441\u043e\u0440\u0435"), ("alpha", "\uff41\uff4c\uff50\uff48\uff41"),
    ("alpha", "\U0001d41alpha"), ("alpha", "alpha\u200b"), ("alpha", "al\u200dpha"),
    ("alpha", "\u202ealpha"), ("alpha", "alp\u00adha"), ("alpha", "alpha\ufe0f"), ("alpha", "alpha "),
    ("alpha", " alpha"), ("alpha", "alpha\u00a0"), ("a b", "a  b"), ("a b", "a\u2009b"), ("a b", "a\tb"),
    ("alpha", "Alpha"), ("alpha", "ALPHA"), ("alpha", "\u0410LPHA"), ("model-1", "model-l"),
    ("model-1", "model-I"), ("model-l", "model-I"), ("gpt-4o", "gpt-4O"), ("gpt-40", "gpt-4O"),
    ("O1", "01"), ("barn", "bam"), ("caf\u00e9", "cafe\u0301"), ("\u00c5", "\u212b"),
    ("\u01c6", "d\u017e"), ("x-y", "x\u2010y"), ("x-y", "x\u2212y"), ("\ufb01x", "fix"),
    ("\u03b1\u03bf", "\u0430\u043e"), ("stra\u00dfe", "strasse"), ("\u0131d", "id"),
)  # fmt: skip
DIFFERENT = (
    ("alpha", "beta"), ("A1", "AL"), ("v10", "v11"), ("gpt-4", "gpt-5"), ("gpt-4", "gpt_4"),
    ("alpha", "alphas"), ("a.b", "a-b"), ("fix", "flx"), ("\u4e00", "\u4e8c"), ("caf\u00e9", "caf\u00e8"),
    ("alpha", "alp ha"), ("B2", "BZ"), ("django__django-11001", "django__django-11010"),
    ("2026-07-01", "2026-07-10"), ("\u0414", "\u0416"), ("s3", "S2"),
)  # fmt: skip
NAMES = st.lists(st.text(max_size=6) | st.sampled_from([n for pair in ALIKE for n in pair]), max_size=8)


@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_names_that_look_alike_are_told_with_what_parts_them(first: str, second: str) -> None:
    (group,) = look_alikes([second, "something else", first])
    assert set(group) == {first, second}
    assert apart(first, second)
    said = told(group)
    assert said.isprintable()
    assert "look alike and are 2 names: they part in " in said


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_names_that_do_not_are_left_alone(first: str, second: str) -> None:
    assert list(look_alikes([first, second])) == []


def test_what_parts_them_is_spelled_where_it_cannot_be_seen() -> None:
    assert told(["alpha", "\u0430lpha"]).endswith("they part in U+0061 against U+0430")
    assert told(["alpha", "alpha\u200b"]).startswith('"alpha" and "alpha\\u200b" look alike')
    assert told(["a", "A", "\u0430"]).endswith("they part in capital letters, and in U+0061 against U+0430")


@given(NAMES)
def test_order_and_repetition_tell_nothing_and_no_name_is_changed(names: list[str]) -> None:
    groups = list(look_alikes(names))
    assert groups == list(look_alikes([*reversed(names), *names]))
    assert {name for group in groups for name in group} <= set(names)
    assert all(len(set(group)) == len(group) >= 2 for group in groups)
    assert len({name for group in groups for name in group}) == sum(map(len, groups))


@given(st.text(min_size=1, max_size=8))
def test_two_forms_of_the_same_text_look_alike(text: str) -> None:
    forms = {unicodedata.normalize(form, text) for form in ("NFC", "NFD")}
    found = [set(group) for group in look_alikes(forms)]
    assert found == ([forms] if len(forms) > 1 else [])
