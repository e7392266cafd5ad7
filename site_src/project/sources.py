"""Everything that a site is made from, read before anything is measured.

Does: find the experiment folders, price tables, prose and the ledger that a plan names, and read them. Does
not: measure, or make pages.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field, structs

import metrics_core as mc
from metrics_core.contracts import Lockfile, lockfile
from metrics_core.errors import AssayError, ConfigError, InputError, PublishError
from metrics_core.execution import EngineChoice
from metrics_core.experiments import Address, Experiment, Place, printable, read_price_table, slug
from metrics_core.formats import Document, strict_yaml
from metrics_core.pricing import PriceTable
from metrics_core.redaction import Redactor
from metrics_core.text import visible
from site_src import paths
from site_src.project import site_config
from site_src.project.error_places import Told, each_made, told_of
from site_src.project.ledger import package_ledger
from site_src.project.recompute import Recompute, recompute_of
from site_src.project.registrations import Registration, registrations
from site_src.project.site_config import SiteConfig
from site_src.project.site_model import WithheldExperiment

if TYPE_CHECKING:
    from site_src.project.content import Authored

ContentFile = tuple[str, bytes]
"""A file of the content folder that is published as it stands: its name within its own folder, its bytes."""

Load = Callable[[Place], Experiment]
"""Reads one experiment's folder."""


class Plan(Struct, frozen=True, kw_only=True):
    """What to build.

    Attributes:
        content: Folder of ``site.yaml``, pages, prices and the ledger; None builds without any.
        experiments: Folders, files or addresses; empty takes those that ``site.yaml`` lists.
        output: Folder of the site.
        strict: A control that failed or is missing, and then any other problem, stops the build.
        publishing: Strict, and a contract that no ledger knows stops it as well.
        fail_on_invalid: The first invalid record stops the build.
        package_ledger: In place of the ledger that the package ships, for whoever calls this program with an
            edited core, such as its tests; no command sets it. None for the shipped one.
        date: ISO day of a publication, for its edition; ``why`` are the publisher's words for it.
        redactor: Takes secrets and traces of this machine out of whatever is published.
        settings: What is added to the settings of each experiment, as `experiment.yaml` would state it.
        flags: The flags that gave ``settings``, word by word.
        project: Folder that commands are run in, where there is no content folder; else its parent is.
        run_pages: False leaves out the pages of runs and tasks, whatever ``site.yaml`` says.
        engine: Who counts records; the site is the same whoever does.
    """

    content: Path | None
    experiments: tuple[Place, ...] = ()
    output: Path
    strict: bool = False
    publishing: bool = False
    fail_on_invalid: bool = False
    package_ledger: Lockfile | None = None
    date: str = ""
    why: str = ""
    redactor: Redactor
    settings: Mapping[str, Any] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    project: Path | None = None
    run_pages: bool = True
    engine: EngineChoice = field(default_factory=EngineChoice)


class Sources(Struct, frozen=True, kw_only=True):
    """Everything that was read, before anything is measured.

    ``ledger`` is the site's own, ``package_ledger`` the one of the package's contracts; ``stated`` is where
    each setting stands; ``registrations`` is what git says of decisions, by their files; ``recompute`` tells
    of each experiment, by its name, what computes it again.
    """

    config: SiteConfig
    stated: Document = field(default_factory=lambda: Document("site.yaml", {}, {}))
    authored: tuple[Authored, ...]
    tables: tuple[tuple[PriceTable, bytes], ...]
    experiments: tuple[Experiment, ...]
    ledger: bytes | None
    package_ledger: Lockfile = field(default_factory=lockfile.package_ledger)
    decisions: tuple[ContentFile, ...] = ()
    editions: tuple[ContentFile, ...] = ()
    withheld: tuple[WithheldExperiment, ...] = ()
    registrations: Mapping[str, Registration] = field(default_factory=dict)
    recompute: Mapping[str, Recompute] = field(default_factory=dict)

    @property
    def prices(self) -> tuple[PriceTable, ...]:
        """The site's price tables, without their bytes."""
        return tuple(table for table, _ in self.tables)

    def recompute_of(self, experiment: Experiment) -> Recompute:
        """What computes one of its experiments again; its name alone where nobody said where it lies."""
        return self.recompute.get(
            experiment.slug, Recompute(words=(experiment.name,), elsewhere=experiment.name)
        )


