"""A difference in words: who less whom, what both rules say, the counts behind it; and rows of text.

Does: spell comparisons, for a sentence (`sentence`), for a line beside a drawing (`outcome`, `pair`,
`because`) and for tables. Does not: draw, or decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from metrics_core.results import (
    DIFFERENT_TASKS,
    ONLY_STRICT,
    Comparison,
    Estimate,
    Interval,
    NotSeparated,
    Separation,
)
from metrics_core.text import visible
from site_src.wording import captions
from site_src.wording.clauses import p_words
from site_src.wording.estimates import ratio_words
from site_src.wording.names import shown_name
from site_src.wording.numbers import count, digits, exact, number, percent, points, share, signed, span
from site_src.wording.provenance import method_words
from site_src.wording.spans import Line, Span, TextTable, capitalised, text


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


def who(c: Comparison, spell: Callable[[str], str] = shown_name) -> str:
    """First less second.

    Args:
        c: Any comparison.
        spell: Spells a name.
    """
    return f"{spell(c.a)} − {spell(c.b)}"


OUTCOMES: Final[dict[Separation, str]] = {
    Separation.SEPARATED: "separated",
    Separation.SAME_TASKS_ONLY: "same tasks only",
    Separation.CANNOT: "cannot separate",
    Separation.NOT_COMPARABLE: "not compared",
}
"""The word of each outcome beside a drawing; only the first two tell somebody apart."""


def outcome(c: Comparison) -> str:
    """What both rules come to, in two or three words; on different tasks these are named."""
    on = f" on {DIFFERENT_TASKS}" if c.unpaired and c.separated else ""
    return f"{OUTCOMES[c.outcome]}{on}"


def pair(c: Comparison, spell: Callable[[str], str] = shown_name) -> str:
    """Both names, the higher first: "alpha over beta" where they are told apart, else "alpha and beta".

    Where less is better, the better one first: "beta better than alpha".

    Args:
        c: Any comparison.
        spell: Spells a name.
    """
    if (found := c.told_apart) is not None:
        if c.polarity == "against":
            return f"{spell(found[1])} better than {spell(found[0])}"
        return f"{spell(found[0])} over {spell(found[1])}"
    a, b = (c.b, c.a) if (c.difference or 0.0) < 0 else (c.a, c.b)
    return f"{spell(a)} and {spell(b)}"


def because(c: Comparison, *, beside: bool = False) -> str:
    """Why both rules do not tell the two apart, in a clause; empty where they do.

    Never empty where the difference leaves out 0 and the two are not separated.

    Args:
        c: Any comparison.
        beside: Whether the difference and its interval stand beside it, so that they need not be said again.
    """
    if c.outcome is Separation.SEPARATED:
        return ""
    p = "" if c.p_adjusted is None else p_of(c)
    if c.outcome is Separation.SAME_TASKS_ONLY:
        return "; ".join(filter(None, (p, "own intervals overlap" if c.overlap else _own(c))))
    against = c.judged.reasons("paired")
    told = []
    for reason in against:
        if reason is NotSeparated.HOLDS_ZERO and c.difference is not None:
            whole = f"{signed(c.difference)} {span(c.interval, c.unit, difference=True)}"
            told.append(f"{'its interval' if beside else whole} holds 0")
        elif reason is NotSeparated.NOT_SIGNIFICANT:
            told += [] if NotSeparated.HOLDS_ZERO in against else [p]
        else:
            told.append(visible(str(reason)))
    return "; ".join(told)


def nearly(c: Comparison) -> str:
    """A pair that is not told apart although its difference leaves out 0: the difference, and why it is not.

    Args:
        c: Any comparison; empty of one that is told apart, or whose difference takes in 0.
    """
    lo, hi = c.interval.lo, c.interval.hi
    if c.told_apart is not None or c.difference is None or lo is None or hi is None or lo <= 0.0 <= hi:
        return ""
    by = f"{signed(c.difference)} {span(c.interval, c.unit, difference=True)}"
    return f"{shown_name(c.a)} less {shown_name(c.b)}, {by}, leaves out 0: {because(c)}"


def _own(c: Comparison) -> str:
    """What the two arms' own intervals have against a separation."""
    return "; ".join(visible(str(r)) for r in c.judged.against if r in ONLY_STRICT)


