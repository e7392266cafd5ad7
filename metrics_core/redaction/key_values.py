"""Secrets that only their key tells: ``password=``, ``"api_key": "..."``, ``X-Auth-Token: ...``.

A random-looking word alone is no secret, since digests, patches and identifiers are evidence and look the
same; and a key alone says nothing, where its value is a word, a setting or a line of code. Does: judge both
together. Does not: know tokens that have a shape of their own.
"""

from __future__ import annotations

import re
from functools import reduce

from metrics_core.redaction.rule import KEYED_GUARD, Match, Rule, entropy, turns

_STRONG = (
    rb"passw(?:or)?d|passphrase|passcode|pwd|secret|api[_.\- ]?key|access[_.\-]?key|account[_.\-]?key"
    rb"|private[_.\-]?key|sign(?:ing|ature)[_.\-]?key|encryption[_.\-]?key|auth[_.\-]?key|master[_.\-]?key"
    rb"|subscription[_.\-]?key|storage[_.\-]?key|service[_.\-]?key|deploy[_.\-]?key|webhook[_.\-]?key"
)
_WEAK = rb"token|credentials?|license[_.\-]?key|session[_.\-]?key|_auth|apikey_?id"
_NEEDLES = (
    b"passwd",
    b"password",
    b"passphrase",
    b"passcode",
    b"secret",
    b"apikey",
    b"api_key",
    b"api-key",
    b"api.key",
    b"api key",
    b"accesskey",
    b"access_key",
    b"access-key",
    b"accountkey",
    b"account_key",
    b"account-key",
    b"privatekey",
    b"private_key",
    b"private-key",
    b"signingkey",
    b"signing_key",
    b"signing-key",
    b"signature_key",
    b"encryptionkey",
    b"encryption_key",
    b"encryption-key",
    b"authkey",
    b"auth_key",
    b"auth-key",
    b"masterkey",
    b"master_key",
    b"master-key",
    b"subscriptionkey",
    b"subscription-key",
    b"subscription_key",
    b"storage_key",
    b"storagekey",
    b"service_key",
    b"servicekey",
    b"deploy_key",
    b"webhook_key",
    b"token",
    b"credential",
    b"license_key",
    b"licensekey",
    b"license-key",
    b"session_key",
    *(
        b"pwd" + c
        for c in (b"=", b":", b'"', b"'", b" ", b"\\", b"%", b"&", b"_", b"<", b">", b"1", b"2", b"?")
    ),
    b"_auth=",
    b"_auth ",
    b'_auth"',
)

_PATTERN = (
    rb"(?i)(?:(?P<strong>"
    + _STRONG
    + rb")|(?P<weak>"
    + _WEAK
    + rb"))(?P<tail>(?:(?!"
    + _STRONG
    + rb"|token)[\w.\-]){0,24})"
    rb"(?P<op>[\"'`\])]{0,3}[ \t]{0,4}(?:=>|:=|={1,3}|:|\|\||,(?=[ \t]{0,4}[\"'])|>(?!>)"
    rb"|[\"'][ \t]+value[ \t]*=)"
    rb"[ \t\r\n]{0,4}[>|]?[ \t]{0,4})"
    rb"(?:[bfru]{0,2}(?P<quote>[\"'`]{1,3}))?(?P<secret>(?(quote)[^\"'`\\\r\n]{6,512}|[^\s\"'`,;<>(){}\[\]&|\\]{6,512}))"
)

