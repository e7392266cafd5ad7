"""One decision: what was decided, how each of its claims stands, what would flip it, and how it came here.

Does: set the page. Does not: judge; `site_src.decisions` has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from markupsafe import Markup
from msgspec import Struct

from site_src import paths
from site_src.decisions import CheckedQuote, JudgedClaim, JudgedDecision, registration
from site_src.editions import Edition, EditionDecision
from site_src.figures import claims as figure
from site_src.marks import StateName, swatch
from site_src.pages.components import FigureBlock, Listing, Table, digest_span, line, table, text
from site_src.pages.decisions.claims import ClaimsView, claims_view
from site_src.pages.figure_collection import FigureCollection, figure_id
from site_src.wording import Line, Span, count, in_words, listed, sentence_case, svg_markup


class QuoteView(Struct, frozen=True, kw_only=True):
    """Words from a record: whether they stand there, and where that record is shown."""

    words: str
    found: Line


class RegisteredView(Struct, frozen=True, kw_only=True):
    """Whether a decision's words came before its data.

    Attributes:
        told: Which came first.
        dates: What happened when, the earliest first.
        departures: What was registered, beside what came; none where nothing beside the claims was.
        limits: What it was read from, and what it does not show; empty where nothing was read.
    """

    told: Line
    dates: tuple[Line, ...]
    departures: tuple[Table, ...]
    limits: str


class DecisionView(Struct, frozen=True, kw_only=True):
    """A decision's page.

    Attributes:
        up: Address of all decisions.
        lede: The author's sentence; empty where none was given.
        state: The head of the side column, and its lines.
        registered: Whether its words came first; none where it does not say that it is registered.
        figures: One an axis.
        history: What happened to it, newest first.
    """

    template: ClassVar[str] = "decisions/decision.html"
    title: str
    up: str
    lede: str
    prose: Markup
    state: Listing
    registered: tuple[RegisteredView, ...]
    figures: tuple[FigureBlock, ...]
    claims: ClaimsView
    quotes: tuple[QuoteView, ...]
    history: tuple[Line, ...]


def decision_view(
    judged: JudgedDecision,
    others: Sequence[JudgedDecision],
    editions: Sequence[Edition],
    prose: Markup,
    collection: FigureCollection,
) -> DecisionView:
    """The page of one decision.

    Args:
        judged: The decision.
        others: Every decision of the site.
        editions: Those that were published, oldest first.
        prose: Its body.
        collection: Takes its figures.
    """
    d, page = judged.decision, collection.page
    figures = tuple(
        collection.add(
            figure.draw(
                found, figure_id=figure_id("claims", page, axis), context=collection.site.context(page)
            )
        )
        for axis, found in by_axis(judged.claims)
    )
    return DecisionView(
        title=d.title,
        up=paths.relative(page, paths.DECISIONS),
        lede=d.lede,
        prose=prose,
        state=Listing(
            title=" ".join(state_of(judged, others)).strip(),
            lines=tuple(_state(judged, others, editions, page)),
        ),
        registered=(registered_view(judged),) if d.registered is not None else (),
        figures=figures,
        claims=claims_view(judged.claims, collection.site, page, captioned=not figures),
        quotes=tuple(quote_view(q, collection) for q in judged.quotes),
        history=tuple(_history(judged, others, editions, page)),
    )


ORDERS: Final[dict[registration.Order, StateName]] = {
    "before": "true", "between": "false", "after": "false", "no claim": "missing", "no record": "missing",
    "undated": "unknown", "not committed": "missing", "no history": "missing",
}  # fmt: skip
"""How each order of words and records is marked."""


def registered_view(judged: JudgedDecision) -> RegisteredView:
    """Whether the words of a decision came before its data.

    Args:
        judged: A decision that says that it is registered.
    """
    rows = [_departure(each) for each in registration.departures(judged)]
    heads = ("What", "Registered", "Came", "So")
    return RegisteredView(
        told=registered_mark(judged),
        dates=tuple(_registered_dates(judged)),
        departures=(table("As registered, and as it came", heads, rows),) if rows else (),
        limits=registration.limits(judged),
    )


def registered_mark(judged: JudgedDecision) -> Line:
    """Which came first, behind its mark; that a decision is not registered, for one that is not."""
    if judged.decision.registered is None:
        return line("Not registered")
    mark = svg_markup(swatch(ORDERS[registration.order(judged)]))
    return (Span(text=registration.told(judged), role="state", mark=mark),)


def _departure(each: registration.Departure) -> list[Line | str]:
    what = each.what
    sides = [
        _apart(
            [digest_span(x, what) if what in ("contract", "pack") and x != "none" else text(x) for x in side]
        )
        for side in (each.registered, each.came)
    ]
    state: tuple[StateName, str] = ("false", "departs") if each.departs else ("true", "as registered")
    if not each.came:
        state = ("missing", "nothing came yet")
    so = Span(text=state[1], role="state", mark=svg_markup(swatch(state[0])))
    return [sentence_case(each.what), sides[0], sides[1] or line("no record"), (so,)]


def _apart(spans: Sequence[Span]) -> Line:
    return tuple(part for at, each in enumerate(spans) for part in ((text(", "), each) if at else (each,)))


def _registered_dates(judged: JudgedDecision) -> Iterator[Line]:
    """Commit, first and last record, and the decision's own date, the earliest first."""
    known, records = judged.registration, registration.span(judged)
    dated = []
    if known is not None and known.commit:
        dated.append((known.time[:10], "registered, in commit ", known.commit[: registration.SHOWN]))
    if records is not None:
        dated += [(records[0][:10], "first record", ""), (records[1][:10], "last record", "")]
    d = judged.decision
    if d.date:
        dated.append((d.date, d.status if d.status in ("accepted", "proposed") else "dated", ""))
    for day, words, commit in sorted(dated, key=lambda each: each[0]):
        yield line(text(day, "strong"), f" {words}", *([text(commit, "mono")] if commit else ()))


