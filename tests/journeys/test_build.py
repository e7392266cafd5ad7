"""The whole way, from folders to a site: it is reproducible, it holds its gates, it loses nothing.

Where a test is about the process or about the program's own source, the project's entry is run as a user
would run it; elsewhere the command is called.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from site_src import cli
from tests.site.publishing.test_publish import fingerprint
from tests.support import small_content
from tests.support.by_day import at_night


def assay(project: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the project's own entry, as a user would."""
    return subprocess.run(
        [sys.executable, "-B", str(project / "build.py"), *words],
        capture_output=True, text=True, check=False, cwd=environment.pop("cwd", str(project)),
        env={**os.environ, **environment},
    )  # fmt: skip


def called(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Call the command in this process, with what it says."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.main(words, project=project)
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


def project_of(program: Path, site: Path, folder: Path) -> Path:
    """A project of its own: the program without its ledger, and content, locked and built."""
    shutil.copytree(program, folder, ignore=shutil.ignore_patterns("contracts.lock"), dirs_exist_ok=True)
    return shutil.copytree(site, folder, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, program: Path, small_site: Path) -> Path:
    """Two experiments: a family of ours, and one with contracts of a user's."""
    return project_of(program, small_site, tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module")
def lean(tmp_path_factory: pytest.TempPathFactory, program: Path, suite_site: Path) -> Path:
    """The first of the two alone, for what the second would only make longer."""
    return project_of(program, suite_site, tmp_path_factory.mktemp("lean"))


@pytest.fixture
def copy(small_site: Path, tmp_path: Path) -> Path:
    """Content and site of the project, to be broken; the program is this process."""
    return shutil.copytree(small_site, tmp_path / "project")


@pytest.fixture
def copy_of_lean(lean: Path, tmp_path: Path) -> Path:
    """The project of one experiment, program and all, to be broken."""
    return shutil.copytree(lean, tmp_path / "project")


def comment(path: Path) -> None:
    """Another digest, and the same program."""
    path.write_text(path.read_text("utf-8") + "\n# a comment\n", "utf-8")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text, path
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_the_report_in_the_site_is_what_compute_prints(project: Path) -> None:
    for name in ("suite", "patches"):
        done = called(project, "compute", f"{project}/content/experiments/{name}", "--json")
        assert done.returncode == 0, done.stderr
        assert done.stdout == (project / "_site" / "data" / "reports" / f"{name}.json").read_text("utf-8")


def test_a_copy_elsewhere_gives_the_same_site_to_the_byte(lean: Path, tmp_path: Path) -> None:
    """Called from another folder, in another zone and with other hashes, too."""
    copy = shutil.copytree(lean, tmp_path / "elsewhere")
    environment = {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "PYTHONHASHSEED": "4242", "cwd": "/"}
    done = assay(copy, "build", "--output", str(tmp_path / "other"), **environment)
    assert done.returncode == 0, done.stderr
    assert fingerprint(tmp_path / "other") == fingerprint(lean / "_site")


def test_no_trace_of_the_machine_stands_in_the_site(project: Path) -> None:
    for path in (project / "_site").rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert str(project).encode() not in data, path
            assert os.uname().nodename.encode() not in data or len(os.uname().nodename) < 6, path


Run = Callable[..., subprocess.CompletedProcess[str]]


def refused(copy: Path, project: Path, *words: str, code: int, run: Run = called) -> str:
    """A command that must be refused, and must leave the earlier site as it was."""
    done = run(copy, *words)
    assert done.returncode == code, done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    assert fingerprint(copy / "_site") == fingerprint(project / "_site")
    return done.stderr


def test_a_familys_source_that_changed_stops_the_build_at_the_ledger(copy_of_lean: Path, lean: Path) -> None:
    edit(
        copy_of_lean / "metrics_core" / "families" / "brownfield" / "grading.py",
        "AWARENESS_THRESHOLD = 0.7",
        "AWARENESS_THRESHOLD = 0.70",
    )
    told = refused(copy_of_lean, lean, "build", code=3, run=assay)
    assert "contracts.lock: the scorer changed but its version did not: assay/brownfield v1" in told
    assert "metrics_core/families/brownfield/grading.py differs" in told


@at_night("a family whose own source changed stops the build")
def test_an_estimators_source_that_changed_stops_every_family(project: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(project, tmp_path / "copy")
    comment(copy / "metrics_core" / "measurement" / "grouping.py")
    told = refused(copy, project, "build", code=3, run=assay)
    assert "assay/brownfield v1" in told
    assert "assay/traces v1" in told


@at_night("test_fixtures_guard.py has fixtures fail")
def test_a_fixture_that_changed_stops_the_build(copy_of_lean: Path, lean: Path) -> None:
    fixtures = copy_of_lean / "metrics_core/families/brownfield/fixtures.py"
    edit(fixtures, '("change?graded=assertions", "1/2 0.5")', '("change?graded=assertions", "2/2 1")')
    told = refused(copy_of_lean, lean, "build", code=3, run=assay)
    assert "expected change?graded=assertions 2/2 1" in told


@at_night("test_closure.py has which files are part of each contract")
def test_what_moves_no_number_is_no_part_of_a_contract(copy_of_lean: Path) -> None:
    for path in ("families/brownfield/review.py", "families/brownfield/words.py", "results/report.py"):
        comment(copy_of_lean / "metrics_core" / path)
    done = assay(copy_of_lean, "build")
    assert done.returncode == 0, done.stderr


def test_a_users_contract_that_changed_stops_the_build(copy: Path, project: Path) -> None:
    contract = copy / "content/experiments/patches/contracts/metric_contract_v3.py"
    comment(contract)
    assert "agent-metric/v3-patch-apply" in refused(copy, project, "build", code=3)


def test_a_control_that_fails_withholds_its_numbers_and_publishes_nothing(copy: Path) -> None:
    control = {**small_content.SANITY, "fix_graders": [{"id": "B1", "passed": True, "detail": "always"}]}
    (copy / "content/experiments/suite/controls/sanity.json").write_text(json.dumps(control))
    done = called(copy, "build")
    assert done.returncode == 0, done.stderr
    assert "negative control failed, brownfield numbers withheld" in done.stderr
    estimates = json.loads((copy / "_site/data/estimates.json").read_bytes())["estimates"]
    suite = [e for e in estimates if e["family"] == "brownfield"]
    others = [e for e in estimates if e["family"] == "traces" and e["N"]]
    assert suite
    assert all(e["withheld"] and e["value"] is None and e["n"] is None and e["N"] is None for e in suite)
    assert others
    assert not any(e["withheld"] for e in others)
    done = called(copy, "publish")
    assert done.returncode == 3
    assert not (copy / "_public").exists()


@at_night("a control that fails publishes nothing")
def test_a_missing_control_is_said_and_publishes_nothing(copy_of_lean: Path) -> None:
    (copy_of_lean / "content/experiments/suite/controls/sanity.json").unlink()
    done = called(copy_of_lean, "build")
    assert done.returncode == 0
    assert "negative control missing" in done.stderr
    assert called(copy_of_lean, "publish").returncode == 3


def test_a_moved_probe_row_is_another_pack(copy: Path, project: Path) -> None:
    tasks = copy / "content/experiments/patches/eval_pack/tasks.json"
    edit(tasks, '"split": "probe"', '"split": "eval"')
    before = json.loads((project / "_site/data/reports/patches.json").read_bytes())
    done = called(copy, "compute", str(copy / "content/experiments/patches"), "--json")
    after = json.loads(done.stdout)
    packs = {row["pack"] for row in before["estimates"]}, {row["pack"] for row in after["estimates"]}
    assert packs[0].isdisjoint(packs[1])
    (control,) = [c for c in after["controls"] if c["name"] == "pack digest"]
    assert control["state"] == "failed"
    assert "tasks.json" in control["detail"]


def test_an_invalid_record_is_counted_and_no_input_altered_and_strict_stops_with_4(
    copy_of_lean: Path, lean: Path
) -> None:
    log = copy_of_lean / "content/experiments/suite/logs_big/be.jsonl"
    log.write_text(log.read_text("utf-8") + '{"id": "B1", "torn', "utf-8")
    inputs = fingerprint(copy_of_lean / "content")
    told = refused(copy_of_lean, lean, "build", "--strict", code=4)
    assert "logs_big/be.jsonl:11" in told
    assert "--fail-on-invalid" in refused(copy_of_lean, lean, "build", "--fail-on-invalid", code=1)
    done = called(copy_of_lean, "build")
    assert done.returncode == 0
    rows = json.loads((copy_of_lean / "_site/data/reports/suite.json").read_bytes())["estimates"]
    (whole,) = [r for r in rows if r["metric"] == "change" and not r["group"]]
    assert (whole["attempts"], whole["invalid"], whole["known"]) == (21, 1, 20)
    assert fingerprint(copy_of_lean / "content") == inputs


def test_a_page_that_is_wrong_names_its_file_and_line(copy: Path, project: Path) -> None:
    (copy / "content/index.md").write_text("---\ntitel: Wrong\n---\n\nx\n")
    assert "index.md" in refused(copy, project, "build", code=1)


def test_a_secret_in_prose_stops_the_build(copy: Path, project: Path) -> None:
    token = "ghp_" + "a1B2c3D4" * 4 + "a1B2"
    (copy / "content/index.md").write_text(f"---\ntitle: A\n---\n\nToken {token}\n")
    told = refused(copy, project, "build", code=3)
    assert "github-token" in told
    assert token not in told


@at_night("test_nothing_leaks.py has secrets of every kind taken out")
def test_a_secret_in_a_record_is_replaced_and_counted(copy_of_lean: Path) -> None:
    token = "ghp_" + "a1B2c3D4" * 4 + "a1B2"
    log = copy_of_lean / "content/experiments/suite/logs_big/be.jsonl"
    edit(log, '"cart.php"', f'"{token}"')
    done = called(copy_of_lean, "build")
    assert done.returncode == 0, done.stderr
    assert "1 x github-token redacted" in done.stderr
    for path in (copy_of_lean / "_site").rglob("*"):
        assert not path.is_file() or token.encode() not in path.read_bytes(), path
    report = json.loads((copy_of_lean / "_site/data/reports/suite.json").read_bytes())
    assert report["data_digest"] != report["source_digest"]
    done = called(copy_of_lean, "verify", str(copy_of_lean / "_site"))
    assert done.returncode == 0, done.stdout
    assert "digests match" in done.stdout


@at_night("test_locking.py has it of contracts of a user")
def test_lock_never_rewrites_a_row_and_revises_only_when_nothing_moved(copy_of_lean: Path) -> None:
    lock = copy_of_lean / "content/contracts.lock"
    before = json.loads(lock.read_bytes())
    comment(copy_of_lean / "metrics_core" / "measurement" / "grouping.py")
    assert assay(copy_of_lean, "lock").returncode == 3
    done = assay(copy_of_lean, "lock", "--revise", "a comment was added")
    assert done.returncode == 0, done.stderr
    assert "no number moved" in done.stderr
    after = json.loads(lock.read_bytes())
    rows = next(value for value in after.values() if isinstance(value, list))
    was = next(value for value in before.values() if isinstance(value, list))
    assert rows[: len(was)] == was
    assert len(rows) == len(was) + 1
    assert assay(copy_of_lean, "build").returncode == 0


@at_night("test_locking.py refuses one of a user's contract")
def test_lock_refuses_a_revision_that_moves_a_number(copy_of_lean: Path) -> None:
    edit(copy_of_lean / "metrics_core" / "families" / "brownfield" / "grading.py",
         "passed, total = sum(true for _, true in detail), len(detail)",
         "passed, total = sum(true for _, true in detail), max(len(detail), 3)")  # fmt: skip
    edit(copy_of_lean / "metrics_core" / "measurement" / "fixtures.py", "check_results(f", "print(f")
    done = assay(copy_of_lean, "lock", "--revise", "nothing to see")
    assert done.returncode == 3
    assert "numbers moved" in done.stderr
