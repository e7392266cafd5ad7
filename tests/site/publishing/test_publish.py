"""A site is put in place whole or not at all, whatever happens to the process, the disk or the neighbour."""

from __future__ import annotations

import errno
import hashlib
import multiprocessing
import os
import random
import stat
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from metrics_core.errors import LeakError, PublishError
from metrics_core.redaction.builder import BuilderIdentity
from metrics_core.redaction.redactor import Redactor
from site_src.project import work_folder
from site_src.project.safe_write import SiteFile, StandingFile
from site_src.publishing import writer
from site_src.publishing.leaks import CleanLines, screened
from tests.support.by_day import by_day


def site_of(version: str, count: int = 30) -> list[SiteFile]:
    return [SiteFile(f"pages/{i}/index.html", f"{version} {i}\n".encode() * 50) for i in range(count)]


def fingerprint(folder: Path) -> dict[str, str]:
    return {
        p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def test_the_manifest_lists_every_file_but_itself(tmp_path: Path) -> None:
    manifest = writer.swap(site_of("a", 3), tmp_path / "site")
    assert [path for path, _, _ in manifest.files] == [f"pages/{i}/index.html" for i in range(3)]
    listed = {path: digest for path, _, digest in manifest.files}
    found = fingerprint(tmp_path / "site")
    assert found.pop("manifest.json") == manifest.digest.removeprefix("sha256:")
    assert found == listed


def test_nothing_is_left_beside_the_site(tmp_path: Path) -> None:
    writer.swap(site_of("a"), tmp_path / "site")
    writer.swap(site_of("b"), tmp_path / "site")
    assert [p.name for p in tmp_path.iterdir()] == ["site"]


def test_modes_do_not_depend_on_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        writer.swap(site_of("a", 2), tmp_path / "site")
    finally:
        os.umask(before)
    modes = {stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "site").rglob("*")}
    assert modes == {0o644, 0o755}


@pytest.mark.parametrize(
    "path", ["../out", "a/../../out", "/etc/x", "a//b", "", "manifest.json", "a\\b", "statement.json"]
)
def test_a_path_that_leaves_the_site_is_refused(tmp_path: Path, path: str) -> None:
    writer.swap(site_of("a", 2), tmp_path / "site")
    before = fingerprint(tmp_path / "site")
    with pytest.raises(PublishError):
        writer.swap([SiteFile("ok.txt", b"x"), SiteFile(path, b"x")], tmp_path / "site")
    assert fingerprint(tmp_path / "site") == before
    assert [p.name for p in tmp_path.iterdir()] == ["site"]


