"""The shapes of a result: what measuring gives, and what pages, captions, claims and JSON know.

Here live estimates with their intervals, comparisons, funnels, controls, problems, run pages and the report
that holds them all. Nothing here computes a statistic, reads a file or knows a family.
"""

from __future__ import annotations

from metrics_core.results.codes import (
    RECORDED_ONLY,
    Absence,
    ByControl,
    CostCause,
    CostGap,
    Denominator,
    FailedControl,
    Kept,
    Method,
    NoInterval,
    NoSmallestDifference,
    NotCountedOut,
    NotKnown,
    NotSeparated,
    OtherPrices,
    PriceCorrected,
    RecordsDiffer,
    RowCause,
    Withheld,
    WithoutRecordedCost,
    WithoutTokens,
)
from metrics_core.results.comparison import Comparison, ComparisonVerdict, Difference
from metrics_core.results.control import Control, ControlCheck, ControlState
from metrics_core.results.estimate import (
    ContractRef,
    Estimate,
    Loss,
    Polarity,
    State,
    Summary,
    Tally,
    bounds_lead,
)
from metrics_core.results.interval import FEW_CLUSTERS, LEVEL, MIN_KNOWN, Interval
from metrics_core.results.keys import NO_KEYS, Keys
from metrics_core.results.notebook import html, html_table, many
from metrics_core.results.pooling import POOLING_RULES, Unlike, refuse_pooling
from metrics_core.results.problem import Aside, NoRuns, Problem, Repeated, pointer, quoted
from metrics_core.results.report import Report, UsedContract
from metrics_core.results.review import CheckLine, CostLine, Review, Step, Verdict, run_name
from metrics_core.results.selection import select
from metrics_core.results.shapes import CheckRow, CostRow, Funnel, Grid, Points, Segment, Series, Stage
from metrics_core.results.smallest_difference import SmallestDifference
from metrics_core.results.vocabulary import (
    MODEL,
    PLAIN,
    Arm,
    Corners,
    GroupKey,
    MetricWords,
    NoEvidence,
    Parts,
    Stratum,
    Vocabulary,
)

__all__ = [
    "FEW_CLUSTERS",
    "LEVEL",
    "MIN_KNOWN",
    "MODEL",
    "NO_KEYS",
    "PLAIN",
    "POOLING_RULES",
    "RECORDED_ONLY",
    "Absence",
    "Arm",
    "Aside",
    "ByControl",
    "CheckLine",
    "CheckRow",
    "Comparison",
    "ComparisonVerdict",
    "ContractRef",
    "Control",
    "ControlCheck",
    "ControlState",
    "Corners",
    "CostCause",
    "CostGap",
    "CostLine",
    "CostRow",
    "Denominator",
    "Difference",
    "Estimate",
    "FailedControl",
    "Funnel",
    "Grid",
    "GroupKey",
    "Interval",
    "Kept",
    "Keys",
    "Loss",
    "Method",
    "MetricWords",
    "NoEvidence",
    "NoInterval",
    "NoRuns",
    "NoSmallestDifference",
    "NotCountedOut",
    "NotKnown",
    "NotSeparated",
    "OtherPrices",
    "Parts",
    "Points",
    "Polarity",
    "PriceCorrected",
    "Problem",
    "RecordsDiffer",
    "Repeated",
    "Report",
    "Review",
    "RowCause",
    "Segment",
    "Series",
    "SmallestDifference",
    "Stage",
    "State",
    "Step",
    "Stratum",
    "Summary",
    "Tally",
    "Unlike",
    "UsedContract",
    "Verdict",
    "Vocabulary",
    "Withheld",
    "WithoutRecordedCost",
    "WithoutTokens",
    "bounds_lead",
    "html",
    "html_table",
    "many",
    "pointer",
    "quoted",
    "refuse_pooling",
    "run_name",
    "select",
]
