"""``{pack}``: the citation of a frozen pack of tasks."""

from __future__ import annotations

from metrics_core.errors import ConfigError
from metrics_core.nearest import listed_some
from metrics_core.text import visible
from site_src import paths
from site_src.parts import Line
from site_src.references import nearest
from site_src.views.contracts import digest_span
from site_src.views.parts import line
from site_src.views.site_map import SiteMap
from site_src.writing.declared import Role, Use, cited
from site_src.writing.scene import Scene


def _example(site: SiteMap) -> str:
    names = list(_packs(site).values())
    return next((name for name in names if names.count(name) == 1), "")


def _packs(site: SiteMap) -> dict[str, str]:
    """Digest -> name of each pack that has a page."""
    return {
        digest: x.pack.name for digest, users in site.packs.items() for x in users[:1] if x.pack is not None
    }


def _make(use: Use, scene: Scene) -> Line:
    name, _, digest = use.argument.strip().partition(" ")
    packs = _packs(scene.site)
    if name not in packs.values():
        raise ConfigError(f"no pack {visible(name)!r}", where=use.where, hint=nearest(name, packs.values()))
    same = [full for full, called in packs.items() if called == name]
    found = [full for full in same if full.startswith(digest.strip())]
    if len(found) != 1:
        raise ConfigError(
            f"{len(found)} packs are called {visible(use.argument.strip())}",
            where=use.where,
            hint=f"write {visible(name)} and a digest: {listed_some(full[:15] for full in same)}",
        )
    href = paths.relative(scene.page, paths.pack(found[0]))
    return line(f"{name} ", digest_span(found[0], "pack", href))


ROLE = Role(
    name="pack",
    does="Cites a frozen pack of tasks",
    more=": its name, and its digest behind its hallmark, linked to its page.",
    form="name, or name sha256:digits",
    options=cited("name", "the pack", "sha256:digits", "the beginning of its digest"),
    example=_example,
    make=_make,
)
