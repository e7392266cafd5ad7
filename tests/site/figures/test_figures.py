"""Every kind of figure, tried alike: a kind that is added to the package is enrolled by being there."""

from __future__ import annotations

import hashlib
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import vl_convert
from msgspec.structs import replace

from metrics_core.memo import Memo
from metrics_core.results.codes import Kept, NoInterval, NotSeparated, PriceCorrected, RecordsDiffer
from metrics_core.results.comparison import Comparison
from metrics_core.results.estimate import Estimate
from metrics_core.results.interval import Interval
from metrics_core.results.keys import Keys
from metrics_core.results.pooling import Unlike
from metrics_core.results.separation import SeparationVerdict
from metrics_core.results.shapes import CostRow
from metrics_core.text import visible
from site_src import figures
from site_src.drawing import arm_rows, chart, figure, svg, text_metrics
from site_src.drawing.figure import Figure
from site_src.drawing.files import picture_file, specification_file
from site_src.drawing.label_placement import NARROWEST, ONE_ROW, WIDER
from site_src.drawing.layers import LAYERS
from site_src.drawing.rows import PANEL_ROOMS
from site_src.drawing.ticks import difference_ticks
from site_src.figures import (
    assertion_strip,
    claims,
    controls,
    cost,
    cost_score,
    curve,
    forest,
    funnel,
    governance,
    heatmap,
    overview,
    scatter,
    timeline,
)
from site_src.installed import assets_folder
from site_src.marks.patterns import COLOURS, LOOKS, STATE_NAMES
from site_src.pages.render import fragment
from site_src.wording import captions, spans
from site_src.wording.captions import BESIDE
from site_src.wording.links import Definition, FigureContext, Links
from site_src.wording.reading import MOST_READ, RULES
from tests.support import decision_samples, figure_samples as samples
from tests.support.by_day import at_night, one_in

REPO = Path(__file__).resolve().parents[3]
CONTEXT = FigureContext(
    build="0.4.0+1c9e55d2",
    links=Links(
        contract=lambda ref: f"../contracts/{ref.digest[7:15]}/index.html",
        data=lambda *_: "../data/index.html",
        pack=lambda _: "../packs/index.html",
        prices=lambda _: "../prices/index.html",
        reviews=lambda f: f"../reviews/index.html#{f.family}",
        control=lambda *_: "#controls",
        build=lambda: "../data/index.html#verify",
    ),
)
BARE = FigureContext(build="0.4.0+1c9e55d2")

Draw = Callable[..., Figure]

DRAWN: dict[str, Draw] = {
    "funnel": lambda **k: funnel.draw(samples.funnel(), **k),
    "timeline": lambda **k: timeline.draw(samples.series(), **k),
    "governance": lambda **k: governance.draw(samples.verdicts(), **k),
    "controls": lambda **k: controls.draw(samples.CONTROLS, **k),
    "overview": lambda **k: overview.draw(*samples.overview(), **k),
    "separation": lambda **k: forest.draw(samples.COMPARISONS, samples.security(), **k),
    "change-regress": lambda **k: scatter.draw(*samples.points(), **k),
    "assertion-strip": lambda **k: assertion_strip.draw(*samples.checks(), **k),
    "cost": lambda **k: cost.draw(samples.COSTS, samples.costs(), **k),
    "heatmap": lambda **k: heatmap.draw(samples.grid(), **k),
    "cost-score": lambda **k: cost_score.draw(samples.checks()[1], samples.costs(), **k),
    "curve": lambda **k: curve.draw(samples.turns(), **k),
    "claims": lambda **k: claims.draw(decision_samples.of_axis("difference"), **k),
}
"""How each kind is drawn from its sample."""

KINDS = sorted(figures.KINDS)

PLOTTED = ["change-regress", "cost-score", "curve", "heatmap", "timeline"]
"""Of these Vega-Altair makes the specification; their plots stretch, all others are rows alone."""

every_kind = pytest.mark.parametrize("kind", KINDS)
plotted = pytest.mark.parametrize("kind", [kind for kind in PLOTTED if kind != "heatmap"])
of_arms = pytest.mark.parametrize("kind", ["overview", "separation"])


def drawn(kind: str, context: FigureContext = CONTEXT, **more: Any) -> Figure:
    return DRAWN[kind](figure_id=f"fig-{kind}", context=context, **more)


def drawing_of(found: Figure) -> str:
    """What a page shows."""
    return str(fragment("in_rows", found.rows))


def plots(found: Figure) -> list[ET.Element]:
    """The plots of a figure, whatever is around them."""
    return [ET.fromstring(panel.picture) for row in found.rows.plots for panel in row.panels]


def texts(markup: str) -> list[str]:
    """Labels of plots, and cells of rows."""
    found = (e for e in ET.fromstring(markup).iter() if e.tag == "text" or e.get("role") in CELLS)
    return [" ".join("".join(e.itertext()).split()) for e in found]


CELLS = {"cell", "rowheader", "columnheader"}


