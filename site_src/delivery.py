"""A publication as its host takes it: one archive, a commit on a branch that is served, or files in a store.

The branch is written by ``git fast-import``: the bytes of the files as they are, through no filter, no hook,
no index and no working tree. To a store go the files that differ, parts of pages before the pages and the
manifest last, and what an earlier publication put there and this one has not is taken away. Does not: push,
which needs the rights of whoever publishes, or touch files in a store that no publication put there.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from metrics_core.errors import AssayError, PublishError
from metrics_core.experiments import Address, answer_of, printable, store_of
from site_src.project import safe_write
from site_src.publishing import MANIFEST, Manifest, manifest_of, read_manifest

BRANCH: Final = "gh-pages"
_MODE: Final = 0o644
ARCHIVES: Final = (".tar.gz", ".tgz", ".zip")
_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip archive can state; every file of an archive states the same."""


UNDER_WAY: Final = "manifest.under-way.json"
"""In a store as long as a publication is under way: what may lie there of it and of the one before."""

LAST: Final = ("index.html", "feed.xml", "sitemap.xml", "site.json")
"""What leads to everything else, sent once that is there."""


class Sent(Struct, frozen=True):
    """What a publication came to in a store: how many files were sent, already there, and taken away."""

    sent: int
    there: int
    removed: int


def archive(site: Path, to: Path) -> str:
    """Pack a site into one file, the same bytes for the same site.

    Args:
        site: A folder that was built.
        to: The archive, named after its form: ``.tar.gz``, ``.tgz`` or ``.zip``.

    Returns:
        Its digest, ``sha256:...``.

    Raises:
        PublishError: It cannot be written.
    """
    packed = _zipped(site) if to.name.endswith(".zip") else _tarred(site)
    try:
        safe_write.replace_file(to, packed)
    except OSError as error:
        raise PublishError(f"cannot be written: {error.strerror}", where=to.name) from error
    return "sha256:" + hashlib.sha256(packed).hexdigest()


