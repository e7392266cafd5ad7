"""Which files of an experiment belong to which family, by the folders that they lie in.

Does: divide paths, refuse a log that is there twice, and say what is wrong with a folder that holds none.
Does not: open files, or know a family (the caller says which folder is whose).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

from metrics_core import packed_records
from metrics_core.errors import InputError
from metrics_core.regular_files import printable


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
    unread: list[str] = []
    for folder, family in layout.items():
        inside = [path for path in paths if path.startswith(f"{folder.rstrip('/')}/")]
        whole = folder.endswith("/")
        used = tuple(path for path in inside if _is_log(path) or (whole and path.count("/") > 1))
        unread += sorted(set(inside) - set(used))
        if used:
            found[family] = used
            _refuse_doubles(filter(_is_log, used))
    return dict(sorted(found.items())), tuple(unread)


def nothing_there(
    root: PurePath, layout: Mapping[str, str], inner: Sequence[str], settings: str
) -> InputError:
    """What is wrong with a folder in which no family has records, and what was probably meant.

    Args:
        root: The folder.
        layout: Folder -> family.
        inner: Names of folders in it that would be experiments, sorted.
        settings: Name of the settings' file.
    """
    if not layout:
        return InputError("holds nothing of the format that was asked for", where=printable(root.name))
    folders = sorted(folder.rstrip("/") for folder in layout)
    if root.name in folders:
        hint = f"name the folder around it: {printable(root.parent.name)}"
    else:
        hint = (
            f"name one of its folders, such as {printable(inner[0])}"
            if inner
            else f"logs lie in {', '.join(f'{f}/' for f in folders)}; or name a source in {settings}"
        )
    return InputError("holds no logs of any family", where=printable(root.name), hint=hint)


def _is_log(path: str) -> bool:
    return path.count("/") == 1 and packed_records.is_record_file(path)


def _refuse_doubles(paths: Iterable[str]) -> None:
    taken: dict[str, str] = {}
    for path in paths:
        plain = packed_records.unpacked_name(path)
        if plain in taken:
            raise InputError(
                f"the same log as {printable(taken[plain])}, packed in another way",
                where=printable(path),
                hint="remove one of them",
            )
        taken[plain] = path
