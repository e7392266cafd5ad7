"""``{figure}``: a figure of the site's own kinds, chosen as its own pages choose it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from markupsafe import Markup
from msgspec.structs import replace

from metrics_core.errors import ConfigError
from metrics_core.results import NO_KEYS, Keys
from metrics_core.suggestions import listed_some
from site_src.authoring import examples
from site_src.authoring.declarations import Directive, Invocation, Option, PageContext
from site_src.authoring.selectors import ARM_OPTIONS, EXPERIMENT, FAMILY, WHERE, Selector, one_family, select
from site_src.drawing import Figure
from site_src.pages import SiteMap, figure_id, render
from site_src.pages.results import OFFERS
from site_src.references import one_line, quoted
from site_src.wording import LONGEST, listed

WHOLE = ("controls", "cost", "cost-score", "separation")
"""Kinds that are of an experiment, whatever its families."""


def _example(site: SiteMap) -> str:
    for x, e in examples.estimates(site):
        strata = {f.stratum for f in x.report.funnels if (f.family, f.group) == (e.family, e.group)}
        (key, name), *_ = e.group
        if strata and one_line(name):
            stratum = min(strata)
            where = " ".join(f"{k}={quoted(v)}" for k, v in stratum)
            more = f"\n:where: {where}" if where else ""
            return f"funnel\n:experiment: {x.name}\n:family: {e.family}\n:{key}: {name}{more}"
    return ""


def _make(invocation: Invocation, context: PageContext) -> Markup:
    what = select(invocation, context)
    group = _arm(invocation, what)
    family = what.family if invocation.argument in WHOLE else one_family(what, invocation)
    every = list(_figures_of_kind(invocation.argument, replace(what, family=family), group, context))
    fitting = [figure for figure in every if _fits(figure, what)]
    if len(fitting) != 1:
        raise _not_one(invocation, what, group, every, fitting, context)
    (figure,) = fitting
    if title := invocation.value("title"):
        if len(title) > LONGEST:
            raise ConfigError(
                f"a title of {len(title)} characters", where=invocation.place("title"),
                hint=f"at most {LONGEST} stand over a figure",
            )  # fmt: skip
        figure = replace(figure, title=title)
    return render.fragment("pictured", context.collection.add(figure))


def _arm(invocation: Invocation, what: Selector) -> Keys:
    """The one arm that was named, as a group; nothing where all are meant."""
    named = [(arm.name, invocation.value(arm.name)) for arm in ARM_OPTIONS if invocation.value(arm.name)]
    if not named:
        return NO_KEYS
    key, name = named[0]
    if len(named) > 1:
        raise ConfigError(
            f"a figure of {listed([f':{k}:' for k, _ in named])}",
            where=invocation.place(named[1][0]),
            hint="a figure is of one arm, or of all",
        )
    if not OFFERS[invocation.argument].by_arm:
        raise ConfigError(
            f"{invocation.argument} is of all arms together, not of one",
            where=invocation.place(key),
            hint=f"leave out :{key}:; of one there is {listed([n for n, k in OFFERS.items() if k.by_arm])}",
        )
    arms = {e.group.get(key, "") for e in what.x.report.estimates} - {""}
    if name not in arms:
        raise ConfigError(
            f"no {key} {name!r} in {what.x.name}",
            where=invocation.place(key),
            hint=f"there is {listed_some(arms)}",
        )
    return Keys({key: name})


def _figures_of_kind(kind: str, what: Selector, group: Keys, context: PageContext) -> Iterator[Figure]:
    key = partial(_key, context, what, group)
    return OFFERS[kind].offer(what.x.report, what.family, group, key, context.figure_context)


def _key(context: PageContext, what: Selector, group: Keys, kind: str, *more: object) -> str:
    """A figure's id, of what it shows; where the page already holds it, the next one of that name."""
    own = ("written", what.x.name, what.family, str(group), *map(str, more))
    taken = {placed.id for placed in context.collection.placed}
    number = 1
    while (found := figure_id(kind, context.page, *own, *([str(number)] if number > 1 else []))) in taken:
        number += 1
    return found


def _fits(figure: Figure, what: Selector) -> bool:
    """Whether a figure shows what was asked: the metrics among others, and the keys throughout."""
    return (
        (not what.family or {e.family for e in figure.estimates} <= {what.family})
        and (not what.metrics or set(what.metrics) <= {e.metric for e in figure.estimates})
        and all(set(what.keys) <= {*e.group, *e.stratum} for e in figure.estimates)
    )


def _not_one(
    invocation: Invocation,
    what: Selector,
    group: Keys,
    every: Sequence[Figure],
    fitting: Sequence[Figure],
    context: PageContext,
) -> ConfigError:
    kind = invocation.argument
    if fitting:
        return ConfigError(
            f"{len(fitting)} figures of this kind fit: {listed_some(map(_selector_words, fitting))}",
            where=invocation.where,
            hint="narrow them with :metric: or :where:",
        )  # fmt: skip
    if every:
        return ConfigError(
            f"no {kind} of {what.x.name} fits", where=invocation.where,
            hint=f"there is {listed_some(map(_selector_words, every))}",
        )  # fmt: skip
    family = what.family or what.x.report.families[0]
    others = [
        other for other, known in OFFERS.items()
        if (known.by_arm or not group)
        and next(_figures_of_kind(other, replace(what, family=family), group, context), None) is not None
    ]  # fmt: skip
    return ConfigError(
        f"{what.x.name} offers no {kind} of {family}{', '.join(f' for {k} {v}' for k, v in group)}",
        where=invocation.where,
        hint=f"it offers {listed(others) or 'none'}",
    )


def _selector_words(figure: Figure) -> str:
    """What distinguishes a figure from others of its kind, as options can ask for it."""
    metrics = sorted({e.metric for e in figure.estimates})
    shared = set.intersection(*({*e.stratum} for e in figure.estimates)) if figure.estimates else set()
    where = " ".join(f"{k}={quoted(v)}" for k, v in sorted(shared))
    return " ".join(filter(None, (metrics[0] if len(metrics) == 1 else "", where))) or figure.title


DIRECTIVE = Directive(
    name="figure",
    does="Shows one figure, drawn and captioned as on the site's own pages, with its data published "
    "beside it",
    more=". Where several fit, it asks which.",
    argument=Option(name="a kind", about="which kind of figure", values=tuple(sorted(OFFERS)), required=True),
    options=(
        EXPERIMENT,
        FAMILY,
        Option(name="metric", about="a metric that it shows, or several after commas"),
        *ARM_OPTIONS,
        WHERE,
        Option(
            name="title",
            about=f"a title in place of its own, at most {LONGEST} characters",
            default="a sentence that says what is seen",
            words=True,
        ),
    ),
    example=_example,
    make=_make,
)
