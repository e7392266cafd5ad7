"""The percentile bootstrap as signed: the reference contract's `bootstrap_mean_ci`, bit for bit, only faster.

The reference draws ``rng.randrange(n)`` from ``random.Random(seed)`` and adds each resample up from left
to right. `IndexStream` gives the same indices in small blocks: `randrange` takes the top ``n.bit_length()``
bits of each Mersenne Twister word and draws again while they are n or more, and numpy gives the same words
many at a time. Memory does not grow with resamples x runs. Only those resamples that could be the 2.5 % or
the 97.5 % point are added up in the reference's order; for all others a faster sum, right up to rounding,
shows that they are not.

Left to right in plain float addition is what the reference does under Python 3.11. From 3.12 on `sum`
compensates rounding, so there the *reference* may differ in a last bit where scores are not dyadic. This
module gives the bits of 3.11 under every version.

It gives intervals for a user's contract only; elsewhere bootstraps are exact
(`metrics_core.statistics.bootstrap.exact`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from metrics_core.results import MIN_KNOWN, Interval, Method, NoInterval

Indices: TypeAlias = NDArray[np.intp]
Words: TypeAlias = NDArray[np.uint32]
Floats: TypeAlias = NDArray[np.float64]

_WORDS = 1 << 18
"""Most words fetched at once."""

_BLOCK = 1 << 16
"""Draws handled at once: small enough for the processor's cache."""

_BLOCKS_A_STRETCH = 4
"""Noting a place costs as much as drawing a thousand times, so it is not done at every block."""


def bootstrap_mean_ci(
    scores: Sequence[float], resamples: int = 2000, alpha: float = 0.05, seed: int = 7
) -> dict[str, Any]:
    """Mean and percentile interval of scores, as the reference contract's reference gives them.

    Args:
        scores: One a run, finite; NaN is an invalid run, counted and left out.
        resamples: 1 or more.
        alpha: 1 less the level, between 0 and 1.
        seed: Of `random.Random`.

    Returns:
        ``n_valid``, ``n_invalid``, ``mean``, ``ci95`` (a pair in the scores' unit), ``seed``,
        ``resamples``; with fewer than 8 valid runs ``n_valid``, ``mean`` and ``ci95`` (None), ``note``.

    Raises:
        ValueError: A score is infinite or no number, or an argument is out of its range.

    Source: the reference contract, ``metric_contract.py``.

    >>> bootstrap_mean_ci([1.0] * 12 + [0.0] * 3 + [float("nan")])["ci95"]
    [0.6, 1.0]
    """
    return bootstrap_means_ci({"": scores}, resamples, alpha, seed)[""]


def bootstrap_means_ci(
    columns: Mapping[str, Sequence[float]], resamples: int = 2000, alpha: float = 0.05, seed: int = 7
) -> dict[str, dict[str, Any]]:
    """`bootstrap_mean_ci` of many columns at once; columns with equally many valid scores share the draws.

    Args:
        columns: Scores by name; lengths may differ.
        resamples: 1 or more.
        alpha: 1 less the level, between 0 and 1.
        seed: Of `random.Random`, the same for each column.

    Returns:
        By name, exactly what a call of its own would give.

    Raises:
        ValueError: As `bootstrap_mean_ci`.

    >>> both = bootstrap_means_ci({"a": [0.0, 1.0] * 8, "b": [0.25, 0.75] * 8})
    >>> both["b"] == bootstrap_mean_ci([0.25, 0.75] * 8)
    True
    """
    ranks = _ranks(resamples, alpha)
    valid = {name: _valid(scores) for name, scores in columns.items()}
    by_size: dict[int, list[str]] = {}
    for name, scores in valid.items():
        by_size.setdefault(len(scores), []).append(name)
    limits: dict[str, list[float]] = {}
    for size, names in by_size.items():
        if size >= MIN_KNOWN:
            columns_of_size = [valid[name].tolist() for name in names]
            found = _order_statistics(columns_of_size, resamples, ranks, seed)
            limits.update(zip(names, map(list, found), strict=True))
    return {
        name: {
            "n_valid": len(scores),
            "n_invalid": len(columns[name]) - len(scores),
            "mean": _left_to_right(scores) / len(scores),
            "ci95": limits[name],
            "seed": seed,
            "resamples": resamples,
        }
        if name in limits
        else {"n_valid": len(scores), "mean": None, "ci95": None, "note": NoInterval.TOO_FEW.value}
        for name, scores in valid.items()
    }


