"""Why not? What is lost by another action than the plan's, and where it shows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from threading import Event
from typing import Final, NamedTuple

from branchwise.analysis.explanations.same_luck import LuckyCase, likeliest_advantage
from branchwise.model.arguments import a_text, shown_in_notebook
from branchwise.model.checks.validate import checked
from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.history import Carried, History, carried_out
from branchwise.model.execution.turn import reward_at, turn_of
from branchwise.model.numbers.number import TIE
from branchwise.model.numbers.number import exact as exact_number
from branchwise.model.problem import Problem
from branchwise.solver import solve
from branchwise.space.own_space import (
    OwnSpace,
    action_at,
    as_steps,
    own_space,
    state_after,
)
from branchwise.space.state_space import Real
from branchwise.tree.alternatives import ALREADY_DONE, objections
from branchwise.tree.choices.policy import Branch, Decision, Shape
from branchwise.tree.deadline import Deadline
from branchwise.tree.decision_tree import DecisionTree, Path
from branchwise.tree.progress import Listener, silent
from branchwise.tree.solution import Solution, Status

# The best plan gets so much of the time; the plans after the action share the rest.
_SHARE_OF_BEST: Final = 0.5

_LIMITS: Final = (Status.TIME_LIMIT, Status.MEMORY_LIMIT, Status.INTERRUPTED)

_START: Final = "start"


@dataclass(frozen=True, slots=True)
class Following:
    """
    What comes after one outcome of an action.

    Parameters
    ----------
    outcome
        The outcome.
    probability
        How likely it is.
    value
        The expected reward from there on.
    action
        What the plan does then; None to stop.
    """

    outcome: str
    probability: Real
    value: Real
    action: str | None


@dataclass(frozen=True, slots=True)
class Continuation:
    """
    How to go on from a place: a plan, and what it is worth.

    Parameters
    ----------
    tree
        The plan.
    value
        What it is worth from there on.
    upper_bound
        What no plan that begins like this can exceed; the value itself once it is
        proven.
    """

    tree: DecisionTree
    value: Real
    upper_bound: Real

    @property
    def action(self) -> str | None:
        """What it does first; None to stop."""
        return self.tree.root.action

    @property
    def following(self) -> tuple[Following, ...]:
        """What comes after each outcome of its first action."""
        return tuple(
            Following(label, node.probability, node.value, node.action)
            for label, node in self.tree.root.children.items()
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """
    Why an action is not what the best plan does at a place.

    Parameters
    ----------
    problem
        The problem; None for a state space of your own.
    history
        What has happened by then.
    action
        The action asked about.
    best
        How the best plan goes on; where a limit was met, the best one found by then.
    other
        The action taken all the same, and the best plan after it; None where it cannot
        be taken.
    objection
        Why the action cannot be taken; nothing where it can.
    status
        Whether all values are proven, or which limit was met.
    case
        The likeliest case in which the best plan ends better with the same draws; None
        where there is none, or none was found in reasonable time.
    is_case_settled
        Whether no case can have been missed: without a case, both plans then always
        end alike.
    """

    problem: Problem | None
    history: tuple[Happened, ...]
    action: str
    best: Continuation
    other: Continuation | None = None
    objection: str = ""
    status: Status = Status.OPTIMAL
    case: LuckyCase | None = None
    is_case_settled: bool = True

    @property
    def best_action(self) -> str | None:
        """What the best plan does; None to stop."""
        return self.best.action

    @property
    def best_value(self) -> Real:
        """What the best plan is worth from there on."""
        return self.best.value

    @property
    def value(self) -> Real | None:
        """What taking it and going on well is worth; None where it cannot be taken."""
        return None if self.other is None else self.other.value

    @property
    def following(self) -> tuple[Following, ...]:
        """What comes after each outcome of the action asked about."""
        return () if self.other is None else self.other.following

    @property
    def loss(self) -> Real | None:
        """What is lost by taking it; None where it cannot be taken."""
        if self.other is None:
            return None
        return self._rounded(self.best.value - self.other.value)

    @property
    def loss_bounds(self) -> tuple[Real, Real] | None:
        """What is lost at least and at most; the loss twice, once it is proven."""
        if self.other is None:
            return None
        least = self._rounded(self.best.value - self.other.upper_bound)
        most = self._rounded(self.best.upper_bound - self.other.value)
        return max(least, 0), max(most, 0)

    @property
    def parting(self) -> Happened | None:
        """The first outcome at which the plans differ in the case; None without one."""
        return None if self.case is None else self.case.parting

    def _repr_html_(self) -> str:
        """Show the page of the explanation in a notebook."""
        return shown_in_notebook(self)

    def _rounded(self, loss: Real) -> Real:
        is_rounding = abs(float(loss)) <= TIE * abs(float(self.best.value))
        return loss if loss and not is_rounding else 0


# Every argument past the second has a name and a default, so many do no harm.
def explain(  # noqa: PLR0913
    problem: Problem | Solution | OwnSpace,
    action: str,
    *,
    after: History = (),
    exact: bool = False,
    gap: float = 0.0,
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
        A problem, a state space of your own, which has no cases to show, or a solution
        of a problem, which is then not sought again. Where that had met a limit,
        what follows the action gets as much time, and where it is within a gap, that
        gap will do for what follows, unless said.
    action
        The action asked about.
    after
        What has happened by then: ``"a1=ok, a3=fail"``; any place that can be reached,
        on the plan or not.
    exact
        Compute with fractions instead of floats.
    gap
        Do with plans that no other can exceed by more than this share; then there are
        bounds instead of values.
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
    if not isinstance(problem, Problem | Solution):
        deadline = Deadline.after(time_limit_seconds)
        ends_own = deadline, memory_limit_bytes, progress, cancel or Event()
        return _in_own_space(_Planner(problem, exact, gap, *ends_own), action, after)
    whole, action = _problem_of(problem), a_text("the action", action)
    carried = carried_out(whole, after)
    solved = problem if isinstance(problem, Solution) else None
    limit = time_limit_seconds
    if limit is None and solved is not None and solved.status in _LIMITS:
        limit = max(solved.statistics.seconds.total, 1.0)
    ends = Deadline.after(limit), memory_limit_bytes, progress, cancel or Event()
    if not gap and solved is not None and solved.status is Status.WITHIN_GAP:
        gap = min(solved.relative_gap, 1.0)
    planner = _Planner(whole, exact, gap, *ends)
    earlier = solved.history if solved else ()
    objection = _objection(whole, earlier, carried, action)
    best = solved if solved and _is_reusable(solved, carried, exact=exact) else None
    if best is None:
        share = 1.0 if objection else _SHARE_OF_BEST
        best = planner.plan(carried.history, share=share)
    going_on = Continuation(best.tree, best.expected_reward, best.upper_bound)
    place = whole, (*earlier, *carried.history), action, going_on
    if objection:
        return Explanation(*place, objection=objection, status=best.status)
    other, statuses = _forced(planner, carried, whole, action)
    case, is_settled = None, True
    if action != best.first_action:
        plans = best.tree.root, other.tree.root
        case, is_settled = likeliest_advantage(whole, carried.state, plans)
    # The first status that is no proof, if there is one.
    unproven = (s for s in (best.status, *statuses) if s is not Status.OPTIMAL)
    status = next(unproven, Status.OPTIMAL)
    return Explanation(*place, other, "", status, case, is_settled)


@dataclass(slots=True)
class _Planner:
    """Finds plans one after another, within limits that they share."""

    problem: Problem | OwnSpace
    exact: bool
    gap: float
    deadline: Deadline
    memory_limit_bytes: int | None
    progress: Listener
    stop: Event

    def plan(self, history: Path, *, share: float) -> Solution:
        """Find the best plan after a history, in a share of the time left."""
        found = solve(
            self.problem,
            after=history,
            exact=self.exact,
            gap=self.gap,
            time_limit_seconds=self.deadline.time_limit_seconds(share),
            memory_limit_bytes=self.memory_limit_bytes,
            progress=self.progress,
            cancel=self.stop,
        )
        if found.status is Status.INTERRUPTED:
            # An interruption of one plan is meant for the others, too.
            self.stop.set()
        return found


class _Terms(NamedTuple):
    """An action at a place: what may come of it, and what it takes."""

    name: str
    chances: Mapping[str, Real]  # of the outcomes that can happen
    charge: Real
    reward: Real  # for stopping there


def _forced(
    planner: _Planner, carried: Carried, problem: Problem, name: str
) -> tuple[Continuation, list[Status]]:
    """Take an action of a problem whatever the best plan says."""
    state, number = carried.state, Fraction if planner.exact else float
    action, weight = problem.action(name), problem.charge_weight
    turn = turn_of(problem, action, state)
    extra = (
        each.probability * weight.times(action.outcome(label).cost)
        for label, each in turn.chances.items()
    )
    terms = _Terms(
        name,
        {label: number(each.probability) for label, each in turn.chances.items()},
        number(weight.times(turn.cost) + sum(extra)),
        number(reward_at(problem, state)),
    )
    return _taken(planner, carried.history, state, terms)


def _taken(
    planner: _Planner, history: Path, state: object, terms: _Terms
) -> tuple[Continuation, list[Status]]:
    """Find the best plans after an action, and join them."""
    chances = terms.chances
    found: dict[str, Solution] = {}
    for label in chances:
        after = (*history, Happened(terms.name, label))
        found[label] = planner.plan(after, share=1 / (len(chances) - len(found)))

    def mean(worths: Mapping[str, Real]) -> Real:
        total = sum(chances[label] * worth for label, worth in worths.items())
        return total - terms.charge

    value = mean({label: each.expected_reward for label, each in found.items()})
    bound = mean({label: each.upper_bound for label, each in found.items()})
    branches = tuple(Branch(label, chance, None) for label, chance in chances.items())
    first = Decision(terms.name, branches, value=value, reward=terms.reward)
    plans = {label: each.tree for label, each in found.items()}
    tree = _forced_plan(first, plans, state)
    return Continuation(tree, value, bound), [each.status for each in found.values()]


def _in_own_space(planner: _Planner, action: str, after: History) -> Explanation:
    """Explain why the best plan in a state space of one's own takes another action."""
    space, steps = own_space(planner.problem, naive=True), as_steps(after)
    state = state_after(space, steps)
    found = action_at(space, state, action)
    share = 1.0 if found is None else _SHARE_OF_BEST
    best = planner.plan(steps, share=share)
    going_on = Continuation(best.tree, best.expected_reward, best.upper_bound)
    if found is None:
        names = ", ".join(f"`{each.name}`" for each in space.actions(state))
        objection = f"what can be done there is {names or 'nothing'}"
        return Explanation(
            None, steps, action, going_on, objection=objection, status=best.status
        )
    number = exact_number if planner.exact else float
    chances = {t.outcome: number(t.probability) for t in found.transitions}
    terms = _Terms(
        action,
        {label: chance for label, chance in chances.items() if chance},
        number(found.charge),
        number(space.reward(state)),
    )
    other, statuses = _taken(planner, steps, state, terms)
    unproven = (s for s in (best.status, *statuses) if s is not Status.OPTIMAL)
    status = next(unproven, Status.OPTIMAL)
    return Explanation(
        None, steps, action, going_on, other, "", status, is_case_settled=False
    )


