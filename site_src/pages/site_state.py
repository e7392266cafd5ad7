"""Decisions, judged against the reports, and earlier editions: what a site holds besides its numbers.

Does: read the decisions and editions of a project, find the edition under which each decision was accepted,
and have every claim judged. Does not: touch a disk, or make a page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from metrics_core.contracts import lockfile
from metrics_core.results import Review
from site_src.decisions import (
    Decision,
    JudgedDecision,
    Record,
    check_together,
    check_transition,
    cited,
    judge_decision,
    read as read_decision,
    registration,
)
from site_src.editions import EditionDecision, History, store as editions
from site_src.project import ContentFile, Registration, SiteExperiment, Sources, of_all
from site_src.references import Index


class SiteState(Struct, frozen=True, kw_only=True):
    """Decisions and editions of a site.

    Attributes:
        index: Every estimate and comparison of its reports.
        decisions: In the order of their names, each claim with its verdict.
        history: Editions that were published before, and what became of their pages.
    """

    index: Index
    decisions: tuple[JudgedDecision, ...] = ()
    history: History = field(default_factory=History)

    @property
    def decisions_json(self) -> tuple[dict[str, Any], ...]:
        """Decisions as editions, feed and data hold them: each as its ``to_json`` gives it."""
        return tuple(judged.to_json() for judged in self.decisions)


def site_state(sources: Sources, shown: Sequence[SiteExperiment]) -> SiteState:
    """Read and judge the decisions of a project, and read its editions.

    Args:
        sources: What was read.
        shown: The experiments with their reports.

    Raises:
        ClaimError: A decision names what does not exist, or lacks what its status needs.
        ConfigError, FormatError: A decision or an edition is not what it should be.
    """
    index = of_all(shown, _index, tuple(withheld.name for withheld in sources.withheld))
    history = of_all(shown, _history, sources.editions)
    decisions = [_decision(f"decisions/{name}", data) for name, data in sources.decisions]
    check_together(decisions)
    records = of_all(shown, _records, [decision for decision in decisions if decision.quotes])
    equal = tuple(_known_revisions(sources))
    registered = {f"decisions/{name}": known for name, known in sources.registrations.items()}

    def judged(decision: Decision) -> JudgedDecision:
        slug, known = decision.slug, registered.get(decision.source)
        earlier = [d for edition in history.editions for d in edition.decisions if d.slug == slug]
        return of_all(shown, _judged, decision, index, earlier, equal, records, known, about=slug)

    return SiteState(index=index, decisions=tuple(map(judged, decisions)), history=history)


def _index(shown: Sequence[SiteExperiment], withheld: Sequence[str]) -> Index:
    return Index([x.report for x in shown], withheld)


def _history(shown: Sequence[SiteExperiment], files: Sequence[ContentFile]) -> History:
    words = dict(pair for x in shown for pair in x.report.words)
    return editions.read_history(dict(files)).worded(words.get)


def _records(shown: Sequence[SiteExperiment], quoting: Sequence[Decision]) -> Mapping[str, Record]:
    return cited(quoting, _runs(shown))


def _runs(shown: Sequence[SiteExperiment]) -> Callable[[str], Iterator[Review]]:
    by_name = {x.name: x for x in shown}
    return lambda experiment: by_name[experiment].reviews() if experiment in by_name else iter(())


def _judged(
    shown: Sequence[SiteExperiment],
    decision: Decision,
    index: Index,
    earlier: Sequence[EditionDecision],
    revisions: Sequence[frozenset[str]],
    records: Mapping[str, Record],
    known: Registration | None,
) -> JudgedDecision:
    """A decision, judged; kept as long as nothing that its verdicts rest on is another."""
    if earlier:
        check_transition(decision, earlier[-1].status)
    runs = _runs(shown)
    found = judge_decision(
        decision,
        index,
        published=_accepted_in(decision, earlier),
        known_revisions=revisions,
        records=records,
        runs=runs,
    )
    if known is None:
        return found
    return replace(found, registration=known, undated=registration.rests_on_undated(found, runs))


_decision = lru_cache(maxsize=1 << 10)(read_decision)
"""A preview reads them after every save, and few of them are what was saved."""


def _accepted_in(decision: Decision, earlier: Sequence[EditionDecision]) -> Mapping[str, Any] | None:
    """The decision in the edition that first had it as it stands now; None where none had it so."""
    same = next((d for d in earlier if (d.status, d.date) == (decision.status, decision.date)), None)
    return None if same is None else msgspec.to_builtins(same)


def _known_revisions(sources: Sources) -> Iterable[frozenset[str]]:
    """Digests of one contract and version of which a ledger says that no number moved between them."""
    own = [] if sources.ledger is None else [lockfile.read(sources.ledger)]
    ledgers = [sources.package_ledger, *own]
    found: dict[tuple[str, str], set[str]] = {}
    for known in ledgers:
        for row in known.rows:
            found.setdefault((row.id, row.version), set()).add(row.digest)
    return (frozenset(digests) for _, digests in sorted(found.items()))
