"""Decisions: how a file is read, which status follows which, every verdict of every kind, what flips it.

Limits are those of statsmodels, margins are worked by hand, and flips are found again by trying every way.
"""

from __future__ import annotations

from itertools import product
from math import ceil, sqrt
from typing import Any

import pytest
from msgspec.structs import replace
from scipy.stats import binom, norm
from statsmodels.stats.proportion import proportion_confint

from metrics_core.errors import AssayError, ClaimError, PoolingError
from metrics_core.results.codes import ByControl, Denominator, NoInterval, NotSeparated
from metrics_core.results.interval import Interval
from metrics_core.results.keys import Keys
from site_src.decisions import (
    check_together,
    cited,
    claim_text,
    claim_words,
    judge_decision,
    parse,
    read,
    unsupported,
)
from site_src.decisions.claim_text import without_claim
from site_src.decisions.model import CLAIM_VERDICTS, Claim, Decision
from site_src.decisions.parse import DecisionFront
from site_src.decisions.quotes import occurs
from site_src.decisions.reasons import Why
from site_src.decisions.status import MAY_FOLLOW, check_transition
from site_src.decisions.thresholds import side_of
from site_src.lint.typed_results import naked
from site_src.references import Index
from tests.support import decision_samples as samples
from tests.support.by_day import one_in
from tests.support.decision_samples import (
    ALPHA,
    BETA,
    FEW,
    GAMMA,
    HALF_KNOWN,
    NEGATIVE,
    compared,
    decided,
    judged,
    report,
)
from tests.support.figure_samples import V1, V2, digest, judged as judged_as, money, recounts, share, withheld

SECURITY = "metric: attempts.security, of: alpha"
BOTH = report((ALPHA, BETA, GAMMA, FEW), (samples.SEPARATED, samples.OVERLAPPING))


# --------------------------------------------------------------------------------------------- reading

WHOLE = b"""---
title: Send it to alpha
lede: One sentence.
status: accepted
date: 2026-07-20
deciders: [evaluation group, shop team]
claims:
  - says: Alpha keeps secrets.
    metric: gh-2026/attempts.security
    of: alpha
    at_least: 0.5
  - metric: attempts.security
    of: alpha
    above: gamma
    by: 0.10
quotes:
  - text: I left it out.
    from: gh-2026/0f1e2d3c4b5a
reopened:
  - {date: 2026-06-18, why: contract changed}
supersedes: the-old-one
---

The body, with a claim of its own.
"""


def test_a_whole_decision_is_read():
    d = read("decisions/send-it.md", WHOLE)
    assert (d.slug, d.title, d.status, d.date, d.lede) == (
        "send-it",
        "Send it to alpha",
        "accepted",
        "2026-07-20",
        "One sentence.",
    )
    assert d.deciders == ("evaluation group", "shop team")
    assert [(c.kind, c.of, c.than, c.line) for c in d.claims] == [
        ("at least", "alpha", "", 0.5),
        ("above", "alpha", "gamma", 0.10),
    ]
    assert d.claims[0].where == "decisions/send-it.md:8"
    assert d.quotes[0].source == "gh-2026/0f1e2d3c4b5a"
    assert d.reopened[0].why == "contract changed"
    assert d.supersedes == "the-old-one"
    assert d.text == "\nThe body, with a claim of its own.\n"
    lines = WHOLE.decode().split("\n")
    assert lines[d.first_line - 1 :] == d.text.split("\n")


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        ("{metric: f.security, of: a, above: b}", "On security, a is above b."),
        ("{metric: f.security, of: a, above: b, by: 0.1}", "On security, a is at least 0.10 above b."),
        (
            "{metric: f.security, of: a, not_worse_than: b, by: 0.05}",
            "On security, a is not worse than b by 0.05 or more.",
        ),
        ("{metric: f.security, of: a, separated_from: b}", "On security, a and b can be told apart."),
        ("{metric: f.security, of: a, at_least: 0.8}", "The security of a is at least 0.80."),
        ("{metric: f.cost, of: a, below: 0.5, unit: USD}", "The cost of a is below 0.50 USD."),
        ("{control: sanity, experiment: e}", "The control sanity of e held."),
        ("{says: Mine., metric: f.security, of: a, at_most: 0.2}", "Mine."),
    ],
)
def test_a_claim_without_a_sentence_is_given_one(claim, says):
    assert decided(claim).claims[0].text == says


def test_lines_that_round_alike_are_two_claims():
    a, b = (f"{{metric: f.tokens, of: a, below: {line}, unit: count}}" for line in (1_234_567, 1_234_568))
    one, other = decided(a, b).claims
    assert one.identity != other.identity
    assert one.identity == "below · f.tokens · model · a · 1234567 · count"
    assert decided("{metric: f.m, of: a, at_least: 0.70}").claims[0].identity.endswith(" · 0.7")


def test_numbers_typed_by_hand_into_claims_and_reopenings_are_found_with_their_lines():
    data = (
        b"---\ntitle: A\nstatus: reopened\nclaims:\n"
        b"  - {says: Alpha beats beta at 0.85., metric: f.m, of: a, above: b}\n"
        b"  - {says: At least 0.70 of them hold., metric: f.m, of: a, at_least: 0.7}\n"
        b"  - {says: 'Seven in ten, or 70 %, hold.', metric: f.n, of: a, at_least: 0.7}\n"
        b"  - {metric: f.o, of: a, at_least: 0.7}\n"
        b"reopened:\n  - {date: 2026-06-18, why: it came to 31 of 50}\n---\n"
    )
    d = read("x.md", data)
    assert [(found.words, place) for place, words in d.heads for found in naked(words, "x.md")] == [
        ("0.85", "x.md:5"),
        ("31 of 50", "x.md:10"),
    ]
    assert [place for place, _ in d.heads] == ["x.md:2", "x.md:5", "x.md:6", "x.md:7", "x.md:10"]


