"""Which files of an experiment nothing reads: a key, an archive, notes, whatever lay beside the records.

Such files are named and never published. Does: tell them by their paths. Does not: open files.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from metrics_core.experiments.folder_form import FolderForm
from metrics_core.formats import Adapter

SETTINGS = "experiment.yaml"
PRICES = (".yaml", ".yml", ".json")
PACK = ("eval_pack/", "eval_pack.sums", "eval_pack.tree.sha256")


def unread(
    paths: Sequence[str],
    families: Mapping[str, Sequence[str]],
    folders: Mapping[str, FolderForm | None],
    adapter: Adapter | None,
    not_records: Mapping[str, str | None],
) -> tuple[str, ...]:
    """Files that no family, no adapter and no instrument reads, in the order of the paths.

    Args:
        paths: Every file of the experiment.
        families: Family -> paths of its files.
        folders: Family -> how its records are read that are folders.
        adapter: What the files of its family are read through, where they are of an outside format.
        not_records: Files beside the records -> the format by which they were recognised, if by any.

    >>> unread(("logs/a.jsonl", "logs/.env", "pricing/p.yaml"), {"matrix": ("logs/a.jsonl",)}, {}, None, {})
    ('logs/.env',)
    """
    read = {path for path in paths if _is_instrument(path)}
    read |= {path for path, recognised in not_records.items() if recognised}
    for family, own in families.items():
        form = folders.get(family)
        if form is None or (adapter is not None and adapter.family == family):
            read |= {*own}
        else:
            parts = {path for path in own if path.count("/") > 1}
            read |= {*own} - parts
            read |= {path for unit in form.units(sorted(parts, key=os.fsencode)) for path in unit.read}
    if adapter is not None and adapter.beside:
        read |= {path for path in paths if path.endswith(adapter.beside) and not _is_hidden(path)}
    return tuple(path for path in paths if path not in read)


def _is_instrument(path: str) -> bool:
    """Settings, price tables, recorded controls, sources of contracts and the task pack."""
    folder, _, name = path.partition("/")
    return (
        path == SETTINGS
        or path.startswith(PACK)
        or (folder == "contracts" and name.endswith(".py"))
        or (folder == "pricing" and "/" not in name and name.endswith(PRICES))
        or (folder == "controls" and "/" not in name and name.endswith(".json"))
    )


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))
