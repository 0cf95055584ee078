"""Why not? What is lost by another action than the plan's, and where it shows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from threading import Event
from typing import Final, NamedTuple

from branchwise.analysis.explanations.explanation import Continuation, Explanation
from branchwise.analysis.explanations.same_luck import likeliest_advantage
from branchwise.model.action import Action
from branchwise.model.checks.validate import checked
from branchwise.model.condition import Happened
from branchwise.model.history import Carried, History, carried_out
from branchwise.model.problem import Problem
from branchwise.solver import solve
from branchwise.tree.alternatives import ALREADY_DONE, objections
from branchwise.tree.deadline import Deadline
from branchwise.tree.decision_tree import DecisionTree, Path
from branchwise.tree.policy import Branch, Decision, Shape
from branchwise.tree.progress import Listener, silent
from branchwise.tree.solution import Solution, Status

__all__ = ["explain"]

# The best plan gets so much of the time; the plans after the action share the rest.
_SHARE_OF_BEST: Final = 0.5

_LIMITS: Final = (Status.TIME_LIMIT, Status.MEMORY_LIMIT, Status.INTERRUPTED)

_START: Final = "start"


# Every argument past the second has a name and a default, so many do no harm.
def explain(  # noqa: PLR0913
    problem: Problem | Solution,
    action: str,
    *,
    after: History = (),
    exact: bool = False,
    time_limit_seconds: float | None = None,
    memory_limit_bytes: int | None = None,
    progress: Listener = silent,
    cancel: Event | None = None,
) -> Explanation:
    """
    Explain why the best plan does not take an action: what that would lose, and when.

    Parameters
    ----------
    problem
        A problem, or a solution of one, which is then not sought again. Where that
        had met a limit, what follows the action gets as much time, unless said.
    action
        The action asked about.
    after
        What has happened by then: ``"a1=ok, a3=fail"``; any place that can be reached,
        on the plan or not.
    exact
        Compute with fractions instead of floats.
    time_limit_seconds, memory_limit_bytes
        Stop when so much time has passed, or the process holds so much memory; then
        there are bounds instead of values.
    progress
        Called with how far it has come.
    cancel
        Set this event, from any thread, to stop with the best plans so far.

    Raises
    ------
    HistoryError
        What is said to have happened cannot have.
    KeyError
        There is no such action.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> safe = Action("safe", outcomes={"ok": 0.9, "fail": "rest"})
    >>> bold = Action("bold", outcomes={"ok": 0.5, "fail": "rest"})
    >>> rewards = [Reward(safe["ok"], 40), Reward(bold["ok"], 100)]
    >>> why = explain(Problem([safe, bold], rewards, budget=1), "safe", exact=True)
    >>> why.best_action, why.loss, str(why.parting)
    ('bold', Fraction(14, 1), 'bold=ok')
    >>> why.case.probability
    Fraction(9, 20)
    """
    whole = _problem_of(problem)
    carried = carried_out(whole, after)
    solved = problem if isinstance(problem, Solution) else None
    limit = time_limit_seconds
    if limit is None and solved is not None and solved.status in _LIMITS:
        limit = max(solved.statistics.seconds.total, 1.0)
    planner = _Planner(whole, exact, limit, memory_limit_bytes, progress, cancel)
    earlier = solved.history if solved else ()
    objection = _objection(whole, earlier, carried, action)
    best = solved if solved and _is_reusable(solved, carried, exact=exact) else None
    if best is None:
        share = 1.0 if objection else _SHARE_OF_BEST
        best = planner.plan(carried.history, share=share)
    place = whole, (*earlier, *carried.history), action, _continued(best)
    if objection:
        return Explanation(*place, objection=objection, status=best.status)
    forcing = _Forcing(planner, carried, whole.action(action))
    other = forcing.continuation()
    case, is_settled = None, True
    if action != best.first_action:
        plans = best.tree.root, other.tree.root
        case, is_settled = likeliest_advantage(whole, carried.state, plans)
    status = _worst([best.status, *forcing.statuses])
    return Explanation(
        *place, other, status=status, case=case, is_case_settled=is_settled
    )


@dataclass(slots=True)
class _Planner:
    """Finds plans one after another, within limits that they share."""

    problem: Problem
    exact: bool
    time_limit_seconds: float | None
    memory_limit_bytes: int | None
    progress: Listener
    cancel: Event | None
    _stop: Event = field(init=False)
    _deadline: Deadline = field(init=False)

    def __post_init__(self) -> None:
        self._stop = self.cancel or Event()
        self._deadline = Deadline.after(self.time_limit_seconds)

    def plan(self, history: Path, *, share: float) -> Solution:
        """Find the best plan after a history, in a share of the time left."""
        found = solve(
            self.problem,
            after=history,
            exact=self.exact,
            time_limit_seconds=self._deadline.time_limit_seconds(share),
            memory_limit_bytes=self.memory_limit_bytes,
            progress=self.progress,
            cancel=self._stop,
        )
        if found.status is Status.INTERRUPTED:
            # An interruption of one plan is meant for the others, too.
            self._stop.set()
        return found


class _Forcing:
    """An action taken whatever the best plan says, and the best plans after it."""

    def __init__(self, planner: _Planner, carried: Carried, action: Action) -> None:
        self._problem = planner.problem
        self._state = carried.state
        self._action = action.name
        self._number = Fraction if planner.exact else float
        self._cost, outcomes = action.as_of(carried.state.outcomes)
        self._chances = {o.label: o.probability for o in outcomes if o.probability}
        self._solutions = dict(self._found(planner, carried.history))

    @property
    def statuses(self) -> list[Status]:
        """How far each plan came."""
        return [found.status for found in self._solutions.values()]

    def continuation(self) -> Continuation:
        """Return the plan that begins with the action."""
        values = {o: f.expected_reward for o, f in self._solutions.items()}
        bounds = {o: f.upper_bound for o, f in self._solutions.items()}
        value = self._mean(values)
        first = Decision(
            action=self._action,
            branches=tuple(
                Branch(label, self._number(chance), None)
                for label, chance in self._chances.items()
            ),
            value=value,
            reward=self._number(self._problem.reward(self._state.outcomes)),
        )
        plans = {label: found.tree for label, found in self._solutions.items()}
        tree = forced_plan(first, plans, self._state)
        return Continuation(tree, value, self._mean(bounds))

    def _found(
        self, planner: _Planner, history: Path
    ) -> Iterator[tuple[str, Solution]]:
        for number, label in enumerate(self._chances):
            event = Happened(self._action, label)
            share = 1 / (len(self._chances) - number)
            yield label, planner.plan((*history, event), share=share)

    def _mean(self, worths: Mapping[str, Fraction | float]) -> Fraction | float:
        """Return what the action is worth if its outcomes are worth this."""
        expected = sum(self._number(self._chances[o]) * w for o, w in worths.items())
        return expected - self._number(self._problem.cost_weight.times(self._cost))


def _problem_of(asked: Problem | Solution) -> Problem:
    problem = asked.problem if isinstance(asked, Solution) else asked
    if problem is None:
        raise ValueError("only plans for problems can be explained")
    return checked(problem)


def _objection(problem: Problem, earlier: Path, carried: Carried, action: str) -> str:
    """Return why an action cannot be taken; nothing where it can."""
    is_known = any(each.name == action for each in problem.actions)
    if not is_known and any(event.action == action for event in earlier):
        # What is left of a problem no longer has the actions that are used up.
        return ALREADY_DONE
    name = problem.action(action).name
    return objections(problem, carried.state).get(name, "")


def _is_reusable(solution: Solution, carried: Carried, *, exact: bool) -> bool:
    """Whether a solution answers the very question: its place, numbers and aim."""
    is_other = solution.aim is not None or solution.adversary is not None
    return not (carried.history or is_other) and solution.is_exact is exact


def _continued(solution: Solution) -> Continuation:
    bound = solution.upper_bound
    return Continuation(solution.tree, solution.expected_reward, bound)


def _worst(statuses: list[Status]) -> Status:
    """Return the first status that is no proof, if there is one."""
    unproven = (status for status in statuses if status is not Status.OPTIMAL)
    return next(unproven, Status.OPTIMAL)


class _After(NamedTuple):
    """A state of the plan that follows one outcome."""

    outcome: str
    key: Hashable


def forced_plan(
    first: Decision, plans: Mapping[str, DecisionTree], state: object
) -> DecisionTree:
    """
    Join the plans that follow an action into one that begins with it.

    Parameters
    ----------
    first
        The action, its outcomes, and what it is worth; its branches lead nowhere yet.
    plans
        The plan after each outcome.
    state
        Where it begins.
    """
    shapes = [plan.shape for plan in plans.values()]
    shape = Shape(
        nodes=1 + sum(each.nodes for each in shapes),
        leaves=sum(each.leaves for each in shapes),
        depth=1 + max(each.depth for each in shapes),
    )
    return DecisionTree(_Joined(first, plans), _START, _States(state, plans), shape)


@dataclass(frozen=True, slots=True)
class _States:
    """Describes the states of a plan that was joined from others."""

    start: object
    plans: Mapping[str, DecisionTree]

    def __call__(self, key: Hashable, path: Path) -> object:
        if not isinstance(key, _After):
            return self.start
        return self.plans[key.outcome].describe(key.key, path[1:])


class _Joined(Mapping[Hashable, Decision]):
    """The decisions of several plans, and the one before them; made when asked for."""

    def __init__(self, first: Decision, plans: Mapping[str, DecisionTree]) -> None:
        self._plans = plans
        branches = tuple(
            branch._replace(
                state=_After(branch.outcome, plans[branch.outcome].root.key)
            )
            for branch in first.branches
        )
        self._first = first._replace(branches=branches)

    def __getitem__(self, key: Hashable) -> Decision:
        if key == _START:
            return self._first
        if not isinstance(key, _After):
            raise KeyError(key)
        decision = self._plans[key.outcome].policy[key.key]
        branches = tuple(
            Branch(outcome, probability, _After(key.outcome, state))
            for outcome, probability, state in decision.branches
        )
        return decision._replace(branches=branches)

    def __iter__(self) -> Iterator[Hashable]:
        yield _START
        for outcome, plan in self._plans.items():
            for key in plan.policy:
                yield _After(outcome, key)

    def __len__(self) -> int:
        return 1 + sum(len(plan.policy) for plan in self._plans.values())
