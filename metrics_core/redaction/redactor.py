"""Takes secrets, and traces of the machine that builds, out of bytes that are going to be published.

Does: replace each by a mark that says what stood there, ``[redacted:github-token]``, and count them. What an
encoding hides (colours of a terminal, percent, backslash and HTML escapes, invisible characters, base64) is
looked through, and taken out where it stands. A mark is plain ASCII without quotation marks or backslashes,
so JSON stays JSON; redacting twice changes nothing. Does not: know whose machine it is (the caller says so),
or touch addresses of other people: e-mail addresses, digests and names in a record are evidence.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import chain

from msgspec import Struct

from metrics_core.redaction.builder import BuilderIdentity
from metrics_core.redaction.decoded_view import DEEPEST, HIDDEN, DecodedView, undone
from metrics_core.redaction.encoded_runs import decoded
from metrics_core.redaction.gitleaks import public_rules
from metrics_core.redaction.key_values import KEY_LISTS, KEY_VALUES, PLAIN_LISTS
from metrics_core.redaction.needles import Needles
from metrics_core.redaction.patterns import SHAPES
from metrics_core.redaction.rule import Rule

HELD_BACK = 64 * 2**10
"""Bytes of an open private key that a stream holds back, waiting for its end."""

LONGEST_PIECE = 16 * 2**20
"""Bytes of one line that a stream holds back, waiting for its end."""

BEFORE = 240
"""Bytes before a needle that are looked at with it."""

SEAM = 96
"""Bytes around an escape in which a needle that it hides would stand."""

_KEY_OPENS = re.compile(rb"-----BEGIN [A-Z0-9 ]*PRIVATE KEY")
_KEY_CLOSES = re.compile(rb"-----END [A-Z0-9 ]*PRIVATE KEY")
_SEAMS = (
    (b"\x1b", (re.compile(rb"\x1b"),)),
    (
        b"%",
        (
            re.compile(rb"%(?:2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aA])"),
            re.compile(rb"%25[0-9A-Fa-f]{2}|%26(?:%23|#|[A-Za-z]{2,6}(?:%3[bB]|;))"),
            re.compile(rb"%5[cC](?:[uUx]|[0-3][0-7]{2}|%)"),
        ),
    ),
    (
        b"&",
        (
            re.compile(rb"&#(?:[xX]|27;|3[78];|4[5-9]|5[0-8]|6[1-9]|[78]\d|9[02579]|1[01]\d|12[0-2])"),
            re.compile(rb"&amp;(?:#|[A-Za-z]{2,6};)|&percnt;[0-9A-Fa-f]{2}|&bsol;[uUx0-3]"),
        ),
    ),
    (b"\xb9", (re.compile(rb"\xb9U\+[0-9A-F]"),)),
)
"""(the byte that must stand in a text, how escapes begin that may hide a needle, or another escape)."""

_BACKSLASHES = tuple(
    spelled.encode()
    for spelled in (
        *(rf"\u00{digit}" for digit in "1234567a"),
        r"\u200",
        r"\u202",
        r"\u206",
        r"\ufe0",
        r"\ufef",
        r"\u180",
        r"\u034",
        r"\udb4",
        *(rf"\x{code:02x}" for code in (0x1B, *range(0x2D, 0x7B))),
        *(rf"\{code:03o}" for code in (0x1B, *range(0x2D, 0x7B))),
        r"\e[3",
        r"\e[0",
        r"\e[1",
    )
)
"""How a backslash escape begins that may hide a needle."""

NOBODY = BuilderIdentity()
_UTF16 = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_HALF = b"\xff"
"""What no text in UTF-8 holds: before the odd byte at the end of a file that is no whole UTF-16."""

_ASCII = bytes(range(128))

SEAM_NUMBER = -1
"""Who wants an escape: whoever looks for needles that it hides."""

LONGER = 16 * 2**10
"""Bytes that are at least added to a window in which something goes on behind its end; else it is doubled."""

NEXT = 640
"""Bytes between a secret of a list and the end of the one behind it, at most."""

Window = tuple[int, int]
"""First byte, and the byte behind."""

Span = tuple[int, int, int]
"""First byte, the byte behind, and the number of the rule."""

Places = Callable[[int, int], tuple[int, int]]
"""Part of a text -> where it stands in the text that this was made of."""


class Redactor(Struct, frozen=True):
    """Takes out what must not be published.

    Args:
        builder: Whose traces to take out beside secrets.
        allowed: Exact texts that look like secrets and are none, such as an example from a manual.

    >>> token = "ghp_" + "a1B2" * 9
    >>> data, found = Redactor().clean(f'{{"note": "{token}"}}'.encode())
    >>> data, dict(found)
    (b'{"note": "[redacted:github-token]"}', {'github-token': 1})
    """

    builder: BuilderIdentity = NOBODY
    allowed: frozenset[str] = frozenset()

    def clean(self, data: bytes) -> tuple[bytes, Counter[str]]:
        """Bytes without secrets, and how many of each kind were taken out.

        Args:
            data: Whole lines; a secret that is cut in two is not seen.
        """
        found: Counter[str] = Counter()
        rules, _ = _rules_for(self.builder)
        for _ in range(DEEPEST):
            spans = self._spans(data)
            if not spans:
                break
            parts, at = [], 0
            for start, end, number in spans:
                label = rules[number].label
                parts += [data[at:start], f"[redacted:{label}]".encode()]
                found[label] += 1
                at = end
            data = b"".join((*parts, data[at:]))
        return data, found

    def clean_text(self, text: str) -> tuple[str, Counter[str]]:
        """The same for text."""
        data, found = self.clean(text.encode("utf-8", "surrogatepass"))
        return data.decode("utf-8", "surrogatepass"), found

    def stream(self, chunks: Iterable[bytes], found: Counter[str]) -> Iterator[bytes]:
        """The same for a file in pieces: cut at line feeds, and never inside a private key.

        A file that begins as UTF-16 does is screened as the text that it is, and stays UTF-16.

        Args:
            chunks: Pieces of a file, cut anywhere.
            found: Counts are added to it.
        """
        first, rest = _first(chunks)
        form = next((form for mark, form in _UTF16 if first.startswith(mark)), None)
        if form is None:
            yield from self._stream(rest, found)
        else:
            for piece in self._stream(_as_utf8(rest, form), found):
                yield _from_utf8(piece, form)

    def _stream(self, chunks: Iterable[bytes], found: Counter[str]) -> Iterator[bytes]:
        waiting: list[bytes] = []
        size = 0
        for chunk in chunks:
            waiting.append(chunk)
            size += len(chunk)
            if b"\n" not in chunk and size <= LONGEST_PIECE:
                continue
            tail = b"".join(waiting)
            cut = _cut(tail)
            if cut:
                yield self._count(tail[:cut], found)
                tail = tail[cut:]
            waiting, size = [tail], len(tail)
        if size:
            yield self._count(b"".join(waiting), found)

    def _count(self, data: bytes, found: Counter[str]) -> bytes:
        clean, more = self.clean(data)
        found.update(more)
        return clean

    def places(self, data: bytes) -> list[tuple[int, str]]:
        """What stands in a text that must not be published: its line, from 1, and its kind; in order."""
        rules, _ = _rules_for(self.builder)
        return [
            (data.count(b"\n", 0, start) + 1, rules[number].label) for start, _, number in self._spans(data)
        ]

    def _spans(self, data: bytes) -> list[Span]:
        """What to take out of a text, in order, none of them touching another."""
        found = list(self._plain_spans(data))
        runs = decoded(data)
        if runs is not None:
            found += [(*runs.run_at(start), number) for start, _, number in self._plain_spans(runs.text)]
        return _merged(found)

    def _plain_spans(self, data: bytes) -> Iterator[Span]:
        """The same, but for what is encoded in base64; places that two rules see stand there twice."""
        within, across = self._windows(data)
        for windows, lines in ((within, False), (across, True)):
            for lo, hi in _joined(windows):
                yield from self._in_window(data, lo, hi, lines)

    def _windows(self, data: bytes) -> tuple[list[Window], list[Window]]:
        """Where a closer look is worth its time: within lines, and across them."""
        rules, needles = _rules_for(self.builder)
        within: list[Window] = []
        across: list[Window] = []
        seams = [
            match.start()
            for sign, escapes in _SEAMS
            if sign in data
            for escape in escapes
            for match in escape.finditer(data)
        ]
        if not data.isascii() and HIDDEN.search(data.translate(None, _ASCII)):
            seams += [match.start() for match in HIDDEN.finditer(data)]

        def look(at: int, lo: int, hi: int, rule: Rule) -> None:
            if rule.across_lines:
                across.append((max(0, lo), min(len(data), hi)))
            else:
                within.append(_in_line(data, at, lo, hi))

        for starts, who in needles.found_in(data):
            guarded: dict[bytes, list[int]] = {}
            for number in who:
                if number == SEAM_NUMBER:
                    seams += starts
                    continue
                rule = rules[number]
                if rule.guard not in guarded:
                    guarded[rule.guard] = rule.may_begin(data, starts)
                for at in guarded[rule.guard]:
                    look(at, at - BEFORE, at + rule.reach, rule)
        for lo, hi in _joined([_in_line(data, at, at - SEAM, at + SEAM) for at in seams]):
            for text, places in _views(data[lo:hi]):
                for starts, who in needles.found_in(text):
                    for number in set(who) - {SEAM_NUMBER}:
                        rule = rules[number]
                        for at in rule.may_begin(text, starts):
                            first, behind = max(0, at - BEFORE), min(len(text), at + rule.reach)
                            begin, end = places(first, behind)
                            more = at + rule.reach - behind
                            look(
                                lo + places(at, at + 1)[0],
                                lo + begin - (BEFORE - (at - first)),
                                lo + end + more,
                                rule,
                            )
        return within, across

    def _in_window(self, data: bytes, lo: int, hi: int, lines: bool) -> Iterator[Span]:
        """What stands in one window; where it goes on behind its end, in a longer one."""
        rules, needles = _rules_for(self.builder)
        found: list[Span] = []
        for text, places in _views(data[lo:hi]):
            numbers = {number for _, who in needles.found_in(text) for number in who}
            for number in sorted(numbers - {SEAM_NUMBER}):
                rule = rules[number]
                if rule.across_lines is lines:
                    for start, end in rule.secrets(text):
                        if text[start:end].decode("utf-8", "surrogateescape") not in self.allowed:
                            begin, behind = places(start, end)
                            found.append((lo + begin, lo + behind, number))
        more = hi + max(LONGER, hi - lo)
        longer = min(more, len(data)) if lines else _in_line(data, lo, lo, more)[1]
        if hi < longer and any(end >= hi - NEXT for _, end, _ in found):
            return self._in_window(data, lo, longer, lines)
        return iter(found)


@cache
def _rules_for(builder: BuilderIdentity) -> tuple[tuple[Rule, ...], Needles]:
    """Every rule in the order in which a place that two of them see is named, and what they look for."""
    rules = (*SHAPES, *builder.rules(), *public_rules(), KEY_VALUES, KEY_LISTS, PLAIN_LISTS)
    wanted: dict[bytes, tuple[int, ...]] = dict.fromkeys(_BACKSLASHES, (SEAM_NUMBER,))
    for number, rule in enumerate(rules):
        for needle in rule.needles:
            wanted[needle] = (*wanted.get(needle, ()), number)
    return rules, Needles(wanted)


def _views(piece: bytes) -> Iterator[tuple[bytes, Places]]:
    """A piece as it stands, then with one layer of encodings undone after the other; and the ways back."""
    yield piece, lambda start, end: (start, end)
    text = piece
    layers: list[DecodedView] = []
    while len(layers) < DEEPEST and (view := undone(text)) is not None and view.text != text:
        layers.append(view)
        text = view.text
        yield text, partial(_back, tuple(layers))


def _back(layers: tuple[DecodedView, ...], start: int, end: int) -> tuple[int, int]:
    for view in reversed(layers):
        start, end = view.span(start, end)
    return start, end


def _in_line(data: bytes, at: int, lo: int, hi: int) -> Window:
    """A window that does not leave the line in which a place stands."""
    lo, hi = max(0, lo), min(len(data), hi)
    before, behind = data.rfind(b"\n", lo, at), data.find(b"\n", at, hi)
    return (before + 1 if before >= 0 else lo), (behind if behind >= 0 else hi)


def _joined(windows: Iterable[Window]) -> Iterator[Window]:
    """Windows in order, those that overlap made one."""
    open_window: Window | None = None
    for lo, hi in sorted(set(windows)):
        if open_window is not None and lo < open_window[1]:
            open_window = (open_window[0], max(hi, open_window[1]))
            continue
        if open_window is not None:
            yield open_window
        open_window = (lo, hi)
    if open_window is not None:
        yield open_window


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that overlap made one, under the name of the first rule among them."""
    found: list[Span] = []
    for start, end, number in sorted(spans):
        if found and start < found[-1][1]:
            begin, behind, earlier = found[-1]
            found[-1] = (begin, max(end, behind), min(number, earlier))
        else:
            found.append((start, end, number))
    return found


