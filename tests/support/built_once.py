"""What is made once a run and read by all its workers: the program as it stands, and small sites.

Does: make a folder under a lock, for whichever test asks first. Does not: guard it against a test that
alters it; whoever breaks something breaks a copy.
"""

from __future__ import annotations

import compileall
import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]

PARTS = ("build.py", "metrics_core", "site_src", "templates")
"""What a copy of the program consists of."""


def built_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that the workers of a run share: the first that asks for it makes it, the others wait.

    Args:
        factory: Knows the run's own temporary folder.
        name: Of the folder, and of what is made.
        make: Makes the folder, which does not exist yet.
    """
    root = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent  # a worker's own folder lies in the one of the run
    folder, whole = root / name, root / f"{name}.whole"
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            shutil.rmtree(folder, ignore_errors=True)  # what an attempt that failed has left
            make(folder)
            whole.touch()
    return folder


def write_program(folder: Path) -> None:
    """The program's source with its byte code, without which each process would compile all of it anew."""
    folder.mkdir()
    for part in PARTS:
        if (REPO / part).is_dir():
            shutil.copytree(REPO / part, folder / part, ignore=shutil.ignore_patterns(".*"))
        else:
            shutil.copy2(REPO / part, folder / part)
    compileall.compile_dir(folder, quiet=2)


def write_small_site(folder: Path) -> None:
    """A project of small content: ``content`` with its ledger, and ``_site``."""
    from tests.support import small_content

    _build(small_content.write(folder / "content"), folder / "_site")


def write_suite_site(folder: Path) -> None:
    """The same of a single experiment, which a test may measure and make again in a second."""
    from tests.support import small_content

    _build(small_content.write_suite(folder / "content"), folder / "_site")


def _build(content: Path, output: Path) -> None:
    from metrics_core.redaction.redactor import (
        Redactor,  # a run's head, which makes no site, need not load all this
    )
    from site_src import pipeline
    from site_src.project.sources import Plan
    from site_src.verification import ledger_update

    plan = Plan(content=content, output=output, redactor=Redactor())
    list(ledger_update.lock(plan, "2026-07-20"))
    pipeline.build(plan)
