"""The preview without a browser: what it notices, makes again and answers, and what it says is wrong."""

from __future__ import annotations

import http.client
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from jinja2 import FileSystemLoader, StrictUndefined, TemplateError
from msgspec import Struct, field

from metrics_core.errors import ConfigError, InputError
from metrics_core.memo import Memo
from metrics_core.redaction.redactor import Redactor
from site_src.figures import timeline
from site_src.installed import assets_folder, templates_folder
from site_src.pages import render
from site_src.preview import error_report, http as answers
from site_src.preview.command import finding_lines, update_lines
from site_src.preview.error_report import ErrorReport
from site_src.preview.measurements import MeasurementPool, measured
from site_src.preview.page_cache import PageCache, PreviewState, RenderedFile
from site_src.preview.project import Project
from site_src.preview.rebuilder import BackgroundFindings, Rebuilder, Update
from site_src.preview.server import Server
from site_src.preview.watcher import SWEEP_LEAST, FileSnapshots, Watcher, passed_over
from site_src.project.safe_write import SiteFile
from site_src.project.sources import Plan
from site_src.wording.links import FigureContext
from tests.conftest import REPO
from tests.support import figure_samples
from tests.support.by_day import at_night, one_in
from tests.support.preview_process import project, running

PATIENCE = 60.0
"""Seconds that anything may take on a busy machine; nothing here is timed."""

SMALL = "brownfield-2026-07b"


def explain(error: BaseException) -> ErrorReport:
    return ErrorReport(kind=type(error).__name__, problem=str(error), where="here")


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that another thread does."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


# ------------------------------------------------------------------------------------------ watching


class Notified(Struct):
    """What a watcher reported."""

    paths: queue.Queue[frozenset[Path]] = field(default_factory=queue.Queue)
    words: list[str] = field(default_factory=list)

    def until(self, path: Path) -> frozenset[Path]:
        """Wait until a path was reported; all that was reported until then."""
        found: set[Path] = set()
        end = time.monotonic() + PATIENCE
        while path not in found:
            found |= self.paths.get(timeout=max(0.01, end - time.monotonic()))
        return frozenset(found)

    def nothing(self, seconds: float = 0.6) -> bool:
        """Whether nothing is reported for a while."""
        try:
            self.paths.get(timeout=seconds)
        except queue.Empty:
            return True
        return False


watcher_of = partial(Watcher, doubt=0.0)
"""A watcher that trusts its first sweep at once."""


def knows_what_there_is(watcher: Watcher) -> bool:
    """Whether the first sweep has learnt it: from then on only what changes is reported."""
    return watcher._trust_after <= time.monotonic()


@contextmanager
def watching(*roots: Path, sweep_least: float = SWEEP_LEAST) -> Iterator[Notified]:
    notified = Notified()
    watcher = watcher_of(notified.paths.put, notified.words.append, sweep_least=sweep_least)
    watcher.start(roots)
    until(lambda: knows_what_there_is(watcher))
    try:
        yield notified
    finally:
        watcher.stop()


def saved_at_once(path: Path, text: str) -> None:
    path.write_text(text)


