"""What a directive is about: which experiment, family, metric and keys its options single out.

Does: read the options that figures, tables and comparisons share. Does not: pool or guess; where several
experiments or families could be meant, it asks.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from metrics_core import api
from metrics_core.errors import ConfigError
from metrics_core.results import NO_KEYS, Estimate, Keys
from metrics_core.suggestions import nearest
from metrics_core.text import visible
from site_src.authoring.declarations import Invocation, Option, PageContext
from site_src.project import SiteExperiment
from site_src.references import keys
from site_src.wording import listed

EXPERIMENT: Final = Option(
    name="experiment", about="the experiment", default="the only one that holds the metric or the family"
)
FAMILY: Final = Option(name="family", about="the metric family", default="the only one")
WHERE: Final = Option(
    name="where",
    about="group and stratum keys that must hold, as in a reference: condition=benign evaluator=measured",
)
ARM_OPTIONS: Final = tuple(
    Option(name=arm.key, about=f"the {arm.title} that it is about", default="all together")
    for arm in api.arms()
)


class Selector(Struct, frozen=True, kw_only=True):
    """What was singled out; ``family`` and ``metrics`` are empty where the directive left them open."""

    x: SiteExperiment
    family: str
    metrics: tuple[str, ...]
    keys: Keys

    def fits(self, e: Estimate) -> bool:
        """Whether an estimate is among what was singled out."""
        held = {*e.group, *e.stratum}
        return (
            self.family in ("", e.family)
            and (not self.metrics or e.metric in self.metrics)
            and set(self.keys) <= held
        )


def select(invocation: Invocation, context: PageContext) -> Selector:
    """What a directive's options single out.

    Args:
        invocation: With any of ``experiment``, ``family``, ``metric`` (one or several, after commas) and
            ``where``.
        context: Where it stands.

    Raises:
        ConfigError: A name that does not exist, or several experiments that could be meant.
    """
    family, metrics = _metrics(invocation)
    x = _experiment(invocation, context, family, metrics)
    every = {(e.family, e.metric) for e in x.report.estimates}
    if family and family not in x.report.families:
        place = invocation.place("family") if invocation.value("family") else invocation.place("metric")
        raise ConfigError(
            f"no family {visible(family)!r} in {x.name}", where=place, hint=nearest(family, x.report.families)
        )
    for metric in metrics:
        names = {name for held, name in every if family in ("", held)}
        if metric not in names:
            raise ConfigError(
                f"no metric {visible(metric)!r} in {x.name}",
                where=invocation.place("metric"),
                hint=nearest(metric, names),
            )
    fixed = (
        keys(invocation.value("where"), invocation.place("where")) if invocation.value("where") else NO_KEYS
    )
    _check_keys(x, fixed, invocation)
    return Selector(x=x, family=family, metrics=metrics, keys=fixed)


def one_family(what: Selector, invocation: Invocation) -> str:
    """The family that was singled out, where there is only one.

    Raises:
        ConfigError: Several could be meant.
    """
    held = sorted({e.family for e in what.x.report.estimates if what.fits(e)})
    if len(held) > 1:
        raise ConfigError(
            f"{what.x.name} has the families {listed(held)}",
            where=invocation.where,
            hint=f"add :family: {held[0]}",
        )
    return held[0] if held else what.family


def experiment_named(name: str, context: PageContext, where: str) -> SiteExperiment:
    """The experiment of this name.

    Raises:
        WithheldReferenceError: It could not be read or measured.
        ConfigError: There is none.
    """
    known = {x.name: x for x in context.site.experiments}
    if name not in known and name:
        context.site.index.refuse_withheld(name, name, where)
    if name not in known:
        raise ConfigError(f"no experiment {visible(name)!r}", where=where, hint=nearest(name, known))
    return known[name]


def _metrics(invocation: Invocation) -> tuple[str, tuple[str, ...]]:
    """Family and metrics; each metric may name its family, ``attempts.security``."""
    words = [word.strip() for word in invocation.value("metric").split(",") if word.strip()]
    families = [invocation.value("family"), *(word.partition(".")[0] for word in words if "." in word)]
    named = sorted(set(filter(None, families)))
    if len(named) > 1:
        raise ConfigError(
            f"metrics of the families {listed(list(map(visible, named)))}",
            where=invocation.place("metric"),
            hint="show each by itself",
        )
    return "".join(named), tuple(dict.fromkeys(word.rpartition(".")[2] for word in words))


def _experiment(
    invocation: Invocation, context: PageContext, family: str, metrics: tuple[str, ...]
) -> SiteExperiment:
    if name := invocation.value("experiment"):
        return experiment_named(name, context, invocation.place("experiment"))
    everyone = context.site.experiments
    meant = [x for x in everyone if family in ("", *x.report.families)]
    if metrics:
        meant = [x for x in meant if set(metrics) & {e.metric for e in x.report.estimates}]
    if len(meant) == 1:
        return meant[0]
    if not meant:
        what = "metric" if metrics else "family"
        asked = invocation.value("metric") or family
        context.site.index.refuse_withheld("", asked, invocation.where)
        names = (
            {e.metric for x in everyone for e in x.report.estimates} if metrics
            else {name for x in everyone for name in x.report.families}
        )  # fmt: skip
        raise ConfigError(
            f"no experiment with the {what} {visible(asked)!r}", where=invocation.place(what),
            hint=nearest(asked.rpartition(".")[2], names),
        )  # fmt: skip
    raise ConfigError(
        f"{len(meant)} experiments could be meant: {listed([visible(x.name) for x in meant])}",
        where=invocation.where,
        hint=f"add :experiment: {visible(meant[0].name)}",
    )


def _check_keys(x: SiteExperiment, fixed: Keys, invocation: Invocation) -> None:
    values: dict[str, set[str]] = {}
    for e in x.report.estimates if fixed else ():
        for key, value in (*e.group, *e.stratum):
            values.setdefault(key, set()).add(value)
    for key, value in fixed:
        if key not in values:
            raise ConfigError(
                f"no key {visible(key)!r} in {x.name}",
                where=invocation.place("where"),
                hint=nearest(key, values),
            )
        if value not in values[key]:
            raise ConfigError(
                f"no {visible(key)} {visible(value)!r} in {x.name}", where=invocation.place("where"),
                hint=nearest(value, values[key]),
            )  # fmt: skip
