"""What each of the two rules says of a pair by itself: the difference on the same tasks, and both intervals.

Does: spell a verdict with what stands against it. Does not: say what both rules come to together;
`site_src.wording.comparisons` does.
"""

from __future__ import annotations

from metrics_core.results import Comparison
from metrics_core.text import visible
from site_src.wording.comparisons import because, verdict
from site_src.wording.names import shown_name


def paired_words(c: Comparison) -> str:
    """What the difference on the same tasks says.

    Args:
        c: A pair that was compared on the same tasks.
    """
    if c.paired_verdict == "cannot separate":
        against = "; ".join(visible(str(reason)) for reason in c.judged.reasons("paired"))
        return f"cannot separate: {against}"
    higher, lower = (c.a, c.b) if c.judged.above == "a" else (c.b, c.a)
    first = lower if c.polarity == "against" else higher
    did = "had more" if c.polarity == "neither" else "did better"
    remarks = "".join(f"; {visible(str(remark))}" for remark in c.remarks)
    return f"{shown_name(first)} {did}{remarks}"


def strict_words(c: Comparison) -> str:
    """What the two intervals say.

    Args:
        c: A pair that was compared.
    """
    if c.strict_verdict == "cannot separate":
        why = "; ".join(visible(str(reason)) for reason in c.judged.against) or because(c, beside=True)
        return f"cannot separate: {why}"
    return verdict(c)
