"""What the words beside numbers mean: each statistic in a sentence or two, for Methods and where it is met.

Does: hold them, once, each under the id that it has on the Methods page. Does not: say what a metric counts;
its contract does.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

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
        "Sampling doubt at 95\u202f%. Shares get Wilson’s interval; where runs of one scenario err together "
        "it is widened to the effective number of independent runs, with the t quantile of the number "
        "of clusters; where a few large ones hold most runs, of the number of equal clusters that they "
        "are worth. A contract’s own bootstrap is computed as it was signed, and the wider of the two "
        "is drawn.",
    ),
    "bounds": Meaning(
        "Bounds",
        "What the value would be if every unknown run had gone against the model, or for it; runs that "
        "were never recorded are among them only where N counts tasks. They assume nothing about why a "
        "run is unknown. Where more than a fifth is unknown the bounds are shown in place of a point.",
    ),
    "too-few": Meaning(
        "Too few", "Fewer than eight known runs give counts only: no interval and no comparison."
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
        "six tasks at least were solved by one of the two alone where each ran a task once, and the "
        "sign of the difference does not turn when everything that is not known goes against its "
        "leader. Where the interval then only takes in 0, that is said, and the outcome stands.",
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
