"""A claim in the words of a figure: what it is about, its number or what stands in its place, and why.

Does: spell judged claims for a drawing, its title and its tables. Does not: draw, or judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from metrics_core.measurement import CostPerSuccess
from metrics_core.results import Estimate
from metrics_core.text import visible
from site_src.decisions import thresholds
from site_src.decisions.model import CLAIM_VERDICTS, COMPARED, Claim, ClaimVerdict, JudgedClaim, Switch
from site_src.decisions.reasons import NumberWithheld, Why, brief
from site_src.marks import digits
from site_src.wording import (
    Span,
    TextTable,
    exact,
    in_words,
    many,
    many_in_words,
    metric_words,
    number,
    numbers,
    of_words,
    outer_interval,
    ratio,
    reason_words,
    sentence_case,
    signed,
    span,
    spans,
    title_stratum,
    titles,
    value_runs,
)

DIGESTS = ("contract", "pack", "data")
"""What differs by its digest; anything else by its own words."""

SWITCH_WORDS: Final[Mapping[ClaimVerdict, str]] = {
    "supported": "Switch", "contradicted": "Keep", "cannot separate": "Not yet",
}  # fmt: skip
"""What a verdict on a switch says to do."""

_PHRASES: Final[dict[ClaimVerdict, tuple[str, str, str, str]]] = {
    "supported": ("clears its line", "clear their lines", "holds", "hold"),
    "cannot separate": ("straddles its line", "straddle their lines", "is open", "are open"),
    "contradicted": ("falls short", "fall short", "fails", "fail"),
    "inadmissible": (
        "has no admissible number",
        "have no admissible number",
        "inadmissible",
        "inadmissible",
    ),
    "no data": ("has no data", "have no data", "without data", "without data"),
}
"""What one claim does, what several do; and both more briefly."""

_ITS_LINE_AGAIN: Final = {"straddles its line": "straddles it"}
"""A phrase as it stands after one that has named the line already."""


_STRADDLES: Final = (Why.ACROSS, Why.COULD_TURN)
"""Why a claim is open where its limits, as drawn, lie on both sides of the line."""


def title(claims: Sequence[JudgedClaim]) -> str:
    """How many claims clear their line, straddle it, fall short; and how many have nothing to show."""
    counts = {word: sum(j.verdict == word for j in claims) for word in CLAIM_VERDICTS}
    counts = {word: many for word, many in counts.items() if many}
    supported = counts.get("supported", 0)
    of = f"{in_words(supported)} of {in_words(len(claims))} claims"
    across = all(j.why in _STRADDLES for j in claims if j.verdict == "cannot separate")
    across = across and all(j.switch is None for j in claims)  # whose cost lies on another axis
    full = (_joined(counts, 0),) if across else ()
    return titles.fitting(*full, _joined(counts, 2), f"{of} {'holds' if supported == 1 else 'hold'}")


def _joined(counts: Mapping[ClaimVerdict, int], form: int) -> str:
    parts = [_some(word, many, form, first=at == 0) for at, (word, many) in enumerate(counts.items())]
    told = sum(word not in ("inadmissible", "no data") for word in counts)
    return "; ".join(", ".join(some) for some in (parts[:told], parts[told:]) if some)


def _some(word: ClaimVerdict, many: int, form: int, *, first: bool) -> str:
    """How many claims have a verdict, and what they do: the first of a title says "claims"."""
    phrase = _PHRASES[word][form + (many > 1)]
    if first:
        return f"{many_in_words(many, 'claim')} {phrase}"
    return f"{in_words(many)} {_ITS_LINE_AGAIN.get(phrase, phrase)}"


def about(judged: JudgedClaim) -> str:
    """Metric and stratum, as short as they may be."""
    words = judged.claim.words
    stratum = judged.estimates[0].stratum if judged.estimates else ()
    return f"{metric_words(judged.claim.query.metric, words)} {title_stratum(stratum, words)}".strip()


def verdict(judged: JudgedClaim) -> str:
    """The verdict, as the head of a row; of a switch, what to do."""
    if judged.switch is not None and judged.verdict in SWITCH_WORDS:
        return SWITCH_WORDS[judged.verdict]
    return sentence_case(judged.verdict)


def shown(judged: JudgedClaim) -> bool:
    """Whether a number is drawn: it is admissible, and there is one."""
    if judged.verdict in ("inadmissible", "no data"):
        return False
    if judged.comparison is not None:
        return judged.comparison.difference is not None
    return judged.estimates[0].value is not None


def strip(judged: JudgedClaim) -> str:
    """The word that stands on the axis in place of a number."""
    if judged.verdict == "no data":
        return "no data"
    if judged.withheld is not None:
        return "withheld"
    if judged.differs is not None:
        return f"{visible(judged.differs.what)} changed" if judged.changed else "not comparable"
    return brief(judged.why)


def value(judged: JudgedClaim) -> list[Span]:
    """The number, bold, with its interval; or that there is none."""
    if not shown(judged):
        absent = judged.verdict == "no data" or judged.withheld
        return [Span("no number" if absent else "not admitted", "strong")]
    if judged.comparison is None:
        return value_runs(judged.estimates[0])
    c = judged.comparison
    limits = span(c.interval, "fraction", difference=True)
    return [
        Span(signed(c.difference or 0.0), "strong"),
        Span(f" {limits}" if limits else ", no interval", "quiet"),
    ]


def described(judged: JudgedClaim) -> str:
    """A row in words, for the alternative text."""
    number = spans.text(value(judged))
    return f"{visible(judged.claim.text)} {judged.verdict}: {number}, {behind(judged)}"


def counted(estimates: Sequence[Estimate]) -> str:
    """n/N of each side, and their word; nothing of what is withheld."""
    ratios = [ratio(e) for e in estimates if e.withheld is None]
    return f"{', '.join(ratios)} {of_words(estimates[0])}" if ratios else ""


def claimed(judged: JudgedClaim) -> str:
    """Where the line lies.

    "claimed above 0", "claimed at least +0.10", "claimed at most 0.20".
    """
    claim = judged.claim
    if claim.asks == "separated from":
        return "claimed apart"
    if claim.kind in COMPARED:
        edge = thresholds.edge(claim, judged.estimates[0]) if judged.estimates else claim.line
        if claim.asks == "not worse than":
            return f"claimed {'below' if edge > 0 else 'above'} {signed(edge)}"
        return f"claimed at least {signed(edge)}" if edge else "claimed above 0"
    return f"claimed {claim.kind} {level(judged)}"


def level(judged: JudgedClaim) -> str:
    """The claimed level, in the metric's unit."""
    unit = judged.claim.unit or (judged.estimates[0].unit if judged.estimates else "fraction")
    return number(judged.claim.line, unit)


