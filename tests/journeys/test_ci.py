"""What `assay new ci` writes, run as its hosts would: each step of the workflows, in a clone of its own.

A job's steps run in order under ``bash -e``, as GitHub does it; expressions are filled in, and one that is
not known here fails. ``gh`` is a stand-in that keeps comments in a file; its ``--jq`` is jq's own. By day a
change is not checked and built, and GitLab's site not published: these are commands that other tests run, and
each takes seconds; by night they are. What a host does with artifacts is not tried.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from yamllint import linter
from yamllint.config import YamlLintConfig

from site_src.cli import main
from site_src.project import ci_files
from tests.support.by_day import at_night, by_night
from tests.support.small_tables import named, runs_of, write_rows

RUNS = "content/experiments/nightly"
GOOD = ["111", "110", "101", "111"] * 3
WORSE = ["000", "100", "001", "000"] * 3

GH = """\
#!{python}
import json, subprocess, sys
from pathlib import Path
kept = Path({kept!r})
comments = json.loads(kept.read_text())
words = sys.argv[1:]
assert words.pop(0) == "api", words
given = {{}}
for flag in ("--method", "--jq", "-F"):
    if flag in words:
        at = words.index(flag)
        given[flag] = words[at + 1]
        del words[at : at + 2]
if "-F" in given:
    name, _, file = given["-F"].partition("=@")
    body = Path(file).read_text()
if "--method" not in given:
    assert words == ["--paginate", "repos/o/r/issues/7/comments"], words
    shown = subprocess.run(["jq", "-r", given["--jq"]], input=json.dumps(comments), text=True,
                           capture_output=True, check=True)
    print(shown.stdout, end="")
elif given["--method"] == "POST":
    assert words == ["repos/o/r/issues/7/comments"], words
    comments.append({{"id": len(comments) + 1, "user": {{"type": "Bot"}}, name: body}})
else:
    (address,) = words
    number = int(address.removeprefix("repos/o/r/issues/comments/"))
    next(each for each in comments if each["id"] == number)[name] = body
kept.write_text(json.dumps(comments))
"""

YAMLLINT = "{extends: default, rules: {line-length: {max: 120}, comments-indentation: disable}}"


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with runs on main, what `assay new ci` wrote, a ledger, and a remote."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "A Publisher")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "publisher@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", "origin.git")
    git(tmp_path, "clone", "--quiet", f"file://{tmp_path}/origin.git", "work")
    work = tmp_path / "work"
    git(work, "checkout", "--quiet", "-B", "main")
    record(work, [*GOOD[:11], "000"])
    (work / "gate.yaml").write_text("not_worse_by: 0.3\n")
    assert main(["new", "ci", "--quiet"], project=work) == 0
    assert main(["lock", "--quiet"], project=work) == 0
    commit(work, "main")
    return work


def record(work: Path, signs: list[str]) -> None:
    write_rows(work / RUNS / "runs.jsonl", runs_of("m", named(signs)))


def commit(work: Path, branch: str) -> None:
    git(work, "add", "--all")
    git(work, "commit", "--quiet", "--message=Work")
    git(work, "push", "--quiet", "origin", branch)


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    """What a step finds: this program and the stand-ins first on the path."""
    bin_ = tmp_path / "bin"
    bin_.mkdir(exist_ok=True)
    assay = bin_ / "assay"
    assay.write_text(f"#!{sys.executable}\nimport sys\nfrom site_src.cli import main\nsys.exit(main())\n")
    assay.chmod(0o755)
    (bin_ / "python").unlink(missing_ok=True)
    (bin_ / "python").symlink_to(sys.executable)
    repo = str(Path(__file__).resolve().parents[2])
    path = f"{bin_}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": repo, "CI": "true", **more}


def steps(work: Path, job: str) -> Iterator[dict[str, Any]]:
    """The steps of a GitHub job that run commands, in the workflow's environment; not installing."""
    workflow = yaml.safe_load((work / ".github/workflows/assay.yml").read_text())
    for step in workflow["jobs"][job]["steps"]:
        if step.get("name") == "Install":
            assert step["run"] == 'python -m pip install --quiet "$ASSAY"'
        elif "run" in step and (by_night() or step["name"] not in ("Check", "Build")):
            yield {**step, "env": {**workflow["env"], **step.get("env", {})}}


