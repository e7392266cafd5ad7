"""Seed 001, "Consequences for the paper", one by one, and the negative control that makes them admissible.

Each rule is held on records, through the engine, to the report and the page; each test would fail if its rule
were broken. What every number must be is worked by hand beside the records.
"""

from __future__ import annotations

import html
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

import metrics_core as mc
from metrics_core.errors import PoolingError
from metrics_core.redaction.redactor import Redactor
from metrics_core.results.estimate import Estimate
from metrics_core.results.pooling import pool
from metrics_core.results.report import Report
from site_src import pipeline
from site_src.project.sources import Plan, read
from site_src.publishing.site import SiteFiles

SANITY: dict[str, Any] = {
    "control": "sanity",
    "stamp": "2026-07-01T06:00:00Z",
    "regression": {"total": 5, "passed": 5, "misses": []},
    "fix_graders": [{"id": f"B{n}", "passed": False} for n in (1, 2)],
    "refactor_checks": [{"id": "R1", "passed": False}],
}
PRICES = """\
fetched: 2026-07-05
currency: USD
per: 1000000
models:
  alpha: {input: 2.0, output: 10.0, cached: 0.5, source: "made up"}
"""


def run(task: str, held: list[bool], regress: float | None, **more: Any) -> dict[str, Any]:
    """A run of alpha: 1,000 input tokens of which 400 were cached, 100 output, recorded at half a cent."""
    return {
        "id": task,
        "kind": "fix",
        "model": "alpha",
        "change": sum(held) / len(held) if held else None,
        "change_detail": [[f"assertion {i}", h] for i, h in enumerate(held)],
        "regress": regress,
        "regress_total": 5 if regress is not None else None,
        "changed_files": ["cart.php"],
        "stamp": "2026-07-05T10:00:00Z",
        "prompt_tokens": 1000,
        "cached_tokens": 400,
        "completion_tokens": 100,
        "cost": 0.005,
        **more,
    }


def claim(task: str, named: list[str]) -> dict[str, Any]:
    """A run that is graded on what its answer names; a.php and b.php are the truth."""
    files = {"answer_files": named, "truth_files": ["a.php", "b.php"]}
    return run(task, [], None, kind="awareness", **files)


def turn(number: int, kind: str, passed: bool) -> dict[str, Any]:
    sides = {"scenario_id": "s1", "chat": "alpha", "coder": "beta", "type": "coder"}
    return {**sides, "turn_index": number, "check_kind": kind, "check_passed": passed}


# Runs of 1/3 and 3/3 and 1/1: the mean of 1/3, 1 and 1 is 7/9, while 5 of 7 assertions hold. The second is
# done and breaks two of five pages. F1 of the claims: both files named is 1, one of them alone 2/3.
RUNS = [
    run("B1", [True, False, False], 1.0),
    run("B2", [True, True, True], 0.6),
    run("R1", [True], 1.0, kind="refactor"),
]
CLAIMS = [claim("A1", ["a.php", "b.php"]), claim("A2", ["a.php"])]
# One of three executed checks holds, and all four that were only compiled.
TURNS = [
    *(turn(n, "exec_assert", n == 0) for n in range(3)),
    *(turn(n, "py_compile", True) for n in range(3, 7)),
]


class Found(Struct, frozen=True):
    """The report of the records, and the site that is made of it."""

    report: Report
    site: SiteFiles

    def one(self, metric: str, group: dict[str, str] | None = None, **stratum: str) -> Estimate:
        """The estimate of that metric, of the whole experiment by default."""
        (e,) = [
            e
            for e in self.report.estimates
            if e.metric == metric
            and dict(e.group) == (group or {})
            and stratum.items() <= dict(e.stratum).items()
        ]
        return e

    def file(self, path: str) -> str:
        found = self.site.file(path)
        assert found is not None, path
        return found.data.decode()

    def page(self, path: str = "experiments/suite/index.html") -> str:
        """The text of a page, without markup."""
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", self.file(path))).split())

    def captions(self) -> list[str]:
        """The text of each caption of the experiment's page: under figures, and under tables."""
        markup = self.file("experiments/suite/index.html")
        found = re.findall(
            r'<figcaption>.*?</figcaption>|<div class="caption table-caption">.*?</div>', markup, re.DOTALL
        )
        return [" ".join(html.unescape(re.sub(r"<[^>]+>", " ", c)).split()) for c in found]

    def pages(self) -> dict[str, str]:
        return {path: self.page(path) for path in self.site.paths()}


