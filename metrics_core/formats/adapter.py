"""What an adapter is: two functions that turn one file of an outside format into records of one family.

Does: name the shape. Does not: hold any format (each is one module of `metrics_core.adapters`), open files,
redact, check records against their type or count them; that is done by whoever calls an adapter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from metrics_core.results import Problem

HEAD = 4096
"""First bytes of a file that an adapter sees when it is asked whether the file is of its format."""


Stream = Callable[[str], Iterator[bytes]]
"""Path of a file -> its bytes as published, in pieces."""


class Reading(Struct, frozen=True, kw_only=True):
    """What whoever asks for a file says of a form that has no names of its own: see `Adapter.options`.

    Attributes:
        map: Role -> columns that have it, as they were spelled.
        scale: Scorer -> lowest and highest of its numbers, where that is stated: what they mean is no guess.
        decimal_comma: Whether a comma in a number is a decimal point.
        words: Word of an outcome -> the number that it stands for.
    """

    map: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scale: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    decimal_comma: bool = False
    words: Mapping[str, float] = field(default_factory=dict)


class OutsideFile(Struct, frozen=True, kw_only=True):
    """One file of an outside format, as published.

    Attributes:
        path: Relative to the experiment's folder, with ``/``, safe to print.
        data: All of its bytes; empty where its adapter takes them in pieces.
        names: Paths of the experiment's other files.
        read: Path of one of these -> all of its bytes.
        stream: Path of it or of one of these -> its bytes in pieces, cut anywhere.
        survey: What the adapter's `survey` gave.
        reading: What was said of how to read it.

    >>> names = ("july/results.json", "august/results.json")
    >>> OutsideFile(path="july/samples.jsonl", data=b"", names=names).beside("results")
    ('july/results.json',)
    """

    path: str
    data: bytes = b""
    names: tuple[str, ...] = ()
    read: Callable[[str], bytes] = lambda path: b""
    stream: Stream = lambda path: iter(())
    survey: Any = None

    def text(self) -> Iterator[bytes]:
        """All of its bytes, in pieces."""
        return iter((self.data,)) if self.data else self.stream(self.path)

    reading: Reading = field(default_factory=Reading)

    def beside(self, prefix: str = "", suffix: str = "") -> tuple[str, ...]:
        """Paths of the files in the same folder whose names begin and end so."""
        folder, slash, _ = self.path.rpartition("/")
        head = folder + slash
        begins, shortest = head + prefix, len(head) + max(len(prefix), len(suffix))
        return tuple(
            path
            for path in self.names
            if path.startswith(begins) and path.endswith(suffix)
            if len(path) >= shortest and "/" not in path[len(head) :]
        )


class Element(Struct, frozen=True, kw_only=True):
    """One element of an outside file: the record that it comes to, and its own text.

    Attributes:
        record: As it would stand in a line of its family's own log.
        number: Its place in the file, from 1; None where it is the file.
        source: The element as the file holds it: two that are equal here are the same run, and it stands on
            the run's page as published. Empty where a record has no text of its own.
    """

    record: Mapping[str, Any]
    source: bytes = b""
    number: int | None = None


Made = Mapping[str, Any] | Element | Problem
"""What an adapter makes: a record as it would stand in a line of its family's own log, one with the text that
it was made from, or a `Problem`."""


def near_to_nothing(path: str, head: bytes) -> str:
    """What a format says that is near to no file; a function with a name can be sent to another process."""
    return ""


class Adapter(Struct, frozen=True, kw_only=True):
    """One outside format.

    Attributes:
        format: Its name, as ``source: {format: ...}`` of `experiment.yaml` spells it: lower case and hyphens.
            The module has the same name with underscores.
        title: Its name for readers.
        family: Name of the family whose records it makes.
        module: Dotted name of its module, ``__name__``: its source closure is part of the instrument behind
            every number of adapted data.
        claims: Path and first `HEAD` bytes of a file -> whether the file is one of this format. It must say
            no to everything that another format, or a README, could be; a folder without records of any
            family is recognised by the files that an adapter claims. A damaged file of the format is
            claimed all the same: it is then told, and not overlooked.
        convert: A file that was claimed -> its records and problems, in the order in
            which they stand in the file. Pure: the same files give the same records. A record holds
            plain JSON values, keys as the family's record type spells them; it is checked against that type
            afterwards, and a field that is wrong makes a `Problem`, never an exception. A `FormatError`
            says that the whole file cannot be read: one problem of that file, and no run.
        nearly: Path and first `HEAD` bytes of a file that nothing claimed -> what it looks like and what is
            missing, to stand behind "looks like"; empty where it is nothing that the format is near to.
        example: Path of such a file as its harness writes it, for readers.
        reads: What is read of it, in one line of words, for readers.
        whole: Whether ``convert`` is given all bytes of a file at once. Else it takes them in pieces, by
            `OutsideFile.text`, and bounds what it holds.
        survey: Asked once, before files are converted: the paths of those that are converted together, and
            how to read one -> what they say of each other, for ``convert``. It raises nothing: what it
            cannot read ``convert`` will tell.
        shape: For a form that anyone may have made, and no harness: whether a file has that form. Such an
            adapter takes what no other claims, and of a file that was named alone it asks no more than this.
        unlike: Of such a form: asked of the files of a folder, of which nobody said that they are one
            experiment, with what gives first bytes of one and how they are read -> why they are not; empty
            where they may be.
        folders: How many folders above a file say which run it is: a file that was named alone keeps them.
        options: Settings of ``source`` that it knows, beside format and path.
        beside: Endings of files that ``convert`` may read beside those that were claimed.
        contract: Id of the further contract of its family that reads its scores, and those of no other
            adapter; empty for that of recorded scores.

    Paths are relative to the experiment's folder, with ``/``, and safe to print.
    """

    format: str
    title: str
    family: str
    module: str
    claims: Callable[[str, bytes], bool]
    convert: Callable[[OutsideFile], Iterator[Made]]
    nearly: Callable[[str, bytes], str] = near_to_nothing
    example: str = ""
    reads: str = ""
    whole: bool = True
    survey: Callable[[Sequence[str], Stream], Any] | None = None
    shape: Callable[[str, bytes], bool] | None = None
    unlike: Callable[[Sequence[str], Callable[[str, int], bytes], Reading], str] | None = None
    folders: int = 0
    options: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    contract: str = ""