_NO_SECRET_TAIL = re.compile(
    rb"(?i)^(?:s\b|s?[_.\-]?(?:ids?|names?|files?|path|url|uri|arn|endpoint|type|kind|len|length|count|counts|size|"
    rb"hash|digest|sha\d*|policy|hint|field|label|prompt|manager|required|expir\w*|ttl|version|ref|class|usage|used|"
    rb"limit|budget|cost|price|rate|total|per|index|idx|mask|position|offset|iz\w+|logprobs?|text|string|str|"
    rb"format|regex|pattern|reset|changed|created|updated|at|at\b|metadata|store|source|provider|scope|status|"
    rb"strength|error|valid|is|env|var|variable|key_?id|dir|placeholder|field))(?![a-z])|^s(?:$|[_.\-])|^i[sz]"
)
_NO_SECRET_HEAD = re.compile(
    rb"(?i)(?:^|[_.\-]|(?-i:(?<=[a-z])(?=[A-Z])))(?:prompt|completion|input|output|cached?|reasoning|max|min|num|n|total|special|pad|eos|bos|cls|sep|mask|"
    rb"unk|stop|next|prev\w*|first|last|page|continuation|cancellation|sync|per|of|the|a|each|every|top|sub|no|new|"
    rb"public|is|has|use|set|get|check|verify|validate|hash|reset|forgot|change|show|hide|toggle|enter|text|word|"
    rb"idempotency|design|syntax|parse[rd]?|lex\w*|source|non)[_.\-]?\Z"
)
_PLACEHOLDER = re.compile(
    rb"(?i)^(?:[<>\[{(%$@#*!?.\-_=~]|\\|x{3,}|\.\.\.|&lt;|&#|https?:|file:|ssh:|git:|vault:|data:|os\.|process\.|self\.|this\.)"
    rb"|^(?:your|my[_\-]|the[_\-]|an?[_\-]|some|insert|enter|replace|change|put[_\-]|add[_\-]|todo|fixme|example|sample|"
    rb"dummy|fake|placeholder|redacted|hidden|masked|removed|secret|password|passwd|token|testing|test|foo|bar|baz|abc|"
    rb"none|null|nil|true|false|undefined|string|str|optional|required|invalid|wrong|incorrect|correct|env|config|"
    rb"settings|request|req|ctx|secrets?)(?![A-Za-z0-9]{8})|^sha\d+[-:]|^md5:"
    rb"|\.{3}|\*{3,}|x{5,}|EXAMPLE|<[^>]*>?$|\$\{|\{\{|%\(|\$\("
)
_CODE = re.compile(
    rb"^[A-Za-z_]\w{0,40}(?:(?:\??\.|::|->)[A-Za-z_]\w{0,60})+$|[(\[]|^[A-Za-z_]\w*\($|=>|\|\|"
)
_PATH = re.compile(
    rb"^(?:\.{0,2}|~|[A-Za-z]:)[/\\](?:[\w.\- ]+[/\\])*[\w.\- ]*$|^[\w.\-]+(?:/[\w.\-]+)*\.[a-z]{1,5}$"
)
_WORDS = re.compile(rb"^[A-Za-z][A-Za-z_\-. :,!?'/+]*\d?$")
_NAME = re.compile(
    rb"^[a-z]{1,12}\d{0,2}(?:_[a-z0-9]{1,12}){1,5}$|^[A-Z]{2,12}\d{0,2}(?:_[A-Z0-9]{1,12}){1,5}$"
)
_NUMBER = re.compile(rb"^[\d.,:_\-+TZeE]+$")
_UUID = re.compile(rb"(?i)^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$")
_DIGEST = re.compile(
    rb"(?i)^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$"
)
_EVIDENCE = re.compile(
    rb"(?i)(?:^|[_.\-\s\"'/]|(?<=[a-z])(?=[A-Z]))(?:u?u?ids?|guid|sha\d*|hash|digest|commit|rev(?:ision)?|checksum|"
    rb"trace|span|parent|etag|md5|fingerprint|version|build|run|task|sample|case|ref|tag|image|tree|blob|"
    rb"instance|request|event|session|span|span_?id|trace_?id)(?:[_.\-\s\"'=:>]|$|[A-Z])"
)

_IN_MARK = re.compile(rb"\[redacted:[a-z\-]*\Z")

STRONGEST, SHORTEST_WEAK = 2.0, 16
"""Bits a byte that a value has at least beside a strong key; bytes that it has beside a weak one."""


