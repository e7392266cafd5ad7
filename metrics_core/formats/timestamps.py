"""Moments as GitHub and harnesses write them, to seconds, to ISO 8601 and to one spelling in UTC.

GitHub's stamps are whole seconds, cut off; a trigger time with a fraction is cut off too before the two are
compared, so that what happened within that second counts as after the trigger. Older stamps, which stand in
a folder's name or without separators, become ISO 8601. Stamps of runs are spelled one way: UTC, to the
second, ``2026-07-05T10:00:00Z``. Knows no clock.
"""

from __future__ import annotations

import datetime as dt
import math
import re

from msgspec import Struct


class Unreadable(ValueError):
    """Evidence that is not what it should be: it establishes nothing, and the sentence says why."""


def seconds(value: object, what: str) -> int:
    """Whole seconds since 1970 of a moment.

    Args:
        value: Seconds since 1970, or ISO 8601; naive means UTC.
        what: What the moment is of, for the sentence that says it is none.

    Raises:
        Unreadable: It is neither, or is missing.

    >>> {seconds(each, "x") for each in ("2026-07-05T10:00:00Z", "2026-07-05T10:00", 1783245600.75)}
    {1783245600}
    """
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return math.floor(value)
    if not isinstance(value, str):
        raise Unreadable(f"{what} has no time")
    try:
        moment = dt.datetime.fromisoformat(value)
    except ValueError as error:
        raise Unreadable(f"the time of {what} is no ISO 8601 time") from error
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return math.floor(moment.timestamp())


def positive_id(value: object, what: str) -> int:
    """A GitHub id or number.

    Raises:
        Unreadable: It is not a positive whole number.

    >>> positive_id(17, "run")
    17
    """
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise Unreadable(f"{what} is no positive whole number")


_COMPACT = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)[T_ -]?(\d\d)[-:]?(\d\d)[-:]?(\d\d)(?:[.,]\d+)?Z?")


def iso(value: object) -> str | None:
    """A stamp that `datetime.fromisoformat` reads, or None where there is none.

    >>> iso("2026-07-05T10:00:00+02:00"), iso("20260705_100000"), iso("2026-07-05_10-00-00"), iso("run 7")
    ('2026-07-05T10:00:00+02:00', '2026-07-05T10:00:00', '2026-07-05T10:00:00', None)
    """
    if not isinstance(value, str):
        return None
    compact = _COMPACT.fullmatch(value)
    year, month, day, hour, minute, second = compact.groups() if compact else ("",) * 6
    spelled = f"{year}-{month}-{day}T{hour}:{minute}:{second}"
    for text in (value, spelled) if "T" in value and "-" in value else (spelled,):
        try:
            dt.datetime.fromisoformat(text)
        except ValueError:
            continue
        return text
    return None


def since_1970(value: object) -> float | None:
    """Seconds since 1970 of an ISO 8601 text, naive meaning UTC; None where it is none.

    >>> since_1970("1970-01-01T00:01:00.5Z"), since_1970("1970-01-01 00:01:00.5"), since_1970("soon")
    (60.5, 60.5, None)
    """
    if not isinstance(value, str):
        return None
    try:
        moment = dt.datetime.fromisoformat(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def stamp_of(moment: float | None) -> str | None:
    """The stamp of seconds since 1970, in UTC; None where the calendar has no such moment.

    >>> stamp_of(60.5), stamp_of(1e20), stamp_of(None)
    ('1970-01-01T00:01:00.500000+00:00', None, None)
    """
    try:
        return None if moment is None else dt.datetime.fromtimestamp(moment, dt.UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


class StampRange(Struct):
    """First and last UTC stamp of some runs, seen in any order; None where none of them has a stamp.

    >>> span = StampRange()
    >>> span.see("2026-07-12T09:00:00Z")
    >>> span.add(StampRange("2026-07-05T10:00:00Z", "2026-07-06T10:00:00Z"))
    >>> span.ends
    ('2026-07-05T10:00:00Z', '2026-07-12T09:00:00Z')
    """

    first: str | None = None
    last: str | None = None

    def see(self, stamp: str | None) -> None:
        """Widen the span to one more stamp."""
        if stamp is not None:
            if self.first is None or stamp < self.first:
                self.first = stamp
            if self.last is None or stamp > self.last:
                self.last = stamp

    def add(self, other: StampRange) -> None:
        """Widen it to another span."""
        first, last = other.first, other.last
        if first is None or last is None:
            return
        if self.first is None or first < self.first:
            self.first = first
        if self.last is None or last > self.last:
            self.last = last

    @property
    def ends(self) -> tuple[str, str] | None:
        """Both stamps, or None."""
        return None if self.first is None or self.last is None else (self.first, self.last)


def utc(stamp: str) -> str:
    """Spell an ISO 8601 stamp in UTC; one without an offset is taken as UTC.

    Raises:
        ValueError: It is not an ISO 8601 date and time, or none in UTC.

    >>> utc("2026-08-06T18:11:38+02:00"), utc("2026-08-06T16:11:38.25"), utc("2026-08-06")
    ('2026-08-06T16:11:38Z', '2026-08-06T16:11:38Z', '2026-08-06T00:00:00Z')
    """
    moment = dt.datetime.fromisoformat(stamp)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    try:
        moment = moment.astimezone(dt.UTC).replace(tzinfo=None)
    except OverflowError as error:
        raise ValueError(f"{stamp} is outside the calendar in UTC") from error
    return f"{moment.isoformat(timespec='seconds')}Z"


def is_day(words: object) -> bool:
    """Whether words are a day of the calendar, spelled ``YYYY-MM-DD`` and in no other way of ISO 8601.

    >>> is_day("2026-02-28"), is_day("2026-02-30"), is_day("20260228"), is_day("2026-W09-6"), is_day(None)
    (True, False, False, False, False)
    """
    try:
        return isinstance(words, str) and dt.date.fromisoformat(words).isoformat() == words
    except ValueError:
        return False


_DATE = re.compile(
    r"(?<![0-9A-Za-z])((?:19|20)\d\d)(?:([-_]?)(\d\d)\2(\d\d)|[-_](\d\d))(?:T[\d-]{4,8}Z?)?(?![0-9A-Za-z])"
)
"""A day or a month of a name, with what time of day stands behind it; a year alone may be a version."""


def dated(name: str) -> tuple[str, str] | None:
    """A name with ``*`` in place of its last date, and the date; None where it has none.

    >>> dated("nightly-2026-11-28"), dated("nightly-20261128"), dated("suite-2026-07")
    (('nightly-*', '2026-11-28'), ('nightly-*', '2026-11-28'), ('suite-*', '2026-07'))
    >>> dated("suite-2026-07b"), dated("suite-2026"), dated("suite-2026-13"), dated("run-20269999")
    (None, None, None, None)
    """
    for found in reversed(list(_DATE.finditer(name))):
        year, _, month, day, alone = found.groups()
        date = f"{year}-{alone}" if alone else f"{year}-{month}-{day}"
        if is_day(f"{date}-01" if alone else date):
            return f"{name[: found.start()]}*{name[found.end() :]}", date
    return None


def day(stamp: str) -> str:
    """The UTC day of a stamp: a point of a timeline.

    >>> day("2026-08-06T23:30:00-02:00")
    '2026-08-07'
    """
    return utc(stamp)[:10]
