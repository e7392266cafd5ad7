"""The identicon helps the eye: other digits, other bars; other kind, other frame; and it claims nothing."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import get_args
from xml.etree import ElementTree as ET

import pytest

from site_src.marks.identicons import HEIGHT, WIDTH, DigestKind, bars, frame, identicon, short
from site_src.marks.patterns import STATE_NAMES, hatch
from site_src.marks.swatch import swatch

DIGEST_KINDS = get_args(DigestKind)
DIGEST = "sha256:" + "3f9a2c1d" * 8


def heights(digest: str) -> list[float]:
    return [float(h) for h in re.findall(r"v-([\d.]+)", bars(digest))]


def test_eight_bars_one_a_digit():
    assert len(heights(DIGEST)) == 8
    assert heights(DIGEST)[0] < heights(DIGEST)[1]  # 3 and f


def test_a_greater_digit_is_a_higher_bar():
    for low, high in pairwise("0123456789abcdef"):
        assert heights(low * 8)[0] < heights(high * 8)[0]


def test_bars_stay_within_the_frame():
    for digest in ("0" * 8, "f" * 8):
        for x, y, height in re.findall(r"M([\d.]+),([\d.]+)v-([\d.]+)", bars(digest)):
            assert 5 < float(x) < WIDTH - 5
            assert 1 < float(y) - float(height) < float(y) < HEIGHT - 1


def test_each_kind_has_its_own_frame():
    assert len({frame(kind) for kind in DIGEST_KINDS}) == len(DIGEST_KINDS) == 4


def test_it_is_hidden_and_always_spelled_beside():
    for kind in DIGEST_KINDS:
        root = ET.fromstring(identicon(DIGEST, kind))
        assert root.get("aria-hidden") == "true"
        assert "style" not in identicon(DIGEST, kind)
    assert short(DIGEST) == "sha256:3f9a2c1d"


@pytest.mark.parametrize("bad", ["", "sha256:", "sha256:3F9A2C1D", "3f9a2c1", "sha256:xyz", "<svg>3f9a2c1d"])
def test_what_is_no_digest_gets_no_identicon(bad):
    with pytest.raises(ValueError, match="not a digest"):
        identicon(bad, "data")


@pytest.mark.parametrize("state", STATE_NAMES)
def test_each_state_has_a_swatch_of_its_own(state):
    others = {swatch(other) for other in STATE_NAMES if other != state}
    assert swatch(state) not in others
    root = ET.fromstring(swatch(state))
    assert root.get("aria-hidden") == "true"
    assert not {e.tag for e in root.iter()} - {"svg", "path"}


@pytest.mark.parametrize("state", STATE_NAMES)
@pytest.mark.parametrize("size", [(0.4, 18.0), (3.0, 18.0), (11.0, 11.0), (279.3, 19.0), (10.0, 400.0)])
def test_a_hatch_stays_inside_its_box(state, size):
    width, height = size
    for command, x, y in re.findall(r"([ML])(-?[\d.]+),(-?[\d.]+)", hatch(state, width, height)):
        assert command in "ML"
        assert -0.01 <= float(x) <= width + 0.01
        assert -0.01 <= float(y) <= height + 0.01
    for x in re.findall(r"H(-?[\d.]+)", hatch(state, width, height)):
        assert float(x) <= width + 0.01


def test_patterns_differ_by_more_than_colour():
    drawn = {state: hatch(state, 20, 20) for state in ("false", "unknown", "error", "invalid", "too-few")}
    assert all(drawn.values())
    assert len(set(drawn.values())) == len(drawn)
