"""The conversation scripts of the pair experiment: five, each of which builds up from turn to turn.

A turn goes to the chat model or to the coder model, and is checked in one of three ways: code is executed
with assertions, or only compiled; an answer in words is held against a rubric.
"""

from __future__ import annotations

from msgspec import Struct

EXECUTED, COMPILED, RUBRIC = "exec_assert", "py_compile", "rubric"


class Turn(Struct, frozen=True):
    """One turn of a script.

    Args:
        side: `chat` or `coder`: which model takes it.
        check: How the harness checks it.
        difficulty: 1, 2 or 3.
    """

    side: str
    check: str
    difficulty: int


ASKED = Turn("chat", RUBRIC, 1)
WEIGHED = Turn("chat", RUBRIC, 2)
SCRIPTS: dict[str, tuple[Turn, ...]] = {
    "C1-till-that-adds-up": (
        ASKED,
        Turn("coder", COMPILED, 1),
        Turn("coder", EXECUTED, 1),
        WEIGHED,
        Turn("coder", EXECUTED, 2),
    ),
    "C2-importer-of-orders": (
        ASKED,
        Turn("coder", EXECUTED, 1),
        Turn("coder", EXECUTED, 2),
        Turn("coder", COMPILED, 2),
        Turn("coder", EXECUTED, 3),
    ),
    "C3-postage-by-weight": (
        ASKED,
        Turn("coder", COMPILED, 1),
        Turn("coder", EXECUTED, 2),
        WEIGHED,
        Turn("coder", EXECUTED, 3),
    ),
    "C4-stock-that-never-lies": (
        ASKED,
        Turn("coder", EXECUTED, 1),
        WEIGHED,
        Turn("coder", COMPILED, 2),
        Turn("coder", EXECUTED, 3),
    ),
    "C5-report-of-the-month": (
        ASKED,
        Turn("coder", COMPILED, 1),
        Turn("coder", EXECUTED, 1),
        Turn("coder", EXECUTED, 2),
        Turn("coder", EXECUTED, 3),
    ),
}
