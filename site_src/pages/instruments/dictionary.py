"""The dictionary: each field of each record type, and each setting, in the words of the type itself.

Fields are under date and digest.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import astuple

from metrics_core.formats import FieldMeaning, fields
from site_src import paths
from site_src.pages.components import Table, digest_span, line, table, text
from site_src.project import BuildInfo, RecordType, SettingsFile
from site_src.wording import Line, Span, count


class RecordTypeView(Struct, frozen=True, kw_only=True):
    """One record type and its fields."""

    id: str
    title: str
    about: str
    folder: str
    schema: Span
    fields: Table


class SettingsView(Struct, frozen=True, kw_only=True):
    """One file of settings."""

    id: str
    title: str
    about: str
    settings: Table


class DictionaryView(Struct, frozen=True, kw_only=True):
    """Every record type, and every setting."""

    template: ClassVar[str] = "instruments/dictionary.html"
    title: str
    lede: str
    edition: Line
    types: tuple[RecordTypeView, ...]
    settings: tuple[SettingsView, ...]


def type_id(name: str) -> str:
    """Element id of a record type on the page.

    >>> type_id("BrownfieldRun")
    'type-brownfieldrun'
    """
    return f"type-{name.lower()}"


def dictionary_view(build: BuildInfo) -> DictionaryView:
    """The page of field meanings."""
    record_types = [(kind, fields(kind.struct)) for kind in build.records]
    spelled = json.dumps(
        [[kind.name, *map(astuple, found)] for kind, found in record_types], ensure_ascii=False
    )
    digest = "sha256:" + hashlib.sha256(spelled.encode()).hexdigest()
    number = sum(len(found) for _, found in record_types)
    dated = f"Dated {build.dictionary_date}, " if build.dictionary_date else ""
    return DictionaryView(
        title="Dictionary",
        lede=f"What each of {count(number)} fields actually means, as its record type says it. "
        "It was written before any number on this site was aggregated.",
        edition=line(dated, digest_span(digest, "contract")),
        types=tuple(_type(kind, found) for kind, found in record_types),
        settings=tuple(map(_settings, build.settings)),
    )


def _settings(file: SettingsFile) -> SettingsView:
    rows = [(text(s.name, "mono"), s.meaning, s.kind) for s in file.settings]
    return SettingsView(
        id=f"settings-{file.name.replace('.', '-')}",
        title=file.name,
        about=file.about,
        settings=table(f"Settings of {file.name}", ["Setting", "What it does", "Holds"], rows),
    )


def _type(kind: RecordType, found: tuple[FieldMeaning, ...]) -> RecordTypeView:
    rows = [
        (text(f.name, "mono"), f.meaning, f.kind, f.unit or "", "required" if f.required else "optional")
        for f in found
    ]
    return RecordTypeView(
        id=type_id(kind.name),
        title=kind.name,
        about=" ".join((inspect.getdoc(kind.struct) or "").replace("`", "").split()),
        folder=kind.folder,
        schema=text(
            "JSON Schema", href=paths.relative(paths.DICTIONARY, kind.schema_at) if kind.schema_at else ""
        ),
        fields=table(f"Fields of {kind.name}", ["Field", "What it means", "Holds", "Unit", "Presence"], rows),
    )