def filled(text: str, known: Mapping[str, str]) -> str:
    return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", lambda found: known[found[1]], text)


def run_job(work: Path, job: str, tmp_path: Path, known: Mapping[str, str]) -> dict[str, tuple[int, str]]:
    """Name of each step that ran -> its exit code and what it said; after a failure only `if:` steps run."""
    found: dict[str, tuple[int, str]] = {}
    failed = False
    for step in steps(work, job):
        if failed and "cancelled()" not in step.get("if", ""):
            continue
        env = {name: filled(value, known) for name, value in step["env"].items()}
        given = {"GITHUB_REPOSITORY": "o/r", "GITHUB_REF_NAME": "main", **env}
        done = subprocess.run(
            ["bash", "-e", "-c", step["run"]],
            cwd=work, env=environment(tmp_path, **given), capture_output=True, text=True, check=False,
        )  # fmt: skip
        found[step["name"]] = (done.returncode, done.stdout + done.stderr)
        failed |= done.returncode != 0
    return found


def test_a_repository_acts_as_its_github_workflow_says(clone: Path, tmp_path: Path) -> None:
    if shutil.which("jq") is None:
        pytest.skip("there is no jq, which gh has inside")
    kept = tmp_path / "comments.json"
    other = {"id": 1, "user": {"type": "User"}, "body": "<!-- assay-gate passed"}
    kept.write_text(json.dumps([other]))
    environment(tmp_path)
    gh = tmp_path / "bin/gh"
    gh.write_text(GH.format(python=sys.executable, kept=str(kept)))
    gh.chmod(0o755)
    known = {"github.base_ref": "main", "github.token": "t", "github.event.pull_request.number": "7"}

    git(clone, "checkout", "--quiet", "-b", "change")
    record(clone, WORSE)
    commit(clone, "change")
    first = run_job(clone, "gate", tmp_path, known)
    codes = {name: code for name, (code, _) in first.items()}
    looked_at = {"Check": 0, "Build": 0} if by_night() else {}
    assert codes == {**looked_at, "Fetch the baseline": 0, "Gate": 5, "Comment": 0}, first
    assert (clone / "_site/index.html").is_file() == by_night()
    comments = json.loads(kept.read_text())
    assert comments[0] == other
    assert "### Gate: FAIL." in comments[1]["body"]
    assert ET.parse(clone / "gate.svg").getroot().attrib["aria-label"].startswith("FAIL. ")

    record(clone, GOOD)
    again = run_job_from(clone, "Fetch the baseline", tmp_path, known)
    assert again["Gate"][0] == 0, again
    comments = json.loads(kept.read_text())
    assert len(comments) == 2, "the last comment is written anew"
    assert "### Gate: PASS." in comments[1]["body"]

    git(clone, "checkout", "--quiet", "main", "--", RUNS)
    same = run_job_from(clone, "Fetch the baseline", tmp_path, known)
    assert same["Gate"] == (0, f"{RUNS} is the same as on the branch that this goes to: nothing was gated\n")


def run_job_from(
    work: Path, name: str, tmp_path: Path, known: Mapping[str, str]
) -> dict[str, tuple[int, str]]:
    """The gate's job once more from a step on, in a checkout in which nothing of the last time stands."""
    for made in ("comment.md", "gate.xml", "gate.svg"):
        (work / made).unlink(missing_ok=True)
    git(work, "worktree", "remove", "--force", "_baseline")
    text = (work / ".github/workflows/assay.yml").read_text()
    workflow = yaml.safe_load(text)
    rest = workflow["jobs"]["gate"]["steps"]
    at = next(number for number, step in enumerate(rest) if step.get("name") == name)
    workflow["jobs"]["gate"]["steps"] = rest[at:]
    (work / ".github/workflows/assay.yml").write_text(yaml.safe_dump(workflow))
    try:
        return run_job(work, "gate", tmp_path, known)
    finally:
        (work / ".github/workflows/assay.yml").write_text(text)


