"""Money of each model: what the harness recorded beside what the tokens come to, and why they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from metrics_core import pricing
from metrics_core.family import Context
from metrics_core.spending import CostRow
from metrics_core.tabulate import CostSum


def cost_rows(costs: Mapping[str, CostSum], context: Context) -> Iterator[CostRow]:
    """One row a model, in order of the models' names.

    Half a cost is no cost: where one record of a model is unpriced, its recomputed total is None and the
    row says how many records are unpriced.
    """
    for model, sums in sorted(costs.items()):
        priced = sums.priced and not sums.unpriced
        again = None
        if context.newest is not None and context.table is not None and context.newest != context.table:
            complete = sums.repriceable == sums.records - sums.without_tokens
            again = (
                context.newest.fetched,
                pricing.usd(sums.repriced) if complete and sums.repriceable else None,
            )
        causes = [f"{n} records: {cause}" for cause, n in sorted(sums.causes.items())]
        if sums.without_tokens:
            causes.append(f"{sums.without_tokens} records without tokens keep what was recorded")
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
        )
