"""The Atom feed of a site (RFC 4287): editions, experiments, decisions and changed verdicts, newest first.

Does: give each entry a date from its own record, every number its n/N, interval and digest, and the feed
and each entry a name that never changes; and make hidden characters visible, since XML has no room for most
of them. Does not: look at a clock. What has no date yet (a build that was not published, an experiment
without stamps that no edition lists) has no entry yet.

With `site.url`, names are addresses and links are whole. Without it, names are UUIDs of the page's path and
a seed, links are relative to the feed, and the feed does not say where it lies.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree as ET

from msgspec import Struct

from metrics_core.results import Estimate, Report
from metrics_core.text import visible
from site_src import paths
from site_src.editions import (
    DecisionChange,
    Edition,
    EditionDecision,
    History,
    Move,
    changed_decisions,
    moved,
    store,
    summary,
)
from site_src.marks import short
from site_src.pages import arm_keys, compared
from site_src.project import BuildInfo, SiteConfig, SiteExperiment, SiteFile
from site_src.wording import FigureContext, captions, clause, contract_name, count, spans

NEWEST = 60
"""Entries of a feed; older ones stand on the pages."""

MOST_LISTED = 20
"""Figures that one entry lists; the rest is counted, and stands on the page."""

ATOM = "http://www.w3.org/2005/Atom"
NEVER = "1970-01-01T00:00:00Z"
"""When a feed without a single entry was changed last; the format asks for a date."""


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
        *_decisions(store.decided(decisions), experiments),
        *_editions(history),
    ]
    newest = sorted(found, key=newest_first)[:NEWEST]
    seed = history.editions[0].digest if history.editions else build.site.title
    return SiteFile(paths.FEED, document(newest, build.site, seed))


def _experiments(
    experiments: Sequence[SiteExperiment], history: History, build: BuildInfo
) -> Iterator[FeedEntry]:
    context = FigureContext(build=build.version)
    for x in experiments:
        updated = _last_stamp(x) or _first_listed(x.name, history)
        if updated is None:
            continue
        captions_shown = [
            spans.plain(captions.caption(shown, context))
            for family in x.report.families
            for key in arm_keys(x.report, family) or ("model",)
            if (shown := compared(x.report, family, key))
        ]
        head = f"{x.description}\n\ndata {short(x.report.data_digest)}. Controls: {_controls(x.report)}."
        yield FeedEntry(
            path=paths.experiment(x.name),
            updated=updated,
            title=f"Experiment: {x.title}",
            text="\n\n".join((head.strip(), *captions_shown)),
        )


def _controls(report: Report) -> str:
    """Each control with its state, and whose it is where several have one title."""
    names = {u.ref.digest: contract_name(u.ref) for u in report.contracts}
    titles = Counter(c.title for c in report.controls)
    told = [
        f"{c.title} of {names.get(c.contract or '', c.guards)} {c.told}"
        if titles[c.title] > 1
        else f"{c.title} {c.told}"
        for c in report.controls
    ]
    return "; ".join(told) or "none"


def _last_stamp(x: SiteExperiment) -> str | None:
    stamps = [e.stamps[1] for e in x.report.estimates if e.stamps]
    return moment(max(stamps)) if stamps else None


def _first_listed(name: str, history: History) -> str | None:
    first = next((e for e in history.editions if e.experiment(name)), None)
    return moment(first.date) if first else None


def _decisions(
    decisions: Sequence[EditionDecision], experiments: Sequence[SiteExperiment]
) -> Iterator[FeedEntry]:
    known = {e.id: e for x in experiments for e in x.report.estimates}
    for decision in decisions:
        updated = moment(decision.date)
        if updated is None:
            continue
        lines = [f"Status: {decision.status}."]
        for claim in decision.claims:
            lines.append(f"{claim.verdict}: {claim.says}")
            lines += [estimate_line(known[i]) for i in claim.estimates if i in known]
        yield FeedEntry(
            path=paths.decision(decision.slug),
            updated=updated,
            title=f"Decision: {decision.title} ({decision.status})",
            text="\n".join(lines),
        )


def _editions(history: History) -> Iterator[FeedEntry]:
    before: Edition | None = None
    for edition in history.editions:
        updated = moment(edition.date) or NEVER
        moves: tuple[Move, ...] = ()
        summary_words = "The first edition."
        if before is not None:
            changes = changed_decisions(before, edition)
            summary_words = summary.since(before, edition, moved(before, edition), changes)
            moves = _listed(before, edition)
            yield from (_verdict_entry(change, before, edition, updated) for change in changes if change.now)
        lines = [*filter(None, (edition.why,)), summary_words, f"Digest {edition.digest}"]
        lines += [_moved(move) for move in moves[:MOST_LISTED]]
        if len(moves) > MOST_LISTED:
            lines.append(f"{summary.figures(len(moves) - MOST_LISTED)} more, on the page of editions.")
        yield FeedEntry(
            path=paths.EDITIONS,
            mark=f"edition-{edition.number}",
            updated=updated,
            title=f"Edition {count(edition.number)}",
            text="\n".join(lines),
        )
        before = edition


def _listed(before: Edition, edition: Edition) -> tuple[Move, ...]:
    """The figures that an entry lists: moved or gone, in experiments that both editions have."""
    found = summary.within(before, edition, moved(before, edition))
    return tuple(move for move in found if move.kind != "new")


def _verdict_entry(change: DecisionChange, before: Edition, edition: Edition, updated: str) -> FeedEntry:
    """A verdict or a state that changed: an entry of its own, for those who follow the feed."""
    known = {e.id: e for e in edition.estimates}
    what = change.says or "its status"
    was = change.before or "not there"
    then, since = count(before.number), count(edition.number)
    lines = [f"{what}: {was} in edition {then}, {change.now} in edition {since}."]
    lines += [estimate_line(known[i]) for i in change.estimates if i in known]
    mark = f"edition-{edition.number}-{paths.digest8(change.key)}"
    return FeedEntry(
        path=paths.decision(change.slug),
        mark=mark,
        updated=updated,
        title=f"Decision: {change.title}: {was} → {change.now}",
        text="\n".join(lines),
    )


def _moved(move: Move) -> str:
    if move.before and move.now:
        return f"{_subject(move.now)}: {_value_words(move.before)} → {_value_words(move.now)}"
    return f"{move.kind}: {estimate_line(e)}" if (e := move.now or move.before) else ""


def estimate_line(e: Estimate) -> str:
    """An estimate on a line of its own: what, n/N, interval, contract and data."""
    return f"{_subject(e)}: {_value_words(e)}"


def _subject(e: Estimate) -> str:
    return " ".join(filter(None, (visible(e.experiment), *captions.subject(e))))


def _value_words(e: Estimate) -> str:
    interval = e.interval
    none = e.headline == "point" and interval.lo is None and e.withheld is None
    why = f", no interval: {visible(interval.reason or 'not computed')}" if none else ""
    made_by = f"{contract_name(e.contract)} {short(e.contract.digest)}"
    return f"{spans.text(clause(e))}{why} ({made_by}, data {short(e.data_digest)})"


def moment(stamp: str) -> str | None:
    """A day or a stamp as RFC 3339 has it, in UTC; None for what is neither.

    >>> moment("2026-07-20"), moment("2026-07-20T10:00:00+02:00"), moment("soon")
    ('2026-07-20T00:00:00Z', '2026-07-20T08:00:00Z', None)
    """
    try:
        found = dt.datetime.fromisoformat(stamp)
        known = found if found.tzinfo else found.replace(tzinfo=dt.UTC)
        utc = known.astimezone(dt.UTC).replace(microsecond=0, tzinfo=None)
    except (ValueError, OverflowError):
        return None
    return f"{utc.isoformat()}Z"


class FeedEntry(Struct, frozen=True, kw_only=True):
    """One entry: its page, a mark among the entries of that page, its date, title and text."""

    path: str
    mark: str = ""
    updated: str
    title: str
    text: str


def newest_first(entry: FeedEntry) -> tuple[float, str, str]:
    """Sorts entries by their dates, the newest first."""
    return (-dt.datetime.fromisoformat(entry.updated).timestamp(), entry.path, entry.mark)


def document(entries: Sequence[FeedEntry], site: SiteConfig, seed: str) -> bytes:
    """The feed's file.

    Args:
        entries: Newest first.
        site: Whose title, language and address it bears.
        seed: What names are made from where the site has no address: it must never change.
    """
    root = ET.Element("feed", {"xmlns": ATOM, "xml:lang": site.language})
    _add(root, "id", _name(site, seed, paths.FEED))
    _add(root, "title", f"{site.title}: {site.subtitle}" if site.subtitle else site.title)
    if site.description:
        _add(root, "subtitle", site.description)
    _add(root, "updated", max((entry.updated for entry in entries), default=NEVER))
    _add(ET.SubElement(root, "author"), "name", site.title)
    if site.url:
        ET.SubElement(root, "link", {"rel": "self", "href": site.url + paths.FEED})
    _link(root, _address(site, paths.OVERVIEW))
    for entry in entries:
        _entry(root, entry, site, seed)
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'.encode()


def _entry(root: ET.Element, entry: FeedEntry, site: SiteConfig, seed: str) -> None:
    element = ET.SubElement(root, "entry")
    _add(element, "id", _name(site, seed, entry.path, entry.mark))
    _add(element, "title", entry.title)
    _add(element, "updated", entry.updated)
    _link(element, _address(site, entry.path))
    content = ET.SubElement(element, "content", {"type": "text"})
    content.text = visible(entry.text)


def _link(parent: ET.Element, href: str) -> None:
    ET.SubElement(parent, "link", {"rel": "alternate", "type": "text/html", "href": href})


def _add(parent: ET.Element, tag: str, text: str) -> None:
    ET.SubElement(parent, tag).text = " ".join(visible(text).split())


def _address(site: SiteConfig, path: str) -> str:
    """A page's address: whole, or relative to the feed where the site's own is not known."""
    return paths.on_the_web(site.url, path) or path


def _name(site: SiteConfig, seed: str, path: str, mark: str = "") -> str:
    """A name that stays: the address, or a UUID where there is no address.

    >>> _name(SiteConfig(url="https://example.org/evals/"), "", "editions/index.html", "edition-2")
    'https://example.org/evals/editions/#edition-2'
    """
    if site.url:
        return _address(site, path) + (f"#{mark}" if mark else "")
    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'assay:{seed}/{path}#{mark}')}"
