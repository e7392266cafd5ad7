"""Golden fixtures of the questions family: tiny records, and what each figure must come to, by hand."""

from __future__ import annotations

from typing import Any

from metrics_core.contracts import Fixture


def _run(question: str, exact: bool | None, **more: Any) -> dict[str, Any]:
    """A tiny record for a fixture."""
    whole: dict[str, Any] = {"question_id": question, "model": "m", "form": "free", "answer": "four"}
    return {**whole, "exact": exact, "stamp": "2026-07-05T10:00:00Z", **more}


FIXTURES = (
    Fixture(
        "an answer that nobody judged is neither right nor wrong",
        (_run("q1", True), _run("q2", False), _run("q3", None)),
        (("exact_pass?form=free", "1/2 0.5"), ("exact_pass?model=m&form=free", "1/2 0.5")),
    ),
    Fixture(
        "a chosen answer is never added to a written one",
        (_run("q1", True), _run("q2", False, form="choice")),
        (
            ("exact_pass?form=free", "1/1 1"),
            ("exact_pass?form=choice", "0/1 0"),
            ("exact_pass", "no such figure"),
        ),
    ),
    Fixture(
        "a mean is over answers, its counts are facts; no facts at all are no denominator",
        (
            _run("q1", True, facts=[["a", True]]),
            _run("q2", False, facts=[["a", True], ["b", False], ["c", False], ["d", False]]),
            _run("q3", False, facts=[]),
        ),
        (("recall?form=free", "2/5 0.625"),),
    ),
    Fixture(
        "a run that failed is an error, whatever it recorded",
        (_run("q1", True, facts=[["a", True]], error="timed out"),),
        (("exact_pass?form=free", "0/0 none"), ("recall?form=free", "0/0 none")),
    ),
    Fixture(
        "each answer is lost where it ends",
        (_run("q1", True), _run("q2", False), _run("q3", None), _run("q4", False, answer="")),
        (
            ("stage?stage=attempts&form=free", "4/4 1"),
            ("stage?stage=answered&form=free", "3/4 0.75"),
            ("stage?stage=judged&form=free", "2/4 0.5"),
            ("stage?stage=exact&form=free", "1/4 0.25"),
        ),
    ),
)
