"""Stamps of many runs at once, as seconds since 1970 in UTC."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from metrics_core.formats import utc

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PLAIN = b"0000-00-00T00:00:00Z"
"""The spelling that is read at once: digits, and what stands between them."""

_DAYS = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
_EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001 (all are in UTC)

UNREADABLE = -(2**62)


def second_of(stamp: str) -> int:
    """A stamp as seconds since 1970.

    Raises:
        ValueError: It is not an ISO 8601 date and time, or none in UTC.

    >>> second_of("1970-01-02T01:00:00+01:00")
    86400
    """
    moment = dt.datetime.fromisoformat(utc(stamp).removesuffix("Z"))
    return (moment - _EPOCH) // dt.timedelta(seconds=1)


def seconds_of(stamps: Sequence[str]) -> NDArray[np.int64]:
    """Stamps as seconds since 1970; `UNREADABLE` where one is none.

    >>> seconds_of(["1970-01-01T00:01:00Z", "1970-01-01T00:01:00", "1970-02-30T00:00:00Z"]).tolist()[:2]
    [60, 60]
    """
    found = np.full(len(stamps), UNREADABLE, dtype=np.int64)
    text = "".join(stamps)
    plain = np.ones(len(stamps), dtype=bool)
    if not text.isascii() or set(map(len, stamps)) != {len(_PLAIN)}:
        plain[:] = [len(stamp) == len(_PLAIN) and stamp.isascii() for stamp in stamps]
        text = "".join(compress(stamps, plain.tolist()))
    letters = np.frombuffer(text.encode("ascii"), dtype=np.uint8).reshape(-1, len(_PLAIN))
    columns = np.ascontiguousarray(letters.T)
    right = np.logical_and.reduce(
        [
            (ord("0") <= column) & (column <= ord("9")) if form == ord("0") else column == form
            for column, form in zip(columns, _PLAIN, strict=True)
        ]
    )
    digits = columns.astype(np.int64) - ord("0")
    year = digits[0] * 1000 + digits[1] * 100 + digits[2] * 10 + digits[3]
    month, day, hour, minute, second = (digits[at] * 10 + digits[at + 1] for at in (5, 8, 11, 14, 17))
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    right &= (month >= 1) & (month <= 12) & (year >= 1)
    length = _DAYS[np.where(right, month, 1)] + (leap & (month == 2))
    right &= (day >= 1) & (day <= length) & (hour < 24) & (minute < 60) & (second < 60)
    told = _since_1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
    places = np.flatnonzero(plain)
    found[places[right]] = told[right]
    for at in np.flatnonzero(found == UNREADABLE).tolist():
        try:
            found[at] = second_of(stamps[at])
        except ValueError:
            continue
    return found


def _since_1970(year: Any, month: Any, day: Any) -> Any:
    """Days since 1970 of a date of the Gregorian calendar.

    Source: days_from_civil of H. Hinnant, chrono-Compatible Low-Level Date Algorithms, 2021.
    """
    year = year - (month <= 2)
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + np.where(month > 2, -3, 9)) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468
