"""Which comparisons belong together: every pair of arms on one metric, in one stratum, within one group.

That is what Holm goes over, what one matrix shows, and what is never mixed with another. Also, which of
them stand for their experiment. Draws nothing, and judges nothing: verdicts are the comparisons' own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from metrics_core.results import PLAIN, Comparison, Estimate, Keys, Report
from site_src import paths
from site_src.pages.selection import compared, metric_place
from site_src.wording import (
    about_pair,
    as_words,
    contract_name,
    group_words,
    is_arm,
    is_whole,
    kind_words,
    many_in_words,
    metric_words,
    no_evidence,
    pairs_found,
    sentence_case,
    stratum_words,
    title_stratum,
)

MANY_ARMS = 12
"""Arms beyond which only pairs that are asked for have a page: pairs grow with the square of arms."""

MOST_NAMED = 60
"""Characters of the names of arms that a headline holds, where it tells none of them apart."""


class ArmPair(NamedTuple):
    """Two arms of an experiment, in the order of their names."""

    experiment: str
    a: str
    b: str


Key = tuple[str, str, str, Keys, Keys]
"""Family, metric, what is compared over, group and stratum: what a set of pairs shares."""


class PairSet(Struct, frozen=True, kw_only=True):
    """Every pair of arms on one metric, in one stratum.

    Attributes:
        comparisons: At least one; in the order of the arms' names.
        arms: The estimates that are compared with each other, in the same order.
        silent: Arms that ran, and of whom nothing is known here: they are in no pair.
    """

    comparisons: tuple[Comparison, ...]
    arms: tuple[Estimate, ...]
    silent: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.comparisons or not self.arms:
            raise ValueError(f"{len(self.comparisons)} comparisons of {len(self.arms)} arms")

    @property
    def first(self) -> Comparison:
        """A comparison that stands for what all of them share."""
        return self.comparisons[0]

    @property
    def withheld(self) -> bool:
        """Whether a failed control holds every number back."""
        return all(e.withheld is not None for e in self.arms)

    @property
    def apart(self) -> int:
        """How many pairs are separated."""
        return sum(c.separated for c in self.comparisons)

    @property
    def key(self) -> Key:
        """What all of its comparisons share."""
        return key_of(self.first)

    @property
    def id(self) -> str:
        """Element id of the section that shows it."""
        return paths.anchor("pairs", "\0".join(map(str, (self.first.experiment, *self.key))))

    @property
    def words(self) -> str:
        """Metric, stratum, group and part: "check pass, executed checks, as coder model"."""
        return words_of(self.first)

    def pair(self, a: str, b: str) -> Comparison | None:
        """The comparison of two arms, whichever is named first; None where they are not compared here."""
        return next((c for c in self.comparisons if {c.a, c.b} == {a, b}), None)

    def arm(self, name: str) -> Estimate:
        """An arm's own estimate.

        Raises:
            KeyError: It is not compared here.
        """
        return {e.group[self.first.over]: e for e in self.arms}[name]


def key_of(c: Comparison) -> Key:
    """Family, metric, what is compared over, group and stratum."""
    return (c.family, c.metric, c.over, c.group, c.stratum)


def words_of(c: Comparison) -> str:
    """On what two arms are compared, in words."""
    part = as_words(c.over, c.words).strip() if is_arm(c.over, c.words) else f"by {c.over}"
    whom = group_words(c.group, c.words) if c.group else ""
    metric, where = metric_words(c.metric, c.words), stratum_words(c.stratum, c.words)
    under = contract_name(c.contract) if "contract" in c.stratum.names else ""
    return ", ".join(filter(None, (metric, where, whom, part, under)))


def short_names(sets: Sequence[PairSet]) -> list[str]:
    """A name for each of several sets that no other has: its metric, where need be with part and stratum.

    Args:
        sets: Of one experiment.
    """
    made = [[metric_words(s.first.metric, s.first.words), _told(s.first), s.words] for s in sets]
    names = []
    for own in made:
        alone = (name for at, name in enumerate(own) if sum(other[at] == name for other in made) == 1)
        names.append(next(alone, own[-1]))
    return names


def _told(c: Comparison) -> str:
    part = as_words(c.over, c.words).strip()
    parts = (metric_words(c.metric, c.words), part, title_stratum(c.stratum, c.words))
    return ", ".join(filter(None, parts))


def is_comparable(c: Comparison) -> bool:
    """Whether two arms share a stratum; a withheld comparison is one that would be shown."""
    return c.unlike is None


def pairs_of(report: Report) -> list[tuple[str, str]]:
    """Names of every two arms that an experiment compares, or refuses to."""
    return sorted({(min(c.a, c.b), max(c.a, c.b)) for c in report.comparisons})


def has_many_arms(report: Report) -> bool:
    """Whether an experiment compares more arms of one kind than have a page for every two of them."""
    arms: dict[str, set[str]] = {}
    for c in report.comparisons:
        arms.setdefault(c.over, set()).update((c.a, c.b))
    return max(map(len, arms.values()), default=0) > MANY_ARMS


def pair_sets(report: Report) -> tuple[PairSet, ...]:
    """What is compared in an experiment: whole arms first, then parts, then architecture within an arm.

    Pairs that share no stratum are in none; see `site_src.pages.compare.not_comparable`.
    """
    found: dict[Key, list[Comparison]] = {}
    for c in report.comparisons:
        if is_comparable(c):
            found.setdefault(key_of(c), []).append(c)
    keys = sorted(found, key=lambda key: _place(found[key][0]))
    estimates: dict[tuple[str, str, Keys], list[Estimate]] = {}
    for e in report.estimates:
        estimates.setdefault((e.family, e.metric, e.stratum), []).append(e)
    return tuple(_set(found[key], estimates[(key[0], key[1], key[4])]) for key in keys)


def _place(c: Comparison) -> tuple[object, ...]:
    """By family; whole arms before their parts, and architecture last; then by metric, stratum and group."""
    of = metric_place(c.metric, c.words)
    return (c.family, place_over(c), bool(c.group), of, c.stratum, c.group)


def place_over(c: Comparison) -> tuple[object, ...]:
    """Sorts what is compared over: whole arms before their parts, and architecture last."""
    arm = (c.words or PLAIN).arm(c.over)
    return (True, c.over) if arm is None else (False, *arm.place)


def _set(found: Sequence[Comparison], estimates: Sequence[Estimate]) -> PairSet:
    ordered = sorted(found, key=lambda c: (c.a, c.b))
    names = sorted({name for c in found for name in (c.a, c.b)})
    over, group = found[0].over, found[0].group
    own = {e.group: e for e in estimates}
    arms = tuple(own[group | {over: name}] for name in names)
    silent = sorted(
        e.group[over]
        for e in estimates
        if set(e.group.names) == {over, *group.names}
        and set(group) <= set(e.group)
        and e.group[over] not in names
        and not e.known
    )
    return PairSet(comparisons=tuple(ordered), arms=arms, silent=tuple(silent))


def headlines(report: Report, sets: Sequence[PairSet]) -> list[tuple[PairSet, ...]]:
    """What stands for an experiment: for each family one metric, and what is never shown apart from it.

    Of the metrics that its page shows at a glance (no assertions, no probes, no older instrument), on whole
    arms where there are any, else on each part that an arm plays: the one that the experiment's settings let
    lead, else the first in the order of `pair_sets`. Where several readings of the same runs give it, each
    stands for itself. What came of the comparisons chooses nothing: a metric picked since it separates most
    would be picked by chance as often as by merit. A family that is compared on nothing but assertions and
    probes has none.

    Args:
        report: Of the experiment.
        sets: Its `pair_sets`.
    """
    chosen: list[tuple[PairSet, ...]] = []
    for family in dict.fromkeys(s.first.family for s in sets):
        own = [
            s
            for s in sets
            if s.first.family == family and is_arm(s.first.over, s.first.words) and not s.first.group
        ]
        whole = [s for s in own if is_whole(s.first.over, s.first.words)]
        overs = [whole] if whole else [[s for s in own if s.first.over == k] for k in _overs(own)]
        for side in overs:
            chosen += [(lead, *companions(lead, sets)) for lead in _leads(report, side)]
    return chosen


def _overs(sets: Sequence[PairSet]) -> list[str]:
    return list(dict.fromkeys(s.first.over for s in sets))


def _leads(report: Report, sets: Sequence[PairSet]) -> list[PairSet]:
    """The first of the sets that may lead, and every other reading of it."""
    glance = {
        (e.metric, e.stratum) for over in _overs(sets) for e in compared(report, sets[0].first.family, over)
    }
    measured = [s for s in sets if not no_evidence(s.first.stratum, s.first.words)]
    candidates = [s for s in measured if (s.first.metric, s.first.stratum) in glance] or measured
    if not candidates:
        return []
    readings = (candidates[0].first.words or PLAIN).readings
    lead = candidates[0]

    def of(s: PairSet) -> tuple[object, ...]:
        return (s.first.metric, s.first.over, s.first.stratum.without(*readings))

    return [s for s in candidates if of(s) == of(lead)]


def companions(chosen: PairSet, sets: Sequence[PairSet]) -> tuple[PairSet, ...]:
    """What is read together with it: the metrics that its family declares to be, in their order."""
    family, metric, *rest = chosen.key
    words = (chosen.first.words or PLAIN).read_with(metric)
    wanted = [(family, other, *rest) for other in words]
    return tuple(s for key in wanted for s in sets if s.key == key)


def title_of(chosen: PairSet) -> str:
    """A heading: what is compared, with a capital."""
    return sentence_case(chosen.words)


def in_brief(sets: Sequence[PairSet]) -> str:
    """What pairs come to in a sentence that names no arm; its sentences stand below it.

    Empty where any are told apart, since then their names are the finding, and where all names are short.

    Args:
        sets: A metric, and what is read with it; what is withheld is left out.
    """
    shown = [s for s in sets if not s.withheld]
    names = {name for s in shown for c in s.comparisons for name in (c.a, c.b)}
    if sum(map(len, names)) <= MOST_NAMED or any(c.told_apart for s in shown for c in s.comparisons):
        return ""
    said = []
    for s in shown:
        arms = many_in_words(
            len({n for c in s.comparisons for n in (c.a, c.b)}), kind_words(s.first.over, s.first.words)
        )
        none = all(c.difference is None for c in s.comparisons)
        said.append(f"on {about_pair(s.first)}, {arms}{'' if none else ':'} {pairs_found(s.comparisons)}")
    return f"{sentence_case('; '.join(said))}."


def is_of_arms(s: PairSet) -> bool:
    """Whether its pairs are of arms as they stand, and shown."""
    return not s.withheld and not s.first.group and is_arm(s.first.over, s.first.words)


def shown_pairs(report: Report) -> list[Comparison]:
    """Every pair of arms that is shown, on whatever metric, side and stratum."""
    return [c for s in pair_sets(report) if is_of_arms(s) for c in s.comparisons]


def nothing_compared(reports: Sequence[Report]) -> bool:
    """Whether there are several experiments, all shown, and no pair of arms of theirs has a difference."""
    hidden = any(e.withheld is not None for r in reports for e in r.estimates)
    found = any(c.difference is not None for r in reports for c in shown_pairs(r))
    return len(reports) > 1 and not hidden and not found


def plural_of_arms(pairs: Iterable[Comparison]) -> str:
    """What the arms of some pairs are, in the plural."""
    kinds = {kind_words(c.over, c.words) for c in pairs}
    return f"{kinds.pop()}s" if len(kinds) == 1 else "models"
