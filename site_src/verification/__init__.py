"""A built site checked against itself, and a contract revised only where no number moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.verification import ledger_update, verify
    from site_src.verification.findings import Verification
    from site_src.verification.published_code import only_caged
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Verification",
    "ledger_update",
    "only_caged",
    "verify",
]
