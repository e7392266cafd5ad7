"""One trace of a task by an agent, to be scored by the user's own contract, or scored by its harness already.

Does: hold the fields of ``trace.v1`` that the funnel, the context figures and the choice of a contract
need, and the scores that a harness recorded. Does not: judge. Which fields count, and how a missing patch or
a crash is scored, is the contract's business: it is given the whole record, fields that are not named here
included.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct, field

from metrics_core.formats import Count, Dollars, Name, Seconds, Stamp, Tokens, doc

Score = bool | float | str | None


class Trace(Struct, frozen=True, kw_only=True, gc=False):
    """One run of one task by one agent.

    A value that was not recorded is None, whether the field is null or missing; only `task_id` and `agent`
    cannot be missing. A record of another schema is a trace all the same: the contract calls it invalid.
    """

    task_id: Annotated[Name, doc("Task: the id of its card in the pack.")]
    agent: Annotated[Name, doc("The agent under test.")]
    schema_: Annotated[str | None, doc("Schema of the record; trace.v1 is the one described here.")] = field(
        default=None, name="schema"
    )
    grader_version: Annotated[
        str | int | float | None,
        doc("Version of what graded this run. Another version is another instrument, and another stratum."),
    ] = None
    model: Annotated[str | None, doc("The model that the agent ran on.")] = None
    rep: Annotated[Count | None, doc("Which repetition of the task this is.")] = None
    exit_code: Annotated[
        int | None,
        doc("How the agent's process ended. Contracts usually know 0 and 1; anything else is a crash."),
    ] = None
    patch: Annotated[
        str | None, doc("The change that the agent handed in, as a diff; empty where it made none.")
    ] = None
    oracle_files: Annotated[
        tuple[str, ...] | None,
        doc("Files that a right change touches, from the task's card. Hidden from the agent."),
    ] = None
    touched_files: Annotated[tuple[str, ...] | None, doc("Files that the patch touches.")] = None
    tests_passed: Annotated[
        bool | None,
        doc("Whether the task's tests pass with the patch applied; null where they did not run."),
    ] = None
    timeout: Annotated[
        bool | Seconds | None,
        doc("Whether the run hit its time limit, or that limit. It is recorded, never extended."),
    ] = None
    wall_s: Annotated[Seconds | None, doc("Wall-clock time of the run: context, never a score.")] = None
    retries: Annotated[Count | None, doc("Times that the harness started over: context, never a score.")] = (
        None
    )
    prompt_tokens: Annotated[Tokens | None, doc("Input tokens, cached ones included: context.")] = None
    completion_tokens: Annotated[Tokens | None, doc("Output tokens: context.")] = None
    cached_tokens: Annotated[
        Tokens | None, doc("Input tokens served from the provider's cache: context.")
    ] = None
    cost_usd: Annotated[Dollars | None, doc("Cost as the harness priced it: context.")] = None
    stamp: Annotated[Stamp | None, doc("When the run was made.")] = None
    contract_id: Annotated[Name | None, doc("The contract that scores this trace, where it names one.")] = (
        None
    )
    scores: Annotated[
        dict[Name, Score] | None,
        doc(
            "What the harness's own scorers gave, by the scorer's name: C, I, P or N (correct, incorrect, "
            "partial, no answer), true or false, or a reward from 0 to 1; null where there is no score. Read "
            "only where no contract scores the trace."
        ),
    ] = None
    split: Annotated[
        Name | None,
        doc("The part of the data that the task is in, where no pack says it. Two parts are two strata."),
    ] = None
    suite: Annotated[
        Name | None, doc("The benchmark that the task belongs to. Two benchmarks are two strata.")
    ] = None
    folder: Annotated[
        Name | None,
        doc("Folder around the runs, which may name a condition: a stratum where it moves inside an arm."),
    ] = None
    answer: Annotated[str | None, doc("The answer that the harness graded.")] = None
    error: Annotated[
        str | None,
        doc(
            "Why the run itself failed. A score that its harness recorded then counts as an error; a "
            "contract judges the trace itself."
        ),
    ] = None
    user_cost_usd: Annotated[
        Dollars | None,
        doc("What the simulated user cost, as the harness priced it: context, and no cost of the agent."),
    ] = None
    run_id: Annotated[
        str | None, doc("What the harness calls this run, so that no other is taken for the same.")
    ] = None
    prompt_sha256: Annotated[
        str | None,
        doc("Digest of the prompt text. Where it changes, the runs of one agent are two strata."),
    ] = None
    tools_sha256: Annotated[
        str | None,
        doc("Digest of the tools that the agent was given. Where it changes, its runs are two strata."),
    ] = None

    @property
    def arm(self) -> str:
        """What is under test."""
        return self.agent
