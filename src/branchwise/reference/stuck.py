"""Getting stuck: where a plan must finish, and may come to where it cannot."""

import math
from collections.abc import Hashable
from typing import TypeVar

from branchwise.errors import ProblemError
from branchwise.model.conditions.condition import Happened
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
        way.append(str(Happened(action.name, outcome)))
    after = f"after {', '.join(way)}" if way else "at the start"
    raise ProblemError.of(
        "finish",
        f"every plan may get stuck: {after} nothing can be done, and `finish` does not "
        "hold",
        "say what that counts as, with `unfinished: AMOUNT`, or add an action that can "
        "always be taken",
    )
