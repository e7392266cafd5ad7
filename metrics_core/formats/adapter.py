"""What an adapter is: two functions that turn one file of an outside format into records of one family.

Does: name the shape. Does not: hold any format (each is one module of `metrics_core.adapters`), open files,
redact, check records against their type or count them; that is done by whoever calls an adapter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from metrics_core.results import Problem

HEAD = 4096
"""First bytes of a file that an adapter sees when it is asked whether the file is of its format."""

Made = Mapping[str, Any] | Problem
"""What an adapter makes: a record as it would stand in a line of its family's own log, or a `Problem`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """One outside format.

    Attributes:
        format: Its name, as ``source: {format: ...}`` of `experiment.yaml` spells it: lower case and hyphens.
            The module has the same name with underscores.
        title: Its name for readers.
        family: Name of the family whose records it makes.
        module: Dotted name of its module, ``__name__``: its source closure is part of the instrument behind
            every number of adapted data.
        claims: Path and first `HEAD` bytes of a file -> whether the file is one of this format. It must say
            no to everything that another format, or a README, could be; a folder without records of any
            family is recognised by the files that an adapter claims. A damaged file of the format is
            claimed all the same: it is then counted as invalid, and not overlooked.
        convert: Path and all bytes of a file that was claimed -> its records and problems, in the order in
            which they stand in the file. Pure: the same path and bytes give the same records. A record holds
            plain JSON values, keys as the family's record type spells them; it is checked against that type
            afterwards, and a field that is wrong makes a `Problem`, never an exception. A `FormatError`
            says that the whole file cannot be read; it, too, becomes a problem.

    Paths are relative to the experiment's folder, with ``/``, and safe to print.
    """

    format: str
    title: str
    family: str
    module: str
    claims: Callable[[str, bytes], bool]
    convert: Callable[[str, bytes], Iterator[Made]]
