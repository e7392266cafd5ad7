"""A site of which parts were taken over is, byte for byte, the one that is made from nothing."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from metrics_core.redaction import Redactor
from site_src import pipeline
from site_src.build_cache import BuildCache, FinishedSite, standing_files
from site_src.build_cache.standing_files import BuildNames, StandingFiles
from site_src.project import Plan
from site_src.publishing.reads import Reads, watched
from tests.support.by_day import by_night

Act = Callable[[Path], object]


@pytest.fixture
def plan(tmp_path: Path, suite_site: Path, repo: Path) -> Plan:
    """Of two experiments of different families."""
    project = shutil.copytree(suite_site, tmp_path / "project")
    shutil.copytree(
        repo / "content/experiments/layered-2026-08", project / "content/experiments/layered-2026-08"
    )
    return Plan(content=project / "content", output=project / "_site", redactor=Redactor(), project=project)


def warm(plan: Plan) -> list[str]:
    """Build with what was kept; what was made again, in words."""
    cache = BuildCache(plan)
    assert cache.standing() is None
    built = pipeline.build(plan, compute=cache.compute, keeper=cache.keeper)
    cache.keep(FinishedSite(manifest=built.manifest.digest, notes=built.notes, findings=(), counts=""))
    return cache.told


def files_of(site: Path) -> dict[str, bytes]:
    return {str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file()}


def cold(plan: Plan, tmp_path: Path) -> dict[str, bytes]:
    output = tmp_path / "cold"
    shutil.rmtree(output, ignore_errors=True)
    pipeline.build(replace(plan, output=output))
    return files_of(output)


def sentence(project: Path) -> None:
    page = project / "content/index.md"
    page.write_text(page.read_text("utf-8") + "\nOne sentence more.\n", "utf-8")


def record(project: Path) -> None:
    log = min((project / "content").rglob("*.jsonl"))
    log.write_bytes(log.read_bytes() + log.read_bytes().splitlines(keepends=True)[-1])


def new_page(project: Path) -> None:
    (project / "content/new.md").write_text("# New\n\nIt leads to [the first](index.md).\n", "utf-8")


def no_page(project: Path) -> None:
    (project / "content/new.md").unlink(missing_ok=True)
    sentence(project)


def title(project: Path) -> None:
    settings = project / "content/site.yaml"
    settings.write_text(f"{settings.read_text('utf-8')}# a comment\n", "utf-8")


EDITS: tuple[Act, ...] = (sentence, record, new_page, no_page, title)


def test_cold_and_warm_are_the_same_after_every_edit(plan: Plan, tmp_path: Path) -> None:
    """By day a record and a sentence, compared after both: what the first left wrongly is still there.

    By night a long sequence, one edit upon the other, and each compared.
    """
    assert plan.project is not None
    warm(plan)
    acts = random.Random(13).choices(EDITS, k=12) if by_night() else [record, sentence]
    for number, act in enumerate(acts, start=1):
        act(plan.project)
        told = warm(plan)
        if by_night() or number == len(acts):
            assert files_of(plan.output) == cold(plan, tmp_path)
        if act is record:
            assert [
                line
                for line in told
                if line.startswith("experiments/layered-2026-08/index.html is made again")
            ]
            assert not [line for line in told if line.startswith(("experiments/suite", "tasks/suite"))]
        if act is sentence:
            assert [line for line in told if "index.html is made again" in line]
            assert not [line for line in told if "measured" in line or "runs" in line or "data/" in line]


def test_of_the_files_that_are_taken_over_few_are_held_at_once(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part, such as the runs of an experiment, may be larger than memory."""

    class Counted(bytes):
        alive = most = every = 0

        def __new__(cls, data: bytes) -> Self:
            cls.alive, cls.every = cls.alive + 1, cls.every + 1
            cls.most = max(cls.most, cls.alive)
            return super().__new__(cls, data)

        def __del__(self) -> None:
            Counted.alive -= 1

    read_again = StandingFiles._read_again
    monkeypatch.setattr(standing_files, "MOST_HELD", 0)

    def again(standing: StandingFiles, path: str, digest: str) -> bytes:
        data = read_again(standing, path, digest)
        return Counted(data) if path.startswith("reviews/") else data

    monkeypatch.setattr(StandingFiles, "_read_again", again)
    assert plan.project is not None
    warm(plan)
    sentence(plan.project)
    warm(plan)
    assert Counted.every > 10
    assert Counted.most <= 2


