"""Two arms of an experiment, task by task: the difference and its verdict, then the runs behind it.

What the two are first read by stands open; every other metric and stratum on which they are compared is one
click away. Strata are never mixed: each has its own difference and its own table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct

from metrics_core.results import DIFFERENT_TASKS, Comparison
from site_src import paths
from site_src.figures import forest
from site_src.marks import swatch
from site_src.pages import cells
from site_src.pages.compare.by_rule import RuleVerdict, rule_verdicts
from site_src.pages.compare.choose import ChooseView, choose
from site_src.pages.compare.pairings import Pairings
from site_src.pages.compare.stability import StabilityView, stability
from site_src.pages.compare.tables import sensitivity
from site_src.pages.compare.task_rows import TaskRowsView, task_rows
from site_src.pages.compare.tasks import Published, RunsByKey, Tasks, task_summary
from site_src.pages.components import FigureBlock, Listing, Opening, Table, line, table, terms, text
from site_src.pages.figure_collection import FigureCollection, figure_id
from site_src.pages.pair_sets import Key, PairSet, companions, title_of
from site_src.pages.site_map import SiteMap
from site_src.wording import (
    FigureContext,
    FirstUse,
    Line,
    Span,
    captions,
    deciding_intervals,
    in_paragraph,
    in_series,
    kind_words,
    methods,
    metric_words,
    named_metric,
    pairs_found,
    sentence,
    sentence_case,
    shown_name,
    signed,
    smallest,
    smallest_note,
    span,
    stratum_words,
    subject_of,
    svg_markup,
    verdict,
    verdict_words,
)


class PairPartView(Struct, frozen=True, kw_only=True):
    """Two arms on one metric in one stratum.

    Attributes:
        values: Both arms and their difference as a table, where no figure is drawn.
        finding: What both rules find, in a sentence; nothing where the numbers are withheld.
        by_rule: What each rule says by itself.
        summary: How many tasks they share and differ on; why there is none, where nothing may be shown.
        tasks: Task by task; none where the numbers are withheld, or no run carries this verdict.
        stability: How steady both are from run to run; none where too few runs tell.
    """

    id: str
    title: str
    figures: tuple[FigureBlock, ...]
    values: tuple[Table, ...]
    finding: Line
    by_rule: tuple[RuleVerdict, ...]
    summary: Line
    tasks: tuple[TaskRowsView, ...]
    stability: tuple[StabilityView, ...]
    sensitivity: tuple[Table, ...]


class PairView(Struct, frozen=True, kw_only=True):
    """Two arms, compared."""

    template: ClassVar[str] = "compare/pair.html"
    opening: Opening
    up: str
    experiment: Span
    choose: ChooseView
    parts: tuple[PairPartView, ...]
    further: tuple[PairPartView, ...]
    not_comparable: tuple[Table, ...]


def title(a: str, b: str) -> str:
    """Of a pair's page.

    >>> title("alpha", "beta")
    'alpha and beta, task by task'
    """
    return f"{a} and {b}, task by task"


def pair_view(
    site: SiteMap, own: Pairings, runs: RunsByKey, names: tuple[str, str], collection: FigureCollection
) -> PairView:
    """The page of one pair.

    Args:
        site: Everything that has a page.
        own: The experiment, and every pair of it.
        runs: Its runs by arm.
        names: The two arms, in the order of their names.
        collection: Takes the figures of this page.
    """
    x, page = own.x, collection.page
    found = {s.key: c for s in own.sets if (c := s.pair(*names)) is not None}
    every = [s for s in own.sets if s.key in found]
    first, first_use = _first(own, every), FirstUse(site.context(page).links)
    rest = [s for s in every if s not in first]

    def part(s: PairSet, *, drawn_: bool) -> PairPartView:
        return _part(s, found[s.key], runs, own.published, site, collection, first_use, drawn_=drawn_)

    return PairView(
        opening=Opening(
            title=title(*names),
            lede=first_use(_lede([found[s.key] for s in first], names)),
            here=Listing(title="Compared here", lines=tuple(_contents([*first, *rest], found, len(first)))),
        ),
        up=paths.relative(page, paths.COMPARE),
        experiment=text(x.title, href=paths.relative(page, paths.compare_experiment(x.name))),
        choose=choose([x], site.context(page), page, pair=names),
        parts=tuple(part(s, drawn_=True) for s in first),
        further=tuple(part(s, drawn_=False) for s in rest),
        not_comparable=own.refusals.within(site.context(page), names),
    )


def _first(own: Pairings, sets: Sequence[PairSet]) -> list[PairSet]:
    """What stands open: the headlines that hold this pair, else what the two are first compared on."""
    chosen = [s for together in own.headlines for s in together if s in sets]
    return chosen or [s for start in sets[:1] for s in (start, *companions(start, sets))]


def _lede(first: Sequence[Comparison], names: tuple[str, str]) -> Line:
    """The outcome on each metric that stands open; the numbers stand with the metric."""
    if not first:
        return line(f"{names[0]} and {names[1]} share no stratum, so no number is made of the two.")
    alike: dict[str, dict[Line, None]] = {}
    for c in first:
        alike.setdefault(_came_to(c), {})[_on(c)] = None
    return in_paragraph((text("On "), *in_series([*on]), text(f", {said}.")) for said, on in alike.items())


def _came_to(c: Comparison) -> str:
    """What follows by both rules, in a clause with both names and no number."""
    a, b = shown_name(c.a), shown_name(c.b)
    if (found := c.told_apart) is None:
        if c.difference is None:
            return f"{a} and {b} could not be compared"
        return f"{subject_of([c])} cannot separate {a} and {b}"
    less = c.polarity == "against"
    better, worse = map(shown_name, reversed(found) if less else found)
    if not c.separated:
        return f"{better} did better than {worse} on the same tasks only"
    said = f"{better} {'does better than' if less else 'is above'} {worse}"
    return f"{said} on {DIFFERENT_TASKS}" if c.unpaired else said


def _on(c: Comparison) -> Line:
    where = stratum_words(c.stratum, c.words)
    return (named_metric(c), *((text(f" ({where})"),) if where else ()))


def _contents(sets: Sequence[PairSet], found: Mapping[Key, Comparison], first: int) -> Iterator[Line]:
    """What stands open with its verdict, and what came of the rest in one line."""
    for s in sets[:first]:
        c, phrase = found[s.key], cells.withheld()
        if not s.withheld:
            phrase = line(text(verdict(c), "strong" if c.told_apart else "plain"))
        yield (text(title_of(s), href=f"#{s.id}"), text(", "), *phrase)
    if rest := [found[s.key] for s in sets[first:] if not s.withheld]:
        others = "The other metric or stratum" if len(rest) == 1 else "Every other metric and stratum"
        yield (text(others, href="#further"), text(f", {pairs_found(rest)}"))
    if not sets:
        yield line("Nothing: the two share no stratum")


def _part(
    s: PairSet,
    c: Comparison,
    runs: RunsByKey,
    published: Published,
    site: SiteMap,
    collection: FigureCollection,
    first_use: FirstUse,
    *,
    drawn_: bool,
) -> PairPartView:
    context = site.context(collection.page)
    arms = (s.arm(c.a), s.arm(c.b))
    figures: tuple[FigureBlock, ...] = ()
    if drawn_:
        key = figure_id("separation", collection.page, s.id)
        figures = (collection.add(forest.draw([c], arms, figure_id=key, context=context)),)
    phrase, rows, steady = _tasks(
        s, c, runs, published, collection.page, context, linked=runs.x.name in site.with_runs
    )
    return PairPartView(
        id=s.id,
        title=title_of(s),
        figures=figures,
        values=() if drawn_ else (_values(s, c, context),),
        finding=() if s.withheld else first_use((*sentence(c, on=_on(c)), text("."))),
        by_rule=() if s.withheld else tuple(rule_verdicts(c)),
        summary=phrase,
        tasks=rows,
        stability=steady,
        sensitivity=tuple(sensitivity(s, context, c)),
    )


def _tasks(
    s: PairSet, c: Comparison, runs: RunsByKey, published: Published, page: str, context: FigureContext,
    *, linked: bool,
) -> tuple[Line, tuple[TaskRowsView, ...], tuple[StabilityView, ...]]:  # fmt: skip
    """What is said of the tasks, their rows, and how steady the arms are; none counts what is withheld."""
    if s.withheld:
        href = context.links.control(c.experiment, c.reason)
        return (
            (
                text("Its runs have their own pages; nothing is added up over them. See "),
                text("what the control found", href=href),
                text("."),
            ),
            (),
            (),
        )
    found = runs.tasks(c)
    if not found:
        return (
            line(
                f"No page of a single run shows a verdict called {metric_words(c.metric, c.words)}, so it is "
                "not set task by task here."
            ),
            (),
            (),
        )
    t = Tasks(c=c, a=s.arm(c.a), b=s.arm(c.b), found=found, published=published, page=page)
    return task_summary(t), (task_rows(t, context, linked=linked),), tuple(stability(c, found))


def _values(s: PairSet, c: Comparison, context: FigureContext) -> Table:
    """Both arms and their difference, with everything that stands behind them."""
    arms = (s.arm(c.a), s.arm(c.b))
    rows: list[tuple[Line | Span | str, ...]] = [
        (
            text(name, "strong", href=context.links.model(name)),
            cells.value(e),
            cells.counted(e, lost=False),
            cells.not_known(e),
        )
        for name, e in zip((c.a, c.b), arms, strict=True)
    ]
    rows.append((text(f"{c.a} − {c.b}"), _difference(s, c), "", _verdict(s, c)))
    notes = [] if s.withheld else [*methods([c]), *captions.separation_notes([c])]
    if not s.withheld and (decides := deciding_intervals([c], {c.a: arms[0], c.b: arms[1]})):
        notes.append(decides)
    if smallest(c):
        notes += [f"could be shown here: {smallest(c)}", *filter(None, [smallest_note([c])])]
    return table(
        f"{title_of(s)}: {c.a} and {c.b}",
        [sentence_case(kind_words(c.over, c.words)), "Value [95 %]", f"n/N {arms[0].of}", "Not known"],
        rows,
        numeric=[2],
        captions=cells.table_caption(arms, context, notes=notes),
        defined=terms(context.links),
    )


def _difference(s: PairSet, c: Comparison) -> Line:
    if s.withheld:
        return cells.withheld()
    if c.difference is None:
        return (Span(text="too few", role="state", mark=svg_markup(swatch("too-few"))),)
    limits = span(c.interval, "fraction", difference=True)
    return line(
        Span(text=signed(c.difference), role="strong", record=c.id),
        text(f" {limits}" if limits else ", no interval", "light"),
    )


def _verdict(s: PairSet, c: Comparison) -> Line:
    if s.withheld:
        return ()
    return line(text(verdict_words(c), "strong" if c.told_apart else "plain"))
