"""
The best defenses by a mixed-integer program, as the paper sketches it, in HiGHS.

The attacker's scores are the least numbers that no action exceeds, so that attacker and
defender minimize together: the scores of all states, and one 0/1 column per defense.
What an action comes to under some defenses binds only where just these are in place;
elsewhere a slack lifts it, which is as large as the bounds of the state require.
"""

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Final, NamedTuple

from branchwise.adversary.defenses import Choices, Effects, numbers_in
from branchwise.adversary.interdict_attack import Attacker, StoppedError
from branchwise.adversary.interdict_search import Best, Scope
from branchwise.errors import LimitError
from branchwise.model.action import Action
from branchwise.model.budget import Limit
from branchwise.model.conditions.condition import NEVER
from branchwise.model.defended_problem import hardened
from branchwise.rewarding.mixed_program import MixedProgram
from branchwise.space.state_space import Real
from branchwise.tree.deadline import Deadline
from branchwise.tree.solution import Status

_INF: Final = float("inf")

# Scores are at most 1, so that this is what ties may differ by, as a share.
_TOLERANCE: Final = 1e-7

MOST_OPTIONS: Final = 40_000
_MOST_VARIANTS: Final = 1024

_State = tuple[tuple[tuple[int, ...], ...], tuple[Limit, ...]]
"""How often each outcome of each action has come up; and what is left."""


class Option(NamedTuple):
    """What an action comes to at a state, if certain defenses are in place."""

    action: int  # the action, by its number
    defenses: int  # those of the defenses that touch it that are in place
    charge: float  # what it takes off the reward
    branches: tuple[tuple[float, int], ...]  # how likely each next state is

    def worth(self, values: Sequence[float]) -> float:
        """Return what it is worth where the next states are worth this."""
        return sum(p * values[child] for p, child in self.branches) - self.charge


class Position(NamedTuple):
    """A state by its number: the reward for stopping there, and its options."""

    reward: float
    options: list[Option]


class AttackGraph:
    """All states that plans may come to against any defenses, each before the next."""

    def __init__(self, effects: Effects, choices: Choices) -> None:
        self._problem = effects.problem
        self._touching = list(effects.touching.values())
        sets = [_sets(effects, choices, action) for action in self._problem.actions]
        self._num_sets = [len(each) for each in sets]
        # Every action as sets of defenses leave it, unless they forbid it.
        self._variants = [
            [
                (some, hard)
                for some in each
                if (hard := hardened(action, effects.chosen(some))).requires != NEVER
            ]
            for action, each in zip(self._problem.actions, sets, strict=True)
        ]
        self._numbers: dict[_State, int] = {}
        self._states: list[_State] = []
        self.positions: list[Position] = []
        self._explore()

    def _explore(self) -> None:
        """Find all states, breadth first: those with more attempts come later."""
        counts = tuple((0,) * len(a.labels) for a in self._problem.actions)
        self._number((counts, tuple(self._problem.budget.values())))
        num_options = 0
        for state in self._states:  # They grow on the way.
            position = self._position(state)
            self.positions.append(position)
            num_options += len(position.options)
            if num_options > MOST_OPTIONS:
                raise LimitError(
                    f"the program would have more than {MOST_OPTIONS:,} rows; "
                    "the method `search` has no such limit"
                )

    def _number(self, state: _State) -> int:
        if state not in self._numbers:
            self._numbers[state] = len(self._states)
            self._states.append(state)
        return self._numbers[state]

    def _position(self, state: _State) -> Position:
        counts, _ = state
        happened = {
            action.name: list(compress(action.labels, had))
            for action, had in zip(self._problem.actions, counts, strict=True)
            if any(had)
        }
        options = [
            option
            for number, action in enumerate(self._problem.actions)
            if sum(counts[number]) < action.attempts
            and action.requires.holds(happened)
            and not action.precluded_by.holds(happened)
            for defenses, variant in self._variants[number]
            if (option := self._option(state, number, defenses, variant, happened))
        ]
        return Position(float(self._problem.reward(happened)), options)

    def _option(
        self,
        state: _State,
        number: int,
        defenses: int,
        variant: Action,
        happened: Mapping[str, list[str]],
    ) -> Option | None:
        """Return what a variant of an action comes to; None if it cannot be paid."""
        counts, left = state
        cost, probabilities = variant.as_of(happened)
        resources = zip(self._problem.budget, left, strict=True)
        rest = tuple(limit - cost.of(resource) for resource, limit in resources)
        if min(rest) < 0:
            return None
        branches = []
        had = counts[number]
        for outcome in probabilities:
            if outcome.probability:
                place = variant.labels.index(outcome.label)
                now = (*had[:place], had[place] + 1, *had[place + 1 :])
                after = (*counts[:number], now, *counts[number + 1 :])
                child = self._number((after, rest))
                branches.append((float(outcome.probability), child))
        charge = float(self._problem.cost_weight.times(cost))
        return Option(number, defenses, charge, tuple(branches))

    def touching(self, option: Option) -> int:
        """Return the defenses that touch the action of an option."""
        return self._touching[option.action]

    def bounds(self) -> tuple[list[float], list[float]]:
        """Return the least and the most each state is worth, whatever is in place."""
        lower = [position.reward for position in self.positions]
        upper = list(lower)
        for number in range(len(lower) - 1, -1, -1):
            sure: dict[int, list[float]] = {}
            for option in self.positions[number].options:
                upper[number] = max(upper[number], option.worth(upper))
                sure.setdefault(option.action, []).append(option.worth(lower))
            for action, worths in sure.items():
                if len(worths) == self._num_sets[action]:  # No defense rules it out.
                    lower[number] = max(lower[number], min(worths))
        return lower, upper