def saved_beside(path: Path, text: str) -> None:
    """As most editors do: written beside, then renamed over it."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text)
    beside.replace(path)


def saved_like_vim(path: Path, text: str) -> None:
    """A probe, the old file moved aside, the new one written, the old one removed."""
    probe = path.with_name("4913")
    probe.touch()
    probe.unlink()
    path.rename(path.with_name(path.name + "~"))
    path.write_text(text)
    path.with_name(path.name + "~").unlink()


def saved_in_halves(path: Path, text: str) -> None:
    """Emptied first, filled a little later."""
    path.write_text("")
    time.sleep(0.03)
    path.write_text(text)


def removed_first(path: Path, text: str) -> None:
    path.unlink()
    time.sleep(0.03)
    path.write_text(text)


HABITS = (saved_at_once, saved_beside, saved_like_vim, saved_in_halves, removed_first)


@pytest.mark.parametrize("save", HABITS, ids=lambda save: save.__name__)
def test_a_save_is_noticed_once_and_never_half(
    tmp_path: Path, save: Callable[[Path, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("site_src.preview.watcher.SECOND_HALF", PATIENCE)  # this machine may pause longer
    page = tmp_path / "index.md"
    page.write_text("before")
    seen: queue.Queue[tuple[frozenset[Path], str]] = queue.Queue()
    watcher = watcher_of(lambda paths: seen.put((paths, page.read_text() if page.exists() else "")), print)
    watcher.start([tmp_path])
    until(lambda: knows_what_there_is(watcher))
    save(page, "after")
    paths, text = seen.get(timeout=PATIENCE)
    watcher.stop()
    assert paths == {page}
    assert text == "after"


@pytest.mark.parametrize(
    ("path", "passed"),
    [
        ("index.md", False),
        ("experiments/a/logs_big/run.jsonl", False),
        ("4913", True),
        (".index.md.swp", True),
        ("index.md~", True),
        ("notes/.#index.md", True),
        ("#index.md#", True),
        ("download.part", True),
        ("a/__pycache__/b.pyc", True),
        ("_site/index.html", True),
        (".assay-cache/x", True),
    ],
)
def test_droppings_are_passed_over(path: str, passed: bool) -> None:
    assert passed_over(path) is passed


def test_reading_and_droppings_are_not_told(tmp_path: Path) -> None:
    page = tmp_path / "index.md"
    page.write_text("text")
    with watching(tmp_path) as notified:
        page.read_text()
        list(tmp_path.iterdir())
        (tmp_path / ".index.md.swp").write_text("x")
        (tmp_path / "index.md~").write_text("x")
        os.utime(page, ns=(page.stat().st_atime_ns, page.stat().st_mtime_ns))
        assert notified.nothing()


def test_a_burst_is_joined(tmp_path: Path) -> None:
    with watching(tmp_path) as notified:
        for n in range(200):
            (tmp_path / f"{n}.md").write_text("x")
        found = []
        while len({path for paths in found for path in paths}) < 200:
            found.append(notified.paths.get(timeout=PATIENCE))
    assert len(found) < 100


def test_a_file_that_is_removed_is_told(tmp_path: Path) -> None:
    page = tmp_path / "a" / "index.md"
    page.parent.mkdir()
    page.write_text("x")
    with watching(tmp_path) as notified:
        shutil.rmtree(page.parent)
        assert page in notified.until(page)
        page.parent.mkdir()
        page.write_text("again")
        assert page in notified.until(page)


def test_a_folder_that_moves_in_is_told_with_all_that_is_in_it(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    (outside / "x" / "y").mkdir(parents=True)
    (outside / "x" / "y" / "deep.md").write_text("x")
    inside.mkdir()
    with watching(inside) as notified:
        (outside / "x").rename(inside / "x")
        deep = inside / "x" / "y" / "deep.md"
        notified.until(deep)
        deep.write_text("changed")
        notified.until(deep)


def test_a_watched_folder_may_be_deleted_and_come_back(tmp_path: Path) -> None:
    root = tmp_path / "content"
    root.mkdir()
    (root / "index.md").write_text("x")
    with watching(root, sweep_least=0.1) as notified:
        shutil.rmtree(root)
        notified.until(root / "index.md")
        root.mkdir()
        (root / "index.md").write_text("back")
        notified.until(root / "index.md")
        time.sleep(0.2)
        (root / "second.md").write_text("and watched")
        notified.until(root / "second.md")


def test_a_change_whose_event_was_lost_is_found_by_a_sweep(tmp_path: Path) -> None:
    page = tmp_path / "index.md"
    page.write_text("before")
    notified = Notified()
    watcher = watcher_of(notified.paths.put, notified.words.append, sweep_least=0.1)
    watcher.start([tmp_path])
    watcher._observer.unschedule_all()  # the system says nothing from now on
    until(lambda: knows_what_there_is(watcher))
    page.write_text("after")
    notified.until(page)
    watcher.stop()


def test_a_save_is_noticed_among_many_folders(tmp_path: Path) -> None:
    for n in range(2_000):
        (tmp_path / f"attempts/{n // 100}/{n}").mkdir(parents=True)
        (tmp_path / f"attempts/{n // 100}/{n}/observation.json").write_text("{}")
    with watching(tmp_path) as notified:
        for file in tmp_path.rglob("*.json"):  # as a build does: reading must not drown a save
            file.read_text()
        page = tmp_path / "index.md"
        page.write_text("x")
        notified.until(page)
        shutil.rmtree(tmp_path / "attempts")
        page.write_text("another")
        notified.until(page)


# ------------------------------------------------------------------------------------------ the builder


class Counted(Struct):
    """A project in memory: each state is one page that says what changed."""

    measured: list[str] = field(default_factory=list)
    turns: list[frozenset[Path]] = field(default_factory=list)
    at_once: int = 0
    most: int = 0

    def roots(self) -> tuple[Path, ...]:
        return ()

    def pages_of(self, _: frozenset[Path]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (), ()

    def notes(self, _: Callable[[], bool]) -> tuple[str, ...] | None:
        return ()

    def next(self, changed: frozenset[Path]) -> PreviewState:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        self.turns.append(changed)
        time.sleep(0.02)
        self.at_once -= 1
        return PreviewState(site=Pages({"index.html": b"<p>%d</p>" % len(self.turns)}), explain=explain)

    def close(self) -> None:
        pass


class Pages(Struct):
    """A site in memory."""

    files: dict[str, bytes]
    broken: BaseException | None = None

    def file(self, path: str) -> SiteFile | None:
        if self.broken is not None:
            raise self.broken
        return SiteFile(path, self.files[path]) if path in self.files else None

    def paths(self) -> list[str]:
        return list(self.files)


class Scripted(Counted):
    """A project that gives the states it was given, one a turn, and looks at a page of each file."""

    states: list[PreviewState] = field(default_factory=list)
    found_notes: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def next(self, _: frozenset[Path]) -> PreviewState:
        return self.states.pop(0)

    def pages_of(self, changed: frozenset[Path]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return tuple(f"{path}.html" for path in sorted(changed)), self.others

    def notes(self, wanted: Callable[[], bool]) -> tuple[str, ...] | None:
        return self.found_notes if wanted() else None


class Broken(Struct):
    """A site in memory, some of whose pages cannot be made."""

    files: dict[str, bytes]
    broken: frozenset[str] = frozenset()

    def file(self, path: str) -> SiteFile | None:
        if path in self.broken:
            raise ValueError(f"{path} is broken")
        return Pages(self.files).file(path)

    def paths(self) -> list[str]:
        return [*self.files, *self.broken]


class Built(Struct):
    """A builder over a script, and what it reported."""

    project: Scripted
    page_cache: PageCache
    builder: Rebuilder
    updates: queue.Queue[Update]
    findings: queue.Queue[BackgroundFindings]

    def save(self, name: str) -> Update:
        self.builder.changed([Path(name)])
        return self.updates.get(timeout=PATIENCE)


@contextmanager
def building(*sites: Broken, notes: tuple[str, ...] = (), build: tuple[str, ...] = ()) -> Iterator[Built]:
    """A builder that has shown the first of these sites, with its index open."""
    states = [PreviewState(site=site, explain=explain, build=(words,) if words else ())
              for site, words in zip(sites, build or [""] * len(sites), strict=True)]  # fmt: skip
    project = Scripted(states=states, found_notes=notes)
    page_cache = PageCache(PreviewState(site=None, explain=explain))
    updates: queue.Queue[Update] = queue.Queue()
    findings: queue.Queue[BackgroundFindings] = queue.Queue()
    builder = Rebuilder(project, page_cache, updates.put, findings.put, still=0.02, stiller=0.1)
    with page_cache.opened("index.html"):
        builder.start()
        updates.get(timeout=PATIENCE)
        yield Built(project, page_cache, builder, updates, findings)
        builder.stop()


INDEX = {"index.html": b"<p>index</p>"}


def test_changes_are_built_one_after_another_and_none_is_lost() -> None:
    project, page_cache = Counted(), PageCache(PreviewState(site=None, explain=explain))
    updates: queue.Queue[Update] = queue.Queue()
    builder = Rebuilder(project, page_cache, updates.put)
    builder.start()
    wanted = {Path(str(n)) for n in range(50)}
    for path in sorted(wanted):
        builder.changed([path])
        time.sleep(0.001)
    found: set[Path] = set()
    while found != wanted:
        found |= set(updates.get(timeout=PATIENCE).changed)
    builder.stop()
    assert project.most == 1
    assert len(project.turns) < 50


def test_a_storm_of_a_thousand_saves_ends_in_few_rebuilds_that_know_of_all(tmp_path: Path) -> None:
    project, page_cache = Counted(), PageCache(PreviewState(site=None, explain=explain))
    updates: queue.Queue[Update] = queue.Queue()
    builder = Rebuilder(project, page_cache, updates.put)
    builder.start()
    wanted = {tmp_path / f"{n}.md" for n in range(250)}
    watcher = watcher_of(builder.changed, print)
    watcher.start([tmp_path])
    found: set[Path] = set()
    try:
        for number in range(1_000):
            (tmp_path / f"{number % 250}.md").write_text(str(number))
        while found != wanted:
            found |= set(updates.get(timeout=PATIENCE).changed)
    finally:
        watcher.stop()
        builder.stop()
    assert project.most == 1
    assert len(project.turns) < 100


def test_what_was_never_started_can_be_stopped() -> None:
    Rebuilder(Counted(), PageCache(PreviewState(site=None, explain=explain)), print).stop()
    Watcher(print, print).stop()


def test_a_page_that_fails_stays_as_it_last_was() -> None:
    good = PreviewState(site=Pages({"index.html": b"good"}), explain=explain)
    page_cache = PageCache(good)
    assert page_cache.make("index.html").data == b"good"
    page_cache.show(PreviewState(site=Pages({}, ValueError("no")), explain=explain))
    made = page_cache.make("index.html")
    assert (made.data, made.fault) == (b"good", explain(ValueError("no")))
    assert page_cache.make("other.html") == RenderedFile(None, fault=explain(ValueError("no")))


def test_a_log_that_is_being_written_is_no_fault() -> None:
    moved = InputError("has changed since the folder was looked at", where="a.jsonl")
    page_cache = PageCache(PreviewState(site=Pages({}, moved), busy=True, explain=explain))
    assert page_cache.make("index.html") == RenderedFile(None, waiting=True)


def test_a_page_that_is_not_open_says_what_is_wrong_with_it_until_it_is_mended() -> None:
    broken = Broken(INDEX, frozenset({"a.html"}))
    fault = explain(ValueError("a.html is broken"))
    with building(Broken(INDEX), broken, broken, Broken(INDEX | {"a.html": b"a"}), broken) as built:
        assert built.save("a").faults == ()  # the open page is announced before the other is made
        assert built.findings.get(timeout=PATIENCE) == BackgroundFindings(faults=(fault,))
        assert built.page_cache.state.background_faults == (fault,)
        assert built.save("b").state.background_faults == (fault,)  # still wrong, whatever else is saved
        assert built.findings.get(timeout=PATIENCE) == BackgroundFindings(faults=(fault,))
        built.save("a")
        until(lambda: built.page_cache.state.background_faults == ())
        built.save("a")
        assert built.findings.get(timeout=PATIENCE) == BackgroundFindings(faults=(fault,))


def test_what_a_save_breaks_elsewhere_is_said_until_it_is_mended() -> None:
    broken = Broken(INDEX, frozenset({"b.html"}))
    with building(Broken(INDEX), broken, Broken(INDEX)) as built:
        built.project.others = ("index.html", "b.html")
        built.save("a")
        wrong = explain(ValueError("b.html is broken"))
        assert built.findings.get(timeout=PATIENCE) == BackgroundFindings(faults=(wrong,))
        built.save("a")
        until(lambda: built.page_cache.state.background_faults == ())


def test_what_is_wrong_with_an_open_page_is_said_with_its_update() -> None:
    broken = Broken({}, frozenset({"index.html"}))
    with building(Broken(INDEX), broken, Broken(INDEX)) as built:
        update = built.save("index")
        assert update.faults == (explain(ValueError("index.html is broken")),)
        assert built.save("index").faults == ()
        assert built.page_cache.state.background_faults == ()


def test_notes_are_taken_once_all_is_still_and_told_when_they_changed() -> None:
    with building(Broken(INDEX), Broken(INDEX), Broken(INDEX), notes=("a.md:1: by hand",)) as built:
        assert built.findings.get(timeout=PATIENCE) == BackgroundFindings(notes=("a.md:1: by hand",))
        assert built.save("b").state.notes == ("a.md:1: by hand",)
        built.project.found_notes = ()
        built.save("b")
        assert built.findings.get(timeout=PATIENCE) == BackgroundFindings(notes=())
        assert built.page_cache.state.notes == ()


def test_a_page_that_is_gone_is_followed_where_exactly_one_came() -> None:
    one, two = Broken({"new.html": b"new"}), Broken({"new.html": b"new", "newer.html": b"newer"})
    with building(Broken(INDEX), one, Broken(INDEX | one.files), one) as built:
        assert built.save("index").state.gone == {"index.html": "new.html"}
        assert built.save("index").state.gone == {}  # it came back
        assert built.save("index").state.gone == {"index.html": ""}
    with building(Broken(INDEX), two, two) as built:
        assert built.save("index").state.gone == {"index.html": ""}
        assert built.save("other").state.gone == {"index.html": ""}


def test_pages_are_told_apart_without_the_name_of_the_build() -> None:
    said = (b"<p>A built 1+a", b"<p>A built 1+b", b"<p>B built 1+c")
    sites = [Broken({"index.html": words}) for words in said]
    with building(*sites, build=("1+a", "1+b", "1+c")) as built:
        digest = built.page_cache.make("index.html").digest
        assert built.save("x").pages == ()
        assert built.page_cache.make("index.html").digest != digest  # an open page is told all the same
        assert built.save("x").pages == ("index.html",)


def test_a_page_that_was_made_is_given_while_another_is_being_made() -> None:
    page_cache = PageCache(PreviewState(site=Pages(INDEX), explain=explain))
    made = page_cache.make("index.html")
    found: queue.Queue[RenderedFile] = queue.Queue()
    with page_cache.making():
        threading.Thread(target=lambda: found.put(page_cache.make("index.html")), daemon=True).start()
        assert found.get(timeout=PATIENCE) == made


def test_an_update_is_told_in_one_line() -> None:
    fault = ErrorReport(kind="Error", problem="no", where="a.md:1")
    update = Update(
        changed=(Path("/p/content/a.md"),),
        measured=(),
        pages=("a.html",),
        faults=(fault,),
        state=PreviewState(site=None, explain=explain),
        seconds=0.0123,
    )
    assert update_lines(update, Path("/p")) == ["content/a.md → a.html (12 ms)", "  a.md:1: no"]


def test_what_is_found_beside_is_told_in_a_line_each_and_notes_in_one() -> None:
    fault = ErrorReport(kind="Error", problem="no", where="a.md:1")
    assert finding_lines(BackgroundFindings(faults=(fault,))) == ["  a.md:1: no"]
    assert finding_lines(BackgroundFindings(notes=("a.md:1: by hand",))) == ["1 note: a.md:1: by hand"]
    assert finding_lines(BackgroundFindings(notes=())) == ["no notes any more"]


# ------------------------------------------------------------------------------------------ the project


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A content folder with one small experiment and one page."""
    folder = tmp_path_factory.mktemp("project") / "content"
    shutil.copytree(REPO / "content" / "experiments" / SMALL, folder / "experiments" / SMALL)
    shutil.copytree(REPO / "content" / "pricing", folder / "pricing")
    (folder / "site.yaml").write_text(
        'title: "Previewed"\nexperiments: ["experiments/*"]\npricing: "pricing/*"\n'
    )
    (folder / "notes.md").write_text("# Notes\n\nText.\n")
    return folder


