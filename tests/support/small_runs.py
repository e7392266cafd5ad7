"""Records of single runs, as small as they may be: what the tests of estimates, funnels and costs measure."""

from __future__ import annotations

from typing import Any


def run(model: str, number: int, *, held: bool | None = True, **fields: Any) -> dict[str, Any]:
    """A run with a single assertion, which holds, fails, or is not known."""
    detail = [] if held is None else [["a", held]]
    return {
        "id": f"B{number}",
        "kind": "fix",
        "model": model,
        "change": None,
        "change_detail": detail,
        "regress": None,
        "changed_files": ["a.php"],
        "stamp": "2026-07-05T10:00:00Z",
        "rep": number,
        **fields,
    }


def arm(model: str, tasks: int, passed: int, **fields: Any) -> list[dict[str, Any]]:
    """Runs of tasks 1 to ``tasks``, of which the first ``passed`` hold."""
    return [run(model, n, held=n <= passed, **fields) for n in range(1, tasks + 1)]


def unscored(number: int, model: str = "alpha", **fields: Any) -> dict[str, Any]:
    """A trace of task ``number`` without any score."""
    return {"task_id": f"t{number}", "agent": model, "rep": number, **fields}
