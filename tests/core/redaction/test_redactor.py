"""Planted secrets are taken out, what only resembles one stays, and JSON stays JSON.

Every secret is put together when the test runs, so that this file holds none.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
import string
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from metrics_core.redaction.builder import BuilderIdentity
from metrics_core.redaction.redactor import Redactor
from tests.support.by_day import one_in

DIGITS = random.Random(7)
WORD = string.ascii_letters + string.digits


def some(length: int, alphabet: str = WORD) -> str:
    """Random characters, one of them a digit."""
    return "".join(DIGITS.choices(alphabet, k=length - 1)) + "7"


def b64(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def pem(kind: str) -> str:
    body = "\n".join(some(64, WORD + "+/") for _ in range(6))
    return f"-----BEGIN {kind}PRIVATE " + f"KEY-----\n{body}\n-----END {kind}PRIVATE " + "KEY-----"


def jwt(payload: str = '{"sub":"1234567890","name":"x"}') -> str:
    header = b64('{"alg":"HS256","typ":"JWT"}')
    return f"{header}.{b64(payload)}.{some(43)}"


def hook() -> str:
    return "/".join(("T" + some(9, "ABC7"), "B" + some(9, "ABC7"), some(24)))


PGP = "PGP PRIVATE " + "KEY BLOCK-----"

SECRETS: list[tuple[str, str]] = [
    *[("github-token", f"gh{kind}" + "_" + some(36)) for kind in "pousr"],
    ("github-token", "ghp" + "_" + "a" * 36),
    ("github-token", "ghs" + "_" + some(80)),
    ("github-token", "github" + "_pat_" + some(22) + "_" + some(59)),
    *[("gitlab-token", f"gl{kind}-" + some(20)) for kind in ("pat", "dt", "rt", "cbt", "ptt", "ft", "soat")],
    ("gitlab-token", "glpat" + "-" + some(10) + "_" + some(9) + "-" + some(6)),
    ("openai-key", "sk" + "-" + some(20) + "T3Blbk" + "FJ" + some(20)),
    ("openai-key", "sk" + "-" + some(32, "0123456789abcdef")),
    ("openai-key", "sk" + "-" + "aBcDeFgHiJkLmNoPqRsTuVwX" * 2),
    ("openai-key", "sk" + "-proj-" + some(40) + "_" + some(40) + "-" + some(20)),
    ("openai-key", "sk" + "-svcacct-" + some(60)),
    ("openai-key", "sk" + "-admin-" + some(60)),
    ("openai-key", "sk" + "-or-v1-" + some(64, "0123456789abcdef")),
    ("anthropic-key", "sk" + "-ant-api03-" + some(93) + "AA"),
    ("anthropic-key", "sk" + "-ant-admin01-" + some(80)),
    ("anthropic-key", "sk" + "-ant-sid01-" + some(40) + "-" + some(20)),
    ("aws-key-id", "AK" + "IA" + some(16, string.ascii_uppercase + "234567")),
    ("aws-key-id", "AS" + "IA" + some(16, string.ascii_uppercase + "234567")),
    ("aws-secret-key", "aws_secret" + "_access_key=" + some(40, WORD + "+/")),
    ("aws-secret-key", "AWS_SECRET" + "_ACCESS_KEY: " + some(40, WORD + "+/")),
    ("aws-secret-key", "export MY_AWS_SECRET" + "_ACCESS_KEY='" + some(40, WORD + "+/") + "'"),
    ("google-key", "AI" + "za" + some(35)),
    ("google-token", "ya29" + "." + some(60)),
    ("google-secret", "GOCSPX" + "-" + some(28)),
    *[("slack-token", f"xox{kind}-" + "123456789012-" + some(24)) for kind in "abprs"],
    ("slack-token", "xapp" + "-1-A" + some(10, string.ascii_uppercase) + "-" + "1" * 13 + "-" + some(64)),
    ("slack-hook", "https://hooks.slack" + ".com/services/" + hook()),
    ("npm-token", "npm" + "_" + some(36)),
    ("package-index-token", "py" + "pi-AgEIcHlwaS5vcmc" + some(100)),
    ("hugging-face-token", "hf" + "_" + some(34)),
    ("stripe-key", "sk" + "_live_" + some(24)),
    ("stripe-key", "rk" + "_live_" + some(24)),
    ("groq-key", "gsk" + "_" + some(52)),
    ("xai-key", "xai" + "-" + some(80)),
    ("docker-token", "dckr" + "_pat_" + some(27)),
    *[("private-key", pem(kind)) for kind in ("", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ")],
    ("private-key", "-----BEGIN " + PGP + "\n\n" + some(64) + "\n-----END " + PGP),
    ("private-key", "-----BEGIN RSA PRIVATE " + "KEY-----\n" + some(64) + "\n" + some(30)),
    ("jwt", jwt()),
    ("jwt", jwt('{"sub":"1"}')),
    ("bearer-token", "Authorization: Bearer " + some(40)),
    ("bearer-token", "authorization: bearer " + some(16)),
    ("bearer-token", "Authorization: Bearer " + some(12) + "/" + some(12) + "+" + some(8) + "=="),
    ("basic-credentials", "Authorization: Basic " + base64.b64encode(b"alice:hunter22").decode()),
    ("url-credentials", "https://alice:" + "hunter2@example.org/repo.git"),
    ("url-credentials", "postgres://app:" + "s3cr%40et@db.internal:5432/shop"),
    ("url-credentials", "redis://:" + "pa55word@cache:6379/0"),
    ("url-credentials", "git+https://x-access-token:" + some(20) + "@example.org/a/b"),
    ("url-credentials", "mongodb+srv://root:" + "toor@cluster0.example.net/?w=majority"),
    ("url-credentials", "https://" + some(30) + "@example.org/a.git"),
]

SHA1, SHA256 = hashlib.sha1(b"a").hexdigest(), hashlib.sha256(b"a").hexdigest()
PATCH = (
    "--- a/src/sk-loader.css\n+++ b/src/sk-loader.css\n@@ -1,3 +1,3 @@\n-.sk-fading-circle { width: 40px }\n"
)

NEAR_MISSES = [
    "AK" + "IAIOSFODNN7EXAMPLE",
    SHA1,
    SHA256,
    f"sha256:{SHA256}",
    f"sha512-{base64.b64encode(hashlib.sha512(b'a').digest()).decode()}",
    "123e4567-e89b-12d3-a456-426614174000",
    "b1946ac92492d2347c6235b4d2611184",
    PATCH,
    base64.b64encode(PATCH.encode()).decode(),
    b64('{"a": 1, "b": [1, 2, 3], "text": "not a token"}'),
    "sk-learn",
    "sk-fading-circle",
    "risk-averse-strategies-for-everyone",
    "task-0123456789abcdef0123",
    "sk-internationalization",
    "sk_test_0123",
    "sk-1234",
    "the prefix sk- marks a key",
    "disk-usage-0123456789012345678",
    "ghp_short",
    "ghp_",
    "a ghp_ token has 36 characters",
    "xghp_" + "a1" * 18,
    "github_pat_",
    "gho_st",
    "glpat-",
    "glpat-tooshort",
    "AKIA",
    "AKIA1234",
    "NAKIAXXXXXXXXXXXXXXXXX7",
    "AKIA" + "a" * 16,
    "ASIA PACIFIC",
    "AIza",
    "AIzaTooShort",
    "xoxo",
    "xoxb-",
    "xoxb-short",
    "npm_config_registry",
    "npm_lifecycle_event",
    "pypi-server",
    "pypi-publish-workflow",
    "hf_hub_download",
    "hf_transfer",
    "gsk_group",
    "xai-grok-4-fast",
    "eyJ",
    "eyJhbGciOiJIUzI1NiJ9",
    "eyJhbGciOiJIUzI1NiJ9.not.a-token",
    "a.b.c",
    "Bearer of bad news",
    "the bearer authenticates",
    "bearer token",
    "Bearer <token>",
    "Bearer ${TOKEN}",
    "Bearer *****",
    "Authorization: Basic <credentials>",
    "basic arithmetic 12345678",
    "Authorization: none",
    "https://example.org/a/b?c=d@e",
    "https://example.org:8080/path",
    "http://localhost:3000/@vite/client",
    "ssh://git@example.org/a/b.git",
    "git@example.org:a/b.git",
    "https://user@example.org/",
    "https://$USER:$TOKEN@example.org",
    "https://<user>:<password>@example.org",
    "https://example.org/@scope/package@1.2.3",
    "npm:@scope/package@1.2.3",
    "alice@example.org",
    "Alice Example <alice@example.org>",
    "@@ -1,3 +1,3 @@",
    "user:password",
    "a://b",
    "-----BEGIN CERTIFICATE-----\nMIIB0123456789\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC " + "KEY-----\n" + "MIIB" * 16 + "\n-----END PUBLIC " + "KEY-----",
    "grep -r 'BEGIN RSA PRIVATE " + "KEY' .",
    "-----BEGIN PRIVATE " + "KEY-----",
    "aws_secret_access_key",
    "secret=1",
    "aws_secret_access_key = os.environ['KEY']",
    "prompt_tokens",
    "completion_tokens_of_the_whole_run_2026_07_19",
    "deepseek-v4-flash-2026-08-06-preview-0123456789",
    "/home/someone-else/project",
    "home/alice",
    "",
    "\x00\x01\x02",
]

ALICE = BuilderIdentity(home="/home/alice", host="halden-07", user="alicew", emails=("alice@halden.example",))


def test_there_are_enough_of_both() -> None:
    assert len(SECRETS) >= 60
    assert len(NEAR_MISSES) >= 60


def leaks(secret: str, out: str) -> bool:
    """Whether 12 characters in a row of what is secret about it are left."""
    core = max(re.split(r"[^A-Za-z0-9+_-]+", secret), key=len)
    core = core if len(core) > 12 else secret.rpartition("@")[0].rpartition(":")[2]
    return any(core[i : i + min(12, len(core))] in out for i in range(max(1, len(core) - 11)))


@one_in(3)
@pytest.mark.parametrize(("label", "secret"), SECRETS, ids=[f"{n}-{s[0]}" for n, s in enumerate(SECRETS)])
@pytest.mark.parametrize(
    "around", ["{}", "key={}", "a\n{}\nb", '("{}")', "\t{},", "`{}`", "é{}é", "x: {} y" + " pad" * 900]
)
def test_a_planted_secret_is_taken_out(label: str, secret: str, around: str) -> None:
    text = around.replace("{}", secret)
    out, found = Redactor().clean_text(text)
    assert found[label] == 1
    assert f"[redacted:{label}]" in out
    assert not leaks(secret, out)


@one_in(3)
@pytest.mark.parametrize(("label", "secret"), SECRETS, ids=[f"{n}-{s[0]}" for n, s in enumerate(SECRETS)])
@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("slashes", [False, True])
def test_json_stays_json(label: str, secret: str, ascii_only: bool, slashes: bool) -> None:
    record = {"id": "B1", "note": f"é\n{secret}\ttail", secret: [secret]}
    line = json.dumps(record, ensure_ascii=ascii_only)
    line = line.replace("/", "\\/") if slashes else line
    out, found = Redactor().clean(line.encode())
    clean = json.loads(out)
    assert found[label] >= 3
    assert clean["id"] == "B1"
    assert clean["note"].startswith("é\n")
    assert clean["note"].endswith("\ttail") or label == "private-key"
    assert not leaks(secret, json.dumps(clean))


@one_in(3)
@pytest.mark.parametrize("text", NEAR_MISSES)
@pytest.mark.parametrize("around", ["{}", " {}", "({})", "x: {} y" + " pad" * 900])
def test_what_only_resembles_a_secret_is_kept(text: str, around: str) -> None:
    whole = around.replace("{}", text)
    assert Redactor(builder=ALICE).clean_text(whole) == (whole, Counter())


@pytest.mark.parametrize(("text", "out"), [
    ("/home/alice/evals/run.py", "[redacted:builder-home]/evals/run.py"),
    ('File "/home/alice", line 3', 'File "[redacted:builder-home]", line 3'),
    ("file:///home/alice/x", "file://[redacted:builder-home]/x"),
    (r"\/home\/alice\/x", r"\[redacted:builder-home]\/x"),
    ("/home/alicia/x", "/home/alicia/x"),
    ("/srv/home/alice/x", "/srv/home/alice/x"),
    ("built on halden-07.", "built on [redacted:builder-host]."),
    ("halden-071 halden-07x", "halden-071 halden-07x"),
    ("alicew@build", "[redacted:builder-user]@build"),
    ("alicewonder malicew", "alicewonder malicew"),
    ("eval_alicew_v2 alicew_x", "eval_[redacted:builder-user]_v2 [redacted:builder-user]_x"),
    ("x_AliceW", "x_[redacted:builder-user]"),
    ("x_alicewonder malicew_x alicew2_x", "x_alicewonder malicew_x alicew2_x"),
    ("on_halden-07_x", "on_halden-07_x"),
    ("Alice <alice@halden.example>", "Alice <[redacted:builder-email]>"),
    ("bob@halden.example", "bob@halden.example"),
])  # fmt: skip
def test_traces_of_the_builder_are_taken_out_and_no_more(text: str, out: str) -> None:
    if text.startswith("\\"):
        text, out = json.loads(f'"{text}"'), "[redacted:builder-home]/x"
    assert Redactor(builder=ALICE).clean_text(text)[0] == out
    assert Redactor().clean_text(text)[0] == text


CLAUDE = BuilderIdentity(home="/home/claude", user="claude", host="sandbox")


@pytest.mark.parametrize(("text", "out"), [
    ("/home/claude/x -home-claude-app", "[redacted:builder-home]/x [redacted:builder-home]-app"),
    ("%2Fhome%2FClaude%2Fx", "[redacted:builder-home]%2Fx"),
    (r"C:\Users\claude\x /mnt/c/Users/claude", r"[redacted:builder-home]\x [redacted:builder-home]"),
    ("claude@halden:~/x$ ls", "[redacted:builder-user]@halden:~/x$ ls"),
    ("[claude@halden x]$ ls", "[[redacted:builder-user]@halden x]$ ls"),
    ("USER=claude LOGNAME=claude", "USER=[redacted:builder-user] LOGNAME=[redacted:builder-user]"),
    ("uid=1000(claude) gid=50(claude)", "uid=1000([redacted:builder-user]) gid=50([redacted:builder-user])"),
    ("/home/claude_code/x /home/claude2", "/home/claude_code/x /home/claude2"),
    ("x_claude_y claude claude_code model=claude", "x_claude_y claude claude_code model=claude"),
    ("claude@sha256:9f86d081, claude-3", "claude@sha256:9f86d081, claude-3"),
    ("claude@latest, @claude: a (claude) sandbox", "claude@latest, @claude: a (claude) sandbox"),
    ("ask claude@halden.example: now", "ask claude@halden.example: now"),
    ("MODEL_USER=claude END_USER=claude-3", "MODEL_USER=claude END_USER=claude-3"),
])  # fmt: skip
def test_a_login_that_is_a_word_or_a_product_is_a_trace_where_a_home_or_a_login_stands(
    text: str, out: str
) -> None:
    assert Redactor(builder=CLAUDE).clean_text(text)[0] == out


def test_a_home_folder_is_found_in_escaped_json() -> None:
    line = rb'{"cwd": "\/home\/alice\/x", "win": "C:\\Users\\alice\\x", "n": "a\n/home/alice"}'
    out, found = Redactor(builder=ALICE).clean(line)
    assert json.loads(out) == {
        "cwd": "[redacted:builder-home]/x", "win": "[redacted:builder-home]\\x",
        "n": "a\n[redacted:builder-home]",
    }  # fmt: skip
    windows = Redactor(builder=BuilderIdentity(home="C:\\Users\\alice"))
    assert json.loads(windows.clean(line)[0])["win"] == "[redacted:builder-home]\\x"
    assert found == {"builder-home": 3}


@pytest.mark.parametrize("separator", ["/", r"\/", r"\\/", "\\", r"\\"])
def test_a_home_folder_is_found_in_every_spelling_of_its_separators(separator: str) -> None:
    text = f"in {separator}home{separator}alice{separator}x, /home/alicex"
    out, found = Redactor(builder=ALICE).clean_text(text)
    assert (out, found) == (f"in [redacted:builder-home]{separator}x, /home/alicex", {"builder-home": 1})


@pytest.mark.parametrize("builder", [
    BuilderIdentity(), BuilderIdentity(home="/"), BuilderIdentity(host="localhost", user="root"),
    BuilderIdentity(host="vm", user="ci"),
    BuilderIdentity(user="runner", emails=("not an address",)),
])  # fmt: skip
def test_what_any_machine_has_is_no_trace_of_one(builder: BuilderIdentity) -> None:
    text = "root runner localhost vm ci / not an address"
    assert Redactor(builder=builder).clean_text(text) == (text, Counter())


def test_what_is_allowed_stays() -> None:
    key = "AK" + "IAIOSFODNN7EXAMPLG"
    assert Redactor(allowed=frozenset({key})).clean_text(f"{key} {key}X") == (f"{key} {key}X", Counter())
    other = "AK" + "IAIOSFODNN7EXAMPLF"
    assert (
        Redactor(allowed=frozenset({key})).clean_text(f"{key} {other}")[0] == f"{key} [redacted:aws-key-id]"
    )


def test_redacting_twice_changes_nothing() -> None:
    text = json.dumps([secret for _, secret in SECRETS])
    once, found = Redactor(builder=ALICE).clean(text.encode())
    assert found.total() >= len(SECRETS)
    assert Redactor(builder=ALICE).clean(once) == (once, Counter())


def test_a_stream_gives_what_the_whole_gives_however_it_is_cut() -> None:
    lines = [json.dumps({"n": n, "text": secret}) for n, (_, secret) in enumerate(SECRETS)]
    whole = "\n".join([*lines, *(secret for _, secret in SECRETS), "end"]).encode()
    expected, counted = Redactor().clean(whole)
    for size in (1, 7, 64, 1000, len(whole)):
        found: Counter[str] = Counter()
        pieces = (whole[i : i + size] for i in range(0, len(whole), size))
        assert b"".join(Redactor().stream(pieces, found)) == expected
        assert found == counted


def test_a_stream_holds_a_private_key_together_but_not_for_ever() -> None:
    opening = b"-----BEGIN RSA PRIVATE " + b"KEY-----\n"
    endless = [opening, *([b"x" * 63 + b"\n"] * 5000)]
    sizes = [len(piece) for piece in Redactor().stream(endless, Counter())]
    assert max(sizes) < 2 * 64 * 2**10


def test_a_line_without_end_is_let_go() -> None:
    pieces = list(Redactor().stream((b"word " * 200_000 for _ in range(40)), Counter()))
    assert len(pieces) > 1
    assert b"".join(pieces) == b"word " * 8_000_000


@given(st.text(), st.integers(0, len(SECRETS) - 1), st.text())
def test_text_around_a_secret_is_not_touched(before: str, number: int, after: str) -> None:
    label, secret = SECRETS[number]
    if any("\ud800" <= c <= "\udfff" for c in before + after):
        return
    out, found = Redactor().clean_text(f"{before} \n {secret} \n {after}")
    if label != "private-key":
        assert found[label] >= 1
        assert out.startswith(before)
        assert out.endswith(after)


def test_a_private_key_that_is_cut_at_a_line_feed_is_taken_out_whole() -> None:
    body = b"\n".join(b"MIIEowIBAAKCAQEA" * 4 for _ in range(12))
    key = b"-----BEGIN RSA PRIVATE " + b"KEY-----\n" + body + b"\n-----END RSA PRIVATE " + b"KEY-----"
    whole = b"before\n" + key + b"\nafter\n"
    at = whole.index(b"\n", len(whole) // 2) + 1
    found: Counter[str] = Counter()
    out = b"".join(Redactor().stream([whole[:at], whole[at:]], found))
    assert (out, found.total()) == (Redactor().clean(whole)[0], 1)
    assert b"MIIE" not in out


def test_a_generated_value_with_brackets_is_no_code() -> None:
    value = "p9^DLuXR8bJ&bSAiv&pH9hbQSc72Qr$p(N#MR%Fw&(j82oqe"
    assert Redactor().clean_text(f"SECRET_KEY = '{value}'")[0] == "SECRET_KEY = '[redacted:key-value-secret]'"
