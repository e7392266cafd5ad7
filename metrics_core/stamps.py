"""Run stamps in one spelling: UTC, to the second, ``2026-07-05T10:00:00Z``. Knows no clock."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


@dataclass(slots=True)
class Span:
    """First and last UTC stamp of some runs, seen in any order; None where none of them has a stamp.

    >>> span = Span()
    >>> span.see("2026-07-12T09:00:00Z")
    >>> span.add(Span("2026-07-05T10:00:00Z", "2026-07-06T10:00:00Z"))
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

    def add(self, other: Span) -> None:
        """Widen it to another span."""
        if other.first is not None:
            self.see(other.first)
            self.see(other.last)

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


def day(stamp: str) -> str:
    """The UTC day of a stamp: a point of a timeline.

    >>> day("2026-08-06T23:30:00-02:00")
    '2026-08-07'
    """
    return utc(stamp)[:10]
