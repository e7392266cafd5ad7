"""Decisions by how near they are to flipping: the fewest runs first, what is no number of runs last."""

from __future__ import annotations

from math import sqrt

from msgspec.structs import replace

from site_src.decisions import JudgedDecision, judge_decision, nearness, unsupported
from site_src.decisions.nearness import Standing, nearest_first
from site_src.references import Index
from tests.support.decision_samples import decided, everything, holding, plain, report

LEVEL = "{metric: attempts.security, of: alpha, at_least: 0.60}"
CONTROL = "{control: sanity, experiment: gh-2026}"


def lower(n: int, N: int = 100) -> float:
    """Wilson's lower 95 % limit as it stands in a textbook (Wilson 1927)."""
    p, z = n / N, 1.959964
    return (p + z * z / (2 * N) - z * sqrt(p * (1 - p) / N + z * z / (4 * N * N))) / (1 + z * z / N)


def fewest(n: int) -> int:
    return next(k for k in range(1, n) if lower(n - k) < 0.60)


def test_the_fewest_runs_stand_first_and_equal_ones_by_title() -> None:
    found = nearest_first(holding({"Far": 95, "Near": 72, "Between": 80, "A near one": 72}))
    assert [*found] == [Standing.HOLDS]
    rows = [(near.decision.decision.title, near.flip.runs) for near in found[Standing.HOLDS]]
    near, between, far = map(fewest, (72, 80, 95))
    assert near < between < far
    assert rows == [("A near one", near), ("Near", near), ("Between", between), ("Far", far)]
    assert found[Standing.HOLDS][2].flip.words.startswith(f"{between} of the 100 known verdicts turning")


def test_a_claim_that_no_number_of_runs_flips_is_nearest_only_where_it_stands_alone() -> None:
    index = Index((report((plain("security", 95, 100),)),))
    both, alone = (judge_decision(decided(*claims), index) for claims in ((CONTROL, LEVEL), (CONTROL,)))
    assert unsupported((both, alone)) == ()
    near, far = nearest_first((alone, both))[Standing.HOLDS]
    assert (near.decision, near.flip.runs) == (both, fewest(95))
    assert near.claim is both.claims[1]
    assert (far.decision, far.flip.runs) == (alone, None)
    assert far.flip.words == "A negative control that fails, when it is run anew."
    assert nearness.told([far]) == ""


def test_what_does_not_hold_is_apart_and_nearest_by_a_claim_that_does_not() -> None:
    open_ = everything()
    empty = replace(open_, decision=replace(open_.decision, title="Empty"), claims=())
    closed = replace(open_, decision=replace(open_.decision, status="superseded", superseded_by="other"))
    found = nearest_first((closed, empty, open_, *holding({"Holds": 95})))
    assert [*found] == [Standing.HOLDS, Standing.OPEN, Standing.CLOSED]
    near, last = found[Standing.OPEN]
    assert near.decision is open_
    assert near.claim is not None
    assert near.claim.verdict != "supported"
    loose = [c.flip().runs for c in open_.claims if c.verdict != "supported"]
    assert near.flip.runs == min(runs for runs in loose if runs is not None)
    assert (last.decision, last.flip.words) == (empty, "Nothing: it claims nothing that could flip.")
    assert found[Standing.CLOSED][0].claim is None


def test_without_a_decision_there_is_no_group_and_no_sentence() -> None:
    none: tuple[JudgedDecision, ...] = ()
    assert nearest_first(none) == {}
    assert nearness.told(()) == ""
