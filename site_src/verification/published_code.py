"""What is done about the contracts of a site that is checked: they are somebody's code.

They are run in a cage or not at all, unless whoever checks says otherwise. In what the site was built is
told and compared with nothing: it is a word about the builder's machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from metrics_core.experiments import Experiment
from metrics_core.results import Report

CAGE = re.compile(r"none|landlock \d{1,3} seccomp(?: mounts)?")
"""How a report says in what a contract ran."""


def only_caged(experiment: Experiment) -> Experiment:
    """The same experiment, whose contracts are run in a cage or not at all."""
    return replace(experiment, contracts=tuple(replace(c, only_caged=True) for c in experiment.contracts))


def as_built(report: Report, published: Mapping[str, Any]) -> Report:
    """A report that says of each user's contract what the published one says: in what it ran there.

    Args:
        report: Recomputed here.
        published: As the site gives it; a word that no report has is not taken over.
    """
    said = {(c["id"], c["version"], c["digest"]): c.get("cage") for c in published["contracts"]}
    words = {key: word for key, word in said.items() if isinstance(word, str) and CAGE.fullmatch(word)}
    contracts = tuple(
        replace(used, cage=words[key])
        if used.cage is not None and (key := (used.ref.id, used.ref.version, used.ref.digest)) in words
        else used
        for used in report.contracts
    )
    by_digest = {used.ref.digest: {"cage": used.cage} for used in contracts if used.cage is not None}
    scores = tuple(
        {**score, "env": {**score["env"], **by_digest.get(score["digests"]["closure"], {})}}
        for score in report.score_reports
    )
    return replace(report, contracts=contracts, score_reports=scores)


def told(measured: Iterable[tuple[Report, Mapping[str, Any]]]) -> tuple[str, ...]:
    """In what each user's contract ran here, and in what when the site was built.

    Args:
        measured: Reports as they were recomputed here, each with the published one.
    """
    found = {}
    for report, published in measured:
        there = {c["digest"]: c.get("cage") for c in published["contracts"]}
        for used in report.contracts:
            if used.cage is not None:
                word = there.get(used.ref.digest)
                known = isinstance(word, str) and CAGE.fullmatch(word)
                found[used.ref] = f"{used.ref.id} v{used.ref.version}: cage here {used.cage}, " + (
                    f"when it was built {word}" if known else "when it was built not told"
                )
    return tuple(found.values())
