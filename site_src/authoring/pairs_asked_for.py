"""Which two arms prose and claims ask for: of an experiment of many arms only these have a page.

Does: read the claims, the ``{compare}`` of every text and links to pages of pairs. Does not: say what is
wrong with a directive; that is told where it stands, when its page is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from metrics_core.errors import AssayError
from metrics_core.results import Comparison
from site_src import paths
from site_src.authoring.directives import DIRECTIVES
from site_src.authoring.fences import directive_name, read_fence
from site_src.pages import ArmPair, SiteState, pairs_of
from site_src.project import Authored, SiteExperiment, markdown
from site_src.references import Index, parse_query, words_of


def asked_pairs(
    experiments: Iterable[SiteExperiment], authored: Iterable[Authored], state: SiteState
) -> frozenset[ArmPair]:
    """The pairs that an author's page or a decision speaks of.

    Args:
        experiments: Whose pairs may be asked for.
        authored: Every page of prose.
        state: The decisions, and the index by which prose names arms.
    """
    decisions = [judged.decision for judged in state.decisions]
    texts = [(page.text, page.source, page.first_line) for page in authored]
    texts += [(decision.text, decision.source, decision.first_line) for decision in decisions]
    found = {pair_of(c) for text in texts for c in _compared(*text, state.index)}
    found |= {
        pair_of(claim.comparison)
        for judged in state.decisions
        for claim in judged.claims
        if claim.comparison is not None
    }
    linking = "\n".join(text for text, _, _ in texts if "compare/" in text)
    every = (ArmPair(x.name, a, b) for x in experiments if linking for a, b in pairs_of(x.report))
    found |= {pair for pair in every if paths.compare_pair(*pair).removesuffix("index.html") in linking}
    return frozenset(found)


def pair_of(c: Comparison) -> ArmPair:
    """The arms of a comparison in the order of their names."""
    return ArmPair(c.experiment, min(c.a, c.b), max(c.a, c.b))


def _compared(text: str, source: str, first_line: int, index: Index) -> Iterator[Comparison]:
    """What the comparisons of a text are of; one that is not as it should be is passed over."""
    text = re.sub(r"\r\n?", "\n", text)
    lines = text.split("\n")
    for token, _ in markdown.walk(markdown.parse(text)):
        if directive_name(token) == "compare":
            with suppress(AssayError):
                found = read_fence(token, lines, source, first_line, DIRECTIVES)
                a, b = words_of(found.argument, found.where)[:2]
                query = parse_query(found.value("of"), found.place("of"))
                yield index.comparison(query, a, b, over=found.value("over"))
