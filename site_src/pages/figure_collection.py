"""The figures of a page: the view of each, its data as files, and the texts that are copied from it.

Does not: draw, or choose a figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from markupsafe import Markup
from msgspec import Struct, field
from msgspec.structs import replace

from metrics_core.results import Control, Estimate
from site_src import paths
from site_src.drawing import Figure
from site_src.drawing.files import specification_file
from site_src.pages.citations import citation
from site_src.pages.components import FigureBlock, Table, table, terms, text
from site_src.pages.figure_page import cited_as, figure_files, table_file
from site_src.pages.render import fragment
from site_src.pages.site_map import SiteMap
from site_src.project import Authored, SiteFile, command, csv_bytes, indented
from site_src.wording import Links, TextTable, count, spans

ROOM: Final = 120_000
"""What the figures and tables of a page may come to, in bytes as they are sent, packed."""


class FigureCollection(Struct):
    """The figures of one page, as they are made: their views, files, and what they stand on.

    Attributes:
        room: Bytes that are left for figures and tables, of a page that asks for it.
        apart: Element ids of the figures for which there is none.
        shown: Whether any was asked for and given.
    """

    site: SiteMap
    page: str
    place: str
    files: list[SiteFile] = field(default_factory=list)
    placed: list[PlacedFigure] = field(default_factory=list)
    room: float = ROOM
    apart: set[str] = field(default_factory=set)
    shown: bool = False

    def add(self, figure: Figure) -> FigureBlock:
        """The view of a figure; its files are kept for the page."""
        block = self._block(figure)

        def numbers() -> Markup:
            return fragment("numbered", block) if figure.id in self.apart else Markup()

        own = figure_files(figure, self.site, self.page, self.place, numbers)
        self.files += (*_files(figure, self.page), *own)
        self.placed.append(
            PlacedFigure(
                page=self.page,
                place=self.place,
                id=figure.id,
                title=figure.title,
                contracts=frozenset(e.contract.digest for e in figure.estimates),
            )
        )
        return block

    def figures_within(self, figures: Iterable[FigureBlock], room: float = ROOM) -> tuple[FigureBlock, ...]:
        """The same figures, those for which the page has no room as lines that lead to their own pages.

        Args:
            figures: Of this collection, in the order in which they ask for room.
            room: Bytes that are left at the most.
        """
        self.room = min(self.room, room)
        shown = []
        for block in figures:
            if not self._takes(_figure_weight(block)):
                self.apart.add(block.id)
            shown.append(replace(block, apart=block.id in self.apart))
        return tuple(shown)

    def tables_within(self, tables: Iterable[Table]) -> tuple[Table, ...]:
        """The same tables, those for which the page has no room as lines that lead to pages of their own."""
        shown = []
        for given in tables:
            if self._takes(_table_weight(given)):
                shown.append(given)
                continue
            number = sum(file.path.startswith(f"{paths.FIGURES}table-") for file in self.files)
            name = paths.anchor("table", f"{self.page}\0{given.name}\0{number}")
            self.files.append(table_file(given, name, self.site, self.page, self.place))
            address = paths.relative(self.page, paths.figure_data(name, "html"))
            shown.append(replace(given, id=name, apart=address))
        return tuple(shown)

    def _takes(self, weight: float) -> bool:
        """Take the room for something; the first thing of a page has room, however large it is."""
        stands = weight <= self.room or not self.shown
        if stands:
            self.room -= weight
            self.shown = True
        return stands

    def _block(self, figure: Figure) -> FigureBlock:
        again = recompute(self.site, self.page, figure.estimates, figure.controls)
        return FigureBlock(
            id=figure.id,
            kind=figure.kind,
            title=figure.title,
            estimates=figure.estimate_ids,
            rows=figure.rows,
            caption=figure.caption,
            folded=folded(len(figure.estimates) or len(figure.controls), figure.kind),
            table=as_table(figure.title, figure.table, self.site.context(self.page).links),
            csv=paths.relative(self.page, paths.figure_data(figure.id, "csv")),
            json=paths.relative(self.page, paths.figure_data(figure.id, "json")),
            spec=paths.relative(self.page, paths.figure_data(figure.id, "vl.json")),
            command=again[0],
            elsewhere=again[1],
            markdown=markdown(figure),
            cite=citation(self.site, cited_as(figure, self.place), f"{self.page}#{figure.id}").words,
            picture=paths.relative(self.page, paths.figure_data(figure.id, "svg")),
            own=paths.relative(self.page, paths.figure_data(figure.id, "html")),
        )


def _figure_weight(block: FigureBlock) -> float:
    """About how many bytes a figure takes as it is sent: its words stand drawn, told and tabulated."""
    return 1400 + 0.6 * len(block.markdown) + 0.22 * len(block.estimates)


def _table_weight(given: Table) -> float:
    """The same of a table: its words and its captions', and what its cells refer to and lead to."""
    spans = [span for row in given.rows for cell in row.cells for span in cell.spans]
    told = [span for each in given.captions for line in (*each.lines, each.shared) for span in line]
    named = sum(len(span.estimate) + len(span.record) + len(span.href) for span in spans)
    return 300 + 0.3 * sum(len(span.text) for span in (*spans, *told)) + 0.07 * named


