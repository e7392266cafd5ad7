"""Why there is no number, and how one was made: codes, each with the words that a report states for it.

Does: name every reason and every method of the statistics once; what carries a control or a count is a
struct. Does not: decide anything. The words are for reports and readers: the code asks for the member
(`method is Method.WILSON`), never for the words.
"""

from __future__ import annotations

from enum import StrEnum, unique
from typing import Final, NewType

from msgspec import Struct

from metrics_core.text import many

Kept = NewType("Kept", str)
"""Words that an edition kept of a reason or a method: shown as they are, and never asked about."""


RECORDED_ONLY: Final = "recorded, no table"
"""In place of a price table's date, for money that the harness wrote and no tokens can prove."""


@unique
class Method(StrEnum):
    """How an interval was made, in the field's words."""

    NONE = "none"
    WILSON = "wilson"
    WILSON_EFFECTIVE_N = "wilson effective n, t(G-1)"
    WILSON_EFFECTIVE_CLUSTERS = "wilson effective n, t on effective clusters"
    WILSON_AT_THE_BOUNDS = "wilson at the bounds"
    WILSON_EFFECTIVE_N_AT_THE_BOUNDS = "wilson effective n at the bounds"
    CLOPPER_PEARSON = "clopper-pearson"
    WILSON_TASK_WEIGHTED = "wilson effective n, every task alike"
    T_ON_CLUSTERS = "t(G-1) on clusters"
    T_ON_EFFECTIVE_CLUSTERS = "t on effective clusters"
    ORDER_STATISTICS = "order statistics"
    PERCENTILE_BOOTSTRAP = "percentile bootstrap"
    EXACT_PERCENTILE_BOOTSTRAP = "exact percentile bootstrap"
    EXACT_CLUSTER_BOOTSTRAP = "exact cluster bootstrap"
    KAPPA_LARGE_SAMPLE = "kappa, large sample"
    KAPPA_ON_CLUSTERS = "kappa, t on clusters"
    LANG_REICZIGEL = "lang-reiczigel"
    LANG_REICZIGEL_EFFECTIVE_N = "lang-reiczigel, effective n"
    LANG_REICZIGEL_AT_THE_BOUNDS = "lang-reiczigel at the bounds"
    PREDICTION_POWERED = "prediction-powered, large sample"
    PREDICTION_POWERED_ON_CLUSTERS = "prediction-powered, on clusters"
    BONETT_PRICE = "bonett-price"
    BONETT_PRICE_ALL_ALIKE = "bonett-price, all tasks alike"
    PAIRED_T = "paired t"
    PAIRED_T_ON_CLUSTERS = "paired t on clusters, t(G-1)"
    PAIRED_T_ON_EFFECTIVE_CLUSTERS = "paired t on effective clusters"
    NEWCOMBE = "newcombe"
    NEWCOMBE_EFFECTIVE_N = "newcombe, effective n, t(G-1)"
    NEWCOMBE_EFFECTIVE_CLUSTERS = "newcombe, effective n, t on effective clusters"
    FIELLER = "fieller, t(G-1)"
    MOVER = "mover on order statistics"
    JACKKNIFE = "jackknife over tasks, t(G-1)"


@unique
class NoInterval(StrEnum):
    """Why a value or a difference has no interval."""

    NOTHING_KNOWN = "no known value"
    TOO_FEW = "too few valid runs"
    NO_ATTEMPTS = "no attempts"
    SINGLE_CLUSTER = "a single cluster"
    SINGLE_CLUSTER_ON_ONE_SIDE = "a single cluster on one side or both"
    OUTSIDE_UNIT = "values outside 0 to 1"
    CLUSTERS_AGREE = "all clusters agree"
    RUNS_AGREE = "all runs agree"
    RESAMPLES_AGREE = "all resamples agree"
    TOO_MANY_FOR_EXACT = "too many values for the exact bootstrap"
    NO_COMMON_SCALE = "values without a common scale: not counted out"
    FEWER_THAN_6_VALUES = "fewer than 6 values"
    EQUAL_AROUND_MEDIAN = "the values around the median are all equal"
    NO_DISAGREEMENT = "no disagreement to estimate from"
    NO_TASKS_IN_COMMON = "no tasks in common"
    FEWER_THAN_2_TASKS = "fewer than 2 tasks"
    DIFFER_ALIKE = "all tasks differ by the same"
    NO_KNOWN_VERDICTS_ON_ONE_SIDE = "no known verdicts on one side or both"
    NO_KNOWN_RUNS_ON_ONE_SIDE = "no known runs on one side or both"
    NOT_COMPARABLE = "not comparable"
    NO_RATIO = "the baseline's value is 0, or not told from 0"
    SAME_RATIO = "every task has the same ratio"
    FEWER_THAN_72_RUNS = (
        "fewer than 72 independent runs on one side or both: the 95th percentile has no upper limit"
    )
    FEWER_THAN_10_TASKS = "fewer than 10 tasks"
    NO_REPEATED_TASK = "no task was run more than once"
    NO_BETTER_THAN_CHANCE = "no better than chance"
    NO_ITEM_PASSED = "no labelled item that raters passed"
    NO_ITEM_FAILED = "no labelled item that raters failed"
    NO_UNLABELLED_ITEM = "every judged item is labelled"
    FUNNEL_COUNTS = "a funnel counts attempts, stage by stage"


