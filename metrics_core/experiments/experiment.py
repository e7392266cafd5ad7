"""Reads an experiment as a harness left it, a folder or one file: the only way in for what is computed.

Does: find the families by the folders they use, read `experiment.yaml`, price tables, the task pack,
contracts and recorded controls, and give every file's text as it is published. Does not: know what a family
is (the caller says which folder belongs to which), compute, or write.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, field, structs
from msgspec.structs import replace

from metrics_core import column_names
from metrics_core.contracts import Pack, UserContract, load_contract, load_pack
from metrics_core.digest import of_bytes, short
from metrics_core.errors import ConfigError, InputError, LeakError
from metrics_core.experiments import discovery, several_experiments, unread_files, unrecognised
from metrics_core.experiments.files import (
    Address,
    FolderEntry,
    Place,
    is_folder,
    look_at,
    on_a_disk,
    opened,
    place,
    printable,
)
from metrics_core.experiments.folder_form import FolderForm
from metrics_core.experiments.price_tables import read_price_table
from metrics_core.experiments.settings import Settings, read_settings
from metrics_core.experiments.snapshot import FileDigest, Snapshot, stream, take_snapshot, unpacked
from metrics_core.formats import (
    HEAD,
    Adapter,
    Document,
    Reading,
    decompression,
)
from metrics_core.pricing import PriceTable
from metrics_core.redaction import Redactor
from metrics_core.results import Problem, html, html_table, told_together
from metrics_core.text import many, visible

SETTINGS = unread_files.SETTINGS
LARGEST = 16 * 2**20
"""Bytes of a price table, a control or a settings file."""


class Experiment(Struct, frozen=True, kw_only=True):
    """One experiment, found and not yet measured.

    Attributes:
        path: What was asked for, a folder or one file of this machine, or an address; never published.
        root: The folder that its files are found from.
        name: The folder's name, or the file's without its ending: the folder that it is published as.
        slug: Its name in ids and addresses: ``[a-z0-9-]``.
        title, description: For readers.
        settings: What `experiment.yaml` says; ``stated`` is where each part of it stands.
        families: Family -> paths of its files, in byte order.
        entries: Every regular file by its path, in byte order.
        given: Files that whoever asked for it added: settings from the command line. Path -> bytes.
        not_records: Files that are not read -> the format that they are of, where another is read here; empty
            where they are of none; None where they lie in a family's folder and are no logs by their names.
        unread: Files that nothing reads, in byte order: they are named, and never published.
        contracts, pack, prices: Instruments that it brings along.
        controls: Recorded controls: path -> bytes as published.
        problems: What was found and is not read.
        redactor: Takes secrets out of whatever is read.
        adapter: What the files of its family are read through, where they are of an outside format.
        snapshot: Digests of its files; None before `with_snapshot` has read them.
    """

    path: Place
    root: Place
    name: str
    slug: str
    title: str
    description: str
    settings: Settings
    stated: Document
    families: Mapping[str, tuple[str, ...]]
    entries: Mapping[str, FolderEntry]
    given: Mapping[str, bytes] = field(default_factory=dict)
    not_records: Mapping[str, str | None] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    contracts: tuple[UserContract, ...] = ()
    pack: Pack | None = None
    prices: tuple[PriceTable, ...] = ()
    controls: Mapping[str, bytes] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    redactor: Redactor = field(default_factory=Redactor)
    adapter: Adapter | None = None
    snapshot: Snapshot | None = None

    def __repr__(self) -> str:
        files = ", ".join(f"{name} {many(len(paths), 'file')}" for name, paths in self.families.items())
        about = f"{self.slug}: {files}; {many(len(self.problems), 'problem')}; not measured"
        return f"<Experiment {visible(about, escaped=True)}>"

    def _repr_html_(self) -> str:
        brought = [
            *((name, many(len(paths), "file")) for name, paths in self.families.items()),
            ("read through", self.adapter.title if self.adapter else ""),
            ("contracts", ", ".join(contract.file for contract in self.contracts)),
            ("price tables", str(len(self.prices) or "")),
            ("recorded controls", ", ".join(self.controls)),
            ("eval pack", "yes" if self.pack else ""),
            ("not read", str(len(self.not_records) or "")),
            ("problems", str(len(self.problems) or "")),
        ]
        about = f": {html(self.description)}" if self.description else ""
        head = f"<p><b>{html(self.title)}</b> ({html(self.slug)}){about}</p>\n"
        return head + html_table(("holds", ""), [row for row in brought if row[1]])

    def with_snapshot(self, known: Mapping[FolderEntry, FileDigest] | None = None) -> Experiment:
        """The same experiment with the digests of its files; the same object where it has them.

        Args:
            known: Digests of files that have not been written since, as in `take_snapshot`.

        Raises:
            InputError: A file cannot be read, or changed while it was read.
            LeakError: A file whose digest is quoted elsewhere holds a secret.
        """
        if self.snapshot is not None:
            return self
        passed_over = {*self.given, *self.unread}
        entries = [entry for path, entry in self.entries.items() if path not in passed_over]
        digests = take_snapshot(self.root, entries, self.redactor, known, self.given)
        return replace(self, snapshot=digests)

    @property
    def digests(self) -> Snapshot:
        """Digests of its files, and of the folder: what captions carry.

        Raises:
            ValueError: Its files were not read yet; see `with_snapshot`.
        """
        if self.snapshot is None:
            raise ValueError(f"{self.slug} has no snapshot: its files were not read yet")
        return self.snapshot

    def open_published(self, path: str) -> Iterator[bytes]:
        """A file's text as published, in pieces; see `metrics_core.experiments.snapshot.stream`.

        A file in which the snapshot found nothing to take out is not looked through again.

        Raises:
            InputError: There is no such file in this experiment.
        """
        entry = self.entries.get(path)
        if entry is None:
            raise InputError("there is no such file", where=f"{self.slug}/{printable(path)}")
        if self.snapshot is not None and path in self.snapshot.clean:
            return unpacked(self.root, entry)
        return stream(self.root, entry, self.redactor)

    def published_name(self, path: str) -> str:
        """A file's name as published, safe to print: a packed file that was redacted is plain text."""
        shown = path
        if self.snapshot is not None and decompression.is_packed(path):
            shown = next((file.published for file in self.snapshot.files if file.path == path), path)
        return self.redactor.clean_text(printable(shown))[0]

    def text(self, path: str) -> bytes:
        """The whole of a small file, as published.

        Raises:
            InputError: There is no such file, or it is not small.
        """
        entry = self.entries.get(path)
        if entry is not None and entry.size > LARGEST:
            raise InputError(f"expected at most {LARGEST} bytes, got {entry.size}", where=entry.where)
        return b"".join(self.open_published(path))

    def published(self, file: FileDigest) -> bytes:
        """The whole of a file, byte for byte as its snapshot digests it.

        Raises:
            InputError: It changed since the snapshot was taken.
        """
        if file.path in self.given:
            return self.given[file.path]
        entry = self.entries[file.path]
        if file.redacted or not decompression.is_packed(file.path):
            data = b"".join(self.open_published(file.path))
        else:
            with opened(self.root, entry) as source:
                data = source.read()
        if of_bytes(data) != f"sha256:{file.sha256}":
            raise InputError("changed while it was being published", where=entry.where, hint="build again")
        return data

    @property
    def reading(self) -> Reading:
        """What its settings say of how files are read that have no form of their own."""
        source = self.settings.source
        scale = self.settings.scale
        if source is None:
            return Reading(scale=scale)
        return Reading(map=source.map, scale=scale, decimal_comma=source.decimal_comma, words=source.words)

    @property
    def as_it_was(self) -> bool:
        """Whether its files still are those that were found.

        Raises:
            InputError: It is gone, or cannot be listed.
        """
        found = look_at(self.path)
        names = [
            entry.path.rpartition("/")[2] if found.single else entry.path for entry in self.entries.values()
        ]
        mine = [replace(entry, path=name) for entry, name in zip(self.entries.values(), names, strict=True)]
        return found.entries == tuple(mine)

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return sum(entry.size for entry in self.entries.values())

    def files_in(self, folder: str) -> tuple[str, ...]:
        """Paths of the files below a folder, in byte order."""
        return tuple(path for path in self.entries if path.startswith(f"{folder}/"))


