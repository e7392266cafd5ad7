"""Pairs that are never compared, and the field in which they are unlike things.

Within an experiment: arms that share no stratum. Between experiments: always, since an instrument, a pack
or the data is another. Does not: compare, or soften a refusal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from metrics_core.results import POOLING_RULES, Comparison, Estimate, Keys, Report
from site_src import paths
from site_src.pages.cells import inline, table_caption
from site_src.pages.components import Table, digest_span, line, table, text
from site_src.pages.pair_sets import is_comparable
from site_src.project import SiteExperiment
from site_src.wording import (
    FigureContext,
    Line,
    Span,
    contract_name,
    listed,
    metric_words,
    sentence_case,
    stratum_words,
)

HEADS = ("Pair", "What differs", "Here", "There", "Why it matters")
COUNTED = "What was counted of each"

Given = Line | Span | str


class Refusals:
    """The refused pairs of one experiment, and the estimates that show in what they differ.

    Args:
        report: Of the experiment. It is gone through once, however many pages ask.
    """

    def __init__(self, report: Report) -> None:
        self.pairs = tuple(c for c in report.comparisons if not is_comparable(c))
        self._arms: dict[tuple[str, str, Keys], list[Estimate]] = {}
        for e in report.estimates if self.pairs else ():
            self._arms.setdefault((e.family, e.metric, e.group), []).append(e)

    def within(self, context: FigureContext, only: Sequence[str] = ()) -> tuple[Table, ...]:
        """Arms that share no stratum, as a table; none where every pair shares one.

        Args:
            context: Links of the page.
            only: The two arms that are asked about; all pairs where it is empty.
        """
        alike: dict[tuple[object, ...], list[_Refused]] = {}
        for c in self.pairs:
            if not only or {c.a, c.b} == {*only}:
                key, left, right = self.differs(c)
                same = (c.family, c.metric, c.over, key, _value(left, key), _value(right, key))
                alike.setdefault(same, []).append(_Refused(c, key, left, right))
        found = sorted(alike.values(), key=_pair_words)
        if not found:
            return ()
        told = list({e.id: e for same in found for e in _counted(same)}.values())
        rows = [_row(same, context) for same in found]
        heads = [HEADS[0], COUNTED, *HEADS[1:]]
        return (table("Not comparable", heads, rows, captions=table_caption(told, context)),)

    def differs(self, c: Comparison) -> tuple[str, Estimate, Estimate]:
        """The field that a refused comparison names, and the two estimates that differ in it.

        Raises:
            LookupError: The report does not hold what the comparison speaks of.
        """
        unlike = c.unlike
        if unlike is None:
            raise LookupError(f"{c.id}: the two may be compared")

        def own(name: str) -> list[Estimate]:
            return self._arms.get((c.family, c.metric, c.group | {c.over: name}), [])

        for left in own(c.a):
            for right in own(c.b):
                values = _value(left, unlike.field), _value(right, unlike.field)
                if left.stratum == c.stratum and values == (unlike.a[1], unlike.b[1]):
                    return unlike.field, left, right
        raise LookupError(f"{c.id}: no two estimates differ as it says: {c.reason}")


class _Refused(NamedTuple):
    """A refused pair with the field that it names, and what either side has there."""

    c: Comparison
    key: str
    left: Estimate
    right: Estimate


def _row(same: Sequence[_Refused], context: FigureContext) -> tuple[Given, ...]:
    c, key, left, right = same[0]
    return (
        line(*_pair_line(same), text(f" on {metric_words(c.metric, c.words)}", "quiet")),
        _numbers(same, context),
        sentence_case(_field(key)),
        _shown(left, key, context),
        _shown(right, key, context),
        sentence_case(POOLING_RULES.get(key, "they are two strata")),
    )


def _counted(same: Sequence[_Refused]) -> list[Estimate]:
    """The estimate of each arm, those here before those there."""
    found = {side.id: side for at in ("left", "right") for refused in same if (side := getattr(refused, at))}
    return list(found.values())


def _numbers(same: Sequence[_Refused], context: FigureContext) -> Line:
    """Each arm with its own n/N and interval, side by side and never subtracted."""
    over = same[0].c.over
    spans: list[Span] = []
    for e in _counted(same):
        spans += [text("; ")] if spans else []
        spans += [text(f"{e.group[over]} "), *inline(e, context)]
    return tuple(spans)


def _value(e: Estimate, key: str) -> str:
    return e.stratum.get(key, "not stated")


def _field(key: str) -> str:
    return f"{key} digest" if key in ("contract", "pack") else key.replace("_", " ")


def _pair_words(same: Sequence[_Refused]) -> str:
    """One pair; or an arm with each of those that it differs from in the same way.

    All of them share what is here and what is there, so where several are named it is either side that is
    alike throughout.
    """
    here, there = (sorted({getattr(refused.c, side) for refused in same}) for side in ("a", "b"))
    return f"{listed(here)} with {listed(there)}"


def _pair_line(same: Sequence[_Refused]) -> Iterator[Span]:
    """The same words, each name a stretch of its own."""
    for side in ("a", "b"):
        names = sorted({getattr(refused.c, side) for refused in same})
        if side == "b":
            yield text(" with ")
        for at, name in enumerate(names):
            if at:
                yield text(" and " if at == len(names) - 1 else ", ")
            yield text(name, "whole")


def _shown(e: Estimate, key: str, context: FigureContext) -> Given:
    """What one side has there: a digest behind its hallmark, or the stratum in words."""
    if key == "contract" and key in e.stratum.names:
        ref = e.contract
        named = text(f"{contract_name(ref)} ")
        return line(named, digest_span(ref.digest, "contract", context.links.contract(ref)))
    if key == "pack" and e.pack is not None:
        return line(digest_span(e.pack, "pack", context.links.pack(e.pack)))
    if key not in e.stratum.names:
        return "not stated"
    return stratum_words([(key, _value(e, key))], e.words).removeprefix(f"{_field(key)} ") or _value(e, key)


def between(experiments: Sequence[SiteExperiment], page: str, context: FigureContext) -> tuple[Table, ...]:
    """Each family's experiments against its newest: what stands between their arms; none where there is one.

    Args:
        experiments: All of the site.
        page: Path of the page.
        context: Links of the page.
    """
    families = sorted({family for x in experiments for family in x.report.families})
    rows = [
        row
        for family in families
        for row in _family(family, [x for x in experiments if family in x.report.families], page, context)
    ]
    return (table("Between experiments", ["Experiments", *HEADS[1:]], rows),) if rows else ()


def _family(
    family: str, found: Sequence[SiteExperiment], page: str, context: FigureContext
) -> Iterator[tuple[Given, ...]]:
    newest, *others = sorted(found, key=lambda x: (_last(x.report), x.name), reverse=True)
    for x in others:
        key, here, there = _between(family, newest, x, context)
        yield (
            line(_named(newest, page), " with ", _named(x, page), text(f" on {family}", "quiet")),
            f"{sentence_case(key)} digest",
            here,
            there,
            sentence_case(POOLING_RULES.get(key, "other runs at another time are another experiment")),
        )


def _last(report: Report) -> str:
    return max((e.stamps[1] for e in report.estimates if e.stamps), default="")


def _named(x: SiteExperiment, page: str) -> Span:
    return text(x.title, href=paths.relative(page, paths.experiment(x.name)))


def _between(
    family: str, a: SiteExperiment, b: SiteExperiment, context: FigureContext
) -> tuple[str, Given, Given]:
    """The first that differs: contracts of the family, pack, data."""
    mine, theirs = ([c.ref for c in x.report.contracts if c.family == family] for x in (a, b))
    here, there = ([r for r in refs if r not in mine or r not in theirs] for refs in (mine, theirs))
    if here and there:
        left, right = (
            line(
                text(f"{contract_name(refs[-1])} "),
                digest_span(refs[-1].digest, "contract", context.links.contract(refs[-1])),
            )
            for refs in (here, there)
        )
        return "contract", left, right
    if a.pack is not None and b.pack is not None and a.pack.digest != b.pack.digest:
        packs = [
            line(digest_span(x.pack.digest, "pack", context.links.pack(x.pack.digest)))
            for x in (a, b)
            if x.pack is not None
        ]
        return "pack", packs[0], packs[1]
    data = [
        line(digest_span(r.data_digest, "data", context.links.data(r.experiment, r.data_digest)))
        for r in (a.report, b.report)
    ]
    return "data", data[0], data[1]
