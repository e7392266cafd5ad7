"""Golden fixtures of the judges family: tiny labels, and what each figure must come to, by hand."""

from __future__ import annotations

from typing import Any

from metrics_core.contracts import Fixture

P, F, U = "pass", "fail", "unknown"
J = "judge=judge"
C = "contract=assay%2Fcorrected-judge"


def _label(item: str, rater: str, verdict: str | None, **more: Any) -> dict[str, Any]:
    """A tiny label for a fixture."""
    return {"item": item, "rater": rater, "verdict": verdict, **more}


def _rated(item: str, verdict: str | None, **more: Any) -> dict[str, Any]:
    return _label(item, "human:alice", verdict, **more)


def _judged(item: str, verdict: str | None, **more: Any) -> dict[str, Any]:
    return _label(item, "judge", verdict, **more)


def _table(hits: int, strict: int, lenient: int, right: int, others: str = "") -> tuple[dict[str, Any], ...]:
    """Items as raters and the judge labelled them, and what the judge alone said of others: P or F each."""
    cells = ((P, P, hits), (P, F, strict), (F, P, lenient), (F, F, right))
    both = [(rated, judged) for rated, judged, times in cells for _ in range(times)]
    return (
        *(_rated(f"i{at}", rated) for at, (rated, _) in enumerate(both)),
        *(_judged(f"i{at}", judged) for at, (_, judged) in enumerate(both)),
        *(_judged(f"o{at}", P if letter == "P" else F) for at, letter in enumerate(others)),
    )


