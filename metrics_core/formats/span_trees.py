"""What a tree of spans comes to as one run: whoever traces an agent records calls within calls.

Does: add up tokens and cost of the innermost spans that state them, find the root and how long it took, and
settle what several scores of one name say. Does not: know a format, or fill in what was not recorded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import fsum
from typing import Any

from msgspec import Struct

from metrics_core.formats.timestamps import stamp_of


class SpanRecord(Struct, frozen=True, kw_only=True):
    """One span: a step of an agent, with what it says of itself.

    Attributes:
        id, parent: Its own, and that of the span that it lies in; None of a root.
        name: What it is called.
        begin, end: Seconds since 1970.
        model: Which model it called.
        call: Whether it is one call of a model, which uses tokens.
        sent, received, cached: Tokens in, tokens out, and those of the first that came from a cache.
        cost: US dollars.
        error: Why it failed.
    """

    id: str
    parent: str | None = None
    name: str = ""
    begin: float | None = None
    end: float | None = None
    model: str | None = None
    call: bool = False
    sent: int | None = None
    received: int | None = None
    cached: int | None = None
    cost: float | None = None
    error: str | None = None


class AttachedScore(Struct, frozen=True, kw_only=True):
    """A score that somebody gave to a run, or to a part of it."""

    name: str
    value: Any
    whole: bool = True


def root_of(spans: Sequence[SpanRecord]) -> SpanRecord | None:
    """The earliest span that lies in no other; None where every one names a parent that is not there.

    >>> root_of([SpanRecord(id="b", parent="a", begin=2.0), SpanRecord(id="a", begin=1.0)]).id
    'a'
    """
    roots = [span for span in spans if span.parent is None]
    return min(roots, key=lambda span: (span.begin is None, span.begin or 0.0, span.id), default=None)


def run_of(spans: Sequence[SpanRecord]) -> dict[str, Any]:
    """Start, time, tokens, cost and error of a run, as a trace holds them; None for what is not known.

    Tokens are known where every call of a model states them, unless it failed; a call within a span that
    states a sum of its own is counted once. No tokens and no cost at all are not recorded, and no zero.

    >>> chat = SpanRecord(id="b", parent="a", begin=1.0, end=2.5, call=True, sent=10, received=5)
    >>> found = run_of([SpanRecord(id="a", begin=0.5, end=3.0, sent=10, received=5), chat])
    >>> found["wall_s"], found["prompt_tokens"], found["completion_tokens"], found["cost_usd"]
    (2.5, 10, 5, None)
    """
    root = root_of(spans)
    begins = [span.begin for span in spans if span.begin is not None]
    ends = [span.end for span in spans if span.end is not None]
    begin = root.begin if root and root.begin is not None else min(begins, default=None)
    end = root.end if root else max(ends, default=None)
    counted = _innermost(
        spans, [span for span in spans if span.sent is not None and span.received is not None]
    )
    silent = any(span.call and span.sent is None and span.error is None for span in spans)
    sent, received = sum(span.sent or 0 for span in counted), sum(span.received or 0 for span in counted)
    known = bool(counted) and not silent and sent + received > 0
    cached = [span.cached for span in counted if span.cached is not None]
    priced = _innermost(spans, [span for span in spans if span.cost is not None])
    wall = None if begin is None or end is None or end < begin else round(end - begin, 6)
    return {
        "stamp": stamp_of(begin),
        "wall_s": wall,
        "prompt_tokens": sent if known else None,
        "completion_tokens": received if known else None,
        "cached_tokens": sum(cached) if known and cached else None,
        "cost_usd": fsum(span.cost or 0.0 for span in priced) or None,
        "error": root.error if root else None,
    }


def _innermost(spans: Sequence[SpanRecord], some: Sequence[SpanRecord]) -> list[SpanRecord]:
    """Those of some spans that hold no other of them."""
    parents = {span.id: span.parent for span in spans}
    around: set[str] = set()
    for span in some:
        at = span.parent
        while at is not None and at not in around:
            around.add(at)
            at = parents.get(at)
    return [span for span in some if span.id not in around]


def models_of(spans: Iterable[SpanRecord]) -> str | None:
    """Every model that was called, in order of their names; None where none is told.

    >>> models_of([SpanRecord(id="1", model="b"), SpanRecord(id="2", model="a"), SpanRecord(id="3")])
    'a + b'
    """
    return " + ".join(sorted({span.model for span in spans if span.model})) or None


def settled(scores: Iterable[AttachedScore]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """One value a name, and the names of which several values were given, so that none is taken.

    A score of the whole run goes before those of its parts.

    >>> part = AttachedScore(name="help", value=0.2, whole=False)
    >>> settled([part, AttachedScore(name="help", value=0.9)])
    ({'help': 0.9}, ())
    >>> settled([part, AttachedScore(name="help", value=0.9, whole=False)])
    ({'help': None}, ('help',))
    """
    given: defaultdict[str, list[AttachedScore]] = defaultdict(list)
    for score in scores:
        given[score.name].append(score)
    found: dict[str, Any] = {}
    several = []
    for name, some in given.items():
        chosen = [score for score in some if score.whole] or some
        values = {repr(score.value): score.value for score in chosen if score.value is not None}
        found[name] = next(iter(values.values())) if len(values) == 1 else None
        if len(values) > 1:
            several.append(name)
    return found, tuple(several)
