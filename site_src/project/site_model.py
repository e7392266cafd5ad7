"""What the pages are made from: finished reports, and what must stand beside them. Nothing is computed here.

Everything is handed in by the build, which is alone in knowing experiment folders and families. Texts
come as records wrote them (redacted, not escaped); they are escaped and made visible where a page is
rendered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import force_setattr

from metrics_core.contracts import Pack
from metrics_core.experiments import Settings
from metrics_core.formats import FieldMeaning, settings_meanings
from metrics_core.pricing import PriceTable
from metrics_core.results import PartlyCompared, Report, Review
from site_src import paths
from site_src.project.recompute import Recompute
from site_src.project.site_config import SiteConfig

R = TypeVar("R")


class RawFile(Struct, frozen=True, kw_only=True):
    """One file of an experiment as the site publishes it.

    Attributes:
        path: Within the experiment.
        size: Bytes.
        sha256: 64 hex digits of the published copy.
        at: Path within the site; empty where it is not published.
        holds_records: Whether a family reads it.
    """

    path: str
    size: int
    sha256: str
    at: str = ""
    holds_records: bool = False


class Download(Struct, frozen=True, kw_only=True):
    """A table or document for readers to take away.

    Attributes:
        at: Path within the site.
        title: What it is: "Estimates".
        form: In which form, where it has several: "CSV".
        about: One sentence: a row is what. Forms of one table share it, and stand in one row.
        rows: How many rows, as text; empty where it has none.
        size: Bytes, or None where that is not known before it is written.
    """

    at: str
    title: str
    about: str
    form: str = ""
    rows: str = ""
    size: int | None = None


class KeptRuns(Struct):
    """A pass over runs that reads them once and keeps them: for an experiment that has few.

    Args:
        read: A fresh pass over every run.
    """

    read: Callable[[], Iterator[Review]]
    _runs: tuple[Review, ...] | None = None

    def __call__(self) -> Iterator[Review]:
        """Every run, in the order in which it was read."""
        if self._runs is None:
            self._runs = tuple(self.read())
        return iter(self._runs)


class SiteExperiment(PartlyCompared, frozen=True, kw_only=True):
    """One experiment: its report, and what its pages show beside it.

    Attributes:
        report: What was computed.
        title: From ``experiment.yaml``, or the folder's name.
        description: One or two sentences of its publisher; may be empty.
        settings: What was set by hand in ``experiment.yaml``, in words: (setting, value).
        files: Raw files, sorted by path.
        pack: The frozen pack that its tasks come from, or None.
        prices: Tables at hand: the experiment's own first, then others, newest last.
        unread: Names of files of its folder that nothing read, and that are not published.
        sources: By contract digest, the instrument's files: path -> bytes.
        reviews: A pass over every run, in the order of files and lines.
    """

    UNCOMPARED = ("_made",)

    report: Report
    title: str
    description: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    files: tuple[RawFile, ...] = ()
    unread: tuple[str, ...] = ()
    pack: Pack | None = None
    prices: tuple[PriceTable, ...] = ()
    sources: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    reviews: Callable[[], Iterator[Review]] = lambda: iter(())
    _made: dict[Hashable, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        force_setattr(self, "_made", {})  # a copy with another report has nothing of this one

    def of_report(self, make: Callable[..., R], *more: Hashable) -> R:
        """What a function makes of its report, made once for all pages that ask for it.

        Args:
            make: Depends on the report and what else it is given alone, and gives what nobody changes.
            more: What else it is given.
        """
        key = (make, *more)
        if key not in self._made:
            self._made[key] = make(self.report, *more)
        found: R = self._made[key]
        return found

    def of_files(self, make: Callable[[Sequence[RawFile]], R]) -> R:
        """What a function makes of its raw files alone, made once for all pages that ask for it."""
        if make not in self._made:
            self._made[make] = make(self.files)
        found: R = self._made[make]
        return found

    def has_runs(self) -> bool:
        """Whether a single run has a page: reads the first, or all that are kept."""
        return next(self.reviews(), None) is not None

    @property
    def name(self) -> str:
        """The experiment's name, as estimate ids begin with it."""
        return self.report.experiment

    @property
    def slug(self) -> str:
        """Its folder within the site."""
        return paths.slug(self.name)


