"""KeptEntries of a build cache: found by what they depend on, believed where their digest holds, bounded."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from site_src.build_cache import entries as entries_module
from site_src.build_cache.entries import KeptEntries

PARTS = {"a": "1", "b": "2"}
PARTS_OF_ANY = st.dictionaries(st.text(max_size=9), st.text(max_size=9), max_size=4)


@pytest.fixture
def entries(tmp_path: Path) -> KeptEntries:
    return KeptEntries(tmp_path / "cache")


def entry(entries: KeptEntries) -> Path:
    (found,) = entries.folder.glob("*.entry")
    return found


@given(
    data=st.binary(max_size=200),
    name=st.text(max_size=20),
    parts=PARTS_OF_ANY,
)
def test_what_is_kept_is_found_again(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str, parts: dict[str, str]
) -> None:
    found = KeptEntries(tmp_path_factory.mktemp("entries") / "cache")
    found.keep("kind", name, parts, data)
    assert found.find("kind", name, parts) == (data, "")


def test_nothing_is_found_where_nothing_was_kept(entries: KeptEntries) -> None:
    assert entries.find("kind", "name", PARTS) == (None, "no entry was kept")


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"a": "1", "b": "3"}, "b changed"),
        ({"a": "1"}, "b went"),
        (PARTS | {"c": ""}, "c came"),
        ({str(n): "" for n in range(6)}, "0 came, 1 came, 2 came, and 5 more changes"),
    ],
)
def test_another_part_is_another_entry_and_told(
    entries: KeptEntries, parts: dict[str, str], why: str
) -> None:
    entries.keep("kind", "name", PARTS, b"data")
    assert entries.find("kind", "name", parts) == (None, why)


def test_an_entry_of_another_kind_or_name_is_not_taken(entries: KeptEntries) -> None:
    entries.keep("kind", "name", PARTS, b"data")
    assert entries.find("other", "name", PARTS)[0] is None
    assert entries.find("kind", "other", PARTS)[0] is None


def test_every_byte_that_is_altered_and_every_cut_is_found(entries: KeptEntries) -> None:
    entries.keep("kind", "name", PARTS, b"some data")
    path = entry(entries)
    whole = path.read_bytes()
    for at in range(len(whole)):
        for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]):
            path.write_bytes(damaged)
            assert entries.find("kind", "name", PARTS) == (None, "the kept entry is not as it was written")
    path.write_bytes(whole)
    assert entries.find("kind", "name", PARTS)[0] == b"some data"


def test_an_entry_under_the_name_of_another_is_not_believed(entries: KeptEntries) -> None:
    entries.keep("kind", "name", PARTS, b"data")
    foreign = entry(entries).read_bytes()
    entries.keep("kind", "name", PARTS | {"b": "9"}, b"newer")
    for path in entries.folder.glob("*.entry"):
        path.write_bytes(foreign)
    assert entries.find("kind", "name", PARTS | {"b": "9"})[0] is None
    assert entries.find("kind", "name", PARTS)[0] == b"data"


def test_a_link_is_no_entry_and_no_folder(entries: KeptEntries, tmp_path: Path) -> None:
    entries.keep("kind", "name", PARTS, b"data")
    path = entry(entries)
    moved = path.rename(tmp_path / "elsewhere")
    path.symlink_to(moved)
    assert entries.find("kind", "name", PARTS)[0] is None
    linked = tmp_path / "linked"
    linked.symlink_to(entries.folder)
    path.unlink()
    moved.rename(path)
    assert KeptEntries(linked).find("kind", "name", PARTS)[0] is None


def test_what_was_not_asked_for_longest_goes(entries: KeptEntries, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries_module, "MOST", 4)
    for number in range(5):
        entries.keep("kind", str(number), {}, b"")
        entries.sweep()
        if number < 2:
            for path in entries.folder.glob("*.entry"):
                os.utime(path, ns=(number, number))
        if number == 3:
            assert entries.find("kind", "0", {})[0] is not None  # asked for: newer than 1
    assert entries.find("kind", "0", {})[0] is not None
    assert entries.find("kind", "1", {})[0] is None
    assert len(list(entries.folder.glob("*.entry"))) == 4


def test_git_is_told_to_pass_it_over(entries: KeptEntries) -> None:
    entries.keep("kind", "name", PARTS, b"")
    assert (entries.folder / ".gitignore").read_text() == "*\n"


def test_a_folder_that_refuses_is_a_cache_without_entries(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    refused = KeptEntries(tmp_path / "cache")
    refused.keep("kind", "name", PARTS, b"")
    assert refused.find("kind", "name", PARTS) == (None, "no entry was kept")
    assert (tmp_path / "cache").read_text() == "a file"


def test_a_link_that_came_with_a_checkout_is_not_written_through(
    entries: KeptEntries, tmp_path: Path
) -> None:
    entries.folder.mkdir()
    (entries.folder / ".gitignore").symlink_to(tmp_path / "elsewhere")
    entries.keep("kind", "name", PARTS, b"data")
    assert entries.find("kind", "name", PARTS) == (b"data", "")
    assert not (tmp_path / "elsewhere").exists()
