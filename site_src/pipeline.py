"""From experiment folders to a site: ``build`` is the whole way, and each of its steps a function below it.

Data runs one way: load -> measure -> gate -> model -> pages -> publish. A step says what goes in and comes
out; its work stands in the modules it calls, and nothing is computed here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict, replace

import metrics_core as mc
from metrics_core import api
from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import AssayError, ConfigError, EngineError, FixtureError
from metrics_core.execution import Engine
from metrics_core.experiments import Experiment, printable, refuse_unknown_headline
from metrics_core.formats import WRITTEN
from metrics_core.memo import Memo
from metrics_core.pricing import PriceTable
from metrics_core.results import Report, Rule
from site_src import paths
from site_src.decisions import JudgedDecision
from site_src.installed import VERSION
from site_src.pages import site_state
from site_src.pages.editions import next_edition as editions
from site_src.pages.runs import RunLists
from site_src.project import (
    BuildInfo,
    KeptRuns,
    Plan,
    RecordType,
    SiteExperiment,
    SiteFile,
    Sources,
    Told,
    read,
    refuse_unknown_series,
    told_of,
    withheld_for,
)
from site_src.publishing import (
    Keeper,
    Manifest,
    Progress,
    SiteFiles,
    downloads,
    edition_record,
    gates,
    hosting,
    kept_files,
    leaks,
    prose_gates,
    published_inputs,
    raw_data,
    writer,
)

MOST_RUNS = 1_000
"""Records of an experiment whose runs a build keeps in memory."""
MOST_BYTES = 16 * 2**20
"""Bytes of its files, beyond which they are read anew for each pass."""

SMALL = 8 * 2**20
"""Bytes of an experiment that is measured as one task where several are: a larger one is cut into more."""

Compute = Callable[[Experiment, Sequence[PriceTable]], Report]
"""Measures one experiment, with the site's price tables at hand."""

KeptOrNow = Callable[[Experiment, Sequence[PriceTable], Engine], Report]
"""The same, or what it came to before over the same inputs; an engine counts what is measured now."""

Show = Callable[[Experiment, Report, Sequence[PriceTable], Rule], SiteExperiment]
"""Gives one experiment as its pages see it, under the site's rule of separation."""

Recall = Callable[[Sequence[JudgedDecision], Sequence[SiteExperiment]], Sequence[JudgedDecision]]
"""The same decisions; what was found out for one of their claims before is not found out again."""


class Built(Struct, frozen=True, kw_only=True):
    """What a build came to: the manifest, the reports it shows, and notes for the publisher.

    ``edition`` is the record of a publication, to be kept in the content folder; None where nothing is new.
    ``repeatable`` is False where an experiment is withheld or a contract's process crashed: what stood in the
    way may be gone by the next build, though no input changed.
    """

    manifest: Manifest
    reports: tuple[Report, ...]
    notes: tuple[str, ...]
    edition: SiteFile | None = None
    repeatable: bool = True


def build(
    plan: Plan,
    progress: Progress = lambda what, done, total: None,
    waiting: Callable[[], None] = lambda: None,
    compute: KeptOrNow | None = None,
    keeper: Keeper | None = None,
) -> Built:
    """Experiment folders in, a site out; nothing is written before every gate was passed.

    Args:
        plan: What to build.
        progress: Called with how far it has come.
        waiting: Called where another build of the same site is under way.
        compute: Measures an experiment, or gives what it came to before over the same inputs; None measures
            each.
        keeper: Gives parts of the site as an earlier build left them.

    Raises:
        AssayError: With its exit code; the earlier site stands as it was.
    """
    notes = settle_records(plan)
    sources = load(plan, withholding=not plan.strict)
    kept_files.refuse_foreign(
        plan.output, sources.config.keep
    )  # before any work is done that would be in vain
    sources, reports = measure_each(plan, sources, progress, compute=compute)
    notes += tuple(f"withheld: {withheld.problem}" for withheld in sources.withheld)
    notes += gate(plan, sources, reports)
    notes += tuple(note for experiment in sources.experiments for note in leaks.taken_out(experiment))
    site = model(sources, reports, keeper=keeper)
    notes += prose_gates.check_prose(site, strict=plan.strict, publishing=plan.publishing)
    edition = next_edition(plan, site)
    if edition is not None:  # the site that is published knows its own number
        recorded = (edition.path.rpartition("/")[2], edition.data)
        site = model(replace(sources, editions=(*sources.editions, recorded)), reports)
    late: list[str] = []
    files = pages(plan, site, progress)
    if plan.publishing:
        files = hosting.linked(files, sources.config.keep)
    manifest = publish(plan, files, edition, waiting, keep=sources.config.keep, told=late.append)
    return Built(
        manifest=manifest,
        reports=reports,
        notes=(*notes, *late),
        edition=edition,
        repeatable=not late and is_repeatable(sources, reports),
    )


