"""One run of the brownfield suite: a scenario x model x configuration, as the harness wrote it.

Does: hold the three shapes in which the harness family writes a run (the older flat one, the newer one
with ``metrics``, head-to-head rows with ``agent`` and ``axis``), and read them alike through properties.
Does not: recompute anything; that a recorded value agrees with its detail is the family's question.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Struct

from metrics_core.formats import Count, Dollars, Fraction, Name, Seconds, Stamp, Tokens, doc

CLAIM_KINDS = frozenset({"aware", "awareness"})


class RoleUse(Struct, frozen=True, kw_only=True, gc=False):
    """What one role of the agent used in a run."""

    input_tokens: Annotated[Tokens, doc("Input tokens of this role's calls, cached ones included.")]
    output_tokens: Annotated[Tokens, doc("Output tokens of this role's calls.")]
    calls: Annotated[Count | None, doc("Model calls of this role.")] = None
    cost_usd: Annotated[Dollars | None, doc("Cost of this role as the harness priced it.")] = None


class RunMetrics(Struct, frozen=True, kw_only=True, gc=False):
    """Totals of a run in the harness's newer shape."""

    input_tokens: Annotated[Tokens | None, doc("Input tokens of all calls, cached ones included.")] = None
    output_tokens: Annotated[Tokens | None, doc("Output tokens of all calls.")] = None
    cache_read_tokens: Annotated[
        Tokens | None,
        doc("Input tokens served from the provider's cache, all on the continuation model."),
    ] = None
    cached_tokens: Annotated[Tokens | None, doc("The same as cache_read_tokens, by its other name.")] = None
    cost_usd: Annotated[
        Dollars | None,
        doc(
            "Cost of the run as the harness priced it, with its own table. 0 need not mean free: a model "
            "that the table does not know costs 0 there."
        ),
    ] = None
    llm_calls: Annotated[Count | None, doc("Model calls of all roles.")] = None
    tool_calls: Annotated[Count | None, doc("Tool calls of the agent.")] = None
    by_role: Annotated[
        dict[str, RoleUse] | None,
        doc("Use by role. The role primary runs on model, every other role on continuation."),
    ] = None

    @property
    def cached(self) -> int | None:
        """Cached input tokens by whichever name; None where neither was written."""
        return self.cached_tokens if self.cache_read_tokens is None else self.cache_read_tokens


