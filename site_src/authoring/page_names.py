"""The pages of a site by the names a writer has for them: files of prose, words of the index, experiments.

Does: give every name with the addresses it may mean. Does not: decide between two.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from site_src import paths
from site_src.pages import SiteMap, frame
from site_src.project import Authored, markdown


def named(site: SiteMap, page: str, source: str) -> dict[str, dict[str, str]]:
    """Every name in small letters -> the addresses it may mean, relative to the page -> their titles.

    Args:
        site: Everything that has a page.
        page: The page that links.
        source: The file that is being written, from which paths are relative.
    """
    found: dict[str, dict[str, str]] = {}
    for name, href, title in _all(site, page, source):
        found.setdefault(name.lower(), {})[href] = title
    return found


def headings(site: SiteMap, name: str, source: str) -> dict[str, str]:
    """Headings of an author's page: each in small letters, and as an address has it -> its element id."""
    found: dict[str, str] = {}
    for authored in site.authored:
        if name.lower() in _files(authored, source):
            tokens = markdown.parse(authored.text)
            for at, token in enumerate(tokens):
                if token.type == "heading_open" and "id" in token.attrs:
                    anchor = str(token.attrs["id"])
                    found[tokens[at + 1].content.lower()] = found[anchor.removeprefix("on-")] = anchor
    return found


def _all(site: SiteMap, page: str, source: str) -> Iterator[tuple[str, str, str]]:
    for authored in site.authored:
        for name in _files(authored, source):
            yield name, paths.relative(page, authored.path), authored.title
    for column in frame(site, page, "").index:
        for item in column.items:
            yield item.text, item.href, item.text
    for x in site.experiments:
        yield x.name, paths.relative(page, paths.experiment(x.name)), x.title
    for model in site.models:
        yield model, paths.relative(page, paths.model(model)), model


def _files(authored: Authored, source: str) -> set[str]:
    """How a page of prose may be named in another file: its path from there, or from the content's top."""
    here = posixpath.relpath(authored.source, posixpath.dirname(source) or ".")
    return {name.lower() for path in (here, authored.source) for name in (path, path.removesuffix(".md"))}