class Shop(Struct):
    """A project, its page cache, and a bell that rings when something was measured."""

    content: Path
    project: Project
    page_cache: PageCache
    bell: threading.Semaphore

    def turn(self, *changed: Path) -> PreviewState:
        """The next state, shown."""
        state = self.project.next(frozenset(changed))
        self.page_cache.show(state)
        return state

    def measured(self) -> list[str]:
        """What was measured since this was last asked."""
        found, self.project.measured[:] = list(self.project.measured), []
        return found

    def settled(self) -> PreviewState:
        """Wait for the measuring that is under way."""
        while self.page_cache.state.busy:
            assert self.bell.acquire(timeout=PATIENCE)
            self.turn()
        return self.page_cache.state


@pytest.fixture(scope="module")
def shop(content: Path) -> Iterator[Shop]:
    bell = threading.Semaphore(0)
    page_cache = PageCache(PreviewState(site=None, explain=explain))
    made = Project(
        Plan(content=content, output=content.parent / "_site", redactor=Redactor()), bell.release, page_cache
    )
    shop = Shop(content, made, page_cache, bell)
    shop.turn()
    assert shop.measured() == [SMALL]
    yield shop
    made.close()


def page(shop: Shop, path: str) -> str:
    made = shop.page_cache.make(path)
    assert made.data is not None, made.fault
    return made.data.decode()


