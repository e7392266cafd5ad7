"""``{decision}``: a link to a decision, by its title."""

from __future__ import annotations

from metrics_core.errors import ConfigError
from metrics_core.text import visible
from site_src import paths
from site_src.parts import Line
from site_src.references import nearest
from site_src.views.parts import line, text
from site_src.views.site_map import SiteMap
from site_src.writing.declared import Option, Role, Use
from site_src.writing.scene import Scene


def _example(site: SiteMap) -> str:
    return next((judged.slug for judged in site.decisions), "")


def _make(use: Use, scene: Scene) -> Line:
    slug = use.argument.strip()
    known = {judged.slug: judged for judged in scene.site.decisions}
    if slug not in known:
        raise ConfigError(f"no decision {visible(slug)!r}", where=use.where, hint=nearest(slug, known))
    href = paths.relative(scene.page, paths.decision(slug))
    decided = known[slug].decision
    return line(text(decided.title, href=href), text(f" ({decided.status})", "quiet"))


ROLE = Role(
    name="decision",
    does="Links to the page of a decision, by its title, and says its status",
    form="slug",
    options=(Option(name="slug", about="the decision, by the name of its file without .md", required=True),),
    example=_example,
    make=_make,
)
