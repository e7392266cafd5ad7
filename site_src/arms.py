"""Arms: what is under test, whatever part it plays, and how a reader says which part that is.

Does: tell from an estimate's group whether it is about one arm, and name the part. Does not: know a family.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from metrics_core.estimate import Pairs

ARMS: Final = ("model", "pipeline", "chat", "coder", "l1", "l2", "l3")
"""Group keys whose value is what is under test: whole arms first, then parts that a model plays in one."""

WHOLE: Final = ("model", "pipeline")
"""Keys of arms that do all of the work."""

_WORDS: Final = {
    "chat": "chat model",
    "coder": "coder model",
    "l1": "first-layer model",
    "l2": "second-layer model",
    "l3": "third-layer model",
}


def arm_of(group: Pairs) -> tuple[str, str] | None:
    """Key and name of the arm, where a group is one arm and nothing more.

    >>> arm_of((("chat", "alpha"),)), arm_of((("chat", "alpha"), ("coder", "beta"))), arm_of(())
    (('chat', 'alpha'), None, None)
    """
    return group[0] if len(group) == 1 and group[0][0] in ARMS else None


def kind_words(key: str) -> str:
    """What an arm of this key is called.

    >>> kind_words("model"), kind_words("chat"), kind_words("l1")
    ('model', 'chat model', 'first-layer model')
    """
    return _WORDS.get(key, key)


def as_words(key: str) -> str:
    """The part that an arm plays, to follow its name; nothing where it does all of the work.

    >>> as_words("coder"), as_words("pipeline")
    (' as coder model', '')
    """
    return "" if key in WHOLE else f" as {kind_words(key)}"


def in_order(keys: Iterable[str]) -> list[str]:
    """The keys that are arms', in the order of `ARMS`.

    >>> in_order(["coder", "scenario", "chat"])
    ['chat', 'coder']
    """
    found = set(keys)
    return [key for key in ARMS if key in found]
