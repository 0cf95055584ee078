"""Secondary objectives: which of the optimal trees to prefer."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from branchwise.model.arguments import a_function
from branchwise.space.state_space import AvailableAction, Real
from branchwise.tree.objectives import OBJECTIVE_NAMES, checked_objective

Children = Sequence[tuple[Real, Any]]
"""For each outcome its probability, and the objective's value at the child."""

Considered = AvailableAction[Any] | None
"""An action that is optimal at a state; None where the plan stops."""

Objective = Callable[[Any, Considered, Children], Any]
"""
f(s), to be minimized: called with a state, an action considered there and, for each of
its outcomes, the probability and f of the child.
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


def is_named(objective: Objective) -> bool:
    """Whether an objective is one of ours, and not a function of yours."""
    return any(objective is known for known in OBJECTIVES.values())


def objective_named(prefer: str | Objective) -> tuple[str, Objective]:
    """Find an objective by its name; a function of yours keeps its own."""
    if not isinstance(prefer, str):
        a_function(f"prefer, if not one of {', '.join(OBJECTIVES)},", prefer)
        return getattr(prefer, "__name__", "your function"), prefer
    return prefer, OBJECTIVES[checked_objective(prefer)]
