"""Altered bytes for every reader, a few by day and more by night; and all that ever found something."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies as st

from tests.fuzz.mutation import LARGEST, altered
from tests.fuzz.targets import CORPUS, TARGETS, Target, corpus

FEWER = 3
"""A reader gets so many times fewer inputs than a law has examples: there are many readers."""

REFUSED = ("packed", "statement", "prose")
"""Readers that are several in one, or whose inputs name what is not there: one refuses what another takes."""

KEPT = [(target, name) for target in TARGETS for name, _ in corpus(target.name)]
every_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


@every_target
@settings(max_examples=settings.default.max_examples // FEWER)
@given(seed=st.integers(0, 2**32))
def test_any_bytes_are_taken_or_refused(target: Target, seed: int) -> None:
    target.try_on(altered(random.Random(seed), target.every_seed()))


@pytest.mark.parametrize("target", [t for t in TARGETS if t.name not in REFUSED], ids=lambda each: each.name)
def test_what_is_altered_is_taken_as_it_stands(target: Target) -> None:
    """Else nothing behind the first refusal would be tried."""
    assert target.seeds()
    for seed in target.seeds():
        assert len(seed) <= LARGEST
        target.run(seed)


@pytest.mark.parametrize(("target", "name"), KEPT, ids=lambda each: getattr(each, "name", each))
def test_what_once_found_something_finds_nothing(target: Target, name: str) -> None:
    target.try_on(dict(corpus(target.name))[name])


def test_each_folder_of_the_corpus_has_its_reader() -> None:
    assert KEPT
    assert {path.name for path in CORPUS.iterdir()} <= {target.name for target in TARGETS}
