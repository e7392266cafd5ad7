"""Secrets out of whatever is read, before anything is measured or published.

`Redactor` cleans records and text; the patterns say what a secret looks like, the prefilter where to look.
"""

from __future__ import annotations

from metrics_core.redaction.builder import BuilderIdentity
from metrics_core.redaction.redactor import Redactor

__all__ = [
    "BuilderIdentity",
    "Redactor",
]
