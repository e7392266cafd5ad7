"""Refuses what would be taken for one experiment and is several: a site's content, or unlike tables.

Does: name what lies there, and the command for one of them and for all. Does not: read a file by itself, or
know a format; an adapter of a form that anyone may have made says which of its files are unlike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from metrics_core.errors import InputError
from metrics_core.experiments.discovery import Adapted, Head
from metrics_core.experiments.files import printable
from metrics_core.formats import Reading, dated
from metrics_core.text import many

SITE, EXPERIMENTS = "site.yaml", "experiments"
"""What a site's content has: its settings, and the folder of its experiments."""

MOST_LISTED = 6
"""Files or folders that a refusal names."""


def refuse_collection(paths: Iterable[str], settings: str, where: str) -> None:
    """Refuse a folder of experiments, such as the content of a site, that is taken for one.

    Args:
        paths: Files of the folder, in byte order.
        settings: Name of an experiment's settings: a folder that has them says itself that it is one.
        where: The folder.

    Raises:
        InputError: It is one; the message names what lies in it.

    >>> held = ["experiments/a/r.csv", "experiments/b/r.csv", "site.yaml"]
    >>> refuse_collection(held, "experiment.yaml", "content")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    metrics_core.errors.InputError: content: is the content of a site, and no experiment (it holds ...
    """
    held = tuple(paths)
    if settings in held:
        return
    split = [path.split("/") for path in held]
    sites = ["/".join(parts[:-1]) for parts in split if parts[-1] == SITE and len(parts) < 3]
    below = f"{sites[0]}/{EXPERIMENTS}/" if sites and sites[0] else f"{EXPERIMENTS}/"
    depth = below.count("/") + 1
    inner = [
        "/".join(parts[:depth])
        for path, parts in zip(held, split, strict=True)
        if path.startswith(below) and len(parts) > depth
    ]
    if not inner:
        below = ""
        inner = ["/".join(parts[:-1]) for parts in split if parts[-1] == settings]
    if not (sites or inner):
        return
    at = f"{where}/{printable(sites[0])}".rstrip("/") if sites else ""
    what = "is a folder of experiments"
    if sites:
        what = f"holds the content of a site, {at}" if sites[0] else "is the content of a site"
    every = f"assay build --content {at}" if sites else f"assay build --experiments {where}/{below}*"
    raise InputError(f"{what}, and no experiment", where=where, hint=_named(inner, where, every))


def refuse_unlike(found: Adapted, head: Head, reading: Reading, where: str) -> None:
    """Refuse files of anybody's making that are no one experiment, where nobody said that they are.

    Args:
        found: Files of a folder that an adapter of such a form reads; of another, nothing is refused.
        head: Gives first bytes of a file.
        reading: How they are read.
        where: The folder.

    Raises:
        InputError: Their names differ by a date alone, or the adapter says why they are unlike.
    """
    if len(found.files) < 2 or found.adapter.unlike is None:
        return
    _refuse_dated(found.files, where)
    if why := found.adapter.unlike(found.files, head, reading):
        raise InputError(
            f"holds {many(len(found.files), 'table')} that are no one experiment: {why}",
            where=where,
            hint=f"{_named(found.files, where)}; where they are one, write in experiment.yaml "
            f"source: {{format: {found.adapter.format}}}",
        )


def _named(names: Sequence[str], where: str, every: str = "") -> str:
    """What lies there, the command for the first of them, and the one for all."""
    listed = list(dict.fromkeys(map(printable, names)))
    more = f" and {len(listed) - MOST_LISTED} more" if len(listed) > MOST_LISTED else ""
    told = [f"it holds {', '.join(listed[:MOST_LISTED])}{more}"] if listed else []
    told += [f"name one: assay compute {where}/{listed[0]}"] if listed else []
    told += [f"or all: {every}" if listed else every] if every else []
    return "; ".join(told)


def _refuse_dated(paths: Sequence[str], where: str) -> None:
    """Tables whose paths differ by nothing but a date: nights are no repetitions of one another."""
    names: dict[str, str] = {}
    for path in paths:
        found = dated(path)
        if found is None:
            continue
        earlier = names.setdefault(found[0], path)
        if earlier != path:
            each = f"{printable(earlier.partition('/')[0])}, {printable(path.partition('/')[0])}"
            raise InputError(
                "holds tables whose names differ by their date alone: each is an experiment of its own",
                where=where,
                hint=f"name one: {each}; or all of them: assay build --experiments {where}/*",
            )
