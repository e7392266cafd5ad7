"""Bytes to values, strictly: JSON, YAML, lines of records, compressed files, times.

Whatever is read is decoded here into typed values, or becomes a problem with file and line. Nothing here
opens a file or knows what a value means.
"""

from __future__ import annotations

from metrics_core.formats import decompression, json_errors, jsonl, strict_json, strict_yaml
from metrics_core.formats.adapter import HEAD, Adapter, Element, Made, OutsideFile
from metrics_core.formats.declared import (
    Declared,
    Ended,
    Limited,
    OwnFigure,
    Rescaled,
    RunsDeclared,
    notes_of,
)
from metrics_core.formats.decoding import (
    Day,
    Line,
    OneOrMore,
    Prose,
    Text,
    Wrong,
    decode,
    expected,
    fault,
    missing,
    read_with,
    says,
    settings_meanings,
    unknown_key,
)
from metrics_core.formats.fields import (
    WRITTEN,
    Count,
    Dollars,
    FieldMeaning,
    Fraction,
    Name,
    Seconds,
    Stamp,
    Tokens,
    doc,
    fields,
)
from metrics_core.formats.json_access import inner, stated, tokens
from metrics_core.formats.jsonl import Row, lines, read
from metrics_core.formats.outside_json import JsonPart, OutsideJson, read_elements, read_object
from metrics_core.formats.strict_yaml import Document, Path
from metrics_core.formats.timestamps import (
    StampRange,
    Unreadable,
    day,
    is_day,
    iso,
    positive_id,
    seconds,
    utc,
)

__all__ = [
    "HEAD",
    "WRITTEN",
    "Adapter",
    "Count",
    "Day",
    "Declared",
    "Document",
    "Dollars",
    "Element",
    "Ended",
    "FieldMeaning",
    "Fraction",
    "JsonPart",
    "Limited",
    "Line",
    "Made",
    "Name",
    "OneOrMore",
    "OutsideFile",
    "OutsideJson",
    "OwnFigure",
    "Path",
    "Prose",
    "Rescaled",
    "Row",
    "RunsDeclared",
    "Seconds",
    "Stamp",
    "StampRange",
    "Text",
    "Tokens",
    "Unreadable",
    "Wrong",
    "day",
    "decode",
    "decompression",
    "doc",
    "expected",
    "fault",
    "fields",
    "inner",
    "is_day",
    "iso",
    "json_errors",
    "jsonl",
    "lines",
    "missing",
    "notes_of",
    "positive_id",
    "read",
    "read_elements",
    "read_object",
    "read_with",
    "says",
    "seconds",
    "settings_meanings",
    "stated",
    "strict_json",
    "strict_yaml",
    "tokens",
    "unknown_key",
    "utc",
]
