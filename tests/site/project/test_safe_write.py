"""Files that are added to a content folder: whole or not at all, and never over anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from metrics_core.errors import InputError
from site_src.project import safe_write
from site_src.project.safe_write import SiteFile
from tests.support.fault_injection import Faults

EDITION = SiteFile("editions/0001.json", b"{}\n")


def names(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_what_is_there_is_never_overwritten(tmp_path: Path) -> None:
    safe_write.add_files([EDITION], tmp_path)
    with pytest.raises(InputError, match=r"editions/0001\.json: is there already"):
        safe_write.add_files([SiteFile(EDITION.path, b"other")], tmp_path)
    assert (tmp_path / EDITION.path).read_bytes() == EDITION.data
    assert names(tmp_path) == [EDITION.path]


def test_a_file_that_is_written_anew_is_whole_or_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "ledger"
    file.write_bytes(b"old")
    (tmp_path / ".ledger.draft").write_bytes(b"somebody's")
    with (
        Faults(1, "once", calls=("replace",)),
        pytest.raises(OSError, match=r"\[Errno"),
    ):
        safe_write.replace_file(file, b"new")
    assert (names(tmp_path), file.read_bytes()) == ([".ledger.draft", "ledger"], b"old")
    safe_write.replace_file(file, b"new")
    assert (names(tmp_path), file.read_bytes()) == ([".ledger.draft", "ledger"], b"new")


def test_a_folder_beside_that_is_somebody_elses_is_left(tmp_path: Path) -> None:
    (tmp_path / ".made.importing").mkdir()
    (tmp_path / ".made.importing/mine").write_bytes(b"mine")
    safe_write.write_folder([], tmp_path / "made")
    assert names(tmp_path) == [".made.importing/mine"]
    assert (tmp_path / "made").is_dir()


def test_a_folder_in_one_that_is_missing_names_the_first_that_is(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    with pytest.raises(InputError, match=r"^new: .*the folder 'experiments' .* is missing \(make it first"):
        safe_write.write_folder([], tmp_path / "content" / "experiments" / "july" / "new")
    assert names(tmp_path) == []
    (tmp_path / "content/experiments").write_bytes(b"a file in the way")
    with pytest.raises(InputError, match=r"'experiments' .* is missing"):
        safe_write.write_folder([], tmp_path / "content" / "experiments" / "new")


def test_a_folder_that_cannot_be_written_is_an_error_with_the_name(tmp_path: Path) -> None:
    (tmp_path / "editions").write_text("a file in the way")
    with pytest.raises(InputError, match=r"editions/0001\.json: cannot be written"):
        safe_write.add_files([EDITION], tmp_path)
