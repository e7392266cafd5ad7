"""Dated price tables, and cost recomputed from raw token counts against them.

Money is counted in whole femto-dollars (1e-15 USD) per token, so that sums do not depend on their
order. A model with tokens and no price is unpriced, never free. Names match exactly, or by an alias
that the table itself states; never by guess. Reads no files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from metrics_core import yaml_strict
from metrics_core.codes import CostCause, CostGap, OtherPrices, PriceCorrected
from metrics_core.errors import FormatError
from metrics_core.stamps import is_day

FEMTO = 10**15


@dataclass(frozen=True, slots=True)
class Rate:
    """Price of one model in femto-dollars per token; ``cached`` None bills cached tokens as input."""

    input: int
    output: int
    cached: int | None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """A price that was wrong, on the record: when it was mended, what it had been, and why."""

    date: str
    model: str
    was: Rate
    reason: str


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices as they stood on one day.

    Attributes:
        fetched: ISO date that every cost figure carries.
        verified: ISO date of the last re-check, or None.
        name: File it was read from.
    """

    name: str
    fetched: str
    verified: str | None
    rates: Mapping[str, Rate]
    aliases: Mapping[str, str]
    corrections: tuple[Correction, ...] = ()
    source: str = ""

    def rate(self, model: str) -> Rate | None:
        """Rate of a model by its exact name or a stated alias; None where there is none."""
        return self.rates.get(self.aliases.get(model, model))


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that one model was billed for: all input, of which cached, and output. Counts."""

    model: str
    input: int
    cached: int
    output: int


def cost(usages: Sequence[Usage], table: PriceTable) -> int | None:
    """Femto-dollars for these tokens, or None where one model has no price: half a cost is no cost.

    ``(input - cached) * input price + cached * cached price + output * output price``. A model that used no
    token at all needs no price.

    >>> table = PriceTable("t", "2026-07-05", None, {"a": Rate(435, 870, 3)}, {})
    >>> cost([Usage("a", 100, 40, 10)], table), cost([Usage("b", 1, 0, 0)], table)
    (34920, None)
    >>> cost([Usage("a", 100, 40, 10), Usage("b", 0, 0, 0)], table)
    34920
    """
    total = 0
    for use in usages:
        rate = table.rate(use.model)
        if rate is not None:
            total += at_rate(use, rate)
        elif use.input or use.cached or use.output:
            return None
    return total


def at_rate(use: Usage, rate: Rate) -> int:
    """Femto-dollars for the tokens of one model at one rate."""
    cached_price = rate.input if rate.cached is None else rate.cached
    return max(0, use.input - use.cached) * rate.input + use.cached * cached_price + use.output * rate.output


def femto(usd: float) -> int:
    """A recorded amount as whole femto-dollars, by its shortest decimal spelling.

    >>> femto(0.002093)
    2093000000000
    """
    return int(Decimal(repr(float(usd))) * FEMTO)


def usd(amount: int) -> float:
    """Femto-dollars as US dollars, correctly rounded.

    >>> usd(2093000000000)
    0.002093
    """
    return amount / FEMTO


def explain(
    usages: Sequence[Usage], recorded: int, table: PriceTable, others: Sequence[PriceTable]
) -> CostCause:
    """Why a recorded cost is not what the tokens come to: one cause.

    Args:
        usages: The record's tokens.
        recorded: Femto-dollars as the harness wrote them.
        table: The experiment's table, under which the difference is over 1 %.
        others: Every other table at hand.
    """
    for correction in table.corrections:
        was = PriceTable(
            table.name, table.fetched, None, {**table.rates, correction.model: correction.was}, table.aliases
        )
        if close(recorded, cost(usages, was)):
            return PriceCorrected(correction.date, correction.model)
    for other in others:
        if close(recorded, cost(usages, other)):
            return OtherPrices(other.fetched)
    uncached = [Usage(u.model, u.input, 0, u.output) for u in usages]
    if close(recorded, cost(uncached, table)):
        return CostGap.CACHED_AS_INPUT
    if recorded == 0:
        return CostGap.RECORDED_AS_ZERO
    return CostGap.NOT_EXPLAINED


def close(recorded: int, recomputed: int | None) -> bool:
    """Whether two amounts agree within 1 %, or within the rounding of six decimals.

    >>> close(1_000_000, 1_009_000), close(10**15, 2 * 10**15), close(1, None)
    (True, False, False)
    """
    if recomputed is None:
        return False
    difference = abs(recorded - recomputed)
    return difference * 100 <= recomputed or difference <= FEMTO // 1_000_000


def read(data: bytes, name: str) -> PriceTable:
    """Parse a price table: YAML of ours, or JSON with ``dated`` and ``prices``.

    Args:
        data: The file's bytes.
        name: Its name, for errors and for the page.

    Raises:
        FormatError: ``name:line``, what was expected and what stood there.
    """
    if name.endswith(".json"):
        return _read_json(data, name)
    doc = yaml_strict.load(data, name)
    if not isinstance(doc, dict):
        raise FormatError("expected a mapping with 'fetched' and 'models'", where=name)
    unknown = sorted(
        set(doc)
        - {"fetched", "verified", "currency", "per", "models", "corrections", "aliases", "source", "title"}
    )
    if unknown:
        raise FormatError(f"unknown key {unknown[0]!r}", where=name, hint="see the price tables in the docs")
    if doc.get("currency", "USD") != "USD":
        raise FormatError(f"currency is {doc['currency']!r}, expected 'USD'", where=f"{name}#/currency")
    per = doc.get("per", 1_000_000)
    if not isinstance(per, int) or isinstance(per, bool) or per < 1:
        raise FormatError(f"per is {per!r}, expected a count of tokens", where=f"{name}#/per")
    models = doc.get("models")
    if not isinstance(models, dict) or not models:
        raise FormatError("expected models with their prices", where=f"{name}#/models")
    corrections = tuple(
        Correction(
            _date(row.get("date"), f"{name}#/corrections/{i}/date"),
            str(row.get("model")),
            _rate(row.get("was"), per, f"{name}#/corrections/{i}/was"),
            str(row.get("reason", "")),
        )
        for i, row in enumerate(doc.get("corrections") or [])
    )
    verified = doc.get("verified")
    return PriceTable(
        name=name,
        fetched=_date(doc.get("fetched"), f"{name}#/fetched"),
        verified=None if verified is None else _date(verified, f"{name}#/verified"),
        rates={str(m): _rate(row, per, f"{name}#/models/{m}") for m, row in sorted(models.items())},
        aliases={str(k): str(v) for k, v in sorted((doc.get("aliases") or {}).items())},
        corrections=corrections,
        source=str(doc.get("source", "")),
    )


def _read_json(data: bytes, name: str) -> PriceTable:
    try:
        doc = json.loads(data)
    except ValueError as bad:
        raise FormatError(f"expected JSON: {bad}", where=name) from bad
    if not isinstance(doc, dict) or not isinstance(doc.get("prices"), dict):
        raise FormatError("expected an object with 'dated' and 'prices'", where=name)
    rates = {}
    for model, row in sorted(doc["prices"].items()):
        where = f"{name}#/prices/{model}"
        if not isinstance(row, dict):
            raise FormatError(f"expected a price row, got {row!r}", where=where)
        spelled = {"input": row.get("in"), "output": row.get("out"), "cached": row.get("cache")}
        rates[model] = _rate(spelled, 1_000_000, where)
    return PriceTable(
        name=name,
        fetched=_date(doc.get("dated"), f"{name}#/dated"),
        verified=None,
        rates=rates,
        aliases={},
        source=str(doc.get("source", "")),
    )


def _rate(row: Any, per: int, where: str) -> Rate:
    if not isinstance(row, dict):
        raise FormatError(f"expected {{input, output, cached}}, got {row!r}", where=where)
    unknown = sorted(set(row) - {"input", "output", "cached", "source"})
    if unknown:
        raise FormatError(f"unknown key {unknown[0]!r}", where=where, hint="input, output, cached or source")
    cached = row.get("cached")
    return Rate(
        _per_token(row.get("input"), per, f"{where}/input"),
        _per_token(row.get("output"), per, f"{where}/output"),
        None if cached is None else _per_token(cached, per, f"{where}/cached"),
        str(row.get("source", "")),
    )


def _per_token(price: Any, per: int, where: str) -> int:
    if not isinstance(price, int | float) or isinstance(price, bool) or not 0 <= price < 1e9:
        raise FormatError(f"expected a price in US dollars, 0 or more, got {price!r}", where=where)
    exact = Decimal(repr(price)) * FEMTO / per
    if exact != int(exact):
        raise FormatError(f"{price!r} has more digits than a price can have", where=where)
    return int(exact)


def _date(value: Any, where: str) -> str:
    if not is_day(value):
        raise FormatError(f"expected a date such as 2026-07-05, got {value!r}", where=where)
    return str(value)
