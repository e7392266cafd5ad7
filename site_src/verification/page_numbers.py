"""Numbers as pages show them, read back from the HTML and checked against the published estimates.

Looks at every element with ``data-estimate``: each ``n/N`` in it must be the estimate's own counts, and each
decimal one of its values, rounded as pages round. Elements that copy a single record are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from site_src.wording import THIN, digits, fraction

_RATIO = re.compile(rf"(?<![\w/.-])(\d[\d{THIN}]*/\d[\d{THIN}]*)(?![\w/-])")
_DECIMAL = re.compile(rf"(?<![\w.:-])[<>]?(?:\d{{1,3}}(?:{THIN}\d{{3}})+|\d+)\.\d+(?![\w.])")
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)


@dataclass(frozen=True, slots=True)
class ShownNumber:
    """The text of one element that carries an estimate's id."""

    estimate: str
    text: str


def shown(html: str) -> Iterator[ShownNumber]:
    """Every element of a page that carries a number from data.

    >>> list(shown('<p><b data-estimate="a">1/2</b> of <i>3</i></p>'))
    [ShownNumber(estimate='a', text='1/2')]
    """
    reader = _PageReader()
    reader.feed(html)
    reader.close()
    yield from reader.found


def faults(seen: ShownNumber, known: Mapping[str, Mapping[str, Any]], page: str) -> Iterator[str]:
    """What an element says that its estimate does not.

    Args:
        seen: As read from the page.
        known: Published estimates by id.
        page: Path of the page, for the message.
    """
    row = known.get(seen.estimate)
    if row is None:
        yield f"{page}: {seen.estimate} is not published"
        return
    if row["withheld"]:
        if _RATIO.search(seen.text) or _DECIMAL.search(seen.text):
            yield f"{page}: {seen.estimate} is withheld, and the page shows {seen.text.strip()!r}"
        return
    counts = {fraction(row["n"], row["N"]), f"{row['n']}/{row['N']}"}
    for ratio in _RATIO.findall(seen.text):
        if ratio not in counts:
            yield f"{page}: {seen.estimate} is {min(counts)}, and the page shows {ratio}"
    spellings = set(_spellings(row))
    for decimal in _DECIMAL.findall(seen.text):
        if decimal not in spellings:
            yield f"{page}: {seen.estimate}: the page shows {decimal}, which it does not hold"


def _spellings(row: Mapping[str, Any]) -> Iterator[str]:
    """Every decimal that a page may show for an estimate."""
    summary = row.get("summary") or {}
    values = [row["value"], *(row["bounds"] or ()), *summary.values()]
    for interval in (row["interval"], *(row.get("also") or {}).values()):
        values += [interval["lo"], interval["hi"], interval.get("level"), interval.get("n_eff")]
    for beside in (row.get("task_weighted"), row.get("never_recorded")):
        if beside:
            values += [beside.get("value"), *(beside.get("bounds") or ())]
            values += [beside["interval"]["lo"], beside["interval"]["hi"]]
    for value in values:
        if value is not None:
            for unit in (row["unit"], "fraction", "s"):
                yield from (digits(value, unit, places=places) for places in (2, 4))


class _PageReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[tuple[str, list[str] | None, str]] = []
        self.found: list[ShownNumber] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID:
            estimate = dict(attrs).get("data-estimate")
            self.stack.append((tag, [] if estimate else None, estimate or ""))

    def handle_endtag(self, tag: str) -> None:
        for at in range(len(self.stack) - 1, -1, -1):
            if self.stack[at][0] == tag:
                for _, text, estimate in self.stack[at:]:
                    if text is not None:
                        self.found.append(ShownNumber(estimate, "".join(text)))
                del self.stack[at:]
                return

    def handle_data(self, data: str) -> None:
        for _, text, _ in self.stack:
            if text is not None:
                text.append(data)
