"""Tests lie as the rooms do: a folder of tests is named after the room that they test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import support
from tests.conftest import LONGEST, go_without


@pytest.mark.parametrize(("tests", "package"), [("core", "metrics_core"), ("site", "site_src")])
def test_each_folder_of_tests_has_its_room(repo: Path, tests: str, package: str) -> None:
    folders = [path for path in (repo / "tests" / tests).iterdir() if any(path.glob("test_*.py"))]
    assert folders
    assert [path.name for path in folders if not (repo / package / path.name / "__init__.py").is_file()] == []


@pytest.mark.parametrize("tests", ["core", "site"])
def test_each_file_beside_those_folders_tests_a_module_beside_the_rooms(repo: Path, tests: str) -> None:
    package = repo / {"core": "metrics_core", "site": "site_src"}[tests]
    names = [path.stem.removeprefix("test_") for path in (repo / "tests" / tests).glob("test_*.py")]
    whole = {"library"}  # what `import metrics_core` gives
    assert [name for name in names if name not in whole and not (package / f"{name}.py").is_file()] == []


def test_no_two_files_of_tests_share_a_name_and_those_begun_first_are_there(repo: Path) -> None:
    names = sorted(path.name for path in (repo / "tests").rglob("test_*.py"))
    assert sorted(set(names)) == names
    assert set(LONGEST) <= set(names)


def test_the_front_door_of_the_support_names_each_of_its_modules(repo: Path) -> None:
    modules = {path.stem for path in (repo / "tests" / "support").glob("*.py")} - {"__init__"}
    listed = [line for line in str(support.__doc__).splitlines() if line.startswith("- ")]
    named = [name for line in listed for name in re.findall(r"`(\w+)`", line)]
    assert sorted(named) == sorted(modules)


@pytest.mark.parametrize("setting", ["ASSAY_REQUIRE_BROWSER", "ASSAY_REQUIRE_DATA", "ASSAY_REQUIRE_CAGE"])
def test_what_is_required_and_missing_fails_with_a_word_and_is_never_skipped(
    repo: Path, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    assert f"{setting}=1" in (repo / ".ci" / "run").read_text()
    monkeypatch.setenv(setting, "1")
    with pytest.raises(pytest.fail.Exception, match=f"no such thing, and {setting} is set"):
        go_without("no such thing", setting)
    monkeypatch.setenv(setting, "0")
    with pytest.raises(pytest.skip.Exception, match="no such thing"):
        go_without("no such thing", setting)
