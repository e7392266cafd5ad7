"""The shipped example's trace experiment: its pack, its two contracts, and every ending it promises.

Counted from the lines themselves, with nothing of the packages that the example is meant to exercise.
"""

from __future__ import annotations

import hashlib
import json
import runpy
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

PATCHES = Path(__file__).resolve().parents[2] / "content" / "experiments" / "patches-2026"
PIPELINE = "find eval_pack -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum; sha256sum eval_pack.sums"
CARDS: tuple[dict[str, Any], ...] = tuple(json.loads((PATCHES / "eval_pack" / "tasks.json").read_bytes()))


@cache
def traces() -> tuple[dict[str, Any], ...]:
    return tuple(
        json.loads(line)
        for path in sorted((PATCHES / "traces").glob("*.jsonl"))
        for line in path.read_bytes().split(b"\n")
        if line
    )


@cache
def contract(version: int) -> dict[str, Any]:
    return runpy.run_path(str(PATCHES / "contracts" / f"metric_contract_v{version}.py"))


def scores(arm: str, version: int) -> list[float]:
    """An arm's scores on the eval split, on the traces that this version of the contract was in force for."""
    split = {card["id"]: card["split"] for card in CARDS}
    return [
        contract(version)["score_trace"](trace)
        for trace in traces()
        if trace["agent"] == arm
        and split[trace["task_id"]] == "eval"
        and (trace["stamp"] < "2026-07-01") == (version == 3)
    ]


def valid(scored: list[float]) -> list[float]:
    return [score for score in scored if score == score]


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def test_the_pack_has_its_splits_and_distinct_oracles() -> None:
    assert Counter(c["split"] for c in CARDS) == {"eval": 24, "probe": 6}
    assert len({tuple(c["oracle_files"]) for c in CARDS}) == 30
    assert len({c["repo"] for c in CARDS}) >= 6
    oracles = {c["id"]: c["oracle_files"] for c in CARDS}
    assert all(t["oracle_files"] == oracles[t["task_id"]] for t in traces())


def test_the_sums_and_the_tree_digest_are_the_shells() -> None:
    files = sorted(
        path.relative_to(PATCHES).as_posix() for path in (PATCHES / "eval_pack").rglob("*") if path.is_file()
    )
    digests = [hashlib.sha256((PATCHES / name).read_bytes()).hexdigest() for name in files]
    expected = "".join(f"{digest}  {name}\n" for digest, name in zip(digests, files, strict=True))
    assert (PATCHES / "eval_pack.sums").read_text("utf-8") == expected
    if not all(map(shutil.which, ("find", "sort", "xargs", "sha256sum"))):
        pytest.skip("no coreutils here: the sums were compared, the pipeline was not run")
    printed = subprocess.run(
        ["sh", "-c", PIPELINE], cwd=PATCHES, check=True, capture_output=True, text=True
    ).stdout
    assert printed == expected + (PATCHES / "eval_pack.tree.sha256").read_text("utf-8")


def test_the_stricter_contract_scores_both_arms_lower() -> None:
    for arm in ("alpha", "beta"):
        before, after = (valid(scores(arm, version)) for version in (3, 4))
        assert min(len(before), len(after)) >= 15
        assert mean(after) < mean(before)
    assert [contract(version)["CONTRACT_ID"] for version in (3, 4)] == [
        "agent-metric/v3-patch-apply",
        "agent-metric/v4-patch-apply",
    ]


def test_both_contracts_keep_their_fixtures() -> None:
    for version in (3, 4):
        contract(version)["assert_fixtures"]()
        assert len(contract(version)["FIXTURES"]) >= 8


def test_the_traces_hold_every_ending() -> None:
    assert sum(t["schema"] == "trace.v2" for t in traces()) >= 3
    assert sum(t["exit_code"] not in {0, 1} for t in traces()) >= 3
    assert sum(t["patch"] == "" and t["exit_code"] in {0, 1} for t in traces()) >= 3
    assert sum(t["timeout"] for t in traces()) >= 4
    assert any(t["timeout"] and t["tests_passed"] for t in traces())
    assert 0 < len(valid(scores("delta", 4))) < 8
    assert len({t["stamp"][:10] for t in traces()}) == 4


def test_shuffled_oracles_collapse_under_both_contracts() -> None:
    files = [card["oracle_files"] for card in CARDS]
    turned = {card["id"]: other for card, other in zip(CARDS, files[1:] + files[:1], strict=True)}
    for version in (3, 4):
        for arm in ("alpha", "beta"):
            wrong = [
                contract(version)["score_trace"]({**trace, "oracle_files": turned[trace["task_id"]]})
                for trace in traces()
                if trace["agent"] == arm
            ]
            assert sum(valid(wrong)) == 0
            assert mean(valid(scores(arm, version))) > 0.4
