"""Scorers whose numbers leave 0..1: what becomes of their runs once all of them were read.

A scorer on a scale of its own gives no shares: no value of it is a pass, though one may happen to be 1. One
that gives grades has no such scale: its numbers outside 0..1 are invalid. Does: find such scorers in what was
tabulated, and make their runs those of a metric, and a track, that pick nothing out. Does not: rescale
(`recorded_score` does, where a scale was stated), or estimate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from metrics_core.families.traces.recorded_score import CONTRACTS, OUTSIDE, QUANTITIES, TRACK
from metrics_core.formats import StampRange
from metrics_core.measurement import CellTally, Partial
from metrics_core.results import Keys, State

SCORE, QUANTITY = "score", "quantity"
GRADED = {"values": "grades"}
"""What is tallied of a scorer that gave a grade, beside the keys that name it."""

Progresses = Counter[tuple[str, Keys, Keys, int, State, str]]


def scorer_of(stratum: Mapping[str, str]) -> Keys | None:
    """The keys of a stratum that name a scorer whose scores were recorded; None where it names none.

    >>> scorer_of({"contract": "assay/table", "scorer": "rating", "split": "eval"})
    (('contract', 'assay/table'), ('scorer', 'rating'))
    >>> scorer_of({"contract": "mine/v1", "split": "eval"})
    """
    contract, scorer = stratum.get("contract"), stratum.get("scorer")
    return None if contract not in CONTRACTS or not scorer else Keys({"contract": contract, "scorer": scorer})


def settle(partial: Partial) -> Partial:
    """The same runs, each of them under the metric and in the track of what its scorer turned out to be."""
    found = {
        scorer
        for (name, stratum, _), cell in partial.cells.items()
        if name == SCORE
        and (scorer := scorer_of(dict(stratum))) is not None
        and any(map(outside, cell.known))
    }
    graded = {scorer for scorer in found if scorer | GRADED in partial.tallied}
    return _moved(_refused(partial, graded), found - graded) if found else partial


def outside(known: tuple[float, int, int]) -> bool:
    """Whether a known value is no share."""
    return not 0 <= known[0] <= 1


def _refused(partial: Partial, graded: set[Keys]) -> Partial:
    """The same runs, numbers outside 0..1 beside grades as invalid."""
    cells = dict(partial.cells)
    for key, cell in partial.cells.items():
        if key[0] == SCORE and scorer_of(dict(key[1])) in graded:
            cells[key] = CellTally()
            cells[key].add(replace(cell, known={v: days for v, days in cell.known.items() if not outside(v)}))
            for value, days in cell.known.items():
                for day, n in days.items() if outside(value) else ():
                    cells[key].lose(("invalid", OUTSIDE), day, n)
    progress: Progresses = Counter()
    for (track, stratum, whose, reached, state, reason), n in partial.progress.items():
        if track == TRACK.name and reason == OUTSIDE and scorer_of(dict(stratum)) in graded:
            progress[(track, stratum, whose, reached - 1, "invalid", reason)] += n
        else:
            progress[(track, stratum, whose, reached, state, reason)] += n
    return replace(partial, cells=cells, progress=progress)


def _moved(partial: Partial, found: set[Keys]) -> Partial:
    """The same runs, those of these scorers as quantities."""

    def track_of(track: str, stratum: Keys) -> str:
        mine = track == TRACK.name and scorer_of(dict(stratum)) in found
        return QUANTITIES.name if mine else track

    cells = {
        (QUANTITY if key[0] == SCORE and scorer_of(dict(key[1])) in found else key[0], *key[1:]): cell
        for key, cell in partial.cells.items()
    }
    last = len(QUANTITIES.stages)
    progress: Progresses = Counter()
    for (track, stratum, whose, reached, state, reason), n in partial.progress.items():
        now = track_of(track, stratum)
        if now != track and reached >= last:
            progress[(now, stratum, whose, last, "known", "")] += n
        else:
            progress[(now, stratum, whose, reached, state, reason)] += n
    spans: dict[tuple[str, Keys, Keys], StampRange] = {
        (track_of(track, stratum), stratum, whose): span
        for (track, stratum, whose), span in partial.progress_spans.items()
    }
    return replace(partial, cells=cells, progress=progress, progress_spans=spans)
