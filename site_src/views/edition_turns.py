"""What else is not what it was since an edition: experiments, decisions, controls, and digests underneath."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from metrics_core.estimate import Estimate
from site_src import paths
from site_src.editions.edition import EditionExperiment
from site_src.editions.turns import Change, arrived, changed, controls_turned, new_decisions, turned
from site_src.hallmark import Kind, short
from site_src.parts import Line, Span
from site_src.provenance import price_words
from site_src.rounding import count
from site_src.views.contracts import digest_span
from site_src.views.edition_pair import EditionSection, EditionTable, Pair
from site_src.views.parts import line, table, text

_KINDS: Mapping[str, Kind] = {"data": "data", "contract": "contract", "pack": "pack"}


def turn_sections(pair: Pair) -> Iterator[EditionSection]:
    """Experiments, decisions, controls, then digests of what figures are made from; each if it changed."""
    yield from _experiments(pair)
    yield from _turned(pair)
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


def _turned(pair: Pair) -> Iterator[EditionSection]:
    turns, new = turned(pair.before, pair.now), new_decisions(pair.before, pair.now)
    if not turns and not new:
        return
    rows = [
        (
            _decision(pair, t.slug, t.title),
            t.says or "its status",
            t.before or "not there",
            text(t.now or "gone", "strong"),
        )
        for t in turns
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
        for t in controls_turned(pair.before, pair.now)
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
        for change in changed(pair.before, pair.now)
    ]
    if rows:
        heads = ["Experiment", "What changed", pair.then, "Now", "Figures moved"]
        yield EditionSection(
            id="changed",
            title="What changed underneath",
            lede="Each digest that is not what it was, and how many figures moved with it: often none.",
            tables=(EditionTable(table=table("What changed", heads, rows, numeric=[4])),),
        )


def _what(pair: Pair, change: Change) -> str:
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


def _effect(pair: Pair, change: Change) -> int:
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


def _digest(pair: Pair, change: Change, digest: str) -> Line:
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