def test_two_files_of_one_path_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match="two files"):
        writer.swap([SiteFile("a", b"1"), SiteFile("a", b"2")], tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_a_folder_that_is_not_a_site_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work")
    with pytest.raises(PublishError, match="not a site"):
        writer.swap(site_of("a"), tmp_path / "thesis")
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "years of work"


def test_a_link_in_the_place_of_the_site_is_refused(tmp_path: Path) -> None:
    writer.swap(site_of("a", 1), tmp_path / "real")
    (tmp_path / "site").symlink_to(tmp_path / "real")
    with pytest.raises(PublishError):
        writer.swap(site_of("b", 1), tmp_path / "site")


def test_an_error_while_pages_are_made_leaves_the_earlier_site(tmp_path: Path) -> None:
    writer.swap(site_of("a"), tmp_path / "site")
    before = fingerprint(tmp_path / "site")

    def breaks() -> object:
        yield from site_of("b", 5)
        raise RuntimeError("a template broke")

    with pytest.raises(RuntimeError):
        writer.swap(breaks(), tmp_path / "site")  # type: ignore[arg-type]
    assert fingerprint(tmp_path / "site") == before
    assert [p.name for p in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize("call", ["write", "syncfs", "mkdir", "rename", "renameat2"])
@pytest.mark.parametrize("nth", [1, 2, 7])
def test_a_disk_that_refuses_leaves_the_earlier_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, nth: int
) -> None:
    writer.swap(site_of("a"), tmp_path / "site")
    before = fingerprint(tmp_path / "site")
    counted = {"n": 0}

    def failing(real: object) -> object:
        def one(*args: object, **more: object) -> object:
            counted["n"] += 1
            if counted["n"] == nth:
                raise OSError(28, "No space left on device")
            return real(*args, **more)  # type: ignore[operator]

        return one

    targets = {"write": (writer, "_put"), "syncfs": (writer, "_sync"), "mkdir": (Path, "mkdir"),
               "rename": (Path, "rename"), "renameat2": (writer, "_renameat2")}  # fmt: skip
    owner, name = targets[call]
    monkeypatch.setattr(owner, name, failing(getattr(owner, name)))
    try:
        writer.swap(site_of("b"), tmp_path / "site")
    except PublishError:
        assert fingerprint(tmp_path / "site") == before
    else:
        assert counted["n"] < nth
    monkeypatch.undo()
    writer.swap(site_of("c"), tmp_path / "site")
    assert [p.name for p in tmp_path.iterdir()] == ["site"]


def test_where_folders_cannot_be_exchanged_a_half_way_stop_is_recovered(tmp_path: Path) -> None:
    writer.swap(site_of("a"), tmp_path / "site")
    before = fingerprint(tmp_path / "site")
    work = work_folder.beside(tmp_path / "site")
    work.mkdir()
    (work / work_folder.MARK).write_bytes(work_folder.TEXT)
    (tmp_path / "site").rename(work / writer.ASIDE)
    with pytest.raises(PublishError):
        writer.swap([SiteFile("../x", b"")], tmp_path / "site")
    assert fingerprint(tmp_path / "site") == before


FORKED = multiprocessing.get_context("forkserver")
"""Processes of their own that have this module loaded when they begin."""

FORKED.set_forkserver_preload([__name__])


def build(site: Path, version: str, told: Connection) -> None:
    def files() -> Iterator[SiteFile]:
        for i in range(60):
            time.sleep(0.002)
            yield SiteFile(f"pages/{i}/index.html", f"{version} {i}\n".encode() * 50)

    told.send("begun")
    writer.swap(files(), site)


def start(site: Path, version: str) -> BaseProcess:
    """A process that has begun to build a site."""
    heard, told = FORKED.Pipe(duplex=False)
    child = FORKED.Process(target=build, args=(site, version, told))
    child.start()
    told.close()
    assert heard.recv() == "begun"
    heard.close()
    return child


def test_killed_at_any_moment_the_site_is_the_old_or_the_new_one(tmp_path: Path) -> None:
    site = tmp_path / "site"
    whole = {}
    for version in ("old", "new"):
        writer.swap(
            [SiteFile(f"pages/{i}/index.html", f"{version} {i}\n".encode() * 50) for i in range(60)], site
        )
        whole[version] = fingerprint(site)
    dice = random.Random(20)
    seen = set()
    for at in range(20):
        moment = dice.uniform(0, 0.25)
        if not by_day(at, 3):
            continue
        writer.swap([SiteFile(f"pages/{i}/index.html", f"old {i}\n".encode() * 50) for i in range(60)], site)
        child = start(site, "new")
        time.sleep(moment)
        child.kill()
        child.join()
        now = fingerprint(site)
        assert now in (whole["old"], whole["new"])
        seen.add(now == whole["old"])
    assert True in seen
    writer.swap(site_of("last"), site)
    assert [p.name for p in tmp_path.iterdir()] == ["site"]


def test_a_second_build_waits_for_the_first(tmp_path: Path) -> None:
    site = tmp_path / "site"
    first = start(site, "first")
    time.sleep(0.05)
    told: list[bool] = []
    writer.swap(site_of("second", 3), site, waiting=lambda: told.append(True))
    first.join()
    assert first.exitcode == 0
    assert told == [True]
    assert len(fingerprint(site)) == 4
    assert [p.name for p in tmp_path.iterdir()] == ["site"]


def test_a_secret_in_a_file_that_is_about_to_be_published_stops_it() -> None:
    secret = SiteFile("notes.html", b"<p>ghp_" + b"a1B2" * 9 + b"</p>")
    with pytest.raises(LeakError, match="1 x github-token"):
        list(screened([secret], Redactor()))
    clean = SiteFile("notes.html", b"<p>none</p>")
    assert list(screened([clean], Redactor())) == [clean]


def test_a_secret_is_found_on_a_page_whose_other_lines_were_looked_through_before() -> None:
    body = b"MIIEowIBAAKCAQEA" * 4
    begins = b"-----BEGIN RSA PRIVATE " + b"KEY-----"
    frame = b"<p>one</p>\n" + begins + b"\n<p>two</p>"
    pages = [
        SiteFile("a.html", b"<p>one</p>\n<p>two</p>"),
        SiteFile("b.html", b"<p>one</p>\n<p>two</p>\n<p>three</p>"),
    ]
    assert list(screened(pages, Redactor())) == pages
    for odd in (
        b"<p>one</p>\n<p>ghp_" + b"a1B2" * 9 + b"</p>\n<p>two</p>",
        begins + b"\n" + body + b"\n<p>two</p>",
    ):
        with pytest.raises(LeakError, match=r"odd\.html:[12]: holds 1 x"):
            list(screened([*pages, SiteFile("c.html", frame), SiteFile("odd.html", odd)], Redactor()))


def test_what_one_redactor_found_nothing_in_another_searches_and_what_was_refused_is_refused_again() -> None:
    at_home = Redactor(BuilderIdentity(home="/home/zanzibar", user="zanzibar"))
    page = SiteFile("a.html", b"<p>one</p>\n<p>/home/zanzibar/notes</p>")
    assert list(screened([page], Redactor())) == [page]
    for _ in range(2):
        with pytest.raises(LeakError, match=r"a\.html:2"):
            list(screened([page], at_home))


@given(st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=30), st.integers(33, 400))
def test_of_lines_that_are_remembered_none_was_never_added_and_few_are_kept(
    added: list[list[int]], most: int
) -> None:
    seen, ever = CleanLines(most), set[bytes]()
    for numbers in added:
        lines = [f"line {number}".encode() for number in numbers]
        fresh = seen.others(lines)
        assert set(fresh) >= set(lines) - ever
        assert sum(line not in fresh for line in set(lines)) * 39 <= 2 * (most + 6 * 39)
        seen.add(fresh)
        ever.update(lines)


