"""Decisions: what a team took or proposes, each claim judged against the evidence as it stands.

Pure: bytes and reports in, verdicts out. Nothing here touches a disk or makes a page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.decisions import claim_text, claim_words, nearness, registration, thresholds
    from site_src.decisions.judge import judge_decision
    from site_src.decisions.model import (
        COMPARED,
        CheckedQuote,
        Decision,
        Flip,
        JudgedClaim,
        JudgedDecision,
        Record,
    )
    from site_src.decisions.nearness import Nearness, Standing, nearest_first
    from site_src.decisions.parse import read
    from site_src.decisions.quotes import cited
    from site_src.decisions.reasons import UNKNOWN_STANDS, Why
    from site_src.decisions.status import check_together, check_transition, unsupported
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "COMPARED",
    "UNKNOWN_STANDS",
    "CheckedQuote",
    "Decision",
    "Flip",
    "JudgedClaim",
    "JudgedDecision",
    "Nearness",
    "Record",
    "Standing",
    "Why",
    "check_together",
    "check_transition",
    "cited",
    "claim_text",
    "claim_words",
    "judge_decision",
    "nearest_first",
    "nearness",
    "read",
    "registration",
    "thresholds",
    "unsupported",
]
