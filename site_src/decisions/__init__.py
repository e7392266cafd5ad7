"""Decisions: what a team took or proposes, each claim judged against the evidence as it stands.

Pure: bytes and reports in, verdicts out. `claim` says what may be claimed, `reading` reads a file,
`workflow` checks its status, `judging` gives verdicts, `flipping` says what would change them, `quotes`
checks quotations, `gate` says which accepted decisions are not borne out any more. None of them touches a
disk or makes a page.
"""

from __future__ import annotations

from site_src.decisions.gate import unsupported
from site_src.decisions.judging import judge
from site_src.decisions.quotes import cited
from site_src.decisions.reading import Decision, read
from site_src.decisions.verdict import JudgedClaim, JudgedDecision
from site_src.decisions.workflow import hold_together

__all__ = [
    "Decision",
    "JudgedClaim",
    "JudgedDecision",
    "cited",
    "hold_together",
    "judge",
    "read",
    "unsupported",
]