class NotCountedOut(Struct, frozen=True):
    """More runs than the exact bootstrap counts out.

    >>> str(NotCountedOut(1000))
    'more than 1000 runs: not counted out'
    """

    most: int

    def __str__(self) -> str:
        return f"more than {self.most} runs: not counted out"


class FailedControl(Struct, frozen=True):
    """A control that withholds: its name, the reader's words for it, and what it found in a sentence.

    ``missing`` says that it was not recorded, and is required; else it failed.

    >>> str(FailedControl("sanity", "negative control", "no file", missing=True))
    'negative control missing, required: no file'
    """

    name: str
    title: str
    detail: str
    missing: bool = False

    def __str__(self) -> str:
        return f"{self.title} {'missing, required' if self.missing else 'failed'}: {self.detail}"


class Withheld(Struct, frozen=True):
    """Why numbers are withheld: the controls that failed, one at least.

    Raises:
        ValueError: No control failed.

    >>> str(Withheld((FailedControl("sanity", "negative control", "3 of 12 did not fail"),)))
    'negative control failed: 3 of 12 did not fail'
    """

    controls: tuple[FailedControl, ...]

    def __post_init__(self) -> None:
        if not self.controls:
            raise ValueError("withheld, and no control failed")

    def __str__(self) -> str:
        return "; ".join(map(str, self.controls))


class ByControl(Struct, frozen=True):
    """Why something that would be shown has no number: a control withholds it.

    >>> str(ByControl(Withheld((FailedControl("sanity", "negative control", "3 of 12 did not fail"),))))
    'withheld: negative control failed: 3 of 12 did not fail'
    """

    why: Withheld

    def __str__(self) -> str:
        return f"withheld: {self.why}"


MIN_IN_COMMON: Final = 8
"""Fewer tasks in common than this are no pair."""


class FewInCommon(Struct, frozen=True):
    """Two sides that share some tasks, and too few to be a pair.

    >>> str(FewInCommon(6)), str(FewInCommon(1))
    ('6 tasks in common, 8 needed', '1 task in common, 8 needed')
    """

    tasks: int

    def __str__(self) -> str:
        return f"{self.tasks} task{'' if self.tasks == 1 else 's'} in common, {MIN_IN_COMMON} needed"


Absence = NoInterval | NotCountedOut | FewInCommon | ByControl
"""Why there is no interval."""


@unique
class NotSeparated(StrEnum):
    """What stands against the separation of two sides."""

    TOO_FEW_RUNS = "fewer than 8 valid runs on at least one side, so nothing is compared"
    FEW_RUNS = "fewer than 15 valid runs"
    NO_INTERVAL = "one side has no interval"
    OVERLAP = "the two intervals overlap"
    NO_DIFFERENCE = "the difference has no interval"
    HOLDS_ZERO = "the interval of the difference holds 0"
    FEW_DISCORDANT = "cannot be significant: fewer than 6 discordant pairs"
    NOT_SIGNIFICANT = "the Holm-adjusted p is above 0.05"
    NO_TEST = "no test could be made"
    NOT_PLANNED = "the two ran different tasks: what was planned for one alone is no failure of the other"
    DISAGREE = "the intervals and the difference point opposite ways"
    REVERSES = "the worst-case filling of what is not known reverses it"


class WorstTakesInZero(Struct, frozen=True):
    """A difference that leaves out 0, unless everything not known went against its leader.

    >>> str(WorstTakesInZero("beta"))
    'in the worst case for beta the interval takes in 0'
    """

    leader: str

    def __str__(self) -> str:
        return f"in the worst case for {self.leader} the interval takes in 0"


