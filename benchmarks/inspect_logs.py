"""Inspect logs of 10, 80 and 300 MB: time and memory beside a bare pass that decodes the same samples.

The log is made here: samples of 2 MB, most of them messages, events and attachments, as an archive and as
plain JSON. Each pass is a process of its own, so that its peak memory is its own. *Measured* is all that
`metrics_core.compute` does: the snapshot and the reading each unpack the log and look for secrets in it.
*Screened* is one pass of these two alone, *bare* unpacks and decodes with msgspec and looks for nothing.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

import metrics_core as mc
from metrics_core.formats import decompression
from metrics_core.redaction import Redactor

SIZES = (10, 80, 300)
"""Millions of bytes of a log when unpacked."""

SAMPLE = 2_000_000
"""Bytes of one sample."""

PASSES = ("bare", "screened", "measured")


def sample(number: int, rng: random.Random, words: list[str]) -> dict[str, Any]:
    """One sample as Inspect writes it, with what is read of it and much that is not."""

    def text(size: int) -> str:
        return " ".join(rng.choices(words, k=size // 7))

    said = [
        {"id": f"m{number}-{turn}", "role": "assistant", "content": f'{text(3000)}\n"so"\\'}
        for turn in range(SAMPLE * 4 // 10 // 3000)
    ]
    events = [
        {"event": "model", "timestamp": "2026-07-05T10:00:00+00:00", "output": {"completion": text(600)}}
        for _ in range(SAMPLE * 4 // 10 // 700)
    ]
    return {
        "id": f"s{number}",
        "epoch": 1,
        "messages": said,
        "events": events,
        "scores": {"match": {"value": "CI"[number % 2], "answer": "4", "history": []}},
        "model_usage": {"alpha": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}},
        "started_at": "2026-07-05T10:00:00+00:00",
        "uuid": f"u{number}",
        "attachments": {f"{at:032x}": text(4000) for at in range(SAMPLE * 2 // 10 // 4000)},
    }


def write(folder: Path, millions: int, form: str) -> None:
    """A log of that size as the only file of an experiment."""
    rng = random.Random(millions)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 9))) for _ in range(4000)]
    count = millions * 1_000_000 // SAMPLE
    told = {"task": "sums", "model": "alpha", "created": "2026-07-05T10:00:00+00:00", "run_id": "r"}
    head = {"version": 2, "status": "success", "eval": told, "results": {"total_samples": count}}
    samples = (json.dumps(sample(number, rng, words)) for number in range(count))
    if form == "eval":
        with zipfile.ZipFile(folder / "a.eval", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for number, each in enumerate(samples):
                archive.writestr(f"samples/s{number}_epoch_1.json", each)
            archive.writestr("header.json", json.dumps(head))
        return
    with (folder / "a.json").open("w", encoding="utf-8") as file:
        file.write(json.dumps(head)[:-1] + ', "samples": [')
        for number, each in enumerate(samples):
            file.write((", " if number else "") + each)
        file.write("]}")


def bare(path: Path) -> None:
    """Unpack and decode every sample, as any reader must that decodes all of it."""
    if path.suffix == ".eval":
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                msgspec.json.decode(archive.read(name))
    else:
        msgspec.json.decode(path.read_bytes())


def screened(path: Path) -> None:
    """Unpack, and take out what is secret."""
    with path.open("rb") as file:
        for _ in Redactor().stream(decompression.unpack(file, path.name), Counter()):
            pass


def measured(path: Path) -> None:
    """All that a report of it takes."""
    report = mc.compute(path.parent)
    assert report.records == sum(e.attempts for e in report.find("score") if not e.group)


def run(which: str, path: Path) -> None:
    """One pass in this process; prints seconds of the processor and the peak of memory in bytes."""
    began = time.process_time()
    {"bare": bare, "screened": screened, "measured": measured}[which](path)
    print(time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


def passes(path: Path) -> Iterator[tuple[float, float]]:
    """Seconds and millions of bytes of each pass, each in a process of its own."""
    for which in PASSES:
        command = [sys.executable, "-m", "benchmarks.inspect_logs", which, str(path)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        yield float(said[0]), float(said[1]) / 1e6


def table() -> str:
    """The table, in Markdown."""
    rows = []
    for form in ("eval", "json"):
        for millions in SIZES:
            with tempfile.TemporaryDirectory() as made:
                folder = Path(made)
                write(folder, millions, form)
                (b, b_mb), (s, s_mb), (m, m_mb) = passes(folder / f"a.{form}")
            seconds = f"{b:.1f} | {s:.1f} | {m:.1f} | {m / b:.1f}"
            memory = f"{b_mb:.0f} | {s_mb:.0f} | {m_mb:.0f} | {m_mb / b_mb:.2f}"
            rows.append(f"| {millions} MB `.{form}` | {seconds} | {memory} |")
    return "\n".join(
        (
            "## Inspect logs\n",
            (__doc__ or "").partition("\n\n")[2],
            "| of a log | bare s | screened | measured | to bare | bare MB | screened | measured | to bare |",
            "| --- | --: | --: | --: | --: | --: | --: | --: | --: |",
            *rows,
            "",
        )
    )


if __name__ == "__main__":
    run(sys.argv[1], Path(sys.argv[2]))