@pytest.mark.parametrize(
    ("says", "line", "left"),
    [
        ("Alpha does half of them.", 0.5, False),
        ("Alpha does two thirds of the tasks.", 2 / 3, False),
        ("Alpha does two thirds of the tasks.", 0.5, True),
        ("A run costs less than 50 cents.", 0.5, False),
        ("A run costs less than half a dollar, mostly $0.31.", 0.5, True),
        ("At most one run in ten breaks.", 0.1, False),
        ("At most one run in ten breaks.", 0.2, True),
        ("It holds 70 percent of the time, and 0.705 since.", 0.7, True),
        ("Alpha is ahead of beta by ten points.", 0.1, False),
        ("Alpha is three times better than beta.", 0.0, True),
    ],
)
def test_only_the_claimed_line_may_be_said_in_figures(says, line, left):
    assert bool(naked(without_claim(says, line), "x.md")) is left


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"# No front matter\n", "x.md:1: a decision without front matter"),
        (
            b"---\ntitle: A\nstatus: agreed\n---\n",
            'x.md:3#/status: expected one of accepted, proposed, reopened, superseded, got "agreed"',
        ),
        (b"---\ntitle: A\nstatus: acepted\n---\n", "nearest: accepted"),
        (b"---\ntitle: A\nstaus: proposed\n---\n", "x.md:3#/staus: expected one of title,"),
        (b"---\ntitle: A\nstaus: proposed\n---\n", "nearest: status"),
        (b"---\nstatus: proposed\n---\n", "expected a title, got null"),
        (
            b"---\ntitle: A\nstatus: proposed\ndate: 20 July\n---\n",
            'x.md:4#/date: expected a date such as 2026-07-05, got "20 July"',
        ),
        (b"---\ntitle: A\nstatus: proposed\ndate: 2026-W30-1\n---\n", "expected a date"),
        (b"---\ntitle: A\nstatus: proposed\ndeciders: all\n---\n", "expected a list of names"),
        (b"---\ntitle: A\nstatus: proposed\nquotes: [{text: a, from: b}]\n---\n", "experiment/run"),
        (samples.front("{metric: f.m, of: a, abov: b}"), "x.md:5#/claims/0/abov: expected one of says"),
        (samples.front("{metric: f.m, of: a, abov: b}"), "nearest: above"),
        (samples.front("{metric: f.m, of: a}"), "x.md:5#/claims/0: expected exactly one of above"),
        (samples.front("{metric: f.m, of: a, above: b, at_least: 1}"), 'got ["above", "at_least"]'),
        (samples.front("{metric: f.m, of: a, above: b, unit: USD}"), "claims/0/unit: expected one of says"),
        (
            samples.front("{metric: f.m, above: b}"),
            "claims/0/of: expected the arm that it is about, got null",
        ),
        (samples.front("{metric: f.m, of: a, above: b, by: 0}"), "claims/0/by: expected a margin above 0"),
        (
            samples.front("{metric: f.m, of: a, not_worse_than: b}"),
            "claims/0/by: expected a margin, such as 0.05",
        ),
        (samples.front("{metric: f.m, of: a, at_least: most}"), "expected a number, in the metric's unit"),
        (samples.front("{metric: f.m, of: a, below: 1}"), "the unit of below"),
        (samples.front("{metric: m, of: a, at_least: 1}"), "x.md:5: 'm' names no metric"),
        (samples.front("{metric: f.m model=a, of: a, at_least: 1}"), "model fixed once, by of"),
        (
            samples.front("{metric: f.m, of: a, at_least: 1}", "{metric: f.m, of: a, at_least: 1, says: B}"),
            "x.md:6#/claims/1: expected each claim once",
        ),
        (
            samples.front(more="reopened: [{date: 2026-07-02, why: a}, {date: 2026-07-01, why: b}]\n"),
            "expected 2026-07-02 or later",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(data, told):
    with pytest.raises(AssayError) as error:
        read("x.md", data)
    assert told in str(error.value)
    assert str(error.value).startswith("x.md:")


def test_a_file_name_is_an_address():
    with pytest.raises(ClaimError, match="a decision's file is named 'Our Way'"):
        read("decisions/Our Way.md", WHOLE)


# ------------------------------------------------------------------------------------------- workflow

ACCEPTED = "date: 2026-07-20\ndeciders: [a group]\n"
CLAIM = f"{{{SECURITY}, at_least: 0.70}}"


@pytest.mark.parametrize(
    ("claims", "told", "why"),
    [
        ((CLAIM,), {"status": "accepted", "more": "deciders: [a]\n"}, "accepted without a date"),
        (
            (CLAIM,),
            {"status": "accepted", "more": "date: 2026-07-20\n"},
            "accepted without anyone who decided",
        ),
        ((), {"status": "accepted", "more": ACCEPTED}, "accepted without a claim"),
        (
            (CLAIM,),
            {"status": "accepted", "more": ACCEPTED + "reopened: [{date: 2026-07-21, why: a}]\n"},
            "accepted on 2026-07-20, yet reopened on 2026-07-21",
        ),
        ((CLAIM,), {"status": "reopened", "more": ACCEPTED}, "reopened, and nothing says when and why"),
        (
            (CLAIM,),
            {"status": "reopened", "more": ACCEPTED + "reopened: [{date: 2026-07-19, why: a}]\n"},
            "reopened on 2026-07-19, before it was accepted",
        ),
        ((CLAIM,), {"status": "superseded", "more": ACCEPTED}, "superseded, and nothing says by what"),
        ((CLAIM,), {"status": "proposed", "more": "superseded_by: other\n"}, "yet its status is proposed"),
    ],
)
def test_a_status_needs_what_it_says(claims, told, why):
    with pytest.raises(ClaimError, match=why):
        decided(*claims, **told)


def other(slug: str, more: str = "", status: str = "proposed") -> Decision:
    return read(f"decisions/{slug}.md", samples.front(status=status, more=more))


def test_a_picture_is_refused_with_its_line():
    text = "---\ntitle: T\nstatus: proposed\n---\nOne.\n\n![p](p.png)\n"
    with pytest.raises(ClaimError, match=r"decisions/a\.md:7: a picture in a decision"):
        read("decisions/a.md", text.encode())


def test_decisions_that_name_each_other_must_be_there():
    old = other("old", "superseded_by: new\n", "superseded")
    check_together([old, replace(other("new", "supersedes: old\n"), status="accepted")])
    with pytest.raises(ClaimError, match="superseded by new, which is only proposed"):
        check_together([old, other("new", "supersedes: old\n")])
    with pytest.raises(
        ClaimError, match=r"superseded_by names 'new', which is no other decision \(nearest: news\)"
    ):
        check_together([old, other("news")])
    with pytest.raises(ClaimError, match=r"supersedes first, which does not say so .*superseded_by: new"):
        check_together([other("first"), other("new", "supersedes: first\n")])
    with pytest.raises(ClaimError, match="superseded in a circle"):
        check_together([old, other("new", "superseded_by: old\n", "superseded")])


@pytest.mark.parametrize(("before", "now"), list(product(MAY_FOLLOW, MAY_FOLLOW)))
def test_only_some_states_follow_a_state(before, now):
    follows = {
        "proposed": {"proposed", "accepted", "superseded"},
        "accepted": {"accepted", "reopened", "superseded"},
        "reopened": {"reopened", "accepted", "superseded"},
        "superseded": {"superseded"},
    }
    d = replace(decided(CLAIM), status=now)
    if now in follows[before]:
        check_transition(d, before)
    else:
        with pytest.raises(ClaimError, match=f"{before} in an earlier edition, and now {now}"):
            check_transition(d, before)


# ---------------------------------------------------------------------- one arm: where its interval lies


def limits(n: int, N: int) -> tuple[float, float]:
    lo, hi = proportion_confint(n, N, method="wilson")
    return float(lo), float(hi)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [  # 50/58: 0.7507 to 0.9279 by statsmodels
        ("at_least: 0.75", "supported"),
        ("at_least: 0.76", "cannot separate"),
        ("at_least: 0.92", "cannot separate"),
        ("at_least: 0.93", "contradicted"),
        ("at_most: 0.93", "supported"),
        ("at_most: 0.92", "cannot separate"),
        ("at_most: 0.75", "contradicted"),
    ],
)
def test_a_level_is_judged_by_its_whole_interval(claim, verdict):
    lo, hi = limits(50, 58)
    assert (round(lo, 4), round(hi, 4)) == (0.7507, 0.9284)
    assert judged(f"{{{SECURITY}, {claim}}}", BOTH).verdict == verdict


def test_the_whole_experiment_needs_no_arm():
    whole = replace(samples.plain("security", 50, 58), group=Keys())
    assert judged("{metric: attempts.security, at_least: 0.75}", report((whole,))).verdict == "supported"


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        (0.83, "supported"),
        (0.82, "cannot separate"),
        (0.45, "cannot separate"),
        (0.44, "contradicted"),
    ],
)
def test_money_is_judged_by_the_interval_of_its_median(line, verdict):
    cost = replace(money("alpha", 0.61, 0.44, 0.82, 40), family="attempts")
    claim = f"{{metric: attempts.cost, of: alpha, below: {line}, unit: USD}}"
    assert judged(claim, report((cost,), controls=(), experiment=cost.experiment)).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (f"{{{SECURITY}, at_least: 80}}", "a share of 80"),
        (f"{{{SECURITY}, below: 0.9, unit: USD}}", "below is in USD, and security in fraction"),
        ("{metric: attempts.cost, of: alpha, at_most: 2}", "at most is of a share, and cost is in USD"),
    ],
)
def test_a_line_is_in_the_unit_of_its_metric(claim, why):
    cost = replace(money("alpha", 0.61, 0.44, 0.82, 40), family="attempts", experiment="gh-2026")
    with pytest.raises(ClaimError, match=why):
        judged(claim, report((ALPHA, cost)))


