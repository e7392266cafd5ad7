"""Names that a reader takes for one another: in other letters, capitals, forms, or with what is not seen.

Does: find them by Unicode's own list of confusable characters (UTS 39) and by what case, width, form and
space hide; say in which characters two of them part. Does not: change a name, or take two for one: bytes
that differ are two names, whatever they look like.

The list is data, `look_alike_letters.json`: one text for all that look like it, with its origin, digest and
licence. No package gives the few lines that it takes to use it, so that none is depended on;
`tests.support.look_alike_letters` makes the file anew.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from metrics_core.text import INVISIBLE, visible

SHA256: Final = "e16fe022b81cfba6162f62c418131369df35a27003bb2fe9a0b95cfc7c1e383c"
LETTERS: Final = Path(__file__).with_name("look_alike_letters.json")

_NOT_SEEN: Final = re.compile(f"[{INVISIBLE}]")
_SPACES: Final = re.compile(r"\s+")


def look_alikes(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    r"""Names of which each looks like another one of its group, in order; names like no other are left out.

    >>> list(look_alikes(["beta", "alpha", "\u0430lpha", "gpt-4o", "gpt-4O", "run 1", "run l "]))
    [('alpha', 'аlpha'), ('gpt-4O', 'gpt-4o'), ('run 1', 'run l ')]
    """
    homes: dict[str, str] = {}

    def home(name: str) -> str:
        while homes[name] != name:
            name = homes[name]
        return name

    seen: dict[tuple[bool, str], str] = {}
    for name in sorted(set(names)):
        homes[name] = name
        for key in ((True, _as_drawn(name)), (False, _as_read(name))):
            homes[home(name)] = home(seen.setdefault(key, name))
    groups: dict[str, list[str]] = defaultdict(list)
    for name in homes:
        groups[home(name)].append(name)
    yield from (tuple(group) for group in groups.values() if len(group) > 1)


def apart(first: str, second: str) -> str:
    r"""In what two names part that look alike, in words.

    >>> apart("alpha", "Alpha"), apart("alpha", "alpha\u200b"), apart("caf\u00e9", "cafe\u0301")
    ('in capital letters', 'in spaces or in what is not seen', 'in the Unicode form of the same letters')
    >>> apart("alpha", "\u0430lpha"), apart("barn", "bam")
    ('in U+0061 against U+0430', 'in U+0072 U+006E against U+006D')
    """
    if unicodedata.normalize("NFC", first) == unicodedata.normalize("NFC", second):
        return "in the Unicode form of the same letters"
    if _trimmed(first) == _trimmed(second):
        return "in spaces or in what is not seen"
    if first.casefold() == second.casefold():
        return "in capital letters"
    while first[:1] == second[:1]:
        first, second = first[1:], second[1:]
    while first[-1:] == second[-1:]:
        first, second = first[:-1], second[:-1]
    pairs = [" ".join(f"U+{ord(c):04X}" for c in text[:4]) or "nothing" for text in (first, second)]
    return f"in {pairs[0]} against {pairs[1]}"


def told(group: Iterable[str]) -> str:
    r"""One sentence on names that look alike, without a full stop.

    >>> print(told(["alpha", "\u0430lpha"]))
    "alpha" and "аlpha" look alike and are 2 names: they part in U+0061 against U+0430
    """
    first, *others = group
    quoted = [f'"{visible(name, escaped=True)}"' for name in (first, *others)]
    how = dict.fromkeys(apart(first, other) for other in others)
    return (
        f"{', '.join(quoted[:-1])} and {quoted[-1]} look alike and are {len(quoted)} names: "
        f"they part {', and '.join(how)}"
    )


def _as_drawn(name: str) -> str:
    """The skeleton of UTS 39: each letter as the one that stands for all that look like it."""
    letters = _letters()
    drawn = unicodedata.normalize("NFD", _trimmed(name)).translate(letters).translate(letters)
    return unicodedata.normalize("NFD", drawn)


def _as_read(name: str) -> str:
    """The name in small plain letters, with none of the keyboard taken for another: A1 is not AL."""
    letters = _letters()
    plain = unicodedata.normalize("NFKC", _trimmed(name))
    plain = "".join(letter if letter.isascii() else letter.translate(letters) for letter in plain)
    return unicodedata.normalize("NFKC", plain.casefold())


def _trimmed(name: str) -> str:
    return _SPACES.sub(" ", _NOT_SEEN.sub("", name)).strip()


@cache
def _letters() -> dict[int, str]:
    data = LETTERS.read_bytes()
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise ValueError(f"{LETTERS.name} is not the file that this version was made with")
    classes = json.loads(data)["letters"]
    return {ord(letter): stands for stands, letters in classes.items() for letter in letters}
