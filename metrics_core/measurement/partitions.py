"""How a family's files are read: a log line by line, folders one by one, outside files through an adapter.

Does: cut them into partitions that are small enough to hold and can be counted in any order, and give the
rows and problems of one. Does not: know a format; the family's record type checks every record that comes
out, whichever way it came.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from metrics_core.digest import canonical
from metrics_core.errors import FormatError
from metrics_core.experiments import Experiment, Stretch, cut_log, printable, row_batches
from metrics_core.formats import Adapter, Element, Made, OutsideFile, Row, decompression, jsonl
from metrics_core.measurement.family import Family
from metrics_core.results import NoRuns, Problem

AT_ONCE = 256
"""Folders, or outside files, of one partition."""

LARGEST_FILE = 512 * 2**20
"""Bytes of an outside file, which is read whole."""

LARGEST_PART = 16 * 2**20
"""Bytes of a file in a record's folder; a larger one is no metadata."""

LARGEST_BATCH = 4 * 2**20
"""Bytes of records after which a batch is full."""

FEW_LINES = 256 * 2**10
"""Bytes of logs that are counted record by record sooner than numpy is loaded."""

SMALLEST_STRETCH, LARGEST_STRETCH = 2 * 2**20, 64 * 2**20
"""Bytes of a stretch of a log: smaller ones take longer to hand out than to read, larger ones fill memory."""

STRETCHES = 4
"""Of the logs for each worker, so that those who are done first have something left to do."""

Paths = tuple[str, ...]


class Partition(NamedTuple):
    """What is read together.

    Attributes:
        paths: A log, some folders' files, or some outside files.
        stretch: Which lines of the log; None for all.
        experiment: Its name, for whoever is told where something went wrong.
    """

    paths: Paths
    stretch: Stretch | None = None
    experiment: str = ""

    def __str__(self) -> str:
        first, *others = self.paths
        where = f"{self.experiment}/{printable(first)}"
        if self.stretch is not None:
            return f"{where}, bytes {self.stretch.start:,} to {self.stretch.stop:,}"
        return f"{where} and {len(others)} more" if others else where


def partition_paths(family: Family, experiment: Experiment) -> Iterator[Paths]:
    """A family's files, in byte order, cut into what is read together: a log, some folders, some files."""
    paths = experiment.families[family.name]
    if _adapted(family, experiment):
        yield from (paths[at : at + AT_ONCE] for at in range(0, len(paths), AT_ONCE))
        return
    whole = []
    for path in paths:
        if _is_log(path):
            yield (path,)
        else:
            whole.append(path)
    if family.folders is not None and whole:
        units = list(family.folders.units(whole))
        for at in range(0, len(units), AT_ONCE):
            yield tuple(path for unit in units[at : at + AT_ONCE] for path in unit.files)


