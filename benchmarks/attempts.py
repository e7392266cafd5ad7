"""Attempts in folders: read and admitted, and counted, beside a walk that reads the same bytes.

The folders are those of the example, repeated under new names and ids: manifest, result, events, evidence.
Each pass is a process of its own, and passes alternate. *Floor* walks the tree and reads every file;
*admitted* reads each folder as the attempt that it is, checks it and counts it; *compute* makes the whole
report.
Seconds leave out the start of the process.

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
from pathlib import Path
from statistics import median

from msgspec.structs import replace

import metrics_core as mc
from benchmarks.ingest import AsItIs
from metrics_core import counting, engine
from metrics_core.measurement import Partial

FOLDERS = 20_000
TURNS = 3
EXAMPLE = Path(__file__).resolve().parents[1] / "content" / "experiments" / "gh-2026"
PASSES = ("floor", "admitted", "compute")


def write(root: Path, folders: int) -> int:
    """An experiment of so many attempts; the bytes that it holds."""
    whole = [p for p in sorted((EXAMPLE / "attempts").iterdir()) if (p / "manifest.json").is_file()]
    root.mkdir()
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


def admitted(root: Path) -> Callable[[], None]:
    """Every folder read as an attempt, checked and counted; nothing screened, as in the floor."""

    def work() -> None:
        experiment = replace(mc.load(root), redactor=AsItIs())
        (family,) = engine.families_of(experiment)
        context = engine.context_of(experiment, ())
        assert counting.counted(family, experiment, context, Partial()).records

    return work


def compute(root: Path) -> Callable[[], None]:
    """The report of the experiment."""

    def work() -> None:
        assert mc.compute(mc.load(root)).records

    return work


def run(which: str, root: Path) -> None:
    """One pass in this process; prints its seconds of CPU."""
    work = {"floor": floor, "admitted": admitted, "compute": compute}[which](root)
    began = time.process_time()
    work()
    print(time.process_time() - began)


def table(folders: int = FOLDERS) -> str:
    """The results, as Markdown."""
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "attempts"
        size = write(root, folders)
        found: dict[str, list[float]] = {which: [] for which in PASSES}
        for _ in range(TURNS):
            for which in PASSES:
                command = [sys.executable, "-m", "benchmarks.attempts", which, str(root)]
                said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
                found[which].append(float(said.split()[-1]))
    for which, times in found.items():
        ratio = median(a / b for a, b in zip(times, found["floor"], strict=True))
        rows.append(f"| {which} | {median(times):.2f} | {ratio:.2f} | {median(times) / folders * 1e6:.0f} |")
    about = f"{folders:,} folders of {size / folders:,.0f} bytes; Python {platform.python_version()}"
    return "\n".join(
        (
            "## Attempts in folders\n",
            (__doc__ or "").partition("\n\n")[2].partition("\n\n``")[0] + "\n",
            f"{about}, medians of {TURNS} turns.\n",
            "| pass | CPU s | CPU to floor | us a folder |",
            "| --- | --: | --: | --: |",
            *rows,
            "",
        )
    )


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in PASSES:
        run(sys.argv[1], Path(sys.argv[2]))
    else:
        print(table(*map(int, sys.argv[1:])))