def p_of(c: Comparison) -> str:
    """The adjusted p, and over how many comparisons; empty without a test."""
    if c.p_adjusted is None:
        return ""
    after = "" if c.holm_size == 1 else f" after Holm over {count(c.holm_size)} comparisons"
    return f"p {p_words(c.p_adjusted)}{after}"


def sentence(c: Comparison, *, on: Line = ()) -> Line:
    """One comparison in a sentence that is true by both rules, without its full stop.

    The one maker of such sentences, for ledes and first lines too. Where the same tasks alone tell two arms
    apart and the strict rule is in force, it has the form of the example; without a pack, "These runs" stand
    in its place. "Above" and ranks are another matter: see `Comparison.ranks`.

    Args:
        c: Any comparison.
        on: What it is about, as in "On change, ..."; nothing where that was said.

    >>> from metrics_core.results import ContractRef, Interval, Keys, Method, SeparationVerdict
    >>> c = Comparison(experiment="e", family="f", metric="score", group=Keys(), stratum=Keys(), over="model",
    ...     a="alpha", b="beta", difference=-0.1467, paired_on=50, p=0.0028, p_adjusted=0.0028, holm_size=1,
    ...     interval=Interval(lo=-0.2403, hi=-0.0531, method=Method.PAIRED_T), rule="overlap",
    ...     judged=SeparationVerdict(above="b", against=(NotSeparated.OVERLAP,), overlap=True),
    ...     method=Method.PAIRED_T, standard_error=0.05, detectable=None, pack="x",
    ...     contract=ContractRef("f", "1", "sha256:0"))
    >>> for part in "".join(span.text for span in sentence(c)).split("; "):
    ...     print(part)
    The pack cannot separate alpha and beta by their own intervals yet
    on the same 50 tasks beta did better by 14.7 points [5.3, 24.0], p 0.003
    """
    names = f"{shown_name(c.a)} and {shown_name(c.b)}"
    who_cannot = "the pack" if c.pack else "these runs"
    match c.outcome:
        case Separation.NOT_COMPARABLE:
            said: Line = (Span(f"{names} are not compared: {visible(c.reason)}"),)
        case Separation.CANNOT:
            said = (
                Span(f"{who_cannot} cannot separate {names} yet: "),
                Span(because(c), record=c.id),
            )
        case Separation.SAME_TASKS_ONLY if c.rule == "overlap":
            said = (
                Span(f"{who_cannot} cannot separate {names} by their own intervals yet; "),
                *_did(c, ""),
            )
        case _:
            other = (found := c.better or c.told_apart) and found[1]
            said = (*_did(c, f" than {shown_name(other or '')}"), Span(_and_own_intervals(c)))
    remarks = "".join(f"; {visible(str(remark))}" for remark in c.remarks if c.told_apart)
    about: Line = (Span("on "), *on, Span(", ")) if on else ()
    return capitalised((*about, *said, *((Span(remarks),) if remarks else ())))


def _did(c: Comparison, than: str) -> Line:
    """Who did better, on which tasks, by how much, with interval and p."""
    better, how = (c.better, "did better") if c.better else (c.told_apart, "had more")
    first, d, i = better[0] if better else "", abs(c.difference or 0.0), c.interval
    lo, hi = sorted((abs(i.lo or 0.0), abs(i.hi or 0.0)))
    if c.unit == "fraction" and hi <= 1.0:
        by, low, high = points(d, lo, hi)
        by, limits = f"{by} points", f" [{low}, {high}]"
    else:
        by, limits = number(d, c.unit), f" [{digits(lo, c.unit)}, {digits(hi, c.unit)}]"
    where = f"on {DIFFERENT_TASKS}" if c.unpaired else f"on the same {count(c.paired_on or 0)} tasks"
    return (
        Span(f"{where} {shown_name(first)} {how}{than} by "),
        Span(by, record=c.id),
        Span(limits, "light"),
        Span(f", {p_of(c)}" if c.p_adjusted is not None else ""),
    )


