"""Makes characters that a reader cannot see, or that reorder what is read, visible in record text.

Does: replace control, bidirectional, zero-width and other invisible characters by their code point
between angle quotes. Does not: escape markup (Jinja does that, on every expression), and it strips
nothing, since stripping loses evidence.
"""

from __future__ import annotations

import re

_INVISIBLE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but for the tab and the line feed
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # soft hyphen, fillers
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero-width, line separators, bidirectional
    "\ufe00-\ufe0f\ufeff"  # variation selectors, byte order mark
    "\ufff0-\ufffc\ufffe\uffff"  # annotation, noncharacters
    "\ufdd0-\ufdef\ud800-\udfff"  # noncharacters, lone surrogates
    "\U000e0000-\U000e0fff"  # tags and variation selectors: whole texts hide in them
    "]"
)


def visible(text: str) -> str:
    r"""Record text in which nothing is hidden.

    Args:
        text: Any text; line feeds and tabs stay as they are.

    Returns:
        The same text with each invisible character as ``‹U+XXXX›``.

    >>> visible("abc\u202edcb"), visible("a\tb\n"), visible("\x1b[31m")
    ('abc‹U+202E›dcb', 'a\tb\n', '‹U+001B›[31m')
    """
    if text.isascii() and text.isprintable():  # most texts, in a tenth of the time
        return text
    return _INVISIBLE.sub(lambda found: f"‹U+{ord(found.group()):04X}›", text)
