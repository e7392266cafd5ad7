"""The sentence that pairs of arms come to: who is above whom, who is told apart by the same tasks only.

Does: word the comparisons of one metric in one stratum. Does not: choose which are read first, or draw;
`site_src.pages.summaries` chooses.
"""

from __future__ import annotations

from collections.abc import Sequence

from metrics_core.results import PLAIN, Comparison
from metrics_core.text import visible
from site_src.wording.comparisons import because, nearly, same_tasks, sentence
from site_src.wording.names import in_words, kind_words, listed, many_in_words, named_metric, title_stratum
from site_src.wording.numbers import count
from site_src.wording.spans import Line, Span, in_series, text

MOST_NAMED = 4
"""Arms that a sentence names; of more it gives the number."""


def subject_of(pairs: Sequence[Comparison]) -> str:
    """What cannot separate: the pack, where every pair has one; else the runs.

    Args:
        pairs: At least one.
    """
    return "the pack" if pairs and all(c.pack for c in pairs) else "these runs"


def about_pair(c: Comparison) -> str:
    """On what a pair is compared: metric, part, stratum."""
    return text(about_line(c))


def about_line(c: Comparison) -> Line:
    """The same, its metric as a stretch that a page may lead from."""
    arm = (c.words or PLAIN).arm(c.over)
    part = "" if arm is None or (arm.whole and not arm.composed) else f" by {kind_words(c.over, c.words)}"
    where = title_stratum(c.stratum, c.words)
    more = f"{part}{f', {where}' if where else ''}"
    return (*_metric(c), Span(more)) if more else _metric(c)


def pairs_sentence(*sets: Sequence[Comparison]) -> str:
    """The words of `pairs_line`."""
    return text(pairs_line(*sets))


def pairs_line(*sets: Sequence[Comparison]) -> Line:
    """What can be told apart, without a full stop; never an order of more than the evidence gives.

    Args:
        sets: Pairs of the same arms on one metric each, in one stratum; several where the same holds of each.

    Raises:
        ValueError: No pair, or pairs on several metrics or strata in one set.
    """
    for pairs in sets:
        if len({(c.experiment, c.family, c.metric, c.over, c.group, c.stratum) for c in pairs}) != 1:
            raise ValueError(f"a sentence on {len(pairs)} pairs of several metrics or strata")
    first = sets[0]
    if len(sets) == 1 and len(first) == 1 and not first[0].separated:
        return sentence(first[0], on=about_line(first[0]))
    *others, last = [pairs[0] for pairs in sets]
    return (Span("on "), *in_series([*map(_metric, others), about_line(last)]), Span(f", {_clauses(first)}"))


def together(sets: Sequence[Sequence[Comparison]]) -> list[Line]:
    """The sentences of several sets of one lead: those of which the same holds in one sentence.

    Args:
        sets: As of `pairs_sentence`, in the order in which they are read.
    """
    alike: dict[str, list[Sequence[Comparison]]] = {}
    for at, pairs in enumerate(sets):
        own = len(pairs) == 1 and not pairs[0].separated
        key = f"{at}" if own else f"{pairs[0].stratum} {pairs[0].over} {_clauses(pairs)}"
        alike.setdefault(key, []).append(pairs)
    return [pairs_line(*same) for same in alike.values()]


def _metric(c: Comparison) -> Line:
    less = (Span(" (less is better)"),) if c.polarity == "against" else ()
    return (named_metric(c), *less)


def arm_line(name: str, pairs: Sequence[Comparison]) -> Line:
    """How one arm stands beside each other one, without a full stop: told apart from whom, and from whom not.

    Of an arm that could not be compared with it nothing is said.

    Args:
        name: The arm.
        pairs: On one metric, in one stratum; those without it are passed over.

    Raises:
        ValueError: It could be compared with none.
    """
    own = [c for c in pairs if name in (c.a, c.b)]
    if all(c.difference is None for c in own):
        raise ValueError(f"{name} could be compared in none of {len(pairs)} pairs")
    apart = [c for c in own if c.separated]
    same = [c for c in own if c.told_apart is not None and not c.separated]
    untold = [c for c in own if c.told_apart is None and c.difference is not None]
    said = [*_ranked([c for c in apart if not c.unpaired], ""),
            *_ranked([c for c in apart if c.unpaired], "on different tasks ")]  # fmt: skip
    said += dict.fromkeys(str(remark) for c in apart for remark in c.remarks)
    said += [same_tasks(c, among=3) for c in same]
    if untold:
        said.append(f"{subject_of(untold)} cannot tell {name} from {_others(name, untold)}")
    return (Span("on "), *about_line(own[0]), Span(f", {'; '.join(said)}"))


def arm_brief(name: str, pairs: Sequence[Comparison]) -> str:
    """The same in a few words, for a list of arms: "change: above gamma"; of nobody told apart, that.

    Args:
        name: The arm.
        pairs: On one metric, in one stratum; those without it are passed over.
    """
    own = [c for c in pairs if name in (c.a, c.b) and c.told_apart is not None]
    alike: dict[tuple[str, str], list[Comparison]] = {}
    for c in own:
        ahead = (c.better or c.told_apart or ("",))[0] == name
        words = ("better than", "worse than") if c.polarity == "against" else ("above", "below")
        how = " on different tasks" if c.unpaired else "" if c.separated else " on the same tasks only"
        alike.setdefault((words[not ahead], how), []).append(c)
    said = [f"{word} {_others(name, found)}{how}" for (word, how), found in alike.items()]
    return f"{about_pair(pairs[0])}: {'; '.join(said) or 'told from no other'}"


