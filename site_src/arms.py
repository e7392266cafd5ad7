"""Arms: what is under test, whatever part it plays, and how a reader says which part that is.

Does: tell from an estimate's group whether it is about one arm, and name the part. Does not: know a family;
which group keys are arms is declared in its words.
"""

from __future__ import annotations

from collections.abc import Iterable

from metrics_core.keys import Keys
from metrics_core.vocabulary import PLAIN, Vocabulary


def arm_of(group: Keys, words: Vocabulary | None = None) -> tuple[str, str] | None:
    """Key and name of the arm, where a group is one arm and nothing more.

    Args:
        group: Of an estimate.
        words: Those of its family.

    >>> arm_of((("model", "alpha"),)), arm_of((("model", "alpha"), ("stamp", "2026-07-01"))), arm_of(())
    (('model', 'alpha'), None, None)
    """
    return group[0] if len(group) == 1 and is_arm(group[0][0], words) else None


def is_arm(key: str, words: Vocabulary | None = None) -> bool:
    """Whether the value of a group key is what is under test.

    >>> is_arm("model"), is_arm("scenario")
    (True, False)
    """
    return (words or PLAIN).arm(key) is not None


def is_whole(key: str, words: Vocabulary | None = None) -> bool:
    """Whether arms of this key do all of the work.

    >>> is_whole("model"), is_whole("scenario")
    (True, False)
    """
    arm = (words or PLAIN).arm(key)
    return arm is not None and arm.whole


def kind_words(key: str, words: Vocabulary | None = None) -> str:
    """What an arm of this key is called.

    >>> from metrics_core.vocabulary import Arm
    >>> kind_words("model", Vocabulary(arms=(Arm(key="model", title="agent"),))), kind_words("config")
    ('agent', 'config')
    """
    arm = (words or PLAIN).arm(key)
    return key if arm is None else arm.title


def as_words(key: str, words: Vocabulary | None = None) -> str:
    """The part that an arm plays, to follow its name; nothing where it does all of the work.

    >>> from metrics_core.vocabulary import Arm
    >>> as_words("coder", Vocabulary(arms=(Arm(key="coder", title="coder model"),))), as_words("model")
    (' as coder model', '')
    """
    return "" if is_whole(key, words) else f" as {kind_words(key, words)}"


def in_order(keys: Iterable[str], words: Vocabulary | None = None) -> list[str]:
    """The keys that are arms', whole arms first.

    >>> in_order(["scenario", "model"])
    ['model']
    """
    arms = {arm for key in keys if (arm := (words or PLAIN).arm(key)) is not None}
    return [arm.key for arm in sorted(arms, key=lambda arm: arm.place)]
