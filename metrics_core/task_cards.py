"""Task cards of a pack: JSON in, tasks and problems out. Pure; `metrics_core.pack` reads the files.

A malformed card is a problem and is left out. Two cards of one id, or a split that is neither probe nor
eval, leave no way to say what belongs to the pack, and are errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from metrics_core import strict_json
from metrics_core.errors import FormatError, InputError
from metrics_core.keys import Keys
from metrics_core.problem import Problem, pointer, quoted

Split = Literal["probe", "eval"]
CLUSTER_KEYS = ("repo", "language", "class")


@dataclass(frozen=True, slots=True)
class Task:
    """One card.

    Attributes:
        id: Unique within the pack.
        inputs: Whatever the card gives the agent, as it stands there.
        oracle_files: Files that a right patch touches; empty where the card names none.
        timeout_s: Seconds; recorded, never extended. None where the card states none.
        split: ``probe`` items never enter a headline; ``eval`` where no card of the pack states one.
        clusters: (key, value) of ``repo``, ``language`` and ``class``, where the card states them.
    """

    id: str
    inputs: Any
    oracle_files: tuple[str, ...]
    timeout_s: float | None
    split: Split
    clusters: Keys


def read_cards(files: Sequence[tuple[str, bytes]]) -> tuple[tuple[Task, ...], tuple[Problem, ...]]:
    """Tasks in the order of their cards, and what was wrong with the others.

    Args:
        files: (name, bytes) of JSON files: a list of cards, ``{"tasks": [...]}``, or one card.

    Raises:
        FormatError: A file is not JSON.
        InputError: Two cards have one id, or a split is neither probe nor eval.

    >>> tasks, problems = read_cards([("tasks.json", b'[{"id": "a", "oracle_files": ["a.py"]}, {"id": 1}]')])
    >>> tasks[0].split, str(problems[0])
    ('eval', 'tasks.json#/1/id: expected text that is not empty, got 1')
    """
    cards = [(name, at, card) for name, data in files for at, card in _cards(name, data)]
    splits_are_stated = any(isinstance(card, dict) and card.get("split") is not None for _, _, card in cards)
    tasks: dict[str, Task] = {}
    problems: list[Problem] = []
    for name, at, card in cards:
        try:
            task = _task(card, splits_are_stated=splits_are_stated)
        except _Malformed as wrong:
            problems.append(Problem(name, None, pointer(*at, *wrong.field), wrong.what))
            continue
        except _BadSplit as wrong:
            where = _where(name, *at, "split")
            raise InputError(f"expected probe or eval, got {wrong}", where=where) from wrong
        if task.id in tasks:
            raise InputError(f"two cards have the id {quoted(task.id)}", where=_where(name, *at, "id"))
        tasks[task.id] = task
    return tuple(tasks.values()), tuple(problems)


class _Malformed(Exception):
    def __init__(self, what: str, *field: str | int) -> None:
        super().__init__(what)
        self.what, self.field = what, field


class _BadSplit(Exception):
    pass


def _where(name: str, *place: str | int) -> str:
    return f"{name}#/{pointer(*place)}"


def _cards(name: str, data: bytes) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """(place in the file, card) in order."""
    try:
        value = strict_json.decode(data)
    except ValueError as error:
        raise FormatError(f"not the JSON of task cards: {error}", where=name) from error
    place: tuple[str | int, ...] = ()
    if isinstance(value, dict) and isinstance(value.get("tasks"), list):
        value, place = value["tasks"], ("tasks",)
    if isinstance(value, list):
        for at, card in enumerate(value):
            yield (*place, at), card
    else:
        yield place, value


def _task(card: Any, *, splits_are_stated: bool) -> Task:
    if not isinstance(card, dict):
        raise _Malformed(f"expected a card, got {quoted(card)}")
    clusters = {key: _text(card[key], key) for key in CLUSTER_KEYS if card.get(key) is not None}
    return Task(
        id=_text(card.get("id"), "id"),
        inputs=card.get("inputs"),
        oracle_files=_oracle_files(card.get("oracle_files")),
        timeout_s=_seconds(card.get("timeout_s")),
        split=_split(card.get("split"), stated=splits_are_stated),
        clusters=Keys(clusters),
    )


def _text(value: Any, *field: str | int) -> str:
    if not isinstance(value, str) or not value:
        raise _Malformed(f"expected text that is not empty, got {quoted(value)}", *field)
    return value


def _oracle_files(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _Malformed(f"expected a list of file names, got {quoted(value)}", "oracle_files")
    return tuple(_text(name, "oracle_files", at) for at, name in enumerate(value))


def _seconds(value: Any) -> float | None:
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not isfinite(value) or value <= 0:
        raise _Malformed(f"expected seconds above 0, got {quoted(value)}", "timeout_s")
    return float(value)


def _split(value: Any, *, stated: bool) -> Split:
    if value is None and not stated:
        return "eval"
    if value is None:
        raise _Malformed("expected probe or eval, as other cards state", "split")
    if value == "probe":
        return "probe"
    if value == "eval":
        return "eval"
    raise _BadSplit(quoted(value))
