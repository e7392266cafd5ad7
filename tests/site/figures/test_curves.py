"""Curves: each step with its own n/N, a line only over the same tasks, and which of them a page draws."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

import metrics_core as mc
from metrics_core.results.codes import NoInterval
from metrics_core.results.estimate import Estimate
from metrics_core.results.interval import Interval
from metrics_core.results.keys import Keys
from metrics_core.results.report import Report
from site_src.drawing.figure import Figure
from site_src.figures import curve
from site_src.pages.results import breakdowns
from site_src.wording.links import FigureContext, Links
from tests.support import figure_samples as samples, sample_reports

BARE = FigureContext(build="0.4.0+1c9e55d2")


def drawn(found: Any, **more: Any) -> Figure:
    return curve.draw(found, figure_id="c", context=BARE, **more)


def rows(drawing: Figure, dataset: str) -> list[dict[str, Any]]:
    return drawing.spec["datasets"][dataset]


def texts(drawing: Figure) -> list[str]:
    pictures = (ET.fromstring(panel.picture) for row in drawing.rows.plots for panel in row.panels)
    return ["".join(e.itertext()) for picture in pictures for e in picture.iter("text")]


def joins(drawing: Figure) -> list[dict[str, Any]]:
    """Lines that lead from one step to another: those that are neither level nor upright, or not a grid's."""
    return [r for r in rows(drawing, "rules") if r["stroke"] == "var(--ink3)"]


# ----------------------------------------------------------------------------------------- what is drawn


def test_each_step_is_a_point_a_strip_a_bar_of_bounds_or_nothing():
    drawing = drawn(samples.turns())
    # Of twelve steps 5/6 is too few, 10/16 of 24 over a fifth unknown, 0/0 nothing: nine points are left.
    assert len(rows(drawing, "upright_points")) == 9
    values = sorted(row["value"] for row in rows(drawing, "upright_points"))
    assert values == pytest.approx(
        sorted([40 / 45, 14 / 18, 19 / 35, 25 / 44, 14 / 15, 9 / 11, 11 / 14, 26 / 30, 9 / 12])
    )
    thick = [r for r in rows(drawing, "upright_intervals") if r["width"] == 6]
    assert [(r["lo"], r["hi"]) for r in thick] == [pytest.approx((10 / 24, 18 / 24))]
    assert len([r for r in rows(drawing, "upright_intervals") if r["width"] == 1.5]) == 9
    told = texts(drawing)
    assert told.count("too few") == 1
    assert told.count("N/A (0/0)") == 1
    assert "0.83" not in told  # 5/6, of which only the counts may be told


def test_an_interval_stands_at_its_own_limits():
    found = samples.repeats("pass_hat_k", (0.46, 0.33), (50, 50))
    drawing = drawn(found)
    whiskers = [(r["lo"], r["hi"]) for r in rows(drawing, "upright_intervals")]
    assert whiskers == [pytest.approx((0.34, 0.58)), pytest.approx((0.21, 0.45))]


def test_the_axis_is_whole_and_of_one_height_in_each_panel():
    drawing = drawn(samples.turns())
    params = {p["name"]: p["value"] for p in drawing.spec["params"]}
    assert (params["floor"], params["ceiling"]) == (0.0, 1.0)
    assert params["bottom"] - params["top"] == curve.PLOT


def test_turns_are_never_joined():
    assert joins(drawn(samples.turns())) == []
    same = [replace(e, n=14, N=18) for e in samples.turns()[:4]]
    assert joins(drawn(same)) == []


def test_repeats_are_joined_only_while_the_tasks_are_the_same():
    drawing = drawn(samples.repeats("pass_hat_k", (0.46, 0.33, 0.26, 0.2), (50, 50, 50, 40)))
    lines = joins(drawing)
    assert len(lines) == 2  # 50 tasks at k = 1, 2 and 3, and 40 of them at k = 4
    bottom = next(p["value"] for p in drawing.spec["params"] if p["name"] == "bottom")
    assert [bottom - line["y"] for line in lines] == pytest.approx([0.46 * 120, 0.33 * 120])
    assert [bottom - line["y2"] for line in lines] == pytest.approx([0.33 * 120, 0.26 * 120])
    told = "".join(part.text for part in drawing.caption.reads)
    assert "A line joins steps over the same tasks" in told


