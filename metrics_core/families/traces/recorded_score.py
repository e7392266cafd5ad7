"""Scores that were given before, read as they are: ``assay/recorded-score``, and ``assay/table`` for tables.

Does: turn what a scorer recorded into a number, rescaled where the experiment states the scorer's scale, and
say what each run comes to under each scorer. A scorer whose numbers leave 0..1 without a scale is a quantity,
which is known once all were read. Does not: grade anything again; what the harness's scorer took for right is
right here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from metrics_core.families.traces.record import Score, Trace
from metrics_core.measurement import Context, Outcome, Progress, Track
from metrics_core.results import Keys, State, quoted
from metrics_core.text import spelled

CONTRACT_ID = "assay/recorded-score"
TABLE = "assay/table"
"""Scores that somebody put into a table: numbers, or yes and no; no letters."""
CONTRACTS = (CONTRACT_ID, TABLE)
GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Correct, incorrect, partial, no answer: how Inspect's scorers spell a grade, and what each is worth."""
NO_ANSWER = "N"
WORDS = {"C": "correct", "I": "incorrect", "P": "partial", NO_ANSWER: "no answer"}

TRACK = Track(
    "recorded scores",
    (("ran without error", False), ("score recorded", False), ("full score", True)),
)
QUANTITIES = Track("recorded quantities", (("ran without error", False), ("score recorded", False)))
"""Of a scorer on its own scale, on which no value is full."""

OUTSIDE = "a number outside 0..1 beside grades"
"""Why a score is invalid whose scorer gives grades; other scorers have a scale of their own."""

Scale = tuple[float, ...]
"""The scores of a scorer that are 0 and 1."""


def value_of(recorded: Score, scale: Scale | None = None, *, grades: bool = True) -> float | None:
    """What a recorded score is worth; None where it is no score, or none of its scale.

    Args:
        recorded: As the record holds it.
        scale: The numbers of the scorer that are 0 and 1; the first is the higher where more is worse.
        grades: Whether letters are grades.

    >>> value_of("C"), value_of("P"), value_of("N"), value_of(True), value_of(0.65)
    (1.0, 0.5, 0.0, 1.0, 0.65)
    >>> value_of("A"), value_of("C", grades=False), value_of(3.0), value_of(3.0, (1, 5))
    (None, None, 3.0, 0.5)
    >>> value_of(7.0, (1, 5)) is None, value_of(4.0, (5, 1)), value_of(True, (1, 0))
    (True, 0.25, 0.0)
    """
    if isinstance(recorded, str):
        return GRADES.get(recorded) if grades else None
    if recorded is None:
        return None
    if scale is None:
        return float(recorded)
    zero, one = scale
    if isinstance(recorded, bool):
        return float(recorded is (zero < one))
    return (recorded - zero) / (one - zero) + 0.0 if min(scale) <= recorded <= max(scale) else None


def scorers(trace: Trace) -> tuple[tuple[str, Score], ...]:
    """Scorer and what it gave, by the scorer's name."""
    return tuple(sorted((trace.scores or {}).items(), key=lambda item: item[0]))


def stratum(trace: Trace, trace_stratum: Keys, scorer: str) -> Keys:
    """The stratum of one scorer: two scorers are two instruments."""
    return trace_stratum | {"contract": trace.contract_id or CONTRACT_ID, "scorer": scorer}


def outcomes(trace: Trace, trace_stratum: Keys, scales: Mapping[str, Scale]) -> Iterator[Outcome]:
    """What each scorer says of a trace; n counts a full score.

    Args:
        trace: A trace with ``scores``.
        trace_stratum: Its stratum, but for contract and scorer.
        scales: Of scorers, as the experiment states them.
    """
    for scorer, recorded in scorers(trace):
        state, value, reason = _judged(trace, recorded, scales.get(scorer))
        counts = (int(value == 1), 1) if state == "known" else (0, 0)
        yield Outcome("score", stratum(trace, trace_stratum, scorer), state, value, *counts, reason=reason)


def progress(trace: Trace, trace_stratum: Keys, scales: Mapping[str, Scale]) -> Iterator[Progress]:
    """How far a trace came under each scorer, and what it was lost to."""
    for scorer, recorded in scorers(trace):
        state, value, reason = _judged(trace, recorded, scales.get(scorer))
        reached = {"error": 0, "known": 2}.get(state, 1)
        if state == "known":
            reached += int(value == 1)
            lower = OUTSIDE if not 0 <= value <= 1 else "a lower score"
            reason = "" if value == 1 else "no answer" if recorded == NO_ANSWER else lower
        yield Progress(TRACK.name, stratum(trace, trace_stratum, scorer), reached, state, reason)


def graded(trace: Trace) -> Iterator[tuple[str, str]]:
    """Contract and scorer of the grades and verdicts of a trace: such a scorer has no scale of its own."""
    contract = trace.contract_id or CONTRACT_ID
    for scorer, recorded in scorers(trace):
        verdict = isinstance(recorded, bool) or (isinstance(recorded, str) and recorded in GRADES)
        if verdict and contract != TABLE:
            yield contract, scorer


def notes(stratum: Keys, context: Context) -> Iterator[str]:
    """That scores were rescaled, for the captions of their numbers."""
    scorer = stratum.get("scorer", "")
    scale = context.settings.scale.get(scorer)
    if scale is not None and stratum.get("contract") in CONTRACTS:
        how = "is rescaled to 0..1" if scale[0] < scale[1] else "is turned round and rescaled to 0..1"
        yield f"{scorer}, from {spelled(scale[0])} to {spelled(scale[1])}, {how}, as the experiment says"


def _judged(trace: Trace, recorded: Score, scale: Scale | None) -> tuple[State, float, str]:
    if trace.error is not None:
        return "error", 0.0, "the run itself failed"
    if recorded is None:
        return "unknown", 0.0, "no score was recorded"
    grades = trace.contract_id != TABLE
    value = value_of(recorded, scale, grades=grades)
    if value is None:
        number = "a number" if scale is None else f"a number from {spelled(scale[0])} to {spelled(scale[1])}"
        words = f"C, I, P, N or {number}" if grades else f"yes, no or {number}"
        return "invalid", 0.0, f"expected {words}, got {quoted(recorded)}"
    return "known", value, ""