def test_what_does_not_read_back_as_it_was_written_is_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    writer.swap(site_of("old", 2), site)
    before = fingerprint(site)
    monkeypatch.setattr(writer, "_sync", lambda draft: (draft / "pages/0/index.html").write_bytes(b"lost"))
    with pytest.raises(PublishError, match="does not read back"):
        writer.swap(site_of("new", 2), site)
    assert fingerprint(site) == before


# ------------------------------------------------------------------------------ files that stand


def standing(site: Path, path: str = "a") -> SiteFile:
    """A file of a site, for the next one of which it is to be a file as well."""
    data = (site / path).read_bytes()
    stands = StandingFile(site / path, len(data), hashlib.sha256(data).hexdigest())
    return SiteFile(path, data, standing=stands)


def test_a_file_that_stands_is_the_same_file_in_the_next_site_and_has_one_place(tmp_path: Path) -> None:
    site = tmp_path / "site"
    writer.swap([SiteFile("a", b"1"), SiteFile("b", b"1")], site)
    before = (site / "a").stat()
    manifest = writer.swap([standing(site), SiteFile("b", b"2")], site)
    now = (site / "a").stat()
    assert (now.st_ino, now.st_nlink, now.st_mtime_ns) == (before.st_ino, 1, before.st_mtime_ns)
    assert {path: digest for path, _, digest in manifest.files} == {
        path: digest for path, digest in fingerprint(site).items() if path != "manifest.json"
    }


def shared(file: Path) -> None:
    os.link(file, file.parents[1] / "thesis")


def of_another_mode(file: Path) -> None:
    file.chmod(0o600)


def a_link(file: Path) -> None:
    file.rename(file.parents[1] / "thesis")
    file.symlink_to(file.parents[1] / "thesis")


def gone(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize("became", [shared, of_another_mode, a_link, gone])
def test_a_file_that_may_not_be_one_of_the_site_s_is_written_anew(
    tmp_path: Path, became: Callable[[Path], None]
) -> None:
    site = tmp_path / "site"
    writer.swap([SiteFile("a", b"1")], site)
    file = standing(site)
    before = (site / "a").stat().st_ino
    became(site / "a")
    writer.swap([file], site)
    now = (site / "a").lstat()
    assert stat.S_ISREG(now.st_mode)
    assert (stat.S_IMODE(now.st_mode), now.st_nlink) == (0o644, 1)
    assert became is gone or now.st_ino != before
    assert (site / "a").read_bytes() == b"1"


@pytest.mark.parametrize("code", [errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP])
def test_where_the_disk_gives_no_links_a_file_that_stands_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuses(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    site = tmp_path / "site"
    writer.swap([SiteFile("a", b"1")], site)
    before = (site / "a").stat().st_ino
    monkeypatch.setattr(os, "link", refuses)
    writer.swap([standing(site)], site)
    assert (site / "a").read_bytes() == b"1"
    assert (site / "a").stat().st_ino != before


def test_a_file_that_stands_and_is_written_to_meanwhile_stops_the_build(tmp_path: Path) -> None:
    site = tmp_path / "site"
    writer.swap([SiteFile("a", b"1"), SiteFile("b", b"1")], site)

    def meanwhile() -> Iterator[SiteFile]:
        yield standing(site)
        (site / "a").write_bytes(b"2")
        yield SiteFile("b", b"2")

    with pytest.raises(PublishError, match=r"a: does not read back as it was written \(build again\)"):
        writer.swap(meanwhile(), site)
    assert ((site / "a").read_bytes(), (site / "b").read_bytes()) == (b"2", b"1")
    assert (site / "a").stat().st_nlink == 1


def test_a_build_that_was_killed_leaves_no_second_place_of_a_file_to_the_next(tmp_path: Path) -> None:
    site = tmp_path / "site"
    writer.swap([SiteFile("a", b"1")], site)
    work = work_folder.beside(site)
    (work / writer.DRAFT).mkdir(parents=True)
    (work / work_folder.MARK).write_bytes(work_folder.TEXT)
    os.link(site / "a", work / writer.DRAFT / "a")
    before = (site / "a").stat().st_ino
    writer.swap([standing(site)], site)
    assert ((site / "a").stat().st_ino, (site / "a").stat().st_nlink) == (before, 1)
