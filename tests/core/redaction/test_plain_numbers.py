"""A text looked at many places at once gives what each place, and each line, gives by itself."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter

from hypothesis import given, strategies as st

from metrics_core.redaction.encoded_runs import SHORTEST, WIDE, decoded
from metrics_core.redaction.needles import SMALL, UNLOADED, Needles
from metrics_core.redaction.plain_numbers import MOST_DIGITS, REACH, without_plain_numbers
from metrics_core.redaction.redactor import Redactor
from metrics_core.redaction.rule import KEYED_GUARD, MANY

KEYS = ("token", "tokens", "token_count", "tokens2", "secret", "api_key", "Token", "token-id", "token s")
SIGNS = ('": ', '":', "': ", '" : ', '"= ', '":  ', '": "', '\\": ', '":\n')
ENDS = (",", "}", "]", " ", "\n", '"', ".", "e5", "_x", "x", "-", "\xe9")
values = st.one_of(
    st.text("0123456789", max_size=MOST_DIGITS + 3),
    st.text("0123456789.abcXYZ_/+-", max_size=40),
    st.sampled_from(["null", "true", "{", "[1]", "1.5", "1e9", "-7", "Zq8" + "vT4m" * 6]),
)
spelled = st.builds(
    lambda before, key, sign, value, end: f'{{"{before}{key}{sign}{value}{end}',
    st.sampled_from(["", "input_", "x.", "auth-"]),
    st.sampled_from(KEYS),
    st.sampled_from(SIGNS),
    values,
    st.sampled_from(ENDS),
)


@given(st.lists(spelled, min_size=1, max_size=40))
def test_no_place_is_left_out_that_the_guard_would_look_at(pieces: list[str]) -> None:
    text = ("|".join(pieces) + "|" * REACH).encode()
    starts = [match.start() for match in re.finditer(rb"(?i)token|secret|api_key", text)]
    looked_at = {at for at in starts if re.compile(KEYED_GUARD).match(text, at)}
    kept = without_plain_numbers(text, starts)
    assert set(kept) >= looked_at
    assert kept == sorted(kept)


def test_a_count_of_tokens_is_left_out_also_at_the_ends_of_what_is_left_out() -> None:
    def kept(text: str) -> bool:
        return bool(without_plain_numbers(text.encode() + b" " * REACH, [0]))

    assert not kept('tokens": 5,')
    assert not kept('tokens":0}')
    assert not kept(f'tokens": {"1" * MOST_DIGITS}\n')
    assert kept(f'tokens": {"1" * (MOST_DIGITS + 1)}\n')
    assert kept('tokens": 5e1')
    assert kept('tokens": "5",')
    assert without_plain_numbers(b'tokens": 5,', [0]) == [0]  # what stands behind it is not known


@given(st.lists(spelled, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_many_lines_at_once_are_redacted_as_each_of_them_is(pieces: list[str], rng: random.Random) -> None:
    filling = [f'{{"input_tokens": {rng.randrange(10**9)}, "cached_tokens": 4}}' for _ in range(MANY)]
    lines = [line.replace("\n", " ").encode() for line in (*filling, *pieces)]
    rng.shuffle(lines)
    redactor = Redactor()
    apart = [redactor.clean(line + b"\n") for line in lines]
    together, found = redactor.clean(b"".join(line + b"\n" for line in lines))
    assert together == b"".join(line for line, _ in apart)
    assert found == sum((more for _, more in apart), Counter())


def test_some_of_those_lines_hold_a_secret() -> None:
    secret = "Zq8" + "vT4m" * 6
    lines = "".join(f'{{"tokens": {n}, "api_key": "{secret}{n}"}}\n' for n in range(2 * MANY))
    assert Redactor().clean_text(lines)[1].total() == 2 * MANY


@given(st.text("abKt -e", max_size=40), st.integers(0, 9))
def test_needles_are_found_in_long_texts_as_in_short_ones(text: str, at: int) -> None:
    wanted = (b"abab", b"ababa", b"token", b"a-e-b-k-t", b"eeeeeeee", b"keta")
    before, needles = (Needles({needle: (number,) for number, needle in enumerate(wanted)}) for _ in range(2))
    list(needles.found_in(b"." * UNLOADED))  # numpy is loaded from now on
    for asked, data in itertools.product(
        (before, needles), (text.encode(), (text + "." * SMALL + text + "abab"[:at]).encode())
    ):
        found = {
            (start, number) for starts, who in asked.found_in(data) for start in starts for number in who
        }
        assert found == {
            (start, number)
            for number, needle in enumerate(wanted)
            for start in range(len(data))
            if data.lower().startswith(needle, start)
        }


RUN = st.integers(1, 2 * SHORTEST).flatmap(
    lambda size: st.text("abcXYZ019+/_-n", min_size=size, max_size=size)
)
BETWEEN = st.sampled_from([" ", ".", ",", '": "', "\\", "\\n", "/.", "[", "@", "~", "\xe9", "\n", "^_`"])


@given(st.lists(st.tuples(BETWEEN, RUN), max_size=30), st.integers(0, 7))
def test_runs_are_found_in_long_texts_as_in_short_ones(pieces: list[tuple[str, str]], at: int) -> None:
    text = "".join(between + run for between, run in pieces).encode()
    short, long = decoded(text), decoded(b" " * (WIDE + at) + text)
    assert (short is None) == (long is None)
    if short is not None and long is not None:
        assert long.text == short.text
        places = [place for place in range(len(short.text)) if short.text[place : place + 1] != b"\n"]
        for place in places:
            start, end = short.run_at(place)
            assert long.run_at(place) == (start + WIDE + at, end + WIDE + at)


@given(st.lists(st.tuples(BETWEEN, RUN), min_size=1, max_size=8))
def test_runs_are_found_where_they_stand_close_together(pieces: list[tuple[str, str]]) -> None:
    text = "".join(between + run for between, run in pieces).encode() + b"\n"
    times = WIDE // len(text) + 1
    short, long = decoded(text), decoded(text * times)
    assert (long.text if long else b"") == b"\n".join([short.text] * times if short else [])