@pytest.mark.parametrize(
    ("line", "verdict"), [(0.40, "supported"), (0.60, "cannot separate"), (0.96, "contradicted")]
)
def test_where_over_a_fifth_is_unknown_the_bounds_must_hold_it_too(line, verdict):
    # 40/50 known of 72: Wilson 0.67 to 0.89; with all unknown against it from 0.44, with all for it to 0.92
    assert limits(40, 50)[0] > 0.60 > limits(40, 72)[0] > 0.40
    assert limits(62, 72)[1] < 0.96
    found = judged(f"{{metric: attempts.security, of: half, at_least: {line}}}", report((HALF_KNOWN,)))
    assert found.estimates[0].headline == "bounds"
    assert found.verdict == verdict
    assert found.worst == 40 / 72


# ----------------------------------------------------------------------- two arms: where the difference lies


ALL_OF_ALPHA = samples.plain("security", 50, 58)
ALL_OF_GAMMA = samples.plain("security", 33, 60, model="gamma")


def pair(difference: float, lo: float, hi: float, word: str, **more: Any):
    """Two arms of whose runs none is unknown."""
    sides = (ALL_OF_ALPHA, ALL_OF_GAMMA)
    return report(sides, (compared(*sides, difference, lo, hi, word, **more),))


SEPARATED, BELOW, OVERLAP = (
    (0.31, 0.13, 0.47, "a above b"),
    (-0.31, -0.47, -0.13, "b above a"),
    (0.31, 0.13, 0.47, "cannot separate"),
)
NEAR = (0.02, -0.04, 0.07, "cannot separate")


@pytest.mark.parametrize(
    ("claim", "found", "verdict"),
    [
        ("above: gamma", SEPARATED, "supported"),
        (
            "above: gamma",
            OVERLAP,
            "cannot separate",
        ),  # the interval leaves out 0, the house does not separate
        ("above: gamma", NEAR, "cannot separate"),
        ("above: gamma", BELOW, "contradicted"),
        ("above: gamma", (-0.31, -0.47, -0.13, "cannot separate"), "cannot separate"),
        ("above: gamma, by: 0.10", SEPARATED, "supported"),
        ("above: gamma, by: 0.13", SEPARATED, "supported"),
        ("above: gamma, by: 0.14", SEPARATED, "cannot separate"),
        ("above: gamma, by: 0.48", SEPARATED, "contradicted"),
        ("above: gamma, by: 0.10", OVERLAP, "cannot separate"),  # a stronger claim falls with the weaker
        ("above: gamma, by: 0.10", NEAR, "contradicted"),
        ("not_worse_than: gamma, by: 0.05", NEAR, "supported"),
        ("not_worse_than: gamma, by: 0.04", NEAR, "cannot separate"),
        ("not_worse_than: gamma, by: 0.10", BELOW, "contradicted"),
        ("not_worse_than: gamma, by: 0.20", BELOW, "cannot separate"),
        ("separated_from: gamma", SEPARATED, "supported"),
        ("separated_from: gamma", BELOW, "supported"),
        ("separated_from: gamma", NEAR, "cannot separate"),  # never contradicted: no pack shows equality
    ],
)
def test_a_difference_is_judged_by_its_whole_interval_and_the_house(claim, found, verdict):
    assert judged(f"{{{SECURITY}, {claim}}}", pair(*found)).verdict == verdict


def test_the_claimed_arm_is_first_whichever_way_the_report_has_it():
    claim = "{metric: attempts.security, of: gamma, above: alpha}"
    found = judged(claim, BOTH)
    assert found.verdict == "contradicted"
    assert [e.group for e in found.estimates] == [GAMMA.group, ALPHA.group]
    assert found.comparison is not None
    assert (found.comparison.a, found.comparison.difference) == ("gamma", -0.31)


def test_not_worse_looks_the_other_way_where_less_is_better():
    a, b = (replace(e, metric="attack_success", polarity="against") for e in (ALL_OF_ALPHA, ALL_OF_GAMMA))
    claim = "{metric: attempts.attack_success, of: alpha, not_worse_than: gamma, by: 0.05}"
    for low, high, verdict in (
        (-0.07, 0.04, "supported"),
        (-0.04, 0.07, "cannot separate"),
        (0.06, 0.1, "contradicted"),
    ):
        found = compared(a, b, (low + high) / 2, low, high, "cannot separate")
        assert judged(claim, report((a, b), (found,))).verdict == verdict


def test_context_is_neither_better_nor_worse():
    a, b = (replace(e, polarity="neither") for e in (ALPHA, GAMMA))
    with pytest.raises(ClaimError, match="neither more of it nor less is better"):
        judged(f"{{{SECURITY}, not_worse_than: gamma, by: 0.1}}", report((a, b), (samples.SEPARATED,)))


def test_fewer_than_fifteen_valid_runs_decide_nothing():
    found = pair(0.02, -0.04, 0.07, "cannot separate", against=(NotSeparated.FEW_RUNS, NotSeparated.OVERLAP))
    assert judged(f"{{{SECURITY}, above: gamma, by: 0.10}}", found).verdict == "cannot separate"


def with_unknown(model: str, n: int, N: int, unknown: int, **more: Any):
    return samples.plain("security", n, N, unknown=unknown, model=model, **more)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [  # 130/165 and 35 unknown against 150/200: 130/200 less 150/200 is -0.10 at worst, 165/200 less it 0.075
        ("not_worse_than: beta, by: 0.05", "cannot separate"),
        ("not_worse_than: beta, by: 0.09", "cannot separate"),
        ("not_worse_than: beta, by: 0.11", "supported"),
        ("above: beta, by: 0.12", "contradicted"),  # 0.075 at best
    ],
)
def test_not_worse_is_held_to_the_worst_case_however_few_are_unknown(claim, verdict):
    a, b = with_unknown("alpha", 130, 165, 35), with_unknown("beta", 150, 200, 0)
    assert a.headline == "point"
    found = judged(
        f"{{{SECURITY}, {claim}}}",
        report((a, b), (compared(a, b, 130 / 165 - 0.75, -0.03, 0.11, "cannot separate"),)),
    )
    assert found.verdict == verdict
    assert found.worst == pytest.approx(-0.10)
    if verdict == "cannot separate":
        assert found.reason == "what is not known could turn it around"
        assert found.flip().words == "Verdicts for 35 attempts of which none is known."


def test_a_margin_is_not_contradicted_where_what_is_not_known_could_reach_it():
    a, b = with_unknown("alpha", 130, 165, 35), with_unknown("beta", 150, 200, 0)
    reports = report((a, b), (compared(a, b, 0.04, -0.03, 0.05, "cannot separate"),))
    # 165/200 less 150/200 is 0.075 at best
    for by, verdict in ((0.06, "cannot separate"), (0.08, "contradicted")):
        assert judged(f"{{{SECURITY}, above: beta, by: {by}}}", reports).verdict == verdict


def test_the_worst_case_of_less_is_better_counts_every_unknown_as_a_breach():
    a, b = (
        replace(e, metric="attack_success", polarity="against")
        for e in (with_unknown("alpha", 35, 165, 35), with_unknown("beta", 50, 200, 0))
    )
    claim = "{metric: attempts.attack_success, of: alpha, not_worse_than: beta, by: 0.05}"
    found = judged(claim, report((a, b), (compared(a, b, 35 / 165 - 0.25, -0.11, 0.03, "cannot separate"),)))
    assert found.verdict == "cannot separate"
    assert found.worst == pytest.approx(70 / 200 - 50 / 200)


