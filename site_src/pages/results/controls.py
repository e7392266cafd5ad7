"""Controls on a page: the state of each, its checks, and what is withheld where one failed.

Does: word a control and its checks, name what would lift a failed one, and give in place of withheld
numbers the models, the metrics and how many runs were read. Does not: judge a control; the core does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from metrics_core.results import Control, ControlCheck, ControlState, Estimate, Report
from site_src import paths
from site_src.marks import StateName, swatch
from site_src.pages import cells
from site_src.pages.components import Cell, Given, Listing, Table, line, table, text
from site_src.pages.selection import metric_order, of_family
from site_src.wording import (
    Caption,
    FigureContext,
    Line,
    Span,
    came_to,
    captions,
    count,
    fraction,
    many,
    metric_words,
    provenance,
    sentence_case,
    svg_markup,
)

LOOKS: dict[ControlState, StateName] = {
    "held": "true",
    "failed": "false",
    "missing": "missing",
    "not applicable": "too-few",
}

AGAIN = "Run the control, then all {runs} runs, again"

LIFTS = {
    "sanity": (
        "{mend}",
        "Release them under a new version",
        AGAIN,
    ),
    "shuffled oracles": (
        "A scorer whose score collapses when the oracles are dealt to other tasks",
        "Release it under a new version, and score again",
    ),
    "stub agent": (
        "A scorer that gives its floor to an agent that hands in nothing",
        "Release it under a new version, and score again",
    ),
    "pack digest": (
        "Restore the pack that was quoted",
        "Or quote the digest of this one, as a new experiment",
    ),
}
"""What would have to happen before the numbers behind a failed control are shown, by the control's name."""

RECORD_IT = ("Run the control, and record it",)
"""The same for one that is required and missing."""


class ControlView(Struct, frozen=True, kw_only=True):
    """One control: its state, what was found, and its checks."""

    id: str
    title: str
    state: Span
    detail: str
    guards: str
    source: str
    checks: tuple[Table, ...]
    faults: tuple[Line, ...]


class WithheldView(Struct, frozen=True, kw_only=True):
    """In place of numbers: which control failed, what it found, and what would lift it."""

    title: str
    detail: str
    control: ControlView
    lifts: Listing
    instead: tuple[Table, ...]


def sentence(words: str) -> str:
    """Words as a sentence, with its capital and its full stop.

    >>> sentence("every grader did as it must")
    'Every grader did as it must.'
    """
    return sentence_case(words.rstrip(".")) + "." if words else ""


def state(control: Control) -> Span:
    """A control's state: swatch and words."""
    return Span(text=control.told, role="state", mark=svg_markup(swatch(LOOKS[control.state])))


def control_line(control: Control, report: Report, href: str = "") -> Line:
    """One line of a list: state, title, and what it guards: a family, or the numbers of one contract."""
    names = [provenance.contract_name(u.ref) for u in report.contracts if u.ref.digest == control.contract]
    guards = names[0] if names else control.guards
    return (state(control), text(" "), text(control.title, href=href), text(f", {guards}"))


def worth_a_word(control: Control) -> bool:
    """Whether a control needs more than its row in the figure: it did not hold, or something is named."""
    named = any(check.faults or check.untried for check in control.checks)
    return control.state in ("failed", "missing") or named or bool(control.findings)


def control_view(control: Control, report: Report, site: FigureContext) -> ControlView:
    """A control, check by check."""
    return ControlView(
        id=paths.anchor("control", "\0".join((control.name, control.guards, control.contract or ""))),
        title=sentence_case(control.title),
        state=state(control),
        detail=sentence(control.detail),
        guards=_guards(control, report),
        source=control.source or "",
        checks=tuple(_checks(control, report, site)),
        faults=(
            *(f for check in control.checks for f in _faults(check)),
            *(line(sentence_case(str(finding))) for finding in control.findings),
        ),
    )


def _guards(control: Control, report: Report) -> str:
    """What rests on a control, in a sentence."""
    names = [provenance.contract_name(u.ref) for u in report.contracts if u.ref.digest == control.contract]
    if control.metrics:
        return f"Of {control.guards} it guards {guarded_metrics(control, report)}, and no other number."
    return (
        f"It guards every number under {names[0]}."
        if names
        else f"It guards every number of {control.guards} in this experiment."
    )


def guarded_metrics(control: Control, report: Report) -> str:
    """The metrics that a control guards, where it guards some of its family's only."""
    words = report.words_of(control.guards)
    return ", ".join(metric_words(metric, words) for metric in control.metrics)


def _checks(control: Control, report: Report, site: FigureContext) -> Iterator[Table]:
    if not control.checks:
        return
    record = f"{report.experiment}/control/{control.name}"
    yield table(
        f"{sentence_case(control.title)}, check by check",
        ["What was tried", "Must", "As it must", "State"],
        [
            (
                c.name,
                c.must,
                Span(text=fraction(c.n, c.N), role="plain" if c.held else "strong", record=record),
                _check_state(c),
            )
            for c in control.checks
        ],
        numeric=[2],
        captions=(_caption(control, report, site),),
    )


