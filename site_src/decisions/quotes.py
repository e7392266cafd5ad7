"""Quotations from records, checked to occur there byte for byte.

Does: look for the words of a quote in the record that it names, as the site publishes that record. Does
not: read a file; the runs of an experiment are handed in, and only those that are quoted are kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from metrics_core.results import Review
from site_src.decisions.model import CheckedQuote, Decision, Quote, Record

Runs = Callable[[str], Iterable[Review]]
"""Experiment -> a pass over its runs; nothing for one that is not there."""


def occurs(text: str, record: bytes) -> bool:
    r"""Whether a text stands in a record: in one of its values or names, or across its JSON as published.

    The bytes of the text are looked for as they are: no case is folded, no space is narrowed, nothing is
    normalised. What was redacted stands there as its mark, and can be quoted only as that.

    Args:
        text: What is quoted.
        record: One JSON document in UTF-8.

    >>> occurs('say "no"\nand go', b'{"output": "I say \\"no\\"\\nand go."}')
    True
    >>> occurs("Say", b'{"output": "say"}')
    False
    """
    wanted = text.encode("utf-8", "surrogatepass")
    return wanted in record or any(
        wanted in value.encode("utf-8", "surrogatepass") for value in _texts(json.loads(record))
    )


def cited(decisions: Iterable[Decision], runs: Runs) -> Mapping[str, Record]:
    """The records that decisions quote, by the words that name them; one pass an experiment.

    Args:
        decisions: All of them.
        runs: The runs of an experiment.
    """
    wanted: dict[str, set[str]] = {}
    for d in decisions:
        for quote in d.quotes:
            experiment, _, record = quote.source.partition("/")
            wanted.setdefault(experiment, set()).add(record)
    found: dict[str, Record] = {}
    for experiment, records in sorted(wanted.items()):
        for review in runs(experiment):
            for name in {review.run, f"{review.file}:{review.line}"} & records:
                found[f"{experiment}/{name}"] = record_of(review)
    return found


def record_of(review: Review) -> Record:
    """A run's record with every text in it as it is."""
    data = json.dumps(review.record, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return Record(review.experiment, review.run, review.title, data)


def checked(decision: Decision, records: Mapping[str, Record]) -> tuple[CheckedQuote, ...]:
    """Each quote of a decision beside its record."""
    return tuple(_checked(quote, records.get(quote.source)) for quote in decision.quotes)


def _checked(quote: Quote, record: Record | None) -> CheckedQuote:
    return CheckedQuote(quote, record, record is not None and occurs(quote.text, record.data))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
