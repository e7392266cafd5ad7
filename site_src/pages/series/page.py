"""The page of a series: its course, the newest against earlier experiments, its controls once.

Does: set what `SeriesNumbers` found. Does not: compare, or show the newest without what came before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.formats import dated
from metrics_core.results import Comparison, Control, Separation
from site_src import paths
from site_src.figures import timeline
from site_src.marks import DigestKind, StateName, swatch
from site_src.pages import cells
from site_src.pages.components import FigureBlock, Listing, Table, digest_span, line, table, text
from site_src.pages.figure_collection import FigureCollection, figure_id
from site_src.pages.page import Planned
from site_src.pages.series.newest import Against, Course, SeriesNumbers
from site_src.pages.site_map import SiteMap
from site_src.project import ExperimentSeries, SiteExperiment
from site_src.wording import (
    FigureContext,
    FirstUse,
    Line,
    Span,
    captions,
    contract_name,
    count,
    course,
    held_in,
    joined,
    methods,
    sentence,
    sentence_case,
    signed,
    smallest_note,
    span,
    span_of,
    subject,
    svg_markup,
    verdict_words,
)

NOT_REPETITIONS = (
    "Experiments of a series are not repetitions of one another: each number is of one experiment, and "
    "what is counted over repetitions is counted within it."
)


class SeriesView(Struct, frozen=True, kw_only=True):
    """A series of experiments.

    Attributes:
        found: What became of each leading number since the experiment before, and since the baseline, and of
            others where something is told apart.
        figures: A timeline of the leading metric for each arm that two experiments or more have.
        further: Likewise of other metrics, each behind its title.
        newest: The newest against earlier experiments; none where it shares no number with them.
        experiments: Every experiment, the newest first.
    """

    template: ClassVar[str] = "series/series.html"
    up: str
    title: str
    lede: str
    found: tuple[Line, ...]
    controls: Listing
    figures: tuple[FigureBlock, ...]
    further: tuple[FigureBlock, ...]
    newest: tuple[Table, ...]
    rule: str
    experiments: Table


def series_pages(site: SiteMap, numbers: SeriesNumbers) -> Iterator[Planned]:
    """A page for each series.

    Args:
        site: Everything that has a page.
        numbers: What each series comes to.
    """
    for series in site.series:
        yield Planned(
            path=paths.series(series.name),
            kind="series",
            title=series.name,
            place=f"Series {series.name}",
            view=partial(series_view, site, series, numbers),
        )


def series_view(
    site: SiteMap, series: ExperimentSeries, numbers: SeriesNumbers, collection: FigureCollection
) -> SeriesView:
    """The page of a series.

    Args:
        site: Everything that has a page.
        series: Which.
        numbers: What each series comes to.
        collection: Takes its figures.
    """
    page = collection.page
    context = site.context(page)
    courses = numbers.of(series)
    opening = [each for each in courses if _opens(each, courses)]
    moving = [each for each in courses if _moves(each)]

    first_use = FirstUse(context.links)

    def drawn(each: Course) -> FigureBlock:
        return _timeline(each, series, collection, context)

    return SeriesView(
        up=paths.relative(page, paths.EXPERIMENTS),
        title=series.name,
        lede=span_of([x.title for x in series.experiments]),
        found=tuple(first_use(found) for each in opening for found in told(each, courses, series)),
        controls=Listing(title="Controls, once for the series", lines=tuple(control_lines(series, page))),
        figures=collection.figures_within(drawn(each) for each in moving if leading(each, courses)),
        further=collection.figures_within(drawn(each) for each in moving if not leading(each, courses)),
        newest=tuple(_newest(courses, context, page)),
        rule=NOT_REPETITIONS,
        experiments=_experiments(series, context, page),
    )


def leading(found: Course, every: Sequence[Course]) -> bool:
    """Whether a number is of the metric that the series is first read by."""
    return found.line.metric == every[0].line.metric


def _opens(found: Course, every: Sequence[Course]) -> bool:
    """Whether a number is told before the tables.

    One that is read beside a leading number of its arm is told with that, and the table says what came of it;
    by itself it is told where something is told apart.
    """
    arm = (found.line.family, found.line.group)
    beside = any(leading(each, every) and (each.line.family, each.line.group) == arm for each in every)
    apart = any(each.comparison is not None and each.comparison.told_apart for each in found.against)
    return leading(found, every) or not beside or apart


def told(found: Course, every: Sequence[Course], series: ExperimentSeries) -> Iterator[Line]:
    """The course of a number, and what came of it since each experiment that it is compared with.

    Args:
        found: The number.
        every: All courses of the series: a leading number is told in one sentence with those of its arm that
            it is never read without.
        series: Whose they are.
    """
    leads = leading(found, every)
    arm = (found.line.family, found.line.group)
    beside = [
        each
        for each in every
        if leads and each.line.metric != found.line.metric and (each.line.family, each.line.group) == arm
    ]
    whole: Line = course(found.line, series.newest.name)
    for other in beside:
        whole = (*whole, text("; "), *course(other.line, series.newest.name))
    yield (*whole, text("."))
    for each in found.against:
        yield (
            text("Against the baseline: " if each.is_baseline else "Against the one before: "),
            *_verdict(each),
        )


def _verdict(each: Against) -> Line:
    c = each.comparison
    if c is None:
        return (
            text("the runs behind the two numbers cannot be paired, so nothing is said of their difference."),
        )
    if c.unlike is not None:
        return (*_unlike(c), text("."))
    if c.outcome is Separation.NOT_COMPARABLE:
        return (text(f"not compared: {c.reason}"),)
    first, *rest = sentence(c)
    return (replace(first, text=f"{first.text[:1].lower()}{first.text[1:]}"), *rest, text("."))


def _unlike(c: Comparison) -> Line:
    """In what the two differ, so that no number is made of both; a digest behind its mark."""
    why = c.unlike
    if why is None:
        return ()
    (a, here), (b, there) = why.a, why.b
    if why.field in ("contract", "pack") and here.startswith("sha256:") and there.startswith("sha256:"):
        kind: DigestKind = "contract" if why.field == "contract" else "pack"
        return (
            text(f"not compared, another {why.field}: "),
            digest_span(here, kind),
            text(f" in {a}, "),
            digest_span(there, kind),
            text(f" in {b}"),
        )
    return (text(f"not compared: {why}"),)


def _moves(found: Course) -> bool:
    """Whether there is a course to see: the numbers of two experiments or more."""
    return sum(len(segment.points) for segment in found.line.segments) > 1


def _timeline(
    found: Course, series: ExperimentSeries, collection: FigureCollection, context: FigureContext
) -> FigureBlock:
    line_ = found.line
    key = figure_id(
        "course", collection.page, line_.family, line_.metric, str(line_.stratum), str(line_.group)
    )
    return collection.add(timeline.draw(line_, figure_id=key, context=context, names=_short(series)))


def _short(series: ExperimentSeries) -> dict[str, str]:
    """The date in the name of each experiment, else its name without what all of them begin with."""
    names = [x.name for x in series.experiments]
    dates = {name: found[1] for name in names if (found := dated(name)) is not None}
    if len(set(dates.values())) == len(names):
        one_year = len({date[:4] for date in dates.values()}) == 1
        return {name: date[5:] if one_year and len(date) > 7 else date for name, date in dates.items()}
    first, last = min(names), max(names)
    shared = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    while shared and first[shared - 1].isalnum():
        shared -= 1
    return {name: name[shared:] or name for name in names}


# ------------------------------------------------------------------------------------------ the newest


def _newest(courses: Sequence[Course], context: FigureContext, page: str) -> Iterator[Table]:
    rows = [(found, each) for found in courses for each in found.against]
    if not rows:
        return
    shown = {e.id: e for found, each in rows for e in (found.newest, each.estimate) if e is not None}
    made = [each.comparison for _, each in rows if each.comparison is not None]
    yield table(
        "The newest against earlier experiments",
        [
            "Number",
            "Newest",
            "Against",
            "There",
            "Difference [95 %]",
            "In common",
            "p after Holm",
            "By both rules",
        ],
        [_row(found, each, page) for found, each in rows],
        numeric=[4, 5, 6],
        captions=cells.table_caption(
            list(shown.values()),
            context,
            notes=[*methods(made), *captions.separation_notes(made), *filter(None, [smallest_note(made)])],
        ),
    )


def _row(found: Course, each: Against, page: str) -> tuple[Line | Span | str, ...]:
    c, newest = each.comparison, found.newest
    metric, whom = subject(each.estimate)
    href = paths.relative(page, paths.experiment(each.earlier.name))
    against = line(
        text(each.earlier.title, href=href), text(" (baseline)" if each.is_baseline else "", "quiet")
    )
    number: Line = ()
    if c is not None and c.difference is not None:
        number = (
            Span(text=signed(c.difference), role="strong" if c.told_apart else "plain", record=c.id),
            text(f" {span(c.interval, 'fraction', difference=True)}", "light"),
        )
    return (
        line(text(sentence_case(metric), "strong"), text(f" {whom}" if whom else "")),
        () if newest is None else (*cells.value(newest), text(" "), *cells.counted(newest)),
        against,
        (*cells.value(each.estimate), text(" "), *cells.counted(each.estimate)),
        number,
        "" if c is None or not c.paired_on else Span(text=count(c.paired_on), record=c.id),
        "" if c is None or c.p_adjusted is None else Span(text=captions.p_words(c.p_adjusted), record=c.id),
        _both_rules(each),
    )


def _both_rules(each: Against) -> Line:
    c = each.comparison
    if c is None or c.unlike is not None:
        return _verdict(each) if c is None else _unlike(c)
    return line(text(verdict_words(c), "strong" if c.told_apart else "plain"))


# ---------------------------------------------------------------------------------------- once for all


def control_lines(series: ExperimentSeries, page: str) -> Iterator[Line]:
    """Each control of a series, once: in how many experiments it held, and where it did not."""
    found: dict[tuple[str, str], dict[str, Control]] = {}
    for x in series.experiments:
        for control in x.report.controls:
            own = found.setdefault((control.title, control.guards), {})
            if x.name not in own or not _worse(own[x.name], control):
                own[x.name] = control
    several = len({guards for _, guards in found}) > 1
    for (title, guards), controls in found.items():
        worst = _looks(controls.values())
        where = f" of {guards}" if several else ""
        yield (
            Span(text=held_in(controls), role="strong", mark=svg_markup(swatch(worst))),
            text(f" {title}{where}"),
        )


_ORDER = ("failed", "missing", "held", "not applicable")
_MARKS: Final[dict[str, StateName]] = {
    "failed": "false",
    "missing": "missing",
    "held": "true",
    "not applicable": "too-few",
}


def _worse(one: Control, other: Control) -> bool:
    """Whether of two controls of one experiment the first is the one to tell."""
    return _ORDER.index(one.state) <= _ORDER.index(other.state)


def _looks(controls: Iterable[Control]) -> StateName:
    return _MARKS[min((c.state for c in controls), key=_ORDER.index)]


def _experiments(series: ExperimentSeries, context: FigureContext, page: str) -> Table:
    return table(
        "Experiments of the series, the newest first",
        ["Experiment", "Runs", "Last run", "Instruments", "Pack", "Data"],
        [_experiment(x, context, page) for x in reversed(series.experiments)],
        numeric=[1],
    )


def _experiment(x: SiteExperiment, context: FigureContext, page: str) -> tuple[Line | Span | str, ...]:
    last = max((e.stamps[1] for e in x.report.estimates if e.stamps), default="")
    instruments = [
        (
            text(f"{contract_name(c.ref)} "),
            digest_span(c.ref.digest, "contract", context.links.contract(c.ref)),
        )
        for c in x.report.contracts
    ]
    return (
        text(x.title, "strong", href=paths.relative(page, paths.experiment(x.name))),
        Span(text=count(x.report.records), record=x.name),
        last[:10] or "not stated",
        joined(instruments),
        "none" if x.pack is None else digest_span(x.pack.digest, "pack", context.links.pack(x.pack.digest)),
        digest_span(x.report.data_digest, "data", context.links.data(x.name, x.report.data_digest)),
    )
