"""The head of a model's page: what tells it from other arms, and the first numbers of its sections, drawn.

Does: say of each experiment how the model stands beside others, by comparisons alone. Does not: pool
experiments, or rank; `site_src.pages.results.model` has the sections.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from metrics_core.results import PLAIN, Comparison, Estimate, Report
from site_src import paths
from site_src.drawing import (
    LONG,
    SHARE_TICKS,
    DrawnRow,
    RowFigure,
    RowGroup,
    RowTable,
    arm_rows,
    on_share_axis,
    strip,
)
from site_src.pages import summaries
from site_src.pages.cells import inline, withheld
from site_src.pages.components import line, text
from site_src.pages.pair_sets import PairSet, companions, is_of_arms, pair_sets
from site_src.pages.selection import compared_by_arm
from site_src.project import SiteExperiment
from site_src.wording import (
    FigureContext,
    Line,
    Span,
    arm_brief,
    arm_line,
    arm_of,
    as_words,
    capitalised,
    in_paragraph,
    in_words,
    is_whole,
    many_in_words,
    sentence_case,
    shown_name,
    spans,
)


class Section(NamedTuple):
    """What of a model's page is about one experiment, one family, and one part that the model plays."""

    of: SiteExperiment
    family: str
    key: str

    @property
    def id(self) -> str:
        """Its element id on the page."""
        return "-".join(map(paths.slug, ("in", self.of.name, self.family, self.key)))


def of_model(x: SiteExperiment, model: str) -> Sequence[Estimate]:
    """Estimates about this arm and nothing more, whatever part it plays, and of what it does in that part."""
    return x.of_report(_by_arm).get(model, ())


def _by_arm(report: Report) -> Mapping[str, Sequence[Estimate]]:
    """The same of each arm."""
    found: dict[str, list[Estimate]] = {}
    for e in report.estimates:
        arm = arm_of(e.group, e.words)
        if arm is not None and (e.words or PLAIN).is_of(e.metric, e.stratum, arm[0]):
            found.setdefault(arm[1], []).append(e)
    return found


# ------------------------------------------------------------------------------------- beside other arms


def opening(
    found: Sequence[SiteExperiment], name: str, sections: Sequence[Section], site: FigureContext
) -> Line:
    """The first sentence: of one section its numbers, of several how many there are.

    Args:
        found: The experiments that the page shows, in its order.
        name: The model.
        sections: Of the page.
        site: Links of the page, and the build.
    """
    if len(sections) == 1:
        return summaries.model(found, name, site)
    families = {s.family for s in sections}
    kinds = f" of {many_in_words(len(families), 'family')}" if len(families) > 1 else ""
    ran = f"{many_in_words(len(found), 'experiment')}{kinds}"
    of_them = "; no number goes over two of them" if len(found) > 1 else ""
    return line(f"{name} ran in {ran}{of_them}.")


def told_apart(found: Sequence[SiteExperiment], name: str, page: str) -> Iterator[Line]:
    """What tells it from other arms, an experiment a line: each metric with what is read together with it."""
    for x in found:
        if said := _stands(x, name):
            yield (text(x.title, href=paths.relative(page, paths.experiment(x.name))), text(": "), *said)


def told_elsewhere(found: Sequence[SiteExperiment], name: str) -> str:
    """In how many experiments nothing tells it from another arm; empty where there is none."""
    silent = [x for x in found if not _stands(x, name)]
    beside = [x for x in silent if any(c.difference is not None for c in _pairs(x, name))]
    said: list[str] = []
    for these, comes_to in (
        (beside, "it is told apart from no other arm"),
        ([x for x in silent if x not in beside], "nothing that is shown compares it with another arm"),
    ):
        if these:
            other = "other " if len(silent) < len(found) and not said else ""
            many = in_words(len(these)) if said else many_in_words(len(these), f"{other}experiment")
            said.append(f"in {many} {comes_to}" if len(found) > 1 else comes_to)
    return f"{sentence_case(', and '.join(said))}." if said else ""


def _pairs(x: SiteExperiment, name: str) -> list[Comparison]:
    """Every pair that is shown and that the arm is in."""
    return [c for _, own in x.of_report(_sets_by_arm).get(name, {}).values() for c in own]


def _sets_by_arm(report: Report) -> Mapping[str, Mapping[str, tuple[PairSet, Sequence[Comparison]]]]:
    """Arm -> id of each set of pairs that it is in -> the set, and its own pairs."""
    found: dict[str, dict[str, tuple[PairSet, list[Comparison]]]] = {}
    for s in filter(is_of_arms, pair_sets(report)):
        for c in s.comparisons:
            for name in dict.fromkeys((c.a, c.b)):
                found.setdefault(name, {}).setdefault(s.id, (s, []))[1].append(c)
    return found