def _others(name: str, own: Sequence[Comparison]) -> str:
    """Those beside whom one arm stands: by name, of more than a few how many."""
    names = sorted(c.b if c.a == name else c.a for c in own)
    return listed(names) if len(names) <= MOST_NAMED else f"{in_words(len(names))} others"


def pairs_found(pairs: Sequence[Comparison]) -> str:
    """What came of pairs, to follow the name of their metric: "two of six separated, one not compared".

    Args:
        pairs: On one metric, in one stratum; at least one.
    """
    unlike = [c for c in pairs if c.difference is None]
    if len(unlike) == len(pairs):
        why = {str(c.reason) for c in unlike}
        return f"could not be compared: {visible(why.pop())}" if len(why) == 1 else "could not be compared"
    apart = sum(c.separated for c in pairs)
    only = sum(c.told_apart is not None and not c.separated for c in pairs)
    if len(pairs) == 1:
        return "told apart on the same tasks only" if only else f"{'' if apart else 'not '}separated"
    said = f"{in_words(apart) if apart else 'none'} of {in_words(len(pairs))} separated"
    said += f", {in_words(only)} on the same tasks only" if only else ""
    return said + (f", {in_words(len(unlike))} not compared" if unlike else "")


def experiments_sentence(experiments: Sequence[Sequence[Comparison]], kind: str) -> str:
    """In how many experiments some arms are separated, without a full stop; over everything they show.

    Args:
        experiments: The pairs of each; at least one.
        kind: What the arms are, in the plural.
    """
    every = [c for pairs in experiments for c in pairs]
    apart = sum(any(c.separated for c in pairs) for pairs in experiments)
    only = sum(
        any(c.told_apart is not None for c in pairs) and not any(c.separated for c in pairs)
        for pairs in experiments
    )
    compared = [pairs for pairs in experiments if any(c.difference is not None for c in pairs)]
    of = f"{many_in_words(len(compared or experiments), 'experiment')}"
    if not compared:
        return f"no two {kind} could be compared in {of}"
    idle = len(experiments) - len(compared)
    rest = f"; in {in_words(idle)} more none could be compared" if idle else ""
    if not apart and only:
        own = f"no two {kind} are separated by their own intervals in {of}"
        return f"{own}; in {in_words(only)} some are told apart on the same tasks only{rest}"
    if not apart:
        return f"{subject_of(every)} cannot separate any two {kind} yet, in {of}{rest}"
    more = f"; in {in_words(only)} more on the same tasks only" if only else ""
    of_them = f"{in_words(apart)} of {of}" if len(compared) > 1 else of
    return f"some {kind} are separated in {of_them}{more}{rest}"


def _clauses(pairs: Sequence[Comparison]) -> str:
    arms = sorted({name for c in pairs for name in (c.a, c.b)})
    kind = kind_words(pairs[0].over, pairs[0].words)
    same = [c for c in pairs if c.told_apart is not None and not c.separated]
    told = [same_tasks(c, among=len(arms)) for c in same]
    apart = [c for c in pairs if c.separated]
    if len(arms) > MOST_NAMED:
        of = f"of {in_words(len(pairs))} pairs of {kind}s"
        only = f"; {in_words(len(same))} {of} on the same tasks only" if same else ""
        if not apart:
            return f"{subject_of(pairs)} cannot separate any two of {count(len(arms))} {kind}s yet{only}"
        return f"{in_words(len(apart))} {of} can be told apart{only}"
    if not apart:
        some = listed(arms) if len(arms) == 2 else f"any two of {listed(arms)}"
        own = " by their own intervals" if same else ""
        why = {because(c) for c in pairs}
        shared = f": {why.pop()}" if len(why) == 1 and not same else ""
        cannot = f"{subject_of(pairs)} cannot separate {some}{own} yet{shared}"
        return "; ".join((cannot, *told, *(() if shared else filter(None, map(nearly, pairs)))))
    said = [*_ranked([c for c in apart if not c.unpaired], ""),
            *_ranked([c for c in apart if c.unpaired], "on different tasks ")]  # fmt: skip
    left = [c for c in pairs if not c.separated and c not in same]
    if len(left) == 1:
        said.append(f"{subject_of(left)} cannot tell {left[0].a} from {left[0].b}")
    elif left:
        said.append(f"{subject_of(left)} cannot tell the other {in_words(len(left))} pairs apart")
    remarks = [str(remark) for c in apart for remark in c.remarks]
    return "; ".join((*said, *dict.fromkeys(remarks), *told, *filter(None, map(nearly, left))))


def _ranked(apart: Sequence[Comparison], how: str) -> list[str]:
    """Who is above whom, or better where less is; those that are below the same arms together."""
    below: dict[str, set[str]] = {}
    less_is_better = any(c.polarity == "against" for c in apart)
    for c in apart:
        above, under = (c.a, c.b) if (c.verdict == "a above b") is not less_is_better else (c.b, c.a)
        below.setdefault(under, set()).add(above)
    alike: dict[tuple[str, ...], list[str]] = {}
    for under, winners in sorted(below.items()):
        alike.setdefault(tuple(sorted(winners)), []).append(under)
    return [
        f"{how}{listed(above)} {_verb(len(above), less_is_better=less_is_better)} {listed(under)}"
        for above, under in alike.items()
    ]


def _verb(n: int, *, less_is_better: bool) -> str:
    if less_is_better:
        return "does better than" if n == 1 else "do better than"
    return "is above" if n == 1 else "are above"
