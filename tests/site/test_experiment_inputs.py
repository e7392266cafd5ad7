"""A single file, a table or standard input as an experiment, on the command line."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

import metrics_core as mc
from metrics_core.errors import InputError
from site_src import cli
from site_src.experiment_inputs import ending_of, settings_of

ROWS = "".join(f"t{n},m{n % 2},{n % 3}\n" for n in range(24))
TABLE = f"task,model,rating\n{ROWS}"
TRACE = {"schema": "trace.v1", "agent": "m", "exit_code": 0}


class Standard:
    """Standard input that holds some bytes."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def run(project: Path, *words: str | Path) -> int:
    return cli.main([str(word) for word in words], project=project)


def report_of(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_file_is_an_experiment_and_nothing_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "July.csv").write_text("task,ok\na,1\nb,0\n")
    assert run(tmp_path, "compute", tmp_path / "July.csv", "--json") == 0
    alone = report_of(capsys)
    (tmp_path / "other.csv").write_text("task,ok\nc,1\n")
    (tmp_path / "broken.eval").write_bytes(b"PK\x03\x04")
    (tmp_path / "experiment.yaml").write_text("title: [broken")
    assert run(tmp_path, "compute", tmp_path / "July.csv", "--json") == 0
    assert report_of(capsys) == alone
    assert (alone["records"], alone["problems"]) == (2, [])


def test_a_single_file_of_any_format_is_read(
    tmp_path: Path, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    formats = {
        "inspect": next(iter(sorted((shared_data / "inspect-odd" / "penalty").rglob("*.eval")))),
        "tau-bench": next(iter(sorted((shared_data / "tau-bench").rglob("*.json")))),
        "agentdojo": next(iter(sorted((shared_data / "agentdojo" / "runs").rglob("*.json")))),
    }
    for path in formats.values():
        assert run(tmp_path, "compute", path, "--json") == 0, path
        assert report_of(capsys)["records"] > 0, path


def test_a_familys_own_lines_are_known_by_their_fields(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "".join(json.dumps({**TRACE, "task_id": f"t{n}"}) + "\n" for n in range(9))
    (tmp_path / "mine.jsonl").write_text(lines)
    assert run(tmp_path, "compute", tmp_path / "mine.jsonl", "--json") == 0
    assert report_of(capsys)["families"] == ["traces"]
    assert run(tmp_path, "compute", tmp_path, "--json") == 0
    assert report_of(capsys)["records"] == 9


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_standard_input_is_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, pack: Any
) -> None:
    monkeypatch.setattr("sys.stdin", Standard(pack(b"task,ok\na,1\nb,0\n")))
    assert run(tmp_path, "compute", "-", "--json") == 0
    report = report_of(capsys)
    assert (report["experiment"], report["records"]) == ("stdin", 2)
    monkeypatch.setattr("sys.stdin", Standard(b""))
    assert run(tmp_path, "compute", "-") == 1
    assert "standard input is empty" in capsys.readouterr().err


def test_what_standard_input_is_called(tmp_path: Path) -> None:
    assert ending_of(gzip.compress(b'{"a": 1}\n{"a": 2}\n')) == ".jsonl.gz"
    assert ending_of(b'{"task": "a", "ok": 1}') == ".jsonl"
    assert ending_of(b'{"status": "success", "eval": {"model": "m"}}') == ".json"


def test_flags_are_settings_and_are_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text(TABLE)
    words = ("--map", "outcome=rating", "--scale", "rating=0..2")
    assert run(tmp_path, "compute", tmp_path / "a.csv", "--json", *words) == 0
    computed = report_of(capsys)
    (score,) = (e for e in computed["estimates"] if e["metric"] == "score" and not e["group"])
    assert (score["value"], score["n"], score["N"]) == (0.5, 8, 24)
    assert run(tmp_path, "build", "--experiments", tmp_path / "a.csv", *words) == 0
    (report,) = (tmp_path / "_site" / "data" / "reports").glob("*.json")
    assert json.loads(report.read_bytes())["data_digest"] == computed["data_digest"]
    assert run(tmp_path, "verify", tmp_path / "_site") == 0
    assert "every published number was recomputed" in capsys.readouterr().out


def test_an_import_keeps_what_was_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text(TABLE)
    words = ("--map", "outcome=rating", "--scale", "rating=0..2")
    assert run(tmp_path, "import", "table", tmp_path / "a.csv", tmp_path / "made", *words) == 0
    settings = (tmp_path / "made" / "experiment.yaml").read_text()
    assert "read: task as task, model as arm, rating as outcome" in settings
    assert '"scale": {"rating": [0.0, 2.0]}' in settings or 'scale: {"rating": [0.0, 2.0]}' in settings
    capsys.readouterr()
    assert run(tmp_path, "compute", tmp_path / "made") == 0
    assert "said of it: Imported from tables: 1 file. read: task as task, " in capsys.readouterr().out
    assert run(tmp_path, "compute", tmp_path / "made", "--json") == 0
    (score,) = (e for e in report_of(capsys)["estimates"] if e["metric"] == "score" and not e["group"])
    assert (score["value"], score["contract"]["id"]) == (0.5, "assay/table")
    (tmp_path / "b.csv").write_text("name,ok\na,1\n")
    assert run(tmp_path, "import", "table", tmp_path / "b.csv", tmp_path / "none") == 1
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,ok\na,1\n", "a.csv: no column is the task: there is name, ok (say which: --map task=name;"),
        ("task,accuracy\na,87.5\nb,3\n", "accuracy holds percentages, such as 87.5 (--scale accuracy=0..100"),
        ("", "a.csv: expected a table, the file is empty"),
    ],
)
def test_nothing_usable_is_1_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    (tmp_path / "a.csv").write_text(text)
    for words in (("compute", tmp_path / "a.csv"), ("build", "--experiments", tmp_path / "a.csv")):
        assert run(tmp_path, *words) == 1
        error = capsys.readouterr().err
        assert said in error
        assert error.count("\n") == 1
    assert not (tmp_path / "_site").exists()


