"""Overview: every metric and stratum a group, a row a model, all on one axis of shares from 0 to 1.

Models have no colour: place and name distinguish them. Beside the rows of a group stands which of them are
told apart. The rows are words in the page: the figure reflows, and is drawn once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from metrics_core.results import POOLING_RULES, Comparison, Estimate, Separation
from metrics_core.text import visible
from site_src.drawing import (
    SHARE_TICKS,
    ArmNames,
    DrawnRow,
    Figure,
    PairVerdict,
    RowFigure,
    RowGroup,
    RowTable,
    arm_rows,
    chart,
    figure,
    miniature,
    on_share_axis,
    strip,
)
from site_src.wording import (
    FigureContext,
    Line,
    Span,
    arm_of,
    because,
    captions,
    deciding_intervals,
    group_words,
    kind_words,
    listed,
    many_in_words,
    metric_words,
    outcome,
    pair,
    pair_titles,
    sentence_case,
    shade,
    shown_name,
    stratum_words,
)

KIND = "overview"
ARM = "arm"
"""What rows are called that are of several kinds."""
FEW_PAIRS = 6
"""Pairs of a group that are each a line; of more, those told apart are, and the others are counted."""

ORDER = (Separation.SEPARATED, Separation.SAME_TASKS_ONLY, Separation.CANNOT, Separation.NOT_COMPARABLE)


class _Block(Struct, frozen=True):
    """One metric and stratum: its rows, and the comparisons between them."""

    head: str
    about: str
    rows: tuple[Estimate, ...]
    pairs: tuple[Comparison, ...]

    @property
    def counts(self) -> bool:
        """Whether anything is known of any row, or is withheld."""
        return any(e.withheld is not None or e.N for e in self.rows)

    @property
    def withheld(self) -> bool:
        """Whether none of its rows may be shown."""
        return all(e.withheld is not None for e in self.rows)


def draw(
    estimates: Sequence[Estimate], comparisons: Sequence[Comparison], *, figure_id: str,
    context: FigureContext,
    title: str = "", arms: str = "models", names: Mapping[str, str] | None = None,
) -> Figure:  # fmt: skip
    """Draw an overview.

    Args:
        estimates: Shares, and means of shares, in the order of groups and rows.
        comparisons: Of the models within a metric and stratum.
        figure_id: Id of the figure on its page.
        context: Links and build.
        title: In place of the one made from the data.
        arms: What the rows are, in the plural.
        names: Titles of experiments; one that has none stands by its name.

    Raises:
        ValueError: No estimate.
    """
    found = tuple(estimates)
    if not found:
        raise ValueError(f"figure {figure_id}: nothing to give an overview of")
    made = _blocks(found, comparisons, names or {})
    compared = [list(b.pairs) for b in made if not b.withheld and b.counts and b.pairs]
    metrics = [(e.family, e.metric) for b in made for e in b.rows[:1]]
    title = title or pair_titles.overview(
        compared,
        sum(b.withheld for b in made),
        arms=arms,
        noun="metric" if len(set(metrics)) == len(metrics) else "block",
    )
    notes = [*captions.separation_notes(comparisons), *_deciding(made)]
    return Figure(
        kind=KIND, id=figure_id, title=title, desc=captions.described(found),
        rows=_rows(figure_id, made, bool(comparisons), context),
        caption=captions.caption(
            found, context, reads=_reads(made), bar="the bar", notes=notes
        ),
        table=figure.reading(found), csv=figure.csv(found), spec=_specification(made), estimates=found,
    )  # fmt: skip


def _rows(figure_id: str, blocks: Sequence[_Block], any_compared: bool, context: FigureContext) -> RowFigure:
    kind = _kind(blocks)
    names = ArmNames({_arm(e): _called(e, kind) for b in blocks for e in b.rows})
    groups = tuple(_group(b, names, any_compared, context) for b in blocks)
    apart = arm_rows.apart_head("between", context)
    rows = RowTable(
        of="arms",
        whose=sentence_case(kind),
        heads=arm_rows.heads(context),
        between=(apart,) if any(group.verdicts for group in groups) else (),
        scale=strip.scale(SHARE_TICKS),
        groups=groups,
        long=names.long,
    )
    return RowFigure(id=figure_id, tables=(rows,))


def _reads(blocks: Sequence[_Block]) -> list[str]:
    reads = [f"A row is one {_kind(blocks)}."]
    found = {c.outcome for b in blocks if not b.withheld for c in b.pairs if c.difference is not None}
    if found:
        half = "; half filled: on the same tasks only" if Separation.SAME_TASKS_ONLY in found else ""
        reads.append(f"A small drawing is a difference beside 0; a full point: separated{half}; hollow: not.")
    return reads


def _kind(blocks: Sequence[_Block]) -> str:
    """What the rows are called: by their kind of arm, where all are of one."""
    arms = ((arm_of(e.group, e.words), e.words) for b in blocks for e in b.rows)
    kinds = {kind_words(arm[0], words) for arm, words in arms if arm is not None}
    return kinds.pop() if len(kinds) == 1 else ARM


# -------------------------------------------------------------------------------------------------- groups


def _blocks(
    found: Sequence[Estimate], comparisons: Sequence[Comparison], names: Mapping[str, str]
) -> list[_Block]:
    """Estimates by metric and stratum, in the order in which they first come."""
    by_key: dict[tuple[object, ...], list[Estimate]] = {}
    for e in found:
        by_key.setdefault(_key(e), []).append(e)
    several = len({e.experiment for e in found}) > 1 or len(names) > 1
    families = len({e.family for e in found}) > 1
    made = []
    for rows in by_key.values():
        e = rows[0]
        where = stratum_words(e.stratum, e.words)
        family = shown_name(e.family) if families else ""
        about = ", ".join(
            w for w in (shown_name(names.get(e.experiment, e.experiment)) if several else family, where) if w
        )
        head = sentence_case(metric_words(e.metric, e.words))
        made.append(_Block(head, about, tuple(rows), tuple(_compared_in(rows, comparisons))))
    return made


def _key(e: Estimate) -> tuple[object, ...]:
    return (e.experiment, e.family, e.metric, e.stratum, e.contract.digest)


def _compared_in(block: Sequence[Estimate], comparisons: Sequence[Comparison]) -> list[Comparison]:
    e = block[0]
    return [c for c in comparisons
            if (c.experiment, c.family, c.metric, c.stratum) == (e.experiment, e.family, e.metric, e.stratum)
            and (arm_of(e.group, e.words) or (c.over,))[0] == c.over]  # fmt: skip


def _deciding(blocks: Sequence[_Block]) -> Iterator[str]:
    """Which intervals decide in each group that draws bounds in their place."""
    for block in blocks:
        arms = {arm[1]: e for e in block.rows if (arm := arm_of(e.group, e.words)) is not None}
        if not block.withheld and (said := deciding_intervals(block.pairs, arms)):
            yield f"{metric_words(block.rows[0].metric, block.rows[0].words)}: {said}"


def _group(block: _Block, names: ArmNames, any_compared: bool, context: FigureContext) -> RowGroup:
    defined = context.links.metric(block.rows[0])
    if block.withheld:
        instead = arm_rows.withheld(block.rows, context)
        return RowGroup(head=block.head, gloss=block.about, instead=instead, defined=defined)
    return RowGroup(
        head=block.head,
        gloss=block.about,
        rows=tuple(_row(e, names, context) for e in block.rows),
        verdicts=(
            tuple(_verdicts(block, names, context)) if block.pairs else _silent(block, names, any_compared)
        ),
        defined=defined,
    )


def _arm(e: Estimate) -> str:
    """The name by which comparisons call an arm; that of a row, which may be an arm within another."""
    arm = arm_of(e.group, e.words)
    return arm[1] if arm is not None else group_words(e.group, e.words)


def _called(e: Estimate, kind: str) -> str:
    """A row by its arm's name alone, where the head says what all rows are."""
    arm = arm_of(e.group, e.words)
    return group_words(e.group, e.words) if arm is None or kind == ARM else shown_name(arm[1])


