"""Run stamps in one spelling: UTC, to the second, ``2026-07-05T10:00:00Z``. Knows no clock."""

from __future__ import annotations

import datetime as dt


def utc(stamp: str) -> str:
    """Spell an ISO 8601 stamp in UTC; one without an offset is taken as UTC.

    Raises:
        ValueError: It is not an ISO 8601 date and time.

    >>> utc("2026-08-06T18:11:38+02:00"), utc("2026-08-06T16:11:38.25"), utc("2026-08-06")
    ('2026-08-06T16:11:38Z', '2026-08-06T16:11:38Z', '2026-08-06T00:00:00Z')
    """
    moment = dt.datetime.fromisoformat(stamp)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def day(stamp: str) -> str:
    """The UTC day of a stamp: a point of a timeline.

    >>> day("2026-08-06T23:30:00-02:00")
    '2026-08-07'
    """
    return utc(stamp)[:10]