class Parsed(HTMLParser):
    """Elements as a browser would find them in the page."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attrs
        self.ids += [value or "" for name, value in attrs if name == "id"]


# ------------------------------------------------------------------------------ what holds of every kind


def test_every_kind_in_the_folder_is_listed_and_has_a_sample():
    in_folder = {info.name for info in pkgutil.iter_modules(figures.__path__)}
    assert sorted(k.module.__name__.rpartition(".")[2] for k in figures.KINDS.values()) == sorted(in_folder)
    assert sorted(DRAWN) == KINDS


@every_kind
def test_it_brings_its_own_layers_and_its_name(kind):
    listed = figures.KINDS[kind]
    assert set(getattr(listed.module, "LAYERS", ())) <= LAYERS.keys()
    assert (kind in PLOTTED) is hasattr(listed.module, "LAYERS")
    assert drawn(kind).kind == listed.module.KIND == listed.name == kind
    assert listed.shows


@plotted
def test_the_markup_may_stand_inside_any_page(kind):
    drawing = drawn(kind)
    for picture in (str(panel.picture) for row in drawing.rows.plots for panel in row.panels):
        ET.fromstring(picture)
        found = Parsed(picture)
        assert not {"style", "script", "foreignobject", "image", "pattern", "defs"} & set(found.names)
        names = {name for name, _ in found.attributes}
        assert not {"style", "xmlns", "xlink:href", "aria-roledescription"} & names
        assert not [name for name in names if name.startswith("on")]
    ids = Parsed(drawing_of(drawing)).ids
    assert len(ids) == len(set(ids)) >= 3
    assert all(i.startswith(drawing.id) for i in ids)


@plotted
def test_it_is_named_and_described(kind):
    drawing = drawn(kind)
    assert 0 < len(drawing.title) <= 75
    assert drawing.title[0] == drawing.title[0].upper()
    assert plots(drawing)
    for root in plots(drawing):
        labels = root.get("aria-labelledby", "").split()
        assert [e.get("id") for e in root[:2]] == labels
        assert root.get("role") == ("img" if root.find(".//a") is None else "graphics-document")
        if len(plots(drawing)) == 1:
            assert (root[0].text, root[1].text) == (drawing.title, drawing.desc)
    heard = "; ".join(root[1].text or "" for root in plots(drawing))
    assert all(captions.text(captions.clause(e)) in heard for e in drawing.estimates)


@plotted
def test_a_plot_stretches_and_nothing_in_it_is_scaled_but_a_band(kind):
    """Across in per cent, down in px; only the area of a band, which has no edge, is stretched as it is."""
    for root in plots(drawn(kind)):
        assert (root.get("width"), root.get("viewBox")) == ("100%", None)
        for e in root.iter():
            if e.tag in ("line", "circle", "rect", "text"):
                across = [e.get(name, "") for name in ("x", "x1", "x2", "cx") if name in e.attrib]
                assert across
                assert all(at.endswith("%") for at in across), ET.tostring(e)
            if "viewBox" in e.attrib:
                (area,) = e
                assert (area.get("fill"), area.get("stroke")) == ("var(--band)", None)


@plotted
def test_only_colours_of_the_style_sheet_and_readable_sizes(kind):
    for picture in (drawing_of(drawn(kind)),):
        for value in re.findall(r'(?:fill|stroke)="([^"]*)"', picture):
            assert (
                value in ("none", "currentColor") or value.removeprefix("var(--").removesuffix(")") in COLOURS
            )
        assert {int(size) for size in re.findall(r'font-size="(\d+)"', picture)} <= {12, 13}


@every_kind
def test_no_link_leaves_the_site_and_none_is_invented(kind):
    for href in re.findall(r'href="([^"]*)"', drawing_of(drawn(kind))):
        assert href.startswith(("../", "#"))
    assert "<a " not in drawing_of(drawn(kind, BARE))


def boxes(root: ET.Element, broad: float) -> Iterator[tuple[str, float, float, float, float]]:
    """Each label that a plot shows at a width, with its room in the widest face: left, top, right, bottom."""
    before, behind = (float(found) for found in re.findall(r"-([0-9.]+)", root.get("class", "")))
    for e in root.iter("text"):
        shown = re.findall(r"from-(\d+)", e.get("class", ""))
        if any(broad < float(least) for least in shown):
            continue
        words, size, mono = "".join(e.itertext()), float(e.get("font-size", "")), "font-family" in e.attrib
        room = text_metrics.width(words, size=size, bold=e.get("font-weight") == "600", mono=mono)
        shift = {"end": room, "middle": room / 2}.get(e.get("text-anchor", ""), 0)
        at = before + float(e.get("x", "").rstrip("%")) / 100 * (broad - before - behind)
        left, y = at + float(e.get("dx", "0")) - shift, float(e.get("y", ""))
        risen = re.findall(r"rise-(\d+)", e.get("class", "")) if broad >= ONE_ROW else []
        y -= 16 * float(risen[0]) if risen else 0
        yield words, left, y - 0.72 * size, left + room, y + 0.1 * size


def within_the_frame(root: ET.Element, broad: float) -> None:
    height = float(root.get("height", ""))
    for words, left, top, right, bottom in boxes(root, broad):
        assert left > -1.5, words
        assert right < broad + 1.5, words
        assert top > -1.5, words
        assert bottom < height + 4, words


def apart(root: ET.Element, broad: float) -> None:
    found = list(boxes(root, broad))
    for i, (one, left, top, right, bottom) in enumerate(found):
        for other, left2, top2, right2, bottom2 in found[i + 1 :]:
            across = min(right, right2) - max(left, left2)
            down = min(bottom, bottom2) - max(top, top2)
            assert across < 1 or down < 1, (broad, one, other)


@plotted
@pytest.mark.parametrize("broad", [288, 328, 480, 704, 1040])
def test_no_label_leaves_the_frame_or_touches_another_at_any_width(kind, broad):
    for root in plots(drawn(kind)):
        within_the_frame(root, broad)
        apart(root, broad)


def test_labels_that_have_no_room_on_a_phone_are_shown_in_a_wider_picture():
    """Forty days: on a phone few of them are named, on a desk more, and none covers another anywhere."""
    series = samples.series()
    (first, *_), _ = (segment.points for segment in series.segments)
    days = [
        replace(first, group=Keys({"stamp": f"2026-{month:02}-{day:02}"}))
        for month in (5, 6) for day in range(1, 21)
    ]  # fmt: skip
    one = replace(series, segments=(replace(series.segments[0], points=tuple(days)),))
    (root,) = plots(timeline.draw(one, figure_id="t", context=CONTEXT))
    shown = {broad: [w for w, *_ in boxes(root, broad) if "-" in w] for broad in (288, 480, 704, 960)}
    for broad in shown:
        apart(root, broad)
    assert len(shown[288]) < len(shown[480]) < len(shown[704])
    assert shown[960][-1] == shown[288][-1] == "06-20"


def test_the_style_sheet_knows_every_class_of_a_plot():
    told = (assets_folder() / "css" / "43-plots.css").read_text("utf-8")
    for kind in PLOTTED:
        for root in plots(drawn(kind)):
            for name, px in re.findall(r"(before|behind)-([0-9.]+)", root.get("class", "")):
                side = {"before": "left", "behind": "right"}[name]
                assert f".{name}-{px} {{ padding-{side}: {px}px; }}" in told
    for broad in WIDER:
        assert f"@container (min-width: {broad}px) {{ .from-{broad} {{ display: inline; }} }}" in told
    assert f"@container (min-width: {ONE_ROW}px) {{ .rise-1 {{ transform: translateY(-16px); }}" in told
    for room, px in PANEL_ROOMS.items():
        assert room == "whole" or f"{px / 16:g}rem" in told


def everything(kind: str) -> str:
    """All that a drawing holds, as text."""
    d = drawn(kind)
    return "\n".join((drawing_of(d), *(repr(part) for part in (d.spec, d.caption, d.table, d.csv))))


@at_night("test_build.py compares a whole site made elsewhere")
def test_the_same_bytes_in_another_process():
    code = (
        "from tests.site.figures.test_figures import KINDS, everything;"
        "print(*map(everything, KINDS[::-1]), sep=chr(0), end='')"
    )
    seeded = {"PYTHONHASHSEED": "7", "PATH": "", "LANG": "C", "TZ": "Asia/Tokyo", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", code], cwd=REPO, env=seeded, capture_output=True, check=True)
    for kind, there in zip(KINDS[::-1], done.stdout.decode().split("\0"), strict=True):
        assert there == everything(kind), kind


@plotted
def test_a_drawing_that_was_kept_is_the_drawing(kind):
    fresh, context = drawn(kind), replace(CONTEXT, memo=Memo())
    first, second = drawn(kind, context), drawn(kind, context)
    assert drawing_of(fresh) == drawing_of(first)
    every = [[p.picture for row in d.rows.plots for p in row.panels] for d in (first, second)]
    assert [str(a) for a in every[0]] == [str(b) for b in every[1]] != []


@every_kind
def test_the_specification_is_vega_lite_with_its_data(kind):
    spec = drawn(kind).spec
    assert spec["$schema"].split("/")[-2] == "vega-lite"
    parts = spec["layer"] if kind in PLOTTED else spec.get("vconcat", [spec])
    named = [part["data"]["name"] for part in parts]
    assert set(named) == set(spec["datasets"])
    assert any(spec["datasets"].values())


VEGAS_OWN = ("#4c78a8", "#f58518", "#e45756", "#72b7b2", "#54a24b", "#eeca3b", "#b279a2", "#ff9da6")
"""Colours of marks for which a specification names none."""


@every_kind
def test_no_mark_of_a_specification_has_a_colour_that_is_not_of_the_palette(kind):
    rendered = vl_convert.vegalite_to_svg(drawn(kind).spec)
    assert [colour for colour in VEGAS_OWN if colour in rendered.lower()] == []


@of_arms
def test_a_specification_of_rows_renders_and_holds_the_values(kind):
    drawing = drawn(kind)
    rendered = vl_convert.vegalite_to_svg(drawing.spec)
    rows = {row["estimate"]: row for row in drawing.spec["datasets"]["estimates"]}
    assert rows.keys() == {e.id for e in drawing.estimates}
    for e in drawing.estimates:
        shown = (e.value, e.interval.lo, e.interval.hi) if e.headline == "point" else (None, None, None)
        row = rows[e.id]
        assert (row["value"], row["lo"], row["hi"]) == shown
        assert (row["bound_lo"], row["bound_hi"]) == (e.bounds if e.headline == "bounds" else (None, None))
        assert (row["n"], row["N"]) == (e.n, e.N)
    pairs = drawing.spec["datasets"].get("pairs", [])
    points = sum(row["value"] is not None for row in rows.values())
    points += sum(row["difference"] is not None for row in pairs)
    assert len(re.findall(r'aria-roledescription="circle"', rendered)) == points > 0


@pytest.mark.parametrize("kind", PLOTTED)
def test_a_specification_that_is_taken_away_needs_no_style_sheet(kind):
    spec = drawn(kind).spec
    assert "var(--" in json.dumps(spec)  # on the page it follows the theme
    taken = specification_file(spec)
    labels = taken["datasets"]["labels"]
    assert [row["text"] for row in labels] == [row["text"] for row in spec["datasets"]["labels"]]
    rendered = vl_convert.vegalite_to_svg(taken)
    assert "var(--" not in rendered
    assert re.search("#191c20|#454b52", rendered)


@pytest.mark.parametrize("kind", ["assertion-strip", "controls", "cost", "funnel"])
def test_a_specification_of_bars_has_the_colours_of_its_states(kind):
    spec = drawn(kind).spec
    sheet = (REPO / "site_src/assets/css/10-palette.css").read_text()
    light = dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", sheet.partition("}")[0]))
    looks = {state: (look.fill, look.edge) for state, look in LOOKS.items() if look.hatch == "none"}
    looks |= cost.LOOKS | {"false": ("false", "false-line")}
    rendered = vl_convert.vegalite_to_svg(spec)
    assert rendered.count('aria-roledescription="legend"') == 1
    parts = re.findall(r'<path [^>]*aria-roledescription="bar"[^>]*>', rendered)
    assert len(parts) == len(spec["datasets"]["bars"]) > 0
    for row, part in zip(spec["datasets"]["bars"], parts, strict=True):
        assert f'fill="{chart.BARS[row["state"]][0]}" stroke="{chart.BARS[row["state"]][1]}"' in part
    for state, names in looks.items():
        assert chart.BARS[state] == tuple(light[name] for name in names)
    assert chart.BARS.keys() == {*STATE_NAMES, *cost.LOOKS}
    colours = {chart.BARS[state] for state in STATE_NAMES}
    assert len(colours) == len(STATE_NAMES)


def test_the_specification_of_a_forest_holds_each_difference_and_its_outcome():
    pairs = {row["comparison"]: row for row in drawn("separation").spec["datasets"]["pairs"]}
    assert pairs.keys() == {c.id for c in samples.COMPARISONS}
    for c in samples.COMPARISONS:
        row = pairs[c.id]
        assert (row["difference"], row["lo"], row["hi"]) == (c.difference, c.interval.lo, c.interval.hi)
        assert row["outcome"].startswith({"separated": "separated", "same tasks only": "same tasks only"}.get(
            str(c.outcome), row["outcome"]))  # fmt: skip


@every_kind
def test_rows_are_tables_to_those_who_hear_them(kind):
    markup = drawing_of(drawn(kind))
    root = ET.fromstring(markup)
    says = [e for e in root if e.get("class") == "says needs-script"]
    assert [e.get("aria-hidden") for e in says] == ["true"] * bool(drawn(kind).rows.tables)
    for table in (e for e in root if e.get("class", "").startswith("rows")):
        assert table.get("role") == "table"
        assert table.get("aria-label") or table.get("aria-labelledby") == f"fig-{kind}-title"
        heads = [e for e in table.iter() if e.get("role") == "columnheader"]
        assert all("".join(head.itertext()).strip() for head in heads)
        beside = "between" in {e.get("class") for e in heads}
        for row in (e for e in table.iter() if e.get("class") == "row"):
            assert bool(row.get("data-says")) is bool(row.get("data-arms"))
            assert [e.get("role") for e in row] == ["rowheader", *["cell"] * (len(heads) - 1 - beside)]
    outermost = [child for e in root.iter() if e.tag not in ("svg", "g") for child in e if child.tag == "svg"]
    heard = [picture for picture in outermost if picture.get("aria-hidden") != "true"]
    assert len(outermost) >= len(heard) == len(plots(drawn(kind)))
    assert all(picture.get("aria-labelledby") for picture in heard)


def rows_of(table: ET.Element) -> dict[str, ET.Element]:
    """The rows of a table by their names; the last of each name."""
    return {"".join(e[0].itertext()).strip(): e for e in table.iter() if e.get("class") == "row"}


@of_arms
def test_marks_of_rows_stand_at_their_values(kind):
    drawing = drawn(kind)
    markup = drawing_of(drawing)
    by_name = {e.group["model"]: e for e in drawing.estimates if e.withheld is None}  # the last of each name
    for name, row in rows_of(ET.fromstring(markup)[0]).items():
        points = [float(c.get("cx", "").rstrip("%")) for c in row.iter("circle")]
        e = by_name[name]
        wanted = [100 * e.value] if e.headline == "point" and e.value is not None else []
        assert points == pytest.approx(wanted, abs=0.01)


def test_a_difference_stands_at_its_value_and_its_point_is_filled_by_the_outcome():
    markup = drawing_of(drawn("separation"))
    rows = rows_of(ET.fromstring(markup)[1])
    assert len(rows) == len(samples.COMPARISONS)
    ticks = difference_ticks(
        v for c in samples.COMPARISONS for v in (c.difference, c.interval.lo, c.interval.hi) if v is not None
    )
    low, high = ticks[0][0], ticks[-1][0]
    fills = {"separated": "var(--ink)", "same tasks only": "var(--paper)", "cannot separate": "var(--paper)"}
    for c in samples.COMPARISONS:
        row = rows[f"{c.a} − {c.b}"]
        points = list(row.iter("circle"))
        assert len(points) == (c.difference is not None)
        for point in points:
            assert float(point.get("cx", "").rstrip("%")) == pytest.approx(
                100 * ((c.difference or 0.0) - low) / (high - low), abs=0.01
            )
            assert point.get("fill") == fills[str(c.outcome)]


@every_kind
def test_rows_have_no_style_no_script_and_no_invisible_word(kind):
    for name in HOSTILE:
        markup = drawing_of(hostile(kind, name))
        found = Parsed(markup)
        assert not {"style", "script", "foreignobject", "image", "pattern", "defs", "b>"} & set(found.names)
        assert "style" not in {attribute for attribute, _ in found.attributes}
        for value in re.findall(r'(?:fill|stroke)="([^"]*)"', markup):
            assert (
                value in ("none", "currentColor") or value.removeprefix("var(--").removesuffix(")") in COLOURS
            )


@every_kind
def test_every_estimate_is_in_caption_alternative_and_data(kind):
    drawing = drawn(kind)
    rows = {row[0] for row in drawing.csv.rows}
    for e in drawing.estimates:
        if e.withheld is None and e.N:
            assert f"{e.n}/{e.N}" in drawing.desc
        if drawing.csv.header[0] == "id" and drawing.csv.header[1] == "experiment":
            assert e.id in rows
    words = spans.plain(drawing.caption)
    assert words.endswith("site assay 0.4.0+1c9e55d2")
    assert " ".join(drawing.estimate_ids.split()) == drawing.estimate_ids


@every_kind
def test_a_reader_meets_few_words_and_no_number_before_the_strip(kind):
    told = spans.text(drawn(kind).caption.reads)
    assert 0 < len(told) <= MOST_READ
    assert told[0].isupper()
    assert told.endswith(".")
    assert not re.search(r"\d/\d", told)


@every_kind
def test_the_strip_names_contract_data_and_build(kind):
    drawing = drawn(kind)
    *facts, build = map(spans.text, drawing.caption.strip)
    assert build == "site assay 0.4.0+1c9e55d2"
    for e in drawing.estimates:
        for part in (e.contract.id, e.contract.digest[7:15], e.data_digest[7:15]):
            assert any(part in fact for fact in facts), part


@every_kind
def test_n_over_n_stands_beside_every_estimate(kind):
    drawing = drawn(kind)
    told = " ".join(texts(drawing_of(drawing)))
    for e in drawing.estimates:
        if e.withheld is None and e.N:
            assert f"{e.n}/{e.N}" in told, e.id


@every_kind
def test_the_alternative_holds_every_count_that_is_drawn(kind):
    drawing = drawn(kind)
    told = [cell for row in drawing.table.rows for cell in row]
    told += ["".join(part.text for part in line) for line in drawing.caption.lines]
    counts = {found for label in texts(drawing_of(drawing)) for found in re.findall(r"\d+/\d+", label)}
    assert counts
    for found in counts:
        assert any(re.search(rf"(?<!\d){found}(?!\d)", cell) for cell in told), found


@every_kind
def test_no_evidence_no_figure(kind):
    nothing: dict[str, Callable[[], Figure]] = {
        "funnel": lambda: funnel.draw(replace(samples.funnel(), stages=()), figure_id="x", context=BARE),
        "timeline": lambda: timeline.draw(
            replace(samples.series(), segments=()), figure_id="x", context=BARE
        ),
        "governance": lambda: governance.draw((), figure_id="x", context=BARE),
        "controls": lambda: controls.draw((), figure_id="x", context=BARE),
        "overview": lambda: overview.draw((), (), figure_id="x", context=BARE),
        "separation": lambda: forest.draw(samples.COMPARISONS, (), figure_id="x", context=BARE),
        "change-regress": lambda: scatter.draw(samples.points()[0], (), figure_id="x", context=BARE),
        "assertion-strip": lambda: assertion_strip.draw(samples.checks()[0], (), figure_id="x", context=BARE),
        "cost": lambda: cost.draw(samples.COSTS, (), figure_id="x", context=BARE),
        "heatmap": lambda: heatmap.draw(replace(samples.grid(), cells=()), figure_id="x", context=BARE),
        "cost-score": lambda: cost_score.draw((), samples.costs(), figure_id="x", context=BARE),
        "curve": lambda: curve.draw((), figure_id="x", context=BARE),
        "claims": lambda: claims.draw((), figure_id="x", context=BARE),
    }
    with pytest.raises(ValueError):
        nothing[kind]()


def test_a_drawing_itself_refuses_to_be_without_estimates_and_to_shout():
    whole = drawn("heatmap")
    with pytest.raises(ValueError, match="no estimates"):
        replace(whole, estimates=())
    with pytest.raises(ValueError, match="76 characters"):
        replace(whole, title="x" * 76)
    with pytest.raises(ValueError, match="drawn as nothing"):
        replace(whole.rows, tables=())


# --------------------------------------------------------------------------------------- hostile names

HOSTILE = [
    "</text></svg><script>alert(1)</script>\"'&amp;<b>",
    "gpt\u202eevil\u202c\u200b\u2066name",
    "a-model-whose-name-goes-on-and-on-" * 8,
    "模型" * 40,
    "line one\nline two\ttabbed\x00\x1b[31m",
    'var(--nope) fill="var(--ink)"',
]


def renamed(e: Estimate, name: str) -> Estimate:
    return replace(e, group=e.group | {"model": name} if e.group else e.group)


def hostile(kind: str, name: str) -> Figure:
    """A kind drawn with every name of a model, stage, reason and assertion replaced."""
    told: dict[str, Any] = {"figure_id": "h", "context": CONTEXT}
    match kind:
        case "funnel":
            shape = samples.funnel(name)
            stages = tuple(
                replace(s, name=name, losses=tuple(replace(loss, reason=name) for loss in s.losses))
                for s in shape.stages
            )
            return funnel.draw(replace(shape, stages=stages), **told)
        case "timeline":
            line = samples.series(name)
            segments = tuple(
                replace(s, why=s.why and name, contract=replace(s.contract, id=name, version=name))
                for s in line.segments
            )
            return timeline.draw(replace(line, segments=segments), **told)
        case "governance":
            return governance.draw(
                [renamed(e, name) for e in samples.verdicts()] + list(samples.verdicts()), **told
            )
        case "controls":
            named = [
                replace(
                    c,
                    title=name,
                    detail=name,
                    guards=name,
                    checks=tuple(replace(k, name=name, must=name) for k in c.checks),
                )
                for c in samples.CONTROLS
            ]
            return controls.draw(named, **told)
        case "overview":
            found, compared = samples.overview()
            swapped = [renamed(e, name) if e.group.get("model") == "alpha" else e for e in found]
            pairs_ = [replace(c, a=name) if c.a == "alpha" else c for c in compared]
            return overview.draw(swapped, pairs_, **told)
        case "separation":
            compared = [replace(c, a=name) if c.a == "alpha" else c for c in samples.COMPARISONS]
            return forest.draw(
                compared, [renamed(e, name) if e.n == 50 else e for e in samples.security()], **told
            )
        case "change-regress":
            found, behind = samples.points()
            return scatter.draw(found, [replace(e, of=name) for e in behind], **told)
        case "assertion-strip":
            rows, behind = samples.checks()
            named = [
                replace(r, name=name, scenario=name, by_model=tuple((name, t) for _, t in r.by_model[:1]))
                for r in rows
            ]
            return assertion_strip.draw(named, [renamed(behind[0], name)], **told)
        case "cost":
            causes = (RecordsDiffer(3, PriceCorrected("2026-07-19", name)),)
            rows: list[CostRow] = [replace(r, model=name, causes=causes) for r in samples.COSTS[:1]]
            return cost.draw(rows, [renamed(e, name) for e in samples.costs()[:1]], **told)
        case "heatmap":
            grid = samples.grid()
            cells = [
                replace(e, group=Keys((k, name if v == "beta" else v) for k, v in e.group))
                for e in grid.cells
            ]
            return heatmap.draw(replace(grid, cells=tuple(cells)), **told)
        case "cost-score":
            scores = [renamed(samples.checks()[1][0], name), *samples.checks()[1][1:]]
            return cost_score.draw(scores, [renamed(samples.costs()[0], name), *samples.costs()[1:]], **told)
        case "curve":
            stepped = [
                replace(e, group=Keys((k, name if v == "alpha" else v) for k, v in e.group))
                for e in samples.turns()
            ]
            return curve.draw(stepped, **told)
        case "claims":
            return claims.draw(decision_samples.of_axis("difference", name), **told)
    raise KeyError(kind)


@one_in(4)
@every_kind
@pytest.mark.parametrize("name", HOSTILE, ids=["markup", "bidi", "long", "wide", "controls", "variables"])
def test_a_hostile_name_stays_text_and_inside_the_frame(kind, name):
    drawing = hostile(kind, name)
    assert len(drawing.title) <= 75
    markup = drawing_of(drawing)
    ET.fromstring(markup)
    assert not {"script"} & set(Parsed(markup).names)
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\x00\x1b]", markup)
    for root in plots(drawing):
        within_the_frame(root, NARROWEST)
    taken = picture_file(drawing, name, "index.html")
    words = "".join(
        "".join(e.itertext()) for e in ET.fromstring(taken).iter("{http://www.w3.org/2000/svg}text")
    )
    assert re.sub(r"\s+", "", visible(name)) in re.sub(r"\s+", "", words)
    assert "script" not in Parsed(taken).names


NOT_NAMED = {"change-regress", "controls"}
"""Kinds that name no arm, no task and no assertion."""


@every_kind
def test_a_long_name_is_shortened_once_and_alike_wherever_it_stands(kind):
    name = HOSTILE[2]
    drawing = hostile(kind, name)
    parts = [drawing_of(drawing), drawing.title, drawing.desc, *map(spans.text, drawing.caption.lines)]
    shown = {*re.findall(r"\(([0-9a-f]{24})\)", "\n".join(parts))}
    assert shown == (set() if kind in NOT_NAMED else {hashlib.sha256(name.encode()).hexdigest()[:24]})


# ------------------------------------------------------------------- marks of what is not simply a number


def marks_of(markup: str) -> list[ET.Element]:
    """The drawings of rows, in their order."""
    return [e for e in ET.fromstring(markup).iter() if e.get("class") == "marks"]


def half(row: ET.Element, place: int) -> list[ET.Element]:
    """Marks of one of the two axes that a row of verdicts has."""
    return list([e for e in row if e.tag == "svg"][place])


def count_of(drawing: Figure, dataset: str, **wanted: Any) -> int:
    rows = drawing.spec["datasets"][dataset]
    return sum(all(row.get(k) == v for k, v in wanted.items()) for row in rows)


def test_withheld_is_a_strip_with_its_word_and_never_a_number():
    shown = samples.verdicts()
    hidden = [samples.withheld(e, Kept("the negative control failed")) for e in shown]
    drawing = governance.draw(hidden, figure_id="w", context=CONTEXT)
    markup = drawing_of(drawing)
    told = texts(markup)
    assert told.count("withheld") == len(shown)
    assert not [t for t in told if re.search(r"\d/\d|\d\.\d\d", t)]
    marks = marks_of(markup)
    assert len(marks) == len(shown)
    for row in marks:
        (strip_,) = row.iter("rect")  # an outline: a filled bar reads as a full score in the dark
        assert (strip_.get("width"), strip_.get("fill")) == ("100%", "var(--paper)")
    assert all(row["value"] is None is row["bound_lo"] for row in drawing.spec["datasets"]["estimates"])
    assert "withheld" in "".join(part.text for line in drawing.caption.lines for part in line)


UNGUARDED = {"controls": "controls are what withholds"}


def hidden_pairs() -> list[Comparison]:
    """The sample comparisons as a failed control leaves them."""
    none = samples.COMPARISONS[-1].interval
    return [
        replace(c, difference=None, interval=none, judged=samples.judged("not comparable", none.absent))
        for c in samples.COMPARISONS
    ]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in UNGUARDED])
def test_what_is_withheld_leaks_nowhere(kind):
    hide = samples.withheld
    told: dict[str, Any] = {"figure_id": "w", "context": CONTEXT}
    made: dict[str, Callable[[], Figure]] = {
        "funnel": lambda: funnel.draw(
            replace(
                shape := samples.funnel(),
                stages=tuple(replace(s, estimate=hide(s.estimate)) for s in shape.stages),
            ),
            **told,
        ),
        "timeline": lambda: timeline.draw(
            replace(
                line := samples.series(),
                segments=tuple(replace(s, points=tuple(map(hide, s.points))) for s in line.segments),
            ),
            **told,
        ),
        "governance": lambda: governance.draw([hide(e) for e in samples.verdicts()], **told),
        "overview": lambda: overview.draw([hide(e) for e in samples.overview()[0]], (), **told),
        "separation": lambda: forest.draw(hidden_pairs(), [hide(e) for e in samples.security()], **told),
        "change-regress": lambda: scatter.draw(
            samples.points()[0], [hide(e) for e in samples.points()[1]], **told
        ),
        "assertion-strip": lambda: assertion_strip.draw(
            samples.checks()[0], [hide(e) for e in samples.checks()[1]], **told
        ),
        "heatmap": lambda: heatmap.draw(
            replace(grid := samples.grid(), cells=tuple(map(hide, grid.cells))), **told
        ),
        "cost": lambda: cost.draw(samples.COSTS, [hide(e) for e in samples.costs()], **told),
        "cost-score": lambda: cost_score.draw(
            [hide(e) for e in samples.checks()[1]], samples.costs(), **told
        ),
        "curve": lambda: curve.draw([hide(e) for e in samples.turns()], **told),
        "claims": lambda: claims.draw(decision_samples.hidden(), **told),
    }
    drawing = made[kind]()
    numbers = {f"{e.n}/{e.N}" for e in getattr(DRAWN[kind](**told), "estimates", ())}
    if kind == "cost-score":
        numbers = {f"{e.n}/{e.N}" for e in samples.checks()[1]}
    if kind == "cost":
        numbers |= {"21.40 USD", "24.40 USD", "0.61"}
    told_in_all = repr(drawing.table) + repr(drawing.caption) + repr(drawing.spec)
    told_in_all += drawing_of(drawing) + drawing.desc
    assert not [n for n in numbers if n in told_in_all]
    assert "withheld" in told_in_all


def test_too_few_is_hatched_and_counts_only():
    drawing = drawn("timeline")
    assert "too few" in texts(drawing_of(drawing))
    assert "5/7" in texts(drawing_of(drawing))
    assert count_of(drawing, "upright_points") == 9  # ten stamps, one without a point
    few = governance.draw([samples.share("utility", 3, 5)], figure_id="f", context=CONTEXT)
    markup = drawing_of(few)
    assert "circle" not in markup
    assert "0.60" not in markup + few.desc


def test_over_a_fifth_unknown_draws_bounds_and_no_point():
    e = samples.share("utility", 30, 52, unknown=17, errors=3)
    drawing = governance.draw([e], figure_id="b", context=CONTEXT)
    markup = drawing_of(drawing)
    assert "circle" not in markup
    assert e.bounds is not None
    (thick,) = (m for m in half(marks_of(markup)[0], 1) if m.get("stroke-width") == "6")
    ends = [float(thick.get(x, "").rstrip("%")) for x in ("x1", "x2")]
    assert ends == pytest.approx([100 * bound for bound in e.bounds], abs=0.01)
    assert any("bounds 0.42 to 0.69" in label for label in texts(markup))


def test_the_interval_beside_bounds_is_the_one_that_holds_them():
    """That of what is known may end inside the bounds: of 10 known successes in 20 it begins at 0.72."""
    e = samples.share("utility", 10, 10, invalid=10)
    assert (e.headline, e.bounds) == ("bounds", (0.5, 1.0))
    rows = figure.reading([e]).rows
    assert [row[-2:] for row in rows] == [("bounds 0.50 to 1.00", "[0.30, 1.00]")]
    assert "[0.72" not in drawn_over_time(e) + everything_told(e)
    point = samples.share("utility", 18, 20)
    assert figure.reading([point]).rows[0][-2:] == ("0.90", "[0.70, 0.97]")


def drawn_over_time(e: Estimate) -> str:
    """The table of a timeline that has one point."""
    segment = replace(samples.series().segments[0], points=(e,))
    (row,) = timeline.draw(
        replace(samples.series(), segments=(segment,)), figure_id="t", context=CONTEXT
    ).table.rows
    return " ".join(row)


def everything_told(e: Estimate) -> str:
    """All that a heat map of one cell says."""
    grid = samples.grid()
    cell = replace(grid.cells[0], n=e.n, N=e.N, known=e.known, unknown=0, invalid=10, errors=0, value=e.value,
                   bounds=e.bounds, interval=e.interval, also=e.also, headline="bounds")  # fmt: skip
    drawing = heatmap.draw(replace(grid, cells=(cell,)), figure_id="h", context=CONTEXT)
    return " ".join([*texts(drawing_of(drawing)), str(drawing.table)])


def test_nothing_known_says_so_and_draws_no_zero():
    e = samples.share("security", 0, 0, unknown=24)
    drawing = governance.draw([e], figure_id="n", context=CONTEXT)
    markup = drawing_of(drawing)
    assert half(marks_of(markup)[0], 1) == []
    assert any(label.startswith("N/A (0/0)") for label in texts(markup))


def test_unknown_is_dotted_in_every_bar_that_has_it():
    drawing = drawn("governance")
    most = max(e.attempts for e in drawing.estimates)
    markup = drawing_of(drawing)
    for row, e in zip(marks_of(markup), drawing.estimates, strict=True):
        dotted = [m for m in half(row, 0) if m.tag == "rect" and m.get("stroke") == "var(--unknown)"]
        drawn_as = sum(float(m.get("width", "").rstrip("%")) for m in dotted)
        assert drawn_as * most / 100 == pytest.approx(e.unknown, abs=0.01)


def test_money_is_drawn_on_one_scale_and_a_run_beside_its_interval():
    drawing = drawn("cost")
    money, runs = drawing.rows.tables
    ends = [bar["end"] for bar in drawing.spec["datasets"]["bars"]]
    widths = [
        float(m.get("width", "").rstrip("%"))
        for group in money.groups
        for row in group.rows
        for m in ET.fromstring(row.marks).iter("rect")
    ]
    known = [usd for usd in ends if usd is not None]
    assert len(known) == len(widths) > 1
    assert [w / widths[0] for w in widths] == pytest.approx([usd / known[0] for usd in known], rel=0.01)
    for row, e in zip(runs.groups[0].rows, drawing.estimates, strict=True):
        assert len(list(ET.fromstring(row.marks).iter("circle"))) == (e.headline == "point")


def test_a_claim_stands_beside_the_line_that_it_draws():
    judged = decision_samples.of_axis("difference")
    drawing = drawn("claims")
    (table,) = drawing.rows.tables
    shown = {row["comparison"] for row in drawing.spec["datasets"]["pairs"]}
    assert shown
    for row, j in zip(table.groups[0].rows, judged, strict=True):
        lines = [m for m in ET.fromstring(row.marks).iter("line") if m.get("stroke-dasharray") == "4 3"]
        assert len(lines) == (
            "value" in {cell.kind for cell in row.cells} and "[" in spans.text(row.cells[0].words)
        )
        assert spans.text(row.name).startswith(j.verdict.capitalize())
        if not lines:
            assert "circle" not in row.marks


def test_the_bars_of_an_assertion_are_its_runs():
    rows, behind = samples.checks()
    drawing = drawn("assertion-strip")
    whole, checks = drawing.rows.tables
    assert len(whole.groups[0].rows) == len(behind)
    tallies = {(r.name, model): t for r in rows for model, t in r.by_model}
    most = max(t.attempts for r in rows for _, t in r.by_model if any(t.false for _, t in r.by_model))
    for group in checks.groups:
        for row in group.rows:
            tally = tallies.get((group.head, row.arms))
            found = sum(float(m.get("width", "").rstrip("%")) for m in ET.fromstring(row.marks).iter("rect"))
            assert found * most / 100 == pytest.approx(tally.attempts if tally else 0, abs=0.05)


def test_bars_are_drawn_in_counts():
    drawing = drawn("funnel")
    bars = drawing.spec["datasets"]["bars"]
    assert max(bar["end"] for bar in bars) == 72
    assert [bar["end"] for bar in bars if bar["state"] == "true"] == [41, 33]
    assert vl_convert.vegalite_to_svg(drawing.spec).count('aria-roledescription="bar"') == len(bars)
    markup = drawing_of(drawing)
    blue = [
        float((bar.get("width") or "").rstrip("%")) * 72 / 100
        for bar in ET.fromstring(markup).iter("rect")
        if bar.get("fill") == "var(--true)"
    ]
    assert blue == pytest.approx([41, 33], abs=0.01)


def test_what_a_stage_loses_is_named_counted_and_linked():
    drawing = drawn("funnel")
    (table,) = drawing.rows.tables
    shape = samples.funnel()
    for row, stage in zip(table.groups[0].rows, shape.stages, strict=True):
        lost = row.cells[1].words
        assert sum(int(part.text.split()[0].removeprefix("−")) for part in lost) == sum(
            loss.count for loss in stage.losses
        )
        assert all(part.mark for part in lost)
    assert any(part.href for row in table.groups[0].rows for part in row.cells[1].words)


def test_no_line_and_no_band_joins_two_instruments():
    series = samples.series()
    drawing = timeline.draw(series, figure_id="t", context=CONTEXT)
    runs: dict[int, set[str]] = {}
    places = {e.value: segment.contract.version for segment in series.segments for e in segment.points}
    for row in drawing.spec["datasets"]["lines"]:
        runs.setdefault(row["run"], set()).add(places[row["value"]])
    assert runs
    assert all(len(versions) == 1 for versions in runs.values())
    assert sorted(len([r for r in drawing.spec["datasets"]["lines"] if r["run"] == run]) for run in runs) == [
        3,
        5,
    ]


def test_groups_that_cannot_be_separated_may_overlap():
    found = samples.COMPARISONS[:10]
    groups = arm_rows.not_separated(("alpha", "beta", "delta", "gamma", "epsilon"), found)
    assert groups == (("alpha", "beta", "delta"), ("delta", "gamma"), ("gamma", "epsilon"))
    drawing = forest.draw(found, samples.security(), figure_id="g", context=CONTEXT)
    told = [spans.text(verdict.names) for verdict in drawing.rows.tables[0].groups[0].verdicts]
    assert told == ["alpha, beta and delta", "delta and gamma", "gamma and epsilon"]


@pytest.mark.parametrize("length", [16, 17])
def test_arms_of_long_names_have_a_letter_that_pairs_call_them_by(length):
    long = "m" * length
    pairs_ = [replace(c, a=long if c.a == "alpha" else c.a) for c in samples.COMPARISONS[:10]]
    found = [renamed(e, long) if e.group["model"] == "alpha" else e for e in samples.security()]
    drawing = forest.draw(pairs_, found, figure_id="l", context=CONTEXT)
    arms, between = drawing.rows.tables
    first = [part.text for part in arms.groups[0].rows[0].name]
    pair_ = [(part.text, part.role) for part in between.groups[0].rows[0].name]
    if length == 16:
        assert (first, pair_) == ([long], [(f"{long} − beta", "plain")])
    else:
        assert first == ["A", " ", long]
        assert pair_ == [("A − B", "plain"), (f" ({long} − beta)", "unseen")]


def test_done_but_broken_is_marked_and_counted():
    drawing = drawn("change-regress")
    assert "Done, but broken 6/37" in [spans.text(line) for line in drawing.rows.key]
    dots = drawing.spec["datasets"]["crossings"]
    assert sum(d["runs"] for d in dots if d["fill"] == "var(--false)") == 6
    assert sum(d["runs"] for d in dots) == 37


def test_models_have_no_colour():
    markup = drawing_of(drawn("overview"))
    assert {c.get("fill") for c in ET.fromstring(markup).iter("circle")} == {"var(--ink)", "var(--paper)"}


def verdicts_of(pairs: Sequence[Comparison]) -> list[tuple[str, str, str]]:
    """Outcome, names and why of each line beside the rows of security."""
    shown = overview.draw(samples.security(), pairs, figure_id="v", context=CONTEXT).rows
    assert shown is not None
    groups = shown.tables[0].groups
    return [(pair.word, spans.text(pair.names), pair.why) for group in groups for pair in group.verdicts]


def test_a_line_for_several_pairs_speaks_of_those_pairs_only():
    def few(a: str, b: str, why: NoInterval) -> Comparison:
        none = Interval.none(why)
        return replace(samples.COMPARISONS[0], a=a, b=b, difference=None, interval=none,
                       judged=samples.judged("cannot separate", none.absent))  # fmt: skip

    one, other = NoInterval.SINGLE_CLUSTER, NoInterval.NOTHING_KNOWN
    names = ("alpha", "beta", "gamma", "delta")
    every = [few(a, b, one) for i, a in enumerate(names) for b in names[i + 1 :]]
    assert [said[1] for said in verdicts_of(every)] == ["any two of them"]
    drawn_across = {"difference": 0.1, "interval": samples.COMPARISONS[0].interval}
    with_delta = [c if "delta" in (c.a, c.b) else replace(c, **drawn_across) for c in every]
    assert ("cannot separate", "delta and any other") in [said[:2] for said in verdicts_of(with_delta)]
    differing = [few("gamma", "delta", other) if (c.a, c.b) == ("gamma", "delta") else c for c in with_delta]
    told = [said[1] for said in verdicts_of(differing)]
    assert "delta and each of alpha and beta" in told
    assert "delta and any other" not in told
    assert any({*words.split(" and ")} == {"gamma", "delta"} for words in told)


def test_arms_that_are_unlike_arms_elsewhere_are_one_line_by_what_differs():
    """Each pair has values of its own: told pair by pair, two benchmarks were sixteen lines."""
    elsewhere = [
        samples.comparison(
            "alpha", other, None, 0.0, 0.0, "not comparable",
            reason=Unlike("lies_in", ("alpha", "a"), (other, where)),
        )
        for other, where in (("zeta", "b"), ("eta", "c"))
    ]  # fmt: skip
    why = "lies in differs: a folder around runs may name what they were made under"
    assert verdicts_of(elsewhere) == [("not compared", "alpha and each of zeta and eta", why)]


def test_a_hollow_point_clear_of_zero_never_stands_without_its_reason():
    against = SeparationVerdict(above="a", against=(NotSeparated.NOT_SIGNIFICANT,), overlap=False)
    clear = replace(samples.COMPARISONS[2], judged=against, p_adjusted=0.11, holm_size=12)
    assert clear.told_apart is None
    assert clear.interval.lo is not None
    assert clear.interval.lo > 0
    assert verdicts_of([clear]) == [
        ("cannot separate", "alpha and gamma", "p 0.11 after Holm over 12 comparisons")
    ]
    across = samples.COMPARISONS[0]
    assert verdicts_of([across]) == [("cannot separate", "alpha and beta", "")]


@of_arms
def test_a_row_names_its_arms_says_itself_in_full_and_leads_to_its_runs(kind):
    drawing = drawn(kind)
    first, *others = drawing.rows.tables
    by_id = {e.id: e for e in drawing.estimates}
    for row in (row for group in first.groups for row in group.rows):
        counted = [part for cell in row.cells if cell.kind == "counted" for part in cell.words]
        if not counted:
            continue
        e = by_id[counted[0].estimate]
        assert row.arms == e.group["model"]
        assert f"{e.n}/{e.N}" in row.says
        assert counted[0].href == f"../reviews/index.html#{e.family}"
    for row in (row for table in others for group in table.groups for row in group.rows):
        assert row.arms.split("\n") == [name.strip() for name in spans.text(row.name).split("−")]
        assert row.says


def test_heads_and_metrics_lead_to_what_they_mean():
    def metric(e: Estimate) -> tuple[Definition, ...]:
        return (Definition(f"methods.html#{e.metric}", f"what {e.metric} counts", "assay/attempts v1"),)

    def term(name: str) -> tuple[Definition, ...]:
        return (Definition(f"methods.html#{name}", RULES[name].means, "Methods"),) if name in RULES else ()

    links = replace(CONTEXT.links, metric=metric, term=term)
    markup = drawing_of(drawn("separation", replace(CONTEXT, links=links)))
    found = [
        (e.get("href"), e.get("data-sentence"), "".join(e.itertext()))
        for e in ET.fromstring(markup).iter("a")
        if e.get("class") == "defined"
    ]
    assert found == [
        ("methods.html#security", "what security counts", "Security"),
        ("methods.html#paired", RULES["paired"].means, "Difference [95\u202f% interval]"),
        ("methods.html#told-apart", RULES["told-apart"].means, "Are they told apart?"),
    ]


def test_rows_are_called_by_their_kind_of_arm_and_drawings_are_explained_where_there_are_any():
    drawing = drawn("overview")
    assert drawing.rows.tables[0].whose == "Model"
    assert "A small drawing is a difference" in spans.text(drawing.caption.reads)
    alone = overview.draw(samples.security(), (), figure_id="a", context=CONTEXT)
    assert "small drawing" not in spans.text(alone.caption.reads)


# --------------------------------------------------------------------------------------- charts and marks


def test_a_chart_is_built_once_a_kind():
    chart.chart.cache_clear()
    for _ in range(3):
        drawn("heatmap")
    assert chart.chart.cache_info().misses == 1


def test_a_chart_is_what_altair_makes_of_its_layers_alone():
    import altair as alt

    layers = [layer() for name, layer in LAYERS.items() if name in heatmap.LAYERS]
    alone = (
        alt.layer(*layers)
        .resolve_scale(x="independent", y="independent")
        .properties(name="heatmap", width=1, height=1, padding=0, autosize="none")
        .configure(background="transparent", mark=alt.MarkConfig(aria=False, invalid="show"))
        .configure_view(stroke=None)
        .to_dict()
    )
    made = chart.chart("heatmap", heatmap.LAYERS).specification
    assert {key: value for key, value in made.items() if key != "params"} == alone


def test_a_chart_refuses_rows_it_would_not_draw():
    template = chart.chart("heatmap", heatmap.LAYERS)
    with pytest.raises(KeyError, match="crossings"):
        chart.specification(template, {"crossings": []}, {}, (10, 10))
    with pytest.raises(KeyError, match="depth"):
        chart.specification(template, {}, {"depth": 1.0}, (10, 10))


def test_marks_that_are_not_the_rows_are_refused():
    template = chart.chart("heatmap", heatmap.LAYERS)
    box = {"x": 0, "x2": 5, "y": 0, "y2": 5, "fill": "none", "stroke": "none", "width": 1, "dash": []}
    raw = chart.draw(template, {"boxes": [box]}, {}, (10, 10), Memo())
    with pytest.raises(ValueError, match="2 rows of boxes were drawn as 1 marks"):
        svg.finish(
            raw,
            template.datasets,
            {"boxes": [box, box]},
            element_id="x",
            title="t",
            desc="d",
            height=10,
            reach=svg.Reach(0, 10),
            css="plotted",
        )


def test_an_axis_of_differences_has_a_step_on_both_sides_of_zero_however_near_its_values_are():
    sides = ["−0.05", "0", "+0.05"]
    assert [word for _, word in difference_ticks([0.001])] == sides
    assert [word for _, word in difference_ticks([-0.001])] == sides
    assert [word for _, word in difference_ticks([])] == sides


def test_a_funnel_draws_the_bounds_that_what_is_not_known_leaves() -> None:
    drawing = drawn("funnel")
    assert funnel.DOTTED in plain_text(drawing)
    open_stages = [e.bounds for e in drawing.estimates if e.bounds and e.bounds[0] < e.bounds[1]]
    assert open_stages
    assert sum(bool(row[3]) for row in drawing.table.rows) == len(open_stages)
    assert drawing.table.header[3] == "Bounds"


@pytest.mark.parametrize("kind", ["curve", "cost-score"])
def test_arms_side_by_side_are_told_apart_by_their_difference(kind: str) -> None:
    assert BESIDE in plain_text(drawn(kind))


def test_a_score_beside_the_cost_of_other_runs_says_so() -> None:
    scores = samples.checks()[1]
    same = [replace(e, unknown=0, errors=0, invalid=0, known=40) for e in scores]
    cost_of = [replace(e, unknown=0, errors=0, invalid=0, known=40) for e in samples.costs()]
    other = [replace(e, known=50) for e in cost_of]
    for costs_, said in ((cost_of, False), (other, True)):
        drawing = cost_score.draw(same, costs_, figure_id="f", context=CONTEXT)
        assert (cost_score.OTHER_RUNS in plain_text(drawing)) is said


def plain_text(drawing: Figure) -> str:
    return spans.plain(drawing.caption)


def test_a_heat_map_says_nothing_of_dark_or_light_which_the_colours_of_the_page_turn_round() -> None:
    said = plain_text(heatmap.draw(samples.grid(), figure_id="h", context=CONTEXT))
    assert "the stronger its colour" in said
    assert not re.search(r"\b(dark|light|bright|pale)", said)


def test_arms_of_which_one_alone_is_known_are_not_compared_and_it_says_why() -> None:
    both = [samples.share("security", n, 58, model=name) for name, n in (("alpha", 50), ("beta", 31))]
    benign = (("condition", "benign"),)
    known = samples.share("security", 3, 20, model="alpha", stratum=benign)
    silent = samples.share("security", 0, 0, unknown=3, model="beta", stratum=benign)
    for row, why in (
        (known, "something is known of alpha only"),
        (replace(silent, group=known.group), "nothing is known of any"),
    ):
        drawing = overview.draw([*both, row, silent], samples.COMPARISONS[:1], figure_id="o", context=CONTEXT)
        (verdict,) = drawing.rows.tables[0].groups[-1].verdicts
        assert (verdict.word, verdict.names, verdict.why) == ("not compared", (), why)
