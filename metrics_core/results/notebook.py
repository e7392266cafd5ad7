"""What a notebook shows of a report or an experiment: counted nouns, and a small table of escaped HTML.

Does: escape, count, and set estimates in rows, withheld and unknown said. Does not: round by unit or make
captions; the site does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from metrics_core.results.estimate import Estimate
from metrics_core.results.interval import four_digits
from metrics_core.results.keys import Keys
from metrics_core.text import visible

MOST_ROWS: Final = 40
"""A table shows the first of this many estimates, those over the fewest keys first."""

_HEADS: Final = ("metric", "stratum", "group", "value", "n/N", "interval", "attempts")


def estimates_html(estimates: Sequence[Estimate]) -> list[str]:
    """A table of the first `MOST_ROWS` estimates, and a paragraph that counts the rest."""
    ordered = sorted(estimates, key=lambda e: (len(e.group), e.family, e.metric, e.stratum, e.group))
    shown = ordered[:MOST_ROWS]
    lines = [html_table(_HEADS, [_row(e) for e in shown])] if shown else []
    if more := len(estimates) - len(shown):
        lines.append(f"<p>{more} more estimates: <code>report.frame()</code></p>")
    return lines


def html_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose cells are text from anywhere."""
    head = "".join(f"<th>{html(word)}</th>" for word in heads)
    body = "\n".join(f"<tr>{''.join(f'<td>{html(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def html(text: str) -> str:
    r"""Text from anywhere as HTML, with nothing hidden in it.

    >>> print(html("<b>\u202e"))
    &lt;b&gt;\u202e
    """
    return escape(visible(text, escaped=True))


def _row(e: Estimate) -> tuple[str, ...]:
    lost = [f"{n} {word}" for n, word in
            ((e.unknown, "unknown"), (e.errors, "error"), (e.invalid, "invalid")) if n]  # fmt: skip
    attempts = f"{e.attempts} ({', '.join(lost)})" if lost else str(e.attempts)
    named = (e.metric, _pairs(e.stratum), _pairs(e.group) or "all")
    if e.withheld is not None:
        return (*named, "withheld", "", e.withheld, attempts)
    value = "unknown" if e.value is None else f"{four_digits(e.value)} {e.unit}"
    return (*named, value, f"{e.n}/{e.N} {e.of}", str(e.interval), attempts)


def _pairs(keys: Keys) -> str:
    return ", ".join(f"{key} {value}" for key, value in keys)
