"""Ingest of 10,000 brownfield records, and of ten and a hundred times as many, beside decoding their lines.

The logs are made here by a seeded generator: lines of about 700 bytes, five models, twenty tasks, three
configurations, thirty days. Each pass is a process of its own, and passes alternate. *Floor* is
`orjson.loads` of each line that lies in memory, and nothing else; *partials* reads the logs, checks every
record and counts it; *by two* has two processes do that, whose start and end are in it; *screened* does it in
one and looks for secrets; *finalised* makes the estimates and comparisons of what was counted, and nothing
else; *compute* is all that `metrics_core.compute` does in one process, from the folder to the report. Times
leave out the start of the first process; memory is the peak of one process above the start of the first.
orjson is no dependency: it is installed beside the logs.

``python -m benchmarks.ingest 10000`` measures that many records.
"""

from __future__ import annotations

import json
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

import metrics_core as mc
from metrics_core import counting, engine
from metrics_core.execution import EngineChoice
from metrics_core.families import FAMILIES
from metrics_core.measurement import Partial, finalise
from metrics_core.measurement.fixtures import NO_DATA
from metrics_core.redaction import Redactor

SIZES = {10_000: 5, 100_000: 5, 1_000_000: 1}
"""Records -> how often each pass is run."""

MODELS = ("alpha", "beta", "gamma", "delta", "epsilon")
TASKS, DAYS = 20, 30
CONFIGURATIONS = ((True, True), (True, False), (False, False))
KEYS = len(MODELS) * TASKS * len(CONFIGURATIONS)
PASSES = ("floor", "partials", "by two", "screened", "finalised", "compute")

PRICES = "fetched: 2026-07-05\ncurrency: USD\nper: 1000000\nmodels:\n" + "".join(
    f'  {model}: {{input: {at + 1}.0, output: {4 * (at + 1)}.0, cached: 0.{at + 1}, source: "made up"}}\n'
    for at, model in enumerate(MODELS)
)


class Spent(NamedTuple):
    """What one pass took: seconds of the processor and of the clock, and bytes above the start."""

    cpu: float
    wall: float
    memory: float


