"""How a drawing or a table is read: the sentences that a reader meets under it, and what its words mean.

Does: say in plain words what the interval allows for, and what stands where there is none, and keep all of it
within the room of a caption; hold what each statistic means, once, under its id on the Methods page.
Does not: say a number that the rows show, or name a method (the folded part of a caption does), or say what a
metric counts (its contract does).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

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


# ------------------------------------------------------------------------------------- what words mean

TermName = Literal["n-of-n", "interval", "bounds", "too-few", "withheld", "paired", "strict", "told-apart"]


class Meaning(NamedTuple):
    """A word, and what it means."""

    word: str
    means: str


NUMBERS: Final[dict[TermName, Meaning]] = {
    "n-of-n": Meaning(
        "n/N",
        "N counts what is known, in the metric’s own unit. A run without a verdict is not a failure and "
        "not a success: it leaves N, stays in attempts, and is drawn.",
    ),
    "interval": Meaning(
        "Interval",
        "Sampling doubt at 95\u202f%. Shares, and means of values from 0 to 1, get Wilson’s interval; where "
        "runs of one scenario, or of another cluster that is named, err together it is widened to the "
        "effective number of independent runs, with the t quantile of the number of clusters; where a "
        "few large ones hold most runs, of the number of equal clusters that they are worth. A "
        "contract’s own bootstrap is computed as it was signed, and the wider of the two is drawn. "
        "Medians get the interval of their order statistics, and means on a scale of their own an exact "
        "bootstrap, or t on clusters where that cannot be counted out.",
    ),
    "bounds": Meaning(
        "Bounds",
        "What the value would be if every run that is not known had gone against the model, or for it; "
        "runs that were never recorded are among them only where N counts tasks. They assume nothing "
        "about why a run is not known. Where more than a fifth is not known the bounds are shown in "
        "place of a point.",
    ),
    "too-few": Meaning(
        "Too few",
        "Fewer than eight known runs give counts only: no interval and no comparison. Medians of cost, "
        "time and tokens are context and no score: they stand from one run on, with an interval from "
        "six.",
    ),
    "withheld": Meaning(
        "Withheld",
        "The control that guards the number failed, or is missing where the experiment requires it. "
        "Nothing is shown in its place, neither 0 nor a dash.",
    ),
}
"""How a number is read."""

RULES: Final[dict[TermName, Meaning]] = {
    "paired": Meaning(
        "Paired",
        "The difference on the same tasks tells two models apart when each has 15 valid runs, the "
        "interval of the difference leaves out 0, its p-value, adjusted after Holm, is at most 0.05, "
        "the two part on six tasks at least where one verdict a task and side is compared, and the sign "
        "of the difference does not turn when everything that is not known goes against its leader. "
        "Where the interval then only takes in 0, that is said, and the outcome stands.",
    ),
    "strict": Meaning("Strict", "All of that, and the two models’ own intervals do not overlap."),
    "told-apart": Meaning(
        "Told apart",
        "There are three outcomes. Separated: both rules tell the two apart. Told apart on the same "
        "tasks only: the paired rule does, and their own intervals overlap; no rank and no claim rests "
        "on that, unless the experiment, the site or the claim says “separation: paired”, and then the "
        "caption says so. Cannot separate: neither does, which does not say that they are equal. Models "
        "compared on different tasks have no second rule.",
    ),
}
"""When two arms are told apart."""
