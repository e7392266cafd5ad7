"""Patterns of English: what a typed result looks like, what only looks like one, and what a ranking is.

Text in, matches out; nothing here knows a page or a report.
"""

from __future__ import annotations

from site_src.lexicon.exemptions import exempt
from site_src.lexicon.rankings import RANKINGS
from site_src.lexicon.result_forms import RESULT_FORMS
from site_src.lexicon.vocabulary import ResultKind

__all__ = [
    "RANKINGS",
    "RESULT_FORMS",
    "ResultKind",
    "exempt",
]
