"""A ledger of the built-in contracts as they stand, for tests that are about something else.

An edit of the core changes what contracts are digested as. With this ledger in place of the shipped one it
fails the tests that are about it, and the one that says that the shipped ledger is not up to date.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metrics_core.contracts.lockfile import Lockfile

DATE = "2026-07-01"
NAME = "contracts.lock"


def as_it_stands() -> Lockfile:
    """The ledger."""
    from metrics_core import engine  # a run's head, which measures nothing, need not load all this
    from metrics_core.contracts.lockfile import Lockfile, add, used_contract

    ledger = Lockfile()
    for family, contract in engine.contracts():
        ledger = add(ledger, used_contract(contract, (), family), date=DATE, reason="as it stands")
    return ledger


def write_ledger(folder: Path) -> None:
    """Write it into a folder that does not exist yet."""
    from metrics_core.contracts.lockfile import write

    folder.mkdir()
    (folder / NAME).write_bytes(write(as_it_stands()))
