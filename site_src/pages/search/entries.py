"""Everything that is found by its name, in groups, and the same as a script that the search box reads.

The index is a script, since a folder that is opened as files allows no fetch. Runs are most of it: their
words stand once in a list, and each run is its digest and two places in such lists. Does not: rank
what is found; ``search.js`` does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from metrics_core.results import Estimate, Report
from metrics_core.text import INVISIBLE
from site_src import paths
from site_src.pages.decisions import counted
from site_src.pages.page import Planned
from site_src.pages.runs import Run, RunLists, RunsByTask, key_value
from site_src.pages.site_map import SiteMap, metric_id
from site_src.project import SiteExperiment
from site_src.wording import arm_of, contract_name, in_order, listed, many, metric_words, spans

CONSTANT = "ASSAY_SEARCH"

MOST_RUNS = 20_000
"""Runs of one experiment that the index names; of more, only their list is found."""

PLACES = {
    "overview": "page",
    "models": "list",
    "experiments": "list",
    "experiment": "experiment",
    "series": "series",
    "compare": "what can be told apart",
    "compare-pair": "two side by side",
    "decisions": "list",
    "reviews": "list",
    "contracts": "list",
    "packs": "list",
    "pack": "pack",
    "prices": "price tables",
    "data": "downloads",
    "dictionary": "fields of records",
    "methods": "what numbers mean",
    "editions": "what moved, and when",
    "prose": "page",
    "writing": "for authors",
}
"""Kind of page -> what a reader meets there; kinds that have groups of their own are not among them."""


class Entry(Struct, frozen=True):
    """One thing that is found by its name.

    Attributes:
        name: As pages call it.
        detail: What tells it from others of its name; it is searched, too.
        path: Its page within the site, with the element where it stands.
    """

    name: str
    detail: str
    path: str


class ListedRuns(Struct, frozen=True, kw_only=True):
    """The runs of one experiment, newest first, each with its digest; none where there are too many.

    Attributes:
        title: Of the experiment.
        count, path: How many runs there are, and where they are listed.
        tasks, tasks_path: How many tasks they are of, and where those are listed.
    """

    title: str
    count: int
    path: str
    tasks: int
    tasks_path: str
    entries: tuple[tuple[Entry, str], ...]


class Entries(Struct, frozen=True, kw_only=True):
    """Everything that is found, in the order of its groups."""

    models: tuple[Entry, ...]
    tasks: tuple[Entry, ...]
    runs: tuple[ListedRuns, ...]
    metrics: tuple[Entry, ...]
    decisions: tuple[Entry, ...]
    contracts: tuple[Entry, ...]
    pages: tuple[Entry, ...]


def entries(where: SiteMap, lists: RunLists, planned: Sequence[Planned]) -> Entries:
    """Everything that is found by its name.

    Args:
        where: Everything that has a page.
        lists: Of the runs of each experiment.
        planned: The site's pages, those of runs and tasks aside.
    """
    with_runs = [(x, lists.of(x)) for x in where.experiments if x.name in where.with_runs]
    return Entries(
        models=tuple(_models(where)),
        tasks=tuple(entry for x, runs in with_runs for entry in _tasks(x, runs)),
        runs=tuple(_runs(x, runs) for x, runs in with_runs),
        metrics=tuple(_metrics(where)),
        decisions=tuple(
            Entry(j.decision.title, f"{j.decision.status} · {spans.text(counted(j))}", paths.decision(j.slug))
            for j in where.decisions
        ),
        contracts=tuple(_contracts(where)),
        pages=tuple(Entry(p.title, PLACES[p.kind], p.path) for p in planned if p.kind in PLACES),
    )


def _models(where: SiteMap) -> Iterator[Entry]:
    for name in where.models:
        found = [
            (x, own) for x in where.experiments if (own := [e for e in x.report.estimates if _names(e, name)])
        ]
        hidden = sum(all(e.withheld is not None for e in own) for _, own in found)
        detail = many(len(found), "experiment") + (f", {hidden} withheld" if hidden else "")
        yield Entry(name, detail, paths.model(name))


def _names(e: Estimate, model: str) -> bool:
    arm = arm_of(e.group, e.words)
    return arm is not None and arm[1] == model


def _tasks(x: SiteExperiment, runs: Sequence[Run]) -> Iterator[Entry]:
    own = RunsByTask(x, runs)
    for task, some in own.by_task.items():
        ran = f"{many(len(some), 'run')} of {many(len({own.arm(run) for run in some}), 'model')}"
        yield Entry(own.title(task), f"{ran} · {x.title}", paths.task(x.name, task))


def _runs(x: SiteExperiment, runs: Sequence[Run]) -> ListedRuns:
    newest = sorted(runs, key=lambda run: run.day, reverse=True) if len(runs) <= MOST_RUNS else ()
    return ListedRuns(
        title=x.title,
        count=len(runs),
        path=paths.reviews(x.name),
        tasks=len({run.task for run in runs}),
        tasks_path=paths.tasks(x.name),
        entries=tuple((_run(x.report, run), run.name) for run in newest),
    )


def _run(report: Report, run: Run) -> Entry:
    arms = in_order(run.group.names, report.words_of(run.family))
    told = (*((arm, run.group.get(arm, "")) for arm in arms), *run.apart)
    name = " · ".join([run.title, *(key_value(key, value) for key, value in told if value)])
    outcome = ", ".join(run.facets) or ", ".join(f"{o.title}: {o.word}" for o in run.outcomes)
    return Entry(
        name,
        " · ".join(filter(None, (run.day, run.among, outcome))),
        paths.review(report.experiment, run.name),
    )


def _metrics(where: SiteMap) -> Iterator[Entry]:
    """Each metric under the last version of its contract; earlier ones stand on the contract's page."""
    promised = {used.ref: used for x in where.experiments for used in x.report.contracts if used.promise}
    for refs in where.contracts.values():
        newest = next((promised[ref] for ref in reversed(refs) if ref in promised), None)
        if newest is None:
            continue
        for metric, sentence in newest.promise:
            at = f"{paths.METHODS}#{metric_id(newest.ref, metric)}"
            yield Entry(metric_words(metric, newest.words), sentence, at)


