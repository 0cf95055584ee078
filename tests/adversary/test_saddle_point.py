"""The worst case is a saddle point: linear programs of either side give its value."""

import json
import math

import highspy
import pytest

from branchwise import Adversary, read_text, solve
from branchwise.reference.full_graph import naive_full_graph
from branchwise.reference.worst_case import worst_case_graph
from branchwise.space.problem_space import ProblemSpace
from oracles.robust_oracle import RobustOracle
from problems.robust_documents import robust_documents


def least(num_columns, rows, costs):
    """Solve min costs x; a row is its coefficients by column, and low and high."""
    program = highspy.Highs()
    program.setOptionValue("output_flag", False)
    for column in range(num_columns):
        program.addVar(-math.inf, math.inf)
        program.changeColCost(column, costs[column])
    for coefficients, low, high in rows:
        columns, numbers = [*coefficients], [*coefficients.values()]
        program.addRow(low, high, len(columns), columns, numbers)
    program.run()
    assert program.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return program.getInfo().objective_function_value


def planner_program(problem, deviations):
    """
    Min V(root), V(s) >= rho(s), V(s) >= E V - charge for every action there is.

    The adversary's choices are fixed, so the planner alone decides.
    """
    space = ProblemSpace(problem, has_adversary=True)
    graph = worst_case_graph(naive_full_graph(space), deviations)
    places = {state: place for place, state in enumerate(graph.rewards)}
    rows = []
    for state, place in places.items():
        rows.append(({place: 1.0}, graph.rewards[state], math.inf))
        for action in graph.actions[state]:
            row = {place: 1.0}
            for _, probabilities, child in action.transitions:
                row[places[child]] = row.get(places[child], 0.0) - probabilities
            rows.append((row, -action.charge, math.inf))
    costs = [float(state == graph.root) for state in places]
    return least(len(places), rows, costs)


def adversary_program(oracle, tree):
    """
    Max w(root), w(s) <= E w - charge at every vertex of the action's probabilities.

    The plan is fixed, so the adversary alone decides; without limit on the deviations.
    """
    places, rows = {}, []

    def place(key, state):
        if (key, state) in places:
            return places[key, state]
        here = places[key, state] = len(places)
        decision = tree.policy[key]
        if decision.action is None:
            rows.append(({here: 1.0}, -math.inf, float(oracle.reward(state))))
            return here
        step, nominal, probabilities = next(
            entry for entry in oracle.steps(state) if entry[0].action == decision.action
        )
        keys = {b.outcome: b.state for b in decision.branches}
        labels = list(oracle.actions[step.action]["outcomes"])
        given = [
            c
            for c in oracle.actions[step.action].get("given", [])
            if oracle.holds(c["when"], state)
        ]
        if given and "outcomes" in given[0]:
            labels = list(given[0]["outcomes"])
        children = {i: place(keys[labels[i]], s) for i, s in step.children.items()}
        paid = sum(w * c for w, c in zip(oracle.weights, step.cost, strict=True))
        for vertex in [nominal, *probabilities]:
            row = {here: 1.0}
            for i, child in children.items():
                row[child] = row.get(child, 0) - float(vertex[i])
            rows.append((row, -math.inf, float(-paid)))
        return here

    root = place(tree.root.key, oracle.root)
    costs = [-1.0 if i == root else 0.0 for i in range(len(places))]
    return -least(len(places), rows, costs)


def test_both_sides_linear_programs_give_the_worst_case():
    for document in robust_documents(40, "saddle", max_states=60, max_actions=4):
        problem = read_text(json.dumps(document), format="json")
        solution = solve(problem, adversary=Adversary())
        value = pytest.approx(solution.expected_reward, abs=1e-6)
        assert planner_program(problem, math.inf) == value, document["name"]
        oracle = RobustOracle(document)
        assert adversary_program(oracle, solution.tree) == value, document["name"]


def test_with_few_deviations_the_planner_program_gives_the_worst_case():
    for document in robust_documents(30, "few strikes", max_states=60, max_actions=4):
        problem = read_text(json.dumps(document), format="json")
        for gamma in (0, 1, 2):
            value = solve(problem, adversary=Adversary(gamma)).expected_reward
            found = planner_program(problem, gamma)
            assert found == pytest.approx(value, abs=1e-6), document["name"]
