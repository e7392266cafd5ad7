"""The program under every Python that is at hand: the core's tests, and each site verified under each other.

    python -m tests.matrix             3.11 to 3.14, as far as they are found
    python -m tests.matrix 3.12 3.13   these alone
    python -m tests.matrix --sites     no tests: only sites, and their verification

Does: look for interpreters on the PATH and under pyenv's folder, make an environment of the lock for each
in ``.venv-matrix``, run the tests of the core, build a small site under each, and verify it under all. Ends
with 1 where anything fails, or fewer than two Pythons are found. Does not: install a Python.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

TREE = Path(__file__).resolve().parents[2]
ENVIRONMENTS = TREE / ".venv-matrix"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
CORE = ("tests/core", "tests/families", "tests/site/signing", "tests/site/verification", "metrics_core")
PYTEST = ("-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "--no-header", "--tb=short")
LOCKED = "requirements.lock"
WRITE_SITE = """
import sys
from pathlib import Path
from tests.support.built_once import write_small_site
write_small_site(Path(sys.argv[1]))
"""
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
    failed = [] if asked.sites else [version for version in ready if not run(ready[version], PYTEST + CORE)]
    with TemporaryDirectory(prefix="assay-matrix-") as scratch:
        for builder, python in ready.items():
            site = Path(scratch, builder)
            if not run(python, ("-c", WRITE_SITE, str(site))):
                failed.append(f"{builder} builds")
                continue
            for verifier, other in ready.items():
                holds = run(other, ("-c", VERIFY, str(site / "_site")))
                say(f"built under {builder}, verified under {verifier}: {'holds' if holds else 'DIFFERS'}")
                failed += [] if holds else [f"{verifier} verifies {builder}"]
    say(f"failed: {', '.join(failed)}" if failed else f"all hold under {', '.join(ready)}")
    return bool(failed)


def interpreter(version: str) -> str | None:
    """The first interpreter of a version that can make an environment."""
    for candidate in candidates(version):
        done = subprocess.run([candidate, "-c", IS_IT, version], check=False, capture_output=True)
        if done.returncode == 0:
            return candidate
    return None


def candidates(version: str) -> Iterator[str]:
    """Where a version may be found: on the PATH, and among those that pyenv has installed."""
    if found := shutil.which(f"python{version}"):
        yield found
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from map(str, sorted(root.glob(f"versions/{version}.*/bin/python{version}"), reverse=True))


def environment(version: str, python: str) -> Path:
    """The Python of an environment that holds what the lock lists; made anew where the lock is another."""
    folder = ENVIRONMENTS / version
    made = folder / "bin" / "python"
    lock = (TREE / LOCKED).read_bytes()
    if not (folder / LOCKED).is_file() or (folder / LOCKED).read_bytes() != lock:
        say(f"environment of Python {version}")
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        pip = [made, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
        subprocess.run([*pip, "-r", TREE / LOCKED], check=True)
        (folder / LOCKED).write_bytes(lock)
    return made


def run(python: Path, words: Sequence[str]) -> bool:
    """Whether a program of the tree ends well under a Python."""
    path = {**os.environ, "PYTHONPATH": str(TREE)}
    return subprocess.run([python, *words], cwd=TREE, env=path, check=False).returncode == 0


def say(what: str) -> None:
    """A line with the time that has passed."""
    print(f"{time.monotonic() - BEGAN:6.0f} s  {what}", flush=True)


BEGAN = time.monotonic()

if __name__ == "__main__":
    sys.exit(main())
