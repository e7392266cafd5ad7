"""Made-up secrets of sixty kinds in eighteen ways of writing are taken out; evidence and near misses stay.

Near misses are the lines of `near_misses.txt`: code, settings, prose that only resembles secrets.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import time
from collections import Counter
from collections.abc import Callable
from functools import reduce
from itertools import chain, islice, product
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from metrics_core.redaction import BuilderIdentity, Redactor
from metrics_core.redaction.decoded_view import undone
from metrics_core.redaction.encoded_runs import decoded
from tests.support.by_day import at_night, by_day, one_in
from tests.support.secret_samples import KINDS, WAYS, evidence, planted

NEAR_MISSES = Path(__file__).with_name("near_misses.txt").read_text(encoding="utf-8").splitlines()
LEFT = 10
"""Characters in a row of a secret that tell something of it."""
LAYERS = 3
"""Escapes within each other that a reader is taken to undo, whatever the redactor does."""


def said(data: bytes) -> str:
    """All that whoever undoes encodings can read in a text."""
    layers = [data]
    while len(layers) <= LAYERS and (view := undone(layers[-1])) is not None:
        layers.append(view.text)
    runs = [found.text for layer in layers if (found := decoded(layer)) is not None]
    return b"\n".join((*layers, *runs)).decode("utf-8", "replace")


def is_left(secret: str, out: bytes) -> bool:
    core = secret.partition("KEY-----\n")[2] or secret
    readable = said(out)
    return any(
        spelled[at : at + LEFT] in readable
        for spelled in (core, unquote(core))
        for at in range(len(spelled) - LEFT + 1)
    )


def test_no_planted_secret_is_published_however_it_is_written() -> None:
    corpus = list(planted(seed=7))
    assert len({kind for kind, *_ in corpus}) == len(KINDS) >= 60
    assert len(corpus) == len(KINDS) * len(WAYS) >= 1000
    redactor = Redactor()
    assert [(kind, way) for kind, way, text, secret in corpus if not is_left(secret, text.encode())] == []
    outs = [(kind, way, secret, redactor.clean(text.encode())[0]) for kind, way, text, secret in corpus]
    assert [(kind, way) for kind, way, secret, out in outs if is_left(secret, out)] == []


ESCAPES: dict[str, Callable[[str], str]] = {
    "percent": lambda t: "".join(f"%{byte:02X}" for byte in t.encode()),
    "percent where it must": lambda t: quote(t, safe=""),
    "HTML": html.escape,
    "HTML, decimal": lambda t: "".join(f"&#{ord(c)};" for c in t),
    "HTML, hexadecimal": lambda t: "".join(f"&#x{ord(c):x};" for c in t),
    "JSON": lambda t: json.dumps(t)[1:-1],
    "JSON, all": lambda t: "".join(rf"\u{ord(c):04x}" for c in t),
    "octal": lambda t: "".join(rf"\{ord(c):03o}" for c in t),
    "hexadecimal": lambda t: "".join(rf"\x{ord(c):02x}" for c in t),
}


def test_a_secret_is_found_through_three_escapes_within_each_other() -> None:
    secret = "ghp_" + "Ab3dE7Gh" * 5  # up to 216 characters for each of its own
    left = []
    for ways in chain.from_iterable(product(ESCAPES, repeat=depth) for depth in range(1, LAYERS + 1)):
        if len(ways) == LAYERS and not by_day(ways, one_in=8):
            continue
        text = reduce(lambda text, way: ESCAPES[way](text), ways, secret)
        if Redactor().clean_text(f"before {text} after")[0] != "before [redacted:github-token] after":
            left.append(ways)
    assert left == []


PASSWORD = "Zq8#vRt2!mLx9wKd"
IN_VALUES: tuple[object, ...] = (
    {"password": [PASSWORD]},
    {"api_key": ["x", None, PASSWORD, 3, "it's", PASSWORD[::-1]]},
    {"api_token": [PASSWORD, PASSWORD]},
    {"access_tokens": [PASSWORD]},
    {"token": [PASSWORD]},
    {"passwords": {"db": PASSWORD, "mail": "none"}},
    {"secret": {"of": 1, "value": PASSWORD, "user_id": "abc123def456"}},
    {"credentials": ["bob", PASSWORD]},
    {"env": [{"name": "DB_PASSWORD", "value": PASSWORD}]},
    {"password": {"of": {"db": PASSWORD}}},
    {"password": [[PASSWORD], "a}b]c"]},
)
"""Secrets in a list or an object that is the value of their key."""


@pytest.mark.parametrize("record", IN_VALUES)
def test_a_secret_is_found_in_the_list_or_the_object_that_its_key_has(record: object) -> None:
    for text in (
        json.dumps(record),
        json.dumps(record, separators=(",", ":")),
        json.dumps([json.dumps(record)]),
    ):
        out, found = Redactor().clean_text(text)
        assert found
        assert PASSWORD not in out
        assert PASSWORD[::-1] not in out
        json.loads(out)
        assert out.count('"') == text.count('"'), "nothing but secrets is taken out"
        assert ("abc123def456" in out) == ("abc123def456" in text)
        assert Redactor().clean_text(out) == (out, Counter())


def made(number: int) -> str:
    """A value as a program makes it, another for each number: 32 letters and digits, no key's name in it."""
    digest = hashlib.sha256(str(number).encode()).digest()
    return "q7" + base64.b64encode(digest, b"ab").decode()[:30].translate(str.maketrans("wW", "vV"))


