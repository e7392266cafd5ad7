"""A reference as a writer types it: ``[experiment/]family.metric key=value key="two words"``.

Does: take it apart and say what is wrong with its form. Does not: know what exists; that is
`site_src.references.index`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from metrics_core.errors import ClaimError
from metrics_core.results import Estimate, Keys
from metrics_core.text import visible

FORM: Final = "write [experiment/]family.metric key=value, such as attempts.security model=alpha"

EXPERIMENT: Final = "experiment"
"""The key that narrows to one experiment; it is neither a group key nor a stratum key."""

_TOKEN: Final = re.compile(r'\s*((?:"(?:[^"\\]|\\.)*"|[^\s"])+)(?=\s|\Z)')
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_PLAIN: Final = re.compile(r'[^\s"=`]+')
_BARE: Final = re.compile(r'[^\s"=`?/]+')
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|(.))")
_NAMED: Final = {"n": "\n", "t": "\t"}


class Query(Struct, frozen=True):
    """A reference, taken apart.

    Attributes:
        words: As written.
        keys: Every key that was fixed; ``experiment`` among them where one was named.
        where: ``file:line:col`` of the reference; every error begins with it.
    """

    words: str
    family: str
    metric: str
    keys: Keys
    where: str

    def __post_init__(self) -> None:
        if not (self.family and self.metric):
            raise ValueError(f"a reference without family or metric: {self.words!r}")

    @property
    def experiment(self) -> str:
        """The experiment that was named; empty where any will do."""
        return self.keys.get(EXPERIMENT, "")

    @property
    def fixed(self) -> dict[str, str]:
        """Group and stratum keys that were named, without the experiment."""
        return dict(self.keys.without(EXPERIMENT))


def parse_query(words: str, where: str) -> Query:
    """Take a reference apart.

    Args:
        words: As written.
        where: ``file:line:col`` at which it begins.

    Raises:
        ClaimError: It is not of this form, or a key is fixed twice.

    >>> parse_query('gh-2026/attempts.security model=alpha scenario="a b"', "notes.md:3:7").keys
    (('experiment', 'gh-2026'), ('model', 'alpha'), ('scenario', 'a b'))
    """
    tokens = _tokens(words, where)
    if not tokens:
        raise ClaimError("a reference that names nothing", where=where, hint=FORM)
    head, *rest = tokens
    if "?" in head:
        raise ClaimError(
            f"{visible(head)!r} is an estimate's id, not a reference",
            where=where,
            hint="write its keys after a space, key=value, without percent signs",
        )
    experiment, slash, name = head.rpartition("/")
    family, dot, metric = name.partition(".")
    if not (family and dot and metric) or (slash and not experiment) or re.search(r'["=]', head):
        raise ClaimError(f"{visible(head)!r} names no metric", where=where, hint=FORM)
    return Query(
        words, family, metric, _fixed(rest, {EXPERIMENT: experiment} if experiment else {}, where), where
    )


def keys(words: str, where: str) -> Keys:
    """Keys alone, as they are written in a reference.

    Args:
        words: ``key=value key="two words"``.
        where: ``file:line:col`` at which they begin.

    Raises:
        ClaimError: They are not of this form, or a key is fixed twice.

    >>> keys("evaluator=measured condition=benign", "notes.md:3:7")
    (('condition', 'benign'), ('evaluator', 'measured'))
    """
    return _fixed(_tokens(words, where), {}, where)


def words_of(words: str, where: str) -> tuple[str, ...]:
    """Words one by one, each in quotes where it holds a space, which are taken off.

    Raises:
        ClaimError: A quote that is not closed.

    >>> words_of('alpha "beta 2"', "notes.md:3:7")
    ('alpha', 'beta 2')
    """
    return tuple(_unquoted(token) for token in _tokens(words, where))


def _fixed(tokens: Sequence[str], given: Mapping[str, str], where: str) -> Keys:
    fixed = dict(given)
    for token in tokens:
        key, value = _pair(token, where)
        if key in fixed:
            raise ClaimError(
                f"{visible(key)} is fixed twice, as {visible(fixed[key])!r} and {visible(value)!r}",
                where=where,
                hint="leave one of the two out",
            )
        fixed[key] = value
    return Keys(fixed)


def reference(e: Estimate) -> str:
    """The words that ask for exactly this estimate, on any site that holds it.

    An experiment whose name cannot stand before a slash is named as a key.
    """
    return spelled(e.experiment, e.family, e.metric, (*e.group, *e.stratum))


def spelled(experiment: str, family: str, metric: str, keys: Iterable[tuple[str, str]]) -> str:
    """The words of a reference.

    >>> print(spelled("gh-2026", "attempts", "utility", (("model", "alpha"),)))
    gh-2026/attempts.utility model=alpha
    """
    plain = _BARE.fullmatch(experiment) is not None and visible(experiment) == experiment
    pairs = [*(() if plain else ((EXPERIMENT, experiment),)), *keys]
    head = f"{experiment}/" if plain else ""
    return " ".join((f"{head}{family}.{metric}", *(f"{key}={quoted(value)}" for key, value in pairs)))


def quoted(value: str) -> str:
    r"""A value as it is written in a reference: in quotes only where it must be.

    Within quotes a line feed is ``\n``, and what a reader cannot see, or a back-quote, its code point: so the
    words stand in one line, within any fence, and can be copied from a page.

    >>> print(quoted("alpha"), quoted("two words"), quoted('say "a"'), quoted("a\nb\u202e`"))
    alpha "two words" "say \"a\"" "a\nb\u202e\u0060"
    """
    if _PLAIN.fullmatch(value) and visible(value) == value:
        return value
    return '"' + "".join(map(_escaped, value)) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character in _NAMED.values():
        return "\\n" if character == "\n" else "\\t"
    if character == "`" or visible(character) != character:
        code = ord(character)
        return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
    return character


def _meant(escape: re.Match[str]) -> str:
    """The character that an escape stands for; one without a meaning is what follows the stroke."""
    if escape[3]:
        return _NAMED.get(escape[3], escape[3])
    code = int(escape[1] or escape[2], 16)
    return chr(code) if code <= sys.maxunicode else escape[0]


def _tokens(words: str, where: str) -> list[str]:
    found, at, end = [], 0, len(words.rstrip())
    while at < end:
        token = _TOKEN.match(words, at)
        if token is None:
            raise ClaimError(
                f"a quote that is not closed: {visible(words[at:].strip())}",
                where=where,
                hint='close it with ", and write \\" for a quote within',
            )
        found.append(token[1])
        at = token.end()
    return found


def _pair(token: str, where: str) -> tuple[str, str]:
    key, equals, value = token.partition("=")
    inside = _QUOTED.fullmatch(value)
    value = _unquoted(value)
    if not inside and '"' in value:
        raise ClaimError(
            f"a quote in the middle of {visible(token)}", where=where, hint='write key="two words"'
        )
    if not (equals and key and (value or inside)) or '"' in key:
        raise ClaimError(
            f"{visible(token)!r} fixes nothing",
            where=where,
            hint='write key=value, and key="two words" where there is a space',
        )
    return key, value


def _unquoted(token: str) -> str:
    inside = _QUOTED.fullmatch(token)
    return _ESCAPE.sub(_meant, inside[1]) if inside else token
