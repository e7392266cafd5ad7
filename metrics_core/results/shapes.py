"""The shapes that results come in beside single estimates. None of them knows a family.

Does: hold funnels, timelines, grids, points of two metrics, checks and money by model. Does not: compute.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from metrics_core.results.codes import ByControl, RowCause, Withheld
from metrics_core.results.estimate import ContractRef, Estimate, Loss, PartlyCompared, Tally
from metrics_core.results.keys import Keys

if TYPE_CHECKING:
    from metrics_core.results.vocabulary import Vocabulary


class Stage(Struct, frozen=True):
    """One stage of a funnel: who is still in, and who was lost on the way to it, by reason."""

    name: str
    estimate: Estimate
    losses: tuple[Loss, ...] = ()
    achieved: bool = False


class Funnel(Struct, frozen=True):
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


class Segment(Struct, frozen=True):
    """Points of a timeline that one instrument read, in order of their stamps; ``why`` it begins here."""

    points: tuple[Estimate, ...]
    contract: ContractRef
    pack: str | None
    prices: str | None
    why: str = ""


class Series(Struct, frozen=True):
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


class Grid(Struct, frozen=True):
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


class Points(PartlyCompared, frozen=True):
    """Runs as points of two metrics: (x, y, how many runs), and the quadrant worth naming."""

    family: str
    x: str
    y: str
    group: Keys
    stratum: Keys
    points: tuple[tuple[float, float, int], ...]
    words: Vocabulary | None = None


class CheckRow(PartlyCompared, frozen=True):
    """One named assertion of one task, by model: how often it held."""

    family: str
    stratum: Keys
    scenario: str
    name: str
    by_model: tuple[tuple[str, Tally], ...]
    words: Vocabulary | None = None


class CostRow(Struct, frozen=True, kw_only=True):
    """Money of one model: what the harness recorded beside what the tokens come to. US dollars.

    Attributes:
        recorded, recomputed: Where both are there, over the same ``compared`` records.
        compared: Records behind both sums; 0 where one stands alone, or none.
        unpriced_records: Records whose tokens come to no amount; ``causes`` say why.
        recorded_as_zero: Records of a cost of 0 for tokens that nothing prices: not known to be free.
        causes: Why the two differ, or are not known in full.
        withheld_by: The controls that withhold the numbers of a family that the model ran in, if any does.
    """

    model: str
    recorded: float | None
    recomputed: float | None
    prices: str | None
    records: int
    compared: int
    unpriced_records: int
    without_tokens: int
    repriced: tuple[str, float | None] | None
    agree: int
    recorded_as_zero: int = 0
    causes: tuple[RowCause, ...] = ()
    withheld_by: Withheld | None = None

    @property
    def cause_words(self) -> tuple[str, ...]:
        """In words, why the two differ, and that numbers are withheld."""
        withheld = () if self.withheld_by is None else (ByControl(self.withheld_by),)
        return tuple(map(str, (*self.causes, *withheld)))

    def to_json(self) -> dict[str, Any]:
        """As it stands in a report."""
        return {
            "model": self.model,
            "recorded": self.recorded,
            "recomputed": self.recomputed,
            "prices": self.prices,
            "records": self.records,
            "compared": self.compared,
            "unpriced_records": self.unpriced_records,
            "without_tokens": self.without_tokens,
            "recorded_as_zero": self.recorded_as_zero,
            "repriced": None
            if self.repriced is None
            else {"prices": self.repriced[0], "value": self.repriced[1]},
            "agree": self.agree,
            "causes": list(self.cause_words),
        }
