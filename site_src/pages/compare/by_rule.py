"""Both rules of separation, side by side: what each says of a pair, and why.

Left always the arms' own intervals, right always the difference on the same tasks.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup
from msgspec import Struct

from metrics_core.results import Comparison, Separation
from site_src.drawing import miniature
from site_src.pages.components import text
from site_src.wording import Line, Span, by_how_much, many, p_of, paired_words, strict_words


class RuleVerdict(Struct, frozen=True, kw_only=True):
    """What one rule says.

    Attributes:
        mark: The difference beside 0.
        rule: Its name.
        words: What it says.
        apart: Whether it tells the two apart.
        why: What stands behind it.
        in_force: Whether verdicts of this site follow from it.
    """

    mark: Markup
    rule: str
    words: str
    apart: bool
    why: Line
    in_force: bool


def rule_verdicts(c: Comparison) -> Iterator[RuleVerdict]:
    """Both rules; nothing of a pair that is not compared.

    Args:
        c: Any comparison.
    """
    if c.outcome is Separation.NOT_COMPARABLE or c.difference is None:
        return
    lo, hi = c.interval.lo, c.interval.hi
    shown = None if lo is None or hi is None else (lo, c.difference, hi)

    def mark(*, apart: bool, half: bool) -> Markup:
        if shown is None:
            return miniature.without_point()
        ends = shown if shown[1] >= 0 else (-shown[2], -shown[1], -shown[0])
        return miniature.interval(*ends, "half" if half else "full" if apart else "hollow")

    strict, paired = c.strict_verdict != "cannot separate", c.paired_verdict != "cannot separate"
    yield RuleVerdict(
        mark=mark(apart=strict, half=False), rule="By their own intervals", words=strict_words(c),
        apart=strict, why=(), in_force=c.rule == "overlap",
    )  # fmt: skip
    if c.unpaired:
        return
    by = by_how_much(c.difference, c.interval, c.unit)
    yield RuleVerdict(
        mark=mark(apart=paired, half=paired and not strict),
        rule=f"On the same {many(c.paired_on or 0, 'task')}", words=paired_words(c), apart=paired,
        why=(text(f"{c.a} − {c.b} "), Span(by, record=c.id), text(f", {p}" if (p := p_of(c)) else "")),
        in_force=c.rule == "paired",
    )  # fmt: skip
