"""Files of a site that are made when they are wanted, and JSON that is set out in lines."""

from __future__ import annotations

import json
import random

import pytest

from site_src.pages.data_files import indented
from site_src.project.safe_write import SiteFile


def test_a_file_is_made_when_it_is_first_asked_for_and_then_once() -> None:
    made = []

    def make() -> bytes:
        made.append(1)
        return b"all of it"

    file = SiteFile("a.txt", make)
    assert not made
    assert (file.data, file.data, made) == (b"all of it", b"all of it", [1])
    assert SiteFile("a.txt", b"now").data == b"now"


def any_value(rng: random.Random, depth: int = 0) -> object:
    kind = rng.randrange(8 if depth < 5 else 6)
    letters = ["a", '"', "\\", "\n", "\x00", "\x7f", "é", "\u2028", "😀", "/", ":", "{", "[", "\ud800"]
    match kind:
        case 0:
            return rng.choice([None, True, False])
        case 1:
            return rng.randrange(-(10 ** rng.randrange(1, 25)), 10 ** rng.randrange(1, 25))
        case 2:
            return rng.choice([0.0, -0.0, 1e-7, 1e16, 5e-324, rng.random() * 10.0 ** rng.randrange(-20, 20)])
        case 3 | 4 | 5:
            return "".join(
                rng.choice(letters[: rng.choice([13, 13, 13, 14])]) for _ in range(rng.randrange(8))
            )
        case 6:
            return [any_value(rng, depth + 1) for _ in range(rng.randrange(5))]
    return {f"{rng.choice(letters)}{i}": any_value(rng, depth + 1) for i in range(rng.randrange(5))}


@pytest.mark.parametrize("spaces", [1, 2])
def test_json_is_set_out_as_the_standard_library_does_it(spaces: int) -> None:
    rng = random.Random(spaces)
    for _ in range(3000):
        value = any_value(rng)
        for sort in (False, True):
            text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=sort, indent=spaces)
            assert indented(value, spaces, sort_keys=sort) == text.encode("utf-8", "backslashreplace")


def test_a_nan_has_no_spelling() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        indented({"a": float("nan")}, 1)
