"""Scores from a user's contract: the seed's own, what is valid, what is invalid, and kept children."""

from __future__ import annotations

import math
import multiprocessing
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from metrics_core.contracts.fixture import check_results
from metrics_core.contracts.scorer import (
    Score,
    Scorer,
    ScorerCrash,
    check_user_fixtures,
    close_all,
    score_all,
)
from metrics_core.contracts.user_contract import load_contract
from metrics_core.errors import ContractError, FixtureError
from tests.support.written_contracts import GO, Write, score, write_contract

SEED = Path(__file__).parents[2] / "specs" / "reference" / "seed_004_metric_contract.txt"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return partial(write_contract, tmp_path)


# ---------------------------------------------------------------------------------- the seed's contract


def trace(**changed: object) -> dict[str, object]:
    return {
        "schema": "trace.v1",
        "exit_code": 0,
        "patch": "diff",
        "oracle_files": ["a.py"],
        "touched_files": ["a.py"],
        "tests_passed": True,
        **changed,
    }


@pytest.fixture
def seed_contract(tmp_path: Path) -> Path:
    file = tmp_path / "metric_contract.py"
    file.write_bytes(SEED.read_bytes())
    return file


def test_the_kept_copy_is_the_seeds_own_text(shared_data: Path) -> None:
    found = sorted((shared_data.parent / "seeds").glob("004*.txt"))
    if not found:
        pytest.skip("no seeds lie beside the data")
    text, end = found[0].read_bytes(), b"    }, indent=2))\n"
    start = text.index(b"# metric_contract.py")
    assert text[start : text.index(end, start) + len(end)] == SEED.read_bytes()


def test_the_seeds_contract_works_unmodified(seed_contract: Path) -> None:
    contract = load_contract(seed_contract)
    printed = subprocess.run(
        [sys.executable, seed_contract], check=True, capture_output=True, text=True
    ).stdout
    assert f'"metric_sha256": "{contract.metric_sha256}"' in printed
    assert (contract.id, contract.version) == ("agent-metric/v3-patch-apply", "3")
    rows = [
        (trace(), 1.0),
        (trace(schema="trace.v2"), None),
        (trace(exit_code=137), None),
        (trace(patch=""), 0.0),
        (trace(touched_files=[]), 0.0),
        (trace(tests_passed=None), 0.0),
        (trace(oracle_files=None), 1.0),
    ]
    with Scorer(contract) as scorer:
        assert [(r.expected, r.got, r.ok) for r in scorer.fixtures()] == [
            ("1.0", "1.0", True),
            ("0.0", "0.0", True),
            ("INVALID", "INVALID", True),
        ]
        check_results(contract.id, scorer.fixtures())
        scores = scorer.score([row for row, _ in rows])
    assert [s.value for s in scores] == [value for _, value in rows]
    assert {s.invalid for s in scores if s.value is None} == {"the contract says INVALID"}


def test_a_trace_of_the_wrong_shape_is_invalid_and_says_why(seed_contract: Path) -> None:
    assert score(seed_contract, [trace(oracle_files=7), trace()]) == [
        Score(None, "TypeError: 'int' object is not iterable"),
        Score(1.0),
    ]


# ---------------------------------------------------------------------------------- scores


def test_scores_come_in_the_order_of_their_traces(write: Write) -> None:
    values = [0.1 * n for n in range(25)]
    rows: list[dict[str, Any]] = [{"x": x} for x in values]
    assert [s.value for s in score(write("return trace['x']"), rows)] == values
    assert score(write("return trace['x']"), []) == []
    text = {"x": "\ud7ff\n\u2028\x85"}
    assert score(write("return float(len(trace['x']))"), [text]) == [Score(4.0)]


@pytest.mark.parametrize(
    "returned", ["None", "'1.0'", "True", "float('inf')", "-float('inf')", "10**400", "1j", "[1.0]"]
)
def test_a_score_that_is_no_finite_float_breaks_the_promise(write: Write, returned: str) -> None:
    with pytest.raises(ContractError, match=r"t/v1-x: trace 2: score_trace returned .*expected a") as raised:
        score(write(f"return {returned}"), [{}, *GO])
    assert not isinstance(raised.value, ScorerCrash)