class PlacedFigure(Struct, frozen=True, kw_only=True):
    """A figure on a page: where it stands, what the page and it are called, and under which contracts."""

    page: str
    place: str
    id: str
    title: str
    contracts: frozenset[str]


def figure_id(kind: str, page: str, *keys: str) -> str:
    """Element id of a figure, which also names its files: its kind, and a digest of where and what it is.

    >>> figure_id("funnel", "index.html", "a").startswith("funnel-")
    True
    """
    return paths.anchor(kind, "\0".join((page, *keys)))


def folded(many: int, kind: str) -> str:
    """What is folded below a figure.

    >>> folded(14, "funnel"), folded(1, "curve"), folded(3, "controls")
    ('All 14 estimates, and how to recompute them', 'The estimate, and how to recompute it', 'All 3 controls')
    """
    if kind == "controls":
        return "The control" if many == 1 else f"All {count(many)} controls"
    if many == 1:
        return "The estimate, and how to recompute it"
    return f"All {count(many)} estimates, and how to recompute them"


def recompute(
    site: SiteMap, page: str, estimates: Iterable[Estimate], controls: Iterable[Control]
) -> tuple[str, str]:
    """The command that computes a figure's numbers again in the project's folder, and what must be put there.

    Args:
        site: Everything that has a page.
        page: That of the figure: equal controls of several experiments are those of the one that it is of.
        estimates: Those of the figure.
        controls: Those of the figure; of one without estimates they are its numbers.
    """
    found = list(estimates)
    names = {e.experiment for e in found} or _tested(site, page, list(controls))
    families = dict.fromkeys(e.family for e in found)
    flags = ("--family", next(iter(families)), "--json") if len(families) == 1 else ("--json",)
    again = [made for name, made in sorted(site.build.recompute.items()) if name in names]
    commands = [command(("assay", "compute", *made.words, *flags)) for made in again]
    elsewhere = ", ".join(made.elsewhere for made in again if made.elsewhere)
    return " && ".join(commands), elsewhere


def _tested(site: SiteMap, page: str, controls: Sequence[Control]) -> set[str]:
    """The experiment that a page is of, where it holds one of the controls; else all that do."""
    holding = (x.name for x in site.experiments if any(c in x.report.controls for c in controls))
    own = (x for x in site.experiments if paths.experiment(x.name) == page)
    return {x.name for x in own if any(c in x.report.controls for c in controls)} or {*holding}


def as_table(name: str, given: TextTable, links: Links) -> Table:
    """A figure's table as a page shows it.

    Args:
        name: What it holds, in words.
        given: Its texts.
        links: Of the page: heads that name a statistic lead to its entry in Methods.
    """
    rows = [[text(c) for c in row] for row in given.rows]
    return table(name, given.header, rows, numeric=given.numeric, defined=terms(links))


def markdown(figure: Figure) -> str:
    """Title, table and caption, to be pasted elsewhere without losing what stands behind the numbers."""

    def row(cells: Sequence[str]) -> str:
        return (
            "| "
            + " | ".join(c.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ") for c in cells)
            + " |"
        )

    rules = ["--:" if i in figure.table.numeric else "---" for i in range(len(figure.table.header))]
    lines = [
        f"**{figure.title}**",
        "",
        row(figure.table.header),
        row(rules),
        *map(row, figure.table.rows),
        "",
        *(f"{line}  " for line in spans.plain(figure.caption).split("\n")),
    ]
    return "\n".join(lines)


def _files(figure: Figure, page: str) -> list[SiteFile]:
    """The data of a figure, made only where they are written or looked at: a page does not wait for them."""
    rows = figure.csv
    return [
        SiteFile(paths.figure_data(figure.id, "csv"), lambda: csv_bytes(rows.header, rows.rows)),
        SiteFile(paths.figure_data(figure.id, "json"), lambda: _json(_document(figure, page))),
        SiteFile(paths.figure_data(figure.id, "vl.json"), lambda: _json(specification_file(figure.spec))),
    ]


def _document(figure: Figure, page: str) -> dict[str, Any]:
    return {
        "schema": "assay.figure/1",
        "id": figure.id,
        "kind": figure.kind,
        "title": figure.title,
        "page": page,
        "caption": spans.plain(figure.caption).split("\n"),
        "description": figure.desc,
        "estimates": [e.to_json() for e in figure.estimates],
        "controls": [c.to_json() for c in figure.controls],
        "table": {"header": list(figure.table.header), "rows": [list(row) for row in figure.table.rows]},
    }


def _json(document: object) -> bytes:
    return indented(document, 1, sort_keys=True) + b"\n"


Body = Callable[[Authored | None, FigureCollection], Markup]
"""Makes the prose that an author wrote, its figures added to a collection; nothing of nothing."""
