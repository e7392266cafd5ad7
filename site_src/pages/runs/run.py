"""The page of one run: each verdict with its chain, what was said and done, its parts, its money, its record.

Does: set what a family read off the record, and what the harness recorded as cost beside what the tokens
come to. Does not: read a record, set a transcript, or judge a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from metrics_core.errors import FormatError
from metrics_core.results import CheckLine, CostLine, Estimate, Report, Review, Transcript, Vocabulary
from metrics_core.text import plural
from site_src import paths
from site_src.marks import StateName, swatch
from site_src.pages.components import Cell, Listing, Table, cell, line, table, text
from site_src.pages.runs.captions import of_costs, of_verdicts
from site_src.pages.runs.index import Run, told_apart
from site_src.pages.runs.record import RecordView, record_view
from site_src.pages.runs.transcript import LONGEST, TranscriptView, transcript_view, within
from site_src.pages.runs.verdicts import (
    ChainRow,
    Known,
    VerdictView,
    chain_rows,
    counted_in,
    held_back,
    tally_words,
    verdict_view,
)
from site_src.project import SiteExperiment, SiteFile
from site_src.wording import (
    Caption,
    FigureContext,
    Line,
    Span,
    amount,
    count,
    group_words,
    in_words,
    listed,
    sentence_case,
    svg_markup,
    within_sentence,
)

CHECKS: dict[bool | None, tuple[str, StateName, int]] = {
    False: ("missed", "false", 0),
    None: ("unknown", "unknown", 1),
    True: ("holds", "true", 2),
}
"""How an assertion is named and drawn, and where it stands: what was missed comes first."""

SHORT_FACT = 60
"""Characters of a fact that stands in the line under the title."""

WHOLE = "transcript.txt"
"""The whole transcript, beside a page that has no room for it."""


class ReviewView(Struct, frozen=True, kw_only=True):
    """One run.

    Attributes:
        record: Experiment and run; every number on the page belongs to it.
        previous, next: Neighbours in the list; their text is empty at its ends.
        place: Where it stands in the list.
        index: Address of the index, for a list that was filtered.
        verdicts: Each with its chain; ``chain`` holds the same, step by step.
        apart: What tells the run from others of its task: arm, injection, repetition, day.
        further: Facts too long for the line that they would stand in.
        transcript: What was said and done; none where the source is not known to hold any of it.
        unread: Why it cannot be read, though the source should hold it; empty where it can.
        record_views: The record as published, and as it was read where that is another thing.
    """

    template: ClassVar[str] = "runs/review.html"
    title: str
    apart: str
    lede: str
    up: str
    experiment: Span
    record: str
    run: str
    index: str
    previous: Span
    next: Span
    place: str
    facts: Listing
    heading: str
    verdicts: tuple[VerdictView, ...]
    chain: tuple[ChainRow, ...]
    caption: Caption
    checks_title: str
    checks: tuple[Line, ...]
    lists: tuple[Listing, ...]
    costs: tuple[Table, ...]
    further: tuple[Listing, ...]
    transcript: tuple[TranscriptView, ...]
    unread: str
    record_views: tuple[RecordView, ...]


class MadeReview(Struct, frozen=True):
    """A run's page, and the files that belong to it: what it has no room for."""

    view: ReviewView
    files: tuple[SiteFile, ...]


