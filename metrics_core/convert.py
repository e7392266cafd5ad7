"""Outside results as a native experiment: the records that an adapter makes, as logs of their family.

Does: read a file or a folder through one adapter, and give the files of an experiment folder that holds the
same records. Does not: write, or decide anything that the adapter and the record type do not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from metrics_core.adapters import ADAPTERS
from metrics_core.errors import ConfigError, InputError
from metrics_core.experiments import Experiment, Place, load_experiment, slug
from metrics_core.families import FAMILIES
from metrics_core.formats import Row
from metrics_core.measurement import partitions
from metrics_core.redaction import Redactor
from metrics_core.results import Aside, Problem, quoted
from metrics_core.suggestions import nearest
from metrics_core.text import many, visible

CARRIED = ("scale", "cluster", "models", "names")
"""Settings of what is imported that its records keep needing."""

MOST_TOLD = 5
"""Things told of the files while they were read that the description repeats."""

_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class NativeFile(Struct, frozen=True):
    """One file of the experiment that is made.

    Attributes:
        path: From its folder, with ``/``.
        data: The whole file.
        records: Lines of it that are records.
        problems: What the outside file holds and is no record.
        told: What was said of it while it was read.
    """

    path: str
    data: bytes
    records: int = 0
    problems: tuple[Problem, ...] = ()
    told: tuple[Problem, ...] = ()


def outside(
    path: Place, name: str, redactor: Redactor | None = None, settings: Mapping[str, Any] | None = None
) -> Experiment:
    """Outside results, found and not yet read.

    Args:
        path: A folder of results, or one file, or an address of either.
        name: Format: one of the adapters.
        redactor: Takes secrets out of whatever is read.
        settings: How it is read, as `experiment.yaml` would state it.

    Raises:
        ConfigError: There is no such adapter, or it knows no such settings.
        InputError: There is nothing of that format.
    """
    if name not in ADAPTERS:
        problem = f"no adapter reads the format {quoted(name)}"
        raise ConfigError(problem, where="import", hint=nearest(name, ADAPTERS))
    return load_experiment(
        path, layout={}, adapters={name: ADAPTERS[name]}, redactor=redactor, settings=settings
    )


def native(experiment: Experiment) -> Iterator[NativeFile]:
    """The files of the experiment that holds the same records, its settings first.

    Args:
        experiment: As `outside` found it.
    """
    adapter = experiment.adapter
    if adapter is None:
        raise InputError("holds no records of an outside format", where=experiment.slug)
    family = FAMILIES[adapter.family]
    paths = experiment.families[family.name]
    taken: set[str] = set()
    made = []
    for path in paths:
        items = [item for batch in partitions.batches(family, experiment, (path,)) for item in batch]
        rows = [item for item in items if isinstance(item, Row)]
        told = tuple(item for item in items if isinstance(item, Aside))
        problems = tuple(item for item in items if isinstance(item, Problem) and not isinstance(item, Aside))
        at = f"{family.folder.rstrip('/')}/{_name(path, taken)}.jsonl"
        made.append(NativeFile(at, b"".join(row.raw + b"\n" for row in rows), len(rows), problems, told))
    yield NativeFile("experiment.yaml", _settings(experiment, adapter.title, made))
    yield from made


def _name(path: str, taken: set[str]) -> str:
    """The outside file's name where that is safe and still free, else one with a digest in it."""
    plain = "-".join(PurePosixPath(path).with_suffix("").parts)
    name = plain if _SAFE.fullmatch(plain) and plain not in taken else slug(path)
    taken.add(name)
    return name


def _settings(experiment: Experiment, title: str, files: Sequence[NativeFile]) -> bytes:
    """An `experiment.yaml` that says where the records came from; a JSON string is one in YAML as well.

    What was said of a file while it was read is in the description: the columns of a table, by role. Settings
    that were made for the reading and move numbers stay settings.
    """
    told = list(dict.fromkeys(problem.what for file in files for problem in file.told))
    rest = f" and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
    said = "".join(f" {line}." for line in told[:MOST_TOLD]) + rest
    description = f"Imported from {title}: {many(len(files), 'file')}.{said}"
    rows: dict[str, Any] = {"title": visible(experiment.title, escaped=True), "description": description}
    own = experiment.stated.value or {}
    rows |= {key: own[key] for key in CARRIED if key in own}
    lines = (f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in rows.items())
    return "".join(lines).encode()
