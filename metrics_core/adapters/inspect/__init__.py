"""Inspect logs, JSON of versions 1 to 4 and ``.eval`` archives: one sample in one epoch a trace.

`log_text` cuts a log into header and samples, `samples` says what a sample comes to, `retries` which log
is a retry of which, and `own_words` what a log says of itself; `adapter` puts them together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.adapters.inspect.adapter import ADAPTER
else:
    __getattr__ = on_demand(__name__)

__all__ = ["ADAPTER"]
