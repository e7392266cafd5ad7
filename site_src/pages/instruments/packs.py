"""The frozen packs: task cards, splits, the tree digest, and the command that gives it again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from metrics_core.contracts import Pack, Task
from site_src import paths
from site_src.marks import swatch
from site_src.pages.components import Table, TableRow, Term, cell, digest_span, line, table, text
from site_src.pages.site_map import SiteMap
from site_src.project import SiteExperiment
from site_src.wording import (
    Line,
    Span,
    count,
    many,
    svg_markup,
)

LONGEST_INPUT = 400
"""Characters of a card's inputs that the page shows; the whole card is in the published file."""


Ran = Callable[[SiteExperiment], Collection[str]]
"""Gives the tasks of an experiment that have pages."""


class PackView(Struct, frozen=True, kw_only=True):
    """One pack.

    Attributes:
        recipe: The commands that print its digest, with nothing but coreutils.
        sums: Whether the digests that lie beside it are its own.
        problems: Cards that were left out, and why.
    """

    template: ClassVar[str] = "instruments/pack.html"
    title: str
    lede: str
    up: str
    terms: tuple[Term, ...]
    recipe: str
    sums: Line
    problems: tuple[Line, ...]
    tasks: Table


class PacksView(Struct, frozen=True, kw_only=True):
    """Every pack."""

    template: ClassVar[str] = "instruments/packs.html"
    title: str
    lede: str
    packs: Table


def overview(site: SiteMap) -> PacksView:
    """The list of packs."""
    rows = []
    for digest, users in site.packs.items():
        pack = _pack(users[0])
        splits = Counter(task.split for task in pack.tasks)
        rows.append(
            (
                text(pack.name, href=paths.relative(paths.PACKS, paths.pack(digest))),
                digest_span(digest, "pack"),
                Span(text=count(splits["eval"]), record=digest),
                Span(text=count(splits["probe"]), record=digest),
                ", ".join(x.title for x in users),
            )
        )
    return PacksView(
        title="Packs",
        lede="A pack is a set of tasks, frozen: its digest is over every byte of it. A row that moved from "
        "one split to the other makes another pack, and its numbers stand in no line and no "
        "comparison with the old one’s.",
        packs=table("Packs", ["Pack", "Digest", "Evaluated", "Probes", "Experiments"], rows, numeric=[2, 3]),
    )


def title(site: SiteMap, digest: str) -> str:
    """Title of a pack's page."""
    return _pack(site.packs[digest][0]).name


def pack_view(site: SiteMap, digest: str, ran: Ran) -> PackView:
    """The page of one pack.

    Args:
        site: Everything that has a page.
        digest: Of the pack.
        ran: Gives the tasks of an experiment that have pages.
    """
    users = site.packs[digest]
    pack, page = _pack(users[0]), paths.pack(digest)
    splits = Counter(task.split for task in pack.tasks)
    return PackView(
        title=pack.name,
        lede=f"{many(len(pack.tasks), 'task')}: {count(splits['eval'])} evaluated, "
        f"{count(splits['probe'])} probes that enter no headline number.",
        up=paths.relative(page, paths.PACKS),
        terms=tuple(_terms(pack, users, page)),
        recipe=f"find {pack.name} -type f -print0 | LC_ALL=C sort -z "
        f"| xargs -0 sha256sum > {pack.name}.sums\n"
        f"sha256sum {pack.name}.sums",
        sums=_sums(pack),
        problems=tuple(
            line(text(f"{p.file}:{p.line}" if p.line else p.file, "mono"), f" {p.what}")
            for p in pack.problems
        ),
        tasks=table(
            "Task cards",
            ["Task", "Split", "Clusters", "Oracle files", "Time limit", "Inputs"],
            [_task(task, _runs(task, users, ran, page)) for task in pack.tasks],
            numeric=[4],
        ),
    )


def _pack(x: SiteExperiment) -> Pack:
    if x.pack is None:
        raise ValueError(f"{x.name} has no pack")
    return x.pack


def _terms(pack: Pack, users: tuple[SiteExperiment, ...], page: str) -> Iterator[Term]:
    yield Term(word="Digest", lines=((digest_span(pack.digest, "pack"),), (text(pack.digest, "mono"),)))
    yield Term(
        word="Clusters",
        lines=(line(f"tasks of one {pack.cluster_key} err together" if pack.cluster_key else "none stated"),),
    )
    yield Term(
        word="Used by",
        lines=tuple((text(x.title, href=paths.relative(page, paths.experiment(x.name))),) for x in users),
    )


def _sums(pack: Pack) -> Line:
    match pack.sums:
        case "matches":
            return (
                Span(text="held", role="state", mark=svg_markup(swatch("true"))),
                text(f": the digests beside {pack.name} are its own"),
            )
        case "mismatch":
            return (
                Span(text="failed", role="state", mark=svg_markup(swatch("false"))),
                text(f": {'; '.join(pack.differing)}"),
            )
        case _:
            return (
                Span(text="missing", role="state", mark=svg_markup(swatch("missing"))),
                text(": no digest lies beside the pack"),
            )


def _task(task: Task, href: str) -> TableRow:
    given = task.inputs if isinstance(task.inputs, str) else json.dumps(task.inputs, ensure_ascii=False)
    shown = given if len(given) <= LONGEST_INPUT else given[:LONGEST_INPUT] + "…"
    files: list[Span] = []
    for file in task.oracle_files:
        files += ([text(" ")] if files else []) + [text(file, "mono")]
    return TableRow(
        id=paths.anchor("task", task.id),
        cells=(
            cell(text(task.id, "mono", href=href)),
            cell(task.split),
            cell(", ".join(f"{k} {v}" for k, v in task.clusters)),
            cell(*files),
            cell("" if task.timeout_s is None else f"{task.timeout_s:g} s"),
            cell(shown),
        ),
    )


def _runs(task: Task, users: Sequence[SiteExperiment], ran: Ran, page: str) -> str:
    """Page of a task's runs, in the first experiment that has any; empty where none has."""
    of = next((x for x in users if task.id in ran(x)), None)
    return "" if of is None else paths.relative(page, paths.task(of.name, task.id))
