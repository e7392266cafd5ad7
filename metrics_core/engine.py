"""Experiment -> report: fixtures first, then map, merge and finalise, then controls.

Also the context that records are read in: which prices, pack, contracts and aliases. Files are digested and
records counted by a `metrics_core.execution.Engine`: one process, several or a Dask cluster differ in one
``map``, because partials add up in any order. Nothing is measured before every instrument has given its known
results.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.adapters import ADAPTERS
from metrics_core.contracts import (
    Contract,
    FixtureResult,
    ScorerCrash,
    cage_of,
    check_user_fixtures,
    fixtures_control,
    packages_of,
    used_contract,
)
from metrics_core.counting import CountedRuns, in_strata, rows_of, tabulated
from metrics_core.errors import AssayError, ConfigError
from metrics_core.execution import SERIAL, Engine, uncollected
from metrics_core.experiments import (
    Experiment,
    crossed,
    file_digest,
    names_nothing,
    printable,
    refuse_unknown_gates,
    refuse_unknown_headline,
)
from metrics_core.families import FAMILIES
from metrics_core.look_alikes import look_alikes, told
from metrics_core.measurement import (
    Context,
    Family,
    Findings,
    Partial,
    apply_gate,
    cost_rows,
    counted_review,
    doubts,
    finalise,
    fixtures,
    graded_review,
    score_reports,
    why_withheld,
    with_source_notes,
)
from metrics_core.memo import Memo
from metrics_core.pricing import PriceTable
from metrics_core.results import (
    Control,
    CostRow,
    Problem,
    Report,
    Review,
    UsedContract,
)

WORTH_SENDING = 2**20
"""Bytes of a file that another process may digest."""


def context_of(experiment: Experiment, tables: Sequence[PriceTable], memo: Memo | None = None) -> Context:
    """The context of an experiment, its own price tables before the site's.

    Args:
        experiment: As `metrics_core.experiments.load_experiment` read it.
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
            where = f"{experiment.stated.where('prices')}#/prices"
            raise ConfigError(f"there is no price table {named!r}", where=where, hint=f"at hand: {at_hand}")
        table = matches[-1]
    return Context(
        experiment=experiment.slug,
        settings=experiment.settings,
        stated=experiment.stated,
        table=table,
        newest=max(everything, key=lambda t: t.fetched, default=None),
        tables=everything,
        pack=experiment.pack,
        contracts=experiment.contracts,
        controls=experiment.controls,
        memo=Memo() if memo is None else memo,
    )


class Measured(Struct, frozen=True):
    """One family of one experiment, measured; ``crash`` says why it could not be.

    ``context`` is what its numbers were made in, and what its controls may know.
    """

    family: Family
    context: Context
    partial: Partial
    findings: Findings | None
    crash: str = ""


def compute(
    experiment: Experiment,
    tables: Sequence[PriceTable] = (),
    *,
    family: str | None = None,
    memo: Memo | None = None,
    engine: Engine = SERIAL,
) -> Report:
    """The report of one experiment.

    Args:
        experiment: As `metrics_core.experiments.load_experiment` read it.
        tables: The site's price tables, beside the experiment's own.
        family: Only this family.
        memo: Keeps what was made of the same runs before, for whoever measures again and again.
        engine: Digests its files and counts its records; the report is the same whichever does.

    Raises:
        EngineError: A worker of the engine was lost over the same records again, or all of them were.
        FixtureError: An instrument did not give its known results; nothing was measured.
        ContractError: A user's contract broke its promise.
        ConfigError: ``experiment.yaml`` asks for what is not at hand.
    """
    families = [f for f in families_of(experiment) if family in (None, f.name)]
    if experiment.settings.gates:
        gates = [gate for f in FAMILIES.values() for gate in f.gates]
        refuse_unknown_gates(experiment.settings, experiment.stated, gates)
    given = {f.name: _tested(f.name) for f in families}
    given |= {c.id: _tested(f.name, c.id) for f in families for c in f.further}
    users = {c.digest: check_user_fixtures(c) for c in experiment.contracts}
    context = context_of(experiment, tables, memo)
    experiment = digested(experiment, engine)
    measured = [measure(f, experiment, context, engine) for f in families]
    controls = tuple(_controls(measured, experiment, given, users))
    return _assembled(
        experiment, context, measured, controls, _instruments(measured, experiment, given, users)
    )


def attempted(tables: Sequence[PriceTable], experiment: Experiment) -> Report | AssayError:
    """The report of one experiment, or the error that there is in place of it.

    Args:
        tables: The site's price tables.
        experiment: As it was loaded.
    """
    try:
        return compute(experiment, tables)
    except AssayError as error:
        return error


