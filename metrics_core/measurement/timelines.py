"""Timelines: estimates by day of stamp, cut where the thing that is scored, or what scores it, changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from metrics_core.results import Estimate, Keys, Segment, Series

SCORER = "scorer"
CUTS = ("contract", "pack", "prices", "prompt", "tools", SCORER, "grader")
"""Stratum keys that may differ along one line, and then break it."""

WORDS = {
    "contract": "contract changed",
    "pack": "pack changed",
    "prices": "price table changed",
    "prompt": "prompt changed",
    "tools": "tools changed",
    "scorer": "scorer changed",
    "grader": "grader changed",
}


_Line = tuple[str, str, Keys, Keys]
"""Family, metric, group and what of the stratum does not break a line."""


def series(estimates: Iterable[Estimate]) -> Iterator[Series]:
    """Line up the estimates that carry a ``stamp`` in their group: one series a metric, model and stratum.

    No segment joins two instruments: where contract, pack, prices, prompt or tools change from one point to
    the next, a new segment begins and says why. What differs otherwise is another stratum, another series;
    so are two scorers that read the same runs, for neither took the other's place.
    """
    lines: dict[_Line, list[Estimate]] = defaultdict(list)
    for e in estimates:
        if "stamp" in e.group.names:
            lines[_line(e, e.group.without("stamp"))].append(e)
    for key in [key for key, points in lines.items() if _side_by_side(points)]:
        family, metric, group, rest = key
        for e in lines.pop(key):
            lines[(family, metric, group, rest | e.stratum.only(*{SCORER} & set(e.stratum.names)))].append(e)
    for (family, metric, group, rest), points in sorted(lines.items(), key=lambda item: item[0]):
        points.sort(key=lambda e: (e.group["stamp"], e.stratum))
        yield Series(family, metric, group, rest, tuple(_segments(points)))


def over_experiments(nights: Sequence[Sequence[Estimate]]) -> Iterator[Series]:
    """Line up the estimates of experiments that follow upon one another: a point each, broken as in `series`.

    Two instruments that read the runs of one experiment side by side are two lines.

    Args:
        nights: The estimates of each experiment, the oldest experiment first.
    """
    lines: dict[_Line, list[list[Estimate]]] = defaultdict(list)
    for night in nights:
        own: dict[_Line, list[Estimate]] = defaultdict(list)
        for e in night:
            own[_line(e, e.group)].append(e)
        for key, found in own.items():
            lines[key].append(found)
    apart: dict[_Line, list[Estimate]] = defaultdict(list)
    for (family, metric, group, rest), by_night in lines.items():
        several = any(len(found) > 1 for found in by_night)
        for e in (e for found in by_night for e in found):
            apart[(family, metric, group, e.stratum if several else rest)].append(e)
    for (family, metric, group, rest), points in sorted(apart.items(), key=lambda item: item[0]):
        yield Series(family, metric, group, rest, tuple(_segments(points)))


def _line(e: Estimate, group: Keys) -> _Line:
    return (e.family, e.metric, group, e.stratum.without(*CUTS))


def _side_by_side(points: Iterable[Estimate]) -> bool:
    """Whether several scorers read the runs of one stamp."""
    scorers: dict[str, set[str]] = defaultdict(set)
    for e in points:
        if SCORER in e.stratum.names:
            scorers[e.group["stamp"]].add(e.stratum[SCORER])
    return any(len(found) > 1 for found in scorers.values())


def _segments(points: list[Estimate]) -> Iterator[Segment]:
    run: list[Estimate] = []
    why = ""
    for e in points:
        if run and (changed := _changed(run[-1], e)):
            yield _segment(run, why)
            run, why = [], changed
        run.append(e)
    if run:
        yield _segment(run, why)


def _changed(before: Estimate, after: Estimate) -> str:
    differing = before.stratum.differing(after.stratum)
    changed = [WORDS[key] for key in CUTS if key in differing]
    if before.contract.digest != after.contract.digest and WORDS["contract"] not in changed:
        changed.append(WORDS["contract"])
    if before.pack != after.pack and WORDS["pack"] not in changed:
        changed.append(WORDS["pack"])
    return ", ".join(changed)


def _segment(points: list[Estimate], why: str) -> Segment:
    first = points[0]
    return Segment(tuple(points), first.contract, first.pack, first.prices, why)
