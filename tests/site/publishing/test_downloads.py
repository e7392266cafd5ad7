"""Tables of a site's data: nothing that a run says is lost in its row."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict

from msgspec.structs import replace
from pyarrow import parquet

from site_src.project.safe_write import defused
from site_src.publishing.downloads import run_rows, tables
from tests.support import sample_site
from tests.support.measured import reviewed

SCORED = [
    {"task_id": "t1", "agent": "=HYPERLINK(1)", "scores": {"match": 1.0, "judge": 0.1}},
    {"task_id": "t2", "agent": "a", "scores": {"match": 0.0}, "error": 'ended, "early"\non two lines'},
    {"task_id": "t3", "agent": "a", "scores": {"match": 0.0}, "error": "50%\r60%\rstopped"},
]


def in_every_form() -> dict[str, dict[str, bytes]]:
    """Form -> table -> its bytes, of a site with a run of each kind of cell."""
    found: dict[str, dict[str, bytes]] = defaultdict(dict)
    for file in tables([x.report for x in sample_site.experiments()], reviewed("traces", SCORED)):
        name, _, form = file.path.rpartition("/")[2].partition(".")
        found[form][name] = file.data
    return found


def test_csv_and_parquet_hold_what_the_json_of_a_table_holds() -> None:
    forms = in_every_form()
    assert sum(len(json.loads(data)) for data in forms["json"].values()) > 20
    for name, data in forms["json"].items():
        rows = json.loads(data)
        columns = list(dict.fromkeys(key for row in rows for key in row))
        assert [
            {key: value for key, value in row.items() if value is not None}
            for row in parquet.read_table(io.BytesIO(forms["parquet"][name])).to_pylist()
        ] == [{key: value for key, value in row.items() if value is not None} for row in rows]
        header, *lines = csv.reader(io.StringIO(forms["csv"][name].decode(), newline=""))
        assert header == columns
        spelled = [
            ["" if (value := row.get(key)) is None else defused(str(value)) for key in columns]
            for row in rows
        ]
        assert lines == spelled


def test_whole_numbers_are_whole_where_some_rows_have_none() -> None:
    """A count beside a missing one was a float in every row: ``5.0`` of ``8.0``."""
    forms = in_every_form()
    row_types = {
        field.name: str(field.type)
        for field in parquet.read_schema(io.BytesIO(forms["parquet"]["estimates"]))
    }
    assert [row_types[name] for name in ("n", "N", "known")] == ["int64"] * 3
    rows = list(csv.DictReader(io.StringIO(forms["csv"]["estimates"].decode(), newline="")))
    assert {row["n"] for row in rows if row["n"]}, "no count in the sample"
    assert any(not row["n"] for row in rows), "no missing count in the sample"
    assert all(cell.isdecimal() for row in rows for cell in (row["n"], row["N"]) if cell)


def test_a_cell_that_a_spreadsheet_would_run_is_defused_in_csv_alone() -> None:
    forms = in_every_form()
    models = [row["model"] for row in csv.DictReader(io.StringIO(forms["csv"]["runs"].decode(), newline=""))]
    assert models == ["'=HYPERLINK(1)", "a", "a"]
    assert parquet.read_table(io.BytesIO(forms["parquet"]["runs"]))["model"].to_pylist() == [
        "=HYPERLINK(1)",
        "a",
        "a",
    ]


def test_a_run_under_several_scorers_has_each_of_their_verdicts() -> None:
    scored = [
        {"task_id": "t1", "agent": "a", "scores": {"match": 1.0, "=judge": 0.25}},
        {"task_id": "t2", "agent": "a", "scores": {"match": 0.0}},
    ]
    first, second = run_rows(reviewed("traces", scored))
    assert (first["score[scorer=match]"], first["score[scorer==judge]"]) == (1.0, 0.25)
    assert first["score[scorer==judge].state"] == "known"
    assert second["score[scorer=match]"] == 0.0
    assert "score" not in first.keys() | second.keys()


def test_a_metric_under_one_scorer_keeps_its_name() -> None:
    (row,) = run_rows(reviewed("traces", [{"task_id": "t1", "agent": "a", "scores": {"match": 1.0}}]))
    assert row["score"] == 1.0


def test_a_copy_of_a_record_is_marked_and_adds_nothing_to_a_count() -> None:
    scored = {"task_id": "t1", "agent": "a", "scores": {"match": 1.0}}
    first, second = reviewed("traces", [scored, {**scored, "rep": 2}])
    rows = run_rows([first, replace(second, repeated=True)])
    assert [row["repeated"] for row in rows] == [False, True]
    assert [row.get("score.state") for row in rows] == ["known", None]


def test_a_verdict_says_in_which_stratum_it_is_counted() -> None:
    (row,) = run_rows(reviewed("traces", [{"task_id": "t1", "agent": "a", "scores": {"match": 1.0}}]))
    assert "scorer=match" in row["score.stratum"].split(" ")
