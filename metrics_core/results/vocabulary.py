"""Words of a family for its readers: titles, outcomes and order of metrics; strata; group keys; arms.

Does: hold what a family declares about its names, and give the plain default where it declares nothing.
Does not: count; no word here can move a number, and no contract's closure reaches this module.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from metrics_core.results.keys import STAGE, Keys


class MetricWords(Struct, frozen=True, kw_only=True):
    """One metric as its readers see it.

    Attributes:
        name: The metric's name.
        title: Its title; by default its name, with spaces.
        outcomes: What n counts, and what N less n counts; None for the default of every metric.
        counts: What n counts, where the value is a mean and n a count of something else: "at 0.7 or above".
        made: What the value is over its runs, where it is no mean of them: "kappa", "corrected".
        companion: Metric that is always shown beside it.
        arm: Kind of arm that does what it measures, by its group key; empty where every kind has its own.
        timeline: Whether its timeline is drawn; False where the timeline of another metric says the same.
        by_run: Whether each of its attempts is one run, so that a list tells of which it is not known.
    """

    name: str
    title: str = ""
    outcomes: tuple[str, str] | None = None
    counts: str = ""
    made: str = ""
    companion: str = ""
    arm: str = ""
    timeline: bool = True
    by_run: bool = True


class NoEvidence(Struct, frozen=True, kw_only=True):
    """Why the numbers of a stratum neither head a page nor support a claim.

    Attributes:
        why: In a clause.
        brief: In two or three words, for the axis of a figure.
        lifted_by: What would make evidence of them, in a sentence.
    """

    why: str
    brief: str
    lifted_by: str

    def __str__(self) -> str:
        return self.why


class Stratum(Struct, frozen=True, kw_only=True):
    """One level of a stratum key.

    Attributes:
        key, value: The pair as an estimate holds it.
        title: The pair in words.
        prefix: Whether ``value`` is only how levels begin; what follows stands in brackets behind the title.
        in_titles: Whether titles of figures and claims name it; captions always do.
        in_rows: Whether rows of figures name it.
        no_evidence: Why its numbers neither head a page nor support a claim; None where they may.
    """

    key: str
    value: str
    title: str
    prefix: bool = False
    in_titles: bool = True
    in_rows: bool = True
    no_evidence: NoEvidence | None = None

    def matches(self, value: str) -> bool:
        """Whether it is this level, or one of its levels.

        >>> attack = Stratum(key="condition", value="attack:", title="under attack", prefix=True)
        >>> attack.matches("attack:issue"), attack.matches("benign")
        (True, False)
        """
        return value.startswith(self.value) if self.prefix else value == self.value


class GroupKey(Struct, frozen=True, kw_only=True):
    """One key of a group.

    Attributes:
        key: The key as an estimate holds it.
        title: The key in words; by default the key, with spaces.
        bare: Whether its value is understood without the key.
        step: Whether its values are whole numbers that follow upon one another, so that a curve is drawn.
        nested: Whether the tasks of a step are among those of the step before it.
        of_outcome: Whether its value is what came of a run: one without an outcome has none, and n counts the
            runs that have it.
        on_arm_page: Whether an arm's own table is given by it as well.
        configuration: Whether it names a configuration of an arm: its comparisons are ablations.
    """

    key: str
    title: str = ""
    bare: bool = False
    step: bool = False
    nested: bool = False
    of_outcome: bool = False
    on_arm_page: bool = False
    configuration: bool = False


class Arm(Struct, frozen=True, kw_only=True):
    """One kind of arm: a group key whose value is what is under test.

    Attributes:
        key: The group key.
        title: What such an arm is called.
        whole: Whether it does all of the work; otherwise it is one part beside others.
        composed: Whether it is made of several models.
    """

    key: str
    title: str
    whole: bool = False
    composed: bool = False

    @property
    def place(self) -> tuple[bool, bool, str]:
        """Sorts arms: whole ones first, models before what is made of them; then parts; each by key.

        >>> MODEL.place < Arm(key="coder", title="coder model").place
        True
        """
        return (not self.whole, self.composed, self.key)


class Corners(Struct, frozen=True, kw_only=True):
    """Runs as points of two metrics, x and y: the four corners that they fall in.

    Attributes:
        metric: Metric that counts the first corner.
        names: Of the corners (x is 1, y below 1), (x is 1, y is 1), (x below 1, y is 1), (both below 1). The
            first is also the facet of its runs.
        note: How the corners are told apart, for the caption.
        clause: What holds of a run in the first corner, for the title.
        heading: Heading of the list of runs in the first corner.
        sentence: End of the sentence that begins with how many runs are in the first corner.
    """

    metric: str
    names: tuple[str, str, str, str]
    note: str
    clause: str
    heading: str
    sentence: str


class Parts(Struct, frozen=True, kw_only=True):
    """Metrics of the parts of a whole, each measured alone and within the whole.

    Attributes:
        key: Stratum key that tells the two apart.
        metrics: In the order in which the parts do their work; others follow by name.
        clause: How the two stand side by side, for the title, to follow the name of one, or "each".
    """

    key: str
    metrics: tuple[str, ...]
    clause: str


MODEL: Final = Arm(key="model", title="model", whole=True)
"""The kind of arm that any family may have."""

SPLITS: Final = (
    Stratum(key="split", value="eval", title="eval split", in_titles=False),
    Stratum(
        key="split",
        value="probe",
        title="probe split",
        no_evidence=NoEvidence(
            why="probe items only, which never enter a headline",
            brief="probe items only",
            lifted_by="Runs on items of the eval split.",
        ),
    ),
)
"""Splits of an eval pack's tasks: the same for every family."""


