"""What a secret looks like: tokens, keys, credentials in addresses and headers, one rule a shape.

Does: list what the issuers document, and what the public rules of `metrics_core.redaction.gitleaks` do not
see. Does not: replace anything, or undo encodings: a pattern is tried on a text as it stands and with its
encodings undone.
"""

from __future__ import annotations

import base64
import binascii
import re

from metrics_core.redaction.rule import REACH, TOKEN_GUARD, Judge, Match, Rule, entropy, turns

_WORD = "abcdefghijklmnopqrstuvwxyz0123456789"
_HEX = "0123456789abcdef"
_START = rb"(?<![A-Za-z0-9_])"
_PEM = rb"(?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_KEY_BODIES = ("ibaakc", "ibadan")
"""What stands near the beginning of every encoded RSA key, and of every one of PKCS 8: its version, 0."""

_SNOWFLAKES = tuple(base64.b64encode(str(number).encode()).decode().lower() for number in range(100, 1000))
"""How the number of an account begins in base64, in lower case: the first part of a Discord token."""

_PLAIN = rb"\s\"'<>{}$*\[\]\\"
_PLACEHOLDER = re.compile(
    rb"(?i)&(?:lt|#60);|%3c|\{|\[|\*\*|\.\.\.|^(?:user(?:name)?|login)?:(?:pass(?:word)?|pw|token)$"
)


def _next(prefix: str, characters: str = _WORD) -> tuple[str, ...]:
    """A short prefix with each character that may follow it."""
    return tuple(prefix + character for character in characters)


def shape(
    label: str,
    needles: tuple[str, ...],
    pattern: bytes,
    *,
    guard: bytes = TOKEN_GUARD,
    judge: Judge | None = None,
    reach: int = REACH,
    across_lines: bool = False,
    pieces: bytes = b"",
    allowed: tuple[tuple[str, bytes], ...] = (),
) -> Rule:
    """A rule from the source of its pattern."""
    return Rule(
        label=label,
        needles=tuple(n.encode() for n in needles),
        pattern=pattern,
        guard=guard,
        judge=judge,
        reach=reach,
        across_lines=across_lines,
        pieces=pieces,
        allowed=allowed,
    )


def _no_placeholder(match: Match) -> bool:
    return _PLACEHOLDER.search(match.secret) is None


def _is_opaque(match: Match) -> bool:
    """A value that no header of prose has: digits among letters."""
    return any(48 <= c < 58 for c in match.secret) and entropy(match.secret) >= 2.5 and _no_placeholder(match)


def _is_no_word(match: Match) -> bool:
    """Characters that nobody says: digits among letters, or small and capital letters in turn."""
    return any(48 <= c < 58 for c in match.secret) or turns(match.secret) >= 6


def _holds_a_value(match: Match) -> bool:
    """A cookie with a value that identifies somebody."""
    return any(
        len(value) >= 12 and any(48 <= c < 58 for c in value) and entropy(value) >= 3
        for value in re.findall(rb"=([^;,\s]+)", match.secret)
    )


def _is_a_login(match: Match) -> bool:
    """Base64 of a name and a password."""
    try:
        return b":" in base64.b64decode(match.secret)[1:]
    except (binascii.Error, ValueError):
        return False


def _is_of_an_account(match: Match) -> bool:
    """Base64 of a number of 17 digits and more."""
    first = match.secret.partition(b".")[0]
    try:
        number = base64.b64decode(first + b"=" * (-len(first) % 4))
    except (binascii.Error, ValueError):
        return False
    return number.isdigit() and len(number) >= 17


