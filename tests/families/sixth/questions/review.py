"""What a reader is shown of one answer: both verdicts with what they do not establish, and money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from metrics_core.families.questions.grading import (
    ANSWERS,
    dims_of,
    exact_of,
    facts_stated,
    progress_of,
    recall_of,
    stratum_of,
    usages_of,
)
from metrics_core.families.questions.metrics import outcomes_of
from metrics_core.families.questions.record import QuestionRun
from metrics_core.families.review_parts import cost_lines, gaps, losses
from metrics_core.formats import Row, utc
from metrics_core.measurement import Context
from metrics_core.results import CheckLine, Review, Step, Verdict, run_name


def review(rows: Sequence[Row], context: Context) -> Iterator[Review]:
    """What a reader is shown of each answer, in order of the rows."""
    for row in rows:
        run: QuestionRun = row.record
        exact = _exact(run)
        yield Review(
            experiment=context.experiment,
            family="questions",
            run=run_name("questions", row.file, row.line),
            title=run.question_id,
            task=run.question_id,
            group=dims_of(run, context),
            stamp=None if run.stamp is None else utc(run.stamp),
            file=row.file,
            line=row.line,
            verdicts=(exact, _recall(run)),
            facets=(exact.word,),
            lost=losses([progress_of(run)], ANSWERS.stages),
            gaps=gaps(outcomes_of(run)),
            checks=tuple(CheckLine(name, stated) for name, stated in run.facts or ()),
            facts=() if run.error is None else (("error", run.error),),
            costs=cost_lines(usages_of(run), run.cost_usd, context),
            record=msgspec.json.decode(row.raw),
        )


def _exact(run: QuestionRun) -> Verdict:
    state, why = exact_of(run)
    right = run.exact if state == "known" else None
    return Verdict(
        metric="exact_pass",
        title="Exact",
        stratum=stratum_of(run),
        state=state,
        word=state if right is None else "exact" if right else "another answer",
        value=None if right is None else float(right),
        unit="fraction",
        n=int(right is True),
        N=int(right is not None),
        of="judged answers",
        good=right,
        reason=why,
        chain=(Step("Answer", run.answer or "none"), Step("Judged", why or "yes", ends=right is None)),
        silent="That the answer was not guessed" if run.form == "choice" else "Why the answer is what it is",
    )


def _recall(run: QuestionRun) -> Verdict:
    state, why = recall_of(run)
    known = state == "known"
    stated, all_of_them = facts_stated(run), len(run.facts or ())
    return Verdict(
        metric="recall",
        title="Recall",
        stratum=stratum_of(run),
        state=state,
        word=f"{stated} of {all_of_them} facts" if known else state,
        value=stated / all_of_them if known else None,
        unit="fraction",
        n=stated if known else 0,
        N=all_of_them if known else 0,
        of="facts",
        good=stated == all_of_them if known else None,
        reason=why,
        chain=(Step("Facts", why or "each was looked for in the answer", ends=not known),),
        silent="That what else the answer states is true",
    )
