"""Numbers as text: rounding, signs, money, counts, n/N, limits.

Does: spell one number, the same wherever it stands. Does not: name anything (`site_src.wording.names` does)
or put sentences together (`site_src.wording.captions` and `site_src.wording.titles` do).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metrics_core.results import Estimate, Interval
from metrics_core.text import plural, visible

THIN: Final = "\u202f"
"""Narrow no-break space: groups digits, and stands before a percent sign."""

NOTHING: Final = "N/A (0/0)"

_LAST_BITS: Final = 1e-12
"""By less than this two sums of the same size differ in how they were rounded, and in nothing else."""


def percent(share: float, *, places: int = 0) -> str:
    """Percent that says 0 or 100 only when it is exactly so.

    Args:
        share: 0 to 1.
        places: Digits after the point.

    >>> [percent(s).replace(THIN, " ") for s in (0.997, 0.001, 1.0, 0.0, 0.95)]
    ['>99 %', '<1 %', '100 %', '0 %', '95 %']
    """
    least = 10.0**-places
    text = f"{100 * share:.{places}f}"
    if float(text) == 0 and share > 0:
        text = f"<{least:g}"
    elif float(text) == 100 and share < 1:
        text = f">{100 - least:g}"
    return f"{text}{THIN}%"


def share(value: float) -> str:
    """A fraction in two digits; 0.00 and 1.00 only when it is exactly so.

    >>> share(0.8625), share(0.0004), share(0.9996), share(1.0), share(0.0)
    ('0.86', '<0.01', '>0.99', '1.00', '0.00')
    """
    text = f"{value:.2f}"
    if text == "0.00" and value > 0:
        return "<0.01"
    return ">0.99" if text == "1.00" and value < 1 else text


def count(value: int, *, grouped: bool | None = None) -> str:
    """A count; thousands are set apart from 10 000 on, or as ``grouped`` says for a column.

    >>> count(1280), count(12802).replace(THIN, " "), count(1280, grouped=True).replace(THIN, " ")
    ('1280', '12 802', '1 280')
    """
    if grouped is None:
        grouped = abs(value) >= 10_000
    return f"{value:,}".replace(",", THIN) if grouped else str(value)


def many(n: int, noun: str) -> str:
    """A count with its noun.

    >>> many(1, "attempt"), many(3, "attempt"), many(12802, "run").replace(THIN, " ")
    ('1 attempt', '3 attempts', '12 802 runs')
    """
    return f"{count(n)} {plural(noun, n)}"


def in_state(n: int, state: str) -> str:
    """How many attempts are in a state that is no verdict; errors are counted as things.

    >>> in_state(1, "error"), in_state(27, "error"), in_state(3, "unknown")
    ('1 error', '27 errors', '3 unknown')
    """
    return many(n, state) if state == "error" else f"{count(n)} {state}"


def count_column(values: Sequence[int]) -> tuple[str, ...]:
    """Counts of one column: all grouped, or none.

    >>> count_column([9, 9999])
    ('9', '9999')
    """
    grouped = any(abs(value) >= 10_000 for value in values)
    return tuple(count(value, grouped=grouped) for value in values)


def money(value: float, *, summary: bool = True) -> str:
    """US dollars with their unit; see `amount`.

    >>> money(0.2482, summary=False), money(24.4)
    ('0.2482 USD', '24.40 USD')
    """
    return f"{amount(value, summary=summary)} USD"


def amount(value: float, *, summary: bool = True) -> str:
    """US dollars: 2 digits for a summary, 4 for a single run, never 0.00 for what is not nothing.

    Args:
        value: US dollars.
        summary: Whether it stands for several runs.

    >>> amount(0.2482, summary=False), amount(24.4), amount(0.0004), amount(-1.5)
    ('0.2482', '24.40', '<0.01', '−1.50')
    """
    places = 2 if summary else 4
    grouping = "," if abs(value) >= 10_000 else ""
    text = f"{abs(value):{grouping}.{places}f}"
    if value != 0 and not text.strip("0.,"):
        text = f"<{10.0**-places:.{places}f}"
    return f"{'−' if value < 0 else ''}{text.replace(',', THIN)}"


def number(value: float, unit: str, *, places: int = 2) -> str:
    """A value in its unit: shares and F1 in two digits, money, seconds, counts.

    Args:
        value: In the unit.
        unit: Of an estimate.
        places: Digits of money after the point: 2, or 4.

    >>> number(0.8, "fraction"), number(0.61, "USD"), number(12.34, "s"), number(1280, "count")
    ('0.80', '0.61 USD', '12.3 s', '1280')
    """
    shown = digits(value, unit, places=places)
    return shown if unit in _WITHOUT_UNIT else f"{shown} {visible(unit)}"


_WITHOUT_UNIT = ("fraction", "F1", "count", "kappa")


def digits(value: float, unit: str, *, places: int = 2) -> str:
    """What `number` gives, without the unit.

    >>> digits(0.61, "USD"), digits(12.34, "s"), digits(1280, "count"), digits(64.5, "count")
    ('0.61', '12.3', '1280', '64.5')
    >>> digits(26397.5, "count").replace(THIN, " "), digits(28025.4, "s").replace(THIN, " ")
    ('26 397.5', '28 025')
    >>> digits(0.004, "s"), digits(-0.0004, "score"), digits(-3, "count"), digits(0.03, "count")
    ('0.004', '−0.0004', '−3', '0.03')
    """
    match unit:
        case "fraction" | "F1":
            return share(value)
        case "USD":
            return amount(value, summary=places == 2)
        case "count":
            return _grouped(value, 0 if value == int(value) else 1)
        case _:
            size = abs(value)
            return _grouped(value, 0 if size >= 100 else 1 if size >= 10 else 2)


def _grouped(value: float, places: int) -> str:
    """Thousands set apart from 10 000 on, a true minus, and as many places as what is not nothing needs."""
    size = abs(value)
    while size and places < 6 and float(f"{size:.{places}f}") == 0:
        places += 1
    text = f"{size:{',' if size >= 10_000 else ''}.{places}f}".replace(",", THIN)
    if size and size < 5e-7:
        text = "<0.000001"
    return f"{'−' if value < 0 else ''}{text}"


def signed(value: float) -> str:
    """A difference with its sign and a true minus; what is not nothing never reads +0.00, nor ±1.00.

    Sides that are equal may part in the last bits of their sums: that is nothing.

    >>> signed(-0.08), signed(0.31), signed(0.0), signed(0.0034), signed(-0.9996)
    ('−0.08', '+0.31', '0.00', '+0.003', '−0.9996')
    >>> signed(-7.4e-18), signed(1 - 1e-16), signed(2e-8)
    ('0.00', '+1.00', '+<0.000001')
    """
    if abs(value) < _LAST_BITS:
        return "0.00"
    places, whole = 2, 1 - abs(value) < _LAST_BITS
    while places < 6 and float(f"{value:.{places}f}") in (0.0, 1.0, -1.0) and not whole:
        places += 1
    if abs(value) < 5e-7:
        return f"{'+' if value > 0 else '−'}<0.000001"
    return f"{value:+.{places}f}".replace("-", "−")


def points(*values: float) -> tuple[str, ...]:
    """Differences of two shares in points of a hundred, to the same digit; what is not 0 never reads 0.0.

    >>> points(0.14666, 0.0531, 0.24), points(0.0004, 0.0001, 0.001), points(0.02, 1e-17)
    (('14.7', '5.3', '24.0'), ('0.04', '0.01', '0.10'), ('2.0', '0.0'))
    """
    places = 1
    while places < 6 and any(abs(v) >= _LAST_BITS and float(f"{v * 100:.{places}f}") == 0 for v in values):
        places += 1
    return tuple(f"{value * 100:.{places}f}" for value in values)


def span(interval: Interval, unit: str, *, difference: bool = False, places: int = 2) -> str:
    """Both limits in square brackets, without their unit, which the value has; empty where there is none.

    Args:
        interval: Of an estimate or a difference.
        unit: Of the estimate.
        difference: Whether the limits are signed.
        places: Digits of money after the point: 2, or 4.

    >>> span(Interval(lo=0.55, hi=0.9996, method="wilson"), "fraction")
    '[0.55, >0.99]'
    """
    if interval.lo is None or interval.hi is None:
        return ""
    if difference:
        return f"[{signed(interval.lo)}, {signed(interval.hi)}]"
    lo, hi = (digits(limit, unit, places=places) for limit in (interval.lo, interval.hi))
    return f"[{lo}, {hi}]"


def places(e: Estimate) -> int:
    """Digits of money after the point, for a value and its limits alike: 4 where 2 would say nothing."""
    ends = [v for v in (e.value, e.interval.lo, e.interval.hi) if v]
    return 4 if e.unit == "USD" and ends and min(ends) < 0.1 else 2


def value(e: Estimate) -> str:
    """An estimate's value in its unit; empty where there is none."""
    return "" if e.value is None else number(e.value, e.unit, places=places(e))


def limits(e: Estimate) -> str:
    """An estimate's interval in square brackets; empty where there is none."""
    return span(e.interval, e.unit, places=places(e))


def ratio(e: Estimate) -> str:
    """n/N without spaces; ``N/A (0/0)`` where nothing is known, ``withheld`` where it may not be shown."""
    return "withheld" if e.n is None or e.N is None else fraction(e.n, e.N)


def fraction(n: int, N: int) -> str:
    """n/N of any two counts.

    >>> fraction(50, 58), fraction(0, 0), fraction(9876, 12802).replace(THIN, " ")
    ('50/58', 'N/A (0/0)', '9 876/12 802')
    """
    return NOTHING if N == 0 else "/".join(count_column((n, N)))


def exact(value: object) -> str:
    """A number or text as a machine reads it back; nothing for None.

    >>> exact(0.1), exact(None), exact(3)
    ('0.1', '', '3')
    """
    return "" if value is None else str(value)
