"""The page of one run: each verdict with the chain that established it, its parts, its money, its record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from metrics_core.estimate import ContractRef, Estimate, Pairs
from metrics_core.report import Report
from metrics_core.review import CheckLine, CostLine, Review, Verdict
from site_src import paths, provenance
from site_src.figures.context import FigureContext
from site_src.naming import group_words, in_words, metric_words, sentence_case
from site_src.parts import joined
from site_src.rounding import count, fraction, money, number
from site_src.swatch import swatch
from site_src.views.inputs import SiteExperiment
from site_src.views.parts import (
    Caption,
    Cell,
    Line,
    Listing,
    Row,
    Span,
    Table,
    cell,
    drawn,
    line,
    spans,
    table,
    text,
)
from site_src.views.runs import Run, state_of



@dataclass(frozen=True, slots=True, kw_only=True)
class ChainStep:
    """One link of a chain; ``ends`` where nothing further could be established."""

    name: str
    said: Line
    ends: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """A verdict and its chain, as a phone shows it."""

    title: str
    word: Span
    tally: str
    steps: tuple[ChainStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainRow:
    """One step of all verdicts side by side."""

    name: str
    cells: tuple[ChainStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewView:
    """One run.

    Attributes:
        record: Experiment and run; every number on the page belongs to it.
        previous, next: Neighbours in the list; their text is empty at its ends.
        place: Where it stands in the list.
        index: Address of the index, for a list that was filtered.
        verdicts: Each with its chain; ``chain`` holds the same, step by step.
        source: File and line it was read from, linked to the published file.
        json: The record itself.
    """

    template: ClassVar[str] = "review.html"
    title: str
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
    source: Span
    json: str


def review_view(
    experiment: SiteExperiment, review: Review, estimates: Mapping[tuple[str, str, Pairs, Pairs], Estimate],
    before: Run | None, after: Run | None, place: str, context: FigureContext, page: str,
) -> ReviewView:  # fmt: skip
    """The page of one run.

    Args:
        experiment: Whose run it is.
        review: What a family read off the record.
        estimates: By family, metric, group and stratum: what its verdicts are counted in.
        before, after: Its neighbours in the list.
        place: Where it stands in the list, in words.
        context: Links of this page, and the build.
        page: Its path.
    """
    used = [_counted_in(review, v, estimates) for v in review.verdicts]
    record = f"{review.experiment}/{review.run}"
    return ReviewView(
        title=review.title,
        lede=_lede(review),
        up=paths.relative(page, paths.REVIEWS),
        experiment=text(experiment.title, href=paths.relative(page, paths.reviews(experiment.name))),
        record=record,
        run=review.run,
        index=paths.relative(page, paths.review_index(experiment.name)),
        previous=_neighbour(before, experiment.name, page),
        next=_neighbour(after, experiment.name, page),
        place=place,
        facts=Listing(title="Run", lines=tuple(_facts(review, context))),
        heading=f"{sentence_case(in_words(len(review.verdicts)))} verdict{'' if len(review.verdicts) == 1 else 's'}, "
                f"and the chain that established {'it' if len(review.verdicts) == 1 else 'each'}",
        verdicts=tuple(_verdict(v, e) for v, e in zip(review.verdicts, used, strict=True)),
        chain=tuple(_chain(review.verdicts, used)),
        caption=_caption(review, experiment.report, used, context),
        checks_title=_checks_title(review.checks),
        checks=tuple(_check(check) for check in sorted(review.checks, key=_check_order)),
        lists=tuple(
            Listing(title=f"{title}, {count(len(items))}", lines=tuple((text(item, "mono"),) for item in items))
            for title, items in review.lists if items
        ),
        costs=tuple(_costs(review, context)),
        source=text(f"{review.file}:{review.line}", href=_source(experiment, review.file, page)),
        json=json.dumps(review.record, ensure_ascii=False, indent=2, sort_keys=False),
    )


def _lede(review: Review) -> str:
    """What came of the run, verdict by verdict, in the verdicts' own words."""
    told = []
    for v in review.verdicts:
        if v.state == "known":
            counted = [f"{fraction(v.n, v.N)} {v.of}"] if v.N > 1 else []
            value = [f"{metric_words(v.metric)} {number(v.value, v.unit)}"] if v.value is not None else []
            told.append(": ".join(filter(None, (v.word, ", ".join(counted + value)))))
        else:
            what = f"{metric_words(v.metric)} is {'an error' if v.state == 'error' else v.state}"
            told.append(f"{what}: {v.reason}" if v.reason else what)
    if not told:
        return "No verdict was reached on this run."
    return " ".join(f"{sentence_case(words)}." for words in told)


