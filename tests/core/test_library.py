"""The library as a notebook uses it: calls on a path, names that do not exist, errors, short reprs, HTML."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import metrics_core as mc
from metrics_core import errors
from metrics_core.adapters import ADAPTERS
from metrics_core.families import FAMILIES
from metrics_core.results.report import Report
from tests.support import small_content


def written(folder: Path, sanity: dict[str, Any], **models: bool) -> Path:
    """An experiment folder with a log a model."""
    (folder / "logs_big").mkdir(parents=True)
    (folder / "controls").mkdir()
    for model, whole in models.items():
        detail = {"change": 1.0 if whole else 0.5, "change_detail": [["first", True], ["second", whole]]}
        lines = (json.dumps(run | detail) + "\n" for run in small_content.runs(model))
        (folder / "logs_big" / f"{model}.jsonl").write_text("".join(lines))
    (folder / "controls" / "sanity.json").write_text(json.dumps(sanity))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten runs of each of two models: alpha does all of each task, beta half; the negative control held."""
    return written(tmp_path_factory.mktemp("library") / "suite", small_content.SANITY, alpha=True, beta=False)


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return mc.compute(folder)


class Cells(HTMLParser):
    """The texts of each row of the tables, and every tag."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.rstrip("\n")


# ---------------------------------------------------------------------------------- what is exported


def test_every_error_is_exported() -> None:
    defined = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    assert len(defined) > 10
    assert {name for name in defined if getattr(mc, name) is getattr(errors, name)} == defined
    assert defined <= set(mc.__all__)


def test_every_exported_name_is_there_and_is_listed() -> None:
    assert [name for name in mc.__all__ if not hasattr(mc, name)] == []
    assert set(mc.__all__) <= set(dir(mc))
    assert sorted(mc.__all__) == list(mc.__all__)


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'computer'"):
        mc.computer  # noqa: B018


def test_errors_and_registered_names_cost_no_numpy(repo: Path) -> None:
    program = (
        "import sys, metrics_core as mc; mc.PoolingError, mc.family_names(), mc.format_names();"
        "print('numpy' in sys.modules, 'metrics_core.families' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=repo, capture_output=True, check=True)
    assert done.stdout.split() == [b"False", b"False"]


def test_few_records_are_measured_without_numpy(repo: Path, tmp_path: Path) -> None:
    """Half of what such a report takes would go into loading it."""
    logs = tmp_path / "few" / "logs_big"
    logs.mkdir(parents=True)
    lines = (repo / "content/experiments/brownfield-2026-07/logs_big/alpha.jsonl").read_bytes().splitlines()
    (logs / "alpha.jsonl").write_bytes(b"\n".join(lines[:3]))
    program = "import sys, metrics_core as mc; r = mc.compute(mc.load(sys.argv[1])); "
    program += "print(r.records, 'numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program, logs.parent], cwd=repo, capture_output=True, check=True
    )
    assert done.stdout.split() == [b"3", b"False"]


def test_names_are_those_of_the_registries() -> None:
    assert mc.family_names() == tuple(FAMILIES)
    assert mc.format_names() == tuple(ADAPTERS)


# ---------------------------------------------------------------------------------- calls on a path


@pytest.mark.parametrize("kind", [str, Path, mc.load])
def test_an_experiment_is_computed_from_whatever_names_it(
    folder: Path, report: Report, kind: Callable[[Path], object]
) -> None:
    assert mc.compute(kind(folder)).to_json() == report.to_json()  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [str, mc.load, mc.compute])
def test_arms_are_compared_in_whatever_names_an_experiment(
    folder: Path, kind: Callable[[Path], Report]
) -> None:
    found = mc.compare(kind(folder), "change", "beta", "alpha")
    back = mc.compare(kind(folder), "change", "alpha", "beta")
    assert (found.a, found.b) == ("beta", "alpha")
    assert found == back.reversed()
    assert (found.difference, found.reason) == (None, "5 tasks in common, 8 needed")


# ---------------------------------------------------------------------------------- names that do not exist


@pytest.mark.parametrize(("call", "told"), [
    (lambda r: r.find("chnge"), ["no metric 'chnge'", "nearest: change"]),
    (lambda r: r.find("change", family="brownfeld"), ["no family 'brownfeld'", "nearest: brownfield"]),
    (lambda r: r.find("change", modle="alpha"), ["change has no key 'modle'", "nearest: model"]),
    (lambda r: r.find("change", model="alhpa"), ["change has model 'alhpa'", "nearest: alpha"]),
    (lambda r: r.find("change", model="zzz"), ["change has model 'zzz'", "there is alpha, beta"]),
    (lambda r: r.find("change", model="alpha", stage="done"), ["change has no key 'stage'"]),
    (lambda r: mc.compare(r, "chnge", "alpha", "beta"), ["no metric 'chnge'", "nearest: change"]),
    (lambda r: mc.compare(r, "change", "alhpa", "beta"), ["no arm 'alhpa'", "nearest: alpha"]),
    (lambda r: mc.compare(r, "change", "alpha", "bet"), ["no arm 'bet'", "nearest: beta"]),
    (lambda r: mc.compare(r, "change", "alpha", "beta", gradde="assertions"),
     ["no key 'gradde'", "nearest: graded"]),
    (lambda r: mc.compare(r, "change", "alpha", "beta", graded="asertions"),
     ["graded 'asertions'", "nearest: assertions"]),
    (lambda r: mc.compare(r, "latency", "alpha", "beta"), ["no comparison of 'alpha' with 'beta'"]),
    (lambda r: mc.compare(r, "change", "alpha", "alpha"), ["'alpha' with 'alpha'", "alpha with beta"]),
])  # fmt: skip
def test_a_name_that_does_not_exist_is_answered_with_the_nearest(
    report: Report, call: Callable[[Report], object], told: list[str]
) -> None:
    with pytest.raises(mc.InputError) as caught:
        call(report)
    assert [words for words in told if words not in str(caught.value)] == []
    assert caught.value.where == "suite"
    assert caught.value.hint


def test_keys_that_exist_but_not_together_are_said_to(report: Report) -> None:
    alphas = {dict(e.group).get("scenario") for e in report.find("change") if "scenario" in dict(e.group)}
    assert alphas
    with pytest.raises(mc.InputError, match=r"all of model 'alpha', scenario .*leave one of them out"):
        report.find("change", model="alpha", scenario=min(filter(None, alphas)))


def test_a_family_that_does_not_exist_is_answered_with_the_nearest(folder: Path) -> None:
    with pytest.raises(mc.InputError, match=r"family 'brownfeld' \(nearest: brownfield\)"):
        mc.compute(folder, family="brownfeld")


def test_what_is_found_is_all_that_fits(report: Report) -> None:
    found = report.find("change", model="alpha")
    assert set(found) == {
        e for e in report.estimates if e.metric == "change" and ("model", "alpha") in (*e.group, *e.stratum)
    }


# ---------------------------------------------------------------------------------- reprs


def test_a_reports_repr_is_one_short_line(report: Report) -> None:
    told = repr(report)
    assert "\n" not in told
    assert len(told) < 200
    counts = (
        f"{len(report.estimates)} estimates",
        f"{len(report.comparisons)} comparison",
        "2 held",
        "0 problems",
        "suite",
        "brownfield",
    )
    assert [words for words in counts if words not in told] == []


def test_the_reprs_of_its_parts_are_lines(folder: Path, report: Report) -> None:
    (alpha,) = [e for e in report.find("change", model="alpha") if len(e.group) == 1]
    assert repr(alpha).startswith(f"<Estimate {alpha.id}: 1 fraction [")
    assert f"{alpha.n}/{alpha.N} {alpha.of}, none lost of 10 attempts" in repr(alpha)
    (pair,) = [c for c in report.comparisons if c.metric == "change"]
    assert repr(pair) == f"<Comparison {pair.id}: cannot separate, '5 tasks in common, 8 needed'>"
    assert repr(mc.load(folder)) == "<Experiment suite: brownfield 2 files; 0 problems; not measured>"
    assert all("\n" not in repr(x) for x in (alpha, pair))


def test_a_report_is_a_table_in_a_notebook(report: Report) -> None:
    html = report._repr_html_()
    cells = Cells(html)
    assert cells.tags == {"p", "b", "table", "thead", "tbody", "tr", "th", "td", "code"}
    (alpha,) = [e for e in report.find("change", model="alpha") if len(e.group) == 1]
    (row,) = [row for row in cells.rows if row[:3] == ["change", "graded assertions", "model alpha"]]
    assert row[3:5] == ["1 fraction", f"{alpha.n}/{alpha.N} {alpha.of}"]
    assert row[5].startswith("[0.")
    assert row[6] == "10"
    assert len(cells.rows) == 41
    assert f"{len(report.estimates) - 40} more estimates" in html


def test_what_is_not_known_is_said_in_a_notebook(tmp_path: Path) -> None:
    folder = written(tmp_path / "odd", small_content.SANITY, alpha=True)
    log = folder / "logs_big" / "alpha.jsonl"
    runs = [json.loads(line) for line in log.read_text().splitlines()]
    runs[0] |= {"change": None, "change_detail": None}
    runs[1] |= {"error": "the runner died"}
    log.write_text("".join(json.dumps(run) + "\n" for run in runs))
    report = mc.compute(folder)
    found = [row[6] for row in Cells(report._repr_html_()).rows if row[:1] + row[2:3] == ["change", "all"]]
    assert found == ["10 (1 unknown, 1 error)"]
    (whole,) = [e for e in report.find("change") if not e.group]
    assert repr(whole).endswith("1 unknown, 1 error of 10 attempts>")


def test_what_is_withheld_is_said_in_a_notebook(tmp_path: Path) -> None:
    broken = {**small_content.SANITY, "regression": {"total": 2, "passed": 1, "misses": ["cart"]}}
    report = mc.compute(written(tmp_path / "odd", broken, alpha=True, beta=False))
    rows = Cells(report._repr_html_()).rows[1:]
    assert {row[3] for row in rows} == {"withheld"}
    assert all("regression set: 1 of 2 did not pass" in row[5] for row in rows)
    assert "negative control failed: " in report._repr_html_()
    assert "withheld, 'negative control failed" in repr(report.estimates[0])
    with pytest.raises(mc.PoolingError, match="a control withheld its numbers"):
        mc.compare(report, "change", "alpha", "beta")


def test_hostile_names_stay_text_in_a_notebook(tmp_path: Path) -> None:
    logs = tmp_path / "odd" / "logs_big"
    logs.mkdir(parents=True)
    runs = [{**run, "model": "<script>alert(1)</script>\u202e"} for run in small_content.runs("x", 9)]
    (logs / "a.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))
    (logs.parent / "experiment.yaml").write_text('title: "<img src=x>"\n')
    for html in (mc.compute(tmp_path / "odd")._repr_html_(), mc.load(tmp_path / "odd")._repr_html_()):
        assert not {"script", "img"} & Cells(html).tags
        assert "\u202e" not in html
    assert "&lt;img src=x&gt;" in mc.load(tmp_path / "odd")._repr_html_()
    assert "&lt;script&gt;" in mc.compute(tmp_path / "odd")._repr_html_()


# ---------------------------------------------------------------------------------- tables and frames


ROWS = [
    {"task": f"t{at}", "model": model, "passed": (at + (model == "b")) % 3 > 0}
    for at in range(12)
    for model in ("a", "b")
]


def test_a_table_is_read_from_rows_a_frame_or_a_path(tmp_path: Path) -> None:
    frame = pd.DataFrame(ROWS)
    frame.to_csv(tmp_path / "table.csv", index=False)
    found = {
        name: [(e.metric, e.n, e.N, e.value) for e in mc.read(table).find("score", model="a")]
        for name, table in (("rows", ROWS), ("frame", frame), ("path", tmp_path / "table.csv"))
    }
    assert found["rows"] == found["frame"] == found["path"]
    assert found["rows"][0] == ("score", 8, 12, pytest.approx(8 / 12))


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_a_value_that_a_frame_lacks_is_unknown_and_no_failure(missing: object) -> None:
    frame = pd.DataFrame(ROWS).astype({"passed": object})
    frame.loc[frame.index[2], "passed"] = missing
    (found,) = [e for e in mc.read(frame).find("score", model="a") if len(e.group) == 1]
    assert (found.unknown, found.N) == (1, 11)


def test_moments_and_numbers_of_a_frame_are_read_as_they_are() -> None:
    frame = pd.DataFrame(ROWS).assign(
        score=[0.1 + 0.2] * len(ROWS), started_at=pd.Timestamp("2026-11-27T10:00:00Z")
    )
    (found,) = [
        e
        for e in mc.read(frame[["task", "model", "score", "started_at"]]).find("score", model="a")
        if len(e.group) == 1
    ]
    assert found.value == pytest.approx(0.1 + 0.2, abs=0)


def test_a_table_without_an_outcome_is_refused() -> None:
    with pytest.raises(mc.InputError, match="holds no run that can be read") as refused:
        mc.read([{"task": "t", "model": "m"}])
    assert "outcome" in str(refused.value)


def test_a_frame_says_first_whose_a_number_is_and_what_was_found(report: Report) -> None:
    columns = list(report.frame().columns)
    assert columns[:3] == ["family", "metric", "group.model"]
    found = columns.index("value")
    assert all(c.startswith(("group.", "stratum.")) for c in columns[2:found])
    assert columns[found : found + 7] == ["value", "lo", "hi", "unit", "n", "N", "of"]
    assert columns.index("id") > found
    assert len(report.frame()) == len(report.estimates)


def test_estimates_and_comparisons_are_tables_in_a_notebook() -> None:
    report = mc.read(ROWS * 2)
    (whole,) = [e for e in report.find("score", model="a") if len(e.group) == 1]
    (row,) = Cells(whole._repr_html_()).rows[1:]
    assert row[3:5] == ["0.6667 fraction", "16/24 valid runs"]
    pair = mc.compare(report, "score", "a", "b")
    (row,) = Cells(pair._repr_html_()).rows[1:]
    assert row[2] == "a less b"
    assert row[3:6] == ["0 fraction", str(pair.interval), "12 tasks"]
    assert row[6:] == ["cannot separate", "cannot separate"]


def test_a_separated_comparison_names_who_is_above() -> None:
    rows = [
        {"task": f"t{at}", "model": m, "passed": m == "b<" or at == 3}
        for at in range(30)
        for m in ("a", "b<")
    ]
    html = mc.compare(mc.read(rows), "score", "a", "b<")._repr_html_()
    assert Cells(html).rows[1][6:] == ["b< above a", "b< above a"]
    assert "b< above" not in html


def test_every_name_is_in_the_documentation(repo: Path) -> None:
    told = set(re.findall(r"`mc\.(\w+)", (repo / "docs/library.md").read_text()))
    assert told == set(mc.__all__)