def found(
    root: Path, sanity: dict[str, Any] | None = SANITY, prices: str = PRICES, settings: str = ""
) -> Found:
    folder = root / "suite"
    for path, records in (("logs_big/all.jsonl", RUNS + CLAIMS), ("logs/all.jsonl", TURNS)):
        (folder / path).parent.mkdir(parents=True)
        (folder / path).write_text("".join(json.dumps(record) + "\n" for record in records))
    (folder / "experiment.yaml").write_text(settings)
    if sanity is not None:
        (folder / "controls").mkdir()
        (folder / "controls" / "sanity.json").write_text(json.dumps(sanity))
    if prices:
        (folder / "pricing").mkdir()
        (folder / "pricing" / "july.yaml").write_text(prices)
    plan = Plan(content=None, experiments=(folder,), output=root / "site", redactor=Redactor())
    sources = read(plan)
    (report,) = reports = pipeline.measure(sources)
    return Found(report, pipeline.model(sources, reports))


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Found:
    return found(tmp_path_factory.mktemp("seed"))


# ------------------------------------------------------------------ 1. never quote change as a pass rate


def test_1_change_is_a_mean_over_assertions(suite: Found) -> None:
    change = suite.one("change", graded="assertions")
    assert change.value == pytest.approx((1 / 3 + 1 + 1) / 3)
    assert change.value != pytest.approx(5 / 7)
    assert suite.one("done", graded="assertions").value == pytest.approx(2 / 3), "what it is not"


def test_1_report_the_assertion_count(suite: Found) -> None:
    change = suite.one("change", graded="assertions")
    assert (change.n, change.N, change.of, change.attempts) == (5, 7, "assertions", 3)
    assert re.search(
        r"5/7 assertions \(all of 3 attempts known\) · no mean: too few valid runs", suite.page()
    )


def test_1_never_quote_change_as_a_pass_rate(suite: Found) -> None:
    told = suite.pages()
    assert not [path for path, text in told.items() if re.search(r"pass[ -]?rate", text, re.IGNORECASE)]
    mean = "mean over runs of the fraction of the task's own assertions"
    assert [path for path, text in told.items() if mean in text]


# ------------------------------------------------------------------ 2. always report change with regress


def test_2_always_report_change_with_regress(suite: Found) -> None:
    changes = [e for e in suite.report.estimates if e.metric == "change"]
    assert len(changes) > 4
    for change in changes:
        beside = [
            e
            for e in suite.report.estimates
            if (e.metric, e.group, e.stratum) == ("regress", change.group, change.stratum)
        ]
        assert len(beside) == 1, change.id
    markup = suite.file("experiments/suite/index.html")
    heads = [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<th\b.*?</th>", row, re.DOTALL)]
        for row in re.findall(r"<thead>.*?</thead>", markup, re.DOTALL)
    ]
    with_change = [row for row in heads if "change" in row]
    assert with_change
    for row in with_change:
        assert row[row.index("change") + 1] == "regress"
    captions = [c for c in suite.captions() if "change graded on assertions" in c]
    assert len(captions) > 3
    assert [c for c in captions if "regress graded on assertions" not in c] == []


def test_2_separately(suite: Found) -> None:
    change, regress = suite.one("change", graded="assertions"), suite.one("regress", graded="assertions")
    assert (regress.n, regress.N, regress.of) == (13, 15, "pages")
    assert regress.value == pytest.approx((1 + 0.6 + 1) / 3)
    with pytest.raises(PoolingError, match="metric is 'change' here and 'regress' there; two metrics"):
        pool(change, regress)
    assert not [e for e in suite.report.estimates if (e.n, e.N) == (5 + 13, 7 + 15)]


def test_2_the_interesting_cases_are_where_they_diverge(suite: Found) -> None:
    divergence = suite.one("divergence", graded="assertions")
    assert (divergence.n, divergence.N, divergence.polarity) == (1, 3, "against")
    (broken,) = [r for x in suite.site.shown for r in x.reviews() if "done, but broken" in r.facets]
    assert broken.task == "B2"
    told = suite.page(f"reviews/suite/{broken.run}/index.html")
    assert "done, but broken" in told


# ------------------------------------------------------------------ 3. never pool awareness F1 scores


def test_3_never_pool_awareness_f1_scores_with_fix_or_refactor_assertion_rates(suite: Found) -> None:
    awareness, change = suite.one("awareness", graded="claims"), suite.one("change", graded="assertions")
    assert (awareness.value, awareness.n, awareness.N) == (pytest.approx((1 + 2 / 3) / 2), 1, 2)
    with pytest.raises(PoolingError, match="metric is 'awareness' here and 'change' there"):
        pool(awareness, change)
    claims, artefacts = suite.one("cost", graded="claims"), suite.one("cost", graded="assertions")
    with pytest.raises(PoolingError, match="graded is 'claims' here and 'assertions' there; a claim and an"):
        pool(claims, artefacts)


