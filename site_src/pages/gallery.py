"""A finished drawing on a page: its view, its data as files, and the texts that are copied from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from markupsafe import Markup

from metrics_core.results import Estimate
from site_src import paths
from site_src.drawing import Figure as Drawing
from site_src.pages import data_files
from site_src.pages.components import FigureBlock, Table, table, text
from site_src.pages.data_files import indented
from site_src.pages.site_map import SiteMap
from site_src.project import Authored, SiteFile
from site_src.wording import TextTable, drawn, spans


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedFigure:
    """A figure on a page: where it stands, what the page and it are called, and under which contracts."""

    page: str
    place: str
    id: str
    title: str
    contracts: frozenset[str]


def citation(site: SiteMap, what: str = "") -> str:
    """How a page, a figure or the whole site is cited, by its digest: a digest does not go stale.

    Args:
        site: Everything that has a page.
        what: Title of the figure; empty for the site.
    """
    build = site.build
    whose = f"{build.site.title}, {build.site.subtitle}" if build.site.subtitle else build.site.title
    said = f"“{what}.” {whose}" if what else whose
    where = f" {build.site.url}" if build.site.url else ""
    return f"{said}. Assay {build.version}, {build.digest[:23]}.{where}"


def figure_id(kind: str, page: str, *keys: str) -> str:
    """Element id of a figure, which also names its files: its kind, and a digest of where and what it is.

    >>> figure_id("funnel", "index.html", "a").startswith("funnel-")
    True
    """
    return paths.anchor(kind, "\0".join((page, *keys)))


@dataclass(slots=True)
class Gallery:
    """The figures of one page, as they are made: their views, files, and what they stand on."""

    site: SiteMap
    page: str
    place: str
    files: list[SiteFile] = field(default_factory=list)
    shown: list[PlacedFigure] = field(default_factory=list)

    def hang(self, made: Drawing) -> FigureBlock:
        """The view of a drawing; its files are kept for the page."""
        self.files += _files(made, self.page)
        self.shown.append(
            PlacedFigure(
                page=self.page,
                place=self.place,
                id=made.id,
                title=made.title,
                contracts=frozenset(e.contract.digest for e in made.estimates),
            )
        )
        command = recompute(made.estimates)
        return FigureBlock(
            id=made.id,
            kind=made.kind,
            title=made.title,
            estimates=made.estimate_ids,
            wide=drawn(made.svg_wide),
            narrow=drawn(made.svg_narrow),
            caption=replace(made.caption, command=command),
            table=as_table(made.title, made.table),
            csv=paths.relative(self.page, paths.figure_data(made.id, "csv")),
            json=paths.relative(self.page, paths.figure_data(made.id, "json")),
            spec=paths.relative(self.page, paths.figure_data(made.id, "vl.json")),
            command=command,
            markdown=markdown(made),
            cite=citation(self.site, made.title),
        )


def recompute(estimates: Iterable[Estimate]) -> str:
    """The command that computes a figure's numbers again.

    >>> recompute([])
    'assay check'
    """
    found = list(estimates)
    experiments = dict.fromkeys(e.experiment for e in found)
    families = dict.fromkeys(e.family for e in found)
    family = f" --family {next(iter(families))}" if len(families) == 1 else ""
    return " && ".join(f"assay compute {name}{family} --json" for name in experiments) or "assay check"


def as_table(name: str, made: TextTable) -> Table:
    """A drawing's table as a page shows it."""
    return table(name, made.header, [[text(c) for c in row] for row in made.rows], numeric=made.numeric)


def markdown(made: Drawing) -> str:
    """Title, table and caption, to be pasted elsewhere without losing what stands behind the numbers."""

    def row(cells: Sequence[str]) -> str:
        return (
            "| "
            + " | ".join(c.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ") for c in cells)
            + " |"
        )

    rules = ["--:" if i in made.table.numeric else "---" for i in range(len(made.table.header))]
    lines = [
        f"**{made.title}**",
        "",
        row(made.table.header),
        row(rules),
        *map(row, made.table.rows),
        "",
        *(f"{said}  " for said in spans.plain(made.caption).split("\n")),
    ]
    return "\n".join(lines)


def _files(made: Drawing, page: str) -> list[SiteFile]:
    """The data of a figure, made only where they are written or looked at: a page does not wait for them."""
    rows = made.csv
    return [
        SiteFile(paths.figure_data(made.id, "csv"), lambda: data_files.csv_bytes(rows.header, rows.rows)),
        SiteFile(paths.figure_data(made.id, "json"), lambda: _json(_document(made, page))),
        SiteFile(paths.figure_data(made.id, "vl.json"), lambda: _json(made.spec)),
    ]


def _document(made: Drawing, page: str) -> dict[str, Any]:
    return {
        "schema": "assay.figure/1",
        "id": made.id,
        "kind": made.kind,
        "title": made.title,
        "page": page,
        "caption": spans.plain(made.caption).split("\n"),
        "description": made.desc,
        "estimates": [e.to_json() for e in made.estimates],
        "controls": [c.to_json() for c in made.controls],
        "table": {"header": list(made.table.header), "rows": [list(row) for row in made.table.rows]},
    }


def _json(document: object) -> bytes:
    return indented(document, 1, sort_keys=True) + b"\n"


Body = Callable[[Authored | None, Gallery], Markup]
"""Makes the prose that an author wrote, its figures held by a gallery; nothing of nothing."""
