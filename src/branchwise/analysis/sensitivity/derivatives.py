"""Derivatives: how the value of the best plan changes with each number, exactly."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Unpack

from branchwise.analysis.critical_actions.criticality import visits
from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.parameter import (
    Kind,
    Parameter,
    Place,
    by_place,
    own_clause,
    parameters,
)
from branchwise.analysis.sensitivity.carried_out import (
    allowable_increase,
    kept_tree,
    partial_slope,
    tree_slope,
)
from branchwise.analysis.sensitivity.plan_value import AllowableIncrease
from branchwise.analysis.sensitivity.slopes import MOST_PLACES, Slope, Slopes
from branchwise.analysis.table import Table, Tabular, find
from branchwise.analysis.what_if import WhatIfLimits, WhatIfs
from branchwise.errors import PlanError
from branchwise.model.features import features_of
from branchwise.model.problem import Problem
from branchwise.tree.choices.policy import steps_of
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.evaluate import evaluate
from branchwise.tree.solution import Solution

_SAME: Final = 1e-9
_FIRST_STEP: Final = Fraction(1, 1000)
_MOST_HALVINGS: Final = 20
_NEAR: Final = Fraction(1, 10**6)  # the share by which something is moved a little


@dataclass(frozen=True, slots=True)
class Derivative:
    """
    How the value of the best plan changes with one number.

    Parameters
    ----------
    parameter
        The name of the number: ``P(a1=ok)``.
    kind
        What it is: ``parameter`` if it has a name of its own, else ``probability``,
        ``cost``, ``reward`` or ``cost_weight``.
    value
        What it is now.
    left, right
        The derivative where it falls, and where it rises. As a probability grows, the
        others of the same action shrink in proportion. A cost counts here through its
        weight alone; see ``allowable_increase``.
    is_kink
        Whether the two differ: several plans are optimal, and one gets ahead.
    partial
        Of a probability, the derivative with all others held, as if they need not add
        up to one; None for other numbers.
    allowable_increase
        Of a cost, by how much it may rise before the plan no longer fits the budget:
        up to there the derivative holds, and beyond it the value may jump. None for
        other numbers, where the plan does not pay it, or where the resource is
        unlimited.
    """

    parameter: str
    kind: Kind
    value: Fraction
    left: float
    right: float
    is_kink: bool
    partial: float | None
    allowable_increase: Fraction | None

    @property
    def effect(self) -> float:
        """What a change by one percent does, in whichever direction does more."""
        return max(abs(self.left), abs(self.right)) * abs(float(self.value)) / 100


@dataclass(frozen=True, slots=True)
class Derivatives(Tabular):
    """
    The derivative of the value with respect to every number of a problem.

    Parameters
    ----------
    expected_reward
        What the best plan is worth as things are.
    derivatives
        One for each number, by falling effect of one percent.
    has_both_sides
        Whether all optimal plans were looked at. If not, there are too many of them,
        and left and right are those of the plan that was chosen.
    is_plan_kept
        Whether all of this is about the plan in hand, which is not proven optimal.
    """

    expected_reward: float
    derivatives: tuple[Derivative, ...]
    has_both_sides: bool
    is_plan_kept: bool = False

    def of(self, parameter: str) -> Derivative:
        """Return the derivative with respect to a number, by its name."""
        return find(self.derivatives, "parameter", parameter)

    def tables(self) -> tuple[Table, ...]:
        """Return the rows."""
        return (Table.of_records("derivatives", Derivative, self.derivatives),)


def derivatives(problem: Problem, **limits: Unpack[WhatIfLimits]) -> Derivatives:
    """
    Work out how the value changes with each number of a problem, exactly.

    Parameters
    ----------
    problem
        What to look into.
    limits
        How long it may take, and on how many threads; see `WhatIfs`.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> toss = Action("toss", outcomes={"heads": "1/2", "tails": "1/2"}, attempts=2)
    >>> problem = Problem([toss], [Reward(toss["heads"], 8)], budget=2)
    >>> derivatives(problem).of("P(toss=heads)").right  # of 8 (1 - (1 - p)^2)
    8.0
    """
    return derivatives_section(WhatIfs(problem, **limits), AnalysisOptions())


def derivatives_section(what_ifs: WhatIfs, options: AnalysisOptions) -> Derivatives:  # noqa: ARG001
    """Work derivatives out with what-ifs that are at hand."""
    if features_of(what_ifs.problem):
        has_both_sides = what_ifs.is_proven
        found = list(_all_wide(what_ifs))
    else:
        # Of a plan that may not be the best, others that are as good say nothing.
        most_places = MOST_PLACES if what_ifs.is_proven else 0
        slopes = Slopes(what_ifs.problem, what_ifs.solution, most_places)
        has_both_sides = slopes.has_both_sides
        found = list(_all(what_ifs, slopes))
    return Derivatives(
        what_ifs.expected_reward,
        tuple(sorted(found, key=lambda each: -each.effect)),
        has_both_sides,
        is_plan_kept=not what_ifs.is_proven,
    )


def _all_wide(what_ifs: WhatIfs) -> Iterator[Derivative]:
    """Work out the same where states hold more, by carrying plans out anew."""
    problem, tree = what_ifs.problem, kept_tree(what_ifs.solution.tree)
    every = list(parameters(problem))
    slopes = _sided_slopes(what_ifs, every)
    for each in every:
        what_ifs.check_time()
        is_probability, is_cost = each.kind == "probability", each.kind == "cost"
        partial = partial_slope(problem, each, tree) if is_probability else None
        room = allowable_increase(problem, each, tree) if is_cost else None
        yield _derivative(what_ifs, each, slopes[each], partial, room)


def _derivative(
    what_ifs: WhatIfs,
    parameter: Parameter,
    slope: Slope,
    partial: float | None,
    room: Fraction | None,
) -> Derivative:
    value = parameter.value(what_ifs.problem)
    return Derivative(
        parameter=parameter.name,
        kind=parameter.kind,
        value=value,
        left=slope.left,
        right=slope.right,
        is_kink=_is_kink(slope, float(value), what_ifs),
        partial=partial,
        allowable_increase=room,
    )


def _all(what_ifs: WhatIfs, slopes: Slopes) -> Iterator[Derivative]:
    problem, policy = what_ifs.problem, what_ifs.solution.tree.policy
    partials = _partials(what_ifs)
    increases = AllowableIncrease(problem, policy)
    named = _sided_slopes(
        what_ifs, [each for each in parameters(problem) if each.kind == "parameter"]
    )
    for each in parameters(problem):
        slope = named.get(each) or slopes.of(each)
        is_hidden = each.kind == "reward" and _is_hidden(problem, each)
        if is_hidden and what_ifs.is_proven:
            slope = Slope(_side(what_ifs, each, -1), _side(what_ifs, each, 1))
        partial = partials.get(each, 0.0) if each.kind == "probability" else None
        room = increases.of(each) if each.kind == "cost" else None
        yield _derivative(what_ifs, each, slope, partial, room)


def _sided_slopes(
    what_ifs: WhatIfs, asked: Sequence[Parameter]
) -> dict[Parameter, Slope]:
    """
    Return the derivatives with respect to some numbers, on both sides.

    The plan that is the best a little to the side has the derivative there, and what it
    is worth at two points, worked out exactly, tells its slope.
    """
    problem = what_ifs.problem
    sides: dict[tuple[Parameter, int], Fraction] = {}
    for each in asked:
        step = (abs(each.value(problem)) or Fraction(1)) * _NEAR
        for sign in (-1, 1):
            at = each.value(problem) + sign * step
            if each.fits(problem, at):
                sides[each, sign] = at
    if not what_ifs.is_proven:
        tree = what_ifs.solution.tree
        found = {
            key: tree_slope(problem, key[0], tree, at) for key, at in sides.items()
        }
    else:
        found = _planned_slopes(what_ifs, sides)
    return {each: _both(found.get((each, -1)), found.get((each, 1))) for each in asked}


def _planned_slopes(
    what_ifs: WhatIfs, sides: Mapping[tuple[Parameter, int], Fraction]
) -> dict[tuple[Parameter, int], float | None]:
    problem = what_ifs.problem
    asked: dict[Problem, list[tuple[Parameter, int]]] = {}
    for key, at in sides.items():
        asked.setdefault(key[0].changed(problem, at), []).append(key)

    tree = what_ifs.solution.tree
    slopes = _Slopes(problem, what_ifs.expected_reward, kept_tree(tree), asked, sides)
    answers = what_ifs.map(asked, slopes)
    groups = zip(asked.values(), answers, strict=True)
    return {k: s for keys, found in groups for k, s in zip(keys, found, strict=True)}


@dataclass(frozen=True)
class _Slopes:
    """What is asked of the best plan beside some numbers: how it changes with them."""

    problem: Problem
    expected_reward: float
    kept: DecisionTree
    asked: Mapping[Problem, Sequence[tuple[Parameter, int]]]
    sides: Mapping[tuple[Parameter, int], Fraction]

    def __call__(self, solution: Solution) -> list[float | None]:
        assert solution.problem is not None
        keys = self.asked[solution.problem]
        return [self._side(key[0], solution.tree, self.sides[key]) for key in keys]

    def _side(
        self, parameter: Parameter, tree: DecisionTree, at: Fraction
    ) -> float | None:
        # A dearer plan may not fit the budget any more: a cost counts by its weight.
        is_jump = parameter.kind == "cost" and not self._is_best(tree)
        return tree_slope(self.problem, parameter, self.kept if is_jump else tree, at)

    def _is_best(self, tree: DecisionTree) -> bool:
        """Whether a plan for another problem is one of the best ones here."""
        try:
            worth = float(evaluate(tree, self.problem))
        except PlanError:
            return False
        size = _SAME * max(1.0, abs(self.expected_reward))
        return abs(worth - self.expected_reward) <= size


def _both(left: float | None, right: float | None) -> Slope:
    """Return both sides; one that a parameter cannot move to is like the other."""
    known = [side for side in (left, right) if side is not None]
    first = known[0] if known else 0.0
    return Slope(first if left is None else left, first if right is None else right)


def _is_kink(slope: Slope, value: float, what_ifs: WhatIfs) -> bool:
    """Whether two sides differ by more than near ties and rounding do."""
    size = max(abs(what_ifs.expected_reward), abs(slope.left * value))
    return abs(slope.right - slope.left) * max(abs(value), _SAME) > _SAME * size


def _partials(what_ifs: WhatIfs) -> dict[Parameter, float]:
    """Return what each probability does by itself: what its outcome leads to."""
    tree = what_ifs.solution.tree
    policy = steps_of(tree.policy)
    known = by_place(parameters(what_ifs.problem))
    found: dict[Parameter, float] = {}
    for state, probability in visits(tree).items():
        step = policy.step_taken(state)
        if step is None:
            continue
        action = what_ifs.problem.action(step.action)
        clause = own_clause(action, step.clause, "outcomes")
        for branch in step.branches:
            place: Place = "probability", step.action, clause, branch.outcome
            if (parameter := known.get(place)) is not None:
                gain = float(probability) * float(policy[branch.state].value)
                found[parameter] = found.get(parameter, 0.0) + gain
    return found


def _is_hidden(problem: Problem, reward: Parameter) -> bool:
    """
    Whether a reward may matter in ways that optimal plans do not show.

    No plan goes for a reward that is worth nothing, or for one of two that are worth
    the same while the other is held, until it is worth a little more.
    """
    value = reward.value(problem)
    equal = [other for other in problem.rewards if other.value == value]
    return value == 0 or (problem.combine == "max" and len(equal) > 1)


def _side(what_ifs: WhatIfs, reward: Parameter, sign: int) -> float:
    """
    Return the derivative with respect to a reward on one side.

    The value is convex in it, and linear close by: where half a step changes the value
    by half, it changes by as much at every point between.
    """
    problem = what_ifs.problem
    now = reward.value(problem)
    step = sign * (abs(now) or Fraction(1)) * _FIRST_STEP
    if now + step < reward.bounds(problem)[0]:
        return 0.0
    for _ in range(_MOST_HALVINGS):
        whole, half = what_ifs.gains(
            [reward.changed(problem, now + part) for part in (step, step / 2)]
        )
        if abs(whole - 2 * half) <= _SAME * abs(whole):
            break
        step /= 2
    return whole / float(step)
