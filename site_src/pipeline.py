"""From experiment folders to a site: ``build`` is the whole way, readable from top to bottom.

Data runs one way: folders -> experiments -> reports -> gate -> pages and data -> one swap. Each step
stands in its own module; nothing is computed here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import metrics_core as mc
from metrics_core import engine, pricing
from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import ConfigError
from metrics_core.folder import Experiment
from metrics_core.pricing import PriceTable
from metrics_core.records import WRITTEN
from metrics_core.redact import Redactor
from metrics_core.regular_files import printable
from metrics_core.report import Report
from site_src import content, downloads, evidence, gate, leaks, made_again, paths, publish, site_config
from site_src.content import Authored
from site_src.publish import Manifest
from site_src.render import assets, render
from site_src.site_config import SiteConfig
from site_src.site_file import SiteFile
from site_src.version import VERSION
from site_src.views.inputs import BuildInfo, RecordType, SiteExperiment
from site_src.views.pages import site

Tell = Callable[[str, int, int | None], None]
"""Told how far a long step has come: what, how many are done, of how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to build.

    Attributes:
        content: Folder of ``site.yaml``, pages, prices and the ledger; None builds without any.
        experiments: Folders; empty takes those that ``site.yaml`` lists.
        output: Folder of the site.
        strict: A control that failed or is missing, and then any other problem, stops the build.
        publishing: Strict, and a contract that no ledger knows stops it as well.
        fail_on_invalid: The first invalid record stops the build.
        redactor: Takes secrets and traces of this machine out of whatever is published.
    """

    content: Path | None
    experiments: tuple[Path, ...] = ()
    output: Path
    strict: bool = False
    publishing: bool = False
    fail_on_invalid: bool = False
    redactor: Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Everything that was read, before anything is measured."""

    config: SiteConfig
    authored: tuple[Authored, ...]
    tables: tuple[tuple[PriceTable, bytes], ...]
    experiments: tuple[Experiment, ...]
    ledger: bytes | None

    @property
    def prices(self) -> tuple[PriceTable, ...]:
        """The site's price tables, without their bytes."""
        return tuple(table for table, _ in self.tables)


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a build came to: the manifest, the reports it shows, and what a publisher must be told."""

    manifest: Manifest
    reports: tuple[Report, ...]
    notes: tuple[str, ...]


def build(
    plan: Plan, tell: Tell = lambda what, done, total: None, waiting: Callable[[], None] = lambda: None
) -> Built:
    """Experiment folders in, a site out; nothing is written before every gate was passed.

    Raises:
        AssayError: With its exit code; the earlier site stands as it was.
    """
    sources = read(plan)
    _refuse_output_among_inputs(plan, sources)
    reports = measure(sources, tell)
    notes = hold(plan, sources, reports)
    files = leaks.screened(site_files(sources, reports, tell), plan.redactor)
    manifest = publish.swap(files, plan.output, waiting=waiting)
    return Built(manifest=manifest, reports=reports, notes=notes)


def _refuse_output_among_inputs(plan: Plan, sources: Sources) -> None:
    """A site among its own inputs would be read by the next build, and change every digest."""
    output = Path(os.path.realpath(plan.output))
    inputs = [Path(os.path.realpath(experiment.root)) for experiment in sources.experiments]
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


def hold(plan: Plan, sources: Sources, reports: Sequence[Report]) -> tuple[str, ...]:
    """Pass the gates that a plan asks for; see `site_src.gate.hold`."""
    return gate.hold(
        reports,
        sources.ledger,
        strict=plan.strict,
        publishing=plan.publishing,
        fail_on_invalid=plan.fail_on_invalid,
    )


def read(plan: Plan) -> Sources:
    """Read settings, prose, prices and experiments; measure nothing."""
    if plan.content is None:
        return Sources(
            config=SiteConfig(),
            authored=(),
            tables=(),
            experiments=_loaded(plan.experiments, plan),
            ledger=None,
        )
    if not plan.content.is_dir():
        raise ConfigError("there is no such content folder", where=printable(str(plan.content)))
    settings, lock = plan.content / "site.yaml", plan.content / "contracts.lock"
    config = site_config.read(settings.read_bytes(), "site.yaml") if settings.is_file() else SiteConfig()
    return Sources(
        config=config,
        authored=content.read(plan.content),
        tables=price_tables(plan.content, config),
        experiments=_loaded(plan.experiments or listed(plan.content, config), plan),
        ledger=lock.read_bytes() if lock.is_file() else None,
    )


def measure(sources: Sources, tell: Tell = lambda what, done, total: None) -> tuple[Report, ...]:
    """The report of each experiment, in the order of their names."""
    reports = []
    for number, experiment in enumerate(sources.experiments):
        tell("measuring", number, len(sources.experiments))
        reports.append(mc.compute(experiment, sources.prices))
    return tuple(reports)


def site_files(sources: Sources, reports: Sequence[Report], tell: Tell) -> Iterator[SiteFile]:
    """Every file of the site, one after another: pages, data, records, and the index of them all."""
    shown = [site_experiment(e, r, sources.prices) for e, r in zip(sources.experiments, reports, strict=True)]
    info = build_info(sources, reports)
    pages = []
    for number, page in enumerate(site(shown, sources.authored, info)):
        tell("writing pages", number, None)
        pages.append(page.to_json())
        yield SiteFile(page.path, render(page))
        yield from page.files
    yield from assets(f"{info.site.title} · assay {info.version}")
    yield from downloads.documents(reports, info.records, info.site)
    yield from downloads.tables(reports, (review for x in shown for review in x.reviews()))
    yield from downloads.sources({d: files for x in shown for d, files in x.sources.items()})
    for experiment in sources.experiments:
        yield from evidence.files(experiment)
    yield from evidence.price_files(list(sources.tables))
    yield made_again.inputs(sources.config, sources.authored)
    yield downloads.site_index(pages, shown, info)


def site_experiment(experiment: Experiment, report: Report, tables: Sequence[PriceTable]) -> SiteExperiment:
    """One experiment as its pages see it."""
    return SiteExperiment(
        report=report,
        title=experiment.title,
        description=experiment.description,
        settings=experiment.settings.words(),
        files=evidence.raw_files(experiment),
        pack=experiment.pack,
        prices=(*experiment.prices, *tables),
        sources=engine.instrument_files(report, experiment),
        reviews=lambda: engine.reviews(experiment, tables),
        control_files=tuple(sorted(experiment.controls.items())),
    )


def build_info(sources: Sources, reports: Sequence[Report]) -> BuildInfo:
    """What each page says of the build it belongs to: a digest over everything that went in."""
    inputs = {
        "version": VERSION,
        "experiments": {r.experiment: [r.data_digest, [c.ref.digest for c in r.contracts]] for r in reports},
        "prices": [of_bytes(data) for _, data in sources.tables],
        "pages": [[a.path, str(a.prose), a.title, a.lede] for a in sources.authored],
        "site": repr(made_again.public(sources.config)),
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
            for name, folder, struct in engine.record_types()
        ),
        dictionary_date=WRITTEN,
        downloads=downloads.listed(reports),
    )


def listed(folder: Path, config: SiteConfig) -> tuple[Path, ...]:
    """Experiment folders that the settings list, in the order of their names."""
    found = {path for path in _matching(folder, config.experiments, "experiments") if path.is_dir()}
    return tuple(sorted(path for path in found if not path.name.startswith(".")))


def price_tables(folder: Path, config: SiteConfig) -> tuple[tuple[PriceTable, bytes], ...]:
    """The site's price tables, in the order of their dates."""
    found = sorted({path for path in _matching(folder, config.pricing, "pricing") if path.is_file()})
    tables = []
    for path in found:
        data = path.read_bytes()
        tables.append((pricing.read(data, path.relative_to(folder).as_posix()), data))
    return tuple(sorted(tables, key=lambda row: (row[0].fetched, row[0].name)))


def _matching(folder: Path, patterns: Sequence[str], key: str) -> Iterator[Path]:
    for pattern in patterns:
        try:
            yield from folder.glob(pattern)
        except (ValueError, IndexError, NotImplementedError) as bad:
            raise ConfigError(
                f"{pattern!r} is no pattern of paths below the content folder",
                where=f"site.yaml#/{key}",
                hint="such as experiments/*",
            ) from bad


def _loaded(folders: Sequence[Path], plan: Plan) -> tuple[Experiment, ...]:
    """Every experiment, in the order of their names; two of one name are refused."""
    if not folders:
        raise ConfigError(
            "no experiment to build",
            where="site.yaml#/experiments",
            hint="list folders there, or name them with --experiments",
        )
    found: dict[str, Experiment] = {}
    for folder in folders:
        experiment = mc.load(folder, redactor=plan.redactor)
        if experiment.slug in found:
            raise ConfigError(
                "two experiments have this name",
                where=experiment.slug,
                hint="rename one folder: ids and addresses begin with it",
            )
        found[experiment.slug] = experiment
    return tuple(found[name] for name in sorted(found))
