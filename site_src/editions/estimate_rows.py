"""An estimate as an edition keeps it: one small row, and the way back.

Kept is what a caption says of the number itself: counts, value, interval, whether it is withheld, by which
contract. Left out is what only a report holds: losses, other intervals, design effect, notes.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from metrics_core.codes import Kept
from metrics_core.estimate import ContractRef, Estimate, Summary
from metrics_core.interval import Interval
from metrics_core.keys import Keys
from site_src.editions.edition import EditionExperiment

_HEADLINES = ("point", "bounds", "counts", "nothing", "withheld")


class EstimateRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is not said is nought, none or the usual; ``contract`` counts those of the experiment from 0."""

    experiment: str
    family: str
    metric: str
    group: dict[str, str] = {}
    stratum: dict[str, str] = {}
    unit: str
    of: str
    value: float | None = None
    n: int | None = None
    N: int | None = None
    known: int
    unknown: int = 0
    invalid: int = 0
    errors: int = 0
    limits: tuple[float, float] | None = None
    method: str
    reason: str | None = None
    bounds: tuple[float, float] | None = None
    contract: int
    pack: str | None = None
    prices: str | None = None
    withheld: str | None = None
    summary: tuple[float, float, float] | None = None
    headline: str = "point"


def row(e: Estimate, experiment: EditionExperiment) -> EstimateRow:
    """The row of an estimate.

    Args:
        e: Any estimate of the experiment.
        experiment: Whose contracts the row counts.

    Raises:
        ValueError: Its contract is none of the experiment's.
    """
    digests = [(c.id, c.version, c.digest) for c in experiment.contracts]
    i = e.interval
    return EstimateRow(
        experiment=e.experiment,
        family=e.family,
        metric=e.metric,
        group=e.group.to_json(),
        stratum=e.stratum.to_json(),
        unit=e.unit,
        of=e.of,
        value=e.value,
        n=e.n,
        N=e.N,
        known=e.known,
        unknown=e.unknown,
        invalid=e.invalid,
        errors=e.errors,
        limits=None if i.lo is None or i.hi is None else (i.lo, i.hi),
        method=i.method,
        reason=i.reason,
        bounds=e.bounds,
        contract=digests.index((e.contract.id, e.contract.version, e.contract.digest)),
        pack=e.pack,
        prices=e.prices,
        withheld=e.withheld,
        summary=None if e.summary is None else (e.summary.median, e.summary.p90, e.summary.total),
        headline=e.headline,
    )


def estimate(kept: EstimateRow, experiments: Sequence[EditionExperiment]) -> Estimate:
    """The estimate of a row, as far as the edition keeps it.

    Raises:
        ValueError: The row contradicts itself, or names what the edition does not hold.
    """
    whose = next((x for x in experiments if x.slug == kept.experiment), None)
    if whose is None:
        raise ValueError(f"an estimate of {kept.experiment}, which is not among the experiments")
    if not 0 <= kept.contract < len(whose.contracts):
        raise ValueError(f"{kept.experiment} has no contract {kept.contract}")
    if kept.headline not in _HEADLINES:
        raise ValueError(f"expected one of {', '.join(_HEADLINES)}, got {kept.headline!r}")
    contract = whose.contracts[kept.contract]
    lo, hi = kept.limits or (None, None)
    return Estimate(
        experiment=kept.experiment,
        family=kept.family,
        metric=kept.metric,
        group=Keys(kept.group),
        stratum=Keys(kept.stratum),
        unit=kept.unit,
        value=kept.value,
        n=kept.n,
        N=kept.N,
        of=kept.of,
        known=kept.known,
        unknown=kept.unknown,
        invalid=kept.invalid,
        errors=kept.errors,
        interval=Interval(lo=lo, hi=hi, method=Kept(kept.method), absent=_kept(kept.reason)),
        bounds=kept.bounds,
        contract=ContractRef(contract.id, contract.version, contract.digest),
        data_digest=whose.data,
        pack=kept.pack,
        prices=kept.prices,
        withheld_by=_kept(kept.withheld),
        summary=None if kept.summary is None else Summary(*kept.summary),
        headline=kept.headline,  # type: ignore[arg-type] # one of the five: checked above
    )


def _kept(words: str | None) -> Kept | None:
    """Words of a reason as the edition keeps them: to be shown, not to be asked about."""
    return None if words is None else Kept(words)