def _check_state(check: ControlCheck) -> Span:
    word, look = ("held", "true") if check.held else ("failed", "false")
    return Span(text=word, role="state", mark=svg_markup(swatch(look)))


def _faults(check: ControlCheck) -> Iterator[Line]:
    for name, what in check.faults:
        yield (
            Span(text=check.must and f"did not {check.must}", role="state", mark=svg_markup(swatch("false"))),
            text(" "),
            text(name, "mono"),
            text(f" {what}" if what else ""),
        )
    for name in check.untried:
        yield (
            Span(text="was not tried", role="state", mark=svg_markup(swatch("missing"))),
            text(" "),
            text(name, "mono"),
        )


def facts(report: Report, site: FigureContext, controls: Sequence[Control]) -> tuple[Line, ...]:
    """What was controlled: instruments and data, and when."""
    guarded = {(c.guards, c.contract) for c in controls}
    refs = [u.ref for u in report.contracts if {(u.family, None), (u.family, u.ref.digest)} & guarded]
    days = sorted({c.stamp[:10] for c in controls if c.stamp})
    found = (
        provenance.of_contracts(refs, site),
        provenance.of_data([(report.experiment, report.data_digest)], site),
        (Span(", ".join(days)),) if days else (),
    )
    return tuple(filter(None, found))


def _caption(control: Control, report: Report, site: FigureContext) -> Caption:
    return captions.controls_caption([control], site, facts=facts(report, site, [control]))


def withheld(report: Report, site: FigureContext) -> Iterator[WithheldView]:
    """What stands in place of the numbers of each family whose control failed."""
    failed = [c for c in report.controls if c.withholds]
    seen: set[str] = set()
    for control in failed:
        hidden = [
            e
            for e in of_family(report, control.guards)
            if e.withheld is not None and control.covers(e.metric, e.contract.digest)
        ]
        metrics = list(dict.fromkeys(metric_words(e.metric, e.words) for e in hidden))
        of = guarded_metrics(control, report) or control.guards
        repeated = control.guards in seen
        seen.add(control.guards)
        yield WithheldView(
            title=f"Withheld: the {control.title} {came_to(control)}",
            detail=f"{sentence(control.detail)} "
            + (
                f"Every number of {of} in this experiment rests on this control; none is shown."
                if metrics
                else "No number of this experiment was behind it."
            ),
            control=control_view(control, report, site),
            lifts=Listing(
                title="What lifts it", lines=tuple(line(words) for words in _lifts(control, report))
            ),
            instead=() if repeated else tuple(withheld_table(report, control.guards, site)),
        )


def _lifts(control: Control, report: Report) -> Sequence[str]:
    if control.state == "missing":
        return RECORD_IT
    faults = sum(len(c.faults) for c in control.checks)
    steps = LIFTS.get(control.name, ("Mend what the control found", AGAIN))
    untried = sum(len(c.untried) for c in control.checks)
    todo = (
        [f"mend {_graders(faults)} that did not do as {'they' if faults > 1 else 'it'} must"]
        if faults
        else []
    )
    todo += [f"try {_graders(untried)} that {'were' if untried > 1 else 'was'} not tried"] if untried else []
    mend = sentence_case(" and ".join(todo) or "mend what the control found")
    return [step.format(mend=mend, runs=count(report.records)) for step in steps]


def _graders(n: int) -> str:
    return f"the {count(n)} graders" if n > 1 else "the grader"


def withheld_table(report: Report, family: str, site: FigureContext) -> Iterator[Table]:
    """What is withheld: for each model, that its numbers are withheld, and how many runs were read."""
    found = [
        e for e in of_family(report, family) if set(e.group.names) == {"model"} and e.withheld is not None
    ]
    if not found:
        return
    metrics = metric_order(found)
    rows: list[list[Given]] = []
    for model in sorted({e.group["model"] for e in found}):
        own = [e for e in found if e.group["model"] == model]
        widest = max(own, key=lambda e: e.attempts)
        rows.append(
            [
                text(model, "strong", href=site.links.model(model)),
                *(
                    Cell(spans=cells.withheld() if any(e.metric == metric for e in own) else ())
                    for metric in metrics
                ),
                Cell(spans=(Span(text=count(widest.attempts), estimate=widest.id),)),
                Cell(spans=(Span(text=count(widest.invalid), estimate=widest.id),)),
            ]
        )
    heads = ["Model", *(metric_words(m, found[0].words) for m in metrics), "Runs read", "Invalid"]
    yield table(
        "What is withheld",
        heads,
        rows,
        numeric=[len(heads) - 2, len(heads) - 1],
        captions=(_withheld_caption(report, found, site),),
    )


def _withheld_caption(report: Report, found: Sequence[Estimate], site: FigureContext) -> Caption:
    """What is withheld and why, once; then instrument, data and dates, without a number."""
    why = "; ".join(dict.fromkeys(e.withheld for e in found if e.withheld))
    invalid = report.invalid
    first = (
        *cells.withheld(),
        text(f": {why} · "),
        Span(text=f"{many(report.records, 'record')} read", role="strong", record=report.experiment),
        text(f" ({many(invalid, 'problem')}) · counts only"),
    )
    return Caption(reads=first, strip=provenance.strip(found, site), shared=provenance.stamps(found, site))
