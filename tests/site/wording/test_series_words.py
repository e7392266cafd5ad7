"""What is said of a series: each sentence against what it stands on, and that a false one is found."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from metrics_core.measurement.timelines import over_experiments
from metrics_core.results.control import Control, ControlState
from metrics_core.results.estimate import ContractRef, Estimate
from metrics_core.results.shapes import Series
from site_src.wording import series
from site_src.wording.spans import text
from tests.support import figure_samples as samples
from tests.support.row_predicates import OF_OTHERS


def line(*nights: tuple[int, str]) -> Series:
    """Successes of ten in each night, and the digest of the contract that counted them."""
    points: list[list[Estimate]] = [
        [
            replace(
                samples.share("recall", n, 10),
                experiment=f"night-{at}",
                contract=ContractRef("a", "1", f"sha256:{contract * 64}"),
            )
        ]
        for at, (n, contract) in enumerate(nights, 1)
    ]
    (found,) = over_experiments(points)
    return found


@pytest.mark.parametrize(
    ("nights", "newest"),
    [
        ([(3, "a"), (5, "a"), (7, "a")], "night-3"),
        ([(3, "a"), (5, "a"), (7, "b")], "night-3"),
        ([(3, "a"), (5, "b"), (7, "b")], "night-3"),
        ([(3, "a"), (5, "a")], "night-9"),
        ([(n, "a") for n in range(1, 10)], "night-9"),
    ],
)
def test_a_course_tells_the_counts_of_one_instrument(nights: list[tuple[int, str]], newest: str) -> None:
    found = line(*nights)
    words = text(series.course(found, newest))
    predicate = OF_OTHERS[series.course]
    assert list(predicate(words, found, newest)) == []
    n = nights[-1][0]
    assert list(predicate(words.replace(f"{n}/10", f"{n + 1}/10"), found, newest)) != []


def test_a_control_is_told_once_with_the_nights_in_which_it_did_not_hold() -> None:
    states: list[ControlState] = ["held", "failed", "missing", "not applicable"]
    found = {
        f"night-{at}": Control(name="x", title="x", state=state, detail="", guards="f")
        for at, state in enumerate(states, 1)
    }
    words = series.held_in(found)
    assert words == "held in 1 of 3, failed in night-2, missing in night-3, not applicable in 1"
    predicate = OF_OTHERS[series.held_in]
    assert list(predicate(words, found)) == []
    assert list(predicate(words.replace("1 of 3", "2 of 3"), found)) != []
    assert series.held_in({"night-4": found["night-4"]}) == "not applicable"


def test_a_series_is_named_from_its_first_to_its_newest() -> None:
    predicate = OF_OTHERS[series.span_of]
    names = ["night-1", "night-2", "night-3"]
    assert list(predicate(series.span_of(names), names)) == []
    assert list(predicate(series.span_of(names[:2]), names)) != []