def is_repeatable(sources: Sources, reports: Sequence[Report]) -> bool:
    """Whether the same inputs give the same site: none is withheld, no contract's process crashed."""
    crashed = any(c.name == "scorer" and c.state == "failed" for r in reports for c in r.controls)
    return not sources.withheld and not crashed


def settle_records(plan: Plan) -> tuple[str, ...]:
    """Decide on records of editions that were left pending, where a publication asks; else say that they are.

    Returns:
        What was done or is to be known, a sentence each.
    """
    if plan.content is None:
        return ()
    return edition_record.settle(plan.content) if plan.publishing else edition_record.unsettled(plan.content)


def load(plan: Plan, *, withholding: bool = False, told: Told | None = None) -> Sources:
    """Read settings, prose, decisions, prices and the ledger, and find the experiments; nothing is measured.

    Args:
        plan: What to build.
        withholding: One experiment of several that cannot be read is withheld; else its error is raised.
        told: Called with each error of what cannot be read, in place of raising the first.

    Raises:
        AssayError: Something cannot be read, or the site would lie among its own inputs.
    """
    sources = read(plan, withholding=withholding, told=told)
    _refuse_output_among_inputs(plan, sources)
    return sources


def measure(
    sources: Sources, progress: Progress = lambda what, done, total: None, compute: Compute = mc.compute
) -> tuple[Report, ...]:
    """Test every instrument, then measure: the report of each experiment, in the order of their names.

    Args:
        sources: What was read.
        progress: Called with how far it has come.
        compute: Measures an experiment; a preview gives one that remembers what did not change.
    """
    reports = []
    for number, experiment in enumerate(sources.experiments):
        progress(f"measuring {experiment.slug}", number, len(sources.experiments))
        with told_of(experiment.path):
            reports.append(compute(experiment, sources.prices))
    return tuple(reports)


def measure_each(
    plan: Plan,
    sources: Sources,
    progress: Progress = lambda what, done, total: None,
    told: Told | None = None,
    compute: KeptOrNow | None = None,
) -> tuple[Sources, tuple[Report, ...]]:
    """Test every instrument, then measure: the report of each experiment that can be measured.

    One of several that cannot is withheld, unless the plan is strict; an instrument that fails its golden
    fixtures stops the build, unless errors are to be told.

    Args:
        plan: What to build.
        sources: What was read.
        progress: Called with how far it has come.
        told: Called with the error of each that cannot be measured.
        compute: As `build` takes it.

    Returns:
        The sources without such experiments, and the reports of the others.

    Raises:
        AssayError: None could be measured; the plan is strict; or something may not leave this machine.
    """
    measured: list[tuple[Experiment, Report]] = []
    withheld = list(sources.withheld)
    first: AssayError | None = None
    with plan.engine.started(sum(experiment.size for experiment in sources.experiments)) as engine:
        one = _small_ones_together(sources, engine) if compute is None else _kept_or_now(compute, engine)
        for number, experiment in enumerate(sources.experiments):
            progress(f"measuring {experiment.slug}", number, len(sources.experiments))
            alone = replace(sources, experiments=(experiment,))
            try:
                measured += zip([experiment], measure(alone, compute=one), strict=True)
            except EngineError:
                raise
            except AssayError as error:
                if told is not None:
                    told(error)
                elif plan.strict or isinstance(error, FixtureError):
                    raise
                withheld.append(withheld_for(experiment.path, error, plan.redactor))
                first = first or error
    if first is not None and not measured:
        raise first
    left = replace(
        sources,
        experiments=tuple(experiment for experiment, _ in measured),
        withheld=tuple(sorted(withheld, key=lambda each: each.name)),
    )
    return left, tuple(report for _, report in measured)


def _kept_or_now(compute: KeptOrNow, engine: Engine) -> Compute:
    """What gives a kept report, or has the engine measure."""
    return lambda experiment, tables: compute(experiment, tables, engine)


