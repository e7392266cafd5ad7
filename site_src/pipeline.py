"""From experiment folders to a site: ``build`` is the whole way, and each of its steps a function below it.

Data runs one way: load -> measure -> gate -> model -> pages -> publish. A step says what goes in and comes
out; its work stands in the modules it calls, and nothing is computed here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import metrics_core as mc
from metrics_core import api
from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import ConfigError
from metrics_core.experiments import Experiment, printable, refuse_unknown_headline
from metrics_core.formats import WRITTEN
from metrics_core.memo import Memo
from metrics_core.pricing import PriceTable
from metrics_core.results import Report
from site_src import paths
from site_src.pages import site_state
from site_src.pages.editions import next_edition as editions
from site_src.pages.runs import RunLists
from site_src.project import (
    BuildInfo,
    Plan,
    RecordType,
    SiteConfig,
    SiteExperiment,
    SiteFile,
    Sources,
    read,
    refuse_unknown_series,
    safe_write,
)
from site_src.publishing import (
    Manifest,
    Progress,
    SiteFiles,
    downloads,
    gates,
    leaks,
    published_inputs,
    raw_data,
    writer,
)
from site_src.version import VERSION

Compute = Callable[[Experiment, Sequence[PriceTable]], Report]
"""Measures one experiment, with the site's price tables at hand."""

Show = Callable[[Experiment, Report, Sequence[PriceTable]], SiteExperiment]
"""Gives one experiment as its pages see it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a build came to: the manifest, the reports it shows, and notes for the publisher.

    ``edition`` is the record of a publication, to be kept in the content folder; None where nothing is new.
    """

    manifest: Manifest
    reports: tuple[Report, ...]
    notes: tuple[str, ...]
    edition: SiteFile | None = None


def build(
    plan: Plan,
    progress: Progress = lambda what, done, total: None,
    waiting: Callable[[], None] = lambda: None,
) -> Built:
    """Experiment folders in, a site out; nothing is written before every gate was passed.

    Args:
        plan: What to build.
        progress: Called with how far it has come.
        waiting: Called where another build of the same site is under way.

    Raises:
        AssayError: With its exit code; the earlier site stands as it was.
    """
    sources = load(plan)
    reports = measure(sources, progress)
    notes = gate(plan, sources, reports)
    notes += tuple(note for experiment in sources.experiments for note in leaks.taken_out(experiment))
    site = model(sources, reports)
    notes += gates.check_prose(site, strict=plan.strict, publishing=plan.publishing)
    edition = next_edition(plan, site)
    if edition is not None:  # the site that is published knows its own number
        recorded = (edition.path.rpartition("/")[2], edition.data)
        site = model(replace(sources, editions=(*sources.editions, recorded)), reports)
    manifest = publish(plan, pages(plan, site, progress), edition, waiting)
    return Built(manifest=manifest, reports=reports, notes=notes, edition=edition)


def load(plan: Plan) -> Sources:
    """Read settings, prose, decisions, prices and the ledger, and find the experiments; nothing is measured.

    Raises:
        AssayError: Something cannot be read, or the site would lie among its own inputs.
    """
    sources = read(plan)
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
        progress("measuring", number, len(sources.experiments))
        reports.append(compute(experiment, sources.prices))
    return tuple(reports)


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
) -> SiteFiles:
    """Put together what the pages show: the site of these reports, each file of it ready to be made.

    Args:
        sources: What was read.
        reports: The report of each experiment, in their order.
        run_lists: Lists of runs that were made before.
        show: Gives an experiment as pages see it; a preview gives one that remembers.
        memo: Pictures that were made before.

    Raises:
        ConfigError: ``headline`` or ``series`` in `site.yaml` names nothing.
    """
    every = (e for report in reports for e in report.estimates)
    refuse_unknown_headline(sources.config.headline, every, sources.stated)
    names = [experiment.slug for experiment in sources.experiments]
    refuse_unknown_series(sources.config.series, names, sources.stated)
    show = show or site_experiment
    pairs = zip(sources.experiments, reports, strict=True)
    shown = [show(e, _ruled(e, r, sources.config), sources.prices) for e, r in pairs]
    info = build_info(sources, reports)
    return SiteFiles(sources, reports, shown, info, site_state(sources, shown), run_lists, memo)


def _ruled(experiment: Experiment, report: Report, config: SiteConfig) -> Report:
    """The report as its pages read it: by the site's rule of separation, where the experiment sets none.

    Both verdicts are in every report; its published JSON stays as it was computed.
    """
    if experiment.settings.separation is not None or config.separation == "overlap":
        return report
    return replace(report, comparisons=tuple(c.under(config.separation) for c in report.comparisons))


def pages(
    plan: Plan, site: SiteFiles, progress: Progress = lambda what, done, total: None
) -> Iterator[SiteFile]:
    """Make every file of the site, one after another; each is searched for secrets before it is given.

    Raises:
        LeakError: A secret, or a trace of this machine, stands in one.
    """
    return leaks.screened(site.files(progress), plan.redactor)


def publish(
    plan: Plan,
    files: Iterable[SiteFile],
    edition: SiteFile | None = None,
    waiting: Callable[[], None] = lambda: None,
) -> Manifest:
    """Write the files beside the earlier site and change places in one swap; keep the edition's record.

    Args:
        plan: What to build.
        files: Every file of the site.
        edition: Record of a publication; it is kept only where the site was written.
        waiting: Called where another build of the same site is under way.
    """
    with safe_write.unless_it_fails([] if edition is None else [edition], plan.content):
        return writer.swap(files, plan.output, waiting=waiting)


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
    inputs = [Path(os.path.realpath(experiment.path)) for experiment in sources.experiments]
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


def site_experiment(experiment: Experiment, report: Report, tables: Sequence[PriceTable]) -> SiteExperiment:
    """One experiment as its pages see it."""
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
        reviews=lambda: api.reviews(experiment, tables, report),
    )


def build_info(sources: Sources, reports: Sequence[Report]) -> BuildInfo:
    """What each page says of the build it belongs to: a digest over everything that went in."""
    inputs = {
        "version": VERSION,
        "experiments": {r.experiment: [r.data_digest, [c.ref.digest for c in r.contracts]] for r in reports},
        "instruments": {x.slug: x.digests.instruments for x in sources.experiments},
        "prices": [of_bytes(data) for _, data in sources.tables],
        "written": of_bytes(published_inputs.inputs(sources.config, sources.authored).data),
        "pictures": [[name, of_bytes(data)] for a in sources.authored for name, data in a.pictures],
        "decisions": [[name, of_bytes(data)] for name, data in sources.decisions],
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
        downloads=downloads.listed(reports),
        recompute={e.slug: sources.recompute_of(e) for e in sources.experiments},
    )
