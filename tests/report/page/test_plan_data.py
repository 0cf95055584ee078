"""The data of the page: the policy, whole or the likely part, and safe in a script."""

import json
from itertools import pairwise

import pytest

from branchwise.formats.read import read_text
from branchwise.generator.generate import generate
from branchwise.report.page.plan_data import plan_document, script_json
from branchwise.solver import solve
from branchwise.tree.alternatives import Alternative, Prospect
from branchwise.tree.decision_tree import Node
from problems.hostile_names import HOSTILE
from problems.stand_ins import branching, solution_of, steps, tosses


def unrolled(document):
    """Give the tree that the data describes, as nested tuples."""
    states, branches = document["states"], document["branches"]

    def below(state):
        number = states["action"][state]
        inside = range(states["start"][state], states["start"][state + 1])
        return (
            None if number < 0 else document["names"][number],
            states["value"][state],
            states["reward"][state],
            *(
                (
                    document["names"][branches["outcome"][index]],
                    branches["probabilities"][index],
                    below(branches["state"][index]),
                )
                for index in inside
            ),
        )

    return below(0)


def expected(node):
    return (
        node.action,
        pytest.approx(node.value),
        pytest.approx(node.reward),
        *(
            (outcome, pytest.approx(branch.probability), expected(child))
            for (outcome, child), branch in zip(
                node.children.items(), node.tree.policy[node.key].branches, strict=True
            )
        ),
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_data_is_the_tree(seed):
    solution = solve(generate(10, budget=6, seed=seed))

    assert unrolled(plan_document(solution)) == expected(solution.tree.root)


def test_counts_nodes_and_places_without_unrolling():
    """Forty tosses, one state each: toss 1 stands at 2 ** 39 places of the tree."""
    document = plan_document(solution_of(tosses(40)))

    assert document["states"]["size"][:2] == [2**41 - 1, 2**40 - 1]
    assert document["states"]["places"][-2:] == [2**39, 2**40]
    assert len(script_json(document)) < 10_000


def test_counts_that_javascript_cannot_hold_are_written():
    document = plan_document(solution_of(tosses(100)))

    assert document["states"]["size"][0] == "about 2.54e+30"


def test_a_state_comes_after_those_that_lead_to_it():
    document = plan_document(solve(generate(12, budget=7, seed=2)))

    states, branches = document["states"], document["branches"]
    for state in range(len(states["action"])):
        for index in range(states["start"][state], states["start"][state + 1]):
            assert branches["state"][index] > state


def test_the_likeliest_way_leads_to_each_state():
    solution = solve(generate(12, budget=7, seed=2))
    document = plan_document(solution)
    likeliest = {}
    for node in solution.tree.walk():
        likeliest[node.key] = max(likeliest.get(node.key, 0), node.probability)

    states, branches = document["states"], document["branches"]
    found = [1.0]
    for state in range(1, len(states["action"])):
        before, by = states["before"][state], states["by"][state]
        index = states["start"][before] + by
        assert branches["state"][index] == state
        found.append(found[before] * branches["probabilities"][index])
    assert sorted(found) == pytest.approx(sorted(likeliest.values()))


def test_of_a_huge_policy_the_likely_part_is_kept():
    tree = branching(10)
    document = plan_document(solution_of(tree), max_states=100)

    assert not document["isComplete"]
    states = document["states"]
    num_kept = sum(b > a for a, b in pairwise(states["start"]))
    assert num_kept <= 100
    cut = [
        state
        for state, action in enumerate(states["action"])
        if action >= 0 and states["start"][state] == states["start"][state + 1]
    ]
    assert cut
    kept = [s for s in range(len(states["action"])) if s not in cut]
    # Whatever is left out is no likelier than anything that is shown in full.
    assert max(states["reached"][s] for s in cut) <= min(
        states["reached"][s]
        for s in kept
        if states["start"][s] < states["start"][s + 1]
    )


def test_shows_what_the_alternatives_would_have_been_worth(monkeypatch):
    """Engines that know of other actions report them at each node, best first."""
    prospects = (Prospect("yes", 0.25, 8), Prospect("no", 0.75, 2))
    wait = Alternative("wait", 3.5, prospects=prospects)
    known = (wait, Alternative("ask", 2.0, is_bound=True))
    monkeypatch.setattr(Node, "alternatives", property(lambda node: known), False)
    document = plan_document(solution_of(tosses(2)))

    names = document["names"]
    yes, no = names.index("yes"), names.index("no")
    assert document["alternatives"][0] == [
        [names.index("wait"), 3.5, 0, yes, 0.25, 8, no, 0.75, 2],
        [names.index("ask"), 2, 1],
    ]


def test_costs_are_whole_numbers_and_may_depend_on_what_happened():
    problem = read_text(
        """
        budget: {money: 2.5, days: unlimited}
        actions:
          look: {cost: {money: 0.5}, outcomes: {yes: 0.5, no: rest}}
          take:
            cost: {money: 1, days: 1/3}
            outcomes: {ok: 0.5, fail: rest}
            given:
              - {when: look=yes and not look=no, cost: {money: 2}}
        rewards: [{when: take=ok, value: 1}]
        """,
        format="yaml",
    )
    document = plan_document(solve(problem))

    spending, names = document["spending"], document["names"]
    assert spending["resources"] == [
        {"name": "money", "one": "money", "limit": 5, "scale": 2},
        {"name": "days", "one": "day", "limit": None, "scale": 3},
    ]
    assert spending["costs"][names.index("look")] == {"cost": [1, 0]}
    take = spending["costs"][names.index("take")]
    assert take["cost"] == [2, 1]
    look, yes, no = (names.index(name) for name in ("look", "yes", "no"))
    assert take["given"] == [
        {
            "when": ["all", ["happened", look, yes], ["not", ["happened", look, no]]],
            "cost": [4, 0],
        }
    ]


@pytest.mark.parametrize("hostile", [*HOSTILE, "</script><script>", "<!--", "\u2028"])
def test_no_name_can_end_the_script(hostile):
    text = script_json({"name": hostile})

    assert json.loads(text) == {"name": hostile}
    assert not set(text) & set("<>&\u2028\u2029")
    assert text.isascii()


def test_a_problem_of_many_steps_is_small():
    """131,071 nodes, but steps worth the same lead to the same state."""
    solution = solve(steps(16))

    assert solution.tree.num_nodes == 2**17 - 1
    assert len(script_json(plan_document(solution))) < 100_000