def _small_ones_together(sources: Sources, engine: Engine) -> Compute:
    """What measures an experiment: of a large one the engine reads the records, small ones it has measured
    by then, each whole, several at the same time.

    An experiment with contracts of users is measured in this process, where its pages ask for scores again.
    """
    small = [x for x in sources.experiments if x.size < SMALL and not x.contracts]
    if engine.workers == 1 or len(small) < engine.workers:
        return partial(mc.compute, workers=engine)
    measured = dict(
        zip((x.slug for x in small), engine.map(api.attempted, sources.prices, small), strict=True)
    )

    def compute(experiment: Experiment, tables: Sequence[PriceTable]) -> Report:
        found = measured.get(experiment.slug)
        if isinstance(found, AssayError):
            raise found
        return found or mc.compute(experiment, tables, workers=engine)

    return compute


def gate(plan: Plan, sources: Sources, reports: Sequence[Report]) -> tuple[str, ...]:
    """Check the reports against the ledger and the gates that the plan asks for.

    What the command line says of the reading is for every experiment: one is refused in which nothing can be
    used by it.
    """
    for report in reports if plan.settings else ():
        if report.problems:
            gates.refuse_unusable(report, alone=len(reports) == 1)
    return gates.check_publication(
        reports,
        sources.ledger,
        package=sources.package_ledger,
        without_ledger=plan.content is None,
        strict=plan.strict,
        publishing=plan.publishing,
        fail_on_invalid=plan.fail_on_invalid,
    )


def model(
    sources: Sources,
    reports: Sequence[Report],
    run_lists: RunLists | None = None,
    show: Show | None = None,
    memo: Memo | None = None,
    keeper: Keeper | None = None,
    recall: Recall | None = None,
) -> SiteFiles:
    """Put together what the pages show: the site of these reports, each file of it ready to be made.

    Args:
        sources: What was read.
        reports: The report of each experiment, in their order.
        run_lists: Lists of runs that were made before.
        show: Gives an experiment as pages see it; a preview gives one that remembers.
        memo: Pictures that were made before.
        keeper: Gives parts of the site as an earlier build left them.
        recall: Knows what was found out for decisions before; a preview gives one.

    Raises:
        ConfigError: ``headline`` or ``series`` in `site.yaml` names nothing.
    """
    every = (e for report in reports for e in report.estimates)
    refuse_unknown_headline(sources.config.headline, every, sources.stated)
    names = [experiment.slug for experiment in sources.experiments]
    refuse_unknown_series(sources.config.series, names, sources.stated)
    show = show or site_experiment
    pairs = zip(sources.experiments, reports, strict=True)
    shown = [show(e, r, sources.prices, sources.config.separation) for e, r in pairs]
    info = build_info(sources, reports)
    state = site_state(sources, shown)
    if recall is not None:
        state = replace(state, decisions=tuple(recall(state.decisions, shown)))
    return SiteFiles(sources, reports, shown, info, state, run_lists, memo, keeper)


def _ruled(experiment: Experiment, report: Report, rule: Rule) -> Report:
    """The report as its pages read it: by the site's rule of separation, where the experiment sets none.

    Both verdicts are in every report; its published JSON stays as it was computed.
    """
    if experiment.settings.separation is not None or rule == "overlap":
        return report
    return replace(report, comparisons=tuple(c.under(rule) for c in report.comparisons))


def pages(
    plan: Plan,
    site: SiteFiles,
    progress: Progress = lambda what, done, total: None,
    told: Told | None = None,
) -> Iterator[SiteFile]:
    """Make every file of the site, one after another; each is searched for secrets before it is given.

    Args:
        plan: What to build.
        site: What is made.
        progress: Called with how far it has come.
        told: Called with each error of a page that cannot be made, or of a file that may not leave.

    Raises:
        LeakError: A secret, or a trace of this machine, stands in one.
    """
    files = site.files(progress, told, plan.engine.copies(), leaks.looked_through(plan.redactor))
    return leaks.screened(files, plan.redactor, told)


def publish(
    plan: Plan,
    files: Iterable[SiteFile],
    edition: SiteFile | None = None,
    waiting: Callable[[], None] = lambda: None,
    *,
    keep: Sequence[str] = (),
    told: Callable[[str], None] = lambda note: None,
) -> Manifest:
    """Write the files beside the earlier site and change places in one swap; keep the edition's record.

    Args:
        plan: What to build.
        files: Every file of the site.
        edition: Record of a publication; it is kept only where the site was written.
        waiting: Called where another build of the same site is under way.
        keep: Patterns of files of the earlier site that are carried over.
        told: Called with what could not be put in order once the new site stood.
    """
    around = edition_record.recorded(edition, plan.content, plan.output, told)
    return writer.swap(files, plan.output, keep=keep, waiting=waiting, around=around, told=told)