def _row(e: Estimate, names: ArmNames, context: FigureContext) -> DrawnRow:
    arm = arm_of(e.group, e.words)
    shown = group_words(e.group, e.words) if arm is None else shown_name(arm[1])
    return arm_rows.row(e, names.of_row(_arm(e)), shown, SHARE_TICKS, context, on_axis=on_share_axis(e))


# ------------------------------------------------------------------------------------------------ verdicts


def _silent(block: _Block, names: ArmNames, any_compared: bool) -> tuple[PairVerdict, ...]:
    """That rows side by side are not compared, where others are."""
    if not any_compared or len(block.rows) < 2:
        return ()
    known = [names.shown[_arm(e)] for e in block.rows if e.N]
    only = f"something is known of {known[0]} only" if known else "nothing is known of any"
    why = only if len(known) < 2 else ""
    return (PairVerdict(mark=miniature.without_point(), word="not compared", apart=False, why=why),)


def _verdicts(block: _Block, names: ArmNames, context: FigureContext) -> Iterator[PairVerdict]:
    """The pairs of a group, those that are told apart first; others that share a reason are one line."""
    pairs = sorted(block.pairs, key=lambda c: ORDER.index(c.outcome))
    for c in pairs:
        if c.told_apart is not None:
            yield _verdict(c, names, context)
    alike: dict[tuple[Separation, str], list[Comparison]] = {}
    for c in pairs:
        if c.told_apart is None:
            shown = c.difference is not None and len(pairs) <= FEW_PAIRS
            alike.setdefault((c.outcome, c.id if shown else _shared_why(c)), []).append(c)
    for found in alike.values():
        yield _verdict(found[0], names, context) if len(found) == 1 else _together(found, pairs, names)


