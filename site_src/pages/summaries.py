"""The sentences at the head of pages, made from reports; `site_src.wording.captions` sets their numbers.

Does: choose what to say first, and never a value without its n/N. Does not: rank; where models cannot be
told apart it says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from metrics_core.results import PLAIN, Arm, Comparison, Estimate, Report
from site_src.pages.cells import inline
from site_src.pages.components import line, text
from site_src.pages.pair_sets import PairSet, headlines, key_of, pair_sets
from site_src.pages.selection import arm_keys, compared, newest_first
from site_src.wording import (
    APART,
    FigureContext,
    Line,
    arm_of,
    as_words,
    came_to,
    count,
    in_words,
    is_whole,
    kind_words,
    listed,
    metric_words,
    sentence_case,
    stratum_words,
)

MOST_NAMED = 4
"""Models that a sentence names; of more it gives the number."""


def plural(n: int, word: str) -> str:
    """A number in words with its noun.

    >>> plural(1, "model"), plural(3, "model"), plural(12, "run")
    ('one model', 'three models', '12 runs')
    """
    return f"{in_words(n)} {word}{'' if n == 1 else 's'}"


def arms_of(reports: Iterable[Report]) -> dict[Arm, list[str]]:
    """Names of every arm that an estimate is about, by the part that it plays; whole arms first."""
    found: dict[Arm, set[str]] = {}
    for e in (e for r in reports for e in r.estimates):
        arm = (e.words or PLAIN).arm(e.group[0][0]) if len(e.group) == 1 else None
        if arm is not None:
            found.setdefault(arm, set()).add(e.group[0][1])
    return {arm: sorted(found[arm]) for arm in sorted(found, key=lambda arm: arm.place)}


def models_of(report: Report) -> list[str]:
    """Names of this experiment's arms: models, and pipelines of them."""
    return sorted({name for names in arms_of([report]).values() for name in names})


def many_arms(arms: Mapping[Arm, Sequence[str]]) -> str:
    """How many arms there are, by what they are called: those that do all of the work, else each part.

    >>> from metrics_core.results.vocabulary import MODEL
    >>> chat, coder = Arm(key="chat", title="chat model"), Arm(key="coder", title="coder model")
    >>> parts = {chat: ["a", "b"], coder: ["a"]}
    >>> many_arms(parts), many_arms({MODEL: ["a"], **parts})
    ('two chat models and one coder model', 'one model')
    """
    whole = [arm for arm in arms if arm.whole] or list(arms)
    return listed([plural(len(arms[arm]), arm.title) for arm in whole])


def first_read(reports: Iterable[Report]) -> Sequence[Comparison]:
    """The pairs that experiments are first read by: of the newest that has any to show, as `headlines` says.

    Models go before pipelines, and both before parts that a model plays; results choose nothing. Empty where
    nothing is compared, or all of it is withheld.

    Args:
        reports: Of one experiment, or of all.
    """
    found = [
        own[0]
        for report in newest_first(reports)
        for own in headlines(report, pair_sets(report))
        if not own[0].withheld
    ]
    if not found:
        return ()

    def place(s: PairSet) -> tuple[bool, bool]:
        return (s.first.over != "model", not is_whole(s.first.over, s.first.words))

    return min(found, key=place).comparisons


def headline(pairs: Sequence[Comparison]) -> str:
    """What can be told apart, in a sentence or two; never an order of more than the evidence gives.

    Args:
        pairs: On one metric, in one stratum; none for what is said in their place.

    Raises:
        ValueError: Pairs on several.
    """
    if not pairs:
        return "What was measured, and what it was measured with"
    if len({(c.experiment, *key_of(c)) for c in pairs}) > 1:
        raise ValueError("a sentence on pairs of several metrics or strata")
    part = pairs[0].over
    words = pairs[0].words
    metric = metric_words(pairs[0].metric, words)
    if part != "model":
        where = stratum_words(pairs[0].stratum, words)
        metric += f" by {kind_words(part, words)}{f' ({where})' if where else ''}"
    below: dict[str, set[str]] = {}
    for c in pairs:
        if c.verdict in APART:
            winner, under = (c.a, c.b) if c.verdict == "a above b" else (c.b, c.a)
            below.setdefault(under, set()).add(winner)
    models = sorted({m for c in pairs for m in (c.a, c.b)})
    kind = kind_words(part, words)
    if not below:
        some = listed(models) if len(models) <= MOST_NAMED else f"{count(len(models))} {kind}s"
        return f"On {metric}, these data cannot separate {some} yet."
    if len(models) > MOST_NAMED:
        apart = sum(c.verdict in APART for c in pairs)
        of = f"{in_words(len(pairs))} pairs of {kind}s"
        return f"On {metric}, {in_words(apart)} of {of} can be told apart."
    alike: dict[tuple[str, ...], list[str]] = {}
    for under, winners in sorted(below.items()):
        alike.setdefault(tuple(sorted(winners)), []).append(under)
    said = "; ".join(
        f"{listed(above)} {'is' if len(above) == 1 else 'are'} above {listed(under)}"
        for above, under in alike.items()
    )
    joined = [(c.a, c.b) for c in pairs if c.verdict == "cannot separate"]
    rest = ""
    if len(joined) == 1:
        rest = f" These data cannot tell {joined[0][0]} from {joined[0][1]}."
    elif joined:
        rest = f" These data cannot tell {in_words(len(joined))} other pairs apart."
    return f"On {metric}, {said}.{rest}"


