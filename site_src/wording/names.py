"""Names as a reader says them: metrics, outcomes, strata, groups, arms, lists.

Does: turn the keys of an estimate into words, with nothing hidden in them, and find from its group whether it
is about one arm. Does not: know a family; its words, and which group keys are arms, are declared in its
`Vocabulary`, and what has none is called by its own name.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from metrics_core.results import PLAIN, Comparison, Estimate, Keys, NoEvidence, Vocabulary
from metrics_core.text import plural, visible
from site_src.wording.numbers import count
from site_src.wording.spans import MetricSpan, Named, Span

IN_CAPTIONS: Final = frozenset({"contract", "pack", "prices"})
"""Stratum keys whose digest or date every caption gives in full."""

LONGEST_NAME: Final = 120
"""Characters of a name that is shown whole."""

_HEAD, _TAIL = 64, 20
_DIGITS = 24
"""Of the digest, so many that nobody makes two names that share them."""
_UNIT: Final = re.compile("‹U\\+[0-9A-F]{4,6}›|.", re.DOTALL)
_UNIT_REVERSED: Final = re.compile("›[0-9A-F]{4,6}\\+U‹|.", re.DOTALL)
_CUT: Final = re.compile(rf"….* \([0-9a-f]{{{_DIGITS}}}\)\Z", re.DOTALL)

_SMALL: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def shown_name(name: str) -> str:
    r"""A name as pages show it: nothing in it hidden, and no longer than a reader can tell from others.

    Args:
        name: Of anything: an arm, a task, an experiment; as it was recorded, and not as it is shown.

    Returns:
        The name, where it has at most `LONGEST_NAME` characters; else its head and tail with the start of the
        SHA-256 of all of it, so that two names never look the same. What ends as a cut name does is cut, too.
        No character is parted from its marks, and none that is spelled out is cut.

    >>> shown_name("alpha"), shown_name("a\u202eb")
    ('alpha', 'a‹U+202E›b')
    >>> shown_name("very " * 100)[60:]
    'very…very very very very  (f1eb89c430329b2172e31926)'
    """
    text = visible(name)
    if len(text) <= LONGEST_NAME and not _CUT.search(text):
        return text
    head, tail = _within(_units(text), _HEAD), _within(_units_from_the_end(text), _TAIL)[::-1]
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{''.join(head)}…{''.join(tail)} ({digest})"


def _units(text: str) -> Iterator[str]:
    """Characters with their marks, from the first; only as many are looked at as are asked for."""
    unit: list[str] = []
    for found in _UNIT.finditer(text):
        if unit and not _is_mark(found[0]):
            yield "".join(unit)
            unit = []
        unit.append(found[0])
    if unit:
        yield "".join(unit)


def _units_from_the_end(text: str) -> Iterator[str]:
    """The same units, from the last."""
    unit: list[str] = []
    for found in _UNIT_REVERSED.finditer(text[::-1]):
        unit.append(found[0][::-1])
        if not _is_mark(unit[-1]):
            yield "".join(reversed(unit))
            unit = []
    if unit:
        yield "".join(reversed(unit))


def _is_mark(piece: str) -> bool:
    return unicodedata.category(piece[0]).startswith("M")


def _within(units: Iterable[str], room: int) -> list[str]:
    """The first units that have room."""
    kept: list[str] = []
    for unit in units:
        room -= len(unit)
        if room < 0:
            break
        kept.append(unit)
    return kept


def metric_words(metric: str, words: Vocabulary | None = None) -> str:
    """A metric by its title, else by its own name, and never by another word for it.

    Args:
        metric: Its name.
        words: Those of its family.

    >>> from metrics_core.results.vocabulary import MetricWords
    >>> words = Vocabulary(metrics=(MetricWords(name="pass_hat_k", title="pass^k"),))
    >>> metric_words("attack_success"), metric_words("pass_hat_k", words)
    ('attack success', 'pass^k')
    """
    return (words or PLAIN).metric(metric).title or shown_name(metric).replace("_", " ")


def named_metric(of: Estimate | Comparison, metric: str = "") -> Span:
    """A metric by its title, as a stretch that a page may lead from to what it counts.

    Args:
        of: What is told of the metric.
        metric: Another one of the same contract.
    """
    name = metric or of.metric
    return MetricSpan(text=metric_words(name, of.words), names=Named(of.contract, name))


def outcome_words(metric: str, words: Vocabulary | None = None) -> tuple[str, str]:
    """What the numerator counts, and what it does not, in the metric's own words.

    Args:
        metric: Its name.
        words: Those of its family.

    >>> from metrics_core.results.vocabulary import MetricWords
    >>> words = Vocabulary(metrics=(MetricWords(name="security", outcomes=("held", "breached")),))
    >>> outcome_words("security", words), outcome_words("total_pass"), outcome_words("score")
    (('held', 'breached'), ('passed', 'failed'), ('counted', 'not counted'))
    """
    default = ("passed", "failed") if metric.endswith("_pass") else ("counted", "not counted")
    return (words or PLAIN).metric(metric).outcomes or default


def stratum_words(stratum: Iterable[tuple[str, str]], words: Vocabulary | None = None) -> str:
    """A stratum as a reader says it; keys without words of their own are named.

    Args:
        stratum: Pairs of key and value.
        words: Those of its family.

    >>> stratum_words((("colour", "red"), ("split", "eval")))
    'colour red, eval split'
    """
    return ", ".join(_level_words(key, value, words) for key, value in stratum if key not in IN_CAPTIONS)


def title_stratum(stratum: Iterable[tuple[str, str]], words: Vocabulary | None = None) -> str:
    """A stratum as titles say it: without the levels that are left to captions.

    >>> title_stratum((("colour", "red"), ("split", "eval")))
    'colour red'
    """
    levels = [(pair, (words or PLAIN).stratum(*pair)) for pair in stratum]
    return stratum_words([pair for pair, level in levels if level is None or level.in_titles], words)


def row_stratum(stratum: Iterable[tuple[str, str]], words: Vocabulary | None = None) -> str:
    """A stratum as rows of figures say it: without the levels that are not worth a word there.

    >>> row_stratum((("colour", "red"), ("split", "eval")))
    'colour red, eval split'
    """
    levels = [(pair, (words or PLAIN).stratum(*pair)) for pair in stratum]
    return stratum_words([pair for pair, level in levels if level is None or level.in_rows], words)


def no_evidence(stratum: Iterable[tuple[str, str]], words: Vocabulary | None = None) -> NoEvidence | None:
    """Why numbers of a stratum neither head a page nor support a claim; None where they may.

    >>> str(no_evidence((("split", "probe"),))), no_evidence((("split", "eval"),))
    ('probe items only, which never enter a headline', None)
    """
    return (words or PLAIN).no_evidence(stratum)


def _level_words(key: str, value: str, words: Vocabulary | None) -> str:
    level = (words or PLAIN).stratum(key, value)
    if level is None:
        return f"{shown_name(key).replace('_', ' ')} {shown_name(value)}"
    name = shown_name(value.removeprefix(level.value)) if level.prefix else ""
    return f"{level.title} ({name})" if name else level.title


def group_words(group: Keys, words: Vocabulary | None = None, *, without: Iterable[str] = ()) -> str:
    """Whom or what a number is about: values whose key is plain by themselves, else key and value.

    Args:
        group: Pairs of key and value.
        words: Those of its family.
        without: Keys that are named elsewhere.

    >>> group_words((("model", "alpha"), ("scenario", "fix"))), group_words((("chat", "a"), ("coder", "b")))
    ('alpha, fix', 'chat a, coder b')
    >>> group_words(())
    'all'
    """
    left_out = set(without)
    kept = sorted((p for p in group if p[0] not in left_out), key=lambda p: (p[0] != "model", p[0]))
    text = ", ".join(_group_word(key, shown_name(value), words) for key, value in kept)
    return text or ("" if group else "all")


def key_words(key: str, words: Vocabulary | None = None) -> str:
    """A group key as a reader says it.

    Args:
        key: The key.
        words: Those of its family.

    >>> from metrics_core.results.vocabulary import GroupKey
    >>> key_words("route_expected"), key_words("to", Vocabulary(keys=(GroupKey(key="to", title="fault"),)))
    ('route expected', 'fault')
    """
    return (words or PLAIN).key(key).title or shown_name(key).replace("_", " ")


def _group_word(key: str, value: str, words: Vocabulary | None) -> str:
    if key == "stamp":
        return value[:10]
    if key == "k":
        return f"k = {value}"
    return value if (words or PLAIN).key(key).bare else f"{shown_name(key).replace('_', ' ')} {value}"


# ------------------------------------------------------------------------------------------------------ arms


def arm_of(group: Keys, words: Vocabulary | None = None) -> tuple[str, str] | None:
    """Key and name of the arm, where a group is one arm and nothing more.

    Args:
        group: Of an estimate.
        words: Those of its family.

    >>> arm_of((("model", "alpha"),)), arm_of((("model", "alpha"), ("stamp", "2026-07-01"))), arm_of(())
    (('model', 'alpha'), None, None)
    """
    return group[0] if len(group) == 1 and is_arm(group[0][0], words) else None


def is_arm(key: str, words: Vocabulary | None = None) -> bool:
    """Whether the value of a group key is what is under test.

    >>> is_arm("model"), is_arm("scenario")
    (True, False)
    """
    return (words or PLAIN).arm(key) is not None


def is_whole(key: str, words: Vocabulary | None = None) -> bool:
    """Whether arms of this key do all of the work.

    >>> is_whole("model"), is_whole("scenario")
    (True, False)
    """
    arm = (words or PLAIN).arm(key)
    return arm is not None and arm.whole


def kind_words(key: str, words: Vocabulary | None = None) -> str:
    """What an arm of this key is called.

    >>> from metrics_core.results.vocabulary import Arm
    >>> kind_words("model", Vocabulary(arms=(Arm(key="model", title="agent"),))), kind_words("config")
    ('agent', 'config')
    """
    arm = (words or PLAIN).arm(key)
    return key if arm is None else arm.title


def as_words(key: str, words: Vocabulary | None = None) -> str:
    """The part that an arm plays, to follow its name; nothing where it does all of the work.

    >>> from metrics_core.results.vocabulary import Arm
    >>> as_words("coder", Vocabulary(arms=(Arm(key="coder", title="coder model"),))), as_words("model")
    (' as coder model', '')
    """
    return "" if is_whole(key, words) else f" as {kind_words(key, words)}"


def in_order(keys: Iterable[str], words: Vocabulary | None = None) -> list[str]:
    """The keys that are arms', whole arms first.

    >>> in_order(["scenario", "model"])
    ['model']
    """
    arms = {arm for key in keys if (arm := (words or PLAIN).arm(key)) is not None}
    return [arm.key for arm in sorted(arms, key=lambda arm: arm.place)]


# --------------------------------------------------------------------------------------------------- English


def listed(words: Sequence[str]) -> str:
    """A list as English writes it.

    >>> listed(["alpha"]), listed(["alpha", "beta"]), listed(["alpha", "beta", "gamma"])
    ('alpha', 'alpha and beta', 'alpha, beta and gamma')
    """
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)


def in_words(value: int) -> str:
    """A small count as a word, others as digits.

    >>> in_words(3), in_words(0), in_words(12)
    ('three', 'no', '12')
    """
    return _SMALL[value] if 0 <= value < len(_SMALL) else count(value)


def many_in_words(n: int, noun: str) -> str:
    """A small count as a word with its noun, others in digits.

    >>> many_in_words(1, "model"), many_in_words(3, "family"), many_in_words(12, "run")
    ('one model', 'three families', '12 runs')
    """
    return f"{in_words(n)} {plural(noun, n)}"


def within_sentence(title: str) -> str:
    """A title within a sentence: a word in small letters, an abbreviation as it is.

    >>> within_sentence("Utility"), within_sentence("F1")
    ('utility', 'F1')
    """
    return title[:1].lower() + title[1:] if title[1:2].islower() else title


def sentence_case(text: str) -> str:
    """The text with a capital first letter, the rest untouched.

    >>> sentence_case("security under attack")
    'Security under attack'
    """
    return text[:1].upper() + text[1:]
