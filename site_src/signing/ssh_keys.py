"""Ed25519 keys as SSH keeps them: public key lines, private key files, and keys that an agent holds.

A private key is only ever read where it signs, and never written. One that a passphrase protects is left to
the agent, which asks for it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import socket
from pathlib import Path
from typing import Final

from msgspec import Struct

from metrics_core.errors import InputError
from site_src.signing.ssh_signature import KEY_TYPE, key_blob, read_key, string

_SIGN_REQUEST: Final = b"\x0d"
_SIGN_RESPONSE: Final = 14
_LARGEST: Final = 1 << 16
_PATIENCE: Final = 120.0
"""Seconds that an agent may take, which may have to ask somebody."""


class PublicKey(Struct, frozen=True):
    """An Ed25519 public key, 32 bytes.

    >>> str(PublicKey(bytes(32)))
    'SHA256:kmYcvdi2GkPeWxB6XLjrZB8JHsy2Hm8luHMFp9GMvqk'
    """

    data: bytes

    def __str__(self) -> str:
        """Its fingerprint, as `ssh-keygen -l` prints it."""
        digest = hashlib.sha256(key_blob(self.data)).digest()
        return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")

    def signed(self, signature: bytes, message: bytes) -> bool:
        """Whether a signature of 64 bytes is this key's, and of these bytes."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.data).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


def read_public_key(path: Path) -> PublicKey:
    """The key of a file that holds one public key line, such as ``id_ed25519.pub``.

    Raises:
        InputError: It is there and holds something else, or another type of key.
    """
    return _public(_bytes(path), path)


def sign(message: bytes, path: Path) -> tuple[PublicKey, bytes]:
    """Sign with a private key file, or with an agent's key where the file is that of the public key.

    Args:
        message: The bytes to be signed, as they are.
        path: Of either file.

    Returns:
        The public key, and 64 bytes.

    Raises:
        InputError: The file is no Ed25519 key, a passphrase protects it, or no agent signs with it.
    """
    data = _bytes(path)
    if data.startswith(KEY_TYPE + b" "):
        key = _public(data, path)
        return key, _by_agent(message, key, path)
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    try:
        private = load_ssh_private_key(data, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as bad:
        raise InputError(
            "not a private key of SSH that can be read without a passphrase",
            where=path.name,
            hint="add it to an agent (ssh-add), and name its .pub file here",
        ) from bad
    if not isinstance(private, Ed25519PrivateKey):
        raise InputError("expected an Ed25519 key", where=path.name, hint="ssh-keygen -t ed25519")
    return PublicKey(private.public_key().public_bytes_raw()), private.sign(message)


def _by_agent(message: bytes, key: PublicKey, path: Path) -> bytes:
    """A signature by the agent that ``SSH_AUTH_SOCK`` names. Source: draft-miller-ssh-agent."""
    at = os.environ.get("SSH_AUTH_SOCK", "")
    if not at:
        raise InputError("is a public key, and there is no SSH agent", where=path.name, hint="ssh-add")
    asked = _SIGN_REQUEST + string(key_blob(key.data)) + string(message) + bytes(4)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as agent:
            agent.settimeout(_PATIENCE)
            agent.connect(at)
            agent.sendall(string(asked))
            answer = _received(agent, int.from_bytes(_received(agent, 4), "big"))
    except OSError as bad:
        raise InputError(f"the SSH agent does not answer: {bad.strerror or bad}", where=path.name) from bad
    if answer[:1] != bytes([_SIGN_RESPONSE]):
        raise InputError("the SSH agent did not sign with this key", where=path.name, hint="ssh-add -l")
    signature = answer[-64:]
    if answer[1:] != string(string(KEY_TYPE) + string(signature)) or not key.signed(signature, message):
        raise InputError("the SSH agent gave no signature of this key", where=path.name)
    return signature


def _received(agent: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < min(count, _LARGEST) and (more := agent.recv(min(count, _LARGEST) - len(data))):
        data += more
    return data


def _public(data: bytes, path: Path) -> PublicKey:
    kind, _, rest = data.strip().partition(b" ")
    try:
        if kind == KEY_TYPE and b"\n" not in rest:
            return PublicKey(read_key(base64.b64decode(rest.split(b" ")[0], validate=True)))
    except (ValueError, binascii.Error):
        pass
    raise InputError("expected one line of an Ed25519 public key: ssh-ed25519 AAAA...", where=path.name)


def _bytes(path: Path) -> bytes:
    if not path.is_file():
        raise InputError("no such key file", where=path.name or str(path))
    with path.open("rb") as stream:
        return stream.read(_LARGEST)
