"""The program under every Python that is at hand: what may differ between them, and sites across all of them.

    python -m tests.matrix             3.11 to 3.14, as far as they are found
    python -m tests.matrix 3.12 3.13   these alone
    python -m tests.matrix --sites     no tests: only sites, and their verification

Does: look for interpreters on the PATH, under pyenv's folder and under uv's, make an environment of the lock
for each in ``.venv-matrix``, run the tests of whatever an interpreter may do otherwise (`DIFFERS_BY`), build
a small site under each, hold the sites against each other byte by byte, and verify each under every other
Python. Ends with 1 where anything fails, or fewer than two Pythons are found. Does not: install a Python.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

TREE = Path(__file__).resolve().parents[2]
ENVIRONMENTS = TREE / ".venv-matrix"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
DIFFERS_BY = {
    "metrics_core": "how a value, an error or a number is printed: every example of the core's documentation",
    "tests/core/formats": "what JSON, YAML, zip, zlib and zstd take, and what they say of what they refuse",
    "tests/core/statistics/test_bootstrap.py": "how floating-point numbers are added up",
    "tests/core/test_digest.py": "digests of files and trees",
    "tests/core/contracts/test_closure.py": "what a source imports, read from its syntax tree",
    "tests/core/contracts/test_cage.py": "what the interpreter itself needs within the kernel's cage",
    "tests/core/contracts/test_scorer.py": "the process that a contract runs in",
    "tests/core/contracts/test_scorer_fence.py": "events of the audit hook",
    "tests/core/contracts/test_hostile_contracts.py": "ways out through the interpreter's own insides",
    "tests/core/measurement/test_score_report.py": "the fingerprint of an environment",
    "tests/core/test_look_alikes.py": "the interpreter's tables of Unicode",
    "tests/families/test_traces.py": "scores of a user's contract",
    "tests/site/signing": "signatures and statements",
    "tests/site/verification": "a second reading of every number",
    "tests/site/test_link_policy.py": "how addresses are taken apart",
}
"""Tests -> what they hold that may differ between versions of Python; the sites tell of everything else."""

PYTEST = ("-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "--no-header", "--tb=short")
AT_ONCE = 2
"""Verifications that run beside each other."""

LOCKED = "requirements.lock"
WRITE_SITE = """
import sys
from pathlib import Path
from tests.support.built_once import write_small_site
write_small_site(Path(sys.argv[1]))
"""
FINGERPRINT = re.compile(rb'"python": ?"[^"]*"|sha256:[0-9a-f]{64}|[0-9a-f]{8,64}')
"""What names the builder's Python, and digests of files that do: all else is the same under every version."""
VERIFY = "import sys; from site_src.cli import main; sys.exit(main(['verify', '--quiet', sys.argv[1]]))"
IS_IT = "import ensurepip, sys, venv; sys.exit(sys.argv[1] != '%d.%d' % sys.version_info[:2])"


