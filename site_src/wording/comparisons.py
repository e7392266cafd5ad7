"""A difference in words: who less whom, what follows, the counts behind it; and differences as rows of text.

Does: spell comparisons for a drawing and its tables. Does not: draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metrics_core.results import Comparison, Estimate
from metrics_core.text import visible
from site_src.wording import captions
from site_src.wording.estimates import of_words, ratio_words
from site_src.wording.numbers import count, exact, percent, share, signed, span
from site_src.wording.provenance import method_words
from site_src.wording.spans import Span, TextTable

APART = ("a above b", "b above a")
"""Verdicts that separate two models."""


def methods(pairs: Sequence[Comparison]) -> list[str]:
    """How the intervals of differences were made, and on how many tasks, once a method."""
    paired: dict[str, list[int | None]] = {}
    for c in pairs:
        if c.difference is not None:
            words = f"{percent(c.interval.level)} {method_words(c.interval.method)}"
            paired.setdefault(words, []).append(c.paired_on)
    lines = []
    for words, tasks in paired.items():
        common = sorted({n for n in tasks if n})
        over = " to ".join(dict.fromkeys(map(count, (common[:1] + common[-1:])))) + " tasks in common"
        both = [over] * bool(common) + ["different tasks"] * (None in tasks)
        lines.append(f"differences: {words}, {' or '.join(both)}")
    return lines


def who(c: Comparison) -> str:
    """First less second."""
    return f"{visible(c.a)} − {visible(c.b)}"


def verdict(c: Comparison) -> str:
    """What follows, by name."""
    names = {"a above b": f"{visible(c.a)} above", "b above a": f"{visible(c.b)} above"}
    return names.get(c.verdict, c.verdict)


def difference(c: Comparison) -> list[Span]:
    """The difference, bold, and its interval."""
    if c.difference is None:
        return [Span("no number", "strong")]
    limits = span(c.interval, "fraction", difference=True)
    return [
        Span(signed(c.difference), "strong"),
        Span(f" {limits}" if limits else ", no interval", "quiet"),
    ]


def behind(c: Comparison, arms: Mapping[str, Estimate]) -> str:
    """n/N of both sides, and what the pack could have shown."""
    if c.difference is None:
        return visible(c.reason)
    sides = [ratio_words(arms[name]) for name in (c.a, c.b) if name in arms]
    word = f" {of_words(arms[c.a])}" if c.a in arms and arms[c.a].of == "known verdicts" else ""
    could = ""
    if c.detectable is not None and c.verdict == "cannot separate":
        could = f"could show {share(c.detectable)} or more"
    return " · ".join(words for words in (f"{', '.join(sides)}{word}" if sides else "", could) if words)


def table(pairs: Sequence[Comparison], arms: Mapping[str, Estimate]) -> TextTable:
    """One row a pair, for a reader."""
    rows = []
    for c in pairs:
        sides = ", ".join(ratio_words(arms[n]) for n in (c.a, c.b) if n in arms)
        difference = "none" if c.difference is None else signed(c.difference)
        p = "" if c.p is None else captions.p_words(c.p)
        adjusted = "" if c.p_adjusted is None else captions.p_words(c.p_adjusted)
        limits = span(c.interval, "fraction", difference=True) or visible(c.interval.reason or "")
        rows.append((who(c), sides, difference, limits, p, adjusted, verdict(c), visible(c.reason)))
    header = ("Pair", "n/N of both", "Difference", "95\u202f% interval", "p", "p, Holm", "Verdict", "Because")
    return TextTable(header, tuple(rows), (2,))


def csv(pairs: Sequence[Comparison]) -> TextTable:
    """One row a pair, in full precision."""
    header = ("id", "family", "metric", "over", "a", "b", "difference", "lo", "hi", "level", "method",
              "paired_on", "p",
              "p_adjusted", "holm_size", "rule", "overlap", "verdict", "reason", "detectable",
              "contract_digest")  # fmt: skip
    rows = []
    for c in pairs:
        cells = (c.id, c.family, c.metric, c.over, c.a, c.b, c.difference, c.interval.lo, c.interval.hi,
                 c.interval.level,
                 c.making, c.paired_on, c.p, c.p_adjusted, c.holm_size, c.rule, c.overlap, c.verdict,
                 c.reason,
                 c.detectable, c.contract.digest)  # fmt: skip
        rows.append(tuple(exact(cell) for cell in cells))
    return TextTable(header, tuple(rows))
