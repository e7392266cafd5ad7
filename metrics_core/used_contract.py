"""A contract as a site publishes it: reference, files with their digests, and what its fixtures gave.

Apart from `metrics_core.contract`, so that a family's source closure does not reach the report's shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from metrics_core.contract import Contract, FixtureResult, UserContract
from metrics_core.digest import of_bytes
from metrics_core.report import UsedContract

if TYPE_CHECKING:
    from metrics_core.vocabulary import Vocabulary


def used(
    contract: Contract | UserContract,
    results: Sequence[FixtureResult],
    family: str,
    words: Vocabulary | None = None,
) -> UsedContract:
    """The publishable form of a contract.

    Args:
        contract: Built-in or user-supplied.
        results: What its golden fixtures gave.
        family: Name of the family whose numbers it reads.
        words: The family's words for readers.
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
    )


def file_digests(files: Mapping[str, bytes]) -> tuple[tuple[str, str], ...]:
    r"""(path, sha256 hex) of each file, by path, with the line ends that the closure's digest counts.

    >>> file_digests({"a.py": b"x = 1\r\n"}) == file_digests({"a.py": b"x = 1\n"})
    True
    """
    unix = {path: data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") for path, data in files.items()}
    return tuple((path, of_bytes(data).removeprefix("sha256:")) for path, data in sorted(unix.items()))
