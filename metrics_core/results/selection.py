"""Estimates picked by name; a name that does not exist is answered with the nearest that does.

Does: filter by metric, family and keys, and say which of them fits nothing. Does not: guess, or add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from metrics_core.errors import InputError
from metrics_core.results.estimate import Estimate
from metrics_core.suggestions import nearest


def select(
    estimates: Iterable[Estimate], metric: str, *, family: str | None = None, **keys: str
) -> tuple[Estimate, ...]:
    """Estimates of a metric whose group and stratum hold all the given keys; at least one.

    Args:
        estimates: Of one experiment or several.
        metric: Short name, such as ``change``.
        family: Name of the only family that is looked at.
        keys: Group or stratum keys and their values.

    Raises:
        InputError: Nothing fits; the message names the word that does not exist, and the nearest that do.
    """
    have = tuple(estimates)
    found = [
        e
        for e in have
        if e.metric == metric
        and family in (None, e.family)
        and keys.items() <= dict(e.group | e.stratum).items()
    ]
    if not found:
        raise _nothing(have, metric, family, keys)
    return tuple(found)


def _nothing(
    estimates: tuple[Estimate, ...], metric: str, family: str | None, keys: Mapping[str, str]
) -> InputError:
    """Why nothing fits: the first word that no estimate has, with the nearest; else all of them together."""
    where = ", ".join(sorted({e.experiment for e in estimates})) or "report"
    families = {e.family for e in estimates}
    if family is not None and family not in families:
        return InputError(f"there is no family {family!r}", where=where, hint=nearest(family, families))
    measured = [e for e in estimates if family in (None, e.family)]
    metrics = {e.metric for e in measured}
    if metric not in metrics:
        return InputError(f"there is no metric {metric!r}", where=where, hint=nearest(metric, metrics))
    fixed = [dict(e.group | e.stratum) for e in measured if e.metric == metric]
    for key, value in keys.items():
        values = {each[key] for each in fixed if key in each}
        if not values:
            names = {name for each in fixed for name in each}
            return InputError(f"{metric} has no key {key!r}", where=where, hint=nearest(key, names))
        if value not in values:
            problem = f"no estimate of {metric} has {key} {value!r}"
            return InputError(problem, where=where, hint=nearest(str(value), values))
    asked = ", ".join(f"{key} {value!r}" for key, value in keys.items())
    return InputError(
        f"no estimate of {metric} has all of {asked}", where=where, hint="leave one of them out"
    )


def lead_of(spelled: str) -> tuple[str, dict[str, str]]:
    """A metric and its stratum keys, as the setting ``headline`` spells them.

    >>> lead_of("score scorer=match"), lead_of("")
    (('score', {'scorer': 'match'}), ('', {}))
    """
    metric, *keys = spelled.split() or [""]
    return metric, {key: value for key, _, value in (each.partition("=") for each in keys)}
