"""Outside results as a native experiment: the records that an adapter makes, as logs of their family.

Does: read a file or a folder through one adapter, and give the files of an experiment folder that holds the
same records. Does not: write, or decide anything that the adapter and the record type do not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from metrics_core.adapters import ADAPTERS
from metrics_core.errors import ConfigError, InputError
from metrics_core.experiments import Experiment, load_experiment, printable, slug
from metrics_core.families import FAMILIES
from metrics_core.formats import Row
from metrics_core.measurement import partitions
from metrics_core.redaction import Redactor
from metrics_core.results import Problem, quoted
from metrics_core.suggestions import nearest
from metrics_core.text import many, visible

_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class NativeFile:
    """One file of the experiment that is made.

    Attributes:
        path: From its folder, with ``/``.
        data: The whole file.
        records: Lines of it that are records.
        problems: What the outside file holds and is no record.
    """

    path: str
    data: bytes
    records: int = 0
    problems: tuple[Problem, ...] = ()


def outside(path: Path, name: str, redactor: Redactor | None = None) -> Experiment:
    """Outside results, found and not yet read.

    Args:
        path: A folder of results, or one file.
        name: Format: one of the adapters.
        redactor: Takes secrets out of whatever is read.

    Raises:
        ConfigError: There is no such adapter.
        InputError: There is nothing of that format.
    """
    if name not in ADAPTERS:
        problem = f"no adapter reads the format {quoted(name)}"
        raise ConfigError(problem, where="import", hint=nearest(name, ADAPTERS))
    single = path.is_file()
    root = path.parent if single else path
    found = load_experiment(root, layout={}, adapters={name: ADAPTERS[name]}, redactor=redactor)
    files = found.families[ADAPTERS[name].family]
    if not single:
        return found
    if path.name not in files:
        raise InputError(f"is no file of the format {name}", where=printable(path.name))
    return replace(found, families={ADAPTERS[name].family: (path.name,)}, title=path.stem)


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
    yield NativeFile("experiment.yaml", _settings(experiment, adapter.title, len(paths)))
    taken: set[str] = set()
    for path in paths:
        items = [item for batch in partitions.batches(family, experiment, (path,)) for item in batch]
        rows = [item for item in items if isinstance(item, Row)]
        problems = tuple(item for item in items if isinstance(item, Problem))
        at = f"{family.folder.rstrip('/')}/{_name(path, taken)}.jsonl"
        yield NativeFile(at, b"".join(row.raw + b"\n" for row in rows), len(rows), problems)


def _name(path: str, taken: set[str]) -> str:
    """The outside file's name where that is safe and still free, else one with a digest in it."""
    plain = "-".join(PurePosixPath(path).with_suffix("").parts)
    name = plain if _SAFE.fullmatch(plain) and plain not in taken else slug(path)
    taken.add(name)
    return name


def _settings(experiment: Experiment, title: str, files: int) -> bytes:
    """An `experiment.yaml` that says where the records came from; a JSON string is one in YAML as well."""
    description = f"Imported from {title}: {many(files, 'file')}."
    rows = {"title": visible(experiment.title, escaped=True), "description": description}
    lines = (f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in rows.items())
    return "".join(lines).encode()
