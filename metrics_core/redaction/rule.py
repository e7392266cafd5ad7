"""One rule: what a kind of secret looks like, where to look for it, and what of it is none.

Does: hold the parts of a rule and find its secrets in a text. Does not: know how a text was encoded, or
replace anything.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from metrics_core.redaction.plain_numbers import without_plain_numbers

REACH = 1200
"""Bytes behind a needle in which a secret ends, unless its rule says otherwise."""

MANY = 32
"""Needles in one text from which on those beside plain numbers are found together."""

TOKEN_GUARD = rb"(?s:.)[\w\-.~+/=:%\\&;|$<\[\x1b\x80-\xff]{6}"
"""What stands behind the first byte of a token, also where it is encoded: no word of a sentence."""

KEYED_GUARD = (
    rb"(?i)[\w.\- \t]{2,50}?(?:[\"'\]\\]|&[a-z#0-9]{2,6};|%[0-9a-f]{2}|\s){0,8}"
    rb"(?:[=:>,|(]|%3[ade]|\\+u00|\\+x|&)(?:[\"'\\\s=:>\[(,]|&[a-z#0-9]{2,6};|\\[nrt]){0,12}"
    rb"(?!(?:[0-9.]{1,12}|null|true|false|none)(?![\w.]))[^\s\"',;)}\]]{6}"
)
"""A name, something that gives it a value, and a value that is more than a number; any of it encoded."""


class Match(Struct, frozen=True):
    """What a rule matched, for whoever judges whether it is a secret.

    Attributes:
        text: The text that was searched.
        start, end: Where the whole match stands in it.
        secret: The part that would be taken out.
        names: Group -> text, where the pattern names groups.
    """

    text: bytes
    start: int
    end: int
    secret: bytes
    names: Mapping[str, bytes | None]

    def before(self, size: int) -> bytes:
        """Bytes before the match."""
        return self.text[max(0, self.start - size) : self.start]


Judge = Callable[[Match], bool]
PieceJudge = Callable[[Match, re.Match[bytes]], bool]


class Rule(Struct, frozen=True, kw_only=True):
    """One kind of secret.

    Attributes:
        label: What the mark says: ``[redacted:label]``.
        needles: In lower case, four bytes or more; the text holds one of these, or no such secret.
        pattern: The secret: the group ``secret``, else the first group that matched, else the whole match.
        guard: What stands at a needle in the text as it is, where a closer look is worth its time.
        entropy: Bits a character that a secret has at least.
        allowed: What is no secret: (what is looked at: secret or match, pattern).
        judge: Whether a match is a secret, beyond all that.
        pieces: What of a match is taken out, each by itself, where a quotation mark may stand between them:
            the last named group of this pattern where it has one, else all that it matches.
        judge_piece: Whether one of them is a secret; by default each is.
        reach: Bytes behind a needle in which it ends.
        across_lines: Whether it may hold line feeds.
    """

    label: str
    needles: tuple[bytes, ...]
    pattern: bytes
    guard: bytes = TOKEN_GUARD
    entropy: float = 0.0
    allowed: tuple[tuple[str, bytes], ...] = ()
    judge: Judge | None = None
    pieces: bytes = b""
    judge_piece: PieceJudge | None = None
    reach: int = REACH
    across_lines: bool = False

    def may_begin(self, data: bytes, starts: Sequence[int]) -> list[int]:
        """Those places of needles where a closer look is worth its time."""
        if self.guard == KEYED_GUARD and len(starts) >= MANY:
            starts = without_plain_numbers(data, starts)
        guard = compiled(self.guard).match
        return [at for at in starts if guard(data, at)]

    def secrets(self, text: bytes) -> Iterator[tuple[int, int]]:
        """Where secrets of this kind stand in a text: first byte, and the byte behind."""
        pattern = compiled(self.pattern)
        for match in pattern.finditer(text):
            group = _group(match)
            if not self._is_secret(match, group):
                continue
            start, end = match.span(group)
            if self.pieces:
                yield from self._pieces(match, start, end)
            else:
                yield start, end

    def _pieces(self, match: re.Match[bytes], start: int, end: int) -> Iterator[tuple[int, int]]:
        told = _told(match, match.string[start:end])
        for piece in compiled(self.pieces).finditer(match.string, start, end):
            if self.judge_piece is None or self.judge_piece(told, piece):
                yield piece.span(piece.lastgroup or 0)

    def _is_secret(self, match: re.Match[bytes], group: str | int) -> bool:
        secret = match[group]
        if b"[redacted:" in secret or (self.entropy and entropy(secret) < self.entropy):
            return False
        for target, allowed in self.allowed:
            if compiled(allowed).search(secret if target == "secret" else match[0]):
                return False
        if self.judge is None:
            return True
        return self.judge(_told(match, secret))


def _told(match: re.Match[bytes], secret: bytes) -> Match:
    return Match(match.string, match.start(), match.end(), secret, match.groupdict())


def _group(match: re.Match[bytes]) -> str | int:
    if "secret" in match.re.groupindex and match["secret"] is not None:
        return "secret"
    return next((number for number in range(1, match.re.groups + 1) if match[number]), 0)


def entropy(text: bytes) -> float:
    """Bits a byte of a text, by how often each of its bytes stands in it.

    >>> entropy(b"aaaa"), entropy(b"abcd")
    (0.0, 2.0)
    """
    size = len(text)
    return 0.0 - sum(n / size * math.log2(n / size) for n in Counter(text).values())


def turns(text: bytes) -> int:
    """How often small and capital letters of a text follow one another.

    >>> turns(b"Authentication-Missing"), turns(b"aBcD")
    (3, 3)
    """
    letters = [65 <= c < 91 for c in text if 65 <= c < 91 or 97 <= c < 123]
    return sum(a != b for a, b in itertools.pairwise(letters))


@cache
def compiled(pattern: bytes) -> re.Pattern[bytes]:
    """A pattern, made when it is first wanted: most rules never are."""
    return re.compile(pattern)