def briefly(found: Sequence[SiteExperiment], name: str, page: str) -> Line:
    """What tells it from other arms in a few words, an experiment a line; or that nothing does."""
    said: Line = ()
    for x in found:
        if own := _told_on(x, name):
            brief = "; ".join(arm_brief(name, pairs) for pairs in own)
            href = paths.relative(page, paths.experiment(x.name))
            said += (text(x.title, href=href), Span(text=brief, role="under"))
    return said or (text("nothing that is shown", "quiet"),)


def _stands(x: SiteExperiment, name: str) -> Line:
    """The sentences on an arm, of every metric that tells it apart and of those read together with one."""
    return in_paragraph((*capitalised(arm_line(name, pairs)), text(".")) for pairs in _told_on(x, name))


def _told_on(x: SiteExperiment, name: str) -> list[Sequence[Comparison]]:
    """The pairs of every metric that tells it apart, and of those that are read together with one."""
    sets = x.of_report(_sets_by_arm).get(name, {})
    told: dict[str, Sequence[Comparison]] = {}
    for s, own in sets.values():
        if any(c.told_apart is not None for c in own):
            beside = companions(s, [each for each, _ in sets.values()])
            for each in (s, *(m for m in beside if not m.withheld)):
                if any(c.difference is not None for c in sets[each.id][1]):
                    told.setdefault(each.id, each.comparisons)
    return list(told.values())


# ----------------------------------------------------------------------------------------- the first numbers


def first_numbers(name: str, sections: Sequence[Section], site: FigureContext) -> Iterator[RowFigure]:
    """The sections of a page, each a group of rows: its first metric, and what is read together with it."""
    groups = tuple(_group(s, name, site) for s in sections)
    rows = RowTable(
        of="arms",
        whose="Metric",
        heads=arm_rows.heads(site),
        scale=strip.scale(SHARE_TICKS),
        groups=groups,
        long=any(len(spans.text(row.name)) > LONG for group in groups for row in group.rows),
    )
    yield RowFigure(id="first-numbers", tables=(rows,))


def _group(s: Section, name: str, site: FigureContext) -> RowGroup:
    own = [e for e in of_model(s.of, name) if e.family == s.family and e.group == ((s.key, name),)]
    ordered = s.of.of_report(compared_by_arm).get((s.family, s.key, name)) or own
    told = [e for e in ordered if summaries.is_told(e)]
    first = (told or ordered)[0]
    where = ", ".join(filter(None, (s.of.title, summaries.stands_in(first), _dates(own))))
    return RowGroup(
        head=f"{sentence_case(s.family)}{as_words(s.key, first.words)}",
        gloss=where,
        section=f"#{s.id}",
        rows=() if first.withheld is not None else tuple(_rows(told or [first], name, site)),
        instead=withheld() if first.withheld is not None else (),
    )


def _rows(own: Sequence[Estimate], name: str, site: FigureContext) -> Iterator[DrawnRow]:
    lead, *others = summaries.read_first(own)
    for e in (lead, *others):
        words = line(summaries.reading_words(e, lead))
        yield arm_rows.row(e, words, shown_name(name), SHARE_TICKS, site, on_axis=on_share_axis(e))


def _dates(found: Sequence[Estimate]) -> str:
    stamps = [day[:10] for e in found if e.stamps for day in e.stamps]
    return " to ".join(dict.fromkeys((min(stamps), max(stamps)))) if stamps else "no dates recorded"


def most_run(found: Sequence[SiteExperiment]) -> dict[str, tuple[SiteExperiment, list[Estimate]]]:
    """The first numbers of each arm where it has the most attempts: whole arms before their parts.

    Args:
        found: Every experiment shown; of equal ones the first.

    Returns:
        Arm -> experiment and estimates; an arm of which nothing is shown has none.
    """
    most: dict[str, tuple[tuple[bool, int], SiteExperiment, list[Estimate]]] = {}
    for x in found:
        for (_, key, name), every in x.of_report(compared_by_arm).items():
            own = [e for e in every if e.withheld is None and e.headline != "nothing"]
            if not own:
                continue
            read = summaries.read_first(own)
            weight = (is_whole(key, read[0].words), read[0].attempts)
            if name not in most or weight > most[name][0]:
                most[name] = (weight, x, read)
    return {name: (x, read) for name, (_, x, read) in most.items()}


def in_a_row(x: SiteExperiment, read: Sequence[Estimate], context: FigureContext) -> Line:
    """First numbers of an arm in a cell: each after its name, and below them where they stand."""
    said: Line = ()
    for e in read:
        name = summaries.reading_words(e, read[0])
        said += (text(f"{', ' if said else ''}{name if said else sentence_case(name)} "), *inline(e, context))
    where = ", ".join(filter(None, (x.title, summaries.stands_in(read[0]))))
    return (*said, text(f"{where}{as_words(read[0].group.names[0], read[0].words)}", "under"))
