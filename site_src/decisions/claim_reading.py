"""One claim of a decision's front matter: which kind it is, and whether it is whole.

Does: read it from its keys. Does not: look anything up; that a metric or an arm exists is found when it is
judged.
"""

from __future__ import annotations

from typing import Final

from metrics_core.yaml_strict import Path
from site_src.decisions.claim import COMPARED, MODEL, Claim, Kind
from site_src.decisions.front_matter import Front
from site_src.naming import listed
from site_src.references import asked

KINDS: Final[dict[str, Kind]] = {
    "above": "above", "not_worse_than": "not worse than", "separated_from": "separated from",
    "at_least": "at least", "at_most": "at most", "below": "below", "control": "control",
}  # fmt: skip
"""The key that says what is claimed, and the kind it makes."""

_BESIDE: Final[dict[Kind, tuple[str, ...]]] = {
    "above": ("of", "by", "in"), "not worse than": ("of", "by", "in"), "separated from": ("of", "in"),
    "below": ("of", "unit"), "control": ("experiment",),
}  # fmt: skip
"""Keys that a kind may have beside those of every claim about a metric."""


def claim(front: Front, at: Path) -> Claim:
    """The claim at a path.

    Raises:
        ClaimError: ``file:line#/pointer``, what was expected and what stood there.
    """
    found = front.mapping(at, "metric, of, and what is claimed")
    named = [key for key in KINDS if key in found]
    if len(named) != 1:
        raise front.fault(at, f"exactly one of {listed(list(KINDS))}", named)
    key, kind = named[0], KINDS[named[0]]
    every = ("says", "awaited") if kind == "control" else ("says", "awaited", "metric", "over")
    front.known(found, at, (*every, key, *_BESIDE.get(kind, ("of",))))
    said = front.text((*at, "says"), "a sentence")
    where = front.document.where(*at)
    if kind == "control":
        return Claim(
            kind=kind, where=where, said=said, awaited=front.flag((*at, "awaited")),
            control=front.text((*at, key), "the name of a control, such as sanity", needed=True),
            experiment=front.text((*at, "experiment"), "the experiment whose control it is", needed=True),
        )  # fmt: skip
    compared = kind in COMPARED
    over = front.text((*at, "over"), "the group key of the arms, such as chat") or MODEL
    of = front.text((*at, "of"), "the arm that it is about", needed=compared)
    metric = front.text((*at, "metric"), "[experiment/]family.metric key=value", needed=True)
    if of and over in asked(metric, where).fixed:
        raise front.fault(
            (*at, "metric"), f"{over} fixed once, by of", metric, f"leave {over}= out of the metric"
        )
    within = front.text((*at, "in"), "key=value in which the other side differs")
    if within:
        asked(f"x.y {within}", front.document.where(*at, "in"))
    return Claim(
        kind=kind, where=where, metric=metric, of=of, over=over, said=said,
        awaited=front.flag((*at, "awaited")),
        than=front.text((*at, key), "the arm it is held against", needed=True) if compared else "",
        within=within, line=_line(front, at, kind, key),
        unit=front.text((*at, "unit"), "the unit of below: USD, s or count", needed=kind == "below"),
    )  # fmt: skip


def _line(front: Front, at: Path, kind: Kind, key: str) -> float:
    """Where the claimed line lies: the margin, or the level."""
    if kind == "separated from" or (kind == "above" and front.at((*at, "by")) is None):
        return 0.0
    if kind not in COMPARED:
        return front.number((*at, key), "a number, in the metric's unit")
    margin = front.number((*at, "by"), "a margin, such as 0.05")
    if margin <= 0:
        hint = "a margin says how much worse would still not matter"
        raise front.fault(
            (*at, "by"), "a margin above 0", margin, "leave by out" if kind == "above" else hint
        )
    return margin
