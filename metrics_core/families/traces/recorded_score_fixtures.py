"""Golden fixtures of the recorded scores: tiny records, and what each figure must come to, by hand."""

from __future__ import annotations

from typing import Any

from metrics_core.contracts import Fixture

_MATCH = "contract=assay%2Frecorded-score&scorer=match&split=eval"


_RATING = "contract=assay%2Frecorded-score&scorer=rating&split=eval"
_PLAIN = "contract=assay%2Frecorded-score&scorer=plain&split=eval"
_TABLE = "contract=assay%2Ftable&scorer=passed&split=eval"


def _graded(task: str, **scores: Any) -> dict[str, Any]:
    return {"schema": "trace.v1", "task_id": task, "agent": "m", "scores": scores}


FIXTURES = (
    Fixture(
        "C is 1, P is 0.5, I and N are 0, and each stays in N",
        tuple(_graded(f"t{n}", match=grade) for n, grade in enumerate("CCPIN")),
        (
            (f"score?{_MATCH}", "2/5 0.5"),
            (f"stage?stage=full%20score&{_MATCH}", "2/5 0.4"),
        ),
    ),
    Fixture(
        "a reward from 0 to 1 is taken as it is",
        tuple(_graded(f"t{n}", reward=reward) for n, reward in enumerate((1.0, 0.25, 0.0, True))),
        (("score?contract=assay%2Frecorded-score&scorer=reward&split=eval", "2/4 0.5625"),),
    ),
    Fixture(
        "what is no score, and a run that failed, are not in N",
        (
            _graded("t1", match="C"),
            _graded("t2", match=None),
            _graded("t3", match="A"),
            _graded("t4", match="3"),
            _graded("t6", match="1.5"),
            {**_graded("t5", match="I"), "error": "sandbox gone"},
        ),
        (
            (f"score?{_MATCH}", "1/1 1"),
            (f"score?{_MATCH} states", "1 known, 1 unknown, 3 invalid, 1 error"),
            (f"stage?stage=ran%20without%20error&{_MATCH}", "5/6 0.833333"),
            (f"stage?stage=score%20recorded&{_MATCH}", "1/6 0.166667"),
            (f"stage?stage=score%20recorded&{_MATCH} states", "1 known, 1 unknown, 3 invalid, 1 error"),
        ),
    ),
    Fixture(
        "of two tasks with four tries each, one always passes and one twice",
        tuple(_graded(task, match=g) for task, grades in (("t1", "CCCC"), ("t2", "CICN")) for g in grades),
        (
            (f"pass_hat_k?k=1&{_MATCH}", "1/2 0.75"),
            (f"pass_hat_k?k=2&{_MATCH}", "1/2 0.583333"),
            (f"pass_hat_k?k=4&{_MATCH}", "1/2 0.5"),
            (f"pass_at_k?k=2&{_MATCH}", "1/2 0.916667"),
        ),
    ),
    Fixture(
        "of a scorer that leaves 0..1 nothing in range is picked out; another scorer of the same runs stays",
        (
            _graded("t1", rating=1.5, match="C", plain=1),
            _graded("t2", rating=1.0, match="I", plain=0),
            _graded("t3", rating=0.5, match=7, plain=0.5),
            _graded("t4", rating=None, match=None, plain=None),
            {**_graded("t5", rating=1, match="C", plain=1), "error": "gone"},
            _graded("t6", rating="odd"),
        ),
        (
            (f"quantity?{_RATING}", "3/3 1"),
            (f"quantity?{_RATING} states", "3 known, 1 unknown, 1 invalid, 1 error"),
            (f"quantity?model=m&{_RATING}", "3/3 1"),
            (f"quantity?scenario=t1&{_RATING}", "1/1 1.5"),
            (f"score?{_RATING}", "no such figure"),
            (f"stage?stage=ran%20without%20error&{_RATING}", "5/6 0.833333"),
            (f"stage?stage=score%20recorded&{_RATING}", "3/6 0.5"),
            (f"stage?stage=full%20score&{_RATING}", "no such figure"),
            (f"score?{_MATCH}", "1/2 0.5"),
            (f"score?{_MATCH} states", "2 known, 1 unknown, 1 invalid, 1 error"),
            (f"quantity?{_MATCH}", "no such figure"),
            (f"stage?stage=score%20recorded&{_MATCH}", "2/5 0.4"),
            (f"stage?stage=score%20recorded&{_MATCH} states", "2 known, 1 unknown, 1 invalid, 1 error"),
            (f"stage?stage=full%20score&{_MATCH}", "1/5 0.2"),
            (f"score?{_PLAIN}", "1/3 0.5"),
            (f"stage?stage=full%20score&{_PLAIN}", "1/5 0.2"),
        ),
    ),
    Fixture(
        "two scorers of one run are two instruments",
        (_graded("t1", match="C", includes="I"),),
        (
            (f"score?{_MATCH}", "1/1 1"),
            ("score?contract=assay%2Frecorded-score&scorer=includes&split=eval", "0/1 0"),
        ),
    ),
    Fixture(
        "each group is its own runs: by agent, by task, by day",
        (
            {**_graded("t1", match="C"), "stamp": "2026-07-05T10:00:00Z"},
            _graded("t2", match="I"),
        ),
        (
            (f"score?model=m&{_MATCH}", "1/2 0.5"),
            (f"score?scenario=t2&{_MATCH}", "0/1 0"),
            (f"score?model=m&stamp=2026-07-05&{_MATCH}", "1/1 1"),
        ),
    ),
)  # fmt: skip

TABLE = (
    Fixture(
        "of a table's rows each try counts; a blank and a failed run are not in N, and a letter is no grade",
        tuple(
            {**_graded(task, passed=value), "contract_id": "assay/table", **more}
            for task, value, more in (
                ("t1", 1.0, {}),
                ("t1", 0.0, {}),
                ("t2", 0.25, {}),
                ("t3", None, {}),
                ("t4", 0.0, {"error": "timeout"}),
                ("t5", "C", {}),
            )
        ),
        (
            (f"score?{_TABLE}", "1/3 0.416667"),
            (f"score?{_TABLE} states", "3 known, 1 unknown, 1 invalid, 1 error"),
        ),
    ),
    Fixture(
        "a column that leaves 0..1 is a quantity",
        tuple({**_graded(f"t{value}", passed=value), "contract_id": "assay/table"} for value in (1, 4)),
        ((f"quantity?{_TABLE}", "2/2 2.5"), (f"score?{_TABLE}", "no such figure")),
    ),
)  # fmt: skip
