"""Figures and tables for which a page has no room: a line leads to each, and its own page has all of it."""

from __future__ import annotations

import re
from functools import cache

from site_src import paths
from site_src.pages import figure_collection
from site_src.pages.page import Page, View
from site_src.pages.render import record_name, render_page
from site_src.publishing.page_plan import Site
from tests.support import sample_site

LINE = re.compile(r'<(?:p|div) class="(?:note )?apart" id="([^"]+)">')
ROW = re.compile(r' id="(e-[0-9a-f]{8})"')
ESTIMATE = re.compile(r' data-estimate="([^"]+)"')


@cache
def site() -> Site:
    return sample_site.site()


@cache
def of_the_experiment(room: float) -> tuple[str, dict[str, str]]:
    """The page of the first experiment with so much room, and the pages of its figures and tables."""
    x = site().where.experiments[0]
    planned = site().planned[paths.experiment(x.name)]
    collection = figure_collection.FigureCollection(site().where, planned.path, planned.title, room=room)
    view: View = planned.view(collection)
    frame = site().page(planned.path)
    assert frame is not None
    page = Page(path=planned.path, title=planned.title, kind=planned.kind, frame=frame.frame, view=view)
    own = {file.path: file.data.decode() for file in collection.files if file.path.endswith(".html")}
    return render_page(page).decode(), own


def test_where_there_is_room_everything_stands_on_the_page():
    html, own = of_the_experiment(float(10**9))
    assert not LINE.findall(html)
    assert all(f'<figure id="{path[len(paths.FIGURES) : -len(".html")]}"' in html for path in own)
    assert not any("Its numbers, and how to recompute them" in page for page in own.values())


def test_without_room_only_the_first_stands_and_a_line_leads_to_each_other():
    html, own = of_the_experiment(1.0)
    lines = LINE.findall(html)
    assert html.count("<figure ") + html.count('<table class="blocks" id="table-') <= 1
    assert {paths.figure_data(name, "html") for name in lines} <= {*own}
    assert any(name.startswith("table-") for name in lines)
    assert any(not name.startswith("table-") for name in lines)
    assert all(f'href="../../data/figures/{name}.html"' in html for name in lines)


def test_whatever_leads_to_a_row_or_a_figure_still_leads_there():
    whole, _ = of_the_experiment(float(10**9))
    short, _ = of_the_experiment(1.0)
    assert set(ROW.findall(whole)) == set(ROW.findall(short))
    names = set(re.findall(r'<figure id="([^"]+)"', whole))
    assert names <= set(re.findall(r' id="([^"]+)"', short))


def test_no_number_is_left_out():
    whole, _ = of_the_experiment(float(10**9))
    short, own = of_the_experiment(1.0)
    there = set(ESTIMATE.findall("".join((short, *own.values()))))
    assert set(ESTIMATE.findall(whole)) <= there
    apart = [own[paths.figure_data(name, "html")] for name in LINE.findall(short)]
    figures = [page for page in apart if 'id="specification"' in page]
    assert figures
    for page in figures:
        assert "Its numbers, and how to recompute them" in page
        assert "assay verify FOLDER" in page


def test_a_very_long_name_of_a_record_is_shortened_and_stays_its_own():
    long = "e/" + "x" * 500
    assert record_name("e/run-1") == "e/run-1"
    assert len(record_name(long)) < 130
    assert record_name(long) != record_name(long + "x")
