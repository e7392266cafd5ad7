"""Pages made by one process and by two: the shipped example built in turn, each time from nothing.

Each build is a process; its seconds of CPU are those of all that it began. *Peak* is the most memory that one
of its processes had, pages that copies share counted in each. The manifests are held against each other.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

REPO = Path(__file__).resolve().parents[1]
PROGRAM = """\
import resource, sys
from pathlib import Path
from site_src.cli import main
site, project, *flags = sys.argv[1:]
code = main(["build", "-q", "--no-cache", "--output", site, *flags], project=Path(project))
used = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(max(used))
sys.exit(code)
"""
WAYS = {"one process": ("--engine", "serial"), "two": ("--engine", "processes", "--workers", "2")}
TIMES = 3


class Built(NamedTuple):
    """One build."""

    cpu: float
    clock: float
    peak: float
    manifest: bytes


def built(site: Path, *flags: str) -> Built:
    """Build the example."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(site), str(REPO), *flags],
        cwd=REPO, check=True, capture_output=True, text=True,
    )  # fmt: skip
    clock, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Built(cpu, clock, int(ran.stdout.split()[-1]) / 1024, (site / "manifest.json").read_bytes())


def table() -> str:
    """The rows, as Markdown."""
    found: dict[str, list[Built]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(TIMES):
            for number, (way, flags) in enumerate(WAYS.items()):
                found[way].append(built(Path(folder) / f"site-{turn}-{number}", *flags))
    assert len({each.manifest for builds in found.values() for each in builds}) == 1
    rows = {
        way: [statistics.median(each[at] for each in builds) for at in range(3)]
        for way, builds in found.items()
    }
    first = rows["one process"]
    lines = [
        f"| {way} | {cpu:.1f} | {clock:.1f} | {peak:.0f} | {cpu / first[0]:.2f} | {clock / first[1]:.2f} |"
        for way, (cpu, clock, peak) in rows.items()
    ]
    head = [
        "## The example by one process and by two",
        "",
        f"Medians of {TIMES} builds each, in turn; all manifests are the same.",
        "",
        "| pages by | CPU s | clock s | peak MB of a process | CPU to one | clock to one |",
    ]
    return "\n".join([*head, "| --- | --: | --: | --: | --: | --: |", *lines, ""])


if __name__ == "__main__":
    print(table())
