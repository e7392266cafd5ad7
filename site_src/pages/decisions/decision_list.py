"""All decisions, and their pages: how near each is to flipping, what moved since an edition, what happened.

Does: list them, nearest to flipping first, and plan a page for each. Does not: judge, or count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import ClassVar, Final

from markupsafe import Markup
from msgspec import Struct

from metrics_core.text import plural, visible
from site_src import paths
from site_src.decisions import JudgedDecision, Nearness, Standing, claim_words, nearest_first, nearness
from site_src.editions import Edition, EditionDecision
from site_src.figures import sign
from site_src.pages.components import Table, line, table, text
from site_src.pages.decisions import decision
from site_src.pages.decisions.claims import owned
from site_src.pages.figure_collection import FigureCollection
from site_src.pages.page import Planned, View
from site_src.pages.site_map import SiteMap
from site_src.wording import Line, Span, count, in_words, listed, sentence_case

Prose = Callable[[JudgedDecision, FigureCollection], Markup]
"""Makes the body of a decision for its page."""


class DecisionGroup(Struct, frozen=True, kw_only=True):
    """Decisions that stand alike: what they have in common, in what order, and one row of each."""

    title: str
    order: str
    decisions: Table


class DecisionsView(Struct, frozen=True, kw_only=True):
    """Every decision.

    Attributes:
        groups: By whether their claims hold, nearest to flipping first in each.
        timeline: What happened to any of them, newest first.
    """

    template: ClassVar[str] = "decisions/decisions.html"
    title: str
    lede: str
    groups: tuple[DecisionGroup, ...]
    timeline: tuple[Line, ...]


def decision_pages(
    where: SiteMap, decisions: Sequence[JudgedDecision], editions: Sequence[Edition], prose: Prose
) -> Iterator[Planned]:
    """The pages of decisions, each made when it is wanted; none where there is no decision.

    Args:
        where: Everything that has a page.
        decisions: All of the site, judged.
        editions: Those that were published, oldest first.
        prose: Makes a decision's body.
    """
    if not decisions:
        return
    yield Planned(
        path=paths.DECISIONS,
        kind="decisions",
        title="Decisions",
        view=lambda collection: decisions_view(decisions, editions, collection.page),
    )
    for judged in decisions:
        yield Planned(
            path=paths.decision(judged.slug),
            kind="decision",
            title=judged.decision.title,
            description=judged.decision.lede,
            view=partial(_decision, where, judged, decisions, editions, prose),
        )


def _decision(
    where: SiteMap,
    judged: JudgedDecision,
    decisions: Sequence[JudgedDecision],
    editions: Sequence[Edition],
    prose: Prose,
    collection: FigureCollection,
) -> View:
    return decision.decision_view(judged, decisions, editions, prose(judged, collection), collection)


def decisions_view(
    decisions: Sequence[JudgedDecision], editions: Sequence[Edition], page: str
) -> DecisionsView:
    """The list of decisions: those whose claims hold first, in each group the nearest to flipping first."""
    last = editions[-1] if editions else None
    registered = any(j.decision.registered is not None for j in decisions)
    groups = nearest_first(decisions)
    heads = ["Decision", "What would flip it first", "Claims", "Status", "Since the last edition"]
    heads += ["Registered"] if registered else []
    return DecisionsView(
        title="Decisions",
        lede=" ".join(filter(None, (_lede(decisions), nearness.told(groups.get(Standing.HOLDS, ()))))),
        groups=tuple(
            DecisionGroup(
                title=f"{standing}: {count(len(group))}",
                order=ORDERS[standing] if len(group) > 1 else "",
                decisions=table(
                    standing,
                    heads,
                    [_row(near, decisions, last, page, registered=registered) for near in group],
                ),
            )
            for standing, group in groups.items()
        ),
        timeline=tuple(_timeline(decisions, editions, page)),
    )


ORDERS: Final = {
    Standing.HOLDS: "What the fewest runs would flip stands first; what no number of runs does stands last.",
    Standing.OPEN: "What the fewest runs would flip, of a claim that does not hold, stands first.",
    Standing.CLOSED: "By title.",
}
"""In what order the decisions of a group stand."""


def _lede(decisions: Sequence[JudgedDecision]) -> str:
    accepted = [j for j in decisions if j.decision.status == "accepted"]
    loose = [j for j in accepted if any(c.verdict != "supported" for c in j.claims)]
    many = f"{sentence_case(in_words(len(decisions)))} {plural('decision', len(decisions))}"
    if not accepted:
        return f"{many}, of which none is accepted."
    phrase = f"{many}, of which {in_words(len(accepted))} {'is' if len(accepted) == 1 else 'are'} accepted"
    if loose:
        return f"{phrase}. The evidence has left {listed([j.decision.title for j in loose])}."
    whose = "its evidence bears it out" if len(accepted) == 1 else "their evidence bears them out"
    return f"{phrase}, and {whose}."


def _row(
    near: Nearness,
    decisions: Sequence[JudgedDecision],
    last: Edition | None,
    page: str,
    *,
    registered: bool,
) -> list[Line | str]:
    judged, d = near.decision, near.decision.decision
    status, day = decision.state_of(judged, decisions)
    own = paths.relative(page, paths.decision(d.slug))
    return [
        line(text(d.title, "strong", href=own)),
        _nearest(near, own),
        decision.counted(judged),
        line(f"{status} ", text(day, "nowrap"), f" by {listed(d.deciders)}" if d.deciders else ""),
        since(judged, last),
        *([decision.registered_mark(judged)] if registered else []),
    ]


def _nearest(near: Nearness, own: str) -> Line:
    """What would flip a decision first, and by which of its claims."""
    claim = near.claim
    if claim is None:
        return line(near.flip.words)
    href = f"{own}#{paths.anchor('claim', claim.claim.identity)}"
    says = visible(claim.claim.text)
    return line(
        Span(text=claim_words.verdict(claim), role="state", mark=sign(claim)),
        ": ",
        owned(claim, near.flip.words),
        " ",
        text(says, "quiet", href=href),
    )


def briefly(decisions: Sequence[JudgedDecision], page: str) -> Iterator[Line]:
    """Each decision with its claims, nearest to flipping first; then which of those that hold is nearest."""
    groups = nearest_first(decisions)
    for near in chain.from_iterable(groups.values()):
        d = near.decision.decision
        title = text(d.title, href=paths.relative(page, paths.decision(d.slug)))
        yield line(title, f", {d.status}: ", *decision.counted(near.decision))
    if said := nearness.told(groups.get(Standing.HOLDS, ())):
        yield line(said)


def since(judged: JudgedDecision, last: Edition | None) -> str:
    """What of a decision moved since an edition."""
    if last is None:
        return "no edition yet"
    recorded: EditionDecision | None = next((x for x in last.decisions if x.slug == judged.slug), None)
    if recorded is None:
        return f"new since edition {count(last.number)}"
    return "; ".join(decision.changes(recorded, judged)) or "nothing moved"


def _timeline(decisions: Sequence[JudgedDecision], editions: Sequence[Edition], page: str) -> Iterator[Line]:
    """Accepted, proposed, reopened, superseded: each with its date, newest first."""
    dated: list[tuple[str, str, str]] = []
    for j in decisions:
        d = j.decision
        if d.date:
            dated.append((d.date, d.slug, decision.dated_as(j, editions)))
        dated += [(r.date, d.slug, f"reopened: {r.why}") for r in d.reopened]
        for other in decisions:
            if other.slug == d.superseded_by and other.decision.date:
                dated.append((other.decision.date, d.slug, f"superseded by {other.decision.title}"))
    titles = {j.slug: j.decision.title for j in decisions}
    for day, slug, words in sorted(dated, key=lambda item: (item[0], item[1]), reverse=True):
        link = text(titles[slug], href=paths.relative(page, paths.decision(slug)))
        yield line(text(day, "strong"), " ", link, f" {words}")
