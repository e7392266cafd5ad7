"""What all tests share: where the real data are, a browser, and how hard hypothesis tries.

Nothing is skipped silently. The header of a run names the browser and the data that were found,
each skipped test gives its reason in the summary, and two settings turn a skip into a failure:
``ASSAY_REQUIRE_BROWSER=1`` and ``ASSAY_REQUIRE_DATA=1``.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REPO = Path(__file__).resolve().parent.parent

collect_ignore = ["sixth_family"]        # modules that belong into another folder: see test_sixth_family

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

QUIET = (                                   # nothing is fetched, synchronised or asked
    "--no-sandbox",                         # continuous integration runs as root
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

settings.register_profile("assay", deadline=None, max_examples=60,
                          suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("assay-ci", settings.get_profile("assay"), derandomize=True, print_blob=True)
settings.load_profile("assay-ci" if os.environ.get("CI") else "assay")


def find_browser() -> Path | None:
    """The first Chromium on the PATH; the one that playwright would download is never used."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    return Path(found) if found else None


def find_data() -> Path | None:
    """The folder of real evaluation results: ``ASSAY_DATA``, or the one beside the checkout."""
    data = Path(os.environ.get("ASSAY_DATA") or REPO.parent / "shared" / "data")
    return data if data.is_dir() else None


def required(name: str) -> bool:
    return os.environ.get(name, "") not in {"", "0"}


def go_without(what: str, setting: str) -> NoReturn:
    """Skip with the reason, or fail where ``setting`` says that nothing may be skipped."""
    if required(setting):
        pytest.fail(f"{what}, and {setting} is set", pytrace=False)
    pytest.skip(what)


def pytest_report_header() -> list[str]:
    return [
        f"browser: {find_browser() or 'NONE FOUND, browser tests are skipped (install chromium)'}",
        f"real data: {find_data() or 'NONE FOUND, tests on real data are skipped (set ASSAY_DATA)'}",
    ]


@pytest.fixture(scope="session")
def repo() -> Path:
    """The top of the checkout."""
    return REPO


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real evaluation results that are not part of the project."""
    return find_data() or go_without("no real data: ASSAY_DATA names no folder", "ASSAY_REQUIRE_DATA")


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The executable of a Chromium."""
    return find_browser() or go_without(f"no browser: none of {', '.join(BROWSERS)} on the PATH",
                                        "ASSAY_REQUIRE_BROWSER")


@pytest.fixture(scope="session")
def browser(chromium: Path) -> Iterator[Browser]:
    """A running headless browser with an empty profile; each test opens its own context."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=list(QUIET))
        yield running
        running.close()
