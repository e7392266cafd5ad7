"""Which curves are drawn: a share turn after turn, or over repeats, of all runs and of each arm.

Does: choose estimates whose group fixes a step and at most one arm, one figure a stratum. Does not: draw,
or know a family.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from metrics_core.estimate import Estimate
from metrics_core.keys import Keys
from metrics_core.report import Report
from metrics_core.vocabulary import PLAIN
from site_src.arms import arm_of
from site_src.figures.curve import step_of
from site_src.views.of_report import is_context, metric_order, of_family

MOST_PANELS = 12
"""Panels of one figure; of more arms each key of arms has a figure of its own."""


def of_experiment(report: Report, name: str) -> Iterator[tuple[Estimate, ...]]:
    """The estimates of each figure of a family: one a step key and stratum, all runs first, then each arm."""
    found = sorted(_stepped(report, name), key=lambda e: (step_of(e), e.stratum))
    for _, same in groupby(found, key=lambda e: (step_of(e), e.stratum)):
        shown = _in_order(tuple(same))
        parts = [shown] if len({_panel(e) for e in shown}) <= MOST_PANELS else _by_keys(shown)
        yield from filter(_is_course, parts)


def of_arm(report: Report, name: str, arm: tuple[str, str]) -> Iterator[tuple[Estimate, ...]]:
    """The same of one arm: its strata side by side; nothing where no step has enough for a value."""
    found = sorted((e for e in _stepped(report, name) if arm in e.group), key=step_of)
    for _, same in groupby(found, key=step_of):
        shown = _in_order(tuple(same))
        if _is_course(shown) and any(e.headline not in ("counts", "nothing") for e in shown):
            yield shown


def _stepped(report: Report, name: str) -> Iterator[Estimate]:
    for e in of_family(report, name):
        rest = _whose(e)
        if step_of(e) and e.unit == "fraction" and not is_context(e) and (not rest or arm_of(rest, e.words)):
            yield e


def _whose(e: Estimate) -> Keys:
    return e.group.without(step_of(e))


def _panel(e: Estimate) -> tuple[str, Keys, Keys]:
    return e.metric, e.stratum, _whose(e)


def _is_course(shown: Sequence[Estimate]) -> bool:
    """Whether there is a course to see: two steps or more, something known or withheld at one, few panels."""
    steps = {e.group[step_of(e)] for e in shown}
    few = len({_panel(e) for e in shown}) <= MOST_PANELS
    return few and len(steps) > 1 and any(e.headline != "nothing" for e in shown)


def _in_order(found: Sequence[Estimate]) -> tuple[Estimate, ...]:
    """By metric and stratum; all runs first, unless they are those of the only arm; then arms by name."""
    metrics = {metric: at for at, metric in enumerate(metric_order(found))}
    arms = {_whose(e) for e in found} - {()}
    kept = [e for e in found if len(arms) != 1 or _whose(e)]
    return tuple(sorted(kept, key=lambda e: (metrics[e.metric], e.stratum, _arm_order(e))))


def _arm_order(e: Estimate) -> tuple[object, ...]:
    arms = [(arm, name) for key, name in _whose(e) if (arm := (e.words or PLAIN).arm(key)) is not None]
    return tuple((arm.place, name) for arm, name in arms)


def _by_keys(shown: Sequence[Estimate]) -> list[tuple[Estimate, ...]]:
    """All runs by themselves, and each key of arms by itself; they stand in that order already."""
    return [tuple(part) for _, part in groupby(shown, key=lambda e: (e.metric, _keys(_whose(e))))]


def _keys(whose: Keys) -> tuple[str, ...]:
    return whose.names
