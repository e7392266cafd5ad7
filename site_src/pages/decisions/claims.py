"""Claims one by one: the miniature, the sentence, the evidence with its counts, and what would flip it.

Does: set judged claims for a decision's page and for prose. Does not: judge, or draw the figure of all of
    them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup
from msgspec import Struct

from metrics_core.results import PLAIN, Comparison, CountedUnit, Denominator, Estimate
from metrics_core.text import visible
from site_src import paths
from site_src.decisions import (
    COMPARED,
    UNKNOWN_STANDS,
    JudgedClaim,
    Why,
    claim_words,
    thresholds,
)
from site_src.figures import sign
from site_src.marks import StateName, swatch
from site_src.pages.cells import table_caption
from site_src.pages.components import digest_span, line, text
from site_src.pages.site_map import SiteMap
from site_src.wording import (
    Caption,
    FigureContext,
    FirstUse,
    Line,
    Span,
    captions,
    contract_name,
    many,
    named_metric,
    number,
    ratio,
    signed,
    smallest,
    span,
    spans,
    svg_markup,
    value_runs,
)

DOT = "\u00a0· "


class ClaimView(Struct, frozen=True, kw_only=True):
    """One claim.

    Attributes:
        id: Its element, for links to it.
        mark: The miniature of its own interval.
        says: The author's sentence, or the claim in plain words.
        evidence: Number, counts, what is not known, other denominators; or why there is none.
        flip: What would flip it; its numbers are computed from the evidence.
    """

    id: str
    mark: Markup
    verdict: str
    says: str
    evidence: tuple[Line, ...]
    flip: Line


class ClaimsView(Struct, frozen=True, kw_only=True):
    """Claims in their order, and the caption of what they rest on, where no figure beside them has it."""

    claims: tuple[ClaimView, ...]
    captions: tuple[Caption, ...]


def claims_view(
    judged: Sequence[JudgedClaim], where: SiteMap, page: str, *, captioned: bool = True
) -> ClaimsView:
    """Claims with their evidence; a metric's companion stands beside it, captioned too unless it is a claim
    of its own.

    Args:
        judged: In the order in which they are shown.
        where: Everything that has a page, and the index.
        page: The page they stand on.
        captioned: Whether the caption of all their estimates stands below; a figure of them has it already.
    """
    context = where.context(page)
    companions = {j.claim.identity: _companions(j, where) for j in judged}
    own = {e.id: e for j in judged for e in j.estimates}
    further = {e.id: e for found in companions.values() for e in found if e.id not in own}
    uncaptioned = own | further if captioned else further
    first_use = FirstUse(context.links)
    return ClaimsView(
        claims=tuple(
            ClaimView(
                id=paths.anchor("claim", j.claim.identity),
                mark=sign(j),
                verdict=claim_words.verdict(j),
                says=visible(j.claim.text),
                evidence=tuple(
                    map(first_use, _evidence(j, companions[j.claim.identity], context, where, page))
                ),
                flip=(owned(j, j.flip().words),),
            )
            for j in judged
        ),
        captions=table_caption(tuple(uncaptioned.values()), context),
    )


def owned(judged: JudgedClaim, words: str) -> Span:
    """Words with numbers that were computed from a claim's evidence."""
    if judged.comparison is not None:
        return Span(text=words, record=judged.comparison.id)
    if judged.estimates:
        return Span(text=words, record=judged.estimates[0].id)
    return Span(text=words)


def _evidence(
    judged: JudgedClaim, companions: Sequence[Estimate], context: FigureContext, where: SiteMap, page: str
) -> Iterator[Line]:
    if judged.control is not None:
        yield _control(judged, page)
    elif judged.verdict == "inadmissible":
        yield from _inadmissible(judged, context, where)
    elif judged.verdict == "no data":
        counts = [_counts(e) for e in judged.estimates]
        yield line(f"{judged.reason}{DOT if counts else ''}", *_between(counts, ", "))
    else:
        c = judged.comparison
        number_first = _level(judged.estimates[0]) if c is None else _difference(judged, c)
        further = (_worst(judged), _could(judged), _why(judged), _other_denominators(judged))
        yield _between([number_first, *filter(None, further)], DOT)
        if judged.switch is not None:
            yield tuple(
                owned(judged, words) for words in claim_words.per_success(judged.claim, judged.switch)
            )
    for control in judged.unguarded if judged.verdict not in ("inadmissible", "no data") else ():
        yield line(f"{visible(control.title)} {control.told}: {visible(control.detail)}")
    if companions:
        beside = (text("beside "), named_metric(companions[0]), text(" "))
        yield (*beside, *_between([companion_line(e) for e in companions], " against "))


