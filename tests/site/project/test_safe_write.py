"""Files that are added to a content folder: whole or not at all, and never over anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from metrics_core.errors import InputError
from site_src.project import safe_write
from site_src.project.site_file import SiteFile

EDITION = SiteFile("editions/0001.json", b"{}\n")


def names(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_what_is_there_is_never_overwritten(tmp_path: Path) -> None:
    safe_write.add_files([EDITION], tmp_path)
    with pytest.raises(InputError, match=r"editions/0001\.json: is there already"):
        safe_write.add_files([SiteFile(EDITION.path, b"other")], tmp_path)
    assert (tmp_path / EDITION.path).read_bytes() == EDITION.data
    assert names(tmp_path) == [EDITION.path]


def test_a_record_of_what_failed_is_taken_away_again(tmp_path: Path) -> None:
    def fail() -> None:
        with safe_write.unless_it_fails([EDITION], tmp_path):
            assert names(tmp_path) == [EDITION.path]
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert names(tmp_path) == []


def test_a_record_of_what_was_done_stays(tmp_path: Path) -> None:
    with safe_write.unless_it_fails([EDITION], tmp_path):
        pass
    assert names(tmp_path) == [EDITION.path]


def test_a_folder_that_cannot_be_written_is_an_error_with_the_name(tmp_path: Path) -> None:
    (tmp_path / "editions").write_text("a file in the way")
    with pytest.raises(InputError, match=r"editions/0001\.json: cannot be written"):
        safe_write.add_files([EDITION], tmp_path)
