"""What would flip a claim is taken over only for the same claim on the same files of its experiments."""

from __future__ import annotations

from msgspec.structs import replace

from site_src.build_cache.kept_flips import KeptFlips
from site_src.decisions import Flip, JudgedDecision
from tests.support import decision_samples


def asked(kept: KeptFlips, decision: JudgedDecision) -> tuple[list[Flip], int]:
    """What is said of each claim, and how many were found now."""
    found: list[Flip] = []

    def find() -> Flip:
        found.append(Flip(f"{len(found)} runs", len(found)))
        return found[-1]

    claims = tuple(replace(claim, find_flip=find) for claim in decision.claims)
    (of_kept,) = kept.of([replace(decision, claims=claims)])
    return [claim.flip() for claim in of_kept.claims], len(found)


def test_an_answer_is_found_once_for_a_claim_and_the_files_of_its_experiments() -> None:
    decision = decision_samples.everything()
    names = {e.experiment for claim in decision.claims for e in claim.estimates}
    digests = dict.fromkeys(names, "one")
    first = KeptFlips()
    first.begin(digests, {})
    said, found = asked(first, decision)
    assert found > 1
    same, other, unknown = KeptFlips(), KeptFlips(), KeptFlips()
    same.begin(digests, first.kept())
    assert asked(same, decision) == (said, 0)
    assert same.kept() == first.kept()
    other.begin(dict.fromkeys(names, "two"), first.kept())
    assert asked(other, decision)[1] >= sum(bool(claim.estimates) for claim in decision.claims) > 0
    unknown.begin({}, first.kept())
    assert asked(unknown, decision)[1] >= sum(bool(claim.estimates) for claim in decision.claims)


def test_how_an_answer_is_found_is_no_part_of_what_is_asked_for() -> None:
    """The key is by what a claim says, and the same in every process: no address of a function is in it."""
    claims = decision_samples.everything().claims
    one, other = (
        tuple(replace(c, find_flip=find) for c in claims) for find in (lambda: Flip("a"), lambda: Flip("b"))
    )
    assert one == other
    assert [*map(repr, one)] == [*map(repr, other)]
    assert [claim for claim in map(repr, one) if " at 0x" in claim] == []
