"""Made-up secrets of each documented shape, ways to write them, and text that only resembles one.

Every secret is put together when it is asked for, so that no file of this project holds one.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import random
import string
import uuid
from collections.abc import Callable, Iterator
from urllib.parse import quote

WORD = string.ascii_letters + string.digits
LOW = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
URLSAFE = WORD + "_-"


class Samples:
    """A source of made-up secrets that are the same for the same seed.

    Args:
        seed: Of the random characters.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def some(self, length: int, alphabet: str = WORD) -> str:
        """Random characters, a digit and a letter among them."""
        return "".join(self._random.choices(alphabet, k=length - 2)) + ("7a" if "a" in alphabet else "7A")

    def base64_of(self, size: int) -> str:
        """Random bytes in base64."""
        return base64.b64encode(self._random.randbytes(size)).decode()

    def jwt(self) -> str:
        """A signed web token."""
        parts = (json.dumps({"alg": "HS256", "typ": "JWT"}), json.dumps({"sub": self.some(9)}))
        head = ".".join(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)
        return f"{head}.{self.some(43, URLSAFE)}"

    def pem(self, kind: str = "RSA ") -> str:
        """A private key of several lines."""
        body = "\n".join(self.some(64, WORD + "+/") for _ in range(6))
        return f"-----BEGIN {kind}PRIVATE " + f"KEY-----\n{body}\n-----END {kind}PRIVATE " + "KEY-----"

    def account(self) -> str:
        """The number of an account, of 18 digits, in base64."""
        return base64.b64encode(str(self._random.randrange(10**17, 10**18)).encode()).decode()

    def uuid(self) -> str:
        """A random identifier."""
        return str(uuid.UUID(bytes=self._random.randbytes(16), version=4))

    def digest(self, name: str) -> str:
        """A digest of random bytes."""
        return hashlib.new(name, self._random.randbytes(16)).hexdigest()


Kind = tuple[str, Callable[[Samples], tuple[str, str, str]]]
"""What it is, and how one is made: what stands before it, the secret, what stands behind it."""


def _bare(make: Callable[[Samples], str]) -> Callable[[Samples], tuple[str, str, str]]:
    return lambda samples: ("", make(samples), "")


def _behind(
    before: str, make: Callable[[Samples], str], after: str = ""
) -> Callable[[Samples], tuple[str, str, str]]:
    return lambda samples: (before, make(samples), after)