@pytest.mark.parametrize(
    ("by", "verdict"), [(0.04, "cannot separate"), (0.06, "supported"), (0.005, "cannot separate")]
)
def test_means_are_held_to_the_other_denominators_of_their_comparison(by, verdict):
    # they have no bounds; with the unknown counted as 0 the difference is -0.05
    a, b = (
        replace(e, bounds=None, headline="point")
        for e in (with_unknown("alpha", 130, 165, 35), with_unknown("beta", 150, 200, 0))
    )
    told = recounts(
        ("unknown counted against", "cannot separate", -0.05), ("unknown counted for", "a above b", 0.06),
        (Denominator.ALL_PLANNED, "cannot separate", -0.5),  # runs never recorded are no attempts
    )  # fmt: skip
    found = compared(a, b, 0.04, -0.01, 0.09, "cannot separate", sensitivity=told)
    assert (
        judged(f"{{{SECURITY}, not_worse_than: beta, by: {by}}}", report((a, b), (found,))).verdict == verdict
    )
    many = replace(a, unknown=60)
    again = judged(f"{{{SECURITY}, not_worse_than: beta, by: 0.06}}", report((many, b), (found,)))
    assert (again.verdict, again.worst) == ("cannot separate", None)
    assert again.flip().words == "Values for 60 attempts of which none is known."


def test_unknown_verdicts_can_turn_a_difference_around():
    many = with_unknown("gamma", 33, 60, 22)
    found = report((ALPHA, many), (compared(ALPHA, many, 0.31, 0.13, 0.47, "a above b"),))
    claim = f"{{{SECURITY}, above: gamma, by: 0.10}}"
    assert judged(claim, found).verdict == "cannot separate"  # 50/72 less 55/82 is 0.02
    assert judged(claim, found).worst == pytest.approx(50 / 72 - 55 / 82)
    assert judged(f"{{{SECURITY}, above: gamma, by: 0.01}}", found).verdict == "supported"


@pytest.mark.parametrize("unknown", [10, 11])
def test_a_cost_of_which_over_a_fifth_is_not_known_decides_nothing(unknown):
    known = replace(money("alpha", 0.61, 0.44, 0.82, 40), family="attempts", experiment="gh-2026")
    cost = replace(known, n=40, known=40, unknown=unknown, N=40 + unknown)
    found = judged("{metric: attempts.cost, of: alpha, below: 2.50, unit: USD}", report((cost,)))
    if unknown == 10:  # 10 of 50 are a fifth, and no more
        assert found.verdict == "supported"
    else:
        assert (found.verdict, found.worst) == ("cannot separate", None)
        assert found.reason == "over a fifth is not known, and what those runs came to could be anything"
        assert found.flip().words == "Values for 11 attempts of which none is known."


# --------------------------------------------------------------------------- what is no evidence at all


def test_what_a_failed_control_withholds_is_inadmissible():
    hidden = [withheld(e, samples.SANITY_FAILED) for e in (ALPHA, GAMMA)]
    c = replace(
        samples.SEPARATED,
        difference=None,
        interval=Interval.none(ByControl(samples.SANITY_FAILED)),
        judged=judged_as("not comparable", ByControl(samples.SANITY_FAILED)),
    )
    for claim in ("above: gamma", "at_least: 0.5"):
        found = judged(f"{{{SECURITY}, {claim}}}", report(hidden, (c,)))
        assert found.verdict == "inadmissible"
        assert found.reason == "withheld: negative control failed: 3 of 12 did not fail"
        assert (
            found.flip().words
            == "Graders that fail on the pristine build, and every run scored anew with them."
        )


def test_a_missing_control_makes_a_number_no_evidence():
    missing = replace(NEGATIVE, state="missing", detail="was not recorded")
    elsewhere = replace(missing, metrics=("utility",))
    assert (
        judged(f"{{{SECURITY}, at_least: 0.5}}", report((ALPHA,), controls=(missing,))).verdict
        == "inadmissible"
    )
    assert (
        judged(f"{{{SECURITY}, at_least: 0.5}}", report((ALPHA,), controls=(elsewhere,))).verdict
        == "supported"
    )


def test_a_claim_stands_without_an_optional_control_and_says_so_but_never_with_one_that_failed():
    missing = replace(NEGATIVE, state="missing", detail="was not recorded", gate="optional")
    claim = f"{{{SECURITY}, at_least: 0.5}}"
    found = judged(claim, report((ALPHA,), controls=(missing,)))
    assert (found.verdict, found.unguarded) == ("supported", (missing,))
    assert judged(claim, report((ALPHA,), controls=(replace(missing, gate=None),))).verdict == "inadmissible"
    both = (missing, replace(missing, name="other", gate=None))
    assert judged(claim, report((ALPHA,), controls=both)).verdict == "inadmissible"


@pytest.mark.parametrize(
    ("stratum", "why"),
    [({"evaluator": "assertion"}, "asserted, not measured"), ({"split": "probe"}, "probe items only")],
)
def test_an_assertion_and_a_probe_item_are_no_evidence(stratum, why):
    e = replace(ALPHA, stratum=Keys(stratum))
    found = judged(f"{{{SECURITY}, at_least: 0.5}}", report((e,)))
    assert found.verdict == "inadmissible"
    assert found.reason.startswith(why)


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"contract": V1}, ("contract", V2.digest, V1.digest)),
        ({"pack": digest("aaaaaaaa")}, ("pack", ALPHA.pack, digest("aaaaaaaa"))),
        ({"data_digest": digest("bbbbbbbb")}, ("data", ALPHA.data_digest, digest("bbbbbbbb"))),
    ],
)
def test_two_experiments_are_not_compared_and_both_digests_are_told(other, what):
    before = replace(ALPHA, experiment="gh-2025", **other)
    reports = report((ALPHA,)), report((before,), experiment="gh-2025")
    found = judged(
        "{metric: gh-2026/attempts.security, of: alpha, above: alpha, in: experiment=gh-2025}", *reports
    )
    assert found.verdict == "inadmissible"
    assert found.differs is not None
    assert (found.differs.what, found.differs.first, found.differs.second) == what


def test_two_arms_that_share_no_stratum_are_not_compared():
    there = replace(
        GAMMA,
        stratum=Keys({"condition": "attack:issue", "contract": "v1", "evaluator": "measured"}),
        contract=V1,
    )
    found = judged(f"{{{SECURITY}, above: gamma}}", report((ALPHA, there)))
    assert found.verdict == "inadmissible"
    assert found.differs is not None
    assert (found.differs.first, found.differs.second) == (V2.digest, V1.digest)


def test_the_other_side_must_stand_elsewhere():
    with pytest.raises(ClaimError, match="names nothing by which the two sides are kept apart"):
        judged(f"{{{SECURITY}, above: gamma, in: experiment=gh-2026}}", BOTH)


def accepted(date: str = "2026-07-20") -> Decision:
    return decided(CLAIM, status="accepted", more=f"date: {date}\ndeciders: [a group]\n")


def test_an_instrument_that_changed_since_it_was_accepted_needs_another_look():
    then = judge_decision(accepted(), Index([BOTH])).to_json()
    assert then["claims"][0]["contracts"] == [V2.digest]
    now = Index([report([replace(ALPHA, contract=V1)])])
    found = judge_decision(accepted(), now, published=then).claims[0]
    assert (found.verdict, found.changed) == ("inadmissible", True)
    assert found.differs is not None
    assert (found.differs.what, found.differs.first, found.differs.second) == (
        "contract",
        V2.digest,
        V1.digest,
    )
    assert judge_decision(accepted(), Index([BOTH]), published=then).claims[0].verdict == "supported"
    equal = judge_decision(
        accepted(), now, published=then, known_revisions=[frozenset({V1.digest, V2.digest})]
    )
    assert equal.claims[0].verdict == "supported"
    assert (
        judge_decision(accepted("2026-08-01"), now, published=then).claims[0].verdict == "supported"
    )  # accepted anew
    reopened = replace(accepted(), status="reopened")
    assert judge_decision(reopened, now, published=then).claims[0].verdict == "supported"