def experiment(report: Report, site: FigureContext) -> Line:
    """How much was run, what is withheld, and the headline metric of the first family."""
    named = arms_of([report])
    arms = [many_arms(named)] if named else []
    many = sentence_case(", ".join([*arms, plural(report.records, "run")]))
    failed = [c for c in report.controls if c.withholds]
    hidden = [f for f in report.families if any(e.withheld for e in report.estimates if e.family == f)]
    if failed and len(hidden) == len(report.families):
        why = sentence_case(failed[0].detail.rstrip("."))
        return line(f"{many}, and no number: the {failed[0].title} {came_to(failed[0])}. {why}.")
    said = [f"{many}."]
    if failed:
        said.append(f" What rests on the {failed[0].title} is withheld.")
    missing = [c for c in report.controls if c.state == "missing" and not c.withholds]
    if missing:
        graders = ": nothing shows that the graders can fail" if missing[0].name == "sanity" else ""
        said.append(f" The {missing[0].title} is missing{graders}.")
    if pairs := first_read([report]):
        said.append(f" {headline(pairs)}")
    return line("".join(said))


def overview(found: Sequence[Report], site: FigureContext) -> Line:
    """How much was measured, and the headline metric with n/N and interval for two models."""
    models = sorted({n for arm, names in arms_of(found).items() if not arm.composed for n in names})
    families = sorted({f for r in found for f in r.families})
    head = sentence_case(
        f"{plural(len(models), 'model')} in {plural(len(found), 'experiment')}: {listed(families)}. "
    )
    pairs = first_read(found)
    if not pairs:
        return (text(head), *model(found, models[0], site)) if len(models) == 1 else line(head.strip())
    first = next((c for c in pairs if c.verdict in APART), pairs[0])
    named = (first.a, first.b) if first.verdict != "b above a" else (first.b, first.a)
    estimates = [e for r in found for e in r.estimates if r.experiment == first.experiment]
    chosen = [
        e
        for name in named
        for e in estimates
        if (e.metric, e.family, e.stratum) == (first.metric, first.family, first.stratum)
        and e.group == ((first.over, name),)
        and e.withheld is None
    ]
    if len(chosen) != len(named):
        return line(head.strip())
    metric, where = metric_words(first.metric, first.words), stratum_words(first.stratum, first.words)
    return (
        text(head),
        text(f"On {metric}{f', {where},' if where else ','} {named[0]} reached "),
        *inline(chosen[0], site),
        text(f"; {named[1]} reached "),
        *inline(chosen[1], site),
        text("."),
    )


def model(reports: Sequence[Report], name: str, site: FigureContext) -> Line:
    """The first metric of each family, from the first report that has it; its companion right beside it.

    Args:
        reports: In the order in which the page shows them.
        name: The model.
        site: Links of the page, and the build.
    """
    said: Line = ()
    covered: set[str] = set()
    for report in reports:
        for family in report.families:
            keys = [key for key in arm_keys(report, family) if (key, name) in _arms(report)]
            key = keys[0] if keys else "model"
            own = [e for e in compared(report, family, key) if e.group == ((key, name),) and _is_shown(e)]
            if not own or family in covered:
                continue
            covered.add(family)
            first = own[0]
            metric = sentence_case(metric_words(first.metric, first.words))
            companion = (first.words or PLAIN).companion(first.metric)
            said += (
                text(f"{' ' if said else ''}{metric}{as_words(key, first.words)} "),
                *inline(first, site),
            )
            second = next(
                (e for e in own if e.metric == companion and e.stratum == first.stratum),
                None,
            )
            if second is not None:
                other = metric_words(second.metric, second.words)
                said += (text(f", beside {other} "), *inline(second, site))
            said += (text("."),)
    return said or line(
        "No number of this model can be shown: each is withheld, or too few of its runs are known."
    )


def _arms(report: Report) -> set[tuple[str, str]]:
    return {arm for e in report.estimates if (arm := arm_of(e.group, e.words)) is not None}


def _is_shown(e: Estimate) -> bool:
    return e.withheld is None and e.headline in ("point", "bounds")
