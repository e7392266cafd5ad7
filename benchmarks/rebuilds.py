"""Building the shipped example anew: cold, with nothing changed, with one record more, with one page changed.

The example is copied to a folder of its own. Each build is a process, and its seconds of CPU are those of
the process and all that it began; *cold* is the first, with an empty cache. All stand beside it, and beside
a bare pass that reads every input and every file of the site for its digest, which is the floor. Turns of all
of them follow upon one another.
"""

from __future__ import annotations

import hashlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]
PROGRAM = """\
import sys
from pathlib import Path
from site_src.cli import main
sys.exit(main(["build", "-q"], project=Path(sys.argv[1])))
"""


TURNS = 3


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of CPU, children included, and of the clock."""

    def spent() -> float:
        used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(each.ru_utime + each.ru_stime for each in used)

    cpu, clock = spent(), time.monotonic()
    work()
    return spent() - cpu, time.monotonic() - clock


def build(project: Path) -> None:
    """One build, in a process of its own."""
    subprocess.run([sys.executable, "-c", PROGRAM, str(project)], cwd=REPO, check=True, capture_output=True)


def digests(project: Path) -> None:
    """The digest of every input and of every file of the site."""
    for path in sorted(project.rglob("*")):
        if path.is_file():
            hashlib.sha256(path.read_bytes()).digest()


def one_record(project: Path) -> None:
    """Repeat the last record of a log."""
    log = min((project / "content/experiments/brownfield-2026-05").rglob("*.jsonl"))
    data = log.read_bytes()
    log.write_bytes(data + data.splitlines(keepends=True)[-1].replace(b"2026-05-0", b"2026-05-1"))


def one_page(project: Path) -> None:
    """Write a sentence more on a page of prose."""
    page = project / "content/index.md"
    page.write_text(page.read_text("utf-8") + "\nOne sentence more.\n", "utf-8")


CHANGES: dict[str, Callable[[Path], None]] = {
    "cold": lambda _: None,
    "nothing changed": lambda _: None,
    "one record more": one_record,
    "one page changed": one_page,
}


def turn(project: Path) -> dict[str, tuple[float, float]]:
    """One build after each change, the first with an empty cache; and the floor."""
    shutil.copytree(REPO / "content", project / "content")
    found = {}
    for what, change in CHANGES.items():
        change(project)
        found[what] = timed(lambda: build(project))
    found["floor: digests of inputs and site"] = timed(lambda: digests(project))
    return found


def table(turns: int = TURNS) -> str:
    """The rows, as Markdown."""
    found = []
    for _ in range(turns):
        with tempfile.TemporaryDirectory() as folder:
            found.append(turn(Path(folder) / "project"))
    rows = {what: [statistics.median(each[what][at] for each in found) for at in (0, 1)] for what in found[0]}
    cold = rows["cold"]
    lines = [
        f"| {what} | {cpu:.1f} | {clock:.1f} | {cpu / cold[0]:.3f} | {clock / cold[1]:.3f} |"
        for what, (cpu, clock) in rows.items()
    ]
    head = [
        "## Builds of the example, again",
        "",
        f"Medians of {turns} turns.",
        "",
        "| build | CPU s | clock s | CPU to cold | clock to cold |",
    ]
    return "\n".join([*head, "| --- | --: | --: | --: | --: |", *lines, ""])


if __name__ == "__main__":
    print(table())