def test_3_no_number_of_the_family_holds_both(suite: Found) -> None:
    own = [e for e in suite.report.estimates if e.family == "brownfield"]
    assert {e.stratum["graded"] for e in own} == {"assertions", "claims"}
    assert max(e.attempts for e in own) == len(RUNS)
    assert not [e for e in own if e.metric == "awareness" and e.stratum["graded"] != "claims"]
    assert not [
        e for e in own if e.metric in ("change", "done") and e.stratum["graded"] != "assertions" and e.N
    ]
    assert "a weaker instrument: it grades a claim, not an artefact" in suite.page()


# ------------------------------------------------------------------ 4. never pool syntax-only checks


def test_4_never_pool_syntax_only_checks_with_executed_checks(suite: Found) -> None:
    executed, syntax = suite.one("check_pass", check="executed"), suite.one("check_pass", check="syntax")
    assert (executed.n, executed.N, syntax.n, syntax.N) == (1, 3, 4, 4)
    with pytest.raises(PoolingError, match="check is 'executed' here and 'syntax' there; a syntax-only"):
        pool(executed, syntax)
    own = [e for e in suite.report.estimates if e.family == "matrix"]
    assert {e.stratum["check"] for e in own} == {"executed", "syntax"}
    assert not [e for e in own if e.metric == "check_pass" and e.N == 7], "no overall rate"


def test_4_check_kind_stands_beside_every_rate_that_is_quoted(suite: Found) -> None:
    told = suite.page()
    for words, counts in (("executed checks", "1/3"), ("syntax checks only", "4/4")):
        assert re.search(rf"check pass {words}.{{0,60}}{counts} known checks", told), words


# ------------------------------------------------------------------ 5. quote the negative control


@pytest.mark.parametrize(
    ("sanity", "state"),
    [(SANITY, "held"), (None, "missing"), ({**SANITY, "fix_graders": []}, "failed")],
    ids=["held", "missing", "failed"],
)
def test_5_quote_the_negative_control(tmp_path: Path, sanity: dict[str, Any] | None, state: str) -> None:
    own = found(tmp_path, sanity)
    told = {e.control for e in own.report.estimates if e.family == "brownfield"}
    assert told == {f"negative control {state}"}
    captions = [c for c in own.captions() if "assay/brownfield" in c]
    assert captions
    assert not [c for c in captions if not re.search(rf"negative control\W*{state}", c)]


def test_5_it_is_what_makes_the_rest_admissible(tmp_path: Path) -> None:
    failed = found(tmp_path, {**SANITY, "regression": {"total": 5, "passed": 4, "misses": ["cart"]}})
    own = [e for e in failed.report.estimates if e.family == "brownfield"]
    assert {(e.value, e.n, e.N, e.interval.lo, e.bounds) for e in own} == {(None,) * 5}
    assert not failed.report.points
    assert not failed.report.checks
    others = [e for e in failed.report.estimates if e.family == "matrix"]
    assert any(e.value is not None for e in others), "it guards no other family"
    assert "5/7" not in failed.page()


# ------------------------------------------------------------------ 6. the price table's date, and the tokens


def test_6_every_cost_figure_carries_the_price_table_date(suite: Found) -> None:
    money = [e for e in suite.report.estimates if e.unit == "USD" and e.value is not None]
    assert money
    assert {e.prices for e in money} == {"2026-07-05"}
    told = [c for c in suite.captions() if re.search(r"USD|\$", c)]
    assert told
    assert not [c for c in told if "2026-07-05" not in c]


def test_6_money_without_a_table_says_that_it_has_none(tmp_path: Path) -> None:
    own = found(tmp_path, prices="")
    money = [e for e in own.report.estimates if e.unit == "USD" and e.value is not None]
    assert {e.prices for e in money} == {"recorded, no table"}
    assert "recorded, no table" in own.page()


def test_6_the_token_counts_are_published_so_it_can_be_recomputed(suite: Found) -> None:
    (raw,) = [f for x in suite.site.shown for f in x.files if f.path == "logs_big/all.jsonl"]
    rows = [json.loads(line) for line in suite.file(raw.at).splitlines()]
    # By hand, in dollars a million: 600 fresh at 2, 400 cached at 0.5, 100 output at 10 = 0.0024 a run.
    again = sum(
        (row["prompt_tokens"] - row["cached_tokens"]) * Decimal("2.0")
        + row["cached_tokens"] * Decimal("0.5")
        + row["completion_tokens"] * Decimal("10.0")
        for row in rows
    ) / Decimal(10**6)
    assert again == Decimal("0.0024") * (len(RUNS) + len(CLAIMS))
    (cost,) = [row for row in suite.report.costs if row.model == "alpha"]
    assert cost.recomputed == pytest.approx(float(again), abs=1e-12)
    assert cost.recorded == pytest.approx(0.005 * 5), "what the harness wrote stands beside it"
    parts = [suite.one("cost", graded=graded).summary for graded in ("assertions", "claims")]
    assert sum(part.total for part in parts if part) == pytest.approx(float(again), abs=1e-12)


