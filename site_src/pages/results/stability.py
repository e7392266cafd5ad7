"""How alike the runs of a task are, arm by arm: a table of an experiment, from the runs that its lists hold.

Does: gather the known values of each arm by task and by repetition, for the metric that leads a family. Does
not: compute; `metrics_core.comparison` does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from metrics_core.comparison import Stability, stability_of
from metrics_core.results import MOVING, PLAIN, Estimate
from site_src.pages.cells import table_caption, whose
from site_src.pages.components import Table, table, text
from site_src.pages.runs import Run, RunLists
from site_src.pages.selection import compared
from site_src.project import SiteExperiment
from site_src.wording import (
    FigureContext,
    Line,
    Span,
    habits,
    metric_words,
    not_ruled_out,
    sentence_case,
    stratum_words,
    variance_shares,
    whole_repetitions,
)

REPETITION = "repetition"
"""What tells the runs of a task apart, where they are numbered."""

NO_REPETITIONS = "no task has one known run of each of several repetitions"
"""What is said where no whole repetition can be looked at."""


class StabilityTable(Struct, frozen=True, kw_only=True):
    """One metric: the table, and what "always so far" leaves open.

    Attributes:
        id: Of its section.
    """

    id: str
    title: str
    arms: Table
    open: Line


def stability_views(
    x: SiteExperiment, family: str, lists: RunLists, context: FigureContext
) -> Iterator[StabilityTable]:
    """The metric of a family that leads, arm by arm; nothing where it is no share.

    Args:
        x: The experiment.
        family: One of its families.
        lists: Where its runs are kept; they are read once.
        context: Links and build.
    """
    estimates = [e for e in compared(x.report, family) if e.withheld is None and e.known]
    if not estimates or estimates[0].unit != "fraction":
        return
    lead = [e for e in estimates if e.metric == estimates[0].metric]
    runs = [run for run in lists.of(x) if run.family == family and not run.repeated]
    found = [(e, each) for e in lead if (each := _of_arm(e, runs)).tasks]
    if not found:
        return
    words = found[0][0].words
    companion = (words or PLAIN).companion(lead[0].metric)
    told = {(e.group, e.stratum) for e, _ in found}
    beside = [e for e in estimates if e.metric == companion and (e.group, e.stratum) in told]
    name = metric_words(lead[0].metric, words)
    several = len({e.stratum for e, _ in found}) > 1
    under = ("Under",) if several else ()
    heads = ("Arm", *under, "Tasks so far", "Variance of a run", "Whole repetitions")
    rows: list[list[Line | Span]] = [
        [
            whose(e.group, words, context),
            *([text(stratum_words(e.stratum, words))] if several else []),
            _owned(e, habits(each)),
            _owned(e, sentence_case(variance_shares(each))),
            _owned(e, sentence_case(whole_repetitions(each) or NO_REPETITIONS)),
        ]
        for e, each in found
    ]
    passed = f"A run passes where {name} is {0 if lead[0].polarity == 'against' else 1}."
    left = f"{passed} {not_ruled_out(each for _, each in found)}".strip()
    yield StabilityTable(
        id=f"stability-{family}",
        title=f"How alike the runs of a task are: {name}",
        arms=table(
            f"Stability of {name}",
            heads,
            rows,
            captions=table_caption([*(e for e, _ in found), *beside], context),
        ),
        open=(_owned(found[0][0], left),),
    )


def _owned(e: Estimate, words: str) -> Span:
    """Words with numbers that are of an experiment's runs, and of no estimate."""
    return Span(words, record=e.experiment)


def _of_arm(e: Estimate, runs: Sequence[Run]) -> Stability:
    tasks: dict[str, list[float]] = defaultdict(list)
    numbered: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    still = [name for name in MOVING if name not in e.stratum.names]
    for run in (run for run in runs if set(e.group) <= set(run.group)):
        for outcome in run.outcomes:
            same = outcome.metric == e.metric and outcome.stratum.without(*still) == e.stratum
            if same and outcome.value is not None:
                task = run.key("scenario") or run.task
                tasks[task].append(outcome.value)
                numbered[run.key(REPETITION)][task].append(outcome.value)
    return stability_of(
        e.group.get(next(iter(e.group.names), ""), ""),
        tasks,
        {} if "" in numbered else numbered,
        against=e.polarity == "against",
    )