def test_text_templates_and_styles_measure_nothing(shop: Shop) -> None:
    notes = shop.content / "notes.md"
    notes.write_text("# Notes\n\nOther text.\n")
    assert shop.turn(notes).faults == ()
    assert "Other text." in page(shop, "notes.html")
    before = shop.page_cache.state.style
    state = shop.turn(
        Path(os.path.realpath(assets_folder())) / "css" / "30-page.css",
        Path(os.path.realpath(templates_folder())) / "prose.html",
    )
    assert state.style == before  # the file is as it was
    assert shop.measured() == []


def test_a_line_more_in_a_log_measures_its_experiment_and_the_last_report_stays_meanwhile(shop: Shop) -> None:
    log = min((shop.content / "experiments" / SMALL / "logs_big").glob("*.jsonl"))
    with log.open("a") as file:
        file.write(log.read_text().splitlines()[0] + "\n")
    before = page(shop, "index.html")
    state = shop.turn(log)
    assert state.busy
    assert page(shop, "index.html") == before
    state = shop.settled()
    assert shop.measured() == [SMALL]
    assert state.faults == ()
    assert page(shop, "index.html") != before


def test_prices_measure_again(shop: Shop) -> None:
    table = next((shop.content / "pricing").iterdir())
    text = table.read_text()
    table.write_text(text + "# a remark changes no price\n")
    shop.turn(table)
    assert shop.measured() == []
    fetched = next(line for line in text.splitlines() if line.startswith("fetched"))
    table.write_text(text.replace(fetched, "fetched: 2026-07-06"))
    shop.turn(table)
    assert shop.measured() == [SMALL]
    table.write_text(text)
    shop.turn(table)
    shop.measured()


