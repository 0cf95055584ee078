"""All optimal plans at once: as many states as the engine counts, and drawn once."""

from random import Random

import pytest

from branchwise.errors import LimitError, ProblemError
from branchwise.formats.read import read, read_text
from branchwise.generator.generate import generate
from branchwise.program.reduced_plans import optimal_plans
from branchwise.report.answer import render
from branchwise.solver import solve
from pages import ROOT
from problems.held_problems import FINISH, PARTS, held_problems
from test_wide_doors import REPAIR


def names(plans, state):
    return [plans.graph.action_name(option) for option in plans.options[state]]


def test_the_paper_s_example_may_start_with_either_of_two_actions():
    """Both a1 and a2 open what follows, and there is budget for both."""
    plans = optimal_plans(read(ROOT / "examples" / "illustrative.yaml"))

    assert names(plans, 0) == ["a1", "a2"]
    assert plans.scores[0] == pytest.approx(8.43672)


def test_there_are_as_many_states_as_the_engine_counts():
    """The engine reduces its graph in C++, with scores of its own."""
    draw = Random(5)
    for seed in range(12):
        problem = generate(
            draw.randint(5, 11),
            budget=draw.randint(3, 7),
            seed=seed,
            preclusions=0.3,
            conditioning=0.3,
        )
        solution = solve(problem, search="exhaustive")
        plans = optimal_plans(problem, most_states=10**6)

        assert len(plans.options) == solution.statistics.reduced_graph_states
        assert plans.scores[0] == pytest.approx(float(solution.expected_reward))
        assert solution.first_action in [*names(plans, 0), None]


def test_a_picture_has_every_state_once(tmp_path):
    plans = optimal_plans(read(ROOT / "examples" / "illustrative.yaml"))
    render(plans, tmp_path / "plans.svg")

    drawn = (tmp_path / "plans.svg").read_text(encoding="utf-8")
    decided = [state for state, options in plans.options.items() if options]
    assert drawn.count('class="bw-box"') == len(decided)
    assert drawn.count("3 best actions") == 1


def test_what_is_too_large_is_refused_with_the_reason():
    with pytest.raises(
        LimitError, match="they have 214 states, and a picture has room"
    ):
        optimal_plans(generate(25, budget=12, seed=5))


@pytest.mark.parametrize("parts", [PARTS, ["hidden", FINISH]])
def test_where_states_hold_more_there_are_as_many_as_the_engine_counts(parts):
    num_drawn = 0
    for problem in held_problems(12, f"plans {len(parts)}", parts):
        try:
            solution = solve(problem, search="exhaustive", verify=False)
        except ProblemError:  # Every plan may get stuck.
            with pytest.raises(ProblemError, match="every plan may get stuck"):
                optimal_plans(problem)
            continue
        plans = optimal_plans(problem, most_states=10**6)

        assert len(plans.options) == solution.statistics.reduced_graph_states
        worth = plans.scores[0] + plans.graph.root_gain
        assert worth == pytest.approx(float(solution.expected_reward))
        num_drawn += 1
    assert num_drawn >= 5


def test_least_costs_are_drawn_as_costs(tmp_path):
    """By hand: 4 with 0.8, and 8 with 0.2."""
    render(optimal_plans(read_text(REPAIR, "yaml")), tmp_path / "plans.svg")

    drawn = (tmp_path / "plans.svg").read_text(encoding="utf-8")
    assert "costs 4.8<" in drawn
    assert "works: stop<" in drawn
