"""Whose files an experiment's are: a family's, by the folder that they lie in or by their fields, or an
adapter's.

Does: divide paths among families, refuse a log that is there twice, follow ``source: {format, path}`` of the
settings, recognise a folder without records of its own by the files that an adapter claims, and say what is
wrong with a folder that holds neither. Does not: open files, read what it found, or know a family (the
caller says which folder is whose).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from metrics_core.errors import ConfigError, InputError
from metrics_core.experiments import unrecognised
from metrics_core.experiments.files import Asked, Place, printable
from metrics_core.experiments.settings import Source
from metrics_core.formats import Adapter, decompression, jsonl
from metrics_core.results import quoted
from metrics_core.text import many, visible

OWN = ("experiment.yaml", "contracts/", "eval_pack/", "eval_pack.", "controls/", "pricing/")
"""Files that are an experiment's own instruments, whatever format they resemble."""


def families(
    paths: Sequence[str], layout: Mapping[str, str], beside: Collection[str] = ()
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Files by family, and those that lie in a family's folder and hold no records.

    Args:
        paths: Of an experiment's files, in byte order.
        layout: Folder -> family. Record files directly in it are the family's; where the folder's name ends
            in a slash, so is every file in folders below it.
        beside: Families whose records stand beside those of others: a log at the top that has the name of
            their folder is theirs as well.

    Raises:
        InputError: The same log is there twice, packed in two ways.

    >>> families(["attempts/a.jsonl", "attempts/7f/metadata.json"], {"attempts/": "attempts"})
    ({'attempts': ('attempts/a.jsonl', 'attempts/7f/metadata.json')}, ())
    >>> families(["judge-labels.jsonl.gz", "run.eval"], {"judge-labels": "judges"}, ["judges"])
    ({'judges': ('judge-labels.jsonl.gz',)}, ())
    """
    found: dict[str, tuple[str, ...]] = {}
    not_records: list[str] = []
    for folder, family in layout.items():
        inside = [path for path in paths if path.startswith(f"{folder.rstrip('/')}/")]
        whole = folder.endswith("/")
        used = tuple(path for path in inside if _is_log(path) or (whole and path.count("/") > 1))
        not_records += sorted(set(inside) - set(used))
        if family in beside:
            used = (*(path for path in paths if _is_named(path, folder)), *used)
        if used:
            found[family] = used
            _refuse_doubles(filter(_is_log, used))
    return dict(sorted(found.items())), tuple(not_records)


def nothing_there(
    root: Place, layout: Mapping[str, str], inner: Sequence[str], settings: str, told: Sequence[str]
) -> InputError:
    """What is wrong with a folder in which no family has records, and what was probably meant.

    Args:
        root: The folder.
        layout: Folder -> family.
        inner: Names of folders in it that would be experiments, sorted.
        settings: Name of the settings' file.
        told: What there is to say of its files, as `unrecognised.answer` gives it.
    """
    if not layout:
        problem = "holds nothing of the format that was asked for"
        return InputError(problem, where=printable(root.name), hint="; ".join(told))
    folders = sorted(folder.rstrip("/") for folder in layout)
    if root.name in folders:
        hint = f"name the folder around it: {printable(root.parent.name)}"
    else:
        hint = (
            f"name one of its folders, such as {printable(inner[0])}"
            if inner
            else f"logs lie in {', '.join(f'{f}/' for f in folders)}; or name a source in {settings}"
        )
    hints = "; ".join((hint, *told))
    return InputError("holds no logs of any family", where=printable(root.name), hint=hints)


def _is_log(path: str) -> bool:
    return path.count("/") == 1 and decompression.is_record_file(path)


def _is_named(path: str, folder: str) -> bool:
    """Whether a log at the top of an experiment has the name of a folder."""
    named = "/" not in path and decompression.is_record_file(path)
    return named and decompression.unpacked_name(path).partition(".")[0] == folder


def _refuse_doubles(paths: Iterable[str]) -> None:
    taken: dict[str, str] = {}
    for path in paths:
        plain = decompression.unpacked_name(path)
        if plain in taken:
            raise InputError(
                f"the same log as {printable(taken[plain])}, packed in another way",
                where=printable(path),
                hint="remove one of them",
            )
        taken[plain] = path


class Loose(Struct, frozen=True):
    """Logs that lie in no family's folder and hold a family's own records, by their fields."""

    families: Mapping[str, tuple[str, ...]]


Head = Callable[..., bytes]
"""Path of a file, and how many bytes -> its first bytes, unpacked; `HEAD` of them where none is said."""


class Adapted(Struct, frozen=True):
    """Files that an adapter claimed, in byte order of their paths, and those beside them.

    Attributes:
        not_records: Files beside them -> the format that they are of, which is not read here; empty for none.
    """

    adapter: Adapter
    files: tuple[str, ...]
    not_records: Mapping[str, str]


def stated(
    source: Source, paths: Iterable[str], head: Head, adapters: Mapping[str, Adapter], where: str
) -> Adapted:  # fmt: skip
    """The files of the source that the settings name.

    Args:
        source: As `experiment.yaml` states it.
        paths: Files of the experiment, relative to it, in byte order.
        head: Gives first bytes of a file.
        adapters: Format -> adapter.
        where: The settings' file, for errors.

    Raises:
        ConfigError: No adapter reads that format, or it does not know a setting that is made; or its path
            leads outside the experiment.
        InputError: There is no file of that format at that path.
    """
    adapter = adapters.get(source.format)
    if adapter is None:
        known = ", ".join(adapters) or "none"
        raise ConfigError(
            f"no adapter reads the format {quoted(source.format)}", where=f"{where}#/source/format",
            hint=f"there is {known}",
        )  # fmt: skip
    plain = Source(source.format)
    for option in ("map", "decimal_comma", "words"):
        if option not in adapter.options and getattr(source, option) != getattr(plain, option):
            raise ConfigError(
                f"the format {quoted(source.format)} has fields of its own",
                where=f"{where}#/source/{option}",
                hint="this is for the format table",
            )  # fmt: skip
    parts = [part for part in source.path.split("/") if part not in ("", ".")]
    if ".." in parts or source.path.startswith("/"):
        raise ConfigError(
            f"expected a path inside the experiment, got {quoted(source.path)}", where=f"{where}#/source/path"
        )
    below = "".join(f"{part}/" for part in parts)
    whole = "/".join(parts)
    inside = [path for path in _foreign(paths) if path.startswith(below) or path == whole]
    files = tuple(path for path in inside if (adapter.shape or adapter.claims)(path, head(path)))
    if not files:
        raise InputError(
            f"holds no file of the format {visible(source.format, escaped=True)}",
            where=f"{where}#/source/path",
            hint=f"{len(inside)} other files lie at {visible(source.path, escaped=True)}",
        )  # fmt: skip
    others = _of_others(inside, files, lambda path, other: other.claims(path, head(path)), adapters)
    return Adapted(adapter, files, others)


def recognised(
    paths: Iterable[str],
    head: Head,
    adapters: Mapping[str, Adapter],
    records: Mapping[str, type[Any]],
    where: str,
    *,
    single: bool,
) -> Adapted | Loose | None:
    """What reads the files of a folder in which no family has records, or a file named alone.

    First formats that have a sign of their own, then a family's own records by their fields, then forms that
    anyone may have made; None where nothing does.

    Args:
        paths: Files of the experiment, relative to it, in byte order.
        head: Gives first bytes of a file.
        adapters: Format -> adapter.
        records: Family -> its record type.
        where: The experiment, for errors.
        single: Whether it is one file, which somebody named: a form is enough then.

    Raises:
        InputError: Several formats do: the folder does not say which of them is meant.
    """
    foreign = tuple(_foreign(paths))
    heads = {path: head(path) for path in foreign}

    def claims(path: str, adapter: Adapter) -> bool:
        return ((single and adapter.shape) or adapter.claims)(path, heads[path])

    own = {name: adapter for name, adapter in adapters.items() if adapter.shape is None}
    found = _claimed(foreign, claims, own, where)
    if found is not None:
        return replace(found, not_records=_of_others(foreign, found.files, claims, adapters))
    if (mine := _by_fields(foreign, head, records)) is not None:
        return mine
    return _claimed(foreign, claims, {n: a for n, a in adapters.items() if n not in own}, where)


def _of_others(
    paths: Sequence[str],
    files: Iterable[str],
    claims: Callable[[str, Adapter], bool],
    adapters: Mapping[str, Adapter],
) -> dict[str, str]:
    """Files beside those that are read -> the format that each is of; empty for none."""
    taken = frozenset(files)
    return {
        path: next((name for name, adapter in adapters.items() if claims(path, adapter)), "")
        for path in paths
        if path not in taken
    }


def beside(others: Mapping[str, str | None], files: Iterable[str]) -> dict[str, str | None]:
    """Files that hold no records, by their paths, without those that are read after all."""
    taken = frozenset(files)
    return {path: others[path] for path in sorted(others) if path not in taken}


def known_by_folders(asked: Asked, adapters: Mapping[str, Adapter]) -> Asked:
    """A file that was named alone with the folders above it, where a format says by them which run it is.

    Args:
        asked: As it was looked at.
        adapters: Format -> adapter.
    """
    for adapter in adapters.values() if asked.single else ():
        if adapter.folders:
            whole = asked.with_folders(adapter.folders)
            if adapter.claims(whole.entries[0].path, b""):
                return whole
    return asked


def not_recognised(file: Place, told: Sequence[str]) -> InputError:
    """What is wrong with a file that was named alone and that nothing reads, and what is said of it."""
    return InputError("holds no logs that are read here", where=printable(file.name), hint="; ".join(told))


def _by_fields(paths: Iterable[str], head: Head, records: Mapping[str, type[Any]]) -> Loose | None:
    """Logs at the top whose first record is one of a family, field by field, and of no other family."""
    found: dict[str, list[str]] = {}
    for path in paths:
        if "/" in path or not decompression.is_record_file(path):
            continue
        _, line = next(jsonl.lines([head(path, jsonl.LONGEST_LINE)]), (0, b""))
        whose = [family for family, kind in records.items() if _is_of(line, kind)]
        if len(whose) == 1:
            found.setdefault(whose[0], []).append(path)
    return Loose({family: tuple(found[family]) for family in sorted(found)}) if found else None


def _is_of(line: bytes, kind: type[Any]) -> bool:
    """Whether a line is a record of a type with nothing that the type does not name, or names its schema."""
    try:
        tree = msgspec.json.decode(line)
        msgspec.convert(tree, kind)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return False
    if not isinstance(tree, dict):
        return False
    fields = msgspec.structs.fields(kind)
    return tree.keys() <= {field.encode_name for field in fields} or (
        "schema" in tree and any(field.encode_name == "schema" for field in fields)
    )


def _claimed(
    foreign: Sequence[str],
    claims: Callable[[str, Adapter], bool],
    adapters: Mapping[str, Adapter],
    where: str,
) -> Adapted | None:
    claimed: dict[str, list[str]] = {}
    for path in foreign:
        for name, adapter in adapters.items():
            if claims(path, adapter):
                claimed.setdefault(name, []).append(path)
    if len(claimed) > 1:
        formats = ", ".join(f"{name} ({many(len(files), 'file')})" for name, files in sorted(claimed.items()))
        command = unrecognised.each_by_itself(claimed, where)
        each = f"or read each by itself: {command}" if command else "or give each its own folder"
        raise InputError(
            f"holds files of several formats: {formats}", where=where,
            hint=f"write in experiment.yaml {unrecognised.sources(claimed)}; {each}",
        )  # fmt: skip
    for name, files in claimed.items():
        return Adapted(adapters[name], tuple(files), _of_others(foreign, files, lambda *_: False, {}))
    return None


def _foreign(paths: Iterable[str]) -> Iterable[str]:
    return (path for path in paths if not path.startswith(OWN))