def signed_interval(result: Mapping[str, Any], alpha: float = 0.05) -> Interval:
    """What `bootstrap_mean_ci` returned, as an `Interval`.

    >>> signed_interval(bootstrap_mean_ci([1.0] * 9)).reason
    'all resamples agree'
    """
    method, level = Method.PERCENTILE_BOOTSTRAP, 1 - alpha
    if result["ci95"] is None:
        return Interval.none(NoInterval.TOO_FEW, method=method, level=level)
    lo, hi = result["ci95"]
    making = {"level": level, "resamples": result["resamples"], "seed": result["seed"]}
    if lo == hi:
        return Interval.none(NoInterval.RESAMPLES_AGREE, method=method, **making)
    return Interval(lo=lo, hi=hi, method=method, **making)


def _ranks(resamples: int, alpha: float) -> tuple[int, int]:
    if resamples < 1 or not 0 < alpha < 1:
        raise ValueError(f"{resamples} resamples at alpha {alpha!r}: expected 1 or more, and 0 < alpha < 1")
    ranks = int(alpha / 2 * resamples), int((1 - alpha / 2) * resamples)
    if ranks[1] >= resamples:
        raise ValueError(f"alpha {alpha!r} is too small to tell apart from 0")
    return ranks


def _valid(scores: Sequence[float]) -> Floats:
    """The scores that are no NaN, in order."""
    for kind in set(map(type, scores)):
        if not issubclass(kind, int | float | np.floating | np.integer):
            raise ValueError(f"a score is of type {kind.__name__}, expected a finite number or NaN")  # noqa: TRY004 - see Raises
    values = np.array(scores, dtype=np.float64)
    if np.isinf(values).any():
        position = int(np.flatnonzero(np.isinf(values))[0])
        raise ValueError(f"score {position} is {values[position]}, expected a finite number or NaN")
    # Adding 0.0 turns -0.0 into 0.0, as the reference's sum does by starting from 0.
    return values[~np.isnan(values)] + 0.0


def _left_to_right(values: Floats) -> float:
    total = 0.0
    for value in values.tolist():
        total += value
    return total


class Place(Struct, frozen=True):
    """A place in the stream: the twister's state, and the words accepted beyond the last block."""

    twister: dict[str, Any]
    ahead: Words


Stretch: TypeAlias = tuple[Place, list[tuple[int, int]]]
"""A place in the stream, and the blocks of resamples (first, one past the last) that are drawn from there."""


