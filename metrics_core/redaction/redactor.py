"""Takes secrets, and traces of the machine that builds, out of bytes that are going to be published.

Does: replace each by a mark that says what stood there, ``[redacted:github-token]``, and count them. A
mark is plain ASCII without quotation marks or backslashes, so JSON stays JSON; redacting twice changes
nothing. Does not: know whose machine it is (the caller says so), or touch addresses of other people:
e-mail addresses, digests and names in a record are evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from metrics_core.redaction.patterns import SHAPES, Shape
from metrics_core.redaction.prefilter import TOKEN_CHARACTER, Scan

GENERIC = frozenset({
    "root", "user", "users", "home", "runner", "admin", "ubuntu", "debian", "builder", "build", "local",
    "localhost", "docker", "container", "test", "guest", "nobody", "default",
})  # fmt: skip
"""Names that tell nobody's machine from another's, and are words of their own in any log."""

HELD_BACK = 64 * 2**10
"""Bytes of an open private key that a stream holds back, waiting for its end."""

LONGEST_PIECE = 16 * 2**20
"""Bytes of one line that a stream holds back, waiting for its end."""

_ESCAPED = re.compile(rb"\\(?:[nrtbf]|u[0-9a-fA-F]{4})\Z")
_KEY_OPENS = re.compile(rb"-----BEGIN [A-Z0-9 ]*PRIVATE KEY")
_KEY_CLOSES = re.compile(rb"-----END [A-Z0-9 ]*PRIVATE KEY")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuilderIdentity:
    """Whose machine this is, as far as its traces may stand in records. Empty where not known.

    Attributes:
        home: Home folder.
        host: Host name.
        user: Login name.
        emails: Addresses of the git identity.
    """

    home: str = ""
    host: str = ""
    user: str = ""
    emails: tuple[str, ...] = ()

    def shapes(self) -> tuple[Shape, ...]:
        """The shapes of its traces. Names that any machine may have are none."""
        found = []
        home = self.home.rstrip("/\\")
        if len(home) > 1:
            found.append(_literal("builder-home", home, rb"(?![A-Za-z0-9_\-])"))
        for label, word in (("builder-host", self.host), ("builder-user", self.user)):
            if len(word) >= 4 and word.lower() not in GENERIC:
                found.append(_literal(label, word, rb"(?![A-Za-z0-9_\-])"))
        found += [
            _literal("builder-email", email, rb"(?![A-Za-z0-9])") for email in self.emails if "@" in email
        ]
        return tuple(found)


def _literal(label: str, text: str, end: bytes) -> Shape:
    """A text as it stands, also where JSON has escaped its slashes or backslashes."""
    parts = [re.escape(part) for part in re.split(rb"[/\\]", text.encode("utf-8", "surrogateescape"))]
    needle = max(re.split(rb"[/\\]", text.encode("utf-8", "surrogateescape")), key=len)
    return Shape(label, (needle,), re.compile(rb"(?:\\\\?/?|/)".join(parts) + end), has_run=False)


@dataclass(frozen=True, slots=True)
class Redactor:
    """Takes out what must not be published.

    Args:
        builder: Whose traces to take out beside secrets.
        allowed: Exact texts that look like secrets and are none, such as an example from a manual.

    >>> token = "ghp_" + "a1B2" * 9
    >>> data, found = Redactor().clean(f'{{"note": "{token}"}}'.encode())
    >>> data, dict(found)
    (b'{"note": "[redacted:github-token]"}', {'github-token': 1})
    """

    builder: BuilderIdentity = BuilderIdentity()
    allowed: frozenset[str] = frozenset()
    _shapes: tuple[Shape, ...] = field(init=False, repr=False, compare=False, default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "_shapes", (*SHAPES, *self.builder.shapes()))

    def clean(self, data: bytes) -> tuple[bytes, Counter[str]]:
        """Bytes without secrets, and how many of each kind were taken out.

        Args:
            data: Whole lines; a secret that is cut in two is not seen.
        """
        found: Counter[str] = Counter()
        scan = Scan(data)
        run = scan.has_run()
        for shape in self._shapes:
            if (run or not shape.has_run) and any(map(scan.may_hold, shape.needles)):
                data = self._without(shape, data, found)
        return data, found

    def clean_text(self, text: str) -> tuple[str, Counter[str]]:
        """The same for text."""
        data, found = self.clean(text.encode("utf-8", "surrogatepass"))
        return data.decode("utf-8", "surrogatepass"), found

    def stream(self, chunks: Iterable[bytes], found: Counter[str]) -> Iterator[bytes]:
        """The same for a file in pieces: cut at line feeds, and never inside a private key.

        Args:
            chunks: Pieces of a file, cut anywhere.
            found: Counts are added to it.
        """
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

    def _without(self, shape: Shape, data: bytes, found: Counter[str]) -> bytes:
        mark = f"[redacted:{shape.label}]".encode()

        def replace(match: re.Match[bytes]) -> bytes:
            whole, group = match[0], "secret" if "secret" in shape.pattern.groupindex else 0
            secret = match[group]
            if shape.bounded and _continues(data, match.start()):
                return whole
            if secret.decode("utf-8", "surrogateescape") in self.allowed:
                return whole
            found[shape.label] += 1
            start, end = match.start(group) - match.start(), match.end(group) - match.start()
            return whole[:start] + mark + whole[end:]

        return shape.pattern.sub(replace, data)


def _continues(data: bytes, start: int) -> bool:
    r"""Whether a word goes on at this place: a letter before it, unless that is the ``n`` of a ``\n``."""
    if not start or not (TOKEN_CHARACTER[data[start - 1]] and data[start - 1] != ord("-")):
        return False
    return _ESCAPED.search(data, max(0, start - 6), start) is None


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