class BrownfieldRun(Struct, frozen=True, kw_only=True, gc=False):
    """One run of one scenario by one model under one configuration.

    A value that was not recorded is None, whether the field is null or missing; `id`, `stamp`, a kind (or
    axis) and a model (or agent) cannot be missing. Fields that are not named here are not read.
    """

    id: Annotated[
        Name,
        doc("Scenario. Runs that share it are repetitions of one task, and err together."),
    ]
    stamp: Annotated[
        Stamp,
        doc("When the run was made. Every figure is reported with the stamps of its runs."),
    ]
    name: Annotated[str | None, doc("The scenario in words.")] = None
    kind: Annotated[
        Name | None,
        doc(
            "What was asked for: fix, refactor, feature, behaviour, or awareness (aware). Awareness is "
            "graded on the answer's text, all others on the built project: the two are never added up."
        ),
    ] = None
    axis: Annotated[Name | None, doc("The kind, in head-to-head rows.")] = None
    model: Annotated[
        Name | None,
        doc("The model under test; of the role primary, where roles run on different models."),
    ] = None
    agent: Annotated[Name | None, doc("The agent under test, in head-to-head rows, which name no model.")] = (
        None
    )
    label: Annotated[str | None, doc("The agent's name for readers, in head-to-head rows.")] = None
    continuation: Annotated[Name | None, doc("The model of every role but primary.")] = None
    with_brain: Annotated[
        bool | None,
        doc(
            "Whether the project-knowledge pass ran before the task: an ablation of the architecture, "
            "not another model."
        ),
    ] = None
    with_plan: Annotated[
        bool | None,
        doc(
            "Whether a planning step ran before editing: an ablation of the architecture, not another model."
        ),
    ] = None
    mode: Annotated[str | None, doc("The configuration by its name, in the newer shape.")] = None
    config: Annotated[
        dict[str, Any] | str | None,
        doc("The configuration in full, in the newer shape, or its name."),
    ] = None
    change: Annotated[
        Fraction | None,
        doc(
            "Fraction of the task's own assertions that pass on the built project; only 1 says that the task "
            "was done. For awareness, the F1 of the files named in the answer against the true ones. As "
            "recorded, perhaps rounded: where there is a detail, the detail counts."
        ),
    ] = None
    change_detail: Annotated[
        tuple[tuple[str, bool], ...] | None,
        doc("The task's assertions one by one: name, and whether it passed."),
    ] = None
    regress: Annotated[
        Fraction | None,
        doc(
            "Fraction of a separate, untouched set of assertions that still pass: every page of the "
            "application is rendered and looked at. It measures collateral damage. Null where no such set "
            "was run (awareness), which is neither 1 nor 0."
        ),
    ] = None
    regress_misses: Annotated[
        tuple[str, ...] | None, doc("Names of the regression assertions that failed.")
    ] = None
    regress_total: Annotated[Count | None, doc("Size of the regression set.")] = None
    changed_files: Annotated[tuple[str, ...] | None, doc("Files that the agent modified.")] = None
    answer_files: Annotated[tuple[str, ...] | None, doc("Files that the answer names (awareness).")] = None
    truth_files: Annotated[tuple[str, ...] | None, doc("Files that it should have named (awareness).")] = None
    error: Annotated[
        str | None,
        doc("Why the run itself failed. Such a run is an execution error: it has no verdict."),
    ] = None
    grader_version: Annotated[
        str | int | float | None,
        doc("Version of what graded this run. Another version is another instrument, and another stratum."),
    ] = None
    wall_s: Annotated[Seconds | None, doc("Wall-clock time of the run.")] = None
    calls: Annotated[Count | None, doc("Model and tool calls of the run.")] = None
    cost: Annotated[
        Dollars | None,
        doc("Cost as the harness priced it, with the table of its day. It is recomputed from the tokens."),
    ] = None
    prompt_tokens: Annotated[Tokens | None, doc("Input tokens, cached ones included.")] = None
    completion_tokens: Annotated[Tokens | None, doc("Output tokens.")] = None
    cached_tokens: Annotated[Tokens | None, doc("Input tokens served from the provider's cache.")] = None
    rep: Annotated[Count | None, doc("Which repetition of the scenario this is.")] = None
    metrics: Annotated[RunMetrics | None, doc("Totals and use by role, in the newer shape.")] = None
    turns: Annotated[tuple[Any, ...] | None, doc("Turns of the conversation, in head-to-head rows.")] = None

    def __post_init__(self) -> None:
        if self.model is None and self.agent is None:
            raise ValueError("expected a model, or an agent: both are missing")
        if self.kind is None and self.axis is None:
            raise ValueError("expected a kind, or an axis: both are missing")

    @property
    def arm(self) -> str:
        """What is under test: the model, else the agent."""
        return self.model or self.agent or ""

    @property
    def kind_(self) -> str:
        """The kind, else the axis, in lower case: kinds compare without it."""
        return (self.kind or self.axis or "").lower()

    @property
    def on_claims(self) -> bool:
        """Whether the run is graded on what the answer claims, rather than on what was built."""
        return self.kind_ in CLAIM_KINDS

    @property
    def configuration(self) -> str | None:
        """The ablation as ``brain=on plan=off``, else the mode, else the configuration's name, else None."""
        if self.with_brain is not None or self.with_plan is not None:
            word = {True: "on", False: "off", None: "not recorded"}
            return f"brain={word[self.with_brain]} plan={word[self.with_plan]}"
        if self.mode is not None:
            return self.mode
        if isinstance(self.config, str):
            return self.config
        mode = (self.config or {}).get("mode")
        return mode if isinstance(mode, str) else None

    @property
    def recorded_cost(self) -> float | None:
        """US dollars as the harness wrote them; None where it wrote none."""
        if self.cost is not None or self.metrics is None:
            return self.cost
        return self.metrics.cost_usd
