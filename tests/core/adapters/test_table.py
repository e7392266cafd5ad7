"""Plain tables: columns by their names, cells as people write them, refusals that say what is missing."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import zstandard

import metrics_core as mc
from metrics_core.adapters import ADAPTERS
from metrics_core.adapters.table import claims, convert
from metrics_core.engine import reviews
from metrics_core.errors import AssayError, ConfigError, FormatError
from metrics_core.formats import Declared, Element, OutsideFile, Reading, utc
from metrics_core.results import Problem, Report, told_together

HEADER = "case,model,run,passed\n"


def made(
    text: str | bytes,
    path: str = "t.csv",
    *,
    map: Mapping[str, tuple[str, ...]] | None = None,  # noqa: A002 (as the setting is called)
    comma: bool = False,
    scale: Mapping[str, tuple[float, ...]] | None = None,
    words: Mapping[str, float] | None = None,
    names: tuple[str, ...] = (),
) -> list[Any]:
    data = text if isinstance(text, bytes) else text.encode()
    reading = Reading(map=map or {}, decimal_comma=comma, scale=scale or {}, words=words or {})
    return list(convert(OutsideFile(path=path, data=data, reading=reading, names=names)))


def records(items: list[Any]) -> list[dict[str, Any]]:
    return [dict(item.record) for item in items if isinstance(item, Element)]


def told(items: list[Any]) -> list[str]:
    return [str(item) for item in items if isinstance(item, Problem)]


def refused(text: str | bytes, path: str = "t.csv", **more: Any) -> FormatError:
    with pytest.raises(FormatError) as error:
        made(text, path, **more)
    return error.value


def report_of(path: Path, text: str | bytes, **settings: Any) -> Report:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return mc.compute(mc.load(path, settings=settings))


def whole(report: Report, metric: str = "score") -> Any:
    (found,) = (e for e in report.estimates if e.metric == metric and not e.group)
    return found


# ------------------------------------------------------------------ the shared data set

FACTS = {"alpha": (75, 142, 148), "beta": (97, 144, 148)}


@pytest.mark.parametrize(
    ("file", "not_known"),
    [("rows.jsonl", "errors"), ("long.csv", "unknown"), ("nemo", "errors")],
)
def test_one_data_set_in_three_forms_gives_one_result(shared_data: Path, file: str, not_known: str) -> None:
    report = mc.compute(shared_data / "tables" / file)
    arms = {e.group["model"]: e for e in report.find("score") if e.group.names == ("model",)}
    assert {arm: (e.n, e.N, e.attempts) for arm, e in arms.items()} == FACTS
    assert (getattr(arms["alpha"], not_known), getattr(arms["beta"], not_known)) == (6, 4)
    (pair,) = (c for c in report.comparisons if c.metric == "score")
    assert (pair.a, pair.b, pair.paired_on) == ("alpha", "beta", 50)
    assert pair.difference == pytest.approx(-0.1467, abs=5e-5)
    assert (pair.interval.lo, pair.interval.hi) == pytest.approx((-0.240, -0.053), abs=5e-4)
    assert pair.p == pytest.approx(0.0028, abs=5e-5)
    assert {e.contract.id for e in arms.values()} == {"assay/table"}
    assert report.problems == ()


def test_task_means_are_read_as_such_and_say_so(shared_data: Path, tmp_path: Path) -> None:
    for arm in ("alpha", "beta"):
        data = (shared_data / "tables" / f"{arm}-task-means.csv").read_bytes()
        (tmp_path / f"{arm}.csv").write_bytes(data)
    report = mc.compute(tmp_path)
    (pair,) = (c for c in report.comparisons if c.metric == "score")
    assert pair.difference == pytest.approx(-0.1467, abs=5e-5)
    assert (pair.interval.lo, pair.interval.hi) == pytest.approx((-0.240, -0.053), abs=5e-4)
    (alpha,) = (e for e in report.find("score") if e.group == (("model", "alpha"),))
    assert any("holds one mean a task: 50 tasks are counted" in note for note in alpha.notes)
    assert sum(isinstance(found, Declared) for found in report.findings) == 2


def test_a_share_beside_a_pass_is_the_score_of_one_try_and_no_mean_of_several(tmp_path: Path) -> None:
    rows = "".join(f"t{n},{arm},{n % 2},0.{n}\n" for n in range(1, 4) for arm in "xy")
    (tmp_path / "t.csv").write_text(f"task,model,passed,score\n{rows}")
    report = mc.compute(tmp_path / "t.csv")
    assert not any(isinstance(found, Declared) for found in report.findings)
    (tmp_path / "m.csv").write_text(f"task,model,score\n{re.sub(r',[01],', ',', rows)}")
    means = mc.compute(tmp_path / "m.csv")
    (of_all,) = (e for e in means.find("score") if not e.group)
    said = "holds one mean a task: 3 tasks are counted, and how many runs are behind each is not known"
    assert of_all.notes == (f"m.csv {said}",)
    assert list(told_together(means.findings)).count(f"m.csv: {said}") == 1


def test_where_no_arm_is_named_the_flag_that_names_one_is_told(tmp_path: Path) -> None:
    (tmp_path / "alone.csv").write_text("task,passed\na,1\nb,0\n")
    said = [found.what for found in mc.compute(tmp_path / "alone.csv").findings]
    (line,) = (what for what in said if what.startswith("read: "))
    assert "the file's name as arm (no column names one: --map arm=COLUMN would)" in line
    (tmp_path / "blank.csv").write_text("task,model,passed\na,x,1\nb,,0\n")
    (problem,) = mc.compute(tmp_path / "blank.csv").problems
    assert problem.place == "blank.csv:3#/model"
    assert problem.what == (
        "expected the arm, the cell is blank: the row names no arm and is in no arm's numbers; "
        "--map arm=COLUMN names one, if there is one"
    )


def test_labels_of_raters_are_labels_under_any_name_and_no_table(shared_data: Path, tmp_path: Path) -> None:
    labels = shared_data / "tables" / "judge-labels.jsonl"
    for path in (labels, shutil.copy(labels, tmp_path / "rows.jsonl")):
        report = mc.compute(path)
        assert report.usable
        assert report.families == ("judges",)
        assert report.problems == ()


# ------------------------------------------------------------------ which column is what


def test_names_are_read_without_case_spaces_and_punctuation() -> None:
    items = made('Item ID;"Model Name";Is Correct?;Latency (ms);Tokens-In;notes\nq1;m;1;1500;70;x\n')
    (record,) = records(items)
    assert (record["task_id"], record["agent"], record["scores"]) == ("q1", "m", {"Is Correct?": 1.0})
    assert (record["wall_s"], record["prompt_tokens"]) == (1.5, 70)
    assert told(items) == [
        (
            't.csv: read: "Item ID" as task, "Model Name" as arm, "Is Correct?" as outcome, '
            '"Tokens-In" as input tokens, "Latency (ms)" as latency; 1 column not read: notes'
        )
    ]


@pytest.mark.parametrize(
    "column",
    [
        "started", "Started at", "start", "start_time", "run date", "begin", "Beginn", "début", "inicio",
        "timestamp",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "cell",
    [
        "2026-11-29T02:00:00Z", "2026-11-29 02:00:00", "2026-11-29T03:00:00+01:00", "1795917600",
        "1795917600.25", "1795917600000", "1795917600000000", "1795917600000000000",
    ],
)  # fmt: skip
def test_when_a_run_was_is_read_under_the_names_and_in_the_ways_that_people_write_it(
    column: str, cell: str
) -> None:
    """The moment is 1795917600 seconds since 1970, by `date -u -d 2026-11-29T02:00:00 +%s`."""
    items = made(f"task,passed,{column}\na,1,{cell}\nb,0,{cell}\n")
    stamps = [record["stamp"] for record in records(items)]
    assert [utc(stamp) for stamp in stamps] == ["2026-11-29T02:00:00Z"] * 2
    assert "as stamp" in told(items)[0]


@pytest.mark.parametrize("cell", ["29.11.2026", "soon", "7", "12345678", "99999999999", "-1795917600", "1e9"])
def test_what_is_no_time_is_not_taken_for_one_and_told(cell: str) -> None:
    items = made(f"task,passed,started\na,1,{cell}\n")
    assert all(record.get("stamp") is None for record in records(items))
    assert any("cannot be read as stamp: not recorded" in line and cell in line for line in told(items))


@pytest.mark.parametrize("column", ["time", "duration", "Zeit"])
def test_a_column_of_times_that_holds_dates_says_when_a_run_was(column: str) -> None:
    items = made(f"task,passed,{column}\na,1,2026-11-29T02:00:00Z\nb,0,2026-11-30\n")
    assert [record["stamp"][:10] for record in records(items)] == ["2026-11-29", "2026-11-30"]


@pytest.mark.parametrize("cell", ["1795917600", "1500000000", "20261129", "12.5"])
def test_a_number_in_a_column_of_times_without_a_unit_may_be_how_long_and_is_no_date(cell: str) -> None:
    items = made(f"task,passed,elapsed\na,1,{cell}\n")
    assert all(record.get("stamp") is None for record in records(items))
    assert any("it names no unit" in line for line in told(items))


def test_times_that_name_no_unit_and_are_no_dates_stay_unread() -> None:
    assert any(
        "it names no unit" in line for line in told(made("task,passed,time\na,1,12.5\nb,0,2026-11-29\n"))
    )


def test_two_columns_of_one_role_are_no_guess() -> None:
    error = refused("id,question,score\n1,why,1\n")
    assert error.problem == "2 columns could be the task: id, question"
    assert error.hint.startswith("say which: --map task=id or --map task=question;")
    assert records(made("id,question,score\n1,why,1\n", map={"task": ("id",)}))[0]["task_id"] == "1"
    assert "2 columns could be the arm: model, agent" in refused("task,model,agent,ok\n1,a,b,1\n").problem


def test_what_is_missing_is_named_with_the_flag() -> None:
    error = refused("name,passed\nx,1\n")
    assert error.problem == "no column is the task: there is name, passed"
    assert error.hint.startswith("say which: --map task=name;")
    assert refused("1,passed\n2,1\n").hint.startswith("say which: --map task=COLUMN;")
    assert "no column is the outcome" in refused("task,verdict\nx,pass\n").problem
    assert 'there is no column "naem"' in refused("name,passed\nx,1\n", map={"task": ("naem",)}).problem
    assert refused("name,passed\nx,1\n", map={"task": ("naem",)}).hint == "nearest: name"
    assert '"colour" is no role' in refused("name,passed\nx,1\n", map={"colour": ("name",)}).problem


def crossed(header: str, row: str, *, tries: int = 1) -> str:
    """Five tasks under two providers, each tried so often."""
    rows = (
        row.format(t=f"t{t}", p=p, n=n, ok=int(p == "acme"), at=f"{t}-{p}-{n}")
        for p in ("acme", "zeta")
        for t in range(5)
        for n in range(tries)
    )
    return header + "\n" + "".join(line + "\n" for line in rows)


def test_arms_in_a_column_that_is_not_read_are_no_tries_of_one_arm(tmp_path: Path) -> None:
    text = crossed("case,provider,passed", "{t},{p},{ok}")
    error = refused(text)
    assert error.problem == (
        'provider (2 values, such as "acme", "zeta") tells rows of one task apart, and is not read'
    )
    assert error.hint.startswith("say which: --map arm=provider or --map unread=provider; ")
    report = report_of(tmp_path / "a.csv", text)
    assert not report.usable
    source = {"format": "table", "map": {"arm": ["provider"]}}
    arms = report_of(tmp_path / "a.csv", text, source=source).find("score")
    assert {e.group["model"]: (e.n, e.N) for e in arms if e.group.names == ("model",)} == {
        "acme": (5, 5),
        "zeta": (0, 5),
    }
    source = {"format": "table", "map": {"unread": ["provider"]}}
    e = whole(report_of(tmp_path / "a.csv", text, source=source))
    assert (e.n, e.N) == (5, 10)


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("Q #,it's $HOME,Did it work?", {"task": "Q #", "outcome": "Did it work?"}),
        ("the `q`'s,Did it work?", {"task": "the `q`'s", "outcome": "Did it work?"}),
        ("q,m,r", {"task": "q", "outcome": "r"}),
    ],
)
def test_a_refusal_ends_with_a_command_that_a_shell_reads_as_it_is_meant(
    header: str, said: dict[str, str]
) -> None:
    texts = [f"{header}\n"] + [
        ",".join([f"F{n}", *["x"] * (header.count(",") - 1), str(n % 2)]) + "\n" for n in range(10)
    ]
    command = refused("".join(texts)).hint.rpartition("; such as: ")[2]
    echoed = subprocess.run(["/bin/sh", "-c", f"printf '%s\\n' {command}"], capture_output=True, check=True)
    words = echoed.stdout.decode().splitlines()
    assert words[:2] == ["assay", "compute"]
    assert words[3:] == [word for role, name in said.items() for word in ("--map", f"{role}={name}")]
    found = records(made("".join(texts), map={role: (name,) for role, name in said.items()}))
    assert len(found) == 10


def test_a_refusal_whose_flags_leave_a_blank_ends_with_no_command() -> None:
    text = "q,verdict\n" + "".join(f"F{n},{['good', 'bad'][n % 2]}\n" for n in range(10))
    assert "such as" not in refused(text).hint


def test_outcomes_within_an_object_are_told_with_what_makes_columns_of_them() -> None:
    text = "".join(f'{{"task": "t{n}", "model": "m", "metrics": {{"passed": {n % 2}}}}}\n' for n in range(10))
    told = str(refused(text, "my rows.jsonl"))
    assert "metrics holds passed within it: jq -c '. + .metrics' 'my rows.jsonl' | assay compute -" in told


def test_all_that_a_table_leaves_open_is_asked_at_once() -> None:
    text = crossed("name,provider,iteration,verdict", "{t},{p},{n},{ok}", tries=3)
    error = refused(text)
    assert error.hint.startswith(
        "say all at once: --map task=name or --map task=provider, and --map outcome=verdict, and --map "
        "arm=provider or --map unread=provider, and --map rep=iteration or --map unread=iteration; "
    )
    said = {"task": ("name",), "outcome": ("verdict",), "arm": ("provider",), "rep": ("iteration",)}
    found = records(made(text, map=said))
    assert {(r["task_id"], r["agent"], r["rep"]) for r in found} == {
        (f"t{t}", p, n) for t in range(5) for p in ("acme", "zeta") for n in range(3)
    }


@pytest.mark.parametrize(
    ("header", "row", "flags"),
    [
        ("task,model,prompt,ok", "{t},m,{p},{ok}", ("--map split=prompt", "--map arm=prompt")),
        ("task,temperature,ok", "{t},{p},{ok}", ("--map arm=temperature",)),
        ("task,ok,verdict", "{at},{ok},fail", ("--map outcome=ok --map outcome=verdict",)),
        (
            "task,ok,fluent",
            "{t},{ok},{ok}",
            ("--map outcome=ok --map outcome=fluent", "--map rep=fluent", "--map arm=fluent"),
        ),
        ("id,model,what,ok", "{at},{p},{t},{ok}", ("--map task=what",)),
    ],
    ids=["condition", "numbers", "verdicts", "grades", "numbered"],
)
def test_other_columns_by_which_a_number_would_be_wrong_are_asked_for(
    header: str, row: str, flags: tuple[str, ...]
) -> None:
    text = crossed(header, row)
    if "temperature" in header:
        text = text.replace("acme", "0").replace("zeta", "0.7")
    error = refused(text)
    column = flags[0].rpartition("=")[2]
    assert error.hint.startswith(f"say which: {' or '.join((*flags, f'--map unread={column}'))}; ")
    made(text, map={"unread": (column,)})


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("task,topic,model,ok", "{t},topic of {t},{p},{ok}"),  # the same for all tries of a task
        ("task,model,run,notes,ok", "{t},{p},{n},seen by {p},{ok}"),  # tries are told apart already
        ("task,model,notes,ok", "{t},{p},{at} was odd,{ok}"),  # another in every row
        ("task,model,steps,ok", "{t},{p},{at},{ok}"),  # a count, and no number of a try
    ],
)
def test_a_column_that_moves_no_number_is_left_in_peace(header: str, row: str) -> None:
    text = crossed(header, row, tries=2).replace(",t", ",1").replace("-acme-", "7").replace("-zeta-", "3")
    assert len(records(made(text))) == 20


def test_a_column_may_be_left_whatever_it_is_called() -> None:
    text = "id,question,score\n1,why,1\n"
    items = made(text, map={"unread": ("id",)})
    assert records(items)[0]["task_id"] == "why"
    assert "1 column not read: id" in told(items)[0]
    spaced = crossed("case,model's maker,passed", "{t},{p},{ok}")
    assert '--map "arm=model\'s maker"' in refused(spaced).hint


def test_a_role_may_be_named_by_what_people_call_it() -> None:
    (record,) = records(made("name,fine\nx,yes\n", map={"case": ("name",), "passed": ("fine",)}))
    assert (record["task_id"], record["scores"]) == ("x", {"fine": 1.0})


def test_several_columns_of_outcomes_are_several_scorers() -> None:
    (record,) = records(made("task,correct,score,value\nx,1,0.5,long text\n"))
    assert record["scores"] == {"correct": 1.0, "score": 0.5}
    items = made("task,correct,score,value\nx,1,0.5,long text\n")
    assert any("value is not read: it holds" in line for line in told(items))


def test_the_arm_is_the_files_name_and_among_files_of_one_name_the_folders() -> None:
    assert records(made("task,ok\nx,1\n", "runs/gpt-4o.csv"))[0]["agent"] == "gpt-4o"
    items = made("task,ok\nx,1\n", "runs/gpt-4o/results.csv", names=("runs/o3/results.csv",))
    assert records(items)[0]["agent"] == "runs/gpt-4o"
    assert "the folder's name as arm" in told(items)[0]


def test_latency_wants_a_unit() -> None:
    items = made("task,ok,duration\nx,1,3\n")
    assert "wall_s" not in records(items)[0]
    assert "duration is not read: it names no unit" in told(items)[0] + told(items)[1]


def test_a_repetition_that_is_no_number_is_numbered() -> None:
    found = records(made("task,ok,seed\nx,1,s-b\nx,0,s-a\ny,1,s-b\n"))
    assert [record["rep"] for record in found] == [1, 2, 1]


def test_a_split_is_a_stratum_and_a_repository_a_key_of_clusters(tmp_path: Path) -> None:
    rows = "".join(f"t{n},{n % 2},{'dev' if n < 10 else 'test'},r{n % 4}\n" for n in range(20))
    report = report_of(tmp_path / "a.csv", "task,ok,split,repo\n" + rows)
    whole_ = [e for e in report.find("score") if not e.group]
    assert {e.stratum["split"]: e.N for e in whole_} == {"dev": 10, "test": 10}
    source = {"format": "table", "map": {"cluster": ["repo"]}}
    by_repo = mc.load(tmp_path / "a.csv", settings={"source": source})
    assert by_repo.settings.cluster == ("repo",)
    assert mc.compute(by_repo).find("score")[0].interval.clusters in (4, None)


# ------------------------------------------------------------------ what a cell says


@pytest.mark.parametrize(
    ("cell", "known", "unknown", "errors", "invalid"),
    [
        ("yes", 1, 0, 0, 0), ("FALSE", 1, 0, 0, 0), ("Passed", 1, 0, 0, 0), ("0.25", 1, 0, 0, 0),
        ("", 0, 1, 0, 0), ("n/a", 0, 1, 0, 0), ("NaN", 0, 1, 0, 0),
        ("timeout", 0, 0, 1, 0), ("Infra_Error", 0, 0, 1, 0), ("maybe", 0, 0, 0, 1), ("C", 0, 0, 0, 1),
    ],
)  # fmt: skip
def test_each_cell_is_one_of_four_things(
    tmp_path: Path, cell: str, known: int, unknown: int, errors: int, invalid: int
) -> None:
    e = whole(report_of(tmp_path / "a.csv", f"task,ok\na,1\nb,0\nc,{cell}\n"))
    assert (e.known - 2, e.unknown, e.errors, e.invalid) == (known, unknown, errors, invalid)


def test_an_error_is_no_verdict_whatever_stands_beside_it(tmp_path: Path) -> None:
    rows = [
        {"task": "a", "ok": True, "error": None},
        {"task": "b", "ok": False, "error": "529 overloaded"},
        {"task": "c", "ok": False, "error": ""},
        {"task": "d", "ok": None, "error": False},
    ]
    e = whole(report_of(tmp_path / "a.json", json.dumps(rows)))
    assert (e.n, e.N, e.errors, e.unknown) == (1, 2, 1, 1)


def test_a_status_is_an_error_by_known_words_alone(tmp_path: Path) -> None:
    e = whole(report_of(tmp_path / "a.csv", "task,ok,status\na,1,completed\nb,0,timeout\nc,0,failed\n"))
    assert (e.n, e.N, e.errors) == (1, 2, 1)
    items = made("task,ok,status\na,1,open\nb,0,closed\n")
    assert any("status is not read" in line for line in told(items))


@pytest.mark.parametrize("cells", [("87.5", "3"), ("87.5 %", "3%"), ("100", "0")])
def test_percentages_are_refused_with_the_scale_that_reads_them(cells: tuple[str, str]) -> None:
    text = f"task,accuracy\na,{cells[0]}\nb,{cells[1]}\n"
    error = refused(text)
    assert "accuracy holds percentages" in error.problem
    assert "--scale accuracy=0..100" in error.hint
    found = records(made(text, scale={"accuracy": (0, 100)}))
    assert found[0]["scores"]["accuracy"] == float(cells[0].strip(" %"))


def test_a_decimal_comma_is_read_where_it_is_said() -> None:
    text = "task;score\na;0,5\nb;1,0\n"
    error = refused(text)
    assert "a decimal comma?" in error.problem
    assert "--decimal-comma" in error.hint
    assert [record["scores"]["score"] for record in records(made(text, comma=True))] == [0.5, 1.0]


# ------------------------------------------------------------------ how a file is written


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_any_delimiter_and_byte_order_mark(mark: str, encoding: str) -> None:
    text = HEADER.replace(",", mark) + f'"é{mark} ""x""\nline two"{mark}m{mark}1{mark}yes\r\n'
    (record,) = records(made(text.encode(encoding)))
    name = " ".join(f'é{mark} "x" line two'.split())
    assert (record["task_id"], record["agent"], record["rep"]) == (name, "m", 1)


ROWS = [{"case": f"t{n}", "passed": n % 3 > 0} for n in range(12)]
TABLE = b"case,passed\n" + b"".join(b"t%d,%s\n" % (n, b"yes" if n % 3 else b"no") for n in range(12))
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()


def parquet(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", LINES),
        ("a.json", json.dumps(ROWS, indent=1).encode()),
        ("a.csv", TABLE),
        ("a.jsonl.gz", gzip.compress(LINES)),
        ("a.jsonl.zst", zstandard.compress(LINES)),
        ("a.csv.gz", gzip.compress(TABLE)),
        ("a.parquet", parquet(ROWS)),
        ("a.ndjson", LINES),
        ("a.txt", TABLE.replace(b",", b"\t")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_one_table_in_every_form(tmp_path: Path, name: str, data: bytes) -> None:
    e = whole(report_of(tmp_path / name, data))
    assert (e.n, e.N, e.experiment) == (8, 12, "a")


def test_a_small_parquet_does_not_become_gigabytes(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = 2000
    table = pa.table({"task": pa.array(["x" * 100_000] * rows).dictionary_encode(), "ok": [True] * rows})
    pq.write_table(table, tmp_path / "a.parquet", compression="zstd")
    assert (tmp_path / "a.parquet").stat().st_size < 20_000
    report = mc.compute(tmp_path / "a.parquet")
    assert not report.usable
    assert "unfolds to more than" in report.problems[0].what


def test_one_bad_row_costs_one_run_and_says_its_line() -> None:
    items = made("task,ok\na,1\nb,1,2\n,1\nc,0\n")
    assert [record["task_id"] for record in records(items)] == ["a", "c"]
    assert told(items)[1:] == [
        "t.csv:4#/task: expected the task, the cell is blank",
        "t.csv:3: expected 2 cells, got 3",
    ]
    lines = made(b'{"task": "a", "ok": 1}\n{"task": \n{"task": "a", "task": "b", "ok": 1}\n[]\n', "a.jsonl")
    assert len(records(lines)) == 1
    assert [item.line for item in lines if isinstance(item, Problem)][1:] == [2, 3, 4]


def test_cells_that_cannot_be_read_are_told_with_the_line_of_the_first() -> None:
    rows = "a,1,1,0.5,3\nb,1,maybe,free,-1\nc,-1,2x,-1,9\nd,2,1,,\n"
    assert told(made("task,run,ok,cost,latency_ms\n" + rows))[1:] == [
        't.csv:3#/cost: 2 cells cannot be read as cost: not recorded; the first is "free"',
        't.csv:3#/latency_ms: 1 cell cannot be read as latency: not recorded; the first is "-1"',
        (
            't.csv:3#/ok: 2 cells cannot be read as outcome: invalid; "maybe" (1), "2x" (1); '
            "--word WORD=NUMBER says what one stands for"
        ),
    ]
    (_, beyond) = told(made("task,value\na,3\nb,6\n", scale={"value": (1, 5)}))
    assert (
        beyond
        == 't.csv:3#/value: 1 cell cannot be placed on the scale from 1 to 5: invalid; the first is "6"'
    )


def test_a_mark_that_is_not_closed_is_told() -> None:
    items = made('task,ok\na,1\n"b,1\nc,0\n')
    assert "expected 2 cells, got 1 over 2 lines: a quotation mark that is not closed?" in told(items)[1]


def test_an_index_without_a_name_is_no_split_and_no_repetition(tmp_path: Path) -> None:
    text = ",task,model,ok\n0,a,m,1\n1,a,m,0\n2,b,m,1\n3,b,m,1\n"
    assert {(r.get("split"), r.get("rep")) for r in records(made(text))} == {(None, None)}
    e = whole(report_of(tmp_path / "a.csv", text))
    assert (e.n, e.N) == (3, 4)


@pytest.mark.parametrize("cell", ["-1", "250"])
def test_a_share_that_is_none_is_no_quantity(cell: str) -> None:
    error = refused(f"task,passed\na,{cell}\nb,0\nc,1\nd,{cell}\n")
    assert error.problem == f"passed holds {cell}, which is no share"
    assert "leave the cell blank where there is no outcome" in error.hint


def test_what_a_spreadsheet_writes_before_the_header_is_no_row() -> None:
    assert len(records(made("sep=;\r\ntask;ok\r\na;1\r\nb;0\r\n"))) == 2
    assert claims("a.csv", b"sep=;\ntask;ok\na;1\n")
    titled = refused("My results,,\ntask,ok,model\na,1,m\n")
    assert titled.where == "t.csv:1"
    assert 'line 2 looks like the header: "task", "ok", "model"' in titled.problem
    assert titled.hint == "take out what stands above it, or begin each such line with #"
    commented = "# My results\n# of 1, 2 and 3 June\ntask,ok\na,1\nb,0\n"
    assert claims("a.csv", commented.encode())
    items = made(commented)
    assert len(records(items)) == 2
    assert "t.csv:1: 2 lines above the header left out: # begins a comment" in told(items)
    assert len(records(made("#,task,ok\n1,a,1\n2,b,0\n"))) == 2


def test_how_a_run_ended_may_be_named_as_its_outcome() -> None:
    text = "task,status\na,passed\nb,failed\nc,error\n"
    assert refused(text).hint.startswith("say which: --map outcome=status;")
    found = records(made(text, map={"outcome": ("status",)}))
    assert [r["scores"]["status"] for r in found] == [1.0, 0.0, None]
    assert [bool(r.get("error")) for r in found] == [False, False, True]


def test_no_table_is_said_in_one_line() -> None:
    assert refused("").problem == "expected a table, the file is empty"
    assert refused("task,ok\n").problem == "expected rows, there is only a header"
    assert refused("task,ok,ok\n1,1,0\n").problem == '2 columns named "ok"'
    assert refused(b"task,ok\n\xe9,1\n").problem == "expected UTF-8 text"
    assert refused(b"task,ok\n\xe9,1\n").where == "t.csv:2"
    single = refused(b"task,ok\na,\0001\n")
    assert str(single) == "t.csv:2: expected text, a NUL character stands here (save it as CSV in UTF-8)"
    assert refused(b"PK\x03\x04\x14\0\0\0").problem == "expected text, this is a workbook"
    for binary in (b"task,ok\na,\0\0001\n", b"task,ok\na,\xff\0\n"):
        assert str(refused(binary)) == "t.csv:2: expected text, this is binary (save it as CSV in UTF-8)"
    assert refused(b'[{"task": "a"},\n{"task": "b" "ok": 1}]', "a.json").where == "a.json:2"


def test_the_same_try_twice_with_another_outcome_is_told() -> None:
    items = made(HEADER + "a,m,1,1\na,m,1,0\nb,m,1,1\n")
    assert len(records(items)) == 3
    assert 'stand more than once and differ, the first is 1 of "a" by "m": all are counted' in told(items)[1]


# ------------------------------------------------------------------ scales


def test_a_column_that_leaves_0_to_1_is_a_quantity(tmp_path: Path) -> None:
    rows = "".join(f"t{n},{n % 5 + 1}\n" for n in range(20))
    report = report_of(tmp_path / "a.csv", "task,value\n" + rows)
    assert {e.metric for e in report.estimates} == {"quantity", "stage"}
    e = whole(report, "quantity")
    assert (e.value, e.N, e.unit) == (3.0, 20, "score")
    assert "values from 1 to 5" in e.notes[0]
    assert (e.interval.lo, e.interval.hi) == (2.4, 3.6)  # 2.5 % points of all 20^20 resamples
    shown = list(reviews(mc.load(tmp_path / "a.csv")))
    verdicts = [verdict for review in shown for verdict in review.verdicts]
    assert {(verdict.good, verdict.metric) for verdict in verdicts} == {(None, "quantity")}
    assert {review.facets for review in shown} == {()}


def test_a_stated_scale_rescales_and_says_so(tmp_path: Path) -> None:
    rows = "".join(f"t{n},{n % 5 + 1}\n" for n in range(20))
    e = whole(report_of(tmp_path / "a.csv", "task,value\n" + rows, scale={"value": [1, 5]}))
    assert (e.value, e.n, e.N) == (0.5, 4, 20)
    assert e.notes == ("value, from 1 to 5, is rescaled to 0..1, as the experiment says",)
    beyond = whole(report_of(tmp_path / "b.csv", "task,value\n" + rows, scale={"value": [1, 4]}))
    assert (beyond.N, beyond.invalid) == (16, 4)
    named = report_of(tmp_path / "c.csv", "task,value\n" + rows, scale={"valeu": [1, 5]})
    assert any("no run has a score by this scorer (nearest: value)" in f.what for f in named.findings)


@pytest.mark.parametrize("scale", [[1, 1], [1], ["a", 2], 3])
def test_a_scale_is_two_numbers_that_differ(tmp_path: Path, scale: Any) -> None:
    (tmp_path / "a.csv").write_text("task,value\nx,1\n")
    with pytest.raises(ConfigError, match="two numbers that differ"):
        mc.load(tmp_path / "a.csv", settings={"scale": {"value": scale}})


# ------------------------------------------------------------------ which files are tables


def test_only_a_table_with_a_task_and_an_outcome_is_claimed() -> None:
    assert claims("a.csv", b"task,ok\n")
    assert claims("a.jsonl", b'{"case": "x", "nested": {"ok": 1}, "passed": true}')
    assert claims("a.json", b'[\n {"task_id": 1, "score": 0.5, "broken off')
    assert not claims("a.jsonl", b'{"case": "x", "nested": {"passed": 1}}')
    assert not claims("a.csv", b"name,colour\n")
    assert not claims("README.md", b"# task, ok\n")
    assert not claims("package.json", b'{"name": "task", "score": 1}')
    assert not claims("tsconfig.json", b'{"task": 1, "ok": 2}')


def test_a_format_with_a_sign_of_its_own_comes_first(shared_data: Path, tmp_path: Path) -> None:
    for folder, suffix in (("tau-bench", "*.json"), ("inspect", "*.eval"), ("inspect", "*.json")):
        for path in sorted((shared_data / folder).rglob(suffix))[:3]:
            assert not claims(path.name, path.read_bytes()[:4096]), path
    tau = [{"task_id": n, "reward": 1.0, "info": {}, "traj": [], "trial": 0} for n in range(3)]
    (tmp_path / "gpt-4o-retail.json").write_text(json.dumps(tau))
    (tmp_path / "own.csv").write_text("task,ok\nx,1\n")
    found = mc.load(tmp_path)
    assert found.adapter is ADAPTERS["tau-bench"]
    assert found.not_records == {"own.csv": "table"}


def test_settings_of_a_table_are_refused_by_a_format_with_fields_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[]")
    with pytest.raises(AssayError, match="has fields of its own"):
        mc.load(tmp_path, settings={"source": {"format": "tau-bench", "map": {"task": ["a"]}}})


def test_a_column_of_agents_is_the_arm_and_three_agents_are_not_three_tries_of_one(tmp_path: Path) -> None:
    rows = [f"{agent},t{task},{int(agent == 'a')}" for agent in "abc" for task in range(9)]
    (tmp_path / "sheet.csv").write_text("Agents,Cases,passed\n" + "\n".join(rows) + "\n")
    report = mc.compute(tmp_path / "sheet.csv")
    scores = [e for e in report.estimates if e.metric == "score" and e.group.names == ("model",)]
    assert {e.group["model"]: (e.n, e.N) for e in scores} == {"a": (9, 9), "b": (0, 9), "c": (0, 9)}
    tries = {e.group.get("k") for e in report.estimates if e.metric == "pass_at_k"}
    assert tries <= {None, "1"}


# ------------------------------------------------------------------ tables under another name, joined, linked


def test_a_header_that_stands_again_is_no_row(tmp_path: Path) -> None:
    one = "task,model,passed\nt1,a,1\nt2,a,0\n"
    (tmp_path / "joined.csv").write_text(one + one.replace(",a,", ",b,").replace("task,", " task ,"))
    report = mc.compute(tmp_path / "joined.csv")
    arms = {e.group.get("model"): (e.n, e.N) for e in report.find("score") if e.group.names == ("model",)}
    assert arms == {"a": (1, 2), "b": (1, 2)}
    assert "joined.csv:4: 1 line left out: the header stands there again, as in joined tables" in [
        str(found) for found in report.findings
    ]


@pytest.mark.parametrize("name", ["T.CSV", "t.Json", "t.JSONL", "t.json", "t.Tsv"])
def test_a_table_is_known_by_what_it_holds_whatever_its_ending_looks_like(name: str, tmp_path: Path) -> None:
    rows = [("t1", "a", 1), ("t2", "a", 0)]
    lines = [json.dumps(dict(zip(("task", "model", "passed"), row, strict=True))) for row in rows]
    delimited = "\n".join(["task,model,passed", *(",".join(map(str, row)) for row in rows)])
    tabs = delimited.replace(",", "\t") if name.endswith("Tsv") else delimited
    (tmp_path / name).write_text("\n".join(lines) if "js" in name.lower() else tabs)
    (whole,) = (e for e in mc.compute(tmp_path / name).find("score") if not e.group)
    assert (whole.n, whole.N) == (1, 2)


def test_a_json_document_over_several_lines_is_no_table() -> None:
    assert not claims("a.json", b'{\n  "task": "t1",\n  "passed": 1\n}\n')
    assert not claims("a.json", b'{"task": "t1", "passed": 1}\n')
    assert claims("a.json", b'{"task": "t1", "passed": 1}\n{"task": "t2", "passed": 0}\n')


def test_where_a_folder_holds_a_link_alone_the_link_is_named(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("task,passed\na,1\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "t.csv").symlink_to(tmp_path / "real.csv")
    with pytest.raises(AssayError, match=re.escape("t.csv: a symbolic link is not read")):
        mc.compute(tmp_path / "folder")