def test_nan_is_invalid_and_an_exception_is_kept_with_its_message(write: Write) -> None:
    body = "if trace['go'] == 1: return float('nan')\nraise ValueError(trace['go'])"
    rows: list[dict[str, Any]] = [
        {"go": 1},
        {"go": "no oracle\nhere"},
        {"go": "x" * 999},
        {"go": "\x1b[31m"},
    ]
    first, second, third, fourth = score(write(body), rows)
    assert (first, second) == (
        Score(None, "the contract says INVALID"),
        Score(None, "ValueError: no oracle here"),
    )
    assert third.invalid is not None
    assert len(third.invalid) == 300
    assert fourth.invalid == "ValueError: \x1b[31m"


def test_a_reason_is_the_same_in_every_run(write: Write) -> None:
    file = write(
        "if trace['go'] == 1: raise ValueError(object())\nimport random\nraise KeyError(random.random())"
    )
    rows: list[dict[str, Any]] = [{"go": 1}, {"go": 2}]
    assert score(file, rows) == [Score(None, "ValueError: <object object at 0x...>"), Score(None, "KeyError")]


def test_a_reason_does_not_tell_where_the_interpreter_lies(write: Write) -> None:
    file = write(
        "if trace['go'] == 1: from json import nothing\nimport numpy\nraise ValueError(numpy.__file__)",
        top="import numpy",
    )
    rows: list[dict[str, Any]] = [{"go": 1}, {"go": 2}]
    assert score(file, rows) == [
        Score(None, "ImportError: cannot import name 'nothing' from 'json' (json/__init__.py)"),
        Score(None, "ValueError: numpy/__init__.py"),
    ]


def test_packages_are_the_same_in_every_process(write: Write) -> None:
    top = "import os, sys, types\nm = sys.modules['made'] = types.ModuleType('made')\n"
    top += "m.__version__ = os.urandom(4).hex()"
    with pytest.raises(ContractError, match="brings in other packages in every process"):
        score(write("return 1.0", top=top))


def test_the_fixtures_are_run_and_told(write: Write) -> None:
    fixtures = "[({}, 1.0), ({'x': 1}, float('nan')), ({'x': 2}, 0), ({}, 0.5), ({'x': 3}, float('nan'))]"
    body = "if trace['x'] == 3: raise KeyError('y')\nreturn float('nan') if trace['x'] == 1 else 0.0"
    with Scorer(load_contract(write(body, fixtures=fixtures))) as scorer:
        told = [(r.name, r.expected, r.got, r.ok) for r in scorer.fixtures()]
    assert told == [
        ("fixture 0", "1.0", "1.0", True),
        ("fixture 1", "INVALID", "INVALID", True),
        ("fixture 2", "0.0", "0.0", True),
        ("fixture 3", "0.5", "1.0", False),
        ("fixture 4", "INVALID", "KeyError: 'y'", False),
    ]


@pytest.mark.parametrize(
    ("fixtures", "problem"),
    [
        ("[]", "no golden fixtures"),
        ("None", "no golden fixtures"),
        ("[({},)]", "fixture 0 is not a"),
        ("[({}, None)]", "fixture 0 expects None"),
        ("[({}, float('inf'))]", "fixture 0 expects an infinity"),
    ],
)
def test_a_contract_without_sound_fixtures_is_none(write: Write, fixtures: str, problem: str) -> None:
    with pytest.raises(ContractError, match=problem):
        score(write("return 1.0", fixtures=fixtures))


# ---------------------------------------------------------------------------------- order


@pytest.mark.parametrize(
    "body",
    [
        "global calls\ncalls = globals().get('calls', 0) + 1\nreturn float(calls)",
        "s = globals().setdefault('s', set())\nif trace['n'] in s: return 0.0\ns.add(trace['n'])\nreturn 1.0",
        "import random\nreturn random.random()",
        "global n\nlast = globals().get('n', 0)\nn = trace['n']\nreturn 1.0 if last < n else float('nan')",
    ],
)
def test_a_score_that_depends_on_order_is_no_score(write: Write, body: str) -> None:
    with pytest.raises(
        ContractError, match=r"trace \d: the score depends on order, or on something that is not"
    ):
        score(write(body), [{"n": 1}, {"n": 2}, {"n": 3}])


