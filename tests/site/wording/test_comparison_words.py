"""Comparisons in words: the three outcomes, each in a sentence that is true by both rules."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from metrics_core.results.codes import (
    ByControl,
    FewInCommon,
    Method,
    NoInterval,
    NoSmallestDifference,
    NotSeparated,
    WorstTakesInZero,
)
from metrics_core.results.comparison import Comparison
from metrics_core.results.interval import Interval
from metrics_core.results.separation import SeparationVerdict, SmallestDifference
from site_src.wording.comparisons import (
    because,
    deciding_intervals,
    outcome,
    pair,
    sentence,
    smallest,
    smallest_note,
    verdict,
)
from site_src.wording.first_lines import pairs_sentence
from site_src.wording.spans import Span, text
from tests.support import figure_samples as samples
from tests.support.decision_samples import SANITY_FAILED


def compared(lo: float, value: float, hi: float, *against: Any, **more: Any) -> Comparison:
    """alpha less beta, on 50 tasks."""
    above = "a" if lo > 0 else "b" if hi < 0 else None
    unpaired = more.pop("unpaired", False)
    judged = SeparationVerdict(
        above=above,  # type: ignore[arg-type]
        against=against, overlap=NotSeparated.OVERLAP in against, unpaired=unpaired,
    )  # fmt: skip
    told: dict[str, Any] = {
        "a": "alpha", "b": "beta", "difference": value, "judged": judged,
        "paired_on": None if unpaired else 50,
        "interval": Interval(lo=lo, hi=hi, method=Method.PAIRED_T), "p": 0.0028, "p_adjusted": 0.0028,
        "holm_size": 1, "pack": None, "polarity": "for", "unit": "fraction",
    }  # fmt: skip
    return replace(samples.COMPARISONS[0], **told | more)


ON_THE_SAME = compared(-0.2403, -0.1467, -0.0531, NotSeparated.OVERLAP)
APART = compared(0.13, 0.31, 0.47)
HELD = (NotSeparated.OVERLAP, NotSeparated.HOLDS_ZERO, NotSeparated.NOT_SIGNIFICANT)
CANNOT = compared(-0.05, 0.06, 0.17, *HELD)


CANNOT_YET = "These runs cannot separate alpha and beta by their own intervals yet; on the same 50 tasks "
BETTER = "beta did better by 14.7 points [5.3, 24.0], p 0.003"
THAN = "alpha did better than beta by 31.0 points [13.0, 47.0], p 0.003, and their own intervals are apart"
REFUSED = replace(
    compared(-0.1, 0.0, 0.1, FewInCommon(6)),
    difference=None, interval=Interval.none(FewInCommon(6)), p=None, p_adjusted=None,
)  # fmt: skip


@pytest.mark.parametrize(
    ("c", "said"),
    [
        (replace(ON_THE_SAME, pack="sha256:1"), CANNOT_YET.replace("These runs", "The pack") + BETTER),
        (
            replace(ON_THE_SAME, p_adjusted=0.018, holm_size=12),
            CANNOT_YET + BETTER.replace("0.003", "0.018 after Holm over 12 comparisons"),
        ),
        (
            replace(ON_THE_SAME, remarks=(WorstTakesInZero("beta"),)),
            CANNOT_YET + BETTER + "; in the worst case for beta the interval takes in 0",
        ),
        # more of it is worse: beta has more, so alpha did better
        (replace(ON_THE_SAME, polarity="against"), CANNOT_YET + BETTER.replace("beta", "alpha")),
        (replace(ON_THE_SAME, unit="F1"), CANNOT_YET + "beta did better by 0.15 [0.05, 0.24], p 0.003"),
        (
            ON_THE_SAME.under("paired"),
            BETTER.replace("beta did better", "On the same 50 tasks beta did better than alpha")
            + "; their own intervals overlap, and the paired rule decides here",
        ),
        (APART, f"On the same 50 tasks {THAN}"),
        (compared(0.13, 0.31, 0.47, unpaired=True), f"On different tasks {THAN}"),
        (CANNOT, "These runs cannot separate alpha and beta yet: +0.06 [−0.05, +0.17] holds 0"),
        (REFUSED, "These runs cannot separate alpha and beta yet: 6 tasks in common, 8 needed"),
    ],
)
def test_each_outcome_in_a_sentence(c: Comparison, said: str) -> None:
    assert text(sentence(c)) == said
    first = said[0].lower() + said[1:]
    assert text(sentence(c, on=(Span("change"),))) == f"On change, {first}"


def test_both_ways_round_say_the_same() -> None:
    for c in (ON_THE_SAME, APART, ON_THE_SAME.under("paired")):
        told = text(sentence(c.reversed()))
        assert told.replace("beta and alpha", "alpha and beta") == text(sentence(c))
        assert (outcome(c.reversed()), pair(c.reversed()), because(c.reversed())) == (
            outcome(c), pair(c), because(c),
        )  # fmt: skip


@pytest.mark.parametrize(
    ("c", "word", "who", "why"),
    [
        (APART, "separated", "alpha over beta", ""),
        (compared(0.13, 0.31, 0.47, unpaired=True), "separated on different tasks", "alpha over beta", ""),
        (ON_THE_SAME, "same tasks only", "beta over alpha", "p 0.003; own intervals overlap"),
        (CANNOT, "cannot separate", "alpha and beta", "+0.06 [−0.05, +0.17] holds 0"),
        (
            compared(-0.24, -0.1, -0.02, NotSeparated.OVERLAP, NotSeparated.NOT_SIGNIFICANT, p_adjusted=0.08,
                     holm_size=6),
            "cannot separate", "beta and alpha", "p 0.080 after Holm over 6 comparisons",
        ),
        (
            compared(0.02, 0.1, 0.2, NotSeparated.OVERLAP, NotSeparated.REVERSES),
            "cannot separate", "alpha and beta", "the worst-case filling of what is not known reverses it",
        ),
        (
            replace(APART, difference=None, interval=Interval.none(NoInterval.NOT_COMPARABLE),
                    judged=samples.judged("not comparable", ByControl(SANITY_FAILED))),
            "not compared", "alpha and beta", "withheld: negative control failed: 3 of 12 did not fail",
        ),
    ],
)  # fmt: skip
def test_the_line_beside_a_drawing(c: Comparison, word: str, who: str, why: str) -> None:
    assert (outcome(c), pair(c), because(c)) == (word, who, why)


@pytest.mark.parametrize("reason", [r for r in NotSeparated if r is not NotSeparated.HOLDS_ZERO])
def test_what_leaves_out_0_and_is_not_separated_always_says_why(reason: NotSeparated) -> None:
    assert because(compared(0.02, 0.1, 0.2, reason))


def test_a_difference_of_nothing_shown_is_never_said_to_be_0_points() -> None:
    told = text(sentence(compared(0.0001, 0.0004, 0.0007)))
    assert "by 0.04 points [0.01, 0.07]" in told


def test_where_bounds_are_drawn_the_intervals_that_decide_are_named() -> None:
    """The bounds of the two do not meet, the intervals of what is known do: these are told."""
    alpha = replace(
        samples.share("security", 4, 15, unknown=7, model="alpha"), headline="bounds",
        interval=Interval(lo=0.09, hi=0.82, method=Method.WILSON),
    )  # fmt: skip
    beta = replace(
        samples.share("security", 15, 15, unknown=7, model="beta"), headline="bounds",
        interval=Interval(lo=0.39, hi=0.999, method=Method.WILSON),
    )  # fmt: skip
    arms = {"alpha": alpha, "beta": beta}
    told = deciding_intervals([CANNOT], arms)
    assert told.endswith("the intervals of what is known: alpha [0.09, 0.82], beta [0.39, >0.99]")
    assert deciding_intervals([APART], arms) == told
    assert deciding_intervals([REFUSED], arms) == deciding_intervals([CANNOT.under("paired")], arms) == ""
    assert deciding_intervals([CANNOT], {"alpha": replace(alpha, headline="point")}) == ""


@pytest.mark.parametrize(
    ("found", "rule", "words"),
    [
        (SmallestDifference(paired=0.13, strict=0.2525, family=1), "overlap", "paired 0.13, strict 0.25"),
        (SmallestDifference(paired=0.13, strict=0.2525, family=1), "paired", "paired 0.13"),
        (
            SmallestDifference(
                paired=0.4, strict=None, family=3, why_not=NoSmallestDifference.NO_GAP, rough=True
            ),
            "overlap", "roughly paired 0.40, strict none",
        ),
        (
            SmallestDifference.none(NoSmallestDifference.DIFFERENT_TASKS),
            "overlap", "the two sides ran different tasks",
        ),
        (None, "overlap", ""),
    ],
)  # fmt: skip
def test_the_smallest_difference_is_told_for_the_rule_in_force(found: Any, rule: Any, words: str) -> None:
    c = replace(CANNOT, detectable=found).under(rule)
    assert smallest(c) == words
    assert ("not ruled out" in smallest_note([c])) == (found is not None and found.paired is not None)


def test_among_more_than_two_it_is_said_than_which_one_did_better() -> None:
    others = [replace(CANNOT, b="gamma"), replace(CANNOT, a="beta", b="gamma")]
    said = pairs_sentence([ON_THE_SAME, *others])
    assert "cannot separate any two of alpha, beta and gamma by their own intervals yet" in said
    assert "on the same 50 tasks beta did better than alpha by 14.7 points [5.3, 24.0], p 0.003" in said


def test_where_less_is_better_nobody_is_over_or_above() -> None:
    """alpha has the larger share of what is better rare: beta does better, in every form of words."""
    c = replace(APART, polarity="against")
    assert pair(c) == "beta better than alpha"
    assert verdict(c) == "beta better"
    said = pairs_sentence([c])
    assert said.endswith("beta does better than alpha")
    assert "(less is better)" in said


def test_a_sentence_hides_no_difference_that_leaves_out_0() -> None:
    """Among several pairs, one that separates nothing with a difference clear of 0 is told, and why."""
    near = compared(0.04, 0.30, 0.56, NotSeparated.OVERLAP, NotSeparated.NOT_SIGNIFICANT, p_adjusted=0.082)
    said = pairs_sentence([near, replace(CANNOT, b="gamma"), replace(CANNOT, a="beta", b="gamma")])
    assert "cannot separate any two of alpha, beta and gamma yet" in said
    assert "; alpha less beta, +0.30 [+0.04, +0.56], leaves out 0: p 0.082" in said
    assert "gamma, +0.06" not in said
