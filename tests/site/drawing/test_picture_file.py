"""A figure as one file: it holds what a figure may not be shown without, and needs nothing beside it."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree as ET

import pytest
from markupsafe import Markup

from metrics_core.text import visible
from site_src.drawing import WIDE, Figure
from site_src.drawing.files import picture_file
from site_src.drawing.files.paper import EDGE, Paper
from site_src.drawing.files.picture import written_out
from site_src.figures import forest, funnel
from site_src.wording import FigureContext, Span, spans
from tests.support import figure_samples as samples, sample_site

SVG = "{http://www.w3.org/2000/svg}"


@cache
def figures() -> dict[str, Figure]:
    """One in rows of each shape."""
    return {
        "forest": forest.draw(
            samples.COMPARISONS,
            samples.security(),
            figure_id="separation-1",
            context=FigureContext(build="0.1.0"),
        ),
        "funnel": funnel.draw(samples.funnel(), figure_id="funnel-1", context=FigureContext(build="0.1.0")),
    }


def pictures() -> dict[str, bytes]:
    """The pictures of a page with figures in rows and drawn as pictures."""
    page = sample_site.site().page("experiments/brownfield-2026-07/index.html")
    assert page is not None
    return {file.path: file.data for file in page.files if file.path.endswith(".svg")}


@pytest.mark.parametrize("name", ["forest", "funnel"])
def test_it_holds_title_reading_strip_and_address(name: str) -> None:
    figure = figures()[name]
    drawn = ET.fromstring(picture_file(figure, "A page of one model", "https://example.org/evals/#x"))
    told = re.sub(r"\s+", " ", " ".join("".join(e.itertext()) for e in drawn.iter(f"{SVG}text")))
    bare = told.replace(" ", "")
    for part in (
        figure.title,
        "A page of one model",
        spans.text(figure.caption.reads),
        "https://example.org/evals/#x",
    ):
        assert re.sub(r"\s+", "", visible(part)) in bare
    for fact in figure.caption.strip:
        assert re.sub(r"\s+", "", "".join(span.text for span in fact)) in bare
    for table in figure.rows.tables if figure.rows else ():
        for group in table.groups:
            for row in group.rows:
                cells = [row.name, *(cell.words for cell in row.cells)]
                for span in (span for cell in cells for span in cell if span.role != "unseen"):
                    assert re.sub(r"\s+", "", visible(span.text)) in bare, row


def test_it_needs_no_style_no_script_and_no_other_file() -> None:
    found = pictures()
    assert len(found) > 5
    for path, data in found.items():
        text = data.decode()
        assert not re.search(r"var\(|<a\b|href|<style|<script|\bclass=|url\(|on\w+=", text), path
        ET.fromstring(text)


def test_a_picture_of_one_model_says_whose_it_is() -> None:
    """A title such as *4 of 6 reach the last stage* leaves that to its page."""
    page = sample_site.site().page("models/alpha/index.html")
    assert page is not None
    found = [file for file in page.files if file.path.endswith(".svg")]
    assert len(found) > 3
    for file in found:
        texts = ["".join(e.itertext()) for e in ET.fromstring(file.data).iter(f"{SVG}text")]
        assert page.title in texts, file.path


def test_every_word_begins_within_the_paper() -> None:
    for path, data in pictures().items():
        drawn = ET.fromstring(data)
        down = float(drawn.get("height", "0"))
        for words in drawn.findall(f"{SVG}text"):
            assert EDGE <= float(words.get("x", "0")) < EDGE + WIDE, path
            assert 0 < float(words.get("y", "0")) < down, path


def test_a_colour_that_the_style_sheet_lacks_is_an_error() -> None:
    with pytest.raises(KeyError):
        written_out('<path stroke="var(--no-such)"/>')


def test_a_swatch_stays_before_a_word_that_is_wider_than_its_room() -> None:
    sheet, mark = Paper(), Markup('<svg width="12" height="12"><path d="M0,0h12"/></svg>')
    sheet.set((Span("a-word-without-an-end-" * 9, mark=mark),), 0.0, 120.0)
    assert "".join(sheet.marks).count("M0,0h12") == 1
