"""Revising a locked contract: only once every number is proved to be the same, of that very contract."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from metrics_core.errors import LockError
from metrics_core.redaction.redactor import Redactor
from site_src.project.sources import Plan
from site_src.verification import ledger_update

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
