"""Which experiments follow upon one another: as `site.yaml` says, or by their names alone.

Does: match patterns of names, find names that differ in a date alone, and put the experiments of a series in
order. Does not: look at a number; what may be compared is each comparison's own question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct

from metrics_core.errors import ConfigError
from metrics_core.formats import Document, Wrong, dated, fault
from metrics_core.results import quoted
from metrics_core.suggestions import nearest
from site_src import paths
from site_src.project.site_config import SeriesSetting
from site_src.project.site_model import SiteExperiment


class ExperimentSeries(Struct, frozen=True, kw_only=True):
    """Experiments that follow upon one another.

    Attributes:
        name: As its page is called.
        experiments: The oldest first; two or more.
        baseline: What the newest is compared with beside the one before it; None where none was chosen.
        declared: Whether `site.yaml` names it.
    """

    name: str
    experiments: tuple[SiteExperiment, ...]
    baseline: SiteExperiment | None = None
    declared: bool = False

    @property
    def newest(self) -> SiteExperiment:
        """The last of them."""
        return self.experiments[-1]

    @property
    def before(self) -> SiteExperiment:
        """The last but one."""
        return self.experiments[-2]


def find_series(
    settings: Sequence[SeriesSetting], experiments: Sequence[SiteExperiment]
) -> tuple[ExperimentSeries, ...]:
    """Every series of a site: those of the settings in their order, then those that names make by themselves.

    One experiment alone is no series. By themselves only experiments of one family are one, and none that a
    pattern of the settings names already.

    Args:
        settings: As `site.yaml` has them.
        experiments: Every experiment that has a page.
    """
    found: list[ExperimentSeries] = []
    taken: set[str] = set()
    for setting in settings:
        own = [x for x in experiments if _names(setting, x.name)]
        taken |= {x.name for x in own}
        if len(own) > 1:
            baseline = next((x for x in own if x.name == setting.baseline), None)
            found.append(
                ExperimentSeries(
                    name=setting.name, experiments=_in_order(own), baseline=baseline, declared=True
                )
            )
    named = {paths.slug(series.name) for series in found}
    for name, own in _by_name([x for x in experiments if x.name not in taken]):
        free = next(
            words for words in (name, f"{name} by date", f"{name} by name") if paths.slug(words) not in named
        )
        named.add(paths.slug(free))
        found.append(ExperimentSeries(name=free, experiments=_in_order(own)))
    return tuple(found)


def _names(setting: SeriesSetting, name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in setting.experiments)


def _by_name(experiments: Sequence[SiteExperiment]) -> Iterator[tuple[str, list[SiteExperiment]]]:
    """Experiments of one family whose names differ in a date alone, with what their names share."""
    groups: dict[tuple[str, str], list[SiteExperiment]] = {}
    for x in experiments:
        if (found := dated(x.name)) is not None:
            for family in x.report.families:
                groups.setdefault((found[0], family), []).append(x)
    told: list[tuple[str, list[SiteExperiment]]] = []
    for (pattern, family), own in sorted(groups.items()):
        stem = pattern.replace("*", "").strip("-_. ") or pattern
        if len(own) < 2 or any(own == other for _, other in told):
            continue
        name = f"{stem} {family}" if any(name == stem for name, _ in told) else stem
        told.append((name, own))
    yield from told


def _in_order(experiments: Sequence[SiteExperiment]) -> tuple[SiteExperiment, ...]:
    """By the date in their names where each has one, else by their last run, else by their names."""
    dates = {x.name: found[1] for x in experiments if (found := dated(x.name)) is not None}
    if len(dates) < len(experiments):
        last = {
            x.name: max((e.stamps[1] for e in x.report.estimates if e.stamps), default="")
            for x in experiments
        }
        dates = last if all(last.values()) else {}
    return tuple(sorted(experiments, key=lambda x: (dates.get(x.name, ""), _natural(x.name))))


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """A name as it is sorted: whole numbers in it as numbers."""
    parts = re.split(r"(\d+)", name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts if part]


def refuse_unknown_series(settings: Sequence[SeriesSetting], names: Sequence[str], stated: Document) -> None:
    """Refuse a series without an experiment, a baseline outside its series, and two series of one address.

    Args:
        settings: As `site.yaml` has them.
        names: Of every experiment.
        stated: The file of settings.

    Raises:
        ConfigError: ``file:line#/series/...``, what stood there, and the nearest name.
    """
    seen: set[str] = set()
    for at, setting in enumerate(settings):
        if paths.slug(setting.name) in seen:
            problem = f"expected a name that no other series has, got {quoted(setting.name)}"
            raise fault(stated, ConfigError, Wrong(problem, "series", at, "name"))
        seen.add(paths.slug(setting.name))
        for pattern in setting.experiments:
            if not any(fnmatchcase(name, pattern) for name in names):
                problem = f"no experiment is called {quoted(pattern)}"
                patterns = {found[0] for name in names if (found := dated(name)) is not None}
                hint = nearest(pattern, [*names, *patterns])
                raise fault(stated, ConfigError, Wrong(problem, "series", at, "experiments", hint=hint))
        own = [name for name in names if _names(setting, name)]
        if setting.baseline and setting.baseline not in own:
            problem = f"the series has no experiment {quoted(setting.baseline)}"
            hint = nearest(setting.baseline, own)
            raise fault(stated, ConfigError, Wrong(problem, "series", at, "baseline", hint=hint))