def test_a_step_that_is_missing_or_has_no_point_breaks_the_line():
    first, second, third = samples.repeats("pass_at_k", (0.4, 0.6, 0.7), (50, 50, 50))
    assert joins(drawn([first, third])) == []
    hidden = samples.withheld(second)
    assert joins(drawn([first, hidden, third])) == []
    assert "withheld" in texts(drawn([first, hidden, third]))


def test_a_value_without_an_interval_is_hollow_and_the_caption_says_so():
    first, *rest = samples.turns()[:4]
    alone = replace(first, interval=Interval.none(NoInterval.SINGLE_CLUSTER))
    drawing = drawn([alone, *rest])
    hollow = [r["value"] for r in rows(drawing, "upright_points") if r["fill"] == "var(--paper)"]
    assert hollow == [pytest.approx(40 / 45)]
    assert "Hollow: a value without an interval." in "".join(part.text for part in drawing.caption.reads)


def test_steps_stand_in_the_order_of_numbers_and_refuse_to_meet():
    e = samples.turns()[0]
    many = [replace(e, group=Keys({"turn_index": turn})) for turn in ("10", "9", "2")]
    drawing = drawn(many)
    steps = [t for t in texts(drawing) if t in ("2", "9", "10")]
    assert steps == ["2", "9", "10"]
    with pytest.raises(ValueError, match="two estimates of one step"):
        drawn([e, e])
    with pytest.raises(ValueError, match="steps"):
        drawn([e, samples.repeats("pass_at_k", (0.4,), (50,))[0]])
    with pytest.raises(ValueError, match="steps"):
        drawn([samples.share("security", 5, 9)])


def test_twenty_steps_keep_their_counts_apart_on_a_phone():
    e = samples.share("check_pass", 143, 160, of="known checks", family="matrix")
    many = [replace(e, group=Keys({"turn_index": str(turn)})) for turn in range(20)]
    drawing = drawn(many)
    assert texts(drawing).count("143/160") == 20


def test_titles_tell_the_first_and_the_last_step_with_their_counts():
    assert (
        drawn(samples.turns()).title == "Check pass, executed checks: 40 of 45 at turn 1, 25 of 44 at turn 5"
    )
    found = samples.repeats("pass_hat_k", (0.46, 0.33), (50, 40))
    assert drawn(found).title == "Pass^k, alpha: k from 1 to 2 over 40 to 50 tasks"
    other = samples.repeats("pass_hat_k", (0.5, 0.4), (50, 40), model="beta")
    assert drawn([*found, *other]).title == "Pass^k: k from 1 to 2 over 40 to 50 tasks"


def test_a_title_of_repeats_reaches_over_every_panel():
    """alpha has k = 1 to 8, beta 1 to 3; which of them is drawn last changes nothing."""
    alpha = samples.repeats("pass_hat_k", (0.5,) * 8, (50,) * 8)
    beta = samples.repeats("pass_hat_k", (0.5,) * 3, (50,) * 3, model="beta")
    for found in ([*alpha, *beta], [*beta, *alpha]):
        assert drawn(found).title == "Pass^k: k from 1 to 8 over 50 tasks"
    assert drawn(alpha[:1]).title == "Pass^k, alpha: k from 1 to 1 over 50 tasks"


def test_a_title_of_turns_says_whose_counts_it_tells_unless_they_are_of_all():
    arms = samples.turns()[4:]  # without the panel of all
    assert arms[0].group == (("chat", "alpha"), ("turn_index", "1"))
    first, last = arms[0], arms[3]
    assert (first.n, first.N, last.n, last.N) == (14, 15, 11, 14)
    told = "14 of 15 at turn 1, 11 of 14 at turn 5"
    assert drawn(arms).title == f"Check pass, chat alpha: {told}"  # with its stratum it would be too long
    long = [replace(e, group=e.group | {"chat": "a" * 30}) for e in arms[:4]]
    assert drawn(long).title == "Check pass, turn by turn"  # rather than counts of nobody
    assert drawn(arms[:1]).title == "Check pass, chat alpha, executed checks: 14 of 15 at turn 1"


