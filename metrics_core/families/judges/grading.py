"""What one label comes to, and what raters together make of an item.

Does: read a label's verdict and keys; find what more than half of the raters of an item said. Does not: hold
a judge against it; `metrics_core.families.judges.held_against_raters` does, once all labels were read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from metrics_core.families.judges.record import Label
from metrics_core.measurement import Context, Outcome
from metrics_core.results import Keys, State

JUDGED, RATED = "judged_pass", "rated_pass"
RATER = "rater"
ABOUT = ("criterion", "split")
"""Keys of a stratum that are of the item and of what was asked, and not of who judged it."""

COULD_NOT_SAY = "could not say"
FAILED = "the judge's run failed"
DISAGREE = "as many raters passed it as failed it"
CONTRADICTS = "its rater gave it two labels"
NO_LABEL = "no rater could say"


def stratum_of(label: Label) -> Keys:
    """What was asked of which part of the items; of a judge's verdict also whose it is."""
    stated = {"criterion": label.criterion, "split": label.split}
    keys = {name: value for name, value in stated.items() if value is not None}
    return Keys(keys | {"judge": label.name} if label.by_judge else keys)


def dims_of(label: Label, context: Context) -> Keys:
    """The item, and whose it is; of a rater's label also who the rater is."""
    keys = {"scenario": label.item}
    if label.agent is not None:
        keys["model"] = context.arm(label.agent)
    if label.attempt is not None:
        keys["attempt"] = str(label.attempt)
    if not label.by_judge:
        keys[RATER] = label.name
    return Keys(keys)


def state_of(label: Label) -> tuple[State, str]:
    """Whether the label says pass or fail; if not, why."""
    if label.error is not None:
        return "error", FAILED
    known = label.verdict in ("pass", "fail")
    return ("known", "") if known else ("unknown", COULD_NOT_SAY)


def outcome_of(label: Label) -> Outcome:
    """The label as one run of its judge, or of its rater."""
    metric, stratum = JUDGED if label.by_judge else RATED, stratum_of(label)
    state, why = state_of(label)
    if state != "known":
        return Outcome(metric, stratum, state, reason=why)
    passed = label.verdict == "pass"
    return Outcome(metric, stratum, "known", float(passed), int(passed), 1)


def names_of(label: Label) -> Iterator[tuple[str, str]]:
    """What the experiment's settings may name: the agent, and the item."""
    if label.agent is not None:
        yield "models", label.agent
    yield "names", label.item


class Rating(Struct, frozen=True):
    """What raters say of one item.

    Attributes:
        passes, fails: Raters that passed it, and that failed it; one who did both is neither.
        torn: Raters who did both.
    """

    passes: int
    fails: int
    torn: int

    @property
    def passed(self) -> bool | None:
        """What more than half of those said who could say; None where that is nothing."""
        return None if self.passes == self.fails else self.passes > self.fails

    @property
    def why(self) -> str:
        """Why raters leave it open."""
        if self.passes:
            return DISAGREE
        return CONTRADICTS if self.torn else NO_LABEL

    @property
    def pairs(self) -> int:
        """Pairs of raters who could both say."""
        return _pairs(self.passes + self.fails)

    @property
    def pairs_alike(self) -> int:
        """Those of them who said the same."""
        return _pairs(self.passes) + _pairs(self.fails)


def _pairs(n: int) -> int:
    return n * (n - 1) // 2


def rating_of(votes: Mapping[str, Collection[float]]) -> Rating:
    """What raters say of an item, however often each said it.

    Args:
        votes: Rater -> the labels that it gave, 1 for pass and 0 for fail; none where it could not say.

    >>> rating_of({"alice": [1, 1], "bob": [0], "carol": [1, 0], "dan": []})
    Rating(passes=1, fails=1, torn=1)
    """
    said = [frozenset(given) for given in votes.values()]
    return Rating(
        said.count(frozenset({1})), said.count(frozenset({0})), sum(len(each) == 2 for each in said)
    )


Item = tuple[Keys, Keys]
"""(criterion and split, item with whose it is)."""


def ratings(labels: Iterable[tuple[Keys, Keys, Collection[float]]]) -> dict[Item, Rating]:
    """What raters say of each item that one of them looked at.

    Args:
        labels: (stratum, keys, known labels) of raters, in any order.
    """
    votes: dict[Item, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for stratum, dims, given in labels:
        votes[item_of(stratum, dims)][dims.get(RATER, "")] += given
    return {item: rating_of(of) for item, of in votes.items()}


def item_of(stratum: Keys, dims: Keys) -> Item:
    """The item of a label, and what was asked of it, without who gave the label."""
    return stratum.only(*ABOUT), dims.without(RATER)


def splits_of(labels: Iterable[tuple[Keys, Keys]]) -> dict[Item, set[str]]:
    """Every split that some label of an item states, by criterion and item.

    Args:
        labels: (stratum, keys) of all labels, of raters and of judges.
    """
    stated: dict[Item, set[str]] = defaultdict(set)
    for stratum, dims in labels:
        if "split" in stratum.names:
            stated[_without_split(stratum, dims)].add(stratum["split"])
    return stated


def in_one_split(stratum: Keys, dims: Keys, splits: Mapping[Item, Collection[str]]) -> Keys:
    """The stratum of a label, in the split that labels of its item state where they state one.

    Args:
        stratum: As the label states it.
        dims: Its keys.
        splits: As `splits_of` gives them.
    """
    found = splits.get(_without_split(stratum, dims), ())
    return stratum | {"split": next(iter(found))} if len(found) == 1 else stratum


def _without_split(stratum: Keys, dims: Keys) -> Item:
    about, item = item_of(stratum, dims)
    return about.without("split"), item
