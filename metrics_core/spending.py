"""Money of one model: what the harness recorded beside what its tokens come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metrics_core.codes import ByControl, RowCause, Withheld


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRow:
    """Money of one model: what the harness recorded beside what the tokens come to. US dollars.

    Attributes:
        causes: Why the two differ, or are not told in full.
        withheld_by: The controls that withhold the numbers of a family that the model ran in, if any does.
    """

    model: str
    recorded: float | None
    recomputed: float | None
    prices: str | None
    records: int
    unpriced_records: int
    without_tokens: int
    repriced: tuple[str, float | None] | None
    agree: int
    causes: tuple[RowCause, ...] = ()
    withheld_by: Withheld | None = None

    @property
    def told(self) -> tuple[str, ...]:
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
            "unpriced_records": self.unpriced_records,
            "without_tokens": self.without_tokens,
            "repriced": None
            if self.repriced is None
            else {"prices": self.repriced[0], "value": self.repriced[1]},
            "agree": self.agree,
            "causes": list(self.told),
        }