def test_counts_lead_to_the_runs_behind_them_and_repeats_to_all_runs():
    asked = []

    def reviews(wanted: Any) -> str:
        asked.append(wanted.group)
        return "../runs"

    context = FigureContext(build="b", links=Links(reviews=reviews))
    curve.draw(samples.turns()[4:5], figure_id="c", context=context)
    curve.draw(samples.repeats("pass_at_k", (0.4,), (50,)), figure_id="c", context=context)
    assert set(asked) == {(("chat", "alpha"), ("turn_index", "1")), (("model", "alpha"),)}


# --------------------------------------------------------------------------------- which curves are drawn


def report(estimates: Sequence[Estimate]) -> Report:
    return replace(sample_reports.brownfield(), estimates=tuple(estimates))


def named(found: tuple[Estimate, ...]) -> list[str]:
    return list(
        dict.fromkeys(" ".join(f"{k}={v}" for k, v in e.group if k != curve.step_of(e)) for e in found)
    )


def test_an_experiment_has_a_curve_for_each_stratum_never_pooled():
    executed = samples.turns()
    syntax = [replace(e, stratum=Keys({"check": "syntax"})) for e in executed]
    drawn_over = list(breakdowns.series_of_experiment(report((*executed, *syntax)), "matrix"))
    assert [{e.stratum for e in course} for course in drawn_over] == [
        {(("check", "executed"),)},
        {(("check", "syntax"),)},
    ]
    assert named(drawn_over[0]) == ["", "chat=alpha", "chat=beta"]


def test_one_step_is_no_course_and_neither_are_steps_without_a_known_run():
    once = samples.turns()[:1]
    assert list(breakdowns.series_of_experiment(report(once), "matrix")) == []
    nothing = [replace(e, headline="nothing") for e in samples.turns()]
    assert list(breakdowns.series_of_experiment(report(nothing), "matrix")) == []


def test_an_arm_has_its_own_steps_and_only_where_one_has_enough():
    whole = report(samples.turns())
    (course,) = breakdowns.series_of_arm(whole, "matrix", ("chat", "alpha"))
    assert named(course) == ["chat=alpha"]
    few = tuple(replace(e, headline="counts") for e in samples.turns())
    assert list(breakdowns.series_of_arm(report(few), "matrix", ("chat", "alpha"))) == []


def test_very_many_arms_have_no_curve():
    e = samples.turns()[4]
    many = tuple(
        replace(e, group=Keys({"chat": f"m{arm:02}", "turn_index": str(turn)}))
        for arm in range(13)
        for turn in (1, 2)
    )
    assert list(breakdowns.series_of_experiment(report(many), "matrix")) == []


def test_the_courses_of_two_metrics_of_many_arms_have_names_of_their_own():
    every_run = [
        replace(e, group=e.group.without("model"))
        for metric in ("pass_at_k", "pass_hat_k")
        for e in samples.repeats(metric, (0.8, 0.6), (30, 30))
    ]
    arms = [
        e
        for metric in ("pass_at_k", "pass_hat_k")
        for arm in range(12)
        for e in samples.repeats(metric, (0.8, 0.6), (30, 30), model=f"m{arm:02}")
    ]
    found = report([*every_run, *arms])

    def key(*parts: object) -> str:
        return "|".join(map(str, parts))

    drawn = list(breakdowns.of_experiment(found, "traces", key, BARE))
    assert len(drawn) >= 2
    assert len({figure.id for figure in drawn}) == len(drawn)


def test_the_curve_of_the_airline_tasks_is_the_one_that_was_published(shared_data: Path, tmp_path: Path):
    """tau-bench published pass^1..4 of gpt-4o on airline: 0.420, 0.273, 0.220, 0.200."""
    folder = tmp_path / "airline"
    folder.mkdir()
    name = "gpt-4o-airline.json"
    (folder / name).write_bytes((shared_data / "tau-bench" / name).read_bytes())
    (course,) = breakdowns.series_of_experiment(mc.compute(mc.load(folder)), "traces")
    drawing = drawn(course)
    assert drawing.title == "Pass@k and pass^k, gpt-4o: k from 1 to 4 over 50 tasks"
    points = [row["value"] for row in rows(drawing, "upright_points")]
    assert points[4:] == pytest.approx([0.420, 0.273, 0.220, 0.200], abs=5e-4)
    assert len(joins(drawing)) == 6