def test_broken_settings_keep_the_last_good_pages_and_are_forgotten_when_mended(shop: Shop) -> None:
    settings = shop.content / "experiments" / SMALL / "experiment.yaml"
    good = settings.read_text()
    settings.write_text(good + "titel: x\n")
    state = shop.turn(settings)
    last = len(good.splitlines()) + 1
    assert [fault.where for fault in state.faults] == [f"{SMALL}/experiment.yaml:{last}#/titel"]
    assert [line for line in state.faults[0].excerpt if line[2]] == [(last, "titel: x", True)]
    assert "Previewed" in page(shop, "index.html")
    settings.write_text(good)
    assert shop.turn(settings).faults == ()
    assert shop.settled().faults == ()


def test_an_experiment_that_comes_and_goes(shop: Shop) -> None:
    new = shop.content / "experiments" / "another"
    shutil.copytree(shop.content / "experiments" / SMALL, new)
    shop.turn(new / "experiment.yaml")
    shop.settled()
    assert shop.page_cache.make("experiments/another/index.html").data is not None
    shutil.rmtree(new)
    state = shop.turn(new / "experiment.yaml")
    assert state.faults == ()
    assert shop.page_cache.make("experiments/another/index.html") == RenderedFile(None)


def test_a_new_experiment_that_is_broken_is_read_again_when_it_changes(shop: Shop) -> None:
    new = shop.content / "experiments" / "broken"
    shutil.copytree(shop.content / "experiments" / SMALL, new)
    (new / "experiment.yaml").write_text("titel: x\n")
    found = shop.turn(new / "experiment.yaml").faults
    assert [fault.where for fault in found] == ["broken/experiment.yaml:1#/titel"]
    (new / "experiment.yaml").write_text("title: x\n")
    shop.turn(new / "experiment.yaml")
    assert shop.settled().faults == ()
    shutil.rmtree(new)
    assert shop.turn(new / "experiment.yaml").faults == ()


def test_an_experiment_that_cannot_be_read_is_withheld_as_in_a_build(shop: Shop) -> None:
    new = shop.content / "experiments" / "broken"
    shutil.copytree(shop.content / "experiments" / SMALL, new)
    (new / "experiment.yaml").write_text("titel: x\n")
    prose = shop.content / "withheld.md"
    prose.write_text("---\ntitle: Notes\n---\n\nIt did {est}`broken/brownfield.change model=alpha`.\n")
    state = shop.turn(new / "experiment.yaml", prose)
    assert [fault.where for fault in state.faults] == ["broken/experiment.yaml:1#/titel"]
    assert "could not be read or measured" in page(shop, "experiments/broken/index.html")
    assert "withheld: its experiment could not be read" in page(shop, "withheld.html")
    (new / "experiment.yaml").write_text("title: x\n")
    shop.turn(new / "experiment.yaml")
    assert shop.settled().faults == ()
    assert "could not be read" not in page(shop, "withheld.html")
    shutil.rmtree(new)
    prose.unlink()
    assert shop.turn(new / "experiment.yaml", prose).faults == ()


DECISION = """---
title: Alpha first
status: accepted
date: 2026-07-06
deciders: [Team]
claims:
  - says: alpha is good enough
    metric: brownfield.done
    of: alpha
    at_least: 0.999
---

Text.
"""


def test_notes_say_what_was_typed_by_hand_and_what_is_not_borne_out(shop: Shop) -> None:
    notes, decision = shop.content / "notes.md", shop.content / "decisions" / "first.md"
    good = notes.read_text()
    shop.turn(notes)
    assert shop.project.notes(lambda: True) == ()
    notes.write_text("# Notes\n\nAlpha passed 86 % of all attempts.\n")
    decision.parent.mkdir()
    decision.write_text(DECISION)
    assert shop.turn(notes, decision).faults == ()
    found = shop.project.notes(lambda: True)
    assert found is not None
    assert [note.split(": ")[0] for note in found] == ["decisions/first.md:7", "notes.md:3:14"]
    assert "accepted, but “alpha is good enough”" in found[0]
    assert "typed by hand, '86 %'" in found[1]
    assert shop.project.notes(lambda: True) == found
    assert shop.project.notes(lambda: False) is None
    shop.turn()
    assert shop.project.pages_of(frozenset({decision})) == (("decisions/first/index.html",), ())
    shutil.rmtree(decision.parent)
    notes.write_text(good)
    assert shop.turn(notes, decision).faults == ()
    assert shop.project.notes(lambda: True) == ()


def test_a_saved_file_is_looked_at_on_its_page_and_other_prose_after_it(shop: Shop) -> None:
    notes, other = shop.content / "notes.md", shop.content / "deep" / "other.md"
    other.parent.mkdir()
    other.write_text("# Other\n\nSee {page}`notes`.\n")
    shop.turn(other)
    saved, others = shop.project.pages_of(frozenset({other}))
    assert saved == ("deep/other.html",)
    assert set(others) == {"deep/other.html", "notes.html"}
    template = Path(os.path.realpath(templates_folder())) / "experiment.html"
    shop.turn(template)
    assert shop.project.pages_of(frozenset({template})) == ((f"experiments/{SMALL}/index.html",), ())
    shutil.rmtree(other.parent)
    shop.turn(other, notes)
    assert shop.project.pages_of(frozenset({other})) == ((), ("notes.html",))


