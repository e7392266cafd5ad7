"""The tutorial, done as it is written: every command is run, every file saved, and what it promises holds."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from itertools import groupby
from pathlib import Path

import pytest

from site_src import cli
from tests.support.by_day import at_night
from tests.support.own_ledger import as_it_stands

TEXT = (Path(__file__).parents[2] / "content/pages/tutorial.md").read_text("utf-8")
DECISION = "content/decisions/use-alpha.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def run(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script; an ``assay`` at the start of a line is called in this process, loaded once."""
    out, err = "", ""
    for ours, lines in groupby(script.splitlines(keepends=True), lambda line: line.startswith("assay ")):
        for part in lines if ours else ("".join(lines),):
            made = called(folder, part) if ours else in_shell(folder, part)
            out, err = out + made.stdout, err + made.stderr
            if made.returncode:
                return subprocess.CompletedProcess(script, made.returncode, out, err)
    return subprocess.CompletedProcess(script, 0, out, err)


def called(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    out, err = io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        code = cli.main(shlex.split(line)[1:], package_ledger=as_it_stands())
    return subprocess.CompletedProcess(line, code, out.getvalue(), err.getvalue())


def in_shell(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PATH": path}, timeout=300,
    )  # fmt: skip


def done(folder: Path, script: str) -> str:
    made = run(folder, script)
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout + made.stderr


def edit(path: Path, pattern: str, new: str) -> None:
    text, times = re.subn(pattern, new, path.read_text("utf-8"), count=1, flags=re.DOTALL | re.MULTILINE)
    assert times == 1, path.read_text("utf-8")
    path.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tutorial")


def test_it_leads_from_an_empty_folder_to_a_published_decision(report: Path) -> None:
    start, new_experiment, first, new_page, new_decision, check, more, publish = blocks("sh")
    done(report, start)
    folder = report / "my-report"
    typed = in_shell(folder, new_experiment)  # the installed command itself
    assert typed.returncode == 0, typed.stdout + typed.stderr
    (folder / "harness.py").write_text(blocks("python")[0], "utf-8")
    told = done(folder, first)
    assert "stub agent: empty patches score 0" in told
    below = r"\n\nscore, .*\n(  .*\n)*  alpha − beta  .*"
    assert re.search(below + "  alpha above on the same tasks only: p 0.016; own intervals overlap\n", told)

    done(folder, new_page)
    page = folder / "content/pages/findings.md"
    edit(page, r"\n## What this page.*\Z", f"\n{blocks('markdown')[0]}")
    done(folder, new_decision)
    decision = folder / DECISION
    edit(decision, r"^claims:\n.*?(?=^#)", blocks("yaml")[0])
    done(folder, "assay build")
    findings = (folder / "_site/pages/findings.html").read_text("utf-8")
    assert 'data-estimate="first-run/traces.score' in findings
    decided = (folder / "_site/decisions/use-alpha/index.html").read_text("utf-8")
    assert "Cannot separate" in decided

    done(folder, check)
    edit(decision, "^status: proposed", "status: accepted")
    refused = run(folder, check)
    assert refused.returncode == 1
    assert "cannot separate" in refused.stderr
    edit(decision, "^status: accepted", "status: proposed")

    freeze = next(line for line in first.splitlines() if line.startswith("freeze()"))
    told = done(folder, f"{freeze}\n{more}")
    assert re.search(r"\n\nscore, .*\n(  .*\n)*  alpha − beta  .*  alpha above\n", told)
    edit(decision, "^status: proposed", "status: accepted")
    edit(page, r"\Z", "\nAlpha passed 88 % of them.\n")
    left = done(folder, check)  # the decision holds now: what is left is noted
    assert "write {est}`first-run/traces.score" in left
    assert left.count("was never replaced: ") == 6, "ledes, three paragraphs and the experiment's description"
    edit(page, r"\nAlpha passed 88 % of them\.\n", "")
    assert "was never replaced" in run(folder, publish).stderr
    for file in (page, decision, folder / "content/experiments/first-run/experiment.yaml"):
        edit(file, r"(?<=: >-\n)  [^\n]*\n", "  In words of our own.\n")
    for begins in ("What has", "What will", "Which result"):
        edit(decision, rf"^{begins}[^\n]*", "Words of our own.")
    assert "was never replaced" not in done(folder, check)

    told = done(folder, publish)
    assert "recorded content/editions/0001.json" in told
    assert "every published number was recomputed" in told
    assert "Edition 1" in (folder / "_public/index.html").read_text("utf-8")


@at_night("test_decisions.py and test_publish.py have the like on smaller sites")
def test_a_decision_that_the_data_leave_is_told_until_it_is_reopened(report: Path) -> None:
    folder = report / "my-report"
    edit(folder / "harness.py", r'"beta": \([^)]*\)', '"beta": (1, 5, 11)')
    done(folder, "python3 harness.py 48")
    done(folder, "assay build --output _site")
    read = {
        name: (folder / "_site" / path).read_text("utf-8")
        for name, path in (
            ("decision", "decisions/use-alpha/index.html"),
            ("decisions", "decisions/index.html"),
            ("overview", "index.html"),
            ("editions", "editions/index.html"),
            ("feed", "feed.xml"),
        )
    }
    assert "Cannot separate" in read["decision"]
    assert "cannot separate" in read["decisions"]
    assert "1</strong> cannot separate" in re.sub(r"<(/?)span[^>]*>", r"<\1strong>", read["overview"])
    assert "cannot separate" in read["editions"]
    refused = run(folder, "assay check")
    assert refused.returncode == 1
    assert "use-alpha.md" in refused.stderr
    assert "cannot separate" in refused.stderr
    edit(folder / DECISION, "^status: accepted.*?$", blocks("yaml")[1].strip())
    edit(folder / DECISION, r"date: 2026-07-01\n", "date: 2100-07-01\n")
    done(folder, "assay check")
