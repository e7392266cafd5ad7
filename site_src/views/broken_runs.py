"""Runs of a model in the first corner of its family's two scatter metrics: how many, and some by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metrics_core.estimate import Estimate
from metrics_core.keys import Keys
from metrics_core.vocabulary import PLAIN
from site_src.figures.context import FigureContext, ReviewFilter
from site_src.naming import in_words
from site_src.parts import Line, Span, drawn
from site_src.rounding import count
from site_src.swatch import swatch
from site_src.views.estimate_cells import inline, table_caption
from site_src.views.inputs import SiteExperiment
from site_src.views.parts import Cell, Table, table, text
from site_src.views.runs import Run

MOST_BROKEN = 8
"""Such runs that a model's page lists before it points to the filtered list."""

MOST_PAGES = 3
"""Broken things that a row names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenView:
    """Runs in the first corner: how many, which, and where all of them are."""

    said: Line
    runs: Table
    all_runs: Span


def broken_runs(
    x: SiteExperiment, own: Sequence[Estimate], name: str, runs: Sequence[Run], context: FigureContext
) -> Iterator[BrokenView]:
    """Runs in the first corner, by name; the rest behind one link."""
    corners = (own[0].words or PLAIN).corners if own else None
    if corners is None:
        return
    facet = corners.names[0]
    shown = [e for e in own if e.metric == corners.metric and e.withheld is None and e.n]
    broken = [r for r in runs if facet in r.facets and r.key("model") == name]
    if not shown or not broken:
        return
    e = shown[0]
    href = context.links.reviews(
        ReviewFilter(experiment=x.name, family=e.family, group=Keys({"model": name}), facet=facet)
    )
    rows = [_broken_row(x.name, run, context) for run in broken[:MOST_BROKEN]]
    titles = list(dict.fromkeys(o.title for run in broken for o in run.outcomes))[:2]
    yield BrokenView(
        said=(
            text("In "),
            *inline(e, context),
            text(f" {corners.sentence}"),
        ),
        runs=table(
            corners.heading,
            ["Run", *titles, "Broken"],
            rows,
            captions=table_caption([e], context),
        ),
        all_runs=text(f"All {in_words(len(broken))} runs" if len(broken) > 1 else "The run", href=href),
    )


def _broken_row(experiment: str, run: Run, context: FigureContext) -> list[Cell | Line | Span | str]:
    base = context.links.reviews(ReviewFilter(experiment=experiment, family=run.family)).partition("#")[0]
    href = base.removesuffix("index.html") + f"{run.name}/index.html"
    record = f"{experiment}/{run.name}"
    broken: list[Span] = []
    for item in run.broken[:MOST_PAGES]:
        broken += ([text(" ")] if broken else []) + [text(item, "mono")]
    if len(run.broken) > MOST_PAGES:
        broken.append(text(f" and {count(len(run.broken) - MOST_PAGES)} more"))
    return [
        text(run.title, href=href),
        *(
            (Span(text=o.counted, role="quiet", mark=drawn(swatch(o.state)), record=record),)
            for o in run.outcomes[:2]
        ),
        tuple(broken),
    ]
