"""Revising a locked contract: only once every number is proved to be the same, of that very contract."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from metrics_core.contracts import lockfile
from metrics_core.errors import LockError
from metrics_core.redaction.redactor import Redactor
from site_src import pipeline
from site_src.project.sources import Plan
from site_src.verification import ledger_update, verify
from tests.support.written_contracts import write_contract

TODAY = "2026-07-30"
REPORT = "data/reports/suite.json"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, small_site: Path) -> Path:
    """A site, and a ledger that knows each of its contracts under another digest."""
    folder = shutil.copytree(small_site, tmp_path_factory.mktemp("locked"), dirs_exist_ok=True)
    lock = folder / "content" / "contracts.lock"
    ledger = json.loads(lock.read_bytes())
    for row in ledger["contracts"]:
        row["digest"] = "sha256:" + "0" * 64
    lock.write_text(json.dumps(ledger))
    return folder


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    return shutil.copytree(built, tmp_path / "project")


def plan(folder: Path, content: Path) -> Plan:
    return Plan(content=content, output=folder / "_site", redactor=Redactor())


def revise(folder: Path) -> list[str]:
    return list(
        ledger_update.lock(plan(folder, folder / "content"), TODAY, revise="a docstring was reworded")
    )


def rewrite(path: Path, part: str, **changed: Any) -> None:
    report = json.loads(path.read_bytes())
    report[part][0] |= changed
    path.write_text(json.dumps(report))


def test_a_revision_where_nothing_moved_is_added(folder: Path) -> None:
    told = revise(folder)
    assert told[0].startswith("no number moved: ")
    assert all(line.endswith("added") for line in told[1:])


@pytest.mark.parametrize(
    ("part", "changed"),
    [
        ("estimates", {"summary": {"median": 1.0, "p90": 1.0, "total": 1.0}}),
        ("comparisons", {"p": 0.123}),
        ("costs", {"recomputed": 0.123}),
    ],
)
def test_whatever_moved_stops_a_revision(folder: Path, part: str, changed: dict[str, Any]) -> None:
    rewrite(folder / "_site" / REPORT, part, **changed)
    before = (folder / "content" / "contracts.lock").read_bytes()
    with pytest.raises(LockError, match="1 numbers moved"):
        revise(folder)
    assert (folder / "content" / "contracts.lock").read_bytes() == before


def test_a_contract_whose_numbers_were_not_built_before_is_not_proved_by_others(folder: Path) -> None:
    (folder / "_site" / REPORT).unlink()
    with pytest.raises(LockError, match=r"hold its numbers against: assay/brownfield v1"):
        revise(folder)


def test_the_ledger_of_the_package_has_every_built_in_contract_whoever_uses_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lockfile, "__file__", str(tmp_path / "lockfile.py"))
    own = plan(folder, folder / "content")
    told = list(ledger_update.lock(own, TODAY, package=True))
    assert all(line.endswith("added") for line in told)
    shipped = tmp_path / "contracts.lock"
    rows = json.loads(shipped.read_bytes())["contracts"]
    assert {"assay/brownfield", "assay/table", "assay/recorded-score", "assay/traces+inspect"} < {
        row["id"] for row in rows
    }
    for row in rows:
        row["digest"] = "sha256:" + "0" * 64
    shipped.write_text(json.dumps({"schema": "assay.contracts-lock/1", "contracts": rows}))
    told = list(ledger_update.lock(own, TODAY, package=True, revise="a docstring was reworded"))
    assert told[0].startswith("no number moved: ")
    assert len(told) == len(rows) + 1


# ---------------------------------------------------------------------------------- a user's own contract


@pytest.fixture
def graded(tmp_path: Path) -> Path:
    """A project with a contract of its own, built, and locked as it stands."""
    traces = tmp_path / "content" / "experiments" / "graded"
    (traces / "contracts").mkdir(parents=True)
    write_contract(
        traces / "contracts",
        "if not trace.get('patch'): return 0.0\nreturn 1.0 if trace['task_id'] < 't3' else 0.25",
    )
    (traces / "traces").mkdir()
    lines = [
        {"schema": "trace.v1", "task_id": f"t{n % 6}", "agent": agent, "rep": n, "patch": "diff"}
        for agent in ("alpha", "beta")
        for n in range(8)
    ]
    (traces / "traces" / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    own = plan(tmp_path, tmp_path / "content")
    assert "t/v1-x v1 " in " ".join([*ledger_update.lock(own, TODAY)])
    pipeline.build(own)
    return tmp_path


def edit(project: Path, was: str, now: str) -> None:
    file = project / "content" / "experiments" / "graded" / "contracts" / "metric.py"
    text = file.read_text()
    assert text.count(was) == 1
    file.write_text(text.replace(was, now))


def test_a_comment_in_a_users_scorer_is_revised_in_one_command(graded: Path) -> None:
    edit(graded, "def score_trace", "# The third task and later ones are graded for style.\ndef score_trace")
    with pytest.raises(LockError, match=r"t/v1-x v1: metric\.py differs"):
        pipeline.build(plan(graded, graded / "content"))
    told = revise(graded)
    assert re.fullmatch(r"no number moved: \d+ estimates are the same to the last bit", told[0])
    assert [line.endswith("added") for line in told if line.startswith("t/v1-x v1 ")] == [True]
    rows = json.loads((graded / "content" / "contracts.lock").read_bytes())["contracts"]
    mine = [row for row in rows if row["id"] == "t/v1-x"]
    assert [row["reason"] for row in mine] == ["first locked", "a docstring was reworded"]
    pipeline.build(plan(graded, graded / "content"))
    assert verify.verify(graded / "_site").holds


def test_a_number_that_a_users_scorer_moved_is_refused_by_name(graded: Path) -> None:
    edit(graded, "0.25", "0.5")
    before = (graded / "content" / "contracts.lock").read_bytes()
    with pytest.raises(LockError, match=r"\d+ numbers moved, first graded/traces\.") as raised:
        revise(graded)
    assert "bump the contract's version" in str(raised.value)
    assert re.search(r"\(value 0\.\d+, now 0\.\d+\)", str(raised.value))
    assert (graded / "content" / "contracts.lock").read_bytes() == before


def test_other_records_prove_nothing(graded: Path) -> None:
    edit(graded, "def score_trace", "# reworded\ndef score_trace")
    log = graded / "content" / "experiments" / "graded" / "traces" / "a.jsonl"
    log.write_text(log.read_text().replace('"rep": 7', '"rep": 9'))
    with pytest.raises(LockError, match=r"no built site of the same data .*: t/v1-x v1"):
        revise(graded)


def test_two_contracts_of_the_same_sources_both_get_a_row(tmp_path: Path) -> None:
    content = tmp_path / "content"
    table = content / "experiments" / "nightly" / "runs.csv"
    table.parent.mkdir(parents=True)
    table.write_text("task,model,passed\n" + "".join(f"t{n},alpha,yes\nt{n},beta,no\n" for n in range(9)))
    told = " ".join(ledger_update.lock(plan(tmp_path, content), TODAY))
    assert "assay/table v1" in told
    assert "assay/traces+table v1" in told
