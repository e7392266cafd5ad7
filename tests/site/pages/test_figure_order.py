"""Which figures stand open on a page: the one that most attempts stand behind, and what is read with it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from metrics_core.results.estimate import Estimate
from metrics_core.results.keys import Keys
from metrics_core.results.report import Report
from site_src.drawing.rows import Panel, PanelRow, RowFigure
from site_src.pages.components import FigureBlock, Table
from site_src.pages.results import figure_order
from site_src.wording.spans import NO_MARK, Caption, Span
from tests.support import figure_samples as samples, sample_reports


def figure(name: str, kind: str, found: list[Estimate]) -> FigureBlock:
    return FigureBlock(
        id=name,
        kind=kind,
        title=name,
        estimates=" ".join(e.id for e in found),
        rows=RowFigure(id=name, plots=(PanelRow(panels=(Panel(picture=NO_MARK),)),)),
        caption=Caption(reads=(), strip=((Span("of nothing"),),)),
        folded="",
        table=Table(name=name, heads=(), rows=()),
        csv="",
        json="",
        spec="",
        command="",
        markdown="",
        cite="",
        picture="",
        own="",
    )


BENIGN = samples.share("utility", 7, 9, unknown=2, stratum=samples.BENIGN)
ATTACK = samples.share("utility", 14, 14, unknown=8)
STAMPED = samples.share("utility", 8, 9, group=Keys({"stamp": "2026-07-05"}))
FEW = samples.share("autonomy", 3, 4, group=Keys({"stamp": "2026-07-05"}))
CHANGE, REGRESS = samples.mean("change", 0.8, 9, 12, 12), samples.mean("regress", 0.9, 9, 12, 12)
AGAINST = replace(samples.share("security", 3, 9, group=Keys({"to": "router"})), polarity="neither")


def report() -> Report:
    found = (BENIGN, ATTACK, STAMPED, FEW, CHANGE, REGRESS, AGAINST)
    return replace(sample_reports.brownfield(), estimates=found)


def open_of(*figures: FigureBlock) -> list[str]:
    kept, further = figure_order.parted(figures, report())
    assert {f.id for f in kept} | {f.id for f in further} == {f.id for f in figures}  # none is left out
    assert not {f.id for f in kept} & {f.id for f in further}
    return [f.id for f in kept]


def test_of_one_kind_the_figure_with_most_attempts_stands_open():
    # 11 attempts were benign, 22 under attack.
    assert open_of(figure("benign", "funnel", [BENIGN]), figure("attack", "funnel", [ATTACK])) == ["attack"]


def test_each_kind_has_its_own():
    both = figure("one", "funnel", [BENIGN]), figure("two", "governance", [BENIGN])
    assert open_of(*both) == ["one", "two"]


def test_regress_stands_beside_change():
    both = figure("r", "timeline", [REGRESS]), figure("c", "timeline", [CHANGE])
    assert open_of(*both) == ["r", "c"]


def test_a_course_in_which_nothing_can_be_seen_stays_folded():
    assert open_of(figure("few", "timeline", [FEW])) == []
    assert open_of(figure("few", "timeline", [FEW]), figure("seen", "timeline", [STAMPED])) == ["seen"]


def test_shares_of_a_whole_are_not_weighed_against_verdicts():
    parts = figure("verdicts", "governance", [ATTACK]), figure("parts", "governance", [AGAINST])
    assert open_of(*parts) == ["verdicts", "parts"]


@pytest.mark.parametrize("kind", sorted(figure_order.EACH))
def test_of_some_kinds_each_stands_open(kind):
    assert open_of(figure("a", kind, [BENIGN]), figure("b", kind, [ATTACK])) == ["a", "b"]
