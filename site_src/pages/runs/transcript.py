"""What was said and done in a run: its messages as text, long ones folded, with a bounded part in the page.

Does: set messages, tool calls, and what stands beside them; mark by exact match where injected text enters
and where a call takes it up. Does not: render anything of them, judge, or read a source. Whatever the page
has no room for stands in the download.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from markupsafe import escape
from msgspec import Struct

from metrics_core.results import Message, MessagePart, Passage, ToolCall, Transcript
from metrics_core.text import visible
from site_src.pages.components import line, text
from site_src.wording import Line, count, listed, many, sentence_case

PAGE = 64 * 2**10
"""Bytes of a transcript that stand in its page, as they are written there."""

LONGEST = 16 * 2**10
"""Bytes of one text, folded part and all."""

UNFOLDED = (24, 2 * 2**10)
"""Lines and bytes of one text that stand unfolded."""

FRAME = 256
"""Bytes that a message takes beside its texts."""

BRIEF = {"system": (2, 400), "developer": (2, 400), "tool": (3, 600), "function": (3, 600)}
"""The same by role, where it is less: policies and results of tools are long, and are skimmed."""

SLACK = (2, 200)
"""Lines and bytes that are too few to fold."""

PLACEHOLDER = 80
"""Characters of what is no text: of an image, the start of its data."""

SHORTEST_TAKEN = 4
"""Characters that an argument has at least to be recognised in another text."""

NOTHING = (
    "This source holds no messages. What the agent did between start and end is not shown here, and no "
    "verdict stands on it."
)


class FoldedText(Struct, frozen=True, kw_only=True):
    """A text of the source.

    Attributes:
        label: What it is, where it is no plain text: ``reasoning``, ``image``.
        injected: Whether it is text that an attack put there.
        text: What is always shown.
        more: How much is folded, in words; empty for nothing.
        rest: What is folded.
        cut: How much is in the download only, in words; empty for nothing.
    """

    label: str = ""
    injected: bool = False
    text: str = ""
    more: str = ""
    rest: str = ""
    cut: str = ""


class CallView(Struct, frozen=True, kw_only=True):
    """A tool call: the tool, and its arguments, one a line."""

    name: str
    arguments: FoldedText


class MessageView(Struct, frozen=True, kw_only=True):
    """One message, or one thing that stands beside them; ``id`` is empty where nothing links to it.

    Attributes:
        number: Place among the messages; empty of what is none.
        role: Whose it is; ``name`` says more of it.
        marks: What was found in it by exact match.
        error: What went wrong with it, as recorded.
    """

    id: str = ""
    number: str = ""
    role: str
    name: str = ""
    marks: tuple[Line, ...] = ()
    texts: tuple[FoldedText, ...] = ()
    calls: tuple[CallView, ...] = ()
    error: tuple[FoldedText, ...] = ()


class TranscriptView(Struct, frozen=True, kw_only=True):
    """Everything that was said, as far as the page has room.

    Attributes:
        groups: What was asked; the messages; what was wanted, given and judged. None of them is empty.
        note: How much of it this is.
    """

    groups: tuple[tuple[MessageView, ...], ...]
    note: Line


class MadeTranscript(Struct, frozen=True):
    """A transcript as its page shows it, and all of it as text where the page has no room for it."""

    view: TranscriptView
    whole: str


class Room:
    """How many bytes of a page are left for a transcript; whether a text was cut for want of them."""

    def __init__(self, left: int = PAGE) -> None:
        self.left = left
        self.cut = False

    def folded(
        self, words: str, unfolded: tuple[int, int] = UNFOLDED, label: str = "", *, injected: bool = False
    ) -> FoldedText:
        """A text as the page shows it.

        Args:
            words: The text.
            unfolded: How many of its lines and bytes stand unfolded.
            label: What it is, where it is no plain text.
            injected: Whether an attack put it there.
        """
        kept = within(words, min(LONGEST, self.left))
        self.left -= weight(kept)
        lines, most = unfolded
        head = within("\n".join(kept.split("\n", lines)[:lines]), most)
        rest = kept[len(head) :]
        if rest.count("\n") <= SLACK[0] and weight(rest) <= SLACK[1]:
            head, rest = kept, ""
        left_out = len(words) - len(kept)
        self.cut = self.cut or bool(left_out)
        return FoldedText(
            label=label,
            injected=injected,
            text=head,
            more=_how_much(rest) if rest else "",
            rest=rest.removeprefix("\n"),
            cut=f"{count(left_out)} more characters are in the download" if left_out else "",
        )


def weight(words: str) -> int:
    """Bytes that a text takes in a page, where what is hidden is spelled and markup is escaped.

    >>> weight("a"), weight("<"), weight("\u200b")
    (1, 4, 12)
    """
    return len(escape(visible(words)).encode())


def within(words: str, most: int) -> str:
    """The start of a text that takes at most so many bytes in a page, whole where it does.

    >>> within("abc", 2), within("<<<", 9), within("abc", 0)
    ('ab', '<<', '')
    """
    kept = words[: max(most, 0)]
    while kept and (taken := weight(kept)) > most:
        kept = kept[: min(len(kept) - 1, len(kept) * most // taken)]
    return kept


def _how_much(rest: str) -> str:
    """What is folded, in lines; of the middle of a line, in characters."""
    if rest.startswith("\n"):
        lines = rest.count("\n")
        return f"{count(lines)} more {'line' if lines == 1 else 'lines'}"
    return f"{count(len(rest))} more characters"


def transcript_view(transcript: Transcript, download: str) -> MadeTranscript:
    """A transcript as its page shows it.

    Args:
        transcript: What can be read of the run.
        download: Address of all of it as text, for where the page has no room for it.
    """
    room = Room()
    asked = [p for p in transcript.passages if p.kind == "input"]
    found = [p for p in transcript.passages if p.kind != "input"]
    before, after = (tuple(_passages(each, room)) for each in (asked, found))
    messages = tuple(_messages(transcript, room))
    whole = room.cut or len(messages) < len(transcript.messages)
    view = TranscriptView(
        groups=tuple(filter(None, (before, messages, after))),
        note=_note(transcript, len(messages), download if whole else ""),
    )
    return MadeTranscript(view, as_text(transcript) if whole else "")


def _note(transcript: Transcript, shown: int, download: str) -> Line:
    total = len(transcript.messages)
    if not total:
        return line(NOTHING)
    few = f"The first {count(shown)} of {many(total, 'message')}" if shown < total else ""
    all_of = f"All {many(total, 'message')}" if total > 1 else "The one message"
    told = f"{few or all_of} of the source, in its order, as text. "
    if not download:
        return line(told)
    return line(told, "Not all of it has room here: ", text("the whole transcript", href=download), ".")


def _passages(passages: Sequence[Passage], room: Room) -> Iterator[MessageView]:
    for each in passages:
        if room.left < FRAME:
            room.cut = True
            return
        room.left -= FRAME
        yield MessageView(role=each.kind, name=each.by, texts=(room.folded(each.text),))


def _messages(transcript: Transcript, room: Room) -> Iterator[MessageView]:
    injected = Injected.each_of(transcript)
    entered = heard = ""
    for number, message in enumerate(transcript.messages, start=1):
        if room.left < FRAME:
            return
        room.left -= FRAME
        here = _entering(message, injected)
        taken = [name for call in message.calls for name in _taken_up(call, entered, heard)]
        yield MessageView(
            id=f"message-{number}",
            number=str(number),
            role=message.role or "no role",
            name=message.name,
            marks=(*_entry_marks(here), *_taking_marks(taken)),
            texts=tuple(_texts(message, [each.words for each in here], room)),
            calls=tuple(
                CallView(name=call.name or "a call without a name", arguments=room.folded(_arguments(call)))
                for call in message.calls
            ),
            error=(room.folded(message.error),) if message.error else (),
        )
        if injected:
            entered += "".join(each.text for each in here)
            heard += "" if here else message.text


def _texts(message: Message, injected: Sequence[re.Pattern[str]], room: Room) -> Iterator[FoldedText]:
    unfolded = BRIEF.get(message.role, UNFOLDED)
    for part in message.parts:
        if part.kind not in ("text", "reasoning"):
            yield _placeholder(part, room)
            continue
        label = "" if part.kind == "text" else part.kind
        pieces = list(_pieces(part.text, injected if part.kind == "text" else ()))
        for piece, foreign in pieces:
            words = piece.strip("\n") if len(pieces) > 1 else piece
            yield room.folded(words, UNFOLDED if foreign else unfolded, label, injected=foreign)


def _pieces(whole: str, injected: Sequence[re.Pattern[str]]) -> Iterator[tuple[str, bool]]:
    """A text cut where injected text begins and ends; pieces of white space alone are left out."""
    places = sorted({found.span() for each in injected if (found := each.search(whole))})
    at = 0
    for start, end in places:
        if start < at:
            continue
        yield from [(whole[at:start], False)] if whole[at:start].strip() else []
        yield whole[start:end], True
        at = end
    if whole[at:].strip() or not at:
        yield whole[at:], False


def _placeholder(part: MessagePart, room: Room) -> FoldedText:
    """What is no text is named, with how it begins: data are no use to a reader."""
    shown = part.text[:PLACEHOLDER]
    left_out = len(part.text) - len(shown)
    folded = room.folded(shown, label=part.kind)
    if not left_out:
        return folded
    room.cut = room.cut or bool(folded.cut)
    cut = f"{count(left_out)} more characters are in the record as published"
    return FoldedText(label=folded.label, text=folded.text, cut=cut)


def _arguments(call: ToolCall) -> str:
    return "\n".join(f"{name}: {value}" if name else value for name, value in call.arguments)


# ------------------------------------------------------------------------------------- exact matches


class Injected(Struct, frozen=True):
    """A text that an attack puts in front of the agent.

    Attributes:
        place: What the source calls the place where it stands.
        text: As the source has it.
        words: Finds the same words in the same order, whatever white space stands between them.
    """

    place: str
    text: str
    words: re.Pattern[str]

    @classmethod
    def each_of(cls, transcript: Transcript) -> tuple[Injected, ...]:
        """Those of a transcript; one without a word is none."""
        found = ((place, given.split(), given) for place, given in transcript.injected)
        return tuple(
            cls(place, given, re.compile(r"\s+".join(map(re.escape, words))))
            for place, words, given in found
            if words
        )


def _entering(message: Message, injected: Sequence[Injected]) -> list[Injected]:
    """Injected texts that stand word for word in a message which brings what is outside."""
    if message.role in ("system", "assistant"):
        return []
    return [each for each in injected if any(each.words.search(part.text) for part in message.parts)]


def _entry_marks(here: Sequence[Injected]) -> Iterator[Line]:
    if here:
        same = ": the same text" if len(here) > 1 and len({each.words for each in here}) == 1 else ""
        told = (
            f" Its text stands word for word in this message ({listed([each.place for each in here])}{same})."
        )
        yield line(text("The injection enters here.", "strong"), told)


def _taking_marks(names: Sequence[str]) -> Iterator[Line]:
    if names:
        verb = "stand" if len(names) > 1 else "stands"
        told = (
            f" {sentence_case(listed(names))} of this call {verb} in the injected text, and nowhere before."
        )
        yield line(text("The call takes it up.", "strong"), told)


def _taken_up(call: ToolCall, entered: str, heard: str) -> Iterator[str]:
    """Names of the arguments whose text stands in what was injected, and nowhere else before."""
    for name, value in call.arguments:
        words = [each.strip() for each in _single_texts(value)]
        if any(len(each) >= SHORTEST_TAKEN and each in entered and each not in heard for each in words):
            yield name or "the argument"


def _single_texts(value: str) -> Iterator[str]:
    """An argument's text; of a list, the texts in it."""
    try:
        listed_texts = json.loads(value) if value.startswith("[") else None
    except (ValueError, RecursionError):
        listed_texts = None
    yield from [each for each in listed_texts if isinstance(each, str)] if listed_texts else [value]


# -------------------------------------------------------------------------------------- the download


def as_text(transcript: Transcript) -> str:
    """All of a transcript as plain text, nothing folded and nothing hidden.

    >>> print(as_text(Transcript(messages=(Message(role="user", parts=(MessagePart("Go"),)),))))
    1 user
    Go
    <BLANKLINE>
    """
    beside = [(p.kind == "input", f"{p.kind} {p.by}".rstrip() + f"\n{p.text}\n") for p in transcript.passages]
    blocks = [words for asked, words in beside if asked]
    for number, message in enumerate(transcript.messages, start=1):
        blocks.append("\n".join(_plain(number, message)) + "\n")
    blocks += [words for asked, words in beside if not asked]
    return visible("\n".join(blocks))


def _plain(number: int, message: Message) -> Iterator[str]:
    yield f"{number} {message.role or 'no role'} {message.name}".rstrip()
    for part in message.parts:
        yield part.text if part.kind == "text" else f"[{part.kind}] {part.text}"
    for call in message.calls:
        yield f"calls {call.name}"
        yield from (f"  {name}: {value}" if name else f"  {value}" for name, value in call.arguments)
    if message.error:
        yield f"error: {message.error}"
