"""Money of many runs at once, as `metrics_core.measurement.tabulate` prices each.

Whole femto-dollars in 64 bits. What does not fit exactly is told, so that it is priced by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from metrics_core import pricing
from metrics_core.measurement.family import Context
from metrics_core.measurement.tabulate import CostSum
from metrics_core.pricing import PriceTable, Usage
from metrics_core.results import NotKnown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MOST_TOKENS = 2**24
HIGHEST_RATE = 2**37
"""Femto-dollars for a token; with so many tokens no amount passes 64 bits."""
LARGEST_AMOUNT = 2**53
"""Femto-dollars that are a float exactly, so that dividing rounds once."""
LARGEST_RECORDED = 2**56
_NANO, _NANO_DIGITS = 10**9, 10**15
_HALF = 28
"""Bits of the lower half of an amount: sums of halves are exact in floats."""

PRICED, UNPRICED, UNTOLD_CACHE, UNTOLD, NO_TABLE, ZERO, RECORDED = range(7)
"""What is known of the money of a run."""

WHY = {UNPRICED: NotKnown.UNPRICED_MODEL, UNTOLD_CACHE: NotKnown.CACHED_NOT_RECORDED}


class Rates(NamedTuple):
    """Prices of one table for each arm, in femto-dollars a token; ``apart``, where cached tokens have one."""

    has: Array
    sent: Array
    cached: Array
    written: Array
    apart: Array
    fits: Array

    @classmethod
    def of(cls, table: PriceTable | None, models: Sequence[str]) -> Rates:
        """The rates of some models."""
        found = [None if table is None else table.rate(model) for model in models]
        own = [rate is not None and rate.cached not in (None, rate.input) for rate in found]
        columns = [
            [0 if r is None else r.input for r in found],
            [0 if r is None else r.input if r.cached is None else r.cached for r in found],
            [0 if r is None else r.output for r in found],
        ]
        fits = [all(0 <= rate < HIGHEST_RATE for rate in rates) for rates in zip(*columns, strict=True)]
        held = [[rate if fit else 0 for rate, fit in zip(c, fits, strict=True)] for c in columns]
        sent, cached, written = (np.array(column, dtype=np.int64) for column in held)
        return cls(
            np.array([r is not None for r in found]), sent, cached, written, np.array(own), np.array(fits)
        )


class Used(NamedTuple):
    """Tokens of some runs, 0 where not known: ``told``, where sent and written ones are; ``cache_told``."""

    sent: Array
    cached: Array
    written: Array
    told: Array
    cache_told: Array


class Recorded(NamedTuple):
    """Recorded money: femto-dollars, US dollars, where it is known, and where it does not fit."""

    femto: Array
    usd: Array
    told: Array
    odd: Array


class Priced(NamedTuple):
    """What is known of the money of each run, what it comes to under both tables, and what does not fit."""

    state: Array
    amount: Array
    has_amount: Array
    again: Array
    has_again: Array
    odd: Array


def recorded(dollars: Sequence[float | None]) -> Recorded:
    """Amounts as harnesses write them: most have few decimals, and are whole nano-dollars."""
    usd = np.array(dollars, dtype=np.float64)
    told = ~np.isnan(usd)
    usd[~told] = 0.0
    nano = np.rint(usd * _NANO)
    exact = (nano < _NANO_DIGITS) & (nano / _NANO == usd)
    femto = np.where(exact & (nano < LARGEST_RECORDED // 10**6), nano, 0).astype(np.int64) * 10**6
    odd = exact & (nano >= LARGEST_RECORDED // 10**6)
    for at in np.flatnonzero(~exact).tolist():
        amount = pricing.femto(usd[at])
        odd[at] = amount >= LARGEST_RECORDED
        femto[at], usd[at] = (0, 0.0) if odd[at] else (amount, pricing.usd(amount))
    return Recorded(femto, usd, told, odd)


class Money:
    """The money of each arm: prices it is billed at, and sums.

    Args:
        context: The price tables.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._arms: dict[tuple[str, str], int] = {}
        self._rates: tuple[Rates, Rates] | None = None

    def arm(self, model: str, billed: str) -> int:
        """The number of an arm: its model, and the model that tokens are billed for."""
        self._rates = None
        return self._arms.setdefault((model, billed), len(self._arms))

    def priced(self, arms: Array, used: Used, paid: Recorded) -> Priced:
        """What each run costs."""
        if self._rates is None:
            models = [billed for _, billed in self._arms]
            self._rates = Rates.of(self._context.table, models), Rates.of(self._context.newest, models)
        own, newest = self._rates
        amount, why, odd = _amounts(arms, used, own)
        again, why_again, odd_again = (
            (amount, why, odd)
            if self._context.newest is self._context.table
            else _amounts(arms, used, newest)
        )
        zero = _zero(used, paid)
        as_recorded = np.where(
            paid.told, np.where(zero, ZERO, RECORDED), np.where(used.told, NO_TABLE, UNTOLD)
        )
        tabled = used.told & (self._context.table is not None)
        return Priced(
            state=np.where(tabled, why, as_recorded),
            amount=amount,
            has_amount=tabled & (why == PRICED),
            again=again,
            has_again=tabled & (why_again == PRICED) & (self._context.newest is not None),
            odd=odd | odd_again | paid.odd,
        )

    def add(self, costs: dict[str, CostSum], arms: Array, used: Used, paid: Recorded, priced: Priced) -> None:
        """Add the money of runs, all of which fit, to the sums of their models, ``costs``."""
        context, names = self._context, [model for model, _ in self._arms]
        models = list(dict.fromkeys(names))
        at = np.array([models.index(name) for name in names])[arms]
        both = priced.has_amount & paid.told
        differ = np.abs(paid.femto - priced.amount)
        close = (differ * 100 <= priced.amount) | (differ <= pricing.FEMTO // 1_000_000)
        zero = _zero(used, paid)

        def times(where: Array) -> list[int]:
            return [int(n) for n in np.bincount(at[where], minlength=len(models))]

        def sum_of(amounts: Array, where: Array) -> list[int]:
            low, high = amounts[where] & (2**_HALF - 1), amounts[where] >> _HALF
            halves = [np.bincount(at[where], weights=half, minlength=len(models)) for half in (low, high)]
            return [int(a) + (int(b) << _HALF) for a, b in zip(*halves, strict=True)]

        columns = {
            "records": times(np.ones(len(at), dtype=bool)),
            "recorded": sum_of(paid.femto, paid.told),
            "with_recorded": times(paid.told),
            "recomputed": sum_of(priced.amount, priced.has_amount),
            "repriced": sum_of(priced.again, priced.has_again),
            "priced": times(priced.has_amount),
            "repriceable": times(priced.has_again),
            "both": times(both),
            "recorded_of_both": sum_of(paid.femto, both),
            "recomputed_of_both": sum_of(priced.amount, both),
            "repriced_of_both": sum_of(priced.again, both & priced.has_again),
            "repriceable_of_both": times(both & priced.has_again),
            "without_tokens": times(~used.told),
            "untold": times(~used.told & ~paid.told),
            "zero": times(zero & ~priced.has_amount),
            "agree": times(both & close),
        }
        reasons = {
            reason: times(priced.state == state)
            for state, reason in (
                (UNPRICED, NotKnown.UNPRICED_MODEL),
                (UNTOLD_CACHE, NotKnown.CACHED_NOT_RECORDED),
            )
        }
        for number, model in enumerate(models):
            if not columns["records"][number]:
                continue
            sums = costs.setdefault(model, CostSum())
            for name, column in columns.items():
                setattr(sums, name, getattr(sums, name) + column[number])
            sums.unpriced.update({reason: n[number] for reason, n in reasons.items() if n[number]})
        if context.table is not None:
            billed = [billed for _, billed in self._arms]
            others = [table for table in context.tables if table.fetched != context.table.fetched]
            for row in np.flatnonzero(both & ~close).tolist():
                cached = int(used.cached[row]) if used.cache_told[row] else None
                use = Usage(billed[arms[row]], int(used.sent[row]), cached, int(used.written[row]))
                cause = pricing.explain([use], int(paid.femto[row]), context.table, others)
                costs[models[at[row]]].causes[cause] += 1


def _zero(used: Used, paid: Recorded) -> Array:
    """Where a cost of 0 was recorded for tokens."""
    zero: Array = paid.told & (paid.femto == 0) & used.told & ((used.sent > 0) | (used.written > 0))
    return zero


def _amounts(arms: Array, used: Used, rates: Rates) -> tuple[Array, Array, Array]:
    """Amounts, why there is none, and where they do not fit; no run has more cached tokens than sent ones."""
    has = rates.has[arms]
    some = (used.sent > 0) | (used.cached > 0) | (used.written > 0)
    why = np.where(
        ~has & some,
        UNPRICED,
        np.where(~used.cache_told & (used.sent > 0) & has & rates.apart[arms], UNTOLD_CACHE, PRICED),
    )
    amount = (
        (used.sent - used.cached) * rates.sent[arms]
        + used.cached * rates.cached[arms]
        + used.written * rates.written[arms]
    )
    odd = (amount >= LARGEST_AMOUNT) | ~rates.fits[arms]
    return amount, why, odd & used.told
