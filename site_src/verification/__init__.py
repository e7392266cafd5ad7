"""A built site checked against itself, and a contract revised only where no number moved."""

from __future__ import annotations

from site_src.verification import ledger_update, verify
from site_src.verification.findings import Verification

__all__ = [
    "Verification",
    "ledger_update",
    "verify",
]