def test_one_problem_of_many_records_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "traces").mkdir()
    lines = "".join(json.dumps({**TRACE, "case": f"t{n}"}) + "\n" for n in range(296))
    (tmp_path / "traces" / "a.jsonl").write_text(lines)
    assert run(tmp_path, "compute", tmp_path) == 1
    error = capsys.readouterr().err
    assert "traces/a.jsonl: 296 records, the first in line 1: task_id" in error
    assert "did you mean `case`?" in error


def test_a_column_that_one_experiment_of_a_build_has_not_is_told_with_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, header in (("one", "what,ok"), ("two", "which,ok")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "r.csv").write_text(f"{header}\nt1,1\nt2,0\n")
    words = ("--experiments", tmp_path / "one", tmp_path / "two", "--map", "task=what")
    for command in ("build", "check"):
        assert run(tmp_path, command, *words) == 1
        error = capsys.readouterr().err
        assert 'error: two/r.csv: there is no column "what" (there is which, ok)' in error
    assert not (tmp_path / "_site").exists()


def test_every_command_that_takes_experiments_takes_the_same_flags(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--map", "task=case", "--decimal-comma", "--scale", "rating=1..5")
    for command in ("build", "check", "publish", "preview", "lock"):
        asked = cli.parser().parse_args([command, "--experiments", "a.csv", "-", *words])
        assert settings_of(asked)["source"]["map"] == {"task": ["case"]}
    monkeypatch.setattr("sys.stdin", Standard(b"what,ok\na,1\nb,0\n"))
    assert run(tmp_path, "check", "--experiments", "-", "--map", "task=what") == 0
    assert "checked 1 experiment" in "".join(capsys.readouterr())


@pytest.mark.parametrize("flag", [("--map", "task"), ("--scale", "a=1"), ("--scale", "a=x..2")])
def test_a_flag_that_is_none_is_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: tuple[str, str]
) -> None:
    assert run(tmp_path, "compute", "a.csv", *flag) == 2
    assert "expected" in capsys.readouterr().err


def test_a_scale_upside_down_is_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text(TABLE)
    assert run(tmp_path, "compute", tmp_path / "a.csv", "--scale", "rating=2..1") == 1
    assert "two numbers, the lower first" in capsys.readouterr().err


def test_the_folder_above_nightly_tables_is_refused_and_names_them(tmp_path: Path) -> None:
    for night in ("nightly-2026-11-26", "nightly-2026-11-27"):
        (tmp_path / "nights" / night).mkdir(parents=True)
        (tmp_path / "nights" / night / "r.csv").write_text("model,task,passed\na,t1,1\na,t2,0\n")
    with pytest.raises(InputError) as refused:
        mc.load(tmp_path / "nights")
    assert str(refused.value) == (
        "nights: holds tables whose names differ by their date alone: each is an experiment of its own "
        "(name one: nightly-2026-11-26, nightly-2026-11-27; or all of them: "
        "assay build --experiments nights/*)"
    )
    assert mc.compute(tmp_path / "nights" / "nightly-2026-11-26").records == 2


def test_build_says_how_a_table_was_read_and_where_to_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs.csv").write_text("case,model,passed\n" + "".join(f"t{n},m{n % 2},{n % 2}\n" for n in range(4)))
    assert run(tmp_path, "build", "--experiments", "runs.csv", "--output", "out/site") == 0
    told = capsys.readouterr().err.splitlines()
    assert "finding: runs.csv: read: case as task, model as arm, passed as outcome" in told
    assert told[-1] == "open out/site/index.html"
    assert Path("out/site/index.html").is_file()