KINDS: tuple[Kind, ...] = (
    ("Discord bot", _bare(lambda s: f"{s.account()}.{s.some(6, URLSAFE)}.{s.some(38, URLSAFE)}")),
    ("Airtable", _bare(lambda s: "pat" + s.some(14) + "." + s.some(64, HEX))),
    ("GitHub", _bare(lambda s: "ghp" + "_" + s.some(36))),
    ("GitHub server", _bare(lambda s: "ghs" + "_" + s.some(36))),
    ("GitHub fine-grained", _bare(lambda s: "github" + "_pat_" + s.some(22) + "_" + s.some(59))),
    ("GitLab", _bare(lambda s: "glpat" + "-" + s.some(20, URLSAFE))),
    ("GitLab runner", _bare(lambda s: "glrt" + "-" + s.some(20, URLSAFE))),
    ("Anthropic", _bare(lambda s: "sk" + "-ant-api03-" + s.some(93, URLSAFE) + "AA")),
    (
        "OpenAI",
        _bare(lambda s: "sk" + "-proj-" + s.some(74, URLSAFE) + "T3Blbk" + "FJ" + s.some(74, URLSAFE)),
    ),
    ("OpenAI older", _bare(lambda s: "sk" + "-" + s.some(20) + "T3Blbk" + "FJ" + s.some(20))),
    ("OpenRouter", _bare(lambda s: "sk" + "-or-v1-" + s.some(64, HEX))),
    ("AWS key id", _bare(lambda s: "AK" + "IA" + s.some(16, string.ascii_uppercase + "234567")[:16].upper())),
    ("AWS secret", _behind("aws_secret" + "_access_key=", lambda s: s.some(40, WORD + "+/"))),
    ("AWS session", _behind("AWS_SESSION" + "_TOKEN=", lambda s: "IQoJb3JpZ2lu" + s.some(200, WORD + "+/"))),
    ("Google", _bare(lambda s: "AI" + "za" + s.some(35, URLSAFE))),
    ("Google OAuth", _bare(lambda s: "ya29" + "." + s.some(60, URLSAFE))),
    ("Google secret", _bare(lambda s: "GOCSPX" + "-" + s.some(28, URLSAFE))),
    (
        "Azure storage",
        _behind("AccountName=shop;Account" + "Key=", lambda s: s.base64_of(64), ";EndpointSuffix=core"),
    ),
    (
        "Azure SAS",
        _behind(
            "https://shop.blob.example/c?sv=2022-11-02&si" + "g=", lambda s: quote(s.base64_of(32), safe="")
        ),
    ),
    ("Azure AD", _behind("", lambda s: s.some(3) + "8Q" + "~" + s.some(34))),
    ("Slack bot", _bare(lambda s: "xox" + "b-123456789012-1234567890123-" + s.some(24))),
    (
        "Slack hook",
        _behind(
            "https://hooks.slack" + ".com/services/",
            lambda s: f"T{s.some(9, UPPER)}/B{s.some(9, UPPER)}/{s.some(24)}",
        ),
    ),
    (
        "Discord hook",
        _behind(
            "https://discord.example/api/web" + "hooks/123456789012345678/", lambda s: s.some(68, URLSAFE)
        ),
    ),
    ("Telegram", _bare(lambda s: "123456789" + ":AA" + s.some(33, URLSAFE))),
    ("npm", _bare(lambda s: "npm" + "_" + s.some(36))),
    ("PyPI", _bare(lambda s: "py" + "pi-AgEIcHlwaS5vcmc" + s.some(100, URLSAFE))),
    ("Hugging Face", _bare(lambda s: "hf" + "_" + s.some(34))),
    ("Stripe", _bare(lambda s: "sk" + "_live_" + s.some(24))),
    ("Stripe test", _bare(lambda s: "rk" + "_test_" + s.some(24))),
    ("Groq", _bare(lambda s: "gsk" + "_" + s.some(52))),
    ("xAI", _bare(lambda s: "xai" + "-" + s.some(80))),
    ("Docker", _bare(lambda s: "dckr" + "_pat_" + s.some(27))),
    ("Databricks", _bare(lambda s: "da" + "pi" + s.some(32, HEX))),
    ("SendGrid", _bare(lambda s: "S" + "G." + s.some(22, URLSAFE) + "." + s.some(43, URLSAFE))),
    ("Vault", _bare(lambda s: "hv" + "s." + s.some(95, URLSAFE))),
    ("Vault older", _behind("VAULT_TOKEN=", lambda s: "s" + "." + s.some(24))),
    ("DigitalOcean", _bare(lambda s: "dop" + "_v1_" + s.some(64, HEX))),
    ("Shopify", _bare(lambda s: "shp" + "at_" + s.some(32, HEX))),
    ("Square", _bare(lambda s: "sq0" + "atp-" + s.some(22, URLSAFE))),
    ("Twilio", _bare(lambda s: "S" + "K" + s.some(32, HEX))),
    ("Mailgun", _bare(lambda s: "ke" + "y-" + s.some(32, HEX))),
    ("Mailchimp", _bare(lambda s: s.some(32, HEX) + "-us" + "12")),
    ("New Relic", _behind("NEW_RELIC_KEY=", lambda s: "NR" + "AK-" + s.some(27, UPPER))),
    ("Datadog", _behind("DATADOG_KEY=", lambda s: s.some(40, LOW))),
    ("Linear", _bare(lambda s: "lin" + "_api_" + s.some(40))),
    ("Notion", _bare(lambda s: "secret" + "_" + s.some(43))),
    ("Figma", _bare(lambda s: "fig" + "d_" + s.some(40, URLSAFE))),
    ("Postman", _bare(lambda s: "PM" + "AK-" + s.some(24, HEX) + "-" + s.some(34, HEX))),
    ("Pulumi", _bare(lambda s: "pu" + "l-" + s.some(40, HEX))),
    ("Doppler", _bare(lambda s: "dp" + ".pt." + s.some(43))),
    ("Grafana", _bare(lambda s: "gl" + "sa_" + s.some(32) + "_" + s.some(8, HEX))),
    (
        "age",
        _bare(
            lambda s: (
                "AGE-SECRET" + "-KEY-1" + "".join(s._random.choices("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", k=58))
            )
        ),
    ),
    ("JWT", _bare(Samples.jwt)),
    ("Bearer", _behind("Authorization: Bear" + "er ", lambda s: s.some(40))),
    (
        "Basic",
        _behind(
            "Authorization: Bas" + "ic ", lambda s: base64.b64encode(f"alice:{s.some(14)}".encode()).decode()
        ),
    ),
    ("X-API-Key", _behind("X-API" + "-Key: ", lambda s: s.some(32))),
    ("Cookie", _behind("Cookie: session" + "id=", lambda s: s.some(32), "; theme=dark")),
    ("password", _behind("pass" + "word=", lambda s: s.some(14))),
    ("password in YAML", _behind("db_pass" + "word: ", lambda s: s.some(16))),
    ("client secret", _behind("client_sec" + "ret=", lambda s: s.some(32))),
    ("API key", _behind("MYAPP_API" + "_KEY=", lambda s: s.some(32, HEX))),
    ("access token", _behind("access_tok" + "en=", lambda s: s.some(40))),
    ("URL login", _behind("postgres://app:", lambda s: s.some(16), "@db.example:5432/shop")),
    ("login file", _behind("machine example.org login alice pass" + "word ", lambda s: s.some(16))),
    ("password hash", _bare(lambda s: "$2" + "b$12$" + s.some(53, WORD))),
    ("Slack cookie", _bare(lambda s: "xox" + "d-" + s.some(60))),
    ("Notion newer", _bare(lambda s: "nt" + "n_" + s.some(46))),
    ("Atlassian", _bare(lambda s: "ATA" + "TT3" + "xFfGF0" + s.some(180, URLSAFE) + "=1A2B3C4D")),
    ("Sentry", _bare(lambda s: "snt" + "rys_" + s.base64_of(40).rstrip("=") + "_" + s.some(43))),
    ("Fireworks", _bare(lambda s: "f" + "w_" + s.some(24))),
    ("E2B", _bare(lambda s: "e2" + "b_" + s.some(40, HEX))),
    ("Tavily", _bare(lambda s: "tv" + "ly-dev-" + s.some(32))),
    ("Jina", _bare(lambda s: "ji" + "na_" + s.some(60))),
    ("Firecrawl", _bare(lambda s: "f" + "c-" + s.some(32, HEX))),
    ("Cursor", _bare(lambda s: "ke" + "y_" + s.some(64, HEX))),
    ("Sonar", _bare(lambda s: "sq" + "p_" + s.some(40, HEX))),
    ("CircleCI", _bare(lambda s: "CCI" + "PAT_" + s.some(22) + "_" + s.some(40, HEX))),
    ("Buildkite", _bare(lambda s: "bk" + "ua_" + s.some(40, HEX))),
    ("NuGet", _bare(lambda s: "oy" + "2" + s.some(43, LOW))),
    ("crates", _bare(lambda s: "ci" + "o" + s.some(32))),
    ("Langfuse", _bare(lambda s: "sk" + "-lf-" + s.uuid())),
    (
        "S3 signature",
        _behind(
            "https://b.example/o?Expires=1700000000&Signa" + "ture=",
            lambda s: quote(s.base64_of(20), safe=""),
        ),
    ),
    (
        "key without its head",
        _behind("MIIE" + "pAIBAAKC", lambda s: s.pem().split("\n", 1)[1].rpartition("\n")[0]),
    ),
    ("private key", _bare(Samples.pem)),
    ("OpenSSH key", _bare(lambda s: s.pem("OPENSSH "))),
)
"""Sixty kinds and more, each in the form that its issuer documents, or with the key that tells it."""