def _first(chunks: Iterable[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The first two bytes of a file in pieces, and all of its pieces."""
    pieces = iter(chunks)
    head = b""
    for piece in pieces:
        head += piece
        if len(head) >= 2:
            break
    return head[:2], chain([head] if head else [], pieces)


def _as_utf8(chunks: Iterable[bytes], form: str) -> Iterator[bytes]:
    """Text of UTF-16 as UTF-8, piece by piece; half a character at its end is kept as its own byte."""
    decoder = codecs.getincrementaldecoder(form)("surrogatepass")
    waiting = b""
    for chunk in chunks:
        whole = waiting + chunk
        even = len(whole) - len(whole) % 2
        waiting = whole[even:]
        yield decoder.decode(whole[:even]).encode("utf-8", "surrogatepass")
    yield decoder.decode(b"", final=True).encode("utf-8", "surrogatepass") + _HALF.join(
        (b"", waiting) if waiting else ()
    )


def _from_utf8(piece: bytes, form: str) -> bytes:
    text, half, odd = piece.partition(_HALF)
    return text.decode("utf-8", "surrogatepass").encode(form, "surrogatepass") + (odd if half else b"")


def _cut(tail: bytes) -> int:
    """Where to cut what has come so far: after a line feed, before a private key that is still open."""
    cut = tail.rfind(b"\n") + 1
    if not cut and len(tail) > LONGEST_PIECE:
        return max(tail.rfind(separator) + 1 for separator in (b" ", b'"', b",")) or len(tail)
    if b"PRIVATE KEY" in tail:
        opened = [match.start() for match in _KEY_OPENS.finditer(tail, 0, cut)]
        closed = [match.start() for match in _KEY_CLOSES.finditer(tail, 0, cut)]
        if opened and len(tail) - opened[-1] < HELD_BACK and not (closed and closed[-1] > opened[-1]):
            return tail.rfind(b"\n", 0, opened[-1]) + 1
    return cut