def review_view(
    experiment: SiteExperiment,
    review: Review,
    estimates: Known,
    here: Run,
    before: Run | None,
    after: Run | None,
    place: str,
    context: FigureContext,
    page: str,
) -> MadeReview:
    """The page of one run, with its downloads.

    Args:
        experiment: Whose run it is.
        review: What a family read off the record.
        estimates: What its verdicts are counted in.
        here: The run in the list.
        before: The run before it in the list, or None.
        after: The run after it, or None.
        place: Where it stands in the list, in words.
        context: Links of this page, and the build.
        page: Its path.
    """
    words = experiment.report.words_of(review.family)
    used = [None if review.repeated else counted_in(review, v, estimates, words) for v in review.verdicts]
    many = len(review.verdicts)
    record = f"{review.experiment}/{review.run}"
    said, unread = _transcript(review)
    facts, further = _facts(review, words, context, said, page)
    made = None if said is None else transcript_view(said, WHOLE)
    record_views, files = record_view(experiment, review, page)
    view = ReviewView(
        title=review.title,
        apart=told_apart(here, words),
        lede=_lede(review, used),
        up=paths.relative(page, paths.REVIEWS),
        experiment=text(experiment.title, href=paths.relative(page, paths.reviews(experiment.name))),
        record=record,
        run=review.run,
        index=paths.relative(page, paths.review_index(experiment.name)),
        previous=_neighbour(before, here, experiment.name, page),
        next=_neighbour(after, here, experiment.name, page),
        place=place,
        facts=Listing(title="Run", lines=facts),
        heading=f"{sentence_case(in_words(many))} {plural('verdict', many)}, "
        f"and the chain that established {'it' if many == 1 else 'each'}",
        verdicts=tuple(verdict_view(v, e) for v, e in zip(review.verdicts, used, strict=True)),
        chain=tuple(chain_rows(review.verdicts, used)),
        caption=of_verdicts(review, experiment.report, used, context),
        checks_title=_checks_title(review),
        checks=tuple(
            _check(check, counted=not review.uncounted)
            for check in sorted(review.checks, key=lambda c: CHECKS[c.passed][2])
        ),
        lists=tuple(
            Listing(
                title=f"{title}, {count(len(items))}", lines=tuple((text(item, "mono"),) for item in items)
            )
            for title, items in review.lists
            if items
        ),
        costs=tuple(cost_tables(review, experiment.report, context)),
        further=(Listing(title="Also recorded", lines=further),) if further else (),
        transcript=() if made is None else (made.view,),
        unread=unread,
        record_views=record_views,
    )
    folder = page.removesuffix("index.html")
    if made is not None and made.whole:
        files = (SiteFile(folder + WHOLE, made.whole.encode()), *files)
    return MadeReview(view, files)


def _transcript(review: Review) -> tuple[Transcript | None, str]:
    """What can be read of a run, or why it cannot."""
    try:
        return review.transcript(), ""
    except FormatError as error:
        return None, error.problem


def _lede(review: Review, used: Sequence[Estimate | None]) -> str:
    """What came of the run, verdict by verdict, in the verdicts' own words; first, if it proves nothing."""
    counted = zip(review.verdicts, used, strict=True)
    first = held_back((v.title, e.withheld_by) for v, e in counted if e is not None)
    sentences = [first.removesuffix(".")] if first else []
    if review.repeated:
        sentences = ["counted in no number, for the same record, byte for byte, was counted before"]
    alike: dict[tuple[str, str], list[str]] = {}
    for v in review.verdicts:
        if v.state == "known":
            sentences.append(f"{v.title}: {', '.join(filter(None, (v.word, tally_words(v))))}")
        else:
            alike.setdefault((v.state, v.reason), []).append(v.title)
    for (state, reason), titles in alike.items():
        named = listed(list(map(within_sentence, titles)))
        are = f"{named} {'is' if len(titles) == 1 else 'are'} {state}"
        said = f"no verdict on {named}" if state == "error" else are
        sentences.append(f"{said}: {reason or 'an error'}" if reason or state == "error" else said)
    if not sentences:
        return "No verdict was reached on this run."
    return " ".join(f"{sentence_case(words)}." for words in sentences)


def _neighbour(run: Run | None, here: Run, experiment: str, page: str) -> Span:
    if run is None:
        return text("")
    return text(run.beside(here), href=paths.relative(page, paths.review(experiment, run.name)))


