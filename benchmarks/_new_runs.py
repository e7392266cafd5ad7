"""Lines for a log that each record one run more: of its first record, at another second or repetition."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path


def new_runs(log: Path) -> Iterator[bytes]:
    """Lines without end; the same bytes twice would be one run, which nothing has to be measured for.

    Args:
        log: A log whose records bear a stamp or a repetition.
    """
    first = json.loads(log.read_bytes().split(b"\n", 1)[0])
    for n in count(1):
        record = dict(first)
        if "stamp" in first:
            record["stamp"] = f"{first['stamp'][:14]}{n // 60 % 60:02}:{n % 60:02}Z"
        if "rep" in first:
            record["rep"] = 10**6 + n
        yield json.dumps(record).encode() + b"\n"
