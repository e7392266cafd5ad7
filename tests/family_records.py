"""Records for the common tests: small, valid, and covering what each family tells apart.

One strategy a record type, by the family's name; a family without one is an error of the test suite, so
that a new family enrols itself or is noticed.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

FRACTIONS = st.sampled_from([0.0, 0.25, 0.5, 1.0])
STAMPS = st.sampled_from(["2026-07-05T10:00:00Z", "2026-07-05T23:30:00-02:00", "2026-07-12T09:00:00Z"])
ARMS = st.sampled_from(["alpha", "beta"])


@st.composite
def brownfield(draw: st.DrawFn) -> dict[str, Any]:
    detail = [[f"a{i}", held] for i, held in enumerate(draw(st.lists(st.booleans(), max_size=3)))]
    kind = draw(st.sampled_from(["fix", "refactor", "awareness"]))
    record: dict[str, Any] = {
        "id": draw(st.sampled_from(["B1", "B2", "R1"])),
        "kind": kind,
        "model": draw(ARMS),
        "change": sum(held for _, held in detail) / len(detail) if detail else draw(st.none() | FRACTIONS),
        "change_detail": detail,
        "regress": draw(st.none() | FRACTIONS),
        "changed_files": draw(st.sampled_from([[], ["a.php"]])),
        "stamp": draw(STAMPS),
        "wall_s": draw(st.sampled_from([1.5, 20.0, 300.0])),
        "error": draw(st.sampled_from([None, None, None, "timed out"])),
        "cost": draw(st.sampled_from([0.1, 0.25])),
        "rep": draw(st.integers(0, 10_000)),
    }
    if draw(st.booleans()):
        record |= {"with_brain": draw(st.booleans()), "with_plan": draw(st.booleans())}
    if kind == "awareness" and draw(st.booleans()):
        record |= {"answer_files": ["a.php"], "truth_files": ["a.php", "b.php"], "change": None}
    return record


@st.composite
def traces(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "schema": draw(st.sampled_from(["trace.v1", "trace.v1", "trace.v2"])),
        "task_id": draw(st.sampled_from(["t1", "t2", "t3"])),
        "agent": draw(ARMS),
        "rep": draw(st.integers(0, 10_000)),
        "exit_code": draw(st.sampled_from([0, 1, 137])),
        "patch": draw(st.sampled_from(["", "diff"])),
        "oracle_files": ["a.py"],
        "touched_files": draw(st.sampled_from([[], ["a.py"]])),
        "tests_passed": draw(st.sampled_from([True, False, None])),
        "stamp": draw(st.none() | STAMPS),
        "wall_s": draw(st.none() | st.sampled_from([1.0, 2.5])),
    }


RECORDS = {"brownfield": brownfield(), "traces": traces()}

BLIND: dict[str, dict[str, Any]] = {
    "brownfield": {"change": None, "change_detail": [], "regress": None, "answer_files": None, "error": None},
    "traces": {"tests_passed": None},
}
"""What makes a record of the family one of which nothing is known."""
