"""Fifty arms: what a build takes and weighs where pairs of arms are many, beside one of ten.

Each arm runs the same tasks. Pages are weighed as they are read, packed by gzip.
"""

from __future__ import annotations

import gzip
import json
import platform
import sys
import tempfile
from pathlib import Path

from benchmarks._processes import assay, spent
from tests.support.small_runs import arm

SIZES = (10, 50)
TASKS = 20
REPO = Path(__file__).resolve().parents[1]


def write(project: Path, arms: int) -> None:
    """A project of one experiment."""
    logs = project / "content" / "experiments" / "many" / "logs_big"
    logs.mkdir(parents=True)
    for number in range(arms):
        runs = arm(f"m{number:02}", TASKS, TASKS * (number + 1) // (arms + 1))
        (logs / f"m{number:02}.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs), "utf-8")
    (project / "content" / "site.yaml").write_text("title: Many arms\n", "utf-8")
    (project / "content" / "index.md").write_text("---\ntitle: Many arms\n---\n\nProse.\n", "utf-8")


def row(arms: int) -> str:
    """One line of the table."""
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch) / "project"
        write(project, arms)
        took = spent(assay(project, "build", "-q"), cwd=REPO)
        site = project / "_site"
        pages = sorted(site.rglob("*.html"))
        total = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
        weights = {page: len(gzip.compress(page.read_bytes())) / 1000 for page in pages}
        compare = {page: kb for page, kb in weights.items() if "compare" in page.relative_to(site).parts}
        main = weights[site / "experiments" / "many" / "index.html"]
        heaviest = max(compare.values(), default=0.0)
    took_and_weighs = f"{took.cpu:.1f} | {took.memory / 1e6:.0f} | {total / 1e6:.1f}"
    return f"| {arms} | {took_and_weighs} | {len(pages)} | {len(compare)} | {main:.0f} | {heaviest:.0f} |"


HEAD = (
    "| arms | CPU s | peak MB | site MB | pages | of them under compare "
    "| experiment page kB gz | heaviest compare page kB gz |"
)


def table() -> str:
    """The results, as Markdown."""
    return "\n".join(
        (
            "## Many arms\n",
            (__doc__ or "").partition("\n\n")[2],
            f"Python {platform.python_version()}; one build of each, {TASKS} tasks an arm.\n",
            HEAD,
            "| --: | --: | --: | --: | --: | --: | --: | --: |",
            *map(row, SIZES),
            "",
        )
    )


if __name__ == "__main__":
    sys.stdout.write(table())
