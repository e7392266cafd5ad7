"""The project as it stands: read again where it changed, measured again where an experiment did.

Does: sort changed paths (an experiment's folder, templates, assets, content), call the pipeline with
what is kept in memory (experiments with their runs, lists, pictures, notes on each document), and give the
next `PreviewState`. Does not: watch, or make a page.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from metrics_core.digest import of_bytes
from metrics_core.errors import AssayError
from metrics_core.experiments import Experiment, Place
from metrics_core.memo import Memo
from metrics_core.pricing import PriceTable
from metrics_core.results import Report, Rule
from site_src import paths, pipeline
from site_src.decisions import Flip, JudgedClaim, JudgedDecision
from site_src.installed import assets_folder, templates_folder
from site_src.marks import identicon
from site_src.pages import render
from site_src.pages.runs import RunLists
from site_src.preview import error_report
from site_src.preview.error_report import ErrorReport
from site_src.preview.measurements import MeasurementPool
from site_src.preview.page_cache import PageCache, PreviewState, RenderedFile
from site_src.project import (
    Heads,
    Plan,
    SiteExperiment,
    Sources,
    WithheldExperiment,
    sources,
    withheld_for,
)
from site_src.publishing import Progress, SiteFiles, Written, prose_gates
from site_src.references import Index
from site_src.wording import svg_markup

Paths = frozenset[Path]

Words = tuple[str, int, Heads, str]
"""Source, first line, title and lede, and text of a document."""
Found = dict[Words, tuple[str, ...]]

MOST_PICTURES = 6_000
"""Pictures, raw and finished, that are kept over all states of the project."""

MOST_RUNS = 5_000
"""Records of an experiment whose runs are kept in memory; those of a larger one are read when wanted."""


class PreviewProject(Protocol):
    """Makes one state of a project after another; used by one thread."""

    @property
    def measured(self) -> list[str]:
        """Names of the experiments that were measured since anyone emptied this list."""

    def roots(self) -> tuple[Path, ...]:
        """Folders whose changes matter."""

    def next(self, changed: Paths) -> PreviewState:
        """The state after these paths changed; with none, after whatever was being measured."""

    def pages_of(self, changed: Paths) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Pages of what was saved, and others that may have gone wrong by it, open or not."""

    def notes(self, wanted: Callable[[], bool]) -> tuple[str, ...] | None:
        """Notes on the state, as a publication's gates give them; None where it is not wanted any more."""

    def close(self) -> None:
        """End whatever works beside it; called by another thread."""


