"""Measuring: the signed bootstrap, many metrics at once, an experiment after one line more, and reading.

Each row is two things timed in turn in one process, and their ratio. What a process remembers is forgotten
before whatever is to be timed without it, and each bootstrap is of scores that were never drawn before.
"""

from __future__ import annotations

import json
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

import metrics_core as mc
from benchmarks._new_runs import new_runs
from metrics_core.families.brownfield.record import BrownfieldRun
from metrics_core.formats import jsonl
from metrics_core.memo import Memo
from metrics_core.statistics.bootstrap.resampled import bootstrap_mean_ci, bootstrap_means_ci
from tests.specs.reference import seed_004

EXPERIMENTS = Path(__file__).resolve().parent.parent / "content" / "experiments"
LOGS = ("logs_big", "logs_layered", "logs", "traces", "attempts")
"""Folders of an experiment in which records are lines."""


class Timed(NamedTuple):
    """One row: what was timed against what, in milliseconds."""

    what: str
    against: str
    ours: list[float]
    floor: list[float]


def ms(work: Callable[[], object]) -> float:
    """Milliseconds that some work takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def in_turn(
    what: str, against: str, ours: Callable[[int], object], floor: Callable[[int], object], times: int
) -> Timed:
    """Both, one after the other, so many times; each is told which time it is."""
    found = Timed(what, against, [], [])
    for turn in range(times):
        found.ours.append(ms(lambda turn=turn: ours(turn)))
        found.floor.append(ms(lambda turn=turn: floor(turn)))
    return found


def words() -> Timed:
    """One signed bootstrap beside the random words that it takes, and nothing done with them."""
    rng = random.Random("words")
    n, resamples, block = 10_000, 2000, 2**20
    scores = [[rng.random() for _ in range(n)] for _ in range(9)]
    twister = np.random.RandomState(4)
    wanted = resamples * 2 ** n.bit_length()  # of these words n in 2^k are below n

    def floor(_: int) -> None:
        for at in range(0, wanted, block):
            twister.randint(0, 2**32, size=min(block, wanted - at), dtype=np.uint32)

    return in_turn(
        "the same again", "its random words alone", lambda turn: bootstrap_mean_ci(scores[turn]), floor, 9
    )


def signed() -> Timed:
    """One signed bootstrap beside the seed's, of the same scores, and to the same bits."""
    rng = random.Random("signed")
    scores = [[rng.random() for _ in range(10_000)] for _ in range(3)]
    said: dict[int, object] = {}

    def ours(turn: int) -> None:
        said[turn] = bootstrap_mean_ci(scores[turn])

    def floor(turn: int) -> None:
        assert seed_004.bootstrap_mean_ci(scores[turn]) == said[turn]

    return in_turn(
        "signed bootstrap, n = 10,000, 2000 resamples", "the seed's function, in Python", ours, floor, 3
    )


def together() -> Timed:
    """Fifty metrics of one n at once, beside a call for each."""
    rng = random.Random("together")
    metrics = [[float(rng.random() < 0.7) for _ in range(10_000)] for _ in range(50)]
    columns = {str(at): scores for at, scores in enumerate(metrics)}
    return in_turn(
        "the same for 50 metrics of one n", "50 separate calls",
        lambda _: bootstrap_means_ci(columns), lambda _: [bootstrap_mean_ci(s) for s in metrics], 3,
    )  # fmt: skip


def appended(folder: Path, times: int = 15) -> Timed:
    """An experiment measured after one line more, beside the same with nothing remembered."""
    log = min(path for name in LOGS for path in (folder / name).glob("*.jsonl"))
    fresh = new_runs(log)
    memo = Memo()
    runs = mc.compute(mc.load(folder), memo=memo).records
    found = Timed(f"{folder.name}, {runs} records, after one line more", "nothing remembered", [], [])
    for _ in range(times):
        with log.open("ab") as file:
            file.write(next(fresh))
        found.ours.append(ms(lambda: mc.compute(mc.load(folder), memo=memo)))
        found.floor.append(ms(lambda: mc.compute(mc.load(folder))))
    return found


def reading(copies: int = 100, times: int = 9) -> Iterator[Timed]:
    """Records read and validated, beside the least that could decode their lines."""
    log = (EXPERIMENTS / "brownfield-2026-07" / "logs_big" / "alpha.jsonl").read_bytes() * copies
    lines = log.splitlines()
    pieces = [log[at : at + (1 << 20)] for at in range(0, len(log), 1 << 20)]

    def ours(_: int) -> None:
        for batch in jsonl.batches(pieces, BrownfieldRun, file="alpha.jsonl"):
            assert all(isinstance(row, jsonl.Row) for row in batch)

    def floor(decode: Callable[[bytes], object]) -> Callable[[int], object]:
        return lambda _: [decode(line) and None for line in lines]

    what = f"{len(lines):,} records of {len(log) / len(lines):.0f} bytes read and validated"
    yield in_turn(what, "json.loads of each line", ours, floor(json.loads), times)
    yield in_turn(what, "msgspec, untyped, of each line", ours, floor(msgspec.json.Decoder().decode), times)


def row(timed: Timed) -> str:
    """One line of the table; the ratio is ours over what it is held against."""

    def told(times: list[float]) -> str:
        ordered = sorted(times)
        p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
        return f"{statistics.median(ordered):,.0f} | {p95:,.0f}"

    ratio = statistics.median(timed.ours) / statistics.median(timed.floor)
    return f"| {timed.what} | {told(timed.ours)} | {timed.against} | {told(timed.floor)} | {ratio:.3f} |"


def table() -> str:
    """The results, as Markdown."""
    rows = [signed(), words(), together()]
    with tempfile.TemporaryDirectory() as scratch:
        copies = [shutil.copytree(x, Path(scratch) / x.name) for x in sorted(EXPERIMENTS.iterdir())]
        rows += map(appended, copies)
    rows += reading()
    head = [
        "| what | median ms | p95 ms | against | median ms | p95 ms | ratio |",
        "| --- | --: | --: | --- | --: | --: | --: |",
    ]
    return "\n".join(["## Measuring", "", *head, *map(row, rows), ""])


if __name__ == "__main__":
    print(table())
