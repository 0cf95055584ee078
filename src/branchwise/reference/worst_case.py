"""The worst case: the full graph as an adversary makes it, deviation by deviation."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from branchwise.reference.full_graph import FullGraph
from branchwise.reference.reduced_graph import action_score, tie_tolerance
from branchwise.space.state_space import AvailableAction, Real, Transition
from branchwise.tree.progress import Listener, Progress, Stage, silent

S = TypeVar("S", bound=Hashable)


class Faced(NamedTuple, Generic[S]):
    """A state, and how many deviations the adversary has left."""

    state: S  # The state of the space
    deviations: int | float  # A whole number, or infinity


class OutcomeCost(NamedTuple):
    """What an outcome adds where it comes about; actions have the mean of it."""

    cost: Real
    charge: Real


OutcomeCosts = Mapping[tuple[str, str], OutcomeCost]
"""By action and outcome; of others, nothing."""

_FREE: Final = OutcomeCost(0, 0)
_NO_COSTS: Final[OutcomeCosts] = {}


def worst_case_graph(
    graph: FullGraph[S],
    deviations: int | float,
    progress: Listener = silent,
    costs: OutcomeCosts = _NO_COSTS,
) -> FullGraph[Faced[S]]:
    """Return the full graph with the probabilities that the adversary chooses."""
    # V(s, g) = max(rho(s), max over actions of min(at nominal probabilities with g
    # deviations left, at the worst ones with g - 1)), children first. Once it is known
    # what the adversary chooses, it is a graph like any other: its scores are V, and
    # its best tree is the plan that fares best in the worst case.
    layers = [deviations] if deviations == float("inf") else range(int(deviations) + 1)
    tolerance = tie_tolerance(graph.rewards.values())
    worst: FullGraph[Faced[S]] = FullGraph(Faced(graph.root, deviations))
    value: dict[Faced[S], Real] = {}
    for state in graph.children_first():
        for left in layers:
            here = Faced(state, left)
            actions = graph.actions[state]
            answers = [answered(a, left, value, tolerance, costs) for a in actions]
            options = [action_score(answer, value) for answer in answers]
            worst.rewards[here] = graph.rewards[state]
            worst.actions[here] = tuple(answers)
            value[here] = max([graph.rewards[state], *options])
        progress(Progress(Stage.FULL_GRAPH, len(value)))
    return worst


def answered(
    action: AvailableAction[S],
    deviations: int | float,
    value: dict[Faced[S], Real],
    tolerance: float,
    costs: OutcomeCosts = _NO_COSTS,
) -> AvailableAction[Faced[S]]:
    """Return an action with the probabilities that the adversary answers it with."""
    chances = [t.probability for t in action.transitions]
    nominal = _led_to(action, chances, deviations, costs)
    if action.spread is None or deviations == 0:
        return nominal
    values = [value[Faced(t.state, deviations - 1)] for t in action.transitions]
    terms = [costs.get((action.name, t.outcome), _FREE) for t in action.transitions]
    values = [v - term.charge for v, term in zip(values, terms, strict=True)]
    probabilities = action.spread.worst(values, tolerance)
    worst = _led_to(action, probabilities, deviations - 1, costs)
    harm = action_score(nominal, value) - action_score(worst, value)
    return worst if harm > tolerance else nominal


def _led_to(
    action: AvailableAction[S],
    probabilities: Sequence[Real],
    deviations: int | float,
    costs: OutcomeCosts,
) -> AvailableAction[Faced[S]]:
    transitions = tuple(
        Transition(t.outcome, probability, Faced(t.state, deviations))
        for t, probability in zip(action.transitions, probabilities, strict=True)
    )
    cost, charge = action.cost, action.charge
    # Of what outcomes cost, these have the mean.
    for old, new in zip(action.transitions, probabilities, strict=True):
        term = costs.get((action.name, old.outcome), _FREE)
        cost += (new - old.probability) * term.cost
        charge += (new - old.probability) * term.charge
    return AvailableAction(action.name, transitions, cost, charge, action.spread)
