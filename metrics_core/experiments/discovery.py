"""Whose files an experiment's are: a family's, by the folder that they lie in, or an adapter's.

Does: divide paths among families, refuse a log that is there twice, follow ``source: {format, path}`` of the
settings, recognise a folder without records of its own by the files that an adapter claims, and say what is
wrong with a folder that holds neither. Does not: open files, read what it found, or know a family (the
caller says which folder is whose).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from metrics_core.errors import ConfigError, InputError
from metrics_core.experiments import unrecognised
from metrics_core.experiments.files import printable
from metrics_core.experiments.settings import Source
from metrics_core.formats import Adapter, decompression
from metrics_core.results import quoted
from metrics_core.text import many, visible

OWN = ("experiment.yaml", "contracts/", "eval_pack/", "eval_pack.", "controls/", "pricing/")
"""Files that are an experiment's own instruments, whatever format they resemble."""


def families(
    paths: Sequence[str], layout: Mapping[str, str]
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Files by family, and those that lie in a family's folder and hold no records.

    Args:
        paths: Of an experiment's files, in byte order.
        layout: Folder -> family. Record files directly in it are the family's; where the folder's name ends
            in a slash, so is every file in folders below it.

    Raises:
        InputError: The same log is there twice, packed in two ways.

    >>> families(["attempts/a.jsonl", "attempts/7f/metadata.json"], {"attempts/": "attempts"})
    ({'attempts': ('attempts/a.jsonl', 'attempts/7f/metadata.json')}, ())
    """
    found: dict[str, tuple[str, ...]] = {}
    not_records: list[str] = []
    for folder, family in layout.items():
        inside = [path for path in paths if path.startswith(f"{folder.rstrip('/')}/")]
        whole = folder.endswith("/")
        used = tuple(path for path in inside if _is_log(path) or (whole and path.count("/") > 1))
        not_records += sorted(set(inside) - set(used))
        if used:
            found[family] = used
            _refuse_doubles(filter(_is_log, used))
    return dict(sorted(found.items())), tuple(not_records)


def nothing_there(
    root: PurePath, layout: Mapping[str, str], inner: Sequence[str], settings: str, told: Sequence[str]
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


@dataclass(frozen=True, slots=True)
class Adapted:
    """Files that an adapter claimed, in byte order of their paths, and those beside them."""

    adapter: Adapter
    files: tuple[str, ...]
    not_records: tuple[str, ...]


def stated(
    source: Source, paths: Iterable[str], head: Callable[[str], bytes], adapters: Mapping[str, Adapter],
    where: str,
) -> Adapted:  # fmt: skip
    """The files of the source that the settings name.

    Args:
        source: As `experiment.yaml` states it.
        paths: Files of the experiment, relative to it, in byte order.
        head: Path -> first bytes of that file.
        adapters: Format -> adapter.
        where: The settings' file, for errors.

    Raises:
        ConfigError: No adapter reads that format, or its path leads outside the experiment.
        InputError: There is no file of that format at that path.
    """
    adapter = adapters.get(source.format)
    if adapter is None:
        known = ", ".join(adapters) or "none"
        raise ConfigError(
            f"no adapter reads the format {quoted(source.format)}", where=f"{where}#/source/format",
            hint=f"there is {known}",
        )  # fmt: skip
    parts = [part for part in source.path.split("/") if part not in ("", ".")]
    if ".." in parts or source.path.startswith("/"):
        raise ConfigError(
            f"expected a path inside the experiment, got {quoted(source.path)}", where=f"{where}#/source/path"
        )
    below = "".join(f"{part}/" for part in parts)
    whole = "/".join(parts)
    inside = [path for path in _foreign(paths) if path.startswith(below) or path == whole]
    files = tuple(path for path in inside if adapter.claims(path, head(path)))
    if not files:
        raise InputError(
            f"holds no file of the format {visible(source.format, escaped=True)}",
            where=f"{where}#/source/path",
            hint=f"{len(inside)} other files lie at {visible(source.path, escaped=True)}",
        )  # fmt: skip
    taken = frozenset(files)
    return Adapted(adapter, files, tuple(path for path in inside if path not in taken))


def recognised(
    paths: Iterable[str], head: Callable[[str], bytes], adapters: Mapping[str, Adapter], where: str
) -> Adapted | None:
    """The adapter that claims files of a folder in which no family has records; None where none does.

    Raises:
        InputError: Several do: the folder does not say which of them is meant.
    """
    foreign = tuple(_foreign(paths))
    claimed: dict[str, list[str]] = {}
    for path in foreign:
        first = head(path)
        for name, adapter in adapters.items():
            if adapter.claims(path, first):
                claimed.setdefault(name, []).append(path)
    if len(claimed) > 1:
        formats = ", ".join(f"{name} ({many(len(files), 'file')})" for name, files in sorted(claimed.items()))
        raise InputError(
            f"holds files of several formats: {formats}", where=where,
            hint=f"write in experiment.yaml {unrecognised.sources(claimed)}; or give each its own folder",
        )  # fmt: skip
    for name, files in claimed.items():
        taken = frozenset(files)
        return Adapted(adapters[name], tuple(files), tuple(path for path in foreign if path not in taken))
    return None


def _foreign(paths: Iterable[str]) -> Iterable[str]:
    return (path for path in paths if not path.startswith(OWN))
