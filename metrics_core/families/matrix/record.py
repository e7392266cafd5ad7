"""One turn of a scripted conversation between a chat model and a coder model, as the harness wrote it.

Does: hold the fields of a turn, and read the two sides off the log's name where the record has none. Does
not: judge a turn; what its check establishes is the family's question.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from metrics_core.formats import Count, Dollars, Name, Seconds, Stamp, Tokens, doc


class MatrixTurn(Struct, frozen=True, kw_only=True, gc=False):
    """One turn of one script by one pair of models.

    A value that was not recorded is None, whether the field is null or missing; only `scenario_id` and
    `turn_index` cannot be missing. Fields that are not named here are not read.
    """

    scenario_id: Annotated[
        Name, doc("The conversation script. Turns of one script build on each other, and err together.")
    ]
    turn_index: Annotated[Count, doc("Place of the turn in its script; scripts escalate.")]
    rep: Annotated[Count | None, doc("Which repetition of the script this turn belongs to.")] = None
    chat: Annotated[
        Name | None,
        doc("The chat model of the pair; where it is missing, the log's name says it: chat__coder.jsonl."),
    ] = None
    coder: Annotated[
        Name | None,
        doc("The coder model of the pair; where it is missing, the log's name says it: chat__coder.jsonl."),
    ] = None
    type: Annotated[
        Literal["chat", "coder"] | None,
        doc("Who took this turn: the chat model or the coder model. It is the one that is billed for it."),
    ] = None
    check_kind: Annotated[
        str | None,
        doc(
            "How the turn was checked. Code is executed with assertions, or only compiled: a syntax-only "
            "pass is not the claim of an executed one, and the two are never added up. Null where "
            "nothing was checked."
        ),
    ] = None
    check_passed: Annotated[
        bool | None,
        doc("What the check found; null where it gave no verdict. It says nothing without check_kind."),
    ] = None
    grader_version: Annotated[
        str | int | float | None,
        doc("Version of what graded this run. Another version is another instrument, and another stratum."),
    ] = None
    check_note: Annotated[str | None, doc("What the check said, such as the error it met.")] = None
    prompt_tokens: Annotated[Tokens | None, doc("Input tokens of the turn, cached ones included.")] = None
    completion_tokens: Annotated[
        Tokens | None, doc("Output tokens of the turn; 0 where the model gave no answer.")
    ] = None
    cached_tokens: Annotated[Tokens | None, doc("Input tokens served from the provider's cache.")] = None
    cost_usd: Annotated[
        Dollars | None,
        doc("Cost as the harness priced it, with the table of its day. It is recomputed from the tokens."),
    ] = None
    latency_s: Annotated[Seconds | None, doc("Seconds until the answer was there: context, no score.")] = None
    difficulty: Annotated[int | float | str | None, doc("Difficulty as declared for the turn.")] = None
    error: Annotated[
        str | None,
        doc("Why the turn itself failed. Such a turn is an execution error: it has no verdict."),
    ] = None
    stamp: Annotated[Stamp | None, doc("When the turn was made.")] = None

    @property
    def declared(self) -> str | None:
        """The declared difficulty as a word, 2 and 2.0 alike; None where none was declared."""
        if isinstance(self.difficulty, float):
            return f"{self.difficulty:g}"
        return None if self.difficulty is None else str(self.difficulty) or None


def sides(turn: MatrixTurn, file: str) -> tuple[str | None, str | None]:
    """Chat and coder of a turn, each from the record, else from the log's name ``<chat>__<coder>.jsonl``.

    Args:
        turn: The record.
        file: Path of its log, however packed.

    Returns:
        None for a side that neither says; a name that parts in more than two is no answer.

    >>> turn = MatrixTurn(scenario_id="s", turn_index=0, coder="gamma")
    >>> sides(turn, "logs/alpha__beta.jsonl.gz"), sides(turn, "logs/all.jsonl")
    (('alpha', 'gamma'), (None, 'gamma'))
    """
    stem = file.rpartition("/")[2].partition(".jsonl")[0].removesuffix(".parquet")
    named = stem.split("__")
    from_name = (named[0] or None, named[1] or None) if len(named) == 2 else (None, None)
    return turn.chat or from_name[0], turn.coder or from_name[1]
