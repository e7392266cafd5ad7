"""Experiments of several nights in a content folder: what the tests of series are made of."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any

from metrics_core.redaction.redactor import Redactor
from metrics_core.results.report import Report
from site_src import pipeline
from site_src.pages import render
from site_src.publishing.site import SiteFiles
from tests.support.small_runs import arm

TASKS = 24


def control(*, held: bool = True) -> dict[str, Any]:
    """A negative control: one grader passes what it must not, where it did not hold."""
    graders = [{"id": f"B{n}", "passed": n == 1 and not held} for n in range(1, TASKS + 1)]
    return {
        "control": "sanity",
        "stamp": "2026-07-01T00:00:00Z",
        "regression": {"total": 2, "passed": 2, "misses": []},
        "fix_graders": graders,
        "refactor_checks": [{"id": "R1", "passed": False}],
    }


def night(content: Path, name: str, runs: Sequence[Mapping[str, Any]], *, held: bool = True) -> Path:
    """Write one experiment, and return its folder."""
    folder = content / "experiments" / name
    for part in ("logs_big", "controls"):
        (folder / part).mkdir(parents=True)
    (folder / "logs_big" / "alpha.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))
    (folder / "controls" / "sanity.json").write_text(json.dumps(control(held=held)))
    return folder


def runs(day: str, passed: int, **fields: Any) -> list[dict[str, Any]]:
    """Runs of alpha on every task, of which the first ``passed`` hold."""
    return arm("alpha", TASKS, passed, stamp=f"{day}T02:00:00Z", **fields)


def site(
    content: Path,
    settings: str = "title: Nights\n",
    change: Callable[[Report], Report] = lambda report: report,
) -> SiteFiles:
    """The site of a content folder, in memory; ``change`` makes of its reports what no folder here can."""
    (content / "site.yaml").write_text(settings)
    plan = pipeline.Plan(content=content, output=content / "_site", redactor=Redactor())
    sources = pipeline.read(plan)
    return pipeline.model(sources, [change(report) for report in pipeline.measure(sources)])


def words(made: SiteFiles, path: str) -> str:
    """What stands on a page, without markup; empty where there is no such page."""
    page = made.site.page(path)
    if page is None:
        return ""
    main = render.render_page(page).decode().partition("<main")[2].partition("</main>")[0]
    drawn = re.sub(r"<svg.*?</svg>|<pre.*?</pre>", " ", main, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", drawn)).split()).replace(" ,", ",").replace(" .", ".")
