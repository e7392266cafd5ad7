"""What one run shows to a reader: verdicts with the chain that established each, its parts, what was said.

`Review` is the shape between a family, which knows what a record means, and the review pages, which know no
family. It holds values of a single record, so no interval and no pooling; nothing here is aggregated.
`Transcript` is the shape between a format, which knows where it keeps what was said, and the same pages: text
as the source has it, of which nothing is counted, and no verdict stands on it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.results.estimate import Polarity, State
from metrics_core.results.keys import NO_KEYS, Keys

PassageKind = Literal["input", "target", "answer", "judge", "error"]
"""What a passage is: what was asked, what was wanted, what was given, a judge's words, why it failed."""


class RunLoss(NamedTuple):
    """The stage that a run did not reach in the funnel of one stratum, with state and reason."""

    stage: str
    state: State
    reason: str
    stratum: Keys = NO_KEYS


class Gap(NamedTuple):
    """A metric that has no known value of a run, the state of that run, and the stratum it is counted in."""

    metric: str
    state: State
    stratum: Keys = NO_KEYS


class MessagePart(Struct, frozen=True):
    """One part of a message.

    Attributes:
        text: As the source has it; of what is no text (an image, a file), its reference or its data.
        kind: ``text``, ``reasoning``, or what the source calls it: ``image``, ``audio``, ``document``.
    """

    text: str
    kind: str = "text"


class ToolCall(Struct, frozen=True):
    """A tool that a message asks for, and its arguments in order, each value as text: JSON unless a text."""

    name: str
    arguments: tuple[tuple[str, str], ...] = ()


