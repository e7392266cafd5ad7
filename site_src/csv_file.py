"""Tables as CSV: one spelling, and nothing in a cell that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

_RUNS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n")
"""What a cell that is run begins with; spreadsheets of some languages take the wide forms too."""

_PASSED_OVER = " \u00a0\u3000\u200b\u200c\u200d\u2060\ufeff"


def defused(cell: str) -> str:
    """A cell that a spreadsheet shows and does not run; numbers stay numbers.

    >>> defused("=HYPERLINK(1)"), defused("-0.08"), defused("+1e-3"), defused("@a"), defused("alpha")
    ("'=HYPERLINK(1)", '-0.08', '+1e-3', "'@a", 'alpha')
    >>> defused("\ufeff=1+1") == "'\ufeff=1+1", defused("\uff1d1+1") == "'\uff1d1+1"
    (True, True)
    """
    if not cell.lstrip(_PASSED_OVER).startswith(_RUNS):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    r"""RFC 4180 in UTF-8, lines ended by CR LF.

    >>> csv_bytes(["a", "b"], [["1", "x,y"]])
    b'a,b\r\n1,"x,y"\r\n'
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([defused(cell) for cell in row])
    return out.getvalue().encode("utf-8", "backslashreplace")
