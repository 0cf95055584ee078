"""Getting stuck: whether a plan that must finish can be sure to."""

import math
from collections.abc import Hashable
from typing import TypeVar

from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.stuck import stuck_error
from branchwise.reference.full_graph import FullGraph
from branchwise.space.state_space import Real

S = TypeVar("S", bound=Hashable)


def check_finish(graph: FullGraph[S], phi: dict[S, Real]) -> None:
    """Refuse a problem in which every plan may get stuck, if that must not happen."""
    if phi[graph.root] > -math.inf:
        return
    state, way = graph.root, []
    while actions := graph.actions[state]:
        # Whatever is done at such a state, some outcome leads to another one.
        action = actions[0]
        outcome, _, state = next(
            t for t in action.transitions if phi[t.state] == -math.inf
        )
        way.append(Happened(action.name, outcome))
    raise stuck_error(way)
