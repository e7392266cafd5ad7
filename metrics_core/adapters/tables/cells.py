"""What one cell of a table says: a verdict, a number, a name, or that a run failed.

Does: read what people write for yes, no, blank, error and numbers. Does not: know which column it is, or
whether a number is a share.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field

from metrics_core.formats import Reading, utc
from metrics_core.results import quoted

BLANK = frozenset(
    {
        "",
        "nan",
        "null",
        "none",
        "n/a",
        "na",
        "-",
        "unknown",
        "not scored",
        "unscored",
        "skipped",
        "unbekannt",
        "k. a.",
        "k.a.",
        "inconnu",
        "desconocido",
    }
)
"""An outcome that nobody established."""

FAILED = frozenset({
    "error", "errored", "err", "timeout", "timed out", "infra", "infra error", "crash", "crashed",
    "exception", "harness error", "provider error", "api error", "cancelled", "canceled", "aborted",
})  # fmt: skip
"""A run that failed by itself: no verdict."""

YES = frozenset({"yes", "y", "true", "t", "pass", "passed", "correct", "success", "succeeded", "successful",
                 "resolved", "solved", "ok", "right",
                 "ja", "wahr", "bestanden", "erfolgreich", "korrekt", "richtig", "gelöst", "oui", "vrai",
                 "réussi",
                 "réussie", "sí", "si", "verdadero", "aprobado", "correcto",
                 "✓", "✔", "✔️", "✅", "☑"})  # fmt: skip
NO = frozenset({"no", "n", "false", "f", "fail", "failed", "incorrect", "failure", "unsuccessful",
                "unresolved", "unsolved", "wrong", "not ok", "not resolved", "not solved", "not passed",
                "nein", "falsch", "nicht bestanden", "durchgefallen", "fehlgeschlagen", "gescheitert",
                "inkorrekt",
                "nicht gelöst", "ungelöst", "non", "faux", "échoué", "échouée", "échec", "non réussi",
                "falso",
                "suspenso", "fallido", "incorrecto", "no aprobado", "✗", "✘", "❌", "✖", "✖️"})  # fmt: skip
ANSWERS = frozenset({"yes", "y", "true", "t", "ok", "right", "no", "n", "false", "f", "wrong", "not ok", "ja",
                     "wahr", "richtig", "oui", "vrai", "sí", "si", "verdadero", "nein", "falsch", "non",
                     "faux",
                     "falso", "✓", "✔", "✔️", "✅", "☑", "✗", "✘", "❌", "✖", "✖️"})  # fmt: skip
"""Of these, words that answer any question; the others say how a run came out."""

WENT_WELL = frozenset({
    "ok", "success", "succeeded", "completed", "complete", "done", "finished", "passed", "failed", "fail",
    "pass", "ended", "resolved", "unresolved",
})  # fmt: skip
"""Words of a status that tell of no failure of the harness: what such a run came to stands elsewhere."""

NO_ERROR = BLANK | frozenset({"false", "no", "0", "no error", "ok", "[]", "{}"})

_SINCE_1970 = re.compile(r"\d{9,19}(?:\.\d{1,9})?")
_UNITS_SINCE_1970 = (1, 10**3, 10**6, 10**9)
_YEAR_2000, _YEAR_2100 = 946_684_800, 4_102_444_800
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_COMMA = re.compile(r"[-+]?\d+,\d+")
_GROUPED = re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_MONEY = re.compile(r"^\s*(?:US)?\$\s*|\s*(?:USD|\$)\s*$")

How = Literal["", "words", "as said", "numbers as text", "percent", "comma"]


class CellVerdict(NamedTuple):
    """What a cell of an outcome says; ``how`` it was spelled where that is worth telling."""

    state: Literal["known", "unknown", "error", "unreadable"]
    value: float = 0.0
    how: How = ""


class Cells(Struct, frozen=True):
    """Reads cells.

    Attributes:
        decimal_comma: Whether a comma in a number is a decimal point.
        words: Word of an outcome -> what it stands for, as somebody says.
    """

    decimal_comma: bool = False
    words: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def as_said(cls, reading: Reading) -> Cells:
        """A reader of cells that knows what was said of them.

        >>> Cells.as_said(Reading(words={"Almost_done": 0.5})).verdict("almost done").value
        0.5
        """
        words = {_word(word): float(value) for word, value in reading.words.items()}
        return cls(decimal_comma=reading.decimal_comma, words=words)

    def said(self, cell: Any) -> str | None:
        """The word of a cell where somebody says what it stands for."""
        word = _word(cell) if isinstance(cell, str) else None
        return word if word in self.words else None

    def verdict(self, cell: Any) -> CellVerdict:
        """What a cell of an outcome says.

        >>> read = Cells().verdict
        >>> read(True).value, read("No").value, read("0.5").value, read("").state, read("timeout").state
        (1.0, 0.0, 0.5, 'unknown', 'error')
        >>> read("87.5 %"), read("0,5").how, read("B").state
        (CellVerdict(state='known', value=87.5, how='percent'), 'comma', 'unreadable')
        """
        if cell is None:
            return CellVerdict("unknown")
        if isinstance(cell, bool):
            return CellVerdict("known", float(cell))
        if isinstance(cell, int | float):
            return _finite(float(cell), "") if abs(cell) < 1e300 else CellVerdict("unreadable")
        if not isinstance(cell, str):
            return CellVerdict("unreadable")
        word = _word(cell)
        if word in self.words:
            return CellVerdict("known", self.words[word], "as said")
        if word in BLANK:
            return CellVerdict("unknown")
        if word in FAILED:
            return CellVerdict("error")
        if word in YES or word in NO:
            return CellVerdict("known", float(word in YES), "words")
        if word.endswith("%"):
            value = self.number(word.removesuffix("%"))
            if value is None:
                return CellVerdict("unreadable", how=_comma(word.removesuffix("%").strip()))
            return CellVerdict("known", value, "percent")
        value = self.number(cell)
        if value is not None:
            return CellVerdict("known", value, "numbers as text")
        return CellVerdict("unreadable", how=_comma(word))

    def number(self, cell: Any) -> float | None:
        """A finite number, dollars without their sign; None for anything else.

        >>> Cells().number("$0.25"), Cells().number("1,5"), Cells(decimal_comma=True).number("1,5")
        (0.25, None, 1.5)
        """
        if isinstance(cell, bool) or cell is None:
            return None
        if isinstance(cell, int | float):
            return float(cell) if abs(cell) < 1e300 and math.isfinite(cell) else None
        if not isinstance(cell, str):
            return None
        text = _MONEY.sub("", cell).strip()
        if self.decimal_comma and _COMMA.fullmatch(text):
            text = text.replace(",", ".")
        value = float(text) if _NUMBER.fullmatch(text) else math.nan
        return value if math.isfinite(value) else None

    def is_number(self, cell: str) -> bool:
        """Whether text is a number, though it may be none as commas are read.

        >>> Cells().is_number("1,5"), Cells().is_number("12"), Cells().is_number("v1")
        (True, True, False)
        """
        return self.number(cell) is not None or bool(_comma(cell.strip()))

    def whole(self, cell: Any) -> int | None:
        """A whole number from 0; None for anything else."""
        value = self.number(cell)
        return None if value is None or value < 0 or value != int(value) else int(value)


def is_grouped(text: str) -> bool:
    """Whether every comma in a number may part thousands.

    >>> is_grouped("1,234"), is_grouped("12,5"), is_grouped("0,125")
    (True, False, False)
    """
    return _GROUPED.fullmatch(text) is not None


def _comma(text: str) -> Literal["", "comma"]:
    return "comma" if _COMMA.fullmatch(text) or _GROUPED.fullmatch(text) else ""


def name_of(cell: Any) -> str | None:
    """A name as a cell has it, on one line; None where there is none.

    >>> name_of(" a  b "), name_of(7), name_of(""), name_of(None)
    ('a b', '7', None, None)
    """
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, float):
        return f"{cell:g}" if math.isfinite(cell) else None
    if not isinstance(cell, str | int):
        return None
    return _one_line(str(cell)) or None


def error_of(cell: Any, *, status: bool) -> str | None:
    """Why a run failed by itself, as a column of errors says; None where it did not.

    Args:
        cell: Of the column.
        status: Whether the column tells how every run ended, and not only what went wrong.

    >>> error_of("provider 529", status=False), error_of("none", status=False), error_of("done", status=True)
    ('provider 529', None, None)
    """
    if cell is None or cell is False or cell in (0, "0") or cell in ([], {}):
        return None
    if cell is True or cell == 1:
        return "an error"
    if not isinstance(cell, str):
        return quoted(cell)
    word = _word(cell)
    if status:
        return cell.strip() if word in FAILED else None
    return None if word in NO_ERROR else _one_line(cell)


def is_status(cells: list[Any]) -> bool:
    """Whether a column of text tells how runs ended, in known words.

    >>> is_status(["completed", "timeout", ""]), is_status(["open", "closed"])
    (True, False)
    """
    words = {_word(cell) for cell in cells if isinstance(cell, str)}
    return bool(words) and words <= FAILED | WENT_WELL | BLANK


def _word(cell: str) -> str:
    return _one_line(cell.replace("_", " ").casefold())


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _finite(value: float, how: How) -> CellVerdict:
    return CellVerdict("known", value, how) if math.isfinite(value) else CellVerdict("unknown")


def stamp_of(cell: Any) -> str | None:
    """When a run was, as its cell says: ISO 8601, or a number since 1970 in seconds, or in ms, us or ns.

    A number is a time only where it lies between the years 2000 and 2100 in one of the units; it never does
    in two. None where a cell is no time.

    >>> stamp_of(" 2026-01-02T03:04:05Z "), stamp_of("yesterday"), stamp_of(3)
    ('2026-01-02T03:04:05Z', None, None)
    >>> stamp_of(1767323045), stamp_of("1767323045000")
    ('2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z')
    """
    if isinstance(cell, bool) or not isinstance(cell, (str, int, float)):
        return None
    said = str(cell).strip()
    if _SINCE_1970.fullmatch(said):
        for unit in _UNITS_SINCE_1970:
            if _YEAR_2000 <= (seconds := Decimal(said) / unit) < _YEAR_2100:
                return f"{dt.datetime.fromtimestamp(int(seconds), dt.UTC).replace(tzinfo=None).isoformat()}Z"
    if not isinstance(cell, str):
        return None
    try:
        utc(said)
    except ValueError:
        return None
    return said