# ------------------------------------------------------------------ the negative control: sanity()


@pytest.mark.parametrize(
    ("changed", "detail"),
    [
        (
            {"regression": {"total": 5, "passed": 4, "misses": ["cart"]}},
            "regression set: 1 of 5 did not pass (cart)",
        ),
        (
            {"fix_graders": [{"id": "B1", "passed": False}, {"id": "B2", "passed": True}]},
            "fix graders: 1 of 2 did not fail (B2)",
        ),
        (
            {"refactor_checks": [{"id": "R1", "passed": True}]},
            "refactor duplication checks: 1 of 1 did not fail (R1)",
        ),
    ],
    ids=[
        "1. the regression set is green on the untouched build",
        "2. every fix grader fails on the unfixed project",
        "3. every refactor duplication check fails pre-refactor",
    ],
)
def test_control_if_sanity_fails_results_are_meaningless(
    tmp_path: Path, changed: dict[str, Any], detail: str
) -> None:
    own = found(tmp_path, {**SANITY, **changed})
    (control,) = [c for c in own.report.controls if c.name == "sanity"]
    assert (control.state, control.detail) == ("failed", detail)
    numbers = [e for e in own.report.estimates if e.family == "brownfield"]
    assert {e.withheld for e in numbers} == {f"negative control failed: {detail}"}
    assert detail in own.page()


def test_control_all_three_held_and_the_page_says_on_how_many_graders(suite: Found) -> None:
    (control,) = [c for c in suite.report.controls if c.name == "sanity"]
    assert control.state == "held"
    assert [(c.must, c.n, c.N) for c in control.checks] == [("pass", 5, 5), ("fail", 2, 2), ("fail", 1, 1)]
    assert "fix graders 2/2 fail" in suite.page()
    assert not [e for e in suite.report.estimates if e.withheld]


def test_control_every_grader_that_the_logs_hold_was_tried_or_nothing_is_shown(tmp_path: Path) -> None:
    own = found(tmp_path, {**SANITY, "fix_graders": [{"id": "B1", "passed": False}]})
    (control,) = [c for c in own.report.controls if c.name == "sanity"]
    assert (control.state, control.detail) == ("failed", "fix graders: 1 of 2 was not tried (B2)")
    assert {bool(e.withheld) for e in own.report.estimates if e.family == "brownfield"} == {True}
    assert "was not tried B2" in own.page()


def test_control_that_is_required_and_missing_withholds_and_says_what_lifts_it(tmp_path: Path) -> None:
    own = found(tmp_path, None, settings="gates: {sanity: required}\n")
    page = own.page()
    assert "Withheld: the negative control is missing, and required" in page
    assert "Run the control, and record it" in page
    optional = found(tmp_path / "2", None, settings="gates: {sanity: optional}\n")
    told = [caption for caption in optional.captions() if "assay/brownfield" in caption]
    assert told
    assert all("negative control missing, optional" in caption for caption in told)


def test_control_of_another_size_and_later_than_the_runs_is_told_beside_every_number(tmp_path: Path) -> None:
    smaller = {"regression": {"total": 3, "passed": 3, "misses": []}, "stamp": "2027-01-01T00:00:00Z"}
    own = found(tmp_path, {**SANITY, **smaller})
    note = (
        "negative control held, on a regression set of 3, the runs have 5, of 2027-01-01, later than the "
        "last run of 2026-07-05"
    )
    assert {e.control for e in own.report.estimates if e.family == "brownfield"} == {note}
    assert [(p.file, p.field) for p in own.report.findings if p.file.startswith("controls")] == [
        ("controls/sanity.json", "regression/total"),
        ("controls/sanity.json", "stamp"),
    ]
    assert note in own.page()


def test_control_a_comparison_that_it_withholds_says_so_and_which(tmp_path: Path) -> None:
    folder = tmp_path / "suite"
    for name, data in (
        ("logs_big/all.jsonl", [run("B1", [True], 1.0, model=m) for m in ("alpha", "beta")]),
        ("controls/sanity.json", [{**SANITY, "fix_graders": [{"id": "B1", "passed": True}]}]),
    ):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in data))
    report = mc.compute(mc.load(folder))
    with pytest.raises(PoolingError) as caught:
        mc.compare(report, "change", "alpha", "beta")
    assert str(caught.value) == (
        "suite/brownfield.change.model?graded=assertions&a=alpha&b=beta: a control withheld its numbers: "
        "negative control failed: fix graders: 1 of 1 did not fail (B1) "
        "(no comparison can be made until that control holds)"
    )