def digested(experiment: Experiment, engine: Engine = SERIAL) -> Experiment:
    """The same experiment with the digests of its files; see `Experiment.with_snapshot`.

    Args:
        experiment: As it was loaded.
        engine: Digests large files, each whole.

    Raises:
        InputError: A file cannot be read, or changed while it was read.
        LeakError: A file whose digest is quoted elsewhere holds a secret.
    """
    if experiment.snapshot is not None or engine.workers == 1:
        return experiment.with_snapshot()
    passed_over = {*experiment.given, *experiment.unread}
    large = [
        entry
        for path, entry in experiment.entries.items()
        if entry.size >= WORTH_SENDING and path not in passed_over
    ]
    digests = engine.map(file_digest, (experiment.root, experiment.redactor), large)
    return experiment.with_snapshot(dict(zip(large, digests, strict=True)))


@cache
def _tested(family: str, further: str | None = None) -> tuple[FixtureResult, ...]:
    """What a built-in instrument gave on its golden fixtures: once a process, whose sources do not change."""
    whole = FAMILIES[family]
    contract = next((c for c in whole.further if c.id == further), None)
    return fixtures.check_fixtures(whole, contract)


def families_of(experiment: Experiment) -> tuple[Family, ...]:
    """The families of an experiment; one whose records come through an adapter has that in its contract.

    A further contract is the same whichever adapter its records come through: every one is part of it.
    """
    found = []
    for family in (FAMILIES[name] for name in FAMILIES if name in experiment.families):
        adapter = experiment.adapter
        mine = adapter is not None and adapter.family == family.name
        found.append(
            replace(
                family,
                contract=family.contract.through(adapter) if adapter and mine else family.contract,
                further=_through_all(family),
            )
        )
    return tuple(found)


def _through_all(family: Family) -> tuple[Contract, ...]:
    """A family's further contracts, with every adapter that makes its records, or those that are theirs."""
    if not family.further:
        return ()
    mine = [a for a in ADAPTERS.values() if a.family == family.name]
    apart = {a.contract for a in mine} - {""}

    def modules(contract: Contract) -> tuple[str, ...]:
        wanted = contract.id if contract.id in apart else ""
        return tuple(a.module for a in mine if a.contract == wanted)

    return tuple(replace(c, also=(*c.also, *modules(c))) for c in family.further)


def contracts() -> tuple[tuple[str, Contract], ...]:
    """(family, contract) of every built-in contract as it stands: plain, further, and through each
    adapter.
    """
    return tuple(
        (family.name, contract)
        for family in FAMILIES.values()
        for contract in (
            family.contract,
            *_through_all(family),
            *(family.contract.through(a) for a in ADAPTERS.values() if a.family == family.name),
        )
    )


def measure(family: Family, experiment: Experiment, context: Context, engine: Engine = SERIAL) -> Measured:
    """Map every partition of a family, merge, finalise.

    A contract whose process crashed or hung fails the family, not the build.
    """
    total = Partial()
    try:
        total, context = tabulated(family, experiment, context, total, engine)
    except ScorerCrash as crash:
        return Measured(family, context, total, None, str(crash))
    with uncollected():
        found = finalise(family, total, context, experiment.digests.data)
    return Measured(family, context, total, with_source_notes(found, total.findings))


def counted_runs(
    experiment: Experiment, tables: Sequence[PriceTable] = (), *, slices: tuple[str, ...] = ()
) -> Iterator[CountedRuns]:
    """What every run came to on every metric, for whoever adds it up by another way.

    Args:
        experiment: As it was loaded.
        tables: The site's price tables.
        slices: Further keys that records or cards may carry; runs that do are counted by them as well.
    """
    whole = replace(context_of(experiment, tables), slices=slices)
    for family in families_of(experiment):
        with suppress(ScorerCrash):
            total, context = tabulated(family, experiment, whole, Partial())
            yield from in_strata(family, total, context)


@contextmanager
def _as_measured(report: Report | None, family: Family) -> Iterator[None]:
    """Let a contract's crash pass where its family was measured: then what it scored is published."""
    try:
        yield
    except ScorerCrash:
        if report is not None and any(e.family == family.name for e in report.estimates):
            raise


