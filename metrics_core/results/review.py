"""What one run shows to a reader: its verdicts with the chain that established each, and its parts.

The shape between a family, which knows what a record means, and the review pages, which know no
family. It holds values of a single record, so no interval and no pooling; nothing here is aggregated.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from metrics_core.results.estimate import Polarity, State
from metrics_core.results.keys import Keys


@dataclass(frozen=True, slots=True)
class Step:
    """One link of the chain that established a verdict; ``ends`` where the chain breaks off here."""

    name: str
    text: str
    ends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one metric says of this run.

    Attributes:
        state: ``known``, or why there is nothing in N.
        word: The metric's own word for the outcome: "achieved", "held", "all pass", "unknown".
        value: In the metric's unit; None where the state is not known.
        n, N, of: Counts of this one run, e.g. 5 of 7 assertions.
        good: True where the outcome speaks for the model, False against it, None where neither.
        chain: Links in the order in which they were followed; only the last one may end it.
        silent: What the check does not establish.

    Raises:
        ValueError: A chain breaks off before its last link, or that of a known verdict breaks off.
    """

    metric: str
    title: str
    stratum: Keys
    state: State
    word: str
    value: float | None
    unit: str
    n: int
    N: int
    of: str
    good: bool | None
    polarity: Polarity = "for"
    reason: str = ""
    chain: tuple[Step, ...] = ()
    silent: str = ""

    def __post_init__(self) -> None:
        broken = [step.name for step in self.chain if step.ends]
        if broken and (self.state == "known" or broken != [self.chain[-1].name]):
            raise ValueError(f"{self.metric} is {self.state}, and its chain breaks off at {broken}")


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One named assertion of this run; None where its outcome is not known."""

    name: str
    passed: bool | None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """Money of this run from one source. Tokens are counts, None where not recorded; ``usd`` US dollars."""

    source: str
    input: int | None
    cached: int | None
    output: int | None
    usd: float | None
    prices: str | None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One run, as its page shows it.

    Attributes:
        run: Name of the run within the experiment: digest of family, file and line, 12 hex digits.
        group: ``model`` and the family's other keys.
        facets: What lists are filtered by, words only: ``done, but broken``, ``error``, ...
        lost: The funnel stage that this run did not reach, with state and reason; None if it reached all.
        uncounted: Why no number counts the assertions, though some are recorded; empty where they count.
        lists: Named lists of record text: files changed, pages that broke.
        broken: What worked before the run and does not after it, by name.
        facts: Named scalars of the record: wall-clock, calls, stamp.
        record: The record itself, decoded, as published.
    """

    experiment: str
    family: str
    run: str
    title: str
    task: str
    group: Keys
    stamp: str | None
    file: str
    line: int
    verdicts: tuple[Verdict, ...]
    facets: tuple[str, ...] = ()
    lost: tuple[str, State, str] | None = None
    checks: tuple[CheckLine, ...] = ()
    uncounted: str = ""
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    broken: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    costs: tuple[CostLine, ...] = ()
    record: Any = None


def run_name(family: str, file: str, line: int) -> str:
    """Name of a run within its experiment: 12 hex digits of family, file and line.

    The record's text is not part of it, so that a corrected record keeps its address.
    """
    return hashlib.sha256(f"{family}\0{file}\0{line}".encode()).hexdigest()[:12]
