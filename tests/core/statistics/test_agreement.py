"""F1 and kappa against the golden values and statsmodels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from metrics_core.statistics.agreement.labels import (
    f1,
    f1_by_class,
    kappa,
    kappa_interval,
    kappa_standard_error,
    macro_f1,
    precision,
    recall,
)

THREE = [[10, 2, 1], [3, 12, 2], [0, 4, 16]]


@pytest.fixture
def golden(shared_data: Path) -> dict[str, Any]:
    return json.loads((shared_data / "golden" / "statistics.json").read_text())


def test_golden_kappa(golden: dict[str, Any]) -> None:
    two, three = golden["kappa"]["[[20,5],[10,15]]"], golden["kappa"]["[[10,2,1],[3,12,2],[0,4,16]]"]
    matrix = [[20, 5], [10, 15]]
    assert kappa(matrix) == pytest.approx(two["kappa"], abs=5e-13)
    assert kappa_standard_error(matrix) == pytest.approx(two["se"], abs=5e-13)
    interval = kappa_interval(matrix)
    assert (interval.lo, interval.hi) == pytest.approx(two["ci95"], abs=5e-13)
    assert kappa(THREE) == pytest.approx(three["kappa"], abs=5e-13)
    assert kappa(THREE, "linear") == pytest.approx(three["linear"], abs=5e-13)
    assert kappa(THREE, "quadratic") == pytest.approx(three["quadratic"], abs=5e-13)


def test_golden_f1(golden: dict[str, Any]) -> None:
    expected = golden["f1 TP45 FP7 FN12 TN36"]
    assert precision(45, 7) == pytest.approx(expected["precision"], abs=5e-13)
    assert recall(45, 12) == pytest.approx(expected["recall"], abs=5e-13)
    assert f1(45, 7, 12) == pytest.approx(expected["f1"], abs=5e-13)
    matrix = [[45, 12], [7, 36]]
    assert macro_f1(matrix) == pytest.approx(expected["macro_f1"], abs=5e-13)
    assert kappa(matrix) == pytest.approx(expected["kappa"], abs=5e-13)
    classes = golden["macro_f1 3-class (rows true) [[10,2,1],[3,12,2],[0,4,16]]"]
    assert f1_by_class(THREE) == pytest.approx(classes["per_class"], abs=5e-13)
    assert macro_f1(THREE) == pytest.approx(classes["macro"], abs=5e-13)


def squares(size: int) -> st.SearchStrategy[list[list[int]]]:
    row = st.lists(st.integers(1, 40), min_size=size, max_size=size)
    return st.lists(row, min_size=size, max_size=size)


@given(st.integers(2, 4).flatmap(squares))
def test_kappa_is_statsmodels(matrix: list[list[int]]) -> None:
    expected = cohens_kappa(matrix)
    assert kappa(matrix) == pytest.approx(expected.kappa, abs=1e-12)
    assert kappa_standard_error(matrix) == pytest.approx(expected.std_kappa, abs=1e-9)


def test_nothing_over_nothing_is_not_known() -> None:
    assert precision(0, 0) is recall(0, 0) is f1(0, 0, 0) is None
    assert f1(0, 1, 0) == 0.0
    assert kappa([[9, 0], [0, 0]]) is kappa([[0, 0], [0, 0]]) is kappa_standard_error([[9]]) is None
    assert kappa_interval([[9, 0], [0, 0]]).reason == "no disagreement to estimate from"
    assert kappa_interval([[9, 0], [0, 9]]).lo is None
    assert macro_f1([[5, 0], [0, 0]]) is None
    assert macro_f1([]) is None


@pytest.mark.parametrize("matrix", [[[1, 2]], [[1, -1], [0, 2]], [[1, 2], [3]]])
def test_what_is_no_square_of_counts_is_refused(matrix: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="square"):
        kappa(matrix)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="below 0"):
        f1(-1, 0, 3)