def test_a_pack_that_moved_needs_another_look():
    then = judge_decision(accepted(), Index([BOTH])).to_json()
    now = Index([report([replace(ALPHA, pack=digest("aaaaaaaa"))])])
    found = judge_decision(accepted(), now, published=then).claims[0]
    assert (found.verdict, found.reason) == ("inadmissible", "pack changed since it was accepted")


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [(None, "aaaaaaaa", ("none", digest("aaaaaaaa"))), ("aaaaaaaa", None, (digest("aaaaaaaa"), "none"))],
)
def test_a_pack_that_came_or_went_moved_too(before, now, told):
    then, since = (replace(ALPHA, pack=None if p is None else digest(p)) for p in (before, now))
    kept = judge_decision(accepted(), Index([report([then])])).to_json()
    found = judge_decision(accepted(), Index([report([since])]), published=kept).claims[0]
    assert (found.verdict, found.changed) == ("inadmissible", True)
    assert found.differs is not None
    assert (found.differs.what, found.differs.first, found.differs.second) == ("pack", *told)
    assert (
        judge_decision(accepted(), Index([report([then])]), published=kept).claims[0].verdict == "supported"
    )


def test_an_instrument_that_is_no_longer_there_moved_too():
    kept = judge_decision(accepted(), Index([BOTH])).to_json()
    kept["claims"][0]["contracts"].append(V1.digest)
    found = judge_decision(accepted(), Index([BOTH]), published=kept).claims[0]
    assert found.differs is not None
    assert (found.verdict, found.differs.first) == ("inadmissible", V1.digest)


def test_a_claim_that_rested_on_nothing_has_nothing_that_could_move():
    awaited = "{metric: attempts.security, of: alpha, at_least: 0.70, awaited: true}"
    d = decided(awaited, status="accepted", more="date: 2026-07-20\ndeciders: [a group]\n")
    kept = judge_decision(d, Index([report([BETA])])).to_json()
    assert kept["claims"][0]["verdict"] == "no data"
    assert judge_decision(d, Index([BOTH]), published=kept).claims[0].verdict == "supported"


def test_a_status_that_cannot_follow_is_refused_when_it_is_judged():
    then = judge_decision(accepted(), Index([BOTH])).to_json()
    with pytest.raises(ClaimError, match="accepted in an earlier edition, and now proposed"):
        judge_decision(decided(CLAIM), Index([BOTH]), published=then)


# ------------------------------------------------------------------------------------- no data, or a mistake


def test_fewer_than_eight_known_runs_are_no_data():
    for claim in ("at_least: 0.5", "separated_from: gamma"):
        c = replace(
            compared(FEW, GAMMA, 0.0, -0.1, 0.1, "cannot separate"),
            difference=None,
            interval=Interval.none(NoInterval.TOO_FEW),
        )
        found = judged(f"{{metric: attempts.security, of: few, {claim}}}", report((FEW, GAMMA), (c,)))
        assert found.verdict == "no data"
        assert found.reason == "fewer than 8 known runs of few"
        assert found.flip().words == "2 more known runs of few: then there is an interval to judge by."


def test_an_arm_that_others_know_was_not_run_here():
    there = report((replace(BETA, experiment="gh-2025"),), experiment="gh-2025")
    claim = "{metric: gh-2026/attempts.security, of: beta, at_least: 0.5}"
    assert judged(claim, report((ALPHA,)), there).verdict == "no data"


@pytest.mark.parametrize(
    ("claim", "nearest"),
    [
        ("{metric: attempts.security, of: alpa, at_least: 0.5}", "alpha"),
        ("{metric: attempts.securty, of: alpha, at_least: 0.5}", "attempts.security"),
        ("{metric: gh-2027/attempts.security, of: alpha, at_least: 0.5}", "gh-2026"),
        ("{metric: attempts.security, of: alpha, above: gama}", "gamma"),
        ("{metric: attempts.security colour=red, of: alpha, at_least: 0.5}", "condition"),
        ("{control: santy, experiment: gh-2026}", "sanity"),
        ("{control: sanity, experiment: gh-2025}", "gh-2026"),
    ],
)
def test_a_name_that_nobody_knows_is_a_mistake(claim, nearest):
    with pytest.raises(ClaimError) as error:
        judged(claim, BOTH)
    assert nearest in error.value.hint
    assert error.value.where.startswith("decisions/send-it.md:5")


def test_a_name_that_nobody_knows_may_be_awaited():
    claim = "{metric: attempts.security, of: epsilon, at_least: 0.5, awaited: true}"
    assert judged(claim, BOTH).verdict == "no data"


def test_what_two_experiments_answer_is_a_mistake_and_no_lack_of_data():
    there = report((replace(ALPHA, experiment="gh-2025"),), experiment="gh-2025")
    with pytest.raises(ClaimError, match="2 experiments hold this"):
        judged(f"{{{SECURITY}, at_least: 0.5}}", report((ALPHA,)), there)


def test_a_claim_that_would_pool_is_refused():
    benign = replace(ALPHA, stratum=Keys({"condition": "benign", "evaluator": "measured"}))
    with pytest.raises(PoolingError, match="would pool 2 strata"):
        judged(f"{{{SECURITY}, at_least: 0.5}}", report((ALPHA, benign)))


@pytest.mark.parametrize(
    ("state", "verdict"),
    [
        ("held", "supported"),
        ("failed", "contradicted"),
        ("missing", "no data"),
        ("not applicable", "no data"),
    ],
)
def test_a_control_can_be_claimed(state, verdict):
    found = judged(
        "{control: sanity, experiment: gh-2026}", report((), controls=(replace(NEGATIVE, state=state),))
    )
    assert found.verdict == verdict


# -------------------------------------------------------------------------------------- what would flip it


@pytest.mark.parametrize(
    ("claim", "way"),
    [
        ("at_least: 0.60", -1),
        ("at_least: 0.75", -1),
        ("at_most: 0.95", 1),
        ("at_least: 0.95", 1),
        ("at_most: 0.60", -1),
    ],
)
def test_verdicts_that_must_turn_are_counted(claim, way):
    found = judged(f"{{{SECURITY}, {claim}}}", BOTH)
    kind, line = claim.split(": ")
    x = float(line)

    def side(n: int) -> str:
        lo, hi = limits(n, 58)
        if kind == "at_least":
            return "supported" if lo >= x else "contradicted" if hi < x else "cannot separate"
        return "supported" if hi <= x else "contradicted" if lo > x else "cannot separate"

    assert side(50) == found.verdict
    k = next(k for k in range(59) if side(50 + way * k) != found.verdict)
    was, now = ("held", "breached") if way < 0 else ("breached", "held")
    assert found.flip().words == f"{k} of the 58 known verdicts turning from “{was}” to “{now}”."


