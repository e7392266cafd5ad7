"""The gate: numbers whose control failed, or is required and missing, are withheld.

A control that is missing is said beside every number that it would guard; so is what a source says of itself
that is not what was read of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from metrics_core.formats import Declared, notes_of
from metrics_core.measurement.comparisons import withheld
from metrics_core.measurement.estimators import withhold
from metrics_core.measurement.finalise import Findings
from metrics_core.results import (
    Comparison,
    Control,
    Estimate,
    FailedControl,
    Funnel,
    Grid,
    Problem,
    Segment,
    Series,
    Stage,
    Withheld,
)


def apply_gate(findings: Findings, controls: Sequence[Control], family: str) -> Findings:
    """A family's findings as its controls let them be shown.

    Args:
        findings: As computed.
        controls: Of the experiment; those that guard other families are not looked at.
        family: Whose findings they are.

    Returns:
        The same findings, each estimate with the state of the controls that guard it. Where a control
        withholds, no number of what it guards is left: not in estimates, funnels, timelines, comparisons,
        points or assertion lists.
    """
    guards = [c for c in controls if c.guards == family]
    seen: dict[int, tuple[Estimate, Estimate]] = {}

    def gate(e: Estimate) -> Estimate:
        """Once an estimate: the same stands in lists, grids and timelines."""
        if id(e) not in seen:
            mine = [c for c in guards if c.covers(e.metric, e.contract.digest)]
            why = _why(mine)
            noted = replace(e, control=_note(mine))
            seen[id(e)] = (e, noted if why is None else withhold(noted, why))
        return seen[id(e)][1]

    whole = why_withheld(controls, family)
    return replace(
        with_each_estimate(findings, gate),
        points=findings.points if whole is None else (),
        checks=findings.checks if whole is None else (),
        comparisons=tuple(_comparison(c, guards) for c in findings.comparisons),
    )


def with_each_estimate(findings: Findings, change: Callable[[Estimate], Estimate]) -> Findings:
    """The same findings with each estimate changed, wherever it stands: in lists, funnels, timelines, grids.

    Args:
        findings: As computed.
        change: Estimate -> the one in its place.
    """
    return replace(
        findings,
        estimates=tuple(change(e) for e in findings.estimates),
        funnels=tuple(_funnel(f, [change(s.estimate) for s in f.stages]) for f in findings.funnels),
        series=tuple(
            Series(
                s.family,
                s.metric,
                s.group,
                s.stratum,
                tuple(
                    Segment(tuple(change(e) for e in g.points), g.contract, g.pack, g.prices, g.why)
                    for g in s.segments
                ),
            )
            for s in findings.series
        ),
        grids=tuple(
            Grid(g.family, g.metric, g.stratum, g.axes, tuple(change(e) for e in g.cells))
            for g in findings.grids
        ),
    )


def with_source_notes(found: Findings, told: Iterable[Problem]) -> Findings:
    """Findings whose numbers tell what their sources say of themselves, where that is not what was read.

    A number of one task has no such note: a source speaks of all its tasks.

    Args:
        found: As they were made.
        told: What was found while reading; only a `Declared` is a note.
    """
    declared = [each for each in told if isinstance(each, Declared)]

    def noted(e: Estimate) -> Estimate:
        if "scenario" in e.group.names:
            return e
        notes = tuple(notes_of(each for each in declared if each.concerns(e.group | e.stratum)))
        return replace(e, notes=(*e.notes, *notes)) if notes else e

    return with_each_estimate(found, noted) if declared else found


def doubts(controls: Iterable[Control]) -> Iterator[Problem]:
    """What recorded controls leave open, at its place in their files."""
    for control in controls:
        for finding in control.findings:
            what = f"{control.title} {control.state}, {finding}"
            yield Problem(control.source or control.name, None, finding.field, what)


def _funnel(funnel: Funnel, estimates: Sequence[Estimate]) -> Funnel:
    """Losses of a withheld stage are numbers too."""
    stages = tuple(
        Stage(s.name, e, () if e.withheld else s.losses, s.achieved)
        for s, e in zip(funnel.stages, estimates, strict=True)
    )
    return Funnel(funnel.family, funnel.group, funnel.stratum, stages)


def _comparison(c: Comparison, guards: Sequence[Control]) -> Comparison:
    why = why_comparison_withheld(guards, c)
    return c if why is None else withheld(c, why)


def why_comparison_withheld(controls: Iterable[Control], c: Comparison) -> Withheld | None:
    """Which of an experiment's controls withhold a comparison, and what each found; None where none."""
    return _why(x for x in controls if x.guards == c.family and x.covers(c.metric, c.contract.digest))


def why_withheld(controls: Iterable[Control], family: str) -> Withheld | None:
    """Why every number of a family is withheld, or None where they may be shown."""
    return _why(c for c in controls if c.guards == family and c.covers_all)


def _why(controls: Iterable[Control]) -> Withheld | None:
    """What the controls that withhold found, or None where none does."""
    withholding = tuple(
        FailedControl(c.name, c.title, c.detail, missing=c.state == "missing")
        for c in controls
        if c.withholds
    )
    return Withheld(withholding) if withholding else None


def _note(controls: Iterable[Control]) -> str | None:
    """The state of each control in words, golden fixtures last: they hold, or nothing would be there."""
    worth = [c for c in controls if c.state != "not applicable" and c.name != "fixtures"]
    notes = (", ".join((f"{c.title} {c.told}", *map(str, c.findings))) for c in worth)
    return "; ".join(dict.fromkeys(notes)) or None
