"""Preferences: which of the optimal trees to take, and what breaks their ties."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from branchwise.errors import did_you_mean
from branchwise.model.arguments import a_function
from branchwise.model.conditions.condition import quoted
from branchwise.model.conditions.condition_text import ConditionSyntaxError, parse_names
from branchwise.model.numbers.number import TIE
from branchwise.model.problem import Problem
from branchwise.records import dataclass
from branchwise.space.state_space import AvailableAction, Real
from branchwise.tree.choices.objectives import OBJECTIVE_NAMES, checked_objective

Children = Sequence[tuple[Real, Any]]
"""For each outcome its probability, and the objective's value at the child."""

Considered = AvailableAction[Any] | None
"""An action that is optimal at a state; None where the plan stops."""

Objective = Callable[[Any, Considered, Children], Any]
"""
f(s), to be minimized: called with a state, an action considered there and, for each of
its outcomes, the probability and f of the child.
"""

Prefer = str | Objective | Sequence[str]
"""
A named objective, ``random`` or ``random=SEED``, an order of actions as ``order=b, a``
or as a list of names, or a function of your own.
"""

Leader = Callable[[Sequence[str]], str]
"""
Called with the optimal actions that make a difference at a state, in the problem's
order; returns the one to take.
"""


def fewest_nodes(_state: Any, _action: Considered, children: Children) -> int:
    """Count the nodes of the tree (Equation 9)."""
    # The paper's equation forgets the node itself; its worked table (7 against 3) does
    # not, and neither do we.
    below: int = sum(nodes for _, nodes in children)
    return 1 + below


def least_depth(_state: Any, _action: Considered, children: Children) -> int:
    """Count the most actions taken one after another."""
    return max((1 + depth for _, depth in children), default=0)


def least_expected_cost(_state: Any, action: Considered, children: Children) -> Real:
    """Compute the expected cost, all resources added up."""
    spent: Real = action.cost if action else 0
    return sum((probability * cost for probability, cost in children), spent)


def fewest_expected_actions(
    _state: Any, action: Considered, children: Children
) -> Real:
    """Compute the expected number of actions."""
    taken: Real = 1 if action else 0
    return sum((probability * count for probability, count in children), taken)


def order(_state: Any, _action: Considered, _children: Children) -> int:
    """Leave the choice to the order of the actions in the problem."""
    # The first optimal action that makes a difference is taken: one of its outcomes
    # that can happen leads to a state with another score. Where none does, the fewest
    # nodes decide.
    return 0


OBJECTIVES: Final[Mapping[str, Objective]] = dict(
    zip(
        OBJECTIVE_NAMES,
        (
            fewest_nodes,
            least_depth,
            least_expected_cost,
            fewest_expected_actions,
            order,
        ),
        strict=True,
    )
)


class Rank(NamedTuple):
    """How good a tree is by a preference; less is better."""

    worth: Any  # What the objective says
    nodes: int  # The number of nodes of the tree; 0 where they do not count


@dataclass(frozen=True, slots=True)
class Preference:
    """
    A secondary objective with what breaks its ties.

    Of trees that are the same by the objective, one with the fewest nodes is preferred,
    and then the first action in the order of the problem. So an action that changes
    nothing, which another engine may leave out, is never taken: without it the tree has
    fewer nodes and is as good in all else.

    Parameters
    ----------
    name
        What the solution calls it.
    objective
        What is to be least.
    leader
        Who chooses among the actions that make a difference, where there are any; None
        where the objective alone decides.
    order
        The actions that were named in an order, for `check`.

    Examples
    --------
    >>> Preference.of("random").name, Preference.of(["b", "a c"]).name
    ('random=0', 'order=b, "a c"')
    """

    name: str
    objective: Objective
    leader: Leader | None = None
    order: tuple[str, ...] = ()

    @classmethod
    def of(cls, prefer: Prefer) -> Preference:
        """Return what is meant; a function of yours keeps its name."""
        if isinstance(prefer, str):
            return cls._named(prefer)
        if isinstance(prefer, Iterable):
            return cls._in_order(tuple(prefer))
        for name, known in OBJECTIVES.items():
            if prefer is known:
                return cls._named(name)
        a_function(f"prefer, if not one of {', '.join(OBJECTIVES)},", prefer)
        return cls(getattr(prefer, "__name__", "your function"), prefer)

    @classmethod
    def _named(cls, prefer: str) -> Preference:
        kind, equals, rest = (part.strip() for part in prefer.partition("="))
        if kind == "random" and bool(equals) == bool(rest):
            return cls(f"random={rest or 0}", fewest_nodes, _drawn(rest or "0"))
        if kind == "order" and equals:
            return cls._in_order(_names(rest))
        name = checked_objective(prefer)
        if name == "order":
            return cls(name, fewest_nodes, lambda names: names[0])
        return cls(name, OBJECTIVES[name])

    @classmethod
    def _in_order(cls, names: tuple[Any, ...]) -> Preference:
        for name in names:
            if not isinstance(name, str):
                raise TypeError(f"an order is of names of actions, not {name!r}")
        places = {name: place for place, name in reversed([*enumerate(names)])}

        def first(found: Sequence[str]) -> str:
            return min(found, key=lambda name: places.get(name, len(names)))

        shown = ", ".join(map(quoted, names))
        return cls(f"order={shown}", fewest_nodes, first, names)

    def check(self, problem: Problem) -> None:
        """Refuse an order that names what is no action."""
        actions = [action.name for action in problem.actions]
        for name in self.order:
            if name not in actions:
                hint = did_you_mean(name, actions)
                raise ValueError(f"prefer: there is no action `{name}`{hint}")

    @property
    def is_in_core(self) -> bool:
        """Whether it is one of the objectives that every engine knows."""
        return self.name in OBJECTIVE_NAMES and not self.is_own

    @property
    def is_own(self) -> bool:
        """Whether the objective is a function of yours."""
        return not any(self.objective is known for known in OBJECTIVES.values())

    def rank(self, state: Any, action: Considered, children: Children) -> Rank:
        """Return the rank of a tree from the ranks of its children."""
        worths = [(probability, rank.worth) for probability, rank in children]
        nodes = 0
        if self.objective is not fewest_nodes:
            below = [(probability, rank.nodes) for probability, rank in children]
            nodes = fewest_nodes(state, action, below)
        return Rank(self.objective(state, action, worths), nodes)

    @staticmethod
    def is_better(rank: Rank, other: Rank) -> bool:
        """Whether a tree is preferred to another."""
        if _is_less(rank.worth, other.worth):
            return True
        return not _is_less(other.worth, rank.worth) and rank.nodes < other.nodes


def _names(text: str) -> tuple[str, ...]:
    try:
        return parse_names(text)
    except ConditionSyntaxError:
        raise ValueError(
            f"`{text}` is no order of actions; write names such as `order=b, a`, one "
            "with spaces in quotes"
        ) from None


def _drawn(seed: str) -> Leader:
    """Return who draws one of several actions: always the same of the same ones."""
    from random import Random  # noqa: PLC0415  # hardly ever asked for

    def drawn(names: Sequence[str]) -> str:
        return Random("\n".join([seed, *names])).choice(names)

    return drawn


def _is_less(value: Any, other: Any) -> bool:
    """Compare values of an objective; rounding does not make a float smaller."""
    if isinstance(value, float) and isinstance(other, float):
        return value < other - TIE * max(abs(value), abs(other))
    return bool(value < other)
