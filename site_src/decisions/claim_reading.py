"""One claim of a decision's front matter: which kind it is, and whether it is whole.

Does: read it from its keys. Does not: look anything up; that a metric or an arm exists is found when it is
judged.
"""

from __future__ import annotations

from typing import Final

from metrics_core.decoding import Wrong, expected, fault, missing, unknown_key
from metrics_core.errors import ClaimError
from metrics_core.yaml_strict import Document
from site_src.decisions.claim import COMPARED, MODEL, Claim, Kind
from site_src.decisions.front_matter import ClaimRow
from site_src.naming import listed
from site_src.references import asked

KINDS: Final[dict[str, Kind]] = {
    "above": "above", "not_worse_than": "not worse than", "separated_from": "separated from",
    "at_least": "at least", "at_most": "at most", "below": "below", "control": "control",
}  # fmt: skip
"""The key that says what is claimed, and the kind it makes."""

_MAY: Final[dict[Kind, tuple[str, ...]]] = {
    "above": ("of", "by", "in"), "not worse than": ("of", "by", "in"), "separated from": ("of", "in"),
    "below": ("of", "unit"), "control": ("experiment",),
}  # fmt: skip
"""Keys that a kind may have beside those of every claim about a metric."""

_MUST: Final[dict[Kind, tuple[str, ...]]] = {
    "above": ("of", "metric"), "not worse than": ("of", "metric", "by"), "separated from": ("of", "metric"),
    "below": ("metric", "unit"), "control": ("experiment",),
}  # fmt: skip
"""Keys that a kind must have; the others need the metric alone."""


def claim(row: ClaimRow, document: Document, *at: str | int) -> Claim:
    """The claim that stands at a path of a document.

    Raises:
        ClaimError: ``file:line#/pointer``, what was expected and what stood there.
    """
    given = row.given()
    where = document.where(*at)
    named = [key for key in KINDS if key in given]
    if len(named) != 1:
        wrong = Wrong(expected(f"exactly one of {listed(list(KINDS))}", named))
        raise fault(document, ClaimError, wrong, *at)
    key, kind = named[0], KINDS[named[0]]
    every = ("says", "awaited") if kind == "control" else ("says", "awaited", "metric", "over")
    may = [*every, key, *_MAY.get(kind, ("of",))]
    for strange in given:
        if strange not in may:
            raise fault(document, ClaimError, unknown_key(strange, may), *at)
    for needed in _MUST.get(kind, ("metric",)):
        if needed not in given:
            raise fault(document, ClaimError, missing(ClaimRow, needed), *at)
    if row.by is not None and row.by <= 0:
        hint = "a margin says how much worse would still not matter"
        wrong = Wrong(
            expected("a margin above 0", row.by), "by", hint="leave by out" if kind == "above" else hint
        )
        raise fault(document, ClaimError, wrong, *at)
    over = row.over or MODEL
    fixed = asked(row.metric, where).fixed if row.metric else {}
    if row.of and over in fixed:
        wrong = Wrong(expected(f"{over} fixed once, by of", row.metric), "metric",
                      hint=f"leave {over}= out of the metric")  # fmt: skip
        raise fault(document, ClaimError, wrong, *at)
    if row.within:
        asked(f"x.y {row.within}", document.where(*at, "in"))
    compared = kind in COMPARED
    return Claim(
        kind=kind, where=where, metric=row.metric, of=row.of, over=over, said=row.says, awaited=row.awaited,
        than=given[key] if compared else "", within=row.within, unit=row.unit, control=row.control,
        experiment=row.experiment, line=(row.by or 0.0) if compared else given[key] if row.metric else 0.0,
    )  # fmt: skip
