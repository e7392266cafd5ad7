"""The list of experiments, and what of each may be read."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from msgspec import Struct

from metrics_core.look_alikes import look_alikes, told
from metrics_core.results import Report
from site_src import paths
from site_src.marks import swatch
from site_src.pages.components import Table, digest_span, line, table, text
from site_src.pages.figure_collection import FigureCollection
from site_src.pages.results.controls import state
from site_src.pages.selection import models_of
from site_src.pages.site_map import SiteMap
from site_src.project import SiteExperiment, WithheldExperiment
from site_src.wording import Line, Span, count, in_words, many_in_words, sentence_case, span_of, svg_markup


class ExperimentsView(Struct, frozen=True, kw_only=True):
    """Every experiment, and the series that some of them are.

    Attributes:
        alike: Sentences on titles that a reader takes for one another.
    """

    template: ClassVar[str] = "results/experiments.html"
    title: str
    lede: str
    alike: tuple[Line, ...]
    series: tuple[Line, ...]
    withheld: tuple[Line, ...]
    experiments: Table


class WithheldExperimentView(Struct, frozen=True, kw_only=True):
    """The page of an experiment that could not be read or measured."""

    template: ClassVar[str] = "results/withheld.html"
    title: str
    lede: str
    problems: tuple[Line, ...]


def withheld_view(withheld: WithheldExperiment, _: FigureCollection) -> WithheldExperimentView:
    """The page of an experiment of which nothing is shown, and why."""
    return WithheldExperimentView(
        title=withheld.title,
        lede="Withheld: this experiment could not be read or measured. No number of it is shown, and none of "
        "it is in any other number of this site.",
        problems=(_withheld_line(text(withheld.problem, "mono")),),
    )


def _withheld_line(what: Span) -> Line:
    return (Span(text="withheld", role="state", mark=svg_markup(swatch("withheld"))), text(" "), what)


def row(x: SiteExperiment, page: str) -> list[Line | Span | str]:
    """One experiment in a list: what was run, which controls hold, whether its numbers are shown."""
    report = x.report
    controls: list[Span] = []
    asked = [c for c in report.controls if c.state != "not applicable"]
    times = Counter((c.state, c.title) for c in asked)
    for control in {(c.state, c.title): c for c in asked}.values():
        several = times[control.state, control.title]
        which = f" {control.title}{f', {count(several)} of them' if several > 1 else ''}"
        controls += ([text("; ")] if controls else []) + [state(control), text(which)]
    return [
        text(x.title, "strong", href=paths.relative(page, paths.experiment(x.name))),
        ", ".join(report.families),
        Span(text=", ".join(x.of_report(models_of))),
        Span(text=count(report.records), record=x.name),
        numbers(report),
        tuple(controls) or line("none"),
        digest_span(report.data_digest, "data"),
    ]


HEADS = ("Experiment", "Families", "Models", "Runs", "Numbers", "Controls", "Data")


def numbers(report: Report) -> Line:
    """Whether an experiment's numbers are shown: all, some, or none."""
    hidden = [e for e in report.estimates if e.withheld is not None]
    if not hidden:
        return line("shown") if report.estimates else line("none")
    word = "withheld" if len(hidden) == len(report.estimates) else "partly withheld"
    return (Span(text=word, role="state", mark=svg_markup(swatch("withheld"))),)


def experiments_view(site: SiteMap) -> ExperimentsView:
    """The list of experiments."""
    shown = [x for x in site.experiments if not any(e.withheld for e in x.report.estimates)]
    hidden = len(site.experiments) - len(shown)
    return ExperimentsView(
        title="Experiments",
        lede=f"{sentence_case(many_in_words(len(site.experiments), 'experiment'))}"
        + (
            f", of which {in_words(hidden)} {'has' if hidden == 1 else 'have'} numbers that are withheld: "
            "a control failed."
            if hidden
            else ". Each page holds controls, results, raw records and what went wrong in reading them."
        ),
        alike=tuple(line(f"{told(group)}.") for group in look_alikes(x.title for x in site.experiments)),
        withheld=tuple(
            _withheld_line(
                text(w.title, "strong", href=paths.relative(paths.EXPERIMENTS, paths.experiment(w.name)))
            )
            for w in site.build.withheld
        ),
        series=tuple(
            line(
                text(
                    series.name, "strong", href=paths.relative(paths.EXPERIMENTS, paths.series(series.name))
                ),
                f": {span_of([x.title for x in series.experiments])}",
            )
            for series in site.series
        ),
        experiments=table(
            "Experiments", HEADS, [row(x, paths.EXPERIMENTS) for x in site.experiments], numeric=[3]
        ),
    )