def next_edition(plan: Plan, site: SiteFiles) -> SiteFile | None:
    """The edition that a publication records, within the content folder; None where nothing is new."""
    if not plan.publishing or plan.content is None:
        return None
    state = site.site_state
    return editions.next_edition(
        site.site.where, state.history, state.decisions_json, date=plan.date, why=plan.why
    )


def _refuse_output_among_inputs(plan: Plan, sources: Sources) -> None:
    """A site among its own inputs would be read by the next build, and change every digest."""
    output = Path(os.path.realpath(plan.output))
    on_disks = (e.path for e in sources.experiments if isinstance(e.path, Path))
    inputs = [Path(os.path.realpath(path)) for path in on_disks]
    within = [folder for folder in inputs if output.is_relative_to(folder)]
    if plan.content is not None:
        pages = Path(os.path.realpath(plan.content))
        inner = output.relative_to(pages).parts if output.is_relative_to(pages) else ("_",)
        within += [pages] if not inner or not inner[0].startswith((".", "_")) else []
    if within:
        raise ConfigError(
            f"the site would lie in {printable(within[0].name)}, which it is made from",
            where=printable(output.name),
            hint="choose an output folder elsewhere: nothing is written among the inputs",
        )


def site_experiment(
    experiment: Experiment,
    report: Report,
    tables: Sequence[PriceTable],
    rule: Rule = "overlap",
    *,
    kept: int = MOST_RUNS,
) -> SiteExperiment:
    """One experiment as its pages see it.

    Args:
        experiment: As it was loaded.
        report: Of it.
        tables: The site's price tables.
        rule: The site's rule of separation.
        kept: Records of an experiment whose runs are read once for all pages, not for each pass anew, where
            its files are small too.
    """
    report = _ruled(experiment, report, rule)
    runs = partial(api.reviews, experiment, tables, report)
    return SiteExperiment(
        report=report,
        title=experiment.title,
        description=experiment.description,
        settings=experiment.settings.words([f for found in experiment.families.values() for f in found]),
        files=raw_data.raw_files(experiment),
        unread=raw_data.unread_files(experiment),
        pack=experiment.pack,
        prices=(*experiment.prices, *tables),
        sources=api.instrument_files(report, experiment),
        reviews=KeptRuns(runs) if report.records <= kept and experiment.size <= MOST_BYTES else runs,
    )


def build_info(sources: Sources, reports: Sequence[Report]) -> BuildInfo:
    """What each page says of the build it belongs to: a digest over everything that went in."""
    registered = {name: asdict(known) for name, known in sorted(sources.registrations.items())}
    inputs = {
        "version": VERSION,
        "experiments": {r.experiment: [r.data_digest, [c.ref.digest for c in r.contracts]] for r in reports},
        "instruments": {x.slug: x.digests.instruments for x in sources.experiments},
        "prices": [of_bytes(data) for _, data in sources.tables],
        "written": of_bytes(published_inputs.inputs(sources.config, sources.authored, sources.withheld).data),
        "pictures": [[name, of_bytes(data)] for a in sources.authored for name, data in a.pictures],
        "decisions": [[name, of_bytes(data)] for name, data in sources.decisions],
        **({"registrations": registered} if registered else {}),
        "ledger": None if sources.ledger is None else of_bytes(sources.ledger),
        "gone": [[name, of_bytes(data)] for name, data in sources.editions if name.endswith(".yaml")],
    }
    digest = of_bytes(canonical(inputs))
    return BuildInfo(
        version=f"{VERSION}+{digest[7:15]}",
        digest=digest,
        site=sources.config,
        records=tuple(
            RecordType(
                name=name,
                folder=folder,
                struct=struct,
                schema_at=f"data/schemas/{paths.slug(name.lower())}.json",
            )
            for name, folder, struct in api.record_types()
        ),
        dictionary_date=WRITTEN,
        withheld=sources.withheld,
        downloads=downloads.listed(reports),
        recompute={e.slug: sources.recompute_of(e) for e in sources.experiments},
    )
