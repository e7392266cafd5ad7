"""Prose set on the sample site, in memory: what the tests of writing start from."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup
from msgspec.structs import replace

from site_src.authoring.prose import PageContext, prose
from site_src.decisions import JudgedDecision, judge_decision, read
from site_src.pages.figure_collection import FigureCollection
from site_src.pages.site_map import SiteMap, site_map
from site_src.pages.site_state import SiteState
from tests.support import sample_site

PAGE = "notes/tour.html"
SOURCE = "notes/tour.md"


DECISION = b"""---
title: Keep alpha
status: proposed
date: "2026-07-20"
deciders: [platform]
claims:
  - says: alpha stands above gamma
    metric: brownfield-2026-07/brownfield.change
    of: alpha
    above: gamma
---
Read the claims.
"""


@cache
def site() -> SiteMap:
    """The sample site, with one decision; the runs of two of its experiments have pages."""
    experiments = sample_site.experiments()
    undecided = site_map(
        experiments, sample_site.AUTHORED, sample_site.BUILD, [x.name for x in experiments if x.has_runs()]
    )
    judged = judge_decision(read("decisions/keep-alpha.md", DECISION), undecided.index)
    return replace(undecided, site_state=SiteState(index=undecided.index, decisions=(judged,)))


def page_context(first_line: int = 1, decision: JudgedDecision | None = None) -> PageContext:
    """A page of prose one folder down, with nothing on it yet."""
    return PageContext(SOURCE, first_line, PAGE, site(), FigureCollection(site(), PAGE, "Tour"), decision)


def written(text: str, first_line: int = 1) -> Markup:
    """What becomes of a document."""
    return prose(text, page_context(first_line))
