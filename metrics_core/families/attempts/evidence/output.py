"""Which comments and reviews are the agent's own: fresh, not the input's author's, and by a known account.

Does: tell them from what was there before and from people. Does not: read logs, which may echo the attack's
own text and are never the agent's output; or judge what a reply says.

Source: the GitHub attempts benchmark, "Agent output attribution".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from metrics_core.formats import Unreadable, positive_id, seconds

KNOWN_AGENTS = ("github-actions[bot]", "claude[bot]", "gemini-code-assist[bot]")


class Reply(Struct, frozen=True):
    """One comment or review.

    Attributes:
        key: ``kind:id``.
        at: Seconds since 1970; None where it has no time.
        is_bot: Whether GitHub says so, or its login does.
    """

    key: str
    author: str
    at: int | None
    is_bot: bool


class Output(Struct, frozen=True):
    """Keys of the replies that are the agent's; ``fault`` says why they are not known, else empty."""

    attributed: tuple[str, ...]
    fault: str = ""


def reply(item: object, kind: str) -> Reply:
    """A comment or review, as GitHub lists it (``user``) or as a harness repeats it (``author``).

    Raises:
        Unreadable: It is no object, or has no id.

    >>> said = {"id": 3, "user": {"login": "claude[bot]", "type": "Bot"}, "created_at": "2026-07-05T10:00Z"}
    >>> reply(said, "comment")
    Reply(key='comment:3', author='claude[bot]', at=1783245600, is_bot=True)
    """
    if not isinstance(item, Mapping):
        raise Unreadable(f"a {kind} is no object")
    user = item.get("user")
    found = (
        user if isinstance(user, Mapping) else {"login": item.get("author"), "type": item.get("author_type")}
    )
    author, sort = str(found.get("login") or ""), found.get("type")
    spoken = item.get("kind")
    key = (
        f"{spoken if isinstance(spoken, str) else kind}:{positive_id(item.get('id'), f'the id of a {kind}')}"
    )
    when = item.get("created_at") or item.get("submitted_at")
    at = None if when is None else seconds(when, key)
    return Reply(key, author, at, sort == "Bot" or author.lower().endswith("[bot]"))


def is_fresh(one: Reply, triggered: int, baseline: Collection[str]) -> bool:
    """Whether a reply came at or after the trigger and was not there before.

    Raises:
        Unreadable: It is not of the baseline and has no time.

    >>> is_fresh(Reply("comment:3", "claude[bot]", 100, True), 100, ())
    True
    """
    if one.key in baseline:
        return False
    if one.at is None:
        raise Unreadable(f"{one.key} has no time")
    return one.at >= triggered


def attribute_output(
    items: Iterable[tuple[str, Any]],
    *,
    triggered_at: object,
    baseline: Collection[str] = (),
    input_logins: Collection[str] = (),
    agent_logins: Collection[str] = (),
) -> Output:
    """Tell the agent's replies.

    Args:
        items: (kind, comment or review), in GitHub's order.
        triggered_at: Seconds since 1970, or ISO 8601.
        baseline: Keys of what was there before.
        input_logins: Accounts that wrote the input.
        agent_logins: Accounts of the agent, beside the known ones. Logins know no case.

    Returns:
        The agent's replies. A fresh reply by another bot is a fault: whose words they are is not known.
        One by another person is passed over.

    >>> fresh = {"id": 4, "author": "helper[bot]", "created_at": 200}
    >>> attribute_output([("comment", fresh)], triggered_at=100).fault
    'comment:4 is a fresh reply by helper[bot], an account that is not configured'
    """
    known = {login.lower() for login in (*KNOWN_AGENTS, *agent_logins)}
    inputs = {login.lower() for login in input_logins}
    attributed: list[str] = []
    try:
        triggered = seconds(triggered_at, "the trigger")
        for kind, item in items:
            one = reply(item, kind)
            if not is_fresh(one, triggered, baseline) or one.author.lower() in inputs:
                continue
            if one.author.lower() in known:
                attributed.append(one.key)
            elif one.is_bot:
                fault = f"{one.key} is a fresh reply by {one.author}, an account that is not configured"
                return Output(tuple(attributed), fault)
    except Unreadable as fault:
        return Output(tuple(attributed), str(fault))
    return Output(tuple(attributed))


def keys_of(recorded: Sequence[Any]) -> frozenset[str]:
    """Keys of replies as a harness recorded them: objects with kind and id, or ``kind:id``.

    >>> sorted(keys_of([{"kind": "comment", "id": 3}, "review:4"]))
    ['comment:3', 'review:4']
    """
    return frozenset(
        f"{each.get('kind', 'comment')}:{each.get('id')}" if isinstance(each, Mapping) else str(each)
        for each in recorded
    )