def test_nothing_is_taken_over_that_is_not_as_it_was_left(plan: Plan) -> None:
    """A page that was altered, one that is gone, and one that became a link are made again."""
    assert plan.project is not None
    warm(plan)
    good = files_of(plan.output)
    pages = [name for name in sorted(good) if name.startswith("models/") and name.endswith("index.html")]
    altered, gone = plan.output / pages[0], plan.output / "methods.html"
    altered.write_bytes(good[pages[0]].replace(b"</html>", b"<script>1</script></html>"))
    (plan.output / "data/tables/runs.csv").write_bytes(b"run\n=HYPERLINK(1)\n")
    gone.rename(plan.project / "methods.html")
    gone.symlink_to(plan.project / "methods.html")
    told = warm(plan)
    assert f"{pages[0]} is made again, because its files are not as they were left" in told
    assert "methods.html is made again, because its files are not as they were left" in told
    assert "data/tables/estimates.json is made again, because its files are not as they were left" in told
    assert files_of(plan.output) == good


def test_what_does_not_name_its_build_is_the_same_file_and_what_does_is_another(plan: Plan) -> None:
    assert plan.project is not None
    warm(plan)
    before = {path: (plan.output / path).stat() for path in files_of(plan.output)}
    bytes_before = files_of(plan.output)
    sentence(plan.project)
    warm(plan)
    now = files_of(plan.output)
    same = {path for path in now if (plan.output / path).stat().st_ino == before[path].st_ino}
    assert {"data/tables/runs.csv", "assets/theme.js"} <= same
    assert not [path for path in same if now[path] != bytes_before[path] or path.endswith(".html")]
    assert {(plan.output / path).stat().st_nlink for path in now} == {1}


@pytest.mark.parametrize("when", ["before it is asked for", "while it is read"])
def test_a_site_that_goes_while_the_next_is_built_is_made_again(
    plan: Plan, tmp_path: Path, when: str
) -> None:
    assert plan.project is not None
    warm(plan)
    sentence(plan.project)
    cache = BuildCache(plan)
    assert cache.standing() is None
    early = when == "before it is asked for"

    def goes(what: str, done: int, total: int | None) -> None:
        if early or (what == "writing pages" and done == 3):
            shutil.rmtree(plan.output, ignore_errors=True)

    pipeline.build(plan, goes, compute=cache.compute, keeper=cache.keeper)
    assert files_of(plan.output) == cold(plan, tmp_path)


def test_a_site_on_another_disk_than_the_content_is_the_same_cold_and_warm(
    plan: Plan, tmp_path: Path
) -> None:
    others = [
        disk
        for disk in map(Path, ("/dev/shm", "/tmp", "/var/tmp", Path.home()))
        if os.access(disk, os.W_OK) and disk.stat().st_dev != tmp_path.stat().st_dev
    ]
    if not others:
        pytest.skip("there is no other disk")
    with tempfile.TemporaryDirectory(dir=others[0]) as folder:
        there = replace(plan, output=Path(folder) / "site")
        warm(there)
        assert plan.project is not None
        sentence(plan.project)
        warm(there)
        assert files_of(there.output) == cold(there, tmp_path)


def test_a_build_is_named_anew_and_nothing_else_is() -> None:
    before, now = f"sha256:{'0123abcd' * 8}", f"sha256:{'98765432' * 8}"
    text = b"assay 0.1.0+0123abcd at sha256:" + b"0123abcd" * 8
    assert BuildNames(before, now)(text) == b"assay 0.1.0+98765432 at sha256:" + b"98765432" * 8
    for other in (b"0123abc", b"0123abce", b"f0123abcd", b"0123abcd1", b"0123ABCD", b"0123abcd" * 9):
        assert BuildNames(before, now)(other) == other
    assert BuildNames(before, before)(text) == text


class Sample(Struct, frozen=True):
    name: str
    text: str
    made: dict[str, str] = field(default_factory=dict)

    @property
    def loud(self) -> str:
        return self.text.upper()


def test_whatever_is_read_but_for_names_is_noted() -> None:
    reads = Reads()
    sample = watched(Sample("a", "words"), lambda: reads.note("sample"), "name", fixed={"size": 5})
    with reads.noted() as found:
        assert (sample.name, getattr(sample, "size")) == ("a", 5)  # noqa: B009 (not of the class)
        assert found == set()
    for read in (lambda: sample.text, lambda: sample.loud, lambda: sample.made):
        with reads.noted() as outer, reads.noted() as found:
            read()
        assert outer == found == {"sample"}
    assert sample.text == "words"
    assert isinstance(sample, Sample)
    with pytest.raises(TypeError):  # a copy is made past what is noted
        replace(sample)
    assert found == {"sample"}
