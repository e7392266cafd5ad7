"""Inputs that nobody would write by accident: a value, a problem or an error comes of them, never a crash."""

from __future__ import annotations

import io
import json
import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.redaction.redactor import Redactor
from site_src import cli, pipeline
from site_src.console import Console
from site_src.drawing.text_metrics import fit
from site_src.project.sources import Plan
from site_src.verification import page_numbers, verify
from site_src.wording.numbers import money
from tests.support import small_content
from tests.support.by_day import at_night, by_day, one_in
from tests.support.written_contracts import write_contract

Said = Callable[..., tuple[int, str]]

NAMES = [
    "index",
    "con",
    "nul",
    "aux.txt",
    "a b",
    "a\tb",
    "a\nb",
    "a\rb",
    "<script>alert(1)<",
    '"onmouseover="x',
    "`id`",
    "$(id)",
    ";rm -rf",
    "%2e%2e",
    "%00",
    "~",
    "-rf",
    "--help",
    ".hidden",
    "a.",
    "é",
    "e\u0301",
    "\u202ereversed",
    "\u200bzw",
    "\ufeffbom",
    "模型",
    "x" * 200,
    "\udcff\udcfe",
    "\x1b[31mred",
    "\x07bell",
    "a\\b",
    "a:b",
    "a*b",
    "a?b",
    "a|b",
    "CON",
    "İ",
    "ſ",
    "ﬁ",
    "{{7*7}}",
    "{% raw %}",
    "${7*7}",
    "=cmd()",
    "+1",
    "@x",
    "javascript:alert(1)",
    "data:text,x",
    "&lt;",
    "&amp;",
    "'single",
    "a#b",
    "a&b",
    "💥",
    "\u2028",
    "\x85",
    "..\\..\\x",
    "C:",
    " lead",
    "trail ",
    "__proto__",
    "constructor",
    "manifest.json",
    "files.json",
    "site.json",
    "statement.json",
    ".git",
    ".DS_Store",
    "Thumbs.db",
    "html.html",
    "x.svg",
    "x.htm",
    "x.xhtml",
    "x.js",
    "x.php",
    "x.exe",
    "...",
    "\x7f",
    "a\u0300\u0301",
    "١٢",
    "x.jsonl.jsonl",
    "\U000e0041",
]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs a command; gives its exit code and what it said, which is never a traceback."""

    def run(*words: object) -> tuple[int, str]:
        code = cli.main([str(word) for word in words])
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        return code, told.err + told.out

    return run


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A small experiment."""
    return experiment(tmp_path / "suite", small_content.runs("alpha"))


