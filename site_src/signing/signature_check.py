"""Signing a site, and what can be said of a site's signature: three states that are never merged.

*Not signed*; *signed by a key* that whoever reads this must know; signed by the key that they named. A
signature that does not hold is none of these: it is a fault.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from metrics_core.errors import InputError
from site_src.publishing import SIGNATURE, STATEMENT, PublishedSite, read_manifest, shown
from site_src.signing import ssh_keys, ssh_signature, statement
from site_src.signing.ssh_keys import PublicKey
from site_src.signing.ssh_signature import NAMESPACE


class NotSigned(Struct, frozen=True):
    """There is no signature, or none that holds for this site.

    Attributes:
        broken: Whether there is one, which does not hold: that is a fault as well.
    """

    broken: bool = False

    @property
    def words(self) -> str:
        """The state in words."""
        return "its signature does not hold" if self.broken else "not signed"

    def to_json(self) -> dict[str, Any]:
        """Its state."""
        return {"state": "broken" if self.broken else "not signed"}


class Signed(Struct, frozen=True):
    """The signature holds, and was made by this key.

    Attributes:
        key: The signer's.
        named: Whether it is the one that whoever verifies has named.
        sequence: Which publication the statement says this is.
    """

    key: PublicKey
    named: bool
    sequence: int

    @property
    def words(self) -> str:
        """The state in words."""
        whose = "the key that you named" if self.named else "you must know this key"
        return f"signed by {self.key} ({whose})"

    def to_json(self) -> dict[str, Any]:
        """Its state, key, whether that was named, and sequence."""
        return {"state": "signed", "key": str(self.key), "named": self.named, "sequence": self.sequence}


class Signature(Struct, frozen=True):
    """What was found of a site's statement and signature.

    Attributes:
        state: Who signed.
        checked: How many files were looked at: 0 to 2.
        faults: Every mismatch.
        told: What else there is to know.
    """

    state: Signed | NotSigned
    checked: int
    faults: tuple[str, ...]
    told: tuple[str, ...] = ()


def sign_site(site: Path, key: Path) -> PublicKey:
    """Write the statement of a site and its signature into the site.

    Args:
        site: Folder of a built site, as it was built.
        key: A private key file of SSH (Ed25519), or the public one of a key that an agent holds.

    Returns:
        The key that signed.

    Raises:
        InputError: The site is not what its manifest lists, or the key does not sign.
    """
    published = PublishedSite(site, read_manifest(site))
    if fault := next(iter(published.faults()), None):
        raise InputError(f"is not as it was built, and was not signed: {fault}", where=shown(site.name))
    data = statement.to_bytes(statement.statement(published))
    signer, signature = ssh_keys.sign(ssh_signature.signed_bytes(data), key)
    with contextlib.suppress(FileNotFoundError):
        (site / SIGNATURE).unlink()  # so that no moment has a statement with the signature of another
    for name, content in ((STATEMENT, data), (SIGNATURE, ssh_signature.armored(signer.data, signature))):
        draft = site / f".{name}.draft"
        draft.write_bytes(content)
        os.replace(draft, site / name)  # noqa: PTH105 (over whatever stands there, in one step)
    return signer


def check_signature(
    site: PublishedSite, named: PublicKey | None = None, earlier: dict[str, Any] | None = None
) -> Signature:
    """Hold a site's statement and its signature against the site.

    Args:
        site: To be checked.
        named: The key that must have signed it.
        earlier: The statement of a site of the same publisher that was seen before.
    """
    faults: list[str] = []
    try:
        data, armored = site.unlisted(STATEMENT), site.unlisted(SIGNATURE)
    except InputError as error:
        return Signature(NotSigned(broken=True), 0, (str(error),))
    checked = (data is not None) + (armored is not None)
    state: Signed | NotSigned = NotSigned(broken=armored is not None)
    found: dict[str, Any] | None = None
    if data is None and armored is not None:
        faults.append(f"{SIGNATURE}: is of no statement")
    if data is not None:
        try:
            found = statement.read_statement(data)
            faults += statement.differences(found, statement.statement(site))
        except InputError as error:
            faults.append(str(error))
        if armored is not None:
            state, broken = _signer(data, armored, named, None if faults else found)
            faults += broken
    if named is not None and not (isinstance(state, Signed) and state.named):
        faults.append(f"not signed by the key that you named, {named}")
    if earlier is not None:
        gone = ["holds no statement, and one was seen: it may be rolled back"]
        faults += statement.since(found, earlier) if found else gone
    return Signature(state, checked, tuple(faults), () if faults else tuple(_told(found)))


def _signer(
    data: bytes, armored: bytes, named: PublicKey | None, holds: dict[str, Any] | None
) -> tuple[Signed | NotSigned, list[str]]:
    """Who signed these bytes; nobody, where they are no statement that holds of this site."""
    try:
        signature = ssh_signature.read(armored)
    except InputError as error:
        return NotSigned(broken=True), [str(error)]
    if signature.namespace != NAMESPACE:
        made_for = f"was made for {shown(signature.namespace)!r}, expected {NAMESPACE!r}"
        return NotSigned(broken=True), [f"{SIGNATURE}: {made_for}"]
    key = PublicKey(signature.key)
    if not key.signed(signature.signature, signature.message(data)):
        return NotSigned(broken=True), [f"{SIGNATURE}: does not hold for {STATEMENT}"]
    if holds is None:
        return NotSigned(broken=True), []
    return Signed(key, key == named, holds["predicate"]["sequence"]), []


def _told(found: dict[str, Any] | None) -> Iterator[str]:
    if found is None:
        return
    predicate = found["predicate"]
    if predicate["edition"] is not None:
        number = predicate["sequence"]
        yield f"its statement says edition {number}; --after tells whether a later one was seen"
    elif predicate["sequence"]:
        yield f"its statement says a build after edition {predicate['sequence']}, not published as one"
    else:
        yield "its statement says a build before any edition: nothing can tell whether a later one was seen"
