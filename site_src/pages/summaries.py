"""The sentences at the head of pages, made from reports; `site_src.wording.captions` sets their numbers.

Does: choose what to say first, and never a value without its n/N. Does not: rank; where models cannot be
told apart it says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.results import MIN_KNOWN, PLAIN, Estimate, Keys, Report, lead_of
from site_src.pages.cells import inline
from site_src.pages.components import line, text
from site_src.pages.pair_sets import (
    PairSet,
    companions,
    headlines,
    in_brief,
    is_of_arms,
    nothing_compared,
    pair_sets,
    plural_of_arms,
    shown_pairs,
)
from site_src.pages.selection import arms_of, compared_by_arm, many_arms
from site_src.project import SiteExperiment, of_all
from site_src.wording import (
    FigureContext,
    Line,
    about_line,
    arm_of,
    as_words,
    came_to,
    capitalised,
    contract_name,
    experiments_sentence,
    in_paragraph,
    listed,
    many_in_words,
    metric_words,
    missing,
    named_metric,
    pair_titles,
    sentence_case,
    spans,
    stratum_words,
    together,
)

MOST_IN_A_HEADLINE = 2
"""Leads of a single experiment that its headline tells in full."""


Lead = tuple[PairSet, ...]
"""What stands for a family of an experiment, and what is never shown apart from it."""


def leads(report: Report, wanted: str = "") -> list[Lead]:
    """What an experiment is first read by: a metric a family, side by side and reading by reading.

    Args:
        report: Of the experiment; what is withheld is left out.
        wanted: ``METRIC`` or ``METRIC key=value ...``: what is to lead, where the experiment compares it;
            else what its own settings say.
    """
    sets = pair_sets(report)
    metric, keys = lead_of(wanted or report.headline)
    named = [
        (s, *companions(s, sets))
        for s in sets
        if metric == s.first.metric and not s.first.group and keys.items() <= dict(s.first.stratum).items()
    ]
    return [lead for lead in named or headlines(report, sets) if not lead[0].withheld]


def told(lead: Lead) -> Line:
    """What a lead comes to, its sentences in one paragraph."""
    return in_paragraph(sentences(lead))


def sentences(lead: Lead) -> list[Line]:
    """What a lead comes to, a sentence a metric: a metric is never told without its companion."""
    shown = [s for s in lead if not s.withheld]
    said = [(*capitalised(words), text(".")) for words in together([s.comparisons for s in shown])]
    first = lead[0].first
    companion = (first.words or PLAIN).companion(first.metric)
    if companion and companion not in {s.first.metric for s in shown}:
        said.append((*capitalised((named_metric(first, companion),)), text(" was not compared.")))
    return said


def headline(reports: Sequence[Report], wanted: str = "") -> str:
    """What can be told apart over all that is shown: of one lead its sentences, of several how many.

    Args:
        reports: Of every experiment shown.
        wanted: As of `leads`: what is to lead.
    """
    found = {report.experiment: leads(report, wanted) for report in reports}
    every = [lead for own in found.values() for lead in own]
    if not every:
        return "What was measured, and what it was measured with"
    if nothing_compared(reports):
        kind = plural_of_arms(c for r in reports for c in shown_pairs(r))
        return f"No two {kind} could be compared in any of {many_in_words(len(reports), 'experiment')}."
    if len(every) == 1:
        return in_brief(every[0]) or spans.text(told(every[0]))
    metric, _ = lead_of(wanted)
    chosen = metric if all(lead[0].first.metric == metric for lead in every) else ""
    pairs = {
        report.experiment: [c for lead in found[report.experiment] for c in lead[0].comparisons]
        if chosen
        else shown_pairs(report)
        for report in reports
        if found[report.experiment]
    }
    kind = plural_of_arms(c for own in pairs.values() for c in own)
    if len(pairs) == 1:
        if len(every) <= MOST_IN_A_HEADLINE:
            return spans.text(in_paragraph(map(told, every)))
        sets = [s.comparisons for lead in every for s in lead if not s.withheld]
        return f"{pair_titles.overview(sets, 0, arms=kind, noun='comparison')}."
    on = f"on {metric_words(chosen, every[0][0].first.words)}, " if chosen else ""
    return f"{sentence_case(on + experiments_sentence(list(pairs.values()), kind))}."


def tells_apart(report: Report) -> bool:
    """Whether an experiment tells any arms apart, by either rule."""
    return any(c.told_apart is not None for c in shown_pairs(report))


def experiment(x: SiteExperiment) -> Line:
    """How much was run, and what is withheld."""
    report = x.report
    named = arms_of([report])
    arms = [many_arms(named)] if named else []
    many = sentence_case(", ".join([*arms, many_in_words(report.records, "record")]))
    failed = [c for c in report.controls if c.withholds]
    hidden = [f for f in report.families if any(e.withheld for e in report.estimates if e.family == f)]
    if failed and len(hidden) == len(report.families):
        why = sentence_case(failed[0].detail.rstrip("."))
        return line(f"{many}, and no number: the {failed[0].title} {came_to(failed[0])}. {why}.")
    said = [f"{many}."]
    said += [f" What rests on the {failed[0].title} is withheld."] if failed else []
    missing = [c for c in report.controls if c.state == "missing" and not c.withholds]
    if missing:
        graders = ": nothing shows that the graders can fail" if missing[0].name == "sanity" else ""
        said.append(f" The {missing[0].title} is missing{graders}.")
    return line("".join(said))


def experiment_findings(x: SiteExperiment) -> list[Line]:
    """What can be told apart, metric by metric; nothing of what is withheld."""
    own = leads(x.report)
    return [*(words for lead in own for words in sentences(lead)), *_told_elsewhere(x.report, own)]


def overview(
    found: Sequence[SiteExperiment], wanted: str, site: FigureContext, leading: Sequence[SiteExperiment] = ()
) -> Line:
    """How much was measured; where a single experiment is told by a single lead, its numbers as well.

    Args:
        found: Every experiment shown.
        wanted: As of `leads`: what is to lead.
        site: Links of the page, and the build.
        leading: Those whose numbers are told, where more are shown than are told.
    """
    reports = [x.report for x in found]
    models = of_all(found, _single_arms)
    families = sorted({f for r in reports for f in r.families})
    many = f"{many_in_words(len(models), 'model')} in {many_in_words(len(found), 'experiment')}"
    kinds = f"{many_in_words(len(families), 'family')}: " if len(families) > 1 else ""
    head = sentence_case(f"{many} of {kinds}{listed(families)}. " if families else f"{many}. ")
    every = [(x, lead) for x in found for lead in x.of_report(leads, wanted)]
    if not every and len(models) == 1:
        return (text(head), *model(leading or found, models[0], site))
    if len(every) == 1 and not nothing_compared(reports):
        x, lead = every[0]
        return (text(f"{head}{x.title}: "), *_numbers(x.report, lead, site))
    return line(head.strip())


def findings(
    found: Sequence[SiteExperiment], wanted: str, every_one: Sequence[SiteExperiment] = ()
) -> list[tuple[SiteExperiment, Line]]:
    """What each experiment comes to: first those in which a pair stands the other way round than elsewhere.

    Args:
        found: Every experiment shown; one that compares nothing is left out.
        wanted: As of `leads`: what is to lead.
        every_one: Every experiment of the site, where more are shown than are told.

    Returns:
        Nothing where the headline tells the only lead.
    """
    told_by = [(x, own) for x in found if (own := x.of_report(leads, wanted))]
    every = [lead for _, own in told_by for lead in own]
    many = sum(len(x.of_report(leads, wanted)) for x in every_one or found)
    if many < 2 and not any(map(in_brief, every)):
        return []
    opposed = _opposed(every)
    told_by.sort(key=lambda item: not any(lead[0].id in opposed for lead in item[1]))
    return [(x, x.of_report(_told_in_full, wanted)) for x, _ in told_by]


def _single_arms(found: Sequence[SiteExperiment]) -> tuple[str, ...]:
    """Names of every arm that is no composition of others."""
    arms = arms_of(x.report for x in found)
    return tuple(sorted({n for arm, names in arms.items() if not arm.composed for n in names}))


def _told_in_full(report: Report, wanted: str) -> Line:
    own = leads(report, wanted)
    return in_paragraph([*map(told, own), *_told_elsewhere(report, own)])


def _told_elsewhere(report: Report, own: Sequence[Lead]) -> list[Line]:
    """What tells arms apart beside the leads: counted over all that is shown, so it is told, too."""
    sets = pair_sets(report)
    said = {s.id for lead in own for s in lead}
    words: list[Line] = []
    for s in sets:
        if s.id not in said and is_of_arms(s) and any(c.told_apart is not None for c in s.comparisons):
            lead = (s, *companions(s, sets))
            said |= {each.id for each in lead}
            words.append(told(lead))
    return words


def _opposed(found: Sequence[Lead]) -> set[str]:
    """Leads in which a pair stands the other way round than in another experiment."""
    ranked: dict[tuple[str, str, str, str], set[str]] = {}
    for lead in found:
        for s in lead:
            for c in s.comparisons:
                if c.told_apart is not None:
                    key = (c.family, c.metric, *c.told_apart)
                    ranked.setdefault(key, set()).add(lead[0].id)
    return {
        name
        for (family, metric, above, below), names in ranked.items()
        if (other := ranked.get((family, metric, below, above)))
        for name in names | other
    }


def _numbers(report: Report, lead: Lead, site: FigureContext) -> Line:
    """Two arms of a lead with their numbers: a pair that is told apart, else the first; metric by metric."""
    first = next((c for c in lead[0].comparisons if c.told_apart is not None), lead[0].first)
    named = first.told_apart or (first.a, first.b)
    said: Line = ()
    for metric in (first.metric, *(first.words or PLAIN).read_with(first.metric)):
        own = {
            e.group[first.over]: e
            for e in report.estimates
            if (e.family, e.metric, e.stratum) == (first.family, metric, first.stratum)
            and e.group.names == (first.over,)
            and e.withheld is None
            and e.headline != "nothing"
        }
        if not set(named) <= set(own):
            if metric == (first.words or PLAIN).companion(first.metric):
                said += (text(" Of "), named_metric(first, metric), text(" too little is known."))
            continue
        on = about_line(first) if metric == first.metric else (named_metric(own[named[0]]),)
        said += (text(" On " if said else "On "), *on, text(f", {named[0]} reached "))
        said += (*_with_attempts(own[named[0]], site), text(f"; {named[1]} reached "))
        said += (*_with_attempts(own[named[1]], site), text("."))
    return said


def _with_attempts(e: Estimate, site: FigureContext) -> Line:
    """A number, and of how many attempts it is where fewer are known."""
    lost = f" {missing(e)}" if e.withheld is None and e.known < e.attempts else ""
    return (*inline(e, site), *((text(lost),) if lost else ()))


def model(found: Sequence[SiteExperiment], name: str, site: FigureContext) -> Line:
    """The first number of each family and part that an arm plays, with what is read together with it.

    How many other strata it has results in is told as well: they are no part of that number.

    Args:
        found: Experiments in the order in which the page shows them; each number names its own.
        name: The arm.
        site: Links of the page, and the build.
    """
    said: Line = ()
    covered: set[tuple[str, str]] = set()
    strata = 0
    for x in found:
        for (family, key, arm), every in x.of_report(compared_by_arm).items():
            own = [e for e in every if is_told(e)] if arm == name else []
            if not own:
                continue
            readings = (own[0].words or PLAIN).readings
            strata += len({e.stratum.without(*readings) for e in own if e.metric == own[0].metric})
            if (family, key) not in covered:
                covered.add((family, key))
                said += _first_numbers(own, x.title, site, separate=bool(said))
    if (more := strata - len(covered)) > 0:
        own_strata = "a stratum of its own, stands" if more == 1 else "strata of their own, stand"
        further = f" {sentence_case(many_in_words(more, 'further result'))}, in {own_strata} below."
        said += (text(further),)
    return said or line(_no_number([e for x in found for e in x.report.estimates if _is_about(e, name)]))


def read_first(own: Sequence[Estimate]) -> list[Estimate]:
    """The first metric of an arm, in its other readings as well, and what is read together with it.

    Args:
        own: Estimates of one arm in one part, as `compared` orders them; at least one.
    """
    first = own[0]
    wanted = (first.words or PLAIN).read_with(first.metric)
    readings = (first.words or PLAIN).readings
    strata = list(dict.fromkeys(e.stratum for e in own if e.metric == first.metric))

    def beside(stratum: Keys) -> list[Estimate]:
        return [e for m in wanted for e in own if (e.metric, e.stratum) == (m, stratum)]

    stratum = max(strata, key=lambda each: len(beside(each)))
    lead = next(e for e in own if (e.metric, e.stratum) == (first.metric, stratum))
    read_so = [
        e
        for e in own
        if e.metric == lead.metric
        and e is not lead
        and e.stratum.without(*readings) == stratum.without(*readings)
    ]
    return [lead, *read_so, *beside(stratum)]


def stands_in(e: Estimate) -> str:
    """Where a number stands: its stratum and, where it is part of it, its contract."""
    under = [contract_name(e.contract)] if "contract" in e.stratum.names else []
    return ", ".join(filter(None, (stratum_words(e.stratum, e.words), *under)))


def reading_words(e: Estimate, lead: Estimate) -> str:
    """What a number beside the first is called: its metric, or the reading in which it is the same one."""
    if e.metric != lead.metric or e is lead:
        return metric_words(e.metric, e.words)
    return stratum_words(e.stratum.only(*(e.words or PLAIN).readings), e.words)


def _first_numbers(own: Sequence[Estimate], title: str, site: FigureContext, *, separate: bool) -> Line:
    """The first metric of some estimates of one arm, where it stands, and those that are read with it."""
    lead, *others = read_first(own)
    as_what = as_words(lead.group.names[0], lead.words)
    told_in = ", ".join(filter(None, (title, stands_in(lead))))
    said: Line = (
        *((text(" "),) if separate else ()),
        *capitalised((named_metric(lead),)),
        text(f"{as_what} ({told_in}) "),
        *_with_attempts(lead, site),
    )
    for e in others:
        said += (text(f", {reading_words(e, lead)} "), *_with_attempts(e, site))
    companion = (lead.words or PLAIN).companion(lead.metric)
    if companion and companion not in {e.metric for e in others}:
        said += (text("; too few runs are known for a value of "), named_metric(lead, companion))
    return (*said, text("."))


def _no_number(own: Sequence[Estimate]) -> str:
    """Why no number heads the page of an arm."""
    if own and all(e.withheld is not None for e in own):
        return "Every number of this model is withheld."
    few = max((e.attempts for e in own), default=0) < MIN_KNOWN
    why = "Too few runs of it were recorded" if few else "Too few of its runs are known"
    return f"{why} for a value to stand here; what was counted stands below."


def _is_about(e: Estimate, name: str) -> bool:
    arm = arm_of(e.group, e.words)
    return arm is not None and arm[1] == name


def is_told(e: Estimate) -> bool:
    """Whether a number can be told of it: a value, or bounds."""
    return e.withheld is None and e.headline in ("point", "bounds")
