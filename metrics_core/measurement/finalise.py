"""A family's merged partial -> its part of the report: estimates, funnels, series, comparisons.

Pure: clock, seed and prices are arguments; nothing is read and nothing is written.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.measurement.comparisons import comparisons
from metrics_core.measurement.costs import place_untold_money
from metrics_core.measurement.estimators import KINDS, SIGNED, ahead, blank
from metrics_core.measurement.family import Context, Family, Metric
from metrics_core.measurement.funnels import funnels
from metrics_core.measurement.grouping import (
    RunGroup,
    by_metric,
    cluster_of,
    drop_constant_strata,
    group_by,
    groupings,
    with_never_recorded,
)
from metrics_core.measurement.kinds import judged, repeated_tasks
from metrics_core.measurement.tabulate import Partial
from metrics_core.measurement.timelines import series
from metrics_core.results import (
    NO_KEYS,
    STAGE,
    CheckRow,
    Comparison,
    ContractRef,
    Estimate,
    Funnel,
    Grid,
    Keys,
    NotKnown,
    Points,
    Series,
    Tally,
    spelled,
)

if TYPE_CHECKING:
    from metrics_core.memo import Memo

RunGroups = dict[tuple[Keys, Keys], RunGroup]
MADE_BY = {**KINDS, **repeated_tasks.KINDS, **judged.KINDS}
CANNOT_BE_PRICED = frozenset(
    {
        NotKnown.UNPRICED_MODEL,
        NotKnown.MORE_CACHED_THAN_INPUT,
        NotKnown.CACHED_NOT_RECORDED,
        NotKnown.ZERO_WITH_TOKENS,
    }
)
"""Why money that a record tells is not known all the same."""


class Findings(Struct, frozen=True):
    """One family's part of a report."""

    estimates: tuple[Estimate, ...]
    funnels: tuple[Funnel, ...]
    series: tuple[Series, ...]
    grids: tuple[Grid, ...]
    points: tuple[Points, ...]
    checks: tuple[CheckRow, ...]
    comparisons: tuple[Comparison, ...]


def finalise(
    family: Family,
    partial: Partial,
    context: Context,
    data_digest: str,
    only: Collection[str] | None = None,
) -> Findings:
    """Make every estimate that the family promises, for every group and stratum that occurs.

    Args:
        family: Whose partial it is.
        partial: Sum of all partitions.
        context: Prices, pack, contracts.
        data_digest: Tree digest of the files it was computed from.
        only: Ids of the estimates that are asked for, then without comparisons; by default all.
    """
    asked = _Asked(family, context.experiment, only)
    partial = with_never_recorded(settled(partial, family), family, context)
    cells = by_metric(partial.cells)
    estimates: list[Estimate] = []
    compared: list[Comparison] = []
    every: list[tuple[Metric, RunGroups]] = []
    for metric in family.metrics:
        if asked.about(metric):
            run_groups = group_by(cells.get(metric.source or metric.name, {}), metric, context)
            _add_unreadable(run_groups, metric, partial.invalid)
            if metric.kind in repeated_tasks.KINDS:
                run_groups = repeated_tasks.by_k(run_groups)
            every.append((metric, _recorded(metric, run_groups, asked)))
    ahead([(metric, group) for metric, run_groups in every for group in run_groups.values()], context.memo)
    for metric, run_groups in every:
        made = {
            key: _estimate(family, metric, run_group, key, context, data_digest)
            for key, run_group in run_groups.items()
        }
        estimates += made.values()
        compared += () if only is not None else comparisons(metric, run_groups, made, context)
    cones = (
        ()
        if not asked.stages
        else tuple(
            funnels(
                family,
                partial,
                experiment=context.experiment,
                contract=lambda stratum: _scoring(family, stratum, context)[0],
                data_digest=data_digest,
                pack=None if context.pack is None else context.pack.digest,
                holes=_holes(estimates),
            )
        )
    )
    estimates = [_noted(e, family, context) for e in estimates]
    cones = tuple(_noted_funnel(cone, family, context) for cone in cones)
    estimates += [stage.estimate for funnel in cones for stage in funnel.stages]
    if only is not None:
        estimates = [e for e in estimates if e.id in only]
    return Findings(
        estimates=tuple(sorted(estimates, key=lambda e: e.id)),
        funnels=cones,
        series=tuple(series(estimates)),
        grids=tuple(_grids(family, estimates, context)),
        points=tuple(_points(family, partial)),
        checks=tuple(_checks(family, partial)),
        comparisons=tuple(compared),
    )


