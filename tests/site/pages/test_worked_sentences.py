"""Sentences of claims, of what lifts a control and of separation, whose numbers are worked out elsewhere."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace
from statsmodels.stats.proportion import proportion_confint

import metrics_core as mc
from metrics_core.results.control import ControlCheck
from site_src.pages import site_map
from site_src.pages.decisions import claims
from site_src.pages.results import controls
from site_src.wording import FigureContext, captions
from tests.support import decision_samples as samples, hard_experiments, sample_reports, sample_site
from tests.support.decision_samples import ALPHA, BETA, GAMMA, OVERLAPPING, SEPARATED

SITE = FigureContext(build="b")


def evidence(claim: str, *comparisons: Any) -> str:
    """What stands as the evidence of a claim about alpha, beta and gamma."""
    report = samples.report((ALPHA, BETA, GAMMA), comparisons)
    where = site_map(sample_site.experiments(), (), sample_site.BUILD)
    (view,) = claims.claims_view([samples.judged(claim, report)], where, "decisions/x/index.html").claims
    return "; ".join("".join(span.text for span in line) for line in view.evidence).replace("\u00a0", " ")


def test_a_claim_on_one_arm_tells_its_interval_and_what_errors_and_unknown_could_do() -> None:
    """50 of 58 known; 9 unknown and 5 errors: against it all 14 count, 50/72 = 0.69."""
    lo, hi = proportion_confint(50, 58, method="wilson")
    said = evidence("{metric: attempts.security, of: alpha, at_least: 0.70}")
    assert said.startswith(f"{50 / 58:.2f} [{lo:.2f}, {hi:.2f}] · 50/58 known verdicts")
    assert "(9 unknown, 5 errors of 72 attempts)" in said
    assert said.endswith(f"with all that is not known counted against alpha: {50 / 72:.2f}")
    low = evidence("{metric: attempts.security, of: alpha, at_least: 0.60}")
    assert low.endswith(f"holds when all that is not known is counted against alpha: {50 / 72:.2f}")


def test_a_claim_on_two_arms_tells_the_difference_in_its_worst_case() -> None:
    """Worst for alpha: 50/72, and of the other what is known to hold with all that is not known."""
    open_ = evidence("{metric: attempts.security, of: alpha, above: beta}", OVERLAPPING)
    assert f"with all that is not known counted against alpha: −{(48 + 11) / 72 - 50 / 72:.2f}" in open_
    assert "could be shown: paired 0.19, strict 0.31" in open_
    held = evidence("{metric: attempts.security, of: alpha, above: gamma}", SEPARATED)
    assert f"holds when all that is not known is counted against alpha: +{50 / 72 - 39 / 66:.2f}" in held


def lifted(faults: int, untried: int, name: str = "sanity", records: int = 12_345) -> list[str]:
    """What is said to lift a failed control: graders at fault, and graders that were not tried."""
    check = ControlCheck(
        name="fixes", must="fail", n=8 - faults, N=8, faults=tuple((f"B{n}", "") for n in range(faults)),
        untried=tuple(f"C{n}" for n in range(untried)),
    )  # fmt: skip
    control = replace(
        sample_reports.fixtures_held("brownfield"),
        name=name,
        state="failed",
        checks=(check,),
        detail="it failed",
    )
    report = replace(sample_reports.brownfield(), controls=(control,), records=records)
    (view,) = controls.withheld(report, SITE)
    return ["".join(span.text for span in line) for line in view.lifts.lines]


@pytest.mark.parametrize(
    ("faults", "untried", "first"),
    [
        (3, 0, "Mend the 3 graders that did not do as they must"),
        (1, 0, "Mend the grader that did not do as it must"),
        (0, 1, "Try the grader that was not tried"),
        (0, 2, "Try the 2 graders that were not tried"),
        (1, 2, "Mend the grader that did not do as it must and try the 2 graders that were not tried"),
        (0, 0, "Mend what the control found"),
    ],
)
def test_what_lifts_a_negative_control_counts_its_graders_and_all_runs(
    faults: int, untried: int, first: str
) -> None:
    release, again = "Release them under a new version", "Run the control, then all 12\u202f345 runs, again"
    assert lifted(faults, untried) == [first, release, again]


def test_what_lifts_another_control_is_its_own() -> None:
    assert lifted(0, 0, "stub agent")[0].startswith("A scorer that gives its floor")
    assert lifted(0, 0, "attribution self-test") == [
        "Mend what the control found",
        "Run the control, then all 12\u202f345 runs, again",
    ]


@pytest.mark.parametrize(("runs", "apart"), [(14, False), (15, True)])
def test_fifteen_valid_runs_a_side_separate_and_fourteen_do_not(
    runs: int, apart: bool, tmp_path: Any
) -> None:
    """The caption's own conditions on arms as far apart as can be: all of one, none of the other."""
    folder = tmp_path / "e" / "traces"
    folder.mkdir(parents=True)
    rows = hard_experiments.of_scores(alpha=(range(runs), runs), beta=(range(runs), 0))
    (folder / "log.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (c,) = (c for c in mc.compute(mc.load(tmp_path / "e")).comparisons if not c.group)
    (lo, _), (_, hi) = (proportion_confint(n, runs, method="wilson") for n in (runs, 0))
    assert lo > hi, "their own intervals are apart"
    assert c.interval.lo is not None
    assert c.interval.lo > 0
    assert c.p_adjusted is not None
    assert c.p_adjusted == pytest.approx(2 * 0.5**runs / 2, abs=1e-6)
    assert c.separated is apart
    (rule, _) = captions.separation_notes([c])
    assert rule.endswith(
        "own intervals apart, the difference clear of 0, p at most 0.05, 15 valid runs a side"
    )