def behind(judged: JudgedClaim) -> str:
    """Counts and the claimed line; or why no number is admitted."""
    counts = counted(judged.estimates) if judged.estimates else ""
    why = claimed(judged) if shown(judged) else _why(judged)
    return " · ".join(words for words in (counts, why) if words)


def _why(judged: JudgedClaim) -> str:
    differs = judged.differs
    if differs is None:
        return judged.why.words if isinstance(judged.why, NumberWithheld) else visible(judged.reason)
    if differs.what == "data":
        return f"two experiments: data {_digits(differs.first)}, {_digits(differs.second)}"
    what = f"{differs.what} {'changed' if judged.changed else 'differs'}"
    first, second = differs.first, differs.second
    if differs.what in DIGESTS:
        first, second = _digits(first), _digits(second)
    return visible(f"{what}: {first}, then {second}" if judged.changed else f"{what}: {first}, {second}")


def _digits(digest: str) -> str:
    return digest if digest == "none" else digits(digest)


def per_success(claim: Claim, half: Switch) -> Iterator[str]:
    """What a success of both costs, the candidate's first; that it is not known, where it is not.

    Args:
        claim: Of kind ``in place of``.
        half: Its two halves.

    Returns:
        Stretches of one line.
    """
    found = half.spent
    if found is None:
        yield "cost per success: no cost of both is recorded at one price table"
        return
    yield f"cost per success: {_per_success_of(visible(claim.of), found.candidate)}"
    yield f"; {_per_success_of(visible(claim.than), found.incumbent)}"
    if found.ratio is not None:
        limits = numbers.span(found.interval, "times") or reason_words(found.interval)
        yield f"; {numbers.digits(found.ratio, 'times')} times as much {limits}"
    yield f", where at most {claim.cost:g} is claimed; on {many(found.tasks, 'task')} that both ran"
    if lost := found.candidate.left_out + found.incumbent.left_out:
        yield f"; {many(lost, 'run')} without known cost or outcome left out"
    yield f"; prices: {visible(found.prices)}"


