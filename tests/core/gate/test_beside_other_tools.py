"""What docs/explanations/peers.md says of Assay, held against the files; and what the others were given."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from benchmarks.peer_inputs import inputs
from metrics_core import api
from metrics_core.comparison import comparing, measured
from tests.core.gate.test_gate_cases import CASES, gate_of
from tests.support.by_day import one_in
from tests.support.small_tables import named, runs_of

WORDS = {"pass": "PASS", "fail": "FAIL", "cannot tell": "CANNOT TELL", "unhealthy": "UNHEALTHY"}


def said(repo: Path) -> dict[str, str]:
    """Pair -> the column of Assay."""
    page = (repo / "docs" / "explanations" / "peers.md").read_text("utf-8")
    return dict(re.findall(r"^\| ([a-z -]+) \| [^|]+ \| ([^|]+) \|", page.replace("|---|", ""), re.MULTILINE))


def points(value: float) -> str:
    """In points, with a sign where it is not 0."""
    return f"{value * 100:+.1f}".replace("+0.0", "0.0").replace("-", "−")


def test_the_page_has_a_row_for_each_pair(repo: Path) -> None:
    assert set(said(repo)) - {"pair"} == {*CASES, "the table"}


@one_in(3)
@pytest.mark.parametrize("case", CASES)
def test_the_verdicts_of_the_page_are_those_of_the_gate(case: str, repo: Path, shared_data: Path) -> None:
    folder = shared_data / "gate" / case
    found = gate_of(folder, (folder / "gate.yaml").read_bytes()).to_json()
    words = f"{WORDS[found['verdict']]}, {points(found['rules']['not_worse_by']['value'])}"
    if not found["same_if_errors_fail"]:
        words += f"; {WORDS[found['verdict_if_errors_fail']]} if errors count as failures"
    assert said(repo)[case] == words


def test_the_page_says_of_the_table_what_compare_says(repo: Path, shared_data: Path) -> None:
    side = measured("rows", api.load(shared_data / "tables" / "rows.jsonl"))
    (found,) = comparing(side, side, a="alpha", b="beta").to_json()["comparisons"]
    low, high = (-found["interval"][end] for end in ("hi", "lo"))
    assert found["paired_verdict"] != found["strict_verdict"]
    assert said(repo)["the table"] == (
        f"{points(-found['difference'])} [{points(low)}, {points(high)}], p {found['p']:.3f}: "
        "told apart on the same tasks, not by own intervals"
    )


def test_a_run_that_broke_is_blank_for_others_or_0_where_a_number_is_needed() -> None:
    base, candidate = runs_of("m", named(["110", "eee"])), runs_of("m", named(["1e0", "000"]))
    files = dict(inputs(base, candidate))
    means = {
        name: list(csv.reader(files[f"{name}-means.csv"].splitlines()))[1:]
        for name in ("baseline", "candidate")
    }
    assert means["baseline"] == [["t00", str(2 / 3)]]
    assert means["candidate"] == [["t00", "0.5"], ["t01", "0.0"]]
    assert json.loads(files["baseline-scores.json"]) == [1, 1, 0]
    rewards = [json.loads(line) for line in files["nemo-candidate/results.jsonl"].splitlines()]
    assert [row["reward"] for row in rewards] == [1, 0, 0, 0, 0, 0]
    assert [(row["problem_idx"], row["repeat"]) for row in rewards][2:4] == [(0, 2), (1, 0)]
    states = [
        json.loads(line)["execution_status"] for line in files["agentv-baseline/index.jsonl"].splitlines()
    ]
    assert states == ["ok"] * 3 + ["execution_error"] * 3
    (passed, broke) = json.loads(files["baseline-report.json"])["cases"]
    assert (passed["pass_count"], passed["runs"], "model_error" in passed) == (2, 3, False)
    assert "model_error" in broke
    blanks = [row for row in csv.DictReader(files["long.csv"].splitlines()) if row["score"] == ""]
    assert len(blanks) == 4
