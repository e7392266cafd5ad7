"""A gate in words: for a terminal, for a comment under a change, and for a CI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.gating.badge import gate_badge
    from site_src.gating.words import self_test_lines
    from site_src.gating.written import gate_junit, gate_markdown, gate_text
else:
    __getattr__ = on_demand(__name__)

__all__ = ["gate_badge", "gate_junit", "gate_markdown", "gate_text", "self_test_lines"]