def record(number: int, rng: random.Random) -> dict[str, Any]:
    """One record as the harness writes it."""
    model, task = MODELS[number % len(MODELS)], number // len(MODELS) % TASKS
    brain, plan = CONFIGURATIONS[number // (len(MODELS) * TASKS) % len(CONFIGURATIONS)]
    claims, failed = task % 10 == 9, rng.random() < 0.02
    size = 3 + task % 4
    held = [rng.random() < 0.75 for _ in range(size)]
    missed = [f"catalogue/page-{at}.php" for at in range(rng.choice((0, 0, 0, 1, 3)))]
    sent = rng.randrange(5_000, 90_000)
    cached, written = sent // rng.randrange(2, 9), rng.randrange(300, 6_000)
    at = MODELS.index(model) + 1
    dollars = ((sent - cached) * at + written * 4 * at) / 1e6 + cached * at / 1e7
    stamp = datetime(2026, 7, 1, 8, tzinfo=UTC) + timedelta(
        days=number // KEYS % DAYS, seconds=number % 9_000
    )
    return {
        "id": f"B{task}", "name": f"the {task}th thing that a shop was asked to do", "kind":
        "awareness" if claims else ("fix", "refactor", "feature")[task % 3], "difficulty": 1 + task % 3,
        "model": model, "with_brain": brain, "with_plan": plan, "rep": number,
        "change": round(sum(held) / size, 3),
        "change_detail": [[f"assertion {each} of task {task} holds", x] for each, x in enumerate(held)],
        "regress": None if claims else round((32 - len(missed)) / 32, 5), "regress_total": 32,
        "regress_misses": missed,
        "changed_files": [f"src/Part{each}/File.php" for each in range(rng.randrange(4))],
        "wall_s": round(rng.uniform(4, 400), 1), "calls": rng.randrange(4, 40), "cost": round(dollars, 6),
        "prompt_tokens": sent, "completion_tokens": written, "cached_tokens": cached,
        "error": "the harness timed out" if failed else None,
        "stamp": stamp.isoformat().replace("+00:00", "Z"),
    }  # fmt: skip


def write(folder: Path, records: int) -> int:
    """An experiment of so many records, a log a model; how many bytes its logs have."""
    rng = random.Random(records)
    (folder / "logs_big").mkdir(parents=True)
    (folder / "pricing").mkdir()
    (folder / "pricing" / "2026-07-05.yaml").write_text(PRICES, "utf-8")
    logs = {m: (folder / "logs_big" / f"{m}.jsonl").open("w", encoding="utf-8") for m in MODELS}
    for number in range(records):
        made = record(number, rng)
        logs[made["model"]].write(json.dumps(made) + "\n")
    for log in logs.values():
        log.close()
    return sum(path.stat().st_size for path in (folder / "logs_big").iterdir())


def floor(folder: Path) -> Callable[[], None]:
    """The lines through orjson, all of which lie in memory."""
    sys.path.insert(0, str(folder.parent / "peer"))
    loads = __import__("orjson").loads
    lines = [line for path in logs(folder) for line in path.read_bytes().split(b"\n") if line]

    def work() -> None:
        for line in lines:
            loads(line)

    return work


class AsItIs(Redactor):
    """Looks for no secrets."""

    def clean(self, data: bytes) -> tuple[bytes, Counter[str]]:
        """The same bytes."""
        return data, Counter()


def partials(folder: Path, redactor: Redactor, ways: EngineChoice) -> Callable[[], None]:
    """Every log read, checked and counted."""
    experiment = replace(mc.load(folder), redactor=redactor)
    context = engine.context_of(experiment, ())

    def work() -> None:
        with ways.started(0) as workers:
            assert counting.counted(FAMILIES["brownfield"], experiment, context, Partial(), workers).records

    return work


def finalised(folder: Path) -> Callable[[], None]:
    """Estimates and comparisons of records that are counted already."""
    experiment = mc.load(folder)
    (family,) = engine.families_of(experiment)
    context = engine.context_of(experiment, ())
    total, context = counting.tabulated(family, experiment, context, Partial())
    return lambda: print(len(finalise(family, total, context, NO_DATA).estimates), file=sys.stderr)


def compute(folder: Path) -> Callable[[], None]:
    """The report of the experiment."""
    return lambda: print(mc.compute(mc.load(folder)).records, file=sys.stderr)


def logs(folder: Path) -> list[Path]:
    """Its logs, in order."""
    return sorted((folder / "logs_big").iterdir())


def run(which: str, folder: Path) -> None:
    """One pass in this process; prints what it took."""
    work = {
        "floor": floor,
        "partials": partial(partials, redactor=AsItIs(), ways=EngineChoice("serial")),
        "by two": partial(partials, redactor=AsItIs(), ways=EngineChoice("processes", 2)),
        "screened": partial(partials, redactor=Redactor(), ways=EngineChoice("serial")),
        "finalised": finalised,
        "compute": compute,
    }[which](folder)
    before, start, wall = used(), peak(), time.perf_counter()
    work()
    print(used() - before, time.perf_counter() - wall, (peak() - start) * 1024)


def used() -> float:
    """Seconds of the processor that this process took, and those that it started and that ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def peak() -> int:
    """Most memory of this process, or of one that it started, in kB."""
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def passes(folder: Path, times: int) -> Iterator[tuple[str, Spent]]:
    """Each pass so many times, one after the other."""
    for _ in range(times):
        for which in PASSES:
            command = [sys.executable, "-m", "benchmarks.ingest", which, str(folder)]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
            yield which, Spent(*map(float, done.stdout.split()))


def peer(folder: Path) -> str:
    """Install orjson into a folder of its own; its version."""
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--target", str(folder), "orjson"], check=True, stderr=subprocess.DEVNULL)
    return next(folder.glob("orjson-*.dist-info")).name.removesuffix(".dist-info").replace("-", " ")


def rows(scratch: Path, records: int, times: int) -> Iterator[str]:
    """The lines of the table for one size."""
    folder = scratch / f"of-{records}"
    size = write(folder, records)
    found: dict[str, list[Spent]] = {which: [] for which in PASSES}
    for which, spent in passes(folder, times):
        found[which].append(spent)
    for which, all_spent in found.items():
        cpu, wall = (statistics.median(getattr(s, name) for s in all_spent) for name in ("cpu", "wall"))
        ratios = sorted(s.cpu / f.cpu for s, f in zip(all_spent, found["floor"], strict=True))
        clock = statistics.median(s.wall / f.wall for s, f in zip(all_spent, found["floor"], strict=True))
        told = f"{statistics.median(ratios):.2f} [{ratios[0]:.2f}-{ratios[-1]:.2f}] | {clock:.2f}"
        memory = max(s.memory for s in all_spent) / 1e6
        what = f"{records:,} of {size / records:.0f} bytes | {which} | {cpu:.2f} | {wall:.2f}"
        yield f"| {what} | {told} | {1e6 * cpu / records:.1f} | {memory:.0f} |"


def table(sizes: dict[int, int] | None = None) -> str:
    """The table, in Markdown."""
    with tempfile.TemporaryDirectory() as made:
        scratch = Path(made)
        peers = f"{peer(scratch / 'peer')}, msgspec {version('msgspec')}, numpy {version('numpy')}"
        lines = [
            line for records, times in (sizes or SIZES).items() for line in rows(scratch, records, times)
        ]
    return "\n".join(
        (
            "## Ingest\n",
            (__doc__ or "").partition("\n\n")[2].partition("\n\n``python")[0],
            f"\nPython {platform.python_version()}, {peers}.\n",
            "| records | pass | CPU s | clock s | CPU to floor | clock to floor | us a record | MB |",
            "| --- | --- | --: | --: | --: | --: | --: | --: |",
            *lines,
            "",
        )
    )


if __name__ == "__main__":
    if len(sys.argv) == 3:
        run(sys.argv[1], Path(sys.argv[2]))
    else:
        print(table({int(size): 1 for size in sys.argv[1:]} or None))