def _tarred(site: Path) -> bytes:
    inner = io.BytesIO()
    with tarfile.open(fileobj=inner, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path, data in _files(site):
            row = tarfile.TarInfo(path)
            row.size, row.mode = len(data), _MODE
            tar.addfile(row, io.BytesIO(data))
    return gzip.compress(inner.getvalue(), mtime=0)


def _zipped(site: Path) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, data in _files(site):
            row = zipfile.ZipInfo(path, _EARLIEST)
            row.external_attr, row.compress_type, row.create_system = _MODE << 16, zipfile.ZIP_DEFLATED, 3
            packed.writestr(row, data)
    return out.getvalue()


def send(site: Path, to: Address) -> Sent:
    """Bring a site to an address: afterwards its files lie there as they are here.

    Whoever reads meanwhile finds every page with its parts, of this site or of the one before. A publication
    that breaks off is made good by the next, whichever site that is of.

    Args:
        site: A folder that was built.
        to: Where it is to lie; nothing does, or a site that was sent there.

    Raises:
        PublishError: Files lie there and no site, or one of the site's names is a file's that no publication
            put there; or the store does not take what is sent.
        ConfigError: What writes to such a store is not installed.
    """
    store, new = store_of(to), _rows(read_manifest(site))
    lying = refuse_foreign(to)
    with _told_of(to):
        old = _rows_at(store, to / MANIFEST) if MANIFEST in lying else {}
        broken_off = _rows_at(store, to / UNDER_WAY) if UNDER_WAY in lying else {}
    if foreign := sorted((new.keys() & lying) - old.keys() - broken_off.keys()):
        raise PublishError(
            "a file lies there that no publication put there",
            where=printable(str(to / foreign[0])),
            hint="move it, or name a folder that does not exist yet",
        )
    same = {path for path in new if old.get(path) == new[path] and path in lying}
    if UNDER_WAY in lying:
        same.clear()  # what was sent by then is known to nobody
    elif len(same) == len(new) == len(old):
        return Sent(0, len(same), 0)
    with _told_of(to):
        both = sorted({**broken_off, **old, **new}.items())
        store.pipe_file((to / UNDER_WAY).path, Manifest(tuple((p, *row) for p, row in both)).to_bytes())
    changed = sorted(new.keys() - same, key=_turn)
    for path in changed:
        _put(store, site, to, path)
    gone = sorted(((old.keys() | broken_off.keys()) - new.keys()) & lying, key=_turn, reverse=True)
    for path in gone:
        _remove(store, to / path)
    _put(store, site, to, MANIFEST)
    _remove(store, to / UNDER_WAY)
    return Sent(len(changed), len(same), len(gone))


def refuse_foreign(to: Address) -> frozenset[str]:
    """Refuse an address at which files lie, and no site that was sent there.

    Returns:
        Paths of the files that lie there.

    Raises:
        PublishError: As in `send`.
        ConfigError: What writes to such a store is not installed.
    """
    store = store_of(to)
    with _told_of(to):
        lying = frozenset(name.lstrip("/").removeprefix(f"{to.path}/") for name in store.find(to.path))
    if lying and not {MANIFEST, UNDER_WAY} & lying:
        raise PublishError(
            "files lie there, and no site that was published",
            where=printable(str(to)),
            hint="name a folder in it that does not exist yet",
        )
    return lying


def _put(store: Any, site: Path, to: Address, path: str) -> None:
    with _told_of(to / path):
        store.put_file(str(site / path), (to / path).path)


def _remove(store: Any, at: Address) -> None:
    with _told_of(at):
        store.rm_file(at.path)


@contextmanager
def _told_of(at: Address) -> Iterator[None]:
    """Whatever a store answers within is told of this address, in one line."""
    try:
        yield
    except AssayError:
        raise
    except Exception as error:
        problem, hint = answer_of(at, error)
        raise PublishError(
            problem, where=printable(str(at)), hint=hint or "publish again: it begins anew"
        ) from error


def _rows(manifest: Manifest) -> dict[str, tuple[int, str]]:
    """Path -> size and digest."""
    return {path: (size, digest) for path, size, digest in manifest.files}


def _rows_at(store: Any, at: Address) -> dict[str, tuple[int, str]]:
    return _rows(manifest_of(store.cat_file(at.path)))


def _turn(path: str) -> tuple[int, str]:
    """When a file is sent: parts of pages, then pages, then what leads to all of them."""
    return (2 if path in LAST else 1 if path.endswith(".html") else 0), path


def branch(site: Path, repository: Path, name: str = BRANCH) -> str:
    """Commit a site on a branch of its own, after what stands there.

    Args:
        site: A folder that was built.
        repository: A folder within a Git repository.
        name: The branch; one that only ``origin`` has is continued.

    Returns:
        The commit; the one that stands there where it holds this very site.

    Raises:
        PublishError: There is no Git repository, the branch is checked out, or Git knows no committer.
    """
    if _git(repository, "symbolic-ref", "--quiet", "HEAD", strict=False) == f"refs/heads/{name}":
        raise PublishError(
            "this branch is checked out here", where=name, hint="publish from the branch that holds content/"
        )
    message = f"Publish manifest sha256:{hashlib.sha256((site / MANIFEST).read_bytes()).hexdigest()}\n"
    refs = (f"refs/heads/{name}", f"refs/remotes/origin/{name}")
    found = (_git(repository, "rev-parse", "--verify", "--quiet", ref, strict=False) for ref in refs)
    parent = next(filter(None, found), "")
    if parent and _git(repository, "log", "-1", "--format=%B", parent).strip() == message.strip():
        _git(repository, "update-ref", refs[0], parent)
        return parent
    words = message.encode()
    stream = io.BytesIO()
    stream.write(f"commit {refs[0]}\ncommitter {_git(repository, 'var', 'GIT_COMMITTER_IDENT')}\n".encode())
    stream.write(b"data %d\n%s" % (len(words), words))
    stream.write(f"from {parent}\n".encode() if parent else b"")
    stream.write(b"deleteall\n")
    for path, data in _files(site):
        quoted = path.replace("\\", "\\\\").replace('"', '\\"')
        stream.write(f'M 100644 inline "{quoted}"\ndata {len(data)}\n'.encode() + data + b"\n")
    _git(repository, "fast-import", "--quiet", "--done", given=stream.getvalue() + b"done\n")
    return _git(repository, "rev-parse", refs[0])


def _files(site: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of a site, those that it keeps among them, in the order of their paths."""
    found = sorted((path.relative_to(site).as_posix(), path) for path in site.rglob("*") if path.is_file())
    yield from ((name, path.read_bytes()) for name, path in found)


def _git(folder: Path, *words: str, given: bytes = b"", strict: bool = True) -> str:
    try:
        done = subprocess.run(
            ["git", *words],  # noqa: S607 (whichever git the publisher uses)
            cwd=folder,
            input=given,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise PublishError("there is no git on this machine", where=BRANCH) from error
    if done.returncode and strict:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise PublishError(f"git {words[0]}: {said[0] if said else 'failed'}", where=BRANCH)
    return done.stdout.decode().strip() if not done.returncode else ""
