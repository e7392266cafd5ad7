"""Known mutations of the tree, one at a time: each must fail the tests that are named beside it.

    python -m tests.mutants            all of `list.toml`
    python -m tests.mutants pricing    those whose file's path holds a word
    python -m tests.mutants --check    nothing is run: does the list still fit the tree?

Does: copy the tree into a temporary folder, empty its ledgers there (an instrument that changed must not
fail a test by its digest), see the named tests pass, then apply each mutation and run its tests. Ends with 1
where a mutation survives or no longer fits, or its tests fail without it. Does not: touch the tree itself.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutants.mutant_list import Mutant, faults, listed

TREE = Path(__file__).resolve().parents[2]
COPIED = ("metrics_core", "site_src", "templates", "content", "tests", "build.py", "pyproject.toml")
LEDGERS = ("content/contracts.lock", "metrics_core/contracts/contracts.lock")
PYTEST = ("-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header", "--tb=line")


def copy_tree(to: Path) -> None:
    """A copy of the tree in which no contract is locked."""
    for name in COPIED:
        if (TREE / name).is_dir():
            shutil.copytree(TREE / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(TREE / name, to / name)
    for name in LEDGERS:
        lock = json.loads((to / name).read_bytes())
        (to / name).write_text(json.dumps({"schema": lock["schema"], "contracts": []}), encoding="utf-8")


def failure(tree: Path, tests: Sequence[str]) -> str:
    """What pytest says of tests that fail in a tree, or nothing; a missing test ends the program."""
    data = os.environ.get("ASSAY_DATA") or str(TREE.parent / "shared" / "data")
    environment = {**os.environ, "ASSAY_DATA": data, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *PYTEST, *tests],
        cwd=tree, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 1, 2):
        sys.exit(f"pytest could not run {' '.join(tests)}:\n{done.stdout}{done.stderr}")
    return done.stdout if done.returncode else ""


def killed(tree: Path, mutant: Mutant) -> bool:
    """Whether one of a mutation's tests fails with it."""
    path = tree / mutant.file
    whole = path.read_text(encoding="utf-8")
    path.write_text(mutant.mutated(whole), encoding="utf-8")
    try:
        return bool(failure(tree, mutant.tests))
    finally:
        path.write_text(whole, encoding="utf-8")


def check(mutants: Sequence[Mutant]) -> int:
    """Print which mutations no longer fit the tree; how many faults there are."""
    found = [f"{fault}: {mutant.line}" for mutant in mutants for fault in faults(TREE, mutant)]
    print("\n".join(found) or f"{len(mutants)} mutations fit the tree")
    return len(found)


def run(mutants: Sequence[Mutant]) -> int:
    """Try mutations, printing what becomes of each; how many survive."""
    begun, alive = time.monotonic(), 0
    with TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        tree.mkdir()
        copy_tree(tree)
        if failed := failure(tree, sorted({test for mutant in mutants for test in mutant.tests})):
            sys.exit(f"a named test fails without any mutation:\n{failed}")
        for mutant in mutants:
            dead = killed(tree, mutant)
            alive += not dead
            print(f"{'killed' if dead else 'SURVIVED':8}  {mutant.line}", flush=True)
    print(f"{len(mutants) - alive} of {len(mutants)} killed in {time.monotonic() - begun:.0f} s")
    return alive


def main() -> int:
    """Check the list, and run it unless only the check is wanted."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("word", nargs="?", default="", help="only mutations of files whose path holds it")
    parser.add_argument("--check", action="store_true", help="run nothing: does the list still fit the tree?")
    given = parser.parse_args()
    mutants = listed(given.word)
    return 1 if check(mutants) or (not given.check and run(mutants)) else 0


if __name__ == "__main__":
    sys.exit(main())
