"""Price tables from their files: YAML of ours, or JSON with ``dated`` and ``prices``.

Does: decode a table, and turn its prices into whole femto-dollars per token. Does not: open files, or price
anything, which `metrics_core.pricing` does.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from metrics_core.errors import FormatError
from metrics_core.formats import Day, Document, Wrong, decode, fault, strict_json
from metrics_core.pricing import FEMTO, Correction, PriceTable, Rate

PER = 1_000_000
"""Tokens that a price is for, where a table does not say."""

Price = Annotated[float, Meta(ge=0, lt=1e9, description="a price in US dollars, 0 or more")]


class _PriceRow(Struct, forbid_unknown_fields=True):
    input: Price
    output: Price
    cached: Price | None = None
    source: str = ""


class _CorrectionRow(Struct, forbid_unknown_fields=True):
    date: Day
    model: str
    was: _PriceRow
    reason: str = ""


class _PriceFile(Struct, forbid_unknown_fields=True):
    fetched: Day
    models: Annotated[dict[str, _PriceRow], Meta(min_length=1, description="models with their prices")]
    verified: Day | None = None
    currency: Literal["USD"] = "USD"
    per: Annotated[int, Meta(ge=1, description="a count of tokens")] = PER
    corrections: tuple[_CorrectionRow, ...] = ()
    aliases: dict[str, str] = {}
    source: str = ""
    title: str = ""


class _PriceJsonRow(Struct):
    """A row of a table in JSON, whose fields are another's: what is not read of it is no mistake."""

    input: Price = field(name="in")
    output: Price = field(name="out")
    cached: Price | None = field(default=None, name="cache")
    source: str = ""


class _PriceJsonFile(Struct):
    dated: Day
    prices: dict[str, _PriceJsonRow]
    source: str = ""


def read_price_table(data: bytes, name: str) -> PriceTable:
    """Parse a price table: YAML of ours, or JSON with ``dated`` and ``prices``.

    Args:
        data: The file's bytes.
        name: Its name, for errors and for the page.

    Raises:
        FormatError: ``name:line#/pointer``, what was expected and what stood there.
    """
    if name.endswith(".json"):
        return _read_json(data, name)
    from metrics_core.formats import strict_yaml  # slow to load, and few experiments have prices of their own

    document = strict_yaml.parse(data, name)
    table = decode(document, _PriceFile, FormatError)

    def rate(row: _PriceRow, *path: str | int) -> Rate:
        return _rate(row, table.per, document, *path)

    return PriceTable(
        name=name,
        fetched=table.fetched,
        verified=table.verified,
        rates={model: rate(row, "models", model) for model, row in sorted(table.models.items())},
        aliases=dict(sorted(table.aliases.items())),
        corrections=tuple(
            Correction(row.date, row.model, rate(row.was, "corrections", at, "was"), row.reason)
            for at, row in enumerate(table.corrections)
        ),
        source=table.source,
    )


def _read_json(data: bytes, name: str) -> PriceTable:
    document = Document(name, strict_json.document(data, name), {})
    table = decode(document, _PriceJsonFile, FormatError)
    return PriceTable(
        name=name,
        fetched=table.dated,
        verified=None,
        rates={m: _rate(row, PER, document, "prices", m) for m, row in sorted(table.prices.items())},
        aliases={},
        source=table.source,
    )


def _rate(row: _PriceRow | _PriceJsonRow, per: int, document: Document, *path: str | int) -> Rate:
    def per_token(key: str, price: float) -> int:
        exact = Decimal(repr(price)) * FEMTO / per
        if exact != int(exact):
            problem = f"expected no more digits than a price can have, got {price!r}"
            raise fault(document, FormatError, Wrong(problem, *path, key))
        return int(exact)

    cached = None if row.cached is None else per_token("cached", row.cached)
    return Rate(per_token("input", row.input), per_token("output", row.output), cached, row.source)