class _Asked:
    """Which estimates are made: all, or those of some ids and, for a stage, those of groups of funnels."""

    def __init__(self, family: Family, experiment: str, only: Collection[str] | None) -> None:
        self._only, self._experiment, self._family = only, experiment, family.name
        self._metrics = {each.partition("?")[0].rpartition(".")[2] for each in only or ()}
        self.stages = only is None or STAGE in self._metrics
        of_tracks = ({(), *track.groups} for track in family.tracks if self.stages)
        self._of_stages = {tuple(sorted(keys)) for groups in of_tracks for keys in groups}

    def about(self, metric: Metric) -> bool:
        return self.stages or metric.name in self._metrics

    def includes(self, metric: Metric, stratum: Keys, group: Keys) -> bool:
        if self._only is None or group.names in self._of_stages:
            return True
        return spelled(self._experiment, f"{self._family}.{metric.name}", (*group, *stratum)) in self._only


def settled(partial: Partial, family: Family) -> Partial:
    """The same runs in the strata in which they are published, once all of them were read."""
    found: Partial = family.settle(place_untold_money(drop_constant_strata(partial), family))
    return found


def _holes(estimates: Iterable[Estimate]) -> dict[tuple[Keys, Keys, int], int]:
    """Runs that were never recorded, by stratum, group and attempts: a funnel of the same runs has them."""
    return {
        (e.stratum, e.group, e.attempts): e.never_recorded.runs
        for e in estimates
        if e.never_recorded is not None
    }


def _noted(e: Estimate, family: Family, context: Context) -> Estimate:
    """An estimate with what the experiment's settings did to its stratum."""
    notes = tuple(family.notes(e.stratum, context))
    return replace(e, notes=(*e.notes, *notes)) if notes else e


def _noted_funnel(funnel: Funnel, family: Family, context: Context) -> Funnel:
    stages = (replace(stage, estimate=_noted(stage.estimate, family, context)) for stage in funnel.stages)
    return replace(funnel, stages=tuple(stages))


def _add_unreadable(run_groups: RunGroups, metric: Metric, invalid: int) -> None:
    """A line that is no record is invalid in the whole-experiment group of each stratum of its family."""
    if invalid:
        for (_, group), run_group in run_groups.items():
            if all(key == metric.one_vs_rest for key, _ in group):
                run_group.lost[""][("invalid", NotKnown.NO_RECORD)] += invalid


def _recorded(metric: Metric, run_groups: RunGroups, asked: _Asked) -> RunGroups:
    """The groups that are asked for, in order, of strata that the metric is one of."""
    recorded = {s for s in {stratum for stratum, _ in run_groups} if _is_recorded(metric, run_groups, s)}
    return {
        (stratum, group): run_group
        for (stratum, group), run_group in sorted(run_groups.items())
        if stratum in recorded and asked.includes(metric, stratum, group)
    }


def _is_recorded(metric: Metric, run_groups: RunGroups, stratum: Keys) -> bool:
    """Whether a metric is one of the stratum: context that nobody recorded, or what nobody asked, is not.

    Money that was told and cannot be priced is recorded: it stays, as not known.
    """
    whole = run_groups.get((stratum, NO_KEYS))
    if whole is None or whole.known:
        return True
    reasons = {loss.reason for loss in whole.losses}
    if metric.kind == "context":
        return bool(reasons & CANNOT_BE_PRICED)
    return NotKnown.NOT_ASKED not in reasons