def reviews(
    experiment: Experiment, tables: Sequence[PriceTable] = (), report: Report | None = None
) -> Iterator[Review]:
    """What a reader is shown of every run, in the order of families, files and lines.

    Where a contract's process crashed as it was measured, its family is left out: it has no scores to show.

    Args:
        experiment: As it was loaded.
        tables: The site's price tables.
        report: Of the experiment, which knows what only all runs tell; measured anew where it is needed and
            not given.

    Raises:
        ScorerCrash: A contract's process crashed only now: to leave out its runs would be to hide them.
    """
    from metrics_core.adapters.transcripts import with_source  # every format's, and only for run pages

    whole = context_of(experiment, tables)
    names = experiment.entries.keys() - {*experiment.unread}
    for family in families_of(experiment):
        context = whole
        own = {metric.name for metric in family.metrics if metric.kind == "quantity"}
        if own:
            report = report or compute(experiment, tables)
            found = (e.stratum for e in report.estimates if e.family == family.name and e.metric in own)
            context = replace(whole, quantities=frozenset(found))
        seen: set[bytes] = set()
        with _as_measured(report, family):
            for batch in rows_of(family, experiment):
                for row, review in zip(batch, family.review(batch, context), strict=True):
                    shown = counted_review(
                        graded_review(review, row.record, context, family), row, family, seen
                    )
                    yield with_source(shown, row, experiment.adapter, names, experiment.text)


def instrument_files(report: Report, experiment: Experiment) -> dict[str, Mapping[str, bytes]]:
    """Contract digest -> path -> bytes of the source closure of each instrument behind a report."""
    own = {c.ref().digest: c.files() for f in families_of(experiment) for c in (f.contract, *f.further)}
    everything: dict[str, Mapping[str, bytes]] = {**own, **{c.digest: c.files for c in experiment.contracts}}
    return {c.ref.digest: everything[c.ref.digest] for c in report.contracts}


def _controls(
    measured: Iterable[Measured],
    experiment: Experiment,
    given: Mapping[str, tuple[FixtureResult, ...]],
    users: Mapping[str, tuple[FixtureResult, ...]],
) -> Iterator[Control]:
    for each in measured:
        name = each.family.name
        yield fixtures_control(given[name], guards=name)
        for further in _further(each):
            yield fixtures_control(given[further.id], guards=name, contract=further.ref().digest)
        if each.family.scored:
            for digest, results in users.items():
                yield fixtures_control(results, guards=name, contract=digest)
        if each.crash:
            yield _crashed(name, each.crash)
            continue
        try:
            given_rows = partial(rows_of, each.family, experiment)
            for control in each.family.controls(each.context, experiment.controls, given_rows):
                yield replace(control, gate=experiment.settings.gates.get(control.name))
        except ScorerCrash as crash:
            yield _crashed(name, str(crash))


def _crashed(family: str, why: str) -> Control:
    return Control(name="scorer", title="scorer's process", state="failed", detail=why, guards=family)


def _further(measured: Measured) -> tuple[Contract, ...]:
    """Further contracts of a family that read one of its numbers or more."""
    made = () if measured.findings is None else measured.findings.estimates
    read = {e.contract.id for e in made}
    return tuple(c for c in measured.family.further if c.id in read)


def _instruments(
    measured: Sequence[Measured],
    experiment: Experiment,
    given: Mapping[str, tuple[FixtureResult, ...]],
    users: Mapping[str, tuple[FixtureResult, ...]],
) -> tuple[UsedContract, ...]:
    families = [each.family for each in measured]
    own = [used_contract(f.contract, given[f.name], f.name, f.words) for f in families]
    own += [
        used_contract(c, given[c.id], each.family.name, each.family.words)
        for each in measured
        for c in _further(each)
    ]
    scored = [
        used_contract(c, users[c.digest], f.name, f.words, str(cage_of(c)))
        for f in families
        if f.scored
        for c in experiment.contracts
    ]
    return (*own, *scored)


