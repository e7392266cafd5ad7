"""Agreement of labels: F1 of found against true, and Cohen's kappa. 0/0 is "n/a": None, never 0 or 1.

They describe a set of runs that are given whole; intervals for them are not made here, except kappa's
large-sample one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from typing import Literal

from metrics_core.results import Interval, Method, NoInterval
from metrics_core.statistics.clustered import square
from metrics_core.statistics.t_table import Z_975

Matrix = Sequence[Sequence[int]]
"""Counts by true class (rows) and found class (columns), in the same order; square."""


def precision(hits: int, false_alarms: int) -> float | None:
    """Share of what was found that is true; None where nothing was found.

    >>> precision(45, 7), precision(0, 0)
    (0.8653846153846154, None)
    """
    return _ratio(hits, hits + false_alarms)


def recall(hits: int, misses: int) -> float | None:
    """Share of what is true that was found; None where nothing is true.

    >>> recall(45, 12)
    0.7894736842105263
    """
    return _ratio(hits, hits + misses)


def f1(hits: int, false_alarms: int, misses: int) -> float | None:
    """Harmonic mean of precision and recall, ``2 hits / (2 hits + false alarms + misses)``.

    Args:
        hits: Found and true, 0 or more.
        false_alarms: Found but not true.
        misses: True but not found.

    Returns:
        0 to 1; None where nothing is true and nothing was found.

    Raises:
        ValueError: A count is negative.

    Source: van Rijsbergen 1979, Information Retrieval.

    >>> f1(45, 7, 12), f1(0, 0, 0)
    (0.8256880733944955, None)
    """
    return _ratio(2 * hits, 2 * hits + false_alarms + misses)


def f1_by_class(matrix: Matrix) -> list[float | None]:
    """F1 of each class against all others.

    >>> f1_by_class([[10, 0, 0], [0, 5, 0], [0, 0, 0]])
    [1.0, 1.0, None]
    """
    rows, columns, _ = _margins(matrix)
    return [f1(matrix[i][i], columns[i] - matrix[i][i], rows[i] - matrix[i][i]) for i in range(len(matrix))]


def macro_f1(matrix: Matrix) -> float | None:
    """Unweighted mean of F1 over classes; None where one of them is 0/0.

    >>> round(macro_f1([[10, 2, 1], [3, 12, 2], [0, 4, 16]]), 12)
    0.758485958486
    """
    scores = [score for score in f1_by_class(matrix) if score is not None]
    return fsum(scores) / len(scores) if scores and len(scores) == len(matrix) else None


def kappa(matrix: Matrix, weights: Literal["none", "linear", "quadratic"] = "none") -> float | None:
    """Cohen's kappa: agreement beyond what the margins alone would give.

    Args:
        matrix: Counts by two raters' classes.
        weights: How a disagreement counts: alike, or by its distance in classes.

    Returns:
        -1 to 1; None where chance alone agrees always (all in one class) or nothing was rated.

    Raises:
        ValueError: The matrix is not square, or a count is negative.

    Source: Cohen 1960, Educational and Psychological Measurement 20:37; Cohen 1968, Psychological
    Bulletin 70:213.

    >>> kappa([[20, 5], [10, 15]]), kappa([[9, 0], [0, 0]])
    (0.4, None)
    """
    rows, columns, total = _margins(matrix)
    seen = expected = 0
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            cost = {"none": int(i != j), "linear": abs(i - j), "quadratic": (i - j) * (i - j)}[weights]
            seen += cost * matrix[i][j] * total
            expected += cost * row * column
    return (expected - seen) / expected if expected else None


def kappa_interval(matrix: Matrix) -> Interval:
    """Large-sample interval of unweighted kappa, cut at -1 and 1.

    Source: Fleiss, Cohen and Everitt 1969, Psychological Bulletin 72:323.

    >>> limits = kappa_interval([[20, 5], [10, 15]])
    >>> round(limits.lo, 12), round(limits.hi, 12)
    (0.151092290477, 0.648907709523)
    """
    value, error = kappa(matrix), kappa_standard_error(matrix)
    if value is None or not error:
        return Interval.none(NoInterval.NO_DISAGREEMENT, method=Method.KAPPA_LARGE_SAMPLE)
    lo, hi = max(-1.0, value - Z_975 * error), min(1.0, value + Z_975 * error)
    return Interval(lo=lo, hi=hi, method=Method.KAPPA_LARGE_SAMPLE)


def kappa_standard_error(matrix: Matrix) -> float | None:
    """Large-sample standard error of unweighted kappa; None where kappa is.

    >>> round(kappa_standard_error([[20, 5], [10, 15]]), 12)
    0.126996062931
    """
    value = kappa(matrix)
    if value is None:
        return None
    rows, columns, total = _margins(matrix)
    size, rest = len(matrix), 1 - value
    chance = sum(rows[i] * columns[i] for i in range(size)) / (total * total)
    on = fsum(matrix[i][i] / total * square(1 - (rows[i] + columns[i]) / total * rest) for i in range(size))
    off = square(rest) * fsum(
        matrix[i][j] / total * square((columns[i] + rows[j]) / total)
        for i in range(size)
        for j in range(size)
        if i != j
    )
    variance = on + off - square(value - chance * rest)
    return sqrt(max(0.0, variance) / total) / (1 - chance)


def _ratio(part: int, whole: int) -> float | None:
    if part < 0 or whole < part:
        raise ValueError(f"a count below 0: {part} of {whole}")
    return part / whole if whole else None


def _margins(matrix: Matrix) -> tuple[list[int], list[int], int]:
    if any(len(row) != len(matrix) or min(row) < 0 for row in matrix):
        raise ValueError("expected a square matrix of counts of 0 or more")
    rows = [sum(row) for row in matrix]
    return rows, [sum(column) for column in zip(*matrix, strict=True)], sum(rows)
