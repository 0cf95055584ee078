"""Dataclasses that take a tenth of the time to define."""

# The decorator of the standard library writes Python for six methods of every class and
# compiles it, which took a quarter of the time in which the command line starts. Here
# only the constructor is written, when the first object is made; the other methods are
# shared. What comes of it is a dataclass to everyone: `fields`, `replace`, patterns and
# type checkers know it. Classes that are not loaded at every start need none of this.

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, cast

__all__ = ["dataclass"]

Fields = tuple[dataclasses.Field[Any], ...]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **how: bool) -> Any:
        """
        Make a dataclass of a class; with options as in the standard library.

        Examples
        --------
        >>> @dataclass(frozen=True, slots=True)
        ... class Point:
        ...     x: int
        ...     y: int = 0
        >>> Point(1), Point(1) == Point(1, y=0), hash(Point(2)) == hash(Point(2))
        (Point(x=1, y=0), True, True)
        >>> dataclasses.replace(Point(1), y=3)
        Point(x=1, y=3)
        """
        if cls is None:
            return lambda named: _made(named, **how)
        return _made(cls, **how)


def _made(
    cls: type,
    *,
    init: bool = True,
    repr: bool = True,  # noqa: A002
    eq: bool = True,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
) -> type:
    own = set(vars(cls))
    if "__eq__" in own and vars(cls)["__hash__"] is None:
        own.discard("__hash__")  # Nobody wrote it: Python does so beside `__eq__`.
    bare = dataclasses.dataclass(
        init=False, repr=False, eq=False, slots=slots, kw_only=kw_only
    )
    cls.__doc__ = cls.__doc__ or cls.__name__  # else its signature, which takes long
    made: type[Any] = bare(cls)
    fields = dataclasses.fields(made)
    methods: dict[str, Any] = {}
    if init:
        methods["__init__"] = _first_init(made, fields, is_frozen=frozen)
        methods["__signature__"] = _Signature()
    if repr:
        methods["__repr__"] = _repr(fields)
    if eq:
        methods |= _comparison(fields, is_frozen=frozen)
    if frozen:
        methods |= _FROZEN
        methods |= _STATE if slots else {}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made


class _Signature:
    """What the constructor takes, for those who ask; it may not be written yet."""

    def __get__(self, _: object, owner: type) -> inspect.Signature:
        signature = inspect.signature(_written_init(owner))
        _, *parameters = signature.parameters.values()
        return signature.replace(parameters=parameters)


def _first_init(cls: type, fields: Fields, *, is_frozen: bool) -> Callable[..., None]:
    """Return a constructor that puts the one it writes in its place."""

    def __init__(self: object, *arguments: Any, **named: Any) -> None:  # noqa: N807
        _written_init(cls)(self, *arguments, **named)

    def written() -> Callable[..., None]:
        init = _init(cls, fields, is_frozen=is_frozen)
        setattr(cls, "__init__", init)  # noqa: B010
        return init

    setattr(__init__, "written", written)  # noqa: B010
    return __init__


def _written_init(cls: type) -> Callable[..., None]:
    init: Any = getattr(cls, "__init__")  # noqa: B009
    write: Callable[[], Callable[..., None]] | None = getattr(init, "written", None)
    return write() if write else cast("Callable[..., None]", init)


def _init(cls: type, fields: Fields, *, is_frozen: bool) -> Callable[..., None]:
    names: dict[str, Any] = {"_put": object.__setattr__, "_missing": _MISSING}
    lines = list(_lines(fields, names, is_frozen=is_frozen))
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    heads = [_head(f, names) for f in fields if f.init and not f.kw_only]
    named = [_head(f, names) for f in fields if f.init and f.kw_only]
    heads += ["*", *named] if named else []
    body = "\n    ".join(lines or ["pass"])
    exec(f"def __init__({', '.join(['self', *heads])}):\n    {body}", names)
    init: Callable[..., None] = names["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__module__ = cls.__module__
    init.__annotations__ = {f.name: f.type for f in fields if f.init} | {"return": None}
    return init


class _Missing:
    """Stands for a value that is made for every object, in signatures, too."""

    def __repr__(self) -> str:
        return "<factory>"


_MISSING = _Missing()


def _head(field: dataclasses.Field[Any], names: dict[str, Any]) -> str:
    """Return a parameter, with its default value."""
    if field.default is not dataclasses.MISSING:
        names[f"_default_{field.name}"] = field.default
        return f"{field.name}=_default_{field.name}"
    if field.default_factory is not dataclasses.MISSING:
        names[f"_made_{field.name}"] = field.default_factory
        return f"{field.name}=_missing"
    return field.name


def _lines(fields: Fields, names: dict[str, Any], *, is_frozen: bool) -> Iterator[str]:
    """Yield what sets the fields."""
    for field in fields:
        name = field.name
        value = name
        if field.default_factory is not dataclasses.MISSING:
            value = f"_made_{name}()"
            names[f"_made_{name}"] = field.default_factory
            if field.init:
                value += f" if {name} is _missing else {name}"
        elif not field.init:
            if field.default is dataclasses.MISSING:
                continue
            value = f"_default_{name}"  # With slots it is no attribute of the class.
            names[value] = field.default
        yield (
            f"_put(self, {name!r}, {value})" if is_frozen else f"self.{name} = {value}"
        )


def _repr(fields: Fields) -> Callable[[object], str]:
    names = [field.name for field in fields if field.repr]

    @recursive_repr()
    def __repr__(self: object) -> str:  # noqa: N807
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({values})"

    return __repr__


def _comparison(fields: Fields, *, is_frozen: bool) -> dict[str, Any]:
    """Return what compares and hashes, by all fields unless they say otherwise."""
    compared = [field.name for field in fields if field.compare]
    hashed = [f.name for f in fields if (f.compare if f.hash is None else f.hash)]
    values, in_hash = _values(compared), _values(hashed)

    def __eq__(self: object, other: object) -> Any:  # noqa: N807
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    def __hash__(self: object) -> int:  # noqa: N807
        return hash(in_hash(self))

    return {"__eq__": __eq__, "__hash__": __hash__ if is_frozen else None}


def _values(names: list[str]) -> Callable[[object], Any]:
    return attrgetter(*names) if names else lambda _: ()


def _refuse_setting(self: object, name: str, value: object) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(self: object, name: str) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


_FROZEN = {"__setattr__": _refuse_setting, "__delattr__": _refuse_deleting}


# An object whose attributes cannot be set is copied and pickled by its fields.
def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


_STATE = {"__getstate__": _state, "__setstate__": _set_state}
