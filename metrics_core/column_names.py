"""What people call the columns of a results table, and the role that each name has.

Names are the same without case, spaces and punctuation. Does: know names. Does not: look at values, or decide
between two columns of one role.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

TASK, ARM, REP, OUTCOME, ERROR = "task", "arm", "rep", "outcome", "error"
COST, INPUT, OUTPUT, LATENCY = "cost", "input_tokens", "output_tokens", "latency"
STAMP, SPLIT, CLUSTER = "stamp", "split", "cluster"
UNREAD = "unread"
"""No role: whoever names a column so says that it tells nothing of its row, whatever it is called."""

NAMES: dict[str, tuple[str, ...]] = {
    TASK: (
        "task", "case", "input", "item", "item_id", "id", "test", "test_id", "question", "question_id",
        "problem", "problem_idx", "problem_id", "instance_id", "instance", "scenario", "scenario_id",
        "sample_id", "sample", "task_id", "task_name", "case_id", "test_name", "test_case", "item_name",
        "example", "example_id",
    ),
    ARM: (
        "model", "arm", "agent", "target", "system", "llm", "variant", "engine", "model_name", "model_id",
        "agent_name", "agent_id", "arm_name", "system_name", "llm_name", "engine_name", "variant_name",
    ),
    REP: ("rep", "run", "repeat", "epoch", "trial", "attempt", "seed", "repetition", "run_no", "run_number"),
    OUTCOME: (
        "passed", "pass", "success", "correct", "resolved", "solved", "ok", "is_correct", "reward", "score",
        "accuracy", "value", "grade", "outcome", "is_success", "is_resolved", "is_solved", "is_pass",
    ),
    ERROR: ("error", "infra_error", "exception", "status", "error_message", "run_error"),
    COST: ("cost", "cost_usd", "total_cost", "total_cost_usd", "usd", "price_usd", "agent_cost"),
    INPUT: ("input_tokens", "prompt_tokens", "tokens_in", "in_tokens", "n_input_tokens", "tokens_input"),
    OUTPUT: (
        "output_tokens", "completion_tokens", "tokens_out", "out_tokens", "n_output_tokens", "tokens_output",
    ),
    LATENCY: ("latency", "duration", "elapsed", "wall", "wall_time", "time", "runtime", "run_time"),
    STAMP: ("stamp", "timestamp", "created_at", "created", "started_at", "date", "datetime"),
    SPLIT: ("split",),
    CLUSTER: ("repo", "category", "suite", "domain", "subject", "difficulty", "cluster", "repository"),
}  # fmt: skip
"""Role -> names of columns that have it, in the order in which they are told."""

IN_THE_PLURAL = (TASK, ARM, COST)
"""Roles whose names people write in the plural, too; of others a plural is a count."""

UNITS = {
    "ms": 0.001, "msec": 0.001, "milliseconds": 0.001, "millis": 0.001, "s": 1.0, "sec": 1.0, "secs": 1.0,
    "seconds": 1.0, "min": 60.0, "mins": 60.0, "minutes": 60.0,
}  # fmt: skip
"""How a column of times ends -> seconds of its unit."""


def plain(name: str) -> str:
    """A name without case, spaces and punctuation.

    >>> plain("Model Name"), plain("is-correct?"), plain("Durée (s)")
    ('modelname', 'iscorrect', 'durées')
    """
    return re.sub(r"[\W_]+", "", name.casefold())


_ROLES = {plain(name): role for role, names in NAMES.items() for name in names}
_TIMES = sorted(map(plain, NAMES[LATENCY]), key=len, reverse=True)


def role_of(name: str) -> str | None:
    """The role of a column by its name; None where the name says nothing.

    >>> role_of("Model Name"), role_of("latency_ms"), role_of("wall time (s)"), role_of("steps")
    ('arm', 'latency', 'latency', None)
    >>> role_of("Agents"), role_of("cases"), role_of("errors")
    ('arm', 'task', None)
    """
    bare = plain(name)
    if (role := _ROLES.get(bare)) is not None:
        return role
    one = _ROLES.get(bare.removesuffix("s"))
    if one in IN_THE_PLURAL:
        return one
    return LATENCY if unit_of(name) is not None else None


def unit_of(name: str) -> float | None:
    """Seconds of the unit that a column of times names; None where it is none, or names none.

    >>> unit_of("latency_ms"), unit_of("duration (min)"), unit_of("seconds"), unit_of("latency")
    (0.001, 60.0, 1.0, None)
    """
    bare = plain(name)
    if bare in ("seconds", "secs"):
        return 1.0
    found = next((time for time in _TIMES if bare.startswith(time) and bare != time), None)
    return None if found is None else UNITS.get(bare.removeprefix(found))


def role_named(word: str) -> str | None:
    """The role that somebody names, by its own name or by any name of such a column.

    >>> role_named("task"), role_named("passed"), role_named("unread"), role_named("colour")
    ('task', 'outcome', 'unread', None)
    """
    bare = plain(word)
    own = next((role for role in (*NAMES, UNREAD) if plain(role) == bare), None)
    return own or role_of(word)


RESERVED = frozenset(
    {"agent", "cluster", "error", "model", "rep", "scores", "split", "stamp", "suite", "task_id"}
)
"""Fields of a record that a column of clusters must not be taken for."""


def kept_as(column: str) -> str:
    """The field of a record in which a column of clusters is kept: its name, which ``cluster`` then names.

    >>> kept_as("repo"), kept_as("suite")
    ('repo', 'table_suite')
    """
    return f"table_{column}" if column in RESERVED else column


def synonym(role: str, among: Iterable[str]) -> str | None:
    """The first of some names that has a role.

    >>> synonym("task", ["arm", "case"])
    'case'
    """
    return next((name for name in among if role_of(name) == role), None)
