"""The decision tree: what to do first, and what to do next whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cached_property, reduce
from typing import Any

from branchwise.errors import PlanError
from branchwise.model.arguments import a_kind, shown_in_notebook
from branchwise.model.budget import Budget
from branchwise.model.conditions.condition import Happened
from branchwise.model.conditions.condition_text import parse_history
from branchwise.model.execution.state import State
from branchwise.model.problem import Problem
from branchwise.records import dataclass
from branchwise.space.state_space import Real
from branchwise.tree.alternatives import (
    OF_NO_USE,
    Alternative,
    alternatives,
    objections,
)
from branchwise.tree.choices.policy import (
    KnownPolicy,
    Policy,
    Shape,
    Weighing,
    children_first,
    shape,
)
from branchwise.tree.describing import Describe, Path, as_it_is

__all__ = ["DecisionTree", "Describe", "Node", "Path", "checked_tree"]


_MAPPING: Any = Mapping


class DecisionTree:
    """
    A plan that says what to do next whatever happens.

    The tree is unrolled as it is walked: a policy with few states may have a tree of
    more nodes than any memory holds, and is still measured, asked and shown.

    Parameters
    ----------
    policy
        A decision for every state the plan can come to. Where it is `Weighing`, nodes
        know what else could be done.
    root
        The state to start from.
    describe
        Turns a state of the policy, and what has happened on the way there, into what
        `Node.state` shows; for a problem, a `State`.
    known_shape
        The number of nodes and leaves and the depth, where these are known.
    problem
        What the plan is for; None for a state space of your own.
    """

    def __init__(
        self,
        policy: Policy,
        root: Hashable,
        describe: Describe = as_it_is,
        known_shape: Shape | None = None,
        *,
        problem: Problem | None = None,
    ) -> None:
        a_kind("the policy", policy, _MAPPING, "take `solution.tree`")
        self.policy = policy
        self.describe = describe
        self._weighing = policy if isinstance(policy, Weighing) else None
        self.problem = problem
        self._known_shape = known_shape
        self.root = Node(self, root, probability=1, outcome=None, parent=None)

    def __repr__(self) -> str:
        first = self.root.action
        return (
            f"<DecisionTree: {'stop at once' if first is None else f'{first} first'}>"
        )

    def _repr_html_(self) -> str:
        """Show the likely part of the tree in a notebook."""
        return shown_in_notebook(self)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is known without the engine that found the plan."""
        root = self.root.key
        keys = list(children_first(self.policy, root))
        return {
            "policy": KnownPolicy(
                {key: self.policy[key] for key in keys},
                {key: self.considered(key) for key in keys},
            ),
            "root": root,
            "describe": self.describe,
            "known_shape": self._known_shape,
            "problem": self.problem,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def considered(self, state: Hashable) -> tuple[Alternative, ...] | None:
        """Return all actions that the engine weighed at a state, where it can tell."""
        return None if self._weighing is None else self._weighing.considered(state)

    @cached_property
    def shape(self) -> Shape:
        """The number of nodes and leaves, and the depth."""
        return self._known_shape or shape(self.policy, self.root.key)

    @property
    def num_nodes(self) -> int:
        """The number of decisions and leaves."""
        return self.shape.nodes

    @property
    def num_leaves(self) -> int:
        """The number of leaves: the ways it may end."""
        return self.shape.leaves

    @property
    def depth(self) -> int:
        """The most actions taken one after another."""
        return self.shape.depth

    def described_by(self, describe: Describe, problem: Problem) -> DecisionTree:
        """
        Return the same tree with states that are described in another way.

        Parameters
        ----------
        describe
            As for a tree.
        problem
            The problem that these states are of.
        """
        return DecisionTree(
            self.policy, self.root.key, describe, self._known_shape, problem=problem
        )

    def walk(self) -> Iterator[Node]:
        """Return every node, each before its children, in the order of the outcomes."""
        pending = [self.root]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(list(node.children.values())))

    def leaves(self) -> Iterator[Node]:
        """Return the nodes where the plan stops."""
        return (node for node in self.walk() if node.is_leaf)

    def after(self, *history: str) -> Node:
        """
        Find where the plan stands after what has happened.

        Parameters
        ----------
        history
            Outcomes such as ``"a1=ok"`` or ``"a1=ok, a3=fail"``. The order does not
            matter unless an action was taken more than once.
        """
        pending = [event for text in history for event in parse_history(text)]
        node = self.root
        while pending:
            event = next((e for e in pending if e.action == node.action), None)
            if event is None:
                raise PlanError(_off_plan(node, pending[0]))
            pending.remove(event)
            node = node.child(event.outcome)
        return node

    def action_after(self, *history: str) -> str | None:
        """Return what to do after what has happened; None means stop."""
        return self.after(*history).action


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """
    One point of the plan: a decision, or a leaf.

    Parameters
    ----------
    tree
        The tree it belongs to.
    key
        Its state in the policy.
    probability
        How likely the plan comes here.
    outcome
        The outcome that led here; None at the root.
    parent
        The node above; None at the root.
    """

    tree: DecisionTree
    key: Hashable
    probability: Real
    outcome: str | None
    parent: Node | None

    @property
    def action(self) -> str | None:
        """The action to take here; None where the plan stops."""
        return self.tree.policy[self.key].action

    @property
    def value(self) -> Real:
        """The expected reward from here on."""
        return self.tree.policy[self.key].value

    @property
    def reward(self) -> Real:
        """The reward for stopping here."""
        return self.tree.policy[self.key].reward

    @property
    def has_deviation(self) -> bool:
        """Whether an adversary deviates from the nominal probabilities here."""
        return self.tree.policy[self.key].has_deviation

    @property
    def nominal(self) -> Mapping[str, Real]:
        """The nominal probabilities of the outcomes, whatever an adversary does."""
        decision = self.tree.policy[self.key]
        labels = (branch.outcome for branch in decision.branches)
        return dict(zip(labels, decision.nominal, strict=True))

    @property
    def is_leaf(self) -> bool:
        """Whether the plan stops here."""
        return self.action is None

    @property
    def state(self) -> Any:
        """What has happened and what is left: a `State`, or your own space's."""
        return self.tree.describe(self.key, self.path)

    @property
    def budget_left(self) -> Budget | None:
        """What is left of each resource; None in a state space of your own."""
        state = self.state
        return state.left if isinstance(state, State) else None

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """What else could be done here, best first; none where that is not known."""
        return alternatives(self.tree.considered(self.key) or (), self.action)

    @property
    def objections(self) -> Mapping[str, str]:
        """Why the other actions of the problem are no alternatives, by action."""
        problem, state = self.tree.problem, self.state
        if problem is None or not isinstance(state, State):
            return {}
        found = objections(problem, state)
        considered = self.tree.considered(self.key)
        if considered is not None:
            known = {option.action for option in considered} | {self.action}
            for action in problem.actions:
                if action.name not in known:
                    found.setdefault(action.name, OF_NO_USE)
        return found

    @property
    def children(self) -> Mapping[str, Node]:
        """The nodes below, by outcome."""
        tree, here = self.tree, self.probability
        branches = tree.policy[self.key].branches
        return {o: Node(tree, state, here * p, o, self) for o, p, state in branches}

    def child(self, outcome: str) -> Node:
        """Go on to what follows an outcome."""
        children = self.children
        if outcome not in children:
            known = ", ".join(f"`{label}`" for label in children) or "none: it stops"
            message = f"`{self.action}` cannot come out as `{outcome}` here; "
            raise PlanError(f"{message}its outcomes are {known}")
        return children[outcome]

    @property
    def path(self) -> Path:
        """What has happened on the way here, in order."""
        events = []
        node = self
        while node.parent is not None:
            assert node.parent.action is not None
            assert node.outcome is not None
            events.append(Happened(node.parent.action, node.outcome))
            node = node.parent
        return tuple(reversed(events))

    def __reduce__(self) -> tuple[Callable[..., Node], tuple[object, ...]]:
        # Not node by node, as trees may be thousands of actions deep.
        outcomes = [event.outcome for event in self.path]
        return _node_after, (self.tree, outcomes)

    def __repr__(self) -> str:
        history = ", ".join(str(event) for event in self.path) or "the start"
        what = f"stop with {self.reward}" if self.is_leaf else f"do {self.action}"
        return f"<Node after {history}: {what}>"


def checked_tree(tree: DecisionTree) -> DecisionTree:
    """Return a tree as it is; refuse what is none."""
    return a_kind("the tree", tree, DecisionTree, "take `solution.tree`")


def _node_after(tree: DecisionTree, outcomes: list[str]) -> Node:
    return reduce(Node.child, outcomes, tree.root)


def _off_plan(node: Node, event: Happened) -> str:
    history = ", ".join(str(happened) for happened in node.path) or "the start"
    does = "stops" if node.is_leaf else f"does `{node.action}`"
    return f"after {history} the plan {does}; it never comes to `{event}`"
