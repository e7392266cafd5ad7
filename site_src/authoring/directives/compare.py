"""``{compare}``: what separates two arms, in a sentence with n/N of both, and its caption behind the rule."""

from __future__ import annotations

from markupsafe import Markup

from metrics_core.errors import ConfigError
from metrics_core.results import Comparison, Estimate
from metrics_core.text import visible
from site_src import paths
from site_src.authoring import examples
from site_src.authoring.declarations import Directive, Invocation, Option, PageContext
from site_src.pages import SiteMap, cells, render, text
from site_src.project import SiteExperiment
from site_src.references import parse_query, quoted, shortest_of_pair, words_of
from site_src.wording import Line, Span, captions, group_words, methods, metric_words, stratum_words


def _example(site: SiteMap) -> str:
    c = examples.comparison(site)
    if c is None:
        return ""
    of = shortest_of_pair(c, site.index)
    return f"{quoted(c.a)} {quoted(c.b)}\n:of: {of}\n:over: {c.over}"


def _make(invocation: Invocation, context: PageContext) -> Markup:
    arms = words_of(invocation.argument, invocation.where)
    if len(arms) != 2:
        raise ConfigError(
            f"{visible(invocation.argument)!r} is not two arms",
            where=invocation.where,
            hint='write two names, each with a space in it in quotes: {compare} alpha "beta 2"',
        )
    c = context.site.index.comparison(
        parse_query(invocation.value("of"), invocation.place("of")),
        arms[0],
        arms[1],
        over=invocation.value("over"),
    )
    x, sides = _sides(c, context)
    figure_context = context.figure_context
    whose = group_words(c.group, c.words) if c.group else ""
    about = ", ".join(filter(None, (stratum_words(c.stratum, c.words), whose)))
    sentence: Line = (
        text(metric_words(c.metric, c.words), "strong"),
        text(f", {about}, in " if about else ", in "),
        text(x.title, href=paths.relative(context.page, paths.experiment(x.name))),
        text(": "),
    )
    for name, e in zip((c.a, c.b), sides, strict=True):
        sentence = (*sentence, text(f"{name} "), *cells.inline(e, figure_context), text("; "))
    why = f", since {visible(c.reason)}" if c.reason and c.difference is not None else ""
    sentence = (*sentence, Span(text=captions.comparison_clause(c), record=c.id), text(f"{why}."))
    if pair := figure_context.links.pair(c.experiment, c.a, c.b):
        sentence = (*sentence, text(" "), text("Task by task", href=pair), text("."))
    notes = [] if c.difference is None else [*methods([c]), *captions.separation_notes([c])]
    behind = (
        render.fragment("table_captioned", caption)
        for caption in cells.table_caption(sides, figure_context, notes=notes)
    )
    return Markup("\n").join((render.fragment("paragraph", sentence), *behind))


def _sides(c: Comparison, context: PageContext) -> tuple[SiteExperiment, tuple[Estimate, Estimate]]:
    """The experiment of a comparison, and the estimates of its two arms."""
    x = next(x for x in context.site.experiments if x.report.experiment == c.experiment)

    def arm(name: str) -> Estimate:
        wanted = (c.family, c.metric, c.stratum, c.group | {c.over: name})
        return next(e for e in x.report.estimates if (e.family, e.metric, e.stratum, e.group) == wanted)

    return x, (arm(c.a), arm(c.b))


DIRECTIVE = Directive(
    name="compare",
    does="Says what separates two arms",
    more=": n/N of both, the difference, first less second, its interval, how many tasks they share and what "
    "follows, with a link to the two task by task; behind the rule stands the caption. Arms that are not "
    "comparable are refused, and the digest that differs is named.",
    argument=Option(name="two arms", about="the names of two arms, in quotes where they hold a space",
                    required=True),
    options=(
        Option(name="of", about="the metric, as a reference without the arm", required=True),
        Option(name="over", about="the key that the two are arms by", default="the only one that fits"),
    ),
    example=_example,
    make=_make,
)  # fmt: skip