class NoWorstCase(Struct, frozen=True):
    """A difference of values that have no bounds, some of them not known.

    >>> str(NoWorstCase())
    'values without bounds: what is not known could be anything'
    """

    def __str__(self) -> str:
        return "values without bounds: what is not known could be anything"


Remark = WorstTakesInZero | NoWorstCase
"""What is said beside a comparison, and changes nothing in what it comes to."""


class OtherRegressionSet(Struct, frozen=True):
    """A control was run on a regression set of another size than the runs.

    >>> str(OtherRegressionSet(3, (32,)))
    'on a regression set of 3, the runs have 32'
    """

    control: int
    runs: tuple[int, ...]

    @property
    def field(self) -> str:
        """Pointer into the control's file."""
        return "regression/total"

    def __str__(self) -> str:
        return f"on a regression set of {self.control}, the runs have {' and '.join(map(str, self.runs))}"


class LaterThanRuns(Struct, frozen=True):
    """A control was run after the last of the runs that it is to speak for.

    >>> str(LaterThanRuns("2027-01-01T00:00:00Z", "2026-07-12T09:00:00Z"))
    'of 2027-01-01, later than the last run of 2026-07-12'
    """

    control: str
    last: str

    @property
    def field(self) -> str:
        """Pointer into the control's file."""
        return "stamp"

    def __str__(self) -> str:
        same_day = self.control[:10] == self.last[:10]
        control, last = (self.control, self.last) if same_day else (self.control[:10], self.last[:10])
        return f"of {control}, later than the last run of {last}"


ControlFinding = OtherRegressionSet | LaterThanRuns
"""What a control that may hold leaves in doubt: said beside every number that it guards."""


@unique
class NoSmallestDifference(StrEnum):
    """Why no smallest difference that could be shown is given."""

    TOO_FEW_RUNS = "fewer than 15 known runs on one side or both, so that nothing can be separated"
    FEWER_THAN_2_UNITS = "fewer than 2 tasks or clusters in common"
    DIFFERENT_TASKS = "the two sides ran different tasks"
    NO_SPREAD = "no spread between tasks on either side"
    DIFFER_ALIKE = "all tasks differ by the same"
    NO_GAP = "no difference could be shown with these tasks"
    OUTSIDE_UNIT = "values outside 0 to 1 have no Wilson interval"


@unique
class Denominator(StrEnum):
    """What else a comparison counts, to see whether its verdict holds.

    Runs that were never recorded are no attempts: only ``ALL_PLANNED`` counts them, and it is made where some
    are missing.
    """

    ERRORS_AS_FAILURES = "errors counted as failures"
    UNKNOWN_AGAINST = "unknown counted against"
    UNKNOWN_FOR = "unknown counted for"
    ALL_PLANNED = "all runs planned, those not known counted as failures"


@unique
class CountedUnit(StrEnum):
    """What N counts, where something depends on it; other words are the family's own, and only shown.

    Of ``KNOWN_VERDICTS`` every attempt has a verdict of its own or none; of ``TASKS`` the mean is over tasks
    that were repeated, and not over runs.
    """

    KNOWN_VERDICTS = "known verdicts"
    TASKS = "tasks"


@unique
class NotKnown(StrEnum):
    """Why nothing is known of a run, where neither its record nor its family has words for it.

    ``NOT_ASKED`` is for what a run was never asked: where that is all that a stratum holds beside errors, the
    metric is not given for it; beside known values, the run is one of its attempts, and unknown.
    """

    NOT_ASKED = "not asked of runs of this sort"
    NO_RECORD = "the line is not a valid record"
    NO_COST_AND_NO_TOKENS = "no cost and no tokens recorded"
    NO_PRICE_TABLE = "no price table"
    UNPRICED_MODEL = "unpriced model"
    MORE_CACHED_THAN_INPUT = "more cached tokens recorded than input tokens"
    CACHED_NOT_RECORDED = "cached tokens not recorded, and they have a price of their own"
    ZERO_WITH_TOKENS = "recorded as 0 although tokens were used: not known to be free"


@unique
class Note(StrEnum):
    """What a reader must know beside a number, whatever its family."""

    UNTIL_FIRST_SUCCESS = (
        "tries differ in number and no task passed twice: they seem to end at the first pass, and then only "
        "the first try of each task is unbiased"
    )


@unique
class CostGap(StrEnum):
    """Why a recorded cost is not what its tokens come to, where no price table tells it."""

    CACHED_AS_INPUT = "cached tokens were billed as input"
    RECORDED_AS_ZERO = "recorded as 0 although tokens were used"
    NOT_EXPLAINED = "not explained by any table at hand"


