"""How a drawing or a table is read: the sentences that a reader meets under it.

Does: say in plain words what the interval allows for, and what stands where there is none, and keep all of it
within the room of a caption. Does not: say a number that the rows show, or name a method; the folded part of
a caption does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from metrics_core.results import MIN_KNOWN, Estimate
from metrics_core.text import visible
from site_src.wording.estimates import is_mean
from site_src.wording.names import listed
from site_src.wording.numbers import percent
from site_src.wording.spans import Line, Span

MOST_READ: Final = 300
"""Characters that a reader meets before the strip of what stands behind the numbers."""

BOUNDS: Final = "Thick grey: over a fifth is not known, so bounds stand in place of the point."
FEW: Final = "Too few known: counts only."
FEW_OF_A_MEAN: Final = f"Too few known: counts only, and no mean of fewer than {MIN_KNOWN}."


def reads(sentences: Iterable[str], estimates: Sequence[Estimate] = (), *, bar: str = "") -> Line:
    """Sentences on how to read a drawing, as many as have room, the first ones first.

    Args:
        sentences: What is particular to the drawing: what a row is, what its marks mean.
        estimates: What it shows; their intervals are explained after the first sentence.
        bar: What an interval is drawn as: "the bar"; empty where none is drawn.
    """
    own = [s for s in sentences if s]
    told: list[str] = []
    for sentence in (*own[:1], *_explained(estimates, bar), *own[1:]):
        if sum(map(len, told)) + len(told) + len(sentence) <= MOST_READ:
            told.append(sentence)
    return (Span(" ".join(told)),) if told else ()


def interval_words(estimates: Iterable[Estimate]) -> str:
    """What the intervals are, and what they allow for: "95 % interval, allowing for ..."; empty without one.

    Args:
        estimates: Of which the intervals are shown.
    """
    made = [e.interval for e in estimates if e.withheld is None and e.interval.lo is not None]
    if not made:
        return ""
    levels = listed(sorted({percent(i.level) for i in made}))
    whole = sorted({visible(i.cluster or "task") for i in made if i.clusters is not None})
    together = f", allowing for runs of one {' or '.join(whole)} failing together" if whole else ""
    return f"{levels} interval{together}"


def _explained(estimates: Sequence[Estimate], bar: str) -> Iterator[str]:
    shown = [e for e in estimates if e.withheld is None]
    if bar and (words := interval_words(e for e in shown if e.headline == "point")):
        yield f"{bar[:1].upper()}{bar[1:]} is the {words}."
    if bar and any(e.headline == "bounds" for e in shown):
        yield BOUNDS
    if bar and any(e.headline == "counts" for e in shown):
        yield FEW_OF_A_MEAN if any(e.headline == "counts" and is_mean(e) for e in shown) else FEW
