"""The one writer of a site: built beside, checked, synced, swapped in whole or not at all.

Killed at any moment, or with the disk full, the last good site stays byte for byte as it was; the next
build clears away what was left. Once the new site stands nothing fails any more: what could not be put in
order is told. Knows nothing of what is in the files.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import hashlib
import os
import stat
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec import Struct

from metrics_core.digest import canonical
from metrics_core.errors import PublishError
from site_src import interruption
from site_src.project import SiteFile, StandingFile, WorkFolder, work_folder
from site_src.publishing import kept_files
from site_src.publishing.kept_files import MANIFEST, UNLISTED

MANIFEST_SCHEMA = "assay.manifest/1"
_EXCHANGE = 2
_HERE = -100
FILE_MODE, FOLDER_MODE = 0o644, 0o755
DRAFT, ASIDE = "draft", "aside"
"""Within the work folder: the new site until it stands, and the earlier one between two renames."""


def on_any_disk(path: str) -> str:
    """A path as the least particular disk tells it from others: neither by case nor by Unicode form.

    >>> on_any_disk("Data/\u0041\u030a.txt") == on_any_disk("data/\u00e5.txt")
    True
    """
    return unicodedata.normalize("NFKC", path).casefold()


class Manifest(Struct, frozen=True):
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


def swap(
    files: Iterable[SiteFile],
    site: Path,
    *,
    keep: Sequence[str] = (),
    waiting: Callable[[], None] = lambda: None,
    around: AbstractContextManager[object] | None = None,
    told: Callable[[str], None] = lambda note: None,
) -> Manifest:
    """Put files at ``site``, whole or not at all.

    Args:
        files: What the site consists of; made while it is written, so memory stays small. One that stands on
            the disk is linked, where the disk can.
        site: Folder of the site; folders above it are made.
        keep: Patterns of files of the earlier site that are carried over, though no build made them.
        waiting: Called once if another build of the same site is under way and this one waits for it.
        around: Entered when all is written and just before the new site takes its place; may refuse there.
            Left once it stands; its exit then must not raise.
        told: Called with what could not be put in order once the new site stood.

    Returns:
        The manifest, which is also written as ``manifest.json``.

    Raises:
        PublishError: Two files claim one path, a path leaves the site, the folder is not one of ours or holds
            what no build put there, or the disk refuses; then the earlier site stands as it was, or the
            message says where it lies.
    """
    site = Path(os.path.abspath(site))  # noqa: PTH100 (a link is seen as a link, and refused)
    work: WorkFolder | None = None
    try:
        kept_files.refuse_foreign(site, keep)
        site.parent.mkdir(parents=True, exist_ok=True)
        with work_folder.held(site, waiting) as work:
            _recover(work, site)
            kept_files.refuse_foreign(site, keep)
            draft = work.path / DRAFT
            draft.mkdir(mode=FOLDER_MODE)
            manifest = _write(files, draft)
            _check(draft, manifest)
            with interruption.held_back(), around or contextlib.nullcontext():
                kept_files.carry_over(site, draft, keep)
                _exchange(work, site)
                _confirm(site, told)
            return manifest
    except OSError as bad:
        raise PublishError(
            f"cannot write the site: {bad.strerror}", where=site.name, hint=_what_stands(work)
        ) from bad


def _what_stands(work: WorkFolder | None) -> str:
    """What there is after an error: none comes once the new site stands."""
    if work is not None and work.needed:
        return f"the earlier site lies whole in {work.path.name}/{ASIDE}: the next build puts it back"
    return "the earlier site, where there was one, was left as it was"


def _recover(work: WorkFolder, site: Path) -> None:
    """Clear away what an interrupted build left; bring back a site that was moved aside and not replaced."""
    aside = work.path / ASIDE
    if aside.is_dir() and not kept_files.is_there(site):
        work.needed = True  # until it is back
        aside.rename(site)
        work.needed = False
    work.clear()


def _write(files: Iterable[SiteFile], draft: Path) -> Manifest:
    rows: dict[str, tuple[str, int, str]] = {}
    taken, made = set(UNLISTED), {""}
    for file in files:
        parts, same = file.path.split("/"), on_any_disk(file.path)
        if same in taken:
            raise PublishError("two files claim this path", where=file.path)
        if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
            raise PublishError("a path that leaves the site", where=file.path)
        _folder("/".join(parts[:-1]), draft, made)
        taken.add(same)
        if file.standing is not None and _linked(file.standing, draft / file.path):
            rows[file.path] = (file.path, file.standing.size, file.standing.sha256)
        else:
            _put(draft / file.path, file.data)
            rows[file.path] = (file.path, len(file.data), hashlib.sha256(file.data).hexdigest())
    manifest = Manifest(tuple(rows[path] for path in sorted(rows)))
    _put(draft / MANIFEST, manifest.to_bytes())
    _sync(draft)
    return manifest


def _folder(folder: str, top: Path, made: set[str]) -> None:
    """A folder below the top, and those above it, where they are not among those that were made.

    A disk that tells no case apart may have it already, under another spelling.
    """
    if folder not in made:
        _folder(folder.rpartition("/")[0], top, made)
        (top / folder).mkdir(FOLDER_MODE, exist_ok=True)
        if stat.S_IMODE((top / folder).stat().st_mode) != FOLDER_MODE:
            (top / folder).chmod(FOLDER_MODE)
        made.add(folder)


def _put(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
    try:
        if stat.S_IMODE(os.fstat(handle).st_mode) != FILE_MODE:  # a look costs less than a mode that is set
            os.fchmod(handle, FILE_MODE)  # whatever the umask says: two builds are the same
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
    finally:
        os.close(handle)


def _linked(standing: StandingFile, path: Path) -> bool:
    """Give a file that stands a second place, if it may be one of the site's: no copy is made of it.

    It has the mode of a written one, is ours, and has no place but its own and this one: whoever writes to
    what lies elsewhere alters no site. What its bytes are, `_check` reads.
    """
    try:
        os.link(standing.path, path, follow_symlinks=False)
    except OSError:  # not every disk has links, and none has them to another
        return False
    found = path.lstat()
    if (
        stat.S_ISREG(found.st_mode)
        and stat.S_IMODE(found.st_mode) == FILE_MODE
        and (found.st_nlink, found.st_size, found.st_uid) == (2, standing.size, os.geteuid())
    ):
        return True
    path.unlink()
    return False


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
        with open(f"{draft}/{path}", "rb", buffering=0) as file:  # noqa: PTH123 (of strings: a site has many)
            data = file.read()
        if len(data) != size or hashlib.sha256(data).hexdigest() != digest:
            raise PublishError("does not read back as it was written", where=path, hint="build again")


def _exchange(work: WorkFolder, site: Path) -> None:
    """Swap two folders in one step where the kernel can; else in two, the first undone if the other fails."""
    draft = work.path / DRAFT
    if not kept_files.is_there(site):
        draft.rename(site)
    elif not _renameat2(draft, site):
        aside = work.path / ASIDE
        site.rename(aside)
        work.needed = True  # while the earlier site has no other place
        try:
            draft.rename(site)
        except OSError:
            aside.rename(site)
            work.needed = False
            raise
        work.needed = False


def _confirm(site: Path, told: Callable[[str], None]) -> None:
    """Have the names of the folders on the disk, too; the new site stands whether or not the disk says so."""
    try:
        with _opened(site.parent) as handle:
            os.fsync(handle)
    except OSError as bad:
        told(f"{site.name}: the new site stands; whether it outlives a power cut, the disk did not say: "
             f"{bad.strerror}")  # fmt: skip


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