def of_all(
    experiments: Sequence[SiteExperiment], make: Callable[..., R], *more: Any, about: Hashable = None
) -> R:
    """What a function makes of several experiments, made once as long as these are the same objects.

    A site that is made again and again, as a preview does, has the same object of each experiment whose
    report and prices stay: what depends on these alone is made anew where one of them is another, or what
    else was given. The first experiment keeps the newest result of a function for each choice of experiments.

    Args:
        experiments: In an order that the result may depend on.
        make: A function of a module, of the experiments and what else it is given; it gives what nobody
            changes.
        more: What else it is given, compared with what it was given before.
        about: Tells results apart of which several are wanted, each of which is kept.

    >>> of_all((), lambda found, more: (len(found), more), "a")
    (0, 'a')
    """
    if not experiments:
        return make(experiments, *more)
    key = (make, about, tuple(x.name for x in experiments))
    of = [part for x in experiments for part in (x, x.report)]  # which says that each of them is read
    known, given, found = experiments[0]._made.get(key, ((), None, None))  # noqa: SLF001 (this room's own)
    if given != more or any(a is not b for a, b in zip(known, of, strict=True)):
        found = make(experiments, *more)
        experiments[0]._made[key] = (of, more, found)  # noqa: SLF001
    result: R = found
    return result


class WithheldExperiment(Struct, frozen=True, kw_only=True):
    """An experiment that could not be read or measured: it has a page that says so, and no number.

    Attributes:
        name: Its name in ids and addresses.
        title: As its folder is called.
        problem: What is wrong and where, from its folder on.
    """

    name: str
    title: str
    problem: str


class RecordType(Struct, frozen=True, kw_only=True):
    """A record type, for the dictionary.

    Attributes:
        name: ``BrownfieldRun``.
        folder: Folder of an experiment that holds such records.
        struct: msgspec Struct whose fields carry their descriptions.
        schema_at: Path of its JSON Schema within the site; empty where it is not published.
    """

    name: str
    folder: str
    struct: type[Any]
    schema_at: str = ""


class SettingsFile(Struct, frozen=True, kw_only=True):
    """A file of settings, for the dictionary: name, whose settings they are, and each with what it does."""

    name: str
    about: str
    settings: tuple[FieldMeaning, ...]


SETTINGS = (
    SettingsFile(
        name="experiment.yaml",
        about="Settings of one experiment, in its folder. A setting that names nothing there is a finding.",
        settings=settings_meanings(Settings),
    ),
    SettingsFile(
        name="site.yaml",
        about="Settings of the site, in its content folder.",
        settings=settings_meanings(SiteConfig),
    ),
)
"""Every file of settings; an unknown key is refused in each, with the nearest that is known."""


class BuildInfo(Struct, frozen=True, kw_only=True):
    """What a page says of the build it belongs to; the same inputs give the same text.

    Attributes:
        version: "0.1.0+1c9e55d2".
        digest: ``sha256:`` and 64 digits over everything that went in; its identicon is the site's.
        site: The publisher's settings.
        records: Record types, in the order of the dictionary.
        settings: Files of settings, which the dictionary lists behind the record types.
        dictionary_date: ISO date on which the field descriptions were last changed.
        downloads: What the Data page lists, in order.
        withheld: Experiments that could not be read or measured, by name.
        recompute: Name of an experiment -> what computes it again.
    """

    version: str
    digest: str
    site: SiteConfig = field(default_factory=SiteConfig)
    records: tuple[RecordType, ...] = ()
    settings: tuple[SettingsFile, ...] = SETTINGS
    dictionary_date: str = ""
    downloads: tuple[Download, ...] = ()
    withheld: tuple[WithheldExperiment, ...] = ()
    recompute: Mapping[str, Recompute] = field(default_factory=dict)