def _facts(
    review: Review, words: Vocabulary | None, context: FigureContext, said: Transcript | None, page: str
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Facts for the line under the title, and those that are too long for it; none that is told elsewhere."""
    told = set() if said is None else {each.text for each in said.passages}
    facts = [
        (name, value)
        for name, value in review.facts
        if (name.lower().replace(" ", "_"), value) not in (*review.group, *review.apart) and value not in told
    ]
    short = [line(f"{sentence_case(name)} ", text(v, "quiet")) for name, v in facts if len(v) <= SHORT_FACT]
    long = [
        line(f"{sentence_case(name)} ", text(within(v, LONGEST), "quiet"))
        for name, v in facts
        if len(v) > SHORT_FACT
    ]
    return (*_stated(review, words, context), *short, *_listed_under(review, page)), tuple(long)


def _stated(review: Review, words: Vocabulary | None, context: FigureContext) -> Iterator[Line]:
    if model := review.group.get("model"):
        yield line("Model ", text(model, href=context.links.model(model)))
    rest = group_words(review.group, words, without=("model", "scenario", "task"))
    if rest:
        yield line(sentence_case(rest))
    if review.stamp:
        yield line(f"Recorded {review.stamp}")


def _listed_under(review: Review, page: str) -> Iterator[Line]:
    yield (
        text("Every run of this task", href=paths.relative(page, paths.task(review.experiment, review.task))),
    )
    if review.facets:
        yield line("Filed under ", text(", ".join(review.facets), "strong"))


def _checks_title(review: Review) -> str:
    """How many assertions hold of those that are known; of what no number counts, only why."""
    checks = review.checks
    known = [c for c in checks if c.passed is not None]
    if not checks:
        return ""
    if review.uncounted:
        return f"Assertions, {review.uncounted}"
    holding = sum(bool(c.passed) for c in known)
    counted = f"Assertions, {holding} of {len(known)} {'holds' if len(known) == 1 else 'hold'}"
    return counted if len(known) == len(checks) else f"{counted}, {len(checks) - len(known)} unknown"


def _check(check: CheckLine, *, counted: bool) -> Line:
    word, state, _ = CHECKS[check.passed]
    if not counted:
        word, state = (
            ("unknown" if check.passed is None else f"recorded as {str(check.passed).lower()}"),
            "still-in",
        )
    note = f" {check.note}" if check.note else ""
    mark = svg_markup(swatch(state))
    return (Span(text=word, role="state", mark=mark), text(" "), text(check.name, "mono"), text(note))


def cost_tables(review: Review, report: Report, context: FigureContext) -> Iterator[Table]:
    """One table where the run has any amount or any tokens, else none.

    Args:
        review: The run.
        report: Of its experiment.
        context: Links of the page, and the build.
    """
    if not review.costs:
        return
    recorded = next((c.usd for c in review.costs if c.prices is None), None)
    notes = ["Note"] if any(c.note for c in review.costs) else []
    heads = ["Source", "Input", "Cached", "Output", "USD", "Difference", *notes]
    rows = [tuple(_cells(c, recorded, context))[: len(heads)] for c in review.costs]
    yield table(
        "Cost of this run", heads, rows, numeric=range(1, 6), captions=[of_costs(review, report, context)]
    )


def _cells(c: CostLine, recorded: float | None, context: FigureContext) -> Iterator[Cell]:
    date = (text(", prices of "), text(c.prices, href=context.links.prices(c.prices))) if c.prices else ()
    yield cell(c.source, *date)
    for tokens in (c.input, c.cached, c.output):
        yield cell("not recorded" if tokens is None else count(tokens))
    yield cell(text("unpriced" if c.usd is None else _amount(c.usd), "strong" if c.prices else "plain"))
    apart = None if c.prices is None or c.usd is None or recorded is None else c.usd - recorded
    yield cell("" if apart is None else difference(apart))
    yield cell(c.note)


def _amount(usd: float) -> str:
    return amount(usd, summary=False)


def difference(usd: float) -> str:
    """A difference of two amounts in US dollars, with its sign; what is not nothing never reads as nothing.

    >>> difference(0.0338), difference(-0.0338), difference(0.00001), difference(0.0)
    ('+0.0338', '−0.0338', '<0.0001', '0.0000')
    """
    size = _amount(abs(usd))
    return size if usd == 0 or size.startswith("<") else f"{'−' if usd < 0 else '+'}{size}"