def _per_success_of(name: str, each: CostPerSuccess) -> str:
    counted = f"{many(each.successes, 'success')} in {many(each.runs, 'run')}"
    if each.usd is None or not each.successes:
        return f"{name} none ({counted})"
    limits = numbers.span(each.interval, "USD") or reason_words(each.interval)
    return f"{name} {number(each.usd, 'USD')} {limits} ({counted})"


def table(claims: Sequence[JudgedClaim]) -> TextTable:
    """One row a claim, for a reader."""
    rows = tuple(
        (
            visible(j.claim.text), j.claim.names, about(j), counted(j.estimates) if j.estimates else "",
            spans.text(value(j)), claimed(j), j.verdict, _because(j),
        )
        for j in claims
    )  # fmt: skip
    header = ("Claim", "Of", "Metric", "n/N", "Value", "Line", "Verdict", "Because")
    return TextTable(header, rows)


def _because(judged: JudgedClaim) -> str:
    return _why(judged) if judged.differs is not None else visible(judged.reason)


def csv(claims: Sequence[JudgedClaim]) -> TextTable:
    """One row a claim, in full precision.

    ``lo`` and ``hi`` are of the value; ``leads`` says what of an arm's estimate may be shown large: where it
    is the bounds, ``around_lo`` and ``around_hi`` are the interval that decides.
    """
    header = ("claim", "kind", "verdict", "reason", "line", "value", "lo", "hi", "worst", "comparison",
              "estimates", "counts", "contracts",
              "leads", "bounds_lo", "bounds_hi", "around_lo", "around_hi")  # fmt: skip
    rows = []
    for j in claims:
        c = j.comparison
        e = j.estimates[0] if j.estimates else None
        admitted = shown(j)
        found = c.difference if c else e.value if e else None
        limits = c.interval if c else e.interval if e else None
        cells = (
            j.claim.identity, j.claim.kind, j.verdict, j.reason, j.claim.line, found if admitted else None,
            limits.lo if limits and admitted else None, limits.hi if limits and admitted else None,
            j.worst if admitted else None, c.id if c else None, " ".join(x.id for x in j.estimates),
            " ".join(numbers.ratio(x) for x in j.estimates if x.withheld is None),
            " ".join(dict.fromkeys(x.contract.digest for x in j.estimates)),
            *_bounds(None if c else e, admitted=admitted),
        )  # fmt: skip
        rows.append(tuple(exact(cell) for cell in cells))
    return TextTable(header, tuple(rows))


def _bounds(e: Estimate | None, *, admitted: bool) -> tuple[object, ...]:
    """What of one arm's estimate leads, its bounds, and the interval around them; nothing of a comparison."""
    if e is None:
        return (None,) * 5
    low, high = (e.bounds if admitted else None) or (None, None)
    around = outer_interval(e) if admitted else None
    ends = (None, None) if around is None else (around.lo, around.hi)
    return (e.headline if admitted else None, low, high, *ends)
