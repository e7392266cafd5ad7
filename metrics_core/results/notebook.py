"""What a notebook shows of a report, its parts or an experiment: counts, and small tables of escaped HTML.

Does: escape, count, and set estimates in rows, withheld and unknown said. Does not: round by unit or make
captions; the site does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from metrics_core.results.estimate import Estimate
from metrics_core.results.interval import four_digits
from metrics_core.results.keys import Keys
from metrics_core.text import visible

if TYPE_CHECKING:
    from metrics_core.results.comparison import Comparison

MOST_ROWS: Final = 40
"""A table shows the first of this many estimates, those over the fewest keys first."""

_PAIR: Final = ("metric", "stratum", "arms")
_FOUND: Final = ("difference", "interval", "on", "by own intervals", "on the same tasks")
_HEADS: Final = ("metric", "stratum", "group", "value", "n/N", "interval", "attempts")


def estimates_html(estimates: Sequence[Estimate]) -> list[str]:
    """A table of the first `MOST_ROWS` estimates, and a paragraph that counts the rest."""
    ordered = sorted(estimates, key=lambda e: (len(e.group), e.family, e.metric, e.stratum, e.group))
    shown = ordered[:MOST_ROWS]
    lines = [html_table(_HEADS, [_row(e) for e in shown])] if shown else []
    if more := len(estimates) - len(shown):
        lines.append(f"<p>{more} more estimates: <code>report.frame()</code></p>")
    return lines


def estimate_html(e: Estimate) -> str:
    """A table of one row."""
    return html_table(_HEADS, [_row(e)])


def comparison_html(c: Comparison) -> str:
    """The difference with its interval and what it stands on, and what both rules say of it."""
    named = (c.metric, _pairs(c.stratum), f"{c.a} less {c.b}")
    if c.difference is None:
        return html_table((*_PAIR, "verdict", "because"), [(*named, str(c.verdict), c.reason)])
    on = "different tasks" if c.paired_on is None else f"{c.paired_on} tasks"
    told = (f"{four_digits(c.difference)} {c.unit}", str(c.interval), on)
    above = {"a above b": f"{c.a} above {c.b}", "b above a": f"{c.b} above {c.a}"}
    verdicts = (above.get(verdict, verdict) for verdict in (c.strict_verdict, c.paired_verdict))
    return html_table((*_PAIR, *_FOUND), [(*named, *told, *verdicts)])


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
