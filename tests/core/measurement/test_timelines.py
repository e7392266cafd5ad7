"""Timelines: another instrument in one's place breaks a line; two of the same runs are two lines."""

from __future__ import annotations

from typing import Any

from tests.support.measured import measured


def trace(task: int, day: int, **scores: float) -> dict[str, Any]:
    return {"task_id": f"t{task}", "agent": "a", "stamp": f"2026-07-{day:02}T10:00:00Z", "scores": scores}


def lines(records: list[dict[str, Any]]) -> list[tuple[str | None, list[str]]]:
    found = [s for s in measured("traces", records).series if s.metric == "score"]
    return [(s.stratum.get("scorer"), [segment.why for segment in s.segments]) for s in found]


def test_two_scorers_of_the_same_runs_are_two_lines_and_none_has_changed() -> None:
    both = [trace(n, day, choice=1.0, match=0.0) for n in range(9) for day in (5, 12)]
    assert lines(both) == [("choice", [""]), ("match", [""])]


def test_a_scorer_in_the_place_of_another_breaks_the_line() -> None:
    was = [trace(n, 5, choice=1.0) for n in range(9)]
    now = [trace(n, 12, match=0.0) for n in range(9)]
    assert lines([*was, *now]) == [(None, ["", "scorer changed"])]
