"""A disk that fails at any call, and a program that is killed at any: site, record and message stay true."""

from __future__ import annotations

import errno
import os
import resource
import signal
import stat
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path

import pytest

from metrics_core.errors import AssayError, InputError, PublishError
from site_src import cli, commands
from site_src.project import work_folder
from site_src.project.safe_write import SiteFile, StandingFile
from site_src.publishing import edition_record, writer
from tests.support.by_day import by_day, one_in
from tests.support.fault_injection import Faults, How, Killed

LEFT = "the earlier site, where there was one, was left as it was"


def edition(number: int) -> SiteFile:
    return SiteFile(f"editions/{number:04}.json", f'{{"number":{number}}}\n'.encode())


def site_of(number: int, pages: int = 2, site: Path | None = None) -> list[SiteFile]:
    """A site that publishes its editions, as sites do; those that stand in an earlier one are linked."""
    made = [SiteFile(f"p/{i}.html", f"edition {number}, page {i}\n".encode()) for i in range(pages)]
    for n in range(1, number + 1):
        path, data = f"data/{edition(n).path}", edition(n).data
        stands = StandingFile(site / path, len(data), sha256(data).hexdigest()) if site else None
        made.append(SiteFile(path, data, standing=stands))
    return made


def shown(site: Path) -> dict[str, bytes] | None:
    if not site.is_dir():
        return None
    return {p.relative_to(site).as_posix(): p.read_bytes() for p in sorted(site.rglob("*")) if p.is_file()}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is not waited for: what is asked of it is counted all the same."""
    monkeypatch.setattr(writer, "_sync", lambda draft: None)
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture(params=["one step", "two renames"])
def exchange(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How two folders change places: as the kernel can, and where it cannot."""
    if request.param == "two renames":
        monkeypatch.setattr(writer, "_renameat2", lambda a, b: False)
    return str(request.param)


def publish(folder: Path, number: int, pages: int = 2) -> list[str]:
    """Publish an edition as `site_src.pipeline` does, and return what was told late."""
    told: list[str] = []
    edition_record.settle(folder / "content")
    around = edition_record.recorded(edition(number), folder / "content", folder / "site", told.append)
    site = folder / "site"
    writer.swap(site_of(number, pages, site), site, around=around, told=told.append)
    return told


def records(folder: Path) -> list[str]:
    return sorted(p.name for p in (folder / "content/editions").iterdir())


def disturbed(folder: Path, at: int, how: How, pages: int = 2) -> tuple[Faults, BaseException | None]:
    """Publish a second edition with a fault at one call."""
    publish(folder, 1, pages)
    faults = Faults(at, how, also=((writer, "_sync"), (writer, "_renameat2")))
    error: BaseException | None = None
    try:
        with faults:
            publish(folder, 2, pages)
    except (AssayError, OSError, Killed) as caught:
        error = caught
    return faults, error


def cases(
    folder: Path, how: How, one_in: int, pages: int = 2
) -> Iterator[tuple[Path, int, BaseException | None]]:
    """Each call of a publication that can fail, with what came of it; a fixed part of them by day."""
    for at in count(1):
        if at > 1 and not by_day(f"{how} {at}", one_in):
            continue
        place = folder / f"{how}-{at}"
        (place / "content").mkdir(parents=True)
        faults, error = disturbed(place, at, how, pages)
        if not faults.reached:
            assert at > 40
            return
        yield place, at, error


@pytest.mark.usefixtures("quick", "exchange")
def test_a_call_that_fails_once_leaves_the_earlier_site_or_the_new_one_and_says_which(tmp_path: Path) -> None:
    outcomes = set()
    old, new = ({f.path: f.data for f in site_of(n)} for n in (1, 2))
    for place, at, error in cases(tmp_path, "once", 3):
        now = shown(place / "site")
        assert now is not None, at
        now.pop("manifest.json")
        assert now == (new if error is None else old), at
        if isinstance(error, PublishError):
            assert LEFT in str(error), at
        outcomes.add(error is None)
        edition_record.settle(place / "content")
        assert records(place) == ["0001.json", "0002.json"][: 2 if now == new else 1], at
        publish(place, 3) if error is None else publish(place, 2)
        assert sorted(p.name for p in place.iterdir()) == ["content", "site"], at
    assert outcomes == {True, False}


@one_in(2)
@pytest.mark.usefixtures("quick", "exchange")
@pytest.mark.parametrize("how", ["gone", "killed"])
def test_a_disk_that_is_gone_or_a_program_that_is_killed_is_put_in_order_by_the_next(
    tmp_path: Path, how: How, exchange: str
) -> None:
    old, new = ({f.path: f.data for f in site_of(n)} for n in (1, 2))
    for place, at, error in cases(tmp_path, how, 4):
        site = place / "site"
        now = shown(site)
        if now is None:
            assert exchange == "two renames"
            aside = work_folder.beside(site) / writer.ASIDE
            now = shown(aside)
            assert how == "killed" or f"lies whole in {aside.parent.name}/{aside.name}" in str(error), at
        assert now is not None
        now.pop("manifest.json")
        assert now in (old, new), at
        if how == "gone" and now == old and isinstance(error, PublishError):
            assert LEFT in str(error) or "lies whole in" in str(error)
        edition_record.settle(place / "content")
        met = 2 if now == new else 1
        assert [name for name in records(place) if name.endswith(".json")] == [
            edition(n + 1).path.rpartition("/")[2] for n in range(met)
        ], at
        publish(place, met + 1)
        assert sorted(p.name for p in place.iterdir()) == ["content", "site"], at