class PriceCorrected(Struct, frozen=True):
    """A recorded cost is at a price of the table that was corrected since: when, and whose.

    >>> str(PriceCorrected("2026-07-19", "gamma"))
    'price correction of 2026-07-19: gamma'
    """

    date: str
    model: str

    def __str__(self) -> str:
        return f"price correction of {self.date}: {self.model}"


class OtherPrices(Struct, frozen=True):
    """A recorded cost is at the prices of another table, named by its date.

    >>> str(OtherPrices("2026-07-02"))
    'other table: prices of 2026-07-02'
    """

    fetched: str

    def __str__(self) -> str:
        return f"other table: prices of {self.fetched}"


CostCause = CostGap | PriceCorrected | OtherPrices
"""Why one record's cost is not what its tokens come to."""


class RecordsDiffer(Struct, frozen=True):
    """Records whose recorded cost is not what their tokens come to, and why.

    >>> str(RecordsDiffer(2, CostGap.CACHED_AS_INPUT))
    '2 records: cached tokens were billed as input'
    """

    records: int
    cause: CostCause

    def __str__(self) -> str:
        return f"{many(self.records, 'record')}: {self.cause}"


class RecordsUnpriced(Struct, frozen=True):
    """Records whose tokens come to no amount, and why.

    >>> str(RecordsUnpriced(2, NotKnown.UNPRICED_MODEL))
    '2 records: unpriced model'
    """

    records: int
    why: NotKnown

    def __str__(self) -> str:
        return f"{many(self.records, 'record')}: {self.why}"


class RecordedAsZero(Struct, frozen=True):
    """Records of a cost of 0 that no table holds against the tokens they used.

    >>> str(RecordedAsZero(1))
    '1 record: recorded as 0 although tokens were used: not known to be free'
    """

    records: int

    def __str__(self) -> str:
        return f"{many(self.records, 'record')}: {NotKnown.ZERO_WITH_TOKENS}"


class WithoutTokens(Struct, frozen=True):
    """Records with a recorded cost that tell no tokens: what they come to cannot be proved.

    ``left_out``: US dollars that they recorded, where they are left out of the sum beside which they stand.

    >>> str(WithoutTokens(1, 0.005937)), str(WithoutTokens(2))
    ('1 record without tokens is left out: recorded 0.005937 USD', '2 records without tokens')
    """

    records: int
    left_out: float | None = None

    def __str__(self) -> str:
        if self.left_out is None:
            return f"{many(self.records, 'record')} without tokens"
        left = f"{_left_out(self.records)}: recorded {_usd(self.left_out)}"
        return f"{many(self.records, 'record')} without tokens {left}"


class WithoutRecordedCost(Struct, frozen=True):
    """Records with tokens that tell no cost, beside others that do.

    ``left_out``: US dollars that their tokens come to, where they are left out of the sum beside which they
    stand.

    >>> str(WithoutRecordedCost(2, 5.0))
    '2 records without a recorded cost are left out: their tokens come to 5.00 USD'
    >>> str(WithoutRecordedCost(1))
    '1 record without a recorded cost'
    """

    records: int
    left_out: float | None = None

    def __str__(self) -> str:
        if self.left_out is None:
            return f"{many(self.records, 'record')} without a recorded cost"
        return (
            f"{many(self.records, 'record')} without a recorded cost {_left_out(self.records)}: "
            f"{'its' if self.records == 1 else 'their'} tokens come to {_usd(self.left_out)}"
        )


class WithoutMoney(Struct, frozen=True):
    """Records that tell neither a cost nor tokens: what they cost is not known.

    >>> str(WithoutMoney(2)), str(WithoutMoney(1))
    ('2 records with neither cost nor tokens', '1 record with neither cost nor tokens')
    """

    records: int

    def __str__(self) -> str:
        return f"{many(self.records, 'record')} with neither cost nor tokens"


RowCause = (
    RecordsDiffer | RecordsUnpriced | RecordedAsZero | WithoutTokens | WithoutRecordedCost | WithoutMoney
)
"""Why the money of a model is given in two ways, or not in full."""


def _left_out(n: int) -> str:
    return "is left out" if n == 1 else "are left out"


def _usd(amount: float) -> str:
    if 0 < amount < 1e-6:
        return "under 0.000001 USD"
    whole, _, rest = f"{amount:.6f}".partition(".")
    return f"{whole}.{rest.rstrip('0').ljust(2, '0')} USD"
