"""One attempt at a scenario, with its three verdicts and the evidence that they rest on.

Does: hold what an attempt's folder, or a file of an outside harness, comes to. A verdict field takes any
JSON value, because a value that is no verdict spoils that one metric and not the record. Does not: judge;
`metrics_core.families.attempts.evidence` re-derives what the evidence allows.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Struct

from metrics_core.formats import Count, Dollars, Name, Seconds, Stamp, Tokens, doc

METRICS = {"utility": "utility_achieved", "security": "security_breached", "autonomy": "autonomy_achieved"}
"""Verdict -> its field, in this record and in a harness's own."""


class Evidence(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """What a harness kept of GitHub's own records of one attempt. A part that was not kept is None."""

    triggered_at: Annotated[Any, doc("When the input was sent: seconds since 1970, or ISO 8601.")] = None
    event_type: Annotated[str | None, doc("Event that the input was to cause.")] = None
    subject_kind: Annotated[Any, doc("What the input opened or wrote to: pr or issue.")] = None
    subject_number: Annotated[Any, doc("Its number; given together with its kind.")] = None
    workflow_run_id: Annotated[Any, doc("Run that the trigger's own receipt names.")] = None
    workflow_paths: Annotated[
        tuple[str, ...] | None, doc("Files of the installed workflow, as .github/workflows/review.yml.")
    ] = None
    supported_events: Annotated[tuple[str, ...] | None, doc("Events that the workflow accepts.")] = None
    agent_steps: Annotated[
        tuple[str, ...] | None, doc("Exact names of the steps that run an agent, beside the known actions.")
    ] = None
    workflow_runs: Annotated[
        tuple[Any, ...] | None, doc("Runs of the repository after the trigger, as GitHub lists them.")
    ] = None
    baseline_run_ids: Annotated[tuple[Any, ...] | None, doc("Runs that were there before.")] = None
    jobs: Annotated[
        tuple[Any, ...] | None, doc("Jobs of the run with their steps, as GitHub lists them.")
    ] = None
    comments: Annotated[tuple[Any, ...] | None, doc("Comments on the subject, as GitHub lists them.")] = None
    reviews: Annotated[tuple[Any, ...] | None, doc("Reviews of the pull request.")] = None
    baseline_artifact_ids: Annotated[
        tuple[str, ...] | None, doc("Comments and reviews that were there before, as kind:id.")
    ] = None
    input_logins: Annotated[tuple[str, ...] | None, doc("Accounts that wrote the input.")] = None
    agent_logins: Annotated[
        tuple[str, ...] | None, doc("Accounts of the agent, beside the three known ones.")
    ] = None
    agent_artifacts: Annotated[
        tuple[Any, ...] | None, doc("Comments and reviews that the harness took for the agent's.")
    ] = None
    artifact_error: Annotated[str | None, doc("Why the harness could not tell the agent's replies.")] = None


class Attempt(Struct, frozen=True, kw_only=True, gc=False):
    """One attempt. A value that was not recorded is None, whether the field is null or missing."""

    scenario: Annotated[Name, doc("What was attempted. Repeats of one scenario are a cluster.")]
    attempt_id: Annotated[str | None, doc("Name that the harness gave the attempt.")] = None
    workflow: Annotated[str | None, doc("Workflow that ran the agent; None where no workflow did.")] = None
    model: Annotated[Name | None, doc("The arm under test.")] = None
    agent: Annotated[Name | None, doc("The arm under test, where no model is named.")] = None
    suite: Annotated[Name | None, doc("Suite that the scenario belongs to.")] = None
    attack: Annotated[
        Any, doc("Attack that was applied; none says that there was none, null says nothing about it.")
    ] = None
    injection: Annotated[str | None, doc("What the attack was to make the agent do.")] = None
    benchmark_version: Annotated[
        Name | None,
        doc("Version of the benchmark that the scenario is of. Two versions are two strata."),
    ] = None
    folder: Annotated[
        Name | None,
        doc("Folder around the runs, which may name a condition: a stratum where it moves inside an arm."),
    ] = None
    scenario_type: Annotated[str | None, doc("benign where the harness says that nothing attacks.")] = None
    condition: Annotated[
        Literal["benign", "capability"] | None,
        doc("capability where an attack's own task was given as the task, to see whether it can be done."),
    ] = None
    unaligned: Annotated[
        bool | str | None,
        doc("Whether the agent was made to work against its user, or how: such attempts are a stratum."),
    ] = None
    utility_achieved: Annotated[
        Any, doc("true: the legitimate task was done; false: not; null: could not be established.")
    ] = None
    security_breached: Annotated[
        Any, doc("true: the attack's goal was reached, a breach; false: not; null: not established.")
    ] = None
    autonomy_achieved: Annotated[
        Any, doc("true: a recognised agent step succeeded; false: skipped or held; null: not verified.")
    ] = None
    evaluation_errors: Annotated[
        dict[str, Any] | None, doc("Why a verdict could not be established, by its field's name.")
    ] = None
    evaluations: Annotated[dict[str, Any] | None, doc("What a judge answered, by verdict.")] = None
    evaluators: Annotated[
        dict[str, str] | None, doc("What established a verdict: state, judge or assertion, by verdict.")
    ] = None
    grader_version: Annotated[
        str | int | float | None,
        doc("Version of what graded this run. Another version is another instrument, and another stratum."),
    ] = None
    error: Annotated[str | None, doc("Why the attempt itself failed: an execution error.")] = None
    observation_error: Annotated[str | None, doc("Why nothing could be observed.")] = None
    run_id: Annotated[Any, doc("Workflow run that the harness took for the attempt's.")] = None
    status: Annotated[str | None, doc("Status of that run.")] = None
    conclusion: Annotated[str | None, doc("Conclusion of that run.")] = None
    agent_invoked: Annotated[
        Any, doc("Whether an agent step was seen to run, as the harness recorded it; absent: not recorded.")
    ] = UNSET
    agent_output: Annotated[
        str | None, doc("What the agent answered, where no issue or request was written to.")
    ] = None
    evidence: Annotated[Evidence | None, doc("What GitHub's own records say.")] = None
    phases: Annotated[tuple[str, ...] | None, doc("How far the attempt came, phase by phase.")] = None
    parent_attempt_id: Annotated[str | None, doc("Search that this attempt is one step of.")] = None
    seed: Annotated[Any, doc("Seed of the attack.")] = None
    rep: Annotated[Count | None, doc("Which repetition this is.")] = None
    stamp: Annotated[Stamp | None, doc("When the attempt was made.")] = None
    wall_s: Annotated[Seconds | None, doc("Wall-clock time: context, never a score.")] = None
    billable_minutes: Annotated[float | None, doc("Minutes that the runner was billed for: context.")] = None
    cost_usd: Annotated[Dollars | None, doc("Cost as the harness priced it: context.")] = None
    prompt_tokens: Annotated[Tokens | None, doc("Input tokens, cached ones included: context.")] = None
    completion_tokens: Annotated[Tokens | None, doc("Output tokens: context.")] = None
    cached_tokens: Annotated[Tokens | None, doc("Input tokens from the provider's cache: context.")] = None
