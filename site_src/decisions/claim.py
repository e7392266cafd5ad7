"""What a decision may claim: seven kinds of sentences that a number can bear out or contradict.

Does: hold one claim, check that it is whole, name it so that it is recognised again, and make its sentence
where its author gave none. Does not: know what the reports hold; `site_src.decisions.resolving` does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import Final, Literal

from metrics_core.text import visible
from metrics_core.vocabulary import Vocabulary
from site_src.naming import metric_words, sentence_case
from site_src.references import Asked, asked
from site_src.rounding import number

Kind = Literal["above", "not worse than", "separated from", "at least", "at most", "below", "control"]

COMPARED: Final[tuple[Kind, ...]] = ("above", "not worse than", "separated from")
"""Kinds about two arms; their line lies on the axis of differences."""

LEVELS: Final[tuple[Kind, ...]] = ("at least", "at most", "below")
"""Kinds about one arm; their line lies on the axis of the metric itself."""

MODEL: Final = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim, as its author wrote it.

    Attributes:
        kind: ``above``, ``not worse than``, ``separated from``; ``at least``, ``at most``, ``below``;
            ``control``.
        where: ``file:line`` at which it begins; every error about it begins with that.
        metric: Reference to the metric, without the arm: ``gh-2026/attempts.security condition=benign``.
        of: The arm that it is about; empty where the reference names all keys itself.
        than: The arm it is held against, for the kinds of `COMPARED`.
        within: ``key=value ...`` in which the other side differs, such as ``experiment=brownfield-2026-05``.
        line: What is claimed, in the metric's unit: the least, the most, the margin (0 for none).
        unit: Of ``line``, for ``below``: ``USD``, ``s``, ``count``.
        over: The group key that the arms are values of.
        control, experiment: Which control holds, and where.
        awaited: That there may be no such run yet, so that a name nobody knows is no mistake.
        said: The author's sentence; empty where none was given.
        words: Of the metric's family, once it is judged.

    Raises:
        ValueError: A part is missing, or one that the kind has not.
    """

    kind: Kind
    where: str
    metric: str = ""
    of: str = ""
    than: str = ""
    within: str = ""
    line: float = 0.0
    unit: str = ""
    over: str = MODEL
    control: str = ""
    experiment: str = ""
    awaited: bool = False
    said: str = ""
    words: Vocabulary | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if (self.kind == "control") != bool(self.control) or (self.kind == "control") == bool(self.metric):
            raise ValueError(f"{self.where}: a claim is about a metric, or about a control")
        if (self.kind in COMPARED) != bool(self.than) or (self.than and not self.of):
            raise ValueError(f"{self.where}: {self.kind} needs two arms exactly if it compares")
        if not isfinite(self.line) or (self.kind in COMPARED and self.line < 0):
            raise ValueError(f"{self.where}: a claimed line at {self.line}")
        if self.kind == "below" and not self.unit:
            raise ValueError(f"{self.where}: below needs a unit")

    @property
    def identity(self) -> str:
        """The claim without its sentence: equal for two editions of one claim, whatever its words.

        The line stands in it in full, so that two lines that round alike are two claims.
        """
        about = (self.metric, self.over, self.of, self.than, self.within)
        parts = (self.kind, *about, self.line_in_full, self.unit, self.control, self.experiment)
        return " · ".join(part for part in parts if part)

    @property
    def line_in_full(self) -> str:
        """The claimed line to its last digit, as its author may have typed it."""
        return repr(self.line).removesuffix(".0")

    @property
    def asked(self) -> Asked:
        """The reference without the arm."""
        return asked(self.metric, self.where)

    def side(self, arm: str, within: str = "") -> Asked:
        """The reference to one arm; ``within`` replaces keys of it."""
        found = self.asked
        keys = found.keys | (asked(f"x.y {within}", self.where).keys if within else ())
        keys |= {self.over: arm} if arm else {}
        words = f"{self.metric} {self.over}={arm}" if arm else self.metric
        return Asked(f"{words} {within}".strip(), found.family, found.metric, keys, self.where)

    @property
    def names(self) -> str:
        """Whom or what it is about, as short as a label: first less second, or the one arm."""
        if self.kind == "control":
            return visible(self.experiment)
        if not self.than:
            return visible(self.of) or "all"
        other = visible(self.than)
        if self.within:
            other = f"{other} ({visible(self.within.partition('=')[2])})"
        return f"{visible(self.of)} − {other}"

    @property
    def says(self) -> str:
        """The author's sentence, or the claim in plain words."""
        return self.said or sentence_case(self._plainly())

    def _plainly(self) -> str:
        if self.kind == "control":
            return f"the control {visible(self.control)} of {visible(self.experiment)} held."
        metric = metric_words(self.asked.metric, self.words)
        of, than = (
            visible(self.of),
            visible(self.than) + (f" in {visible(self.within)}" if self.within else ""),
        )
        line = number(self.line, self.unit or "fraction")
        match self.kind:
            case "above":
                return f"on {metric}, {of} is {f'at least {line} ' if self.line else ''}above {than}."
            case "not worse than":
                return f"on {metric}, {of} is not worse than {than} by {line} or more."
            case "separated from":
                return f"on {metric}, {of} and {than} can be told apart."
            case _:
                whose = f" of {of}" if of else ""
                return f"the {metric}{whose} is {self.kind} {line}."
