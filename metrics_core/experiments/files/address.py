"""Addresses of folders and files that lie in a store of objects: ``s3://bucket/runs/july``.

Does: take one apart, refuse what is none, and name what lies below it. Does not: ask a store anything
(`metrics_core.experiments` does), or hold a key: keys come from the environment, and an address that has one
in it is refused without being repeated.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePath

from msgspec import Struct
from msgspec.structs import replace

from metrics_core.errors import InputError

SCHEMES = {"s3": "a bucket of S3, or of a server that speaks as S3 does", "memory": "this process alone"}
"""Scheme -> where what it names lies."""

_SHAPE = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<rest>.*)", re.DOTALL)
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")


class Address(Struct, frozen=True, order=True):
    """Where a folder or a file lies in a store.

    Attributes:
        scheme: One of `SCHEMES`.
        parts: The bucket, then names of folders; the last may be a file's. At least one.
    """

    scheme: str
    parts: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Address:
        """The address that a text is; a slash at its end says nothing.

        Raises:
            InputError: It is none, or has more in it than a bucket and names; the error repeats none of it.

        >>> print(Address.of("s3://evals/runs/july/"))
        s3://evals/runs/july
        >>> Address.of("s3://name:word@evals/runs")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        metrics_core.errors.InputError: s3://: expected a bucket and folders, such as ...
        """
        found = _SHAPE.fullmatch(text)
        if found is None:
            raise InputError("expected an address", where="address", hint="such as s3://bucket/runs")
        scheme = found["scheme"].lower()
        if scheme not in SCHEMES:
            listed = " and ".join(f"{name}://" for name in SCHEMES)
            raise InputError(
                "addresses of this kind are not read", where=f"{scheme}://", hint=f"{listed} are"
            )
        bucket, *names = found["rest"].rstrip("/").split("/")
        if not _BUCKET.fullmatch(bucket) or "?" in text or not all(map(is_name, names)):
            raise InputError(
                f"expected a bucket and folders, such as {scheme}://bucket/runs",
                where=f"{scheme}://",
                hint="keys come from the environment, as other tools for this store take them",
            )
        return cls(scheme, (bucket, *names))

    @property
    def name(self) -> str:
        """The last of its names."""
        return self.parts[-1]

    @property
    def parent(self) -> Address:
        """Where it lies; a bucket lies in itself."""
        return replace(self, parts=self.parts[:-1] or self.parts)

    @property
    def path(self) -> str:
        """All of it but the scheme."""
        return "/".join(self.parts)

    def __truediv__(self, path: str) -> Address:
        """What lies below it at a path with ``/``."""
        return replace(self, parts=(*self.parts, *path.split("/")))

    def __str__(self) -> str:
        return f"{self.scheme}://{self.path}"


Place = Path | Address
"""Where an experiment lies: on a disk, or in a store."""


def place(given: str | PurePath | Address) -> Place:
    """A path, or the address that a text is.

    Raises:
        InputError: It has ``://`` in it and is no address that is read.

    >>> place("runs/july").name, place("s3://evals/july").name
    ('july', 'july')
    """
    if isinstance(given, Address):
        return given
    return Address.of(given) if isinstance(given, str) and "://" in given else Path(given)


def is_name(text: str) -> bool:
    r"""Whether a text can be the name of a folder or a file on any disk, and can be seen.

    >>> [is_name(text) for text in ("a b.json", "", "..", "a\nb", "a/b")]
    [True, False, False, False, False]
    """
    return (
        text not in ("", ".", "..") and text.isprintable() and "/" not in text and len(text.encode()) <= 255
    )
