"""Traces of the machine that builds: its home folder, host name, user and e-mail address, as rules.

Does: spell each as records do: in any case, with either slash, encoded, or with dashes for slashes. Does not:
find out whose machine it is, touch names that any machine may have, or take a product for a login.
"""

from __future__ import annotations

import re

from msgspec import Struct

from metrics_core.redaction.rule import Rule

GENERIC = frozenset({
    "root", "user", "users", "home", "runner", "admin", "ubuntu", "debian", "builder", "build", "local",
    "localhost", "docker", "container", "test", "guest", "nobody", "default",
})  # fmt: skip
"""Names that tell nobody's machine from another's, and are words of their own in any log."""

COMMON = frozenset({
    "claude", "codex", "copilot", "cursor", "devin", "gemini", "llama", "mistral", "openai",
    "anthropic", "agent", "agents", "assistant", "coder", "developer", "sandbox", "worker", "service",
    "server", "system", "deploy", "project", "research", "student", "tester", "vscode", "codespace",
    "jovyan", "vagrant", "jenkins", "circleci", "gitlab", "github", "python", "node", "postgres",
    "oracle", "centos", "fedora", "azureuser",
})  # fmt: skip
"""Logins of images and services that are words or products, too: only where a home or a login is meant."""

LONG_NAME = 6
"""Letters from which on a name is told from a word also between underscores, ``x_name_y``."""

_ANYTHING = rb"(?s:.)"
_SLASH = rb"(?:\\{1,4}/?|/|%2f|%5c)"
_BEGINS = rb"(?i)(?<![A-Za-z0-9_])"
_PATH_ENDS, _DASHES_END = rb"(?![A-Za-z0-9_\-])", rb"(?![A-Za-z0-9_])"


class BuilderIdentity(Struct, frozen=True, kw_only=True):
    """Whose machine this is, as far as its traces may stand in records. Empty where not known.

    Attributes:
        home: Home folder.
        host: Host name.
        user: Login name.
        emails: Addresses of the git identity.
    """

    home: str = ""
    host: str = ""
    user: str = ""
    emails: tuple[str, ...] = ()

    def rules(self) -> tuple[Rule, ...]:
        """The rules of its traces. Names that any machine may have are none."""
        found = []
        parts = [part for part in re.split(r"[/\\]", self.home) if part]
        if parts:
            found.append(_home(parts, absolute=self.home.startswith(("/", "\\"))))
        names = {self.user, parts[-1] if len(parts) > 1 else ""}
        found += [_below_homes(name) for name in sorted(names) if len(name) >= 2 and _tells(name)]
        if self.user.lower() in COMMON:
            found.append(_login(self.user))
        for label, word in (("builder-host", self.host), ("builder-user", self.user)):
            if len(word) >= 4 and _tells(word) and word.lower() not in COMMON:
                found.append(_word(label, word, rb"(?![A-Za-z0-9_\-])"))
                if label == "builder-user" and len(word) >= LONG_NAME:
                    found.append(_part_of_a_word(label, word))
        emails = (email for email in self.emails if "@" in email)
        return (*found, *(_word("builder-email", email, rb"(?![A-Za-z0-9])") for email in emails))


def _tells(word: str) -> bool:
    return word.lower() not in GENERIC


def _home(parts: list[str], *, absolute: bool) -> Rule:
    """A home folder: with slashes of any kind and, where it has several parts, with dashes for them."""
    spelled = [re.escape(_bytes(part)) for part in parts]
    slashes = (_SLASH if absolute else b"") + _SLASH.join(spelled) + _PATH_ENDS
    dashes = rb"|-{1,2}" + b"-".join(spelled) + _DASHES_END if len(parts) > 1 else b""
    pattern = _BEGINS + rb"(?:" + slashes + dashes + rb")"
    return Rule(
        label="builder-home",
        needles=_needles(parts[-1], dashes=len(parts) > 1),
        pattern=pattern,
        guard=_ANYTHING,
    )


def _below_homes(name: str) -> Rule:
    r"""A name where homes lie: ``/home/name``, ``C:\Users\name``, ``/mnt/c/Users/name``, ``-home-name-``."""
    spelled = re.escape(_bytes(name))
    slashes = rb"(?:(?:/mnt)?/[a-z]|[a-z]:)?" + _SLASH + rb"(?:home|users)" + _SLASH + spelled + _PATH_ENDS
    dashes = rb"(?:[a-z]-)?-(?:home|users)-" + spelled + _DASHES_END
    pattern = _BEGINS + rb"(?:" + slashes + rb"|" + dashes + rb")"
    return Rule(label="builder-home", needles=_needles(name), pattern=pattern, guard=_ANYTHING)


def _needles(last: str, *, dashes: bool = True) -> tuple[bytes, ...]:
    """The last part of a path with what stands before it, so that no word of a page is met."""
    word = _bytes(last.lower())
    signs = (b"/", b"\\", b"2f", b"5c", *((b"-",) if dashes else ()))
    return tuple(
        sign + word if len(sign + word) >= 4 else top + sign + word
        for sign in signs
        for top in (b"home", b"users")
    )


def _word(label: str, word: str, ends: bytes) -> Rule:
    pattern = _BEGINS + re.escape(_bytes(word)) + ends
    return Rule(label=label, needles=(_bytes(word.lower()),), pattern=pattern, guard=_ANYTHING)


def _login(name: str) -> Rule:
    """A name where a login stands: at a prompt, before a path on a host, in the environment, behind an id."""
    spelled = re.escape(_bytes(name))
    pattern = (
        rb"(?<![A-Za-z0-9_.\-])(" + spelled + rb")@[A-Za-z0-9\-]+:(?:~|/(?!/))"
        rb"|\[(" + spelled + rb")@[A-Za-z0-9\-]+ "
        rb"|\b(?:(?:SUDO_)?USER|USERNAME|LOGNAME)=(" + spelled + rb")(?![\w\-])"
        rb"|\b(?:[ug]id|groups)=\d{1,10}\((" + spelled + rb")\)"
    )
    word = _bytes(name.lower())
    needles = (word + b"@", b"=" + word, b"(" + word + b")")
    return Rule(label="builder-user", needles=needles, pattern=pattern, guard=_ANYTHING)


def _part_of_a_word(label: str, word: str) -> Rule:
    """A name with an underscore at one side or both, as folders, images and branches are named."""
    spelled = re.escape(_bytes(word))
    pattern = rb"(?i)(?:(?<=_)" + spelled + rb"(?![A-Za-z0-9])|(?<![A-Za-z0-9])" + spelled + rb"(?=_))"
    return Rule(label=label, needles=(_bytes(word.lower()),), pattern=pattern, guard=_ANYTHING)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
