"""What a caption is made of: stretches of text in one voice, joined into lines.

Does: hold them, and join them into plain text. Does not: make them; `site_src.captions` does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

Role = Literal["plain", "strong", "light", "digest", "state", "nowrap"]
"""How a part is set: text; bold; light (an interval); a digest in mono behind its hallmark; a state in
bold behind its swatch; unbroken (dates)."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of text in one voice; parts join without anything between them.

    Attributes:
        href: Address relative to the page; empty for none.
        mark: Inline SVG to stand before the text (hallmark or swatch), hidden from assistive technology.
        estimate: Id of the estimate whose number this is, for ``data-estimate``; empty for none.
    """

    text: str
    role: Role = "plain"
    href: str = ""
    mark: str = ""
    estimate: str = ""


Line = tuple[Part, ...]

DOT: Final = Part("\u00a0· ")
"""Between two facts; it ends a line rather than begins one."""


@dataclass(frozen=True, slots=True)
class Caption:
    """Lines of what was counted, then one shared line: how, with which instrument and data, which build."""

    lines: tuple[Line, ...]
    shared: Line

    def __post_init__(self) -> None:
        if not self.lines or not self.shared:
            raise ValueError("a caption without a line")


def joined(lines: Iterable[Line]) -> Line:
    r"""Lines one after another, a dot between them; empty ones leave nothing.

    >>> [part.text for part in joined([(Part("a"),), (), (Part("b"),)])]
    ['a', '\xa0· ', 'b']
    """
    out: list[Part] = []
    for line in lines:
        if line:
            out += (DOT, *line) if out else line
    return tuple(out)


def text(line: Line) -> str:
    """A line as plain text.

    >>> text((Part("50/58", "strong"), Part(" known")))
    '50/58 known'
    """
    return "".join(part.text for part in line)


def plain(caption: Caption) -> str:
    """A caption as plain text, a line each: for alternatives, JSON and feeds."""
    return "\n".join(text(line) for line in (*caption.lines, caption.shared))
