"""``{page}``: a link to a page of the site, by its file or its name."""

from __future__ import annotations

import re
from typing import Final

from metrics_core.errors import ConfigError
from metrics_core.text import visible
from site_src.parts import Line
from site_src.references import nearest
from site_src.views.parts import line, text
from site_src.views.site_map import SiteMap
from site_src.writing.declared import Option, Role, Use
from site_src.writing.named_pages import headings, named
from site_src.writing.scene import Scene

_WITH_TEXT: Final = re.compile(r"(?P<text>.*\S)\s*<(?P<target>[^<>]+)>", re.DOTALL)


def _example(site: SiteMap) -> str:
    return f"the data <{site.experiments[0].name}>" if site.experiments else "overview"


def _make(use: Use, scene: Scene) -> Line:
    given = _WITH_TEXT.fullmatch(use.argument.strip())
    words, target = (given["text"], given["target"]) if given else ("", use.argument)
    name, hash_, heading = target.strip().partition("#")
    names = named(scene.site, scene.page, scene.source)
    found = names.get(name.lower(), {})
    if not found:
        raise ConfigError(f"no page {visible(name)!r}", where=use.where, hint=nearest(name.lower(), names))
    if len(found) > 1:
        raise ConfigError(
            f"{visible(name)!r} means {len(found)} pages: {', '.join(map(visible, found))}",
            where=use.where,
            hint="name it by its file, or link to it as Markdown does",
        )
    ((href, title),) = found.items()
    if not hash_:
        return line(text(words or title, href=href))
    ids = headings(scene.site, name, scene.source)
    anchor = ids.get(heading.strip().lower(), "")
    if not anchor:
        raise ConfigError(
            f"no heading {visible(heading)!r} in {visible(name)}",
            where=use.where,
            hint=nearest(heading.lower(), ids),
        )
    return line(text(words or heading.strip(), href=f"{href}#{anchor}"))


ROLE = Role(
    name="page",
    does="Links to a page",
    more=": one of yours by its file, with or without .md; any other by its name in the index at the foot, "
    "an experiment's name or a model's. Without a text of its own it says the page's title.",
    form="path or name, or text <path or name>; a heading of your own page follows after #",
    options=(
        Option(name="text", about="the words of the link", default="the page's title, or the heading"),
        Option(name="path or name", about="which page", required=True),
        Option(name="#heading", about="a heading of a page of yours, as written there", default="its top"),
    ),
    example=_example,
    make=_make,
)