def unreadable(path: Path) -> None:
    path.mkdir()
    (path / "x").touch()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (unreadable, "not a regular file"),
        (lambda path: path.symlink_to("/etc/passwd"), "not a regular file"),
        (lambda path: path.symlink_to("nowhere.md"), "not a regular file"),
        (os.mkfifo, "not a regular file"),
        (lambda path: path.write_bytes(b"# \xff\n"), "not UTF-8"),
    ],
    ids=["folder", "leads out", "dangling", "pipe", "bytes"],
)
def test_what_cannot_be_read_is_said_and_forgotten(
    shop: Shop, spoil: Callable[[Path], object], words: str
) -> None:
    bad = shop.content / "bad.md"
    spoil(bad)
    (fault,) = shop.turn(bad).faults
    assert (fault.where, words in fault.problem) == ("bad.md", True)
    assert "Previewed" in page(shop, "index.html")
    shutil.rmtree(bad) if bad.is_dir() else bad.unlink()
    assert shop.turn(bad).faults == ()


def test_the_content_may_be_gone_for_a_while(shop: Shop) -> None:
    away = shop.content.with_name("away")
    before = page(shop, "index.html")
    shop.content.rename(away)
    assert shop.turn(shop.content / "notes.md").faults != ()
    assert page(shop, "index.html") == before
    away.rename(shop.content)
    shop.turn(shop.content / "notes.md")
    assert shop.settled().faults == ()
    assert page(shop, "index.html") == before


def test_pages_are_those_of_a_build(shop: Shop) -> None:
    from site_src import pipeline
    from site_src.project import sources

    plan = Plan(content=shop.content, output=shop.content.parent / "_site", redactor=Redactor())
    read = sources.read(plan)
    whole = pipeline.model(read, pipeline.measure(read))
    for path in ("index.html", f"experiments/{SMALL}/index.html", "assets/site.css"):
        file = whole.file(path)
        assert file is not None
        assert shop.page_cache.make(path).data == file.data


def test_remembered_pictures_are_those_that_would_be_drawn() -> None:
    def drawn(figure_id: str, memo: Memo) -> str:
        context = FigureContext(build="1", memo=memo)
        made = timeline.draw(figure_samples.series(), figure_id=figure_id, context=context)
        return str(made.rows)

    fresh, memo = drawn("a", Memo()), Memo()
    assert drawn("a", memo) == drawn("a", memo) == fresh
    assert drawn("b", memo) != fresh
    assert drawn("a", Memo(most=1)) == fresh


# ------------------------------------------------------------------------------------------ what is wrong


def test_an_error_of_ours_is_shown_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("".join(f"key{n}: {n}\n" for n in range(1, 12)))
    fault = error_report.of(
        ConfigError("unknown key", where="a.yaml:6:2", hint="leave it out"),
        lambda name: tmp_path / name,
        tmp_path / "templates",
    )
    assert (fault.problem, fault.where, fault.hint) == ("unknown key", "a.yaml:6:2", "leave it out")
    assert [number for number, _, _ in fault.excerpt] == [3, 4, 5, 6, 7, 8, 9]
    assert [text for _, text, marked in fault.excerpt if marked] == ["key6: 6"]


def test_a_pointer_finds_its_line(tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text("title: x\nnested:\n  list:\n    - a\n    - b\n")
    error = ConfigError("no", where="site.yaml#/nested/list/1")
    fault = error_report.of(error, lambda name: tmp_path / name, tmp_path)
    assert [text for _, text, marked in fault.excerpt if marked] == ["    - b"]


def test_an_error_without_a_file_is_shown_without_an_excerpt(tmp_path: Path) -> None:
    error = ConfigError("no experiment", where="site.yaml#/experiments")
    fault = error_report.of(error, lambda _: None, tmp_path)
    assert (fault.where, fault.excerpt) == ("site.yaml#/experiments", ())


def test_a_file_that_may_not_be_read_is_no_fault_of_the_program(tmp_path: Path) -> None:
    fault = error_report.of(PermissionError(13, "Permission denied", "/a/b.md"), lambda _: None, tmp_path)
    assert (fault.kind, fault.problem) == ("Error", "cannot be read: Permission denied")
    assert (fault.where, fault.hint, fault.trace) == ("b.md", "", "")


def test_a_program_error_is_shown_with_its_last_line_and_whole_trace(tmp_path: Path) -> None:
    def fails() -> None:
        raise ZeroDivisionError("by nothing")

    try:
        fails()
    except ZeroDivisionError as error:
        fault = error_report.of(error, lambda _: None, tmp_path)
    assert fault.kind == "ZeroDivisionError"
    assert [text.strip() for _, text, marked in fault.excerpt if marked] == [
        'raise ZeroDivisionError("by nothing")'
    ]
    assert "in fails" in fault.trace
    assert str(Path.home()) not in fault.trace


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("<p>\n{{ nothing.here }}\n", 2, "'nothing' is undefined"),
        ("<p>\n\n{% if %}\n", 3, "Expected an expression"),
        ("{{ range(3) }}", 1, "a template prints range(0, 3)"),
        ("{{ cycler(1)\n.missing }}", 2, "object has no attribute 'missing'"),
    ],
)
def test_what_a_template_gets_wrong_is_shown_in_it(tmp_path: Path, text: str, line: int, words: str) -> None:
    (tmp_path / "page.html").write_text(text)
    made = render.TemplateEnvironment(
        loader=FileSystemLoader(tmp_path), autoescape=True, undefined=StrictUndefined, finalize=render.printed
    )
    with pytest.raises((TemplateError, TypeError, AttributeError)) as caught:
        made.get_template("page.html").render()
    fault = error_report.of(caught.value, lambda _: None, tmp_path)
    assert (fault.kind, fault.where) == ("Template error", f"page.html:{line}")
    assert words in fault.problem
    assert [number for number, _, marked in fault.excerpt if marked] == [line]


