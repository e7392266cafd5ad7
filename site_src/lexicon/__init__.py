"""Patterns of English: what a typed result looks like, what only looks like one, and what a ranking is.

Text in, matches out; nothing here knows a page or a report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.lexicon.exemptions import exempt
    from site_src.lexicon.rankings import RANKINGS
    from site_src.lexicon.result_forms import RESULT_FORMS
    from site_src.lexicon.vocabulary import ResultKind
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "RANKINGS",
    "RESULT_FORMS",
    "ResultKind",
    "exempt",
]