@pytest.mark.parametrize(
    ("n", "N", "unknown", "claim", "verdict", "k"),
    [
        (48, 50, 20, "at_least: 0.55", "supported", 2),
        (50, 50, 20, "at_least: 0.55", "supported", 4),
        (95, 100, 40, "at_least: 0.55", "supported", 7),
        (5, 50, 20, "at_least: 0.60", "contradicted", 9),
        (2, 50, 20, "at_most: 0.45", "supported", 2),
    ],
)
def test_verdicts_that_must_turn_are_counted_at_the_bounds_too(n, N, unknown, claim, verdict, k):
    half = with_unknown("half", n, N, unknown)
    found = judged(f"{{metric: attempts.security, of: half, {claim}}}", report((half,)))
    assert (half.headline, found.verdict) == ("bounds", verdict)
    kind, x = claim.split(": ")[0], float(claim.split(": ")[1])

    def side(published: int) -> str:
        """Both intervals on one side: of the known, and with all unknown counted either way."""
        lo = min(limits(published, N)[0], limits(published, N + unknown)[0])
        hi = max(limits(published, N)[1], limits(published + unknown, N + unknown)[1])
        if kind == "at_least":
            return "supported" if lo >= x else "contradicted" if hi < x else "cannot separate"
        return "supported" if hi <= x else "contradicted" if lo > x else "cannot separate"

    down = (kind == "at_least") == (verdict == "supported")
    assert side(n) == verdict
    turned = next(k for k in range(N) if side(n - k if down else n + k) != verdict)
    was, now = ("held", "breached") if down else ("breached", "held")
    assert turned == k
    assert found.flip().words == f"{k} of the {N} known verdicts turning from “{was}” to “{now}”."


def test_of_repeated_tasks_it_is_tasks_that_turn():
    # 36 runs of 12 tasks, 11 at 1: 11/12 has 0.646 as its lower limit, 10/12 has 0.552, 9/12 has 0.468
    assert [round(limits(n, 12)[0], 3) for n in (11, 10, 9)] == [0.646, 0.552, 0.468]
    e = replace(samples.plain("pass_hat_k", 11, 12), known=36, of="tasks", bounds=None, also=())
    claim = "{metric: attempts.pass_hat_k, of: alpha, at_least: 0.50}"
    found = judged(claim, report((e,)))
    assert (found.verdict, found.flip().words) == ("supported", "At least 2 of 12 tasks coming out at 0.")
    open_ = judged("{metric: attempts.pass_hat_k, of: alpha, at_least: 0.70}", report((e,)))
    more = next(m for m in range(1, 99) if wilson_of(11 / 12, 12 + m)[0] >= 0.70)
    assert open_.flip().words == f"{more} more tasks that come out as these did: then it is supported."


def wilson_of(share: float, N: float) -> tuple[float, float]:
    lo, hi = proportion_confint(share * N, N, method="wilson")
    return float(lo), float(hi)


def test_a_mean_moves_by_no_more_than_one_run():
    # 24/30 as a mean of fractions: the lower limit falls below 0.60 at 23/30
    assert limits(24, 30)[0] > 0.60 > limits(23, 30)[0]
    e = replace(samples.plain("change", 110, 150), value=0.8, known=30, bounds=None, also=())
    e = replace(e, interval=samples.plain("change", 24, 30).interval, of="assertions")
    found = judged("{metric: attempts.change, of: alpha, at_least: 0.60}", report((e,)))
    assert found.flip().words == "At least 1 of 30 runs coming out at 0."


def test_runs_that_would_settle_it_are_counted():
    found = judged(f"{{{SECURITY}, at_least: 0.80}}", BOTH)
    assert found.verdict == "cannot separate"
    share = 50 / 58
    m = next(
        m
        for m in range(1, 10_000)
        if proportion_confint(share * (58 + m * 58 / 72), 58 + m * 58 / 72, method="wilson")[0] >= 0.80
    )
    assert found.flip().words == f"{m} more runs that come out as these did: then it is supported."


def test_a_rate_on_the_line_is_settled_by_no_number_of_runs():
    even = samples.plain("security", 30, 60)
    found = judged(f"{{{SECURITY}, at_least: 0.50}}", report((even,)))
    assert found.flip().words.startswith("More than 10\u202f000 more runs")


def bonett_price(only_a: int, only_b: int, N: int) -> tuple[float, float]:
    """Bonett and Price 2012: Wald on the counts with one task added each way."""
    p12, p21 = (only_a + 1) / (N + 2), (only_b + 1) / (N + 2)
    reach = 1.959963984540054 * sqrt((p12 + p21 - (p12 - p21) ** 2) / (N + 2))
    return p12 - p21 - reach, p12 - p21 + reach


def tasks(both: int, only_a: int, only_b: int, neither: int) -> dict[str, list[bool]]:
    rows = (
        [(True, True)] * both
        + [(True, False)] * only_a
        + [(False, True)] * only_b
        + [(False, False)] * neither
    )
    return {"alpha": [a for a, _ in rows], "gamma": [b for _, b in rows]}


def mcnemar_midp(only_a: int, only_b: int) -> float:
    """Twice the smaller tail of the discordant pairs, half of what was seen left out."""
    N, few = only_a + only_b, min(only_a, only_b)
    return float(min(1.0, 2 * binom.cdf(few, N, 0.5) - binom.pmf(few, N, 0.5)))


@one_in(3)
@pytest.mark.parametrize(
    ("claim", "counts"),
    [
        ("above: gamma", (10, 1, 24, 5)),
        ("above: gamma, by: 0.10", (20, 1, 9, 10)),
        ("above: gamma, by: 0.30", (20, 3, 4, 13)),
        ("not_worse_than: gamma, by: 0.05", (10, 1, 22, 7)),
        ("not_worse_than: gamma, by: 0.20", (10, 0, 24, 6)),
    ],
)
def test_contradicted_flips_as_soon_as_it_is_not_contradicted(claim, counts):
    published = tasks(*counts)
    found = judged(
        f"{{{SECURITY}, {claim}}}", samples.of_runs(published), runs=lambda _: samples.runs(published)
    )
    assert found.verdict == "contradicted"
    both, only_a, only_b, neither = counts
    N = sum(counts)
    line = float(claim.rpartition(": ")[2]) if "by" in claim else 0.0
    edge = -line if "not_worse" in claim else line

    def contradicted(to_both: int, to_a: int) -> bool:
        mine, theirs = only_a + to_a, only_b - to_both
        _, hi = bonett_price(mine, theirs, N)
        if line:
            return hi < edge
        apart = limits(both + mine + to_both, N)[1] < limits(both + only_b, N)[0]
        return hi < 0 and apart and mine + theirs >= 6 and mcnemar_midp(mine, theirs) <= 0.05

    assert contradicted(0, 0)
    k = next(
        k
        for k in range(1, N)
        if any(not contradicted(i, k - i) for i in range(k + 1) if i <= only_b and k - i <= neither)
    )
    runs = "1 run" if k == 1 else f"{k} runs"
    assert (
        found.flip().words
        == f"{runs} of alpha turning from “breached” to “held” in the same tasks would be enough."
    )


def test_contradicted_without_records_flips_where_the_near_limit_meets_the_line():
    # the upper limit, -0.13, is 0.03 from -0.10; the lower one does not matter
    found = judged(f"{{{SECURITY}, not_worse_than: gamma, by: 0.10}}", pair(*BELOW))
    assert found.verdict == "contradicted"
    assert found.flip().words == "A difference larger by 0.03 on the same tasks, at the spread they have."


def test_nothing_flips_it_where_all_runs_of_the_arm_do_not():
    published = tasks(
        30, 0, 9, 1
    )  # alpha at 1 throughout is 1 of 40 above: 0.122 at most, by Bonett and Price
    assert bonett_price(0, 9, 40)[1] < bonett_price(1, 0, 40)[1] < 0.125
    claim = f"{{{SECURITY}, above: gamma, by: 0.125}}"
    found = judged(claim, samples.of_runs(published), runs=lambda _: samples.runs(published))
    assert found.verdict == "contradicted"
    assert found.flip().words == "Nothing in this pack: gamma leaves too little room above it."
    gap = 0.125 - bonett_price(0, 9, 40)[1]  # at the spread they have it looks as if there were room
    unread = judged(claim, samples.of_runs(published))
    assert (
        unread.flip().words == f"A difference larger by {gap:.2f} on the same tasks, at the spread they have."
    )


