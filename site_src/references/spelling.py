"""The shortest words that ask for an estimate or a comparison: strata are named only where there are several.

A reference that names the pack or the contract would have to be written anew with every task that is added;
one that leaves them out is refused as soon as there are two.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from metrics_core.errors import AssayError
from metrics_core.results import Comparison, Estimate, Keys
from site_src.references.index import Index
from site_src.references.query import Query, parse_query, reference, spelled

MOVING = ("contract", "pack", "split")
"""Keys that change while the question stays the same: left out first."""


def shortest(e: Estimate, index: Index) -> str:
    """The shortest words that give this estimate.

    Args:
        e: One that the index holds.
        index: What the words are looked up in.
    """
    kept = _least(parse_query(reference(e), "a reference"), e.stratum, lambda words: index.one(words) == e)
    return spelled(e.experiment, e.family, e.metric, (*e.group, *kept))


def shortest_of_pair(c: Comparison, index: Index) -> str:
    """The shortest words that, with the names of its two arms, give this comparison."""
    whole = parse_query(spelled(c.experiment, c.family, c.metric, (*c.group, *c.stratum)), "a reference")
    kept = _least(whole, c.stratum, lambda words: index.comparison(words, c.a, c.b, over=c.over) == c)
    return spelled(c.experiment, c.family, c.metric, (*c.group, *kept))


def _least(whole: Query, stratum: Keys, gives: Callable[[Query], bool]) -> Keys:
    """The stratum keys that must be named."""
    kept = stratum
    for name in sorted(stratum.names, key=lambda name: (name not in MOVING, name)):
        fewer = replace(whole, keys=whole.keys.without(name))
        try:
            given = gives(fewer)
        except AssayError:
            continue
        if given:
            whole = fewer
            kept = kept.without(name)
    return kept