class IndexStream:
    """The indices for resamples of n runs, block after block.

    Args:
        seed: Of `random.Random`.
        n: Runs, 1 to 2^32 - 1.

    Source: CPython, ``Random._randbelow_with_getrandbits``.

    >>> rng = random.Random(7)
    >>> IndexStream(7, 10).draw(2).tolist() == [[rng.randrange(10) for _ in range(10)] for _ in range(2)]
    True
    """

    def __init__(self, seed: int, n: int) -> None:
        self._n, self._bits = n, n.bit_length()
        state = random.Random(seed).getstate()[1]
        # RandomState, because its stream is frozen for good: a full-range uint32 is one word of the twister.
        self._twister = np.random.RandomState()
        self._twister.set_state(("MT19937", np.array(state[:-1], dtype=np.uint32), state[-1], 0, 0.0))
        self._ahead: Words = np.empty(0, dtype=np.uint32)

    def draw(self, rows: int) -> Indices:
        """The next resamples: indices of shape (rows, n), each 0 to n - 1, in the order drawn."""
        shift, limit = np.uint32(32 - self._bits), np.uint32(self._n << (32 - self._bits))
        size = rows * self._n
        parts, missing = [self._ahead], size - self._ahead.size
        while missing > 0:
            wanted = min(_WORDS, (missing << self._bits) // self._n + 64)
            words = self._twister.randint(0, 2**32, size=wanted, dtype=np.uint32)
            kept = words.compress(words < limit)
            parts.append(kept)
            missing -= kept.size
        accepted = np.concatenate(parts)
        self._ahead = accepted[size:].copy()
        return (accepted[:size] >> shift).astype(np.intp).reshape(rows, self._n)

    def place(self) -> Place:
        """Where the stream is, to go back to."""
        return Place(self._twister.get_state(legacy=False), self._ahead)

    def go_back(self, place: Place) -> None:
        """Draw on from a place, as if nothing had been drawn since."""
        self._twister.set_state(place.twister)
        self._ahead = place.ahead


def _order_statistics(
    columns: list[list[float]], resamples: int, ranks: tuple[int, int], seed: int
) -> tuple[tuple[float, ...], ...]:
    """The means at both ranks for each of several columns of one length.

    Sums are first taken in whatever order is fastest, which is enough for columns in which every order gives
    the same sum. For the rest it leaves the resamples that rounding could have put at a rank: their blocks
    are drawn once more, and they are added up in order.
    """
    values = np.array(columns, dtype=np.float64)
    stream = IndexStream(seed, values.shape[1])
    stretches, near = _near_sums(values, resamples, stream)
    ordered = np.sort(near, axis=1)
    totals = ordered[:, ranks]
    # Twice the bound on the rounding of n additions, once for this order and once for the reference's.
    reach = 2 * (4.0 * values.shape[1] ** 2 * 2.0**-53) * np.abs(values).max(axis=1)
    reach[[_exact_in_any_order(column) for column in values]] = -1.0
    doubtful = np.zeros(near.shape, dtype=bool)
    for at_rank in totals.T:
        doubtful |= np.abs(near - at_rank[:, None]) <= reach[:, None]
    in_order = _sums_in_order(values, doubtful, stream, stretches)
    for column in np.flatnonzero(doubtful.any(axis=1)):
        for which, rank in enumerate(ranks):
            below = np.count_nonzero(near[column] < totals[column, which] - reach[column])
            candidates = np.abs(near[column] - totals[column, which]) <= reach[column]
            totals[column, which] = np.sort(in_order[column, candidates])[rank - below]
    return tuple(tuple(total / values.shape[1] for total in pair) for pair in totals.tolist())


def _exact_in_any_order(values: Floats) -> bool:
    """Whether all partial sums of draws are exact: multiples of 2^-20, and fewer than 2^53 of them."""
    scaled = values * 2.0**20
    return bool(np.all(scaled == np.rint(scaled)) and np.abs(scaled).max() * values.size < 2.0**53)


def _near_sums(values: Floats, resamples: int, stream: IndexStream) -> tuple[list[Stretch], Floats]:
    """Sums of all resamples, right up to rounding (columns, resamples), and how to draw them again."""
    height = max(1, _BLOCK // values.shape[1])
    stretches: list[Stretch] = []
    parts = []
    for count, first in enumerate(range(0, resamples, height)):
        if count % _BLOCKS_A_STRETCH == 0:
            stretches.append((stream.place(), []))
        last = min(first + height, resamples)
        stretches[-1][1].append((first, last))
        indices = stream.draw(last - first)
        if len(values) == 1:
            parts.append(values[0].take(indices, mode="clip").sum(axis=1)[None, :])
        else:
            parts.append(values @ _multiplicities(indices).T)
    return stretches, np.concatenate(parts, axis=1)


def _multiplicities(indices: Indices) -> Floats:
    """How often each run was drawn, (resamples, runs)."""
    rows, n = indices.shape
    flat = (indices + np.arange(rows)[:, None] * n).ravel()
    return np.bincount(flat, minlength=rows * n).reshape(rows, n).astype(np.float64)


def _sums_in_order(
    values: Floats, doubtful: NDArray[np.bool_], stream: IndexStream, stretches: Sequence[Stretch]
) -> Floats:
    """Sums from left to right (columns, resamples) where asked for; 0 elsewhere."""
    found = np.zeros(doubtful.shape)
    for place, blocks in stretches:
        asked_in = [block for block, (first, last) in enumerate(blocks) if doubtful[:, first:last].any()]
        if not asked_in:
            continue
        stream.go_back(place)
        for first, last in blocks[: asked_in[-1] + 1]:
            indices, asked = stream.draw(last - first), doubtful[:, first:last]
            for column in np.flatnonzero(asked.any(axis=1)):
                which = np.flatnonzero(asked[column])
                # accumulate adds strictly from left to right; sum would add pairwise.
                sums = np.add.accumulate(values[column].take(indices[which]), axis=1)[:, -1]
                found[column, first + which] = sums
    return found
