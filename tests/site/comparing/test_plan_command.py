"""``assay plan``: what it prints, and the record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from site_src.cli import main
from tests.support.small_tables import named, runs_of, write_rows


def test_a_plan_is_printed_and_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    signs = {"a": ["111", "000", "110", "101"] * 5, "b": ["111", "111", "000", "001"] * 5}
    rows = [row for arm, each in signs.items() for row in runs_of(arm, named(each))]
    path = str(write_rows(tmp_path / "t.jsonl", rows))
    assert main(["plan", path, "--detect", "0.1"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("to show 10.0 points with 80")
    assert "more repetitions cannot help below" in told
    assert "taken for granted: the variance of the difference is that of the two arms" in told
    assert main(["plan", path, "--detect", "0.1", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["schema"] == "assay.plan/1"
    assert [design["runs"] for design in record["designs"]] == [1, 2, 3, 5, 10]
    assert main(["plan", path, "--detect", "0.1", "--power", "0.85"]) == 1
    assert "expected a power of 0.8, 0.9, 0.95, got 0.85" in capsys.readouterr().err
