"""Files that are small on disk and large in memory or time: what each comes to, its peak memory, its seconds.

Each is made in a folder of its own and measured by a process of its own, which may take `MOST_MEMORY` and
`MOST_SECONDS` and no more.
"""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

MOST_MEMORY = 6 * 2**30
MOST_SECONDS = 120
RECORD = {"schema": "trace.v1", "task_id": "t", "agent": "a", "rep": 1, "tests_passed": True}
LINE = json.dumps(RECORD).encode() + b"\n"
MEGABYTE = 10**6

CHILD = """\
import re, sys, time
from pathlib import Path
import metrics_core as mc
from metrics_core.errors import AssayError
began = time.monotonic()
try:
    report = mc.compute(mc.load(sys.argv[1]))
    found = [f"{report.records} records, {len(report.problems)} problems", *map(str, report.problems[:1])]
except AssayError as error:
    found = [str(error)]
peak = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024
print(time.monotonic() - began, peak, ": ".join(found))
"""


def _packed(folder: Path, pieces: Iterable[bytes]) -> None:
    with gzip.open(folder / "a.jsonl.gz", "wb") as out:
        out.writelines(pieces)


def _plain(folder: Path, pieces: Iterable[bytes]) -> None:
    with (folder / "a.jsonl").open("wb") as out:
        out.writelines(pieces)


def _zstandard(folder: Path, pieces: Iterable[bytes]) -> None:
    import zstandard

    with (folder / "a.jsonl.zst").open("wb") as file, zstandard.ZstdCompressor().stream_writer(file) as out:
        for piece in pieces:
            out.write(piece)


def _parquet(folder: Path, *, rows: int, in_each: int, length: int) -> None:
    """One text, once in the file's dictionary and many times in its rows."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = {key: pa.array([value] * rows) for key, value in RECORD.items()}
    texts = pa.DictionaryArray.from_arrays(np.zeros(rows * in_each, np.int32), ["x" * length])
    lists = pa.ListArray.from_arrays(np.arange(0, rows * in_each + 1, in_each, dtype=np.int32), texts)
    table = pa.table({**fields, **({"oracle_files": lists} if in_each > 1 else {"patch": texts})})
    pq.write_table(table, folder / "a.parquet", compression="zstd")


def _numbers(folder: Path, length: int) -> None:
    """One number, once in the file and many times in one row."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = {key: pa.array([value]) for key, value in RECORD.items()}
    lists = pa.ListArray.from_arrays(np.array([0, length], np.int32), pa.array(np.zeros(length, np.int8)))
    pq.write_table(pa.table({**fields, "numbers": lists}), folder / "a.parquet", compression="zstd")


def _one_page(folder: Path, length: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = {key: [value] for key, value in RECORD.items()}
    table = pa.table({**fields, "patch": ["x" * length]})
    pq.write_table(table, folder / "a.parquet", compression="zstd", use_dictionary=False)


def _eval(folder: Path, megabytes: int) -> None:
    header = {"version": 2, "status": "success", "eval": {"model": "m", "task": "t"}}
    with zipfile.ZipFile(folder / "a.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("samples/1_epoch_1.json", '{"id":1,"epoch":1,"scores":{"s":{"value":"C"}}}')
        with archive.open("samples/2_epoch_1.json", "w") as out:
            out.write(b'{"id":2,"epoch":1,"scores":{"s":{"value":"C"}},"messages":"')
            for _ in range(megabytes):
                out.write(b"y" * MEGABYTE)
            out.write(b'"}')


def _long(megabytes: int) -> Iterable[bytes]:
    yield from (LINE, b'{"a":"', *([b"x" * MEGABYTE] * megabytes), b'"}\n', LINE)


KINDS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "gzip, 300 MB of empty objects": ("traces", lambda f: _packed(f, [LINE, *[b"{}\n" * 10**6] * 100])),
    "gzip, 1 GB of line feeds": ("traces", lambda f: _packed(f, [LINE, *[b"\n" * MEGABYTE] * 1000])),
    "gzip, a line of 200 MB": ("traces", lambda f: _packed(f, _long(200))),
    "Zstandard, 1 GB of line feeds": ("traces", lambda f: _zstandard(f, [LINE, *[b"\n" * MEGABYTE] * 1000])),
    "plain, a line of 200 MB": ("traces", lambda f: _plain(f, _long(200))),
    "plain, 200 MB of line feeds": ("traces", lambda f: _plain(f, [LINE, *[b"\n" * MEGABYTE] * 200, LINE])),
    "plain, 10 million empty objects": ("traces", lambda f: _plain(f, [LINE, *[b"{}\n" * 10**6] * 10, LINE])),
    "plain, 8 MB of brackets": ("traces", lambda f: _plain(f, [LINE, b"[" * 8 * MEGABYTE, b"\n", LINE])),
    "Parquet, 4,000 rows of one 1 MB text": (
        "traces", lambda f: _parquet(f, rows=4000, in_each=1, length=10**6),
    ),
    "Parquet, one row of 4,000 times a 1 MB text": (
        "traces", lambda f: _parquet(f, rows=1, in_each=4000, length=10**6),
    ),
    "Parquet, 100 rows of 20,000 times a 1 kB text": (
        "traces", lambda f: _parquet(f, rows=100, in_each=20_000, length=1000),
    ),
    "Parquet, one row of 200 million zeros": ("traces", lambda f: _numbers(f, 200 * 10**6)),
    "Parquet, one page of 1 GB": ("traces", lambda f: _one_page(f, 10**9)),
    "Inspect, a sample of 700 MB": ("", lambda f: _eval(f, 700)),
}  # fmt: skip
"""What is made -> the folder that it lies in, and its maker."""


def measured(name: str) -> str:
    """One row: size on disk, seconds, megabytes at the most, and what is said of it."""
    inner, make = KINDS[name]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "e", inner)
        folder.mkdir(parents=True)
        make(folder)
        (file,) = folder.iterdir()
        size = file.stat().st_size
        try:
            done = subprocess.run(
                [sys.executable, "-c", CHILD, Path(scratch, "e")], capture_output=True, text=True,
                check=False, timeout=MOST_SECONDS, preexec_fn=_limited,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"| {name} | {size:,} | over {MOST_SECONDS} | | not ended |"
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1]
            return f"| {name} | {size:,} | | over {MOST_MEMORY >> 20:,} | {last} |"
    seconds, peak, said = done.stdout.strip().split(" ", 2)
    return f"| {name} | {size:,} | {float(seconds):.1f} | {peak} | {said.replace('|', '/')} |"


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def table() -> str:
    """The table, in Markdown."""
    head = "| file | bytes on disk | seconds | MB at the most | what is said |\n|---|---|---|---|---|"
    return "\n".join(["## Files that unfold", "", head, *map(measured, KINDS), ""])


if __name__ == "__main__":
    for each in sys.argv[1:] or KINDS:
        for kind in (k for k in KINDS if each in k):
            print(measured(kind), flush=True)
