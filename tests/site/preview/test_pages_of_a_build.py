"""Whatever is saved: each page of a preview is, byte for byte, that of a build of the same content."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from metrics_core.redaction.redactor import Redactor
from site_src import pipeline
from site_src.preview.error_report import ErrorReport
from site_src.preview.page_cache import PageCache, PreviewState
from site_src.preview.project import Project
from site_src.project.sources import Plan, read
from site_src.verification import ledger_update
from tests.support import small_content

PATIENCE = 60.0
"""Seconds that a measuring may take on a busy machine; nothing here is timed."""

FIRST, SECOND = "suite-2026-07-01", "suite-2026-07-02"


def _replaced(file: Path, old: str, new: str) -> list[Path]:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    return [file]


def _same_size_and_time(content: Path) -> list[Path]:
    """As a tool that keeps times replaces a file: its size and its times say that it is the old one."""
    page, was = content / "index.md", (content / "index.md").stat()
    new = page.read_text().replace("Prose", "Verse")
    assert len(new) == was.st_size
    page.write_text(new)
    os.utime(page, ns=(was.st_atime_ns, was.st_mtime_ns))
    return [page]


def _line_more(content: Path) -> list[Path]:
    log = content / "experiments" / FIRST / "logs_big" / "alpha.jsonl"
    with log.open("a") as file:
        file.write(log.read_text().splitlines()[0].replace('"rep": 0', '"rep": 77') + "\n")
    return [log]


def _gone(content: Path) -> list[Path]:
    shutil.rmtree(content / "experiments" / SECOND)
    return [content / "experiments" / SECOND]


def _come(content: Path) -> list[Path]:
    shutil.copytree(content / "experiments" / FIRST, content / "experiments" / SECOND)
    return [content / "experiments" / SECOND]


SAVES: dict[str, Callable[[Path], list[Path]]] = {
    "prose of the first page": lambda c: _replaced(c / "index.md", "a number", "any number"),
    "a file of the same size and time": _same_size_and_time,
    "a decision's text": lambda c: _replaced(c / "decisions" / "keep-alpha.md", "It did", "It did, so far,"),
    "a decision's claim": lambda c: _replaced(c / "decisions" / "keep-alpha.md", "0.2", "0.9"),
    "what leads": lambda c: _replaced(c / "site.yaml", "title: Small", "title: Small\nheadline: regress"),
    "the rule": lambda c: _replaced(c / "site.yaml", "headline", "separation: paired\nheadline"),
    "a line more in a log": _line_more,
    "prices": lambda c: _replaced(c / "pricing" / "2026-07-05.yaml", "input: 200", "input: 300"),
    "an experiment is gone": _gone,
    "an experiment has come": _come,
    "its settings": lambda c: [
        (c / "experiments" / SECOND / "experiment.yaml").write_text("title: The second\n")
        and c / "experiments" / SECOND / "experiment.yaml"
    ],
    "the prose again": lambda c: _replaced(c / "index.md", "any number", "a number"),
}  # fmt: skip


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two experiments that are a series, a decision, prices, and an edition that was published."""
    folder = small_content.write_suite(tmp_path_factory.mktemp("saves") / "content")
    (folder / "experiments" / "suite").rename(folder / "experiments" / FIRST)
    _come(folder)
    decision = folder / "decisions" / "keep-alpha.md"
    decision.write_text(decision.read_text().replace("suite/", f"{FIRST}/"))
    plan = Plan(
        content=folder,
        output=folder.parent / "_site",
        redactor=Redactor(),
        publishing=True,
        date="2026-07-21",
        why="The first.",
    )
    list(ledger_update.lock(plan, "2026-07-20"))
    pipeline.build(plan)
    assert (folder / "editions" / "0001.json").exists()
    return folder


@pytest.fixture(scope="module")
def preview(content: Path) -> Iterator[Callable[[list[Path]], PreviewState]]:
    """Has paths noticed, and gives the state once nothing is measured any more."""
    bell = threading.Semaphore(0)

    def explain(error: BaseException) -> ErrorReport:
        raise error

    plan = Plan(content=content, output=content.parent / "_preview", redactor=Redactor())
    project = Project(plan, bell.release, PageCache(PreviewState(site=None, explain=explain)))

    def saved(changed: list[Path]) -> PreviewState:
        state = project.next(frozenset(changed))
        while state.busy:
            assert bell.acquire(timeout=PATIENCE)
            state = project.next(frozenset())
        return state

    yield saved
    project.close()


def made(site: object, path: str) -> bytes | None:
    file = site.file(path)  # type: ignore[attr-defined]
    return None if file is None else file.data


def test_each_page_is_that_of_a_build(content: Path, preview: Callable[[list[Path]], PreviewState]) -> None:
    preview([])
    for what, save in SAVES.items():
        state = preview(save(content))
        assert (what, state.faults) == (what, ())
        sources = read(Plan(content=content, output=content.parent / "_site", redactor=Redactor()))
        fresh = pipeline.model(sources, pipeline.measure(sources))
        assert state.site is not None
        paths = list(fresh.paths())
        assert list(state.site.paths()) == paths
        differing = [path for path in paths if made(state.site, path) != made(fresh, path)]
        assert (what, differing) == (what, [])