def by_axis(claims: Sequence[JudgedClaim]) -> Iterator[tuple[str, list[JudgedClaim]]]:
    """Claims by the axis that they are drawn on, in the order of the first of each; those that rest on
    nothing not.

    An axis none of whose claims has an estimate yet has nothing to draw.
    """
    found: dict[str, list[JudgedClaim]] = {}
    for j in claims:
        if axis := figure.axis_of(j):
            found.setdefault(axis, []).append(j)
    yield from ((axis, rows) for axis, rows in found.items() if any(j.estimates for j in rows))


def state_of(judged: JudgedDecision, others: Sequence[JudgedDecision]) -> tuple[str, str]:
    """Status, and the day since which it stands; empty where that is not recorded."""
    d = judged.decision
    match d.status:
        case "reopened":
            day = d.reopened[-1].date
        case "superseded":
            day = next((o.decision.date for o in others if o.slug == d.superseded_by), "")
        case _:
            day = d.date
    return sentence_case(d.status), day


def counted(judged: JudgedDecision) -> Line:
    """How many claims came to which verdict."""
    parts: list[Span] = []
    for word, many in judged.counts.items():
        parts += [text(", ")] * bool(parts) + [text(count(many), "strong"), text(f" {word}")]
    return tuple(parts) or line("no claim")


def _state(
    judged: JudgedDecision, others: Sequence[JudgedDecision], editions: Sequence[Edition], page: str
) -> Iterator[Line]:
    d = judged.decision
    if d.deciders:
        yield line(f"Deciders: {listed(d.deciders)}")
    if editions:
        yield line("Evidence as of this build, after ", text(f"edition {count(editions[-1].number)}",
                   href=paths.relative(page, paths.EDITIONS)))  # fmt: skip
    else:
        yield line("Evidence as of this build; no edition yet")
    yield counted(judged)
    if d.reopened:
        times = {1: "once", 2: "twice"}.get(len(d.reopened), f"{in_words(len(d.reopened))} times")
        last = d.reopened[-1]
        yield line(text(f"Reopened {times}", href="#history"), f": {last.date}, {last.why}")
    for words, slug in (("Superseded by ", d.superseded_by), ("Supersedes ", d.supersedes)):
        if slug:
            yield line(words, _link(slug, others, page))


