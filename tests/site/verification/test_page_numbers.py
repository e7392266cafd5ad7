"""Numbers read back from a page: counts and decimals of an estimate, and none where it is withheld."""

from __future__ import annotations

import pytest

from site_src.verification.page_numbers import ShownNumber, faults

WITHHELD = {"e": {"withheld": "a control failed"}}


@pytest.mark.parametrize(("text", "shows"), [("withheld", False), ("9/12", True), ("0.75", True)])
def test_a_withheld_estimate_shows_neither_counts_nor_decimals(text: str, shows: bool) -> None:
    assert bool(list(faults(ShownNumber("e", text), WITHHELD, "p.html"))) is shows


def test_an_estimate_that_is_not_published_is_a_fault() -> None:
    assert list(faults(ShownNumber("x", "9/12"), {}, "p.html")) == ["p.html: x is not published"]