def test_hidden_characters_in_an_error_are_spelled_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x\u202ey\n")
    fault = error_report.of(ConfigError("b\x1b[0m", where="a.md:1"), lambda name: tmp_path / name, tmp_path)
    assert fault.problem == "b\\u001b[0m"
    assert fault.excerpt == ((1, "x\\u202ey", True), (2, "", False))


# ------------------------------------------------------------------------------------------ the server


@pytest.fixture
def page_cache() -> PageCache:
    site = Pages(
        {
            "index.html": b"<html><head><title>T</title></head><body>first</body></html>",
            "models/index.html": b"<html><head></head><body>models</body></html>",
            "assets/site.css": b"body {}",
            "data/x.parquet": b"PAR1",
        }
    )
    return PageCache(PreviewState(site=site, style="s", rest="r", explain=explain))


@pytest.fixture
def server(page_cache: PageCache) -> Iterator[Server]:
    made = Server(page_cache, assets_folder(), "127.0.0.1", 0)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    page_cache.close()
    made.shutdown()
    made.server_close()


def ask(server: Server, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=PATIENCE)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    found = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    connection.close()
    return found


def test_a_page_is_given_with_the_preview_in_its_head(server: Server) -> None:
    status, headers, body = ask(server, "/")
    assert status == 200
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert headers["cache-control"] == "no-store"
    assert "script-src 'self'" in headers["content-security-policy"]
    head, _, rest = body.partition(b"</head>")
    assert b'<script src="/-/reload.js" defer data-page="index.html"' in head
    assert rest == b"<body>first</body></html>"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/models/", "text/html; charset=utf-8"),
        ("/models/index.html?x=1", "text/html; charset=utf-8"),
        ("/assets/site.css", "text/css; charset=utf-8"),
        ("/data/x.parquet", "application/octet-stream"),
        ("/-/reload.js", "text/javascript; charset=utf-8"),
        ("/-/overlay.js", "text/javascript; charset=utf-8"),
        ("/-/idiomorph.js", "text/javascript; charset=utf-8"),
        ("/-/reload.css", "text/css; charset=utf-8"),
    ],
)
def test_files_have_their_type(server: Server, path: str, kind: str) -> None:
    status, headers, body = ask(server, path)
    assert (status, headers["content-type"]) == (200, kind)
    assert ask(server, path, "HEAD")[1]["content-length"] == str(len(body))
    assert ask(server, path, "HEAD")[2] == b""


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "10.0.0.1"])
def test_a_page_elsewhere_that_points_its_name_here_gets_nothing(server: Server, host: str) -> None:
    for path in ("/", "/-/events?page=index.html", "/-/reload.js"):
        status, _, body = ask(server, path, Host=host)
        assert status == 421
        assert body == b"this preview answers to localhost only\n"


def test_whoever_names_no_host_gets_nothing(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=PATIENCE) as line:
        line.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert line.makefile("rb").readline().split()[1] == b"421"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1", "[::1]:9", "LOCALHOST:80"])
def test_this_machine_may_ask_by_any_of_its_names(server: Server, host: str) -> None:
    assert ask(server, "/", Host=host)[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/%2e%2e/pyproject.toml",
        "/assets/../../pyproject.toml",
        "/-/../../render.py",
        "/-/%2e%2e/%2e%2e/render.py",
        "/-//etc/passwd",
        "/-/reload.js/../../../render.py",
        "http://localhost/../pyproject.toml",
        "/-/js/reload.js",
        "/..%5cpyproject.toml",
        "//etc/passwd",
        "/a%00",
        "/%ff",
    ],
)
def test_nothing_but_the_site_is_given(server: Server, path: str) -> None:
    assert ask(server, path)[0] == 404


def test_only_reading_is_answered(server: Server) -> None:
    assert ask(server, "/", "POST")[0] == 501


def test_a_page_that_is_not_there_waits_for_it(server: Server, page_cache: PageCache) -> None:
    status, _, body = ask(server, "/later.html")
    assert status == 404
    assert b"data-assay-shell" in body
    assert b"reload.js" in body
    page_cache.show(PreviewState(site=None, explain=explain))
    status, _, body = ask(server, "/")
    assert status == 503
    assert b"<h1>Measuring</h1>" in body
    assert b"opens when that is done" in body
    fault = ErrorReport(kind="Error", problem="no", where="a.md:1")
    page_cache.show(PreviewState(site=None, explain=explain, faults=(fault,)))
    status, _, body = ask(server, "/")
    assert status == 503
    assert b"<h1>Not made yet</h1>" in body


def test_a_page_that_is_no_more_says_so_and_where_it_went(server: Server, page_cache: PageCache) -> None:
    gone = {"old.html": "a b.html", "lost.html": ""}
    page_cache.show(PreviewState(site=Pages({"a b.html": b"new"}), gone=gone, explain=explain))
    status, _, body = ask(server, "/old.html")
    assert status == 404
    assert b"<h1>This page is no more</h1>" in body
    assert b'<a href="/a%20b.html">a b.html</a>' in body
    _, _, body = ask(server, "/lost.html")
    assert b"<h1>This page is no more</h1>" in body
    assert b"<a " not in body
    assert b"<h1>No such page</h1>" in ask(server, "/%3Cb%3E.html")[2]
    assert b"<b>" not in ask(server, "/%3Cb%3E.html")[2]


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"BREW / HTTP/1.1", 501),
        (b"GET /" + b"x" * 70_000 + b" HTTP/1.1", 414),
        (b"GET / HTTP/3.0", 505),
        (b"GET / <script>", 400),
        (b"GET / HTTP/1.1\r\n" + b"".join(b"A%d: 1\r\n" % n for n in range(200)), 431),
        (b"GET / HTTP/1.1\r\nA: " + b"x" * 70_000, 431),
    ],
)
def test_what_the_library_refuses_has_our_headers_and_quotes_nothing(
    server: Server, request_line: bytes, status: int
) -> None:
    host, port = server.server_address[:2]
    with socket.create_connection((str(host), port), timeout=10) as connection:
        connection.sendall(request_line + b"\r\n\r\n")
        with connection.makefile("rb") as answer:
            head, _, body = answer.read().partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    assert first.split()[1] == str(status)
    headers = dict(line.lower().split(": ", 1) for line in lines)
    assert headers["content-type"] == "text/plain; charset=utf-8"
    assert headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["connection"] == "close"
    assert b"script" not in body
    assert b"BREW" not in body
    assert b"xxx" not in body


