"""Contracts that tests write: sound for the empty trace, and whatever is wanted for any other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from metrics_core.contracts.scorer import Score, Scorer
from metrics_core.contracts.user_contract import load_contract

GO = [{"go": True}]
Write = Callable[..., Path]


def write_contract(
    folder: Path, body: str, *, top: str = "", fixtures: str = "[({}, 1.0)]", **beside: str
) -> Path:
    """``metric.py``, which scores ``{}`` 1.0 and does ``body`` with another trace; ``beside`` are modules."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    head = f'CONTRACT_ID = "t/v1-x"\n{top}\ndef score_trace(trace):\n    if not trace:\n        return 1.0\n'
    (folder / "metric.py").write_text(f"{head}{lines}\nFIXTURES = {fixtures}\n")
    for name, text in beside.items():
        (folder / f"{name}.py").write_text(text)
    return folder / "metric.py"


def score(file: Path, traces: list[dict[str, Any]] = GO, **settings: Any) -> list[Score]:
    """Score traces with a child of their own."""
    with Scorer(load_contract(file), **settings) as scorer:
        return scorer.score(traces)