def experiment(folder: Path, runs: list[dict[str, Any]]) -> Path:
    (folder / "logs_big").mkdir(parents=True)
    (folder / "logs_big" / "a.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs), "utf-8")
    return folder


def changed(**fields: Any) -> list[dict[str, Any]]:
    return [{**run, **fields} for run in small_content.runs("alpha")]


def built(folder: Path, site: Path) -> Path:
    pipeline.build(Plan(content=None, experiments=(folder,), output=site, redactor=Redactor()))
    return site


# ------------------------------------------------------------------------------------------ values


@pytest.mark.parametrize(
    "stamp", ["0001-01-01T00:00:00+12:00", "9999-12-31T23:59:59-12:00", "0000-01-01", "soon"]
)
def test_a_moment_that_no_calendar_has_in_utc_is_invalid(tmp_path: Path, stamp: str) -> None:
    report = mc.compute(mc.load(experiment(tmp_path / "e", changed(stamp=stamp))))
    assert len(report.problems) == 10
    assert {problem.field for problem in report.problems} == {"stamp"}


@pytest.mark.parametrize("stamp", ["0010-01-01", "0001-01-01T12:00:00+12:00", "9999-12-31T12:00:00-11:00"])
def test_the_first_and_the_last_day_are_days(tmp_path: Path, stamp: str) -> None:
    report = mc.compute(mc.load(experiment(tmp_path / "e", changed(stamp=stamp))))
    assert report.problems == ()
    (point,) = {value for e in report.estimates for key, value in e.group if key == "stamp"}
    assert point.startswith(stamp[:10])


@pytest.mark.parametrize("field", ["wall_s", "cost"])
def test_a_quantity_that_cannot_be_added_up_is_invalid(tmp_path: Path, field: str) -> None:
    runs = [*changed(**{field: 1e12}), *changed(**{field: 1e308})]
    report = mc.compute(mc.load(experiment(tmp_path / "e", runs)))
    assert {problem.field for problem in report.problems} == {field}
    assert len(report.problems) == 10


def test_an_amount_whose_thousands_are_set_apart_is_read_back_whole() -> None:
    row = {"n": 1, "N": 1, "value": 12345.67, "unit": "USD", "withheld": None, "bounds": None,
           "interval": {"lo": None, "hi": None}}  # fmt: skip
    for amount, fine in ((12345.67, True), (92345.67, False)):
        seen = page_numbers.ShownNumber("x", f"costs {money(amount)} in all")
        assert (list(page_numbers.faults(seen, {"x": row}, "index.html")) == []) is fine


def test_a_name_of_any_length_costs_no_more_than_can_be_drawn() -> None:
    began = time.monotonic()
    for size in (10, 100_000):
        assert len(fit("m" * size, 60)) < 12
    assert time.monotonic() - began < 2


@at_night("hostile names of files and folders are built")
def test_a_folder_whose_name_is_no_text_is_built(tmp_path: Path) -> None:
    site = built(experiment(tmp_path / "\udcff\u202e", changed()), tmp_path / "site")
    assert "\\xff" in json.loads((site / "site.json").read_bytes())["experiments"][0]["title"]
    assert verify.verify(site).holds


# ------------------------------------------------------------------------------------------ files


def test_eighty_names_as_file_folder_link_and_pipe(suite: Path, tmp_path: Path) -> None:
    """By day one in four of the eighty."""
    assert len(set(NAMES)) == len(NAMES) >= 80
    names = [name for name in NAMES if by_day(name, 4)]
    outside = tmp_path / "outside.txt"
    outside.write_text("never read")
    for number, name in enumerate(names):
        (suite / "logs_big" / f"{name}.jsonl").write_text(
            json.dumps({**small_content.runs("be")[0], "rep": number})
        )
        for kind in ("files", "folders", "links", "pipes"):
            (suite / kind).mkdir(exist_ok=True)
        (suite / "files" / name).write_text("<script>alert(1)</script>")
        (suite / "folders" / name).mkdir()
        (suite / "folders" / name / "a.html").write_text("<script>alert(1)</script>")
        (suite / "links" / name).symlink_to(outside)
        os.mkfifo(suite / "pipes" / name)
    site = built(suite, tmp_path / "site")
    report = json.loads((site / "data/reports/suite.json").read_bytes())
    assert len(report["problems"]) == 2 * len(names)
    assert report["records"] == 10 + len(names)
    assert not any(b"never read" in path.read_bytes() for path in site.rglob("*") if path.is_file())
    assert verify.verify(site).holds


@at_night("links and pipes of many names are left alone")
def test_a_site_whose_experiment_holds_what_is_no_file_verifies(suite: Path, tmp_path: Path) -> None:
    held = socket.socket(socket.AF_UNIX)
    try:
        os.chdir(suite)
        held.bind("s")
    finally:
        os.chdir(tmp_path)
        held.close()
    (suite / "experiment.yaml").symlink_to("elsewhere")
    site = built(suite, tmp_path / "site")
    assert len(json.loads((site / "data/reports/suite.json").read_bytes())["problems"]) == 2
    found = verify.verify(site)
    assert [fault for row in found.rows for fault in row.faults] == []


# ---------------------------------------------------------------------------- where the site goes


@pytest.mark.parametrize("keeps", ["manifest.json", ".git"])
def test_a_folder_of_others_is_left_alone(said: Said, suite: Path, tmp_path: Path, keeps: str) -> None:
    site = tmp_path / "site"
    if keeps == ".git":
        built(suite, site)
        (site / ".git").mkdir()
        (site / ".git" / "HEAD").write_text("ref: refs/heads/main")
    else:
        site.mkdir()
        (site / keeps).write_text('{"name": "a web application"}')
    (site / "work.txt").write_text("years")
    code, told = said("build", "--experiments", suite, "--output", site)
    assert code == 3
    foreign = "no build put there, which would be lost: work.txt, .git/HEAD"
    what = foreign if keeps == ".git" else "not a site that"
    assert what in told
    assert (site / "work.txt").read_text() == "years"


@pytest.mark.parametrize("inside", ["suite", "suite/site", "suite/logs_big/site"])
def test_a_site_among_inputs_is_refused(said: Said, suite: Path, tmp_path: Path, inside: str) -> None:
    before = sorted(suite.rglob("*"))
    code, told = said("build", "--experiments", suite, "--output", tmp_path / inside)
    assert code == 1
    assert "which it is made from" in told
    assert sorted(suite.rglob("*")) == before


@one_in(3)
@pytest.mark.parametrize(("inside", "code"), [("content/site", 1), ("content", 1), ("content/_site", 0)])
def test_a_site_among_the_pages_is_refused(said: Said, tmp_path: Path, inside: str, code: int) -> None:
    content = small_content.write_suite(tmp_path / "content")
    assert said("build", "--content", content, "--output", tmp_path / inside)[0] == code


def test_folders_above_a_site_are_made(suite: Path, tmp_path: Path) -> None:
    assert (built(suite, tmp_path / "new" / "newer" / "site") / "index.html").is_file()


def test_a_path_that_no_disk_can_hold_is_an_error(said: Said, suite: Path, tmp_path: Path) -> None:
    assert said("compute", "x" * 5000)[0] == 1
    assert said("build", "--experiments", suite, "--output", tmp_path / ("x" * 300))[0] in (1, 3)


# ------------------------------------------------------------------------------------------ settings


@pytest.mark.parametrize("name", ["site.yaml", "contracts.lock", "experiments/suite/experiment.yaml"])
def test_a_folder_in_place_of_a_file_is_no_default(said: Said, tmp_path: Path, name: str) -> None:
    content = small_content.write_suite(tmp_path / "content")
    (content / name).unlink(missing_ok=True)
    (content / name).mkdir()
    code, text = said("build", "--content", content, "--output", tmp_path / "site")
    assert code != 0
    assert f"{Path(name).name}: expected a file, got" in text
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ('url: "https://[::1/"', "expected an address"),
        ('url: "https://h:99999/"', "expected an address"),
        ('url: "https://a/\\"><script>"', "expected an address"),
        ('url: "https://a b/"', "expected an address"),
        ('experiments: ["/etc/*"]', "no pattern of paths below the content folder"),
        ('experiments: ["**x"]', "no pattern of paths below the content folder"),
        ('experiments: [""]', "site.yaml:2#/experiments/0: expected text"),
        ('experiments: ["."]', "no pattern of paths below the content folder"),
        ('pricing: ["/etc/*"]', "no pattern of paths below the content folder"),
    ],
)
def test_a_setting_that_cannot_be_is_said_so(said: Said, tmp_path: Path, settings: str, told: str) -> None:
    content = small_content.write_suite(tmp_path / "content")
    (content / "site.yaml").write_text(f"title: Small\n{settings}\n")
    code, text = said("build", "--content", content, "--output", tmp_path / "site")
    assert code == 1
    assert text.startswith("error: site.yaml")
    assert told in text


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("contracts: [{file: nowhere.py}]", "there is no contract 'nowhere.py'"),
        ('contracts: [{file: c.py, from: "0001-01-01T00:00:00+14:00"}]', "expected a date such as"),
    ],
)
def test_a_contract_that_is_not_there_is_said_so(said: Said, suite: Path, settings: str, told: str) -> None:
    (suite / "experiment.yaml").write_text(settings)
    code, text = said("compute", suite)
    assert code == 1
    assert told in text