def _contracts(where: SiteMap) -> Iterator[Entry]:
    titles = {used.ref: used.title for x in where.experiments for used in x.report.contracts}
    for name, refs in where.contracts.items():
        versions = listed([contract_name(ref).removeprefix(f"{name} ") for ref in refs])
        title = titles[refs[-1]]
        yield Entry(name, versions if title == name else f"{title} · {versions}", paths.contract(name))


def index(found: Entries) -> bytes:
    """The index as a script that assigns a constant; names are text, and nothing of them runs."""
    groups = [
        {"title": title, "of": of, "entries": [[e.name, e.detail, e.path] for e in some]}
        for title, of, some in (
            ("Models", "model", found.models),
            ("Tasks", "task", found.tasks),
            ("Runs", "run", ()),
            ("Metrics", "metric", found.metrics),
            ("Decisions", "decision", found.decisions),
            ("Contracts", "contract", found.contracts),
            ("Pages", "page", found.pages),
        )
    ]
    document = {"invisible": INVISIBLE, "groups": groups, "runs": [_packed(runs) for runs in found.runs]}
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return f'"use strict";\nwindow.{CONSTANT} = {text};\n'.encode("ascii")


def _packed(runs: ListedRuns) -> dict[str, Any]:
    names, details = dict[str, int](), dict[str, int]()
    rows = [
        [names.setdefault(e.name, len(names)), details.setdefault(e.detail, len(details)), run]
        for e, run in runs.entries
    ]
    return {
        "title": runs.title,
        "count": runs.count,
        "path": runs.path,
        "names": list(names),
        "details": list(details),
        "rows": rows,
    }
