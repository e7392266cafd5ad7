"""Small tables of runs, one row a run, written for tests of comparisons and gates."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Lines of JSON, as a harness writes them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def runs_of(
    arm: str,
    passes: Mapping[str, str],
    more: Callable[[str, int], dict[str, Any]] = lambda task, run: {},
) -> list[dict[str, Any]]:
    """Rows of one arm.

    Args:
        arm: Its name.
        passes: Task -> a sign a run: 1 passed, 0 failed, e an error, ? not known, blank never recorded.
        more: Task and run -> further columns.
    """
    rows: list[dict[str, Any]] = []
    for task, signs in passes.items():
        for run, sign in enumerate(signs, start=1):
            if sign != " ":
                outcome = {"1": True, "0": False}.get(sign)
                error = "lost the connection" if sign == "e" else None
                row = {"arm": arm, "case": task, "run": run, "passed": outcome, "infra_error": error}
                rows.append({**row, **more(task, run)})
    return rows


def named(signs: list[str]) -> dict[str, str]:
    """Tasks called t00, t01, ... with these signs."""
    return {f"t{at:02}": each for at, each in enumerate(signs)}
