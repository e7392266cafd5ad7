"""Pooling, and its refusal: unlike things are never added, and the message says why."""

from __future__ import annotations

from msgspec import Struct

from metrics_core.errors import PoolingError
from metrics_core.results.estimate import Estimate, Tally

POOLING_RULES = {
    "family": "each family measures something else",
    "metric": "two metrics are two questions",
    "unit": "numbers of different units have no sum",
    "of": "counts of different things have no sum",
    "suite": "two benchmarks are two things",
    "graded": "a claim and an artefact are not graded by the same instrument",
    "check": "a syntax-only pass is not the claim of an executed check",
    "measured": "a layer alone and the whole pipeline are two things",
    "coder": "a reference coder is not the pipeline's own",
    "layer": "a layer's cost or time is a part of the pipeline's, not another run's",
    "condition": "a benign task and a task under attack are two things",
    "unaligned": "an agent made to work against its user is another agent",
    "evaluator": "an assertion is not measured evidence",
    "harness": "an attempt in process and one in a workflow are lost at different stages",
    "grader": "a grader that changed is another instrument",
    "split": "probe items never enter a headline",
    "judge": "two judges err in two ways",
    "criterion": "two criteria are two questions",
    "scorer": "two scorers are two instruments",
    "benchmark_version": "a benchmark that changed is another benchmark",
    "lies_in": "a folder around runs may name what they were made under",
    "prompt": "under another prompt it is another arm, and a prompt that moved is a moving target",
    "tools": "with other tools it is another arm, and tools that moved are a moving target",
    "contract": "an instrument that changed is another instrument",
    "pack": "a moved row is a new experiment",
    "prices": "money of two price tables has no sum",
}
"""Why two strata are never added, by the field that differs; first what makes others differ, as a suite."""


class Unlike(Struct, frozen=True):
    """Two arms that are not compared: the first field in which they differ, and what each has there.

    Attributes:
        field: Key of a stratum, or ``contract``.
        a: The first arm, and its value there.
        b: The second arm, and its value there.

    >>> str(Unlike("pack", ("alpha", "sha256:0a"), ("beta", "not stated")))
    'pack is sha256:0a for alpha and not stated for beta: a moved row is a new experiment'
    """

    field: str
    a: tuple[str, str]
    b: tuple[str, str]

    def __str__(self) -> str:
        (a, here), (b, there) = self.a, self.b
        rule = POOLING_RULES.get(self.field, "two strata")
        return f"{self.field} is {here} for {a} and {there} for {b}: {rule}"


def refuse_pooling(a: Estimate, b: Estimate) -> None:
    """Raise `PoolingError` naming the first field in which two estimates are unlike things.

    There is no flag that turns this off.
    """
    found = first_unlike(a, b)
    if found is not None:
        name, mine, theirs = found
        rule = POOLING_RULES.get(name, "they are two strata")
        raise PoolingError(
            f"cannot pool with {b.id}: {name} is {mine!r} here and {theirs!r} there; {rule}",
            where=a.id,
            hint="show them side by side",
        )


def first_unlike(a: Estimate, b: Estimate) -> tuple[str, object, object] | None:
    """The first field in which two estimates are unlike things, and both values; None where they are alike.

    Args:
        a: Any estimate.
        b: Another, of the same experiment or of another one.
    """
    fields: list[tuple[str, object, object]] = [
        (name, getattr(a, name), getattr(b, name)) for name in ("family", "metric", "unit", "of")
    ]
    fields += [(key, a.stratum.get(key), b.stratum.get(key)) for key in a.stratum.differing(b.stratum)]
    fields += [("contract", a.contract.digest, b.contract.digest), ("pack", a.pack, b.pack)]
    fields += [("prices", a.prices, b.prices)]
    return next((field for field in fields if field[1] != field[2]), None)


def pool(a: Estimate, b: Estimate) -> Tally:
    """Add the counts of two estimates of one stratum, runs by state.

    Args:
        a: Any estimate of shares that is not withheld.
        b: Another of the same family, metric, stratum, contract, pack and price table.

    Returns:
        Tally whose ``true`` and ``false`` are counted in the estimates' ``of``.

    Raises:
        PoolingError: They are unlike things; the message names the field and the rule.
    """
    refuse_pooling(a, b)
    total = Tally()
    for e in (a, b):
        if e.n is None or e.N is None:
            raise PoolingError(f"{e.id} is withheld: {e.withheld}", where=a.id)
        total += Tally(e.n, e.N - e.n, e.unknown, e.invalid, e.errors)
    return total
