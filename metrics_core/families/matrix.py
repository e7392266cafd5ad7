"""Chat x coder matrix: does what a pair of models writes stand up to its check?

Unit: one turn of one script by one pair. A check that was executed, one that only compiled and none at all
are three classes; nothing is pooled over ``check``, and no overall rate exists. Turns of one script err
together. A funnel ends where its class of checks ends: a turn that was only compiled is not lost there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metrics_core import pricing
from metrics_core.contract import Contract, Fixture
from metrics_core.control import Control
from metrics_core.estimate import Pairs, pairs
from metrics_core.family import Context, Family, Metric, Observed, Outcome, RowBatches, Spent
from metrics_core.reader import Row
from metrics_core.readings.matrix import (
    ANSWERED,
    COMPILED,
    NOT_RECORDED,
    RAN,
    check_of,
    dims_of,
    findings_of,
    progress_of,
    stratum_of,
    taker_of,
    usages_of,
    verdict_of,
)
from metrics_core.records.matrix import MatrixTurn, sides
from metrics_core.reviews.matrix import review
from metrics_core.stamps import utc

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


def _outcomes(turn: MatrixTurn, stratum: Pairs) -> Iterator[Outcome]:
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
        recorded = None if turn.cost_usd is None else pricing.femto(turn.cost_usd)
        billed = NOT_RECORDED if taker is None else context.arm(taker)
        yield Observed(
            dims=pairs(dims_of(turn, row.file, context)),
            stamp=None if turn.stamp is None else utc(turn.stamp),
            outcomes=tuple(_outcomes(turn, stratum)),
            progress=(progress_of(turn, check_of(turn, context)),),
            spent=Spent(billed, stratum, recorded, usages_of(turn, row.file)),
            findings=tuple(findings_of(turn, row.file)),
        )


def told_by_name(row: Row) -> str:
    """The sides of the pair: records of two pairs may be the same byte for byte, and are two turns."""
    return "\0".join(side or "" for side in sides(row.record, row.file))


def controls(context: Context, recorded: Mapping[str, bytes], rows: RowBatches) -> Iterator[Control]:
    """None beside the golden fixtures: the harness records no control of its checks."""
    yield from ()


def _turn(kind: str | None, passed: bool | None, **more: Any) -> dict[str, Any]:
    """A tiny turn for a fixture; every field may be replaced."""
    whole: dict[str, Any] = {
        "scenario_id": "s1",
        "turn_index": 0,
        "rep": 0,
        "chat": "a",
        "coder": "b",
        "type": "coder",
        "check_kind": kind,
        "check_passed": passed,
        "completion_tokens": 10,
    }
    return {**whole, **more}


FIXTURES = (
    Fixture(
        "two kinds of check in one log are two strata",
        (
            _turn("exec_assert", True),
            _turn("exec_assert", False, turn_index=1),
            _turn("py_compile", True, turn_index=2),
            _turn("py_compile", True, turn_index=3),
            _turn("py_compile", True, turn_index=4),
        ),
        (
            ("check_pass?check=executed", "1/2 0.5"),
            ("check_pass?check=syntax", "3/3 1"),
            ("check_pass", "no such figure"),
            ("check_pass?chat=a&coder=b&check=syntax", "3/3 1"),
            ("check_pass?chat=a&turn_index=1&check=executed", "0/1 0"),
        ),
    ),
    Fixture(
        "an unmapped kind is a stratum of its own, and so is none",
        (
            _turn("rubric", True),
            _turn(None, None, turn_index=1, type="chat"),
            _turn("assertions", None, turn_index=2),
        ),
        (
            ("check_pass?check=rubric", "1/1 1"),
            ("check_pass?check=none", "0/0 none"),
            ("check_pass?check=executed", "0/0 none"),
        ),
    ),
    Fixture(
        "each turn is lost where its check says so; one that was only compiled ends there, and is not lost",
        (
            _turn("exec_assert", True),
            _turn("exec_assert", False, turn_index=1, check_note="AssertionError: 3 != 4"),
            _turn("exec_assert", False, turn_index=2, check_note="SyntaxError: invalid syntax"),
            _turn("exec_assert", False, turn_index=3, check_note="no code block found"),
            _turn("exec_assert", False, turn_index=4, completion_tokens=0),
            _turn("py_compile", True, turn_index=5),
            _turn("py_compile", False, turn_index=6),
            _turn(None, None, turn_index=7, type="chat"),
        ),
        (
            ("stage?stage=attempts&check=executed", "5/5 1"),
            ("stage?stage=answered&check=executed", "4/5 0.8"),
            ("stage?stage=code%20extracted&check=executed", "3/5 0.6"),
            ("stage?stage=compiles&check=executed", "2/5 0.4"),
            ("stage?stage=executed&check=executed", "2/5 0.4"),
            ("stage?stage=assertions%20hold&check=executed", "1/5 0.2"),
            ("stage?stage=compiles&check=syntax", "1/2 0.5"),
            ("stage?stage=executed&check=syntax", "no such figure"),
            ("stage?stage=answered&check=none", "1/1 1"),
        ),
    ),
)

CONTRACT = Contract(
    id="assay/matrix",
    version="1",
    title="Chat x coder matrix: checks passed, class by class",
    module=__name__,
    promise=tuple((m.name, m.estimand) for m in METRICS),
    fixtures=FIXTURES,
)

FAMILY = Family(
    name="matrix",
    title="Chat x coder matrix",
    folder="logs",
    contract=CONTRACT,
    record=MatrixTurn,
    metrics=METRICS,
    tracks=(RAN, COMPILED, ANSWERED),
    observe=observe,
    review=review,
    controls=controls,
    told_by_name=told_by_name,
)
