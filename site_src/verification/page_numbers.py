"""Numbers as pages show them, read back from the HTML and checked against the published estimates.

Looks at every element with ``data-estimate``: each ``n/N`` in it must be the estimate's own counts, and each
decimal one of its values, rounded as pages round. Elements that copy a single record are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from html.parser import HTMLParser
from typing import Any

from msgspec import Struct

from site_src.wording import THIN, digits, fraction

_RATIO = re.compile(rf"(?<![\w/.-])(\d[\d{THIN}]*/\d[\d{THIN}]*)(?![\w/-])")
_DECIMAL = re.compile(rf"(?<![\w.:-])[<>]?(?:\d{{1,3}}(?:{THIN}\d{{3}})+|\d+)\.\d+(?![\w.])")
_THRESHOLD = re.compile(r"\bat \d+(?:\.\d+)? or (?:above|below)\b")
"""What a count is of, such as runs "at 0.7 or above": a rule of the metric, and no number of an estimate."""

_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
_ATTRIBUTES = r'(?:\s+[A-Za-z][A-Za-z0-9:-]*(?:="[^"<]*")?)*'
_TAG = re.compile(
    rf"""<(?:/([a-z][a-z0-9]*)
    |(?!script|title)([a-z][a-z0-9]*)({_ATTRIBUTES})\s*(/?)
    |script{_ATTRIBUTES}></script
    |title{_ATTRIBUTES}>[^<]*</title
    |!doctype\ html)>""",
    re.VERBOSE | re.ASCII,
)
"""A tag that all readers read alike: lower case, quoted attributes, and no angle bracket but its own."""
_ATTRIBUTE = re.compile(r'([A-Za-z][A-Za-z0-9:-]*)(?:="([^"]*)")?')
_VERBATIM = frozenset({"iframe", "noembed", "noframes", "noscript", "plaintext", "style", "textarea", "xmp"})
"""Elements within which a tag is a tag to some readers only."""


class ShownNumber(Struct, frozen=True):
    """The text of one element that carries an estimate's id."""

    estimate: str
    text: str


def shown(html: str) -> Iterator[ShownNumber]:
    """Every element of a page that carries a number from data.

    >>> list(shown('<p><b data-estimate="a">1/2</b> of <i>3</i></p>'))
    [ShownNumber(estimate='a', text='1/2')]
    """
    found = _shown_plainly(html)
    if found is None:
        reader = _PageReader()
        reader.feed(html)
        reader.close()
        found = reader.found
    yield from found


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
    decimals = _DECIMAL.findall(_THRESHOLD.sub("", seen.text))
    spellings = set(_spellings(row)) if decimals else set()
    for decimal in decimals:
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


def _shown_plainly(html: str) -> list[ShownNumber] | None:
    """What `_PageReader` finds, many times sooner, where every tag is plain and closed; else None."""
    found: list[ShownNumber] = []
    stack: list[str] = []
    within: list[tuple[int, str, list[str]]] = []  # depth, estimate, its text so far
    at = brackets = 0
    for tag in _TAG.finditer(html):
        if within:
            text = unescape(html[at : tag.start()])
            for _, _, texts in within:
                texts.append(text)
        at = tag.end()
        brackets += 1
        end, start, attributes, closed = tag.groups()
        if start in _VERBATIM:
            return None
        if start is None and end is None:
            if within or "data-estimate" in tag[0].lower():
                return None
            brackets += tag[0].count("<") - 1
        elif start and start not in _VOID:
            stack.append(start)
            if "data-estimate" in attributes.lower():
                told = {name.lower(): unescape(value) for name, value in _ATTRIBUTE.findall(attributes)}
                if estimate := told.get("data-estimate"):
                    within.append((len(stack), estimate, []))
            end = closed and start
        if end:
            if not stack or stack[-1] != end:
                return None
            if within and within[-1][0] == len(stack):
                _, estimate, texts = within.pop()
                found.append(ShownNumber(estimate, "".join(texts)))
            stack.pop()
    return found if brackets == html.count("<") and not stack else None


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