def test_a_port_that_is_taken_gives_way_to_the_next(page_cache: PageCache, server: Server) -> None:
    taken = server.server_address[1]
    second = Server(page_cache, assets_folder(), "127.0.0.1", taken)
    assert taken < second.server_address[1] <= taken + 20
    second.server_close()


def test_no_address_but_this_machines_is_served(page_cache: PageCache) -> None:
    with pytest.raises(ConfigError, match="to this machine only"):
        Server(page_cache, assets_folder(), "0.0.0.0", 0)
    with pytest.raises(ConfigError, match="no such port"):
        Server(page_cache, assets_folder(), "127.0.0.1", 70_000)


def test_news_are_told_at_once_and_only_where_the_page_differs(server: Server, page_cache: PageCache) -> None:
    with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=PATIENCE) as line:
        line.sendall(b"GET /-/events?page=index.html HTTP/1.1\r\nHost: localhost\r\n\r\n")
        stream = line.makefile("rb")

        def news() -> dict[str, object]:
            while not (said := stream.readline()).startswith(b"data: "):
                assert said
            found = json.loads(said[6:])
            assert isinstance(found, dict)
            return found

        first = news()
        assert first["digest"] == page_cache.make("index.html").digest
        assert page_cache.open_pages() == ("index.html",)
        same = Pages({"index.html": b"<html><head><title>T</title></head><body>first</body></html>"})
        page_cache.show(PreviewState(site=same, style="s", rest="r", explain=explain))
        other = Pages({"index.html": b"<html><head></head><body>second</body></html>"})
        fault = ErrorReport(kind="Error", problem="no", where="a.md:1")
        page_cache.show(PreviewState(site=other, style="s", rest="r", faults=(fault,), explain=explain))
        found = news()
        assert found["digest"] == page_cache.make("index.html").digest != first["digest"]
        assert found["faults"] == [fault.to_json()]


def test_the_published_site_has_nothing_of_the_preview() -> None:
    own = ("reload", "overlay", "idiomorph")
    assert not [f.path for f in render.assets() if any(name in f.path for name in own)]
    for template in sorted(templates_folder().rglob("*.html")):
        assert answers.OWN not in template.read_text("utf-8")


def test_vendored_files_are_those_that_were_recorded() -> None:
    script = assets_folder() / "vendor" / "refresh.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "every vendored file is the one that was recorded\n")


# ------------------------------------------------------------------------------------------ as a process


def test_it_ends_cleanly_and_leaves_nothing_behind(program: Path, tmp_path: Path, content: Path) -> None:
    folder = project(program, tmp_path, content)
    before = sorted(path.relative_to(folder) for path in folder.rglob("*"))
    with running(folder) as preview:
        preview.wait_for("ready")
        preview.process.terminate()
        assert preview.process.wait(PATIENCE) == 0
        preview.wait_for("preview: stopped")
    assert sorted(path.relative_to(folder) for path in folder.rglob("*")) == before


def left_of(group: int) -> bool:
    """Whether any process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@one_in(2)
@pytest.mark.parametrize("said", ["watching", "measuring 1 experiment"])
def test_an_interrupt_while_measuring_ends_all_of_it(
    program: Path, tmp_path: Path, content: Path, said: str
) -> None:
    with running(project(program, tmp_path, content)) as preview:
        preview.wait_for(said)
        os.killpg(preview.process.pid, signal.SIGINT)  # as a terminal does: to each process of it
        assert preview.process.wait(PATIENCE) == 0
        until(lambda: not left_of(preview.process.pid))
    assert preview.said[-1] == "preview: stopped"
    assert "Traceback" not in "".join(preview.said)


@at_night("an interrupted one leaves nothing")
def test_nothing_is_left_of_a_preview_that_was_killed(program: Path, tmp_path: Path, content: Path) -> None:
    with running(project(program, tmp_path, content)) as preview:
        preview.wait_for("measuring")
        preview.process.kill()
        preview.process.wait(PATIENCE)
        until(lambda: not left_of(preview.process.pid))


def test_only_a_file_that_held_something_is_emptied() -> None:
    seen = FileSnapshots()
    seen.update("empty", (0, 1, 1))
    seen.update("full", (3, 1, 2))
    assert [seen.emptied("empty", None), seen.emptied("new", None)] == [False, False]
    assert [seen.emptied("full", now) for now in (None, (0, 2, 2), (4, 2, 2))] == [True, True, False]


def test_what_is_said_of_the_reading_holds_whenever_a_file_is_read_again(tmp_path: Path) -> None:
    settings = {"source": {"format": "table", "map": {"task": ["what"]}}}
    table = tmp_path / "a.csv"
    table.write_text("what,ok\na,1\n")
    pool = MeasurementPool(Redactor(), lambda: None, settings=settings)
    experiment = pool.load(table)
    table.write_text("what,ok\na,1\nb,0\n")  # it changes before it is measured
    again, report = measured(experiment, (), settings)
    assert (report.records, report.usable) == (2, True)
    assert again.settings.source == experiment.settings.source
