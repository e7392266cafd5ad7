"""A publication as its host takes it: one archive, or a commit on a branch that a host serves.

The branch is written by ``git fast-import``: the bytes of the files as they are, through no filter, no hook,
no index and no working tree. Does not: push, which needs the rights of whoever publishes.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from metrics_core.errors import PublishError
from site_src.project import safe_write
from site_src.publishing import MANIFEST

BRANCH: Final = "gh-pages"
_MODE: Final = 0o644
ARCHIVES: Final = (".tar.gz", ".tgz", ".zip")
_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip archive can state; every file of an archive states the same."""


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