def by_how_much(value: float, interval: Interval, unit: str) -> str:
    """A signed difference with its interval: in points where it is one of shares, else in the metric's unit.

    Args:
        value: The difference.
        interval: Of the difference.
        unit: Of the two values.

    >>> by_how_much(-0.1467, Interval(lo=-0.2403, hi=-0.0531, method="t"), "fraction")
    '−14.7 points [−24.0, −5.3]'
    """
    ends = (value, interval.lo or 0.0, interval.hi or 0.0)
    if unit == "fraction" and all(-1.0 <= each <= 1.0 for each in ends):
        shown, unit_words = points(*ends), " points"
    else:
        shown, unit_words = tuple(digits(each, unit) for each in ends), f" {visible(unit)}"
    d, lo, hi = (
        f"+{words}" if each > 0 else words.replace("-", "−") for each, words in zip(ends, shown, strict=True)
    )
    limits = f" [{lo}, {hi}]" if interval.lo is not None else ", no interval"
    return f"{d}{unit_words}{limits}"


def same_tasks(c: Comparison, *, among: int = 2) -> str:
    """Who did better on which tasks, and by how much, as a clause among others.

    Args:
        c: A pair that the same tasks tell apart.
        among: Arms that the sentence is about; of more than two it says than which one.
    """
    better = c.better or c.told_apart
    said = text(_did(c, f" than {shown_name(better[1])}" if better and among > 2 else ""))
    return "; ".join((said, *(visible(str(remark)) for remark in c.remarks)))


def _and_own_intervals(c: Comparison) -> str:
    if c.outcome is Separation.SEPARATED:
        return ", and their own intervals are apart"
    return f"; {'their own intervals overlap' if c.overlap else _own(c)}, and the paired rule decides here"


def verdict(c: Comparison) -> str:
    """What follows by both rules, by name; in a word or two where neither tells the two apart."""
    if (found := c.told_apart) is None:
        return str(c.outcome)
    first = f"{shown_name(found[1])} better" if c.polarity == "against" else f"{shown_name(found[0])} above"
    if c.outcome is Separation.SEPARATED:
        return f"{first}{f' on {DIFFERENT_TASKS}' if c.unpaired else ''}"
    return f"{first} on the same tasks only"


def shade(c: Comparison) -> Literal["full", "half", "hollow"]:
    """How the point of a difference is filled: by its outcome, whichever rule is in force."""
    if c.outcome is Separation.SEPARATED:
        return "full"
    return "half" if c.outcome is Separation.SAME_TASKS_ONLY else "hollow"


SHADES: Final = "Half a point: told apart on the same tasks only; hollow: cannot separate."
"""How the points of differences are read."""


def smallest(c: Comparison) -> str:
    """The smallest difference that could have been shown: by both rules where the strict one is in force.

    Empty where nothing was compared; why there is none, where there is none.
    """
    found = c.detectable
    if found is None:
        return ""
    if found.paired is None:
        return str(found.why_not)
    parts = [f"paired {share(found.paired)}"]
    if c.rule == "overlap":
        parts.append("strict none" if found.strict is None else f"strict {share(found.strict)}")
    return f"{'roughly ' if found.rough else ''}{', '.join(parts)}"


def smallest_note(pairs: Sequence[Comparison]) -> str:
    """What `smallest` means, once for a figure or table; empty where none of them has any."""
    sizes = sorted({c.detectable.family for c in pairs if c.detectable and c.detectable.paired is not None})
    if not sizes:
        return ""
    over = count(sizes[0]) if len(sizes) == 1 else f"{count(sizes[0])} to {count(sizes[-1])}"
    rules = "by the difference on the same tasks (paired)"
    if any(c.rule == "overlap" for c in pairs):
        rules += ", and with both intervals apart as well (strict)"
    return (
        f"could be shown: the smallest true difference that {percent(0.8)} of such experiments tell apart"
        f" {rules}, in a Holm family of {over}; smaller ones are not ruled out"
    )