def load_experiment(
    path: str | Place,
    *,
    layout: Mapping[str, str],
    records: Mapping[str, type[Any]] | None = None,
    adapters: Mapping[str, Adapter] | None = None,
    folders: Mapping[str, FolderForm | None] | None = None,
    beside: Collection[str] = (),
    redactor: Redactor | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Experiment:
    """Look at an experiment folder, or at one file: then that file is the experiment, and nothing beside it.

    Args:
        path: The folder, or the file, or the address of either.
        layout: Folder -> family: ``{"logs_big": "brownfield"}``. Its record files are the family's; where the
            folder's name ends in a slash, ``"attempts/"``, every file in folders below it is.
        records: Family -> its record type: by its fields a log is recognised that lies in no family's folder.
        adapters: Format -> adapter: what may read a folder that holds no records of any family.
        folders: Family -> how its records are read that are folders; None where they are lines.
        beside: Families whose records stand beside those of others, which may be of an outside format.
        redactor: Takes secrets out of whatever is read; by default those that are secrets anywhere.
        settings: What is added to the experiment's own settings, as `experiment.yaml` would state it.

    Raises:
        InputError: There is no such folder, or nothing in it that any family reads, or files of two formats.
        ConfigError, FormatError: `experiment.yaml` or a price table is wrong.
        ContractError: A contract is no contract.
        LeakError: The name of the folder or of a file holds a secret.
    """
    named = place(path)
    if isinstance(named, Address):
        _refuse_secret_names((str(named),))
    asked = discovery.known_by_folders(look_at(named), adapters or {})
    root = asked.root
    entries = {entry.path: entry for entry in asked.entries}
    _refuse_secret_names((asked.name, *entries))
    families, not_records = discovery.families(tuple(entries), layout, beside)
    short_name = slug(asked.name)
    bare = Experiment(
        path=asked.path, root=root, name=asked.name, slug=short_name,
        title=printable(asked.name), description="",
        settings=Settings(), stated=Document(f"{short_name}/{SETTINGS}", {}, {}),
        families=families, entries=entries, not_records=dict.fromkeys(not_records),
        redactor=redactor or Redactor(),
        problems=tuple(Problem(printable(o.path), None, "", f"{o.kind} is not read") for o in asked.oddities),
    )  # fmt: skip
    if SETTINGS in entries and not asked.single:
        bare = replace(bare, stated=_settings_file(bare))
    elif not asked.single and is_folder(root, SETTINGS):
        raise InputError("expected a file, got a folder", where=f"{short_name}/{SETTINGS}")
    said = "source" in (bare.stated.value or {})
    if settings:
        bare = _with(bare, settings)
    stated = read_settings(bare.stated)
    if stated.source is not None and not stated.cluster:
        clusters = tuple(map(column_names.kept_as, stated.source.map.get(column_names.CLUSTER, ())))
        stated = structs.replace(stated, cluster=clusters)
    alone = families.keys() <= {*beside}
    if not families and not asked.single:
        several_experiments.refuse_collection(entries, SETTINGS, printable(root.name))
    adapted = _adapted(bare, stated, adapters or {}, records or {}, single=asked.single, alone=alone)
    if isinstance(adapted, discovery.Adapted) and not said:
        reading = replace(bare, settings=stated).reading
        several_experiments.refuse_unlike(adapted, partial(_head, bare), reading, printable(root.name))
    if isinstance(adapted, discovery.Loose):
        families, adapted = dict(sorted({**families, **adapted.families}.items())), None
        bare = replace(bare, families=families)
    if adapted is None and not families:
        folders_inside = {tuple(path.split("/")[:2]) for path in entries if path.count("/") > 1}
        inner = {above for above, name in folders_inside if name in {f.rstrip("/") for f in layout}}
        told = unrecognised.answer(tuple(entries), lambda path: _head(bare, path), adapters or {})
        if asked.single:
            raise discovery.not_recognised(asked.path, told)
        not_files = told_together(bare.problems)
        raise discovery.nothing_there(root, layout, sorted(inner), SETTINGS, (*not_files, *told))
    if adapted is not None:
        mine = {adapted.adapter.family: adapted.files}
        bare = replace(
            bare,
            families=dict(sorted({**families, **mine}.items())),
            not_records=discovery.beside({**bare.not_records, **adapted.not_records}, adapted.files),
            adapter=adapted.adapter,
        )
    contracts = _contracts(bare)
    _refuse_unknown(stated, contracts, f"{bare.slug}/{SETTINGS}")
    return replace(
        bare,
        unread=unread_files.unread(
            tuple(entries), bare.families, folders or {}, bare.adapter, bare.not_records
        ),
        settings=stated,
        title=bare.redactor.clean_text(stated.title)[0] or bare.title,
        description=bare.redactor.clean_text(stated.description)[0],
        contracts=contracts,
        pack=_pack(bare),
        prices=tuple(read_price_table(bare.text(p), p) for p in _named(bare, "pricing", unread_files.PRICES)),
        controls={p: bare.text(p) for p in _named(bare, "controls", (".json",))},
    )


def _settings_file(bare: Experiment) -> Document:
    from metrics_core.formats import strict_yaml  # slow to load, and few experiments say anything

    return strict_yaml.parse(_raw(bare, SETTINGS), bare.stated.name)


def _with(bare: Experiment, settings: Mapping[str, Any]) -> Experiment:
    """An experiment whose settings have more in them: they are published in place of the file that it has."""
    own = bare.stated.value or {}
    whole = {**own, **{k: {**own.get(k, {}), **v} if isinstance(v, dict) else v for k, v in settings.items()}}
    lines = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in whole.items())
    stated = replace(bare.stated, value=whole, name="command line", lines={})
    return replace(bare, stated=stated, given={SETTINGS: "".join(lines).encode()})