def test_where_the_second_rename_fails_the_first_is_undone_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    writer.swap(site_of(1), site)
    before = shown(site)
    monkeypatch.setattr(writer, "_renameat2", lambda a, b: False)
    real = Path.rename

    def second_fails(path: Path, to: Path) -> Path:
        if path.name == writer.DRAFT:
            raise OSError(errno.EIO, "Input/output error")
        return real(path, to)

    monkeypatch.setattr(Path, "rename", second_fails)
    with pytest.raises(PublishError, match=LEFT):
        writer.swap(site_of(2), site)
    assert shown(site) == before
    assert [p.name for p in tmp_path.iterdir()] == ["site"]


def test_once_the_new_site_stands_nothing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site, told = tmp_path / "site", list[str]()
    writer.swap(site_of(1), site)
    real = os.fsync

    def refuses_folders(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EIO, "Input/output error")
        real(handle)

    monkeypatch.setattr(os, "fsync", refuses_folders)
    monkeypatch.setattr(work_folder.shutil, "rmtree", _refuses)
    writer.swap(site_of(2), site, told=told.append)
    assert (site / "p/0.html").read_bytes() == b"edition 2, page 0\n"
    (note,) = told
    assert note.startswith("site: the new site stands; whether it outlives a power cut, the disk did not say")


def _refuses(*_: object, **__: object) -> None:
    raise OSError(errno.EACCES, "Permission denied")


def test_a_full_disk_leaves_the_earlier_site(tmp_path: Path) -> None:
    """No file may grow beyond a size: the kernel itself refuses, in the middle of one, as on a full disk."""
    writer.swap([SiteFile("a", b"old")], tmp_path / "site")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
    try:
        with pytest.raises(PublishError) as refused:
            writer.swap([SiteFile("a", b"new"), SiteFile("b", b"x" * 60_000)], tmp_path / "site")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert str(refused.value) == f"site: cannot write the site: File too large ({LEFT})"
    assert (tmp_path / "site/a").read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["site"]


def test_a_folder_that_may_not_be_written_is_an_error_that_says_so(tmp_path: Path) -> None:
    with Faults(1, "gone", calls=("mkdir",)), pytest.raises(PublishError, match="cannot write the site: "):
        writer.swap(site_of(1), tmp_path / "site")
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------ records


def test_a_record_is_pending_until_its_site_stands(tmp_path: Path) -> None:
    content, site = tmp_path / "content", tmp_path / "site"
    content.mkdir()
    with edition_record.recorded(edition(1), content, site, print):
        assert records(tmp_path) == [".0001.json.pending"]
        (note,) = edition_record.unsettled(content)
        assert note.startswith("editions/.0001.json.pending: a publication was stopped before its record")
    assert records(tmp_path) == ["0001.json"]
    assert (content / edition(1).path).read_bytes() == edition(1).data
    assert edition_record.unsettled(content) == ()


def test_a_record_of_what_failed_is_taken_away_again(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), edition_record.recorded(edition(1), tmp_path, tmp_path / "site", print):
        raise RuntimeError
    assert list((tmp_path / "editions").iterdir()) == []