def read(
    plan: Plan, load: Load | None = None, *, withholding: bool = False, told: Told | None = None
) -> Sources:
    """Read settings, prose, prices and experiments; measure nothing.

    Args:
        plan: What to read.
        load: Reads an experiment's folder; a preview gives one that remembers folders that did not change.
        withholding: One experiment of several that cannot be read is withheld; else its error is raised.
        told: Called with the error of whatever cannot be read and is left out; None raises the first but for
            those of experiments that are withheld.
    """
    from site_src.project import content  # with its Markdown, for which reading a price table need not wait

    load = load or partial(_sealed, plan.redactor, plan.settings)
    withheld: list[WithheldExperiment] = []

    def withhold(path: Place, error: AssayError) -> None:
        if told is not None:
            told(error)
        withheld.append(withheld_for(path, error, plan.redactor))

    if plan.content is None:
        experiments = _loaded(plan.experiments, load, withhold if withholding else None)
        return Sources(
            config=SiteConfig(run_pages=plan.run_pages),
            authored=(),
            tables=(),
            experiments=experiments,
            ledger=None,
            package_ledger=ledger_of(plan),
            withheld=tuple(withheld),
            recompute=_recompute(plan, experiments),
        )
    if not plan.content.is_dir():
        raise ConfigError("there is no such content folder", where=printable(str(plan.content)))
    settings, lock = plan.content / "site.yaml", plan.content / "contracts.lock"
    data = _where_there(settings) or b""
    config, stated = _settings(data)
    config = structs.replace(config, run_pages=config.run_pages and plan.run_pages)
    experiments = _loaded(
        plan.experiments or listed(plan.content, config), load, withhold if withholding else None
    )
    decisions = tuple(_kept(plan.content, "decisions", (".md",), told))
    return Sources(
        config=config,
        stated=stated,
        authored=content.read(plan.content, told),
        tables=price_tables(plan.content, config, told),
        experiments=experiments,
        ledger=_where_there(lock),
        package_ledger=ledger_of(plan),
        decisions=decisions,
        editions=tuple(_kept(plan.content, "editions", (".json", ".yaml"), told)),
        withheld=tuple(withheld),
        registrations=registrations(plan.content / "decisions", decisions),
        recompute=_recompute(plan, experiments),
    )


@lru_cache(maxsize=1 << 4)
def _settings(data: bytes) -> tuple[SiteConfig, Document]:
    """The settings of a site, and where each of them stands."""
    return site_config.read(data, "site.yaml"), strict_yaml.parse(data, "site.yaml")


_price_table = lru_cache(maxsize=1 << 8)(read_price_table)
"""A preview reads them after every save, and few of them are what was saved."""


def _where_there(path: Path) -> bytes | None:
    """A file that may be missing; what stands in its place and is none is an error, and no default.

    Raises:
        InputError: It is a folder, a pipe or the like.
    """
    if path.is_file():
        return path.read_bytes()
    if os.path.lexists(path):
        raise InputError("expected a file, got something else", where=printable(path.name))
    return None


def _recompute(plan: Plan, experiments: Sequence[Experiment]) -> dict[str, Recompute]:
    project = plan.project if plan.content is None else plan.content.absolute().parent
    return {
        e.slug: recompute_of(e, project, plan.content and plan.content.absolute(), plan.flags, plan.redactor)
        for e in experiments
    }


def ledger_of(plan: Plan) -> Lockfile:
    """The digests of the package's own contracts, for one plan: no variable decides for a publication.

    Raises:
        FormatError: The file that the environment names is no ledger.
        OSError: There is no such file.
    """
    if plan.package_ledger is not None:
        return plan.package_ledger
    return lockfile.package_ledger() if plan.publishing else package_ledger()


