"""How a figure, this build and each edition are cited: in words, as BibTeX, and as CSL-JSON.

A citation names the edition or the build by its digest, which does not go stale, and the address where the
site states one. Does not: invent an author or a day: only an edition that was published has one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from metrics_core.text import visible
from site_src import paths
from site_src.editions import Edition
from site_src.pages.site_map import SiteMap
from site_src.project import indented
from site_src.wording import count

BIBTEX, CSL = "data/citations.bib", "data/citations.json"
"""Files with an entry for this build and each edition."""

_ESCAPES = {"\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}",
            "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
            **{c: f"\\{c}" for c in "&%$#_"}}  # fmt: skip


class Citation(Struct, frozen=True, kw_only=True):
    """What is cited.

    Attributes:
        key: Its name in a list of references.
        title: Of the figure, or of the site.
        within: The site, where a figure is cited; empty for the site itself.
        version: The edition, if there is one, and the program with its digest.
        date: ISO day on which the edition was published; empty where none was.
        url: Its address; empty where the site states none.
    """

    key: str
    title: str
    within: str
    version: str
    date: str
    url: str

    @property
    def words(self) -> str:
        """The citation as one reads it."""
        title = f"“{self.title}.” {self.within}" if self.within else self.title
        day = f" {self.date}." if self.date else ""
        where = f" {self.url}" if self.url else ""
        return f"{title}. {self.version}.{day}{where}"

    @property
    def bibtex(self) -> str:
        r"""The entry of a reference manager; what TeX would run is escaped."""
        rows = (
            ("title", _tex(self.title)),
            ("howpublished", _tex(self.within)),
            ("year", self.date[:4]),
            ("date", self.date),
            ("version", _tex(self.version)),
            ("url", self.url.replace("{", "%7B").replace("}", "%7D")),
        )
        body = ",\n".join(f"  {name} = {{{value}}}" for name, value in rows if value)
        return f"@misc{{{self.key},\n{body}\n}}"

    @property
    def csl(self) -> Mapping[str, Any]:
        """The item of CSL-JSON 1.0."""
        item: dict[str, Any] = {
            "id": self.key,
            "type": "figure" if self.within else "dataset",
            "title": self.title,
            "container-title": self.within,
            "version": self.version,
            "URL": self.url,
        }
        if self.date:
            item["issued"] = {"date-parts": [[int(part) for part in self.date.split("-")]]}
        return {name: value for name, value in item.items() if value}

    @property
    def csl_text(self) -> str:
        """The item as a file of its own would hold it."""
        return indented([self.csl], 1).decode()


def _tex(text: str) -> str:
    r"""Text in which TeX finds no command.

    >>> _tex("50 % of a_b")
    '50 \\% of a\\_b'
    """
    return "".join(_ESCAPES.get(c, c) for c in text)


def citation(site: SiteMap, what: str = "", at: str = "") -> Citation:
    """How a figure or the whole site is cited, as this build has it.

    Args:
        site: Everything that has a page.
        what: Title of the figure; empty for the site.
        at: Path of its page, with its id; empty for the site.
    """
    return _cited(site, site.site_state.history.published_as(site.build.digest), what, at)


def citations(site: SiteMap) -> Iterator[Citation]:
    """This build, and each edition that was published before it."""
    yield citation(site)
    for edition in reversed(site.site_state.history.editions):
        if edition.build_digest != site.build.digest:
            yield _cited(site, edition)


def _cited(site: SiteMap, edition: Edition | None, what: str = "", at: str = "") -> Citation:
    """An edition, or the build that is none, or a figure of either: the same words while an edition is the
    last one and ever after.
    """
    build = site.build
    key = f"{_key(site)}-edition-{edition.number}" if edition else _key(site)
    version = f"Assay {build.version}, {build.digest[:23]}"
    if edition:
        version = f"Edition {count(edition.number)}, Assay {edition.build}, {edition.digest[:23]}"
    return Citation(
        key=f"{key}-{at.partition('#')[2]}" if what else key,
        title=visible(what) or _whose(site),
        within=_whose(site) if what else "",
        version=version,
        date=edition.date if edition else "",
        url=paths.on_the_web(build.site.url, at),
    )


def _whose(site: SiteMap) -> str:
    config = site.build.site
    return visible(f"{config.title}, {config.subtitle}" if config.subtitle else config.title)


def _key(site: SiteMap) -> str:
    return paths.slug(site.build.site.title)[:24]
