"""Notes on what is written, as a build would tell them, taken again only where something was written.

Does: remember what was found in each document as long as its words and the reports stand. Does not: judge;
`site_src.prose_gate` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from metrics_core.report import Report
from site_src import prose_gate
from site_src.content import Heads
from site_src.prose_gate import Written
from site_src.references.index import Index
from site_src.whole_site import WholeSite

Words = tuple[str, int, Heads, str]
"""Source, first line, title and lede, and text of a document."""
Found = dict[Words, tuple[str, ...]]


@dataclass(slots=True)
class Notes:
    """Takes the notes of one state of a site after another."""

    _reports: tuple[Report, ...] = ()
    _known: Found = field(default_factory=dict)

    def of(self, whole: WholeSite, wanted: Callable[[], bool]) -> tuple[str, ...] | None:
        """What a publisher would be told of a site.

        Args:
            whole: The site.
            wanted: Asked between two documents.

        Returns:
            None where it is not wanted any more.
        """
        if [id(report) for report in whole.reports] != [id(report) for report in self._reports]:
            self._reports, self._known = whole.reports, {}
        found: Found = {}
        told: list[str] = []
        for some in prose_gate.notes(whole, partial(self._noted, found)):
            told += some
            if not wanted():
                self._known |= found
                return None
        self._known = found
        return tuple(told)

    def _noted(self, found: Found, page: Written, index: Index) -> tuple[str, ...]:
        words = (page.source, page.first_line, page.heads, page.text)
        found[words] = prose_gate.noted(page, index) if words not in self._known else self._known[words]
        return found[words]
