"""Why not? What is lost by another action than the plan's, and where it shows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from branchwise.analysis.same_luck import Forced, LuckyCase, likeliest_advantage
from branchwise.model.action import Action
from branchwise.model.condition import Happened
from branchwise.model.history import Carried, History, carried_out
from branchwise.model.problem import Problem
from branchwise.model.state_space import Real
from branchwise.model.validate import checked
from branchwise.solver import solve
from branchwise.tree.objections import objections
from branchwise.tree.solution import Solution

__all__ = ["Explanation", "Following", "explain"]

# Two values are the same within this share of the larger one.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Following:
    """
    What comes after one outcome of the action asked about.

    Parameters
    ----------
    outcome
        The outcome.
    probability
        How likely it is.
    value
        The expected reward from there on.
    action
        What is best to do then; None to stop.
    """

    outcome: str
    probability: Real
    value: Real
    action: str | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """
    Why an action is not what the best plan does at a place.

    Parameters
    ----------
    problem
        The problem.
    history
        What has happened by then.
    action
        The action asked about.
    best_action
        What the best plan does; None to stop.
    best_value
        What that is worth from there on.
    objection
        Why the action cannot be taken; nothing where it can.
    value
        What taking it and going on as well as possible is worth; None where it cannot
        be taken.
    following
        What comes after each of its outcomes.
    case
        The likeliest case in which the best plan ends better with the same luck; None
        where there is none, or none was found in reasonable time.
    """

    problem: Problem
    history: tuple[Happened, ...]
    action: str
    best_action: str | None
    best_value: Real
    objection: str = ""
    value: Real | None = None
    following: tuple[Following, ...] = ()
    case: LuckyCase | None = None

    @property
    def loss(self) -> Real | None:
        """What is lost by taking it; None where it cannot be taken."""
        if self.value is None:
            return None
        loss = self.best_value - self.value
        is_rounding = abs(float(loss)) <= _ROUNDING * abs(float(self.best_value))
        return loss if loss and not is_rounding else 0


def explain(
    problem: Problem | Solution,
    action: str,
    *,
    after: History = (),
    exact: bool = False,
) -> Explanation:
    """
    Say why the best plan does not take an action: what that would lose, and when.

    Parameters
    ----------
    problem
        A problem, or a solution of one.
    action
        The action asked about.
    after
        What has happened by then: ``"a1=ok, a3=fail"``; any place that can be reached,
        on the plan or not.
    exact
        Compute with fractions instead of floats.

    Raises
    ------
    HistoryError
        What is said to have happened cannot have.
    KeyError
        There is no such action.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> safe = Action("safe", outcomes={"ok": 0.9, "fail": "rest"})
    >>> bold = Action("bold", outcomes={"ok": 0.5, "fail": "rest"})
    >>> rewards = [Reward(safe["ok"], 40), Reward(bold["ok"], 100)]
    >>> why = explain(Problem([safe, bold], rewards, budget=1), "safe", exact=True)
    >>> why.best_action, why.loss, str(why.case.parting)
    ('bold', Fraction(14, 1), 'bold=ok')
    >>> why.case.probability
    Fraction(9, 20)
    """
    whole = _problem_of(problem)
    asked = whole.action(action)
    carried = carried_out(whole, after)
    best = solve(whole, after=carried.history, exact=exact)
    start = (whole, carried.history, action, best.first_action, best.expected_reward)
    objection = objections(whole, carried.state).get(action)
    if objection:
        return Explanation(*start, objection=objection)
    forcing = _Forcing(whole, carried, asked, exact=exact)
    case = None
    if action != best.first_action:
        plans = best.tree.root, forcing.plan()
        case = likeliest_advantage(whole, carried.state, plans)
    return Explanation(
        *start, value=forcing.value(), following=forcing.following(), case=case
    )


class _Forcing:
    """An action taken whatever the best plan says, and the best plans after it."""

    def __init__(
        self, problem: Problem, carried: Carried, action: Action, *, exact: bool
    ) -> None:
        self._action = action.name
        self._number = Fraction if exact else float
        cost, odds = action.as_of(carried.state.outcomes)
        self._charge = problem.cost_weight.times(cost)
        self._odds = {o.label: o.probability for o in odds if o.probability}
        self._solutions = {
            label: solve(
                problem,
                after=(*carried.history, Happened(action.name, label)),
                exact=exact,
            )
            for label in self._odds
        }

    def plan(self) -> Forced:
        """Give the plan that begins with the action."""
        roots = {label: found.tree.root for label, found in self._solutions.items()}
        return Forced(self._action, roots)

    def following(self) -> tuple[Following, ...]:
        """Give what comes after each outcome."""
        return tuple(
            Following(
                label,
                self._number(self._odds[label]),
                found.expected_reward,
                found.first_action,
            )
            for label, found in self._solutions.items()
        )

    def value(self) -> Real:
        """Give what the plan is worth."""
        expected = sum(each.probability * each.value for each in self.following())
        return expected - self._number(self._charge)


def _problem_of(asked: Problem | Solution) -> Problem:
    problem = asked.problem if isinstance(asked, Solution) else asked
    if problem is None:
        raise ValueError("only plans for problems can be explained")
    return checked(problem)
