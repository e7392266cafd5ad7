"""``assay compare``: what it prints, the record, the Markdown, the one page, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from site_src.cli import main
from tests.support.small_tables import named, runs_of, write_rows


@pytest.fixture
def pair(tmp_path: Path) -> list[str]:
    def more(task: str, run: int) -> dict[str, object]:
        return {"cost_usd": 0.01 * (run + int(task[1:])), "latency_s": 3.0 + run}

    base = named(["111", "110", "000", "010"] * 5)
    new = named(["111", "111", "010", "01e"] * 5)
    return [
        str(write_rows(tmp_path / f"{name}.jsonl", runs_of("m", signs, more)))
        for name, signs in (("base", base), ("new", new))
    ]


def test_at_most_twelve_lines_that_say_everything(
    pair: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *pair]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 12
    told = "\n".join(lines)
    assert "base − new" in told
    for label in ("on the same tasks", "by own intervals", "tasks", "errors", "cost", "latency", "could be"):
        assert any(line.strip().startswith(label) for line in lines), label
    assert "new better on 15, worse on 0, the same on 5 of 20" in told


def test_the_line_of_the_tables(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(shared_data / "tables" / "rows.jsonl")
    assert main(["compare", path, "--a", "alpha", "--b", "beta"]) == 0
    out = capsys.readouterr().out
    assert "alpha − beta −14.7 points [−24.0, −5.3], on 50 tasks in common, p 0.003" in out
    assert "paired 0.13, strict 0.25" in out
    assert "alpha: always so far 14, never so far 11, flaky 25 of 50 tasks" in out
    assert "share of variance by task 0.31 [0.11, 0.51], by repetition 0.69" in out
    assert len(out.splitlines()) == 12


def test_uneven_errors_are_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a = write_rows(tmp_path / "a.jsonl", runs_of("m", named(["110"] * 12)))
    b = write_rows(tmp_path / "b.jsonl", runs_of("m", named(["11e"] * 12)))
    assert main(["compare", str(a), str(b)]) == 0
    assert "errors (!)" in (out := capsys.readouterr().out)
    assert "0 of 36 and 12 of 36, uneven" in out


def test_the_record_is_that_of_the_interfaces(pair: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *pair, "--json", "--metric", "passed"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["schema"] == "assay.compare/1"
    assert record["tasks"]["better"] == 15
    assert record["comparisons"][0]["paired_on"] == 20
    assert {"verdict", "paired_verdict", "interval", "p_adjusted"} <= record["comparisons"][0].keys()
    assert record["cost_ratio"]["interval"]["method"] == "fieller, t(G-1)"


def test_files_are_one_page_without_anything_outside(pair: list[str], tmp_path: Path) -> None:
    html, markdown = tmp_path / "one.html", tmp_path / "one.md"
    assert main(["compare", *pair, "--html", str(html), "--markdown", str(markdown)]) == 0
    page = html.read_text()
    assert html.stat().st_size < 300_000
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "15 tasks on which new is better" in page
    assert markdown.read_text().splitlines()[0].startswith("### score")


def test_names_from_records_are_no_markup(tmp_path: Path) -> None:
    evil = "<img src=x>|*@all* [x](http://e)"
    rows = [row for arm in (evil, "b") for row in runs_of(arm, named(["10"] * 9))]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    html, markdown = tmp_path / "one.html", tmp_path / "one.md"
    words = ["compare", str(path), "--a", evil, "--b", "b", "--html", str(html), "--markdown", str(markdown)]
    assert main(words) == 0
    assert "<img" not in html.read_text()
    text = markdown.read_text()
    assert "<img" not in text.replace("\\<img", "")
    assert "@all" not in text
    assert "](http://" not in text


def test_one_path_without_arms_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_rows(tmp_path / "one.jsonl", runs_of("m", named(["10"] * 9)))
    assert main(["compare", str(path)]) == 1
    assert "which arms are meant? (--a ARM --b ARM; one: m)" in capsys.readouterr().err


def test_a_built_site_gives_the_comparison_that_it_publishes(
    small_site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = small_site / "_site"
    assert main(["compare", str(site), str(site)]) == 1
    assert "#NAME, with NAME one of: " in capsys.readouterr().err
    assert main(["compare", f"{site}#suite", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["comparisons"]
    published = json.loads((site / "data/reports/suite.json").read_text())["comparisons"]
    assert {c["id"]: c for c in found}.items() <= {c["id"]: c for c in published}.items()
    assert {"change", "regress"} <= {c["metric"] for c in found}, "change never stands without regress"


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "BAD"],
        ["compare", "GOOD", "BAD"],
        ["plan", "BAD", "--detect", "0.05"],
        ["gate", "--baseline", "GOOD", "--candidate", "BAD"],
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_what_is_wrong_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("task,passed\nt1,87%\nt2,50%\n")
    good = write_rows(tmp_path / "good.jsonl", runs_of("m", named(["110"] * 12)))
    places = {"BAD": str(bad), "GOOD": str(good)}
    assert main([places.get(word, word) for word in words]) == 1
    assert "bad.csv: passed holds percentages, such as 87" in capsys.readouterr().err
