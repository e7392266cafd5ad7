"""The families that lie in this folder, by name, each loaded when it is first asked.

Apart from the package's ``__init__``, which runs before whatever lies below it: a list of all families is
no part of one family's contract. Where a family's records lie is said by its package, so that an experiment
loads the families of its own records and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import TypeVar

from metrics_core.measurement import Family
from metrics_core.registry import OnDemand, family_names

T = TypeVar("T")

FAMILIES: Mapping[str, Family] = OnDemand("metrics_core.families", "FAMILY", Family, family_names())


def folders() -> dict[str, str]:
    """Folder of an experiment -> the family whose records lie there.

    >>> folders()["logs_big"]
    'brownfield'
    """
    return {_package(name).FOLDER: name for name in FAMILIES}


def beside() -> tuple[str, ...]:
    """Families whose records stand beside those of others.

    >>> beside()
    ('judges',)
    """
    return tuple(name for name in FAMILIES if getattr(_package(name), "BESIDE", False))


def _package(name: str) -> ModuleType:
    return import_module(f"metrics_core.families.{name}")


class OfEach(Mapping[str, T]):
    """What each family says of one thing: a family is loaded when it is asked about.

    Args:
        said: What a family says.

    >>> OfEach(lambda family: family.title)["traces"]
    'Scored traces'
    """

    def __init__(self, said: Callable[[Family], T]) -> None:
        self._said = said

    def __getitem__(self, name: str) -> T:
        """What one family says."""
        return self._said(FAMILIES[name])

    def __iter__(self) -> Iterator[str]:
        return iter(FAMILIES)

    def __len__(self) -> int:
        return len(FAMILIES)
