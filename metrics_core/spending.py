"""Money of one model: what the harness recorded beside what its tokens come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRow:
    """Money of one model: what the harness recorded beside what the tokens come to. US dollars."""

    model: str
    recorded: float | None
    recomputed: float | None
    prices: str | None
    records: int
    unpriced_records: int
    without_tokens: int
    repriced: tuple[str, float | None] | None
    agree: int
    causes: tuple[str, ...] = ()

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
            "causes": list(self.causes),
        }
