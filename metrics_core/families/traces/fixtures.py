"""Golden fixtures of the traces family: tiny records, and what each figure must come to, by hand."""

from __future__ import annotations

from typing import Any

from metrics_core.contracts import Fixture


def _trace(**fields: Any) -> dict[str, Any]:
    """A tiny trace for a fixture; every field may be replaced."""
    whole: dict[str, Any] = {
        "schema": "trace.v1",
        "task_id": "t1",
        "agent": "m",
        "exit_code": 0,
        "patch": "diff",
        "oracle_files": ["a.py"],
        "touched_files": ["a.py"],
        "tests_passed": True,
    }
    return {**whole, **fields}


FIXTURES = (
    Fixture(
        "each trace is lost where it ends, and only there",
        (
            _trace(),
            _trace(tests_passed=False),
            _trace(touched_files=[]),
            _trace(patch=""),
            _trace(exit_code=137),
            _trace(schema="trace.v2"),
        ),
        (
            ("stage?stage=attempts&split=eval", "6/6 1"),
            ("stage?stage=schema%20known&split=eval", "5/6 0.833333"),
            ("stage?stage=exit%20code%20recognised&split=eval", "4/6 0.666667"),
            ("stage?stage=patch%20present&split=eval", "3/6 0.5"),
            ("stage?stage=oracle%20files%20touched&split=eval", "2/6 0.333333"),
            ("stage?stage=tests%20passed&split=eval", "1/6 0.166667"),
        ),
    ),
    Fixture(
        "without a contract there is no score",
        (_trace(),),
        (("score?contract=none&split=eval", "0/0 none"),),
    ),
    Fixture(
        "another schema and an unknown exit are invalid, tests that were not run unknown",
        (
            _trace(exit_code=1),
            _trace(exit_code=3),
            _trace(tests_passed=None),
            _trace(schema=None),
        ),
        (
            ("stage?stage=schema%20known&split=eval", "3/4 0.75"),
            ("stage?stage=schema%20known&split=eval states", "3 known, 0 unknown, 1 invalid, 0 error"),
            ("stage?stage=exit%20code%20recognised&split=eval", "2/4 0.5"),
            ("stage?stage=oracle%20files%20touched&split=eval", "2/4 0.5"),
            ("stage?stage=tests%20passed&split=eval", "1/4 0.25"),
            ("stage?stage=tests%20passed&split=eval states", "1 known, 1 unknown, 2 invalid, 0 error"),
        ),
    ),
    Fixture(
        "what a run took is given of the runs that recorded it, in the stratum of its suite",
        (
            _trace(
                wall_s=3.0,
                retries=2,
                prompt_tokens=100,
                completion_tokens=20,
                cost_usd=0.25,
                user_cost_usd=0.5,
            ),
            _trace(task_id="t2"),
            _trace(task_id="t3", prompt_tokens=100),
            _trace(task_id="t4", completion_tokens=20),
            _trace(task_id="t5", suite="s", wall_s=7.0),
        ),
        (
            ("latency?split=eval", "1/4 3"),
            ("latency?split=eval states", "1 known, 3 unknown, 0 invalid, 0 error"),
            ("retries?split=eval", "1/4 2"),
            ("tokens?split=eval", "1/4 120"),
            ("user_cost?prices=recorded%2C%20no%20table&split=eval", "1/4 0.5"),
            (
                "user_cost?prices=recorded%2C%20no%20table&split=eval states",
                "1 known, 3 unknown, 0 invalid, 0 error",
            ),
            ("cost?prices=recorded%2C%20no%20table&split=eval", "1/4 0.25"),
            ("latency?split=eval&suite=s", "1/1 7"),
        ),
    ),
    Fixture(
        "where prompt or tools change inside an arm, its runs are strata of their own",
        (
            _trace(wall_s=1.0, prompt_sha256="a" * 64, tools_sha256="c" * 64),
            _trace(wall_s=2.0, prompt_sha256="b" * 64, tools_sha256="d" * 64),
        ),
        (
            ("latency?prompt=aaaaaaaaaaaaaaaa&split=eval&tools=cccccccccccccccc", "1/1 1"),
            ("latency?prompt=bbbbbbbbbbbbbbbb&split=eval&tools=dddddddddddddddd", "1/1 2"),
            ("latency?split=eval", "no such figure"),
        ),
    ),
    Fixture(
        "an arm whose runs lie in two folders is two strata; in one, the folder is none",
        (
            _trace(wall_s=1.0, folder="plain"),
            _trace(wall_s=2.0, folder="hinted"),
            _trace(agent="beta", wall_s=4.0, folder="hinted"),
        ),
        (
            ("latency?lies_in=plain&split=eval", "1/1 1"),
            ("latency?lies_in=hinted&split=eval", "1/1 2"),
            ("latency?split=eval", "1/1 4"),
        ),
    ),
)
