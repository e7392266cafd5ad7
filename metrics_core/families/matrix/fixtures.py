"""Golden fixtures of the chat x coder matrix: tiny records, and what each figure must come to, by hand."""

from __future__ import annotations

from typing import Any

from metrics_core.contracts import Fixture


def _turn(kind: str | None, passed: bool | None, **more: Any) -> dict[str, Any]:
    """A tiny turn for a fixture; every field may be replaced."""
    whole: dict[str, Any] = {
        "scenario_id": "s1",
        "turn_index": 0,
        "rep": 0,
        "chat": "a",
        "coder": "b",
        "type": "coder",
        "check_kind": kind,
        "check_passed": passed,
        "completion_tokens": 10,
    }
    return {**whole, **more}


FIXTURES = (
    Fixture(
        "two kinds of check in one log are two strata",
        (
            _turn("exec_assert", True),
            _turn("exec_assert", False, turn_index=1),
            _turn("py_compile", True, turn_index=2),
            _turn("py_compile", True, turn_index=3),
            _turn("py_compile", True, turn_index=4),
        ),
        (
            ("check_pass?check=executed", "1/2 0.5"),
            ("check_pass?check=syntax", "3/3 1"),
            ("check_pass", "no such figure"),
            ("check_pass?chat=a&coder=b&check=syntax", "3/3 1"),
            ("check_pass?chat=a&turn_index=1&check=executed", "0/1 0"),
        ),
    ),
    Fixture(
        "an unmapped kind is a stratum of its own, and so is none",
        (
            _turn("rubric", True),
            _turn(None, None, turn_index=1, type="chat"),
            _turn("assertions", None, turn_index=2),
            _turn("unit_tests", True, turn_index=3),
            _turn("run_lint", False, turn_index=4),
        ),
        (
            ("check_pass?check=rubric", "1/1 1"),
            ("check_pass?check=unit_tests", "1/1 1"),
            ("check_pass?check=run_lint", "0/1 0"),
            ("check_pass?check=none", "0/0 none"),
            ("check_pass?check=executed", "0/0 none"),
        ),
    ),
    Fixture(
        "each turn is lost where its check says so; one that was only compiled ends there, and is not lost",
        (
            _turn("exec_assert", True),
            _turn("exec_assert", False, turn_index=1, check_note="AssertionError: 3 != 4"),
            _turn("exec_assert", False, turn_index=2, check_note="SyntaxError: invalid syntax"),
            _turn("exec_assert", False, turn_index=3, check_note="no code block found"),
            _turn("exec_assert", False, turn_index=4, completion_tokens=0),
            _turn("py_compile", True, turn_index=5),
            _turn("py_compile", False, turn_index=6),
            _turn(None, None, turn_index=7, type="chat"),
            _turn("rubric", False, turn_index=8),
            _turn("rubric", True, turn_index=9),
        ),
        (
            ("stage?stage=attempts&check=executed", "5/5 1"),
            ("stage?stage=answered&check=executed", "4/5 0.8"),
            ("stage?stage=code%20extracted&check=executed", "3/5 0.6"),
            ("stage?stage=compiles&check=executed", "2/5 0.4"),
            ("stage?stage=executed&check=executed", "2/5 0.4"),
            ("stage?stage=assertions%20hold&check=executed", "1/5 0.2"),
            ("stage?stage=compiles&check=syntax", "1/2 0.5"),
            ("stage?stage=executed&check=syntax", "no such figure"),
            ("stage?stage=answered&check=none", "1/1 1"),
            ("stage?stage=answered&check=rubric", "2/2 1"),
            ("stage?stage=check%20passed&check=rubric", "1/2 0.5"),
        ),
    ),
    Fixture(
        "a turn that failed is an error, one without a verdict unknown, and neither passed nor failed",
        (
            _turn("exec_assert", True, error="timed out"),
            _turn("exec_assert", None, turn_index=1),
            _turn("exec_assert", None, turn_index=2, completion_tokens=None),
            _turn("exec_assert", False, turn_index=3, completion_tokens=None),
            _turn("exec_assert", True, turn_index=4),
            _turn("exec_assert", None, turn_index=5, completion_tokens=0),
        ),
        (
            ("check_pass?check=executed", "1/2 0.5"),
            ("check_pass?check=executed states", "2 known, 3 unknown, 0 invalid, 1 error"),
            ("stage?stage=answered&check=executed", "3/6 0.5"),
            ("stage?stage=answered&check=executed states", "4 known, 1 unknown, 0 invalid, 1 error"),
            ("stage?stage=code%20extracted&check=executed", "2/6 0.333333"),
            ("stage?stage=executed&check=executed", "2/6 0.333333"),
            ("stage?stage=assertions%20hold&check=executed", "1/6 0.166667"),
            ("stage?stage=assertions%20hold&check=executed states", "3 known, 2 unknown, 0 invalid, 1 error"),
        ),
    ),
    Fixture(
        "each group is its own turns, and what a turn took is given beside it",
        (
            _turn(
                "run_tests",
                True,
                difficulty=2.0,
                latency_s=1.5,
                prompt_tokens=100,
                cost_usd=0.25,
                stamp="2026-07-05T10:00:00Z",
            ),
            _turn(
                "assert_equal", False, turn_index=1, type="chat", prompt_tokens=100, completion_tokens=None
            ),
            _turn("exec_assert", False, turn_index=2, chat="other", coder="another", type=None),
            _turn("syntax_only", True, turn_index=3),
            _turn("parse_tree", True, turn_index=4),
            _turn("none", None, turn_index=5),
        ),
        (
            ("check_pass?chat=a&check=executed", "1/2 0.5"),
            ("check_pass?coder=b&check=executed", "1/2 0.5"),
            ("check_pass?difficulty=2&check=executed", "1/1 1"),
            ("check_pass?type=chat&check=executed", "0/1 0"),
            ("check_pass?chat=a&coder=b&stamp=2026-07-05&check=executed", "1/1 1"),
            ("check_pass?check=syntax", "2/2 1"),
            ("check_pass?check=none states", "0 known, 1 unknown, 0 invalid, 0 error"),
            ("stage?chat=a&stage=answered&check=executed", "2/2 1"),
            ("stage?coder=b&stage=answered&check=executed", "2/2 1"),
            ("stage?chat=a&coder=b&stage=answered&check=executed", "2/2 1"),
            ("latency?check=executed", "1/3 1.5"),
            ("latency?type=coder&check=executed", "1/1 1.5"),
            ("tokens?check=executed", "1/3 110"),
            ("tokens?type=coder&check=executed", "1/1 110"),
            ("tokens?type=chat&check=executed states", "0 known, 1 unknown, 0 invalid, 0 error"),
            ("cost?check=executed&prices=recorded%2C%20no%20table", "1/3 0.25"),
            ("cost?type=coder&check=executed&prices=recorded%2C%20no%20table", "1/1 0.25"),
        ),
    ),
)
