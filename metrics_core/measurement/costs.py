"""Money of each model: what the harness recorded beside what the tokens come to, and why they differ.

And where runs stand whose money nobody tells: among those of their arm.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from metrics_core import pricing
from metrics_core.measurement.family import Context, Family
from metrics_core.measurement.tabulate import CellTally, CostSum, Partial
from metrics_core.results import (
    NO_KEYS,
    RECORDED_ONLY,
    CostRow,
    Keys,
    RecordedAsZero,
    RecordsDiffer,
    RecordsUnpriced,
    RowCause,
    Withheld,
    WithoutMoney,
    WithoutRecordedCost,
    WithoutTokens,
)


def place_untold_money(partial: Partial, family: Family) -> Partial:
    """Give runs that tell neither cost nor tokens the price stratum that their arm's money is in.

    Such a run is unknown among the runs whose cost is known, never in a stratum of its own. Where an arm's
    runs are priced in several ways, it goes where most of them are; where no run of the arm tells any
    money, where most of all runs are.

    Args:
        partial: As tabulated.
        family: Whose metric ``cost`` says what an arm is.
    """
    arms = {m.name: m.groups[0] for m in family.metrics if m.kind == "context" and m.groups}
    untold = {key for key in partial.cells if key[0] == "cost" and "prices" not in key[1].names}
    if not untold:
        return partial
    runs: dict[tuple[Keys, Keys], Counter[str]] = defaultdict(Counter)
    for key in partial.cells.keys() - untold:
        metric, stratum, dims = key
        if metric == "cost":
            cell, base = partial.cells[key], stratum.without("prices")
            told = cell.told * _KNOWN_FIRST + cell.runs - cell.told
            for arm in (dims.only(*arms.get(metric, ())), NO_KEYS):
                runs[(base, arm)][stratum["prices"]] += told
    placed = replace(partial, cells={})
    for key, cell in partial.cells.items():
        metric, stratum, dims = key
        if key in untold:
            arm = dims.only(*arms.get(metric, ()))
            found = runs.get((stratum, arm)) or runs.get((stratum, NO_KEYS)) or Counter({RECORDED_ONLY: 0})
            stratum |= {"prices": min(found, key=lambda prices: (-found[prices], prices))}
        placed.cells.setdefault((metric, stratum, dims), CellTally()).add(cell)
    return placed


_KNOWN_FIRST = 1 << 40
"""One run whose cost is known outweighs any number of those whose cost is not."""


def cost_rows(
    shown: Iterable[Mapping[str, CostSum]],
    hidden: Iterable[tuple[Mapping[str, CostSum], Withheld]],
    context: Context,
) -> Iterator[CostRow]:
    """One row a model, in order of the models' names, over all families.

    Half a cost is no cost: where one record of a model is unpriced, its recomputed total is None and the
    row says how many records are unpriced. Sums that stand together are over the same records; what the
    others come to is told beside them. Where no record of any model tells tokens or a cost, there is no row
    at all.

    Args:
        shown: Money by model of each family.
        hidden: The same of families whose numbers are withheld, each with the reason; nothing of it is shown
            beyond that.
        context: The price tables.
    """
    total: dict[str, CostSum] = {}
    for costs in shown:
        for model, sums in costs.items():
            total.setdefault(model, CostSum()).add(sums)
    withheld: dict[str, Withheld] = {}
    for costs, why in hidden:
        withheld |= dict.fromkeys(costs, why)
    if not any(sums.with_recorded or sums.without_tokens < sums.records for sums in total.values()):
        total = {}
    for model in sorted({*total, *withheld}):
        sums = total.get(model, CostSum())
        yield _row(model, sums, context, withheld.get(model))


def _row(model: str, sums: CostSum, context: Context, why: Withheld | None) -> CostRow:
    """One model's money: two sums over the same records, or one alone."""
    priced = bool(sums.priced) and not sums.unpriced
    recorded = pricing.usd(sums.recorded) if sums.with_recorded else None
    recomputed = pricing.usd(sums.recomputed) if priced else None
    together = priced and bool(sums.with_recorded)
    if together:
        recorded = pricing.usd(sums.recorded_of_both if sums.both else sums.recorded)
        recomputed = pricing.usd(sums.recomputed_of_both) if sums.both else None
    return CostRow(
        model=model,
        recorded=recorded,
        recomputed=recomputed,
        prices=None if context.table is None else context.table.fetched,
        records=sums.records,
        compared=sums.both if together else 0,
        unpriced_records=sums.unpriced.total(),
        without_tokens=sums.without_tokens,
        recorded_as_zero=sums.zero,
        repriced=_repriced(sums, context, together=together and bool(sums.both)),
        agree=sums.agree,
        causes=tuple(_causes(sums, together=together)),
        withheld_by=why,
    )


def _repriced(sums: CostSum, context: Context, *, together: bool) -> tuple[str, float | None] | None:
    """What the newest table makes of the same tokens, where it is another one."""
    if context.newest is None or context.table is None or context.newest == context.table:
        return None
    amount, n, complete = sums.repriced, sums.repriceable, sums.records - sums.without_tokens
    if sums.with_recorded not in (0, complete):
        n = 0  # it would stand beside a sum over other records
    if together:
        amount, n, complete = sums.repriced_of_both, sums.repriceable_of_both, sums.both
    return context.newest.fetched, pricing.usd(amount) if n and n == complete else None


def _causes(sums: CostSum, *, together: bool) -> Iterator[RowCause]:
    """Why two sums differ, and which records are in neither, or in one alone."""
    for cause, n in sorted(sums.causes.items(), key=lambda x: str(x[0])):
        yield RecordsDiffer(n, cause)
    for reason, n in sorted(sums.unpriced.items(), key=lambda x: str(x[0])):
        yield RecordsUnpriced(n, reason)
    if sums.zero:
        yield RecordedAsZero(sums.zero)
    apart = together and bool(sums.both)
    if unproved := sums.without_tokens - sums.untold:
        yield WithoutTokens(unproved, pricing.usd(sums.recorded - sums.recorded_of_both) if apart else None)
    if sums.with_recorded and (unrecorded := sums.records - sums.with_recorded - sums.untold):
        left = pricing.usd(sums.recomputed - sums.recomputed_of_both) if together else None
        yield WithoutRecordedCost(unrecorded, left)
    if sums.untold:
        yield WithoutMoney(sums.untold)
