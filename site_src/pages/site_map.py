"""Which pages the site has, and the links between them: what a page may point at, and nothing else.

Does: know every model, contract, pack and price table that has a page, and spell links relative to the
page that is being made. Does not: make pages.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from types import MappingProxyType
from urllib.parse import quote, urlencode

from msgspec import Struct, field
from msgspec.structs import replace

from metrics_core.memo import Memo
from metrics_core.results import PLAIN, STAGE, ContractRef, Estimate, Gap, Keys, Report, RunLoss, Vocabulary
from metrics_core.text import visible
from site_src import paths
from site_src.decisions import JudgedDecision
from site_src.pages.pair_sets import ArmPair, has_many_arms, pairs_of
from site_src.pages.selection import arms_measured, is_context, run_span
from site_src.pages.site_state import SiteState
from site_src.project import Authored, BuildInfo, ExperimentSeries, SiteExperiment, find_series, of_all
from site_src.references import Index
from site_src.wording import (
    NUMBERS,
    RULES,
    Definition,
    FigureContext,
    Links,
    Named,
    ReviewFilter,
    TermName,
    arm_of,
    contract_name,
    metric_words,
    sentence_case,
    stratum_words,
)

MOST_PICTURES = 2_000
"""Pictures, raw and finished, that a build keeps: one figure often stands on several pages."""


OF_INSTRUMENTS = frozenset({"contract", "pack", "prices"})
"""Stratum keys that tell what a run was read with; no list of runs is filtered by them."""


class SiteMap(Struct, frozen=True, kw_only=True):
    """Everything that has a page.

    Attributes:
        experiments: In the order of their names.
        models: Every arm that an estimate is about, sorted.
        contracts: Contract id -> its references, by version.
        packs: Full pack digest -> the experiments that use it.
        prices: Dates of the price tables, sorted.
        with_runs: Experiments whose runs have pages.
        pairs: Every two arms that have a page of their own.
        site_state: Decisions and earlier editions, and the index of estimates that prose refers to.
        rows: Estimate id -> (page, element id) of its row; filled in before any page is made.
        series: Experiments that follow upon one another.
        stamps: First and last run stamp of all; None where no record has any.
        compared: Experiments that compare arms.
        decided: Whether there is any decision.
        graders: Whether any number is about an instrument, and no arm.
        promised: (Contract, metric) -> what it counts, in the contract's own words.
        arms: Experiment -> every arm that one of its estimates is about.
        families: Experiment -> the families of its records.
        memo: Pictures that were made before.
    """

    experiments: tuple[SiteExperiment, ...]
    authored: tuple[Authored, ...]
    build: BuildInfo
    models: tuple[str, ...]
    contracts: Mapping[str, tuple[ContractRef, ...]]
    packs: Mapping[str, tuple[SiteExperiment, ...]]
    prices: tuple[str, ...]
    with_runs: frozenset[str]
    pairs: frozenset[ArmPair] = frozenset()
    site_state: SiteState = field(default_factory=lambda: SiteState(index=Index(())))
    rows: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    series: tuple[ExperimentSeries, ...] = ()
    stamps: tuple[str, str] | None = None
    compared: frozenset[str] = frozenset()
    decided: bool = False
    graders: bool = False
    promised: Mapping[tuple[ContractRef, str], str] = field(default_factory=dict)
    arms: Mapping[str, frozenset[str]] = field(default_factory=dict)
    families: Mapping[str, frozenset[str]] = field(default_factory=dict)
    memo: Memo = field(default_factory=Memo)

    @property
    def leading(self) -> tuple[SiteExperiment, ...]:
        """Experiments that first lines tell: all but those that a newer one of their series stands for."""
        older = {x.name for series in self.series for x in series.experiments[:-1]}
        return tuple(x for x in self.experiments if x.name not in older)

    @property
    def index(self) -> Index:
        """Every estimate and comparison, by the names that prose refers to them with."""
        return self.site_state.index

    @property
    def decisions(self) -> tuple[JudgedDecision, ...]:
        """Every decision, judged."""
        return self.site_state.decisions

    def context(self, page: str) -> FigureContext:
        """What figures and captions on a page are made with: its links, the build, and the memo."""
        return FigureContext(build=self.build.version, links=self.links(page), memo=self.memo)

    def links(self, page: str) -> Links:
        """Functions that give an address relative to a page, or nothing where there is no such page."""
        known = {e.name: e for e in self.experiments}

        def to(target: str) -> str:
            return paths.relative(page, target)

        def contract(ref: ContractRef) -> str:
            return (
                to(f"{paths.contract(ref.id)}#{version_id(ref)}")
                if ref in self.contracts.get(ref.id, ())
                else ""
            )

        def data(experiment: str, _: str) -> str:
            return to(f"{paths.experiment(experiment)}#raw-data") if experiment in known else ""

        def pack(digest: str) -> str:
            return to(paths.pack(digest)) if digest in self.packs else ""

        def prices(date: str) -> str:
            return to(f"{paths.PRICES}#prices-{date}") if date in self.prices else ""

        def reviews(wanted: ReviewFilter) -> str:
            listed = wanted.experiment in self.with_runs
            if not listed:
                return ""
            gaps = known[wanted.experiment].of_report(gap_words) if wanted.experiment in known else {}
            return to(paths.reviews(wanted.experiment)) + filter_fragment(wanted, gaps)

        def control(experiment: str, _: str) -> str:
            return to(f"{paths.experiment(experiment)}#controls") if experiment in known else ""

        def model(name: str) -> str:
            return to(paths.model(name)) if name in self.models else ""

        def estimate(e: Estimate) -> str:
            at = self.rows.get(e.id)
            return to(f"{at[0]}#{at[1]}") if at else ""

        def metric(e: Estimate | Named) -> tuple[Definition, ...]:
            if (sentence := self.promised.get((e.contract, e.metric))) is None:
                return ()
            href = to(f"{paths.METHODS}#{metric_id(e.contract, e.metric)}")
            return (Definition(href, visible(sentence), contract_name(e.contract)),)

        def term(name: TermName) -> tuple[Definition, ...]:
            return (Definition(to(f"{paths.METHODS}#{name}"), (NUMBERS | RULES)[name].means, "Methods"),)

        def pair(experiment: str, one: str, other: str) -> str:
            both = ArmPair(experiment, min(one, other), max(one, other))
            return to(paths.compare_pair(*both)) if both in self.pairs else ""

        return Links(
            contract=contract,
            data=data,
            pack=pack,
            prices=prices,
            reviews=reviews,
            control=control,
            model=model,
            estimate=estimate,
            metric=metric,
            term=term,
            pair=pair,
            build=lambda: to(f"{paths.DATA}#verify"),
        )


def version_id(ref: ContractRef) -> str:
    """Element id of a contract's version on its page.

    >>> version_id(ContractRef("a", "1", "sha256:3f9a2c1d00"))
    'v-3f9a2c1d'
    """
    return f"v-{ref.digest.removeprefix('sha256:')[:8]}"


def metric_id(ref: ContractRef, metric: str) -> str:
    """Element id of a metric's entry in Methods, under one version of its contract.

    >>> metric_id(ContractRef("a", "1", "sha256:3f9a2c1d00"), "change") == metric_id(
    ...     ContractRef("a", "2", "sha256:77b0e4aa00"), "change"
    ... )
    False
    """
    return paths.anchor("m", f"{ref.id} {ref.version} {ref.digest} {metric}")


def lost_words(loss: RunLoss) -> str:
    """How a loss is named, in the list of runs and in the address that filters it: in one funnel, of one
    stratum. Under two contracts a run may be lost in two ways.

    >>> from metrics_core.results import Keys
    >>> lost_words(RunLoss("all passed", "known", "an assertion failed", Keys({"scorer": "match"})))
    'before all passed: an assertion failed (scorer match)'
    >>> lost_words(RunLoss("answered", "error", ""))
    'before answered: error'
    """
    why = loss.reason if loss.state == "known" else ": ".join(filter(None, (loss.state, loss.reason)))
    of = ", ".join(f"{key} {value}" for key, value in loss.stratum)
    return f"before {loss.stage}{f': {why}' if why else ''}{f' ({of})' if of else ''}"


GapWords = Mapping[tuple[str, str, Keys], str]
"""What a metric of a stratum is called in the list of runs, by family, metric and stratum."""


def gap_words(report: Report) -> GapWords:
    """What each metric is called in the list of runs: by its title, and by what tells its strata apart.

    Args:
        report: Whose estimates say in which strata a metric is counted.
    """
    strata: dict[tuple[str, str], dict[Keys, Vocabulary | None]] = {}
    for e in report.estimates:
        strata.setdefault((e.family, e.metric), {})[e.stratum] = e.words
    found: dict[tuple[str, str, Keys], str] = {}
    for (family, metric), of in strata.items():
        same = set.intersection(*map(set, of))
        apart = {stratum: [pair for pair in stratum if pair not in same] for stratum in of}
        told = {stratum: stratum_words(apart[stratum], words) for stratum, words in of.items()}
        if len(set(told.values())) < len(of):
            told = {stratum: ", ".join(map(" ".join, pairs)) for stratum, pairs in apart.items()}
        for stratum, words in of.items():
            title = sentence_case(metric_words(metric, words))
            found[family, metric, stratum] = ", ".join(filter(None, (title, told[stratum])))
    return found


def gap_name(gap: Gap, words: str) -> str:
    """How runs without a known value are named, in the list of runs and in the address that filters it.

    Args:
        gap: Which runs; ``known`` is the state of any that is not known.
        words: What the metric is called in this list.

    >>> gap_name(Gap("regress", "error"), "Regress"), gap_name(Gap("regress", "known"), "Regress")
    ('Regress: error', 'Regress: not known')
    """
    return f"{words}: {'not known' if gap.state == 'known' else gap.state}"


def filter_fragment(wanted: ReviewFilter, gaps: GapWords = MappingProxyType({})) -> str:
    """The end of an address that shows just the runs behind a mark.

    A facet, a loss, an assertion and a gap say themselves of which stratum they are.

    Args:
        wanted: Which runs.
        gaps: What metrics are called in this list; the metric itself where it has none.

    >>> filter_fragment(ReviewFilter(experiment="e", family="f", group=(("model", "a b"),), facet="error"))
    '#?family=f&model=a%20b&facet=error'
    """
    keys = [("family", wanted.family), *((k, v) for k, v in wanted.group if k != STAGE)]
    if not (wanted.facet or wanted.lost or wanted.assertion or wanted.gap):
        keys += [(k, v) for k, v in wanted.stratum if k not in OF_INSTRUMENTS]
    if wanted.facet:
        keys.append(("facet", wanted.facet))
    if wanted.lost:
        keys.append(("lost", lost_words(wanted.lost)))
    if wanted.assertion:
        keys.append(("missed", wanted.assertion))
    if wanted.gap:
        called = gaps.get((wanted.family, wanted.gap.metric, wanted.gap.stratum), wanted.gap.metric)
        keys.append(("gap", gap_name(wanted.gap, called)))
    return "#?" + urlencode(keys, quote_via=quote)


def site_map(
    experiments: Sequence[SiteExperiment],
    authored: Sequence[Authored],
    build: BuildInfo,
    with_runs: Iterable[str] = (),
    site_state: SiteState | None = None,
    memo: Memo | None = None,
    asked: Callable[[], Container[ArmPair]] = frozenset,
) -> SiteMap:
    """Find everything that will have a page.

    Args:
        experiments: In any order.
        authored: What authors wrote.
        build: Version, settings, record types.
        with_runs: Names of the experiments whose runs will have pages.
        site_state: Decisions and editions; None where there are none.
        memo: Pictures that were made before; None for none.
        asked: Gives the pairs of arms that prose and claims speak of, where an experiment has many arms.
    """
    ordered = tuple(sorted(experiments, key=lambda e: e.name))
    arms, contracts, packs, prices = (
        dict[str, frozenset[str]](),
        dict[str, set[ContractRef]](),
        dict[str, list[SiteExperiment]](),
        set[str](),
    )
    for experiment in ordered:
        arms[experiment.name] = experiment.of_report(arms_measured)
        for used in experiment.report.contracts:
            contracts.setdefault(used.ref.id, set()).add(used.ref)
        if experiment.pack is not None:
            packs.setdefault(experiment.pack.digest, []).append(experiment)
        prices |= {table.fetched for table in experiment.prices}
    spans = [span for x in ordered if (span := x.of_report(run_span)) is not None]
    return SiteMap(
        experiments=ordered,
        authored=tuple(authored),
        build=build,
        models=tuple(sorted(frozenset().union(*arms.values()))),
        contracts={name: tuple(sorted(refs, key=version_order)) for name, refs in sorted(contracts.items())},
        packs={digest: tuple(users) for digest, users in sorted(packs.items())},
        prices=tuple(sorted(prices)),
        with_runs=frozenset(with_runs),
        pairs=_pairs(ordered, asked),
        site_state=site_state or SiteState(index=Index([experiment.report for experiment in ordered])),
        rows=of_all(ordered, _rows),
        series=find_series(build.site.series, ordered),
        stamps=(min(first for first, _ in spans), max(last for _, last in spans)) if spans else None,
        compared=frozenset(x.name for x in ordered if x.report.comparisons),
        decided=site_state is not None and bool(site_state.decisions),
        graders=any(examined(e) for x in ordered for e in x.report.estimates),
        promised={
            (used.ref, metric): sentence
            for x in ordered
            for used in x.report.contracts
            for metric, sentence in used.promise
        },
        arms=arms,
        families={x.name: frozenset(x.report.families) for x in ordered},
        memo=Memo(MOST_PICTURES) if memo is None else memo,
    )


def _rows(experiments: Sequence[SiteExperiment]) -> Mapping[str, tuple[str, str]]:
    """Estimate id -> (page, element id) of its row."""
    return {
        e.id: (paths.experiment(x.name), row_id(e))
        for x in experiments
        for e in x.report.estimates
        if has_row(e)
    }


def _pairs(
    experiments: Iterable[SiteExperiment], asked: Callable[[], Container[ArmPair]]
) -> frozenset[ArmPair]:
    """Every two arms that have a page: all of an experiment of few arms, and those that are asked for."""
    found: set[ArmPair] = set()
    wanted: Container[ArmPair] | None = None
    for x in experiments:
        every = {ArmPair(x.name, a, b) for a, b in x.of_report(pairs_of)}
        if x.of_report(has_many_arms):
            wanted = asked() if wanted is None else wanted
            every = {pair for pair in every if pair in wanted}
        found |= every
    return frozenset(found)


def version_order(ref: ContractRef) -> tuple[int, str, str]:
    """Sorts versions as numbers where they are numbers."""
    return (int(ref.version) if ref.version.isdecimal() else 0, ref.version, ref.digest)


def examined(e: Estimate) -> str:
    """The instrument that a number of all runs is about, such as a judge; empty where it is about none."""
    return "" if e.group else e.stratum.get((e.words or PLAIN).examines, "")


def has_row(estimate: Estimate) -> bool:
    """Whether an experiment's page has a row for an estimate.

    It has one for the results of an arm or of the whole experiment, and for what an arm spent.
    """
    whole = not estimate.group and not is_context(estimate)
    return (whole or arm_of(estimate.group, estimate.words) is not None) and estimate.metric != STAGE


def row_id(estimate: Estimate) -> str:
    """Element id of an estimate's row; amounts of one arm that were priced differently share theirs."""
    priced = is_context(estimate) and "prices" in estimate.stratum.names
    shared = estimate.stratum.without("prices")
    return paths.anchor("e", replace(estimate, stratum=shared).id if priced else estimate.id)
