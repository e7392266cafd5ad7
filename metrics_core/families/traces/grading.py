"""What one trace comes to: which contract scores it, in which stratum, and how far it came.

Scores are the user's contract's, from its child process; where there is none, those that the harness
recorded. Everything else is read off the record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from metrics_core import pricing
from metrics_core.contracts import score_all
from metrics_core.digest import short
from metrics_core.families.traces import quantities, recorded_score
from metrics_core.families.traces.record import Trace
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context, Outcome, Progress, Spent, Track
from metrics_core.pricing import Usage
from metrics_core.results import Keys, State

if TYPE_CHECKING:
    from metrics_core.contracts import Score, UserContract

NO_CONTRACT = "none"
LOWER_SCORE = "a lower score"
YET_FULL = ", yet a full score"
"""Of a trace that a contract scores in full, though its fields lose it: both are told."""

RECOGNISED_EXITS = (0, 1)

TRACK = Track(
    "traces",
    (
        ("schema known", False),
        ("exit code recognised", False),
        ("patch present", False),
        ("oracle files touched", False),
        ("tests passed", True),
    ),
)
"""By the fields of ``trace.v1``, where no contract scores."""

FULL_SCORE = ("full score", True)
SCORED_BY_FIELDS = Track("traces, scored", (*TRACK.stages, FULL_SCORE))
"""By the same fields, and then by the score: for a contract that reads them all."""

SCORED = Track("scores", (("found valid", False), FULL_SCORE))
"""By the score: for a contract that looks at something else."""

STAGE_FIELDS = ("exit_code", "patch", "oracle_files", "touched_files", "tests_passed")
"""Fields of a trace that the stages of `TRACK` are read from, beside its schema."""


def contract_for(trace: Trace, context: Context) -> UserContract | None:
    """Which contract scores a trace: the one it names, else by its stamp, else the only one.

    Where two contracts claim the id that it names, its stamp decides between them.
    """
    named = [c for c in context.contracts if trace.contract_id in (None, c.id)]
    uses = [use for use in context.settings.contracts if any(c.file == use.file for c in named)]
    if len(named) == 1 and (trace.contract_id is not None or not context.settings.contracts):
        return named[0]
    stamp = utc(trace.stamp) if trace.stamp else ""
    begun = [use for use in uses if use.since is None or (stamp and utc(use.since) <= stamp)]
    latest = max(begun, key=lambda use: utc(use.since) if use.since else "", default=None)
    return next((c for c in named if latest is not None and c.file == latest.file), None)


def scores_of(rows: Sequence[Row], context: Context) -> dict[int, tuple[UserContract, Score]]:
    """Score each trace under its contract; keys are positions in ``rows``."""
    by_contract: dict[str, list[int]] = {}
    contracts: dict[str, UserContract] = {}
    for at, row in enumerate(rows):
        contract = contract_for(row.record, context)
        if contract is not None:
            contracts[contract.digest] = contract
            by_contract.setdefault(contract.digest, []).append(at)
    scored: dict[int, tuple[UserContract, Score]] = {}
    for digest, places in sorted(by_contract.items()):
        traces = [msgspec.json.decode(rows[at].raw) for at in places]
        for at, score in zip(places, score_all(contracts[digest], traces), strict=True):
            scored[at] = (contracts[digest], score)
    return scored


def split_of(trace: Trace, context: Context) -> str | None:
    """``eval`` or ``probe`` by the task's card; without a pack as the trace says, else ``eval``; None if the
    pack lacks the task.
    """
    if context.pack is None:
        return trace.split or "eval"
    task = context.pack.task(trace.task_id)
    return None if task is None else task.split


def conditions_of(trace: Trace, context: Context) -> Keys:
    """What a trace ran under, whoever scores it: split and suite; prompt, tools and folder, which stay only
    where they move inside an arm.
    """
    keys = {"split": split_of(trace, context) or "eval"}
    if trace.suite:
        keys["suite"] = trace.suite
    for name, value in (("prompt", trace.prompt_sha256), ("tools", trace.tools_sha256)):
        if value:
            keys[name] = value[:16]
    if trace.folder:
        keys["lies_in"] = trace.folder
    return Keys(keys)


def stratum_of(trace: Trace, contract: UserContract | None, context: Context) -> Keys:
    """The stratum of a score: what the trace ran under, the contract and the pack."""
    keys = conditions_of(trace, context) | {"contract": contract.label if contract else NO_CONTRACT}
    if context.pack is not None:
        keys |= {"pack": f"sha256:{short(context.pack.digest)}"}
    return keys


def dims_of(trace: Trace, context: Context) -> dict[str, str]:
    """The finest keys of a trace; the pack's cluster key where its card states one."""
    keys = {"model": context.arm(trace.agent), "scenario": trace.task_id}
    task = None if context.pack is None else context.pack.task(trace.task_id)
    key = context.cluster_key
    if task is not None and key and key in task.clusters.names:
        keys[key] = task.clusters[key]
    return keys


def names_of(trace: Trace, found: tuple[UserContract, Score] | None) -> Iterator[tuple[str, str]]:
    """What the experiment's settings may name: the agent, the task, and the contract that scored it."""
    yield "models", trace.agent
    yield "names", trace.task_id
    if is_recorded(trace, found):
        yield from (("scale", scorer) for scorer, _ in recorded_score.scorers(trace))
    if found is not None:
        yield "contracts", found[0].file


def graded_by(trace: Trace, found: tuple[UserContract, Score] | None) -> Iterator[Keys]:
    """The scorers that gave a trace a grade, as they are tallied over all of them."""
    if is_recorded(trace, found):
        for contract, scorer in recorded_score.graded(trace):
            yield Keys({"contract": contract, "scorer": scorer, **quantities.GRADED})


