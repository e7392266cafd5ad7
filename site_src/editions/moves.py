"""What moved between two editions, and why: by data, contract, pack, prices, settings or exclusions.

Does: pair the estimates of two editions, tell which moved, and name every cause that the digests show. Does
not: apportion a move among causes (where data and contract both changed, both are named), or make sentences.
A number that moved although nothing it is made from changed is *unexplained*: a fault of the instrument.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from metrics_core.estimate import Estimate
from site_src.editions.edition import Edition, EditionExperiment

Cause = Literal["data", "contract", "pack", "prices", "settings", "exclusions", "unexplained"]
CAUSES: tuple[Cause, ...] = (
    "data", "contract", "pack", "prices", "settings", "exclusions", "unexplained",
)  # fmt: skip
Kind = Literal["moved", "new", "gone"]

_DIGEST = re.compile(r"(?:^| )sha256:[0-9a-f]+\Z")
_BY_DIGEST = frozenset({"contract", "pack"})
_ALIKE = 1e-9
"""Two values nearer than this, relatively, are one value computed on two machines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One figure that moved, is new, or is gone.

    Attributes:
        causes: In the order of `CAUSES`; empty for a figure that is new or gone in an experiment that is.
        before, now: The estimate in either edition; None where it was not, or is no more.
    """

    experiment: str
    kind: Kind
    causes: tuple[Cause, ...]
    before: Estimate | None
    now: Estimate | None

    @property
    def id(self) -> str:
        """Of the figure as it is now, or as it was."""
        shown = self.now or self.before
        return shown.id if shown else ""


def moved(before: Edition, now: Edition) -> tuple[Move, ...]:
    """Every figure that is not as it was, by experiment and id.

    Args:
        before: An edition.
        now: A later one, or a draft.
    """
    found = []
    for was, is_ in _paired(before, now):
        if was is not None and is_ is not None and same(was, is_):
            continue
        name = (is_ or was).experiment  # type: ignore[union-attr] # a pair holds one at least
        then, since = before.experiment(name), now.experiment(name)
        kind: Kind = "new" if was is None else "gone" if is_ is None else "moved"
        causes = tuple(_causes(was, is_, then, since)) if then and since else ()
        found.append(
            Move(
                experiment=name,
                kind=kind,
                causes=causes or (("unexplained",) if kind == "moved" else ()),
                before=was,
                now=is_,
            )
        )
    return tuple(sorted(found, key=lambda move: (move.experiment, move.id)))


def same(was: Estimate, now: Estimate) -> bool:
    """Whether two estimates say the same: counts, value, interval, and in which form they are told."""
    counts = all(
        getattr(was, name) == getattr(now, name)
        for name in ("n", "N", "of", "unit", "known", "unknown", "invalid", "errors", "headline")
    )
    return counts and all(_near(a, b) for a, b in zip(_values(was), _values(now), strict=True))


def _values(e: Estimate) -> tuple[float | None, ...]:
    bounds = e.bounds or (None, None)
    more = (None, None) if e.summary is None else (e.summary.p90, e.summary.total)
    return (e.value, e.interval.lo, e.interval.hi, *bounds, *more)


def _near(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=_ALIKE, abs_tol=1e-12)


def _paired(before: Edition, now: Edition) -> Iterator[tuple[Estimate | None, Estimate | None]]:
    """Estimates of both, by id; and by what they are about where an id holds a digest that changed."""
    then, since = {e.id: e for e in before.estimates}, {e.id: e for e in now.estimates}
    for name in then.keys() & since.keys():
        yield then[name], since[name]
    left = _about(e for name, e in then.items() if name not in since)
    right = _about(e for name, e in since.items() if name not in then)
    for key in {**left, **right}:
        was, is_ = left.get(key, []), right.get(key, [])
        if len(was) == len(is_) == 1:
            yield was[0], is_[0]
        else:
            yield from ((e, None) for e in was)
            yield from ((None, e) for e in is_)


def _about(estimates: Iterable[Estimate]) -> Mapping[tuple[object, ...], list[Estimate]]:
    found: dict[tuple[object, ...], list[Estimate]] = {}
    for e in estimates:
        stratum = tuple(
            (key, "" if key == "prices" else _DIGEST.sub("", value) if key in _BY_DIGEST else value)
            for key, value in e.stratum
        )
        found.setdefault((e.experiment, e.family, e.metric, e.group, stratum), []).append(e)
    return found


def _causes(
    was: Estimate | None, now: Estimate | None, then: EditionExperiment, since: EditionExperiment
) -> Iterator[Cause]:
    """What changed among the things that a figure is made from."""
    if was is not None and now is not None and (was.withheld is None) != (now.withheld is None):
        yield "exclusions"  # a control lifted or laid the number open: whatever else changed is not seen yet
        return
    if then.logs != since.logs:
        yield "data"
    if was is not None and now is not None and was.contract != now.contract:
        yield "contract"
    if then.pack != since.pack and (was or now) and any(e.pack for e in (was, now) if e):
        yield "pack"
    if was is not None and now is not None and _prices(was, then) != _prices(now, since):
        yield "prices"
    if then.settings != since.settings:
        yield "settings"
    if was is not None and now is not None and was.attempts == now.attempts and was.invalid != now.invalid:
        yield "exclusions"


def _prices(e: Estimate, x: EditionExperiment) -> tuple[str | None, str | None]:
    return e.prices, x.price_digest(e.prices)