def _adapted(
    bare: Experiment,
    settings: Settings,
    adapters: Mapping[str, Adapter],
    records: Mapping[str, type[Any]],
    *,
    single: bool,
    alone: bool,
) -> discovery.Adapted | discovery.Loose | None:
    """What is read through an adapter: as the settings say, else as an adapter recognises a bare folder.

    A folder is bare, too, where only families have records that stand beside others (``alone``).
    """
    head = partial(_head, bare)
    where = f"{bare.slug}/{SETTINGS}"
    if settings.source is None:
        if not alone or (single and bare.families):
            return None
        mine = {path for paths in bare.families.values() for path in paths}
        others = [path for path in bare.entries if path not in mine]
        return discovery.recognised(others, head, adapters, records, bare.slug, single=single)
    found = discovery.stated(settings.source, bare.entries, head, adapters, where)
    if found.adapter.family in bare.families:
        raise ConfigError(
            f"the source makes records of the family {found.adapter.family}, which has records of its own",
            where=f"{where}#/source",
            hint="give the source a folder of its own",
        )
    return found


def _head(bare: Experiment, path: str, size: int = HEAD) -> bytes:
    with opened(bare.root, bare.entries[path]) as file:
        return decompression.head(file, path, size)


def slug(name: str) -> str:
    """A folder's name as ids and addresses spell it, with 8 digits of a digest wherever that differs.

    >>> slug("gh-2026"), slug("GH 2026")
    ('gh-2026', 'gh-2026-0880f189')
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].rstrip("-")
    return plain if plain == name else f"{plain or 'experiment'}-{short(of_bytes(os.fsencode(name)))}"


def _refuse_secret_names(names: Sequence[str]) -> None:
    told = "\n".join(map(printable, names))
    _, found = Redactor().clean_text(told)
    if found:
        bad = next((p for p in names if Redactor().clean_text(printable(p))[1]), "")
        raise LeakError(
            f"its name holds a {min(found)}",
            where=Redactor().clean_text(printable(bad))[0],
            hint="rename it",
        )


def _named(experiment: Experiment, folder: str, suffixes: tuple[str, ...]) -> list[str]:
    return [path for path in experiment.files_in(folder) if path.count("/") == 1 and path.endswith(suffixes)]


def _refuse_unknown(settings: Settings, contracts: Sequence[UserContract], where: str) -> None:
    """A contract that the settings name and that is not there: its traces would be scored by none."""
    files = [contract.file for contract in contracts]
    for at, use in enumerate(settings.contracts):
        if use.file not in files:
            place, hint = f"{where}#/contracts/{at}/file", f"in contracts/: {', '.join(files) or 'none'}"
            raise ConfigError(f"there is no contract {use.file!r}", where=place, hint=hint)


def _contracts(experiment: Experiment) -> tuple[UserContract, ...]:
    """Each Python file of ``contracts/`` that has an id; others are what these import."""
    paths = _named(experiment, "contracts", (".py",))
    mine = [path for path in paths if b"CONTRACT_ID" in experiment.text(path)]
    if not mine:
        return ()
    beside = [experiment.entries[path] for path in experiment.files_in("contracts")]
    with on_a_disk(experiment.root, beside) as root:
        return tuple(load_contract(root / path) for path in mine)


def _pack(experiment: Experiment) -> Pack | None:
    if not experiment.files_in("eval_pack"):
        return None
    entries = [entry for path, entry in experiment.entries.items() if path.startswith(unread_files.PACK)]
    with on_a_disk(experiment.root, entries) as root:
        return load_pack(root / "eval_pack")


def _raw(experiment: Experiment, path: str) -> bytes:
    """A file as found: a mark in the place of a secret would be read as YAML."""
    with opened(experiment.root, experiment.entries[path]) as file:
        return file.read(LARGEST)