def partitions_for(family: Family, experiment: Experiment, workers: int = 1) -> Iterator[Partition]:
    """The same as `partition_paths`; for several workers large logs are cut into stretches of whole lines.

    Args:
        family: Whose files they are.
        experiment: As it was found, digested where logs are to be cut.
        workers: How many partitions are read at the same time.
    """
    size = sum(experiment.entries[path].size for path in experiment.families[family.name])
    at_once = min(max(size // (STRETCHES * workers), SMALLEST_STRETCH), LARGEST_STRETCH)
    for paths in partition_paths(family, experiment):
        log = len(paths) == 1 and _is_log(paths[0]) and not _adapted(family, experiment)
        stretches: tuple[Stretch | None, ...] = ()
        if workers > 1 and log and experiment.entries[paths[0]].size >= 2 * at_once:
            stretches = cut_log(experiment, paths[0], at_once)
        for stretch in stretches or (None,):
            yield Partition(paths, stretch, experiment.slug)


def many_lines(family: Family, experiment: Experiment) -> bool:
    """Whether every file of a family is a log whose lines are its records, and there are many of them."""
    paths = experiment.families[family.name]
    size = sum(experiment.entries[path].size for path in paths)
    return size > FEW_LINES and not _adapted(family, experiment) and all(map(_is_log, paths))


def batches(
    family: Family,
    experiment: Experiment,
    paths: Paths,
    beside: set[str] | None = None,
    stretch: Stretch | None = None,
) -> Iterator[list[Row | Problem]]:
    """Rows and problems of one partition, in lists that are small enough to hold.

    Args:
        family: Whose records they are.
        experiment: Whose files they are.
        paths: As `partition_paths` gave them.
        beside: Paths of other files that an adapter reads for the sake of these are added here.
        stretch: Which lines of a log; None for all.
    """
    if experiment.adapter is not None and _adapted(family, experiment):
        yield from _gathered(_foreign(family, experiment, experiment.adapter, paths, beside))
    elif family.folders is None or (len(paths) == 1 and _is_log(paths[0])):
        for path in paths:
            yield from row_batches(experiment, path, family.record, stretch)
    else:
        yield from _gathered(_folders(family, experiment, paths))


def _adapted(family: Family, experiment: Experiment) -> bool:
    return experiment.adapter is not None and experiment.adapter.family == family.name


def _is_log(path: str) -> bool:
    """Whether a file holds lines, though its family reads folders too: it lies in no folder below its own."""
    return path.count("/") <= 1 and decompression.is_record_file(path)


def _folders(family: Family, experiment: Experiment, paths: Paths) -> Iterator[Row | Problem]:
    if family.folders is None:
        return
    for unit in family.folders.units(paths):
        name = experiment.published_name(unit.name)
        data: dict[str, bytes] = {}
        problems: list[Made] = []
        for path in unit.read:
            try:
                data[path.removeprefix(f"{unit.name}/")] = _whole(experiment, path, LARGEST_PART)
            except FormatError as error:
                problems.append(Problem(name, None, "", error.problem))
        made = problems or family.folders.assemble(name, data)
        yield from _checked(made, family, name)


def _foreign(
    family: Family, experiment: Experiment, adapter: Adapter, paths: Paths, beside: set[str] | None
) -> Iterator[Row | Problem]:
    found = {experiment.published_name(path): path for path in paths}

    def stream(name: str) -> Iterator[bytes]:
        return experiment.open_published(found.get(name, name))

    def whole(other: str) -> bytes:
        if beside is not None:
            beside.add(other)
        return _whole(experiment, other, LARGEST_FILE)

    survey = adapter.survey(tuple(found), stream) if adapter.survey is not None else None

    def made(name: str, path: str) -> Iterator[Made]:
        try:
            yield from adapter.convert(
                OutsideFile(
                    path=name,
                    data=_whole(experiment, path, LARGEST_FILE) if adapter.whole else b"",
                    names=tuple(other for other in experiment.entries if other != path),
                    read=whole,
                    stream=stream,
                    survey=survey,
                    reading=experiment.reading,
                )
            )
        except FormatError as error:  # nobody knows how many runs it would have held, and of what
            what = f"{error.problem} ({error.hint})" if error.hint else error.problem
            line = error.where.removeprefix(f"{name}:")
            yield NoRuns(name, int(line) if line.isdecimal() else None, "", what)

    for name, path in found.items():
        yield from _checked(made(name, path), family, name)


def _checked(made: Iterable[Made], family: Family, name: str) -> Iterator[Row | Problem]:
    """Records as rows, checked as if each were a line of a log; then whatever is none."""
    further: list[Problem] = []
    first = 0
    for group in _in_groups(made, name, further):
        for item in jsonl.read((line for line, _ in group), family.record, file=name):
            at = item.line or 1
            element = group[at - 1][1]
            line = element.number or first + at
            if isinstance(item, Row):
                yield msgspec.structs.replace(item, line=line, source=element.source)
            else:
                yield msgspec.structs.replace(item, line=line)
        first += len(group)
    yield from further


def _in_groups(
    made: Iterable[Made], name: str, further: list[Problem]
) -> Iterator[list[tuple[bytes, Element]]]:
    """Lines of records, each with the element that it was made from, in lists that are small enough to hold.

    Args:
        made: What an adapter makes.
        name: Of its file.
        further: Whatever is no record is added here.
    """
    group: list[tuple[bytes, Element]] = []
    size = 0
    try:
        for item in made:
            if isinstance(item, Problem):
                further.append(item)
                continue
            element = item if isinstance(item, Element) else Element(record=item)
            try:
                line = canonical(dict(element.record)) + b"\n"
            except (TypeError, ValueError) as error:
                further.append(Problem(name, None, "", f"a value that JSON cannot hold: {error}"))
                continue
            group.append((line, element))
            size += len(line) + len(element.source)
            if len(group) == jsonl.BATCH or size > LARGEST_BATCH:
                yield group
                group, size = [], 0
    except FormatError as error:
        further.append(Problem(name, None, "", error.problem))
    if group:
        yield group


def _gathered(items: Iterable[Row | Problem]) -> Iterator[list[Row | Problem]]:
    batch: list[Row | Problem] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.raw) + len(item.source) if isinstance(item, Row) else 0
        if len(batch) == jsonl.BATCH or size > LARGEST_BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _whole(experiment: Experiment, path: str, largest: int) -> bytes:
    """A file as published.

    Raises:
        FormatError: It is larger than such a file can be.
    """
    entry = experiment.entries[path]
    if entry.size > largest:
        raise FormatError(f"expected at most {largest} bytes, got {entry.size}", where=entry.where)
    return b"".join(experiment.open_published(path))
