"""Graders: what is known of instruments whose verdicts were held against people's, in every experiment.

Does: lay out the numbers of families whose subject is an instrument, one table for each and each experiment.
Does not: know such a family; its words name the stratum key of the instrument (`Vocabulary.examines`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from metrics_core.results import PLAIN, Estimate
from site_src import paths
from site_src.pages import cells
from site_src.pages.components import Table, line, table, text
from site_src.pages.site_map import SiteMap, examined
from site_src.project import SiteExperiment
from site_src.wording import (
    contract_name,
    many_in_words,
    metric_words,
    sentence_case,
    stratum_words,
)


class GradersView(Struct, frozen=True, kw_only=True):
    """Every grader that was examined, with its numbers."""

    template: ClassVar[str] = "instruments/graders.html"
    title: str
    lede: str
    tables: tuple[Table, ...]


def graders_view(site: SiteMap) -> GradersView:
    """The page of graders: one table for each grader of each experiment."""
    names = {examined(e) for x in site.experiments for e in x.report.estimates} - {""}
    return GradersView(
        title="Graders",
        lede=f"{sentence_case(many_in_words(len(names), 'grader'))}, held against what people say of the "
        "same items where they labelled any. What is corrected for a grader's errors is a second estimate, "
        "under a contract of its own, beside what the grader says; where it is no better than chance there "
        "is none.",
        tables=tuple(t for x in site.experiments for t in _tables(x, site)),
    )


def _tables(x: SiteExperiment, site: SiteMap) -> Iterator[Table]:
    context = site.context(paths.GRADERS)
    found: dict[str, list[Estimate]] = {}
    for e in x.report.estimates:
        if name := examined(e):
            found.setdefault(name, []).append(e)
    for name, estimates in sorted(found.items()):
        words = estimates[0].words or PLAIN
        order = {metric: at for at, metric in enumerate(words.first)}
        ordered = sorted(
            estimates,
            key=lambda e: (e.stratum.without("contract"), order.get(e.metric, len(order)), e.metric),
        )
        yield table(
            f"{name}, {x.title}",
            ["Number", "Stratum", "Value [95 % interval]", "What is counted", "Contract"],
            [
                (
                    text(sentence_case(metric_words(e.metric, words)), href=context.links.estimate(e)),
                    stratum_words(e.stratum.without(words.examines, "contract"), words) or "all",
                    cells.value(e),
                    cells.counted(e, attempts=True),
                    line(text(contract_name(e.contract), href=context.links.contract(e.contract))),
                )
                for e in ordered
            ],
            captions=cells.table_caption(ordered, context),
        )
