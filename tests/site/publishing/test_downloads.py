"""Tables of a site's data: nothing that a run says is lost in its row."""

from __future__ import annotations

from msgspec.structs import replace

from site_src.publishing.downloads import run_rows
from tests.support.measured import reviewed


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