def test_no_trace_is_scored_by_how_many_were_looked_at_together(write: Write) -> None:
    top = (
        "import sys, types\nlooks = []\nclass M(types.ModuleType):\n"
        "    @property\n    def __spec__(self):\n        looks.append(1)\nsys.modules['m'] = M('m')"
    )
    found = score(write("return float(len(looks))", top=top), [{"n": n} for n in range(501)])
    assert len({s.value for s in found}) == 1


def test_no_call_knows_what_an_earlier_one_asked(write: Write) -> None:
    body = "most = globals().setdefault('most', [0])\nmost[0] = max(*most, trace['n'])\n"
    body += "return trace['n'] / most[0]"
    contract = load_contract(write(body))
    try:
        assert [score_all(contract, [{"n": n}]) for n in (8, 4)] == [[Score(1.0)], [Score(1.0)]]
        assert score_all(contract, [{"n": 2}], anew=False) == [Score(0.5)]
    finally:
        close_all()


def test_a_trace_that_is_changed_while_it_is_scored_is_whole_again(write: Write) -> None:
    assert score(write("return float(len(trace.pop('n')))"), [{"n": [1, 2]}, {"n": []}]) == [
        Score(2.0),
        Score(0.0),
    ]


# ---------------------------------------------------------------------------------- kept children


def test_a_kept_child_serves_several_calls_and_ends_when_told(write: Write) -> None:
    contract = load_contract(write("return trace['x']"))
    try:
        assert [r.ok for r in check_user_fixtures(contract)] == [True]
        assert score_all(contract, [{"x": 0.5}]) == [Score(0.5)]
        assert score_all(contract, [{"x": 0.25}]) == [Score(0.25)]
        with pytest.raises(ContractError):
            score_all(contract, [{"x": None}])
        assert score_all(contract, [{"x": 0.75}]) == [Score(0.75)]
    finally:
        close_all()


def test_the_same_traces_are_asked_about_once(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    score = Scorer.score

    def counted(self: Scorer, traces: Sequence[Mapping[str, Any]]) -> list[Score]:
        asked.append(len(traces))
        return score(self, traces)

    monkeypatch.setattr(Scorer, "score", counted)
    contract, both = load_contract(write("return trace['x']")), [{"x": 0.5}, {"x": 0.25}]
    try:
        assert score_all(contract, both) == score_all(contract, both) == [Score(0.5), Score(0.25)]
        assert score_all(contract, both[:1]) == [Score(0.5)]
        assert score_all(contract, both, anew=False) == [Score(0.5), Score(0.25)]
        assert asked == [2, 1, 2], "a call that goes on with the same children asks them"
    finally:
        close_all()


def test_fixtures_of_a_users_contract_stop_the_build(write: Write) -> None:
    try:
        with pytest.raises(FixtureError, match=r"t/v1-x: fixture 0: expected 0\.5, got 1\.0"):
            check_user_fixtures(load_contract(write("return 1.0", fixtures="[({}, 0.5)]")))
    finally:
        close_all()


def test_worker_processes_have_children_of_their_own(write: Write) -> None:
    contract = load_contract(write("return trace['x']"))
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(score_all, contract, [{"x": n / 4}]) for n in range(6)]
        assert [f.result() for f in futures] == [[Score(n / 4)] for n in range(6)]


def test_errors_cross_from_a_worker_whole(write: Write) -> None:
    contract = load_contract(write("import os; os._exit(3)"))
    with (
        ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool,
        pytest.raises(ScorerCrash, match="t/v1-x: its process ended by itself, with status 3"),
    ):
        pool.submit(score_all, contract, GO).result()


def test_a_score_is_a_value_or_a_reason() -> None:
    for value, reason in ((None, None), (1.0, "why"), (math.pi, "")):
        with pytest.raises(ValueError):
            Score(value, reason)
