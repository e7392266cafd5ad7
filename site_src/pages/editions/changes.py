"""What changed since an edition, as sections of tables: figures, experiments, outcomes, decisions, controls.

A number of this build stands in an element of its estimate; one of an earlier edition in an element that
names the edition's record. Does not: find what changed (`site_src.editions` does), or word a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from metrics_core.results import Estimate
from site_src import paths
from site_src.editions import (
    Cause,
    EditionExperiment,
    InputChange,
    Move,
    arrived,
    because,
    by_cause,
    changed_controls,
    changed_decisions,
    changed_inputs,
    changed_outcomes,
    figures,
    new_decisions,
    within,
)
from site_src.marks import DigestKind, short
from site_src.pages.components import digest_span, line, table, text
from site_src.pages.editions.next_edition import EditionSection, EditionTable, Pair
from site_src.wording import (
    Caption,
    Line,
    Span,
    clause,
    count,
    joined,
    price_words,
    provenance,
    sentence_case,
    subject,
)

SHOWN = 40
"""Rows of figures that are open at once; the rest of a long list is one click away."""

_KINDS: Mapping[str, DigestKind] = {"data": "data", "contract": "contract", "pack": "pack"}


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
        shown = table(f"{title}: figures", heads, rows, captions=behind)
        yield EditionTable(table=shown, title=title)


def _row(pair: Pair, move: Move, *, was: bool, now: bool) -> Iterator[Line]:
    e = pair.current[move.now.id] if move.now else move.before
    if e is None:
        return
    metric, about = subject(e)
    shown = move.now is not None and e.withheld is None  # what is withheld has no row on its page
    href = pair.context.links.estimate(e) if shown else ""
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
    """With what and on what the numbers of a table were computed; its rows hold what was counted."""
    made = (provenance.method, provenance.sizes, provenance.stamps)
    return Caption(
        reads=(),
        strip=provenance.strip(estimates, pair.context),
        shared=joined(facet(estimates, pair.context) for facet in made),
    )


def change_sections(pair: Pair) -> Iterator[EditionSection]:
    """Experiments, decisions, controls, then digests of what figures are made from; each if it changed."""
    yield from _experiments(pair)
    yield from _outcomes(pair)
    yield from _decisions(pair)
    yield from _controls(pair)
    yield from _changed(pair)


def _experiments(pair: Pair) -> Iterator[EditionSection]:
    rows = [
        (
            pair.experiment(x.slug),
            text(word, "strong"),
            Span(text=count(sum(m.experiment == x.slug for m in pair.moves)), record=x.slug),
            digest_span(x.data, "data"),
        )
        for word, found in (
            ("new", arrived(pair.before, pair.now)),
            ("gone", arrived(pair.now, pair.before)),
        )
        for x in found
    ]
    if rows:
        heads = ["Experiment", "Since then", "Figures", "Data"]
        yield EditionSection(
            id="experiments",
            title="Experiments",
            lede=f"What edition {count(pair.before.number)} had not, or had and this build has not.",
            tables=(EditionTable(table=table("Experiments", heads, rows, numeric=[2])),),
        )


def _outcomes(pair: Pair) -> Iterator[EditionSection]:
    rows = [
        (pair.experiment(t.experiment), t.about, t.before, text(t.now, "strong"))
        for t in changed_outcomes(pair.before, pair.now)
    ]
    if rows:
        heads = ["Experiment", "Compared", pair.then, "Now"]
        yield EditionSection(
            id="outcomes",
            title="Who is told apart",
            lede="Pairs of which the rules of separation say something else than they did.",
            tables=(EditionTable(table=table("Who is told apart", heads, rows)),),
        )


def _decisions(pair: Pair) -> Iterator[EditionSection]:
    changed_verdicts, new = changed_decisions(pair.before, pair.now), new_decisions(pair.before, pair.now)
    if not changed_verdicts and not new:
        return
    rows = [
        (
            _decision(pair, t.slug, t.title),
            t.says or "its status",
            t.before or "not there",
            text(t.now or "gone", "strong"),
        )
        for t in changed_verdicts
    ]
    rows += [
        (_decision(pair, d.slug, d.title), "its status", "not there", text(d.status, "strong")) for d in new
    ]
    heads = ["Decision", "Claim", pair.then, "Now"]
    yield EditionSection(
        id="decisions",
        title="Decisions",
        lede="Verdicts of claims and states of decisions that are not what they were.",
        tables=(EditionTable(table=table("Decisions", heads, rows)),),
    )


def _decision(pair: Pair, slug: str, title: str) -> Span:
    return text(title, href=paths.relative(pair.page, paths.decision(slug)))


def _controls(pair: Pair) -> Iterator[EditionSection]:
    rows = [
        (
            pair.experiment(t.experiment),
            t.title,
            t.before or "not there",
            text(t.now or "gone", "strong"),
        )
        for t in changed_controls(pair.before, pair.now)
    ]
    if rows:
        heads = ["Experiment", "Control", pair.then, "Now"]
        yield EditionSection(
            id="controls",
            title="Controls",
            lede="What a control guards is withheld while it does not hold, and laid open once it does.",
            tables=(EditionTable(table=table("Controls", heads, rows)),),
        )


def _changed(pair: Pair) -> Iterator[EditionSection]:
    rows = [
        (
            pair.experiment(change.experiment),
            _what(pair, change),
            _digest(pair, change, change.before),
            _digest(pair, change, change.now),
            Span(text=count(_effect(pair, change)), record=change.experiment),
        )
        for change in changed_inputs(pair.before, pair.now)
    ]
    if rows:
        heads = ["Experiment", "What changed", pair.then, "Now", "Figures moved"]
        yield EditionSection(
            id="changed",
            title="What changed underneath",
            lede="Each digest that is not what it was, and how many figures moved with it: often none.",
            tables=(EditionTable(table=table("What changed", heads, rows, numeric=[4])),),
        )


def _what(pair: Pair, change: InputChange) -> str:
    match change.kind:
        case "data":
            was, now = pair.before.experiment(change.experiment), pair.now.experiment(change.experiment)
            return f"records: {_lines(was)}, now {_lines(now)}"
        case "contract":
            return f"contract {change.name}"
        case "prices":
            return price_words(change.name)
        case "pack":
            return "eval pack"
        case _:
            return "settings"


def _effect(pair: Pair, change: InputChange) -> int:
    def rests(e: Estimate | None) -> bool:
        return change.kind != "contract" or (
            e is not None and e.contract.digest in (change.before, change.now)
        )

    return sum(
        move.kind == "moved"
        and move.experiment == change.experiment
        and change.kind in move.causes
        and (rests(move.before) or rests(move.now))
        for move in pair.moves
    )


def _digest(pair: Pair, change: InputChange, digest: str) -> Line:
    if not digest:
        return line("none")
    kind = _KINDS.get(change.kind)
    return (digest_span(digest, kind) if kind else text(short(digest), "digest"),)


def _lines(x: EditionExperiment | None) -> str:
    """Lines of an experiment, and those that were left out.

    >>> _lines(None)
    'none'
    """
    if x is None:
        return "none"
    out = [f"{count(n)} {word}" for n, word in ((x.invalid, "invalid"), (x.duplicates, "repeated")) if n]
    return count(x.records) + (f" ({', '.join(out)})" if out else "")
