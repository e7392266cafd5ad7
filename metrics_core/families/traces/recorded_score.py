"""Scores that a harness gave its own runs, read as they are: the built-in contract ``assay/recorded-score``.

Does: turn what a scorer recorded into a number from 0 to 1, and say what each run comes to under each
scorer. Does not: grade anything again; what the harness's scorer took for right is right here.
"""

from __future__ import annotations

from collections.abc import Iterator

from metrics_core.families.traces.record import Score, Trace
from metrics_core.measurement import Outcome, Progress, Track
from metrics_core.results import Keys, State, quoted

CONTRACT_ID = "assay/recorded-score"
GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Correct, incorrect, partial, no answer: how Inspect's scorers spell a grade, and what each is worth."""
NO_ANSWER = "N"
WORDS = {"C": "correct", "I": "incorrect", "P": "partial", NO_ANSWER: "no answer"}

TRACK = Track(
    "recorded scores", (("ran without error", False), ("score recorded", False), ("full score", True))
)


def value_of(recorded: Score) -> float | None:
    """What a recorded score is worth, 0 to 1; None where it is no score.

    >>> value_of("C"), value_of("P"), value_of("N"), value_of(True), value_of(0.65)
    (1.0, 0.5, 0.0, 1.0, 0.65)
    >>> value_of("A"), value_of(3.0)
    (None, None)
    """
    if isinstance(recorded, str):
        return GRADES.get(recorded)
    if recorded is None or not 0 <= recorded <= 1:
        return None
    return float(recorded)


def scorers(trace: Trace) -> tuple[tuple[str, Score], ...]:
    """Scorer and what it gave, by the scorer's name."""
    return tuple(sorted((trace.scores or {}).items(), key=lambda item: item[0]))


def stratum(trace_stratum: Keys, scorer: str) -> Keys:
    """The stratum of one scorer: two scorers are two instruments."""
    return trace_stratum | {"contract": CONTRACT_ID, "scorer": scorer}


def outcomes(trace: Trace, trace_stratum: Keys) -> Iterator[Outcome]:
    """What each scorer says of a trace; n counts a full score.

    Args:
        trace: A trace with ``scores``.
        trace_stratum: Its stratum, but for contract and scorer.
    """
    for scorer, recorded in scorers(trace):
        state, value, reason = _judged(trace, recorded)
        counts = (int(value == 1), 1) if state == "known" else (0, 0)
        yield Outcome("score", stratum(trace_stratum, scorer), state, value, *counts, reason=reason)


def progress(trace: Trace, trace_stratum: Keys) -> Iterator[Progress]:
    """How far a trace came under each scorer, and what it was lost to."""
    for scorer, recorded in scorers(trace):
        state, value, reason = _judged(trace, recorded)
        reached = {"error": 0, "known": 2}.get(state, 1)
        if state == "known":
            reached += int(value == 1)
            reason = "" if value == 1 else "no answer" if recorded == NO_ANSWER else "a lower score"
        yield Progress(TRACK.name, stratum(trace_stratum, scorer), reached, state, reason)


def _judged(trace: Trace, recorded: Score) -> tuple[State, float, str]:
    if trace.error is not None:
        return "error", 0.0, "the run itself failed"
    if recorded is None:
        return "unknown", 0.0, "no score was recorded"
    value = value_of(recorded)
    if value is None:
        return "invalid", 0.0, f"expected C, I, P, N or a score from 0 to 1, got {quoted(recorded)}"
    return "known", value, ""