@one_in(2)
@pytest.mark.parametrize(
    ("by", "counts"),
    [
        (None, (10, 24, 1, 5)),
        (None, (4, 30, 0, 6)),
        (0.10, (10, 24, 1, 5)),
        (0.20, (6, 30, 1, 3)),
    ],
)
def test_runs_that_must_turn_in_the_same_tasks_are_enough_and_fewer_are_not(by, counts):
    published = tasks(*counts)
    claim = f"{{{SECURITY}, above: gamma{'' if by is None else f', by: {by}'}}}"
    found = judged(claim, samples.of_runs(published), runs=lambda _: samples.runs(published))
    assert found.verdict == "supported"
    both, only_a, only_b, _ = counts
    N, line = sum(counts), by or 0.0

    def flipped(from_a: int, from_both: int) -> bool:
        mine, theirs = only_a - from_a, only_b + from_both
        lo, _ = bonett_price(mine, theirs, N)
        high, low = limits(both + mine - from_both, N)[0], limits(both + only_b, N)[1]
        unsure = lo <= 0 or high <= low or mine + theirs < 6 or mcnemar_midp(mine, theirs) > 0.05
        return unsure or lo < line

    k = next(
        k
        for k in range(1, N)
        if any(flipped(i, k - i) for i in range(k + 1) if i <= only_a and k - i <= both)
    )
    runs = "1 run" if k == 1 else f"{k} runs"
    assert (
        found.flip().words
        == f"{runs} of alpha turning from “held” to “breached” in the same tasks would be enough."
    )


def test_records_that_do_not_give_the_difference_are_not_counted_on():
    published = tasks(10, 24, 1, 5)
    fewer = {"alpha": published["alpha"][:-1], "gamma": published["gamma"]}
    found = judged(
        f"{{{SECURITY}, above: gamma}}", samples.of_runs(published), runs=lambda _: samples.runs(fewer)
    )
    lo, _ = bonett_price(24, 1, 40)
    apart = limits(34, 40)[0] - limits(11, 40)[1]  # the two intervals meet before the difference reaches 0
    assert 0 < apart < lo
    assert (
        found.flip().words
        == f"A difference smaller by {apart:.2f} on the same tasks, at the spread they have."
    )


def holm_reach(comparisons: int) -> float:
    """Standard errors that show a difference with 80 % power, at 0.05 over so many comparisons."""
    return float(norm.isf(0.025 / comparisons) + norm.isf(0.20))


def of_tasks(times: float, now: int) -> str:
    return (
        f"About {ceil(times * now)} tasks in common in place of {now}, if both are as far apart as they look"
    )


REACH = (50 / 58 - limits(50, 58)[0]) + (limits(48, 61)[1] - 48 / 61)
APART = (REACH / (50 / 58 - 48 / 61)) ** 2
"""How many times as many runs, until the intervals of alpha and beta no longer overlap."""


def test_tasks_that_would_settle_it_grow_with_the_square():
    # 12 tasks could have shown 0.19; it looks like 0.08; p went from 0.01 to 0.03, so Holm counts it thrice
    times = (0.19 / holm_reach(1) * holm_reach(3) / 0.08) ** 2
    assert times > APART
    found = judged(f"{{{SECURITY}, above: beta}}", BOTH)
    assert found.flip().words == of_tasks(times, 12) + "; Holm adjusts for 3 comparisons at once."


@pytest.mark.parametrize(
    ("claim", "found", "more", "flip"),
    [
        (  # clear of its margin, and the intervals overlap
            "above: beta, by: 0.01",
            (0.08, 0.02, 0.14),
            {"against": (NotSeparated.OVERLAP,)},
            of_tasks(APART, 12) + ".",
        ),
        (
            "separated_from: beta",
            (0.08, 0.02, 0.14),
            {"against": (NotSeparated.NOT_SIGNIFICANT,), "p": 0.02, "p_adjusted": 0.06},
            of_tasks((0.19 / holm_reach(1) * holm_reach(3) / 0.08) ** 2, 12)
            + "; Holm adjusts for 3 comparisons at once.",
        ),
        (
            "above: beta",
            (0.08, 0.02, 0.14),
            {"against": (NotSeparated.FEW_DISCORDANT,)},
            "6 tasks or more that one of the two alone gets done, on which the test rests: here are fewer.",
        ),
        (
            "above: beta",
            (0.08, 0.02, 0.14),
            {"against": (NotSeparated.REVERSES,)},
            "Verdicts for 25 attempts of which none is known.",
        ),
        (  # not worse needs no separation: only the line counts, which is 0.12 away
            "not_worse_than: beta, by: 0.10",
            (0.02, -0.12, 0.16),
            {"against": (NotSeparated.OVERLAP, NotSeparated.HOLDS_ZERO)},
            of_tasks((0.19 / 0.12) ** 2, 12) + ".",
        ),
        (  # below its margin: it is heading for contradicted, which no overlap hinders
            "above: beta, by: 0.20",
            (0.08, -0.08, 0.23),
            {"against": (NotSeparated.OVERLAP, NotSeparated.HOLDS_ZERO)},
            of_tasks((0.19 / 0.12) ** 2, 12) + ".",
        ),
        (
            "above: few",
            (0.08, -0.08, 0.23),
            {"against": (NotSeparated.FEW_RUNS, NotSeparated.OVERLAP)},
            "5 more known runs of few: with fewer than 15 nothing is separated.",
        ),
    ],
)
def test_what_stands_in_the_way_is_told_first(claim, found, more, flip):
    ten = samples.plain("security", 7, 10, model="few")
    few = "few" in claim
    alpha, beta = samples.plain("security", 50, 58), samples.plain("security", 48, 61, model="beta")
    if NotSeparated.REVERSES in more["against"]:
        alpha, beta = ALPHA, BETA
    other = ten if few else beta
    c = compared(alpha, other, *found, "cannot separate", **more)
    told = judged(f"{{{SECURITY}, {claim}}}", report((alpha, other), (c,)))
    assert told.verdict == "cannot separate"
    assert told.flip().words == flip


def test_where_the_other_arm_leaves_no_room_nothing_flips_it():
    # 0.033 of room above 58/60; the upper limit lies 0.12 below the line, so the difference must reach 0.04
    full = samples.plain("security", 58, 60, model="gamma")
    c = compared(ALL_OF_ALPHA, full, -0.08, -0.2, -0.02, "cannot separate")
    found = judged(f"{{{SECURITY}, above: gamma, by: 0.10}}", report((ALL_OF_ALPHA, full), (c,)))
    assert (found.verdict, found.flip().words) == (
        "contradicted",
        "Nothing in this pack: gamma leaves too little room above it.",
    )


def test_the_median_flips_by_rank():
    cost = replace(money("alpha", 0.61, 0.44, 0.82, 40), family="attempts")
    found = judged(
        "{metric: attempts.cost, of: alpha, below: 1, unit: USD}", report((cost,), experiment=cost.experiment)
    )
    known = cost.known
    rank = max(k for k in range(1, known) if binom.cdf(k - 1, known, 0.5) <= 0.025)
    assert found.flip().words == f"{rank} of {known} runs at 1.00 USD or more, whatever the others come to."


# ------------------------------------------------------------------------------------------------ quotes


