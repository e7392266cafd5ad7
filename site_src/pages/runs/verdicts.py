"""The verdicts of one run, each with the chain that established it: side by side, and one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from metrics_core.results import NO_KEYS, Estimate, Kept, Keys, Review, Verdict, Vocabulary, Withheld
from metrics_core.text import visible
from site_src.marks import swatch
from site_src.pages.components import line, text
from site_src.pages.runs.index import ListedOutcome, Run, state_of
from site_src.wording import (
    Line,
    Span,
    count,
    fraction,
    in_order,
    listed,
    metric_words,
    number,
    sentence_case,
    svg_markup,
)

LAST = ("Counted in", "What this does not show")
"""Steps that end every chain: they are ours, and are not numbered."""

Known = Mapping[tuple[str, str, Keys], Sequence[Estimate]]
"""Published estimates by family, metric and group: one a stratum."""


class ChainStep(Struct, frozen=True, kw_only=True):
    """One link of a chain; ``ends`` where nothing further could be established."""

    name: str
    words: Line
    ends: bool


class VerdictView(Struct, frozen=True, kw_only=True):
    """A verdict and its chain, as a phone shows it."""

    title: str
    word: Span
    tally: str
    steps: tuple[ChainStep, ...]


class ChainRow(Struct, frozen=True, kw_only=True):
    """One step of all verdicts side by side; where it is the same for all, one cell ``whole`` across them.

    Attributes:
        whole: The step of every verdict; none where they differ.
        columns: How many columns that is.
        cells: A cell a verdict; none where one stands for all.
    """

    name: str
    whole: tuple[ChainStep, ...]
    columns: str
    cells: tuple[ChainStep, ...]


def counted_in(
    review: Review | Run, v: Verdict | ListedOutcome, known: Known, words: Vocabulary | None
) -> Estimate | None:
    """The published estimate of an arm that a verdict enters, or that counts it among its attempts.

    Whole arms come before parts of one; where a metric is given by a further key, that with the run's own
    level. A stratum key that all of an arm's runs share may be left out of what is published: the estimate
    that shares every key it has with the verdict is the one. Without an arm it is that of all runs.

    Args:
        review: The run, as its page or as a list has it.
        v: One of its verdicts.
        known: What is published.
        words: Those of the run's family.
    """
    arms = in_order(review.group.names, words)
    further = [key for key in review.group.names if key not in arms]
    groups = [review.group.only(arm) for arm in arms]
    groups += [review.group.only(arm, key) for arm in arms for key in further]
    for group in (*groups, NO_KEYS):
        shared = [
            e for e in known.get((review.family, v.metric, group), ()) if set(e.stratum) <= set(v.stratum)
        ]
        if shared:
            return max(shared, key=lambda e: len(e.stratum))
    return None


def held_back(counted: Iterable[tuple[str, Withheld | Kept | None]]) -> str:
    """What is said first of verdicts whose numbers a control withholds; empty where every number is shown.

    Args:
        counted: Title of a verdict, and why a number that it is counted in is withheld, or None.

    >>> from metrics_core.results import FailedControl
    >>> why = Withheld((FailedControl("sanity", "negative control", "no file", missing=True),))
    >>> held_back([("Change", why)])
    'Counted in no number, for a required control is missing: what follows is what was recorded.'
    >>> held_back([("Failure", why), ("End to end", None)])
    'Failure is counted in no number, for a required control is missing: of it stands what was recorded.'
    """
    found: dict[str, list[Withheld | Kept | None]] = {}
    for title, withheld in counted:
        found.setdefault(title, []).append(withheld)
    lost = [title for title, reasons in found.items() if None not in reasons]
    if not lost:
        return ""
    reasons = [why for title in lost for why in found[title]]
    missing = {c.missing for why in reasons if isinstance(why, Withheld) for c in why.controls}
    because = {
        (False,): "a control failed",
        (True,): "a required control is missing",
        (False, True): "a control failed and a required one is missing",
    }.get(tuple(sorted(missing)), "a control failed or is missing")
    if len(lost) == len(found):
        return f"Counted in no number, for {because}: what follows is what was recorded."
    be, them = ("is", "it") if len(lost) == 1 else ("are", "them")
    names = listed([lost[0], *(title.lower() for title in lost[1:])])
    return f"{names} {be} counted in no number, for {because}: of {them} stands what was recorded."


def verdict_view(v: Verdict, e: Estimate | None) -> VerdictView:
    """A verdict with its chain.

    Args:
        v: The verdict.
        e: The estimate that it is counted in, or None.
    """
    return VerdictView(
        title=v.title,
        word=Span(text=v.word, role="state", mark=svg_markup(swatch(state_of(v)))),
        tally=tally_words(v) if v.state == "known" else v.reason,
        steps=_steps(v, e),
    )


def chain_rows(verdicts: Sequence[Verdict], used: Sequence[Estimate | None]) -> Iterator[ChainRow]:
    """Steps of all chains side by side: by name, in the order in which they occur."""
    chains = [{step.name: step for step in _steps(v, e)} for v, e in zip(verdicts, used, strict=True)]
    names = [name for name in dict.fromkeys(n for steps in chains for n in steps) if name not in LAST]
    ends = [name for name in LAST if any(name in steps for steps in chains)]
    for at, name in enumerate([*names, *ends], start=1):
        cells = tuple(steps.get(name) or _absent(name, steps, names) for steps in chains)
        alike = len(cells) > 1 and len(set(cells)) == 1
        yield ChainRow(
            name=name if name in LAST else f"{at}. {name}",
            whole=cells[:1] if alike else (),
            columns=str(len(cells)),
            cells=() if alike else cells,
        )


def _absent(name: str, steps: Mapping[str, ChainStep], names: Sequence[str]) -> ChainStep:
    """A step that a chain does not have: it broke off before, or went without."""
    ended = next((step.name for step in steps.values() if step.ends), None)
    before = ended is not None and name in names and names.index(ended) < names.index(name)
    return ChainStep(name=name, words=(text("not reached" if before else "not needed", "quiet"),), ends=False)


def tally_words(v: Verdict) -> str:
    """Counts and value of a known verdict; nothing that its word has said, and no count of a single thing."""
    said = v.N == 1 and (v.value in (None, float(v.n)) or f"{v.value:g}" in v.word.split())
    value = "" if v.value is None or said else number(v.value, v.unit)
    counted = f"{fraction(v.n, v.N)} {v.of}" if v.N > 1 else ""
    return ", ".join(filter(None, (counted, value)))


def _steps(v: Verdict, e: Estimate | None) -> tuple[ChainStep, ...]:
    chains = [
        ChainStep(
            name=s.name,
            words=(text("The chain ends here. ", "strong"), text(sentence_case(s.text)))
            if s.ends
            else line(s.text),
            ends=s.ends,
        )
        for s in v.chain
    ]
    chains.append(ChainStep(name="Counted in", words=_counted(v, e), ends=False))
    if v.silent:
        chains.append(ChainStep(name="What this does not show", words=line(v.silent), ends=False))
    return tuple(chains)


def _counted(v: Verdict, e: Estimate | None) -> Line:
    if e is None:
        return line("In no published number")
    if e.withheld is not None or e.N is None:
        return line("Withheld: ", e.withheld or "")
    denominator = Span(text=count(e.N), estimate=e.id)
    N = f"N of {metric_words(v.metric, e.words)} ({visible(e.of)}): "
    if v.state == "known":
        return line(N, denominator)
    attempts = Span(text=count(e.attempts), estimate=e.id)
    return line("The attempts alone: ", attempts, ". Not in ", N, denominator, ".")
