"""The one writer of a site: built beside, checked, synced, swapped in whole or not at all.

Killed at any moment, or with the disk full, the last good site stays byte for byte as it was; the next
build clears away what was left. Knows nothing of what is in the files.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import hashlib
import json
import os
import shutil
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from metrics_core.digest import canonical
from metrics_core.errors import PublishError
from site_src.project import SiteFile

MANIFEST = "manifest.json"
MANIFEST_SCHEMA = "assay.manifest/1"
UNLISTED = frozenset({MANIFEST, "statement.json", "statement.json.sig"})
_EXCHANGE = 2
_HERE = -100
FILE_MODE, FOLDER_MODE = 0o644, 0o755


def on_any_disk(path: str) -> str:
    """A path as the least particular disk tells it from others: neither by case nor by Unicode form.

    >>> on_any_disk("Data/\u0041\u030a.txt") == on_any_disk("data/\u00e5.txt")
    True
    """
    return unicodedata.normalize("NFKC", path).casefold()


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a site consists of: (path, size in bytes, sha256 hex) of every file but itself, sorted."""

    files: tuple[tuple[str, int, str], ...]

    def to_bytes(self) -> bytes:
        """As it is written, without its own line."""
        rows = [{"path": path, "size": size, "sha256": digest} for path, size, digest in self.files]
        return canonical({"schema": MANIFEST_SCHEMA, "files": rows}) + b"\n"

    @property
    def digest(self) -> str:
        """Digest of the manifest's bytes: it names the whole site."""
        return "sha256:" + hashlib.sha256(self.to_bytes()).hexdigest()


def swap(files: Iterable[SiteFile], site: Path, *, waiting: Callable[[], None] = lambda: None) -> Manifest:
    """Put files at ``site``, whole or not at all.

    Args:
        files: What the site consists of; made while it is written, so memory stays small.
        site: Folder of the site; folders above it are made.
        waiting: Called once if another build of the same site is under way and this one waits for it.

    Returns:
        The manifest, which is also written as ``manifest.json``.

    Raises:
        PublishError: Two files claim one path, a path leaves the site, the folder is not one of ours, or
            the disk refuses; then the earlier site stands as it was.
    """
    site = Path(os.path.abspath(site))  # noqa: PTH100 (a link is seen as a link, and refused)
    if site.exists() and not _is_site(site):
        raise PublishError(
            "exists and is not a site that this program built",
            where=site.name or str(site),
            hint="choose an empty or new folder: nothing is overwritten",
        )
    try:
        site.parent.mkdir(parents=True, exist_ok=True)
        with _lock(site, waiting):
            return _replace(files, site)
    except OSError as bad:
        raise PublishError(
            f"cannot write the site: {bad.strerror}",
            where=site.name,
            hint="the earlier site was left as it was",
        ) from bad


def _replace(files: Iterable[SiteFile], site: Path) -> Manifest:
    _recover(site)
    draft = site.with_name(f".{site.name}.draft")
    try:
        draft.mkdir(mode=FOLDER_MODE)
        manifest = _write(files, draft)
        _check(draft, manifest)
        _exchange(draft, site)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return manifest


def _is_site(site: Path) -> bool:
    """Whether a folder is empty or a site of ours without a hidden folder of others, such as ``.git``."""
    if not site.is_dir() or site.is_symlink():
        return False
    names = [path.name for path in site.iterdir()]
    hidden = any(name.startswith(".") and (site / name).is_dir() for name in names)
    return not names or (not hidden and MANIFEST in names and _is_manifest(site / MANIFEST))


def _is_manifest(path: Path) -> bool:
    """Whether a file is a manifest of ours: web applications have a ``manifest.json`` too."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and str(found.get("schema", "")).startswith("assay.manifest/")


@contextlib.contextmanager
def _lock(site: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the site's lock file; the kernel lets go of it whatever becomes of this process.

    The file is taken away again while it is still held, so that whoever waited for it sees that it is no
    longer the one at its place, and takes the next.
    """
    path = site.with_name(f".{site.name}.lock")
    announced = False
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not announced:
                waiting()
                announced = True
            fcntl.flock(handle, fcntl.LOCK_EX)
        if _stands_at(path, handle):
            break
        os.close(handle)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def _stands_at(path: Path, handle: int) -> bool:
    """Whether an open file is the one at its place: whoever held it before may have taken it away."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _recover(site: Path) -> None:
    """Clear away what an interrupted build left; bring back a site that was moved aside and not replaced."""
    aside = site.with_name(f".{site.name}.aside")
    if aside.exists():
        if site.exists():
            shutil.rmtree(aside)
        else:
            aside.rename(site)
    shutil.rmtree(site.with_name(f".{site.name}.draft"), ignore_errors=True)


def _write(files: Iterable[SiteFile], draft: Path) -> Manifest:
    rows: dict[str, tuple[str, int, str]] = {}
    taken = set(UNLISTED)
    for file in files:
        parts, same = file.path.split("/"), on_any_disk(file.path)
        if same in taken:
            raise PublishError("two files claim this path", where=file.path)
        if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
            raise PublishError("a path that leaves the site", where=file.path)
        target = draft.joinpath(*parts)
        _folder(target.parent, draft)
        _put(target, file.data)
        taken.add(same)
        rows[file.path] = (file.path, len(file.data), hashlib.sha256(file.data).hexdigest())
    manifest = Manifest(tuple(rows[path] for path in sorted(rows)))
    _put(draft / MANIFEST, manifest.to_bytes())
    _sync(draft)
    return manifest


def _folder(folder: Path, top: Path) -> None:
    if folder != top and not folder.is_dir():
        _folder(folder.parent, top)
        folder.mkdir()
        folder.chmod(FOLDER_MODE)


def _put(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
    with os.fdopen(handle, "wb") as out:
        os.fchmod(out.fileno(), FILE_MODE)  # whatever the umask says: two builds are the same
        out.write(data)


def _sync(draft: Path) -> None:
    """Have the whole draft on the disk: in one call where the C library has it, else file by file."""
    libc = ctypes.CDLL(None, use_errno=True)
    with _opened(draft) as handle:
        if hasattr(libc, "syncfs") and libc.syncfs(handle) == 0:
            return
    for folder, _, names in os.walk(draft, topdown=False):
        for name in (*names, "."):
            with _opened(Path(folder, name)) as handle:
                os.fsync(handle)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield handle
    finally:
        os.close(handle)


def _check(draft: Path, manifest: Manifest) -> None:
    """Read the draft back: what stands on the disk is what the manifest says."""
    for path, size, digest in manifest.files:
        data = (draft / path).read_bytes()
        if len(data) != size or hashlib.sha256(data).hexdigest() != digest:
            raise PublishError("does not read back as it was written", where=path)


def _exchange(draft: Path, site: Path) -> None:
    """Swap two folders in one step where the kernel can; else in two, with a recovery in the next build."""
    if not site.exists():
        draft.rename(site)
    elif not _renameat2(draft, site):
        aside = site.with_name(f".{site.name}.aside")
        site.rename(aside)
        draft.rename(site)
        shutil.rmtree(aside)
    with _opened(site.parent) as handle:
        os.fsync(handle)


def _renameat2(a: Path, b: Path) -> bool:
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "renameat2"):
        return False
    if libc.renameat2(_HERE, os.fsencode(a), _HERE, os.fsencode(b), _EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.EINVAL, errno.ENOSYS, errno.EPERM):
        return False
    raise OSError(code, os.strerror(code))
