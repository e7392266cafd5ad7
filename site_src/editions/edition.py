"""One edition: what a reader met in a site when it was published, small enough to be kept for ever.

Does: hold it, refuse one that contradicts itself, and turn an estimate into the row that an edition keeps of
it, and back. A row holds what a caption says of the number: counts, value, interval, whether it is withheld,
by which contract; losses, other intervals, design effect and notes are left to the report. Read back, it is a
`metrics_core.results.Estimate`, so that the one maker of captions words earlier editions as well. Does not:
read or write a file (`store`), or compare two editions (`changes`). An edition holds no page and no record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from metrics_core import digest
from metrics_core.formats import is_day
from metrics_core.results import ContractRef, Estimate, Interval, Kept, Keys, Summary


class EditionContract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An instrument that read an experiment."""

    id: str
    version: str
    digest: str


class EditionPrices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A price table: its date, and a digest over its rates and aliases."""

    date: str
    digest: str


class EditionControl(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A control and how it stood; ``contract`` is empty where it guards a whole family."""

    name: str
    title: str
    guards: str
    contract: str
    state: str


class EditionOutcome(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What both rules of separation said of two arms.

    Attributes:
        id: Of the comparison.
        about: On what the two were compared, and their names.
        outcome: One of the words of `metrics_core.results.Separation`.
        above: The arm that was told to be above; empty where none was.
    """

    id: str
    about: str
    outcome: str
    above: str = ""

    @property
    def words(self) -> str:
        """The outcome, and who was above."""
        return f"{self.outcome}: {self.above} above" if self.above else self.outcome


class EditionExperiment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an experiment was made from.

    Attributes:
        slug: Its name, as ids begin with it.
        data: Digest of the folder as published; ``source`` of the folder as it was found.
        logs: Digest of the files that hold records, without controls, prices, contracts, pack and settings.
        settings: Digest of what was set by hand in ``experiment.yaml``.
        pack: Digest of the eval pack; None where there is none.
        records, invalid, duplicates: Counts of lines.
        outcomes: Of every comparison, by id; unset where nothing is compared.
    """

    slug: str
    title: str
    data: str
    source: str
    logs: str
    settings: str
    contracts: tuple[EditionContract, ...]
    pack: str | None = None
    prices: tuple[EditionPrices, ...] = ()
    records: int
    invalid: int
    duplicates: int
    controls: tuple[EditionControl, ...] = ()
    outcomes: tuple[EditionOutcome, ...] | msgspec.UnsetType = msgspec.UNSET

    def price_digest(self, date: str | None) -> str | None:
        """Digest of the table of a date; None where there is none."""
        return next((table.digest for table in self.prices if table.date == date), None)


class EditionClaim(msgspec.Struct, frozen=True, kw_only=True):
    """One claim of a decision: its words, its verdict, and what that rested on.

    Attributes:
        claim: What it is known by, however it is worded; empty where its words are all there is.
    """

    claim: str = ""
    says: str
    kind: str
    verdict: str
    reason: str = ""
    estimates: tuple[str, ...] = ()
    contracts: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What it is found by in another edition."""
        return self.claim or self.says


class EditionQuote(msgspec.Struct, frozen=True, kw_only=True):
    """A text that was quoted from evidence, and whether it stood there."""

    text: str
    source: str = msgspec.field(name="from")
    found: bool


class EditionDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision as its page showed it."""

    slug: str
    title: str
    status: str
    date: str
    deciders: tuple[str, ...] = ()
    claims: tuple[EditionClaim, ...] = ()
    quotes: tuple[EditionQuote, ...] = ()


class EditionPage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page with an address of its own.

    Attributes:
        path: Within the site.
        kind: As ``site.json`` lists it: ``experiment``, ``model``, ``decision``, ``contract``, ...
        digest: Of what the page is about; empty where it is about no one thing.
    """

    path: str
    title: str
    kind: str
    digest: str = ""


class Edition(Struct, frozen=True, kw_only=True):
    """A publication of the site.

    Attributes:
        number: From 1, rising by one.
        date: Day of publication, ISO.
        why: The publisher's own words; may be empty.
        build, build_digest: Version and digest of the build that was published.
        previous: Digest of the edition before; None for the first.
        experiments: By their names.
        estimates: Those that a reader met, by id, without what only a report holds.
        decisions: By their names.
        pages: Those with an address of their own, by path.
        digest: Of this edition's file; empty while it has none.

    Raises:
        ValueError: The fields contradict one another.
    """

    number: int
    date: str
    why: str
    build: str
    build_digest: str
    previous: str | None
    experiments: tuple[EditionExperiment, ...]
    estimates: tuple[Estimate, ...]
    decisions: tuple[EditionDecision, ...]
    pages: tuple[EditionPage, ...]
    digest: str = ""

    def __post_init__(self) -> None:
        if self.number < 1 or (self.number == 1) != (self.previous is None):
            raise ValueError(f"edition {self.number} names {self.previous} as the one before")
        if not is_day(self.date):
            raise ValueError(f"expected a date as YYYY-MM-DD, got {self.date!r}")
        for quoted in (self.build_digest, *filter(None, (self.previous, self.digest))):
            digest.parse(quoted)
        _in_order("experiments", (x.slug for x in self.experiments))
        _in_order("estimates", (e.id for e in self.estimates))
        _in_order("decisions", (d.slug for d in self.decisions))
        _in_order("pages", (p.path for p in self.pages))
        if unknown := {e.experiment for e in self.estimates} - {x.slug for x in self.experiments}:
            raise ValueError(f"estimates of {min(unknown)}, which is not among the experiments")

    def experiment(self, slug: str) -> EditionExperiment | None:
        """An experiment by its name; None where this edition has none of that name."""
        return next((x for x in self.experiments if x.slug == slug), None)


def _in_order(what: str, keys: Iterable[str]) -> None:
    found = list(keys)
    if found != sorted(set(found)):
        raise ValueError(f"expected {what} once each, in order")


_HEADLINES = ("point", "bounds", "counts", "nothing", "withheld")


class EstimateRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is left out is nought, none or the usual; ``contract`` counts those of the experiment from 0."""

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


def to_row(e: Estimate, experiment: EditionExperiment) -> EstimateRow:
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


def from_row(row: EstimateRow, experiments: Sequence[EditionExperiment]) -> Estimate:
    """The estimate of a row, as far as the edition keeps it.

    Raises:
        ValueError: The row contradicts itself, or names what the edition does not hold.
    """
    whose = next((x for x in experiments if x.slug == row.experiment), None)
    if whose is None:
        raise ValueError(f"an estimate of {row.experiment}, which is not among the experiments")
    if not 0 <= row.contract < len(whose.contracts):
        raise ValueError(f"{row.experiment} has no contract {row.contract}")
    if row.headline not in _HEADLINES:
        raise ValueError(f"expected one of {', '.join(_HEADLINES)}, got {row.headline!r}")
    contract = whose.contracts[row.contract]
    lo, hi = row.limits or (None, None)
    return Estimate(
        experiment=row.experiment,
        family=row.family,
        metric=row.metric,
        group=Keys(row.group),
        stratum=Keys(row.stratum),
        unit=row.unit,
        value=row.value,
        n=row.n,
        N=row.N,
        of=row.of,
        known=row.known,
        unknown=row.unknown,
        invalid=row.invalid,
        errors=row.errors,
        interval=Interval(lo=lo, hi=hi, method=Kept(row.method), absent=_kept(row.reason)),
        bounds=row.bounds,
        contract=ContractRef(contract.id, contract.version, contract.digest),
        data_digest=whose.data,
        pack=row.pack,
        prices=row.prices,
        withheld_by=_kept(row.withheld),
        summary=None if row.summary is None else Summary(*row.summary),
        headline=row.headline,  # type: ignore[arg-type] # one of the five: checked above
    )


def _kept(words: str | None) -> Kept | None:
    """Words of a reason as the edition keeps them: to be shown, not to be compared."""
    return None if words is None else Kept(words)