@pytest.mark.parametrize(
    ("words", "stands"),
    [
        ("left it out", True),
        ("I left  it out", False),
        ("i left it out", False),
        ("said alpha of “1”.", True),
        ('"task": "t01"', True),
        ("[redacted: token]", True),
        ("caf\u00e9", True),
        ("cafe\u0301", False),
        ('say "no"\nand go', True),
    ],
)
def test_a_quote_stands_there_byte_for_byte_or_not_at_all(words, stands):
    record = (
        '{"task": "t01", "output": "I left it out, said alpha of “1”.", "seen": ["[redacted: token]", '
        '"café"], '
        '"more": {"deep": "say \\"no\\"\\nand go"}}'
    )
    assert occurs(words, record.encode()) is stands


def test_quotes_are_looked_up_by_run_and_by_line():
    published = {"alpha": [True, False]}
    quotes = (
        'quotes:\n  - {text: "said alpha of", from: gh-2026/alpha-0}\n'
        '  - {text: said beta, from: "gh-2026/alpha.jsonl:2"}\n'
        "  - {text: a, from: gh-2026/nobody}\n  - {text: a, from: gh-2025/alpha-0}\n"
    )
    d = decided(CLAIM, more=quotes)
    records = cited([d], lambda name: samples.runs(published) if name == "gh-2026" else ())
    found = judge_decision(d, Index([BOTH]), records=records)
    assert [q.found for q in found.quotes] == [True, False, False, False]
    assert [q.record is not None for q in found.quotes] == [True, True, False, False]
    told = unsupported([found])
    assert [error.problem.split(" gh-")[0] for error in told] == [
        "quoted, but these words do not stand in",
        "quoted, but there is no record",
        "quoted, but there is no record",
    ]


# -------------------------------------------------------------------------------------- the gate, and JSON


def test_an_accepted_decision_must_be_borne_out():
    more = "date: 2026-07-20\ndeciders: [a group]\n"
    d = decided(
        CLAIM,
        f"{{{SECURITY}, at_least: 0.80}}",
        f"{{{SECURITY}, at_least: 0.95}}",
        status="accepted",
        more=more,
    )
    told = unsupported([judge_decision(d, Index([BOTH]))])
    assert len(told) == 2
    assert str(told[0]) == (
        "decisions/send-it.md:8: accepted, but “The security of alpha is at least 0.80.”: cannot separate, "
        "the interval holds the line (reopen it, give it the date on which it is accepted anew, or soften "
        "the claim)"
    )
    assert "contradicted" in str(told[1])
    assert unsupported([judge_decision(replace(d, status="reopened"), Index([BOTH]))]) == ()


def test_what_is_awaited_bears_nothing_out():
    claim = "{metric: attempts.security, of: epsilon, at_least: 0.5, awaited: true}"
    d = decided(claim, status="accepted", more="date: 2026-07-20\ndeciders: [a group]\n")
    (told,) = unsupported([judge_decision(d, Index([BOTH]))])
    assert "no data, no run with security of model epsilon yet" in str(told)


def test_an_edition_keeps_what_was_found():
    told = samples.everything().to_json()
    assert list(told) == ["slug", "title", "status", "date", "deciders", "claims", "quotes"]
    assert [c["verdict"] for c in told["claims"]] == [
        "supported",
        "cannot separate",
        "contradicted",
        "inadmissible",
        "no data",
        "inadmissible",
        "supported",
        "cannot separate",
        "supported",
        "supported",
    ]
    assert told["claims"][0]["estimates"] == [ALPHA.id, GAMMA.id]
    assert told["claims"][0]["packs"] == [ALPHA.pack]
    assert len({c["claim"] for c in told["claims"]}) == len(told["claims"])


# ------------------------------------------------------------------------- what the Writing page says of it


def test_every_key_claim_and_verdict_is_told_and_no_other():
    assert set(claim_text.FRONT) == set(DecisionFront.__struct_fields__)
    assert set(claim_text.CLAIMS) == set(parse.KINDS)
    assert set(claim_text.VERDICTS) == set(CLAIM_VERDICTS)


@pytest.mark.parametrize("key", claim_text.CLAIMS)
def test_every_claim_is_written_as_it_is_told(key):
    form, _ = claim_text.CLAIMS[key]
    text = f"---\ntitle: T\nstatus: proposed\nclaims:\n  - {form}\n---\n"
    (claim,) = read("decisions/a.md", text.encode()).claims
    assert claim.kind == parse.KINDS[key]


def test_what_was_reopened_may_be_accepted_on_the_same_day():
    more = ACCEPTED + "reopened: [{date: 2026-07-20, why: a}]\n"
    assert decided(CLAIM, status="accepted", more=more).reopened[-1].date == "2026-07-20"
    assert decided(CLAIM, status="reopened", more=more).status == "reopened"


@pytest.mark.parametrize(
    ("kind", "from_the_line_up", "up_to_the_line"),
    [
        ("at least", "supported", "cannot separate"),
        ("at most", "cannot separate", "supported"),
        ("below", "contradicted", "cannot separate"),
    ],
)
def test_a_limit_on_the_line_is_at_least_and_at_most_and_not_below(kind, from_the_line_up, up_to_the_line):
    claim = Claim(kind=kind, where="a.md:1", metric="f.m", line=0.5, unit="usd" if kind == "below" else "")
    assert (side_of(claim, 0.5, 0.9), side_of(claim, 0.1, 0.5)) == (from_the_line_up, up_to_the_line)


# ------------------------------------------------------------------------------- the two rules of separation


SAME_TASKS = compared(ALPHA, GAMMA, 0.31, 0.13, 0.47, "cannot separate", against=(NotSeparated.OVERLAP,))


@pytest.mark.parametrize("claim", ["above: gamma", "separated_from: gamma"])
def test_what_the_same_tasks_alone_tell_apart_bears_a_claim_only_where_it_says_so(claim):
    reports = report((ALPHA, GAMMA), (SAME_TASKS,))
    strict = judged(f"{{{SECURITY}, {claim}}}", reports)
    assert (strict.verdict, strict.why) == ("cannot separate", Why.SAME_TASKS_ONLY)
    assert strict.reason == "the same tasks alone tell the two apart, and their own intervals overlap"
    paired = judged(f"{{{SECURITY}, {claim}, separation: paired}}", reports)
    assert paired.verdict == "supported"
    assert paired.claim.identity == f"{strict.claim.identity} · separation paired"
    assert "by the difference on the same tasks alone" in paired.claim.text
    experiment = judged(f"{{{SECURITY}, {claim}}}", report((ALPHA, GAMMA), (SAME_TASKS.under("paired"),)))
    assert experiment.verdict == "supported"


def test_only_claims_that_need_a_separation_may_choose_its_rule():
    for claim in ("not_worse_than: gamma, by: 0.1", "at_least: 0.5"):
        with pytest.raises(ClaimError, match="separation"):
            judged(f"{{{SECURITY}, {claim}, separation: paired}}", report((ALPHA, GAMMA), (SAME_TASKS,)))
    with pytest.raises(ClaimError, match="separation"):
        judged(f"{{{SECURITY}, above: gamma, separation: strict}}", report((ALPHA, GAMMA), (SAME_TASKS,)))


def test_the_csv_of_claims_gives_the_interval_that_decides() -> None:
    found = share("security", 50, 58, unknown=30)
    claim = samples.judged("{metric: attempts.security, of: alpha, at_least: 0.2}", samples.report([found]))
    made = claim_words.csv([claim])
    (row,) = (dict(zip(made.header, cells, strict=True)) for cells in made.rows)
    around = next(interval for _, interval in found.also if interval.at_the_bounds)
    assert found.bounds is not None
    assert row["leads"] == found.headline == "bounds"
    assert [row["bounds_lo"], row["bounds_hi"]] == [str(bound) for bound in found.bounds]
    assert [row["around_lo"], row["around_hi"]] == [str(around.lo), str(around.hi)]
