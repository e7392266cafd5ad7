"""The methods page: what each number means, how it was made, and what it does not say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from markupsafe import Markup
from msgspec import Struct

from site_src import paths
from site_src.pages.components import Table, Term, digest_span, line, table, text
from site_src.pages.figure_collection import Body, FigureCollection
from site_src.pages.instruments.promises import PROMISES
from site_src.pages.site_map import SiteMap, metric_id, version_id
from site_src.wording import NUMBERS, RULES, Line, Meaning, TermName, contract_name, metric_words


class PromiseView(Struct, frozen=True, kw_only=True):
    """What one contract counts, in its own words."""

    title: str
    contract: Line
    metrics: tuple[Term, ...]


class MethodsView(Struct, frozen=True, kw_only=True):
    """How numbers are made.

    Attributes:
        prose: What the publisher adds.
        numbers: How a number is read.
        rules: When two arms are told apart.
    """

    template: ClassVar[str] = "instruments/methods.html"
    title: str
    lede: str
    prose: Markup
    numbers: tuple[Term, ...]
    rules: tuple[Term, ...]
    promises: tuple[PromiseView, ...]
    held: Table


def title(site: SiteMap) -> str:
    """Title of the methods page: the author's, where ``methods.md`` gives one."""
    return next((a.title for a in site.authored if a.path == paths.METHODS), "Methods")


def methods_view(site: SiteMap, body: Body, collection: FigureCollection) -> MethodsView:
    """The methods page.

    Args:
        site: Everything that has a page.
        body: Makes what the author wrote on it.
        collection: Takes the figures of that prose.
    """
    authored = next((a for a in site.authored if a.path == paths.METHODS), None)
    own = authored.lede if authored is not None else ""
    return MethodsView(
        title=title(site),
        lede=own
        or "What is counted, what stands below the line, how wide the doubt is, and what it cannot show.",
        prose=body(authored, collection),
        numbers=tuple(_meant(NUMBERS)),
        rules=tuple(_meant(RULES)),
        promises=tuple(_promises(site)),
        held=table(
            "what the program is held to",
            ("threat", "what happens", "tried on", "test"),
            [
                (
                    line(_plain(each.threat)),
                    line(_plain(each.happens)),
                    line(_plain(each.tried)),
                    line(text(each.test, "mono")),
                )
                for each in PROMISES
            ],
        ),
    )


def _meant(terms: Mapping[TermName, Meaning]) -> Iterator[Term]:
    for name, term in terms.items():
        yield Term(word=term.word, lines=(line(term.means),), id=name)


def _plain(words: str) -> str:
    """Words without the marks that set a part of them as code."""
    return words.replace("`", "")


def _promises(site: SiteMap) -> Iterator[PromiseView]:
    seen = set()
    for x in site.experiments:
        for used in x.report.contracts:
            if used.ref in seen or not used.promise:
                continue
            seen.add(used.ref)
            href = paths.relative(paths.METHODS, f"{paths.contract(used.ref.id)}#{version_id(used.ref)}")
            yield PromiseView(
                title=used.title or used.family,
                contract=(
                    text(f"{contract_name(used.ref)} "),
                    digest_span(used.ref.digest, "contract", href),
                ),
                metrics=tuple(
                    Term(
                        word=metric_words(metric, used.words),
                        lines=(line(words),),
                        id=metric_id(used.ref, metric),
                    )
                    for metric, words in used.promise
                ),
            )
