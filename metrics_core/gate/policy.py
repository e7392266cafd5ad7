"""What a candidate must keep to: the rules of a gate, as `gate.yaml` states them.

Does: read them strictly, each error with its line and the nearest name. Does not: look at data.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from metrics_core.errors import ConfigError
from metrics_core.formats import Document, OneLine, Wrong, decode, says, strict_yaml

NAME = "gate.yaml"
MOST_ERRORS = 0.05
"""Part of the planned runs that may fail or be missing where a policy says nothing of it."""

Share = Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")]
Times = Annotated[float, Meta(gt=0, description="a number above 0")]

Days = Annotated[float, Meta(gt=0, description="a number of days above 0")]


class PassHatK(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How often all of k runs of a task must pass."""

    k: Annotated[int, Meta(ge=1, le=10, description="a whole number from 1 to 10"), says("Runs of a task.")]
    at_least: Annotated[Share, says("The least pass^k of the candidate that passes.")]


class Policy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of a gate; each may be left out, and one at least must stand."""

    metric: Annotated[
        OneLine, says("A metric, a scorer, or METRIC key=value; by default what leads the reports.")
    ] = ""
    not_worse_by: Annotated[
        Share | None,
        says(
            "By how much the candidate may be worse on the same tasks, in the metric's unit: it passes where "
            "the lower limit of the difference is no lower, and fails where the upper one is."
        ),
    ] = None
    at_least: Annotated[
        Share | None, says("The least value of the candidate, held against its own interval.")
    ] = None
    cost_ratio: Annotated[
        Times | None,
        says("How many times the baseline's mean cost the candidate may cost, on the same tasks."),
    ] = None
    p95_ratio: Annotated[
        Times | None, says("How many times the baseline's 95th percentile of time the candidate may take.")
    ] = None
    pass_hat_k: Annotated[PassHatK | None, says("pass^k of the candidate.")] = None
    per_task: Annotated[
        Literal["never_lost"] | None,
        says(
            "never_lost: no task that the baseline passed in every run may fail in every run of the "
            "candidate, with two runs of each or more."
        ),
    ] = None
    max_errors: Annotated[
        Share,
        says(
            "Part of the planned runs of either side that may be errors or never recorded; beyond it the "
            "gate is unhealthy."
        ),
    ] = MOST_ERRORS
    slices: Annotated[
        OneLine,
        says(
            "A key of records, of task cards or of tags (topic:code): not_worse_by holds in each slice by "
            "itself; a slice fails after Holm over all of them."
        ),
    ] = ""
    baseline_days: Annotated[
        Days | None,
        says(
            "By how many days the baseline's last run may lie before the candidate's first; beyond that it "
            "is stale."
        ),
    ] = None

    def __post_init__(self) -> None:
        rules = (
            self.not_worse_by,
            self.at_least,
            self.cost_ratio,
            self.p95_ratio,
            self.pass_hat_k,
            self.per_task,
        )
        if all(rule is None for rule in rules):
            raise Wrong(
                "expected a rule, got none", hint="not_worse_by: 0.05 says by how much it may be worse"
            )
        if self.slices and self.not_worse_by is None:
            raise Wrong(
                "expected not_worse_by beside slices, got none", "slices", hint="it holds in each slice"
            )


PLAIN = Policy(not_worse_by=0.05)
"""Where no policy is given: not worse by more than 5 points, and at most 5 % errors."""


def read_policy(data: bytes, name: str = NAME) -> tuple[Policy, Document]:
    r"""A policy from the bytes of its file, and where each of its rules stands.

    Args:
        data: YAML.
        name: Its name, for errors.

    Raises:
        ConfigError: ``name:line#/pointer``, what was expected and what stood there; an unknown rule with the
            nearest.
        FormatError: It is not YAML, or not plain YAML.

    >>> read_policy(b"not_worse_by: 0.1")[0].not_worse_by
    0.1
    >>> read_policy(b"max_errors: 0.1\nnot_worse_than: 0.05")
    Traceback (most recent call last):
    metrics_core.errors.ConfigError: gate.yaml:2#/not_worse_than: ... (nearest: not_worse_by)
    """
    stated = strict_yaml.parse(data, name)
    return decode(stated, Policy, ConfigError), stated
