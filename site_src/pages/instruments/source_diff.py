"""Two versions of an instrument's source side by side, line by line; what is alike is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from site_src.wording import count

AROUND = 3
"""Lines that are alike and are kept on each side of a change."""


class SideLine(Struct, frozen=True, kw_only=True):
    """One row of two versions: a line of each, its number and a sign; or how many alike are left out."""

    left_number: str
    left: str
    left_changed: bool
    right_number: str
    right: str
    right_changed: bool
    alike: str


class SideBySide(Struct, frozen=True, kw_only=True):
    """One file of two versions."""

    title: str
    before: str
    after: str
    lines: tuple[SideLine, ...]


def side_by_side(title: str, before: tuple[str, str], after: tuple[str, str]) -> SideBySide:
    r"""Compare two versions of a file.

    Args:
        title: What is compared, in words.
        before: Name of the older version, and its source.
        after: Name of the newer version, and its source.

    >>> rows = side_by_side("t", ("v1", "a\nb"), ("v2", "a\nc")).lines
    >>> [(r.left, r.right, r.left_changed) for r in rows]
    [('  a', '  a', False), ('− b', '+ c', True)]
    """
    lines = tuple(_lines(before[1].splitlines(), after[1].splitlines()))
    return SideBySide(title=title, before=before[0], after=after[0], lines=lines)


def _lines(left: Sequence[str], right: Sequence[str]) -> Iterator[SideLine]:
    matcher = SequenceMatcher(a=left, b=right, autojunk=False)
    last = len(left)
    for tag, i, i2, j, j2 in matcher.get_opcodes():
        if tag != "equal":
            for at in range(max(i2 - i, j2 - j)):
                yield _line(left, i + at, i2, right, j + at, j2)
            continue
        head, tail = (0 if i == 0 else AROUND), (0 if i2 == last else AROUND)
        if i2 - i <= head + tail + 1:
            yield from (_alike(left, i + at, j + at) for at in range(i2 - i))
            continue
        yield from (_alike(left, i + at, j + at) for at in range(head))
        yield _left_out(i2 - i - head - tail)
        yield from (_alike(left, i + at, j + at) for at in range(i2 - i - tail, i2 - i))


def _line(left: Sequence[str], i: int, i2: int, right: Sequence[str], j: int, j2: int) -> SideLine:
    gone, new = i < i2, j < j2
    return SideLine(
        left_number=count(i + 1) if gone else "",
        left=f"− {left[i]}" if gone else "",
        left_changed=gone,
        right_number=count(j + 1) if new else "",
        right=f"+ {right[j]}" if new else "",
        right_changed=new,
        alike="",
    )


def _alike(left: Sequence[str], i: int, j: int) -> SideLine:
    return SideLine(
        left_number=count(i + 1),
        left=f"  {left[i]}",
        left_changed=False,
        right_number=count(j + 1),
        right=f"  {left[i]}",
        right_changed=False,
        alike="",
    )


def _left_out(n: int) -> SideLine:
    return SideLine(
        left_number="",
        left="",
        left_changed=False,
        right_number="",
        right="",
        right_changed=False,
        alike=f"{count(n)} lines alike",
    )
