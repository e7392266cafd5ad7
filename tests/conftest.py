"""What all tests share: where the real data are, a browser, and how hard hypothesis tries.

Nothing is skipped silently. The header of a run names the browser, the data and the cage that were found,
each skipped test gives its reason in the summary, and three settings turn a skip into a failure:
``ASSAY_REQUIRE_BROWSER=1``, ``ASSAY_REQUIRE_DATA=1`` and ``ASSAY_REQUIRE_CAGE=1``. A fourth,
``ASSAY_HYPOTHESIS=assay-nightly``, has hypothesis try 200 examples of each law in place of 12, and every
case of the tests that try a part of many like ones by day.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.support.built_once import built_once, write_program, write_small_site, write_suite_site
from tests.support.by_day import MOST_EXAMPLES, by_night, tried
from tests.support.own_ledger import NAME, write_ledger

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REPO = Path(__file__).resolve().parent.parent

collect_ignore = ["families/sixth"]  # a family that a test puts into a copy of the program

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The shell draws the same pages as the whole browser, for about half of the time."""

QUIET = (  # nothing is fetched, synchronised or asked
    "--no-sandbox",  # continuous integration runs as root
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

LONGEST = (
    "test_pages_browser.py",
    "test_preview_browser.py",
    "test_hostile_site.py",
    "test_compare_pages.py",
    "test_search_browser.py",
    "test_figures_browser.py",
    "test_decision_pages.py",
    "test_reading_browser.py",
    "test_folded_pages.py",
    "test_reader_tasks.py",
    "test_build.py",
    "test_preview.py",
    "test_real_data.py",
    "test_laws.py",
    "test_tutorial.py",
    "test_verify.py",
    "test_truth_of_surfaces.py",
    "test_closure.py",
    "test_sixth_family.py",
    "test_every_field_has_an_effect.py",
    "test_truth_of_rows.py",
    "test_scorer_fence.py",
    "test_ci.py",
    "test_fixtures_guard.py",
    "test_locking.py",
    "test_cli.py",
    "test_hostile_inputs.py",
    "test_package.py",
    "test_secret_corpus.py",
    "test_text.py",
    "test_hostile_contracts.py",
    "test_published_code.py",
    "test_first_edition.py",
)
"""Files that are begun first, those with a browser before all others, the longest first: a run ends with many
short ones, and both workers end together."""

TEMPROOT = "PYTEST_DEBUG_TEMPROOT"
"""Names the folder below which pytest makes those of tests."""

MEMORY, MEMINFO, ROOM = Path("/dev/shm"), Path("/proc/meminfo"), 4 << 30
"""The file system that Linux has in memory, and bytes that must be free for it: more than a run takes."""

TOGETHER = ("tests/house/", "tests/site/wording/")
"""Rooms whose files one worker runs: the tree is parsed, and reports are made, once."""

settings.register_profile(
    "assay", deadline=None, max_examples=MOST_EXAMPLES, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("assay-ci", settings.get_profile("assay"), derandomize=True, print_blob=True)
settings.register_profile("assay-nightly", settings.get_profile("assay"), max_examples=200, print_blob=True)
settings.load_profile(os.environ.get("ASSAY_HYPOTHESIS") or ("assay-ci" if os.environ.get("CI") else "assay"))

# Hundreds of processes are started; where none may keep its byte code, each compiles the whole program.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

gc.disable()  # until all is collected: what is loaded stays


def find_browser() -> Path | None:
    """The first Chromium on the PATH; the one that playwright would download is never used."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    return Path(found) if found else None


def find_data() -> Path | None:
    """The folder of real evaluation results: ``ASSAY_DATA``, or the one beside the checkout."""
    data = Path(os.environ.get("ASSAY_DATA") or REPO.parent / "shared" / "data")
    return data if data.is_dir() else None


def memory_folder() -> Path | None:
    """Where a run of the day has its files, which come by the ten thousand and live for a moment.

    None by night, when all is tried on a disk, and where there is no room in memory.
    """
    if by_night() or not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK | os.X_OK):
        return None
    held = os.statvfs(MEMORY)
    free = re.search(r"^MemAvailable: +(\d+) kB$", MEMINFO.read_text("utf-8"), re.MULTILINE)
    room = min(held.f_bavail * held.f_frsize, int(free[1]) * 1024 if free else 0)
    return None if room < ROOM or held.f_flag & os.ST_NOEXEC else MEMORY


def required(name: str) -> bool:
    return os.environ.get(name, "") not in {"", "0"}


def go_without(what: str, setting: str) -> NoReturn:
    """Skip with the reason, or fail where ``setting`` says that nothing may be skipped."""
    if required(setting):
        pytest.fail(f"{what}, and {setting} is set", pytrace=False)
    pytest.skip(what)


@cache
def made_cage() -> str:
    """In what an interpreter of this system can be put; empty where that is no cage."""
    if not sys.platform.startswith("linux"):
        return ""
    program = (
        "import sys\nfrom metrics_core.contracts.cage import kernel\n"
        "made = kernel.enter(sys.path)\n"
        "print(*[f'{name} {value}' for name, value in made.items() if value], sep=', ')\n"
        "sys.exit(not (made['landlock'] and made['seccomp']))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=REPO, check=False, capture_output=True, text=True
    )
    return ran.stdout.strip() if ran.returncode == 0 else ""


def pytest_report_header() -> list[str]:
    return [
        f"browser: {find_browser() or 'NONE FOUND, browser tests are skipped (install chromium)'}",
        f"real data: {find_data() or 'NONE FOUND, tests on real data are skipped (set ASSAY_DATA)'}",
        f"cage: {made_cage() or 'NONE, its tests are skipped (Linux with Landlock and seccomp has one)'}",
        f"files of tests: below {os.environ.get(TEMPROOT) or 'the folder of the system for temporary ones'}",
        f"examples of each law: {settings.default.max_examples}",
        f"of many like cases: {'all' if by_night() else 'a part of each kind (make nightly tries all)'}",
    ]


class ByFile(LoadFileScheduling):
    """A file's tests to one worker, and a room's to one where all its files need the same, made once."""

    def _split_scope(self, nodeid: str) -> str:
        return next(filter(nodeid.startswith, TOGETHER), super()._split_scope(nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile | None:
    return ByFile(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Doctests are looked for in files that have a prompt: to look into all takes each worker seconds."""
    found = yield
    if ">>>" in file_path.read_text("utf-8"):
        return found
    return [each for each in found if not isinstance(each, DoctestModule)]


def pytest_configure(config: pytest.Config) -> None:
    if TEMPROOT not in os.environ and (folder := memory_folder()):
        os.environ[TEMPROOT] = str(folder)
    config.addinivalue_line(
        "markers", "night(by_day): run by `make nightly` alone; what by day does the like"
    )
    config.addinivalue_line("markers", "sampled(one_in): by day, one of so many cases of the test is tried")


def for_the_night(items: list[pytest.Item]) -> Iterator[str]:
    """The tests that are run by night alone, and the cases of a sampled test that are not tried by day."""
    cases: dict[tuple[str, int], list[str]] = {}
    for item in items:
        if item.get_closest_marker("night"):
            yield item.nodeid
        elif sampled := item.get_closest_marker("sampled"):
            test = item.nodeid.partition("[")[0]
            cases.setdefault((test, sampled.args[0]), []).append(item.nodeid)
    for (_, one_in), names in cases.items():
        yield from set(names) - tried(names, one_in)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """By day leave out what is for the night; the longest files first, within a file nothing is reordered."""
    if not by_night():
        left_out = set(for_the_night(items))
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
        items[:] = [item for item in items if item.nodeid not in left_out]
    begun = {name: at for at, name in enumerate(LONGEST)}
    items.sort(key=lambda item: begun.get(item.path.name, len(LONGEST)))


def pytest_collection_finish() -> None:
    """Collected tests and loaded modules stay to the end: cycles are looked for among what tests make."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def repo() -> Path:
    """The top of the checkout."""
    return REPO


@pytest.fixture(scope="session", autouse=True)
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A ledger of the built-in contracts as they stand, in place of the one that the package ships.

    The tests that are about the shipped one delete ``ASSAY_LEDGER``.
    """
    path = built_once(tmp_path_factory, "ledger", write_ledger) / NAME
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_LEDGER", str(path))
        yield path


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program that runs by itself, shared by all workers: to be copied, never edited."""
    return built_once(tmp_path_factory, "program", write_program)


@pytest.fixture(scope="session")
def small_site(tmp_path_factory: pytest.TempPathFactory, ledger: Path) -> Path:
    """A project of small content, locked and built, shared by all workers: to be read or copied."""
    return built_once(tmp_path_factory, "small-site", write_small_site)


@pytest.fixture(scope="session")
def suite_site(tmp_path_factory: pytest.TempPathFactory, ledger: Path) -> Path:
    """The same of one experiment alone."""
    return built_once(tmp_path_factory, "suite-site", write_suite_site)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real evaluation results that are not part of the project."""
    return find_data() or go_without("no real data: ASSAY_DATA names no folder", "ASSAY_REQUIRE_DATA")


@pytest.fixture(scope="session")
def cage() -> str:
    """What of a cage the kernel has for a user's contract, in words."""
    return made_cage() or go_without("no cage: this system lacks Landlock or seccomp", "ASSAY_REQUIRE_CAGE")


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The executable of a Chromium."""
    return find_browser() or go_without(
        f"no browser: none of {', '.join(BROWSERS)} on the PATH", "ASSAY_REQUIRE_BROWSER"
    )


@pytest.fixture(scope="session")
def browser(chromium: Path) -> Iterator[Browser]:
    """A running headless browser with an empty profile; each test opens its own context."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=list(QUIET))
        yield running
        running.close()
