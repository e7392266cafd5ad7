"""Records to the lines of a log."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any


def line(record: dict[str, Any]) -> str:
    """One record as one line, without its line end."""
    return json.dumps(record, ensure_ascii=False)


def log(records: Iterable[dict[str, Any]]) -> str:
    """A whole log; each line ends in a line feed."""
    return "".join(line(record) + "\n" for record in records)
