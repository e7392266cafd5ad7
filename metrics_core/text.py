"""Text from outside, made safe to read: no character of it is hidden, and none reorders what is read.

Does: spell control, bidirectional, zero-width and other invisible characters by their code points; spell
numbers for sentences; put nouns into the number of what they count. Does not: escape markup (Jinja does that,
on every expression), and it strips nothing, since stripping loses evidence.
"""

from __future__ import annotations

import re
from typing import Final

INVISIBLE: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but for the tab and the line feed
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # soft hyphen, fillers
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero-width, line separators, bidirectional
    "\ufe00-\ufe0f\ufeff"  # variation selectors, byte order mark
    "\ufff0-\ufffc\ufffe\uffff\ufdd0-\ufdef"  # annotation, noncharacters
    "\ud800-\uf8ff"  # lone surrogates, private use: what a font draws there is anyone's choice
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # formatting of shorthand and of musical scores
    "\U000e0000-\U0010ffff"  # tags and variation selectors, in which whole texts hide; private use
)
"""Characters that a reader cannot see, or that reorder what is read, as the inside of a character class."""

SPACING: Final = "\t\n\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""Space that is wider or narrower than a space, or that ends a line: plain on a page, not in a message."""

_IN_TEXT: Final = re.compile(f"[{INVISIBLE}]")
_IN_MESSAGES: Final = re.compile(f"[{INVISIBLE}{SPACING}]")


def visible(text: str, *, escaped: bool = False) -> str:
    r"""Text in which nothing is hidden.

    Args:
        text: Any text.
        escaped: For a message of one line, in which values stand as JSON: characters are spelled as JSON
            escapes them, and so is every space but the plain one. Else tabs, line feeds and all other
            spaces stay as they are.

    Returns:
        The same text with each invisible character as ``‹U+XXXX›``, or as its escape.

    >>> visible("abc\u202edcb"), visible("a\tb\n"), visible("\x1b[31m")
    ('abc‹U+202E›dcb', 'a\tb\n', '‹U+001B›[31m')
    >>> print(visible("a\x1b[31m\u202eb\n", escaped=True))
    a\u001b[31m\u202eb\u000a
    """
    if text.isascii() and text.isprintable():  # most texts, in a tenth of the time
        return text
    if escaped:
        return _IN_MESSAGES.sub(_as_escape, text)
    return _IN_TEXT.sub(lambda found: f"‹U+{ord(found[0]):04X}›", text)


def spelled(value: float) -> str:
    """A number as a sentence has it: at most six digits, and a minus sign, which is no hyphen.

    >>> spelled(-1.0), spelled(4.5), spelled(100.0)
    ('−1', '4.5', '100')
    """
    return f"{value:g}".replace("-", "−")


def plural(noun: str, n: int) -> str:
    """A noun as it stands behind a count: the one maker of plurals.

    Args:
        noun: In the singular; of several words the last one is counted.
        n: How many there are.

    >>> plural("run", 1), plural("task", 0), plural("price table", 2), plural("family", 3), plural("day", 2)
    ('run', 'tasks', 'price tables', 'families', 'days')
    """
    if n == 1:
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}{'es' if noun.endswith(('s', 'x', 'ch', 'sh')) else 's'}"


def many(n: int, noun: str) -> str:
    """A counted noun, digits ungrouped.

    >>> many(1, "file"), many(0, "problem")
    ('1 file', '0 problems')
    """
    return f"{n} {plural(noun, n)}"


def _as_escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
