"""One process, two and a cluster over the same records, and what partials come to as there are more of them.

The logs are those of *Ingest*, counted in stretches of at most 16 MB. *Count* is the CPU that one process
takes for all stretches; *partials* are what it would send, pickled; *merge* adds them up;
*expand* makes the cells of the sum, from which estimates are made. *Peak* is the memory above the start of a
process that counts one stretch after the other and keeps none, and of one that merges all. Then the whole
`metrics_core.compute` with one process, with two, on a Dask cluster of two that it starts, and on one that
stands already and loses a worker that was given stretches: CPU of all processes, and the clock, start and end
of the cluster included. Those of the last are not CPU of its own. All give the same report.

``python -m benchmarks.engines 10000`` measures that many records.
"""

from __future__ import annotations

import json
import pickle
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import metrics_core as mc
from benchmarks.ingest import write
from metrics_core import counting, engine
from metrics_core.execution import EngineChoice
from metrics_core.families import FAMILIES
from metrics_core.measurement import partitions
from metrics_core.measurement.columns import expanded, merged
from tests.support.lost_worker import losing_cluster

SIZES = (10_000, 100_000, 1_000_000)
PASSES = ("count", "merge", "serial", "processes", "dask", "lost")
STRETCH = 16 * 2**20
WAYS = {
    "serial": "one process",
    "processes": "two",
    "dask": "a cluster of two",
    "lost": "the same, one of them lost",
}
HELD = ("verdicts", "numbers", "hints", "tries")
"""Parts of a partial that grow with its records."""


def peak() -> float:
    """Most memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cpu() -> float:
    """CPU of this process and of those that it started and that ended, in seconds."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What some work gives, and its CPU."""
    before = cpu()
    found = work()
    return found, cpu() - before


def in_parts(folder: Path, kept: Path) -> tuple[counting.Counting, list[Path]]:
    """How the records of an experiment are counted, and a file for the partial of each stretch."""
    partitions.LARGEST_STRETCH = STRETCH
    experiment = mc.load(folder).with_snapshot()
    counted = counting.Counting(FAMILIES["brownfield"], experiment, engine.context_of(experiment, ()))
    every = list(partitions.partitions_for(counted.family, experiment, 2))
    kept.mkdir(exist_ok=True)
    return counted, [kept / f"{at}.partial" for at in range(len(every))]


def count(folder: Path, kept: Path) -> dict[str, float]:
    """Every stretch counted by one process, which keeps its partial in a file."""
    by, files = in_parts(folder, kept)
    every = partitions.partitions_for(by.family, by.experiment, 2)
    start, seconds, size = peak(), 0.0, 0
    held: Counter[str] = Counter()
    for partition, file in zip(every, files, strict=True):
        part, spent = timed(lambda one=partition: counting.counted_lines(by, counting.LogLines(one)))
        seconds += spent
        file.write_bytes(pickle.dumps(part, pickle.HIGHEST_PROTOCOL))
        size += file.stat().st_size
        held["verdicts"] += sum(column.nbytes for column in part.runs)
        held["numbers"] += sum(x.nbytes for each in part.numbers.values() for x in each[:3])
        held["hints"] += part.seen.nbytes
        held["tries"] += 24 * len(part.rest.numbered.tries)
    return {"stretches": len(files), "count": seconds, "bytes": size, "peak": peak() - start, **held}


def merge(folder: Path, kept: Path) -> dict[str, float]:
    """All partials read from their files and merged, and the cells made of the sum."""
    by, files = in_parts(folder, kept)
    start = peak()
    parts = [pickle.loads(file.read_bytes()) for file in files]  # noqa: S301 (written by the pass before)
    whole, seconds = timed(lambda: merged(parts))
    size = len(pickle.dumps(whole, pickle.HIGHEST_PROTOCOL))
    above = peak() - start
    _, cells = timed(lambda: expanded(whole, by.family))
    return {"merge": seconds, "expand": cells, "whole": size, "merge_peak": above}


