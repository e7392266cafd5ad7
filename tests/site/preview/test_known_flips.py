"""What would flip a claim is found out once while a preview runs, until its words or its runs change."""

from __future__ import annotations

from msgspec.structs import replace

from site_src.decisions import Flip, JudgedDecision
from site_src.preview.project import KnownFlips
from site_src.project import SiteExperiment
from tests.support import decision_samples, sample_site

DECISION = decision_samples.everything()
NAMES = sorted({e.experiment for claim in DECISION.claims for e in claim.estimates})
RESTING = sum(bool(claim.estimates) for claim in DECISION.claims)


def shown() -> list[SiteExperiment]:
    """An experiment of each name that the claims rest on, as a preview has it after measuring."""
    (some, *_) = sample_site.experiments()
    return [replace(some, report=replace(some.report, experiment=name)) for name in NAMES]


def asked(
    known: KnownFlips, decision: JudgedDecision, experiments: list[SiteExperiment]
) -> tuple[list[Flip], int]:
    """What is said of each claim, asked for twice, and how many were found now."""
    found: list[Flip] = []

    def find() -> Flip:
        found.append(Flip(f"{len(found)} runs", len(found)))
        return found[-1]

    claims = tuple(replace(claim, find_flip=find) for claim in decision.claims)
    (recalled,) = known([replace(decision, claims=claims)], experiments)
    said = [claim.flip() for claim in recalled.claims]
    assert [claim.flip() for claim in recalled.claims] == said
    return said, len(found)


def test_it_is_found_once_while_words_numbers_and_experiments_stay() -> None:
    known, experiments = KnownFlips(), shown()
    said, found = asked(known, DECISION, experiments)
    assert found == len(set(DECISION.claims)) > RESTING / 2 > 0
    assert asked(known, DECISION, experiments) == (said, 0)


def test_it_is_found_anew_where_an_experiment_was_measured_again() -> None:
    known = KnownFlips()
    asked(known, DECISION, shown())
    assert asked(known, DECISION, shown())[1] == len({c for c in DECISION.claims if c.estimates})


def test_it_is_found_anew_for_other_words_and_forgotten_where_no_claim_asks() -> None:
    known, experiments = KnownFlips(), shown()
    asked(known, DECISION, experiments)
    first, *others = DECISION.claims
    other = replace(first, claim=replace(first.claim, sentence="Put in another way."))
    assert asked(known, replace(DECISION, claims=(other, *others)), experiments)[1] == 1
    assert asked(known, DECISION, experiments)[1] == 1  # the first way of putting it was let go
    known([], experiments)
    assert asked(known, DECISION, experiments)[1] == len(set(DECISION.claims))
