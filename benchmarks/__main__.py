"""Runs every benchmark of this folder and writes what they print into ``RESULTS.md``.

``python -m benchmarks`` runs all; ``python -m benchmarks save_to_seen`` those that are named. Each is a
script with a ``table()`` that returns Markdown; none is run by the tests, and no test is timed.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "RESULTS.md"
HEAD = """# Benchmarks

Written by `python -m benchmarks` ({machine}, {cores} cores, Python {python}). Times depend on the machine;
what stands beside them, measured in the same run, says what they mean.
"""


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all; write the results of a whole run."""
    every = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))
    parts = []
    for name in names or every:
        part = importlib.import_module(f"benchmarks.{name}").table()
        print(part)
        parts.append(part)
    if not names:
        head = HEAD.format(
            machine=f"{platform.system()} {platform.machine()}",
            cores=os.cpu_count(),
            python=platform.python_version(),
        )
        RESULTS.write_text("\n".join([head, *parts]), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
