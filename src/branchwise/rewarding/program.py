"""
Rewarding sets, by the 0/1 program of the paper's appendix, in HiGHS.

The paper asks for the smallest set, cuts off everything that contains it, and asks
again. We do so for each level on its own, so that a larger set that pays more is found
too. Every outcome says by which way it happens, so that conditioning and prices count.
And outcomes that may wait for each other have positions in an order, so that each comes
after what it needs and before what rules it out.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import islice

from branchwise.model.conditions.condition import Happened
from branchwise.rewarding.levels import Level, levels
from branchwise.rewarding.mixed_program import MixedProgram
from branchwise.rewarding.terms import Term
from branchwise.rewarding.ways import Way, Ways
from branchwise.space.packed import bits
from branchwise.space.problem_space import ProblemSpace
from branchwise.tree.deadline import Deadline

_INF = float("inf")

# Whole numbers up to this size are exact in HiGHS with its tolerances; larger amounts
# are scaled down to it, and the sets that are then too dear by a hair are cut off.
_LARGEST_AMOUNT = 100_000


@dataclass(frozen=True, slots=True)
class LevelSets:
    """The rewarding sets of a level."""

    level: Level  # What the sets reach
    # The smallest set first; of each, the bits of its outcomes, numbered as in
    # `Ways.terms`, in an order in which they can happen.
    sets: tuple[tuple[int, ...], ...]
    is_complete: bool  # Whether these are all, or a limit stopped the search


def program_sets(
    space: ProblemSpace,
    ways: Ways,
    *,
    most_sets: int = sys.maxsize - 1,
    time_limit_seconds: float = _INF,
) -> tuple[LevelSets, ...]:
    """List the rewarding sets of every level, in the order of `levels`."""
    # Stop once there would be more than `most_sets`, all levels together.
    deadline = Deadline.after(time_limit_seconds)
    found: list[LevelSets] = []
    for level in levels(space.problem):
        program = _Program(space, ways, level)
        most_here = most_sets - sum(len(each.sets) for each in found)
        sets = tuple(islice(program.sets(deadline), most_here + 1))
        is_complete = program.is_exhausted and len(sets) <= most_here
        found.append(LevelSets(level, sets[:most_here], is_complete))
    return tuple(found)


class _Program:
    """The program of one level: the paper's, with ways, prices, attempts and order."""

    def __init__(self, space: ProblemSpace, ways: Ways, level: Level) -> None:
        self.is_exhausted = False
        self._space = space
        self._budget = space.root.left
        self._terms = ways.terms
        self._level = level
        self._finals = ways.terms.of(level.when)
        self._ways = self._relevant(ways)
        self._model = _Model()
        self._is_in = {bit: self._model.number(cost=1) for bit in self._ways}
        self._happens: dict[int, dict[int, Way]] = {}
        for bit, some in self._ways.items():
            self._happens[bit] = {self._model.number(): way for way in some}
        self._add_ways()
        self._add_goal()
        self._add_order()
        self._add_limits()

    def sets(self, deadline: Deadline) -> Iterator[tuple[int, ...]]:
        """Return one set after another, each time the smallest that is left."""
        while self._finals and self._model.is_solved(deadline):
            chosen = {
                bit: (column, way)
                for bit, columns in self._happens.items()
                for column, way in columns.items()
                if self._model.values[column] > 0.5
            }
            if self._costs_too_much(way for _, way in chosen.values()):
                self._cut(column for column, _ in chosen.values())
                continue
            order = tuple(_order({bit: way for bit, (_, way) in chosen.items()}))
            self._follow(order)
            yield order
            if not order:
                break  # Every other set contains the empty one.
            self._cut(self._is_in[bit] for bit in order)
        self.is_exhausted = not self._model.is_out_of_time

    def _relevant(self, ways: Ways) -> dict[int, list[Way]]:
        """Return the affordable ways of what the goal needs, directly or not."""
        relevant: dict[int, list[Way]] = {}
        pending = [bit for final in self._finals for bit in bits(final.needs)]
        while pending:
            bit = pending.pop()
            if bit not in relevant:
                some = [way for way in ways.of(bit) if not self._costs_too_much([way])]
                pending += (need for way in some for need in bits(way.needs))
                relevant[bit] = some
        return relevant

    def _costs_too_much(self, ways: Iterable[Way]) -> bool:
        prices = zip(*(way.price for way in ways), strict=True)
        return any(sum(p) > have for p, have in zip(prices, self._budget, strict=False))

    def _cut(self, columns: Iterable[int]) -> None:
        """Forbid to choose all of these at once."""
        row = dict.fromkeys(columns, 1)
        self._model.row(row, upper=len(row) - 1)

    def _add_ways(self) -> None:
        """What happens does so in one way, and what this way needs happens too."""
        for bit, columns in self._happens.items():
            self._model.row(dict.fromkeys(columns, 1) | {self._is_in[bit]: -1}, 0, 0)
            self._add_needs(columns)

    def _add_goal(self) -> None:
        """One alternative of the goal has all it needs and nothing it avoids."""
        columns = {self._model.number(): final for final in self._finals}
        self._model.row(dict.fromkeys(columns, 1), lower=1, upper=1)
        self._add_needs(columns)
        avoids = ((c, t.avoids & sum(self._is_in)) for c, t in columns.items())
        for avoided, some in _by_bit(avoids):
            self._model.row(dict.fromkeys([*some, self._is_in[avoided]], 1), upper=1)

    def _add_needs(self, columns: Mapping[int, Term | Way]) -> None:
        for need, some in _by_bit((c, w.needs) for c, w in columns.items()):
            self._model.row(dict.fromkeys(some, -1) | {self._is_in[need]: 1}, lower=0)

    def _add_order(self) -> None:
        """What happens comes after what its way needs and before what this avoids."""
        # Only where that may lead in a circle; anywhere else there is always an order.
        circles = _circles(self._ways)
        sizes = {bit: circle.bit_count() for bit, circle in circles.items()}
        at = {b: self._model.number(n - 1, is_whole=False) for b, n in sizes.items()}
        for bit, circle in circles.items():
            size, ways = sizes[bit], self._happens[bit].items()
            for need, some in _by_bit((c, w.needs & circle) for c, w in ways):
                row = dict.fromkeys(some, -size) | {at[bit]: 1, at[need]: -1}
                self._model.row(row, lower=1 - size)
            for avoided, some in _by_bit((c, w.avoids & circle) for c, w in ways):
                row = dict.fromkeys([*some, self._is_in[avoided]], -size)
                row |= {at[avoided]: 1, at[bit]: -1}
                self._model.row(row, lower=1 - 2 * size)

    def _add_limits(self) -> None:
        """An action has no more outcomes than attempts; the budget pays for all."""
        for action in self._space.problem.actions:
            outcomes = self._terms.masks[action.name] & sum(self._is_in)
            row = {self._is_in[bit]: 1 for bit in bits(outcomes)}
            if len(row) > action.attempts:
                self._model.row(row, upper=action.attempts)
        ways = [each for columns in self._happens.values() for each in columns.items()]
        for i, have in enumerate(self._budget):
            scale = max(1, have / _LARGEST_AMOUNT)
            prices = {column: way.price[i] / scale for column, way in ways}
            self._model.row(prices, upper=have / scale)

    def _follow(self, order: Iterable[int]) -> None:
        """Make sure that the set really happens in this order and reaches the level."""
        state = self._space.root
        for bit in order:
            (state,) = (
                transition.state
                for action in self._space.actions(state)
                for transition in action.transitions
                if Happened(action.name, transition.outcome) == self._terms.outcome(bit)
            )
        assert self._space.packing.test(self._level.when)(state.happened)


