"""What an author writes, made into a page: Markdown with roles and directives in MyST's forms.

Each directive is a module of `site_src.authoring.directives`; the roles are one list in
`site_src.authoring.roles`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand
from site_src.authoring.prose import prose

if TYPE_CHECKING:
    from site_src.authoring import pages
    from site_src.authoring.declarations import PageContext
    from site_src.authoring.fences import directive_name, words_within
    from site_src.authoring.pairs_asked_for import asked_pairs
    from site_src.authoring.reference_page import writing_reference
    from site_src.authoring.roles import ROLES
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "ROLES",
    "PageContext",
    "asked_pairs",
    "directive_name",
    "pages",
    "prose",
    "words_within",
    "writing_reference",
]
