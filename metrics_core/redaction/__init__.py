"""Secrets out of whatever is read, before anything is measured or published.

`Redactor` cleans records and text; the patterns say what a secret looks like, the prefilter where to look.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.redaction.builder import BuilderIdentity
    from metrics_core.redaction.redactor import Redactor
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "BuilderIdentity",
    "Redactor",
]
