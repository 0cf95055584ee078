"""Algorithm 2 and Equation 6 against the paper's worked table of pruned actions."""

import pytest

from branchwise.reference.rewarding_sets import RewardingSetPruning
from branchwise.rewarding.enumerate import list_sets
from branchwise.space.problem_space import ProblemSpace
from problems.paper import illustrative

# The paper's table "Illustrative example - Pruning": the path to a state, the actions
# available there, its rewarding sets, and the actions left after pruning.
PRUNING = {
    (): (
        {"a1", "a2", "a3"},
        ["a1 a4 a5", "a1 a2 a4 a6", "a2 a3 a4 a6", "a3 a7"],
        {"a1", "a2", "a3"},
    ),
    ("a1=1",): ({"a2", "a3"}, ["a2 a3 a4 a6", "a3 a7"], {"a2", "a3"}),
    ("a1=2",): (
        {"a2", "a3", "a4"},
        ["a4 a5", "a2 a4 a6", "a2 a3 a4 a6", "a3 a7"],
        {"a2", "a3", "a4"},
    ),
    ("a1=2", "a4=1"): ({"a2", "a3"}, ["a3 a7"], {"a3"}),
    ("a1=2", "a4=2"): (
        {"a2", "a3", "a5"},
        ["a5", "a2 a6", "a2 a3 a6", "a3 a7"],
        {"a2", "a3", "a5"},
    ),
}


@pytest.mark.parametrize("path", PRUNING, ids=" ".join)
def test_actions_are_pruned_as_in_the_worked_table(path):
    space = ProblemSpace(illustrative())
    found = list_sets(space)
    pruning = RewardingSetPruning(space, found)
    state, sets = space.root, pruning.root()
    for event in path:
        name, outcome = event.split("=")
        action = next(a for a in space.actions(state) if a.name == name)
        state = next(t.state for t in action.transitions if t.outcome == outcome)
        sets = pruning.child(sets, name, outcome, state)

    available = {action.name for action in space.actions(state)}
    listed = [
        " ".join(o.action for o in found.terms.outcomes if found.terms.bits[o] & needs)
        for needs, _, _ in sets
    ]
    kept = {name for name in available if pruning.keeps(sets, name)}

    assert (available, sorted(listed), kept) == (
        PRUNING[path][0],
        sorted(PRUNING[path][1]),
        PRUNING[path][2],
    )