def _link(slug: str, others: Sequence[JudgedDecision], page: str) -> Span:
    title = next((o.decision.title for o in others if o.slug == slug), slug)
    return text(title, href=paths.relative(page, paths.decision(slug)))


def quote_view(checked: CheckedQuote, collection: FigureCollection) -> QuoteView:
    """A quote, and whether its words stand in the record that it names."""
    quote, record = checked.quote, checked.record
    if record is None:
        found: Line = (
            Span(text="no such record", role="state", mark=svg_markup(swatch("missing"))),
            text(f": {quote.source}"),
        )
        return QuoteView(words=quote.text, found=found)
    has_page = record.experiment in collection.site.with_runs
    href = paths.relative(collection.page, paths.review(record.experiment, record.run)) if has_page else ""
    mark = (
        Span(text="found, byte for byte,", role="state", mark=svg_markup(swatch("true")))
        if checked.found
        else Span(text="not found", role="state", mark=svg_markup(swatch("false")))
    )
    return QuoteView(
        words=quote.text, found=(mark, text(" in "), text(f"{record.experiment}, {record.title}", href=href))
    )


def _history(
    judged: JudgedDecision, others: Sequence[JudgedDecision], editions: Sequence[Edition], page: str
) -> Iterator[Line]:
    """Editions and reopenings, newest first; an edition that changed nothing is left out."""
    d = judged.decision
    dated: list[tuple[str, int, Line]] = [
        (r.date, 0, line(text(r.date, "strong"), f" Reopened: {r.why}")) for r in d.reopened
    ]
    if d.date:
        words = sentence_case(dated_as(judged, editions))
        who = f" by {listed(d.deciders)}" if d.deciders else ""
        dated.append((d.date, 0, line(text(d.date, "strong"), f" {words}{who}")))
    if d.superseded_by and (day := state_of(judged, others)[1]):
        dated.append(
            (day, 2, line(text(day, "strong"), " Superseded by ", _link(d.superseded_by, others, page)))
        )
    before: EditionDecision | None = None
    for edition in editions:
        recorded = next((x for x in edition.decisions if x.slug == d.slug), None)
        if recorded is not None and (before is None or changes(before, recorded)):
            words = (
                "; ".join(changes(before, recorded))
                if before is not None
                else f"first published, {recorded.status}"
            )
            at = text(f"edition {count(edition.number)}", href=paths.relative(page, paths.EDITIONS))
            dated.append((edition.date, 1, line(text(edition.date, "strong"), " In ", at, f": {words}")))
        before = recorded or before
    yield from (parts for _, _, parts in sorted(dated, key=lambda item: item[:2], reverse=True))


def dated_as(judged: JudgedDecision, editions: Sequence[Edition]) -> str:
    """What a decision became on the date that stands in its file: accepted or proposed, else only dated.

    One that was superseded no longer says which. An edition that had it with this date does, and so does a
    reopening: only what was accepted is opened again.
    """
    d = judged.decision
    if d.status in ("accepted", "proposed"):
        return d.status
    same = [x for edition in editions for x in edition.decisions if (x.slug, x.date) == (d.slug, d.date)]
    statuses = {x.status for x in same}
    if d.reopened or not statuses.isdisjoint({"accepted", "reopened"}):
        return "accepted"
    return "proposed" if "proposed" in statuses else "dated"


def changes(before: EditionDecision, now: EditionDecision | JudgedDecision) -> list[str]:
    """What of a decision moved between two editions, or since the last one: its status, verdicts, claims."""
    status = now.status if isinstance(now, EditionDecision) else now.decision.status
    parts = [f"{status}, was {before.status}"] if status != before.status else []
    was = {c.key: c for c in before.claims}
    current = (
        {c.key: (c.says, c.verdict) for c in now.claims}
        if isinstance(now, EditionDecision)
        else {c.claim.identity: (c.claim.text, c.verdict) for c in now.claims}
    )
    for key, (says, verdict) in current.items():
        if key not in was:
            parts.append(f"claimed anew: “{says}”")
        elif was[key].verdict != verdict:
            parts.append(f"“{says}” is {verdict}, was {was[key].verdict}")
    parts += [f"no longer claimed: “{c.says}”" for key, c in was.items() if key not in current]
    return parts
