"""The project as it stands: read again where it changed, measured again where an experiment did.

Does: tell changed paths apart (an experiment's folder, templates, assets, content), call the pipeline with
what is remembered, and give the next `State`. Does not: watch, or make a page.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Literal, Protocol

from metrics_core.digest import of_bytes
from metrics_core.memo import Memo
from site_src import paths, pipeline, render, resources, sources
from site_src.hallmark import hallmark
from site_src.parts import drawn
from site_src.preview import faults
from site_src.preview.bench import Bench
from site_src.preview.faults import Fault
from site_src.preview.noted import Notes
from site_src.preview.shown import ShownExperiments
from site_src.preview.states import Desk, Made, State
from site_src.sources import Plan, Sources
from site_src.views.runs import RunLists
from site_src.whole_site import Tell, WholeSite

Paths = frozenset[Path]

MOST_DRAWN = 6_000
"""Pictures, raw and finished, that are kept over all states of the project."""


class Workshop(Protocol):
    """Makes one state of a project after another; used by one thread."""

    @property
    def measured(self) -> list[str]:
        """Names of the experiments that were measured since anyone emptied this list."""

    def roots(self) -> tuple[Path, ...]:
        """Folders whose changes matter."""

    def next(self, changed: Paths) -> State:
        """The state after these paths changed; with none, after whatever was being measured."""

    def pages_of(self, changed: Paths) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Pages of what was saved, and others that may have gone wrong by it, open or not."""

    def notes(self, wanted: Callable[[], bool]) -> tuple[str, ...] | None:
        """What a publisher would be told of the state; None where it is not wanted any more."""

    def close(self) -> None:
        """End whatever works beside it; called by another thread."""


class Project:
    """The workshop of a plan: everything is read from its folders.

    Args:
        plan: What to preview; its output folder is not used.
        woken: Called on another thread whenever a measuring has ended.
        desk: Its lock keeps pages from being made while the templates are read again.
        tell: Told how far a measuring has come that nothing can be shown before.
    """

    def __init__(
        self,
        plan: Plan,
        woken: Callable[[], None],
        desk: Desk,
        tell: Tell = lambda what, done, total: None,
    ) -> None:
        self._plan, self._desk = plan, desk
        self._bench = Bench(plan.redactor, woken, tell)
        self._lists, self._shown, self._notes = RunLists(), ShownExperiments(), Notes()
        self._memo = Memo(MOST_DRAWN)
        self._site: WholeSite | None = None
        self._read: Sources | None = None
        self._styles, self._rest = "", ""
        self._did: Literal["", "read", "measured"] = ""
        self._unproven: set[Path] = set()
        self._templates_error: BaseException | None = None
        self._content_error: BaseException | None = None
        self._real = {
            name: Path(os.path.realpath(folder))
            for name, folder in (("templates", resources.templates()), ("assets", resources.assets()))
        }

    @property
    def measured(self) -> list[str]:
        """Names of the experiments that were measured since anyone emptied this list."""
        return self._bench.measured

    def roots(self) -> tuple[Path, ...]:
        """Folders whose changes matter."""
        content = () if self._plan.content is None else (self._plan.content,)
        named = (*self._plan.experiments, *self._bench.folders())
        return tuple(map(Path, dict.fromkeys((*content, *self._real.values(), *named))))

    def next(self, changed: Paths) -> State:
        """The state after these paths changed; with none, after whatever was being measured."""
        others = self._bench.look_again(changed)
        before = len(self.measured)
        self._bench.gather()
        templates = {path for path in others if path.is_relative_to(self._real["templates"])}
        assets = {path for path in others if path.is_relative_to(self._real["assets"])}
        self._unproven |= templates
        if templates or self._read is None:
            self._templates_error = self._error_of(self._read_templates)
        if assets or self._read is None:
            self._styles, self._rest = _digests(self._real["assets"])
        unread = self._read is None or self._bench.is_unread()
        self._did = ""
        if others - templates - assets or len(self.measured) > before or unread:
            self._content_error = self._error_of(self._read_content)
            self._did = "measured" if len(self.measured) > before else "read"
        stands = not templates and not self._did

        def keeps(path: str, made: Made) -> bool:
            changed = bool(assets) and path.startswith("assets/")
            return stands and bool(made.data) and not made.fault and not changed

        return State(
            site=self._site,
            faults=tuple(self._faults()),
            style=self._styles,
            rest=of_bytes((self._rest + self._pictures()).encode()),
            busy=self._bench.busy,
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
        """What a publisher would be told of the site as it was last read."""
        if self._site is None:
            return ()
        try:
            return self._notes.of(self._site, wanted)
        except Exception as error:  # noqa: BLE001 (a page says it too, where it can be shown)
            return (str(self._explain(error)),)

    def close(self) -> None:
        """End the workers."""
        self._bench.close()

    # ------------------------------------------------------------------------------ reading

    def _read_templates(self) -> None:
        with self._desk.making():
            environment = render.environment()
            environment.auto_reload = True  # each template is compiled again only if its file changed
            environment.globals["m"] = environment.get_template("macros.html").module
            for path in sorted(self._unproven):  # a page that nobody has open may be of it
                if path.is_file():
                    environment.get_template(path.relative_to(self._real["templates"]).as_posix())
                self._unproven.discard(path)

    def _read_content(self) -> None:
        found = sources.read(self._plan, self._bench.load)
        settled = self._bench.settle(found.experiments, found.prices)
        self._bench.keep_only(experiment.root for experiment in settled)
        self._read = replace(found, experiments=settled)
        reports = pipeline.measure(self._read, compute=self._bench.report)
        self._site = pipeline.model(self._read, reports, self._lists, self._shown, self._memo)

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

    def _faults(self) -> Iterable[Fault]:
        found = [error for error in (self._templates_error, self._content_error) if error is not None]
        found += [error for _, error in self._bench.errors() if error not in found]
        return [self._explain(error) for error in found]

    def _explain(self, error: BaseException) -> Fault:
        return faults.of(error, self._find, self._real["templates"])

    def _find(self, name: str) -> Path | None:
        """The file that an error names: within the content, an experiment, or by its experiment's name."""
        bases = [] if self._plan.content is None else [self._plan.content]
        folders = self._bench.folders() or self._plan.experiments
        bases += [folder.parent for folder in folders] + list(folders)
        bases += [folder / "contracts" for folder in folders] + [self._real["templates"]]
        return next((base / name for base in bases if _is_file(base / name)), None)


def _names(build: str) -> tuple[str, ...]:
    """As `State.build` has them: every digest that is shorter on a page has at least eight digits."""
    return (build.removeprefix("sha256:")[:8], str(drawn(hallmark(build, "site"))))


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