def _kept(content: Path, folder: str, suffixes: tuple[str, ...], told: Told | None) -> Iterator[ContentFile]:
    """Files of one folder of the content, by name."""
    found = (path for path in sorted((content / folder).glob("*")) if path.suffix in suffixes)
    shown = (path for path in found if not path.name.startswith((".", "_")))
    return each_made(partial(_kept_file, content), shown, told)


def _kept_file(content: Path, path: Path) -> ContentFile:
    """One file, whose name becomes an address, so that it must be safe."""
    where = f"{path.parent.name}/{printable(path.name)}"
    if not path.is_file() or not path.resolve().is_relative_to(content.resolve()):
        raise InputError("not a regular file inside the content folder", where=where)
    if paths.slug(path.stem) != path.stem:
        raise ConfigError(
            "the name of this file becomes an address, and is none",
            where=where,
            hint=f"lower-case letters, digits and single hyphens, such as {paths.slug(path.stem)}",
        )
    return path.name, path.read_bytes()


def listed(folder: Path, config: SiteConfig) -> tuple[Place, ...]:
    """Experiment folders that the settings list, in the order of their names; then addresses.

    Raises:
        ConfigError: A pattern is none, or an address is none that is read.
    """
    patterns = [pattern for pattern in config.experiments if "://" not in pattern]
    found = {path for path in _matching(folder, patterns, "experiments") if path.is_dir()}
    try:
        addresses = {Address.of(each) for each in config.experiments if "://" in each}
    except InputError as error:
        raise ConfigError(error.problem, where="site.yaml#/experiments", hint=error.hint) from error
    return (*sorted(path for path in found if not path.name.startswith(".")), *sorted(addresses))


def price_tables(
    folder: Path, config: SiteConfig, told: Told | None = None
) -> tuple[tuple[PriceTable, bytes], ...]:
    """The site's price tables, in the order of their dates.

    Args:
        folder: The content folder.
        config: Names them.
        told: Called with the error of each that cannot be read; None raises the first.
    """
    found = sorted({path for path in _matching(folder, config.pricing, "pricing") if path.is_file()})

    def read_one(path: Path) -> tuple[PriceTable, bytes]:
        data = path.read_bytes()
        return _price_table(data, path.relative_to(folder).as_posix()), data

    return tuple(sorted(each_made(read_one, found, told), key=lambda row: (row[0].fetched, row[0].name)))


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


def _sealed(redactor: Redactor, settings: Mapping[str, Any], path: Place) -> Experiment:
    """An experiment with the digests of its files, all of which the site publishes."""
    with told_of(path):
        return mc.load(path, redactor=redactor, settings=settings).with_snapshot()


def withheld_for(path: Place, error: AssayError, redactor: Redactor) -> WithheldExperiment:
    """What stands in the place of an experiment that cannot be shown.

    Args:
        path: Its folder, its file, or its address.
        error: Why.
        redactor: Takes secrets and traces of this machine out of what is said.

    Raises:
        PublishError: The error itself, where it says that something may not leave this machine.
    """
    if isinstance(error, PublishError):
        raise error
    name = printable(path.name)
    _, found, rest = error.where.rpartition(name)
    told = visible(f"{name}{rest if found else f': {error.where}'}: {error.problem}", escaped=True)
    return WithheldExperiment(name=slug(path.name), title=name, problem=redactor.clean_text(told)[0])


def _loaded(
    folders: Sequence[Place], load: Load, withhold: Callable[[Place, AssayError], None] | None = None
) -> tuple[Experiment, ...]:
    """Every experiment, in the order of their names; two of one name are refused, and so is none at all."""
    if not folders:
        raise ConfigError(
            "no experiment to build",
            where="site.yaml#/experiments",
            hint="list folders there, or name them with --experiments",
        )
    found: dict[str, Experiment] = {}
    first: AssayError | None = None
    for folder in folders:
        try:
            experiment = load(folder)
        except AssayError as error:
            if withhold is None:
                raise
            withhold(folder, error)
            first = first or error
            continue
        if experiment.slug in found:
            raise ConfigError(
                "two experiments have this name",
                where=experiment.slug,
                hint="rename one folder: ids and addresses begin with it",
            )
        found[experiment.slug] = experiment
    if first is not None and not found:
        raise first
    return tuple(found[name] for name in sorted(found))
