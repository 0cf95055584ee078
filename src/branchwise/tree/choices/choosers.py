"""Choosers: what decides on the next action, and the tree of all that one chooses."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from operator import attrgetter
from typing import NamedTuple, Protocol

from branchwise.errors import PlanError, did_you_mean
from branchwise.model.execution.state import State
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import AvailableAction, Real
from branchwise.tree.alternatives import objections
from branchwise.tree.choices.policy import Branch, Decision, children_first
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.describing import SpaceStates
from branchwise.tree.progress import Listener, Progress, Stage

Choices = tuple[tuple[float, str | None], ...]
"""What may be done next and how likely it is chosen; None stands for stopping."""

Rule = Callable[[State], str | None]
"""Names the action to take at a state; None to stop."""


class Chooser(Protocol):
    """Decides on the next action, and may keep in mind where in a policy it is."""

    @property
    def start(self) -> Hashable:
        """What it has in mind at the beginning."""

    def choices(self, mind: Hashable, state: PackedState) -> Choices:
        """Return what it does next, by chance if need be."""

    def after(self, mind: Hashable, action: str, outcome: str) -> Hashable:
        """Return what it has in mind after an outcome."""


class Excerpt(NamedTuple):
    """What a chooser decides at some places."""

    start: Hashable
    decided: Mapping[tuple[Hashable, PackedState], Choices]
    # What it has in mind after each outcome; nothing where it keeps nothing in mind.
    minds: Mapping[Hashable, Mapping[str, int]]

    def choices(self, mind: Hashable, state: PackedState) -> Choices:
        """Return what it does next."""
        return self.decided[mind, state]

    def after(self, mind: Hashable, action: str, outcome: str) -> Hashable:
        """Return what it has in mind after an outcome."""
        return _child(self.minds[mind], action, outcome) if self.minds else None


def _child(children: Mapping[str, int], action: str, outcome: str) -> int:
    if outcome not in children:
        raise PlanError(f"the plan does not go on after `{action}={outcome}`")
    return children[outcome]


class PlanChooser:
    """Does what a plan says, of which nothing but the actions is used."""

    def __init__(self, tree: DecisionTree) -> None:
        self.start = 0
        self._policy = tree.policy
        # The states of a policy may be slow to compare, so they are numbered.
        self._keys = [tree.root.key]
        self._numbers = {tree.root.key: 0}
        self._choices: dict[Hashable, Choices] = {}
        self._children: dict[Hashable, dict[str, int]] = {}

    def choices(self, mind: Hashable, state: PackedState) -> Choices:  # noqa: ARG002
        """Do what the plan says."""
        if mind not in self._choices:
            self._look_up(mind)
        return self._choices[mind]

    def after(self, mind: Hashable, action: str, outcome: str) -> Hashable:
        """Go on in the plan."""
        return _child(self._children[mind], action, outcome)

    def excerpt(self, places: Iterable[tuple[Hashable, PackedState]]) -> Excerpt:
        """Return what the plan says at some places."""
        decided = {place: self.choices(*place) for place in places}
        minds = {mind: self._children[mind] for mind, _ in decided}
        return Excerpt(self.start, decided, minds)

    def _look_up(self, mind: Hashable) -> None:
        assert isinstance(mind, int)
        decision = self._policy[self._keys[mind]]
        self._choices[mind] = ((1.0, decision.action),)
        children = self._children[mind] = {}
        for outcome, _, key in decision.branches:
            if key not in self._numbers:
                self._numbers[key] = len(self._keys)
                self._keys.append(key)
            children[outcome] = self._numbers[key]


class _Forgetful:
    """Decides by the state alone."""

    start = None

    def after(self, mind: Hashable, action: str, outcome: str) -> Hashable:  # noqa: ARG002
        return None


class RuleChooser(_Forgetful):
    """Does what a function says, which is asked once for each state."""

    def __init__(self, space: ProblemSpace, rule: Rule) -> None:
        self._space = space
        self._rule = rule
        self._known: dict[PackedState, Choices] = {}

    def choices(self, mind: Hashable, state: PackedState) -> Choices:  # noqa: ARG002
        """Ask the rule, unless its answer is known."""
        known = self._known.get(state)
        if known is None:
            action = self._rule(self._space.describe(state))
            known = self._known[state] = ((1.0, action),)
        return known

    def excerpt(self, places: Iterable[tuple[Hashable, PackedState]]) -> Excerpt:
        """Return what the function names at some places."""
        decided = {place: self.choices(*place) for place in places}
        return Excerpt(self.start, decided, {})


class RandomChooser(_Forgetful):
    """Takes any action that is available, each as likely, as long as there is one."""

    def __init__(self, space: ProblemSpace) -> None:
        self._space = space

    def choices(self, mind: Hashable, state: PackedState) -> Choices:  # noqa: ARG002
        """Return every available action the same chance."""
        names = [action.name for action in self._space.actions(state)]
        return tuple((1 / len(names), name) for name in names) or ((1.0, None),)


def taken(
    space: ProblemSpace, state: PackedState, name: str
) -> AvailableAction[PackedState]:
    """Return an action that a policy takes at a state; it must be available there."""
    action = space.action(state, name)
    if action is None:
        names = ", ".join(f"`{each.name}`" for each in space.actions(state))
        fix = f"choose one of {names}, or None to stop" if names else "None, to stop"
        what = f"`{name}` is not available where the policy takes it"
        why = objection_to(space, state, name)
        raise PlanError(f"{what}: {space.describe(state)} ({why})\n    fix: {fix}")
    return action


def objection_to(space: ProblemSpace, state: PackedState, name: str) -> str:
    """Return in a few words why an action cannot be taken at a state."""
    known = [action.name for action in space.problem.actions]
    if name not in known:
        return f"the problem has no action of this name{did_you_mean(name, known)}"
    return objections(space.problem, space.describe(state))[name]


def check_stop(space: ProblemSpace, state: PackedState) -> None:
    """Refuse to stop where a problem must be finished and something can be done."""
    if space.may_stop(state):
        return
    if names := ", ".join(f"`{each.name}`" for each in space.actions(state)):
        what = "the policy stops where `finish` does not hold"
        fix = f"choose one of {names}"
        raise PlanError(f"{what}: {space.describe(state)}\n    fix: {fix}")


class _Key(NamedTuple):
    """A state of the policy: what the chooser has in mind, and what has happened."""

    mind: Hashable
    state: PackedState


def policy_tree(
    space: ProblemSpace,
    chooser: Chooser,
    most_states: int,
    progress: Listener,
    start: PackedState | None = None,
) -> DecisionTree | None:
    """Return the tree of a policy that leaves nothing to chance."""
    # The likeliest choices of the chooser count. None where there are more states than
    # asked for.
    root = _Key(chooser.start, space.root if start is None else start)
    charges: dict[Hashable, Real] = {}
    policy: dict[Hashable, Decision] = {}
    pending = [root]
    while pending:
        key = pending.pop()
        if key in policy:
            continue
        if len(policy) >= most_states:
            return None
        progress(Progress(Stage.SIMULATING, len(policy)))
        name = max(chooser.choices(*key), key=lambda choice: choice[0])[1]
        if name is None:
            check_stop(space, key.state)
        action = None if name is None else taken(space, key.state, name)
        branches = []
        for outcome, probability, state in action.transitions if action else ():
            child = _Key(chooser.after(key.mind, str(name), outcome), state)
            branches.append(Branch(outcome, probability, child))
            pending.append(child)
        charges[key] = action.charge if action else 0
        reward = space.reward(key.state)
        policy[key] = Decision(name, tuple(branches), reward, reward)
    for each in children_first(policy, root):
        decision = policy[each]
        if decision.action is not None:
            below = (b.probability * policy[b.state].value for b in decision.branches)
            policy[each] = decision._replace(value=sum(below) - charges[each])
    return DecisionTree(policy, root, SpaceStates(space, attrgetter("state")))