def _counted_in(review: Review, v: Verdict, estimates: Mapping[tuple[str, str, Pairs, Pairs], Estimate]) -> Estimate | None:
    model = tuple((k, x) for k, x in review.group if k == "model")
    return estimates.get((review.family, v.metric, model, v.stratum))


def _neighbour(run: Run | None, experiment: str, page: str) -> Span:
    return text("") if run is None else text(run.title, href=paths.relative(page, paths.review(experiment, run.name)))


def _facts(review: Review, context: FigureContext) -> Iterator[Line]:
    group = dict(review.group)
    if "model" in group:
        yield line("Model ", text(group["model"], href=context.links.model(group["model"])))
    rest = group_words(review.group, without=("model", "scenario", "task"))
    if rest:
        yield line(sentence_case(rest))
    if review.stamp:
        yield line(f"Stamp {review.stamp}")
    for name, value in review.facts:
        yield line(f"{sentence_case(name)} ", text(value, "quiet"))
    if review.facets:
        yield line("Listed under ", text(", ".join(review.facets), "strong"))


def _word(v: Verdict) -> Span:
    return Span(text=v.word, role="state", mark=drawn(swatch(state_of(v))))


def _tally(v: Verdict) -> str:
    if v.state != "known":
        return v.reason
    value = "" if v.value is None else f", {number(v.value, v.unit)}"
    return f"{fraction(v.n, v.N)} {v.of}{value}" if v.N else value.lstrip(", ")


def _counted(v: Verdict, e: Estimate | None) -> Line:
    name = f"{metric_words(v.metric)}"
    if e is None:
        return line("In no published number")
    if e.withheld is not None or e.N is None:
        return line("Withheld: ", e.withheld or "")
    if v.state == "known":
        return line("N of ", text(name), ", ", Span(text=f"{count(e.N)} {e.of}", estimate=e.id))
    return line("Attempts, ", Span(text=count(e.attempts), estimate=e.id), ". Not in N, ",
                Span(text=f"{count(e.N)} {e.of}", estimate=e.id), ".")


def _steps(v: Verdict, e: Estimate | None) -> tuple[ChainStep, ...]:
    made = [ChainStep(name=s.name, ends=s.ends,
                      said=line(text("The chain ends here. ", "strong"), s.text) if s.ends else line(s.text))
            for s in v.chain]
    made.append(ChainStep(name="Counted in", said=_counted(v, e), ends=False))
    if v.silent:
        made.append(ChainStep(name="Does not establish", said=line(v.silent), ends=False))
    return tuple(made)


def _verdict(v: Verdict, e: Estimate | None) -> VerdictView:
    return VerdictView(title=v.title, word=_word(v), tally=_tally(v), steps=_steps(v, e))


def _chain(verdicts: Sequence[Verdict], used: Sequence[Estimate | None]) -> Iterator[ChainRow]:
    """Steps of all chains side by side: by name, in the order in which they occur."""
    made = [{step.name: step for step in _steps(v, e)} for v, e in zip(verdicts, used, strict=True)]
    last = ("Counted in", "Does not establish")
    names = [name for name in dict.fromkeys(n for steps in made for n in steps) if name not in last]
    for at, name in enumerate([*names, *(n for n in last if any(n in steps for steps in made))], start=1):
        yield ChainRow(
            name=name if name in last else f"{at}. {name}",
            cells=tuple(steps.get(name, ChainStep(name=name, said=(text("not needed", "quiet"),), ends=False)) for steps in made),
        )


def _caption(review: Review, report: Report, used: Sequence[Estimate | None], context: FigureContext) -> Caption:
    known = sum(v.state == "known" for v in review.verdicts)
    lost = [f"{sum(v.state == s for v in review.verdicts)} {s}" for s in ("unknown", "error", "invalid")
            if any(v.state == s for v in review.verdicts)]
    first = line("verdicts ", text(f"{fraction(known, len(review.verdicts))} known", "strong"),
                 f" ({', '.join(lost) or 'none unknown'}) · no interval: one run")
    return Caption(lines=(first,), shared=_shared(review, report, [e for e in used if e], context))


