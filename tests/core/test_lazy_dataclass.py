"""Dataclasses whose methods are made later are those of the standard library, in all that can be seen."""

from __future__ import annotations

import ast
import copy
import dataclasses
import inspect
import operator
import pickle
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, field
from pathlib import Path
from typing import Any, ClassVar

import pytest

from metrics_core import lazy_dataclass, results
from tests.support.parsed import parsed

FLAGS = (
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "kw_only": True},
    {"frozen": True, "eq": False},
    {"frozen": True, "slots": True, "order": True},
)
Decorator = Callable[[type], type]


def plain(decorator: Decorator) -> type:
    @decorator
    class Plain:
        """Fields with and without defaults."""

        a: int
        b: str = "b"
        c: list[int] = field(default_factory=list)
        d: float = field(default=1.5, repr=False, compare=False)
        e: int = field(init=False, default=7)
        kinds: ClassVar[int] = 3

        @property
        def twice(self) -> int:
            return 2 * self.a

    return Plain


def by_name(decorator: Decorator) -> type:
    @decorator
    class ByName:
        """One by place, others by name alone."""

        a: int
        _: dataclasses.KW_ONLY
        b: int
        c: tuple[int, ...] = ()

    return ByName


def undocumented(decorator: Decorator) -> type:
    @decorator
    class Own:  # methods of its own stay
        a: int

        def __post_init__(self) -> None:
            object.__setattr__(self, "a", self.a + 1)

        def __repr__(self) -> str:
            return "own"

        def __hash__(self) -> int:
            return 5

    return Own


def equal_by_itself(decorator: Decorator) -> type:
    @decorator
    class Equal:  # noqa: PLW1641 (whether it is hashed is what is asked)
        """Says itself what is equal; Python takes its hash away."""

        a: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, type(self)) and self.a % 2 == other.a % 2

    return Equal


def empty(decorator: Decorator) -> type:
    @decorator
    class Empty:
        """Nothing."""

    return Empty


CLASSES = (plain, by_name, undocumented, equal_by_itself, empty)
GIVEN: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    ((), {}),
    ((1,), {}),
    ((), {"a": 2}),
    ((1,), {"b": 2}),
    ((1, 2), {}),
    ((1,), {"b": 2, "c": (3,)}),
    ((1, "x", [2], 9.0), {}),
    ((), {"a": 1, "b": 2, "c": (), "none": 0}),
)


def came_to(what: Callable[..., object], *args: object, **named: object) -> object:
    """What a call gave, or the error that it raised."""
    try:
        return what(*args, **named)
    except (TypeError, AttributeError) as error:
        return type(error), str(error)


def values(made: Any) -> dict[str, object]:
    return {each.name: getattr(made, each.name) for each in dataclasses.fields(made)}


def of_class(cls: type) -> Iterator[object]:
    """Whatever can be seen of a class."""
    about: Any = cls
    yield str(inspect.signature(cls))
    yield cls.__init__.__annotations__
    for f in dataclasses.fields(about):
        yield f.name, f.type, f.default, f.init, f.repr, f.compare, f.kw_only
    yield about.__match_args__, getattr(cls, "__slots__", None), cls.__hash__ is None
    yield [getattr(about.__dataclass_params__, name) for name in ("init", "repr", "eq", "frozen")]
    for args, named in GIVEN:
        made = came_to(cls, *args, **named)
        yield from of_instance(made, cls(*args, **named)) if isinstance(made, cls) else [made]


def of_instance(made: object, again: object) -> Iterator[object]:
    """Whatever can be seen of an instance, beside another of the same values."""
    cls = type(made)
    yield repr(made), values(made), values(copy.copy(made))
    yield made == again, made != again, made == copy.copy(made), made == object()
    yield came_to(hash, made) if cls.__hash__ is not object.__hash__ else None
    yield came_to(operator.lt, made, again)
    if "a" in values(made):
        yield values(dataclasses.replace(made, a=9))  # type: ignore[type-var]
        yield came_to(setattr, made, "a", 4), values(made)
        yield came_to(delattr, made, "a"), hasattr(made, "a")


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("make", CLASSES, ids=lambda make: make.__name__)
def test_a_class_is_what_the_standard_library_makes_of_it(
    make: Callable[[Decorator], type], flags: dict[str, bool]
) -> None:
    ours = list(of_class(make(lazy_dataclass.dataclass(**flags))))  # type: ignore[arg-type]
    theirs = list(of_class(make(dataclasses.dataclass(**flags))))  # type: ignore[call-overload]
    assert ours == theirs


def test_every_class_of_results_takes_what_the_standard_library_would_take() -> None:
    kinds = [getattr(results, name) for name in results.__all__]
    kinds = [kind for kind in kinds if isinstance(kind, type) and dataclasses.is_dataclass(kind)]
    assert len(kinds) > 20
    for kind in kinds:
        heir = type(kind.__name__, (kind,), {"__doc__": "-"})
        whole = dataclasses.dataclass(frozen=kind.__dataclass_params__.frozen)(heir)
        assert inspect.signature(kind.__init__) == inspect.signature(whole.__init__), kind


def test_no_method_is_made_before_it_is_called() -> None:
    cls = plain(lazy_dataclass.dataclass(frozen=True, slots=True))
    deferred = {name for name, value in vars(cls).items() if type(value).__name__ == "_Deferred"}
    assert deferred == {"__init__", "__repr__", "__eq__", "__hash__"}
    assert cls(1) == cls(1)
    deferred = {name for name, value in vars(cls).items() if type(value).__name__ == "_Deferred"}
    assert deferred == {"__repr__", "__hash__"}


def test_frozen_slots_are_pickled_and_copied() -> None:
    ref = results.ContractRef("assay/traces", "1", "sha256:00")
    assert pickle.loads(pickle.dumps(ref)) == copy.deepcopy(ref) == ref
    for name in ("id", "none"):
        with pytest.raises(FrozenInstanceError, match=name):
            setattr(ref, name, "other")


def test_a_class_that_cannot_be_frozen_is_refused() -> None:
    class Writes:
        def __setattr__(self, name: str, value: object) -> None:
            pass

    with pytest.raises(TypeError, match="__setattr__"):
        lazy_dataclass.dataclass(frozen=True)(Writes)


def test_every_dataclass_of_the_program_is_made_this_way(repo: Path) -> None:
    """But for the second reading, which holds nothing of ours."""
    for path in sorted([*repo.glob("metrics_core/**/*.py"), *repo.glob("site_src/**/*.py")]):
        if "second_reading" in path.parts or path.name == "lazy_dataclass.py":
            continue
        for node in ast.walk(parsed(path.read_text("utf-8"))):
            names = {alias.name for alias in node.names} if isinstance(node, ast.ImportFrom) else set()
            assert not ("dataclass" in names and node.module == "dataclasses"), path  # type: ignore[attr-defined]
