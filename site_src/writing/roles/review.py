"""``{review}``: a link to a single run."""

from __future__ import annotations

from metrics_core.errors import ConfigError
from metrics_core.review import Review
from metrics_core.text import visible
from site_src import paths
from site_src.parts import Line
from site_src.references import nearest
from site_src.views.inputs import SiteExperiment
from site_src.views.parts import line, text
from site_src.views.site_map import SiteMap
from site_src.writing.declared import Option, Role, Use
from site_src.writing.scene import Scene


def _example(site: SiteMap) -> str:
    for x in site.experiments:
        if x.name in site.with_runs and "/" not in x.name and (first := next(x.reviews(), None)) is not None:
            return f"{x.name}/{first.run}"
    return ""


def _make(use: Use, scene: Scene) -> Line:
    name, _, run = use.argument.strip().partition("/")
    shown = {x.name: x for x in scene.site.experiments if x.name in scene.site.with_runs}
    if name not in shown:
        raise ConfigError(
            f"no experiment {visible(name)!r} whose runs have pages", where=use.where,
            hint=nearest(name, shown),
        )  # fmt: skip
    review = _found(shown[name], run, use)
    href = paths.relative(scene.page, paths.review(name, review.run))
    return line(text(review.title, href=href), " ", text(f"{review.file}:{review.line}", "mono"))


def _found(x: SiteExperiment, run: str, use: Use) -> Review:
    """The run of this id, or read from this line of this file."""
    if not run:
        raise ConfigError(
            f"{visible(use.argument)!r} names no run", where=use.where,
            hint=f"write {x.name}/ and a run's id, or its source, such as logs/a.jsonl:12",
        )  # fmt: skip
    names: set[str] = set()
    for review in x.reviews():
        if run in (review.run, f"{review.file}:{review.line}"):
            return review
        names.add(f"{review.file}:{review.line}" if ":" in run else review.run)
    raise ConfigError(f"no run {visible(run)!r} in {x.name}", where=use.where, hint=nearest(run, names))


ROLE = Role(
    name="review",
    does="Links to the page of one run, by its title, and names the line of the log it was read from",
    form="experiment/run, or experiment/file:line",
    options=(
        Option(name="experiment", about="the experiment", required=True),
        Option(name="run", about="the run's id, or the file and line it was read from", required=True),
    ),
    example=_example,
    make=_make,
)