class Project:
    """The project of a plan: everything is read from its folders.

    Args:
        plan: What to preview; its output folder is not used.
        notify: Called on another thread whenever a measuring has ended.
        page_cache: Its lock keeps pages from being made while the templates are read again.
        progress: Called with how far a measuring has come that nothing can be shown before.
    """

    def __init__(
        self,
        plan: Plan,
        notify: Callable[[], None],
        page_cache: PageCache,
        progress: Progress = lambda what, done, total: None,
    ) -> None:
        self._plan, self._page_cache = plan, page_cache
        self._pool = MeasurementPool(plan.redactor, notify, progress, plan.settings)
        self._lists, self._shown, self._notes = RunLists(), ShownExperiments(), Notes()
        self._flips = KnownFlips()
        self._memo = Memo(MOST_PICTURES)
        self._site: SiteFiles | None = None
        self._read: Sources | None = None
        self._styles, self._rest = "", ""
        self._did: Literal["", "read", "measured"] = ""
        self._unproven: set[Path] = set()
        self._templates_error: BaseException | None = None
        self._content_error: BaseException | None = None
        self._real = {
            name: Path(os.path.realpath(folder))
            for name, folder in (("templates", templates_folder()), ("assets", assets_folder()))
        }

    @property
    def measured(self) -> list[str]:
        """Names of the experiments that were measured since anyone emptied this list."""
        return self._pool.measured

    def roots(self) -> tuple[Path, ...]:
        """Folders whose changes matter."""
        content = () if self._plan.content is None else (self._plan.content,)
        named = (*self._asked_folders(), *self._pool.folders())
        return tuple(map(Path, dict.fromkeys((*content, *self._real.values(), *named))))

    def next(self, changed: Paths) -> PreviewState:
        """The state after these paths changed; with none, after whatever was being measured."""
        others = self._pool.remeasure(changed)
        before = len(self.measured)
        self._pool.gather()
        templates = {path for path in others if path.is_relative_to(self._real["templates"])}
        assets = {path for path in others if path.is_relative_to(self._real["assets"])}
        self._unproven |= templates
        if templates or self._read is None:
            self._templates_error = self._error_of(self._read_templates)
        if assets or self._read is None:
            self._styles, self._rest = _digests(self._real["assets"])
        unread = self._read is None or self._pool.is_unread()
        self._did = ""
        if others - templates - assets or len(self.measured) > before or unread:
            self._content_error = self._error_of(self._read_content)
            self._did = "measured" if len(self.measured) > before else "read"
        stands = not templates and not self._did

        def keeps(path: str, rendered: RenderedFile) -> bool:
            changed = bool(assets) and path.startswith("assets/")
            return stands and bool(rendered.data) and not rendered.fault and not changed

        return PreviewState(
            site=self._site,
            faults=tuple(self._faults()),
            style=self._styles,
            rest=of_bytes((self._rest + self._pictures()).encode()),
            busy=self._pool.busy,
            explain=self._explain,
            build=() if self._site is None else _names(self._site.info.digest),
            keeps=keeps,
        )

    def pages_of(self, changed: Paths) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What was written in these files, and the first page of each template among them; and others.

        Where anything was read, all prose: it may name a page or a heading that is there no more. Decisions
        take longer to make, and are looked at where they are saved or something was measured.
        """
        if self._site is None:
            return (), ()
        site, content = self._site.site, os.path.realpath(self._plan.content or "")
        prose = {page.source: page.path for page in site.where.authored}
        decided = {d.decision.source: paths.decision(d.decision.slug) for d in site.where.decisions}
        written = prose | decided
        names = [os.path.relpath(path, content).replace(os.sep, "/") for path in sorted(changed)]
        kinds = {path.stem for path in changed if path.is_relative_to(self._real["templates"])}
        of_kinds = {
            planned.kind: path for path, planned in reversed(site.planned.items()) if planned.kind in kinds
        }
        others = {"": {}, "read": prose, "measured": written}[self._did]
        saved = (*(written[name] for name in names if name in written), *of_kinds.values())
        return saved, tuple(others.values())

    def notes(self, wanted: Callable[[], bool]) -> tuple[str, ...] | None:
        """Notes on the site as it was last read."""
        if self._site is None:
            return ()
        try:
            return self._notes.of(self._site, wanted)
        except Exception as error:  # noqa: BLE001 (a page says it too, where it can be shown)
            return (str(self._explain(error)),)

    def close(self) -> None:
        """End the workers."""
        self._pool.close()

    # ------------------------------------------------------------------------------ reading

    def _read_templates(self) -> None:
        with self._page_cache.making():
            environment = render.environment()
            environment.auto_reload = True  # each template is compiled again only if its file changed
            environment.globals["m"] = environment.get_template("layout/macros.html").module
            for path in sorted(self._unproven):  # a page that nobody has open may be of it
                if path.is_file():
                    environment.get_template(path.relative_to(self._real["templates"]).as_posix())
                self._unproven.discard(path)

    def _read_content(self) -> None:
        asked: list[Place] = []
        withheld: list[WithheldExperiment] = []

        def load(folder: Place) -> Experiment:
            asked.append(folder)
            return self._pool.load(folder)

        def withhold(folder: Place, error: AssayError) -> None:
            withheld.append(withheld_for(folder, error, self._plan.redactor))

        found = sources.read(self._plan, load, withholding=True)
        settled = self._pool.settle(found.experiments, found.prices, withhold)
        self._pool.keep_only(asked)
        every = sorted((*found.withheld, *withheld), key=lambda each: each.name)
        self._read = replace(found, experiments=settled, withheld=tuple(every))
        reports = pipeline.measure(self._read, compute=self._pool.report)
        self._site = pipeline.model(
            self._read, reports, self._lists, self._shown, self._memo, recall=self._flips
        )

    def _pictures(self) -> str:
        pages = () if self._read is None else self._read.authored
        return "".join(of_bytes(data) for page in pages for _, data in page.pictures)

    # ------------------------------------------------------------------------------ what is wrong

    @staticmethod
    def _error_of(work: Callable[[], None]) -> BaseException | None:
        try:
            work()
        except Exception as error:  # noqa: BLE001 (shown on the page, as whatever it is)
            return error
        return None

    def _faults(self) -> Iterable[ErrorReport]:
        found = [error for error in (self._templates_error, self._content_error) if error is not None]
        found += [error for _, error in self._pool.errors() if error not in found]
        return [self._explain(error) for error in found]

    def _explain(self, error: BaseException) -> ErrorReport:
        return error_report.of(error, self._find, self._real["templates"])

    def _asked_folders(self) -> tuple[Path, ...]:
        return tuple(path for path in self._plan.experiments if isinstance(path, Path))

    def _find(self, name: str) -> Path | None:
        """The file that an error names: within the content, an experiment, or by its experiment's name."""
        bases = [] if self._plan.content is None else [self._plan.content]
        folders = self._pool.folders() or self._asked_folders()
        bases += [folder.parent for folder in folders] + list(folders)
        bases += [folder / "contracts" for folder in folders] + [self._real["templates"]]
        return next((base / name for base in bases if _is_file(base / name)), None)


