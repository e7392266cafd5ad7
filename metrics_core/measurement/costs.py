"""Money of each model: what the harness recorded beside what the tokens come to, and why they differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from metrics_core import pricing
from metrics_core.measurement.family import Context
from metrics_core.measurement.tabulate import CostSum
from metrics_core.results import (
    CostRow,
    RecordsDiffer,
    RowCause,
    Withheld,
    WithoutRecordedCost,
    WithoutTokens,
)


def cost_rows(
    shown: Iterable[Mapping[str, CostSum]],
    hidden: Iterable[tuple[Mapping[str, CostSum], Withheld]],
    context: Context,
) -> Iterator[CostRow]:
    """One row a model, in order of the models' names, over all families.

    Half a cost is no cost: where one record of a model is unpriced, its recomputed total is None and the
    row says how many records are unpriced. Where no record of any model tells tokens or a cost, there is no
    row at all.

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
        priced = sums.priced and not sums.unpriced
        again = None
        if context.newest is not None and context.table is not None and context.newest != context.table:
            complete = sums.repriceable == sums.records - sums.without_tokens
            again = (
                context.newest.fetched,
                pricing.usd(sums.repriced) if complete and sums.repriceable else None,
            )
        causes: list[RowCause] = [
            RecordsDiffer(n, cause) for cause, n in sorted(sums.causes.items(), key=lambda x: str(x[0]))
        ]
        if sums.without_tokens:
            causes.append(WithoutTokens(sums.without_tokens))
        if 0 < sums.with_recorded < sums.records:
            causes.append(WithoutRecordedCost(sums.records - sums.with_recorded))
        yield CostRow(
            model=model,
            recorded=pricing.usd(sums.recorded) if sums.with_recorded else None,
            recomputed=pricing.usd(sums.recomputed) if priced else None,
            prices=None if context.table is None else context.table.fetched,
            records=sums.records,
            unpriced_records=sums.unpriced,
            without_tokens=sums.without_tokens,
            repriced=again,
            agree=sums.agree,
            causes=tuple(causes),
            withheld_by=withheld.get(model),
        )