def names_evidence(key: bytes, before: bytes = b"") -> bool:
    """Whether a key says that its value is an identifier or a digest.

    Args:
        key: The key, and what stands between it and its value.
        before: Text before it, of which the last word belongs to the key.

    >>> names_evidence(b"sentry_trace_id: "), names_evidence(b"sentry_token: ")
    (True, False)
    """
    word = re.search(rb"[\w.\-]*\Z", before)
    return _EVIDENCE.search((word[0] if word else b"") + key) is not None


def is_secret(match: Match) -> bool:
    """Whether a value is a secret, by its key and by how it looks; the word in a mark is no key."""
    names = match.names
    tail, value = names["tail"] or b"", match.secret.rstrip(b".,:!?\\")
    before = match.before(40)
    head = re.search(rb"[\w.\-]*\Z", before)
    own = head[0] if head else b""
    if (
        _IN_MARK.search(before)
        or before.endswith(b"//")
        or _NO_SECRET_TAIL.search(tail)
        or _NO_SECRET_HEAD.search(own)
    ):
        return False
    if len(value) < 6 or _PLACEHOLDER.search(value) or _PATH.match(value):
        return False
    if _CODE.search(value) and not _is_generated(names["quote"], value):
        return False
    if _NUMBER.match(value):
        return False
    key = names["strong"] or names["weak"] or b""
    if key.lower() in value.lower() and len(value) < 24:
        return False
    if names["quote"] is None and (
        _NAME.match(value) or match.text[match.end : match.end + 1] in (b"[", b"(")
    ):
        return False
    if names["strong"] is None:
        return is_random(value, SHORTEST_WEAK, 3.0) and not _UUID.match(value)
    if _UUID.match(value) or _DIGEST.match(value):
        return not names_evidence(own + key + tail)
    return is_random(value, 6, STRONGEST) or (
        names["quote"] is not None
        and b"," not in (names["op"] or b"")
        and len(value) >= 20
        and b" " not in value
        and turns(value) >= 6
    )


def is_secret_within(match: Match, piece: re.Match[bytes]) -> bool:
    """Whether a text in the list or the object that is a key's value is a secret.

    Args:
        match: The key with its whole value.
        piece: One text of it, behind a key of its own where it is an object.
    """
    if piece.lastgroup not in ("value", "alone") or names_evidence(piece["own"] or b""):
        return False
    alone: dict[str, bytes | None] = {**match.names, "tail": b"", "op": b":", "quote": b'"'}
    return is_secret(Match(match.text, match.start, match.end, piece[piece.lastgroup], alone))


def names_secrets(match: Match) -> bool:
    """Whether the key of a plain list names secrets, in the singular or in the plural."""
    tail, before = match.names["tail"] or b"", match.before(40)
    own = re.search(rb"[\w.\-]*\Z", before)
    tail = tail[1:] if tail[:1] in (b"s", b"S") else tail
    if _IN_MARK.search(before) or before.endswith(b"//") or _NO_SECRET_TAIL.search(tail):
        return False
    return own is None or not _NO_SECRET_HEAD.search(own[0])


def is_secret_in_plain_list(match: Match, piece: re.Match[bytes]) -> bool:
    """Whether one value of a plain list is a secret: it looks as those do that have a weak key.

    The first one of a key in the singular is that key's value, and judged as such.
    """
    tail, value = match.names["tail"] or b"", piece[0]
    if tail[:1] not in (b"s", b"S") and piece.start() == match.end - len(match.secret):
        return False
    names = {**match.names, "tail": b"", "quote": None}
    return is_random(value, SHORTEST_WEAK, 3.0) and is_secret(
        Match(match.text, piece.start(), piece.end(), value, names)
    )


def is_random(value: bytes, shortest: int, least: float) -> bool:
    """Whether it is no word: letters and digits, or signs, mixed."""
    if len(value) < shortest or b" " in value.strip() or entropy(value) < least or _WORDS.match(value):
        return False
    return any(48 <= c < 58 for c in value) or any(c in b"!@#$%^*+/~?" for c in value)