@at_night("a repository acts as its workflow says of a change")
def test_what_comes_to_main_is_published_with_its_record_and_a_badge(clone: Path, tmp_path: Path) -> None:
    record(clone, GOOD)
    commit(clone, "main")
    found = run_job(clone, "publish", tmp_path, {})
    assert {name: code for name, (code, _) in found.items()} == {
        "Publish": 0, "Badge": 0, "Keep the record": 0,
    }, found  # fmt: skip
    assert (clone / "_public/index.html").is_file()
    pushed = git(clone, "ls-tree", "-r", "--name-only", "origin/main").splitlines()
    assert "gate.svg" in pushed
    assert any(path.startswith("content/editions/") for path in pushed)
    assert not any(path.startswith(("_public", "_baseline")) for path in pushed)
    svg = git(clone, "show", "origin/main:gate.svg")
    assert "PASS 30/36" in svg


class Notes(BaseHTTPRequestHandler):
    """GitLab's notes of one merge request, two a page."""

    kept: list[dict[str, Any]]

    def do_GET(self) -> None:
        assert self.headers["PRIVATE-TOKEN"] == "secret-token"
        page = int(self.path.rpartition("page=")[2])
        more = str(page + 1) if len(self.kept) > 2 * page else ""
        self._answer(self.kept[2 * page - 2 : 2 * page], more)

    def do_POST(self) -> None:
        self.kept.append({"id": len(self.kept) + 1, "body": self._body()})
        self._answer(self.kept[-1])

    def do_PUT(self) -> None:
        note = next(n for n in self.kept if n["id"] == int(self.path.rpartition("/")[2]))
        note["body"] = self._body()
        self._answer(note)

    def _body(self) -> str:
        return str(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"])

    def _answer(self, found: object, more: str = "") -> None:
        self.send_response(200)
        self.send_header("X-Next-Page", more)
        self.end_headers()
        self.wfile.write(json.dumps(found).encode())

    def log_message(self, *words: object) -> None:
        """Say nothing."""


@pytest.fixture
def notes() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    kept = [{"id": 1, "body": "one"}, {"id": 2, "body": "two"}, {"id": 3, "body": "three"}]
    server = HTTPServer(("127.0.0.1", 0), type("Kept", (Notes,), {"kept": kept}))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", kept
    server.shutdown()
    server.server_close()
    thread.join()


def gitlab(work: Path, tmp_path: Path, job: str, part: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A part of a GitLab job, its lines in one shell."""
    whole = yaml.safe_load((work / ".gitlab-ci.yml").read_text())
    assert whole[job]["before_script"] == ['python -m pip install --quiet "$ASSAY"']
    lines = [line for line in whole[job][part] if by_night() or line not in ("assay check", "assay build")]
    return subprocess.run(
        ["bash", "-e", "-c", "\n".join(lines)],
        cwd=work, env=environment(tmp_path, **whole["variables"], **more), capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@at_night("the same steps are run as the other workflow says")
def test_a_repository_acts_as_its_gitlab_pipeline_says(
    clone: Path, tmp_path: Path, notes: tuple[str, list[dict[str, Any]]]
) -> None:
    address, kept = notes
    git(clone, "checkout", "--quiet", "-b", "change")
    record(clone, WORSE)
    given = {
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "CI_API_V4_URL": address,
        "CI_PROJECT_ID": "3",
        "CI_MERGE_REQUEST_IID": "9",
    }
    done = gitlab(clone, tmp_path, "gate", "script", **given)
    assert done.returncode == 5, done
    assert (clone / "gate.xml").is_file()
    for token, after in (("", 3), ("secret-token", 4), ("secret-token", 4)):
        said = gitlab(clone, tmp_path, "gate", "after_script", **given, ASSAY_TOKEN=token)
        assert (said.returncode, len(kept)) == (0, after), said
    assert "### Gate: FAIL." in kept[3]["body"]
    if by_night():
        assert gitlab(clone, tmp_path, "pages", "script").returncode == 0
        assert (clone / "public/index.html").is_file()


# ------------------------------------------------------------------------------------------ the files


@pytest.mark.parametrize("runs", [(), ("content/experiments/a", 'content/experiments/"b": {c} # d')])
def test_the_files_are_yaml_that_its_linter_takes(runs: tuple[str, ...]) -> None:
    for file in ci_files("", runs):
        told = list(linter.run(file.data.decode(), YamlLintConfig(YAMLLINT), file.path))
        assert told == [], file.path
        found = yaml.safe_load(file.data)
        variables = found.get("env") or found.get("variables")
        if variables and runs:
            assert variables["RUNS"] == runs[-1]


def test_the_linter_finds_what_is_wrong() -> None:
    assert list(linter.run("a: 1\na: 2\n", YamlLintConfig(YAMLLINT)))


def test_actionlint_takes_the_workflow(tmp_path: Path) -> None:
    if (actionlint := shutil.which("actionlint")) is None:
        pytest.skip("there is no actionlint (its package on the index fetches it from elsewhere)")
    workflow = tmp_path / ".github/workflows/assay.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_bytes(ci_files("github", ())[0].data)
    done = subprocess.run([actionlint, str(workflow)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_no_step_puts_what_others_write_into_a_shell() -> None:
    """A branch's name or a title is somebody's text: it reaches a command as a variable, or not at all."""
    workflow = yaml.safe_load(ci_files("github", ())[0].data)
    for job in workflow["jobs"].values():
        assert not [step for step in job["steps"] if "${{" in step.get("run", "")]
        assert set(job["permissions"]) <= {"contents", "pull-requests", "pages", "id-token"}
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["jobs"]["gate"]["permissions"]["contents"] == "read"


def test_the_action_gates_and_says_what_it_found(repo: Path, tmp_path: Path) -> None:
    for name, signs in (("base", GOOD), ("new", WORSE)):
        write_rows(tmp_path / f"{name}.jsonl", runs_of("m", named(signs)))
    env = environment(tmp_path)
    (tmp_path / "assay").mkdir()
    (tmp_path / "assay/bin").symlink_to(tmp_path / "bin")
    steps_ = yaml.safe_load((repo / "action.yml").read_text())["runs"]["steps"]
    step = next(each for each in steps_ if each.get("id") == "gate")
    inputs = {
        "inputs.baseline": "base.jsonl",
        "inputs.candidate": "new.jsonl",
        "inputs.policy": "",
        "inputs.arm": "",
    }
    given = {name: filled(value, inputs) for name, value in step["env"].items()}
    given |= {"RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "output")}
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]], cwd=tmp_path, env=env | given, capture_output=True, check=False
    )
    assert done.returncode == 5, done
    told = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
    assert told["verdict"] == "fail"
    assert json.loads(Path(told["record"]).read_text())["verdict"] == "fail"
    assert Path(told["comment"]).read_text().startswith("<!-- assay-gate ")
    assert Path(told["badge"]).is_file()


def test_nothing_is_overwritten_and_a_policy_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gate.yaml").write_text("at_least: 0.5\n")
    assert main(["new", "ci", "gitlab"], project=tmp_path) == 0
    assert capsys.readouterr().out == ".gitlab-ci.yml\n"
    assert main(["new", "ci"], project=tmp_path) == 1
    assert ".gitlab-ci.yml: is there already" in capsys.readouterr().err
    assert not (tmp_path / ".github").exists()
    assert main(["new", "ci", "github"], project=tmp_path) == 0
    assert (tmp_path / "gate.yaml").read_text() == "at_least: 0.5\n"


def test_the_action_passes_its_inputs_as_variables(repo: Path) -> None:
    action = yaml.safe_load((repo / "action.yml").read_text())
    assert list(linter.run((repo / "action.yml").read_text(), YamlLintConfig(YAMLLINT))) == []
    runs = [step for step in action["runs"]["steps"] if "run" in step]
    assert runs
    assert not [step for step in runs if "${{" in step["run"]]
    assert all(step["shell"] == "bash" for step in runs)
    used = re.findall(r"inputs\.([\w-]+)", json.dumps(action["runs"]))
    assert set(used) == set(action["inputs"])
