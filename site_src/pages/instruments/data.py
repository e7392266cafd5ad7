"""The data page: everything to take away, how to cite it, and how to check it without trusting this site."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from markupsafe import Markup
from msgspec import Struct

from site_src import paths
from site_src.pages.citations import BIBTEX, CSL, citation
from site_src.pages.components import Table, Term, digest_span, line, table, text
from site_src.pages.dataset import script
from site_src.pages.instruments.contracts import ran
from site_src.pages.site_map import SiteMap
from site_src.project import Download, SiteExperiment
from site_src.wording import Line, Span, count

MOST_UNREAD = 100
"""Files that nothing read, of which a reader is told each by its name."""


class DataView(Struct, frozen=True, kw_only=True):
    """What can be taken away.

    Attributes:
        downloads: Tables and documents of the whole site.
        experiments: Each experiment's report and files.
        unread: Files that lay in their folders and that nothing read: one table, or none.
        dataset: The same for search engines of data.
        cite: A citation in words; ``bibtex`` the same for a reference manager.
        references: Files that hold it for this build and each edition.
        build: What names this build.
        runs: How each contract of the publisher's own ran, one sentence each.
    """

    template: ClassVar[str] = "instruments/data.html"
    title: str
    lede: str
    downloads: Table
    experiments: Table
    unread: tuple[Table, ...]
    dataset: Markup
    cite: str
    bibtex: str
    references: Line
    build: tuple[Term, ...]
    runs: tuple[str, ...]
    manifest: Span


def data_view(site: SiteMap) -> DataView:
    """The data page."""
    build = site.build
    return DataView(
        title="Data",
        lede="Every number on this site stands in these files, with the records that it was computed from. "
        "Take them away and compute it again.",
        downloads=table(
            "Tables and documents",
            ["What", "What it holds", "Files", "Rows"],
            _downloads(build.downloads),
            numeric=[3],
        ),
        experiments=table(
            "Experiments",
            ["Experiment", "Report", "Data digest", "Files", "Bytes"],
            [_experiment(x) for x in site.experiments],
            numeric=[3, 4],
        ),
        unread=tuple(_unread(site.experiments)),
        dataset=script(site),
        cite=citation(site).words,
        bibtex=citation(site).bibtex,
        references=line(
            text("BibTeX", href=paths.relative(paths.DATA, BIBTEX)),
            " and ",
            text("CSL-JSON", href=paths.relative(paths.DATA, CSL)),
        ),
        build=tuple(_build(site)),
        runs=tuple(_runs(site)),
        manifest=text("manifest.json", href=paths.relative(paths.DATA, "manifest.json")),
    )


def _runs(site: SiteMap) -> Iterator[str]:
    """Each contract of the publisher's own, which is code, and how it was run here."""
    used = {(c.ref, c.cage): c for x in site.experiments for c in x.report.contracts if c.kind == "user"}
    for contract in sorted(used.values(), key=lambda c: (c.ref.id, c.ref.digest, c.cage or "")):
        yield f"{contract.ref.id} {ran(contract.cage)}"


def _downloads(found: Sequence[Download]) -> Iterator[tuple[Line | Span | str, ...]]:
    """One row a table, with a link for each form in which it is offered."""
    by_about: dict[str, list[Download]] = {}
    for d in found:
        by_about.setdefault(d.about, []).append(d)
    for about, forms in by_about.items():
        links: list[Span] = []
        for d in forms:
            words = d.form or d.at.rsplit("/", 1)[-1]
            links += ([text(" ")] if links else []) + [text(words, href=paths.relative(paths.DATA, d.at))]
        rows = forms[0].rows
        yield (
            text(forms[0].title, "strong"),
            about,
            tuple(links),
            count(int(rows)) if rows.isdecimal() else rows,
        )


def _experiment(x: SiteExperiment) -> tuple[str | Span | Line, ...]:
    return (
        text(x.title, href=paths.relative(paths.DATA, paths.experiment(x.name))),
        text(f"{x.slug}.json", "mono", href=paths.relative(paths.DATA, paths.report(x.name))),
        digest_span(
            x.report.data_digest, "data", paths.relative(paths.DATA, f"{paths.experiment(x.name)}#raw-data")
        ),
        Span(text=count(len(x.files)), record=x.name),
        Span(text=count(sum(f.size for f in x.files)), record=x.name),
    )


def _unread(experiments: Sequence[SiteExperiment]) -> Iterator[Table]:
    """What lay in the folders of experiments and was read by nothing: named, counted, and not published."""
    rows = [(text(name, "mono"), x.title) for x in experiments for name in x.unread]
    if not rows:
        return
    more = len(rows) - MOST_UNREAD
    shown = rows[:MOST_UNREAD]
    if more > 0:
        shown.append((text(f"{count(more)} more, named in files.json", "quiet"), ""))
    yield table("Not published: nothing read them", ["File", "Experiment"], shown)


def _build(site: SiteMap) -> Iterator[Term]:
    yield Term(word="Build", lines=(line(f"assay {site.build.version}"),))
    yield Term(word="Made from", lines=((digest_span(site.build.digest, "site"),),))
    yield Term(word="Signature", lines=(line("not signed"),))
