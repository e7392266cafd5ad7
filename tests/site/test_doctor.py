"""What is said of a machine and a folder, and a script by which a shell completes."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from metrics_core.contracts import cage_here
from site_src.cli import main, parser
from site_src.completion import SHELLS, script
from tests.support.small_tables import named, runs_of, write_rows


def told(project: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, str]]:
    """Exit code, and the words of each line by what was looked at, with the health before them."""
    code = main(["doctor"], project=project)
    lines = [line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines()]
    return code, {what: f"{health}: {words}" for health, what, words in lines}


def test_an_empty_folder_is_no_problem_and_is_told_how_to_begin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = told(tmp_path, capsys)
    assert code == 0
    assert found["content"].startswith("note: no such folder: assay build --experiments PATH")
    assert found["renderer"].startswith("ok: vl-convert ")
    assert list(tmp_path.iterdir()) == []


def test_what_a_project_has_is_counted_and_what_it_lacks_has_its_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows(tmp_path / "content/experiments/nightly/runs.jsonl", runs_of("m", named(["11"] * 8)))
    code, found = told(tmp_path, capsys)
    assert (code, found["experiments"]) == (0, "ok: 1 folder in content")
    assert found["ledger"].startswith("note: no contracts.lock")
    assert "assay lock writes it" in found["ledger"]


def test_what_would_stop_a_command_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "content/site.yaml").write_text("titel: x\n")
    code, found = told(tmp_path, capsys)
    assert code == 1
    assert found["site.yaml"].startswith("problem: site.yaml:1#/titel: ")
    (tmp_path / "content/site.yaml").write_text("title: x\n")
    (tmp_path / "_site").mkdir()
    (tmp_path / "_site/mine.txt").write_text("x")
    code, found = told(tmp_path, capsys)
    assert code == 1
    assert "exists and is not a site that this program built" in found["_site"]


def test_the_cage_that_is_told_is_the_one_that_contracts_get(
    cage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cage_here().holds
    assert told(tmp_path, capsys)[1]["cage"] == f"ok: {cage_here()}"


# ------------------------------------------------------------------------------------------- completion


def commands() -> dict[str, argparse.ArgumentParser]:
    (found,) = [a for a in parser()._actions if isinstance(a, argparse._SubParsersAction)]
    return dict(found.choices)


def completed(*words: str) -> set[str]:
    """What bash offers for the last of these words."""
    program = (
        'eval "$SCRIPT"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assay; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", program, "bash", *words],
        env={**os.environ, "SCRIPT": script(parser(), "bash")}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(done.stdout.split())


def test_bash_completes_commands_flags_and_words() -> None:
    assert completed("assay", "") == commands().keys()
    assert completed("assay", "co") == {"compute", "compare", "completion"}
    assert completed("assay", "gate", "--ba") == {"--baseline", "--badge"}
    assert completed("assay", "new", "") >= {"page", "decision", "experiment", "ci"}


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_flag_is_in_each_script(shell: str) -> None:
    text = script(parser(), shell)
    for name, command in commands().items():
        flags = [flag for a in command._actions for flag in a.option_strings if flag.startswith("--")]
        assert name in text
        assert [f for f in flags if f not in text and f"-l {f[2:]}" not in text] == []
    if program := shutil.which(shell):
        subprocess.run([program, "-n"], input=text, text=True, check=True)
