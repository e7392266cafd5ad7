"""Inspect logs, JSON of versions 1 to 4 and ``.eval`` archives: one sample in one epoch a trace.

`log_text` cuts a log into header and samples, `samples` says what a sample comes to, `retries` which log
is a retry of which, and `own_words` what a log says of itself; `adapter` puts them together.
"""

from __future__ import annotations

from metrics_core.adapters.inspect.adapter import ADAPTER

__all__ = ["ADAPTER"]
