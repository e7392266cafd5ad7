"""The leading numbers of a series: their course, and the newest against the one before and a baseline.

Does: choose the metrics that each experiment is first read by, line them up, and have the core compare the
newest with the earlier ones from the runs that the run pages show. Does not: word, draw or pool anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct

from metrics_core.between_experiments import between_experiments, in_experiment
from metrics_core.measurement import RecordedOutcome, over_experiments
from metrics_core.memo import Memo
from metrics_core.results import PLAIN, STATES, Comparison, Estimate, Report, Rule, Series, State
from site_src.pages.compare import settled
from site_src.pages.runs import ListedOutcome, RunLists
from site_src.pages.selection import arm_keys, compared, metric_place
from site_src.pages.site_map import SiteMap
from site_src.project import ExperimentSeries, SiteExperiment, of_all


class Against(Struct, frozen=True, kw_only=True):
    """The newest of a line beside one earlier experiment.

    Attributes:
        earlier: The earlier experiment.
        is_baseline: Whether it was chosen as the baseline.
        estimate: The line's number in it.
        comparison: The newest less the earlier; None where its runs cannot be paired.
    """

    earlier: SiteExperiment
    is_baseline: bool
    estimate: Estimate
    comparison: Comparison | None


class Course(Struct, frozen=True, kw_only=True):
    """One arm on one leading metric through the series.

    Attributes:
        line: A point an experiment, broken where the instrument changes.
        newest: Its number in the newest experiment; None where the newest has none.
        against: The newest beside the one before it, then beside the baseline, where each has a number.
    """

    line: Series
    newest: Estimate | None
    against: tuple[Against, ...] = ()


class SeriesNumbers:
    """The courses of each series of a site, found when first asked for.

    Args:
        site: Everything that has a page.
        lists: Where the runs of each experiment are kept.
    """

    def __init__(self, site: SiteMap, lists: RunLists) -> None:
        self.site, self.lists = site, lists

    def of(self, series: ExperimentSeries) -> tuple[Course, ...]:
        """Every course of a series, in the order in which its metrics are read."""
        baseline = series.baseline.name if series.baseline is not None else ""
        separation = self.site.build.site.separation
        return of_all(series.experiments, _courses, baseline, separation, self.lists, self.site.memo)


def _courses(
    experiments: Sequence[SiteExperiment], baseline: str, separation: Rule, lists: RunLists, memo: Memo
) -> tuple[Course, ...]:
    chosen = next((x for x in experiments if x.name == baseline), None)
    series = ExperimentSeries(name="", experiments=tuple(experiments), baseline=chosen)
    return tuple(_Compared(separation, lists, memo).courses(series))


class _Compared(Struct, frozen=True):
    """What finds courses.

    Attributes:
        separation: The rule of a site, for an experiment that compares nothing.
        lists: Where the runs of each experiment are kept.
        memo: What was made of the same runs before.
    """

    separation: Rule
    lists: RunLists
    memo: Memo

    def courses(self, series: ExperimentSeries) -> Iterator[Course]:
        """Every course of a series, in the order in which its metrics are read."""
        nights = [leading(x.report) for x in series.experiments]
        lines = sorted(_told(list(over_experiments(nights))), key=_place)
        against: dict[int, list[Against]] = {}
        for metric in dict.fromkeys((line.family, line.metric) for line in lines):
            own = [(at, line) for at, line in enumerate(lines) if (line.family, line.metric) == metric]
            for at, found in self._compared(series, own):
                against.setdefault(at, []).append(found)
        for at, line in enumerate(lines):
            newest = _point(line, series.newest)
            yield Course(line=line, newest=newest, against=tuple(against.get(at, ())))

    def _compared(
        self, series: ExperimentSeries, lines: Sequence[tuple[int, Series]]
    ) -> Iterator[tuple[int, Against]]:
        """Lines of one metric: Holm goes over everything that the newest is compared with on it."""
        earlier = [series.before]
        if series.baseline is not None and series.baseline not in (series.before, series.newest):
            earlier.append(series.baseline)
        wanted = [
            (at, x, newest, other)
            for at, line in lines
            for x in earlier
            if (newest := _point(line, series.newest)) is not None and (other := _point(line, x)) is not None
        ]
        pairs = [
            (
                in_experiment(a, partial(self._outcomes, series.newest, a)),
                in_experiment(b, partial(self._outcomes, x, b)),
            )
            for _, x, a, b in wanted
        ]
        made = between_experiments(pairs, self._rule(series.newest.report), self.memo)
        for (at, x, _, b), comparison in zip(wanted, made, strict=True):
            yield at, Against(earlier=x, is_baseline=x is series.baseline, estimate=b, comparison=comparison)

    def _rule(self, report: Report) -> Rule:
        return next((c.rule for c in report.comparisons), self.separation)

    def _outcomes(self, x: SiteExperiment, e: Estimate) -> Iterator[RecordedOutcome]:
        """What the counted runs of an experiment came to on the metric of an estimate."""
        for run in self.lists.of(x):
            for o in run.outcomes if run.family == e.family and not run.repeated else ():
                if o.metric == e.metric and settled(o.stratum, e.stratum) == e.stratum:
                    value = None if o.value is None else (o.value, o.n, o.N)
                    yield RecordedOutcome(
                        (e.family, e.metric, e.stratum),
                        run.group,
                        run.key("scenario") or run.task,
                        _state(o),
                        value,
                    )


def leading(report: Report) -> list[Estimate]:
    """What an experiment is first read by: its first metric and those read with it, by arm.

    Args:
        report: Of one experiment; what is withheld is a number of it as well.
    """
    found: list[Estimate] = []
    for family in report.families:
        for place, key in enumerate(arm_keys(report, family) or ["model"]):
            if place and not any(c.over == key for c in report.comparisons if c.family == family):
                continue
            own = compared(report, family, key)
            if own:
                words = report.words_of(family) or PLAIN
                kept = {own[0].metric, *words.read_with(own[0].metric)}
                found += [e for e in own if e.metric in kept]
    return found


def _told(lines: Sequence[Series]) -> list[Series]:
    """Lines with something to tell; of a family of which nothing is shown, all of them."""

    def is_shown(line: Series) -> bool:
        points = [e for segment in line.segments for e in segment.points]
        return any(e.withheld is None and e.headline != "nothing" for e in points)

    shown = {line.family for line in lines if is_shown(line)}
    return [line for line in lines if is_shown(line) or line.family not in shown]


def _state(outcome: ListedOutcome) -> State:
    return next((state for state in STATES if state == outcome.state), "known")


def _point(line: Series, x: SiteExperiment) -> Estimate | None:
    points = [e for segment in line.segments for e in segment.points]
    return next((e for e in points if e.experiment == x.name), None)


def _place(line: Series) -> tuple[object, ...]:
    return (line.family, metric_place(line.metric, line.words), line.stratum, line.group)
