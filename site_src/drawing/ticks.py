"""Where axes have their ticks: shares always in full from 0 to 1, other quantities from 0 to a round value.

Does: choose three to five values and spell them. Does not: draw.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, log10

from site_src.drawing.axes import SHARE_TICKS
from site_src.wording import count

Ticks = tuple[tuple[float, str], ...]

SHARES = ("fraction", "F1")
"""Units whose axis is that of shares."""


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
    """
    found = [*values, 0.0]
    low, high = min(found), max(found)
    step = next(s for s in (0.05, 0.1, 0.2, 0.25, 0.5, 1.0) if (high - low) <= 4 * s or s == 1.0)
    first, last = -_steps(-low, step), _steps(high, step)
    if last - first < 2:
        first, last = min(first, -1), max(last, 1)
    return tuple(
        (i * step, "0" if i == 0 else f"{i * step:+.2f}".replace("-", "−")) for i in range(first, last + 1)
    )


def _steps(reach: float, step: float) -> int:
    whole = int(reach / step + 1e-9)
    return whole if whole * step >= reach - 1e-9 else whole + 1
