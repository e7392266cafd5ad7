"""The list of known mutations fits the tree: each text is there once, and each test that must fail exists."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.mutant_list import Mutant, faults, listed


def test_the_list_fits_the_tree(repo: Path) -> None:
    mutants = listed()
    assert mutants
    assert [(mutant.line, fault) for mutant in mutants for fault in faults(repo, mutant)] == []


def test_no_mutation_is_listed_twice_and_each_changes_something() -> None:
    mutants = listed()
    assert len({(mutant.file, mutant.old, mutant.new) for mutant in mutants}) == len(mutants)
    assert all(mutant.old != mutant.new for mutant in mutants)


@pytest.mark.parametrize(
    ("file", "old", "new", "tests", "fault"),
    [
        ("a.py", "1", "2", ("test_a.py::test_one",), ""),
        ("a.py", "1", "2", ("test_a.py::test_one[case]",), ""),
        ("b.py", "1", "2", ("test_a.py::test_one",), "there is no such file"),
        ("a.py", "x", "y", ("test_a.py::test_one",), "the old text occurs 2 times"),
        ("a.py", "z", "y", ("test_a.py::test_one",), "the old text occurs 0 times"),
        ("a.py", "1", "(", ("test_a.py::test_one",), "the new text is no Python"),
        ("a.py", "1", "2", (), "no test is named"),
        ("a.py", "1", "2", ("test_a.py::test_two",), "there is no test test_a.py::test_two"),
        ("a.py", "1", "2", ("test_b.py::test_one",), "there is no test test_b.py::test_one"),
    ],
)
def test_what_no_longer_fits_is_named(
    tmp_path: Path, file: str, old: str, new: str, tests: tuple[str, ...], fault: str
) -> None:
    (tmp_path / "a.py").write_text("x = x + 1\n", encoding="utf-8")
    (tmp_path / "test_a.py").write_text("def test_one():\n    assert True\n", encoding="utf-8")
    found = list(faults(tmp_path, Mutant(file, old, new, tests)))
    assert [text[: len(fault)] for text in found] == ([fault] if fault else [])
