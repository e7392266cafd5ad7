"""Attempts in folders: read and admitted, and counted, beside a walk that reads the same bytes.

The folders are those of the example, repeated under new names and ids: manifest, result, events, evidence.
Each pass is a process of its own, and passes alternate. *Floor* walks the tree and reads every file;
*admitted* reads each folder as the attempt that it is, checks it and counts it; *by two* has two processes do
that, whose start and end are in it; *compute* makes the whole report in one. Seconds leave out the start of
the first process. Then a site is built of them, and built again with nothing changed, beside *stat*: a pass
that asks for size and time of every file of the experiment, and a bare start of Python.

``python -m benchmarks.attempts`` measures 20,000 folders; a number behind it, that many.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from msgspec.structs import replace

import metrics_core as mc
from benchmarks._processes import Spent, assay, middle, spent
from benchmarks.ingest import AsItIs, used
from metrics_core import counting, engine
from metrics_core.execution import EngineChoice
from metrics_core.measurement import Partial

FOLDERS = 20_000
TURNS = 3
REPO = Path(__file__).resolve().parents[1]
EXAMPLE = REPO / "content" / "experiments" / "gh-2026"
PASSES = ("floor", "admitted", "by two", "compute")


def write(root: Path, folders: int) -> int:
    """An experiment of so many attempts; the bytes that it holds."""
    whole = [p for p in sorted((EXAMPLE / "attempts").iterdir()) if (p / "manifest.json").is_file()]
    root.mkdir(parents=True)
    shutil.copy(EXAMPLE / "experiment.yaml", root)
    size = 0
    for number in range(folders):
        model = whole[number % len(whole)]
        name = f"{number:032x}"
        for path in sorted(model.rglob("*")):
            if path.is_file():
                data = path.read_bytes().replace(model.name.encode(), name.encode())
                place = root / "attempts" / name / path.relative_to(model)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
                size += len(data)
    return size


def floor(root: Path) -> Callable[[], None]:
    """Every file of the tree read."""

    def work() -> None:
        for folder, _, names in os.walk(root):
            for name in names:
                Path(folder, name).read_bytes()

    return work


def admitted(root: Path, ways: EngineChoice) -> Callable[[], None]:
    """Every folder read as an attempt, checked and counted; nothing screened, as in the floor."""

    def work() -> None:
        experiment = replace(mc.load(root), redactor=AsItIs())
        (family,) = engine.families_of(experiment)
        context = engine.context_of(experiment, ())
        with ways.started(0) as workers:
            assert counting.counted(family, experiment, context, Partial(), workers).records

    return work


def compute(root: Path) -> Callable[[], None]:
    """The report of the experiment."""

    def work() -> None:
        assert mc.compute(mc.load(root)).records

    return work


def run(which: str, root: Path) -> None:
    """One pass in this process; prints its seconds of CPU and of the clock."""
    work = {
        "floor": floor,
        "admitted": partial(admitted, ways=EngineChoice("serial")),
        "by two": partial(admitted, ways=EngineChoice("processes", 2)),
        "compute": compute,
    }[which](root)
    began, clock = used(), time.perf_counter()
    work()
    print(used() - began, time.perf_counter() - clock)


STAT = """\
import os, sys
folders = [sys.argv[1]]
while folders:
    for entry in os.scandir(folders.pop()):
        if entry.is_dir(follow_symlinks=False):
            folders.append(entry.path)
        else:
            entry.stat(follow_symlinks=False)
"""


def again(project: Path) -> dict[str, Spent]:
    """A build of the site, and, in turn, a walk that asks for each file, and a build with nothing changed."""
    (project / "content" / "site.yaml").write_text("title: Attempts\n", "utf-8")
    (project / "content" / "index.md").write_text("---\ntitle: Attempts\n---\n\nProse.\n", "utf-8")
    cold = spent(assay(project, "build", "-q"), cwd=REPO)
    walk = [sys.executable, "-c", STAT, str(project / "content")]
    turns = [(spent(walk, cwd=REPO), spent(assay(project, "build", "-q"), cwd=REPO)) for _ in range(TURNS)]
    stat, nothing = map(middle, zip(*turns, strict=True))
    return {"stat": stat, "nothing changed": nothing, "cold": cold}


def table(folders: int = FOLDERS) -> str:
    """The results, as Markdown."""
    rows, shown = [], []
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch)
        root = project / "content" / "experiments" / "attempts"
        size = write(root, folders)
        found: dict[str, list[tuple[float, float]]] = {which: [] for which in PASSES}
        for _ in range(TURNS):
            for which in PASSES:
                command = [sys.executable, "-m", "benchmarks.attempts", which, str(root)]
                said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
                cpu, clock = said.split()[-2:]
                found[which].append((float(cpu), float(clock)))
        builds = again(project)
    for which, times in found.items():
        cpu, clock = (median(column) for column in zip(*times, strict=True))
        ratios = (
            median(one[at] / least[at] for one, least in zip(times, found["floor"], strict=True))
            for at in (0, 1)
        )
        told = " | ".join(f"{ratio:.2f}" for ratio in ratios)
        rows.append(f"| {which} | {cpu:.2f} | {clock:.2f} | {told} | {cpu / folders * 1e6:.0f} |")
    walk = builds["stat"]
    for which, of_build in builds.items():
        told = f"{of_build.cpu / walk.cpu:.2f} | {of_build.clock / walk.clock:.2f}"
        shown.append(f"| {which} | {of_build.cpu:.2f} | {of_build.clock:.2f} | {told} |")
    about = f"{folders:,} folders of {size / folders:,.0f} bytes; Python {platform.python_version()}"
    return "\n".join(
        (
            "## Attempts in folders\n",
            (__doc__ or "").partition("\n\n")[2].partition("\n\n``")[0] + "\n",
            f"{about}, medians of {TURNS} turns.\n",
            "| pass | CPU s | clock s | CPU to floor | clock to floor | CPU us a folder |",
            "| --- | --: | --: | --: | --: | --: |",
            *rows,
            "",
            "| build of the site | CPU s | clock s | CPU to stat | clock to stat |",
            "| --- | --: | --: | --: | --: |",
            *shown,
            "",
        )
    )


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in PASSES:
        run(sys.argv[1], Path(sys.argv[2]))
    else:
        print(table(*map(int, sys.argv[1:])))
