"""The settings of an experiment held against what occurs in it.

Does: tell a setting that names nothing here with the nearest name that occurs; refuse a gate that no control
has, and a cluster key that some run lacks. Does not: read a folder, or estimate anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from metrics_core.errors import ConfigError
from metrics_core.experiments.cluster_keys import ClustersSeen, coarsest
from metrics_core.experiments.settings import Settings
from metrics_core.formats import Document
from metrics_core.results import Problem, pointer, quoted
from metrics_core.suggestions import nearest
from metrics_core.text import many, visible

NAMED = {
    "models": "no record names this arm",
    "names": "no record is of this scenario",
    "workflows": "no attempt ran under this workflow",
    "evaluators": "no attempt is of this scenario",
    "check_classes": "no record states this kind of check",
    "scale": "no run has a score by this scorer",
    "gates": "no control here has this name",
}
"""Setting whose keys are names of what records and controls state -> what is wrong with one that is not."""


def names_nothing(
    settings: Settings, stated: Document, occurring: Iterable[tuple[str, str]]
) -> Iterator[Problem]:
    """What an experiment's settings name and its records and controls do not, with the nearest that they do.

    Args:
        settings: As they were read.
        stated: Where they stand.
        occurring: (setting, name) of everything that occurs.
    """
    known: dict[str, set[str]] = defaultdict(set)
    for setting, name in occurring:
        known[setting].add(name)
    for setting, what in NAMED.items():
        mapping: Mapping[str, object] = getattr(settings, setting)
        for name in mapping:
            if not _occurs(setting, name, known[setting]):
                line, place = stated.lines.get((setting, name)), pointer(setting, name)
                yield Problem(stated.name, line, place, f"{what} ({nearest(name, known[setting])})")
    for at, use in enumerate(settings.contracts):
        if use.file not in known["contracts"]:
            line, place = stated.lines.get(("contracts", at)), pointer("contracts", at)
            yield Problem(stated.name, line, place, "no trace is scored by this contract")


def _occurs(setting: str, name: str, known: set[str]) -> bool:
    """Whether a name is one of those that occur; a kind of check without case, and as a pattern, too."""
    if setting != "check_classes":
        return name in known
    return any(fnmatchcase(kind.lower(), name.lower()) for kind in known)


def refuse_unknown_gates(settings: Settings, stated: Document, known: Iterable[str]) -> None:
    """Refuse a gate that no control has.

    Raises:
        ConfigError: With the nearest, and the place of the gate.
    """
    names = set(known)
    for name in settings.gates:
        if name not in names:
            raise ConfigError(
                f"there is no control {quoted(name)}",
                where=f"{stated.where('gates', name)}#/{pointer('gates', name)}",
                hint=nearest(name, names),
            )


def refuse_unfit_clusters(seen: ClustersSeen, keys: tuple[str, ...], stated: Document, family: str) -> None:
    """Refuse a cluster key that a run lacks, or by which a task lies in two clusters.

    Args:
        seen: What all runs of the family say of the keys.
        keys: As the experiment names them.
        stated: Its settings, for the place of an error.
        family: Whose runs they are.

    Raises:
        ConfigError: With the nearest key that every run carries.
    """
    for at, key in enumerate(keys):
        where = f"{stated.where('cluster', at)}#/cluster/{at}"
        if seen.lacking[key]:
            whole = [name for name, runs in seen.carried.items() if runs == seen.runs]
            some = f"{many(seen.lacking[key], 'record')} of {seen.runs} of {family} and their cards"
            raise ConfigError(
                f"{some} state no {quoted(key)}, the first at {seen.first[key]}",
                where=where,
                hint=nearest(key, whole),
            )
        _refuse_parted(seen, at, key, where)


def _refuse_parted(seen: ClustersSeen, at: int, key: str, where: str) -> None:
    home: dict[str, str] = {}
    for task, values in sorted(seen.combinations):
        first = home.setdefault(task, values[at])
        if first != values[at]:
            raise ConfigError(
                f"the task {quoted(task)} lies in two clusters by {quoted(key)}: {quoted(first)} and "
                f"{quoted(values[at])}",
                where=where,
                hint="name a key within which each task lies whole",
            )


def crossed(seen: ClustersSeen, keys: tuple[str, ...], stated: Document) -> Iterator[Problem]:
    """Keys of several that are not nested in the coarsest: its clusters alone make the variance."""
    if len(keys) < 2 or not seen.combinations:
        return
    top = coarsest(seen, keys)
    for at, key in enumerate(keys):
        homes: dict[str, set[str]] = defaultdict(set)
        for _, values in seen.combinations:
            homes[values[at]].add(values[keys.index(top)])
        parted = sorted(value for value, home in homes.items() if len(home) > 1)
        if key != top and parted:
            what = (
                f"not nested in {visible(top)}: {quoted(parted[0])} lies in {len(homes[parted[0]])} of its "
                f"clusters; {visible(top)} alone makes the variance"
            )
            yield Problem(stated.name, stated.lines.get(("cluster", at)), f"cluster/{at}", what)