COMMON_KEYS: Final = (
    GroupKey(key="model", bare=True),
    GroupKey(key="scenario", bare=True),
    GroupKey(key=STAGE, bare=True),
    GroupKey(key="k", step=True, nested=True),
)
"""Group keys that estimates of any family may have."""


class Vocabulary(Struct, frozen=True, kw_only=True):
    """Everything that a family declares for its readers; without any of it, names stand as they are.

    Attributes:
        metrics: Metrics with words of their own.
        first: Metrics that are shown first, in this order; others follow by name.
        together: Metrics that stand at the head of a page together, whether or not arms are compared on each.
        alone: Metrics that stand beside them where arms are compared on nothing else.
        strata: Levels of stratum keys with words of their own, beside `SPLITS`.
        keys: Group keys with words of their own, beside `COMMON_KEYS`.
        arms: Kinds of arms, beside `MODEL`.
        parts: Metrics of parts that are measured alone and within the whole, where it has them.
        corners: Words for the family's two scatter metrics, where it has them.
        benchmark: Stratum key whose value names the benchmark that a run is of.
        owner: Stratum key whose level is the kind of arm that a number is of; other levels are of the whole.
        examines: Stratum key that names what its numbers are about, where that is an instrument, such as a
            judge, and no arm; the site then has a page of these.
        readings: Stratum keys by whose levels runs are read in another way, such as the version of the
            grader: where one leads a page, the others stand beside it.
    """

    metrics: tuple[MetricWords, ...] = ()
    first: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    strata: tuple[Stratum, ...] = ()
    keys: tuple[GroupKey, ...] = ()
    arms: tuple[Arm, ...] = ()
    parts: Parts | None = None
    corners: Corners | None = None
    benchmark: str = ""
    owner: str = ""
    examines: str = ""
    readings: tuple[str, ...] = ("grader",)

    def metric(self, name: str) -> MetricWords:
        """Words of a metric.

        >>> Vocabulary().metric("recall").title
        ''
        """
        return next((m for m in self.metrics if m.name == name), MetricWords(name=name))

    def stratum(self, key: str, value: str) -> Stratum | None:
        """Words of a level of a stratum key, or None.

        >>> Vocabulary().stratum("split", "probe").title
        'probe split'
        """
        return next((s for s in (*self.strata, *SPLITS) if s.key == key and s.matches(value)), None)

    def place(self, metric: str) -> tuple[int, str]:
        """Sorts metrics of a family: those first that the family puts first, others by name.

        >>> words = Vocabulary(first=("recall",))
        >>> words.place("recall") < words.place("exact")
        True
        """
        return (self.first.index(metric) if metric in self.first else len(self.first), metric)

    def no_evidence(self, stratum: Iterable[tuple[str, str]]) -> NoEvidence | None:
        """Why numbers of a stratum neither head a page nor support a claim; None where they may.

        >>> str(Vocabulary().no_evidence([("split", "probe")])), Vocabulary().no_evidence([("split", "eval")])
        ('probe items only, which never enter a headline', None)
        """
        levels = (self.stratum(key, value) for key, value in stratum)
        return next((level.no_evidence for level in levels if level is not None and level.no_evidence), None)

    def key(self, key: str) -> GroupKey:
        """Words of a group key.

        >>> Vocabulary().key("model").bare, Vocabulary().key("colour").bare
        (True, False)
        """
        return next((k for k in (*self.keys, *COMMON_KEYS) if k.key == key), GroupKey(key=key))

    def arm(self, key: str) -> Arm | None:
        """The kind of arm that a group key names, or None.

        >>> Vocabulary().arm("model").title, Vocabulary().arm("kind")
        ('model', None)
        """
        return next((a for a in (*self.arms, MODEL) if a.key == key), None)

    def companion(self, metric: str) -> str:
        """The metric that is read together with this one, whichever of the two declares the other."""
        own = self.metric(metric).companion
        return own or next((m.name for m in self.metrics if m.companion == metric), "")

    def is_of(self, metric: str, stratum: Keys, arm: str) -> bool:
        """Whether a number is of this kind of arm, and not of another that worked beside it.

        Args:
            metric: Of the number.
            stratum: Of the number.
            arm: Group key of the kind of arm.

        >>> words = Vocabulary(metrics=(MetricWords(name="plan_pass", arm="l2"),), arms=(
        ...     Arm(key="pipeline", title="pipeline", whole=True), Arm(key="l1", title="router"),
        ...     Arm(key="l2", title="planner")))
        >>> [words.is_of("plan_pass", Keys(), arm) for arm in ("pipeline", "l1", "l2")]
        [True, False, True]
        """
        kind = self.arm(arm)
        whose = self.metric(metric).arm or stratum.get(self.owner, "")
        return not whose or whose == arm or kind is None or kind.whole

    def read_with(self, metric: str) -> tuple[str, ...]:
        """Metrics that no sentence leaves out where it says this one: its companion, and what heads a page
        with it.

        >>> Vocabulary(together=("change", "regress")).read_with("regress"), Vocabulary().read_with("score")
        (('change',), ())
        """
        group = self.together if metric in self.together else ()
        others = dict.fromkeys((self.companion(metric), *group))
        return tuple(name for name in others if name not in ("", metric))


PLAIN: Final = Vocabulary()
"""Of a family that declares no words."""
