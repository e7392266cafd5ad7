"""Titles of figures of pairs: how many are separated, and on how many metrics anybody is.

Does: count over every pair that is drawn, by both rules. Does not: word one pair or name who is above
(`site_src.wording.first_lines` does), or title any other figure (`site_src.wording.titles` does).
"""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.results import Comparison, Estimate
from site_src.wording.first_lines import subject_of
from site_src.wording.names import (
    in_words,
    is_whole,
    kind_words,
    listed,
    many_in_words,
    metric_words,
    shown_name,
)
from site_src.wording.titles import about_metric, fitting


def separation(comparisons: Sequence[Comparison]) -> str:
    """How many pairs are separated, and how many more are told apart on the same tasks only."""
    apart = sum(c.separated for c in comparisons)
    only = sum(c.told_apart is not None and not c.separated for c in comparisons)
    first = comparisons[0]
    what = about_metric(first, first.group)
    if all(c.difference is None for c in comparisons):
        none = "no pair could be compared"
        return fitting(f"{what}: {none}", f"{what}: not compared", none)
    pairs = f"{many_in_words(len(comparisons), 'pair')}"
    if not is_whole(first.over, first.words):
        pairs += f" of {kind_words(first.over, first.words)}s"
    if len(comparisons) == 1:
        c = comparisons[0]
        outcome = (
            "not comparable" if c.verdict == "not comparable" else "separated" if apart else "not separated"
        )
        outcome = "told apart on the same tasks only" if only else outcome
        different = " on different tasks" if c.separated and c.unpaired else ""
        return fitting(
            f"{what}: {shown_name(c.a)} and {shown_name(c.b)} are {outcome}{different}",
            f"{what}: one pair, {outcome}{different}",
            f"{metric_words(c.metric, c.words)}: one pair, {outcome}{different}",
            f"one pair, {outcome}{different}",
        )
    outcome = f"{in_words(apart) if apart else 'none'} of {pairs} separated"
    more = f", {in_words(only)} on the same tasks only" if only else ""
    unlike = sum(c.difference is None for c in comparisons)
    rest = f", {in_words(unlike)} not compared" if unlike else ""
    return fitting(
        f"{what}: {outcome}{more}{rest}", f"{what}: {outcome}{more}",
        f"{metric_words(first.metric, first.words)}: {outcome}{more}",
        f"{metric_words(first.metric, first.words)}: {outcome}", outcome,
    )  # fmt: skip


def uncompared(estimates: Sequence[Estimate], arms: str) -> str:
    """Where no pair is drawn: that there is one arm alone, or that no two of several are compared.

    Args:
        estimates: Of one family; at least one.
        arms: What each is about, in the plural.
    """
    metrics = f"each metric of {estimates[0].family}"
    if len({e.group for e in estimates}) > 1:
        return fitting(f"{metrics}: no two {arms} are compared", f"no two {arms} are compared")
    return fitting(f"{metrics}, where there is nothing to compare", "each metric")


def overview(
    sets: Sequence[Sequence[Comparison]], withheld: int, *, arms: str = "models", noun: str = "metric"
) -> str:
    """On how many of the metrics that are drawn and compared some arms are separated.

    Args:
        sets: The pairs of each metric that is drawn; one that could not be compared at all is not counted.
        withheld: How many more are withheld.
        arms: What is compared, in the plural.
        noun: What each of the sets is: a metric, or a block where a metric stands more than once.
    """
    apart = sum(any(c.separated for c in pairs) for pairs in sets)
    rest = f"; {in_words(withheld)} {'is' if withheld == 1 else 'are'} withheld" if withheld else ""
    if not sets:
        return fitting(f"every {noun} is withheld" if withheld else "nothing is compared")
    on = f"{'on' if noun == 'metric' else 'in'}"
    compared = [pairs for pairs in sets if any(c.difference is not None for c in pairs)]
    of = many_in_words(len(compared or sets), noun)
    if not compared:
        none = f"no two {arms} could be compared"
        if noun == "metric":
            return fitting(f"{none} {on} {of}{rest}", f"{none} {on} {of}", none)
        metrics = listed(
            list(dict.fromkeys(metric_words(c.metric, c.words) for pairs in sets for c in pairs))
        )
        return fitting(f"{metrics}: {none}{rest}", f"{metrics}: {none}", none)
    if not apart:
        only = sum(any(c.told_apart is not None for c in pairs) for pairs in sets)
        if only:
            same = "on the same tasks only"
            return fitting(
                f"{arms}: none separated {on} {of}, {in_words(only)} {same}{rest}",
                f"{arms}: none separated {on} {of}, {in_words(only)} {same}",
                f"{arms}: {in_words(only)} of {of} told apart, {same}",
                f"{in_words(only)} of {of} told apart, {same}",
            )
        who = subject_of([c for pairs in compared for c in pairs])
        cannot = f"{who} cannot separate any two {arms} yet"
        return fitting(f"{cannot} {on} {of}{rest}", f"{cannot} {on} {of}", cannot)
    of_them = f"{in_words(apart)} of {of}" if len(compared) > 1 else of
    some = f"some {arms} are separated {on} {of_them}"
    return fitting(f"{some}{rest}", some)
