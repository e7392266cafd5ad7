"""One label of one item: by a person, a rater, or by a judge whose verdicts are held against theirs.

Does: hold a label as it was given. Does not: decide what is true of an item where raters disagree; that is
the family's question.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from metrics_core.formats import Count, Name, Stamp, doc

HUMAN, JUDGE = "human:", "judge"

Rater = Annotated[
    str,
    Meta(
        pattern=r"^(human:.{1,190}|judge(:.{1,190})?)$(?!\n)",
        extra_json_schema={"spelled": "human:NAME, judge or judge:NAME"},
    ),
]
"""``human:NAME``, ``judge`` or ``judge:NAME``: whoever is neither is nobody whose labels mean anything."""


class Label(Struct, frozen=True, kw_only=True, gc=False):
    """One label of one item.

    A value that was not recorded is None, whether the field is null or missing; only `item` and `rater`
    cannot be missing. Fields that are not named here are not read.
    """

    item: Annotated[
        Name,
        doc(
            "What was labelled, such as a conversation or an answer. All labels that share it err together, "
            "several runs of a judge among them."
        ),
    ]
    rater: Annotated[
        Rater,
        doc(
            "Who gave the label: human:NAME is a rater, judge or judge:NAME is a judge. Anybody else is "
            "refused."
        ),
    ]
    verdict: Annotated[
        Literal["pass", "fail", "unknown"] | None,
        doc(
            "The label. Unknown or null: the rater or the judge could not say; it is never a pass or a fail."
        ),
    ] = None
    agent: Annotated[
        Name | None, doc("Whose item it is: labels of two agents on one task are of two items.")
    ] = None
    attempt: Annotated[
        Count | None, doc("Which of the agent's repetitions it is, where several are labelled.")
    ] = None
    criterion: Annotated[
        Name | None, doc("What was asked of the item. Labels by two criteria are two strata.")
    ] = None
    split: Annotated[
        Name | None,
        doc(
            "The part of the items that it is in, such as those that the judge was tuned on and those held "
            "out. Two parts are two strata; an item of which some label states one is in that one."
        ),
    ] = None
    grader_version: Annotated[
        str | int | float | None,
        doc("Version of the judge. Another version is another instrument, and another stratum."),
    ] = None
    error: Annotated[
        str | None, doc("Why the judge's run failed. It is an execution error then, and no verdict.")
    ] = None
    stamp: Annotated[Stamp | None, doc("When the label was given.")] = None
    rep: Annotated[Count | None, doc("Which run of the judge on this item it is.")] = field(
        default=None, name="run"
    )

    @property
    def by_judge(self) -> bool:
        """Whether a judge gave it, and not a person."""
        return not self.rater.startswith(HUMAN)

    @property
    def name(self) -> str:
        """The rater's or judge's own name; a judge without one is ``judge``."""
        return self.rater.partition(":")[2] or JUDGE
