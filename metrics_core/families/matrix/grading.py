"""What one turn comes to: the class of its check, and how far the check shows that the turn came.

Counting is the family's business, showing is the review's; both read the same values here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from metrics_core.families.matrix.record import MatrixTurn, sides
from metrics_core.measurement import Context, Progress, Track
from metrics_core.pricing import Usage
from metrics_core.results import Keys, State

EXECUTED, SYNTAX, UNCHECKED = "executed", "syntax", "none"
CLASSES: tuple[tuple[str, str], ...] = (
    ("exec*", EXECUTED),
    ("assert*", EXECUTED),
    ("run*", EXECUTED),
    ("py_compile", SYNTAX),
    ("syntax*", SYNTAX),
    ("parse*", SYNTAX),
    ("none", UNCHECKED),
)
"""Kind of check, as a pattern -> its class, where the experiment says nothing else."""

_BY = (("chat",), ("coder",), ("chat", "coder"))
RAN = Track(
    "executed",
    (
        ("answered", False),
        ("code extracted", False),
        ("compiles", False),
        ("executed", False),
        ("assertions hold", True),
    ),
    _BY,
)
COMPILED = Track("compiled", (("answered", False), ("code extracted", False), ("compiles", True)), _BY)
ANSWERED = Track("answered", (("answered", False),), _BY)
"""A funnel ends where its checks end: what nobody tried to compile or to run is not lost there."""

NOT_RECORDED = "not recorded"
_NO_CODE = re.compile(r"\bno (?:\w+ )?code\b", re.IGNORECASE)
_NO_SYNTAX = re.compile(r"\b(?:SyntaxError|IndentationError|TabError)\b")


def class_of(kind: str | None, stated: Mapping[str, str]) -> str:
    """The class of a kind of check: a stratum, never pooled with another.

    Args:
        kind: As recorded; None and the empty text mean that nothing was checked.
        stated: ``check_classes`` of `experiment.yaml`: kind, or a pattern such as ``lint*`` -> class.

    Returns:
        ``executed``, ``syntax``, ``none``, what the experiment states, or the kind's own name.

    >>> class_of("py_compile", {}), class_of("exec_assert", {}), class_of("rubric", {}), class_of(None, {})
    ('syntax', 'executed', 'rubric', 'none')
    >>> class_of("smoke", {"smoke": "executed"})
    'executed'
    """
    name = kind or UNCHECKED
    if name in stated:
        return stated[name]
    for pattern, named in stated.items():
        if fnmatchcase(name, pattern):
            return named
    for pattern, named in CLASSES:
        if fnmatchcase(name.lower(), pattern):
            return named
    return name


def check_of(turn: MatrixTurn, context: Context) -> str:
    """The class of a turn's check, as the experiment maps it."""
    return class_of(turn.check_kind, context.settings.check_classes)


def track_of(check: str) -> Track:
    """The funnel of a class of checks: it ends at what the class establishes."""
    return {EXECUTED: RAN, SYNTAX: COMPILED}.get(check, ANSWERED)


def verdict_of(turn: MatrixTurn) -> tuple[State, str]:
    """Whether the check's verdict is known, and why not."""
    if turn.error:
        return "error", "the turn itself failed"
    if turn.check_passed is not None:
        return "known", ""
    return "unknown", "the check gave no verdict" if turn.check_kind else "nothing was checked"


def progress_of(turn: MatrixTurn, check: str) -> Progress:
    """How far a turn came, as far as its class of checks establishes it.

    A check that was executed and failed is taken to have run, unless its note names a syntax error or says
    that there was no code.
    """
    track = track_of(check)

    def at(reached: int, state: State = "known", reason: str = "") -> Progress:
        return Progress(track.name, Keys({"check": check}), reached, state, reason)

    state, reason = verdict_of(turn)
    if state == "error":
        return at(0, state, reason)
    if turn.check_passed is None and turn.completion_tokens is None:
        return at(0, "unknown", "neither tokens nor a verdict recorded")
    if not turn.check_passed and turn.completion_tokens == 0:
        return at(0, "known", "no answer")
    if track is ANSWERED:
        return at(1)
    if state == "unknown":
        return at(1, state, reason)
    if turn.check_passed:
        return at(len(track.stages))
    if _NO_CODE.search(turn.check_note or ""):
        return at(1, "known", "no code in the answer")
    if track is COMPILED or _NO_SYNTAX.search(turn.check_note or ""):
        return at(2, "known", "it does not compile")
    return at(4, "known", "an assertion failed, or the run did")


def taker_of(turn: MatrixTurn, file: str) -> str | None:
    """The model that took the turn, as recorded: the one that is billed for it."""
    chat, coder = sides(turn, file)
    return {"chat": chat, "coder": coder, None: None}[turn.type]


def usages_of(turn: MatrixTurn, file: str) -> tuple[Usage, ...] | None:
    """Tokens of the turn by the model that is billed for them; None where it is not known or has none."""
    taker = taker_of(turn, file)
    if taker is None or turn.prompt_tokens is None or turn.completion_tokens is None:
        return None
    return (Usage(taker, turn.prompt_tokens, turn.cached_tokens, turn.completion_tokens),)


def dims_of(turn: MatrixTurn, file: str, context: Context) -> dict[str, str]:
    """Keys of a turn: its script, its place there, both sides, who took it, and its difficulty."""
    chat, coder = sides(turn, file)
    keys = {
        "scenario": turn.scenario_id,
        "turn_index": str(turn.turn_index),
        "chat": None if chat is None else context.arm(chat),
        "coder": None if coder is None else context.arm(coder),
        "type": turn.type,
        "difficulty": turn.declared,
    }
    return {key: value for key, value in keys.items() if value is not None}


def stratum_of(turn: MatrixTurn, context: Context) -> Keys:
    """The class of checks: nothing is pooled over it."""
    return Keys({"check": check_of(turn, context)})


def findings_of(turn: MatrixTurn, file: str) -> Iterator[tuple[str, str]]:
    """Where a record contradicts itself, or does not say who took part."""
    for side, model in zip(("chat", "coder"), sides(turn, file), strict=True):
        if model is None:
            yield side, f"neither the record nor the log's name says which {side} model took part"
    if turn.check_passed and turn.completion_tokens == 0:
        yield "completion_tokens", "recorded 0, yet the check of the answer passed"
    if turn.check_passed is not None and not turn.check_kind:
        yield "check_kind", "a verdict, and no kind of check behind it"
