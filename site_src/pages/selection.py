"""Selection of estimates for tables, for the heads of pages and for figures at a glance, in their order.

Does: choose by family, unit, arm, instrument and control. Does not: rank; no value chooses or orders
anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from metrics_core.results import PLAIN, STAGE, Arm, Estimate, Keys, Report, Vocabulary
from site_src.wording import arm_of, in_order, listed, many_in_words, no_evidence

CONTEXT_UNITS = frozenset({"USD", "s", "count"})
"""Units of what is context and never a score."""


def is_context(e: Estimate) -> bool:
    """Whether an estimate is context: money, time, tokens; never a score."""
    return e.unit in CONTEXT_UNITS or e.summary is not None


def of_family(report: Report, family: str, *, context: bool = False) -> list[Estimate]:
    """A family's results, or its context figures, without funnel stages and points of timelines."""
    return [
        e
        for e in report.estimates
        if e.family == family
        and is_context(e) is context
        and e.metric != STAGE
        and "stamp" not in e.group.names
    ]


def metric_place(metric: str, words: Vocabulary | None) -> tuple[int, str]:
    """Sorts metrics of a family: those first that the family puts first, others by name.

    >>> words = Vocabulary(first=("recall",))
    >>> metric_place("recall", words) < metric_place("exact", words)
    True
    """
    return (words or PLAIN).place(metric)


def metric_order(found: Iterable[Estimate]) -> list[str]:
    """Metrics of a family in the order in which they are shown.

    >>> from tests.support.figure_samples import share
    >>> metric_order([share("recall", 9, 12), share("exact", 9, 12)])
    ['exact', 'recall']
    """
    words = {e.metric: e.words for e in found}
    return sorted(words, key=lambda metric: metric_place(metric, words[metric]))


def arm_keys(report: Report, family: str) -> list[str]:
    """Keys of the arms that a family's results are given by: ``model``; or a pipeline and its layers."""
    words = report.words_of(family)
    keys = {k for e in of_family(report, family) if arm_of(e.group, words) for k, _ in e.group}
    return in_order(keys, words)


def compared(report: Report, family: str, over: str = "") -> list[Estimate]:
    """Estimates by arm of the metrics that arms are compared on: no assertions, probes or older instruments.

    Args:
        report: Of one experiment.
        family: One of its families.
        over: Key of the arms; empty for the family's first.
    """
    over = over or next(iter(arm_keys(report, family)), "model")
    found = [e for e in of_family(report, family) if set(e.group.names) == {over}]
    metrics = {c.metric for c in report.comparisons if c.family == family and c.over == over}
    given = {e.metric for e in found}
    words = report.words_of(family) or PLAIN
    together = set(words.together)
    metrics |= given & together if metrics & together or not metrics else set()
    metrics |= given & set(words.alone) if metrics <= together else set()
    chosen = [e for e in found if e.metric in metrics and not no_evidence(e.stratum, e.words)] or found
    newest = _newest(chosen)
    order = {m: i for i, m in enumerate(metric_order(chosen))}
    chosen = [e for e in chosen if e.contract.digest in newest and not _nothing(chosen, e.metric, e.stratum)]
    return sorted(chosen, key=lambda e: (order[e.metric], e.stratum, e.group))


def compared_by_arm(report: Report) -> Mapping[tuple[str, str, str], Sequence[Estimate]]:
    """Family, key and name of an arm -> its own of the estimates that `compared` gives, in their order."""
    own: dict[tuple[str, str, str], list[Estimate]] = {}
    for family in report.families:
        for key in arm_keys(report, family):
            for e in compared(report, family, key):
                own.setdefault((family, key, e.group[key]), []).append(e)
    return own


def by_pair(report: Report) -> Mapping[tuple[str, str], Sequence[Estimate]]:
    """The estimates that each key and value of a group stands in, in their order."""
    found: dict[tuple[str, str], list[Estimate]] = {}
    for e in report.estimates:
        for pair in e.group:
            found.setdefault(pair, []).append(e)
    return found


def _nothing(found: Sequence[Estimate], metric: str, stratum: Keys) -> bool:
    """Whether nothing is known of a metric in a stratum, for any model: then it is no block of a figure."""
    return all(e.headline == "nothing" for e in found if e.metric == metric and e.stratum == stratum)


def _newest(found: Sequence[Estimate]) -> set[str]:
    """Digests of the contracts that read the newest runs, one for each contract family of names."""
    last: dict[str, str] = {}
    for e in found:
        stamp = e.stamps[1] if e.stamps else ""
        last[e.contract.digest] = max(last.get(e.contract.digest, ""), stamp)
    newest = max(last.values(), default="")
    return {digest for digest, stamp in last.items() if stamp == newest}


def newest_first(reports: Iterable[Report]) -> list[Report]:
    """Experiments by the time of their last run, then by name: an order that no result can change."""
    return sorted(reports, key=lambda r: (last_stamp(r), r.experiment), reverse=True)


def last_stamp(report: Report) -> str:
    """When the last run of an experiment was; empty where no run says."""
    return max((e.stamps[1] for e in report.estimates if e.stamps), default="")


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
    return listed([many_in_words(len(arms[arm]), arm.title) for arm in whole])


def arms_measured(report: Report) -> frozenset[str]:
    """Every arm that an estimate is about."""
    found = (arm_of(e.group, e.words) for e in report.estimates)
    return frozenset(arm[1] for arm in found if arm is not None)


def run_span(report: Report) -> tuple[str, str] | None:
    """First and last run stamp; None where no record has any."""
    spans = [e.stamps for e in report.estimates if e.stamps]
    return (min(first for first, _ in spans), max(last for _, last in spans)) if spans else None


def at_a_glance(reports: Sequence[Report]) -> list[Estimate]:
    """Every experiment at a glance, on each side of its arms; and what is withheld of one, as one block.

    A part beside what it is a part of, or beside another part, is shown only where its own arms are compared:
    its rows would count the same runs once more. Of a single experiment every metric that arms are compared
    on; of several the metric that each family puts first, with those that are read with it. No experiment is
    left out for being older than another.

    Args:
        reports: Of all experiments.
    """
    shown: list[Estimate] = []
    hidden: list[Estimate] = []
    for report in newest_first(reports):
        for family in report.families:
            for place, key in enumerate(arm_keys(report, family) or ["model"]):
                if place and not any(c.over == key for c in report.comparisons if c.family == family):
                    continue
                found = compared(report, family, key)
                if not found:
                    continue
                first = found[0]
                if all(e.withheld is not None for e in found):
                    hidden += [e for e in found if (e.metric, e.stratum) == (first.metric, first.stratum)]
                    break
                words = report.words_of(family) or PLAIN
                kept = {first.metric, *words.read_with(first.metric)}
                shown += [e for e in found if e.withheld is None and (len(reports) == 1 or e.metric in kept)]
    return shown + hidden
