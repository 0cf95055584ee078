"""Our quickly defined dataclasses behave as those of the standard library do."""

import copy
import dataclasses
import inspect
import pickle

import pytest

import branchwise.records


def _both(**how):
    def decorate(cls):
        names = {"__module__": __name__, "__qualname__": cls.__qualname__}
        twin = type(cls.__name__, cls.__bases__, {**vars(cls), **names})
        return dataclasses.dataclass(**how)(cls), branchwise.records.dataclass(**how)(
            twin
        )

    return decorate


@_both(frozen=True)
class Point:
    """A place."""

    x: int
    y: int = 2
    tags: list[str] = dataclasses.field(default_factory=list, compare=False)
    note: str = dataclasses.field(default="none", repr=False, kw_only=True)
    seen: bool = dataclasses.field(default=False, init=False)


@_both(eq=False, kw_only=True)
class Named:
    """Something with a name that is longer than what was given."""

    name: str

    def __post_init__(self):
        self.name += "!"

    def __repr__(self):
        return f"<{self.name}>"


@_both()
class Own:
    """Compares in its own way."""

    x: float = 0.0

    def __eq__(self, other):
        return abs(self.x - other.x) < 1

    def __hash__(self):
        return 7


@branchwise.records.dataclass(frozen=True, slots=True)
class Slotted:
    """A record as most of ours are."""

    x: int
    seen: bool = dataclasses.field(default=False, init=False)


def test_a_record_is_made_shown_compared_and_hashed_as_a_dataclass_is():
    theirs, ours = Point
    for point in (theirs(1, tags=["a"]), ours(1, tags=["a"])):
        kind = type(point)
        assert repr(point).endswith("Point(x=1, y=2, tags=['a'], seen=False)")
        assert point == kind(1, 2, ["b"])
        assert hash(point) == hash(kind(1, 2, ["b"]))
        assert point != kind(1, note="other")
        assert point != (1, 2)
        assert dataclasses.replace(point, x=3).x == 3
        assert [f.name for f in dataclasses.fields(point)][:2] == ["x", "y"]
        assert kind(1).tags is not kind(1).tags


def test_what_is_frozen_cannot_be_set_or_deleted():
    for kind in Point:
        for change in (lambda p: setattr(p, "x", 2), lambda p: delattr(p, "x")):
            with pytest.raises(dataclasses.FrozenInstanceError, match="field 'x'"):
                change(kind(1))


def test_wrong_arguments_are_refused_in_the_same_words():
    words = []
    for kind in Point:
        with pytest.raises(TypeError) as caught:
            kind()
        words.append(str(caught.value))
    assert words[0] == words[1]


def test_the_signature_is_known_before_the_first_object_is_made():
    for pair in (Point, Named):
        theirs, ours = (str(inspect.signature(kind)) for kind in pair)
        assert ours == theirs
    assert Named[1](name="a").name == "a!"
    assert repr(Named[1](name="a")) == "<a!>"
    assert Named[1](name="a") != Named[1](name="a")


def test_what_a_class_says_itself_counts():
    for kind in Own:
        assert kind(0.2) == kind(0.9)
        assert hash(kind()) == 7


def test_a_record_with_slots_is_copied_and_pickled():
    record = Slotted(3)
    assert not hasattr(record, "__dict__")
    assert copy.deepcopy(record) == record
    assert pickle.loads(pickle.dumps(record)) == record
    assert record.seen is False