def planned(context: Context) -> Iterator[tuple[Keys, Keys]]:
    """Every task of the pack: the split that it is in, and the keys of its runs."""
    key = context.cluster_key
    for task in () if context.pack is None else context.pack.tasks:
        keys = {"scenario": task.id}
        if key and key in task.clusters.names:
            keys[key] = task.clusters[key]
        yield Keys({"split": task.split}), Keys(keys)


def is_recorded(trace: Trace, found: tuple[UserContract, Score] | None) -> bool:
    """Whether no contract scores a trace, and its harness recorded scores."""
    return found is None and bool(trace.scores) and trace.contract_id in (None, *recorded_score.CONTRACTS)


def score_outcomes(
    trace: Trace, found: tuple[UserContract, Score] | None, context: Context
) -> tuple[Outcome, ...]:
    """What the contract says of a trace, or each scorer of its harness; all else with its reason."""
    contract, score = found or (None, None)
    stratum = stratum_of(trace, contract, context)
    if is_recorded(trace, found):
        made = tuple(recorded_score.outcomes(trace, stratum, context.settings.scale))
    else:
        made = (_by_contract(score, stratum),)
    if split_of(trace, context) is None:
        why = "the task is not in the pack"
        return tuple(Outcome("score", o.stratum, "invalid", reason=why) for o in made)
    return made


def _by_contract(score: Score | None, stratum: Keys) -> Outcome:
    if score is None:
        return Outcome("score", stratum, "unknown", reason="no contract says how to score it")
    if score.value is None:
        return Outcome("score", stratum, "invalid", reason=score.invalid or "")
    return Outcome("score", stratum, "known", score.value, int(score.value == 1), 1)


def track_of(trace: Trace, found: tuple[UserContract, Score] | None) -> Track | None:
    """The funnel that a trace is in: its stages are what its contract, or its record, can establish.

    A contract that does not read a field says nothing of the stage that the field establishes: a trace could
    be lost there, and score in full. A record without one of the fields establishes no stage; it is in none.
    """
    if is_recorded(trace, found):
        return recorded_score.TRACK
    if found is not None:
        source = b"".join(found[0].files.values())
        return SCORED_BY_FIELDS if all(field.encode() in source for field in STAGE_FIELDS) else SCORED
    stated = any(getattr(trace, field) is not None for field in STAGE_FIELDS)
    return TRACK if stated else None


def progress_of(
    trace: Trace, found: tuple[UserContract, Score] | None, context: Context
) -> tuple[Progress, ...]:
    """How far a trace came in its funnel: under each scorer of its harness, else in one, else in none.

    Where a contract scores, a funnel is of its stratum and ends with its verdict: two contracts are in two.
    """
    track = track_of(trace, found)
    if track is recorded_score.TRACK:
        return tuple(recorded_score.progress(trace, stratum_of(trace, None, context), context.settings.scale))
    if track is SCORED:
        return tuple(map(_by_score, score_outcomes(trace, found, context)))
    if track is SCORED_BY_FIELDS:
        return tuple(_by_fields_and_score(trace, o) for o in score_outcomes(trace, found, context))
    return () if track is None else (_by_fields(trace, conditions_of(trace, context)),)


def _by_score(outcome: Outcome) -> Progress:
    if outcome.state != "known":
        return Progress(SCORED.name, outcome.stratum, 0, outcome.state, outcome.reason)
    full = outcome.value == 1
    return Progress(SCORED.name, outcome.stratum, 1 + int(full), "known", "" if full else LOWER_SCORE)


def _by_fields_and_score(trace: Trace, outcome: Outcome) -> Progress:
    """Where the fields lose a trace, in the state that the contract gives it: the score counts the same."""
    at = _by_fields(trace, outcome.stratum)
    kept, full = at.reached == len(TRACK.stages), outcome.state == "known" and outcome.value == 1
    if kept and full:
        return Progress(SCORED_BY_FIELDS.name, outcome.stratum, len(SCORED_BY_FIELDS.stages))
    if outcome.state == "known":
        reason = LOWER_SCORE if kept else f"{at.reason}{YET_FULL if full else ''}"
    else:
        reason = at.reason if at.state == outcome.state else outcome.reason
    return Progress(SCORED_BY_FIELDS.name, outcome.stratum, at.reached, outcome.state, reason)


def _by_fields(trace: Trace, stratum: Keys) -> Progress:
    def lost(reached: int, reason: str, *, state: State = "known") -> Progress:
        return Progress(TRACK.name, stratum, reached, state, reason)

    if trace.schema_ != "trace.v1":
        return lost(0, "another schema", state="invalid")
    if trace.exit_code not in RECOGNISED_EXITS:
        return lost(1, "exit code not recognised", state="invalid")
    if not trace.patch:
        return lost(2, "no patch")
    if not set(trace.oracle_files or ()) <= set(trace.touched_files or ()):
        return lost(3, "an oracle file was not touched")
    if trace.tests_passed is None:
        return lost(4, "tests were not run", state="unknown")
    return Progress(TRACK.name, stratum, 5) if trace.tests_passed else lost(4, "a test failed")


def usages_of(trace: Trace) -> tuple[Usage, ...] | None:
    """Tokens of the model that the agent ran on; None where they were not recorded."""
    if trace.prompt_tokens is None or trace.completion_tokens is None:
        return None
    return (
        Usage(trace.model or trace.agent, trace.prompt_tokens, trace.cached_tokens, trace.completion_tokens),
    )


def spent_of(trace: Trace, model: str, stratum: Keys) -> Spent:
    """Money of a trace: what was recorded, and its tokens."""
    recorded = None if trace.cost_usd is None else pricing.femto(trace.cost_usd)
    return Spent(model, stratum, recorded, usages_of(trace))