SHAPES: tuple[Rule, ...] = (
    shape(
        "github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), _START + rb"gh[pousr]_[A-Za-z0-9]{36,255}"
    ),
    shape("github-token", ("github_pat_",), _START + rb"github_pat_[A-Za-z0-9_]{22,255}"),
    shape(
        "gitlab-token",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-"),
        _START + rb"gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_\-]{20,255}",
    ),
    shape("anthropic-key", ("sk-ant-",), _START + rb"sk-ant-[A-Za-z0-9_\-]{20,255}"),
    shape(
        "openai-key",
        _next("sk-"),
        _START + rb"sk-(?:(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_\-]{20,255}"
        rb"|(?=[A-Za-z]*[0-9])[A-Za-z0-9]{20,255}|[A-Za-z]{32,255})",
        guard=rb"sk-[A-Za-z0-9_\-%\\&;\x1b\[]{12}",
        judge=_is_no_word,
    ),
    shape("langfuse-key", ("sk-lf-",), _START + rb"sk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    shape(
        "aws-key-id",
        ("akia", "asia"),
        _START + rb"A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])",
        guard=rb"A[KS]IA[A-Z0-9%\\&;\x1b\xe2]",
        allowed=(("secret", rb"EXAMPLE\Z"),),
    ),
    shape(
        "aws-secret-key",
        ("secret_access", "secretaccess", "secret_key"),
        rb"(?i:aws_?secret_?(?:access_?)?key|secret_?access_?key)[\"']{0,2}\s{0,4}[:=]\s{0,4}[\"']{0,2}"
        rb"(?P<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])",
        guard=rb"(?s:.){10,24}",
        allowed=(("secret", rb"EXAMPLEKEY\Z"),),
    ),
    shape("google-key", ("aiza",), _START + rb"AIza[A-Za-z0-9_\-]{35}(?![A-Za-z0-9_\-])"),
    shape("google-token", ("ya29.",), _START + rb"ya29\.[A-Za-z0-9_\-]{30,255}"),
    shape("google-token", ("1//0",), _START + rb"1//0[A-Za-z0-9_\-]{40,255}"),
    shape("google-secret", ("gocspx-",), _START + rb"GOCSPX-[A-Za-z0-9_\-]{28}"),
    shape("firebase-key", (":apa91b",), rb"[A-Za-z0-9_\-]{11}:APA91b[A-Za-z0-9_\-]{100,200}"),
    shape(
        "slack-token",
        tuple(f"xox{kind}-" for kind in "abdeoprs"),
        _START + rb"xox(?:[abeoprs]-[A-Za-z0-9\-.]{20,255}|d-[A-Za-z0-9%+/=\-]{20,500})",
    ),
    shape("slack-token", ("xapp-",), _START + rb"xapp-[0-9]-[A-Z0-9]{8,}-[0-9]{8,}-[A-Za-z0-9]{23,255}"),
    shape(
        "slack-hook",
        ("hooks.slack.com",),
        rb"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Z][A-Z0-9]{6,}/[A-Z0-9]{6,}/[A-Za-z0-9]{23,})",
    ),
    shape(
        "discord-hook",
        ("api/webhooks/", "api%2fwebhooks%2f", "api\\/webhooks\\/"),
        rb"api/webhooks/(?P<secret>[0-9]{16,20}/[A-Za-z0-9_\-]{50,90})",
    ),
    shape(
        "telegram-token",
        (*_next(":aa", _WORD + "_-"), "%3aaa"),
        rb"(?<![0-9A-Za-z])[0-9]{8,10}:AA[A-Za-z0-9_\-]{33}(?![A-Za-z0-9_\-])",
        guard=rb"(?:%3A|:)AA[A-Za-z0-9_\-%\\]{12}",
    ),
    shape(
        "discord-token",
        _SNOWFLAKES,
        rb"(?<![A-Za-z0-9_\-])[MNO][A-Za-z0-9]{22,26}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,38}(?![A-Za-z0-9_\-])",
        guard=rb"[MNO][A-Za-z0-9%\\&;\x1b\[]{18}",
        judge=_is_of_an_account,
    ),
    shape(
        "airtable-token",
        _next("pat"),
        _START + rb"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![0-9A-Za-z])",
        guard=rb"pat[A-Za-z0-9%\\&;\x1b\[]{14}",
    ),
    shape("npm-token", ("npm_",), _START + rb"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    shape("package-index-token", ("pypi-",), _START + rb"pypi-[A-Za-z0-9_\-]{50,}"),
    shape("hugging-face-token", _next("hf_"), _START + rb"hf_[A-Za-z0-9]{30,64}(?![A-Za-z0-9_])"),
    shape(
        "stripe-key",
        ("k_live_", "k_test_", "k_prod_"),
        _START + rb"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,255}",
    ),
    shape("stripe-hook-secret", ("whsec_",), _START + rb"whsec_[A-Za-z0-9+/=]{32,128}"),
    shape("groq-key", ("gsk_",), _START + rb"gsk_[A-Za-z0-9]{40,64}(?![A-Za-z0-9])"),
    shape("xai-key", ("xai-",), _START + rb"xai-[A-Za-z0-9]{60,100}(?![A-Za-z0-9])"),
    shape("replicate-token", _next("r8_"), _START + rb"r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])"),
    shape("langsmith-key", ("lsv2_",), _START + rb"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    shape("pinecone-key", ("pcsk_",), _START + rb"pcsk_[A-Za-z0-9_]{40,100}"),
    shape(
        "supabase-key",
        ("sbp_", "sb_secret_"),
        _START + rb"sb(?:p_[a-f0-9]{40}|_secret_[A-Za-z0-9_\-]{20,64})",
    ),
    shape("figma-token", ("figd_",), _START + rb"figd_[A-Za-z0-9_\-]{36,64}"),
    shape("notion-token", ("secret_",), _START + rb"secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
    shape("notion-token", ("ntn_",), _START + rb"ntn_[A-Za-z0-9]{40,64}(?![A-Za-z0-9])"),
    shape("atlassian-token", ("atatt3",), _START + rb"ATATT3[A-Za-z0-9_\-=]{40,400}"),
    shape("sentry-token", ("sntrys_",), _START + rb"sntrys_[A-Za-z0-9+/=_\-]{40,400}"),
    shape(
        "fireworks-key", _next("fw_"), _START + rb"fw_(?=[A-Za-z]*[0-9])[A-Za-z0-9]{22,24}(?![A-Za-z0-9_])"
    ),
    shape("e2b-key", ("e2b_",), _START + rb"e2b_[0-9a-f]{40}(?![0-9A-Za-z])"),
    shape("tavily-key", ("tvly-",), _START + rb"tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,64}(?![A-Za-z0-9])"),
    shape("jina-key", ("jina_",), _START + rb"jina_(?=[A-Za-z]*[0-9])[A-Za-z0-9_\-]{50,80}"),
    shape("firecrawl-key", _next("fc-", _HEX), _START + rb"fc-[0-9a-f]{32}(?![0-9A-Za-z\-])"),
    shape(
        "cursor-key", ("key_",), _START + rb"key_[0-9a-f]{64}(?![0-9A-Za-z])", guard=rb"key_[0-9a-f%\\]{8}"
    ),
    shape("sonar-token", ("sqp_", "squ_", "sqa_"), _START + rb"sq[pua]_[0-9a-f]{40}(?![0-9A-Za-z])"),
    shape(
        "circleci-token", ("ccipat_", "cciprj_"), _START + rb"CCIP(?:AT|RJ)_[A-Za-z0-9]{18,24}_[0-9a-f]{40}"
    ),
    shape("buildkite-token", ("bkua_",), _START + rb"bkua_[0-9a-f]{40}(?![0-9A-Za-z])"),
    shape(
        "nuget-key", _next("oy2"), _START + rb"oy2[a-z0-9]{43}(?![A-Za-z0-9])", guard=rb"oy2[a-z0-9%\\]{12}"
    ),
    shape(
        "crates-token",
        _next("cio"),
        _START + rb"cio(?=[A-Za-z]*[0-9])[A-Za-z0-9]{32}(?![A-Za-z0-9])",
        guard=rb"cio[A-Za-z0-9%\\]{12}",
    ),
    shape("netlify-token", ("nfp_",), _START + rb"nfp_[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    shape("vault-token", ("hvs.", "hvb.", "hvr."), _START + rb"hv[sbr]\.[A-Za-z0-9_\-]{24,300}"),
    shape(
        "mailgun-key",
        _next("key-", "0123456789abcdef"),
        rb"(?<![\w\-])key-[0-9a-f]{32}(?![\w\-])",
        guard=rb"key-[0-9a-f%\\]{8}",
    ),
    shape(
        "mailchimp-key",
        _next("-us", "0123456789"),
        rb"(?<![0-9A-Za-z])[0-9a-f]{32}-us[0-9]{1,2}(?![0-9A-Za-z])",
        guard=rb"-us[0-9]",
    ),
    shape(
        "lob-key",
        ("live_", "test_"),
        _START + rb"(?:live|test)_(?:pub_[a-f0-9]{31}|[a-f0-9]{35})(?![A-Za-z0-9])",
        guard=rb"(?:live|test)_(?:pub_)?[a-f0-9%\\]{8}",
    ),
    shape("docker-token", ("dckr_pat_", "dckr_oat_"), _START + rb"dckr_[po]at_[A-Za-z0-9_\-]{20,64}"),
    shape(
        "docker-login",
        ('"auth"', 'auth\\"'),
        rb"\"auth\"\s{0,4}:\s{0,4}\"(?P<secret>[A-Za-z0-9+/]{12,400}={0,2})\"",
        guard=rb"(?s:.){20}",
        judge=_is_a_login,
    ),
    shape(
        "jwt",
        _next("eyj", _WORD + "_-"),
        _START + rb"eyJ[A-Za-z0-9_\-]{10,2000}\.eyJ[A-Za-z0-9_\-]{4,8000}\.[A-Za-z0-9_\-]{16,1000}",
        guard=rb"eyJ[A-Za-z0-9_\-%\\&;\x1b\[]{10,2000}[.%\\&\x1b]",
        reach=11_100,
    ),
    shape(
        "private-jwk",
        ('"kty"', 'kty\\"'),
        rb"\"d\"\s{0,4}:\s{0,4}\"(?P<secret>[A-Za-z0-9_\-]{40,700})\"",
        guard=rb"(?s:.){5}",
    ),
    shape(
        "bearer-token",
        ("bearer",),
        rb"(?i:bearer)(?: {1,4}|\+)(?P<secret>(?=[A-Za-z._~+/=\-]*[0-9])[A-Za-z0-9._~+/=\-]{16,}"
        rb"|[A-Za-z._~+/=\-]{24,})",
        guard=rb"(?i)bearer[^A-Za-z\n]{1,12}[\w.~+/=%\\&\-]{8}",
        judge=_is_no_word,
    ),
    shape(
        "basic-credentials",
        ("basic",),
        rb"(?i:authorization)[\"']{0,2} {0,4}[:=,] {0,4}[\"']{0,2}[Bb]asic(?: {1,4}|\+)"
        rb"(?P<secret>[A-Za-z0-9+/]{8,}={0,2})",
        guard=rb"(?i)basic[^A-Za-z\n]{1,12}[\w+/=%\\&]{8}",
    ),
    shape(
        "authorization-header",
        ("authorization",),
        rb"(?i:authorization)[\"']{0,2} {0,4}[:=] {0,4}[\"']{0,2}(?:[A-Za-z\-]{3,20} {1,2})?"
        rb"(?P<secret>[A-Za-z0-9._~+/=\-]{16,2000})(?![A-Za-z0-9._~+/=\-(])",
        guard=rb"(?s:.){13}[^\w\n]",
        judge=_is_opaque,
    ),
    shape(
        "cookie",
        ("cookie",),
        rb"(?i:(?:set-)?cookie)[\"']{0,2} {0,4}(?::|=>|,) {0,4}[\"']{0,2}"
        rb"(?P<secret>[A-Za-z0-9_.\-]{1,80}=[^\"'\r\n<>\\]{8,4000})",
        guard=rb"(?i)cookie[^A-Za-z\n]{1,16}[\w.\-]{1,60}[=%\\&]",
        judge=_holds_a_value,
    ),
    shape(
        "url-signature",
        ("sig=", "signature=", "sig%3d", "signature%3d"),
        rb"(?i)(?<![A-Za-z0-9])(?:[A-Za-z\-]{2,6}-)?sig(?:nature)?=(?P<secret>[A-Za-z0-9%+/_~\-]{26,800}={0,2})",
        guard=rb"(?s:.){4}[^\s]{20}",
        judge=_is_opaque,
    ),
    shape(
        "url-credentials",
        (*_next("://", _WORD + "_:%-~.\x1b"), ":\\/\\", "\\/\\/", "%2f%2f", "u002f"),
        rb"://(?P<secret>(?=[^/@\s]{3,300}@)[^/:@" + _PLAIN + rb"]{0,100}:[^/@" + _PLAIN + rb"]{1,200}"
        rb"|[A-Za-z0-9_\-]{20,200})@",
        guard=rb"[^@\s\"'<>]{4,420}(?:@|%40|&#64;|\\\\u0040)",
        judge=_no_placeholder,
    ),
    shape(
        "command-credentials",
        ("curl", "wget", "sshpass", "mysql", "psql", "redis-cli"),
        rb"(?:\bcurl\s(?:[^\r\n]{0,400}?\s)?(?:-u|--user|-U|--proxy-user)[ =]?[\"']?"
        rb"(?P<secret>[^\s\"':<${\\]{1,80}:[^\s\"'<${\\]{4,200})"
        rb"|\bsshpass\s+-p\s{0,2}[\"']?(?P<b>[^\s\"'<${\\]{4,100})"
        rb"|\bmysql(?:dump|admin|show)?\s[^\r\n]{0,120}?-p(?P<c>[^\s\"'<${=\\\-][^\s\"'<${\\]{3,100})"
        rb"|\bredis-cli\s[^\r\n]{0,120}?-a\s{1,2}[\"']?(?P<d>[^\s\"'<${\\\-][^\s\"'<${\\]{3,100}))",
        guard=rb"(?s:.){12}",
    ),
    shape(
        "command-credentials",
        ("--password", "--passwd", "--token", "--secret", "--api-key", "--apikey", "--access-token"),
        rb"(?i)--(?:password|passwd|token|secret|api-?key|access-token)[ \t]{1,4}[\"']?"
        rb"(?P<secret>[^\s\"'\\<${\-][^\s\"'\\<${]{5,200})",
        guard=rb"(?s:.){7}",
        judge=_is_opaque,
    ),
    shape(
        "login",
        ("machine",),
        rb"(?i)machine\s{1,4}[^\s\"'\\]{1,200}\s{1,8}login\s{1,4}[^\s\"'\\]{1,200}\s{1,8}(?:account\s{1,4}[^\s\"'\\]{1,99}\s{1,8})?"
        rb"password\s{1,4}(?P<secret>[^\s\"'\\{<$][^\s\"'\\]{2,200})",
        guard=rb"(?is)machine.{2,250}?login.{2,250}?password",
    ),
    shape(
        "password-hash",
        (
            "$2a$",
            "$2b$",
            "$2y$",
            "%242a%24",
            "%242b%24",
            "%242y%24",
            "%245%24",
            "%246%24",
            "$apr1$",
            "$argon2",
            *_next("$1$"),
            *_next("$5$"),
            *_next("$6$"),
            *_next("$y$"),
        ),
        rb"\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{53}|apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}"
        rb"|argon2(?:id|i|d)\$[^\s\"'$\\]{1,20}\$[^\s\"'$\\]{1,60}\$[A-Za-z0-9+/]{10,120}\$[A-Za-z0-9+/]{20,200}"
        rb"|1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}"
        rb"|y\$[./A-Za-z0-9]{2,6}\$[./A-Za-z0-9]{10,40}\$[./A-Za-z0-9]{43})",
    ),
    shape(
        "private-key",
        ("private-lines",),
        rb"Private-Lines: ?\d{1,4}(?P<secret>(?:\s{1,4}[A-Za-z0-9+/=]{4,80}){1,600})",
        guard=rb"(?s:.)",
        reach=20_200,
        across_lines=True,
    ),
    shape(
        "private-key",
        ("private key", "private%20key", "private+key", "private\\u0020key"),
        rb"-----BEGIN "
        + _PEM
        + rb"(?:(?:(?!-----)[^\"]){1,20000}-----END "
        + _PEM
        + rb"|\s{1,4}[A-Za-z0-9+/=]{16}[A-Za-z0-9+/=\s]{0,20000})",
        guard=rb"(?s:.){11,22}?(?: BLOCK)?-----",
        reach=20_200,
        across_lines=True,
    ),
    *(
        shape(
            "private-key",
            ("private key",),
            rb"-----BEGIN " + _PEM + rb"(?P<secret>(?:[\"'\s,+]{1,12}[A-Za-z0-9+/=]{16,80}){1,600})",
            guard=rb"(?s:.){11}(?: BLOCK)?-----",
            reach=20_200,
            pieces=rb"[A-Za-z0-9+/=]{16,}",
            across_lines=across_lines,
        )
        for across_lines in (False, True)
    ),
    *(
        shape(
            "private-key",
            _KEY_BODIES,
            rb"(?<![A-Za-z0-9+/])MII[A-Za-z0-9+/]{2}[AQgw]IBA(?:AKC|DAN)"
            rb"(?P<secret>[A-Za-z0-9+/=]{30,}(?:[\"'\s,+]{1,12}[A-Za-z0-9+/=]{16,80}){1,600})",
            guard=rb"(?s:.)",
            reach=20_200,
            pieces=rb"[A-Za-z0-9+/=]{16,}",
            across_lines=across_lines,
        )
        for across_lines in (False, True)
    ),
)
"""In the order in which a place that two of them see is named."""
