"""What a metric family is: a promise, a record type, and two functions. No family stands here.

A family says, for one record at a time, what it *observed*; adding observations up, pricing, intervals,
comparisons and funnels are the same for all: see `metrics_core.measurement.tabulate` and
`metrics_core.measurement.estimators`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct, field

from metrics_core.results import NO_KEYS, Keys, Polarity, State

if TYPE_CHECKING:
    from metrics_core.contracts import Contract, Pack, UserContract
    from metrics_core.experiments import FolderForm, Settings
    from metrics_core.formats import Document, Row
    from metrics_core.memo import Memo
    from metrics_core.pricing import PriceTable, Usage
    from metrics_core.results import Control, Review, Vocabulary

Kind = Literal[
    "share", "mean", "score", "quantity", "context", "all of k", "any of k", "kappa", "corrected", "powered"
]  # fmt: skip
"""How an estimate is made: share of known verdicts; mean over runs of a fraction; mean of a contract's
scores, with its signed bootstrap where it is a user's; mean of numbers on a scale of their own, on which no
value is picked out; median of a quantity that is context, never a score;
mean over repeated tasks of pass^k, or of pass@k; of a judge held against raters Cohen's kappa, the share
corrected for its errors, and the prediction-powered mean."""


class Metric(Struct, frozen=True, kw_only=True):
    """One named quantity that a family reports.

    Attributes:
        estimand: What it is, in words that stand on the contract's page.
        of: The word for what N counts; ``of_runs`` where only runs can be counted.
        groups: Group keys for which it is published, beside the whole experiment.
        one_vs_rest: A key by whose levels the runs are split: each published group is given once for each
            level, n counts the known runs at that level and N all of them. Only for a share.
        levels: Levels of ``one_vs_rest`` that are given even where no run is at them.
        cluster: The key within which runs err together, where the experiment names none.
        compared: Group keys over which pairs are compared: arms, where the key alone is one of ``groups``,
            else configurations within a model.
        timeline: Whether it is also given by day of stamp, for the first of ``groups``.
        source: Name of the metric whose runs it is made from, where it observes none of its own.
        grid: Whether every arm is to try every task as often, so that what one lacks was never recorded.
    """

    name: str
    estimand: str
    kind: Kind
    unit: str = "fraction"
    of: str
    of_runs: str = ""
    groups: tuple[tuple[str, ...], ...] = (("model",),)
    one_vs_rest: str = ""
    levels: tuple[str, ...] = ()
    cluster: str = "scenario"
    compared: tuple[str, ...] = ()
    timeline: bool = False
    polarity: Polarity = "for"
    notes: tuple[str, ...] = ()
    source: str = ""
    grid: bool = True


class Track(Struct, frozen=True):
    """Stages of one funnel, after every attempt: (name, whether reaching it speaks for the model).

    ``groups`` are the group keys for which it is drawn, beside the whole experiment.
    """

    name: str
    stages: tuple[tuple[str, bool], ...]
    groups: tuple[tuple[str, ...], ...] = (("model",),)


RowBatches = Callable[[], "Iterator[Sequence[Row]]"]
"""A fresh pass over the rows of a family, batch by batch."""


class Outcome(NamedTuple):
    """What one metric says of one run. ``n`` of ``N`` are this run's own counts in the metric's word."""

    metric: str
    stratum: Keys
    state: State
    value: float = 0.0
    n: int = 0
    N: int = 0
    reason: str = ""


class Progress(NamedTuple):
    """How far one run came in a track: stages reached; where not all, the state and reason of the loss."""

    track: str
    stratum: Keys
    reached: int
    state: State = "known"
    reason: str = ""


class Spent(NamedTuple):
    """Money of one run: recorded in femto-dollars, or None; tokens by model, or None if not recorded."""

    model: str
    stratum: Keys
    recorded: int | None
    usages: tuple[Usage, ...] | None


class Observed(Struct, frozen=True, kw_only=True):
    """Everything a family read off one record.

    Attributes:
        dims: Finest keys of the run, sorted: model, scenario and the family's own.
        stamp: UTC stamp, or None where the record has none.
        spent: Money of the run, where one model is billed for it.
        spent_by_part: Money of the run's parts, where each is billed to a model of its own; their strata
            differ, since a part's cost is not a run's.
        point: (stratum, x, y) where the family's two scatter metrics are both known.
        checks: Named assertions and whether they held.
        findings: (pointer, what) where the record contradicts itself: shown, never used.
        tallied: What is counted over all runs, for the family's controls.
        names: (setting, name) of what the run states and the experiment's settings may name.
        trial: What names this try among all of its family: task, arm, circumstances, number; None where the
            record does not number it.
    """

    dims: Keys
    stamp: str | None
    outcomes: tuple[Outcome, ...]
    progress: tuple[Progress, ...] = ()
    spent: Spent | None = None
    spent_by_part: tuple[Spent, ...] = ()
    point: tuple[Keys, float, float] | None = None
    checks: tuple[tuple[str, bool], ...] = ()
    checks_stratum: Keys = NO_KEYS
    findings: tuple[tuple[str, str], ...] = ()
    tallied: tuple[Keys, ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    trial: Keys | None = None


class Context(Struct, frozen=True, kw_only=True):
    """What a family may know beside the records: settings, prices, pack and user contracts.

    ``table`` is the experiment's own price table, ``newest`` the newest at hand, ``tables`` all of them;
    ``controls`` are the controls that the harness recorded, by path; ``stated`` is where each setting stands;
    ``memo`` keeps what was made of the same runs before; ``slices`` are further keys by which runs are looked
    at. Known only once all runs of the family were read: ``tallied``, what the family tallied over them;
    ``last``, the stamp of the last; ``names``, what they state of what settings may name; ``cluster``, the
    key that the settings name for them; ``quantities``, the strata of the numbers that are no shares.
    """

    experiment: str
    settings: Settings
    table: PriceTable | None = None
    newest: PriceTable | None = None
    tables: tuple[PriceTable, ...] = ()
    pack: Pack | None = None
    contracts: tuple[UserContract, ...] = ()
    controls: Mapping[str, bytes] = field(default_factory=dict)
    tallied: Mapping[Keys, int] = field(default_factory=dict)
    last: str | None = None
    cluster: str | None = None
    names: frozenset[tuple[str, str]] = frozenset()
    quantities: frozenset[Keys] = frozenset()
    stated: Document | None = None
    slices: tuple[str, ...] = ()
    memo: Memo

    def where(self, *place: str) -> str:
        """Where a setting stands: ``file:line``, or the file alone where nothing is stated."""
        return "experiment.yaml" if self.stated is None else self.stated.where(*place)

    @property
    def cluster_key(self) -> str | None:
        """Key by which tasks err together: as the experiment says, else the first that every card states."""
        return self.cluster or (self.pack.cluster_key if self.pack else None)

    def arm(self, name: str) -> str:
        """The name under which an arm is shown: aliases rename, they never merge."""
        return self.settings.shown(name)


class Part(Struct, frozen=True):
    """One part of what a record comes to, which depends on few of its fields.

    Attributes:
        fields: Those fields, beside those that are keys of the batch.
        comes_to: A record -> what its outcomes depend on of these fields, told apart no finer than they ask
            for; None where the record contradicts itself there.
    """

    fields: tuple[str, ...]
    comes_to: Callable[[Any], Hashable]


class Batch(Struct, frozen=True, kw_only=True):
    """Which fields a family's `Observed` depends on, so that many records can be observed at once.

    ``observe`` is asked about one record of each kind that occurs; a law holds what comes out against
    ``observe`` of every record. A record that contradicts itself, or writes a field in any other way, is
    observed by itself.

    Attributes:
        keys: Fields that keys, names, stratum, what is tallied, and the arm that is billed depend on.
        sort: A record -> what its parts depend on of its keys.
        parts: What its outcomes, progress and point depend on beside.
        checks: The field that lists its checks; they are told or not by its parts.
        numbers: Metric that is context -> the field that is its value.
        used: Metric that is context -> its value is the tokens that were sent and written.
        recorded: Field of the money that was recorded.
        sent, cached, written: Fields of tokens.
    """

    keys: tuple[str, ...]
    sort: Callable[[Any], Hashable]
    parts: tuple[Part, ...]
    checks: str
    numbers: Mapping[str, str]
    used: str
    recorded: str
    sent: str
    cached: str
    written: str
    stamp: str = "stamp"
    rep: str = "rep"


def as_tabulated(partial: Any) -> Any:
    """The runs of a family of which each is told by itself."""
    return partial


def numbered(rep: int | None, *keys: Mapping[str, str] | Keys) -> Keys | None:
    """What names one try: keys of task, arm and circumstances with its number; None where it has none.

    >>> numbered(0, {"model": "m", "scenario": "t"})
    (('model', 'm'), ('rep', '0'), ('scenario', 't'))
    """
    if rep is None:
        return None
    named = {name: value for each in keys for name, value in dict(each).items()}
    return Keys(named | {"rep": str(rep)})


def no_notes(stratum: Keys, context: Context) -> Iterator[str]:
    """The notes of a family whose numbers no setting of its own moves."""
    yield from ()


class Family(Struct, frozen=True, kw_only=True):
    """One family, whole.

    Attributes:
        name: Module name; the first part of every metric's full name.
        folder: Folder of an experiment that holds its records.
        record: msgspec Struct of one record.
        observe: Rows of one batch -> what was observed of each, in the same order.
        review: Rows of one batch -> what a reader is shown of each, in the same order.
        gates: Names of the controls that ``controls`` may give, which an experiment may require.
        notes: Stratum and context -> what the experiment's settings did to its numbers, for their captions.
        controls: Experiment's context, its recorded controls by path, and a fresh pass over its rows -> the
            controls that guard this family's numbers, beside its golden fixtures.
        scatter: Two metrics that are always looked at together.
        beside: Whether its records stand beside those of other families: a log at the top of an experiment
            that has its folder's name is its own then, and says nothing of what the other files are.
        folders: How a record that is a folder is read; None where records are lines. Its ``folder`` then ends
            in a slash.
        further: Built-in contracts beside its own; each reads the scores whose stratum names it.
        identity_in_name: What the name of its log adds to a record; None where it adds nothing. The same
            bytes in two logs are one run only where this is the same.
        batch: How many records are observed at once; None where each is observed by itself.
        settle: Everything tabulated, a `Partial` -> the same runs, where only all of them together tell under
            which metric one is counted.
        planned: What its pack plans: for each task, the stratum keys that it belongs to and the keys of its
            runs. None where runs are held only against what any arm ran.
        words: Words of its names for readers; the registry of families adds them, so that no contract reads
            them. None for the names themselves.
    """

    name: str
    title: str
    folder: str
    contract: Contract
    record: type[Any]
    metrics: tuple[Metric, ...]
    tracks: tuple[Track, ...]
    observe: Callable[[Sequence[Row], Context], Iterator[Observed]]
    review: Callable[[Sequence[Row], Context], Iterator[Review]]
    controls: Callable[[Context, Mapping[str, bytes], RowBatches], Iterator[Control]]
    gates: tuple[str, ...] = ()
    notes: Callable[[Keys, Context], Iterator[str]] = no_notes
    scatter: tuple[str, str] | None = None
    beside: bool = False
    folders: FolderForm | None = None
    further: tuple[Contract, ...] = ()
    identity_in_name: Callable[[Row], str] | None = None
    batch: Batch | None = None
    settle: Callable[[Any], Any] = as_tabulated
    planned: Callable[[Context], Iterator[tuple[Keys, Keys]]] | None = None
    words: Vocabulary | None = None

    @property
    def scored(self) -> bool:
        """Whether user contracts score its records."""
        return any(metric.kind == "score" for metric in self.metrics)

    def metric(self, name: str) -> Metric:
        """The metric of that name.

        Raises:
            KeyError: The family reports no such metric.
        """
        for metric in self.metrics:
            if metric.name == name:
                return metric
        raise KeyError(name)
