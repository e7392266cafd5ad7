"""What is wrong with the logs of July, on purpose: one of each kind of fault seen in real logs.

Each fault is put on a named record, so that it is there whatever the draws gave.
"""

from __future__ import annotations

from example.application import AREAS, PAGES
from example.brownfield_runs import Record, share
from example.jsonl import line

Logs = dict[str, list[Record]]


def blemished(logs: Logs) -> dict[str, str]:
    """The logs as text, by arm, with their faults.

    Args:
        logs: Sound records by arm, in the order they were written.
    """
    _undetailed(_find(logs, "alpha", "R7", 1))
    _rounded(_find(logs, "gamma", "B6", 1))
    _overstated(_find(logs, "beta", "B5", 3))
    _unrendered(_find(logs, "alpha", "B8", 2))
    _done_but_broken(_find(logs, "beta", "R8", 2))
    _unfinished_but_whole(_find(logs, "gamma", "R8", 2))
    _failed_run(_find(logs, "alpha", "R4", 3))
    _without_tokens(_find(logs, "gamma", "X2", 1))
    _without_lists(_find(logs, "gamma", "A4", 2))
    _quoted_number(_find(logs, "beta", "R6", 4))
    lines = {arm: [line(record) for record in records] for arm, records in logs.items()}
    twice = line(_find(logs, "alpha", "B1", 2))
    lines["alpha"].insert(lines["alpha"].index(twice) + 1, twice)  # an upload that was repeated
    texts = {arm: "\n".join(of) + "\n" for arm, of in lines.items()}
    texts["gamma"] = texts["gamma"][: -len('"2026-07-27T15:00:00Z"}\n') + 8]  # the disk filled up mid-record
    return texts


def _find(logs: Logs, arm: str, scenario: str, rep: int) -> Record:
    """The run of this scenario with brain and plan on."""
    (found,) = [
        record
        for record in logs[arm]
        if (record["id"], record["rep"], record["with_brain"], record["with_plan"])
        == (scenario, rep, True, True)
    ]
    return found


def _grade(record: Record, passed: list[bool]) -> None:
    names = [name for name, _ in record["change_detail"]]
    record["change_detail"] = [[name, ok] for name, ok in zip(names, passed, strict=True)]
    record["change"] = share(passed)
    record["error"] = None


def _undetailed(record: Record) -> None:
    """A recorded value whose assertions were lost: there is nothing to recompute it from."""
    record.update(change=0.75, change_detail=[], error=None)


def _rounded(record: Record) -> None:
    """Five of seven, logged as 0.714: rounding, and no finding."""
    _grade(record, [True, True, True, False, True, True, False])


def _overstated(record: Record) -> None:
    """Logged as complete, while one assertion in its own detail failed: a finding."""
    _grade(record, [True, True, False, True, True])
    record["change"] = 1.0


def _unrendered(record: Record) -> None:
    """The pages were never rendered after the run, so what it broke is not known."""
    record.update(regress=None, regress_misses=[], error=None)


def _done_but_broken(record: Record) -> None:
    """Every assertion passes, and eleven pages no longer render."""
    misses = [*AREAS["checkout"], *AREAS["cart"]]
    _grade(record, [True] * len(record["change_detail"]))
    record.update(
        regress=1 - len(misses) / len(PAGES),
        regress_misses=misses,
        changed_files=["src/Payment/Errors.php", "src/Support/Money.php"],
    )


def _unfinished_but_whole(record: Record) -> None:
    """The reverse: the task is half done, and every page renders."""
    _grade(record, [True, True, False, False, True])
    record.update(regress=1.0, regress_misses=[], changed_files=["src/Payment/Errors.php"])


def _failed_run(record: Record) -> None:
    """The run failed before it began; the zero beside it is no grade."""
    record.update(
        change=0.0,
        change_detail=[[name, False] for name, _ in record["change_detail"]],
        regress=None,
        regress_misses=[],
        changed_files=[],
        error="provider returned status 529 after 3 retries",
    )


def _without_tokens(record: Record) -> None:
    """Token counts were not kept: the recorded cost cannot be recomputed."""
    for name in ("prompt_tokens", "completion_tokens", "cached_tokens"):
        del record[name]


def _without_lists(record: Record) -> None:
    """An awareness answer whose lists were not kept: its F1 stands as recorded."""
    del record["answer_files"], record["truth_files"]


def _quoted_number(record: Record) -> None:
    """A number written as text."""
    record["change"] = "0.8"