def _is_generated(quote: bytes | None, value: bytes) -> bool:
    """Whether a quoted value with brackets is no code: letters, digits and signs of all kinds in no order."""
    return (
        quote is not None
        and len(value) >= 32
        and entropy(value) >= 4.5
        and len({c for c in value if c in b"!@#$%^&*(-_=+)"}) >= 4
        and sum(48 <= c < 58 for c in value) >= 3
    )


KEY_VALUES = Rule(
    label="key-value-secret",
    needles=_NEEDLES,
    pattern=_PATTERN,
    guard=KEYED_GUARD,
    judge=is_secret,
)
"""A key that names a secret, and its value."""

_TEXT = rb"(?:\"[^\"\\\r\n]{0,512}\"|'[^'\\\r\n]{0,512}')"
_FLAT = rb"(?:" + _TEXT + rb"|[^\"'\[\]{}\\])"
_NESTED = reduce(lambda within, _: rb"(?:" + _FLAT + rb"|[\[{]" + within + rb"*[\]}]?)", range(4), _FLAT)
"""What stands in a list or an object, four others deep; each may be open, where a piece of a text ends."""

LONG_LIST = 64 * 2**10
"""Bytes behind a key in which its list is looked at at once; a longer one is followed to its end."""

_OF_TOKENS = ("api", "auth", "access", "bot", "refresh", "secret", "session", "bearer")
"""What stands before the tokens of a list that are no words of a text."""

KEY_LISTS = Rule(
    label="key-value-secret",
    needles=(
        *(needle for needle in _NEEDLES if needle != b"token"),
        *(b"token" + quote for quote in (b'"', b"'", b"\\")),
        *(f"{name}{joint}token".encode() for name in _OF_TOKENS for joint in ("", "_", "-")),
    ),
    pattern=rb"(?i)(?:(?P<strong>"
    + _STRONG
    + rb")|(?P<weak>"
    + _WEAK
    + rb"))(?P<tail>s?)[\"'][ \t]{0,4}"
    + rb"(?:(?P<listed>:)|,[ \t\r\n]{0,40}[\"']value[\"'][ \t]{0,4}:)[ \t\r\n]{0,40}"
    + rb"(?P<secret>(?(listed)[\[{]"
    + _NESTED
    + rb"+|"
    + _TEXT
    + rb"))",
    guard=rb"(?i)[\w.\- \t]{2,50}?[\"'\\]{1,4}\s{0,4}(?::\s{0,40}[\[{]|,\s{0,40}[\"'\\]{1,4}value)",
    pieces=rb"(?P<a>[\"'])(?P<own>(?:(?!(?P=a))[^\\\r\n]){0,60})(?P=a)[ \t]{0,4}:[ \t\r\n]{0,40}"
    rb"(?:(?P<b>[\"'])(?P<value>(?:(?!(?P=b))[^\\\r\n]){0,512})(?P=b))?"
    rb"|(?P<c>[\"'])(?P<alone>(?:(?!(?P=c))[^\\\r\n]){0,512})(?P=c)",
    judge_piece=is_secret_within,
    reach=LONG_LIST,
)
"""The same, where the value is a list of texts or an object of them, or stands beside the key's name."""

_ITEM = rb"[^\s\"'`,;|:<>(){}\[\]&\\=]{6,512}={0,2}"

PLAIN_LISTS = Rule(
    label="key-value-secret",
    needles=_NEEDLES,
    pattern=rb"(?i)(?:(?P<strong>"
    + _STRONG
    + rb")|(?P<weak>"
    + _WEAK
    + rb"))(?P<tail>s?(?:(?!"
    + _STRONG
    + rb"|token)[\w.\-]){0,24})[\"'`]?[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}[\"'`]?(?P<secret>"
    + _ITEM
    + rb"(?:[ \t]{0,4}[,;|: \t][ \t]{0,4}"
    + _ITEM
    + rb")*)",
    guard=KEYED_GUARD,
    judge=names_secrets,
    pieces=_ITEM,
    judge_piece=is_secret_in_plain_list,
)
"""The same, where several values stand in one text, or a key in the plural has one: ``API_KEYS=one,two``."""
