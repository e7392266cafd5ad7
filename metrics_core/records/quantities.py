"""The quantities that record fields hold: each type carries its range and its unit, once.

Does: name them, so that a field reads ``wall_s: Annotated[Seconds | None, says("...")] = None``. Does
not: hold records.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Name = Annotated[str, Meta(min_length=1)]
"""A word that names something: never empty."""

Fraction = Annotated[float, Meta(ge=0, le=1, extra_json_schema={"unit": "fraction"})]
Seconds = Annotated[float, Meta(ge=0, le=1e12, extra_json_schema={"unit": "s"})]
Dollars = Annotated[float, Meta(ge=0, le=1e12, extra_json_schema={"unit": "USD"})]
"""Far beyond any run, and small enough that a sum of many is still a number."""

Tokens = Annotated[int, Meta(ge=0, extra_json_schema={"unit": "tokens"})]
Count = Annotated[int, Meta(ge=0, extra_json_schema={"unit": "count"})]
Stamp = Annotated[str, Meta(min_length=1, extra_json_schema={"unit": "ISO 8601"})]
"""A date and time, in UTC where it has no offset. That it is one is checked by `metrics_core.reader`."""


def says(meaning: str) -> Meta:
    """What a field actually means: the text that the Dictionary page shows for it."""
    return Meta(description=meaning)