class Message(Struct, frozen=True, kw_only=True):
    """One message.

    Attributes:
        role: As the source spells it; empty where it has none.
        name: Of the tool that answers, or of whoever speaks; empty where it has none.
        error: What the source says went wrong with it; empty where nothing.
    """

    role: str
    parts: tuple[MessagePart, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    name: str = ""
    error: str = ""

    @property
    def text(self) -> str:
        """Its parts that are text, one after another."""
        return "\n".join(part.text for part in self.parts if part.kind == "text")


class Passage(Struct, frozen=True):
    """What the source holds beside the messages; ``by`` names whose or which it is: a scorer, a field."""

    kind: PassageKind
    text: str
    by: str = ""


class Transcript(Struct, frozen=True, kw_only=True):
    """Everything of one run that can be read.

    Attributes:
        messages: In the source's order.
        passages: Beside them, in the order in which they are read.
        injected: Text that an attack put in front of the agent, by name of the place.
    """

    messages: tuple[Message, ...] = ()
    passages: tuple[Passage, ...] = ()
    injected: tuple[tuple[str, str], ...] = ()

    def changed(self, change: Callable[[str], str]) -> Transcript:
        """The same with each of its texts changed.

        Args:
            change: A text -> another.

        >>> Transcript(passages=(Passage("answer", "yes"),)).changed(str.upper).passages
        (Passage(kind='answer', text='YES', by=''),)
        """
        return Transcript(
            messages=tuple(_changed(each, change) for each in self.messages),
            passages=tuple(
                replace(each, text=change(each.text), by=change(each.by)) for each in self.passages
            ),
            injected=tuple((change(place), change(text)) for place, text in self.injected),
        )


def _changed(message: Message, change: Callable[[str], str]) -> Message:
    return Message(
        role=change(message.role),
        parts=tuple(MessagePart(change(part.text), change(part.kind)) for part in message.parts),
        calls=tuple(
            ToolCall(change(call.name), tuple((change(name), change(text)) for name, text in call.arguments))
            for call in message.calls
        ),
        name=change(message.name),
        error=change(message.error),
    )


class Step(Struct, frozen=True):
    """One link of the chain that established a verdict; ``ends`` where the chain breaks off here."""

    name: str
    text: str
    ends: bool = False


class Verdict(Struct, frozen=True, kw_only=True):
    """What one metric says of this run.

    Attributes:
        state: ``known``, or why there is nothing in N.
        word: The metric's own word for the outcome: "achieved", "held", "all pass", "unknown".
        value: In the metric's unit; None where the state is not known.
        n, N, of: Counts of this one run, e.g. 5 of 7 assertions.
        good: True where the outcome speaks for the model, False against it, None where neither.
        chain: Links in the order in which they were followed; only the last one may end it.
        silent: What the check does not establish.

    Raises:
        ValueError: A chain breaks off before its last link, or that of a known verdict breaks off.
    """

    metric: str
    title: str
    stratum: Keys
    state: State
    word: str
    value: float | None
    unit: str
    n: int
    N: int
    of: str
    good: bool | None
    polarity: Polarity = "for"
    reason: str = ""
    chain: tuple[Step, ...] = ()
    silent: str = ""

    def __post_init__(self) -> None:
        broken = [step.name for step in self.chain if step.ends]
        if broken and (self.state == "known" or broken != [self.chain[-1].name]):
            raise ValueError(f"{self.metric} is {self.state}, and its chain breaks off at {broken}")


class CheckLine(Struct, frozen=True):
    """One named assertion of this run; None where its outcome is not known."""

    name: str
    passed: bool | None
    note: str = ""


class CostLine(Struct, frozen=True, kw_only=True):
    """Money of this run from one source. Tokens are counts, None where not recorded; ``usd`` US dollars.

    Attributes:
        unproven: Whether it is a recorded 0 for tokens that nothing prices, which is not known to be free.
        part: What part of the run it is the money of, such as one layer; empty where it is the whole run's.
    """

    source: str
    input: int | None
    cached: int | None
    output: int | None
    usd: float | None
    prices: str | None
    note: str = ""
    unproven: bool = False
    part: str = ""


class Review(Struct, frozen=True, kw_only=True):
    """One run, as its page shows it.

    Attributes:
        run: Name of the run within the experiment: digest of family, file and line, 12 hex digits.
        group: ``model`` and the family's other keys.
        facets: What lists are filtered by, words only: ``done, but broken``, ``error``, ...
        lost: How it was lost in each funnel that it is in, the earliest stage first; of one that it came
            through, nothing.
        gaps: Every metric that has no known value of it, as its attempts count it; of money none.
        repeated: Whether the same record, byte for byte, was counted before: it is in no number.
        uncounted: Why no number counts the assertions, though some are recorded; empty where they count.
        lists: Named lists of record text: files changed, pages that broke.
        broken: What worked before the run and does not after it, by name.
        facts: Named scalars of the record: wall-clock, calls, stamp.
        apart: What tells this run from others of its task, beside arm and stamp: a repetition, an injection.
        record: The record itself, decoded: as published, or, where there is a source, as it was read.
        source: The element of an outside file that the record was made from, as published; else empty.
        read: What the source's format makes of it for a reader; None where it holds no messages.
    """

    experiment: str
    family: str
    run: str
    title: str
    task: str
    group: Keys
    stamp: str | None
    file: str
    line: int
    verdicts: tuple[Verdict, ...]
    facets: tuple[str, ...] = ()
    lost: tuple[RunLoss, ...] = ()
    gaps: tuple[Gap, ...] = ()
    checks: tuple[CheckLine, ...] = ()
    repeated: bool = False
    uncounted: str = ""
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    broken: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    costs: tuple[CostLine, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    record: Any = None
    source: bytes = b""
    read: Callable[[bytes], Transcript] | None = None

    @property
    def usd(self) -> float | None:
        """US dollars of the whole run by the first source that knows them; None where none does."""
        whole = (c for c in self.costs if not c.part and not c.unproven)
        return next((c.usd for c in whole if c.usd is not None), None)

    def transcript(self) -> Transcript | None:
        """What can be read of the run, made from its source when it is asked for; None where there is none.

        Raises:
            FormatError: The source cannot be read.
        """
        return self.read(self.source) if self.read is not None and self.source else None


def run_name(family: str, file: str, line: int) -> str:
    """Name of a run within its experiment: 12 hex digits of family, file and line.

    The record's text is not part of it, so that a corrected record keeps its address.
    """
    return hashlib.sha256(f"{family}\0{file}\0{line}".encode()).hexdigest()[:12]
