"""Cells of an outcome that cannot be read: which they are, and what would settle it.

Does: tell a comma that may be a decimal point or part thousands, and words that nobody knows, with the flags
that say what they mean. Does not: decide which column is an outcome, or refuse it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from metrics_core.adapters.tables.cells import Cells, is_grouped
from metrics_core.results import quoted

MOST_WORDS = 8
"""Values that a sentence lists."""

LONGEST_WORD = 40
"""Characters of a word that a command line is offered with; no longer one stands for an outcome."""


class Obstacle(Struct, frozen=True):
    """Why a column cannot be read as an outcome.

    Attributes:
        why: What it holds, as the rest of a sentence about the column.
        flags: What settles it: any one of them; each without the flag that names the column.
        of_column: Whether these flags want the column named as the outcome, too.
    """

    why: str
    flags: tuple[str, ...]
    of_column: bool


def obstacle(name: str, rows: Sequence[Mapping[str, Any]], cells: Cells) -> Obstacle | None:
    """What hinders a column from being read as an outcome; None where at most a few cells do.

    Args:
        name: Of the column.
        rows: Cells by column.
        cells: Reads cells.

    >>> obstacle("score", [{"score": "0,5"}, {"score": "1"}], Cells()).why
    'holds "0,5": a decimal comma?'
    >>> obstacle("score", [{"score": "1,234"}], Cells()).why
    'holds "1,234": a decimal comma, or a sign between thousands?'
    >>> words = obstacle("Status", [{"Status": "done"}, {"Status": "bad"}, {"Status": "done"}], Cells())
    >>> print(words.why, words.flags)
    holds "done" (2), "bad" (1): neither numbers nor yes and no ('--word done=? --word bad=?',)
    """
    verdicts = [(row[name], cells.verdict(row[name])) for row in rows if name in row]
    commas = [str(cell).strip() for cell, verdict in verdicts if verdict.how == "comma"]
    if commas:
        return _with_commas(commas)
    strange = [cell for cell, verdict in verdicts if verdict.state == "unreadable"]
    if strange and len(strange) > len(verdicts) - len(strange):
        told = f"holds {counted(strange)}: neither numbers nor yes and no"
        return Obstacle(told, (words_flag(strange),), of_column=True)
    return None


def _with_commas(commas: Sequence[str]) -> Obstacle:
    several = [cell for cell in commas if cell.count(",") > 1]
    if several:
        return Obstacle(
            f"holds {quoted(several[0])}: a sign between thousands?", ("numbers without it",), of_column=False
        )
    first = commas[0]
    if not all(map(is_grouped, commas)):
        return Obstacle(f"holds {quoted(first)}: a decimal comma?", ("--decimal-comma",), of_column=False)
    decimal, thousands = first.replace(",", "."), first.replace(",", "")
    return Obstacle(
        f"holds {quoted(first)}: a decimal comma, or a sign between thousands?",
        (f"--decimal-comma ({decimal})", f"{thousands} in the table (thousands are written without a sign)"),
        of_column=False,
    )


def counted(found: Iterable[Any]) -> str:
    """Distinct values and how often each stands, the most frequent first.

    >>> counted(["x", "y", "y"])
    '"y" (2), "x" (1)'
    """
    counts = Counter(quoted(cell) for cell in found).most_common()
    more = f" and {len(counts) - MOST_WORDS} more" if len(counts) > MOST_WORDS else ""
    return ", ".join(f"{cell} ({count})" for cell, count in counts[:MOST_WORDS]) + more


def words_flag(found: Iterable[Any]) -> str:
    """The words of a command line that say what words stand for; the numbers are left to whoever knows.

    >>> words_flag(["done", "not done"])
    "--word done=? --word 'not done=?'"
    """
    words = [word for word, _ in Counter(str(cell).strip() for cell in found).most_common(MOST_WORDS)]
    return " ".join(
        f"--word {word}=?" if word.isidentifier() else f"--word {chr(39)}{word}=?{chr(39)}"
        for word in words
        if len(word) <= LONGEST_WORD
    )
