"""Moments as GitHub and harnesses write them, to seconds since 1970. Knows no clock.

GitHub's stamps are whole seconds, cut off; a trigger time with a fraction is cut off too before the two are
compared, so that what happened within that second counts as after the trigger.
"""

from __future__ import annotations

import datetime as dt
import math


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
