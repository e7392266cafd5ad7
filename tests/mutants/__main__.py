"""Known mutations of the tree, one at a time: each must fail the tests that are named beside it.

    python -m tests.mutants            all of `list.toml`
    python -m tests.mutants pricing    those whose file's path holds a word

Does: copy the tree into a temporary folder, empty its ledgers there (an instrument that changed must not
fail a test by its digest), see the named tests pass, then apply each mutation and run its tests. Ends with 1
where a mutation survives, no longer applies, or its tests fail without it. Does not: touch the tree itself.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

TREE = Path(__file__).resolve().parents[2]
COPIED = ("metrics_core", "site_src", "templates", "content", "tests", "build.py", "pyproject.toml")
LEDGERS = ("content/contracts.lock", "metrics_core/contracts/contracts.lock")
PYTEST = ("-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header", "--tb=line")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mutation.

    Attributes:
        file: From the top of the tree.
        old: Text that occurs exactly once in it.
        new: What stands there instead.
        tests: Tests of which one must fail, as pytest names them.
    """

    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def told(self) -> str:
        """The mutation in one line."""
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.file}: {old} -> {new or 'nothing'}"


def listed(word: str) -> tuple[Mutant, ...]:
    """The mutations of the list whose file's path holds a word."""
    rows = tomllib.loads(Path(__file__).with_name("list.toml").read_text(encoding="utf-8"))["mutant"]
    mutants = (Mutant(row["file"], row["old"], row["new"], tuple(row["tests"])) for row in rows)
    return tuple(mutant for mutant in mutants if word in mutant.file)


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
    told = {**os.environ, "ASSAY_DATA": data, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *PYTEST, *tests], cwd=tree, env=told, capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1, 2):
        sys.exit(f"pytest could not run {' '.join(tests)}:\n{done.stdout}{done.stderr}")
    return done.stdout if done.returncode else ""


def verdict(tree: Path, mutant: Mutant) -> str:
    """``killed``, ``SURVIVED``, or that the mutation no longer applies."""
    path = tree / mutant.file
    whole = path.read_text(encoding="utf-8")
    if whole.count(mutant.old) != 1:
        return f"OLD TEXT OCCURS {whole.count(mutant.old)} TIMES"
    path.write_text(whole.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        return "killed" if failure(tree, mutant.tests) else "SURVIVED"
    finally:
        path.write_text(whole, encoding="utf-8")


def main(word: str = "") -> int:
    """Try the listed mutations; how many were not killed decides the exit code."""
    mutants, begun, alive = listed(word), time.monotonic(), 0
    with TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        tree.mkdir()
        copy_tree(tree)
        if told := failure(tree, sorted({test for mutant in mutants for test in mutant.tests})):
            sys.exit(f"a named test fails without any mutation:\n{told}")
        for mutant in mutants:
            found = verdict(tree, mutant)
            alive += found != "killed"
            print(f"{found:8}  {mutant.told}", flush=True)
    print(f"{len(mutants) - alive} of {len(mutants)} killed in {time.monotonic() - begun:.0f} s")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
