"""What one answer comes to: whether it is exact, which facts it states, and how far it came."""

from __future__ import annotations

from metrics_core.families.questions.record import QuestionRun
from metrics_core.measurement import Context, Progress, Track
from metrics_core.pricing import Usage
from metrics_core.results import Keys, State

ANSWERS = Track("answers", (("answered", False), ("judged", False), ("exact", True)))
NOT_JUDGED, NO_FACTS, NOT_RECORDED = "not judged", "no fact of the reference was looked for", "not recorded"


def exact_of(run: QuestionRun) -> tuple[State, str]:
    """Whether it is known that the answer is exact or another one; if not, why."""
    if run.error is not None:
        return "error", run.error
    return ("unknown", NOT_JUDGED) if run.exact is None else ("known", "")


def recall_of(run: QuestionRun) -> tuple[State, str]:
    """Whether it is known which facts the answer states; if not, why."""
    if run.error is not None:
        return "error", run.error
    return ("known", "") if run.facts else ("unknown", NO_FACTS)


def facts_stated(run: QuestionRun) -> int:
    """How many facts of the reference the answer states."""
    return sum(stated for _, stated in run.facts or ())


def progress_of(run: QuestionRun) -> Progress:
    """How far the answer came."""
    form = stratum_of(run)
    state, why = exact_of(run)
    if state == "error":
        return Progress(ANSWERS.name, form, 0, state, why)
    if not run.answer:
        return Progress(ANSWERS.name, form, 0, "known", "no answer")
    if state == "unknown":
        return Progress(ANSWERS.name, form, 1, state, why)
    if run.exact:
        return Progress(ANSWERS.name, form, 3)
    return Progress(ANSWERS.name, form, 2, "known", "another answer")


def usages_of(run: QuestionRun) -> tuple[Usage, ...] | None:
    """The tokens of an answer, or None where they were not recorded."""
    if run.input_tokens is None or run.output_tokens is None:
        return None
    return (Usage(run.model, run.input_tokens, 0, run.output_tokens),)


def stratum_of(run: QuestionRun) -> Keys:
    """The form of an answer, over which nothing is pooled."""
    return Keys({"form": run.form})


def dims_of(run: QuestionRun, context: Context) -> Keys:
    """The model that answered, and the question."""
    return Keys({"model": context.arm(run.model), "scenario": run.question_id})
