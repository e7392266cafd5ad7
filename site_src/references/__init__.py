"""Names written by hand, resolved against what the reports hold.

`parse_query` reads one, `Index` finds it, and what is not found is answered with the nearest that exists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from site_src.references import role_text
    from site_src.references.errors import WithheldReferenceError
    from site_src.references.index import Index
    from site_src.references.query import Query, keys, parse_query, quoted, reference, spelled, words_of
    from site_src.references.role_text import one_line, role
    from site_src.references.spelling import shortest, shortest_of_pair
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Index",
    "Query",
    "WithheldReferenceError",
    "keys",
    "one_line",
    "parse_query",
    "quoted",
    "reference",
    "role",
    "role_text",
    "shortest",
    "shortest_of_pair",
    "spelled",
    "words_of",
]
