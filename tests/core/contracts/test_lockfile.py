"""The ledger of instruments: what is known, what is stopped, and that no row is ever rewritten."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from metrics_core import engine
from metrics_core.contracts.lockfile import Lockfile, add, check, package_ledger, read, write
from metrics_core.errors import FormatError, LockError
from metrics_core.results.estimate import ContractRef
from metrics_core.results.report import UsedContract

TODAY = {"date": "2026-07-05", "reason": "first release"}


def digest(digit: str) -> str:
    return "sha256:" + digit * 64


def contract(mark: str = "a", *, version: str = "1", name: str = "assay/x", **files: str) -> UsedContract:
    """A contract whose closure digest is ``mark`` repeated; files are given by the digit of their sha256."""
    rows = tuple(sorted((f"{path}.py", digit * 64) for path, digit in (files or {"x": mark}).items()))
    return UsedContract(ContractRef(name, version, digest(mark)), "X", "user", "traces", None, rows, (), ())


LEDGER = add(Lockfile(), contract("a", x="1", y="2"), **TODAY)


def test_what_is_written_is_read_again() -> None:
    ledger = add(LEDGER, contract("b", version="2"), date="2026-07-06", reason="counts „half“ patches")
    assert read(write(ledger)) == ledger
    assert json.loads(write(LEDGER)) == {
        "schema": "assay.contracts-lock/1",
        "contracts": [
            {
                "id": "assay/x",
                "version": "1",
                "digest": digest("a"),
                "date": "2026-07-05",
                "reason": "first release",
                "files": {"x.py": "1" * 64, "y.py": "2" * 64},
            }
        ],
    }


def test_a_known_digest_passes_and_an_unknown_version_is_told() -> None:
    assert check([LEDGER], [contract("a", x="1", y="2")]) == ()
    (note,) = check([LEDGER], [contract("b", version="2")])
    assert note.startswith("assay/x v2 is in no ledger yet")
    assert len(check([], [contract("a"), contract("b", name="m/v1-y")])) == 2


def test_a_digest_known_to_either_ledger_is_known() -> None:
    site = add(Lockfile(), contract("b"), **TODAY)
    assert check([LEDGER, site], [contract("a"), contract("b")]) == ()


def test_a_scorer_that_changed_under_its_version_stops_the_build() -> None:
    changed = contract("b", x="9", z="3")
    with pytest.raises(LockError, match="the scorer changed but its version did not") as raised:
        check([LEDGER], [changed])
    told = str(raised.value)
    assert "assay/x v1: x.py differs; y.py is gone; z.py is new" in told
    assert "bump the version" in told
    assert "assay lock --revise" in told
    assert raised.value.exit_code == 3


def test_every_changed_scorer_is_named() -> None:
    ledger = add(LEDGER, contract("a", name="assay/y"), **TODAY)
    with pytest.raises(LockError, match=r"assay/x v1: .*\| assay/y v1: "):
        check([ledger], [contract("b"), contract("c", name="assay/y")])


def test_a_new_digest_of_a_version_needs_a_revision() -> None:
    with pytest.raises(LockError, match="its version did not"):
        add(LEDGER, contract("b"), **TODAY)
    revised = add(LEDGER, contract("b"), date="2026-07-07", reason="renamed a variable", revise=True)
    assert revised.rows[0] == LEDGER.rows[0]
    assert [row.digest for row in revised.of("assay/x", "1")] == [digest("a"), digest("b")]
    assert check([revised], [contract("a"), contract("b")]) == ()
    with pytest.raises(LockError, match=r"x\.py differs"):
        check([revised], [contract("c", x="c")])


def test_adding_what_is_known_changes_nothing() -> None:
    assert add(LEDGER, contract("a"), date="2027-01-01", reason="again") is LEDGER


@pytest.mark.parametrize("wrong", [{"date": "5 July"}, {"date": "2026-13-01"}, {"reason": " "}])
def test_a_row_needs_a_day_and_a_reason(wrong: dict[str, str]) -> None:
    with pytest.raises(FormatError):
        add(Lockfile(), contract(), **{**TODAY, **wrong})


ROW = {
    "id": "a",
    "version": "1",
    "digest": digest("a"),
    "date": "2026-07-05",
    "reason": "r",
    "files": {"x.py": "a" * 64},
}


@pytest.mark.parametrize(
    "rows",
    [
        [{**ROW, "digest": "sha256:abc"}],
        [{**ROW, "version": "v1"}],
        [{**ROW, "files": {}}],
        [{**ROW, "files": {"x.py": "zz"}}],
        [{**ROW, "note": "x"}],
        [{**ROW, "version": 1}],
        [{"id": "a"}],
        [ROW, ROW],
    ],
)
def test_a_ledger_that_cannot_be_is_refused(rows: list[dict[str, object]]) -> None:
    with pytest.raises(FormatError, match=r"^contracts\.lock"):
        read(json.dumps({"schema": "assay.contracts-lock/1", "contracts": rows}).encode())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b'{"schema": "assay.contracts-lock/2", "contracts": []}',
        b"\xff",
        b"[" * 99999,
        b'{"schema": "assay.contracts-lock/1", "contracts": [], "contracts": []}',
        write(LEDGER).replace(b'"reason"', b'"reason": "x", "reason"'),
    ],
)
def test_bytes_that_are_no_ledger_are_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"^contracts\.lock"):
        read(data)


def test_the_shipped_ledger_is_up_to_date() -> None:
    """Every built-in contract stands in it, and whatever stands in it stands there as it is."""
    rows = package_ledger().rows
    known = {(row.id, row.version): row.digest for row in rows}  # the last of each version
    now = {(c.id, c.version): c.ref().digest for _, c in engine.contracts()}
    assert all(row.id.startswith("assay/") for row in rows)
    stale = sorted(key for key in now if known.get(key) != now[key])
    assert stale == [], "the shipped ledger is not up to date: run `make ledgers`"


def test_rows_are_checked_wherever_they_come_from() -> None:
    with pytest.raises(FormatError, match="each file once, in order"):
        replace(LEDGER.rows[0], files=(("b", "1" * 64), ("a", "1" * 64)))


def test_two_scorers_of_one_name_are_refused_though_no_ledger_knows_either() -> None:
    with pytest.raises(LockError, match=r"assay/x v1 is two scorers: x\.py differs"):
        check([], [contract("a"), contract("b")])
    assert len(check([], [contract("a", x="1"), contract("b", y="1")])) == 2  # the same bytes by another name