def main() -> int:
    """Run the matrix; 1 where something failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.matrix")
    parser.add_argument("versions", nargs="*", default=VERSIONS, metavar="3.N")
    parser.add_argument("--sites", action="store_true", help="only build and verify sites")
    asked = parser.parse_args()
    pythons = {version: found for version in asked.versions if (found := interpreter(version)) is not None}
    for version in asked.versions:
        say(f"Python {version}: {pythons.get(version, 'not found')}")
    if len(pythons) < min(2, len(asked.versions)):
        return 1
    ready = {version: environment(version, python) for version, python in pythons.items()}
    failed = []
    for version, python in () if asked.sites else ready.items():
        passes = run(python, (*PYTEST, *DIFFERS_BY))
        say(f"tests under {version}: {'pass' if passes else 'FAIL'}")
        failed += [] if passes else [f"tests under {version}"]
    with TemporaryDirectory(prefix="assay-matrix-") as scratch:
        failed += across({version: (python, Path(scratch, version)) for version, python in ready.items()})
    say(f"failed: {', '.join(failed)}" if failed else f"all hold under {', '.join(ready)}")
    return bool(failed)


def across(pythons: Mapping[str, tuple[Path, Path]]) -> list[str]:
    """Build a site under each Python, and hold it against the first one and under every other Python.

    Args:
        pythons: Version -> its interpreter, and the folder for its site.

    Returns:
        What does not hold.
    """
    failed, first = [], ""
    for builder, (python, folder) in pythons.items():
        if not run(python, ("-c", WRITE_SITE, str(folder))):
            failed.append(f"{builder} builds")
            continue
        first = first or builder
        site, files = folder / "_site", len(bytes_of(folder))
        if differing := unlike(bytes_of(pythons[first][1]), bytes_of(folder)):
            failed.append(f"{builder} builds other files than {first}")
        say(f"built under {builder}: {files} files, {len(differing)} unlike those of {first}")
        for path in differing[:5]:
            say(f"  {path}")
        others = {verifier: other for verifier, (other, _) in pythons.items() if verifier != builder}
        with ThreadPoolExecutor(AT_ONCE) as pool:
            found = pool.map(partial(run, words=("-c", VERIFY, str(site)), shown=False), others.values())
            for verifier, holds in zip(others, found, strict=True):
                say(f"built under {builder}, verified under {verifier}: {'holds' if holds else 'DIFFERS'}")
                failed += [] if holds else [f"{verifier} verifies {builder}"]
    return failed


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Path of each file but the manifest of a site -> its bytes, without what names a Python."""
    site = folder / "_site"
    found = (path for path in sorted(site.rglob("*")) if path.is_file() and path != site / "manifest.json")
    return {p.relative_to(site).as_posix(): FINGERPRINT.sub(b"", p.read_bytes()) for p in found}


def unlike(first: Mapping[str, bytes], second: Mapping[str, bytes]) -> list[str]:
    """Paths that only one of two sites has, or that have other bytes."""
    return sorted(path for path in {*first, *second} if first.get(path) != second.get(path))


def interpreter(version: str) -> str | None:
    """The first interpreter of a version that can make an environment."""
    for candidate in candidates(version):
        done = subprocess.run([candidate, "-c", IS_IT, version], check=False, capture_output=True)
        if done.returncode == 0:
            return candidate
    return None


def candidates(version: str) -> Iterator[str]:
    """Where a version may be found: on the PATH, and among those that pyenv and uv have installed."""
    if found := shutil.which(f"python{version}"):
        yield found
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from map(str, sorted(root.glob(f"versions/{version}.*/bin/python{version}"), reverse=True))
    uv = Path.home() / ".local/share/uv/python"
    yield from map(str, sorted(uv.glob(f"cpython-{version}.*/bin/python{version}"), reverse=True))


def environment(version: str, python: str) -> Path:
    """The Python of an environment that holds what the lock lists; made anew where the lock is another."""
    folder = ENVIRONMENTS / version
    made = folder / "bin" / "python"
    lock = (TREE / LOCKED).read_bytes()
    if not (folder / LOCKED).is_file() or (folder / LOCKED).read_bytes() != lock:
        say(f"environment of Python {version}")
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        pip = [made, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--require-hashes", "--no-deps", "-r", TREE / LOCKED], check=True)
        (folder / LOCKED).write_bytes(lock)
    return made


def run(python: Path, words: Sequence[str], *, shown: bool = True) -> bool:
    """Whether a program of the tree ends well under a Python; what it says is shown where it does not."""
    path = {**os.environ, "PYTHONPATH": str(TREE)}
    told = {} if shown else {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run([python, *words], cwd=TREE, env=path, check=False, **told)
    if done.returncode != 0 and not shown:
        print(done.stdout, flush=True)
    return done.returncode == 0


def say(what: str) -> None:
    """A line with the time that has passed."""
    print(f"{time.monotonic() - BEGAN:6.0f} s  {what}", flush=True)


BEGAN = time.monotonic()

if __name__ == "__main__":
    sys.exit(main())