@one_in(4)
@pytest.mark.parametrize("size", [1, 2, 60, 2000])
@pytest.mark.parametrize("form", [
    "API_KEYS={}", "export API_KEYS='{}'", 'api_keys: "{}"', "apiKeys={}", "AUTH_TOKENS={}",
    "PASSWORDS := {}", '{{"env": {{"SERVICE_API_KEYS": "{}"}}}}', "DB_PASSWORDS_EU={}",
])  # fmt: skip
def test_every_secret_of_a_plain_list_is_taken_out(form: str, size: int) -> None:
    values = [made(number) for number in range(size)]
    for joint in (",", ", ", ";", " ", "|") if size == 2 else (",",):
        out, found = Redactor().clean_text(form.format(joint.join(values)))
        assert [value for value in values if value in out] == [], joint
        marks = joint.join(["[redacted:key-value-secret]"] * size)
        assert out == form.format(marks)
        assert found == {"key-value-secret": size}
        assert Redactor().clean_text(out) == (out, Counter())


def test_a_second_value_of_a_key_in_the_singular_is_taken_out_as_the_first() -> None:
    out, _ = Redactor().clean_text(f"API_KEY={made(1)},{made(2)}")
    assert out == "API_KEY=[redacted:key-value-secret],[redacted:key-value-secret]"


@one_in(2)
@pytest.mark.parametrize("size", [60, 2000])
def test_every_secret_of_a_long_list_is_taken_out(size: int) -> None:
    values = [made(number) for number in range(size)]
    named = {f"db{number}": value for number, value in enumerate(values)}
    for record in ({"api_keys": values}, {"passwords": named}, {"passwords": {"of": named}}):
        out, found = Redactor().clean_text(json.dumps(record))
        assert [value for value in values if value in out] == []
        assert found == {"key-value-secret": size}
        json.loads(out)


@pytest.mark.parametrize("text", [
    "tokens: 1200, 3400, 128001", "passwords: hunter, wrong, right", "api_keys: production, staging",
    "tokens=Hello world this is a text of 17 tokens", "secrets: inherit, required",
    "https://example.org/shared/document_32217?token=unique_access_token_06527, then",
    "token_ids=128001,128009,3120", "tokens: ['Hello', 'world', 'ab12cd34']",
    "access_keys: user_id_1234567, primary_key_2024_07_19",
    "tokens per second: 1532.77, 1492.11", "secrets in 3f2504e04f8911d39a0c0305e82c3301, ab12cd34ef56ab78",
])  # fmt: skip
def test_plain_lists_that_hold_no_secret_stay(text: str) -> None:
    for around in (text, json.dumps({"note": text}), f"x {text} y"):
        assert Redactor().clean_text(around) == (around, Counter())


def test_the_word_in_a_mark_is_no_key_of_what_stands_behind_it() -> None:
    for record in ({"password": PASSWORD, "task12": 3}, ["API_KEY=" + made(1), "db1303x7", "commit a1b2c3"]):
        out, found = Redactor().clean_text(json.dumps(record))
        assert found == {"key-value-secret": 1}
        assert "task12" in out or '"db1303x7", "commit a1b2c3"' in out


def test_lists_that_hold_no_secret_stay() -> None:
    for record in (
        {"tokens": ["Hello", "world", "ab12cd34"]},
        {"tokens": {"input": 12, "output": 3}},
        {"secret": {"id": "3f2504e04f8911d39a0c0305e82c3301"}},
        {"api_keys": ["production", "staging"]},
        {"password": ["secret", "changeme", "required"]},
        {"name": "PASSWORD", "value": "required"},
    ):
        text = json.dumps(record)
        assert Redactor().clean_text(text) == (text, Counter())


def test_what_is_taken_out_leaves_json_and_the_text_around_it() -> None:
    for kind, way, text, _ in planted(seed=8):
        out, found = Redactor().clean(text.encode())
        assert found, (kind, way)
        if text.startswith("{"):
            assert json.loads(out).keys() == json.loads(text).keys(), (kind, way)
        if way == "plain":
            assert out.startswith(b"before "), kind
            assert out.endswith(b" after") or kind == "Cookie", kind
        assert Redactor().clean(out) == (out, Counter()), (kind, way)


