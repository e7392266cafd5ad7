"""Signing: OpenSSH agrees with us both ways, and nothing that is off in any part passes for a signature."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from metrics_core.digest import of_bytes
from metrics_core.errors import InputError
from site_src.publishing.published_site import PublishedSite, read_manifest
from site_src.signing import ssh_keys, ssh_signature, statement
from site_src.signing.signature_check import NotSigned, Signature, Signed, check_signature, sign_site
from tests.site.publishing.test_published_site import make

KEYGEN = shutil.which("ssh-keygen")
needs_openssh = pytest.mark.skipif(KEYGEN is None, reason="no ssh-keygen on the PATH")


def report(name: str, digest: str = "c") -> dict[str, Any]:
    return {
        "experiment": name, "data_digest": "sha256:" + "d" * 64, "records": 3, "problems": [{}],
        "estimates": [{"withheld": None}, {"withheld": "a control"}], "comparisons": [],
        "controls": [{"state": "held"}, {"state": "missing"}],
        "contracts": [{"id": "mine/v1", "version": "1", "digest": "sha256:" + digest * 64}],
    }  # fmt: skip


def files(editions: int = 0, title: str = "x", build: str = "") -> dict[str, bytes]:
    """A site of one experiment, that was published as its last edition or is another build."""
    build = build or f"sha256:{editions:064}"
    found = {
        "index.html": title.encode(),
        "site.json": json.dumps(
            {"build": "0.1.0+b", "digest": build, "experiments": [{"report": "data/reports/x.json"}]}
        ).encode(),
        "data/reports/x.json": json.dumps(report("x")).encode(),
    }
    previous = None
    for number in range(1, editions + 1):
        edition = {"number": number, "build_digest": f"sha256:{number:064}", "previous": previous}
        data = json.dumps(edition).encode()
        found[f"data/editions/{number:04}.json"] = data
        previous = of_bytes(data)
    return found


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return write_key(tmp_path / "key")


def write_key(at: Path, seed: int = 1) -> Path:
    from cryptography.hazmat.primitives import serialization as s

    private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    at.write_bytes(private.private_bytes(s.Encoding.PEM, s.PrivateFormat.OpenSSH, s.NoEncryption()))
    at.chmod(0o600)
    line = private.public_key().public_bytes(s.Encoding.OpenSSH, s.PublicFormat.OpenSSH)
    at.with_suffix(".pub").write_bytes(line + b" someone\n")
    return at


@pytest.fixture
def signed(tmp_path: Path, key: Path) -> Path:
    site = make(tmp_path / "site", files(2))
    sign_site(site, key)
    return site


def checked(site: Path, **given: Any) -> Signature:
    return check_signature(PublishedSite(site, read_manifest(site)), **given)


def test_a_statement_counts_what_the_site_says(signed: Path) -> None:
    found = json.loads((signed / "statement.json").read_bytes())
    assert found["_type"] == "https://in-toto.io/Statement/v1"
    assert [s["name"] for s in found["subject"]] == [
        "manifest.json", "data/reports/x.json", "experiments/x", "contracts/mine/v1@1#cccccccccccc",
    ]  # fmt: skip
    digest = of_bytes((signed / "manifest.json").read_bytes()).removeprefix("sha256:")
    assert found["subject"][0]["digest"] == {"sha256": digest}
    first = (signed / "data/editions/0001.json").read_bytes()
    second = (signed / "data/editions/0002.json").read_bytes()
    assert found["predicate"] == {
        "sequence": 2, "edition": of_bytes(second), "previous": of_bytes(first),
        "counts": {
            "experiments": 1, "records": 3, "invalid": 1, "estimates": 2, "withheld": 1, "comparisons": 0,
        },
        "controls": {"held": 1, "failed": 0, "missing": 1, "not applicable": 0},
        "versions": {"build": "0.1.0+b", "manifest": "assay.manifest/1"},
    }  # fmt: skip


def test_three_states_are_told_apart(signed: Path, key: Path, tmp_path: Path) -> None:
    public = ssh_keys.read_public_key(key.with_suffix(".pub"))
    assert checked(make(tmp_path / "plain", files())).state.words == "not signed"
    unnamed, named = checked(signed), checked(signed, named=public)
    assert unnamed.state == Signed(public, named=False, sequence=2)
    assert "you must know this key" in unnamed.state.words
    assert named.state == Signed(public, named=True, sequence=2)
    assert "the key that you named" in named.state.words
    assert (unnamed.faults, named.faults) == ((), ())


def test_a_key_that_is_named_must_have_signed(signed: Path, tmp_path: Path) -> None:
    other = ssh_keys.read_public_key(write_key(tmp_path / "other", seed=2).with_suffix(".pub"))
    found = checked(signed, named=other)
    assert found.faults == (f"not signed by the key that you named, {other}",)
    assert checked(make(tmp_path / "plain", files()), named=other).faults


@needs_openssh
def test_openssh_checks_what_we_sign(signed: Path, key: Path, tmp_path: Path) -> None:
    signers = tmp_path / "publishers"
    signers.write_text("NAME " + key.with_suffix(".pub").read_text())
    command = ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", "NAME", "-n", "assay-site"]
    run = subprocess.run([*command, "-s", signed / "statement.json.sig"], check=False, capture_output=True,
                         input=(signed / "statement.json").read_bytes())  # fmt: skip
    assert run.returncode == 0, run.stderr


@needs_openssh
@pytest.mark.parametrize("more", [[], ["-O", "hashalg=sha256"]])
def test_we_check_what_openssh_signs(signed: Path, key: Path, more: list[str]) -> None:
    (signed / "statement.json.sig").unlink()
    command = ["ssh-keygen", "-q", "-Y", "sign", "-n", "assay-site", *more, "-f", key]
    subprocess.run([*command, signed / "statement.json"], check=True, capture_output=True)
    assert isinstance(checked(signed).state, Signed)
    assert checked(signed).faults == ()


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    at = Path(os.path.relpath(tmp_path / "agent"))
    with subprocess.Popen(["ssh-agent", "-D", "-a", at], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.readline()
        monkeypatch.setenv("SSH_AUTH_SOCK", str(at))
        yield
        running.terminate()


@needs_openssh
def test_an_agent_signs_with_the_key_it_holds(tmp_path: Path, key: Path, agent: None) -> None:
    subprocess.run(["ssh-add", "-q", key], check=True, capture_output=True)
    key.unlink()
    site = make(tmp_path / "site", files())
    public = sign_site(site, key.with_suffix(".pub"))
    assert checked(site, named=public).faults == ()
    with pytest.raises(InputError, match="did not sign with this key"):
        sign_site(site, write_key(tmp_path / "other", seed=3).with_suffix(".pub"))


def test_without_an_agent_a_public_key_signs_nothing(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    with pytest.raises(InputError, match="there is no SSH agent"):
        sign_site(make(tmp_path / "site", files()), key.with_suffix(".pub"))


@pytest.mark.parametrize("data", [b"", b"x", b"-----BEGIN OPENSSH PRIVATE KEY-----\n", b"ssh-rsa AAAA x"])
def test_a_file_that_is_no_key_is_said_so(tmp_path: Path, data: bytes) -> None:
    at = tmp_path / "key"
    at.write_bytes(data)
    with pytest.raises(InputError, match="key"):
        sign_site(make(tmp_path / "site", files()), at)
    with pytest.raises(InputError, match="public key"):
        ssh_keys.read_public_key(at)


def test_a_site_that_was_altered_is_not_signed(tmp_path: Path, key: Path) -> None:
    site = make(tmp_path / "site", files())
    (site / "index.html").write_text("another")
    with pytest.raises(InputError, match="was not signed"):
        sign_site(site, key)
    assert not (site / "statement.json").exists()


Change = Callable[[dict[str, Any]], None]


def named(key: str, value: Any) -> Change:
    return lambda s: s.update({key: value})


@pytest.mark.parametrize(
    "change, told",
    [
        (named("_type", "https://in-toto.io/Statement/v0.1"), "expected a statement of type"),
        (named("predicateType", "https://slsa.dev/provenance/v1"), "expected a predicate of type"),
        (named("predicate", None), "expected a sequence"),
        (named("predicate", {"sequence": True}), "expected a sequence"),
        (named("more", 1), "more: is not what the site gives"),
        (named("subject", []), "subject manifest.json: is not what the site holds"),
        (named("subject", None), "expected a list of subjects"),
        (lambda s: s["subject"].append(s["subject"][0]), "expected a list of subjects, each once"),
        (lambda s: s["subject"].append({"name": "y", "digest": {}}), "subject y: is not what the site holds"),
        (lambda s: s["subject"][0].update(digest={"sha256": "0" * 64}), "subject manifest.json"),
        (lambda s: s["subject"][0]["digest"].update(sha512="0"), "subject manifest.json"),
        (lambda s: s["subject"].pop(), "subject contracts/mine"),
        (lambda s: s["predicate"].update(sequence=9), "predicate sequence"),
        (lambda s: s["predicate"].update(previous=None), "predicate previous"),
        (lambda s: s["predicate"]["counts"].update(estimates=99), "predicate counts"),
        (lambda s: s["predicate"].update(qualified=True), "predicate qualified"),
    ],
)
def test_a_statement_of_anything_else_is_no_statement_of_this_site(
    signed: Path, key: Path, change: Change, told: str
) -> None:
    """Also where the very same key has signed it."""
    found = json.loads((signed / "statement.json").read_bytes())
    change(found)
    data = statement.to_bytes(found)
    (signed / "statement.json").write_bytes(data)
    signer, signature = ssh_keys.sign(ssh_signature.signed_bytes(data), key)
    (signed / "statement.json.sig").write_bytes(ssh_signature.armored(signer.data, signature))
    result = checked(signed)
    assert any(told in fault for fault in result.faults), result.faults
    assert result.state == NotSigned(broken=True)


@pytest.mark.parametrize(
    "data",
    [b"", b"<script>", b"signed by me", b"{}", b"null", b"[" * 99_999, b"\xff", b'{"_type": 1, "_type": 2}',
     b'{"a": NaN}'],
)  # fmt: skip
def test_a_statement_file_of_any_other_content_is_a_fault(tmp_path: Path, data: bytes) -> None:
    site = make(tmp_path / "site", files())
    (site / "statement.json").write_bytes(data)
    assert len(checked(site).faults) == 1
    assert checked(site).state == NotSigned()
    (site / "statement.json.sig").write_bytes(data)
    assert checked(site).state == NotSigned(broken=True)


def test_a_key_given_twice_in_a_statement_is_a_fault(signed: Path, key: Path) -> None:
    data = (signed / "statement.json").read_bytes().replace(b'"sequence": 2', b'"sequence": 9, "sequence": 2')
    (signed / "statement.json").write_bytes(data)
    signer, signature = ssh_keys.sign(ssh_signature.signed_bytes(data), key)
    (signed / "statement.json.sig").write_bytes(ssh_signature.armored(signer.data, signature))
    assert any("'sequence' twice" in fault for fault in checked(signed).faults)


def test_the_statement_of_another_site_is_a_fault(signed: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other", files(2, title="another"))
    for name in ("statement.json", "statement.json.sig"):
        shutil.copy(signed / name, other / name)
    assert checked(other).faults == ("statement.json: subject manifest.json: is not what the site holds",)
    assert checked(other).state == NotSigned(broken=True)


def test_a_signature_without_a_statement_is_a_fault(signed: Path) -> None:
    (signed / "statement.json").unlink()
    assert checked(signed).faults == ("statement.json.sig: is of no statement",)
    assert checked(signed).state.words == "its signature does not hold"


def blob(signed: Path) -> bytes:
    lines = (signed / "statement.json.sig").read_text().splitlines()
    return base64.b64decode("".join(lines[1:-1]))


def write_blob(signed: Path, data: bytes) -> None:
    text = base64.b64encode(data).decode()
    ends = [f"-----{word} SSH SIGNATURE-----" for word in ("BEGIN", "END")]
    (signed / "statement.json.sig").write_text(f"{ends[0]}\n{text}\n{ends[1]}\n")


def test_a_signature_cut_anywhere_is_a_fault(signed: Path) -> None:
    whole = blob(signed)
    for length in range(len(whole)):
        write_blob(signed, whole[:length])
        found = checked(signed)
        assert len(found.faults) == 1, length
        assert found.state == NotSigned(broken=True), length
    write_blob(signed, whole + b"\0")
    assert checked(signed).faults


def test_a_bit_flipped_anywhere_in_a_signature_is_a_fault(signed: Path) -> None:
    whole = blob(signed)
    for at in range(len(whole)):
        flipped = bytearray(whole)
        flipped[at] ^= 1
        write_blob(signed, bytes(flipped))
        assert checked(signed).faults, at


def test_a_signature_made_for_another_purpose_is_a_fault(
    signed: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (signed / "statement.json").read_bytes()
    signer, signature = ssh_keys.sign(ssh_signature.signed_bytes(data, namespace="git"), key)
    monkeypatch.setattr(ssh_signature, "NAMESPACE", "git")
    (signed / "statement.json.sig").write_bytes(ssh_signature.armored(signer.data, signature))
    monkeypatch.undo()
    assert checked(signed).faults == ("statement.json.sig: was made for 'git', expected 'assay-site'",)


def test_an_older_site_in_the_place_of_a_newer_one_is_told(tmp_path: Path, key: Path) -> None:
    sites = {n: make(tmp_path / f"site-{n}", files(n)) for n in (1, 2, 3)}
    for site in sites.values():
        sign_site(site, key)
    seen = {n: statement.read_statement((site / "statement.json").read_bytes()) for n, site in sites.items()}
    assert checked(sites[2], earlier=seen[1]).faults == ()
    assert checked(sites[2], earlier=seen[2]).faults == ()
    assert checked(sites[3], earlier=seen[1]).faults == ()
    rolled = "statement.json: rolled back: it is sequence 2, and 3 was seen"
    assert checked(sites[2], earlier=seen[3]).faults == (rolled,)
    plain = make(tmp_path / "plain", files(3))
    assert any("may be rolled back" in fault for fault in checked(plain, earlier=seen[2]).faults)


def test_two_sites_under_one_number_and_a_chain_that_breaks_are_told(tmp_path: Path, key: Path) -> None:
    one, other = make(tmp_path / "one", files(2)), make(tmp_path / "other", files(2, title="another"))
    for site in (one, other):
        sign_site(site, key)
    seen = statement.read_statement((one / "statement.json").read_bytes())
    assert checked(other, earlier=seen).faults == (
        "statement.json: another site was seen under the same sequence 2",
    )
    sign_site(third := make(tmp_path / "third", files(3)), key)
    seen["predicate"]["edition"] = "sha256:" + "0" * 64
    assert any("another edition as the previous one" in each for each in checked(third, earlier=seen).faults)


def test_a_build_that_was_not_published_stands_behind_the_last_edition(tmp_path: Path, key: Path) -> None:
    site = make(tmp_path / "site", files(2, build="sha256:" + "e" * 64))
    sign_site(site, key)
    found = json.loads((site / "statement.json").read_bytes())["predicate"]
    assert (found["sequence"], found["edition"]) == (2, None)
    assert checked(site).faults == ()
