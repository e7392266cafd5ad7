"""The lists of runs: which experiments have any, and each experiment's, fifty to a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from markupsafe import Markup

from site_src import paths
from site_src.figures.patterns import STATE_NAMES
from site_src.parts import Line, Span, drawn
from site_src.rounding import count
from site_src.swatch import swatch
from site_src.views.inputs import SiteExperiment
from site_src.views.page import NavItem
from site_src.views.parts import Cell, Table, line, table, text
from site_src.views.runs import Run, group_keys, verdict_titles

PER_PAGE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewsView:
    """Which experiments have runs to read."""

    template: ClassVar[str] = "reviews.html"
    title: str
    lede: str
    experiments: Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A filter of the list: its name in the address, and its label."""

    key: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Swatch:
    """A swatch that the filter's script puts before a state's word."""

    state: str
    mark: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class RunListView:
    """One page of an experiment's runs.

    Attributes:
        index: Address of the compact index; ``base`` of the folder that holds the runs' pages.
        filters, sorts: What the list can be narrowed and ordered by.
        pages: Every page of the list.
        total: How many runs there are, in words.
    """

    template: ClassVar[str] = "run-list.html"
    title: str
    lede: str
    experiment: Span
    up: str
    index: str
    base: str
    total: str
    filters: tuple[Choice, ...]
    sorts: tuple[Choice, ...]
    swatches: tuple[Swatch, ...]
    runs: Table
    pages: tuple[NavItem, ...]


def overview(listed: Sequence[tuple[SiteExperiment, Sequence[Run]]]) -> ReviewsView:
    """The list of lists."""
    total = sum(len(runs) for _, runs in listed)
    rows = [
        (
            text(experiment.title, href=paths.relative(paths.REVIEWS, paths.reviews(experiment.name))),
            ", ".join(experiment.report.families),
            ", ".join(sorted({run.key("model") for run in runs if run.key("model")})),
            Span(text=count(len(runs)), record=experiment.name),
        )
        for experiment, runs in listed
        if runs
    ]
    return ReviewsView(
        title="Reviews",
        lede=f"Every run has a page: {count(total)} of them, each verdict with the chain that established "
        "it, or with the place where the chain ends.",
        experiments=table(
            "Experiments with runs", ["Experiment", "Families", "Models", "Runs"], rows, numeric=[3]
        ),
    )


def lists(experiment: SiteExperiment, listed: Sequence[Run]) -> Iterator[tuple[str, str, RunListView]]:
    """Pages of an experiment's list: (path, title, view)."""
    last = max(1, -(-len(listed) // PER_PAGE))
    titles, keys = verdict_titles(listed), group_keys(listed)
    labels = [key.replace("_", " ") for key in keys]
    for number in range(1, last + 1):
        path = paths.reviews(experiment.name, number)
        shown = listed[(number - 1) * PER_PAGE : number * PER_PAGE]
        title = f"Runs of {experiment.title}"
        yield (
            path,
            title if number == 1 else f"{title}, page {number}",
            RunListView(
                title=title,
                lede="Every run of this experiment, in the order of its files. "
                "Each page tells what established its verdicts.",
                experiment=text(
                    experiment.title, href=paths.relative(path, paths.experiment(experiment.name))
                ),
                up=paths.relative(path, paths.REVIEWS),
                index=paths.relative(path, paths.review_index(experiment.name)),
                base="",
                total=f"{count(len(listed))} runs",
                filters=(
                    *(Choice(key=key, label=key.replace("_", " ").capitalize()) for key in keys),
                    Choice(key="facet", label="Outcome"),
                    Choice(key="lost", label="Lost"),
                ),
                sorts=(
                    *(Choice(key=key, label=key.replace("_", " ")) for key in (*keys, "scenario")),
                    Choice(key="stamp", label="date"),
                    *(Choice(key=f"verdict {t}", label=t.lower()) for t in titles),
                ),
                swatches=tuple(Swatch(state=state, mark=drawn(swatch(state))) for state in STATE_NAMES),
                runs=table(
                    title,
                    ["Run", *(label.capitalize() for label in labels), *titles, "Date"],
                    [_row(run, keys, titles, path, experiment.name) for run in shown],
                    id="runs",
                ),
                pages=tuple(
                    NavItem(
                        text=count(n),
                        href=paths.relative(path, paths.reviews(experiment.name, n)),
                        current=n == number,
                    )
                    for n in range(1, last + 1)
                )
                if last > 1
                else (),
            ),
        )


def _row(
    run: Run, keys: Sequence[str], titles: Sequence[str], path: str, experiment: str
) -> tuple[Cell | Line | Span | str, ...]:
    return (
        text(run.title, href=paths.relative(path, paths.review(experiment, run.name))),
        *(run.key(key) for key in keys),
        *(_outcomes(run, title, experiment) for title in titles),
        text(run.day, "nowrap"),
    )


def _outcomes(run: Run, title: str, experiment: str) -> Line:
    found = [o for o in run.outcomes if o.title == title]
    return line(
        *(
            Span(text=o.counted, role="quiet", mark=drawn(swatch(o.state)), record=f"{experiment}/{run.name}")
            for o in found
        )
    )