def _names(build: str) -> tuple[str, ...]:
    """As `PreviewState.build` has them: every digest that is shorter on a page has at least eight digits."""
    return (build.removeprefix("sha256:")[:8], str(svg_markup(identicon(build, "site"))))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _digests(assets: Path) -> tuple[str, str]:
    """Of the style sheet's parts, and of all other assets."""
    style: list[str] = []
    rest: list[str] = []
    for path in sorted(assets.rglob("*")):
        if path.is_file():
            part = f"{path.relative_to(assets)} {of_bytes(path.read_bytes())}"
            (style if path.suffix == ".css" else rest).append(part)
    return of_bytes("\n".join(style).encode()), of_bytes("\n".join(rest).encode())


class ShownExperiments(Struct):
    """Gives experiments as `site_src.pipeline.site_experiment` does, and remembers."""

    _known: dict[str, tuple[Report, tuple[PriceTable, ...], Rule, SiteExperiment]] = field(
        default_factory=dict
    )

    def __call__(
        self, experiment: Experiment, report: Report, tables: Sequence[PriceTable], rule: Rule
    ) -> SiteExperiment:
        """One experiment, the same object as long as report, prices and the site's rule are."""
        known = self._known.get(experiment.slug)
        if known is not None and known[0] is report and known[1:3] == (tuple(tables), rule):
            return known[3]
        shown = pipeline.site_experiment(experiment, report, tables, rule, kept=MOST_RUNS)
        self._known[experiment.slug] = (report, tuple(tables), rule, shown)
        return shown


class KnownFlips(Struct):
    """Remembers what would flip each claim, as long as its words, numbers and experiments are the same.

    Runs are counted for it, one after another: the first page asks it of every decision.
    """

    _known: dict[tuple[JudgedClaim, tuple[int, ...]], tuple[Flip, tuple[SiteExperiment, ...]]] = field(
        default_factory=dict
    )

    def __call__(
        self, decisions: Sequence[JudgedDecision], shown: Sequence[SiteExperiment]
    ) -> tuple[JudgedDecision, ...]:
        """The same decisions, whose claims ask here first; what no claim rests on any more is forgotten."""
        by_name = {experiment.name: experiment for experiment in shown}
        before, self._known = self._known, {}

        def recalled(claim: JudgedClaim) -> JudgedClaim:
            names = dict.fromkeys(estimate.experiment for estimate in claim.estimates)
            rests_on = tuple(by_name[name] for name in names if name in by_name)
            key = (claim, tuple(map(id, rests_on)))  # which stay theirs: an answer holds on to them
            if key in before:
                self._known[key] = before[key]
            return replace(claim, find_flip=partial(self._flip, key, rests_on))

        return tuple(replace(each, claims=tuple(map(recalled, each.claims))) for each in decisions)

    def _flip(self, key: tuple[JudgedClaim, tuple[int, ...]], rests_on: tuple[SiteExperiment, ...]) -> Flip:
        if key not in self._known:
            self._known[key] = (key[0].flip(), rests_on)
        return self._known[key][0]


class Notes(Struct):
    """Takes the notes of one state of a site after another."""

    _reports: tuple[Report, ...] = ()
    _known: Found = field(default_factory=dict)

    def of(self, whole: SiteFiles, wanted: Callable[[], bool]) -> tuple[str, ...] | None:
        """The notes of a site, as the gates of a publication give them.

        Args:
            whole: The site.
            wanted: Asked between two documents.

        Returns:
            None where it is not wanted any more.
        """
        if [id(report) for report in whole.reports] != [id(report) for report in self._reports]:
            self._reports, self._known = whole.reports, {}
        found: Found = {}
        notes: list[str] = []
        for some in prose_gates.notes(whole, partial(self._noted, found)):
            notes += some
            if not wanted():
                self._known |= found
                return None
        self._known = found
        return tuple(notes)

    def _noted(self, found: Found, page: Written, index: Index) -> tuple[str, ...]:
        words = (page.source, page.first_line, page.heads, page.text)
        found[words] = prose_gates.noted(page, index) if words not in self._known else self._known[words]
        return found[words]
