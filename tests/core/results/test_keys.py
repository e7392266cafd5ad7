"""Keys: names and values in one order, equal to and hashed as their pairs, read by name."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given, strategies as st
from msgspec import Struct
from msgspec.structs import asdict

from metrics_core.results.keys import Keys

WORDS = st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=5)


@given(WORDS, st.randoms())
def test_keys_are_their_sorted_pairs_whatever_order_they_come_in(words: dict[str, str], chance) -> None:
    pairs = list(words.items())
    chance.shuffle(pairs)
    keys = Keys(pairs)
    assert keys == Keys(words) == tuple(sorted(words.items()))
    assert hash(keys) == hash(tuple(sorted(words.items())))
    assert {name: keys[name] for name in keys.names} == words == dict(keys)
    assert json.dumps(keys.to_json()) == json.dumps(dict(sorted(words.items())))
    assert pickle.loads(pickle.dumps(keys)) == keys
    assert type(pickle.loads(pickle.dumps(keys))) is Keys


@given(WORDS, WORDS)
def test_two_keys_make_a_mapping(mine: dict[str, str], other: dict[str, str]) -> None:
    both, left, right = Keys(mine) | other, Keys(mine), Keys(other)
    assert dict(both) == {**mine, **other}
    assert type(both) is Keys
    assert left.differing(right) == tuple(
        sorted(name for name in {*mine, *other} if mine.get(name) != other.get(name))
    )
    assert dict(left.without(*other)) == {k: v for k, v in mine.items() if k not in other}
    assert dict(left.only(*other)) == {k: v for k, v in mine.items() if k in other}
    assert (left < right) is (sorted(mine.items()) < sorted(other.items()))


def test_a_name_that_is_not_there_is_no_value() -> None:
    keys = Keys({"model": "alpha"})
    assert (keys.get("kind"), keys.get("kind", "all"), keys.get("model", "all")) == (None, "all", "alpha")
    assert keys[0] == ("model", "alpha")
    with pytest.raises(KeyError, match="kind"):
        keys["kind"]
    with pytest.raises(TypeError):
        keys["model"] = "beta"  # type: ignore[index]


def test_a_struct_that_holds_keys_keeps_them_as_such() -> None:
    class Held(Struct, frozen=True):
        group: Keys

    held = asdict(Held(Keys({"model": "alpha"})))["group"]
    assert type(held) is Keys
    assert held == Keys({"model": "alpha"})
