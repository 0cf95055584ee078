"""After a surprise a plan is worth what brute force says of the changed problem."""

import copy
import json
from fractions import Fraction
from random import Random

import pytest

from branchwise import Follower, read_text
from oracles.oracle import Oracle, State, number
from problems.strategies import seeded_documents

PLAIN = {"given"}  # so that each action has one cost and one set of probabilities


def ruled_out(document, state, random, follower):
    name = random.choice(list(document["actions"]))
    follower.rule_out(name)
    document["actions"][name]["requires"] = {"any": []}
    return state


def other_probability(document, state, random, follower):
    name = random.choice(list(document["actions"]))
    outcomes = document["actions"][name]["outcomes"]
    probabilities = {o: number(p) for o, p in outcomes.items() if p != "rest"}
    probabilities = (
        dict.fromkeys(outcomes, 1 - sum(probabilities.values())) | probabilities
    )
    changed = random.choice(list(probabilities))
    if probabilities[changed] == 1:
        return state
    new = Fraction(random.randint(0, 10), 10)
    follower.change_probability(f'"{name}"="{changed}"', new)
    factor = (1 - new) / (1 - probabilities[changed])
    probabilities = {
        o: new if o == changed else p * factor for o, p in probabilities.items()
    }
    document["actions"][name]["outcomes"] = {
        o: str(p) for o, p in probabilities.items()
    }
    return state


def other_cost(document, state, random, follower):
    name = random.choice(list(document["actions"]))
    cost = random.choice(["1/2", "1", "2", "3"])
    resources = list(follower.state.left)
    follower.change_cost(name, dict.fromkeys(resources, cost))
    plain = not isinstance(document["budget"], dict)
    document["actions"][name]["cost"] = (
        cost if plain else dict.fromkeys(resources, cost)
    )
    return state


def other_budget(document, state, random, follower):
    left = tuple(Fraction(random.randint(0, 6)) for _ in state.left)
    follower.change_budget(dict(zip(follower.state.left, left, strict=True)))
    return State(state.happened, left)


def other_reward(document, state, random, follower):
    if not document["rewards"]:
        return state
    index = random.randrange(len(document["rewards"]))
    value = random.randint(0, 30)
    follower.change_reward(index + 1, value)
    document["rewards"][index]["value"] = str(value)
    return state


def forced_outcome(document, state, random, follower):
    """It costs what it costs, or all there is, and counts as an attempt."""
    oracle = Oracle(document)
    name = random.choice(list(document["actions"]))
    outcome = random.choice(list(document["actions"][name]["outcomes"]))
    follower.happened(f'"{name}"="{outcome}"', force=True)
    cost = oracle.per_resource(document["actions"][name].get("cost", 1))
    left = tuple(max(h - c, 0) for h, c in zip(state.left, cost, strict=True))
    return State(tuple(sorted([*state.happened, (name, outcome)])), left)


SURPRISES = [
    ruled_out,
    other_probability,
    other_cost,
    other_budget,
    other_reward,
    forced_outcome,
]


@pytest.mark.parametrize("surprise", SURPRISES)
def test_the_plan_after_a_surprise_is_worth_what_the_oracle_says(surprise):
    for document in seeded_documents(
        15, seed=surprise.__name__, max_states=200, max_actions=5, without=PLAIN
    ):
        random = Random(document["name"])
        changed, oracle = copy.deepcopy(document), Oracle(document)
        follower = Follower(read_text(json.dumps(document), format="json"))
        state = oracle.root
        for _ in range(random.randint(0, 2)):
            if steps := oracle.steps(state):
                step = random.choice(steps)
                outcome = random.choice(sorted(step.children))
                follower.happened(f'"{step.action}"="{outcome}"')
                state = step.children[outcome][1]

        state = surprise(changed, state, random, follower)

        value = float(Oracle(changed).value(state))
        assert follower.advice.value == pytest.approx(value, rel=1e-9, abs=1e-9), (
            document["name"]
        )
