"""Records of an outside format: which files of an experiment hold them, and which adapter reads them.

Does: follow ``source: {format, path}`` of the settings, and recognise a folder without records of its own by
the files that an adapter claims. Does not: open files, or read what it found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from metrics_core.adapter import Adapter
from metrics_core.errors import ConfigError, InputError
from metrics_core.problem import quoted
from metrics_core.settings import Source
from metrics_core.text import visible

OWN = ("experiment.yaml", "contracts/", "eval_pack/", "eval_pack.", "controls/", "pricing/")
"""Files that are an experiment's own instruments, whatever format they resemble."""


@dataclass(frozen=True, slots=True)
class Adapted:
    """Files that an adapter claimed, in byte order of their paths, and those beside them."""

    adapter: Adapter
    files: tuple[str, ...]
    others: tuple[str, ...]


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
        told = ", ".join(f"{name} ({len(files)} files)" for name, files in sorted(claimed.items()))
        raise InputError(
            f"holds files of several formats: {told}", where=where,
            hint="name one in experiment.yaml, such as source: {format: " + min(claimed) + ", path: runs}",
        )  # fmt: skip
    for name, files in claimed.items():
        taken = frozenset(files)
        return Adapted(adapters[name], tuple(files), tuple(path for path in foreign if path not in taken))
    return None


def _foreign(paths: Iterable[str]) -> Iterable[str]:
    return (path for path in paths if not path.startswith(OWN))
