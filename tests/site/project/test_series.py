"""Which experiments are a series: by the settings, by their names, and what is refused with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from metrics_core.errors import ConfigError
from metrics_core.formats import dated
from site_src.project.series import ExperimentSeries, find_series
from site_src.project.site_config import SeriesSetting
from site_src.project.site_model import SiteExperiment
from tests.support import nightly, sample_reports


def named(*names: str, families: tuple[str, ...] = ("brownfield",)) -> list[SiteExperiment]:
    report = replace(sample_reports.brownfield(), families=families)
    return [SiteExperiment(report=replace(report, experiment=name), title=name) for name in names]


def told(found: tuple[ExperimentSeries, ...]) -> dict[str, list[str]]:
    return {series.name: [x.name for x in series.experiments] for series in found}


def test_names_that_differ_in_a_date_alone_are_a_series_in_the_order_of_their_dates() -> None:
    found = find_series((), named("a-20261129", "a-2026-11-28", "brownfield-2026-07", "brownfield-2026-05"))
    assert told(found) == {
        "a": ["a-2026-11-28", "a-20261129"],
        "brownfield": ["brownfield-2026-05", "brownfield-2026-07"],
    }


@pytest.mark.parametrize(
    "names",
    [
        ("brownfield-2026-07", "brownfield-2026-07b"),
        ("suite-2025", "suite-2026"),
        ("nightly-2026-11-28", "weekly-2026-11-28"),
        ("a-2026-11-28", "a-2026-11-28-again"),
        ("nightly-1", "nightly-2"),
        ("nightly-2026-11-28",),
    ],
)
def test_names_that_differ_in_more_are_none(names: tuple[str, ...]) -> None:
    assert find_series((), named(*names)) == ()


def test_experiments_without_a_family_in_common_are_none() -> None:
    one, other = named("a-2026-05"), named("a-2026-06", families=("traces",))
    assert find_series((), [*one, *other]) == ()


def test_the_date_may_stand_anywhere_and_the_last_one_counts() -> None:
    assert dated("model-2024-05-13-2026-11-28") == ("model-2024-05-13-*", "2026-11-28")
    assert dated("2026-11-28-nightly") == ("*-nightly", "2026-11-28")
    assert dated("nightly-2026-02-30") is None


def test_a_pattern_takes_its_experiments_from_those_that_names_would_make() -> None:
    setting = SeriesSetting(name="all of b", experiments=("b-*",), baseline="b-2026-05")
    found = find_series((setting,), named("b-2026-05", "b-2026-07", "b-2026-07b"))
    assert told(found) == {"all of b": ["b-2026-05", "b-2026-07", "b-2026-07b"]}
    assert found[0].baseline is not None
    assert found[0].baseline.name == "b-2026-05"
    assert found[0].declared


def test_a_pattern_of_one_experiment_is_no_series_yet() -> None:
    setting = SeriesSetting(name="nightly", experiments=("nightly-*",))
    assert find_series((setting,), named("nightly-2026-11-28")) == ()


def test_an_address_is_taken_once() -> None:
    setting = SeriesSetting(name="a", experiments=("b-*",))
    found = find_series((setting,), named("b-1", "b-2", "a-2026-05", "a-2026-06"))
    assert list(told(found)) == ["a", "a by date"]


@pytest.mark.parametrize(
    ("entry", "where", "said"),
    [
        ("{name: nights, experiments: nigthly-*}", "site.yaml:2#/series/0/experiments", "nearest: nightly-*"),
        ("{name: nights, experiments: 'nightly-*', baseline: nightly-2026-11-20}",
         "site.yaml:2#/series/0/baseline",
         'the series has no experiment "nightly-2026-11-20" (nearest: nightly-2026-11-2'),
        ("{name: nights, experiments: 'nightly-*', baselin: x}",
         "site.yaml:2#/series/0/baselin", "nearest: baseline"),
        ("{experiments: 'nightly-*'}", "site.yaml:2#/series/0/name", "expected text, got null"),
    ],
)  # fmt: skip
def test_what_names_nothing_is_refused_with_its_place(
    entry: str, where: str, said: str, tmp_path: Path
) -> None:
    for day in ("2026-11-27", "2026-11-28"):
        nightly.night(tmp_path, f"nightly-{day}", nightly.runs(day, 20))
    with pytest.raises(ConfigError) as error:
        nightly.site(tmp_path, f"series:\n- {entry}\n")
    assert str(error.value).startswith(where)
    assert said in str(error.value)
