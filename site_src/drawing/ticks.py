"""Where axes have their ticks: shares always in full from 0 to 1, other quantities from 0 to a round value.

Does: choose three to five values and spell them. Does not: draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count as count_from
from math import floor, log10

from metrics_core.results import Estimate
from site_src.drawing.axes import SHARE_TICKS
from site_src.wording import count

Ticks = tuple[tuple[float, str], ...]

SHARES = ("fraction", "F1")
"""Units whose axis is that of shares."""


def on_share_axis(e: Estimate) -> bool:
    """Whether an estimate has its place on the axis of shares: a share, or a kappa that is nowhere below 0.

    >>> kappa = {"experiment": "x", "family": "f", "metric": "k", "group": (), "stratum": (), "unit": "kappa",
    ...          "n": 9, "N": 10, "of": "verdicts", "known": 10, "data_digest": "", "contract": None}
    >>> from metrics_core.results import Interval, Method
    >>> low = Interval(lo=-0.1, hi=0.9, method=Method.KAPPA_LARGE_SAMPLE)
    >>> above = Interval(lo=0.1, hi=0.9, method=Method.KAPPA_LARGE_SAMPLE)
    >>> [on_share_axis(Estimate(**kappa, value=0.6, interval=limits)) for limits in (low, above)]
    [False, True]
    """
    ends = [end for end in (e.value, e.interval.lo) if end is not None]
    return e.unit in SHARES or (e.unit == "kappa" and min(ends, default=-1.0) >= 0.0)


def value_ticks(unit: str, values: Iterable[float]) -> Ticks:
    """Three to five ticks, the first at 0 and the last at or above every value.

    Args:
        unit: Of the estimates.
        values: Everything that must fit; none below 0.

    >>> [word for _, word in value_ticks("USD", [0.61, 0.82])]
    ['0', '0.25', '0.50', '0.75', '1.00']
    >>> [word for _, word in value_ticks("fraction", [])]
    ['0', '.25', '.50', '.75', '1']
    >>> [word for _, word in value_ticks("s", [431.0])]
    ['0', '200', '400', '600']
    """
    if unit in SHARES:
        return SHARE_TICKS
    most = max((v for v in values if v > 0), default=1.0)
    size = 10.0 ** floor(log10(most))
    step = next(size * part for part in (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 2.5) if most <= 4.0001 * size * part)
    top = next(n for n in range(2, 5) if n * step >= most * 0.9999)
    places = max(0, -floor(log10(step) + 1e-9)) + (
        1 if round(step / 10 ** floor(log10(step) + 1e-9), 6) == 2.5 else 0
    )
    return tuple((i * step, _word(i * step, places)) for i in range(top + 1))


def _word(value: float, places: int) -> str:
    if value == 0:
        return "0"
    return count(round(value)) if places == 0 else f"{value:.{places}f}"


def difference_ticks(values: Iterable[float]) -> Ticks:
    """Ticks of an axis of differences: 0 and round steps on both sides, enough for every value.

    >>> [word for _, word in difference_ticks([-0.08, 0.54])]
    ['−0.20', '0', '+0.20', '+0.40', '+0.60']
    >>> [word for _, word in difference_ticks([-31.0, 12.5])]
    ['−40', '−20', '0', '+20']
    """
    found = [*values, 0.0]
    low, high = min(found), max(found)
    step = next(step for step in _steps_upwards() if high - low <= 4 * step)
    first, last = -_steps(-low, step), _steps(high, step)
    if last - first < 2:
        first, last = min(first, -1), max(last, 1)
    places = 2 if step < 2.0 else 1 if step == 2.5 else 0
    return tuple(
        (i * step, "0" if i == 0 else f"{i * step:+.{places}f}".replace("-", "−"))
        for i in range(first, last + 1)
    )


def _steps_upwards() -> Iterator[float]:
    """Round steps from 0.05 on: 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 2.5, 5, 10 and so on."""
    yield from (0.05, 0.1, 0.2, 0.25, 0.5, 1.0)
    for power in count_from(0):
        yield from (factor * 10.0**power for factor in (2.0, 2.5, 5.0, 10.0))


def _steps(reach: float, step: float) -> int:
    whole = int(reach / step + 1e-9)
    return whole if whole * step >= reach - 1e-9 else whole + 1
