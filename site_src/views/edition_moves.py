"""Figures that moved since an edition, as tables by cause and experiment; then those gone and new.

A number of this build stands in an element of its estimate; one of an earlier edition in an element that
names the edition's record. Does not: find what moved (`site_src.editions.moves` does), or word a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from metrics_core.estimate import Estimate
from site_src import provenance
from site_src.captions import subject
from site_src.clauses import clause
from site_src.editions.moves import Cause, Move
from site_src.editions.sentences import because, by_cause, figures, within
from site_src.naming import sentence_case
from site_src.parts import Caption, Line, Span, joined
from site_src.rounding import count
from site_src.views.edition_pair import EditionSection, EditionTable, Pair
from site_src.views.parts import line, table, text

SHOWN = 40
"""Rows of figures that are open at once; the rest of a long list is one click away."""


def figure_sections(pair: Pair) -> Iterator[EditionSection]:
    """Figures that moved, by cause; then those that are gone and new in experiments that both have."""
    for causes, moves in by_cause(pair.moves).items():
        yield _moved(pair, causes, moves)
    for kind in ("gone", "new"):
        if found := [m for m in within(pair.before, pair.now, pair.moves) if m.kind == kind]:
            yield _listed(pair, kind, found)


def _moved(pair: Pair, causes: tuple[Cause, ...], moves: Sequence[Move]) -> EditionSection:
    lede = f"{sentence_case(figures(len(moves)))}, as edition {count(pair.before.number)} had "
    lede += f"{'it and as it is' if len(moves) == 1 else 'them and as they are'} now."
    if len(causes) > 1:
        lede += " More than one thing changed; how much of a move is due to which is not known."
    if "unexplained" in causes:
        lede += " That is a fault of an instrument, and publishing is refused while it lasts."
    return _section(pair, f"moved-by-{'-and-'.join(causes)}", f"Moved {because(causes)}", lede, moves)


def _listed(pair: Pair, kind: str, moves: Sequence[Move]) -> EditionSection:
    them = "it" if len(moves) == 1 else "them"
    lede = (
        f"As edition {count(pair.before.number)} had {them}; nothing computes {them} any more."
        if kind == "gone"
        else f"Edition {count(pair.before.number)} did not have {them}."
    )
    return _section(pair, kind, f"{sentence_case(figures(len(moves)))} {kind}", lede, moves)


def _section(pair: Pair, name: str, title: str, lede: str, moves: Sequence[Move]) -> EditionSection:
    folded = moves[SHOWN:]
    return EditionSection(
        id=name,
        title=title,
        lede=lede,
        tables=tuple(_by_experiment(pair, moves[:SHOWN])),
        more=f"{sentence_case(figures(len(folded)))} more" if folded else "",
        folded=tuple(_by_experiment(pair, folded)),
    )


def _by_experiment(pair: Pair, moves: Iterable[Move]) -> Iterator[EditionTable]:
    groups: dict[str, list[Move]] = {}
    for move in moves:
        groups.setdefault(move.experiment, []).append(move)
    for name, group in groups.items():
        was = any(move.before for move in group)
        now = [pair.current[move.now.id] for move in group if move.now]
        heads = ["Figure", *([pair.then] if was else []), *(["Now"] if now else [])]
        rows = [tuple(_row(pair, move, was=was, now=bool(now))) for move in group]
        behind = (_behind(pair, now),) if now else ()
        title = pair.title(name)
        made = table(f"{title}: figures", heads, rows, captions=behind)
        yield EditionTable(table=made, title=title)


def _row(pair: Pair, move: Move, *, was: bool, now: bool) -> Iterator[Line]:
    told = pair.current[move.now.id] if move.now else move.before
    if told is None:
        return
    metric, about = subject(told)
    shown = move.now is not None and told.withheld is None  # what is withheld has no row on its page
    href = pair.context.links.estimate(told) if shown else ""
    yield line(text(metric, "strong", href), f" {about}")
    if was:
        yield _before(pair, move.before)
    if now:
        yield clause(pair.current[move.now.id]) if move.now else line("gone")


def _before(pair: Pair, e: Estimate | None) -> Line:
    """A number of the edition before: the same words, naming its record in place of an estimate."""
    if e is None:
        return line("not there")
    name = f"edition {pair.before.number} {e.id}"
    return tuple(Span(text=p.text, role=p.role, record=name if p.estimate else "") for p in clause(e))


def _behind(pair: Pair, estimates: Sequence[Estimate]) -> Caption:
    """With what and on what the numbers of a table were computed; its rows tell what was counted."""
    facts = (facet(estimates, pair.context) for facet in provenance.FACETS)
    how = provenance.method(estimates, pair.context)
    return Caption(lines=(), shared=joined((how, *facts, provenance.build(pair.context))))
