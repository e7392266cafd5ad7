"""``{est}``: an estimate within a sentence."""

from __future__ import annotations

from site_src import captions, paths
from site_src.parts import Line
from site_src.references import asked
from site_src.views.site_map import SiteMap
from site_src.writing import samples
from site_src.writing.declared import Option, Role, Use
from site_src.writing.scene import Scene


def _example(site: SiteMap) -> str:
    return samples.estimate(site)


def _make(use: Use, scene: Scene) -> Line:
    e = scene.site.index.one(asked(use.argument, use.where))
    stands = scene.context.links.estimate(e)
    href = stands or paths.relative(scene.page, paths.experiment(e.experiment))
    return captions.inline(e, href=href)


ROLE = Role(
    name="est",
    does="Gives an estimate",
    more=": n/N with its word and the interval, linked to where it stands. A share of which over a fifth is "
    "not known gives its bounds, and what a control withholds is said to be withheld.",
    form='[experiment/]family.metric key=value key="two words"',
    options=(
        Option(name="experiment/", about="the experiment, where several hold the metric"),
        Option(name="family.metric", about="what was measured", required=True),
        Option(
            name="key=value",
            about="the group exactly, and as much of the stratum as leaves one; no group key is the whole "
            "experiment",
        ),
    ),
    example=_example,
    make=_make,
)