def _ansi(text: str, at: int) -> str:
    return f"{text[:at]}\x1b[31m{text[at:]}\x1b[0m"


WAYS: dict[str, Callable[[str, str, str], str]] = {
    "plain": lambda b, s, a: f"before {b}{s}{a} after",
    "line": lambda b, s, a: f"first\n{b}{s}{a}\nlast",
    "JSON": lambda b, s, a: json.dumps({"id": 1, "note": f"x\n{b}{s}{a}\ty"}),
    "JSON in JSON": lambda b, s, a: json.dumps({"args": json.dumps({"note": f"\n{b}{s}{a}\n"})}),
    "JSON, escaped": lambda b, s, a: '{"note": "' + "".join(rf"\u{ord(c):04x}" for c in f"{b}{s}{a}") + '"}',
    "colour before": lambda b, s, a: f"{b}\x1b[31;1m{s}\x1b[0m{a}",
    "colour within": lambda b, s, a: json.dumps({"out": f"{_ansi(b + s[:3], len(b) + 2)}{s[3:]}{a}"}),
    "percent": lambda b, s, a: f"https://example.org/?q={quote(f'a {b}{s}{a}', safe='')}&x=1",
    "percent, all": lambda b, s, a: "".join(f"%{byte:02X}" for byte in f" {b}{s}{a}".encode()),
    "base64": lambda b, s, a: f"data {base64.b64encode(f'config {b}{s}{a} end'.encode()).decode()} end",
    "base64 in JSON": lambda b, s, a: json.dumps(
        {"body": "\n" + base64.b64encode(f"config {b}{s}{a} end".encode()).decode()}
    ),
    "hexadecimal": lambda b, s, a: f"dump {f'config {b}{s}{a} end'.encode().hex()} end",
    "HTML": lambda b, s, a: f"<td>{html.escape(f'{b}{s}{a}')}</td>",
    "HTML, all": lambda b, s, a: "<td>" + "".join(f"&#{ord(c)};" for c in f" {b}{s}{a}") + "</td>",
    "octal": lambda b, s, a: "printf '" + "".join(rf"\{ord(c):03o}" for c in f" {b}{s}{a}") + "'",
    "hex escapes": lambda b, s, a: "b'" + "".join(rf"\x{ord(c):02x}" for c in f" {b}{s}{a}") + "'",
    "invisible": lambda b, s, a: f"{b}{s[:5]}\u200b{s[5:9]}\u2060{s[9:]}{a}",
    "behind a name": lambda b, s, a: f"export TOKEN_{b}{s}{a}" if b else f"export TOKEN={s}{a}",
}
"""How a secret may be written; every kind is looked for in each."""


