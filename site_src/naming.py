"""Names as a reader says them: metrics, outcomes, strata, groups, lists.

Does: turn the keys of an estimate into words, with nothing hidden in them. Does not: know a family; a
metric it has no word for is called by its own name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from metrics_core.estimate import Pairs
from metrics_core.text import visible
from site_src.rounding import count

_METRICS: Final[Mapping[str, str]] = {
    "pass_hat_k": "pass^k",
    "pass_at_k": "pass@k",
    "check_pass": "check pass",
    "conv_pass": "conversation pass",
}
_OUTCOMES: Final[Mapping[str, tuple[str, str]]] = {
    "utility": ("achieved", "not achieved"),
    "security": ("held", "breached"),
    "attack_success": ("breached", "held"),
    "autonomy": ("acted alone", "did not"),
    "done": ("done", "not done"),
    "divergence": ("done, but broken", "not"),
    "check_pass": ("passed", "failed"),
    "router_accuracy": ("routed right", "routed wrong"),
}
_STRATA: Final[Mapping[tuple[str, str], str]] = {
    ("condition", "benign"): "benign",
    ("condition", "capability"): "as a capability",
    ("condition", "unspecified"): "condition not stated",
    ("evaluator", "measured"): "measured",
    ("evaluator", "assertion"): "asserted, not measured",
    ("graded", "assertions"): "graded on assertions",
    ("graded", "claims"): "graded on claims",
    ("check", "executed"): "executed checks",
    ("check", "syntax"): "syntax checks only",
    ("check", "none"): "unchecked",
    ("measured", "standalone"): "standalone",
    ("measured", "end to end"): "end to end",
    ("coder", "own"): "own coder",
    ("coder", "reference"): "reference coder",
    ("split", "eval"): "eval split",
    ("split", "probe"): "probe split",
}


def metric_words(metric: str) -> str:
    """A metric by its own name, and never by another word for it.

    >>> metric_words("attack_success"), metric_words("change"), metric_words("pass_hat_k")
    ('attack success', 'change', 'pass^k')
    """
    return _METRICS.get(metric, visible(metric).replace("_", " "))


def outcome_words(metric: str) -> tuple[str, str]:
    """What the numerator counts, and what it does not, in the metric's own words.

    >>> outcome_words("security"), outcome_words("total_pass"), outcome_words("score")
    (('held', 'breached'), ('passed', 'failed'), ('counted', 'not counted'))
    """
    default = ("passed", "failed") if metric.endswith("_pass") else ("counted", "not counted")
    return _OUTCOMES.get(metric, default)


def stratum_words(stratum: Iterable[tuple[str, str]]) -> str:
    """A stratum as a reader says it; keys this site has no words for are named.

    >>> stratum_words((("condition", "attack:issue"), ("evaluator", "measured")))
    'under attack (issue), measured'
    >>> stratum_words((("colour", "red"),))
    'colour red'
    """
    return ", ".join(_stratum_word(key, value) for key, value in stratum if key not in _TOLD_ELSEWHERE)


_TOLD_ELSEWHERE: Final = frozenset({"contract", "pack", "prices"})
"""Keys whose digest or date every caption tells in full."""


def _stratum_word(key: str, value: str) -> str:
    if (key, value) in _STRATA:
        return _STRATA[key, value]
    if key == "condition" and value.startswith("attack:"):
        name = visible(value.removeprefix("attack:"))
        return f"under attack ({name})" if name else "under attack"
    return f"{visible(key).replace('_', ' ')} {visible(value)}"


_BARE: Final = frozenset({"model", "stage", "config", "scenario", "kind", "suite", "pipeline"})


def group_words(group: Pairs, *, without: Iterable[str] = ()) -> str:
    """Whom or what a number is about: values whose key is plain by themselves, else key and value.

    >>> group_words((("kind", "fix"), ("model", "alpha"))), group_words((("chat", "a"), ("coder", "b")))
    ('alpha, fix', 'chat a, coder b')
    >>> group_words(())
    'all'
    """
    left_out = set(without)
    kept = sorted((p for p in group if p[0] not in left_out), key=lambda p: (p[0] != "model", p[0]))
    return ", ".join(_group_word(key, visible(value)) for key, value in kept) or ("" if group else "all")


def key_words(key: str) -> str:
    """A group key as a reader says it.

    >>> key_words("route_expected"), key_words("to"), key_words("l2")
    ('route expected', 'layer at fault', 'layer two')
    """
    return _KEYS.get(key, visible(key).replace("_", " "))


_KEYS: Final[Mapping[str, str]] = {
    "to": "layer at fault",
    "turn_index": "turn",
    "l1": "layer one",
    "l2": "layer two",
    "l3": "layer three",
}


def _group_word(key: str, value: str) -> str:
    if key == "stamp":
        return value[:10]
    if key == "k":
        return f"k = {value}"
    return value if key in _BARE else f"{visible(key).replace('_', ' ')} {value}"


def listed(words: Sequence[str]) -> str:
    """A list as English writes it.

    >>> listed(["alpha"]), listed(["alpha", "beta"]), listed(["alpha", "beta", "gamma"])
    ('alpha', 'alpha and beta', 'alpha, beta and gamma')
    """
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)


_SMALL: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def in_words(value: int) -> str:
    """A small count as a word, others as digits.

    >>> in_words(3), in_words(0), in_words(12)
    ('three', 'no', '12')
    """
    return _SMALL[value] if 0 <= value < len(_SMALL) else count(value)


def sentence_case(text: str) -> str:
    """The text with a capital first letter, the rest untouched.

    >>> sentence_case("security under attack")
    'Security under attack'
    """
    return text[:1].upper() + text[1:]
