"""``{table}``: estimates as a table, with their caption behind the rule."""

from __future__ import annotations

from markupsafe import Markup
from msgspec.structs import replace

from metrics_core.errors import ConfigError
from metrics_core.suggestions import listed_some
from metrics_core.text import visible
from site_src.authoring import examples
from site_src.authoring.declarations import Directive, Invocation, Option, PageContext
from site_src.authoring.selectors import EXPERIMENT, FAMILY, WHERE, one_family, select
from site_src.pages import SiteMap, Table, arm_keys, of_family, render
from site_src.pages.results import result_tables
from site_src.wording import listed, sentence_case


def _example(site: SiteMap) -> str:
    first = next(examples.estimates(site), None)
    if first is None:
        return ""
    x, e = first
    return f"\n:experiment: {x.name}\n:metric: {e.family}.{e.metric}"


def _make(invocation: Invocation, context: PageContext) -> Markup:
    what = select(invocation, context)
    family = one_family(what, invocation)
    report = replace(what.x.report, estimates=tuple(filter(what.fits, what.x.report.estimates)))
    keys = frozenset(word.strip() for word in invocation.value("by").split(",") if word.strip())
    keys = keys or frozenset(arm_keys(what.x.report, family)[:1])
    found = list(
        result_tables(report, family, keys, context.figure_context, name=_name(invocation, family, keys))
    )
    if not any(frozenset(k for k, _ in e.group) == keys for e in of_family(report, family)):
        have = {" and ".join(k for k, _ in e.group) for e in of_family(report, family)} - {""}
        raise ConfigError(
            f"no results of {family} by {visible(listed(sorted(keys))) or 'nothing'} here",
            where=invocation.place("by"),
            hint=f"there are results by {listed_some(have)}" if have else "context is no result",
        )
    return Markup("\n").join(render.fragment("tabled", _without_ids(table)) for table in found)


def _name(invocation: Invocation, family: str, keys: frozenset[str]) -> str:
    return invocation.value("title") or f"{sentence_case(family)} by {listed(sorted(keys))}"


def _without_ids(table: Table) -> Table:
    """The table as a copy: ids belong to the rows of the experiment's own page, where links lead."""
    rows = tuple(
        replace(row, id="", cells=tuple(replace(cell, id="") for cell in row.cells)) for row in table.rows
    )
    return replace(table, rows=rows)


DIRECTIVE = Directive(
    name="table",
    does="Shows results as a table, arms down and metrics across, each with n/N and interval, and behind the "
    "rule the caption of what was counted",
    more=". Strata stand in rows of their own, never pooled.",
    argument=None,
    options=(
        EXPERIMENT,
        FAMILY,
        Option(name="metric", about="which metrics, after commas", default="all of the family"),
        Option(name="by", about="group keys of the rows, after commas", default="the family's first arm"),
        WHERE,
        Option(
            name="title",
            about="what the table holds, for those who hear it",
            default="family and keys",
            words=True,
        ),
    ),
    example=_example,
    make=_make,
)