def _sets(effects: Effects, choices: Choices, action: Action) -> list[int]:
    """Return every set of defenses that touch an action and may be in place."""
    sets = [0]
    for defense in numbers_in(effects.touching[action.name]):
        bit, excluded = 1 << defense, choices.excluded[defense]
        sets += [some | bit for some in sets if not some & excluded]
        if len(sets) > _MOST_VARIANTS:
            raise LimitError(
                f"too many defenses touch `{action.name}` for a program; "
                "the method `search` has no such limit"
            )
    return sets


class Program:
    """Finds the best defenses in one go, for small problems."""

    def __init__(self, attacker: Attacker, choices: Choices, *, gap: float) -> None:
        self._attacker = attacker
        self._choices = choices
        self._model = _Model(gap)
        self._graph = AttackGraph(attacker.effects, choices)
        self._lower, self._upper = self._graph.bounds()
        self._scale = max(map(abs, [*self._lower, *self._upper])) or 1.0
        self._columns = [self._model.column(0, 1, is_whole=True) for _ in choices.costs]
        self._scores = [
            self._model.column(low / self._scale, high / self._scale)
            for low, high in zip(self._lower, self._upper, strict=True)
        ]
        self._add_rows()
        self._bound: float | None = None
        self.best: Best | None = None
        self.num_nodes = 0

    def _add_rows(self) -> None:
        for number, position in enumerate(self._graph.positions):
            for option in position.options:
                self._add_option(number, option)
        for one, excluded in enumerate(self._choices.excluded):
            for other in numbers_in(excluded >> one << one):
                pair = {self._columns[one]: 1.0, self._columns[other]: 1.0}
                self._model.row(pair, upper=1)
        costs = map(float, self._choices.costs)
        self._prices = dict(zip(self._columns, costs, strict=True))
        self._ones = dict.fromkeys(self._columns, 1.0)
        self._budget = self._model.row(self._prices, upper=0)
        self._size = self._model.row(self._ones)

    def _add_option(self, number: int, option: Option) -> None:
        """Let a state score what an option is worth, if its defenses are in place."""
        slack = (option.worth(self._upper) - self._lower[number]) / self._scale
        if slack <= 0:
            return
        row = {self._scores[number]: 1.0}
        for probability, child in option.branches:
            score = self._scores[child]
            row[score] = row.get(score, 0.0) - probability
        least = -option.charge / self._scale
        for defense in numbers_in(self._graph.touching(option)):
            is_in_place = option.defenses >> defense & 1
            row[self._columns[defense]] = -slack if is_in_place else slack
            least -= slack if is_in_place else 0.0
        self._model.row(row, lower=least)

    def find(self, scope: Scope) -> Best | None:
        """
        Find the best set, and among equally good ones the first; None if there is none.

        What was found when this is broken off stays in `best`.
        """
        self.best = self._bound = None
        for number, column in enumerate(self._columns):
            has, lacks = scope.has >> number & 1, scope.lacks >> number & 1
            self._model.limit_column(column, float(has), 0.0 if lacks else 1.0)
        root = self._scores[0]
        low, high = self._lower[0] / self._scale, self._upper[0] / self._scale
        self._model.limit_column(root, low, high)
        self._model.limit_row(self._budget, float(scope.units))
        self._model.limit_row(self._size, _INF)
        if not self._minimize({root: 1.0}):
            return None
        score = self._model.values[root]
        self._bound = self._model.dual_bound * self._scale
        self._model.limit_column(root, low, min(high, score + _TOLERANCE))
        self._settle()
        return self.best

    def lower_bound(self, scope: Scope) -> Real | None:
        """Return what the attacker is sure of, whatever is chosen; None if unknown."""
        del scope  # The bound is that of the last set looked for.
        return self._bound

    def _settle(self) -> None:
        """Among the best sets take the cheapest, then the smallest, then the first."""
        for row, goal in ((self._budget, self._prices), (self._size, self._ones)):
            self._minimize(goal)
            total = sum(self._model.values[c] * share for c, share in goal.items())
            self._model.limit_row(row, float(round(total)))
        for column in self._columns:
            self._minimize({column: -1.0})
            is_in = round(self._model.values[column])
            self._model.limit_column(column, float(is_in), float(is_in))

    def _minimize(self, goal: Mapping[int, float]) -> bool:
        """Minimize a sum of columns, and take the set found; False if there is none."""
        self._attacker.look()
        is_found = self._model.minimize(goal, self._attacker.deadline)
        self.num_nodes += self._model.num_nodes
        if self._model.values:
            chosen = sum(
                1 << number
                for number, column in enumerate(self._columns)
                if self._model.values[column] > 0.5
            )
            self.best = Best(chosen, self._attacker.answer(chosen).value)
        if self._model.is_out_of_time:
            self._bound = self._model.dual_bound * self._scale
            raise StoppedError(Status.TIME_LIMIT)
        return is_found