def _by_bit(masks: Iterable[tuple[int, int]]) -> Iterator[tuple[int, list[int]]]:
    columns = defaultdict(list)
    for column, mask in masks:
        for bit in bits(mask):
            columns[bit].append(column)
    return iter(columns.items())


def _circles(ways: Mapping[int, list[Way]]) -> dict[int, int]:
    """For each outcome that may have to wait for itself, those that may take part."""
    later = dict.fromkeys(ways, 0)
    for bit, way in ((bit, way) for bit, some in ways.items() for way in some):
        later[bit] |= way.avoids & sum(ways)
        for need in bits(way.needs):
            later[need] |= bit
    for middle in ways:
        for bit in ways:
            if later[bit] & middle:
                later[bit] |= later[middle]
    return {
        bit: sum(other for other in bits(later[bit]) if later[other] & bit)
        for bit in ways
        if later[bit] & bit
    }


def _order(ways: Mapping[int, Way]) -> Iterator[int]:
    """Put outcomes after what their way needs and before what it avoids."""
    order: TopologicalSorter[int] = TopologicalSorter()
    for bit, way in ways.items():
        order.add(bit, *bits(way.needs))
        for avoided in bits(way.avoids & sum(ways)):
            order.add(avoided, bit)
    return iter(order.static_order())


class _Model(MixedProgram):
    """The program of a level, solved for one set after another."""

    def __init__(self) -> None:
        super().__init__("the 0/1 program")
        self.values: Sequence[float] = ()

    def number(self, upper: int = 1, cost: int = 0, *, is_whole: bool = True) -> int:
        return self.column(0, upper, cost=cost, is_whole=is_whole)

    def is_solved(self, deadline: Deadline) -> bool:
        """Find the optimum, if there is one and the time suffices."""
        # Presolve of HiGHS 1.14 and 1.15 is fast and now and then wrong, so that where
        # it finds nothing, the last word is spoken without it.
        for presolve in ("choose", "off"):
            self._highs.setOptionValue("presolve", presolve)
            status = self._run(max(0.0, deadline.seconds_left))
            self.is_out_of_time = status == "kTimeLimit" or deadline.is_over
            if status == "kOptimal" or self.is_out_of_time:
                self.values = list(self._highs.getSolution().col_value)
                return not self.is_out_of_time
        if status != "kInfeasible":
            raise RuntimeError(f"HiGHS gave up on a rewarding set: {status}")
        return False
