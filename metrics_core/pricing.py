"""Dated price tables, and cost recomputed from raw token counts against them.

Money is counted in whole femto-dollars (1e-15 USD) per token, so that sums do not depend on their
order. A model with tokens and no price is unpriced, never free. Names match exactly, or by an alias
that the table itself states; never by guess. Reads no files: `metrics_core.experiments.price_tables` does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from msgspec import Struct

from metrics_core.results import CostCause, CostGap, NotKnown, OtherPrices, PriceCorrected

FEMTO = 10**15


class Rate(Struct, frozen=True):
    """Price of one model in femto-dollars per token; ``cached`` None bills cached tokens as input."""

    input: int
    output: int
    cached: int | None
    source: str = ""


class Correction(Struct, frozen=True):
    """A price that was wrong, on the record: when it was mended, what it had been, and why."""

    date: str
    model: str
    was: Rate
    reason: str


class PriceTable(Struct, frozen=True):
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


class Usage(Struct, frozen=True):
    """Tokens that one model was billed for: all input, of which cached, and output. Counts.

    ``cached`` is None where the record does not tell it: not known is not 0.
    """

    model: str
    input: int
    cached: int | None
    output: int


def cost(usages: Sequence[Usage], table: PriceTable) -> int | None:
    """Femto-dollars for these tokens, or None where `why_unpriced` says why: half a cost is no cost.

    ``(input - cached) * input price + cached * cached price + output * output price``. A model that used no
    token at all needs no price.

    >>> table = PriceTable("t", "2026-07-05", None, {"a": Rate(435, 870, 3)}, {})
    >>> cost([Usage("a", 100, 40, 10)], table), cost([Usage("b", 1, 0, 0)], table)
    (34920, None)
    >>> cost([Usage("a", 100, 40, 10), Usage("b", 0, 0, 0)], table)
    34920
    """
    if why_unpriced(usages, table) is not None:
        return None
    rates = [(use, table.rate(use.model)) for use in usages]
    return sum(at_rate(use, rate) for use, rate in rates if rate is not None)


def why_unpriced(usages: Sequence[Usage], table: PriceTable) -> NotKnown | None:
    """Why these tokens come to no amount under a table; None where they do.

    A model has no price; more tokens are said to be cached than were sent; or how many were cached is not
    told, and cached ones have a price of their own.

    Args:
        usages: A run's tokens by model.
        table: The prices.

    >>> table = PriceTable("t", "2026-07-05", None, {"a": Rate(435, 870, 3), "b": Rate(4, 8, None)}, {})
    >>> str(why_unpriced([Usage("a", 10, 40, 0)], table))
    'more cached tokens recorded than input tokens'
    >>> str(why_unpriced([Usage("a", 10, None, 0)], table)), why_unpriced([Usage("b", 10, None, 0)], table)
    ('cached tokens not recorded, and they have a price of their own', None)
    """
    for use in usages:
        rate = table.rate(use.model)
        if rate is None and (use.input or use.cached or use.output):
            return NotKnown.UNPRICED_MODEL
        if overdrawn(use):
            return NotKnown.MORE_CACHED_THAN_INPUT
        if use.cached is None and use.input and rate is not None and rate.cached not in (None, rate.input):
            return NotKnown.CACHED_NOT_RECORDED
    return None


def overdrawn(use: Usage) -> bool:
    """Whether more input tokens are said to have come from the cache than were sent at all.

    >>> overdrawn(Usage("a", 10, 40, 0)), overdrawn(Usage("a", 10, None, 0))
    (True, False)
    """
    return (use.cached or 0) > use.input


def at_rate(use: Usage, rate: Rate) -> int:
    """Femto-dollars for the tokens of one model at one rate.

    Args:
        use: With no more cached tokens than input tokens.
        rate: Of its model.

    Raises:
        ValueError: More tokens are cached than were sent: that is no use that could be billed.
    """
    if overdrawn(use):
        raise ValueError(f"{use.cached} cached of {use.input} input tokens")
    cached = use.cached or 0
    cached_price = rate.input if rate.cached is None else rate.cached
    return (use.input - cached) * rate.input + cached * cached_price + use.output * rate.output


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
    usages: Sequence[Usage], recorded: int, table: PriceTable, other_tables: Sequence[PriceTable]
) -> CostCause:
    """Why a recorded cost is not what the tokens come to: one cause.

    Args:
        usages: The record's tokens.
        recorded: Femto-dollars as the harness wrote them.
        table: The experiment's table, under which the difference is over 1 %.
        other_tables: Every other table at hand.
    """
    for correction in table.corrections:
        was = PriceTable(
            table.name, table.fetched, None, {**table.rates, correction.model: correction.was}, table.aliases
        )
        if close(recorded, cost(usages, was)):
            return PriceCorrected(correction.date, correction.model)
    for other in other_tables:
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