def _problem_of(asked: Problem | Solution) -> Problem:
    problem = asked.problem if isinstance(asked, Solution) else asked
    if problem is None:
        raise ValueError(
            "a solution does not know your state space\n    fix: give that instead: "
            "explain(space, action)"
        )
    return checked(problem)


def _objection(problem: Problem, earlier: Path, carried: Carried, action: str) -> str:
    """Return why an action cannot be taken; nothing where it can."""
    is_known = any(each.name == action for each in problem.actions)
    if not is_known and any(event.action == action for event in earlier):
        # What is left of a problem no longer has the actions that are used up.
        return ALREADY_DONE
    return objections(problem, carried.state).get(problem.action(action).name, "")


def _is_reusable(solution: Solution, carried: Carried, *, exact: bool) -> bool:
    """Whether a solution answers the very question: its place, numbers and aim."""
    is_other = solution.aim is not None or solution.adversary is not None
    return not (carried.history or is_other) and solution.is_exact is exact


class _After(NamedTuple):
    """A state of the plan that follows one outcome."""

    outcome: str
    key: Hashable


def _forced_plan(
    first: Decision, plans: Mapping[str, DecisionTree], state: object
) -> DecisionTree:
    """Join the plans that follow an action into one that begins with it."""
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
            Branch(label, probability, _After(label, plans[label].root.key))
            for label, probability, _ in first.branches
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
