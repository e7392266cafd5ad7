"""Captions, held against their specification in prose (`captions.md`) and against the rules of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st
from msgspec.structs import replace

from metrics_core.families import FAMILIES
from metrics_core.measurement.family import Family
from metrics_core.results.codes import Kept, Method
from metrics_core.results.estimate import ByTask, ContractRef, Estimate, LeftOut, NeverRecorded, Summary
from metrics_core.results.interval import Interval
from metrics_core.results.keys import Keys
from site_src.wording import captions, numbers
from site_src.wording.links import FigureContext, Links
from site_src.wording.spans import Caption, Span, joined
from tests.support import figure_samples as samples

CONTEXT = FigureContext(build="0.4.0+1c9e55d2")
SPECIFICATION = Path(__file__).parents[2] / "specs" / "captions.md"


EXAMPLE = re.compile(
    r"^(?P<name>[^\n.#].*)\n\.\n(?P<given>(?:- .*\n)+)\.\n(?P<wanted>(?:.+\n)+?)\.$", re.MULTILINE
)


def fixtures() -> Iterator[Any]:
    """(name, given, wanted) of each example."""
    text = SPECIFICATION.read_text("utf-8")
    for found in EXAMPLE.finditer(text):
        yield pytest.param(found["given"], found["wanted"].strip(), id=found["name"])


def metrics_of(family: Family) -> set[str]:
    return {metric.name for metric in family.metrics}


def estimate(told: dict[str, Any]) -> Estimate:
    """An estimate from what an example tells of it."""
    hidden = told.get("withheld")
    n, N = (None, None) if hidden else (told["n"], told["N"])
    name, version, eight = told.get("contract", ["assay/attempts", 1, "3f9a2c1d"])
    cluster, clusters, n_eff, *worth = told.get("cluster", [None, None, None])
    resamples, seed = told.get("resamples", [None, None])
    if "interval" in told:
        lo, hi, method = told["interval"]
        interval = Interval(
            lo=lo,
            hi=hi,
            method=method,
            cluster=cluster,
            clusters=clusters,
            n_eff=n_eff,
            effective_clusters=worth[0] if worth else None,
            resamples=resamples,
            seed=seed,
            few=bool(clusters and min(clusters, *worth, clusters) < 6),
        )
    else:
        interval = Interval.none(Kept(told.get("reason", "no known value")))
    outer = told.get("outer")
    never, left = told.get("never"), told.get("left_out")
    names = tuple(left) if isinstance(left, list) else ()
    alike = told.get("alike")
    return Estimate(
        experiment="gh-2026",
        family="attempts",
        metric=told["metric"],
        group=Keys(told.get("group", {"model": "alpha"})),
        stratum=Keys(told.get("stratum", {})),
        unit=told.get("unit", "fraction"),
        value=None if hidden or not N else told.get("value", n / N),
        n=n,
        N=N,
        of=told.get("of", "known verdicts"),
        known=told.get("known", N or 0),
        unknown=told.get("unknown", 0),
        errors=told.get("errors", 0),
        invalid=told.get("invalid", 0),
        interval=interval,
        bounds=tuple(told["bounds"]) if "bounds" in told else None,
        not_known_by_task=told.get("by_task_unknown", 0.0),
        never_recorded=NeverRecorded(never, None, Interval.none(Kept("not drawn"))) if never else None,
        runs_per_task=tuple(told["runs"]) if "runs" in told else None,
        by_task=ByTask(alike[0], 10, Interval(lo=alike[1], hi=alike[2], method=Method.WILSON))
        if alike
        else None,
        left_out=LeftOut(len(names) or left, names) if left else None,
        contract=ContractRef(name, str(version), samples.digest(eight)),
        data_digest=samples.DATA,
        words=next((f.words for f in FAMILIES.values() if told["metric"] in metrics_of(f)), None),
        stamps=tuple(told.get("stamps", ["2026-07-05T10:00:00Z", "2026-07-19T18:30:00Z"])),
        prices=told.get("prices"),
        withheld_by=None if hidden is None else Kept(hidden),
        control=told.get("control"),
        summary=Summary(*told["summary"]) if "summary" in told else None,
        headline="withheld" if hidden else told.get("headline", "point"),
        notes=tuple(told.get("notes", ())),
        also=(("outer wilson", Interval(lo=outer[0], hi=outer[1], method=Method.WILSON_AT_THE_BOUNDS)),)
        if outer
        else (),
    )


def spelled(caption: Caption) -> str:
    """What was counted, how it was made, what stands behind it; every space a plain one."""
    made = (*map(captions.text, caption.lines), "--", captions.text(caption.shared), "--")
    told = [*filter(None, made), captions.text(joined(caption.strip))]
    return "\n".join(told).replace("\u202f", " ").replace("\u00a0", " ")


@pytest.mark.parametrize("given_, wanted", list(fixtures()))
def test_the_specification(given_, wanted):
    found = [estimate(told) for told in yaml.safe_load(given_)]
    assert spelled(captions.caption(found, CONTEXT)) == wanted


def test_every_example_is_read():
    text = SPECIFICATION.read_text("utf-8")
    assert len(list(fixtures())) == text.count("\n--\n") / 2 > 15


def test_a_caption_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no estimate"):
        captions.caption([], CONTEXT)


def test_every_part_has_its_link_and_its_identicon():
    links = Links(
        contract=lambda ref: f"contract:{ref.version}",
        data=lambda name, _: f"data:{name}",
        pack=lambda d: f"pack:{d[7:15]}",
        control=lambda name, words: f"control:{name}:{words}",
        prices=lambda day: f"prices:{day}",
        build=lambda: "build",
    )
    made = captions.caption([*samples.costs()[:2]], FigureContext(build="1", links=links))
    told = {part.text.strip(): part for fact in made.strip for part in fact}
    assert told["b27d90e4"].href == "contract:3"
    assert told["b27d90e4"].role == "digest"
    assert told["b27d90e4"].mark.startswith('<svg class="hallmark"')
    assert told["41ab07e9"].href == "data:bf-2026"
    assert told["2ed4915c"].href == "pack:2ed4915c"
    assert told["negative control held"].href == "control:bf-2026:negative control held"
    assert told["prices of 2026-07-02"].href == "prices:2026-07-02"
    assert told["prices of 2026-07-02"].role == "strong"
    assert told["site assay 1"].href == "build"


def test_numbers_name_the_estimate_they_come_from():
    found = samples.verdicts()
    made = captions.caption(found, CONTEXT)
    named = {part.estimate for line in made.lines for part in line if part.estimate}
    assert named == {e.id for e in found}
    for line in made.lines:
        for part in line:
            if re.search(r"\d/\d", part.text):
                assert part.role == "strong"
                assert part.estimate


def test_the_caption_of_a_check_site_figure_holds_what_outsiders_look_for():
    for found in (samples.verdicts(), samples.overview()[0], samples.costs(), samples.checks()[1]):
        text = captions.plain(captions.caption(found, CONTEXT))
        assert re.search(r"\d[\d,\u202f]*\s*/\s*\d|N/A", text)
        for e in found:
            assert e.contract.id in text
            assert e.contract.version in text
            assert e.contract.digest.removeprefix("sha256:")[:8] in text


def test_change_is_a_mean_and_never_a_pass_rate():
    text = captions.plain(captions.caption(samples.checks()[1], CONTEXT))
    assert "412/520 assertions, mean over 40 runs" in text
    assert "pass rate" not in text
    assert "%" not in text.split("\n")[0]


def test_many_arms_end_in_a_pointer_to_the_table():
    found = [samples.share("security", 10 + i, 40, model=f"m{i:02}") for i in range(14)]
    line = captions.text(captions.caption(found, CONTEXT).lines[0])
    assert "8 more, each in the table" in line
    assert "m00 10/40" in line
    assert "m13 23/40" in line


def test_inline_is_bold_n_over_n_and_a_light_interval():
    e = samples.share("security", 50, 58, unknown=9, clusters=None)
    parts = captions.inline(e, href="models/alpha.html#f")
    assert [(p.text, p.role) for p in parts] == [
        ("50/58 known verdicts", "strong"),
        (" 0.86", "light"),
        (" [0.75, 0.93]", "light"),
    ]
    assert {p.href for p in parts} == {"models/alpha.html#f"}
    few = captions.inline(samples.share("security", 1, 2))
    assert [p.text for p in few] == ["1/2 known verdicts"]
    hidden = captions.inline(samples.withheld(e))
    assert [(p.text, p.role) for p in hidden] == [("withheld", "state")]
    assert "swatch-withheld" in hidden[0].mark


@given(st.floats(0, 1, allow_nan=False))
def test_a_share_prints_an_end_only_when_it_is_there(share):
    assert (numbers.share(share) == "1.00") == (share == 1)
    assert (numbers.share(share) == "0.00") == (share == 0)
    assert (numbers.percent(share) == "100\u202f%") == (share == 1)
    assert (numbers.percent(share) == "0\u202f%") == (share == 0)


@given(st.floats(-1, 1, allow_nan=False).filter(lambda d: abs(d) > 1e-6))
def test_a_difference_keeps_its_sign_and_is_never_called_nothing(difference):
    text = numbers.signed(difference)
    assert text[0] == ("+" if difference > 0 else "−")
    assert text.strip("+−0.") != ""


@given(st.integers(0, 10**9))
def test_a_count_reads_back(value):
    assert int(numbers.count(value).replace("\u202f", "")) == value
    assert ("\u202f" in numbers.count(value)) == (value >= 10_000)


def test_a_column_is_grouped_as_one():
    assert numbers.count_column([9, 12_000]) == ("9", "12\u202f000")
    assert numbers.count_column([1_000, 20_000]) == ("1\u202f000", "20\u202f000")


def test_dots_join_and_stay_on_their_line():
    assert joined([(), ()]) == ()
    assert joined([(Span("a"),), (Span("b"),)])[1].text == "\u00a0· "


def test_counts_of_different_things_each_keep_their_word():
    by_model = [
        samples.share("done", 9, 12, model=model, of=of)
        for model, of in (("alpha", "runs with both known"), ("beta", "runs with change known"))
    ]
    line = "".join(part.text for part in captions.caption(by_model, CONTEXT).lines[0])
    assert "runs with both known" in line
    assert "runs with change known" in line


def test_the_strip_of_many_nights_has_room_for_them() -> None:
    night = samples.verdicts()[0]
    nights = [
        replace(night, experiment=f"nightly-{n:02}", data_digest=f"sha256:{n:064x}"[:15] + 56 * "0")
        for n in range(30)
    ]
    few = captions.text(joined(captions.caption(nights[:4], CONTEXT).strip))
    many = captions.text(joined(captions.caption(nights, CONTEXT).strip))
    assert "more" not in few
    assert "and 27 more, in the CSV" in many
    assert len(many) < len(few) + 30
