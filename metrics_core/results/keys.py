"""What an estimate is of: names and values, such as the model of a group and the condition of a stratum.

Does: hold them in one order, as fast to hash and compare as a tuple, and give each by its name. Does not:
know which names there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Self, SupportsIndex, TypeVar, overload

T = TypeVar("T")


STAGE: Final = "stage"
"""The metric, and the group key, of a funnel's counts: each stage is a subject of its own."""

MOVING: Final = ("prompt", "tools", "lies_in")
"""Strata that exist only where the thing moves inside one arm."""


class Keys(tuple[tuple[str, str], ...]):
    """Names and values, sorted by name, each name once: a tuple of pairs that is also read by name.

    Args:
        items: A mapping, or pairs; of two values of one name the later counts.

    >>> keys = Keys({"model": "alpha", "kind": "fix"})
    >>> keys
    (('kind', 'fix'), ('model', 'alpha'))
    >>> keys["model"], keys.get("scenario", "all"), keys.names
    ('alpha', 'all', ('kind', 'model'))
    """

    __slots__ = ()

    def __new__(cls, items: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> Self:
        """Sort them, whatever order they come in."""
        named = items if type(items) is dict else dict(items)
        return tuple.__new__(cls, sorted(named.items()))

    @overload
    def __getitem__(self, at: str) -> str: ...
    @overload
    def __getitem__(self, at: SupportsIndex) -> tuple[str, str]: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[tuple[str, str], ...]: ...
    def __getitem__(self, at: Any) -> Any:
        """The value of a name, or the pair at a place.

        Raises:
            KeyError: There is no such name.
        """
        if not isinstance(at, str):
            return super().__getitem__(at)
        for name, value in self:
            if name == at:
                return value
        raise KeyError(at)

    @overload
    def get(self, name: str) -> str | None: ...
    @overload
    def get(self, name: str, default: T) -> str | T: ...
    def get(self, name: str, default: Any = None) -> Any:
        """The value of a name, or the default where there is no such name."""
        for own, value in self:
            if own == name:
                return value
        return default

    @property
    def names(self) -> tuple[str, ...]:
        """The names, sorted."""
        return tuple(name for name, _ in self)

    def without(self, *names: str) -> Keys:
        """All but some names.

        >>> Keys({"model": "alpha", "kind": "fix"}).without("kind", "stamp")
        (('model', 'alpha'),)
        """
        return tuple.__new__(Keys, [pair for pair in self if pair[0] not in names])  # they are sorted already

    def only(self, *names: str) -> Keys:
        """Those with some names, of which any may be missing.

        >>> Keys({"model": "alpha", "kind": "fix"}).only("model", "stamp")
        (('model', 'alpha'),)
        """
        return tuple.__new__(Keys, [pair for pair in self if pair[0] in names])

    def differing(self, other: Keys) -> tuple[str, ...]:
        """Names, sorted, that only one side has, or whose values differ.

        >>> Keys({"model": "alpha", "kind": "fix"}).differing(Keys({"model": "beta", "kind": "fix"}))
        ('model',)
        """
        return tuple(sorted({name for name, _ in {*self} ^ {*other}}))

    def __or__(self, other: Mapping[str, str] | Iterable[tuple[str, str]]) -> Keys:
        """These and others, whose values count where a name stands in both.

        >>> Keys({"model": "alpha", "kind": "fix"}) | {"model": "beta"}
        (('kind', 'fix'), ('model', 'beta'))
        """
        both = dict(self)
        both.update(other)
        return Keys(both)

    def to_json(self) -> dict[str, str]:
        """As it stands in a report."""
        return dict(self)


NO_KEYS: Final = Keys()
"""The keys of the whole: all runs, under nothing in particular."""