def test_a_byte_order_mark_before_prose_is_passed_over(tmp_path: Path) -> None:
    content = small_content.write_suite(tmp_path / "content")
    (content / "index.md").write_bytes(b"\xef\xbb\xbf---\ntitle: Marked\n---\n\nProse.\n")
    pipeline.build(Plan(content=content, output=tmp_path / "site", redactor=Redactor()))
    assert "<h1>Marked</h1>" in (tmp_path / "site" / "index.html").read_text("utf-8")


# ---------------------------------------------------------------------------- contracts, terminals


def test_a_scorer_that_crashes_on_a_record_fails_its_family_alone(suite: Path, tmp_path: Path) -> None:
    (suite / "contracts").mkdir()
    write_contract(suite / "contracts", "if trace.get('rep') == 7: import os; os._exit(3)\nreturn 1.0")
    (suite / "traces").mkdir()
    traces = [
        {"schema": "trace.v1", "task_id": f"t{n}", "agent": "a", "rep": n, "go": True} for n in range(9)
    ]
    (suite / "traces" / "a.jsonl").write_text("".join(json.dumps(trace) + "\n" for trace in traces))
    site = built(suite, tmp_path / "site")
    controls = json.loads((site / "data/reports/suite.json").read_bytes())["controls"]
    assert [c["state"] for c in controls if c["name"] == "scorer"] == ["failed"]
    assert verify.verify(site).holds


def test_a_terminal_that_knows_few_characters_is_shown_them_all() -> None:
    told = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    before, sys.stdout = sys.stdout, told
    try:
        Console().result("median · 1\u202f100")
    finally:
        sys.stdout = before
    assert told.buffer.getvalue() == b"median \\xb7 1\\u202f100\n"  # type: ignore[attr-defined]
