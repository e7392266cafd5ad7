"""One answer to one question with a known reference, as a question-answering harness wrote it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from metrics_core.formats import Count, Dollars, Name, Seconds, Stamp, Tokens, doc


class QuestionRun(Struct, frozen=True, kw_only=True, gc=False):
    """One answer by one model. A value that was not recorded is None, null or missing."""

    question_id: Annotated[Name, doc("The question. Answers to one question err together.")]
    model: Annotated[Name, doc("The model that answered.")]
    form: Annotated[
        Literal["free", "choice"],
        doc("Whether the answer was written freely or chosen from options: a chosen one may be a guess."),
    ]
    rep: Annotated[Count | None, doc("Which repetition of the question this is.")] = None
    answer: Annotated[str | None, doc("The answer as given; empty where the model gave none.")] = None
    exact: Annotated[
        bool | None,
        doc("Whether the answer is the reference, once both are normalised; null where it was not judged."),
    ] = None
    facts: Annotated[
        tuple[tuple[Name, bool], ...] | None,
        doc("Facts of the reference, each with whether the answer states it; null where nobody looked."),
    ] = None
    input_tokens: Annotated[Tokens | None, doc("Input tokens of the answer.")] = None
    output_tokens: Annotated[Tokens | None, doc("Output tokens of the answer.")] = None
    cost_usd: Annotated[Dollars | None, doc("Cost as the harness priced it.")] = None
    wall_s: Annotated[Seconds | None, doc("Seconds until the answer was there: context, no score.")] = None
    error: Annotated[str | None, doc("Why the run itself failed; such a run has no verdict.")] = None
    stamp: Annotated[Stamp | None, doc("When the answer was given.")] = None
