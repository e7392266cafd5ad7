"""What `compute` prints: every number below its metric and stratum, at any width, in any locale."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import metrics_core as mc
from metrics_core.results.report import Report
from site_src.console import Console
from site_src.report_text import report_text
from tests.core.test_library import written
from tests.support import small_content
from tests.support.by_day import one_in

EXAMPLES = ("brownfield-2026-05", "gh-2026", "layered-2026-07", "pairs-2026-07", "patches-2026")


@pytest.fixture(scope="module")
def reports(repo: Path) -> dict[str, Report]:
    return {name: mc.compute(repo / "content" / "experiments" / name) for name in EXAMPLES}


def rows_by_heading(text: str) -> dict[str, list[str]]:
    """Heading -> the lines below it; a heading begins a block and is not indented."""
    blocks = [block.splitlines() for block in text.split("\n\n")]
    assert all(not block[0].startswith(" ") for block in blocks)
    headings = [block[0] for block in blocks]
    assert len(set(headings)) == len(headings)
    return {block[0]: block[1:] for block in blocks}


def digits(value: float) -> str:
    """Two digits and a sign, as a difference is written; the fourth digit decides nothing here."""
    return f"{value:+.2f}".replace("-", "−")


def titled(metric: str) -> str:
    """A metric as its readers see it."""
    titles = {"divergence": "done but broken", "divergence_reverse": "not done, nothing broken"}
    return titles.get(metric) or metric.replace("_", " ").replace("conv ", "conversation ")


@one_in(3)
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_comparison_has_its_difference_interval_and_verdict_below_its_metric(
    reports: dict[str, Report], name: str
) -> None:
    shown = rows_by_heading(report_text(reports[name]))
    told = 0
    for c in reports[name].comparisons:
        metric = titled(c.metric)
        pair = re.compile(rf"  ([\w=]+ )*{re.escape(c.a)} − ([\w=]+ )*{re.escape(c.b)}\b")
        lines = [line for heading, rows in shown.items() if heading.startswith(metric) for line in rows
                 if pair.match(line)]  # fmt: skip
        assert lines, c.id
        verdict = f"{c.told_apart[0]} above" if c.told_apart else str(c.outcome)
        assert any(verdict in line for line in lines)
        if c.strict_verdict != c.paired_verdict:
            assert any("on the same tasks only" in line and "own intervals overlap" in line for line in lines)
        if c.difference is not None and c.interval.lo is not None and abs(c.difference) > 0.005:
            assert any(digits(c.difference) in line for line in lines), c.id
            assert any(digits(c.difference) in line and "[" in line for line in lines)
            told += 1
    assert told > 1 or name in ("gh-2026", "pairs-2026-07")  # too few tasks in common for any difference


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_number_of_the_whole_and_of_each_model_is_below_its_metric(
    reports: dict[str, Report], name: str
) -> None:
    shown = rows_by_heading(report_text(reports[name]))
    seen = 0
    for e in reports[name].estimates:
        if e.metric == "stage" or {key for key, _ in e.group} - {"model"}:
            continue
        metric = titled(e.metric)
        whose = dict(e.group).get("model", "all")
        lines = [line for heading, rows in shown.items() if heading.startswith(metric) for line in rows
                 if line.startswith(f"  {whose} ")]  # fmt: skip
        assert any(f" {e.n}/{e.N} {e.of} " in line or (e.N == 0 and "N/A (0/0)" in line) for line in lines)
        assert any(f"of {e.attempts} attempt" in line for line in lines)
        seen += 1
    assert seen > 7


def test_what_a_reader_sees_of_two_models(tmp_path: Path) -> None:
    """Expected by hand: alpha does both assertions in ten runs, beta one of two."""
    report = mc.compute(written(tmp_path / "suite", small_content.SANITY, alpha=True, beta=False))
    change = rows_by_heading(report_text(report))["change, graded on assertions"]
    assert [re.sub(r" +", " ", re.sub(r"\[.*?\]", "[]", line)) for line in change[:3]] == [
        " all 0.75 30/40 assertions [] (all of 20 attempts known) mean over 20 runs",
        " alpha 1.00 20/20 assertions [] (all of 10 attempts known) mean over 10 runs",
        " beta 0.50 10/20 assertions [] (all of 10 attempts known) mean over 10 runs",
    ]
    assert change[3] == "  alpha − beta  -  cannot separate: 5 tasks in common, 8 needed"
    assert len(change) == 4


def test_withheld_numbers_say_why(tmp_path: Path) -> None:
    broken = {**small_content.SANITY, "regression": {"total": 2, "passed": 1, "misses": ["cart"]}}
    shown = report_text(mc.compute(written(tmp_path / "suite", broken, alpha=True, beta=False)))
    for line in rows_by_heading(shown)["change, graded on assertions"][:3]:
        assert re.match(r"  (all|alpha|beta) +withheld  negative control failed: regression set: 1 of", line)
    assert not re.search(r"\d\.\d\d", shown)


def test_two_families_are_told_apart(reports: dict[str, Report]) -> None:
    both = reports["patches-2026"]
    headings = [h for h in rows_by_heading(report_text(both)) if "(" in h and not h.startswith("patches")]
    assert len(both.families) > 1 or not headings
    if len(both.families) > 1:
        assert {h.rpartition("(")[2].rstrip(")") for h in headings} == set(both.families)


def test_what_is_not_printed_is_counted(reports: dict[str, Report]) -> None:
    report = reports["brownfield-2026-05"]
    printed = [e for e in report.estimates if e.metric != "stage" and {k for k, _ in e.group} <= {"model"}]
    more = len(report.estimates) - len(printed)
    last = report_text(report).splitlines()[-1]
    assert last == f"{more} more numbers by config, kind, scenario, stage and stamp: --json gives every one"


@pytest.mark.parametrize("width", [30, 60, 80, 200])
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_terminal_of_any_width_loses_no_word(reports: dict[str, Report], name: str, width: int) -> None:
    whole, narrow = report_text(reports[name]), report_text(reports[name], width)
    assert narrow.split() == whole.split()
    longest = max(map(len, whole.split()))
    assert [line for line in narrow.splitlines() if len(line) > max(width, longest + 6)] == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_space_is_escaped_and_none_is_thin(reports: dict[str, Report], name: str) -> None:
    shown = report_text(reports[name])
    assert not re.search(r"\\[ux]|[\u00a0\u2009\u202f]", shown)


def test_a_thousand_is_set_apart_by_a_plain_space(reports: dict[str, Report]) -> None:
    tokens = rows_by_heading(report_text(reports["brownfield-2026-05"]))["tokens, graded on assertions"]
    assert re.search(r"  all +\d\d \d{3}  36/36 runs", tokens[0])


# ---------------------------------------------------------------------------------- streams


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_width_is_that_of_a_terminal_and_of_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "47")
    assert Console(Terminal(), io.StringIO()).width == 47
    assert Console(io.StringIO(), Terminal()).width is None


@one_in(2)
@pytest.mark.parametrize(("encoding", "minus"), [("ascii", "alpha - be"), ("utf-8", "alpha − be")])
def test_a_pipe_of_any_encoding_is_readable(tmp_path: Path, repo: Path, encoding: str, minus: str) -> None:
    small_content.write_suite(tmp_path / "content")
    done = subprocess.run(
        [sys.executable, str(repo / "build.py"), "compute", str(tmp_path / "content/experiments/suite")],
        capture_output=True, check=True, env={**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "40"},
    )  # fmt: skip
    shown = done.stdout.decode(encoding)
    assert minus in shown
    assert "\\u" not in shown
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) > 100  # a pipe has no width


def escapes(text: str) -> Iterator[str]:
    yield from (c for c in text if ord(c) < 32 and c != "\n")


def test_a_report_of_hostile_names_obeys_none(tmp_path: Path) -> None:
    folder = written(tmp_path / "suite", small_content.SANITY, **{"\x1b[2Jalpha\u202e\u202f": True})
    shown = report_text(mc.compute(folder), 60)
    assert not list(escapes(shown))
    assert "\u202e" not in shown


def test_a_mean_of_too_few_is_no_score_of_nothing(tmp_path: Path) -> None:
    rows = "".join(f"t{n},x,0.{n}\n" for n in range(1, 4))
    (tmp_path / "t.csv").write_text(f"task,model,score\n{rows}")
    printed = report_text(mc.compute(tmp_path / "t.csv"))
    assert "0/3 valid runs at exactly 1" in printed
    assert "too few for a mean" in printed
    assert "counts only" not in printed


def test_one_number_that_is_not_printed_is_one(tmp_path: Path) -> None:
    log = tmp_path / "runs.jsonl"
    log.write_text('{"schema": "trace.v1", "task_id": "t", "agent": "a", "rep": 1, "score": 0.5}\n')
    report = mc.compute(mc.load(log))
    assert report_text(report).splitlines()[-1] == "1 more number by scenario: --json gives every one"
