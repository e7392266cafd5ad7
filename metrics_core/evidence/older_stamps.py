"""Stamps of the older generation, which stand in a folder's name or without separators, as ISO 8601."""

from __future__ import annotations

import datetime as dt
import re

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
