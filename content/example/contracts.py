"""The two versions of the experiment's metric contract, as the files that stand in its folder.

The rules and the shape of v3 are those of the "sign the metric" protocol that the trace format comes
from; v4 asks more of a patch, so what v3 scored and what v4 scored cannot stand in one line.
"""

from __future__ import annotations

HEAD = '''\
"""{doc}"""
from __future__ import annotations

CONTRACT_ID = "{contract_id}"
PASS, FAIL, INVALID = 1.0, 0.0, float("nan")


def score_trace(trace: dict) -> float:
    """Score one trace: PASS, FAIL, or INVALID where the trace says too little to be scored."""
    if trace.get("schema") != "trace.v1":
        return INVALID
    if trace.get("exit_code") not in (0, 1):
        return INVALID
    if not trace.get("patch"):
        return FAIL
'''
TAIL = '''

def fixture(expected: float, **changed: object) -> tuple[dict, float]:
    """A sound, passing trace with some fields changed, and the score it must get."""
    sound = {"schema": "trace.v1", "exit_code": 0, "patch": "diff", "oracle_files": ["a.py"],
             "touched_files": ["a.py"], "tests_passed": True}
    return {**sound, **changed}, expected

'''
END = '''

def assert_fixtures() -> None:
    """Stop when a fixture does not get its known score; INVALID is the only score unequal to itself."""
    for place, (trace, expected) in enumerate(FIXTURES):
        got = score_trace(trace)
        if got != expected and not (got != got and expected != expected):
            raise AssertionError(f"fixture {place}: expected {expected!r}, got {got!r}")


if __name__ == "__main__":
    assert_fixtures()
    print(f"{CONTRACT_ID}: {len(FIXTURES)} fixtures hold")
'''
FIXTURES = """\
FIXTURES = [
    fixture(PASS),
    fixture(PASS, exit_code=1),
    fixture(PASS, oracle_files=[]),
    fixture(FAIL, patch="", touched_files=[], tests_passed=False),
    fixture(FAIL, touched_files=["b.py"]),
    fixture(FAIL, tests_passed=None),
    fixture(INVALID, schema="trace.v2"),
    fixture(INVALID, exit_code=137),
"""
V3 = (
    HEAD.format(
        doc="A patch counts when it touches every file that its card names and the tests pass.",
        contract_id="agent-metric/v3-patch-apply",
    )
    + """\
    if not set(trace.get("oracle_files") or []) <= set(trace.get("touched_files") or []):
        return FAIL
    return PASS if trace.get("tests_passed") is True else FAIL
"""
    + TAIL
    + FIXTURES
    + """\
    fixture(PASS, touched_files=["a.py", "b.py"]),
    fixture(PASS, timeout=True),
]
"""
    + END
)
V4 = (
    HEAD.format(
        doc="As v3, and stricter: in time, and no file touched beyond those that the card names.",
        contract_id="agent-metric/v4-patch-apply",
    )
    + """\
    if trace.get("timeout") is True:
        return FAIL
    oracle, touched = set(trace.get("oracle_files") or []), set(trace.get("touched_files") or [])
    if oracle and touched != oracle:
        return FAIL
    return PASS if trace.get("tests_passed") is True else FAIL
"""
    + TAIL
    + FIXTURES
    + """\
    fixture(FAIL, touched_files=["a.py", "b.py"]),
    fixture(FAIL, timeout=True),
]
"""
    + END
)
