"""The feed of a site: editions, experiments, decisions, and verdicts that turned, newest first.

Does: give each entry a date that stands in its own record, and every number its n/N, interval and digest.
Does not: look at a clock, or spell XML (`site_src.atom` does). What has no date yet (a build that was not
published, an experiment without stamps that no edition lists) has no entry yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metrics_core.estimate import Estimate
from metrics_core.text import visible
from site_src import atom, captions, parts, paths
from site_src.atom import Entry, moment
from site_src.clauses import clause
from site_src.editions import record, sentences
from site_src.editions.edition import Edition, EditionDecision
from site_src.editions.history import History
from site_src.editions.moves import Move, moved
from site_src.editions.turns import Turn, turned
from site_src.figures.context import FigureContext
from site_src.hallmark import short
from site_src.provenance import contract_name
from site_src.rounding import count
from site_src.site_file import SiteFile
from site_src.views.headline import compared
from site_src.views.inputs import BuildInfo, SiteExperiment

NEWEST = 60
"""Entries of a feed; older ones stand on the pages."""

TOLD = 20
"""Figures that one entry lists; the rest is counted, and stands on the page."""


def feed(
    experiments: Sequence[SiteExperiment],
    decisions: Sequence[Mapping[str, Any]],
    history: History,
    build: BuildInfo,
) -> SiteFile:
    """The feed of a site.

    Args:
        experiments: As pages see them.
        decisions: Each as its ``to_json`` gives it.
        history: Editions that were published.
        build: Version and settings.
    """
    found = [
        *_experiments(experiments, history, build),
        *_decisions(record.decided(decisions), experiments),
        *_editions(history),
    ]
    newest = sorted(found, key=atom.newest_first)[:NEWEST]
    seed = history.editions[0].digest if history.editions else build.site.title
    return SiteFile(paths.FEED, atom.document(newest, build.site, seed))


def _experiments(
    experiments: Sequence[SiteExperiment], history: History, build: BuildInfo
) -> Iterator[Entry]:
    context = FigureContext(build=build.version)
    for x in experiments:
        updated = _last_stamp(x) or _first_listed(x.name, history)
        if updated is None:
            continue
        told = [
            parts.plain(captions.caption(shown, context))
            for family in x.report.families
            if (shown := compared(x.report, family))
        ]
        controls = "; ".join(f"{c.title} {c.state}" for c in x.report.controls)
        head = f"{x.description}\n\ndata {short(x.report.data_digest)}. Controls: {controls or 'none'}."
        yield Entry(
            path=paths.experiment(x.name),
            updated=updated,
            title=f"Experiment: {x.title}",
            text="\n\n".join((head.strip(), *told)),
        )


def _last_stamp(x: SiteExperiment) -> str | None:
    stamps = [e.stamps[1] for e in x.report.estimates if e.stamps]
    return moment(max(stamps)) if stamps else None


def _first_listed(name: str, history: History) -> str | None:
    first = next((e for e in history.editions if e.experiment(name)), None)
    return moment(first.date) if first else None


def _decisions(
    decisions: Sequence[EditionDecision], experiments: Sequence[SiteExperiment]
) -> Iterator[Entry]:
    known = {e.id: e for x in experiments for e in x.report.estimates}
    for decision in decisions:
        updated = moment(decision.date)
        if updated is None:
            continue
        lines = [f"Status: {decision.status}."]
        for claim in decision.claims:
            lines.append(f"{claim.verdict}: {claim.says}")
            lines += [told_with(known[i]) for i in claim.estimates if i in known]
        yield Entry(
            path=paths.decision(decision.slug),
            updated=updated,
            title=f"Decision: {decision.title} ({decision.status})",
            text="\n".join(lines),
        )


def _editions(history: History) -> Iterator[Entry]:
    before: Edition | None = None
    for edition in history.editions:
        updated = moment(edition.date) or atom.NEVER
        moves: tuple[Move, ...] = ()
        said = "The first edition."
        if before is not None:
            turns = turned(before, edition)
            said = sentences.since(before, edition, moved(before, edition), turns)
            moves = _listed(before, edition)
            yield from (_turned(turn, before, edition, updated) for turn in turns if turn.now)
        lines = [*filter(None, (edition.why,)), said, f"Digest {edition.digest}"]
        lines += [_moved(move) for move in moves[:TOLD]]
        if len(moves) > TOLD:
            lines.append(f"{sentences.figures(len(moves) - TOLD)} more, on the page of editions.")
        yield Entry(
            path=paths.EDITIONS,
            mark=f"edition-{edition.number}",
            updated=updated,
            title=f"Edition {count(edition.number)}",
            text="\n".join(lines),
        )
        before = edition


def _listed(before: Edition, edition: Edition) -> tuple[Move, ...]:
    """The figures that an entry lists: moved or gone, in experiments that both editions have."""
    found = sentences.within(before, edition, moved(before, edition))
    return tuple(move for move in found if move.kind != "new")


def _turned(turn: Turn, before: Edition, edition: Edition, updated: str) -> Entry:
    """A verdict or a state that turned: an entry of its own, so that who follows the feed is told."""
    known = {e.id: e for e in edition.estimates}
    what = turn.says or "its status"
    was = turn.before or "not there"
    then, since = count(before.number), count(edition.number)
    lines = [f"{what}: {was} in edition {then}, {turn.now} in edition {since}."]
    lines += [told_with(known[i]) for i in turn.estimates if i in known]
    mark = f"edition-{edition.number}-{paths.digest8(turn.key)}"
    return Entry(
        path=paths.decision(turn.slug),
        mark=mark,
        updated=updated,
        title=f"Decision: {turn.title}: {was} → {turn.now}",
        text="\n".join(lines),
    )


def _moved(move: Move) -> str:
    if move.before and move.now:
        return f"{_subject(move.now)}: {_told(move.before)} → {_told(move.now)}"
    return f"{move.kind}: {told_with(e)}" if (e := move.now or move.before) else ""


def told_with(e: Estimate) -> str:
    """An estimate on a line of its own: what, n/N, interval, contract and data."""
    return f"{_subject(e)}: {_told(e)}"


def _subject(e: Estimate) -> str:
    return " ".join(filter(None, (visible(e.experiment), *captions.subject(e))))


def _told(e: Estimate) -> str:
    interval = e.interval
    none = e.headline == "point" and interval.lo is None and e.withheld is None
    why = f", no interval: {visible(interval.reason or 'not computed')}" if none else ""
    made_by = f"{contract_name(e.contract)} {short(e.contract.digest)}"
    return f"{parts.text(clause(e))}{why} ({made_by}, data {short(e.data_digest)})"
