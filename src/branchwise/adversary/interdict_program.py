"""
The best defenses by a mixed-integer program, as the paper sketches it, in HiGHS.

The attacker's scores are the least numbers that no action exceeds, so that attacker and
defender minimize together: the scores of all states, and one 0/1 column per defense.
What an action comes to under some defenses binds only where just these are in place;
elsewhere a slack lifts it, which is as large as the bounds of the state require.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from branchwise.adversary.defense_clauses import Choices, numbers_in
from branchwise.adversary.interdict_attack import Attacker, StoppedError
from branchwise.adversary.interdict_graph import AttackGraph, Option
from branchwise.adversary.interdict_search import Best, Scope
from branchwise.rewarding.mixed_program import MixedProgram
from branchwise.space.state_space import Real
from branchwise.tree.deadline import Deadline
from branchwise.tree.solution import Status

__all__ = ["Program"]

_INF: Final = float("inf")

# Scores are at most 1, so that this is what ties may differ by, as a share.
_TOLERANCE: Final = 1e-7


class Program:
    """
    Finds the best defenses in one go, for small problems.

    Parameters
    ----------
    attacker
        Answers the sets found, more exactly than the program can.
    choices
        The sets that may be chosen.
    gap
        Which share of its value the best set may be too high.
    deadline
        When to stop.
    """

    def __init__(
        self, attacker: Attacker, choices: Choices, *, gap: float, deadline: Deadline
    ) -> None:
        self._attacker = attacker
        self._choices = choices
        self._deadline = deadline
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
        prices = zip(self._columns, map(float, self._choices.costs), strict=True)
        self._budget = self._model.row(dict(prices), upper=0)
        self._size = self._model.row(dict.fromkeys(self._columns, 1.0))

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
        prices = zip(self._columns, map(float, self._choices.costs), strict=True)
        for row, goal in (
            (self._budget, dict(prices)),
            (self._size, dict.fromkeys(self._columns, 1.0)),
        ):
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
        is_found = self._model.minimize(goal, self._deadline)
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
        """Let a column lie between these from now on."""
        self._highs.changeColBounds(column, low, high)

    def limit_row(self, row: int, high: float) -> None:
        """Let a row be at most this from now on."""
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
