"""Names in records: one that cannot be printed wherever it is named makes its record invalid, and is told."""

from __future__ import annotations

import json

import pytest

from metrics_core.families.brownfield.record import BrownfieldRun
from metrics_core.formats import jsonl
from metrics_core.formats.fields import LONGEST_NAME
from tests.support import small_content


@pytest.mark.parametrize("field", ["id", "kind", "model", "continuation"])
def test_a_name_of_a_megabyte_is_an_invalid_record_that_is_told_in_a_line(field: str) -> None:
    run = small_content.runs("alpha")[0]
    names = ("m" * LONGEST_NAME, "m" * (LONGEST_NAME + 1), "m" * 2**20)
    text = "".join(json.dumps({**run, field: name}) + "\n" for name in names)
    found = list(jsonl.read([text.encode()], BrownfieldRun, file="a.jsonl"))
    assert [isinstance(row, jsonl.Problem) for row in found] == [False, True, True]
    for problem in found[1:]:
        assert field in str(problem)
        assert str(LONGEST_NAME) in str(problem)
        assert len(str(problem)) < 300
