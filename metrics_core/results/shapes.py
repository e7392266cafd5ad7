"""The shapes that estimates come in: `Funnel`, `Series`, `Grid`. None of them knows a family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from metrics_core.results.estimate import ContractRef, Estimate, Loss
from metrics_core.results.keys import Keys

if TYPE_CHECKING:
    from metrics_core.results.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a funnel: who is still in, and who was lost on the way to it, by reason."""

    name: str
    estimate: Estimate
    losses: tuple[Loss, ...] = ()
    achieved: bool = False


@dataclass(frozen=True, slots=True)
class Funnel:
    """Nested stages from every attempt down; each holds its losses by name.

    Raises:
        ValueError: A stage holds more runs than the one before it, or losses do not add up.
    """

    family: str
    group: Keys
    stratum: Keys
    stages: tuple[Stage, ...]

    def __post_init__(self) -> None:
        for before, after in zip(self.stages, self.stages[1:], strict=False):
            was, now = before.estimate.n, after.estimate.n
            if was is None or now is None:
                continue
            lost = sum(loss.count for loss in after.losses)
            if now + lost != was:
                raise ValueError(f"{after.name}: {now} in and {lost} lost do not make {was}")

    @property
    def words(self) -> Vocabulary | None:
        """Those of its estimates."""
        return self.stages[0].estimate.words


@dataclass(frozen=True, slots=True)
class Segment:
    """Points of a timeline that one instrument read, in order of their stamps; ``why`` it begins here."""

    points: tuple[Estimate, ...]
    contract: ContractRef
    pack: str | None
    prices: str | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """One metric of one model over time; no line joins two segments."""

    family: str
    metric: str
    group: Keys
    stratum: Keys
    segments: tuple[Segment, ...]

    @property
    def words(self) -> Vocabulary | None:
        """Those of its estimates."""
        return self.segments[0].points[0].words


@dataclass(frozen=True, slots=True)
class Grid:
    """Estimates of one metric and stratum laid out over one or two axes (group keys)."""

    family: str
    metric: str
    stratum: Keys
    axes: tuple[str, ...]
    cells: tuple[Estimate, ...]

    @property
    def words(self) -> Vocabulary | None:
        """Those of its estimates."""
        return self.cells[0].words

    def levels(self, axis: str) -> tuple[str, ...]:
        """Levels that occur on an axis, sorted: whole numbers as numbers, before words.

        Raises:
            KeyError: The grid has no such axis.
        """
        if axis not in self.axes:
            raise KeyError(axis)
        return tuple(sorted({e.group[axis] for e in self.cells}, key=_in_order))


def _in_order(level: str) -> tuple[bool, int, str]:
    counts = level.isascii() and level.isdecimal()
    return (not counts, int(level) if counts else 0, level)
