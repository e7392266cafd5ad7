"""Pictures beside prose: which may be published, from where, and how a wrong one is told."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from metrics_core.errors import AssayError
from site_src.project import content, markdown

PNG = b"\x89PNG\r\n\x1a\n"


def page(folder: Path, picture: str, source: str = "pages/a.md") -> content.Authored:
    return content.authored(source, f"# A\n\nText.\n\n![words]({picture})\n".encode(), folder)


def refused(folder: Path, picture: str, source: str = "pages/a.md") -> str:
    with pytest.raises(AssayError) as raised:
        page(folder, picture, source)
    assert str(folder) not in str(raised.value)
    assert raised.value.where == f"{source}:5"
    assert len(str(raised.value)) < 300
    return str(raised.value)


def put(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(PNG)
    return folder


def test_a_picture_beside_the_text_is_published_under_its_own_path(tmp_path: Path) -> None:
    put(tmp_path, "pages/a b.png", "shots/c.WEBP")
    assert page(tmp_path, "a%20b.png").pictures == (("pages/a b.png", PNG),)
    assert page(tmp_path, "../shots/c.WEBP").pictures == (("shots/c.WEBP", PNG),)


@pytest.mark.parametrize("name", ["e.svg", "e.SVG", "e.svg?x.png", "e.html", "e.png.svgz"])
def test_what_could_run_is_no_picture(tmp_path: Path, name: str) -> None:
    put(tmp_path, f"pages/{name}")
    assert "one of .png, .jpg, .jpeg, .gif, .webp" in refused(tmp_path, name)


@pytest.mark.parametrize("folder", sorted(content.APART))
def test_nothing_is_taken_from_folders_that_are_no_prose(tmp_path: Path, folder: str) -> None:
    put(tmp_path, f"{folder}/x/shot.png")
    assert "lies among what is no page" in refused(tmp_path, f"../{folder}/x/shot.png")
    assert "lies among what is no page" in refused(tmp_path, f"{folder}/x/shot.png", "about.md")


def test_a_link_is_where_it_leads(tmp_path: Path) -> None:
    put(tmp_path, "content/experiments/x/shot.png", "outside.png", "content/pages/b.png")
    pages = tmp_path / "content" / "pages"
    (pages / "inner.png").symlink_to("../experiments/x/shot.png")
    (pages / "outer.png").symlink_to("../../outside.png")
    (pages / "circle.png").symlink_to("circle.png")
    assert "lies among what is no page" in refused(tmp_path / "content", "inner.png")
    assert "leads out of the content folder" in refused(tmp_path / "content", "outer.png")
    assert "there is no picture" in refused(tmp_path / "content", "circle.png")


@pytest.mark.parametrize("name", ["missing.png", "b" * 5_000 + ".png", "c/" * 2_000 + "d.png", "a%00b.png"])
def test_a_picture_that_cannot_be_read_is_told_with_its_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "pages").mkdir()
    assert "there is no picture" in refused(tmp_path, name)


def test_a_folder_is_no_picture(tmp_path: Path) -> None:
    (tmp_path / "pages" / "a.png").mkdir(parents=True)
    assert "there is no picture" in refused(tmp_path, "a.png")


# ---------------------------------------------------------------------------------- headings that read alike


def ids(text: str) -> list[str]:
    return [str(t.attrs.get("id", "")) for t in markdown.parse(text) if t.type == "heading_open"]


def test_headings_that_read_alike_are_counted() -> None:
    assert ids("# A\n# A\n# A 1\n# A\n##### A\n# `A` *b*") == [
        "on-a", "on-a-1", "on-a-1-1", "on-a-2", "", "on-a-b",
    ]  # fmt: skip
    assert ids("# A 1\n# A\n# A\n# A") == ["on-a-1", "on-a", "on-a-2", "on-a-3"]


def test_many_headings_that_read_alike_take_no_longer_than_others() -> None:
    began = time.monotonic()
    found = ids("# a\n" * 16_000)
    assert len(set(found)) == 16_000
    assert time.monotonic() - began < 10  # about one; counted anew for each, it was twenty and more
