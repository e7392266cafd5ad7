"""Blocks of an overview: one metric and stratum each, with its rows and the groups not separated.

Does: group estimates, name blocks, and put a row's mark on the axis. Does not: lay out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metrics_core.compared import Comparison
from metrics_core.estimate import Estimate
from metrics_core.text import visible
from site_src.arms import arm_of
from site_src.figures import axis_marks, brackets
from site_src.figures.sheet import Sheet
from site_src.figures.ticks import SHARES
from site_src.naming import group_words, metric_words, sentence_case, stratum_words
from site_src.rounding import count

NOT_COMPARED = "not compared"
"""Said of rows without a bracket that no comparison holds apart either."""


@dataclass(frozen=True, slots=True)
class Block:
    """One metric and stratum: its rows, and groups of rows that are not separated, by their place.

    ``compared`` is whether its rows are held against each other at all.
    """

    head: str
    about: str
    rows: tuple[Estimate, ...]
    groups: tuple[tuple[int, ...], ...]
    compared: bool

    @property
    def counts(self) -> bool:
        """Whether anything is known of any row, or is withheld."""
        return any(e.withheld is not None or e.N for e in self.rows)

    @property
    def withheld(self) -> bool:
        """Whether none of its rows may be shown."""
        return all(e.withheld is not None for e in self.rows)


def _key(e: Estimate) -> tuple[object, ...]:
    return (e.experiment, e.family, e.metric, e.stratum, e.contract.digest)


def _of(block: Sequence[Estimate], comparisons: Sequence[Comparison]) -> list[Comparison]:
    e = block[0]
    return [c for c in comparisons
            if (c.experiment, c.family, c.metric, c.stratum) == (e.experiment, e.family, e.metric, e.stratum)
            and (arm_of(e.group, e.words) or (c.over,))[0] == c.over]  # fmt: skip


def told_apart(block: Block, comparisons: Sequence[Comparison]) -> bool:
    """Whether any two rows of a block are separated."""
    return any(c.verdict in ("a above b", "b above a") for c in _of(block.rows, comparisons))


def arm(e: Estimate) -> str:
    """The name of a row."""
    return group_words(e.group, e.words)


def blocks(found: Sequence[Estimate], comparisons: Sequence[Comparison]) -> list[Block]:
    """Estimates by metric and stratum, in the order in which they first come."""
    by_key: dict[tuple[object, ...], list[Estimate]] = {}
    for e in found:
        by_key.setdefault(_key(e), []).append(e)
    several = len({e.experiment for e in found}) > 1
    made = []
    for rows in by_key.values():
        e = rows[0]
        pairs = _of(rows, comparisons)
        silent = NOT_COMPARED if comparisons and not pairs and len(rows) > 1 else ""
        where = stratum_words(e.stratum, e.words)
        about = ", ".join(w for w in (where, visible(e.experiment) if several else "", silent) if w)
        arms = [visible((arm_of(row.group, row.words) or ("", arm(row)))[1]) for row in rows]
        groups = brackets.not_separated(arms, pairs) if len(set(arms)) == len(arms) else ()
        places = tuple(tuple(arms.index(name) for name in group) for group in groups)
        head = f"{sentence_case(visible(e.family))}: {metric_words(e.metric, e.words)}"
        made.append(Block(head, about, tuple(rows), places, bool(pairs)))
    return made


def lost(e: Estimate) -> int:
    """Attempts without a known verdict."""
    return e.attempts - e.known


def mark(sheet: Sheet, e: Estimate, y: float) -> None:
    """What stands on the axis of shares in a row."""
    start, end = sheet.parameters["start"], sheet.parameters["end"]
    if e.withheld is not None:
        sheet.withheld(start, y - 8, end - start, 16)
    elif e.headline == "counts":
        sheet.state_box(start, y - 6, end - start, 12, "too-few")
    elif e.unit in SHARES:
        axis_marks.estimate(sheet, e, y)
    else:
        sheet.label(start + 8, y + 4, f"{visible(e.unit)}: not on this axis", size=12, fill="ink3")


def why(block: Block) -> tuple[str, str]:
    """What the control found, and the control's words for the link."""
    e = block.rows[0]
    return sentence_case(visible(e.withheld or "")), e.control or e.withheld or ""


def brief_losses(e: Estimate) -> list[str]:
    """What is not known, by state, in the least room."""
    found = ((e.unknown, "unk."), (e.errors, "err."), (e.invalid, "inv."))
    return [f"{count(n)} {word}" for n, word in found if n and e.withheld is None]