def test_two_publications_of_one_number_are_one(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    publish(tmp_path, 1)
    with pytest.raises(InputError, match="another publication recorded it: publish again"):
        publish(tmp_path, 1)
    assert (tmp_path / "site/p/0.html").read_bytes() == b"edition 1, page 0\n"


@pytest.mark.parametrize("torn", range(0, 200, 7))
def test_a_torn_record_is_none(tmp_path: Path, torn: int) -> None:
    folder = tmp_path / "content/editions"
    folder.mkdir(parents=True)
    with edition_record.recorded(edition(1), tmp_path / "content", tmp_path / "site", print):
        whole = (folder / ".0001.json.pending").read_bytes()
    (folder / "0001.json").unlink()
    writer.swap(site_of(1), tmp_path / "site")
    (folder / ".0001.json.pending").write_bytes(whole[:torn])
    (note,) = edition_record.settle(tmp_path / "content")
    assert ("not recorded" in note) == (torn < len(whole))
    assert records(tmp_path) == ([] if torn < len(whole) else ["0001.json"])


def test_a_file_of_that_name_that_is_not_ours_is_left(tmp_path: Path) -> None:
    (tmp_path / "editions").mkdir()
    (tmp_path / "editions/.0001.json.pending").write_text("my notes")
    with pytest.raises(InputError, match="is no pending record"):
        edition_record.settle(tmp_path)
    assert (tmp_path / "editions/.0001.json.pending").read_text() == "my notes"


# ------------------------------------------------------------------------------ what is somebody else's


def test_what_a_user_put_into_the_site_is_named_and_stays(tmp_path: Path) -> None:
    site = tmp_path / "site"
    writer.swap(site_of(1), site)
    (site / "CNAME").write_text("evals.example.org\n")
    (site / ".well-known").mkdir()
    (site / ".well-known/security.txt").write_text("Contact: mailto:x@example.org\n")
    before = shown(site)
    with pytest.raises(PublishError, match=r"holds 2 files .*: CNAME, \.well-known/security\.txt \(.*keep:"):
        writer.swap(site_of(2), site)
    assert shown(site) == before
    writer.swap(site_of(2), site, keep=("CNAME", ".well-known/*"))
    now = shown(site)
    assert now is not None
    assert {name: now[name] for name in ("CNAME", ".well-known/security.txt")} == {
        "CNAME": b"evals.example.org\n", ".well-known/security.txt": b"Contact: mailto:x@example.org\n",
    }  # fmt: skip
    assert b"CNAME" not in now["manifest.json"]
    with pytest.raises(PublishError, match="CNAME"):
        writer.swap(site_of(3), site)  # a setting that is taken out again loses nothing


def test_what_is_put_there_while_a_build_runs_stops_it_at_its_end(tmp_path: Path) -> None:
    site = tmp_path / "site"
    writer.swap(site_of(1), site)

    def meanwhile() -> Iterator[SiteFile]:
        yield from site_of(2)
        (site / "notes.txt").write_text("mine")

    with pytest.raises(PublishError, match=r"notes\.txt"):
        writer.swap(meanwhile(), site)
    assert (site / "notes.txt").read_text() == "mine"
    assert (site / "p/0.html").read_bytes() == b"edition 1, page 0\n"


def test_a_page_is_never_kept_and_never_lost(tmp_path: Path) -> None:
    site = tmp_path / "site"
    writer.swap(site_of(1), site)
    (site / "results.html").write_text("<p>0.99")
    with pytest.raises(PublishError, match=r"results\.html"):
        writer.swap(site_of(2), site, keep=("*",))


def test_a_kept_file_that_the_site_comes_to_make_is_told(tmp_path: Path) -> None:
    site = tmp_path / "site"
    writer.swap(site_of(1), site)
    (site / "robots.txt").write_text("mine")
    with pytest.raises(PublishError, match=r"robots\.txt: is kept by the settings, and the site has a file"):
        writer.swap([*site_of(2), SiteFile("robots.txt", b"made")], site, keep=("robots.txt",))
    assert (site / "robots.txt").read_text() == "mine"


@pytest.mark.parametrize("name", [".site.assay", ".site.draft", ".site.aside", ".site.lock"])
def test_a_neighbour_without_our_mark_is_left(tmp_path: Path, name: str) -> None:
    neighbour = tmp_path / name
    neighbour.mkdir()
    (neighbour / "draft").write_text("years of work")
    if name == ".site.assay":
        with pytest.raises(PublishError, match=r"\.site\.assay: is in the way"):
            writer.swap(site_of(1), tmp_path / "site")
    else:
        writer.swap(site_of(1), tmp_path / "site")
        writer.swap(site_of(2), tmp_path / "site")
    assert (neighbour / "draft").read_text() == "years of work"


def test_a_web_application_is_no_site(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "an application"}')
    with pytest.raises(PublishError, match="not a site"):
        writer.swap(site_of(1), tmp_path)


# ------------------------------------------------------------------------------ stops


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("when", ["while it is written", "once it stands"])
def test_every_signal_that_asks_to_stop_is_heard_alike(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
    number: int,
    when: str,
) -> None:
    (tmp_path / "content").mkdir()
    writer.swap([SiteFile("a", b"old")], tmp_path / "site")
    earlier = signal.signal(number, signal.default_int_handler)  # wherever the tests are run, as by nohup
    request.addfinalizer(lambda: signal.signal(number, earlier))

    def files() -> Iterator[SiteFile]:
        yield SiteFile("a", b"new")
        if when == "while it is written":
            os.kill(os.getpid(), number)

    def exchange(work: work_folder.WorkFolder, site: Path) -> None:
        real(work, site)
        if when == "once it stands":
            os.kill(os.getpid(), number)

    def build(*_: object) -> int:
        around = edition_record.recorded(edition(1), tmp_path / "content", tmp_path / "site", print)
        writer.swap(files(), tmp_path / "site", around=around)
        return 0

    real = writer._exchange
    monkeypatch.setattr(writer, "_exchange", exchange)
    monkeypatch.setattr(commands, "build", build)
    early = when == "while it is written"
    assert cli.main(["build"], project=tmp_path) == (128 + number if early else 0)
    assert (tmp_path / "site/a").read_bytes() == (b"old" if early else b"new")
    assert (tmp_path / "content/editions/0001.json").exists() != early
    assert capsys.readouterr().err == ("stopped; the earlier site was left as it was\n" if early else "")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["content", "site"]
    assert signal.getsignal(number) is signal.default_int_handler
