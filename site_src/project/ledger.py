"""The ledger that the package's own contracts are held against where nothing is published."""

from __future__ import annotations

import os
from pathlib import Path

from metrics_core.contracts import Lockfile, lockfile

LEDGER = "ASSAY_LEDGER"
"""Variable that names a ledger in place of the one that the package ships."""


def package_ledger() -> Lockfile:
    """The digests of the package's own contracts: as it ships them, or as the file that `LEDGER` names.

    Whoever changes the core names a ledger of the contracts as they are, so that it can be built with before
    the shipped one is made anew. Nothing is published by it; see `ledger_of`.

    Raises:
        FormatError: The file is no ledger.
        OSError: There is no such file.
    """
    named = os.environ.get(LEDGER)
    return lockfile.read(Path(named).read_bytes()) if named else lockfile.package_ledger()
