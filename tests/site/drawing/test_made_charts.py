"""The charts that are shipped are those that would be made, and no others are believed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from site_src.drawing import chart, made_charts
from site_src.figures import KINDS
from tests.support import make_charts
from tests.support.built_once import REPO


def test_what_is_shipped_is_what_these_sources_and_versions_make() -> None:
    assert make_charts.FILE.read_bytes() == make_charts.made(), "`make charts` makes them anew"


def test_a_chart_that_is_shipped_is_the_chart_that_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    layers = {kind: KINDS[kind].module.LAYERS for kind in ("heatmap", "timeline")}
    shipped = {kind: chart.chart.__wrapped__(kind, of) for kind, of in layers.items()}
    monkeypatch.setattr(made_charts, "shipped", lambda: None)
    for kind, found in shipped.items():
        made = chart.chart.__wrapped__(kind, layers[kind])
        assert made == found  # and to the byte, as it is published
        assert json.dumps(made.specification) == json.dumps(found.specification)


def test_a_figure_in_rows_waits_for_no_altair() -> None:
    shipped = made_charts.shipped()
    assert shipped is not None
    made = {form: make() for form, make in chart.IN_WORDS.items()}
    assert json.dumps(shipped.in_words) == json.dumps(made)
    program = (
        "import sys\nfrom site_src.drawing import chart\nchart.in_rows('overview', [])\n"
        "chart.in_rows('separation', [], [{}])\nchart.in_bars('funnel', [])\n"
        "sys.exit('altair' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=REPO, check=False).returncode == 0


@pytest.mark.parametrize("data", [b"", b"{}", b"[1", b'{"made_from": 1}'])
def test_what_is_no_file_of_charts_is_not_believed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(made_charts, "_beside", lambda name: data)
    assert made_charts.shipped.__wrapped__() is None


@pytest.mark.parametrize("name", made_charts.SOURCES)
def test_charts_of_other_sources_are_not_believed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    beside = made_charts._beside
    assert made_charts.shipped.__wrapped__() is not None
    monkeypatch.setattr(made_charts, "_beside", lambda asked: beside(asked) + b"\n" * (asked == name))
    assert made_charts.shipped.__wrapped__() is None


def test_charts_of_other_versions_are_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_charts, "version", lambda package: "0")
    assert made_charts.shipped.__wrapped__() is None
