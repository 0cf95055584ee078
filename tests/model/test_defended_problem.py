"""What defenses leave of a problem, and that their order does not matter."""

import json
from itertools import permutations

import pytest

from branchwise import (
    Action,
    Defense,
    Given,
    Problem,
    Reward,
    read_text,
    solve,
    validate,
)
from branchwise.model import defended, problem_after
from branchwise.model.conditions.condition import NEVER
from branchwise.model.defended_problem import left_by
from oracles.defense_oracle import defended_documents, hardened, sets
from oracles.oracle import value

DRILL = Action(
    "drill",
    outcomes={"oil": "0.4", "gas": "0.2", "dry": "0.4"},
    cost=2,
    given=[
        Given("test=good", outcomes={"oil": 1}),
        Given("test=bad", cost=0),
        Given("test", outcomes={"dry": 1}, cost=3),
    ],
)
TEST = Action("test", outcomes={"good": "0.5", "bad": "0.5"})


def problem_with(*defenses, **settings):
    rewards = [Reward("drill=oil", 100)]
    settings = {"budget": 9} | settings
    return Problem([TEST, DRILL], rewards, defenses=defenses, **settings)


def probabilities(action):
    return {outcome.label: float(outcome.probability) for outcome in action.outcomes}


def test_what_is_forbidden_can_never_be_taken():
    left = defended(problem_with(Defense("fence", forbids=["drill"])), ["fence"])

    assert left.action("drill").requires == NEVER
    assert left.action("test") is TEST
    assert solve(left).expected_reward == 0
    assert left.defenses == ()


def test_a_raise_is_added_in_every_clause():
    left = defended(problem_with(Defense("tax", raises={"drill": 2})), ["tax"])

    costs = [
        clause.cost and clause.cost["budget"] for clause in left.action("drill").given
    ]
    assert left.action("drill").cost["budget"] == 4
    assert costs == [None, 2, 5]


def test_changed_probabilities_count_whatever_clause_holds():
    cap = Defense("cap", changes={"drill": {"oil": "0.1", "dry": "0.9"}})
    drill = defended(problem_with(cap), ["cap"]).action("drill")

    assert probabilities(drill) == {"oil": 0.1, "gas": 0, "dry": 0.9}
    assert (
        probabilities(drill.given[0])
        == probabilities(drill.given[2])
        == probabilities(drill)
    )
    assert drill.given[1].outcomes is None
    assert validate(Problem([TEST, drill], [Reward("drill=oil", 1)], budget=9))


def test_what_a_scale_takes_goes_to_the_others_in_proportion():
    """Half of 0.4 is lost; gas has a third of what the others have, dry two."""
    cap = Defense("cap", scales={"drill": {"oil": "0.5"}})
    drill = defended(problem_with(cap), ["cap"]).action("drill")

    assert probabilities(drill) == pytest.approx(
        {"oil": 0.2, "gas": 0.8 / 3, "dry": 1.6 / 3}
    )


def test_where_no_other_could_happen_they_take_equal_parts():
    cap = Defense("cap", scales={"drill": {"oil": "0.5"}})
    drill = defended(problem_with(cap), ["cap"]).action("drill")

    assert probabilities(drill.given[0]) == {"oil": 0.5, "gas": 0.25, "dry": 0.25}


def test_an_outcome_named_with_a_whole_share_takes_nothing():
    cap = Defense("cap", scales={"drill": {"oil": "0.5", "gas": 1}})
    drill = defended(problem_with(cap), ["cap"]).action("drill")

    assert probabilities(drill) == pytest.approx({"oil": 0.2, "gas": 0.2, "dry": 0.6})


def test_the_order_of_defenses_does_not_matter():
    defenses = [
        Defense("fence", forbids=["test"], raises={"drill": 1}),
        Defense("cap", scales={"drill": {"oil": "0.5"}}, raises={"drill": 2}),
        Defense("law", changes={"drill": {"oil": "0.8", "dry": "0.2"}}),
        Defense("rain", scales={"drill": {"oil": "0.9", "gas": 0}}),
    ]
    problem = problem_with(*defenses)

    left = [left_by(problem, list(order)) for order in permutations(defenses)]

    assert all(one == left[0] for one in left)
    assert probabilities(left[0].action("drill")) == pytest.approx(
        {"oil": 0.36, "gas": 0, "dry": 0.64}
    )


def test_a_raise_without_a_resource_counts_in_the_only_one():
    tax = Defense("tax", raises={"drill": 2})
    problem = problem_with(tax, budget={"money": 5})

    assert defended(problem, ["tax"]).action("drill").cost == {"money": 4}


def test_random_problems_are_worth_what_the_brute_force_says():
    for document in defended_documents(40, "hardened", max_states=60, most=3):
        problem = read_text(json.dumps(document), "json")
        for _, chosen in sets(document):
            left = defended(problem, chosen)
            assert solve(left, exact=True).expected_reward == value(
                hardened(document, chosen)
            ), document["name"]


def test_names_that_cannot_be_chosen_are_refused():
    fence = Defense("fence", forbids=["drill"], excludes=["tax"])
    problem = problem_with(fence, Defense("tax", raises={"drill": 2}))

    with pytest.raises(ValueError, match="no defense 'fense'; did you mean `fence`"):
        defended(problem, ["fense"])
    with pytest.raises(ValueError, match="'fence' and 'tax' exclude each other"):
        defended(problem, ["tax", "fence"])
    with pytest.raises(KeyError, match="no defense 'taxes'"):
        problem.defense("taxes")


def test_after_an_action_is_used_up_nothing_is_said_of_it_any_more():
    both = Defense("both", forbids=["test", "drill"], excludes=["watch"])
    watch = Defense("watch", raises={"test": 2})
    problem = problem_with(both, watch)

    left = problem_after(problem, "test=good")

    (defense,) = left.defenses
    assert (defense.forbids, defense.excludes) == (("drill",), ())
    assert not [issue for issue in validate(left) if issue.severity == "error"]
