"""Problems as they are told: many of one kind in one line with their count, and nothing of them is lost."""

from __future__ import annotations

from metrics_core.results import Conflicting, NoRuns, Problem, alike, place_and_words, told_together

MISSING = "the field is missing; did you mean `case`?"


def missing(file: str, *lines: int | None) -> list[Problem]:
    return [Problem(file, line, "task_id", MISSING) for line in lines]


def test_the_same_problem_in_many_lines_is_one_line_with_its_count() -> None:
    assert list(told_together(missing("a.jsonl", *range(1, 297)))) == [
        f"a.jsonl: 296 records, the first in line 1: task_id: {MISSING}"
    ]
    assert list(told_together(missing("a.jsonl", 3, 4))) == [
        f"a.jsonl:{line}#/task_id: {MISSING}" for line in (3, 4)
    ]


def test_it_is_one_line_through_many_files_as_well() -> None:
    some = [*missing("a.jsonl", 2, 3), *missing("b.jsonl", 1)]
    assert list(told_together(some)) == [f"2 files: 3 records, the first is a.jsonl:2: task_id: {MISSING}"]
    empty = [NoRuns(f"{n}.json", None, "", "is empty") for n in range(1200)]
    assert list(told_together(empty)) == ["1,200 files: the first is 0.json: is empty"]
    assert place_and_words(missing("a.jsonl", None, None, None)) == (
        "a.jsonl",
        f"3 times: task_id: {MISSING}",
    )


def test_what_differs_is_told_apart_and_stands_in_order() -> None:
    some = [
        *missing("a.jsonl", 5, 6, 7),
        Problem("a.jsonl", 1, "rep", MISSING),
        NoRuns("a.jsonl", 6, "task_id", MISSING),
        Problem("b.jsonl", 1, "task_id", "expected text, got 5"),
    ]
    told = list(alike(some))
    assert [(lines[0].file, lines[0].line, len(lines)) for lines in told] == [
        ("a.jsonl", 1, 1), ("a.jsonl", 5, 3), ("a.jsonl", 6, 1), ("b.jsonl", 1, 1),
    ]  # fmt: skip
    assert {id(p) for lines in told for p in lines} == {id(p) for p in some}


def test_of_many_conflicts_the_first_is_told_with_both_places() -> None:
    some = [Conflicting("a.jsonl", n + 10, "", with_place=f"a.jsonl:{n}") for n in (1, 2, 3)]
    (told,) = told_together(some)
    assert told == (
        "a.jsonl: 3 records, the first in line 11: another outcome than a.jsonl:1 of the same task, arm and "
        "repetition; both are counted"
    )
    assert some[0].to_json()["what"].startswith("another outcome than a.jsonl:1")
