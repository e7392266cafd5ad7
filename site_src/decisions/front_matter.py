"""The front matter of a decision, value by value: each checked for its type, each error with its line.

Does: give text, dates, numbers, mappings and lists at a path. Does not: know what a decision is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metrics_core.errors import ClaimError
from metrics_core.problem import quoted
from metrics_core.stamps import is_day
from metrics_core.yaml_strict import Document, Path
from site_src.naming import listed
from site_src.references import nearest


class Front:
    """Front matter as it is read.

    Args:
        document: The parsed YAML, with the lines of its parts.
        keys: What may stand in it.

    Raises:
        ClaimError: ``file:line#/pointer: expected ..., got ...``, from every method.
    """

    def __init__(self, document: Document, keys: Sequence[str]) -> None:
        self.document = document
        self.known(self.mapping((), listed(keys[:2])), (), keys)

    def fault(self, path: Path, expected: str, got: object, hint: str = "") -> ClaimError:
        """``file:line#/pointer: expected ..., got ...``."""
        where = self.document.where(*path) + (f"#/{'/'.join(map(str, path))}" if path else "")
        return ClaimError(f"expected {expected}, got {quoted(got)}", where=where, hint=hint)

    def at(self, path: Path) -> Any:
        """The value at a path, or None."""
        value: Any = self.document.value
        for key in path:
            value = value.get(key) if isinstance(value, dict) else value[int(key)]
        return value

    def mapping(self, path: Path, of: str) -> dict[str, Any]:
        """A mapping."""
        value = self.at(path)
        if not isinstance(value, dict):
            raise self.fault(path, f"a mapping of {of}", value)
        return value

    def known(self, found: Mapping[str, Any], path: Path, keys: Sequence[str]) -> None:
        """Refuse a key that is none of these."""
        for key in found:
            if key not in keys:
                raise self.fault((*path, key), f"one of {', '.join(keys)}", key, nearest(key, keys))

    def text(self, path: Path, what: str, *, needed: bool = False) -> str:
        """Text, or nothing where it may be left out."""
        value = self.at(path)
        if value is None and not needed:
            return ""
        if not isinstance(value, str) or not value.strip():
            raise self.fault(path, what, value, "put it in quotation marks" if value is not None else "")
        return value.strip()

    def day(self, path: Path, *, needed: bool = False) -> str:
        """An ISO date."""
        value = self.text(path, "a date such as 2026-07-20", needed=needed)
        if not value:
            return ""
        if not is_day(value):
            raise self.fault(path, "a date such as 2026-07-20", value)
        return value

    def number(self, path: Path, what: str) -> float:
        """A number."""
        value = self.at(path)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.fault(path, what, value)
        return float(value)

    def flag(self, path: Path) -> bool:
        """True or false; false where it is left out."""
        value = self.at(path)
        if value is not None and not isinstance(value, bool):
            raise self.fault(path, "true or false", value)
        return bool(value)

    def entries(self, key: str, of: str) -> Iterator[Path]:
        """Paths of the entries of a list that may be left out."""
        value = self.at((key,))
        if value is not None and not isinstance(value, list):
            raise self.fault((key,), f"a list of {of}", value)
        for place in range(len(value or ())):
            yield (key, place)
