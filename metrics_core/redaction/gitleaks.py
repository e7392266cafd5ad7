"""The public rules of gitleaks, as its authors publish them, translated for this interpreter.

The rules are data: `gitleaks_rules.json`, with their version, origin, digest and licence; they are read when
they are first wanted, and only as the file whose digest stands here, so that the digest of an instrument
covers them. Does: turn each into a `Rule`. Rules that would take evidence for a secret are left out, by name.
`tests.support.gitleaks_rules` makes the file anew.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from metrics_core.redaction.key_values import names_evidence
from metrics_core.redaction.rule import KEYED_GUARD, TOKEN_GUARD, Match, Rule

SHA256 = "cef36c68f04d719ac64f55836aec4263907241f18ee5e51def26941ce1bc3e58"
RULES = Path(__file__).with_name("gitleaks_rules.json")

_ELSEWHERE = "looked for by a rule of `metrics_core.redaction.patterns` that sees more of them"
_IDENTIFIER = "an identifier, which is published by those whom it names"
LEFT_OUT = {
    "curl-auth-header": _ELSEWHERE,
    "curl-auth-user": _ELSEWHERE,
    "freemius-secret-key": _ELSEWHERE,
    "generic-api-key": "any value of any key: digests and identifiers are evidence; see `key_values`",
    "hashicorp-tf-password": _ELSEWHERE,
    "jwt": _ELSEWHERE,
    "kubernetes-secret-yaml": "spans lines, of which a piece of a file may hold a part",
    "lob-api-key": _ELSEWHERE,
    "lob-pub-api-key": _ELSEWHERE,
    "nuget-config-password": _ELSEWHERE,
    "pkcs12-file": "names files; a file that was not read is not published",
    "private-key": _ELSEWHERE,
    "sourcegraph-access-token": "takes every commit for a token where the word sourcegraph stands",
    "adobe-client-id": _IDENTIFIER,
    "asana-client-id": _IDENTIFIER,
    "bitbucket-client-id": _IDENTIFIER,
    "discord-client-id": _IDENTIFIER,
    "linkedin-client-id": _IDENTIFIER,
    "looker-client-id": _IDENTIFIER,
    "messagebird-client-id": _IDENTIFIER,
    "plaid-client-id": _IDENTIFIER,
    "sendbird-access-id": _IDENTIFIER,
    "sumologic-access-id": _IDENTIFIER,
}
"""Rule -> why it is not used."""

_PREFIX = r"[\w.-]{0,50}?"
_TERMINATORS = (
    r"""(?:[\x60'"\s;]|\\[nr]|$|\b)""",
    r"""(?:[\x60'"\s;]|\\[nr]|$)""",
    r"""(?:$|[\\'"\x60\s<),])""",
)
_FLAG = re.compile(r"\(\?([a-z]+)\)")
_HEX = "0123456789abcdef"
_WORD = "abcdefghijklmnopqrstuvwxyz0123456789"

_NEEDLES: dict[str, tuple[str, ...]] = {
    "1password-secret-key": tuple(f"a3-{c}" for c in _WORD),
    "authress-service-client-access-key": (
        *(f"{p}_{c}" for p in ("sc", "ext") for c in _WORD),
        "scauth_",
        "authress_",
    ),
    "aws-access-token": ("akia", "asia", "abia", "acca", *(f"a3t{c}" for c in _WORD)),
    "azure-ad-client-secret": tuple(f"{d}q~{c}" for d in "0123456789" for c in _WORD + "_~.-"),
    "cloudflare-origin-ca-key": ("v1.0-",),
    "flyio-access-token": ("fo1_", "fm1a_", "fm1r_", "fm2_"),
    "gocardless-api-token": ("gocardless",),
    "huggingface-access-token": tuple(f"hf_{c}" for c in _WORD),
    "intra42-client-secret": ("s-s4t2ud-", "s-s4t2af-"),
    "sendgrid-api-token": tuple(f"sg.{c}" for c in _WORD + "_-"),
    "twilio-api-key": tuple(f"sk{a}{b}" for a in _HEX for b in _HEX),
    "vault-service-token": ("hvs.", *(f"{b}s.{c}" for b in " \"'=:,(`" for c in _WORD)),
}
"""Rule -> needles, where its keywords are too short, or words of any text."""

_GUARDS: dict[str, bytes] = {
    "authress-service-client-access-key": rb"[A-Za-z]{2,8}_[A-Za-z0-9%\\]{5,40}[.%\\]",
    "harness-api-key": rb"...\.[\w%\\-]{16}",
    "octopus-deploy-api-key": rb"API-[A-Z0-9%\\]{6}",
    "sendgrid-api-token": rb"SG[.%\\]",
    "twilio-api-key": rb"SK[0-9a-fA-F%\\]{12}",
    "vault-service-token": rb"hvs|.s\.[A-Za-z0-9%\\]{12}",
}
_LEFT_BOUND = {"square-access-token": r"(?<![\w+/])", "twilio-api-key": r"(?<![\w+/])"}
"""What must not stand before a token that base64 could hold anywhere."""


@cache
def public_rules() -> tuple[Rule, ...]:
    """Every rule that is used, in the order of the file.

    Raises:
        ValueError: The file is not the one whose digest stands here.
    """
    data = RULES.read_bytes()
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise ValueError(f"{RULES.name} is not the file whose digest stands in {__name__}: install it again")
    document = json.loads(data)
    everywhere = tuple(_allowed(document["allowed"]))
    return tuple(_rule(entry, everywhere) for entry in document["rules"] if entry["id"] not in LEFT_OUT)


def _rule(entry: dict[str, Any], everywhere: tuple[tuple[str, bytes], ...]) -> Rule:
    name, source = str(entry["id"]), str(entry["regex"])
    keyed = source.removeprefix("(?i)").startswith(_PREFIX)
    needles = _NEEDLES.get(name) or tuple(entry["keywords"])
    return Rule(
        label=name,
        needles=tuple(needle.encode() for needle in needles if len(needle) >= 4),
        pattern=(_LEFT_BOUND.get(name, "") + python_pattern(source)).encode(),
        guard=_GUARDS.get(name, KEYED_GUARD if keyed else TOKEN_GUARD),
        entropy=float(entry.get("entropy", 0)),
        allowed=(*everywhere, *_allowed(entry.get("allowed", ()))),
        judge=_is_no_evidence if keyed else None,
    )


def _allowed(entries: Any) -> Any:
    for entry in entries:
        target = "match" if entry.get("regexTarget") in ("match", "line") else "secret"
        yield from ((target, python_pattern(pattern).encode()) for pattern in entry.get("regexes", ()))
        for word in entry.get("stopwords", ()):
            yield "secret", b"(?i)" + re.escape(word.encode())


def _is_no_evidence(match: Match) -> bool:
    """A vendor's name and a value: no word, and no digest or identifier that says that it is one."""
    secret = match.secret
    if not (any(48 <= c < 58 for c in secret) and any(c >= 65 for c in secret)):
        return False
    return not names_evidence(match.text[match.start : match.end].partition(secret)[0], match.before(40))


def python_pattern(source: str) -> str:
    r"""A pattern of Go's RE2, as Python's `re` spells it.

    A flag in the middle of a pattern holds until its group ends; classes with names are spelled out. What
    ends a token there (a quotation mark, white space) is here whatever no token has, and what may stand
    before     a vendor's name is left out, since neither is part of the secret.

    >>> python_pattern(r"\b(p8e-(?i)[a-z]{3}|x)[[:alnum:]]\z")
    '\\b(p8e-(?i:[a-z]{3})|(?i:x))[A-Za-z0-9]\\Z'
    """
    for terminator in _TERMINATORS:
        source = source.replace(terminator, r"(?![\w\-])")
    source = source.replace(_PREFIX, "").replace(r"\z", r"\Z").replace("[:alnum:]", "A-Za-z0-9")
    whole = _FLAG.match(source)
    out = [] if whole is None else [whole[0]]
    open_flags: list[list[str]] = [[]]
    at = 0 if whole is None else whole.end()
    in_class = False
    while at < len(source):
        character = source[at]
        flag = None if in_class or character != "(" else _FLAG.match(source, at)
        if character == "\\":
            out.append(source[at : at + 2])
            at += 2
            continue
        if flag is not None:
            open_flags[-1].append(flag[1])
            out.append(f"(?{flag[1]}:")
            at = flag.end()
            continue
        if in_class:
            in_class = character != "]"
        elif character == "[":
            in_class = True
            if source[at + 1 : at + 2] == "]":
                out.append("[\\]")
                at += 2
                continue
        elif character == "(":
            open_flags.append([])
        elif character == ")":
            out.append(")" * len(open_flags.pop()))
        elif character == "|" and open_flags[-1]:
            closing, opening = ")" * len(open_flags[-1]), "".join(f"(?{f}:" for f in open_flags[-1])
            out.append(f"{closing}|{opening}")
            at += 1
            continue
        out.append(character)
        at += 1
    return "".join(out) + ")" * len(open_flags[-1])
