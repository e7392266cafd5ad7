"""Samples that an archive keeps in several entries, as Inspect's chunked form does: the parts of each.

``samples/ID_epoch_N/sample.json`` names its messages by their places in ``messages/START.json`` beside it,
and what these keep apart by its place in ``attachments/START.json``. Does: put these entries into the
sample's text, under the names that they have there. Does not: read events and calls, or resolve what refers
to what: a transcript does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

import msgspec

from metrics_core.adapters.inspect.samples import Identity
from metrics_core.formats import eval_archive

REFERS = b'"message_refs"'
"""Stands in the text of a sample whose messages are entries of their own."""

LARGEST = 128 * 2**20
"""Bytes of a sample's further entries; what goes beyond is left out, and the transcript says that it is."""

_ENTRY = re.compile(rb'\["samples/')
_PART = re.compile(
    r"samples/(?P<sample>.+)_epoch_(?P<epoch>\d+)/(?P<part>(?:messages|attachments)/\d+\.json)"
)


def parts_of(lines: Iterator[bytes], asked: Collection[Identity]) -> Mapping[Identity, bytes]:
    r"""The entries that hold messages and attachments, as an object's text: name within the sample -> array.

    Args:
        lines: Further entries of an archive, each with its name; read to their end.
        asked: Samples whose entries are wanted.

    >>> lines = [b'["samples/s 1_epoch_1/messages/0.json",[{"role":"user"}]]', b'["summaries.json",[]]']
    >>> parts_of(iter(lines), {Identity("s 1", "1")})
    {Identity(sample='s 1', epoch='1'): b'{"messages/0.json":[{"role":"user"}]}'}
    """
    found: dict[Identity, list[bytes]] = defaultdict(list)
    sizes: dict[Identity, int] = defaultdict(int)
    for line in lines:
        if not _ENTRY.match(line) or eval_archive.DAMAGED in line:
            continue
        try:
            name, held = msgspec.json.decode(line, type=tuple[str, msgspec.Raw])
        except (msgspec.MsgspecError, RecursionError):
            continue
        part = _PART.fullmatch(name)
        if part is None:
            continue
        run = Identity(part["sample"], part["epoch"])
        if run not in asked or sizes[run] + len(line) > LARGEST:
            continue
        sizes[run] += len(line)
        found[run].append(msgspec.json.encode(part["part"]) + b":" + bytes(held))
    return {run: b"{" + b",".join(held) + b"}" for run, held in found.items()}


def with_parts(sample: bytes, parts: bytes) -> bytes:
    """The text of a sample with that of its further entries under ``entries``.

    >>> with_parts(b'{"id": "a"}', b'{"messages/0.json":[]}')
    b'{"id": "a","entries":{"messages/0.json":[]}}'
    """
    return sample.rstrip().removesuffix(b"}") + b',"entries":' + parts + b"}"
