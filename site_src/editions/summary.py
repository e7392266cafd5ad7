"""What moved since an edition, in sentences: the same on the Editions page, in the feed and in the head.

Does: count figures by what moved them, and say so in words. Does not: give a value, which stands only
beside its n/N, interval and digest, where the page or the feed lists the figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from site_src.editions.changes import CAUSES, Cause, DecisionChange, Move, arrived, changed_outcomes
from site_src.editions.edition import Edition
from site_src.editions.store import History
from site_src.wording import count, in_words, listed, many_in_words, sentence_case

_NOUNS: Mapping[Cause, str] = {
    "data": "data",
    "contract": "a contract",
    "pack": "the pack",
    "prices": "prices",
    "settings": "settings",
    "exclusions": "exclusions",
}


def because(causes: Sequence[Cause]) -> str:
    """Why figures moved.

    >>> because(["data"]), because(["data", "contract"])
    ('because data changed', 'because data and a contract changed')
    >>> because(["unexplained"])
    'although nothing they are made from changed'
    """
    if "unexplained" in causes:
        return "although nothing they are made from changed"
    return f"because {listed([_NOUNS[cause] for cause in causes])} changed"


def figures(number: int) -> str:
    """How many figures.

    >>> figures(1), figures(12)
    ('one figure', '12 figures')
    """
    return f"{many_in_words(number, 'figure')}"


def by_cause(moves: Iterable[Move]) -> dict[tuple[Cause, ...], list[Move]]:
    """Figures that moved, by what moved them: one cause before several, in the order of causes."""
    found: dict[tuple[Cause, ...], list[Move]] = {}
    for move in moves:
        if move.kind == "moved":
            found.setdefault(move.causes, []).append(move)
    order = {cause: place for place, cause in enumerate(CAUSES)}
    return dict(sorted(found.items(), key=lambda item: (len(item[0]), [order[c] for c in item[0]])))


def since(before: Edition, now: Edition, moves: Sequence[Move], changes: Sequence[DecisionChange]) -> str:
    """What happened since an edition, in one or two sentences.

    Args:
        before: The edition that is compared with.
        now: What it is compared with.
        moves: Since then, by `site_src.editions.changes.moved`.
        changes: Since then, by `site_src.editions.changes.changed_decisions`.
    """
    head = f"Since edition {count(before.number)} of {before.date}: "
    parts = [
        f"{in_words(len(group)) if at else figures(len(group))}{'' if at else ' moved'} {because(causes)}"
        for at, (causes, group) in enumerate(by_cause(moves).items())
    ]
    unexplained = any("unexplained" in move.causes for move in moves)
    tail = "" if unexplained else "; nothing moved otherwise" if parts else "no figure moved"
    more = f" {sentence_case(listed(rest))}." if (rest := list(_rest(before, now, moves, changes))) else ""
    return f"{head}{', '.join(parts)}{tail}.{more}"


def within(before: Edition, now: Edition, moves: Iterable[Move]) -> tuple[Move, ...]:
    """Figures of experiments that both editions have; those of one new or gone are counted with it."""
    both = {x.slug for x in before.experiments} & {x.slug for x in now.experiments}
    return tuple(move for move in moves if move.experiment in both)


def _rest(
    before: Edition, now: Edition, moves: Sequence[Move], changes: Sequence[DecisionChange]
) -> Iterable[str]:
    for word, found in (("new", arrived(before, now)), ("gone", arrived(now, before))):
        if found:
            one = len(found) == 1
            yield f"{in_words(len(found))} experiment{' is' if one else 's are'} {word}"
    for word in ("new", "gone"):
        number = sum(move.kind == word for move in within(before, now, moves))
        if number:
            yield f"{figures(number)} {'is' if number == 1 else 'are'} {word}"
    if outcomes := len(changed_outcomes(before, now)):
        what = "comparison has" if outcomes == 1 else "comparisons have"
        yield f"{in_words(outcomes)} {what} another outcome"
    verdicts = sum(bool(change.says) for change in changes)
    if verdicts:
        yield f"{many_in_words(verdicts, 'verdict')} turned"
    states = sum(not change.says for change in changes)
    if states:
        yield f"{many_in_words(states, 'decision')} changed state"


def faults(moves: Iterable[Move]) -> tuple[str, ...]:
    """What ``check`` says of figures that moved unannounced, a sentence each; they hold ``publish`` back."""
    return tuple(
        f"{move.id}: is not what it was in the last edition, although data, contract, pack, prices and "
        "settings are the same"
        for move in moves
        if "unexplained" in move.causes
    )


def head_words(history: History, build: str, build_digest: str) -> tuple[str, str]:
    """The words of the edition line in the head of every page, and the digest that stands behind them.

    Args:
        history: Editions that were published.
        build: Version of the build, such as ``0.1.0+1c9e55d2``.
        build_digest: Its digest.

    >>> head_words(History(), "0.1.0+1c9e55d2", "sha256:1c9e55d2")
    ('Build 0.1.0', 'sha256:1c9e55d2')
    """
    this = history.published_as(build_digest)
    if this is not None:
        return f"Edition {count(this.number)}", this.digest
    last = history.last
    words = f"Build {build.partition('+')[0]}"
    return (f"{words}, after edition {count(last.number)}" if last else words), build_digest