def _together(found: Sequence[Comparison], pairs: Sequence[Comparison], names: ArmNames) -> PairVerdict:
    """Pairs that share an outcome and why: by the arm that is in all of them, else by how many they are.

    Args:
        found: Those pairs, at least two.
        pairs: Every pair of the group.
        names: Of the arms.
    """
    shared = set.intersection(*({c.a, c.b} for c in found))
    if len(found) == len(pairs) and found[0].unlike is None:
        who: Line = (Span("any two of them"),)
    elif len(shared) != 1:
        who = (Span(many_in_words(len(found), "pair")),)
    else:
        arm = shared.pop()
        others = [c.b if c.a == arm else c.a for c in found]
        every = found[0].unlike is None and len(others) == sum(arm in (c.a, c.b) for c in pairs)
        who = names.told(
            lambda spell: (
                f"{spell(arm)} and {'any other' if every else f'each of {listed([*map(spell, others)])}'}"
            )
        )
    return PairVerdict(
        mark=miniature.without_point(), word=outcome(found[0]), apart=False, names=who,
        why=_shared_why(found[0]),
    )  # fmt: skip


def _shared_why(c: Comparison) -> str:
    """Why pairs are not told apart: of unlike arms only what differs, for each has values of its own."""
    if c.unlike is None:
        return _why(c)
    differs = f"{visible(c.unlike.field.replace('_', ' '))} differs"
    return f"{differs}: {POOLING_RULES.get(c.unlike.field, 'they are two strata')}"


def _why(c: Comparison) -> str:
    """Why two arms are not told apart, unless their interval is drawn across 0, which says it."""
    lo, hi = c.interval.lo, c.interval.hi
    across = c.difference is not None and lo is not None and hi is not None and lo <= 0.0 <= hi
    return "" if c.told_apart is not None or across else because(c, beside=True)


def _verdict(c: Comparison, names: ArmNames, context: FigureContext) -> PairVerdict:
    href = context.links.pair(c.experiment, c.a, c.b)
    who = names.told(lambda spell: pair(c, spell), href)
    return PairVerdict(
        mark=_difference(c),
        word=outcome(c),
        apart=c.told_apart is not None,
        names=who,
        why=_why(c),
        arms=arm_rows.both(c),
    )


def _difference(c: Comparison) -> Markup:
    """The difference beside 0, turned so that it is not negative."""
    lo, at, hi = c.interval.lo, c.difference, c.interval.hi
    if lo is None or at is None or hi is None:
        return miniature.without_point()
    return miniature.interval(*((-hi, -at, -lo) if at < 0 else (lo, at, hi)), shade(c))


# ------------------------------------------------------------------------------------------- specification


def _specification(blocks: Sequence[_Block]) -> dict[str, Any]:
    rows = [
        chart.row_of(e, ", ".join(filter(None, (block.head, block.about))), group_words(e.group, e.words))
        for block in blocks
        for e in block.rows
        if on_share_axis(e)
    ]
    return chart.in_rows(KIND, rows)