def _between(parts: Sequence[Line], words: str) -> Line:
    out: list[Span] = []
    for part in parts:
        out += ([text(words)] if out else []) + list(part)
    return tuple(out)


def _counts(e: Estimate, *, of: bool = True) -> Line:
    return (Span(text=f"{ratio(e)}{f' {visible(e.of)}' if of else ''}", estimate=e.id),)


def companion_line(e: Estimate) -> Line:
    """n/N of a metric that stands beside a claim, and what its headline lets be shown of it."""
    if e.withheld is not None or e.value is None:
        return _counts(e)
    return (*_counts(e), Span(text=f" {spans.text(value_runs(e))}", role="light", estimate=e.id))


def _difference(judged: JudgedClaim, c: Comparison) -> Line:
    a, b = judged.estimates
    limits = (
        span(c.interval, "fraction", difference=True) or f"no interval: {visible(c.interval.reason or '')}"
    )
    head = (
        Span(text=signed(c.difference), role="strong", record=c.id)
        if c.difference is not None
        else text("no difference", "strong")
    )
    return (head, Span(text=f" {limits}", role="light", record=c.id), text(DOT), *_counts(a, of=a.of != b.of),
            text(" against "), *_counts(b))  # fmt: skip


def _level(e: Estimate) -> Line:
    return tuple(
        Span(text=p.text, role=p.role, mark=p.mark, estimate=p.estimate or e.id)
        for p in (*captions.value_parts(e), captions.Span(DOT), *captions.counted(e))
    )


def _worst(judged: JudgedClaim) -> Line:
    """What comes of it with all that is not known, errors too, counted against the claim."""
    if judged.worst is None or judged.verdict not in ("supported", "cannot separate"):
        return ()
    claim = judged.claim
    compared = claim.kind in COMPARED
    shown = signed(judged.worst) if compared else number(judged.worst, judged.estimates[0].unit)
    holds = judged.verdict == "supported" and thresholds.holds_at(claim, judged.estimates[0], judged.worst)
    unknown = "all that is not known"
    words = f"holds when {unknown} is counted against" if holds else f"with {unknown} counted against"
    never = sum(
        e.never_recorded.runs
        for e in judged.estimates
        if e.never_recorded is not None and e.counted_unit is not CountedUnit.TASKS  # whose bounds have them
    )
    holes = (owned(judged, f"; {many(never, 'run')} never recorded not counted"),) if never else ()
    return (text(f"{words} {visible(claim.of) or 'it'}: "), owned(judged, shown), *holes)


def _could(judged: JudgedClaim) -> Line:
    """The smallest difference that these tasks could have shown."""
    c = judged.comparison
    if c is None or not smallest(c) or judged.verdict != "cannot separate":
        return ()
    if judged.why in UNKNOWN_STANDS:
        return ()
    return (text("could be shown: "), owned(judged, smallest(c)))


def _why(judged: JudgedClaim) -> Line:
    """What the verdict does not say of itself."""
    if judged.verdict == "supported" or judged.why is Why.ACROSS:
        return ()
    if judged.why is not Why.OFF_SIDE:
        return line(judged.reason)
    claim, e = judged.claim, judged.estimates[0]
    compared = claim.kind in COMPARED
    at = signed(thresholds.edge(claim, e)) if compared else number(claim.line, claim.unit or e.unit)
    above = claim.kind in ("at most", "below") or thresholds.lower_is_better(claim, e)
    return line(f"the whole interval lies {'above' if above else 'below'} {at}")


def _other_denominators(judged: JudgedClaim) -> Line:
    """What becomes of the claim with errors and unknown verdicts counted too.

    With a line of its own it is the difference that is held against it: no interval is kept of the others.
    """
    c = judged.comparison
    if c is None or c.difference is None or not c.sensitivity:
        return ()
    claim, e = judged.claim, judged.estimates[0]
    shown = [
        (x.denominator, x.judged.by(c.rule), x.difference) for x in c.sensitivity if x.difference is not None
    ]
    if claim.line:
        same, other = "on the same side of the line under", "on the other side of the line with "
        held = thresholds.holds_at(claim, e, c.difference)
        moved = [(name, signed(d)) for name, _, d in shown if thresholds.holds_at(claim, e, d) != held]
    else:
        same, other = "the same under", "otherwise with "
        names = {"a above b": f"{c.a} above {c.b}", "b above a": f"{c.b} above {c.a}"}
        moved = [(n, f"{signed(d)}, {visible(names.get(v, v))}") for n, v, d in shown if v != c.verdict]
    if not moved:
        planned = any(name is Denominator.ALL_PLANNED for name, _, _ in shown)
        which = "" if len(shown) == len(c.sensitivity) else " under which the two are compared"
        return line(
            f"{same} every other denominator{which}{', all runs planned among them' if planned else ''}"
        )
    spans = [(text(f"{name} "), Span(text=words, record=c.id)) for name, words in moved]
    return line(other, *_between(spans, "; "))


