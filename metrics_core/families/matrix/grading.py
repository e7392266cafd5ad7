"""What one turn comes to: the class of its check, and how far the check shows that the turn came.

Counting is the family's business, showing is the review's; both read the same values here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from metrics_core.errors import ConfigError
from metrics_core.families.matrix.record import MatrixTurn, sides
from metrics_core.measurement import Context, Progress, Track
from metrics_core.pricing import Usage
from metrics_core.results import Keys, State, pointer, quoted

EXECUTED, SYNTAX, UNCHECKED = "executed", "syntax", "none"
RAN_WORDS = frozenset(
    {"assert", "asserted", "assertion", "assertions", "asserts", "exec", "execute", "executed", "executes"}
    | {"ran", "run", "runs"}
)
WHAT_RAN = frozenset(
    {"all", "and", "bash", "check", "checks", "code", "eq", "equal", "equals", "false", "jest", "js", "node"}
    | {"php", "program", "py", "pytest", "python", "raises", "script", "sh", "shell", "sql", "test", "tests"}
    | {"true", "ts", "unit", "unittest", "with"}
)
PARSED_WORDS = frozenset({"parse", "parsed", "parses", "syntax"})
COMPILED_WORDS = frozenset({"compile", "compiled", "compiles"})
"""Words of a kind of check: that code was run, what was run, that it was only read, or only compiled."""

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
JUDGED = Track("judged", (("answered", False), ("check passed", True)), _BY)
ANSWERED = Track("answered", (("answered", False),), _BY)
"""A funnel ends with the verdict of its checks, or, where nothing was checked, with the answer: what nobody
tried to compile or to run is not lost there."""

NOT_RECORDED = "not recorded"
_NO_CODE = re.compile(r"\bno (?:\w+ )?code\b", re.IGNORECASE)
_BREAKS = re.compile(r"[^a-z0-9]+")
_NO_SYNTAX = re.compile(r"\b(?:SyntaxError|IndentationError|TabError)\b")


def known_class(kind: str | None) -> str:
    """The class of a kind of check by the whole words of its name, without case; else the name itself.

    A word for running makes it executed only where every other word says what was run: ``run_lint`` and
    ``executable_exists`` are kinds of their own. A word for parsing makes it syntax, whatever stands beside
    it, and so does one for compiling, unless it says that something was run as well.

    Args:
        kind: As recorded; None and the empty text mean that nothing was checked.

    >>> known_class("py_compile"), known_class("exec_assert"), known_class("exec_syntax"), known_class(None)
    ('syntax', 'executed', 'syntax', 'none')
    >>> known_class("run_lint"), known_class("executable_exists"), known_class("compile_and_run")
    ('run_lint', 'executable_exists', 'compile_and_run')
    """
    name = kind or UNCHECKED
    words = {word for word in _BREAKS.split(name.lower()) if word}
    ran = words & RAN_WORDS
    if words & PARSED_WORDS or (words & COMPILED_WORDS and not ran):
        return SYNTAX
    if ran and words <= RAN_WORDS | WHAT_RAN:
        return EXECUTED
    return name.lower()


def mapped(kind: str | None, stated: Mapping[str, str]) -> str | None:
    """The key of ``check_classes`` that a kind of check falls under, without case; None where none does.

    >>> mapped("Smoke", {"smoke": "executed"}), mapped("lint-strict", {"lint*": "syntax"}), mapped("x", {})
    ('smoke', 'lint*', None)
    """
    name = (kind or UNCHECKED).lower()
    exact = [key for key in stated if key.lower() == name]
    return next((key for key in (*exact, *stated) if fnmatchcase(name, key.lower())), None)


def class_of(kind: str | None, stated: Mapping[str, str]) -> str:
    """The class of a kind of check: a stratum, never pooled with another.

    Args:
        kind: As recorded; None and the empty text mean that nothing was checked.
        stated: ``check_classes`` of `experiment.yaml`: kind, or a pattern such as ``lint*`` -> class.

    Returns:
        ``executed``, ``syntax``, ``none``, what the experiment states, or the kind's own name.

    Raises:
        ValueError: What is known to be compiled or parsed only, or not to be checked, is to be executed.

    >>> class_of("py_compile", {}), class_of("rubric", {}), class_of("smoke", {"smoke": "Executed"})
    ('syntax', 'rubric', 'executed')
    """
    known, key = known_class(kind), mapped(kind, stated)
    if key is None:
        return known
    named = stated[key]
    wanted = named.lower() if named.lower() in (EXECUTED, SYNTAX, UNCHECKED) else named
    if wanted == EXECUTED and known in (SYNTAX, UNCHECKED):
        what = "checks the syntax and runs nothing" if known == SYNTAX else "says that nothing was checked"
        raise ValueError(f"{quoted(kind or UNCHECKED)} {what}: it is never executed")
    return wanted


def check_of(turn: MatrixTurn, context: Context) -> str:
    """The class of a turn's check, as the experiment maps it.

    Raises:
        ConfigError: The experiment maps a kind to executed that is known not to be.
    """
    stated = context.settings.check_classes
    try:
        return class_of(turn.check_kind, stated)
    except ValueError as wrong:
        key = mapped(turn.check_kind, stated) or ""
        where = f"{context.where('check_classes', key)}#/{pointer('check_classes', key)}"
        hint = "leave it out, or give it a class of its own"
        raise ConfigError(str(wrong), where=where, hint=hint) from wrong


def notes_of(stratum: Keys, context: Context) -> Iterator[str]:
    """Each kind of check that stands in a stratum because the experiment maps it there."""
    stated = context.settings.check_classes
    for kind in sorted(name for setting, name in context.names if setting == "check_classes"):
        if mapped(kind, stated) is not None and class_of(kind, stated) == stratum.get("check"):
            yield f"{quoted(kind)} counts as {stratum['check']}: so this experiment maps it"


def track_of(check: str) -> Track:
    """The funnel of a class of checks: it ends at what the class establishes."""
    return {EXECUTED: RAN, SYNTAX: COMPILED, UNCHECKED: ANSWERED}.get(check, JUDGED)


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
    if track is JUDGED:
        return at(1, "known", "the check did not pass")
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


def names_of(turn: MatrixTurn, file: str) -> Iterator[tuple[str, str]]:
    """What the experiment's settings may name: both models, the script, the kind of check."""
    yield from (("models", side) for side in sides(turn, file) if side is not None)
    yield "names", turn.scenario_id
    yield "check_classes", turn.check_kind or UNCHECKED


def findings_of(turn: MatrixTurn, file: str) -> Iterator[tuple[str, str]]:
    """Where a record contradicts itself, or does not say who took part."""
    for side, model in zip(("chat", "coder"), sides(turn, file), strict=True):
        if model is None:
            yield side, f"neither the record nor the log's name says which {side} model took part"
    if turn.check_passed and turn.completion_tokens == 0:
        yield "completion_tokens", "recorded 0, yet the check of the answer passed"
    if turn.check_passed is not None and not turn.check_kind:
        yield "check_kind", "a verdict, and no kind of check behind it"
