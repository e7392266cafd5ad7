"""How an experiment is computed again: the words after ``assay compute``, true in the folder of the project.

Does: name an experiment from the project's folder, and spell words for a shell. Does not: run anything, or
publish where a folder lies on the builder's disk, or in whose bucket.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from metrics_core.experiments import Address, Experiment, printable
from metrics_core.redaction import Redactor


class Recompute(Struct, frozen=True, kw_only=True):
    """What computes one experiment again.

    Attributes:
        words: What follows ``assay compute``: a path from the project's folder, then flags.
        elsewhere: The path's name, where it lies outside the project's folder and stands in ``words`` as if
            it did not; else empty.
    """

    words: tuple[str, ...]
    elsewhere: str = ""


def recompute_of(
    experiment: Experiment,
    project: Path | None,
    content: Path | None,
    flags: Sequence[str],
    redactor: Redactor,
) -> Recompute:
    """The words that compute an experiment again from the folder of its project.

    Args:
        experiment: As it was loaded.
        project: Folder that commands are run in; None where it is not known.
        content: The content folder, whose prices it is measured with; None for none.
        flags: Flags that said how it is read.
        redactor: Takes traces of this machine out of names.
    """
    base = None if project is None else Path(os.path.realpath(project))
    at_address = isinstance(experiment.path, Address)
    path = Path() if isinstance(experiment.path, Address) else Path(os.path.realpath(experiment.path))
    inside = base is not None and not at_address and path.is_relative_to(base)
    single = experiment.path != experiment.root and len(experiment.entries) == 1
    named = next(iter(experiment.entries)) if single else experiment.name
    if inside and base is not None:
        named = path.relative_to(base).as_posix() or "."
    at_hand = content is not None and content.name == "content"
    of_content = inside and content is not None and path.is_relative_to(os.path.realpath(content))
    prices = () if content is None or (at_hand and of_content) else ("--content", content.name)

    def shown(word: str) -> str:
        return redactor.clean_text(printable(word))[0]

    first = f"./{named}" if named.startswith("-") else named
    words = tuple(map(shown, (first, *flags, *prices)))
    return Recompute(words=words, elsewhere="" if inside else words[0])


def command(words: Iterable[str]) -> str:
    """A command as a shell takes it.

    >>> command(["assay", "compute", "my results.csv", "--map", "arm=Model"])
    "assay compute 'my results.csv' --map arm=Model"
    """
    return shlex.join(words)
