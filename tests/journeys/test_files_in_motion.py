"""Real files that are written, rewritten or dated wrongly while they are read, and several builds at once."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import metrics_core as mc
from metrics_core.errors import InputError
from metrics_core.results.report import Report
from site_src.project.safe_write import SiteFile
from site_src.publishing import writer
from tests.support import small_content

LINES = [json.dumps(run).encode() + b"\n" for run in small_content.runs("alpha")]
PATIENCE = 60.0
"""Seconds that a busy machine may take; nothing here is timed."""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "suite/logs_big").mkdir(parents=True)
    path = tmp_path / "suite/logs_big/alpha.jsonl"
    path.write_bytes(b"".join(LINES))
    return path


def report_of(log: Path) -> Report:
    return mc.compute(mc.load(log.parents[1]))


# ------------------------------------------------------------------------------ written while it is read


@pytest.mark.parametrize("kept", [1, 2, len(LINES[-1]) // 2, len(LINES[-1]) - 2])
def test_a_line_that_is_being_written_costs_itself_and_nothing_once_it_is_whole(log: Path, kept: int) -> None:
    whole = report_of(log).to_json()
    log.write_bytes(b"".join(LINES[:-1]) + LINES[-1][:kept])
    torn = report_of(log)
    assert (torn.records, torn.invalid) == (len(LINES), 1)
    assert [problem.line for problem in torn.problems] == [len(LINES)]
    with log.open("ab") as file:
        file.write(LINES[-1][kept:])
    assert report_of(log).to_json() == whole


def rewritten_in_place(log: Path) -> None:
    """Other bytes, as many, in the same file, with its date set back: as copying tools do."""
    was = log.stat()
    with log.open("r+b") as file:
        file.write(b"".join(LINES).replace(b'"change": 1.0', b'"change": 0.0'))
    os.utime(log, ns=(was.st_atime_ns, was.st_mtime_ns))


def replaced(log: Path) -> None:
    new = log.with_name("new")
    new.write_bytes(b"".join(LINES))
    new.rename(log)


def appended(log: Path) -> None:
    with log.open("ab") as file:
        file.write(LINES[0])


def cut_short(log: Path) -> None:
    os.truncate(log, 100)


@pytest.mark.parametrize("how", [rewritten_in_place, replaced, appended, cut_short, Path.unlink])
def test_a_file_that_changed_since_its_digest_was_taken_is_never_measured(
    log: Path, how: Callable[[Path], object]
) -> None:
    found = mc.load(log.parents[1]).with_snapshot()
    how(log)
    with pytest.raises(InputError, match=r"logs_big/alpha\.jsonl: "):
        mc.compute(found)


# ------------------------------------------------------------------------------ clocks


def test_a_clock_that_jumps_moves_no_number_and_no_digest(log: Path) -> None:
    now = report_of(log).to_json()
    for seconds in (-1, 0, 2**31, 2**33):
        os.utime(log, (seconds, seconds))
        os.utime(log.parent, (seconds, seconds))
        assert report_of(log).to_json() == now


# ------------------------------------------------------------------------------ several at once


def _swap(site: Path, number: int) -> None:
    files = [SiteFile(f"{page}.html", b"%d" % number * 50_000) for page in range(30)]
    writer.swap(files, site)


def test_of_builds_at_once_each_stands_whole_or_not_at_all(tmp_path: Path) -> None:
    site = tmp_path / "site"
    context = multiprocessing.get_context("fork")
    builds = [context.Process(target=_swap, args=(site, number)) for number in range(4)]
    for build in builds:
        build.start()
    for build in builds:
        build.join(PATIENCE)
    assert [build.exitcode for build in builds] == [0] * 4
    assert len({path.read_bytes() for path in site.glob("*.html")}) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
