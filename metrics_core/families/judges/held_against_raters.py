"""A judge's verdicts held against what raters say of the same items, once all labels were read.

Does: bring labels of an item together, whatever file they stand in, and make of them the runs of each metric.
A verdict on an item of which raters say nothing, or not one thing, is in no agreement. Does not: estimate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec.structs import replace

from metrics_core.families.judges.grading import (
    JUDGED,
    RATED,
    Item,
    Rating,
    in_one_split,
    item_of,
    ratings,
    splits_of,
)
from metrics_core.formats import StampRange
from metrics_core.measurement import CellKey, CellTally, Partial
from metrics_core.results import Keys
from metrics_core.statistics import flip_rate

NOT_JUDGED = "the judge gave no verdict on it"
AT_RANDOM = Keys({"labelled": "random"})
"""What is tallied where the experiment says that raters labelled a random part of the items."""

CORRECTED_JUDGE = "assay/corrected-judge"
"""The contract that the stratum of a corrected figure names: an instrument of its own."""

Counted = tuple[float, int, int]


def settle(partial: Partial) -> Partial:
    """The same labels, each item's in one split, and beside them every verdict held against the raters'."""
    cells = _in_one_split(partial.cells)
    rated = ratings(
        (stratum, dims, [value for (value, _, _), days in cell.known.items() for _ in days])
        for (metric, stratum, dims), cell in cells.items()
        if metric == RATED
    )
    found: dict[CellKey, CellTally] = defaultdict(CellTally)
    for key, cell in cells.items():
        if key[0] == JUDGED:
            found[key].add(cell)
            _hold(found, key, cell, rated.get(item_of(*key[1:3])), at_random=AT_RANDOM in partial.tallied)
    _say_what_was_not_judged(found, rated)
    _count_flips(found)
    _count_raters(found, cells, rated)
    return replace(partial, cells=dict(found))


def _in_one_split(cells: dict[CellKey, CellTally]) -> dict[CellKey, CellTally]:
    """The same cells, labels that state no split in the one that others of their item state."""
    splits = splits_of((stratum, dims) for _, stratum, dims in cells)
    found: dict[CellKey, CellTally] = defaultdict(CellTally)
    for (metric, stratum, dims), cell in cells.items():
        found[(metric, in_one_split(stratum, dims, splits), dims)].add(cell)
    return found


def _hold(
    found: dict[CellKey, CellTally], key: CellKey, cell: CellTally, rating: Rating | None, *, at_random: bool
) -> None:
    """Count what verdicts on one item come to, beside what raters say of it."""
    _, stratum, dims = key
    passed = None if rating is None else rating.passed
    whole = ("corrected_pass", "powered_pass") if at_random else ("corrected_pass",)

    def at(metric: str) -> CellTally:
        of = stratum | {"contract": CORRECTED_JUDGE} if metric in whole else stratum
        return found[(metric, of, dims)]

    for day, runs in cell.by_day().items():
        held = set()
        for (value, _, _), times in runs.known.items():
            told = [(metric, (value, int(passed is True), int(passed is not None))) for metric in whole]
            told += () if passed is None else _beside(int(value), int(passed))
            for metric, counted in told:
                at(metric).count(counted, day, times)
                held.add(metric)
            if rating is not None and passed is None:
                for metric in ("agreement", "cohens_kappa"):
                    at(metric).lose(("unknown", rating.why), day, times)
                    held.add(metric)
        for loss, times in runs.lost.items():
            for metric in (*whole, *(() if rating is None else _asked_of(rating))):
                at(metric).lose(loss, day, times)
                held.add(metric)
        for metric in held:
            at(metric).span(day).add(runs.span)


def _beside(judged: int, rated: int) -> Iterator[tuple[str, Counted]]:
    """(metric, value with its n of N) of one verdict on an item that raters passed, or failed."""
    right = int(judged == rated)
    yield "agreement", (float(right), right, 1)
    yield "cohens_kappa", (float(judged), rated, 1)
    good, bad = ("sensitivity", "strictness") if rated else ("specificity", "leniency")
    yield good, (float(right), right, 1)
    yield bad, (float(1 - right), 1 - right, 1)


def _asked_of(rating: Rating) -> tuple[str, ...]:
    """The metrics that a verdict on an item belongs to, whatever it is."""
    by_side = {True: ("sensitivity", "strictness"), False: ("specificity", "leniency"), None: ()}
    return ("agreement", "cohens_kappa", *by_side[rating.passed])


def _say_what_was_not_judged(found: dict[CellKey, CellTally], rated: dict[Item, Rating]) -> None:
    """Count what raters labelled and a judge did not look at as not known, for this judge."""
    seen: dict[Keys, set[Item]] = defaultdict(set)
    for metric, stratum, dims in found:
        if metric == JUDGED:
            seen[stratum].add(item_of(stratum, dims))
    for stratum, items in seen.items():
        for item, rating in rated.items():
            if item not in items and item[0] == item_of(stratum, item[1])[0] and rating.passed is not None:
                for metric in _asked_of(rating):
                    found[(metric, stratum, item[1])].lose(("unknown", NOT_JUDGED), "", 1)


def _count_flips(found: dict[CellKey, CellTally]) -> None:
    """Count how often runs of a judge on one item disagree, where it has two known runs or more."""
    for (metric, stratum, dims), cell in list(found.items()):
        if metric == JUDGED and cell.told > 1:
            whole = cell.whole
            rate = flip_rate(sum(n * times for (_, n, _), times in whole.known.items()), cell.told)
            for name, value in (("verdict_flips", rate), ("items_flipped", float(rate > 0))):
                flips = found[(name, stratum, dims)]
                flips.count((value, int(rate > 0), 1), "", 1)
                flips.span("").add(whole.span)


def _count_raters(
    found: dict[CellKey, CellTally], cells: dict[CellKey, CellTally], rated: dict[Item, Rating]
) -> None:
    """Count each item that raters labelled once, and how far they agree on it."""
    spans: dict[Item, StampRange] = defaultdict(StampRange)
    strata: dict[Item, Keys] = {}
    for (metric, stratum, dims), cell in cells.items():
        if metric == RATED:
            item = item_of(stratum, dims)
            spans[item].add(cell.whole.span)
            strata[item] = min(stratum, strata.get(item, stratum))
    for item, rating in rated.items():
        held = found[(RATED, strata[item], item[1])]
        held.span("").add(spans[item])
        if rating.passed is None:
            held.lose(("unknown", rating.why), "", 1)
        else:
            held.count((float(rating.passed), int(rating.passed), 1), "", 1)
        if rating.pairs:
            share = rating.pairs_alike / rating.pairs
            alike = found[("raters_agree", strata[item], item[1])]
            alike.span("").add(spans[item])
            alike.count((share, rating.pairs_alike, rating.pairs), "", 1)
