"""The shipped example's first edition is what publishing its earlier state records, to the byte."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from site_src.editions import store
from tests.support.by_day import at_night

CONTENT = Path(__file__).parents[2] / "content"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    sys.path.insert(0, str(CONTENT))
    try:
        spec = importlib.util.spec_from_file_location("first_edition", CONTENT / "first_edition.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(CONTENT))
    return module


@at_night("the ledger refuses contracts that it was not made under")
def test_it_is_made_again_to_the_byte(script: ModuleType) -> None:
    kept = (CONTENT / "editions" / "0001.json").read_bytes()
    assert script.made() == kept
    assert len(kept) < 300_000


def test_it_holds_nothing_that_was_run_later(script: ModuleType, tmp_path: Path) -> None:
    script.write(tmp_path)
    stamps = [
        json.loads(line)["stamp"]
        for path in sorted(tmp_path.glob("experiments/*/*/*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    stamps += [
        json.loads(path.read_text("utf-8")).get("timestamp", "")
        for path in sorted(tmp_path.glob("experiments/*/attempts/*/metadata.json"))
    ]
    assert len(stamps) > 50
    assert max(stamps) < script.DATE


def test_it_is_the_first_of_the_chain(script: ModuleType) -> None:
    edition = store.read((CONTENT / "editions" / "0001.json").read_bytes(), "0001.json")
    assert (edition.number, edition.date, edition.why) == (1, script.DATE, script.WHY)
    assert {x.slug for x in edition.experiments} == set(script.EXPERIMENTS)
    assert all(c.state in ("held", "not applicable") for x in edition.experiments for c in x.controls)
