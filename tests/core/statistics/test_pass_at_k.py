"""pass@k and pass^k against the golden values and against enumeration."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from metrics_core.statistics.pass_at_k import pass_at_k, pass_hat_k


@pytest.fixture
def golden(shared_data: Path) -> dict[str, Any]:
    return json.loads((shared_data / "golden" / "statistics.json").read_text())


def test_golden_repeats(golden: dict[str, Any]) -> None:
    assert pass_at_k(10, 3, 5) == pytest.approx(golden["pass@k n=10 c=3 k=5"], abs=5e-13)
    assert pass_hat_k(10, 3, 2) == pytest.approx(golden["pass^k n=10 c=3 k=2"], abs=5e-13)


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_repeats_are_what_drawing_k_tries_gives(case: tuple[int, int, int]) -> None:
    n, c, k = case
    drawn = list(itertools.combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == sum(map(any, drawn)) / len(drawn)
    assert pass_hat_k(n, c, k) == sum(map(all, drawn)) / len(drawn)


@pytest.mark.parametrize("case", [(3, 4, 1), (3, -1, 1), (3, 1, 4), (3, 1, 0), (0, 0, 0)])
def test_tries_that_cannot_be_drawn_are_refused(case: tuple[int, int, int]) -> None:
    for function in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match="tries passed"):
            function(*case)
