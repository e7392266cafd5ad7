"""Starting: commands over three records, and `--help`, beside a Python that does nothing.

Each is a process of its own, in turn with the others; sources are compiled beforehand, as those of a package
are when it is installed, and a first turn is not counted, in which closures and templates are kept. A build
is of a new site, without what an earlier build of it kept. *CPU* is what the process spent, user and system;
ratio and difference are against the bare Python of the same turn.
"""

from __future__ import annotations

import compileall
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks._processes import assay
from benchmarks.ingest import write

TURNS = 9
RECORDS = 3
SOURCES = Path(__file__).resolve().parents[1]


def cpu(command: Sequence[str]) -> float:
    """Seconds of CPU that a process takes, with what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(
        command,
        cwd=SOURCES,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def table() -> str:
    """The results, as Markdown."""
    for package in ("metrics_core", "site_src"):
        compileall.compile_dir(SOURCES / package, quiet=1)
    with tempfile.TemporaryDirectory() as scratch:
        project, site = Path(scratch), str(Path(scratch) / "_site")
        folder = project / "content/experiments/three"
        write(folder, RECORDS)
        commands = {
            "python, nothing": (sys.executable, "-c", "pass"),
            "python, numpy": (sys.executable, "-c", "import numpy"),
            "assay --help": assay(project, "--help"),
            f"assay compute of {RECORDS} records": assay(project, "compute", "-q", "--json", str(folder)),
            "assay check of them": assay(project, "check", "-q"),
            "assay build of them": assay(project, "build", "-q", "--no-cache", "--output", site),
            "assay verify of that site": assay(project, "verify", "-q", site),
        }
        turns = [{what: cpu(command) for what, command in commands.items()} for _ in range(1 + TURNS)][1:]
    rows = []
    for what in commands:
        spent = statistics.median(turn[what] for turn in turns)
        floors = [turn["python, nothing"] for turn in turns]
        more = statistics.median(turn[what] - floor for turn, floor in zip(turns, floors, strict=True))
        ratio = statistics.median(turn[what] / floor for turn, floor in zip(turns, floors, strict=True))
        rows.append(f"| {what} | {spent:.2f} | {more:.2f} | {ratio:.1f} |")
    return "\n".join(
        (
            "## Starting\n",
            (__doc__ or "").partition("\n\n")[2],
            f"Python {platform.python_version()}, medians of {TURNS} turns.\n",
            "| what | CPU s | more than bare | to bare |",
            "| --- | --: | --: | --: |",
            *rows,
            "",
        )
    )


if __name__ == "__main__":
    print(table())
