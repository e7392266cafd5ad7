"""A publication leaves as one archive, the same bytes each time, or as a commit that no filter touched."""

from __future__ import annotations

import os
import re
import subprocess
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest

from metrics_core.errors import PublishError
from metrics_core.experiments import Address
from site_src import delivery
from site_src.cli import main
from site_src.project.safe_write import SiteFile
from site_src.publishing import hosting, writer
from tests.support.small_tables import named, runs_of, write_rows

FILES = [
    SiteFile("index.html", b'<a href="a/b.html#x">b</a>\r\n'),
    SiteFile("a/b.html", b'<p id="x">\r\n'),
    SiteFile('a/odd "name" \\.txt', b"\x00\xff"),
    hosting.NO_JEKYLL,
    hosting.HEADERS,
]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "_public"
    writer.swap([f for f in FILES if "\\" not in f.path], folder)
    (folder / "a" / 'odd "name" é.txt').write_bytes(b"\x00\xff")
    return folder


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "A Publisher")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "publisher@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "core.autocrlf", "input")  # would take the carriage returns out
    (folder / ".gitattributes").write_text("* text\n")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=Begin")
    return folder


def git(folder: Path, *words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True).stdout


def test_an_edition_goes_to_an_archive_and_the_next_to_a_branch(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = repository / "content/experiments/nightly/runs.jsonl"
    write_rows(log, runs_of("m", named(["11", "10"] * 8)))
    assert main(["lock", "--quiet"], project=repository) == 0
    capsys.readouterr()
    words = ["publish", "--date", "2026-12-01", "--to"]
    to = repository / "site.zip"
    assert main([*words, str(to)], project=repository) == 0
    told = capsys.readouterr().err
    records = sorted(
        path.relative_to(repository).as_posix() for path in repository.glob("content/editions/*")
    )
    assert len(records) == 1
    assert f"commit it: git add {records[0]}" in told
    with zipfile.ZipFile(to) as packed:
        assert contents(repository / "_public").keys() == set(packed.namelist())
    assert git(repository, "status", "--porcelain", "content/editions").strip(), (
        "it is committed by whoever publishes"
    )

    write_rows(log, runs_of("m", named(["11", "00"] * 8)))
    assert main([*words, "gh-pages"], project=repository) == 0
    told = capsys.readouterr().err
    assert len(list(repository.glob("content/editions/*"))) == 2
    assert "git push origin gh-pages" in told
    listed = git(repository, "ls-tree", "-r", "--name-only", "gh-pages").decode().splitlines()
    assert sorted(listed) == sorted(contents(repository / "_public"))
    assert (
        git(repository, "show", "gh-pages:manifest.json")
        == (repository / "_public/manifest.json").read_bytes()
    )
    assert git(repository, "symbolic-ref", "--short", "HEAD").decode().strip() == "main"


def contents(site: Path) -> dict[str, bytes]:
    return {p.relative_to(site).as_posix(): p.read_bytes() for p in site.rglob("*") if p.is_file()}


@pytest.mark.parametrize("to", ["https://example.org/evals", "s3://KEY:WORD@bucket/site", "s3://"])
def test_an_address_that_is_no_store_is_no_place_to_publish_into(
    to: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["publish", "--to", to], project=tmp_path) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "WORD" not in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tgz"])
def test_an_archive_holds_the_site_and_is_the_same_whenever_it_is_packed(
    name: str, site: Path, tmp_path: Path
) -> None:
    first = delivery.archive(site, tmp_path / name)
    before = (tmp_path / name).read_bytes()
    for path in site.rglob("*"):
        os.utime(path, (1, 1))
    time.sleep(0.01)
    assert delivery.archive(site, tmp_path / name) == first
    assert (tmp_path / name).read_bytes() == before
    out = tmp_path / "out"
    if name.endswith("zip"):
        with zipfile.ZipFile(tmp_path / name) as packed:
            packed.extractall(out)
    else:
        with tarfile.open(tmp_path / name) as tar:
            tar.extractall(out, filter="data")
    assert contents(out) == contents(site)
    assert "manifest.json" in contents(out)


def test_a_branch_holds_the_bytes_of_the_site_and_nothing_else_is_touched(
    site: Path, repository: Path
) -> None:
    (repository / "index.html").write_text("not yet committed")
    before = git(repository, "status", "--porcelain"), git(repository, "rev-parse", "main")
    commit = delivery.branch(site, repository)
    names = git(repository, "ls-tree", "-r", "-z", "--name-only", "gh-pages").decode().split("\0")[:-1]
    assert {name: git(repository, "show", f"gh-pages:{name}") for name in names} == contents(site)
    assert (git(repository, "status", "--porcelain"), git(repository, "rev-parse", "main")) == before
    assert delivery.branch(site, repository) == commit, "the same site is no new commit"
    writer.swap([SiteFile("index.html", b"other")], site, keep=["a/*"])
    again = delivery.branch(site, repository)
    assert git(repository, "rev-parse", f"{again}^").decode().strip() == commit
    assert set(contents(site)) == {"index.html", "manifest.json", 'a/odd "name" é.txt'}
    assert len(git(repository, "ls-tree", "-r", "--name-only", again).splitlines()) == 3


def test_a_branch_that_only_origin_has_is_continued(site: Path, repository: Path, tmp_path: Path) -> None:
    first = delivery.branch(site, repository)
    git(tmp_path, "clone", "--quiet", str(repository), "clone")
    writer.swap([SiteFile("index.html", b"other")], site, keep=["a/*"])
    again = delivery.branch(site, tmp_path / "clone")
    assert git(tmp_path / "clone", "rev-parse", f"{again}^").decode().strip() == first


def test_what_cannot_be_a_branch_is_told(site: Path, repository: Path, tmp_path: Path) -> None:
    git(repository, "checkout", "--quiet", "-b", "gh-pages")
    with pytest.raises(PublishError, match="checked out here"):
        delivery.branch(site, repository)
    with pytest.raises(PublishError, match="not a git repository"):
        delivery.branch(site, tmp_path)


@pytest.mark.parametrize(
    ("link", "holds"),
    [
        ("b.html", True), ("b.html#x", True), ("#here", True), ("../a/b.html", True), ("../", True),
        ("https://example.org/no", True), ("mailto:a@example.org", True),
        ("b.html?show=1#x", True), ("b.html#?model=a", True),
        ("c.html", False), ("b.html#y", False), ("#nowhere", False), ("../a/", False), ("kept/x.txt", True),
    ],
)  # fmt: skip
def test_every_link_of_a_publication_is_followed(link: str, holds: bool) -> None:
    page = SiteFile("a/page.html", f'<h1 id="here"></h1><a class="k" href="{link}">t</a>'.encode())
    files = hosting.linked([page, *FILES], ["a/kept/*"])
    if holds:
        assert len(list(files)) == 1 + len(FILES)
    else:
        with pytest.raises(PublishError, match=r"1 link leads nowhere: a/page\.html -> "):
            list(files)


def test_the_header_says_what_each_page_says(repo: Path) -> None:
    for name in ("layout/base.html", "editions/redirect.html"):
        assert f'content="{hosting.CSP}"' in (repo / "templates" / name).read_text("utf-8")
    assert (
        f"Content-Security-Policy: {hosting.CSP}; frame-ancestors 'none'\n".encode() in hosting.HEADERS.data
    )


# ------------------------------------------------------------------------------ into a store


OLD = {"index.html": b"old <a href=a.html>", "a.html": b"<img src=old.svg>", "old.svg": b"1", "s.css": b"1"}
NEW = {"index.html": b"new <a href=b.html>", "b.html": b"<img src=new.svg>", "new.svg": b"2", "s.css": b"1"}
TO = Address.of("memory://host/evals")


@pytest.fixture
def store() -> Iterator[Any]:
    found = fsspec.filesystem("memory")
    found.store.clear()
    yield found
    found.store.clear()


def built(folder: Path, files: dict[str, bytes]) -> Path:
    writer.swap([SiteFile(path, data) for path, data in files.items()], folder)
    return folder


def lying(store: Any) -> dict[str, bytes]:
    top = f"/{TO.path}/"
    return {path.removeprefix(top): store.cat_file(path) for path in store.find(TO.path)}


def test_a_store_gets_what_differs_and_keeps_what_is_not_of_a_publication(store: Any, tmp_path: Path) -> None:
    old, new = built(tmp_path / "old", OLD), built(tmp_path / "new", NEW)
    assert delivery.send(old, TO) == delivery.Sent(4, 0, 0)
    assert lying(store) == contents(old)
    assert delivery.send(old, TO) == delivery.Sent(0, 4, 0)
    for path in ("/host/beside.txt", f"/{TO.path}/CNAME", f"/{TO.path}-2/x"):
        store.pipe_file(path, b"mine")
    assert delivery.send(new, TO) == delivery.Sent(3, 1, 2)
    assert lying(store) == {**contents(new), "CNAME": b"mine"}
    assert store.cat_file("/host/beside.txt") == store.cat_file(f"/{TO.path}-2/x") == b"mine"


def test_files_that_were_not_published_are_never_published_over(store: Any, tmp_path: Path) -> None:
    store.pipe_file(f"/{TO.path}/index.html", b"mine")
    with pytest.raises(PublishError, match=r"^memory://host/evals: files lie there, and no site"):
        delivery.send(built(tmp_path / "new", NEW), TO)
    assert lying(store) == {"index.html": b"mine"}


def test_a_file_beside_a_site_is_not_published_over_by_the_next(store: Any, tmp_path: Path) -> None:
    delivery.send(built(tmp_path / "old", OLD), TO)
    store.pipe_file(f"/{TO.path}/b.html", b"mine")
    before = lying(store)
    with pytest.raises(PublishError, match=r"^memory://host/evals/b\.html: a file lies there that no public"):
        delivery.send(built(tmp_path / "new", NEW), TO)
    assert lying(store) == before


@pytest.mark.parametrize("steps", range(10))
def test_wherever_a_publication_breaks_off_pages_have_their_parts_and_the_next_makes_it_good(
    steps: int, store: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = built(tmp_path / "old", OLD), built(tmp_path / "new", NEW)
    delivery.send(old, TO)
    left = iter(range(steps))

    def breaking(name: str) -> Callable[..., object]:
        whole = getattr(store, name)

        def step(*given: object, **named: object) -> object:
            if next(left, None) is None:
                raise ConnectionError("gone")
            return whole(*given, **named)

        return step

    with monkeypatch.context() as broken:
        for name in ("pipe_file", "put_file", "rm_file"):
            broken.setattr(store, name, breaking(name))
        if steps < 8:  # the marker and three files sent, two files removed, the manifest, the marker removed
            with pytest.raises(PublishError, match=r"^memory://host/evals.*: the store does not answer"):
                delivery.send(new, TO)
        else:
            delivery.send(new, TO)
    now = lying(store)
    for page in (path for path in now if path.endswith(".html")):
        assert all(part in now for part in re.findall(r"(?:src|href)=([^>]+)>", now[page].decode()))
    for site in (old, new) if steps % 2 else (new, old):
        delivery.send(site, TO)
        assert lying(store) == contents(site)
