"""The documentation: its site builds without a warning, and each command of a how-to does what it says."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from site_src.cli import parser
from site_src.verification.findings import Check, Verification
from tests.journeys.test_tutorial import run
from tests.support import command_reference, inspect_logs
from tests.support.by_day import at_night, by_night, one_in
from tests.support.small_tables import named, runs_of, write_rows

DOCS = Path(__file__).parents[2] / "docs"


@at_night("test_docs.py follows every link of the documentation")
def test_the_site_of_the_documentation_builds_without_a_warning(repo: Path, tmp_path: Path) -> None:
    mkdocs = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(mkdocs, cwd=repo, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (0, "")
    pages = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.html")}
    written = {path.relative_to(repo / "docs").with_suffix(".html").as_posix().replace("README", "index")
               for path in (repo / "docs").rglob("*.md")}  # fmt: skip
    assert written | {"tutorial.html", "contributing.html", "security.html"} <= pages
    for path in tmp_path.rglob("*.html"):  # nothing is fetched from another host
        assert not re.findall(r'(?:src="|<link [^>]*href=")https?://[^"]+', path.read_text("utf-8")), path


def table(folder: Path) -> None:
    rows = [
        {"case": row["case"], "model": arm, "run": row["run"], "passed": row["passed"]}
        for arm, signs in (("alpha", ["110", "000"]), ("beta", ["111", "100"]))
        for row in runs_of(arm, named(signs * 6))
    ]
    lines = [",".join(rows[0]), *(",".join(str(value) for value in row.values()) for row in rows)]
    (folder / "results.csv").write_text("\n".join(lines) + "\n")


def logs(folder: Path) -> None:
    (folder / "logs").mkdir()
    for name, good in (("base", 5), ("new", 9)):
        samples = [inspect_logs.graded(f"s{n}", "C" if n < good else "I") for n in range(16)]
        told = {**inspect_logs.header()["eval"], "model": f"host/{name}", "run_id": name}
        data = inspect_logs.archive(*samples, eval=told)
        (folder / f"{name}.eval").write_bytes(data)
        (folder / "logs" / f"{name}.eval").write_bytes(data)


def nights(folder: Path) -> None:
    for day, signs in (("01", ["110", "000"]), ("02", ["111", "100"])):
        night = folder / "content" / "experiments" / f"nightly-2026-07-{day}"
        night.mkdir(parents=True)
        write_rows(night / "runs.jsonl", runs_of("agent", named(signs * 8)))


def labels(folder: Path) -> None:
    (folder / "chat").mkdir()
    said = [(f"i{n}", rater, n % 3 > 0) for n in range(30) for rater in ("human:alice", "judge")[n > 15 :]]
    lines = [{"item": item, "rater": by, "verdict": "pass" if good else "fail"} for item, by, good in said]
    (folder / "chat" / "judge-labels.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def two_tables(folder: Path) -> None:
    """A baseline and a better candidate, beside the table of two arms."""
    table(folder)
    for name, signs in (("main", ["110", "000"]), ("branch", ["111", "100"])):
        write_rows(folder / f"{name}.jsonl", runs_of(name, named(signs * 10)))


def with_its_policy(folder: Path) -> None:
    """The policy is the one that the page shows."""
    two_tables(folder)
    shown = re.findall(
        r"^```yaml\n(# gate.yaml\n.*?)^```$", (DOCS / "gate.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    (folder / "gate.yaml").write_text(*shown)


def nothing(folder: Path) -> None:
    assert folder.is_dir()


BEGINS: dict[str, Callable[[Path], None]] = {
    "how-to/csv.md": table, "how-to/inspect.md": logs, "how-to/nightly.md": nights,
    "how-to/contracts.md": nothing, "how-to/publishing.md": table, "how-to/switching.md": nothing,
    "how-to/judges.md": labels,
    "how-to/compare.md": two_tables, "how-to/plan.md": two_tables, "decisions-before-data.md": nothing,
    "gate.md": with_its_policy, "ci.md": nights,
}  # fmt: skip
"""What lies in the folder in which the commands of a page are tried."""

STORES = "how-to/stores.md"
"""Its commands ask a store elsewhere: `test_s3.py` and `test_delivery.py` have the like."""

WHOLE_SITES = ("assay build", "assay publish", "assay verify")
"""Commands that are tried by night; by day it is seen that they are understood."""


SCRIPT = re.compile(r"^ *```sh\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


def test_every_page_with_commands_is_tried() -> None:
    pages = {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in DOCS.rglob("*.md")}
    assert {name for name, text in pages.items() if SCRIPT.search(text)} == {*BEGINS, STORES}
    assert {name for name in pages if name.startswith("how-to/")} <= {*BEGINS, STORES}


def test_the_commands_that_ask_a_store_are_understood() -> None:
    lines = "".join(SCRIPT.findall((DOCS / STORES).read_text("utf-8"))).splitlines()
    asked = [line.strip() for line in lines if line.strip().startswith("assay ")]
    assert len(asked) >= 4
    for line in asked:
        parser().parse_args(shlex.split(line)[1:])


def test_the_page_of_commands_is_up_to_date() -> None:
    """``python -m tests.support.command_reference > docs/commands.md`` writes it anew."""
    assert (DOCS / "commands.md").read_text("utf-8") == command_reference.reference()


def test_each_record_has_the_keys_that_its_page_lists(tmp_path: Path) -> None:
    two_tables(tmp_path)
    page = (DOCS / "json.md").read_text("utf-8")
    listed = [re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE) for part in page.split("| key |")[1:]]
    gate = "assay gate --baseline main.jsonl"
    commands = (
        "assay compute main.jsonl --json", "assay compare main.jsonl branch.jsonl --json",
        f"{gate} --candidate branch.jsonl --json", f"{gate} --self-test 2 --json",
        "assay plan main.jsonl --detect 0.1 --json",
    )  # fmt: skip
    records = [json.loads(run(tmp_path, command).stdout) for command in commands]
    records.append(Verification((Check("files", 0),)).to_json())
    assert [list(record) for record in records] == listed
    schemas = re.findall(r"^\| `schema` \| `(.+)` \|$", page, re.MULTILINE)
    assert [record["schema"] for record in records] == schemas


@one_in(3)
@pytest.mark.parametrize("page", BEGINS)
def test_each_command_of_a_how_to_does_what_it_says(page: str, tmp_path: Path) -> None:
    BEGINS[page](tmp_path)
    text = (DOCS / page).read_text("utf-8")
    scripts = SCRIPT.findall(text)
    assert scripts
    for line in map(str.strip, "".join(scripts).splitlines()):
        if line.startswith("assay "):
            parser().parse_args(shlex.split(line)[1:])
        if by_night() or not line.startswith(WHOLE_SITES):
            made = run(tmp_path, line)
            assert made.returncode == 0, f"{line}\n{made.stdout}{made.stderr}"