def _estimate(
    family: Family,
    metric: Metric,
    run_group: RunGroup,
    key: tuple[Keys, Keys],
    context: Context,
    data_digest: str,
) -> Estimate:
    stratum, group = key
    contract, signed = _contract(family, metric, stratum, context)
    start = blank(
        metric,
        run_group,
        experiment=context.experiment,
        family=family.name,
        group=group,
        stratum=stratum,
        contract=contract,
        data_digest=data_digest,
        pack=None if context.pack is None else context.pack.digest,
        words=family.words,
    )
    kind = "mean" if metric.kind == "score" and not signed else metric.kind
    return MADE_BY[kind](metric, run_group, start, cluster_of(metric, context), context.memo)


def made_again(e: Estimate, metric: Metric, run_group: RunGroup, cluster: str, memo: Memo) -> Estimate:
    """The estimate that the same instrument would give of other runs: of a slice, or other denominators.

    Args:
        e: An estimate that is not withheld.
        metric: Whose kind makes it.
        run_group: The runs.
        cluster: The key within which they err together.
        memo: What was made of the same runs before.
    """
    start = blank(
        metric,
        run_group,
        experiment=e.experiment,
        family=e.family,
        group=e.group,
        stratum=e.stratum,
        contract=e.contract,
        data_digest=e.data_digest,
        pack=e.pack,
        words=e.words,
    )
    kind = "mean" if metric.kind == "score" and SIGNED not in dict(e.also) else metric.kind
    return MADE_BY[kind](metric, run_group, start, cluster, memo)


def _contract(family: Family, metric: Metric, stratum: Keys, context: Context) -> tuple[ContractRef, bool]:
    """The instrument behind an estimate, and whether it is a user's, whose bootstrap is part of it.

    For scores, what is made from scores, and what is corrected, it is the contract that the stratum names;
    else the family's.
    """
    of = family.metric(metric.source) if metric.source else metric
    named = of.kind in ("score", "quantity", "corrected", "powered")
    return _scoring(family, stratum, context) if named else (family.contract.ref(), False)


def _scoring(family: Family, stratum: Keys, context: Context) -> tuple[ContractRef, bool]:
    """The contract that a stratum names, and whether it is a user's; the family's where it names none."""
    named = stratum.get("contract")
    for contract in context.contracts:
        if contract.label == named:
            return contract.ref(), True
    for further in family.further:
        if further.id == named:
            return further.ref(), False
    return family.contract.ref(), False


def _grids(family: Family, estimates: list[Estimate], context: Context) -> Iterator[Grid]:
    by_axes: dict[tuple[str, tuple[str, ...]], dict[Keys, list[Estimate]]] = {}
    for e in estimates:
        by_axes.setdefault((e.metric, e.group.names), {}).setdefault(e.stratum, []).append(e)
    for metric in family.metrics:
        for axes in groupings(metric, context):
            if not 1 <= len(axes) <= 2 or "stamp" in axes:
                continue
            cells = by_axes.get((metric.name, tuple(sorted(axes))), {})
            for stratum, found in sorted(cells.items()):
                yield Grid(
                    family.name, metric.name, stratum, axes, tuple(sorted(found, key=lambda e: e.group))
                )


def _points(family: Family, partial: Partial) -> Iterator[Points]:
    if family.scatter is None:
        return
    by_model: dict[tuple[Keys, str], Counter[tuple[float, float]]] = defaultdict(Counter)
    for (stratum, model, x, y), n in partial.points.items():
        by_model[(stratum, model)][(x, y)] += n
    for (stratum, model), counted in sorted(by_model.items()):
        points = tuple((x, y, n) for (x, y), n in sorted(counted.items()))
        yield Points(family.name, *family.scatter, Keys({"model": model}), stratum, points, family.words)


def _checks(family: Family, partial: Partial) -> Iterator[CheckRow]:
    rows: dict[tuple[Keys, str, str], dict[str, Tally]] = defaultdict(dict)
    for (stratum, scenario, name, model, passed), n in partial.checks.items():
        tallies = rows[(stratum, scenario, name)]
        tallies[model] = tallies.get(model, Tally()) + (Tally(true=n) if passed else Tally(false=n))
    for (stratum, scenario, name), tallies in sorted(rows.items()):
        yield CheckRow(family.name, stratum, scenario, name, tuple(sorted(tallies.items())), family.words)
