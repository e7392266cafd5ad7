"""The family attempts: its contract and controls with the run pages and words that readers meet.

Apart from `metrics_core.families.attempts.metrics`, so that what moves no number is no part of the contract:
pages, words, golden fixtures, and controls, which decide whether a number is shown and not what it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from metrics_core.contracts import Contract
from metrics_core.families.attempts import FOLDER
from metrics_core.families.attempts.evaluator import KINDS
from metrics_core.families.attempts.fixtures import FIXTURES
from metrics_core.families.attempts.grading import REDERIVED, TRACKS
from metrics_core.families.attempts.metrics import FOLDERS, METRICS, observe
from metrics_core.families.attempts.record import Attempt
from metrics_core.families.attempts.review import review
from metrics_core.families.attempts.words import WORDS
from metrics_core.measurement import Context, Family, RowBatches
from metrics_core.results import Control, ControlCheck, ControlState, Keys
from metrics_core.text import many, visible

CONTRACT = Contract(
    id="assay/attempts",
    version="1",
    title="Attempts: utility, security and autonomy",
    module="metrics_core.families.attempts.metrics",
    promise=tuple((m.name, m.estimand) for m in METRICS),
    fixtures=FIXTURES,
)


def controls(context: Context, recorded: Mapping[str, bytes], rows: RowBatches) -> Iterator[Control]:
    """What established the known verdicts: a state check, a judge, an assertion, or nothing that is told."""
    kinds = Counter({kind: context.tallied.get(Keys({"evaluator": kind}), 0) for kind in ("", *KINDS)})
    rederived = context.tallied.get(Keys({"basis": REDERIVED}), 0)
    total, measured = kinds.total(), kinds.total() - kinds["assertion"]
    named = measured - kinds[""]
    told = f"{kinds['state']} by a state check, {kinds['judge']} by a judge"
    if kinds[""]:
        told += f", {kinds['']} by a kind that was not recorded"
    if kinds["assertion"]:
        told += f", {kinds['assertion']} by assertion, which enter no measured estimate"
    check = ControlCheck(
        name="Measured verdicts", must="come from a state check or a judge", n=named, N=measured,
        faults=(("kind not recorded", many(kinds[""], "verdict")),) if kinds[""] else (),
    )  # fmt: skip
    against = {keys["contradicted"]: n for keys, n in context.tallied.items() if "contradicted" in keys.names}
    if against:
        told += f"; {sum(against.values())} against what the settings state for {', '.join(sorted(against))}"
    state: ControlState = "not applicable" if not measured else "missing" if kinds[""] else "held"
    yield Control(
        name="evaluator kind",
        title="evaluator kind",
        state="failed" if against else state,
        detail=f"{many(total, 'known verdict')}: {told}; {_source(rederived, total)}"
        if total
        else "no verdict is known",
        guards="attempts",
        checks=(check, *_against(against, context)),
    )


def _source(rederived: int, total: int) -> str:
    """How many of all known verdicts the evidence gave, and how many a record."""
    if rederived in (0, total):
        return "all re-derived from evidence" if rederived else "all as recorded"
    return f"{rederived} re-derived from evidence, the others as recorded"


def _against(against: Mapping[str, int], context: Context) -> Iterator[ControlCheck]:
    """Scenarios of the settings, and in which of them a record names another evaluator."""
    stated = [name for setting, name in context.names if setting == "evaluators"]
    N = len(set(stated) & context.settings.evaluators.keys())
    if N:
        faults = tuple(
            (visible(scenario, escaped=True), f"{n} verdicts were established otherwise")
            for scenario, n in sorted(against.items())
        )
        yield ControlCheck(
            name="Evaluators that the settings state", must="contradict no record", n=N - len(faults), N=N,
            faults=faults,
        )  # fmt: skip


FAMILY = Family(
    name="attempts",
    title="Attempts",
    folder=FOLDER,
    contract=CONTRACT,
    record=Attempt,
    metrics=METRICS,
    tracks=TRACKS,
    observe=observe,
    review=review,
    words=WORDS,
    controls=controls,
    gates=("evaluator kind",),
    folders=FOLDERS,
)
