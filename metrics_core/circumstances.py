"""An experiment's setting: which prices, pack, contracts and aliases its records are read with."""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.errors import ConfigError
from metrics_core.family import Context
from metrics_core.folder import Experiment
from metrics_core.memo import Memo
from metrics_core.pricing import PriceTable


def context_of(
    experiment: Experiment, tables: Sequence[PriceTable], memo: Memo | None = None
) -> Context:
    """The context of an experiment, its own price tables before the site's.

    Args:
        experiment: As `metrics_core.folder.load` read it.
        tables: The site's price tables, in any order.
        memo: What was made of the same runs before; by default nothing.

    Raises:
        ConfigError: ``experiment.yaml`` names a price table that is not at hand.
    """
    own = sorted(experiment.prices, key=lambda t: (t.fetched, t.name))
    shared = sorted(tables, key=lambda t: (t.fetched, t.name))
    everything = (*own, *(t for t in shared if t.fetched not in {o.fetched for o in own}))
    named = experiment.settings.prices
    table = own[-1] if own else shared[-1] if shared else None
    if named is not None:
        matches = [t for t in everything if named in (t.name, t.name.rpartition("/")[2], t.fetched)]
        if not matches:
            at_hand = ", ".join(t.name for t in everything) or "none"
            raise ConfigError(
                f"there is no price table {named!r}",
                where=f"{experiment.slug}/experiment.yaml#/prices",
                hint=f"at hand: {at_hand}",
            )
        table = matches[-1]
    return Context(
        experiment=experiment.slug,
        settings=experiment.settings,
        table=table,
        newest=max(everything, key=lambda t: t.fetched, default=None),
        tables=everything,
        pack=experiment.pack,
        contracts=experiment.contracts,
        controls=experiment.controls,
        memo=Memo() if memo is None else memo,
    )
