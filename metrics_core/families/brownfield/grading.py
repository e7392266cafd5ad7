"""What one brownfield record comes to: recomputed from its details, with every problem named.

Counting is the family's business, showing is the review's; both read the same values here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from math import fsum

from msgspec import Struct

from metrics_core.families.brownfield.record import BrownfieldRun
from metrics_core.measurement import Context, Progress, Track
from metrics_core.pricing import Usage
from metrics_core.results import Keys, State, quoted
from metrics_core.statistics import f1

AWARENESS_THRESHOLD = 0.7
MOST_DECIMALS = 9
"""Decimals beyond which a recorded value counts as exact."""
NO_REGRESSION_SET = "no regression set was run"

# An edit is no stage of its own: some tasks are done by leaving the files alone.
ARTEFACT = Track(
    "assertions",
    (
        ("ran without error", False),
        ("at least one assertion passed", False),
        ("all assertions passed", True),
        ("and nothing broken", True),
    ),
)
CLAIM = Track(
    "claims", (("ran without error", False), ("answer graded", False), ("F1 at 0.7 or above", True))
)


class Graded(Struct, frozen=True):
    """What one record comes to before it is named: each value is None where it is not known.

    Attributes:
        state: Of the change, and of the run where it is an error; ``reason`` says why it is not known.
        passed, total: Assertions that hold, and all of them.
        regress: Fraction of the regression set that still passes.
        pages: The same as a count of a count, where the size of the set is recorded.
        unsettled: State and reason where ``regress`` is not known.
        f1: Of the files claimed; ``ungraded`` says why it is not known.
    """

    state: State
    reason: str
    passed: int
    total: int
    regress: float | None
    pages: tuple[int, int] | None
    unsettled: tuple[State, str]
    f1: float | None
    ungraded: str

    @property
    def failed(self) -> bool:
        """Whether the run itself failed, so that it has no verdict at all."""
        return self.state == "error"


def f1_of_files(answer: Sequence[str], truth: Sequence[str]) -> float | None:
    """F1 of the files claimed against the true files, as sets; None where both are empty.

    >>> f1_of_files(["a.php", "b.php"], ["a.php", "c.php", "d.php"])
    0.4
    """
    answered, true = set(answer), set(truth)
    return f1(len(answered & true), len(answered - true), len(true - answered))


def within_rounding(recorded: float, exact: float) -> bool:
    """Whether a recorded value is the exact one, rounded to as many decimals as it shows.

    A recorded 0 or 1 shows none, and says that nothing, or everything, holds: it may be off by what three
    decimals hide, and no more.

    >>> within_rounding(0.714, 5 / 7), within_rounding(0.7, 5 / 7), within_rounding(0.72, 5 / 7)
    (True, True, False)
    >>> within_rounding(1.0, 20 / 21), within_rounding(1.0, 2999 / 3000)
    (False, True)
    """
    spelled = repr(float(recorded))
    shown = MOST_DECIMALS if "e" in spelled else len(spelled.partition(".")[2])
    decimals = 3 if recorded in (0, 1) else min(shown, MOST_DECIMALS)
    return abs(recorded - exact) <= 0.5 / float(10**decimals) + 1e-9


def grade(run: BrownfieldRun) -> tuple[Graded, tuple[tuple[str, str], ...]]:
    """Recompute a record from its details, and say where it contradicts itself."""
    findings: list[tuple[str, str]] = []
    detail = run.change_detail or ()
    passed, total = sum(true for _, true in detail), len(detail)
    if (
        total
        and run.change is not None
        and not run.on_claims
        and not within_rounding(run.change, passed / total)
    ):
        findings.append(
            (
                "change",
                f"recorded {run.change!r}, but {passed} of {total} assertions pass: {passed}/{total} is used",
            )
        )
    if not run.on_claims and run.answer_files is not None and run.truth_files is not None:
        beside = "beside the two lists of files of an awareness task: no F1 is made of them"
        findings.append(("kind", f"{quoted(run.kind_)} {beside}"))
    regress, pages, problem = _regression(run)
    if problem:
        findings.append(("regress", problem))
    score, ungraded = None, ""
    if run.on_claims:
        score, ungraded = run.change, "no F1 and no lists of files recorded"
        if run.answer_files is not None and run.truth_files is not None:
            score = f1_of_files(run.answer_files, run.truth_files)
            ungraded = "no file was named and none is true: F1 is 0/0"
            if score is not None and run.change is not None and not within_rounding(run.change, score):
                findings.append(
                    ("change", f"recorded F1 {run.change!r}, the two lists give {score:.3f}, which is used")
                )
    state: State = "known"
    reason = ""
    if run.error:
        state, reason = "error", "the run itself failed"
    elif not total and run.change is not None and not run.on_claims:
        state, reason = "invalid", "a value without one assertion behind it"
    elif not total:
        state, reason = "unknown", "change was not recorded"
    unsettled: tuple[State, str] = ("unknown", NO_REGRESSION_SET)
    if run.regress is not None and regress is None:
        unsettled = ("invalid", "recorded as whole, yet misses are named")
    graded = Graded(state, reason, passed, total, regress, pages, unsettled, score, ungraded)
    return graded, tuple(findings)


def change_comes_to(run: BrownfieldRun) -> Hashable:
    """What the outcomes of a run depend on of its change and of the lists of files."""
    graded, findings = grade(run)
    if any(at in ("change", "kind") for at, _ in findings):
        return None
    return graded.passed, graded.total, run.change is None, graded.f1, graded.ungraded


def regress_comes_to(run: BrownfieldRun) -> Hashable:
    """What the outcomes of a run depend on of its regression set."""
    graded, findings = grade(run)
    if any(at == "regress" for at, _ in findings):
        return None
    return run.regress is None, graded.regress, graded.pages, graded.unsettled


def _regression(run: BrownfieldRun) -> tuple[float | None, tuple[int, int] | None, str]:
    """What still passes, in pages where their number is recorded, and how the record contradicts itself.

    The names of the misses are the detail: where there are some, they count. Where there are none, the
    recorded fraction does: a name that was not written down is no proof that its page passes.
    """
    recorded, misses, total = run.regress, len(set(run.regress_misses or ())), run.regress_total
    if recorded is None:
        return None, None, ""
    if not misses:
        silent = run.regress_misses is not None and recorded < 1
        return *_in_pages(recorded, total), f"recorded {recorded!r}, yet no miss is named" if silent else ""
    if not total:
        if recorded < 1:
            return recorded, None, ""
        return None, None, f"recorded {recorded!r}, yet misses are named: {misses}"
    left = max(total - misses, 0)
    if within_rounding(recorded, left / total):
        return left / total, (left, total), ""
    by_names = f"{left}/{total} pages pass"
    problem = f"recorded {recorded!r}, but by the names of the misses {by_names}, which is used"
    return left / total, (left, total), problem


def _in_pages(recorded: float, total: int | None) -> tuple[float, tuple[int, int] | None]:
    """A recorded fraction as pages of ``total``, where it is one of them within its rounding."""
    left = round(recorded * total) if total else 0
    if not total or (left == total and recorded < 1) or not within_rounding(recorded, left / total):
        return recorded, None
    return left / total, (left, total)


def stratum_of(run: BrownfieldRun) -> Keys:
    """Whether an artefact was graded or a claim: the two are never added up."""
    return Keys({"graded": "claims" if run.on_claims else "assertions"})


def tallied_of(run: BrownfieldRun) -> Iterator[Keys]:
    """What the negative control is held against: the task by its kind, and the size of the regression set."""
    yield Keys({"kind": run.kind_, "scenario": run.id})
    if run.regress_total is not None:
        yield Keys({"regression set": str(run.regress_total)})


def usages(run: BrownfieldRun) -> tuple[Usage, ...] | None:
    """Tokens by the model that was billed for them; None where the record has none.

    In the newer shape the role ``primary`` ran on ``model`` and every other role on ``continuation``, and all
    cached tokens are the continuation model's.
    """
    metrics = run.metrics
    if metrics is not None and metrics.by_role and run.continuation:
        primary = [r for name, r in metrics.by_role.items() if name == "primary"]
        rest = [r for name, r in metrics.by_role.items() if name != "primary"]
        return (
            Usage(run.arm, sum(r.input_tokens for r in primary), 0, sum(r.output_tokens for r in primary)),
            Usage(
                run.continuation,
                sum(r.input_tokens for r in rest),
                metrics.cached,
                sum(r.output_tokens for r in rest),
            ),
        )
    if metrics is not None and metrics.input_tokens is not None and metrics.output_tokens is not None:
        return (Usage(run.arm, metrics.input_tokens, metrics.cached, metrics.output_tokens),)
    if run.prompt_tokens is None or run.completion_tokens is None:
        return None
    return (Usage(run.arm, run.prompt_tokens, run.cached_tokens, run.completion_tokens),)


def contradicted_totals(run: BrownfieldRun) -> Iterator[tuple[str, str]]:
    """Where what the roles of a run used is not what the run as a whole says: pointer, and what."""
    metrics = run.metrics
    if metrics is None or not metrics.by_role:
        return
    roles = metrics.by_role.values()
    for name, whole, parts in (
        ("input_tokens", metrics.input_tokens, [r.input_tokens for r in roles]),
        ("output_tokens", metrics.output_tokens, [r.output_tokens for r in roles]),
        ("cost_usd", metrics.cost_usd, [r.cost_usd for r in roles]),
    ):
        told = [part for part in parts if part is not None]
        apart = ROUNDING * (len(parts) + 1) if name == "cost_usd" else 0
        if whole is not None and len(told) == len(parts) and abs(fsum(told) - whole) > apart:
            yield f"metrics/{name}", f"recorded {whole:.12g}, but its roles add up to {fsum(told):.12g}"


ROUNDING = 0.51e-6
"""US dollars by which each cost may be off that was rounded to six decimals."""


def progress_of(run: BrownfieldRun, graded: Graded) -> Progress:
    """How far a run came in its track, and what it was lost to."""

    def at(reached: int, state: State = "known", reason: str = "") -> Progress:
        return Progress("claims" if run.on_claims else "assertions", stratum_of(run), reached, state, reason)

    if graded.failed:
        return at(0, "error", graded.reason)
    if run.on_claims:
        if graded.f1 is None:
            return at(1, "unknown", graded.ungraded)
        return at(3) if graded.f1 >= AWARENESS_THRESHOLD else at(2, "known", "F1 below 0.7")
    if graded.state != "known":
        return at(1, graded.state, graded.reason)
    if not graded.passed:
        idle = run.changed_files is not None and not run.changed_files
        return at(1, "known", "no file edited, no assertion passed" if idle else "no assertion passed")
    if graded.passed < graded.total:
        return at(2, "known", "an assertion failed")
    if graded.regress is None:
        return at(3, *graded.unsettled)
    return at(4) if graded.regress == 1 else at(3, "known", "the task was done, something else broke")


def dims_of(run: BrownfieldRun, context: Context) -> dict[str, str]:
    """The finest keys of a run; ``config`` only where the record states one."""
    keys = {"model": context.arm(run.arm), "scenario": run.id, "kind": run.kind_}
    return keys if run.configuration is None else {**keys, "config": run.configuration}
