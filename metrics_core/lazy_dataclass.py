"""Dataclasses whose methods are made when they are first called.

The standard library writes the source of each method of a dataclass, compiles and runs it when the class is
defined: six or seven a class, of which most processes call none or one. With hundreds of classes that is the
largest part of starting. `dataclass` has the same meaning here: the standard library reads the fields, and
makes each method, once it is asked for.

Does: defer ``__init__``, ``__repr__``, ``__eq__`` and ``__hash__``, and refuse to change what is frozen. Does
not: take arguments that nothing here uses, or defer anything of a class that has an order or inherits from
another dataclass.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **flags: bool) -> type | Callable[[type], type]:
        """Make a class a dataclass; what it defines itself is kept.

        Args:
            cls: The class; None where the decorator has arguments.
            flags: ``frozen``, ``slots``, ``kw_only``, ``order`` and ``eq``, as in the standard library.

        Raises:
            TypeError: No dataclass is made of such a class, or with such an argument.

        >>> @dataclass(frozen=True)
        ... class Point:
        ...     x: float
        ...     y: float = 0.0
        >>> Point(1.5), type(vars(Point)["__init__"]).__name__, type(vars(Point)["__eq__"]).__name__
        (Point(x=1.5, y=0.0), 'function', '_Deferred')
        """
        return (lambda given: _made(given, **flags)) if cls is None else _made(cls, **flags)


def _made(
    cls: Any,
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    order: bool = False,
    eq: bool = True,
) -> Any:
    if order or any(dataclasses.is_dataclass(base) for base in cls.__mro__[1:]):
        whole = dataclasses.dataclass(frozen=frozen, slots=slots, kw_only=kw_only, order=order, eq=eq)
        return whole(cls)
    own = dict(vars(cls))
    deferred = [_Deferred(name, frozen, slots) for name in _wanted(own, frozen=frozen, eq=eq)]
    for each in deferred:
        setattr(cls, each.name, each)
    if eq and not frozen and "__hash__" not in own:
        cls.__hash__ = None
    if frozen:
        refused = sorted({"__setattr__", "__delattr__"} & own.keys())
        if refused:
            raise TypeError(f"{cls.__name__} is frozen and defines {refused[0]}")
        cls.__setattr__ = _refuse_to_assign
        cls.__delattr__ = _refuse_to_delete
    if frozen and slots:  # what pickle and copy would set, they may not
        cls.__getstate__ = own.get("__getstate__", _values)
        cls.__setstate__ = own.get("__setstate__", _set_values)
    if not cls.__doc__:  # else the standard library asks for __init__, to describe it
        cls.__doc__ = cls.__name__
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
    about = made.__dataclass_params__
    about.init, about.repr, about.eq, about.frozen = True, True, eq, frozen
    for each in deferred:
        each.owner = made
    return made


def _wanted(own: dict[str, Any], *, frozen: bool, eq: bool) -> list[str]:
    """Names of the methods that a class is given: those that it does not define."""
    names = [name for name in ("__init__", "__repr__", *(("__eq__",) if eq else ())) if name not in own]
    by_value = eq and frozen and own.get("__hash__") is None  # Python puts None there for a class with __eq__
    return [*names, "__hash__"] if by_value else names


class _Deferred:
    """Stands for a method of a dataclass until it is asked for; then the method stands in its place."""

    __slots__ = ("frozen", "name", "owner", "slots")

    def __init__(self, name: str, frozen: bool, slots: bool) -> None:
        self.name, self.frozen, self.slots = name, frozen, slots
        self.owner: type = object

    def __get__(self, instance: object, _owner: type | None = None) -> Any:
        method = self._method()
        setattr(self.owner, self.name, method)
        return method.__get__(instance, _owner)

    def _method(self) -> Any:
        """The method as the standard library makes it, for a class that inherits all fields and adds none."""
        if self.name == "__init__":
            return _init(self.owner, frozen=self.frozen)
        about = {"__doc__": "-", "__qualname__": self.owner.__qualname__}
        heir = type(self.owner.__name__, (self.owner,), about)
        make = dataclasses.dataclass(
            init=False, repr=self.name == "__repr__", eq=self.name != "__repr__", frozen=self.frozen
        )
        return vars(make(heir))[self.name]


def _init(cls: type, *, frozen: bool) -> Any:
    """The ``__init__`` of a class, which nearly every process asks for: held against the standard library's.

    Made for an heir it would cost three methods, since one that is frozen is given two more.
    """
    names: dict[str, Any] = {"_missing": _Factory(), "_set": object.__setattr__}
    positional: list[str] = []
    by_name: list[str] = []
    body: list[str] = []
    for each in dataclasses.fields(cls):
        name, value, otherwise = each.name, each.name, ""
        if each.default_factory is not dataclasses.MISSING:
            names[f"_make_{name}"] = each.default_factory
            value, otherwise = f"_make_{name}()", "=_missing"
        elif each.default is not dataclasses.MISSING:
            names[f"_else_{name}"] = each.default
            value, otherwise = f"_else_{name}", f"=_else_{name}"
        if each.init:
            (by_name if each.kw_only else positional).append(name + otherwise)
            value = f"{value} if {name} is _missing else {name}" if otherwise == "=_missing" else name
        elif not otherwise:  # left for __post_init__
            continue
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join(["self", *positional, *(["*", *by_name] if by_name else [])])
    exec(f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), names)  # noqa: S102 (of fields)
    method = names["__init__"]
    method.__module__, method.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    method.__annotations__ = {f.name: f.type for f in dataclasses.fields(cls) if f.init} | {"return": None}
    return method


class _Factory:
    """Stands in a signature for a default that is made each time."""

    def __repr__(self) -> str:
        return "<factory>"


def _refuse_to_assign(self: object, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _values(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _set_values(self: Any, values: list[Any]) -> None:
    for each, value in zip(dataclasses.fields(self), values, strict=True):
        object.__setattr__(self, each.name, value)