FIXTURES = (
    Fixture(
        "a judge beside a rater: what it passes, what it fails, and what chance would give",
        _table(4, 1, 2, 3, "PP"),
        (
            (f"judged_pass?{J}", "8/12 0.666667"),
            ("rated_pass", "5/10 0.5"),
            (f"agreement?{J}", "7/10 0.7"),
            (f"cohens_kappa?{J}", "7/10 0.4"),
            (f"sensitivity?{J}", "4/5 0.8"),
            (f"specificity?{J}", "3/5 0.6"),
            (f"strictness?{J}", "1/5 0.2"),
            (f"leniency?{J}", "2/5 0.4"),
            ("raters_agree", "no such figure"),
            (f"verdict_flips?{J}", "no such figure"),
        ),
    ),
    Fixture(
        "a judge who always passes agrees often, and no better than chance",
        _table(8, 0, 2, 0),
        (
            (f"agreement?{J}", "8/10 0.8"),
            (f"cohens_kappa?{J}", "8/10 0"),
            (f"sensitivity?{J}", "8/8 1"),
            (f"specificity?{J}", "0/2 0"),
            (f"leniency?{J}", "2/2 1"),
        ),
    ),
    Fixture(
        "where everything passes, kappa is 0/0",
        _table(3, 0, 0, 0),
        ((f"agreement?{J}", "3/3 1"), (f"cohens_kappa?{J}", "3/3 none")),
    ),
    Fixture(
        "more than half of the raters who could say decide; a tie, or a rater who says both, decides nothing",
        (
            _label("a", "human:alice", P),
            _label("a", "human:bob", P),
            _label("a", "human:carol", F),
            _judged("a", P),
            _label("b", "human:alice", P),
            _label("b", "human:bob", F),
            _judged("b", P, run=1),
            _judged("b", F, run=2),
            _label("c", "human:alice", F),
            _label("c", "human:alice", P),
            _judged("c", F),
            _label("d", "human:alice", F),
            _label("d", "human:alice", F),
            _label("d", "human:bob", U),
            _judged("d", F),
            _label("e", "human:alice", None),
            _judged("e", P),
            _label("f", "human:alice", F),
            _label("f", "human:bob", F),
        ),
        (
            ("rated_pass", "1/3 0.333333"),
            ("rated_pass states", "3 known, 3 unknown, 0 invalid, 0 error"),
            ("raters_agree", "2/5 0.444444"),
            (f"agreement?{J}", "2/2 1"),
            (f"agreement?{J} states", "2 known, 5 unknown, 0 invalid, 0 error"),
            (f"cohens_kappa?{J} states", "2 known, 5 unknown, 0 invalid, 0 error"),
            (f"sensitivity?{J} states", "1 known, 0 unknown, 0 invalid, 0 error"),
            (f"specificity?{J} states", "1 known, 1 unknown, 0 invalid, 0 error"),
            (f"leniency?{J} states", "1 known, 1 unknown, 0 invalid, 0 error"),
            (f"agreement?{C}&{J}", "no such figure"),
        ),
    ),
    Fixture(
        "a judge that could not say, or whose run failed, neither passes nor fails",
        (
            _rated("a", P),
            _rated("b", P),
            _rated("c", F),
            _rated("d", F),
            _judged("a", P),
            _judged("b", U),
            _judged("c", P, error="timed out"),
            _judged("d", F),
            _judged("e", None),
        ),
        (
            (f"judged_pass?{J}", "1/2 0.5"),
            (f"judged_pass?{J} states", "2 known, 2 unknown, 0 invalid, 1 error"),
            (f"agreement?{J} states", "2 known, 1 unknown, 0 invalid, 1 error"),
            (f"sensitivity?{J} states", "1 known, 1 unknown, 0 invalid, 0 error"),
            (f"strictness?{J} states", "1 known, 1 unknown, 0 invalid, 0 error"),
            (f"specificity?{J} states", "1 known, 0 unknown, 0 invalid, 1 error"),
        ),
    ),
    Fixture(
        "several runs of a judge on an item: how often two of them differ",
        (
            *(_judged("a", verdict, run=run) for run, verdict in enumerate((P, P, P))),
            *(_judged("b", verdict, run=run) for run, verdict in enumerate((P, F, P))),
            *(_judged("c", verdict, run=run) for run, verdict in enumerate((P, F))),
            *(_judged("d", verdict, run=run) for run, verdict in enumerate((F, U))),
            _judged("e", P, stamp="2026-07-05T10:00:00Z"),
            _judged("e", F, stamp="2026-07-06T10:00:00Z"),
            _rated("b", P),
        ),
        (
            (f"verdict_flips?{J}", "3/4 0.666667"),
            (f"items_flipped?{J}", "3/4 0.75"),
            (f"judged_pass?{J}", "7/11 0.636364"),
            (f"sensitivity?{J}", "2/3 0.666667"),
        ),
    ),
    Fixture(
        "judges, criteria and splits are never pooled; an item is in the split that one of its labels states",
        (
            _rated("a", P, split="held out"),
            _judged("a", P),
            _label("a", "judge:strict", F, split="held out"),
            _rated("b", F, split="tuned on"),
            _judged("b", P, split="tuned on"),
            _rated("c", P, criterion="tone"),
            _judged("c", F, criterion="tone"),
            _judged("c", P, criterion="truth"),
        ),
        (
            ("agreement?judge=judge&split=held%20out", "1/1 1"),
            ("agreement?judge=strict&split=held%20out", "0/1 0"),
            ("agreement?judge=judge&split=tuned%20on", "0/1 0"),
            ("agreement?judge=judge&split=tuned%20on states", "1 known, 0 unknown, 0 invalid, 0 error"),
            ("agreement?criterion=tone&judge=judge", "0/1 0"),
            ("agreement?criterion=truth&judge=judge", "no such figure"),
            ("judged_pass?criterion=truth&judge=judge", "1/1 1"),
            ("rated_pass?split=held%20out", "1/1 1"),
            ("rated_pass?criterion=tone", "1/1 1"),
            ("agreement", "no such figure"),
        ),
    ),
    Fixture(
        "items of two agents, and of two tries of one, are several items",
        (
            _rated("a", P, agent="x", attempt=1),
            _judged("a", P, agent="x", attempt=1),
            _rated("a", F, agent="x", attempt=2),
            _judged("a", P, agent="x", attempt=2),
            _rated("a", P, agent="y"),
            _judged("a", F, agent="y"),
        ),
        (
            (f"agreement?model=x&{J}", "1/2 0.5"),
            (f"agreement?model=y&{J}", "0/1 0"),
            (f"judged_pass?model=x&{J}", "2/2 1"),
            ("rated_pass?model=x", "1/2 0.5"),
            (f"items_flipped?{J}", "no such figure"),
        ),
    ),
)

CORRECTED_FIXTURES = (
    Fixture(
        "the share that a judge passes, corrected for what it errs on rated items",
        _table(45, 5, 8, 42, "P" * 67 + "F" * 33),
        ((f"corrected_pass?{C}&{J}", "120/200 0.594595"), (f"powered_pass?{C}&{J}", "no such figure")),
    ),
    Fixture(
        "a judge who always passes is found out: nothing is corrected",
        _table(8, 0, 8, 0, "PPPP"),
        (
            (f"corrected_pass?{C}&{J}", "20/20 none"),
            (f"corrected_pass?{C}&{J} states", "20 known, 0 unknown, 0 invalid, 0 error"),
        ),
    ),
    Fixture(
        "without an item that raters failed nothing is known of what the judge lets through",
        _table(9, 1, 0, 0, "PF"),
        ((f"corrected_pass?{C}&{J}", "10/12 none"),),
    ),
    Fixture(
        "what a judge could not say is unknown in the corrected share too",
        (*_table(45, 5, 8, 42), _judged("o", U), _judged("p", P, error="timed out"), _judged("i0", U, run=2)),
        ((f"corrected_pass?{C}&{J} states", "100 known, 2 unknown, 0 invalid, 1 error"),),
    ),
)
