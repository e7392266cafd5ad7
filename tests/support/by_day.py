"""Which of many cases of one kind are tried by day: a fixed part of them; by night (`make nightly`) all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal
from zlib import crc32

import pytest
from hypothesis import settings

MOST_EXAMPLES = 12
"""Examples of each law by day; `conftest.py` has more of them for the night."""


def by_night() -> bool:
    """Whether this is the run of the night, in which every case is tried."""
    return settings.default.max_examples > MOST_EXAMPLES


def by_day(case: object, one_in: int) -> bool:
    """Whether a case is tried: by its name, so that it is the same ones in every run and on every machine.

    Args:
        case: Named by its text.
        one_in: Of so many, one is tried by day.
    """
    return by_night() or crc32(str(case).encode()) % one_in == 0


def at_night(by_day: str) -> pytest.MarkDecorator:
    """Marks a long test that is run by night alone; `conftest.py` leaves it out by day, and counts it.

    Args:
        by_day: What is run by day of the same kind.
    """
    return pytest.mark.night(by_day=by_day)


def one_in(cases: int) -> pytest.MarkDecorator:
    """Marks a test of many like cases, of which a part is tried by day; `conftest.py` leaves the others out.

    Args:
        cases: Of so many, one is tried by day, and of any number at least one: by their names, see `tried`.
    """
    return pytest.mark.sampled(cases)


def tried(names: Iterable[str], one_in: int) -> set[str]:
    """Which cases of one test are tried by day: as many of any number of them, the same ones in every run.

    Args:
        names: Of the cases.
        one_in: Of so many, one is tried; at least one is.

    >>> len(tried((str(number) for number in range(10)), one_in=4)), tried(["one"], one_in=4)
    (3, {'one'})
    """
    ordered = sorted(names, key=lambda name: (crc32(name.encode()), name))
    return set(ordered[::one_in])


def looks(case: object = None) -> list[tuple[int, Literal["light", "dark"]]]:
    """Widths and colours in which rules of accessibility are held against a page.

    By day each width and each colour once: no style rule is about both a width and a colour.

    Args:
        case: Named by its text, a page that is one of many: by day it is looked at once, in one of the two.
    """
    day: list[tuple[int, Literal["light", "dark"]]] = [(320, "light"), (1280, "dark")]
    if by_night():
        return [*day, (320, "dark"), (1280, "light")]
    return day if case is None else [day[crc32(str(case).encode()) % 2]]
