"""Days that people write down: one reading of them, wherever they stand."""

from __future__ import annotations

import pytest

from metrics_core.contracts.lockfile import LockedContract
from metrics_core.errors import AssayError
from metrics_core.experiments import read_price_table
from metrics_core.formats.timestamps import is_day
from site_src import decisions
from site_src.editions import removed_pages

NO_DAYS = ("2026-02-30", "2026-13-01", "2026-00-10", "2025-02-29", "20260228", "2026-W09-6", "2026-2-3", "",
           "2026-02-28T10:00:00Z", " 2026-02-28", "\u0662\u0660\u0662\u0666-02-28", "0000-01-01")  # fmt: skip


@pytest.mark.parametrize("day", ["2026-02-28", "2024-02-29", "0001-01-01", "9999-12-31"])
def test_a_day_of_the_calendar_is_one(day: str) -> None:
    assert is_day(day)


@pytest.mark.parametrize("day", NO_DAYS)
def test_what_is_no_day_is_refused_wherever_it_is_written(day: str) -> None:
    assert not is_day(day)
    with pytest.raises(AssayError, match=r"^w\.yaml:2#/0/date: expected a date such as"):
        removed_pages.read_withdrawn(f'- path: a/\n  date: "{day}"\n  why: x\n'.encode(), "w.yaml")
    with pytest.raises(AssayError, match=r"^p\.yaml:1#/fetched: expected a date"):
        read_price_table(
            f'fetched: "{day}"\ncurrency: USD\nper: 1\nmodels: {{a: {{input: 1, output: 1}}}}'.encode(),
            "p.yaml",
        )
    with pytest.raises(AssayError, match="expected a date as YYYY-MM-DD"):
        LockedContract("a/b", "1", "sha256:" + "0" * 64, day, "why", (("a.py", "0" * 64),))


@pytest.mark.parametrize("day", ["2026-02-30", "20260228", "2026-W09-6"])
def test_a_decision_of_no_day_is_refused_with_its_line(day: str) -> None:
    with pytest.raises(AssayError, match=r"^d\.md:4#/date: expected a date such as"):
        decisions.read("d.md", f'---\ntitle: A\nstatus: proposed\ndate: "{day}"\n---\n'.encode())
