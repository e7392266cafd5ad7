"""Who signed a site: a statement over it, an SSH signature of that statement, and what both are worth.

A signature says that the holder of a key signed these digests. It does not say that a number is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.signing.signature_check import NotSigned, Signed, check_signature, sign_site
    from site_src.signing.ssh_keys import PublicKey, read_public_key
    from site_src.signing.statement import read_statement
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "NotSigned",
    "PublicKey",
    "Signed",
    "check_signature",
    "read_public_key",
    "read_statement",
    "sign_site",
]
