"""5,000 problems through `auto`: it agrees with brute force, whatever stage it is in.

They are uniform, with every feature of the format; `test_gadgets.py` has 5,000 built
ones. `make fuzz FUZZ='--through auto'` does as many more as one likes.
"""

from itertools import groupby
from random import Random

import pytest

from branchwise import generate, solve
from branchwise.engine.canonical_run import TurnSizes
from branchwise.tree.progress import Stage
from oracles.auto_differences import drawn_sizes, first_auto_difference, in_turns
from oracles.quick_oracle import QuickOracle
from problems.gadgets import gadget_oracles
from problems.straight_problem import straight_problem
from problems.strategies import seeded_oracles

PORTIONS = 20
PORTION = 250
MOST_STATES = 40


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_5000_uniform_problems_agree_with_brute_force(portion):
    how = {"max_states": MOST_STATES, "brute_force": QuickOracle}
    for oracle in seeded_oracles(PORTION, f"auto {portion}", **how):
        assert first_auto_difference(oracle) is None, oracle.doc


def test_small_problems_come_to_every_stage():
    """Exploring is done first, or searching is, or exploring gives up."""
    reasons, most_turns = set(), 0
    for oracle in gadget_oracles(200, "stages"):
        stages = []
        found = in_turns(
            straight_problem(oracle.doc),
            drawn_sizes(Random(oracle.doc["name"])),
            progress=lambda now, stages=stages: stages.append(now.stage),
        )
        reasons.add(found.reason)
        most_turns = max(most_turns, len(list(groupby(stages))))

    assert "explored every canonical state" in reasons
    assert "searched best first, which was done sooner than exploring" in reasons
    assert any("as there are more than" in reason for reason in reasons)
    assert most_turns >= 4


def test_turns_of_a_few_states_break_each_other_off_many_times():
    problem, stages = generate(14, budget=8, seed=5), []

    found = in_turns(
        problem,
        TurnSizes(explored=1, searched=1),
        progress=lambda now: stages.append(now.stage),
    )

    turns = [stage for stage, _ in groupby(stages)]
    assert turns.count(Stage.SEARCHING) > 2
    assert found.tree.num_nodes == solve(problem).tree.num_nodes