class _Model(MixedProgram):
    """The program of defenses, changed and solved again and again."""

    def __init__(self, gap: float) -> None:
        super().__init__("the program of defenses", gap)
        self._highs.setOptionValue("mip_abs_gap", 1e-9)
        for name in ("mip_feasibility_tolerance", "primal_feasibility_tolerance"):
            self._highs.setOptionValue(name, 1e-9)
        self._goal: Mapping[int, float] = {}
        self.values: list[float] = []
        self.dual_bound = -_INF
        self.num_nodes = 0

    def limit_column(self, column: int, low: float, high: float) -> None:
        self._highs.changeColBounds(column, low, high)

    def limit_row(self, row: int, high: float) -> None:
        self._highs.changeRowBounds(row, -_INF, high)

    def minimize(self, goal: Mapping[int, float], deadline: Deadline) -> bool:
        """Make a sum of columns as small as can be, if the time suffices."""
        for column in self._goal:
            self._highs.changeColCost(column, 0.0)
        for column, share in goal.items():
            self._highs.changeColCost(column, share)
        self._goal = goal
        status = self._run(min(max(0.01, deadline.seconds_left), 1e9))
        self.is_out_of_time = status == "kTimeLimit"
        info = self._highs.getInfo()
        self.num_nodes = max(int(info.mip_node_count), 0)
        self.dual_bound = info.mip_dual_bound
        is_feasible = info.primal_solution_status == 2
        self.values = list(self._highs.getSolution().col_value) if is_feasible else []
        if status not in {"kOptimal", "kTimeLimit", "kInfeasible"}:
            raise RuntimeError(f"HiGHS gave up on the defenses: {status}")
        return status == "kOptimal"
