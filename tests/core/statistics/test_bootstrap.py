"""The signed bootstrap gives what seed 004's function gives, bit for bit."""

from __future__ import annotations

import inspect
import math
import random
import sys
from pathlib import Path

import pytest

from metrics_core.statistics.bootstrap import resampled as bootstrap
from metrics_core.statistics.bootstrap.resampled import (
    IndexStream,
    bootstrap_mean_ci,
    bootstrap_means_ci,
    signed_interval,
)
from tests.specs.reference import seed_004
from tests.support.by_day import at_night, one_in


def left_to_right(values: list[float]) -> float:
    total: float = 0
    for value in values:
        total = total + value
    return total


@pytest.fixture(autouse=True)
def sum_as_in_python_3_11(monkeypatch: pytest.MonkeyPatch) -> None:
    """From 3.12 on `sum` compensates rounding; the signed numbers are those without."""
    if sys.version_info >= (3, 12):
        monkeypatch.setattr(seed_004, "sum", left_to_right, raising=False)


SHAPES = {
    "verdicts": lambda rng: float(rng.random() < 0.7),
    "tenths": lambda rng: rng.randrange(11) / 10,
    "thirds": lambda rng: rng.choice((0.0, 1 / 3, 2 / 3, 1.0)),
    "any": lambda rng: rng.random(),
    "wide": lambda rng: rng.gauss(0, 1) * 10 ** rng.randrange(-8, 9),
    "alike": lambda _: 0.1,
    "nearly all pass": lambda rng: 1.0 if rng.random() < 0.98 else 0.3,
    "signed zeros": lambda rng: rng.choice((-0.0, 0.0)),
}


@one_in(3)
@pytest.mark.parametrize("shape", SHAPES)
def test_equals_the_reference_for_many_sizes(shape: str) -> None:
    rng = random.Random(f"sizes of {shape}")
    for _ in range(30):
        n = int(8 * 250 ** rng.random())
        resamples = rng.randrange(20, max(21, min(2000, 60_000 // n)))
        scores = [SHAPES[shape](rng) for _ in range(n)]
        seed, alpha = rng.randrange(10**9), rng.choice((0.05, 0.1, 0.01))
        expected = seed_004.bootstrap_mean_ci(scores, resamples, alpha, seed)
        got = bootstrap_mean_ci(scores, resamples, alpha, seed)
        assert repr(got) == repr(expected), (n, resamples, alpha, seed)


@one_in(3)
@pytest.mark.parametrize("n", [8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 129])
def test_equals_the_reference_with_its_own_defaults_around_powers_of_two(n: int) -> None:
    rng = random.Random(n)
    for shape in ("verdicts", "any"):
        scores = [SHAPES[shape](rng) for _ in range(n)]
        assert bootstrap_mean_ci(scores) == seed_004.bootstrap_mean_ci(scores)


def test_equals_the_reference_where_a_resample_fills_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "_BLOCK", 100)
    monkeypatch.setattr(bootstrap, "_WORDS", 64)
    rng = random.Random(1)
    for n in (33, 100, 257):
        scores = [rng.choice((0.1, 0.2, 0.3)) for _ in range(n)]
        assert bootstrap_mean_ci(scores, 200) == seed_004.bootstrap_mean_ci(scores, 200)


@at_night("sizes up to two thousand are drawn for each shape")
def test_equals_the_reference_for_thousands_of_fractions() -> None:
    rng = random.Random(2)
    scores = [rng.random() for _ in range(2000)]
    assert bootstrap_mean_ci(scores) == seed_004.bootstrap_mean_ci(scores)


def test_invalid_runs_are_counted_and_left_out() -> None:
    scores = [1.0, math.nan, 0.0, 1.0, 1.0, 0.5, math.nan, 1.0, 0.0, 1.0, 1.0]
    got = bootstrap_mean_ci(scores)
    assert got == seed_004.bootstrap_mean_ci(scores)
    assert (got["n_valid"], got["n_invalid"]) == (9, 2)


def test_fewer_than_eight_valid_runs_have_no_mean() -> None:
    scores = [1.0] * 7 + [math.nan] * 5
    assert bootstrap_mean_ci(scores) == seed_004.bootstrap_mean_ci(scores)
    assert bootstrap_mean_ci([])["note"] == "too few valid runs"


def test_whole_numbers_and_booleans_are_scores() -> None:
    scores = [True, False, 1, 0, 1, 1, True, 0, 2]
    assert bootstrap_mean_ci(scores) == seed_004.bootstrap_mean_ci([float(score) for score in scores])


@pytest.mark.parametrize("bad", [math.inf, -math.inf, "0.5", None, [1.0]])
def test_an_endless_score_or_no_number_is_an_error(bad: object) -> None:
    with pytest.raises(ValueError, match="expected a finite number"):
        bootstrap_mean_ci([1.0] * 9 + [bad])  # type: ignore[list-item]


@pytest.mark.parametrize("arguments", [{"resamples": 0}, {"alpha": 0.0}, {"alpha": 1.0}, {"alpha": 1e-17}])
def test_arguments_out_of_range_are_errors(arguments: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="alpha"):
        bootstrap_mean_ci([1.0] * 9, **arguments)  # type: ignore[arg-type]


@one_in(3)
@pytest.mark.parametrize("n", [8, 30, 400])
def test_many_columns_give_what_each_gives_alone(n: int) -> None:
    rng = random.Random(n)
    columns = {
        f"{shape} {i}": [make(rng) for _ in range(n)] for i in range(3) for shape, make in SHAPES.items()
    }
    columns["with holes"] = [math.nan if rng.random() < 0.2 else rng.random() for _ in range(n)]
    columns["too few"] = [1.0] * 7
    together = bootstrap_means_ci(columns, resamples=300, seed=11)
    assert list(together) == list(columns)
    for name, scores in columns.items():
        assert repr(together[name]) == repr(seed_004.bootstrap_mean_ci(scores, 300, seed=11)), name


@pytest.mark.parametrize("n", [1, 2, 7, 8, 1000, 65_535, 65_536, 70_001])
def test_indices_are_those_of_randrange(n: int) -> None:
    rng, stream = random.Random(-5), IndexStream(-5, n)
    for rows in (1, 3, 2):
        assert stream.draw(rows).tolist() == [[rng.randrange(n) for _ in range(n)] for _ in range(rows)]


def test_a_stream_goes_back_to_a_place() -> None:
    stream = IndexStream(3, 11)
    stream.draw(5)
    place = stream.place()
    once = stream.draw(7).tolist()
    stream.go_back(place)
    assert stream.draw(7).tolist() == once


def test_a_signed_interval_names_its_making() -> None:
    interval = signed_interval(bootstrap_mean_ci([1.0, 0.0] * 10, resamples=500, seed=3))
    assert (interval.resamples, interval.seed, interval.method) == (500, 3, "percentile bootstrap")
    assert signed_interval(bootstrap_mean_ci([1.0] * 3)).reason == "too few valid runs"
    alike = signed_interval(bootstrap_mean_ci([0.5] * 20))
    assert (alike.lo, alike.reason) == (None, "all resamples agree")


def test_the_reference_is_the_seed_word_for_word(shared_data: Path) -> None:
    seeds = sorted((shared_data.parent / "seeds").glob("004*.txt"))
    if not seeds:
        pytest.skip("the seeds do not lie beside the data")
    text = seeds[0].read_text(encoding="utf-8")
    for function in (seed_004.valid_scores, seed_004.bootstrap_mean_ci):
        assert inspect.getsource(function).strip() in text
