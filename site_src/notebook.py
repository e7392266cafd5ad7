"""A report's figures in a notebook: the drawing of a page, its title and its caption as one Altair chart.

Does: choose the figure as a page's ``{figure}`` does, put the style sheet's colours in place of their names,
and set title and caption above the drawing. Does not: draw; `site_src.figures` does.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from metrics_core import api
from metrics_core.errors import InputError
from metrics_core.results import NO_KEYS, Keys, Report
from metrics_core.suggestions import listed_some, nearest
from site_src.drawing import Figure
from site_src.installed import VERSION, assets_folder
from site_src.pages.results import OFFERS
from site_src.wording import FigureContext, spans

if TYPE_CHECKING:
    import altair as alt

LONGEST_LINE: Final = 150
"""Characters of a caption's line; a notebook does not break them."""


def chart(
    report: Report, kind: str, *, metric: str = "", family: str = "", keys: Mapping[str, str]
) -> alt.TopLevelMixin:
    """One figure of a report; see `metrics_core.results.Report.chart`.

    Args:
        report: Whose.
        kind: A name of OFFERS.
        metric: One that it shows; empty where one figure alone fits.
        family: One of the report's; empty for all.
        keys: An arm, and keys of strata.

    Raises:
        InputError: There is no such kind or arm, nothing to draw, or several figures fit.
    """
    import altair as alt

    where = report.experiment
    if kind not in OFFERS:
        raise InputError(f"no figure {kind!r}", where=where, hint=nearest(kind, OFFERS))
    found = [
        figure
        for name in ([family] if family else report.families)
        for figure in _of_family(report, kind, name, keys)
        if not metric or metric in {e.metric for e in figure.estimates}
    ]
    if len(found) != 1:
        asked = " ".join((kind, *filter(None, (metric, *(f"{k}={v}" for k, v in keys.items())))))
        raise InputError(
            f"{len(found) or 'no'} figures fit {asked!r}",
            where=where,
            hint=f"of {listed_some(_selectors(found))}" if found else _offered(report),
        )
    (figure,) = found
    chart: alt.TopLevelMixin = alt.Chart.from_dict(_captioned(figure))
    return chart


def _of_family(report: Report, kind: str, family: str, keys: Mapping[str, str]) -> Iterator[Figure]:
    """The figures of a kind that show what was asked, each of one arm where an arm is named."""
    arms = [(arm.key, keys[arm.key]) for arm in api.arms() if arm.key in keys]
    group = Keys(arms[:1]) if arms and OFFERS[kind].by_arm else NO_KEYS
    rest = {*keys.items()} - {*group}
    context = FigureContext(build=VERSION)
    for figure in OFFERS[kind].offer(report, family, group, lambda kind, *_: kind, context):
        if all(rest <= {*e.group, *e.stratum} for e in figure.estimates):
            yield figure


def _selectors(found: Sequence[Figure]) -> list[str]:
    """What tells figures of one kind apart: their metrics, and the stratum that all of each share."""
    told = []
    for figure in found:
        shared = set.intersection(*({*e.stratum} for e in figure.estimates))
        metrics = sorted({e.metric for e in figure.estimates})
        told.append(" ".join((f"metric={metrics[0]}", *(f"{key}={value}" for key, value in sorted(shared)))))
    return told


def _offered(report: Report) -> str:
    """The kinds that a report has figures of, of all its arms together."""
    kinds = [k for k in OFFERS if any(True for f in report.families for _ in _of_family(report, k, f, {}))]
    return f"without an arm there is {listed_some(kinds)}"


def _captioned(figure: Figure) -> dict[str, Any]:
    """The specification of a figure with title and caption above it, in the colours of the light sheet."""
    colours = _palette()
    text = re.sub(r"var\(--([\w-]+)\)", lambda name: colours[name[1]], json.dumps(figure.spec))
    spec: dict[str, Any] = json.loads(text)
    lines = [
        part for line in spans.plain(figure.caption).split("\n") for part in textwrap.wrap(line, LONGEST_LINE)
    ]
    title = {"text": figure.title, "subtitle": lines, "anchor": "start", "frame": "group", "offset": 12}
    room = {"autosize": "pad", "padding": 12} if "facet" not in spec else {"padding": 12}
    return {**spec, **room, "title": title, "background": "white"}


def _palette() -> dict[str, str]:
    """Name of a colour -> what the light style sheet says it is."""
    sheet = (assets_folder() / "css/10-palette.css").read_text("utf-8")
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", sheet.partition("}")[0]))