def _assembled(
    experiment: Experiment,
    context: Context,
    measured: Sequence[Measured],
    controls: tuple[Control, ...],
    instruments: tuple[UsedContract, ...],
) -> Report:
    found = [apply_gate(m.findings, controls, m.family.name) for m in measured if m.findings is not None]
    partials = [m.partial for m in measured]
    report = Report(
        experiment=experiment.slug,
        data_digest=experiment.digests.data,
        source_digest=experiment.digests.source,
        families=tuple(m.family.name for m in measured),
        estimates=tuple(sorted((e for f in found for e in f.estimates), key=lambda e: e.id)),
        funnels=tuple(x for f in found for x in f.funnels),
        series=tuple(x for f in found for x in f.series),
        grids=tuple(x for f in found for x in f.grids),
        points=tuple(x for f in found for x in f.points),
        checks=tuple(x for f in found for x in f.checks),
        comparisons=tuple(sorted((c for f in found for c in f.comparisons), key=lambda c: c.id)),
        controls=controls,
        costs=tuple(_costs(measured, controls, context)),
        problems=_in_order(
            (
                *experiment.problems,
                *(experiment.pack.problems if experiment.pack else ()),
                *(p for part in partials for p in part.problems),
            )
        ),
        findings=_in_order(
            (
                *_not_records(experiment, frozenset().union(*(part.beside for part in partials))),
                *doubts(controls),
                *_settings(measured, controls, experiment),
                *(p for part in partials for p in part.findings),
                *(p for part in partials for p in part.numbered.conflicts()),
                *_look_alikes(partials),
            ),
        ),
        contracts=instruments,
        unknown_fields=tuple(
            (m.family.name, tuple(sorted(m.partial.unknown_fields)))
            for m in measured
            if m.partial.unknown_fields
        ),
        records=sum(part.records for part in partials),
        duplicates=sum(part.duplicates for part in partials),
        redacted=tuple(sorted(experiment.digests.redacted.items())),
        headline=experiment.settings.headline,
        words=tuple((m.family.name, m.family.words) for m in measured if m.family.words is not None),
    )
    refuse_unknown_headline(report.headline, report.estimates, experiment.stated)
    tree = None if context.pack is None else context.pack.digest
    reports = score_reports(
        instruments,
        report.estimates,
        controls,
        experiment=experiment.slug,
        data_digest=experiment.digests.data,
        tree=tree,
        packages={c.digest: packages_of(c) for c in experiment.contracts},
    )
    return replace(report, score_reports=reports)


def _costs(measured: Sequence[Measured], controls: Sequence[Control], context: Context) -> Iterator[CostRow]:
    reasons = [why_withheld(controls, m.family.name) for m in measured]
    shown = [m.partial.costs for m, why in zip(measured, reasons, strict=True) if why is None]
    hidden = [(m.partial.costs, why) for m, why in zip(measured, reasons, strict=True) if why is not None]
    yield from cost_rows(shown, hidden, context)


def _not_records(experiment: Experiment, beside: frozenset[str]) -> Iterator[Problem]:
    """Files that hold no records that are read here: listed with the reason, so that no log is passed over.

    Args:
        experiment: Whose files they are.
        beside: Paths of files that were read for the sake of others.
    """
    if not experiment.not_records:
        return
    from metrics_core.adapters.transcripts import is_shown  # every format's, and only where files are left

    format_ = experiment.adapter.format if experiment.adapter is not None else ""
    for path, other in experiment.not_records.items():
        if path in beside or is_shown(format_, path, experiment.entries):
            continue
        if other is None:
            why = "holds no records by its name, and is not read"
        elif other:
            why = f"is of the format {other}, and is not read: this folder is read as {format_}"
            why += f" (by itself: {shlex.join(['assay', 'compute', printable(path)])})"
        else:
            why = f"is no file of the format {format_}, as which this folder is read: it is not read"
        yield Problem(experiment.redactor.clean_text(printable(path))[0], None, "", why)


def _settings(
    measured: Sequence[Measured], controls: Iterable[Control], experiment: Experiment
) -> Iterator[Problem]:
    """Settings that name nothing here, and keys of clusters that are not nested."""
    occurring = {name for each in measured for name in each.partial.names}
    gates = {gate for each in measured for gate in each.family.gates}
    occurring |= {("gates", control.name) for control in controls if control.name in gates}
    yield from names_nothing(experiment.settings, experiment.stated, occurring)
    found = [crossed(m.partial.clusters, experiment.settings.cluster, experiment.stated) for m in measured]
    yield from dict.fromkeys(problem for each in found for problem in each)


def _look_alikes(partials: Iterable[Partial]) -> Iterator[Problem]:
    """Names of arms, tasks and whatever else runs are kept apart by, that a reader takes for one another."""
    cells = [cell for part in partials for cell in part.cells]
    names: dict[str, set[str]] = defaultdict(set)
    if cells:
        names["metric"].update({metric for metric, _, _ in cells})
    for key, name in chain(*{stratum for _, stratum, _ in cells}, *{keys for _, _, keys in cells}):
        names[key].add(name)
    for key in sorted(names):
        yield from (Problem(key, None, "", told(group)) for group in look_alikes(names[key]))


def _in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda p: (p.file, p.line or 0, p.field, p.what)))