def _inadmissible(judged: JudgedClaim, context: FigureContext, where: SiteMap) -> Iterator[Line]:
    hidden = judged.withheld
    if hidden is not None:
        mark = Span(text="withheld", role="state", mark=svg_markup(swatch("withheld")))
        control = context.links.control(hidden.experiment, hidden.control or "")
        yield line(mark, " ", text(visible(hidden.withheld or ""), href=control))
        yield _instrument(hidden, context)
        return
    differs = judged.differs
    if differs is None:
        yield line(judged.reason)
    elif differs.what == "data":
        yield line("Not comparable: a claim is judged within one experiment, and these are two.")
        for e in judged.estimates:
            at = context.links.data(e.experiment, e.data_digest)
            yield line(f"{e.experiment} ", digest_span(e.data_digest, "data", at))
    elif differs.what == "contract":
        yield line(
            "Contract changed since it was accepted."
            if judged.changed
            else "Not comparable: contract differs."
        )
        for digest in (differs.first, differs.second):
            yield _contract(digest, judged.estimates, context, where)
    elif differs.what == "pack":
        yield line(
            "Pack changed since it was accepted." if judged.changed else "Not comparable: pack differs."
        )
        for digest in (differs.first, differs.second):
            at = context.links.pack(digest) if digest != "none" else ""
            yield line("pack ", digest_span(digest, "pack", at)) if digest != "none" else line("no pack")
    else:
        yield line(f"Not comparable: {differs.what} is {differs.first} and {differs.second}.")
    if judged.estimates:
        each = "each " if len(judged.estimates) > 1 else ""
        counts = _between([_counts(e) for e in judged.estimates], " and ")
        yield line(*counts, f", {each}shown on the page of its experiment")


def _instrument(e: Estimate, context: FigureContext) -> Line:
    return line(f"{contract_name(e.contract)} ", digest_span(e.contract.digest, "contract",
                context.links.contract(e.contract)))  # fmt: skip


def _contract(digest: str, estimates: Sequence[Estimate], context: FigureContext, where: SiteMap) -> Line:
    """A contract by its digest; by its name too where this site still has it."""
    known = [ref for refs in where.contracts.values() for ref in refs] + [e.contract for e in estimates]
    ref = next((ref for ref in known if ref.digest == digest), None)
    if ref is None:
        return line("as accepted ", digest_span(digest, "contract"))
    return line(f"{contract_name(ref)} ", digest_span(digest, "contract", context.links.contract(ref)))


def _control(judged: JudgedClaim, page: str) -> Line:
    control = judged.control
    assert control is not None  # noqa: S101 - the caller has looked
    states: dict[str, StateName] = {"held": "true", "failed": "false"}
    state = states.get(control.state, "missing")
    mark = Span(text=control.state, role="state", mark=svg_markup(swatch(state)))
    href = paths.relative(page, f"{paths.experiment(judged.claim.experiment)}#controls")
    return line(text(visible(control.title), href=href), " ", mark,
                Span(text=f"{DOT}{visible(control.detail)}", record=judged.claim.experiment))  # fmt: skip


def _companions(judged: JudgedClaim, where: SiteMap) -> tuple[Estimate, ...]:
    """The same arms' estimates of the metric that is always shown beside this one."""
    if judged.verdict in ("inadmissible", "no data") or judged.control is not None:
        return ()
    companion = (judged.claim.words or PLAIN).metric(judged.claim.query.metric).companion
    if not companion:
        return ()
    return tuple(
        companions
        for e in judged.estimates
        for x in where.experiments
        for companions in (x.report.estimates if x.name == e.experiment else ())
        if (companions.family, companions.metric, companions.group, companions.stratum)
        == (e.family, companion, e.group, e.stratum)
    )
