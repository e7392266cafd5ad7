"""The ledger of instruments, ``contracts.lock``: every digest that a contract was ever published under.

A contract whose source changed while its id and version did not is stopped here. Rows are only ever added.
This package ships a ledger of its own contracts; a site keeps another beside its content. What proves that
a revision moved no number is the command line's business, as is the date: nothing here looks at a clock.
A `UsedContract` is a contract as a site publishes it: reference, files with their digests, and what its
fixtures gave.
"""

from __future__ import annotations

import json
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from metrics_core import digest
from metrics_core.contracts.contract import Contract, UserContract
from metrics_core.contracts.fixture import FixtureResult
from metrics_core.digest import of_bytes
from metrics_core.errors import FormatError, LockError
from metrics_core.formats import is_day, strict_json
from metrics_core.results import UsedContract

if TYPE_CHECKING:
    from metrics_core.results import Vocabulary

SCHEMA = "assay.contracts-lock/1"
NAME = "contracts.lock"
HEX = re.compile(r"[0-9a-f]{64}")


class LockedContract(Struct, frozen=True):
    """One digest of one version of one contract.

    Attributes:
        id: As the contract states it.
        version: Digits.
        digest: Of the source closure.
        date: Day on which it was added, ``YYYY-MM-DD``.
        reason: Why, in words; never empty.
        files: (path, sha256 hex) of the source closure, by path.
    """

    id: str
    version: str
    digest: str
    date: str
    reason: str
    files: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        where = f"{NAME}: {self.id} v{self.version}"
        if not self.id or not self.version.isdecimal():
            raise FormatError("expected an id and a version of digits", where=where)
        if not is_day(self.date):
            raise FormatError(f"expected a date as YYYY-MM-DD, got {self.date!r}", where=where)
        if not self.reason.strip():
            raise FormatError("a digest without a reason", where=where)
        try:
            digest.parse(self.digest)
        except ValueError as error:
            raise FormatError(str(error), where=where) from error
        if list(self.files) != sorted(dict(self.files).items()) or not self.files:
            raise FormatError("expected each file once, in order of their paths", where=where)
        if not all(HEX.fullmatch(sha256) for _, sha256 in self.files):
            raise FormatError("expected 64 hex digits for each file", where=where)


class Lockfile(Struct, frozen=True):
    """Rows in the order in which they were added.

    Raises:
        FormatError: One digest of one version stands in it twice.
    """

    rows: tuple[LockedContract, ...] = ()

    def __post_init__(self) -> None:
        keys = [(row.id, row.version, row.digest) for row in self.rows]
        for at, key in enumerate(keys):
            if key in keys[:at]:
                raise FormatError("the same digest twice", where=f"{NAME}: {key[0]} v{key[1]}")

    def of(self, contract_id: str, version: str) -> tuple[LockedContract, ...]:
        """Rows of one version of one contract."""
        return tuple(row for row in self.rows if (row.id, row.version) == (contract_id, version))


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    version: str
    digest: str
    date: str
    reason: str
    files: dict[str, str]


class _Lock(msgspec.Struct, forbid_unknown_fields=True):
    schema: str
    contracts: list[_Row]


@lru_cache(maxsize=1 << 4)
def read(data: bytes) -> Lockfile:
    """A ledger from its file.

    Args:
        data: Bytes of a ``contracts.lock``.

    Raises:
        FormatError: It is not one, or somebody changed it by hand in a way that cannot be.

    >>> read(write(Lockfile())) == Lockfile()
    True
    """
    try:
        lock = msgspec.convert(strict_json.decode(data), type=_Lock)
    except ValueError as error:
        raise FormatError(str(error), where=NAME) from error
    if lock.schema != SCHEMA:
        raise FormatError(f"expected schema {SCHEMA}, got {lock.schema!r}", where=NAME)
    return Lockfile(
        tuple(
            LockedContract(
                row.id, row.version, row.digest, row.date, row.reason, tuple(sorted(row.files.items()))
            )
            for row in lock.contracts
        )
    )


def write(ledger: Lockfile) -> bytes:
    """A ledger's file: indented JSON, one line a field, so that a review shows what was added."""
    rows = [
        {
            "id": row.id,
            "version": row.version,
            "digest": row.digest,
            "date": row.date,
            "reason": row.reason,
            "files": dict(row.files),
        }
        for row in ledger.rows
    ]
    lock = {"schema": SCHEMA, "contracts": rows}
    return json.dumps(lock, indent=2, ensure_ascii=False).encode("utf-8") + b"\n"


def package_ledger() -> Lockfile:
    """What this package ships: the digests of its own releases; empty where it ships none."""
    try:
        data = pkgutil.get_data("metrics_core.contracts", NAME)
    except OSError:
        data = None
    return Lockfile() if data is None else read(data)


