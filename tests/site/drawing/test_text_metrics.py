"""Widths of texts, held against a browser that sets them in the widest face of the site's lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from site_src.drawing.text_metrics import fit, width

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SAMPLES = [
    "50/58 known · 0.86 [0.71, 0.94]",
    "unknown: no recognised agent step",
    "+0.08 [−0.08, +0.23]",
    "95\u202f% interval",
    "sha256:3f9a2c1d",
    "Hamburgefonstiv ÄÖÜß éàç ñ Łódź",
    "“quoted” ‘words’ – and — dashes…",
    "WWWWWWWWWW",
    "iiiiiiiiii",
]

MEASURE = """([text, font]) => {
  const context = document.createElement("canvas").getContext("2d");
  context.font = font;
  return context.measureText(text).width;
}"""


@pytest.mark.parametrize("bold", [False, True])
def test_no_text_is_wider_than_we_say_and_none_much_narrower(browser: Browser, bold: bool):
    page = browser.new_context().new_page()
    page.set_content("<p>")
    for text in SAMPLES:
        seen = page.evaluate(MEASURE, [text, f'{"600" if bold else "400"} 13px "DejaVu Sans"'])
        said = width(text, size=13, bold=bold)
        assert seen <= said + 0.5, text
        assert said <= seen * 1.05 + 8, text


def test_a_name_keeps_both_its_ends():
    name = "provider/a-model-with-a-long-name-2026-07-19"
    short = fit(name, 150)
    assert width(short) <= 150
    head, _, tail = short.partition("…")
    assert name.startswith(head)
    assert name.endswith(tail)
    assert len(head) > 5 < len(tail)


def test_no_room_leaves_a_mark_and_not_nothing():
    assert fit("alpha", 1) == "…"


def test_a_combining_mark_takes_no_room_of_its_own():
    assert width("e\u0301a\u0308") == width("ea")
    assert width("\u05d0\u05b8") == width("\u05d0")