@at_night("test_plain_numbers.py compares many lines with each of them")
def test_lines_of_one_file_are_redacted_as_each_is_by_itself() -> None:
    lines = [text.encode() for kind, way, text, _ in planted(seed=9) if "key" not in kind and way != "line"]
    whole = b"\n".join(lines)
    assert Redactor().clean(whole)[0] == b"\n".join(Redactor().clean(line)[0] for line in lines)
    pieces = (whole[at : at + 5000] for at in range(0, len(whole), 5000))
    assert b"".join(Redactor().stream(pieces, Counter())) == Redactor().clean(whole)[0]


def test_no_identifier_and_no_digest_is_taken_for_a_secret() -> None:
    lines = list(islice(evidence(seed=3, count=20_000), 20_000))
    whole = "\n".join(lines).encode()
    assert Redactor().clean(whole) == (whole, Counter())
    records = json.dumps(lines[:2000]).encode()
    assert Redactor().clean(records) == (records, Counter())


LOGINS = ("root", "user", "admin", "claude", "ubuntu", "runner")
PARTS_OF_WORDS = (
    "x_{n}_{v}", "{n}_{v}", "{v}_{n}", "{n}-{v}", "task-{n}-{v}", "{n}.{v}", "{n}/{v}", "{n}{v}", "a{n}_{v}",
    "{n}s:{v}", "-{n}-{v}", "run={n}-3_{v}", "{n}@{v}", "https://example.org/{n}_{v}?a={n}", "#{n}_{v}",
    "{n}[{v}]", "_{n}_", "{n}",
)  # fmt: skip


@pytest.mark.parametrize("login", LOGINS)
def test_no_identifier_with_a_usual_login_in_it_is_taken_for_the_builder(login: str) -> None:
    """Each id of the corpus, and each by itself with the login as a part of it, in three cases."""
    names = (login, login.upper(), login.title())
    ids = evidence(seed=5, count=20_000 // len(LOGINS))
    made = (
        form.format(n=names[number % 3], v=value.rpartition(" ")[2].strip('"'))
        for number, value in enumerate(ids)
        for form in (PARTS_OF_WORDS[number % len(PARTS_OF_WORDS)],)
    )
    whole = "\n".join(made).encode()
    redactor = Redactor(builder=BuilderIdentity(home=f"/home/{login}", user=login, host="halden-07"))
    assert redactor.clean(whole) == (whole, Counter())
    home = f"/home/{login}/x -home-{login}-x file%3A%2F%2F%2Fhome%2F{login}%2Fx"
    assert redactor.clean_text(home)[1] == {"builder-home": 3}


@pytest.mark.parametrize(
    "wrap", [str, lambda t: json.dumps({"m": t}), lambda t: json.dumps({"m": json.dumps(["\n" + t])})]
)
def test_near_misses_are_kept(wrap) -> None:
    assert len(NEAR_MISSES) >= 100
    texts = [wrap(text) for text in NEAR_MISSES]
    assert [text for text in texts if Redactor().clean_text(text) != (text, Counter())] == []


HOSTILE = (
    "password=" + "a" * 200_000,
    "password " * 30_000,
    "secret_" * 40_000,
    "a1" * 100_000,
    "://a:" * 40_000,
    "@" * 200_000,
    "eyJ" + "a" * 200_000,
    "machine login password " * 9_000,
    "cookie: a=" + "b;" * 90_000,
    "\\" * 200_000,
    "%" * 200_000,
    "&#" * 100_000,
    "\x1b[" * 100_000,
    "\\u001b" * 30_000,
    "curl -u " * 20_000,
    "twitter " * 20_000,
    'key="' * 40_000,
    "-----BEGIN PRIVATE " + "KEY-----\n" * 20_000,
    'token: "' * 20_000,
    "mysql -p" * 20_000,
    "sk-" * 60_000,
    "%25" * 100_000,
    '"password":[' * 20_000,
    '"password":["' + "a" * 200_000,
    '"password":[' + '"a",' * 50_000 + "]",
    '"password":{"a":{' * 15_000,
    '"password": ["a\\", ' * 15_000,
    "&amp;#x26;" * 30_000,
    "%2567%2568%2570%255F" * 10_000,
)


@one_in(4)
@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_text_that_was_made_to_be_slow_is_not(number: int) -> None:
    data = HOSTILE[number].encode()
    began = time.process_time()
    Redactor().clean(data)
    assert time.process_time() - began < 5, HOSTILE[number][:40]
