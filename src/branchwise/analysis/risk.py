"""Plans for several aims, and those between an aim and the expected reward."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from threading import Event
from typing import Final

from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.table import Cell, Table, Tabular
from branchwise.analysis.what_if import WhatIfs
from branchwise.errors import LimitError
from branchwise.model.checks.validate import checked
from branchwise.model.problem import Problem
from branchwise.risk.aim_solver import AimSolver, aimed, compared, is_above, measured
from branchwise.risk.aims import Aim, AtLeast, AtMost, CVaR
from branchwise.risk.effort import Effort
from branchwise.risk.utility_solver import most_reward
from branchwise.space.own_space import OwnSpace, own_space
from branchwise.tree.deadline import Deadline
from branchwise.tree.progress import Listener, silent
from branchwise.tree.prospects.distribution import Distribution
from branchwise.tree.solution import AimMet, MeasuredPlan, Solution

_MOST_PLANS: Final = 20
_WORST: Final = "25%"
_DIGITS: Final = 6

# A frontier takes dozens of solves, which must not keep other sections from view.
_MOST_STATES: Final = 10_000


@dataclass(frozen=True, slots=True)
class RiskFrontier:
    """
    The plans between the highest expected reward and the best of an aim.

    These are the *supported* plans: each is best for some weighting of the two. No plan
    lies beyond the lines between neighbors, not even one that tosses a coin. In the
    dents below these lines there may be plans that no other one beats in both; they are
    not listed.

    Parameters
    ----------
    aim
        What stands against the expected reward.
    plans
        By falling expected reward and rising worth; no plan beats another in both.
    is_complete
        Whether these are all supported plans; not where there were too many.
    """

    aim: Aim
    plans: tuple[MeasuredPlan, ...]
    is_complete: bool


def risk_frontier(
    problem: Problem | OwnSpace,
    aim: Aim,
    *,
    exact: bool = False,
    max_plans: int = 50,
    time_limit_seconds: float | None = None,
    progress: Listener = silent,
    cancel: Event | None = None,
) -> RiskFrontier:
    """
    Find the plans between the highest expected reward and the best of an aim.

    The search is exact, not a grid: between two neighbors it tries the weights for
    which both are worth the same, until no plan is worth more.

    Parameters
    ----------
    problem
        The problem, or a state space of your own. Aims look at the final reward less
        weighted cost.
    aim
        What stands against the expected reward.
    exact
        Compute with fractions; not for exponential utility, which has none.
    max_plans
        Stop at so many plans; at least two.
    time_limit_seconds, progress, cancel
        As for `solve`.

    Examples
    --------
    >>> from branchwise.risk.aims import AtLeast
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> safe = Action("safe", outcomes={"ok": 0.9, "fail": "rest"})
    >>> bold = Action("bold", outcomes={"ok": 0.5, "fail": "rest"})
    >>> rewards = [Reward(safe["ok"], 40), Reward(bold["ok"], 100)]
    >>> found = risk_frontier(Problem([safe, bold], rewards, budget=1), AtLeast(40))
    >>> [(plan.expected_reward, plan.worth) for plan in found.plans]
    [(50.0, 0.5), (36.0, 0.9)]
    """
    if max_plans < 2:
        raise ValueError(f"a frontier has at least two plans to show, not {max_plans}")
    deadline = Deadline.after(time_limit_seconds)
    effort = Effort(exact, "fewest-nodes", deadline, progress, cancel)
    if isinstance(problem, Problem):
        checked(problem)
    else:
        own_space(problem)  # Refuses what is none.
    return _frontier_of(AimSolver(problem, aim, effort), aim, max_plans)


def _frontier_of(solver: AimSolver, aim: Aim, max_plans: int) -> RiskFrontier:
    """Find the plans between the two that a solver knows, up to so many."""
    plans = [solver.neutral, solver.best]
    gaps = deque([(plans[0], plans[1])])
    while gaps and len(plans) < max_plans:
        bolder, safer = gaps.popleft()
        between = solver.beyond(bolder, safer)
        if between is not None:
            plans.append(between)
            gaps.extend([(bolder, between), (between, safer)])
    return RiskFrontier(aim, _undominated(plans), is_complete=not gaps)


def _undominated(plans: list[MeasuredPlan]) -> tuple[MeasuredPlan, ...]:
    """Keep the plans that no other one beats, by falling expected reward."""
    ordered = sorted(plans, key=lambda plan: (-plan.expected_reward, -plan.worth))
    kept: list[MeasuredPlan] = []
    for plan in ordered:
        if kept and not is_above(plan.worth, kept[-1].worth):
            continue
        if kept and not is_above(kept[-1].expected_reward, plan.expected_reward):
            kept.pop()
        kept.append(plan)
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class Risk(Tabular):
    """
    What plans for several aims are worth.

    Parameters
    ----------
    answers
        For each aim the best plan: its `aim` has the risk-neutral one beside it.
    frontiers
        For each aim the plans between the two.
    reason
        Why there are none: there are too many states. Nothing where there are.
    is_plan_kept
        Whether the answers are the plan in hand, which is not proven optimal, measured
        by each aim; what would be best for an aim is then not looked for.
    """

    answers: tuple[Solution, ...]
    frontiers: tuple[RiskFrontier, ...]
    reason: str = ""
    is_plan_kept: bool = False

    def tables(self) -> tuple[Table, ...]:
        """Return the plans, what each may end with, and the frontiers, in rows."""
        columns = ["aim", "worth", "neutral_worth", "certainty_equivalent"]
        columns += ["expected_reward", "price", "first_action"]
        points = ["aim", "expected_reward", "worth", "first_action"]
        chances = ["plan", "reward", "probability", "probability_of_more"]
        plans = list(map(_plan, self.answers))
        if self.is_plan_kept:
            columns.append("upper_bound")
            bounds = (_beside(answer)[0].upper_bound for answer in self.answers)
            plans = [(*plan, bound) for plan, bound in zip(plans, bounds, strict=True)]
        return (
            Table.of("plans", columns, plans),
            Table.of("frontier", points, self._points()),
            Table.of("rewards", chances, self._chances()),
        )

    @property
    def neutral(self) -> MeasuredPlan:
        """The plan with the highest expected reward."""
        return _beside(self.answers[0])[1]

    def _points(self) -> Iterator[tuple[Cell, ...]]:
        for frontier in self.frontiers:
            for plan in frontier.plans:
                first = plan.solution.first_action
                yield frontier.aim.title, plan.expected_reward, plan.worth, first

    def _chances(self) -> Iterator[tuple[Cell, ...]]:
        plans = [("expected reward", self.neutral.rewards)] if self.answers else []
        aims = (answer.aim for answer in self.answers)
        plans += [(aim.title, aim.rewards) for aim in aims if aim and aim.rewards]
        for title, rewards in plans:
            for reward, probability in rewards.chances:
                yield title, reward, probability, rewards.at_least(reward)


def _beside(answer: Solution) -> tuple[AimMet, MeasuredPlan]:
    """Return how well a plan meets its aim, and the risk-neutral one beside it."""
    assert answer.aim is not None
    assert answer.aim.neutral is not None
    return answer.aim, answer.aim.neutral


def _plan(answer: Solution) -> tuple[Cell, ...]:
    aim, neutral = _beside(answer)
    worths = aim.worth, neutral.worth, aim.certainty_equivalent
    return (aim.title, *worths, answer.expected_reward, aim.price, answer.first_action)


def risk_section(what_ifs: WhatIfs, options: AnalysisOptions) -> Risk:
    """Find the best plans for some aims, and those between each and the neutral one."""
    is_cost, expected = what_ifs.problem.is_least_cost, what_ifs.expected_reward
    aims = options.aims or usual_aims(expected, is_cost=is_cost)
    if not what_ifs.is_proven:
        kept = tuple(_kept(what_ifs, aim) for aim in aims)
        return Risk(kept, (), is_plan_kept=True)
    limits = what_ifs.deadline, what_ifs.progress, what_ifs.cancel
    found = best_plans(what_ifs.problem, aims, *limits, what_ifs.solution)
    if not found.reason:
        return found
    # The plan in hand is known, and how it may end.
    kept = tuple(_kept(what_ifs, aim) for aim in aims)
    return Risk(kept, (), reason=found.reason, is_plan_kept=True)


def usual_aims(expected_reward: float, *, is_cost: bool = False) -> tuple[Aim, ...]:
    """Return the aims for where none are asked for: the worst, and what is expected."""
    expected = f"{abs(expected_reward):.{_DIGITS}g}"
    if is_cost:
        return CVaR(_WORST), AtMost(expected)
    return CVaR(_WORST), AtLeast(f"-{expected}" if expected_reward < 0 else expected)


def best_plans(
    problem: Problem | OwnSpace,
    aims: Iterable[Aim],
    deadline: Deadline,
    progress: Listener,
    cancel: Event | None,
    neutral: Solution | None = None,
) -> Risk:
    """Find the best plan for each aim, and the plans between it and the neutral one."""
    effort = Effort(
        exact=False,
        prefer="fewest-nodes",
        deadline=deadline,
        progress=progress,
        cancel=cancel,
        most_states=_MOST_STATES,
    )
    answers, frontiers = [], []
    try:
        for aim in aims:
            solver = AimSolver(problem, aim, effort, neutral)
            answers.append(compared(solver.best, solver.neutral))
            frontiers.append(_frontier_of(solver, aim, _MOST_PLANS))
    except LimitError as error:
        if effort.deadline.is_over:
            raise
        # What takes too many states here must not keep other sections from view.
        return Risk((), (), reason=str(error))
    return Risk(tuple(answers), tuple(frontiers))


def _kept(what_ifs: WhatIfs, aim: Aim) -> Solution:
    """Measure the plan in hand by an aim, beside what no plan can exceed in it."""
    what_ifs.check_time()
    problem, solution = what_ifs.problem, what_ifs.solution
    plan = measured(solution, problem, aim)
    # The reward for which a utility is worth what no plan can exceed.
    most = solution.upper_bound if aim.is_concave else most_reward(problem)
    bound = aim.worth(Distribution.of([(most, 1)]))
    return compared(aimed(plan, aim, bound=bound), plan)