def difference(c: Comparison) -> list[Span]:
    """The difference, bold, and its interval."""
    if c.difference is None:
        return [Span("no number", "strong")]
    limits = span(c.interval, "fraction", difference=True)
    return [
        Span(signed(c.difference), "strong", record=c.id),
        Span(f" {limits}" if limits else ", no interval", "quiet"),
    ]


def behind(c: Comparison) -> str:
    """Why two arms are not told apart, what is said beside it, and what could be shown.

    The difference and its interval stand beside it, and the n/N of both arms above.
    """
    if c.difference is None:
        return visible(c.reason)
    could = f"could be shown: {found}" if not c.separated and (found := smallest(c)) else ""
    return " · ".join(filter(None, (because(c, beside=True), *map(str, c.remarks), could)))


def deciding_intervals(pairs: Sequence[Comparison], arms: Mapping[str, Estimate]) -> str:
    """Which own intervals decide where bounds stand in their place; empty where none do.

    Under the paired rule the difference decides alone, and its interval always stands beside it.

    Args:
        pairs: Of one metric and stratum.
        arms: Their estimates, by name.
    """
    judged = [c for c in pairs if c.rule == "overlap" and c.difference is not None]
    whose = {name for c in judged for name in (c.a, c.b)}
    shown = [
        f"{shown_name(name)} {limits}"
        for name, e in arms.items()
        if name in whose and e.headline == "bounds" and (limits := span(e.interval, e.unit))
    ]
    if not shown:
        return ""
    decides = "what decides are the intervals of what is known"
    return f"bounds stand in place of points; {decides}: {', '.join(shown)}"


def reasons(c: Comparison) -> str:
    """Why both rules do not tell the two apart, and what is said beside it."""
    return "; ".join(filter(None, (because(c, beside=True), *map(str, c.remarks))))


def verdict_words(c: Comparison) -> str:
    """What both rules come to, by name, and why where they do not separate the two."""
    why = visible(c.reason) if c.outcome is Separation.NOT_COMPARABLE else reasons(c)
    return f"{verdict(c)}: {why}" if why else verdict(c)


def table(pairs: Sequence[Comparison], arms: Mapping[str, Estimate]) -> TextTable:
    """One row a pair, for a reader."""
    rows = []
    for c in pairs:
        sides = ", ".join(ratio_words(arms[n]) for n in (c.a, c.b) if n in arms)
        difference = "none" if c.difference is None else signed(c.difference)
        p = "" if c.p is None else captions.p_words(c.p)
        adjusted = "" if c.p_adjusted is None else captions.p_words(c.p_adjusted)
        limits = span(c.interval, "fraction", difference=True) or visible(c.interval.reason or "")
        rows.append((who(c), sides, difference, limits, p, adjusted, verdict(c), reasons(c), smallest(c)))
    header = ("Pair", "n/N of both", "Difference", "95\u202f% interval", "p", "p, Holm", "Outcome", "Because",
              "Could be shown")  # fmt: skip
    return TextTable(header, tuple(rows), (2,))


def csv(pairs: Sequence[Comparison]) -> TextTable:
    """One row a pair, in full precision."""
    header = ("id", "family", "metric", "over", "a", "b", "difference", "lo", "hi", "level", "method",
              "paired_on", "p",
              "p_adjusted", "holm_size", "rule", "overlap", "outcome", "verdict", "strict_verdict",
              "paired_verdict", "reason", "remarks", "detectable_paired", "detectable_strict",
              "contract_digest")  # fmt: skip
    rows = []
    for c in pairs:
        cells = (c.id, c.family, c.metric, c.over, c.a, c.b, c.difference, c.interval.lo, c.interval.hi,
                 c.interval.level,
                 c.making, c.paired_on, c.p, c.p_adjusted, c.holm_size, c.rule, c.overlap, str(c.outcome),
                 c.verdict, c.strict_verdict, c.paired_verdict, c.reason, "; ".join(map(str, c.remarks)),
                 c.detectable and c.detectable.paired, c.detectable and c.detectable.strict,
                 c.contract.digest)  # fmt: skip
        rows.append(tuple(exact(cell) for cell in cells))
    return TextTable(header, tuple(rows))
