"""An author's Markdown as the sentences that a reader meets, each character with its place in the file.

Does: leave out what is no prose (code, roles, fences, pictures, addresses, front matter), take in the titles
that directives are given, join what emphasis and line ends tear apart, spell digits and signs plainly however
they were typed, and remember lines and columns. Does not: judge any sentence, or undo superscripts, circled
numbers and fractions in one character, which mean something else when they are written plainly.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from markdown_it.token import Token
from msgspec import Struct

from site_src.authoring import directive_name, words_within
from site_src.authoring.directives import DIRECTIVES
from site_src.project import markdown

SOMETHING: Final = "\ufffc"
"""Stands in a passage where code, a role or a picture stands in the text."""

_OPAQUE: Final = frozenset({"code_inline", "image", markdown.ROLE, markdown.UNCLOSED})
LONGEST: Final = 1000
"""Characters after which a sentence is taken to end: a text without a full stop is read quickly too."""

_END: Final = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bvs)[.!?]+[)\"”’]*(?=\s|\Z)")
_LINK_END: Final = re.compile(r"\]\([^()]*(?:\([^()]*\)[^()]*)*\)|\]\[[^\]]*\]|\]|>")

_SIGNS: Final = {
    "\u2044": "/",  # fraction slash
    "\u2215": "/",  # division slash
    "\u29f8": "/",  # big solidus
    "\u066a": "%",  # Arabic percent sign
    "\u066b": ".",  # Arabic decimal separator
    "\u066c": ",",  # Arabic thousands separator
}
_DRESSED: Final = ("<wide>", "<narrow>", "<small>", "<font>")
"""How a character may differ from a plain one and mean the same; NFKC undoes far more than these."""

_UNSEEN: Final = frozenset({"Cf", "Me"})
"""Categories without a width of their own: joiners, soft hyphens, marks of direction, enclosing keycaps."""


class Sentence(Struct, frozen=True):
    """One sentence, or what stands for one in a heading or a cell.

    Attributes:
        text: As read: without markup, in plain digits, with `SOMETHING` where something else stands.
        places: Line and column of each character, both from 1.
        about: What a cell is in: the heads of its column and its row; empty elsewhere.
    """

    text: str
    places: tuple[tuple[int, int], ...]
    about: str = ""

    def __post_init__(self) -> None:
        if len(self.text) != len(self.places):
            raise ValueError(f"{len(self.places)} places for {len(self.text)} characters")


def sentences(text: str, first_line: int = 1) -> Iterator[Sentence]:
    """Every sentence of a document, in its order, those in a directive's options too; footnotes stand last.

    Args:
        text: Markdown.
        first_line: The line of the file on which it begins.

    >>> [s.text for s in sentences("A **bold** start. `code` *and* more.")]
    ['A bold start.', '\ufffc and more.']
    >>> next(sentences("a **b**", 7)).places[-1]
    (7, 5)
    >>> [s.text for s in sentences("８６\u200b％ of 10², \u0668\u0666\u066a")]
    ['86% of 10², 86%']
    """
    lines = text.split("\n")
    cells = _Cells()
    at = (0, 0)
    for token, line in markdown.walk(markdown.parse(text)):
        cells.see(token)
        if token.type == "inline":
            # Cells of one row share their line: each is looked for behind the one before.
            start = at if at[0] == line - 1 else (line - 1, 0)
            prose, places, at = _read(token.children or (), lines, start)
            about = cells.about(prose)
            yield from _split(prose, [(row + first_line, column + 1) for row, column in places], about)
        elif declared := DIRECTIVES.get(directive_name(token)):
            for prose, (row, column) in words_within(token, lines, declared):
                yield from _split(prose, [(row + first_line - 1, column + at) for at in range(len(prose))])


def _split(prose: str, places: Sequence[tuple[int, int]], about: str = "") -> Iterator[Sentence]:
    """A text, sentence by sentence; ``places`` counts from 1."""
    about = "".join(map(_plain, about))
    for a, b in _spans(prose):
        begun = a + len(prose[a:b]) - len(prose[a:b].lstrip())
        if begun < b:
            kept = [(c, at) for c, at in zip(map(_plain, prose[begun:b]), places[begun:b], strict=True) if c]
            yield Sentence("".join(c for c, _ in kept), tuple(at for _, at in kept), about)


def _spans(prose: str) -> Iterator[tuple[int, int]]:
    """Where each sentence begins and ends; together they are the whole text."""
    begun = 0
    for end in (*(found.end() for found in _END.finditer(prose)), len(prose)):
        for start in range(begun, end, LONGEST):
            yield start, min(start + LONGEST, end)
        begun = end


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    """A character in the spelling that patterns know, or none where it cannot be seen."""
    if character.isascii():
        return character
    if character in _SIGNS:
        return _SIGNS[character]
    category = unicodedata.category(character)
    if category in _UNSEEN or "\ufe00" <= character <= "\ufe0f":
        return ""
    if category == "Nd":
        return str(unicodedata.digit(character))
    same = unicodedata.decomposition(character).startswith(_DRESSED)
    written = unicodedata.normalize("NFKC", character) if same else character
    return written if len(written) == 1 else character


class _Cells:
    """Which column and row a cell stands in, learnt while its table is walked."""

    __slots__ = ("_column", "_heads", "_in_head", "_inside", "_row")

    def __init__(self) -> None:
        self._heads: list[str] = []
        self._row, self._column = "", -1
        self._inside = self._in_head = False

    def see(self, token: Token) -> None:
        match token.type:
            case "table_open":
                self._heads, self._inside = [], True
            case "table_close":
                self._inside = False
            case "tr_open":
                self._row, self._column = "", -1
            case "th_open" | "td_open":
                self._column += 1
                self._in_head = token.type == "th_open"

    def about(self, prose: str) -> str:
        if not self._inside:
            return ""
        if self._in_head:
            self._heads.append(prose)
            return ""
        head = self._heads[self._column] if self._column < len(self._heads) else ""
        if self._column == 0:
            self._row = prose
            return head
        return f"{head} {self._row}".strip()


def _read(
    tokens: Sequence[Token], lines: Sequence[str], at: tuple[int, int]
) -> tuple[str, list[tuple[int, int]], tuple[int, int]]:
    """The prose of one inline token, the place of each character from 0, and where reading ended."""
    prose: list[str] = []
    places: list[tuple[int, int]] = []
    for token in tokens:
        if token.type == "text":
            for word in re.findall(r"\s+|\S+", token.content):
                found = _find(word, lines, at)
                at = found or at
                row, column = at
                places += [(row, column + index) for index in range(len(word))]
                prose.append(word)
                at = (row, column + len(word)) if found else at
        elif token.type in ("softbreak", "hardbreak"):
            prose.append(" ")
            places.append(at)
            at = (at[0] + 1, 0)
        elif token.type in _OPAQUE:
            found = _find(token.content.strip().split("\n")[0], lines, at)
            at = found or at
            prose.append(SOMETHING)
            places.append(at)
            at = (at[0], at[1] + len(token.content)) if found else at
            at = _past_address(lines, at) if token.type == "image" else at
        elif token.type == "link_close":
            at = _past_address(lines, at)
    return "".join(prose), places, at


def _find(word: str, lines: Sequence[str], at: tuple[int, int]) -> tuple[int, int] | None:
    """Where a word stands in the source from a place on: in its line, or where a link or code led on."""
    row, column = at
    for here in range(row, min(row + 2, len(lines))):
        found = lines[here].find(word, column if here == row else 0)
        if found >= 0:
            return here, found
    return None


def _past_address(lines: Sequence[str], at: tuple[int, int]) -> tuple[int, int]:
    row, column = at
    end = _LINK_END.match(lines[row], column) if row < len(lines) else None
    return (row, end.end()) if end else at