def check(ledgers: Iterable[Lockfile], used: Sequence[UsedContract]) -> tuple[str, ...]:
    """Hold the contracts in use against every ledger there is.

    Args:
        ledgers: The package's and, where it has one, the site's; a digest known to either is known.
        used: What measured the numbers of this build.

    Returns:
        A note for each contract whose id and version nobody knows yet; publishing wants none.

    Raises:
        LockError: Known id and version, another digest (exit 3), or two digests that nobody knows of one id
            and version; each file that differs is named.
    """
    rows = [row for ledger in ledgers for row in ledger.rows]
    notes: list[str] = []
    changed: list[str] = []
    first: dict[tuple[str, str], UsedContract] = {}
    for contract in sorted({c.ref.digest: c for c in used}.values(), key=lambda c: (c.ref.id, c.ref.digest)):
        known = [row for row in rows if (row.id, row.version) == (contract.ref.id, contract.ref.version)]
        name = f"{contract.ref.id} v{contract.ref.version}"
        other = first.setdefault((contract.ref.id, contract.ref.version), contract)
        if not known and _bytes(other) != _bytes(contract):
            changed.append(f"{name} is two scorers: {'; '.join(differences(other, contract))}")
        elif not known:
            notes.append(f"{name} is in no ledger yet; `assay lock` adds it")
        elif contract.ref.digest not in {row.digest for row in known}:
            changed.append(f"{name}: {'; '.join(differences(known[-1], contract))}")
    if changed:
        raise LockError(
            f"the scorer changed but its version did not: {' | '.join(changed)}",
            where=NAME,
            hint="bump the version, or, where the results are meant to be the same, "
            '`assay lock --revise "why"`, which first proves that no number moved',
        )
    return tuple(notes)


def _bytes(contract: UsedContract) -> list[str]:
    """Digests of a contract's files, whatever they are called."""
    return sorted(digest for _, digest in contract.files)


def differences(known: LockedContract | UsedContract, contract: UsedContract) -> Iterator[str]:
    """Which files are not those of a row, or of another contract: changed, added or removed."""
    was, now = dict(known.files), dict(contract.files)
    for path in sorted({*was, *now}):
        if path not in now:
            yield f"{path} is gone"
        elif path not in was:
            yield f"{path} is new"
        elif was[path] != now[path]:
            yield f"{path} differs"


def add(
    ledger: Lockfile, contract: UsedContract, *, date: str, reason: str, revise: bool = False
) -> Lockfile:
    """The ledger with one more digest; the rows that stand in it stay as they are.

    Args:
        ledger: Where it is added; a digest that stands in it already changes nothing.
        contract: What was, or is about to be, published.
        date: Today, ``YYYY-MM-DD``.
        reason: Why; for a revision, why the numbers are the same.
        revise: Whether a known version may get another digest: only once it is proved that no number moved.

    Raises:
        LockError: The version is known with another digest, and this is no revision.
        FormatError: The date or the reason is missing.
    """
    known = ledger.of(contract.ref.id, contract.ref.version)
    if contract.ref.digest in {row.digest for row in known}:
        return ledger
    if known and not revise:
        check([ledger], [contract])
    files = tuple(sorted(contract.files))
    row = LockedContract(contract.ref.id, contract.ref.version, contract.ref.digest, date, reason, files)
    return Lockfile((*ledger.rows, row))


def used_contract(
    contract: Contract | UserContract,
    results: Sequence[FixtureResult],
    family: str,
    words: Vocabulary | None = None,
    cage: str | None = None,
) -> UsedContract:
    """The publishable form of a contract.

    Args:
        contract: Built-in or user-supplied.
        results: What its golden fixtures gave.
        family: Name of the family whose numbers it reads.
        words: The family's words for readers.
        cage: What a user's contract ran in, as `metrics_core.contracts.cage_of` words it.
    """
    rows = tuple((r.name, r.expected, r.got) for r in results)
    if isinstance(contract, Contract):
        return UsedContract(
            ref=contract.ref(),
            title=contract.title,
            kind="built-in",
            family=family,
            metric_sha256=None,
            files=file_digests(contract.files()),
            fixtures=rows,
            promise=contract.promise,
            words=words,
        )
    return UsedContract(
        ref=contract.ref(),
        title=contract.id,
        kind="user",
        family=family,
        metric_sha256=contract.metric_sha256,
        files=file_digests(contract.files),
        fixtures=rows,
        promise=(("score", contract.promise),),
        words=words,
        cage=cage,
    )


def file_digests(files: Mapping[str, bytes]) -> tuple[tuple[str, str], ...]:
    r"""(path, sha256 hex) of each file, by path, with the line ends that the closure's digest counts.

    >>> file_digests({"a.py": b"x = 1\r\n"}) == file_digests({"a.py": b"x = 1\n"})
    True
    """
    unix = {path: data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") for path, data in files.items()}
    return tuple((path, of_bytes(data).removeprefix("sha256:")) for path, data in sorted(unix.items()))
