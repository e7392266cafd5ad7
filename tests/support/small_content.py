"""A content folder small enough to be built in a test: a brownfield experiment, a fourth of a scored pack.

`write_suite` writes the brownfield experiment alone, for what a scored pack adds nothing to.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

STAMPS = ("2026-07-05T10:00:00Z", "2026-07-12T10:00:00Z")


def runs(model: str, count: int = 10) -> list[dict[str, Any]]:
    return [
        {
            "id": f"B{i % 5 + 1}", "kind": "fix", "model": model,
            "change": 1.0 if (i + len(model)) % 3 else 0.5,
            "change_detail": [["first", True], ["second", bool((i + len(model)) % 3)]],
            "regress": 1.0 if i % 4 else 0.5, "regress_total": 2, "regress_misses": [] if i % 4 else ["cart"],
            "changed_files": ["cart.php"], "stamp": STAMPS[i % 2], "rep": i, "wall_s": 10.0 + i, "cost": 0.25,
            "prompt_tokens": 1000, "completion_tokens": 100, "cached_tokens": 0,
        }
        for i in range(count)
    ]  # fmt: skip


SANITY = {
    "control": "sanity",
    "stamp": "2026-07-01T00:00:00Z",
    "regression": {"total": 2, "passed": 2, "misses": []},
    "fix_graders": [{"id": f"B{i}", "passed": False} for i in range(1, 6)],
    "refactor_checks": [{"id": "R1", "passed": False}],
}

PRICES = """\
fetched: 2026-07-05
currency: USD
per: 1000000
models:
  alpha: {input: 200, output: 500, cached: 20}
"""


DECISION = """\
---
title: Keep alpha
status: proposed
date: 2026-07-20
claims:
  - {says: "Alpha does most of what it is asked.", metric: suite/brownfield.change, of: alpha, at_least: 0.2}
---

It did {est}`suite/brownfield.change model=alpha`.
"""


def write_suite(content: Path) -> Path:
    """Write the brownfield experiment, prices, prose and a decision below a folder; that folder."""
    brownfield = content / "experiments" / "suite"
    (brownfield / "logs_big").mkdir(parents=True)
    (brownfield / "controls").mkdir()
    for model in ("alpha", "be"):
        lines = "".join(json.dumps(run) + "\n" for run in runs(model))
        (brownfield / "logs_big" / f"{model}.jsonl").write_text(lines)
    (brownfield / "controls" / "sanity.json").write_text(json.dumps(SANITY))
    (content / "pricing").mkdir()
    (content / "pricing" / "2026-07-05.yaml").write_text(PRICES)
    (content / "site.yaml").write_text("title: Small\n")
    (content / "decisions").mkdir()
    (content / "decisions" / "keep-alpha.md").write_text(DECISION)
    (content / "index.md").write_text("---\ntitle: A small site\n---\n\nProse without a number.\n")
    return content


def write(content: Path) -> Path:
    """Write all of it below a folder, and return that folder."""
    write_suite(content)
    example = Path(__file__).parents[2] / "content" / "experiments" / "patches-2026"
    patches = shutil.copytree(example, content / "experiments" / "patches")
    # every fourth run: of each arm, day and contract some are left; one log, since each is scored by itself
    logs = sorted(patches.glob("traces/*.jsonl"))
    kept = [line for log in logs for line in log.read_bytes().splitlines(keepends=True)[::4]]
    for log in logs:
        log.unlink()
    (patches / "traces" / "patches.jsonl").write_bytes(b"".join(kept))
    return content
