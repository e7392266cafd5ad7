"""Golden fixtures of the brownfield family: tiny records, and what each figure must come to, by hand."""

from __future__ import annotations

from typing import Any

from metrics_core.contract import Fixture


def _record(
    *,
    change: float,
    detail: list[bool],
    regress: float | None,
    task: str = "B1",
    kind: str = "fix",
    **more: Any,
) -> dict[str, Any]:
    """A tiny record for a fixture: assertions are named by their place."""
    return {
        "id": task,
        "kind": kind,
        "model": "m",
        "change": change,
        "change_detail": [[f"assertion {i}", held] for i, held in enumerate(detail, start=1)],
        "regress": regress,
        "changed_files": ["a.php"],
        "stamp": "2026-07-05T10:00:00Z",
        **more,
    }


FIXTURES = (
    Fixture(
        "task done, application broken",
        (_record(change=1.0, detail=[True, True, True], regress=0.6),),
        (
            ("change?graded=assertions", "3/3 1"),
            ("regress?graded=assertions", "0/1 0.6"),
            ("done?graded=assertions", "1/1 1"),
            ("divergence?graded=assertions", "1/1 1"),
            ("divergence_reverse?graded=assertions", "0/1 0"),
        ),
    ),
    Fixture(
        "a change without a regression set is neither broken nor whole",
        (_record(change=0.5, detail=[True, False], regress=None),),
        (
            ("change?graded=assertions", "1/2 0.5"),
            ("regress?graded=assertions", "0/0 none"),
            ("divergence?graded=assertions", "0/0 none"),
        ),
    ),
    Fixture(
        "a recorded value without one assertion behind it is invalid",
        (_record(change=0.5, detail=[], regress=1.0),),
        (("change?graded=assertions", "0/0 none"), ("regress?graded=assertions", "1/1 1")),
    ),
    Fixture(
        "a rounded value is recomputed from its detail; means are over runs, counts over assertions",
        (
            _record(change=0.714, detail=[True] * 5 + [False] * 2, regress=1.0),
            _record(change=1.0, detail=[True], regress=1.0, task="B2"),
        ),
        (("change?graded=assertions", "6/8 0.857143"), ("done?graded=assertions", "1/2 0.5")),
    ),
    Fixture(
        "awareness beside a fix in one file: never added up",
        (
            _record(change=1.0, detail=[True, True], regress=1.0),
            _record(
                change=0.4,
                detail=[],
                regress=None,
                task="A1",
                kind="awareness",
                answer_files=["a.php", "b.php"],
                truth_files=["a.php", "c.php", "d.php"],
            ),
        ),
        (
            ("change?graded=assertions", "2/2 1"),
            ("awareness?graded=claims", "0/1 0.4"),
            ("change?graded=claims", "no such figure"),
        ),
    ),
    Fixture(
        "pages, where the size of the regression set is known",
        (
            _record(
                change=1.0, detail=[True], regress=0.9375, regress_total=32, regress_misses=["cart", "login"]
            ),
        ),
        (("regress?graded=assertions", "30/32 0.9375"),),
    ),
    Fixture(
        "a run that failed is an error, whatever it recorded",
        (_record(change=1.0, detail=[True], regress=1.0, error="timed out"),),
        (("change?graded=assertions", "0/0 none"), ("regress?graded=assertions", "0/0 none")),
    ),
)
