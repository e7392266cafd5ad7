"""The list of known mutations, and what of it no longer fits the tree.

Does: read `list.toml`, and say of a mutation whose text, file or test is gone. Does not: run a test.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

LIST = Path(__file__).with_name("list.toml")


class Mutant(Struct, frozen=True):
    """One mutation.

    Attributes:
        file: From the top of the tree.
        old: Text that occurs exactly once in it.
        new: What stands there instead.
        tests: Tests of which one must fail, as pytest names them.
    """

    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def line(self) -> str:
        """The mutation in one line."""
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.file}: {old} -> {new or 'nothing'}"

    def mutated(self, source: str) -> str:
        """The file's text with the mutation in it.

        Raises:
            ValueError: The old text does not occur exactly once.
        """
        if (times := source.count(self.old)) != 1:
            raise ValueError(f"the old text occurs {times} times")
        return source.replace(self.old, self.new)


def listed(word: str = "") -> tuple[Mutant, ...]:
    """The mutations of the list whose file's path holds a word."""
    rows = tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]
    mutants = (Mutant(row["file"], row["old"], row["new"], tuple(row["tests"])) for row in rows)
    return tuple(mutant for mutant in mutants if word in mutant.file)


def faults(tree: Path, mutant: Mutant) -> Iterator[str]:
    """Why a mutation cannot be tried in a tree.

    A mutation that is no Python would fail every test, and so is refused. Of a parametrised test the function
    is looked for, not the case.
    """
    path = tree / mutant.file
    if path.is_file():
        try:
            mutated = mutant.mutated(path.read_text(encoding="utf-8"))
            if path.suffix == ".py":
                ast.parse(mutated)
        except ValueError as error:
            yield str(error)
        except SyntaxError as error:
            yield f"the new text is no Python: {error.msg}"
    else:
        yield "there is no such file"
    if not mutant.tests:
        yield "no test is named"
    for test in mutant.tests:
        file, _, name = test.partition("::")
        if name.partition("[")[0] not in _functions(tree / file):
            yield f"there is no test {test}"


def _functions(path: Path) -> set[str]:
    if not path.is_file():
        return set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
