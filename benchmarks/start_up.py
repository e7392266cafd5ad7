"""Starting: `assay compute` of three records, and `--help`, beside a Python that does nothing.

Each is a process of its own, in turn with the others; sources are compiled beforehand, as those of a package
are when it is installed. *CPU* is what the process spent, user and system; ratio and difference are against
the bare Python of the same turn.
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

from benchmarks.ingest import write

TURNS = 9
RECORDS = 3
SOURCES = Path(__file__).resolve().parents[1]
ASSAY = "import sys; from site_src.cli import main; sys.exit(main(sys.argv[1:]))"


def cpu(command: Sequence[str]) -> float:
    """Seconds of CPU that a process takes, with what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(
        [sys.executable, *command], cwd=SOURCES, env=environment, stdout=subprocess.DEVNULL, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def table() -> str:
    """The results, as Markdown."""
    for package in ("metrics_core", "site_src"):
        compileall.compile_dir(SOURCES / package, quiet=1)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "three"
        write(folder, RECORDS)
        commands = {
            "python, nothing": ["-c", "pass"],
            "python, numpy": ["-c", "import numpy"],
            "assay --help": ["-c", ASSAY, "--help"],
            f"assay compute of {RECORDS} records": ["-c", ASSAY, "compute", "-q", "--json", str(folder)],
        }
        turns = [{what: cpu(command) for what, command in commands.items()} for _ in range(TURNS)]
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
