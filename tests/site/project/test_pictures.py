"""Pictures beside prose: which may be published, from where, and how a wrong one is told."""

from __future__ import annotations

import gzip
import random
import struct
import time
import zlib
from pathlib import Path

import pytest

from metrics_core.errors import AssayError, LeakError
from metrics_core.redaction import BuilderIdentity, Redactor
from site_src.project import SiteFile, content, markdown, pictures
from site_src.publishing.leaks import screened

PNG = b"\x89PNG\r\n\x1a\n"
WEBP = b"RIFF\0\0\0\0WEBP"


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
        (folder / name).write_bytes(WEBP if name.endswith("WEBP") else PNG)
    return folder


def test_a_picture_beside_the_text_is_published_under_its_own_path(tmp_path: Path) -> None:
    put(tmp_path, "pages/a b.png", "shots/c.WEBP")
    assert page(tmp_path, "a%20b.png").pictures == (("pages/a b.png", PNG),)
    assert page(tmp_path, "../shots/c.WEBP").pictures == (("shots/c.WEBP", WEBP),)


@pytest.mark.parametrize("name", ["e.svg", "e.SVG", "e.svg?x.png", "e.html", "e.png.svgz"])
def test_what_could_run_is_no_picture(tmp_path: Path, name: str) -> None:
    put(tmp_path, f"pages/{name}")
    assert "one of .png, .jpg, .jpeg, .gif, .webp" in refused(tmp_path, name)


@pytest.mark.parametrize("name", [f"e{kind}" for kind in pictures.KINDS])
@pytest.mark.parametrize(
    "data",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"\xef\xbb\xbf<?xml version='1.0'?><svg/>",
        b"<html>" + PNG,
        gzip.compress(b"<svg/>"),
        b"%PDF-1.7",
        b"",
    ],
)
def test_another_kind_of_file_under_the_name_of_a_picture_is_refused(
    tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / name).write_bytes(data)
    assert "is no picture of the kind that its name says" in refused(tmp_path, name)


TOKEN = b"ghp" + b"_" + b"a1B2" * 9


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("text.png", PNG + chunk(b"tEXt", b"Comment\0" + TOKEN)),
        ("packed.png", PNG + chunk(b"zTXt", b"Comment\0\0" + zlib.compress(TOKEN))),
        ("tax.png", PNG + chunk(b"iTXt", b"x x\0\1\0en\0xx\0" + zlib.compress(TOKEN))),
        ("tail.png", PNG + chunk(b"IEND", b"") + TOKEN),
        ("exif.jpg", b"\xff\xd8\xff\xe1\0\x40Exif\0\0" + TOKEN + b"\xff\xd9"),
        ("wide.JPEG", b"\xff\xd8\xff\xe1\0\x80Exif\0\0" + TOKEN.decode().encode("utf-16-le")),
        ("note.gif", b"GIF89a\x21\xfe\x28" + TOKEN + b"\0;"),
        ("exif.webp", WEBP + b"EXIF\x28\0\0\0" + TOKEN),
        ("home.png", PNG + chunk(b"tEXt", b"Source\0/home/alicew/shot.xcf")),
    ],
)
def test_a_secret_in_the_text_of_a_picture_is_not_published(name: str, data: bytes) -> None:
    pictures.check(name, data, "a.md:5")
    redactor = Redactor(builder=BuilderIdentity(home="/home/alicew", user="alicew"))
    with pytest.raises(LeakError) as raised:
        list(screened([SiteFile(f"pages/{name}", data)], redactor))
    assert "text of the picture" in str(raised.value)
    assert TOKEN.decode() not in str(raised.value)


def test_pixels_and_plain_notes_are_let_through() -> None:
    noise = random.Random(5).randbytes(400_000)
    data = PNG + chunk(b"tEXt", b"Software\0a drawing program") + chunk(b"IDAT", noise)
    assert [file.data for file in screened([SiteFile("a.png", data)], Redactor())] == [data]


def test_a_packed_text_that_unfolds_without_end_is_cut_and_many_are_refused() -> None:
    bomb = chunk(b"zTXt", b"C\0\0" + zlib.compress(bytes(50_000_000)))
    assert len(pictures.text_of(PNG + bomb)) < 2 * pictures.MOST_UNPACKED
    with pytest.raises(AssayError, match="packed texts"):
        pictures.check("a.png", PNG + bomb * 65, "a.md:5")


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
    began = time.process_time()
    found = ids("# a\n" * 16_000)
    assert len(set(found)) == 16_000
    assert time.process_time() - began < 10  # about one; counted anew for each, it was twenty and more
