"""Where a link of a page may lead: the one rule, for whatever was written by hand and for every page made.

Does: allow http and https, mailto, an address relative to the page, and a place on it; say of any other
address what was expected. Does not: look whether anything stands there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from html import unescape
from typing import Final
from urllib.parse import unquote

from metrics_core.results import quoted

ALLOWED: Final = "http://, https:// or mailto:, a path relative to the page, or #heading"
"""What a link may be, for messages."""

_WEB: Final = re.compile(r"https?://[^\s@/\\]+(?:[/?#][^\s\\]*)?", re.IGNORECASE)
_MAIL: Final = re.compile(r"mailto:[^\s\\:/?#@]+@[^\s\\:/?#]+(?:\?[^\s\\]*)?", re.IGNORECASE)
_RELATIVE: Final = re.compile(r"(?!//)[^\s\\]*")
_NO_HEAD: Final = re.compile(r"[:\\\x00-\x1f\x7f]")


def refusal(address: str) -> str:
    r"""Why no link may lead to an address; empty where one may.

    A relative address has no colon before its first slash, as RFC 3986 asks, so that nobody reads a scheme
    there; nor one that is spelled by ``%3a``, ``&colon;`` or a wide form.

    Args:
        address: As it would stand in the page, undone of the page's own escapes.

    >>> [refusal(a) for a in ("a/b.html#c", "#c", "../a.html", "https://a.org/@b", "mailto:a@b.org")]
    ['', '', '', '', '']
    >>> print(refusal("blob:x"))
    expected http://, https:// or mailto:, a path relative to the page, or #heading, got "blob:x"
    >>> [bool(refusal(a)) for a in ("//a.org", "java%0ascript:x", "view-source%3ax", "https:a.org")]
    [True, True, True, True]
    """
    return "" if _is_allowed(address) else f"expected {ALLOWED}, got {quoted(address)}"


def external(address: str) -> str:
    """An address that may become a link to the web: http or https, without credentials; else nothing.

    >>> external("https://example.org/a"), external("javascript:alert(1)"), external("https://u:p@h/")
    ('https://example.org/a', '', '')
    """
    return address if _WEB.fullmatch(address) and address.isprintable() else ""


def _is_allowed(address: str) -> bool:
    if not address.isprintable():
        return False
    if _WEB.fullmatch(address) or _MAIL.fullmatch(address):
        return True
    return _RELATIVE.fullmatch(address) is not None and not any(map(_NO_HEAD.search, _heads(address)))


def _heads(address: str) -> Iterator[str]:
    """What stands before the first slash of an address, where a scheme would, as encodings are undone."""
    undone = ""
    while undone != address:
        yield re.split("[/?#]", address, maxsplit=1)[0]
        undone, address = address, unicodedata.normalize("NFKC", unescape(unquote(address)))
