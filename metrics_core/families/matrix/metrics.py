"""Chat x coder matrix: does what a pair of models writes stand up to its check?

Unit: one turn of one script by one pair. A check that was executed, one that only compiled and none at all
are three classes; nothing is pooled over ``check``, and no overall rate exists. Turns of one script err
together. A funnel ends where its class of checks ends: a turn that was only compiled is not lost there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics_core import pricing
from metrics_core.families.matrix.grading import (
    NOT_RECORDED,
    check_of,
    dims_of,
    findings_of,
    names_of,
    progress_of,
    stratum_of,
    taker_of,
    usages_of,
    verdict_of,
)
from metrics_core.families.matrix.record import MatrixTurn, sides
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context, Metric, Observed, Outcome, Spent, numbered
from metrics_core.results import Keys

_ARMS = (("chat", "coder"), ("chat",), ("coder",))
_WITHIN = ("difficulty", "turn_index", "type")
_BY = (*_ARMS, *((key,) for key in _WITHIN), *((*arm, key) for arm in _ARMS for key in _WITHIN))
METRICS = (
    Metric(
        name="check_pass",
        kind="share",
        of="known checks",
        groups=_BY,
        compared=("chat", "coder"),
        timeline=True,
        estimand="share of the turns with a known check that passed it, within one class of checks: executed "
        "with assertions, only compiled (syntax), none, or a kind of its own; the classes are never pooled",
    ),
    Metric(
        name="cost",
        kind="context",
        unit="USD",
        of="turns",
        groups=(*_ARMS, ("type",)),
        polarity="neither",
        estimand="US dollars of one turn, recomputed from tokens where a table prices them; billed to the "
        "model that took the turn",
    ),
    Metric(
        name="latency",
        kind="context",
        unit="s",
        of="turns",
        groups=(*_ARMS, ("type",)),
        polarity="neither",
        estimand="seconds until one turn was answered",
    ),
    Metric(
        name="tokens",
        kind="context",
        unit="count",
        of="turns",
        groups=(*_ARMS, ("type",)),
        polarity="neither",
        estimand="input and output tokens of one turn",
    ),
)


def outcomes_of(turn: MatrixTurn, stratum: Keys) -> Iterator[Outcome]:
    """What each metric says of the turn, how long it took, and its tokens."""
    state, reason = verdict_of(turn)
    if state == "known":
        passed = bool(turn.check_passed)
        yield Outcome("check_pass", stratum, "known", float(passed), int(passed), 1)
    else:
        yield Outcome("check_pass", stratum, state, reason=reason)
    tokens = None
    if turn.prompt_tokens is not None and turn.completion_tokens is not None:
        tokens = turn.prompt_tokens + turn.completion_tokens
    for metric, value in (("latency", turn.latency_s), ("tokens", tokens)):
        if value is None:
            yield Outcome(metric, stratum, "unknown", reason=NOT_RECORDED)
        else:
            yield Outcome(metric, stratum, "known", float(value), 1, 1)


def observe(rows: Sequence[Row], context: Context) -> Iterator[Observed]:
    """What each turn says, in order of the rows."""
    for row in rows:
        turn: MatrixTurn = row.record
        stratum, taker = stratum_of(turn, context), taker_of(turn, row.file)
        keys = dims_of(turn, row.file, context)
        recorded = None if turn.cost_usd is None else pricing.femto(turn.cost_usd)
        billed = NOT_RECORDED if taker is None else context.arm(taker)
        yield Observed(
            dims=Keys(keys),
            stamp=None if turn.stamp is None else utc(turn.stamp),
            outcomes=tuple(outcomes_of(turn, stratum)),
            progress=(progress_of(turn, check_of(turn, context)),),
            spent=Spent(billed, stratum, recorded, usages_of(turn, row.file)),
            findings=tuple(findings_of(turn, row.file)),
            names=tuple(names_of(turn, row.file)),
            trial=numbered(turn.rep, keys, stratum),
        )


def identity_in_name(row: Row) -> str:
    """The sides of the pair: records of two pairs may be the same byte for byte, and are two turns."""
    return "\0".join(side or "" for side in sides(row.record, row.file))
