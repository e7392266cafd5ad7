"""What a process takes, with all that it starts: seconds of CPU and of the clock, and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple


class Spent(NamedTuple):
    """Seconds of CPU and of the clock, and the greatest resident memory of one process in bytes."""

    cpu: float
    clock: float
    memory: float


def spent(command: Sequence[str], *, cwd: Path, environment: Mapping[str, str] | None = None) -> Spent:
    """Run a command to its end.

    Raises:
        CalledProcessError: It failed; what it said is in the error.
    """
    with tempfile.TemporaryFile() as said:
        began = time.monotonic()
        process = subprocess.Popen(
            command, cwd=cwd, env={**os.environ, **(environment or {})}, stdout=said, stderr=said
        )
        _, status, used = os.wait4(process.pid, 0)
        clock = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise subprocess.CalledProcessError(process.returncode, command, said.read()[-2000:])
    return Spent(used.ru_utime + used.ru_stime, clock, used.ru_maxrss * 1024)


def middle(found: Sequence[Spent]) -> Spent:
    """The median of each."""
    return Spent(*(median(column) for column in zip(*found, strict=True)))


def assay(project: Path, *arguments: str) -> tuple[str, ...]:
    """The command that runs this program on a project."""
    program = "import sys; from pathlib import Path; from site_src.cli import main;"
    return (sys.executable, "-c", f"{program} sys.exit(main(sys.argv[2:], project=Path(sys.argv[1])))",
            str(project), *arguments)  # fmt: skip
