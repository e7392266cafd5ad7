"""Funnels: stamps and bounds of a stage."""

from __future__ import annotations

from tests.support.measured import by_id, measured
from tests.support.small_runs import run

ARTEFACT = "graded=assertions"


def test_a_stage_carries_the_stamps_of_its_own_runs() -> None:
    early = run("alpha", 1, stamp="2026-07-01T10:00:00Z")
    late = run("beta", 2, stamp="2026-07-31T10:00:00Z")
    found = by_id(measured("brownfield", [early, late]))
    spans = {
        group: found[f"stage?{group}stage=attempts&{ARTEFACT}"].stamps
        for group in ("", "model=alpha&", "model=beta&")
    }
    assert spans == {
        "": ("2026-07-01T10:00:00Z", "2026-07-31T10:00:00Z"),
        "model=alpha&": ("2026-07-01T10:00:00Z", "2026-07-01T10:00:00Z"),
        "model=beta&": ("2026-07-31T10:00:00Z", "2026-07-31T10:00:00Z"),
    }


def test_unknown_runs_of_a_stage_stand_between_its_bounds() -> None:
    records = [
        run("alpha", 1),
        run("alpha", 2, held=False),
        run("alpha", 3, held=None),
        run("alpha", 4, error="x"),
    ]
    stage = by_id(measured("brownfield", records))[f"stage?stage=all%20assertions%20passed&{ARTEFACT}"]
    assert (stage.n, stage.N, stage.known, stage.unknown, stage.errors) == (1, 4, 2, 1, 1)
    assert (stage.value, stage.bounds) == (0.25, (0.25, 0.75))
    assert stage.headline == "counts"


def test_bounds_lead_in_a_stage_of_which_over_a_fifth_is_not_known_and_holes_stand_beside_it() -> None:
    known = [run(model, n) for model in ("alpha", "beta") for n in range(1, 9)]
    lost = [run("alpha", n, error="x") for n in range(9, 12)]
    found = by_id(measured("brownfield", [*known, *lost]))
    alpha = found[f"stage?model=alpha&stage=all%20assertions%20passed&{ARTEFACT}"]
    assert (alpha.headline, alpha.bounds, alpha.never_recorded) == ("bounds", (8 / 11, 1.0), None)
    beta = found[f"stage?model=beta&stage=all%20assertions%20passed&{ARTEFACT}"]
    assert beta.headline == "point"
    assert beta.never_recorded is not None
    change = found[f"change?model=beta&{ARTEFACT}"].never_recorded
    assert change is not None
    assert (beta.never_recorded.runs, beta.never_recorded.bounds) == (change.runs, (8 / 11, 1.0))
