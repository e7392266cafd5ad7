"""Runs every benchmark of this folder and writes what they print into ``RESULTS.md``.

``python -m benchmarks`` runs all; ``python -m benchmarks save_to_seen`` those that are named, whose parts of
the results are written anew. Each is a script with a ``table()`` that returns Markdown under one heading of
the second level; none is run by the tests, and no test is timed. What they come to against what was asked is
the first part.
"""

from __future__ import annotations

import importlib
import os
import platform
import re
import sys
from pathlib import Path

from benchmarks._targets import HEADING, summary

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "RESULTS.md"
HEAD = """# Benchmarks

Written by `python -m benchmarks` ({machine}, {cores} cores, Python {python}). Times depend on the machine;
what stands beside them, measured in the same run, says what they mean.
"""


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all, and write what they found."""
    head = HEAD.format(
        machine=f"{platform.system()} {platform.machine()}",
        cores=os.cpu_count(),
        python=platform.python_version(),
    )
    results = RESULTS.read_text("utf-8") if names else head
    for name in names or every():
        part = importlib.import_module(f"benchmarks.{name}").table()
        print(part)
        results = with_part(results, part)
    RESULTS.write_text(with_summary(results), "utf-8")
    return 0


def every() -> list[str]:
    """Names of all benchmarks: modules that have a table."""
    names = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))
    return [name for name in names if hasattr(importlib.import_module(f"benchmarks.{name}"), "table")]


def with_summary(results: str) -> str:
    """Results with what they come to against what was asked, as their first part."""
    head, *parts = re.split(r"^(?=## )", results, flags=re.MULTILINE)
    parts = [part for part in parts if part.partition("\n")[0] != HEADING]
    return "\n\n".join(part.strip("\n") for part in (head, summary("".join(parts)), *parts)) + "\n"


def with_part(results: str, part: str) -> str:
    r"""Results with one part in place of the one under the same heading, or behind the others.

    >>> with_part("# All\n\n## A\n1\n\n## B\n2\n", "## A\n3\n")
    '# All\n\n## A\n3\n\n## B\n2\n'
    """
    parts = re.split(r"^(?=## )", results, flags=re.MULTILINE)
    heading = part.partition("\n")[0]
    at = next((n for n, old in enumerate(parts) if old.partition("\n")[0] == heading), len(parts))
    parts[at : at + 1] = [part]
    return "\n\n".join(each.strip("\n") for each in parts) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
