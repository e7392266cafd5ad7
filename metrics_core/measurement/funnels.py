"""Funnels: how many runs are still in at each stage, and why the others were lost, unknown kept apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from metrics_core.formats import StampRange
from metrics_core.measurement.estimators import leading
from metrics_core.measurement.family import Family, Track
from metrics_core.measurement.tabulate import Partial
from metrics_core.results import (
    STAGE,
    ContractRef,
    Estimate,
    Funnel,
    Interval,
    Keys,
    Loss,
    NeverRecorded,
    NoInterval,
    NotKnown,
    Stage,
    State,
)
from metrics_core.statistics import manski_bounds

ATTEMPTS = "attempts"
COUNTS_ONLY = Interval.none(NoInterval.FUNNEL_COUNTS)

Lost = dict[int, Counter[tuple[State, str]]]
"""Stage number (0 is the first after every attempt) -> losses on the way to it."""


def funnels(
    family: Family,
    partial: Partial,
    *,
    experiment: str,
    contract: Callable[[Keys], ContractRef],
    data_digest: str,
    pack: str | None,
    holes: Mapping[tuple[Keys, Keys, int], int],
) -> Iterator[Funnel]:
    """One funnel for each track, stratum and group of the track, and one for the whole experiment.

    A line that is no record is an invalid attempt of the whole experiment only.

    Args:
        family: Whose tracks they are.
        partial: Sum of all partitions.
        experiment: Its name.
        contract: The instrument that gave the verdicts of a stratum.
        data_digest: Tree digest of the files it was computed from.
        pack: Digest of the pack; None without one.
        holes: Stratum, group and attempts -> runs of the same grid that were never recorded.
    """
    tracks = {track.name: track for track in family.tracks}
    tallied: dict[tuple[str, Keys, Keys], Lost] = defaultdict(lambda: defaultdict(Counter))
    through: Counter[tuple[str, Keys, Keys]] = Counter()
    spans: dict[tuple[str, Keys, Keys], StampRange] = defaultdict(StampRange)
    for (name, stratum, whose), span in partial.progress_spans.items():
        for group in _groups(tracks[name], whose):
            spans[(name, stratum, group)].add(span)
    for (name, stratum, whose, reached, state, reason), n in partial.progress.items():
        complete = reached == len(tracks[name].stages)
        for group in _groups(tracks[name], whose):
            if complete:
                through[(name, stratum, group)] += n
            else:
                tallied[(name, stratum, group)][reached][(state, reason)] += n
    for key in sorted({*tallied, *through}):
        name, stratum, group = key
        lost = tallied[key]
        if not group and partial.invalid:
            lost[0][("invalid", NotKnown.NO_RECORD)] += partial.invalid
        yield _funnel(
            family,
            tracks[name],
            group,
            stratum,
            lost,
            through[key],
            experiment,
            contract(stratum),
            data_digest,
            spans[key].ends,
            pack,
            holes,
        )


def _groups(track: Track, whose: Keys) -> Iterator[Keys]:
    """The groups of a track that a run is in: the whole, and each of its own that the run has the keys of."""
    for grouping in ((), *track.groups):
        if set(grouping) <= set(whose.names):
            yield whose.only(*grouping)


def _funnel(
    family: Family,
    track: Track,
    group: Keys,
    stratum: Keys,
    lost: Lost,
    through: int,
    experiment: str,
    contract: ContractRef,
    data_digest: str,
    stamps: tuple[str, str] | None,
    pack: str | None,
    holes: Mapping[tuple[Keys, Keys, int], int],
) -> Funnel:
    attempts = through + sum(sum(counted.values()) for counted in lost.values())
    never = holes.get((stratum, group, attempts), 0)
    gone: Counter[State] = Counter()
    left, stages = attempts, []
    for at, (name, achieved) in enumerate(((ATTEMPTS, False), *track.stages)):
        here = lost.get(at - 1, Counter()) if at else Counter()
        for (state, _), n in here.items():
            gone[state] += n
            left -= n
        unknown, invalid, errors = gone["unknown"], gone["invalid"], gone["error"]
        known = attempts - unknown - invalid - errors
        estimate = Estimate(
            experiment=experiment,
            family=family.name,
            metric=STAGE,
            group=group | {STAGE: name},
            stratum=stratum,
            unit="fraction",
            value=left / attempts,
            n=left,
            N=attempts,
            of="attempts",
            known=known,
            unknown=unknown,
            invalid=invalid,
            errors=errors,
            interval=COUNTS_ONLY,
            bounds=manski_bounds(left, known, attempts),
            never_recorded=NeverRecorded(never, manski_bounds(left, known, attempts + never), COUNTS_ONLY)
            if never
            else None,
            contract=contract,
            data_digest=data_digest,
            pack=pack,
            stamps=stamps,
            polarity="for" if achieved else "neither",
            words=family.words,
        )
        estimate = replace(estimate, headline=leading(estimate))
        ordered = sorted(here.items(), key=lambda item: (-item[1], item[0]))
        losses = tuple(Loss(state, reason, n) for (state, reason), n in ordered)
        stages.append(Stage(name, estimate, losses, achieved))
    return Funnel(family.name, group, stratum, tuple(stages))