def _shared(review: Review, report: Report, used: Sequence[Estimate], context: FigureContext) -> Line:
    """Instrument, data, pack, control, stamp and build of one run; its stamp is its own."""
    stamp = (text(review.stamp[:10]),) if review.stamp else ()
    facts = [provenance.contract(used, context), provenance.data(used, context), provenance.pack(used, context),
             provenance.control(used, context)] if used else [_by_report(review, report, context)]
    told = [*(spans(f) for f in facts if f), *((stamp,) if stamp else ()), spans(provenance.build(context))]
    out: list[Span] = []
    for fact in told:
        out += ([text(" · ")] if out else []) + list(fact)
    return tuple(out)


def _by_report(review: Review, report: Report, context: FigureContext) -> tuple[provenance.Part, ...]:
    refs: list[ContractRef] = [c.ref for c in report.contracts if c.family == review.family]
    return joined([
        *((provenance.Part(f"{provenance.contract_name(ref)} "), provenance.digest(ref.digest, "contract", context.links.contract(ref)))
          for ref in refs),
        (provenance.Part("data "), provenance.digest(report.data_digest, "data", context.links.data(report.experiment, report.data_digest))),
    ])


def _checks_title(checks: Sequence[CheckLine]) -> str:
    known = [c for c in checks if c.held is not None]
    if not checks:
        return ""
    hold = f"Assertions, {sum(bool(c.held) for c in known)} of {len(known)} hold"
    return hold if len(known) == len(checks) else f"{hold}, {len(checks) - len(known)} unknown"


def _check_order(check: CheckLine) -> int:
    return {False: 0, None: 1, True: 2}[check.held]


def _check(check: CheckLine) -> Line:
    word, state = {False: ("missed", "false"), None: ("unknown", "unknown"), True: ("holds", "true")}[check.held]
    mark = drawn(swatch(state))  # type: ignore[arg-type]
    note = f" {check.note}" if check.note else ""
    return (Span(text=word, role="state", mark=mark), text(" "), text(check.name, "mono"), text(note))


def _costs(review: Review, context: FigureContext) -> Iterator[Table]:
    if not review.costs:
        return
    recorded = next((c.usd for c in review.costs if c.prices is None), None)
    rows = [Row(cells=tuple(_cost_cells(c, recorded, context))) for c in review.costs]
    priced = [c for c in review.costs if c.usd is not None]
    words = [f"{money(c.usd, summary=False)} {_source_words(c)}" for c in priced if c.usd is not None]
    first = line("cost ", text(f"{fraction(1 if priced else 0, 1)} run priced", "strong"), f" · {'; '.join(words) or 'no amount'} · no interval: one run")
    dates = [spans((provenance.Part(provenance.price_words(c.prices), "strong", context.links.prices(c.prices)),))
             for c in review.costs if c.prices]
    shared: list[Span] = []
    for fact in (*dates, spans(provenance.build(context))):
        shared += ([text(" · ")] if shared else []) + list(fact)
    notes = any(c.note for c in review.costs)
    heads = ["Source", "Input", "Cached", "Output", "USD", "Difference", *(["Note"] if notes else [])]
    yield table("Cost of this run", heads, [Row(cells=row.cells[: len(heads)]) for row in rows],
                numeric=range(1, 6), captions=[Caption(lines=(first,), shared=tuple(shared))])


def _source_words(c: CostLine) -> str:
    return "recorded" if c.prices is None else f"at prices of {c.prices}"


def _cost_cells(c: CostLine, recorded: float | None, context: FigureContext) -> Iterator[Cell]:
    date = (text(", prices of "), text(c.prices, href=context.links.prices(c.prices))) if c.prices else ()
    yield cell(c.source, *date)
    for tokens in (c.input, c.cached, c.output):
        yield cell("not recorded" if tokens is None else count(tokens))
    yield cell(text("unpriced" if c.usd is None else f"{money(c.usd, summary=False)}".removesuffix(" USD"), "strong" if c.prices else "plain"))
    yield cell("" if c.prices is None or c.usd is None or recorded is None else _difference(c.usd - recorded))
    yield cell(c.note)


def _difference(value: float) -> str:
    size = money(abs(value), summary=False).removesuffix(" USD")
    return size if value == 0 or size.startswith("<") else f"{'−' if value < 0 else '+'}{size}"


def _source(experiment: SiteExperiment, file: str, page: str) -> str:
    at = next((raw.at for raw in experiment.files if raw.path == file and raw.at), "")
    return paths.relative(page, at) if at else ""
