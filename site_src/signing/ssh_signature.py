"""SSH signatures (``sshsig``) of a file's bytes by Ed25519 keys, as `ssh-keygen -Y` makes and checks them.

Does: frame what is signed, spell a signature, read one strictly. Does not: hold keys (`ssh_keys`), or say
whose a key is. Source: OpenSSH, PROTOCOL.sshsig.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import textwrap
from typing import Final

from msgspec import Struct

from metrics_core.errors import FormatError
from site_src.publishing import SIGNATURE, shown

NAMESPACE: Final = "assay-site"
"""What the signature is for: one made for a commit or a login says nothing of a site."""
KEY_TYPE: Final = b"ssh-ed25519"
_MAGIC: Final = b"SSHSIG"
_HASH: Final = "sha512"
_HASHES: Final = {"sha256": hashlib.sha256, "sha512": hashlib.sha512}
_BEGIN, _END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
LONGEST: Final = 4096
"""Bytes of a signature file; one of Ed25519 has about 300."""


class SshSignature(Struct, frozen=True):
    """A signature as its file holds it.

    Attributes:
        key: The signer's public key, 32 bytes.
        namespace: What it was made for.
        hash_name: How the message was digested before it was signed.
        signature: 64 bytes.
    """

    key: bytes
    namespace: str
    hash_name: str
    signature: bytes

    def message(self, data: bytes) -> bytes:
        """The bytes that this signature must be of, if it is one of ``data``."""
        return signed_bytes(data, self.namespace, self.hash_name)


def string(data: bytes) -> bytes:
    r"""A string as SSH writes it: its length in four bytes, then itself.

    >>> string(b"ab")
    b'\x00\x00\x00\x02ab'
    """
    return len(data).to_bytes(4, "big") + data


def key_blob(key: bytes) -> bytes:
    """A public key as SSH writes it."""
    return string(KEY_TYPE) + string(key)


def signed_bytes(data: bytes, namespace: str = NAMESPACE, hash_name: str = _HASH) -> bytes:
    """What is signed in place of a file's bytes: its digest, bound to a namespace."""
    digest = _HASHES[hash_name](data).digest()
    return _MAGIC + string(namespace.encode()) + string(b"") + string(hash_name.encode()) + string(digest)


def armored(key: bytes, signature: bytes) -> bytes:
    """A signature as its file holds it.

    Args:
        key: The signer's public key, 32 bytes.
        signature: Of `signed_bytes`, 64 bytes.
    """
    blob = b"".join(
        (
            _MAGIC,
            (1).to_bytes(4, "big"),
            string(key_blob(key)),
            string(NAMESPACE.encode()),
            string(b""),
            string(_HASH.encode()),
            string(string(KEY_TYPE) + string(signature)),
        )
    )
    lines = textwrap.wrap(base64.b64encode(blob).decode(), 70)
    return "\n".join((_BEGIN, *lines, _END, "")).encode()


def read(data: bytes, where: str = SIGNATURE) -> SshSignature:
    """A signature from its file, strictly.

    Raises:
        FormatError: It is no whole SSH signature of an Ed25519 key.
    """
    try:
        return _parsed(data)
    except (ValueError, binascii.Error) as bad:
        raise FormatError(f"expected an SSH signature: {shown(str(bad))}", where=where) from bad


def _parsed(data: bytes) -> SshSignature:
    text = " ".join(data[: LONGEST + 1].decode("ascii").split())
    if len(data) > LONGEST or not (text.startswith(_BEGIN) and text.endswith(_END)):
        raise ValueError("not armoured as an SSH signature is")
    parts = _Parts(base64.b64decode(text[len(_BEGIN) : -len(_END)].replace(" ", ""), validate=True))
    if parts.take(len(_MAGIC)) != _MAGIC or parts.take(4) != (1).to_bytes(4, "big"):
        raise ValueError("not version 1 of an SSH signature")
    key, namespace, reserved, hash_name, signature = (parts.string() for _ in range(5))
    parts.end()
    if reserved or hash_name.decode("ascii") not in _HASHES:
        raise ValueError("an unknown digest")
    return SshSignature(
        key=read_key(key),
        namespace=namespace.decode("utf-8"),
        hash_name=hash_name.decode("ascii"),
        signature=_of_type(signature, 64),
    )


def read_key(blob: bytes) -> bytes:
    """The 32 bytes of an Ed25519 public key as SSH writes it.

    Raises:
        ValueError: It is of another type or length.
    """
    return _of_type(blob, 32)


def _of_type(blob: bytes, length: int) -> bytes:
    parts = _Parts(blob)
    kind, data = parts.string(), parts.string()
    parts.end()
    if kind != KEY_TYPE or len(data) != length:
        raise ValueError("not of an Ed25519 key")
    return data


class _Parts(Struct):
    """Bytes that are taken from the front."""

    data: bytes

    def take(self, count: int) -> bytes:
        if len(self.data) < count:
            raise ValueError("cut off")
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def string(self) -> bytes:
        return self.take(int.from_bytes(self.take(4), "big"))

    def end(self) -> None:
        if self.data:
            raise ValueError("bytes behind its end")
