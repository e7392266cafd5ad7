"""What the examples of the reference page are about: the first things of a site that show something.

Does: choose them, the same ones for the same site. Does not: invent; a site without such a thing has no
such example.
"""

from __future__ import annotations

from collections.abc import Iterator

from metrics_core.results import Comparison, Estimate
from site_src.pages import SiteMap, of_family
from site_src.project import SiteExperiment
from site_src.references import shortest
from site_src.wording import arm_of, is_arm


def estimates(site: SiteMap) -> Iterator[tuple[SiteExperiment, Estimate]]:
    """Results of whole arms that have a value, experiment by experiment."""
    for x in site.experiments:
        for family in x.report.families:
            for e in of_family(x.report, family):
                if arm_of(e.group, e.words) and e.headline == "point" and e.value is not None:
                    yield x, e


def estimate(site: SiteMap) -> str:
    """The reference of the first of them."""
    return next((shortest(e, site.index) for _, e in estimates(site)), "")


def comparison(site: SiteMap) -> Comparison | None:
    """The first comparison of two arms that has a difference."""
    return next(
        (c for x in site.experiments for c in x.report.comparisons
         if is_arm(c.over, c.words) and c.difference is not None),
        None,
    )  # fmt: skip