def computed(folder: Path, choice: EngineChoice) -> dict[str, float]:
    """The whole report."""
    began, before = time.perf_counter(), cpu()
    with choice.started(0) as workers:
        report = mc.compute(mc.load(folder), workers=workers)
    digest = int(sha256(json.dumps(report.to_json(), sort_keys=True).encode()).hexdigest()[:12], 16)
    return {"cpu": cpu() - before, "clock": time.perf_counter() - began, "digest": float(digest)}


def with_a_worker_lost(folder: Path) -> dict[str, float]:
    """The whole report, by a cluster that loses one of two workers."""
    with losing_cluster() as cluster:
        found = computed(folder, EngineChoice("dask", 0, cluster.address))
    assert cluster.lost, "the worker had stretches"
    return found


def run(which: str, folder: Path) -> None:
    """One pass in this process; prints what it took."""
    kept = folder.with_name(f"{folder.name}-partials")
    work = {
        "count": lambda: count(folder, kept),
        "merge": lambda: merge(folder, kept),
        "serial": lambda: computed(folder, EngineChoice("serial")),
        "processes": lambda: computed(folder, EngineChoice("processes", 2)),
        "dask": lambda: computed(folder, EngineChoice("dask", 2)),
        "lost": lambda: with_a_worker_lost(folder),
    }[which]
    print(json.dumps(work()))


def found(folder: Path) -> dict[str, dict[str, float]]:
    """Each pass, in a process of its own."""
    told = {}
    for which in PASSES:
        command = [sys.executable, "-m", "benchmarks.engines", which, str(folder)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        told[which] = json.loads(done.stdout)
    assert len({told[way]["digest"] for way in WAYS}) == 1, "all give the same report"
    return told


def rows(scratch: Path, sizes: tuple[int, ...]) -> Iterator[tuple[str, str, list[str]]]:
    """The lines of the three tables, one of each for each size."""
    for records in sizes:
        folder = scratch / f"of-{records}"
        write(folder, records)
        told = found(folder)
        c, m, one = told["count"], told["merge"], told["serial"]
        sent, whole = c["bytes"] / records, m["whole"] / records
        yield (
            (
                f"| {records:,} | {c['stretches']:.0f} | {1e6 * c['count'] / records:.1f} | "
                f"{sent:.0f} | {whole:.0f} | {1e6 * m['merge'] / records:.2f} | "
                f"{m['expand']:.1f} | {c['peak']:.0f} | {m['merge_peak']:.0f} |"
            ),
            f"| {records:,} | " + " | ".join(f"{c[part] / records:.1f}" for part in HELD) + " |",
            [
                f"| {records:,} | {named} | {told[way]['cpu']:.1f} | {told[way]['cpu'] / one['cpu']:.2f} | "
                f"{told[way]['clock']:.1f} | {told[way]['clock'] / one['clock']:.2f} |"
                for way, named in WAYS.items()
            ],
        )


def table(sizes: tuple[int, ...] = SIZES) -> str:
    """The tables, in Markdown."""
    with tempfile.TemporaryDirectory() as made:
        partials, held, whole = zip(*rows(Path(made), sizes), strict=True)
    return "\n".join(
        (
            "## Engines\n",
            (__doc__ or "").partition("\n\n")[2].partition("\n\n``python")[0],
            f"\nPython {platform.python_version()}.\n",
            (
                "| records | stretches | count us a record | partials B a record | merged B a record "
                "| merge us a record | expand s | peak counting MB | peak merging MB |"
            ),
            "| --: | --: | --: | --: | --: | --: | --: | --: | --: |",
            *partials,
            "",
            "| records | verdicts B a record | numbers | hints of repeated lines | numbered tries |",
            "| --: | --: | --: | --: | --: |",
            *held,
            "",
            "| records | report by | CPU s | CPU to one | clock s | clock to one |",
            "| --: | --- | --: | --: | --: | --: |",
            *(line for each in whole for line in each),
            "",
        )
    )


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] in PASSES:
        run(sys.argv[1], Path(sys.argv[2]))
    else:
        print(table(tuple(map(int, sys.argv[1:])) or SIZES))
