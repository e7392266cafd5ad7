"""Everything that a build depends on, as parts with digests: the program, the machine, the plan, the inputs.

A part too many makes something again that need not be; one too few would show what is no longer true. So
every file of the content folder counts, whether or not it is read.
"""

from __future__ import annotations

import hashlib
import os
import platform
import stat
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import metrics_core
from metrics_core.contracts import lockfile
from metrics_core.digest import canonical, of_bytes
from metrics_core.errors import AssayError
from metrics_core.experiments import Address, Place
from metrics_core.pricing import PriceTable
from metrics_core.redaction import Redactor
from site_src.installed import templates_folder
from site_src.project import LEDGER, Plan, SiteConfig, listed, registrations, site_config

_PIECE = 2**17
"""Bytes of a file that are read at once."""

_CAGE = (
    "/proc/sys/user/max_user_namespaces",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
)
"""What decides which cage the kernel gives a contract, which a site says; beside what this process may do."""

AT_ADDRESS = "an experiment lies at an address, where nothing says that it is as it was before it is read"


class NotKeptError(Exception):
    """What a build reads cannot be told by digests; the message says why, and the build keeps nothing."""


@cache
def program() -> dict[str, str]:
    """The program's own files, the libraries at hand by name and version, the interpreter, and the machine.

    A library that was edited under its version is not seen.
    """
    core, site = Path(metrics_core.__file__).parent, Path(__file__).parents[1]
    folders = {"metrics_core": core, "site_src": site, "templates": templates_folder()}
    named = {name: source(folder) for name, folder in folders.items()}
    libraries = sorted(
        {
            found.name
            for place in sys.path
            if place and Path(place).is_dir()
            for found in Path(place).iterdir()
            if found.name.endswith((".dist-info", ".egg-info"))
        }
    )
    here = (
        *os.uname(),
        *_rights(),
        platform.python_implementation(),
        sys.version,
        sys.flags.optimize,
        os.geteuid(),
    )
    return {
        "the program": of_bytes(canonical(named)),
        "a library": of_bytes("\n".join(libraries).encode()),
        "the machine": of_bytes("\n".join(map(str, here)).encode()),
    }


def _rights() -> Iterator[str]:
    """What the system lets a process of this one be put into."""
    for path in map(Path, _CAGE):
        yield path.read_text() if os.access(path, os.R_OK) else ""
    status = Path("/proc/self/status")
    for row in status.read_text().splitlines() if os.access(status, os.R_OK) else ():
        if row.startswith(("Cap", "NoNewPrivs", "Seccomp")):
            yield row


def redaction(redactor: Redactor) -> str:
    """What a redactor takes out besides what is taken out anywhere: as a digest, for it names the builder."""
    return of_bytes(repr((redactor.builder, sorted(redactor.allowed))).encode())


def inputs_of(plan: Plan) -> dict[str, str]:
    """Everything that the site of a plan depends on.

    Args:
        plan: One with a content folder.

    Raises:
        NotKeptError: An experiment lies at an address, a link or a device lies among the inputs, or something
            cannot be read.
    """
    if plan.content is None:
        raise NotKeptError("there is no content folder")
    try:
        named = os.environ.get(LEDGER)
        asked = {
            "strict": plan.strict,
            "publishing": plan.publishing,
            "fail_on_invalid": plan.fail_on_invalid,
            "settings": repr(plan.settings),
            "flags": list(plan.flags),
            "run_pages": plan.run_pages,
            "output": os.path.realpath(plan.output),
            "content": os.path.realpath(plan.content),
            "project": str(plan.project and os.path.realpath(plan.project)),
            "experiments": [str(path) for path in plan.experiments],
        }
        ledgers = b"" if plan.package_ledger is None else lockfile.write(plan.package_ledger)
        ledgers += Path(named).read_bytes() if named else b""
        return {
            **program(),
            "what was asked for": of_bytes(canonical(asked)),
            "whose machine it is": redaction(plan.redactor),
            "the ledger of the package": of_bytes(ledgers),
            "what git says of decisions": of_bytes(repr(_registered(plan.content / "decisions")).encode()),
            **dict(_below(plan.content.resolve(), plan.content.name)),
            **dict(_elsewhere(plan, plan.content)),
        }
    except (OSError, ValueError, NotImplementedError, AssayError) as bad:  # glob has the third for a pattern
        raise NotKeptError(f"the inputs cannot be read: {bad}") from bad


def inputs_of_experiment(plan: Plan, path: Place, tables: Sequence[PriceTable]) -> dict[str, str]:
    """Everything that the report of an experiment depends on.

    Args:
        plan: What is to be built.
        path: Folder or file of the experiment, or its address.
        tables: The site's price tables.

    Raises:
        NotKeptError: It lies at an address, a link or a device lies among the inputs, or something cannot be
            read.
    """
    if isinstance(path, Address):
        raise NotKeptError(AT_ADDRESS)
    try:
        return {
            **program(),
            "the settings of the command line": of_bytes(repr(plan.settings).encode()),
            "whose machine it is": redaction(plan.redactor),
            "a price table of the site": of_bytes(repr(tuple(tables)).encode()),
            **dict(_below(path.resolve(), path.name)),
        }
    except (OSError, ValueError) as bad:
        raise NotKeptError(f"the inputs cannot be read: {bad}") from bad


def _registered(folder: Path) -> list[tuple[str, registrations.Registration]]:
    """Which decisions are registered since when: a commit changes that, and no file of the content folder."""
    files = [(path.name, path.read_bytes()) for path in sorted(folder.glob("*.md"))]
    return sorted(registrations.registrations(folder, files).items())


def settings_of(content: Path) -> SiteConfig:
    """The settings of a content folder."""
    settings = content / "site.yaml"
    return site_config.read(settings.read_bytes() if settings.is_file() else b"", settings.name)


def _elsewhere(plan: Plan, content: Path) -> Iterator[tuple[str, str]]:
    """Experiments and price tables that do not lie in the content folder."""
    config = settings_of(content)
    prices = (path for pattern in config.pricing for path in content.glob(pattern))
    for number, path in enumerate((*(plan.experiments or listed(content, config)), *sorted(prices))):
        if isinstance(path, Address):
            raise NotKeptError(AT_ADDRESS)
        inside = Path(os.path.normpath(path.absolute())).is_relative_to(os.path.normpath(content.absolute()))
        if not inside:
            yield from _below(path.resolve(), f"{number}/{path.name}")


def _below(path: Path, name: str) -> Iterator[tuple[str, str]]:
    """A file, or each file and folder of a folder, by its name."""
    found = path.lstat()
    if stat.S_ISDIR(found.st_mode):
        yield name + "/", "folder"
        with os.scandir(path) as entries:
            inner = sorted(entry.name for entry in entries)
        for each in inner:
            yield from _below(path / each, f"{name}/{each}")
    elif stat.S_ISREG(found.st_mode):
        yield name, digest_of(path)
    else:
        raise NotKeptError(f"{name} is neither a file nor a folder")


def digest_of(path: Path | str) -> str:
    """The sha256 of a file's bytes, in hex.

    Raises:
        OSError: It cannot be read, or is a link.
    """
    digest = hashlib.sha256()
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        while piece := os.read(handle, _PIECE):
            digest.update(piece)
    finally:
        os.close(handle)
    return digest.hexdigest()


def source(folder: Path) -> dict[str, str]:
    """The digest of each of the program's files, but for byte code."""
    return {
        path.relative_to(folder).as_posix(): digest_of(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
