"""Digits and signs in the one spelling that patterns know, however they were typed.

Does: read full-width, mathematical and other scripts' digits, fraction strokes and percent signs as the plain
ones, and leave out what takes no room, so that no number hides behind it; every character keeps its place.
Does not: touch what a reader sees, or undo superscripts, circled numbers and fractions in one character,
which mean something else when they are written plainly.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from site_src.writing.sentences import Sentence

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


def plain(sentence: Sentence) -> Sentence:
    """A sentence in plain digits and signs.

    >>> from site_src.writing.sentences import sentences
    >>> [plain(s).text for s in sentences("８６\u200b％ of 10², \u0668\u0666\u066a")]
    ['86% of 10², 86%']
    """
    if sentence.text.isascii() and sentence.about.isascii():
        return sentence
    read = [(_plain(c), place) for c, place in zip(sentence.text, sentence.places, strict=True)]
    kept = [(c, place) for c, place in read if c]
    return Sentence(
        "".join(c for c, _ in kept), tuple(place for _, place in kept), "".join(map(_plain, sentence.about))
    )


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    """One character, or none where it cannot be seen."""
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