def planted(seed: int) -> Iterator[tuple[str, str, str, str]]:
    """(kind, way, text, secret) of every kind in every way."""
    samples = Samples(seed)
    for kind, make in KINDS:
        for way, write in WAYS.items():
            before, secret, after = make(samples)
            yield kind, way, write(before, secret, after), secret


NAMES_OF_EVIDENCE = (
    "id",
    "sha256",
    "commit",
    "digest",
    "task_id",
    "run",
    "uuid",
    "checksum",
    "etag",
    "cache_key",
    "trace_id",
    "key",
    "build",
    "image",
    "base_commit",
    "session_id",
    "instance_id",
    "parent",
    "fingerprint",
    "primary_key",
)


def evidence(seed: int, count: int) -> Iterator[str]:
    """Identifiers and digests as records hold them: no secret among them."""
    samples = Samples(seed)
    made: tuple[Callable[[], str], ...] = (
        lambda: samples.digest("sha1"),
        lambda: samples.digest("sha256"),
        lambda: samples.digest("md5"),
        samples.uuid,
        lambda: samples.digest("sha512"),
        lambda: samples.digest("sha1")[:12],
        lambda: samples.base64_of(32),
        lambda: samples.some(22, URLSAFE),
        lambda: f"sha256:{samples.digest('sha256')}",
        lambda: samples.uuid().upper(),
        lambda: f"task-{samples.some(20, HEX)}",
        lambda: f"sha512-{samples.base64_of(64)}",
        lambda: f"01{samples.some(24, UPPER)}",
        lambda: f"chatcmpl-{samples.some(29)}",
        lambda: f"call_{samples.some(24)}",
        lambda: f"toolu_{samples.some(24)}",
        lambda: f"msg_{samples.some(24)}",
        lambda: f"req_{samples.some(28)}",
    )
    forms = (
        '"{n}": "{v}"',
        "{n}={v}",
        "{n}: {v}",
        "https://example.org/{n}/{v}?a=1",
        "{v}  ./logs/{n}.jsonl",
        "'{n}', '{v}'",
    )
    for number in range(count):
        name = NAMES_OF_EVIDENCE[number % len(NAMES_OF_EVIDENCE)]
        value = made[number % len(made)]()
        yield forms[(number // 7) % len(forms)].replace("{n}", name).replace("{v}", value)
